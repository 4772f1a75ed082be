package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// CleanHTML returns HTML without anything that acts, hides, covers or loads: only allowed elements, attributes and
// styles are written anew, everything in quotes and escaped, every element closed. Links lead to http, https and mailto
// only and open apart; pictures from elsewhere become their alternative text with their address in data-remote-src,
// which loads nothing; those of the message (cid:) and small ones in the text (data:) stay. Cleaning a clean text
// changes nothing.
func CleanHTML(text string) string {
	clean, _, _ := cleanHTML(text, 0)
	return clean
}

// cleanHTML is CleanHTML with a limit of characters, markup included; 0 for none. What is longer is cut between
// elements or words, and closed. Total is the length of all of it.
//
// It takes three steps: what people see is written anew, with addresses and styles in their safe form; the policy keeps
// what is allowed of that; and the rest is cut to its limit.
func cleanHTML(text string, most int) (clean string, cut bool, total int) {
	var seen seenWriter
	cut = readHTML(strings.ToValidUTF8(text, "\ufffd"), &seen)
	w := cutter{most: most}
	w.read(policy().Sanitize(seen.out.String()))
	clean, beyond := w.result()
	return clean, cut || beyond, w.chars
}

// seenWriter writes the parts of a page that people see, every element closed.
type seenWriter struct{ out strings.Builder }

// noteWritten marks an element whose tag was written.
const noteWritten uint8 = 1

func (w *seenWriter) text(text string) {
	if w.out.Len() == 0 {
		text = strings.TrimLeft(text, leadingBlanks)
	}
	w.out.WriteString(escaped(text))
}

// leadingBlanks are taken off the beginning of a page.
const leadingBlanks = " \n\t\f\r"

func (w *seenWriter) start(tag atom.Atom, attributes []html.Attribute, e *element) {
	e.note = noteNone
	if tag == 0 || tag == atom.Img && isDot(attributes) {
		return
	}
	safe := make([]html.Attribute, 0, len(attributes)+2)
	for i := range attributes {
		if a, ok := rewritten(attributes[i]); ok {
			safe = append(safe, a)
		}
	}
	if tag == atom.A && has(safe, "href") {
		safe = append(safe, html.Attribute{Key: "target", Val: linksTarget}, html.Attribute{Key: "rel", Val: linksRel})
	}
	w.out.WriteString(startTag(tag.String(), safe))
	if !isVoid(tag) {
		e.note = noteWritten
	}
}

func (w *seenWriter) end(e *element) {
	if e.note == noteWritten {
		w.out.WriteString("</" + e.tag.String() + ">")
	}
}

func startTag(name string, attributes []html.Attribute) string {
	var b strings.Builder
	b.WriteString("<" + name)
	for i := range attributes {
		b.WriteString(" " + attributes[i].Key + `="` + escaped(attributes[i].Val) + `"`)
	}
	b.WriteByte('>')
	return b.String()
}

// cutter writes clean HTML up to a limit of characters.
type cutter struct {
	out strings.Builder
	// chars is how many characters are written, most how many may be; 0 for all.
	chars, most int
	// open are the elements to close, closing how many characters that takes, skipped how many more are open whose tags
	// were left out.
	open             []string
	closing, skipped int
	// The last place where the text can be cut: bytes, and what is to be closed there. It is kept until the end; beyond is
	// set when it is final.
	cutAt   int
	cutOpen []string
	beyond  bool
}

// maxWritten is how deep what is written is nested; tags beyond that are left out, and their text stays. Browsers have
// the same limit.
const maxWritten = 256

// read takes HTML in which every element is closed and nothing but the content of elements stands.
func (w *cutter) read(clean string) {
	tokens := html.NewTokenizer(strings.NewReader(clean))
	for {
		switch tokens.Next() {
		case html.ErrorToken: // the end: reading from memory does not fail otherwise
			return
		case html.TextToken:
			w.text(string(tokens.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			w.start(tokens.Token())
		case html.EndTagToken:
			w.end()
		case html.CommentToken, html.DoctypeToken: // the policy allows none
		}
	}
}

func (w *cutter) write(text string, chars int) {
	w.out.WriteString(text)
	w.chars += chars
}

// mark notes that the text can be cut here, if what is here and its ends fit.
func (w *cutter) mark() {
	if w.most == 0 || w.beyond {
		return
	}
	if w.chars+w.closing > w.most {
		w.beyond = w.chars > w.most
		return
	}
	w.cutAt = w.out.Len()
	w.cutOpen = append(w.cutOpen[:0], w.open...)
}

func (w *cutter) result() (text string, cut bool) {
	if w.most == 0 || w.chars <= w.most {
		return w.out.String(), false
	}
	var b strings.Builder
	b.WriteString(w.out.String()[:w.cutAt])
	for i := len(w.cutOpen) - 1; i >= 0; i-- {
		b.WriteString("</" + w.cutOpen[i] + ">")
	}
	return b.String(), true
}

// markEvery is after how many characters a long text can be cut again.
const markEvery = 32

func (w *cutter) text(text string) {
	if w.chars == 0 {
		text = strings.TrimLeft(text, leadingBlanks)
	}
	from, n := 0, 0
	flush := func(to int) {
		w.write(escaped(text[from:to]), 0)
		from, n = to, 0
	}
	for i, r := range text {
		if n >= markEvery && (unicode.IsSpace(r) || n >= 2*markEvery && boundary(text, i)) {
			flush(i)
			w.mark()
		}
		w.chars += escapedLen(r)
		n++
	}
	flush(len(text))
	w.mark()
}

// escaped writes text for HTML; characters that no page may hold become the one that stands for such.
func escaped(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return escapedLen(r) != 1 || isForbidden(r) }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&#34;")
		case isForbidden(r):
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isForbidden(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

func escapedLen(r rune) int {
	switch r {
	case '&', '"':
		return 5
	case '<', '>':
		return 4
	}
	return 1
}

func (w *cutter) start(token html.Token) {
	isOpening := !isVoid(token.DataAtom)
	if len(w.open) >= maxWritten {
		if isOpening {
			w.skipped++
		}
		return
	}
	tag := startTag(token.Data, token.Attr)
	w.write(tag, utf8.RuneCountInString(tag))
	if isOpening {
		w.open = append(w.open, token.Data)
		w.closing += len("</>") + len(token.Data)
	}
	w.mark()
}

func (w *cutter) end() {
	if w.skipped > 0 {
		w.skipped--
		return
	}
	last := len(w.open) - 1
	if last < 0 {
		return
	}
	tag := "</" + w.open[last] + ">"
	w.write(tag, len(tag))
	w.open = w.open[:last]
	w.closing -= len(tag)
	w.mark()
}

// htmlOf returns a text as HTML: paragraphs with their own direction, everything else escaped.
func htmlOf(text string) string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		if paragraph = strings.Trim(paragraph, "\n"); paragraph == "" {
			continue
		}
		b.WriteString(`<p dir="auto">`)
		b.WriteString(strings.ReplaceAll(escaped(paragraph), "\n", "<br>\n"))
		b.WriteString("</p>\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

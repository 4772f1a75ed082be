package mail

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// textOf returns a page as text: blocks on lines of their own, paragraphs apart, lists with marks, the cells of a row
// between bars, links with their real target, pictures by what they are called, and quoted history behind ">". The
// order is that of the page, whatever the direction of its writing. shows reports whether there is anything to see, a
// picture at least.
func textOf(page string, form form) (text string, cut, shows bool) {
	w := textWriter{form: form}
	cut = readHTML(page, &w)
	return strings.TrimRight(w.out.String(), " \n"), cut, w.begun || w.pictures
}

// form is how a page is made text.
type form struct {
	// clean leaves signatures out.
	clean bool
	// seen leaves out what pictures are called, which people see only where there is no picture.
	seen bool
}

// What an element means to the text; kept with it for its end.
const (
	noteNone uint8 = iota
	noteQuote
	noteLink
	noteList
	noteSkip
)

// Bounds that keep the text from growing beyond the page.
const (
	maxQuoteShown = 8
	maxListShown  = 6
	maxIndent     = 200
	maxURL        = 2_048
)

type textWriter struct {
	out  strings.Builder
	form form
	// pictures is whether there was one.
	pictures bool
	// breaks is how many line breaks come before the next word, space whether white space does, bar whether a cell ends.
	breaks         int
	space, bar     bool
	begun          bool
	skip, pre      int
	quotes, quoted int   // now, and at the last word
	indent         int   // blanks before the next word, in preformatted text
	lists          []int // the next number; 0 for marks
	mark           string
	link           string
	linkStart      int
}

func (w *textWriter) start(tag atom.Atom, attributes []html.Attribute, e *element) {
	e.note = noteNone
	if w.form.clean && isSignature(attributes) {
		e.note = noteSkip
		w.skip++
	}
	switch tag {
	case atom.Br:
		w.lineBreak()
	case atom.Img:
		w.picture(attributes)
	case atom.Hr:
		w.paragraph(2)
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Figure:
		w.paragraph(2)
	case atom.Pre, atom.Listing:
		w.paragraph(2)
		w.pre++
	case atom.Blockquote:
		w.paragraph(2)
		if isCited(attributes) {
			e.note = noteQuote
			w.quotes++
		}
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		w.paragraph(1)
		e.note = noteList
		next := 0
		if tag == atom.Ol {
			next = 1
			if n, err := strconv.Atoi(attribute(attributes, "start")); err == nil && n > 0 && n < 1_000_000 {
				next = n
			}
		}
		w.lists = append(w.lists, next)
	case atom.Li:
		w.paragraph(1)
		w.item()
	case atom.Td, atom.Th:
		w.bar = w.begun && w.breaks == 0
	case atom.A:
		w.openLink(attributes, e)
	default:
		if isBlock(tag) {
			w.paragraph(1)
		}
	}
}

func (w *textWriter) end(e *element) {
	switch e.note {
	case noteSilent:
		return
	case noteSkip:
		w.skip--
	case noteQuote:
		w.paragraph(2)
		w.quotes--
		return
	case noteLink:
		w.closeLink()
		return
	case noteList:
		if len(w.lists) > 0 {
			w.lists = w.lists[:len(w.lists)-1]
		}
	}
	switch e.tag {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Figure:
		w.paragraph(2)
	case atom.Pre, atom.Listing:
		w.pre--
		w.paragraph(2)
	case atom.Td, atom.Th:
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		if len(w.lists) == 0 {
			w.paragraph(2)
		} else {
			w.paragraph(1)
		}
	case atom.Table:
		w.paragraph(1)
	default:
		if isBlock(e.tag) {
			w.paragraph(1)
		}
	}
}

// paragraph asks for that many line breaks before the next word.
func (w *textWriter) paragraph(breaks int) {
	w.space, w.bar = false, false
	if w.begun {
		w.breaks = max(w.breaks, breaks)
	}
}

// lineBreak adds one; two in a row make a blank line, more do not.
func (w *textWriter) lineBreak() {
	w.space, w.bar = false, false
	if w.begun && w.breaks < 2 {
		w.breaks++
	}
}

func (w *textWriter) item() {
	depth := min(max(len(w.lists), 1), maxListShown)
	w.mark = strings.Repeat("  ", depth-1) + "- "
	if len(w.lists) == 0 {
		return
	}
	if n := &w.lists[len(w.lists)-1]; *n > 0 {
		w.mark = strings.Repeat("  ", depth-1) + strconv.Itoa(*n) + ". "
		*n++
	}
}

func (w *textWriter) text(text string) {
	if w.skip > 0 {
		return
	}
	for i, r := range text {
		switch {
		case r == '\n' && w.pre > 0:
			w.space, w.indent = false, 0
			w.breaks = min(w.breaks+1, 2)
			if !w.begun {
				w.breaks = 0
			}
		case r == ' ' && w.pre > 0 && w.begun:
			w.indent = min(w.indent+1, maxIndent)
		case isBlank(r):
			w.space = true
		// padding behind a preview text
		case isFiller(r), (r == joiner || r == '\u200c') && (w.space || !w.begun || w.breaks > 0):
		case unicode.IsControl(r), r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd"):
		default:
			w.before()
			w.out.WriteRune(r)
		}
	}
}

func isBlank(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == '\u00a0' || r == '\u2007' ||
		r == '\u2009' || r == '\u200a' || r == '\u2002' || r == '\u2003' || r == '\u202f' || r == '\u3000'
}

// isFiller reports whether a character takes no place and means nothing, or only tells programs something: tags and
// the variation selectors by which whole texts can be hidden, and marks that show letters in another order than they
// have.
func isFiller(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case 0xe0000 <= r && r <= 0xe0fff, 0xfe00 <= r && r <= 0xfe0e, 0x202a <= r && r <= 0x202e,
		0x2060 <= r && r <= 0x206f, 0xfff9 <= r && r <= 0xfffb:
		return true
	}
	switch r {
	case 0xad, 0x034f, 0x115f, 0x1160, 0x180e, 0x200b, 0x2800, 0x3164, 0xfeff, 0xffa0:
		return true
	}
	return false
}

// before writes what is due before a word.
func (w *textWriter) before() {
	fresh := !w.begun
	if w.breaks > 0 {
		for range w.breaks - 1 {
			w.out.WriteByte('\n')
			w.out.WriteString(strings.TrimRight(prefix(min(w.quotes, w.quoted)), " "))
		}
		w.out.WriteByte('\n')
		fresh = true
	}
	switch {
	case fresh:
		w.out.WriteString(prefix(w.quotes))
		if w.mark == "" && len(w.lists) > 0 && w.begun {
			w.out.WriteString(strings.Repeat("  ", min(len(w.lists), maxListShown)))
		}
	case w.bar:
		w.out.WriteString(" | ")
	case w.space:
		w.out.WriteByte(' ')
	}
	w.out.WriteString(w.mark)
	w.out.WriteString(strings.Repeat(" ", w.indent))
	w.mark, w.indent, w.quoted = "", 0, w.quotes
	w.breaks, w.space, w.bar, w.begun = 0, false, false, true
}

func prefix(quotes int) string { return strings.Repeat("> ", min(quotes, maxQuoteShown)) }

func (w *textWriter) put(text string) {
	w.before()
	w.out.WriteString(text)
}

// picture stands for itself by its alternative text, unless the text is for those who see what people see.
func (w *textWriter) picture(attributes []html.Attribute) {
	w.pictures = w.pictures || !isDot(attributes)
	if w.skip > 0 || w.form.seen || isDot(attributes) {
		return
	}
	alt, _ := Cut(attribute(attributes, "alt"), maxURL)
	if strings.TrimSpace(alt) != "" {
		w.space = true
		w.text(alt)
		w.space = true
	}
}

// isDot reports whether a picture is a tracking pixel, by which its owner learns when a mail is read.
func isDot(attributes []html.Attribute) bool {
	for _, side := range [...]string{"width", "height"} {
		if n, ok := length(strings.TrimSpace(attribute(attributes, side))); ok && n <= 1 {
			return true
		}
	}
	return false
}

func (w *textWriter) openLink(attributes []html.Attribute, e *element) {
	target, ok := linkTarget(attribute(attributes, "href"))
	if !ok || w.skip > 0 {
		return
	}
	e.note = noteLink
	w.link, w.linkStart = target, w.out.Len()
}

// closeLink writes the target behind what leads there, unless that is the target itself, or nothing is to be seen.
func (w *textWriter) closeLink() {
	target := w.link
	w.link = ""
	if w.skip > 0 || target == "" || w.linkStart > w.out.Len() {
		return
	}
	shown := strings.TrimSpace(strings.TrimLeft(w.out.String()[w.linkStart:], " \n>|-"))
	if shown == "" || sameTarget(shown, target) {
		return
	}
	if len(target) > maxURL {
		target = target[:maxURL] + "\u2026"
	}
	w.breaks = 0
	w.bar = false
	w.space = true
	w.put("(" + target + ")")
}

// sameTarget reports whether a text is a link's target, as people write it.
func sameTarget(shown, target string) bool {
	bare := func(s string) string {
		s = strings.ToLower(s)
		for _, prefix := range [...]string{"mailto:", "https://", "http://"} {
			s = strings.TrimPrefix(s, prefix)
		}
		return strings.TrimSuffix(s, "/")
	}
	return bare(shown) == bare(target)
}

// isCited reports whether a mail program, not an author, has made a quotation.
func isCited(attributes []html.Attribute) bool {
	if strings.EqualFold(attribute(attributes, "type"), "cite") || attribute(attributes, "cite") != "" {
		return true
	}
	for class := range strings.FieldsSeq(attribute(attributes, "class")) {
		if class == "gmail_quote" || class == "protonmail_quote" || class == "tutanota_quote" || class == "zmail_quote" {
			return true
		}
	}
	return false
}

// isSignature reports whether a mail program has marked an element as a signature.
func isSignature(attributes []html.Attribute) bool {
	if attribute(attributes, "data-smartmail") == "gmail_signature" || attribute(attributes,
		"id") == "ms-outlook-mobile-signature" || attribute(attributes, "id") == "AppleMailSignature" {
		return true
	}
	for class := range strings.FieldsSeq(attribute(attributes, "class")) {
		switch class {
		case "gmail_signature", "gmail_signature_prefix", "moz-signature", "protonmail_signature_block":
			return true
		}
	}
	return false
}

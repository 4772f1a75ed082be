package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// CleanHTML gives HTML without anything that acts, hides, covers or loads: an allow-list of elements, attributes and
// styles is written anew, everything in quotes and escaped, every element closed. Links lead to http, https and mailto
// only and open apart; pictures from elsewhere become their alternative text with their address in data-remote-src,
// which loads nothing; those of the message (cid:) and small ones in the text (data:) stay. Cleaning a clean text
// changes nothing.
func CleanHTML(text string) string {
	clean, _, _ := cleanHTML(text, 0)
	return clean
}

// cleanHTML is CleanHTML with a limit of characters, markup included; 0 for none. What is longer is cut between
// elements or words, and closed. Total is the length of all of it.
func cleanHTML(text string, most int) (clean string, cut bool, total int) {
	w := cleanWriter{most: most}
	cut = readHTML(strings.ToValidUTF8(text, "\ufffd"), &w)
	clean, beyond := w.result()
	return clean, cut || beyond, w.chars
}

// cleanWriter writes the allowed parts of a page.
type cleanWriter struct {
	out strings.Builder
	// chars is how many characters are written, most how many may be.
	chars, most int
	// open are the elements to close, closing how many characters that takes.
	open    []atom.Atom
	closing int
	// The last place where the text can be cut: bytes, and what is to be closed there. It is kept until the end; beyond is
	// set when it is final.
	cutAt   int
	cutOpen []atom.Atom
	beyond  bool
}

// noteWritten marks an element whose tag was written.
const noteWritten uint8 = 1

// maxWritten is how deep what is written is nested; tags beyond that are left out, and their text stays. Browsers have
// the same limit.
const maxWritten = 256

func (w *cleanWriter) write(text string, chars int) {
	w.out.WriteString(text)
	w.chars += chars
}

// mark notes that the text can be cut here, if what is here and its ends fit.
func (w *cleanWriter) mark() {
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

func (w *cleanWriter) result() (text string, cut bool) {
	if w.most == 0 || w.chars <= w.most {
		return w.out.String(), false
	}
	var b strings.Builder
	b.WriteString(w.out.String()[:w.cutAt])
	for i := len(w.cutOpen) - 1; i >= 0; i-- {
		b.WriteString("</" + w.cutOpen[i].String() + ">")
	}
	return b.String(), true
}

// markEvery is after how many characters a long text can be cut again.
const markEvery = 32

func (w *cleanWriter) text(text string) {
	if w.chars == 0 {
		text = strings.TrimLeft(text, " \n\t\f\r")
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

func (w *cleanWriter) start(tag atom.Atom, attributes []html.Attribute, e *element) {
	e.note = noteNone
	if tag == atom.Img && isDot(attributes) || !isAllowed(tag) || len(w.open) >= maxWritten {
		return
	}
	var b strings.Builder
	b.WriteString("<" + tag.String())
	put := func(key, value string) {
		b.WriteString(" " + key + `="` + escaped(value) + `"`)
	}
	for i := range attributes {
		a := &attributes[i]
		if a.Namespace != "" {
			continue
		}
		if key, value, ok := allowedAttribute(tag, a.Key, a.Val); ok {
			put(key, value)
		}
	}
	if tag == atom.A && attribute(attributes, "href") != "" {
		if _, ok := linkTarget(attribute(attributes, "href")); ok {
			put("target", "_blank")
			put("rel", "noopener noreferrer")
		}
	}
	b.WriteByte('>')
	w.write(b.String(), utf8.RuneCountInString(b.String()))
	if !isVoid(tag) {
		e.note = noteWritten
		w.open = append(w.open, tag)
		w.closing += len(tag.String()) + len("</>")
	}
	w.mark()
}

func (w *cleanWriter) end(e *element) {
	if e.note != noteWritten {
		return
	}
	size := len(e.tag.String()) + len("</>")
	w.write("</"+e.tag.String()+">", size)
	w.open = w.open[:len(w.open)-1]
	w.closing -= size
	w.mark()
}

// isAllowed tells the elements that only show.
func isAllowed(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.Abbr, atom.Address, atom.Article, atom.Aside, atom.B, atom.Bdi, atom.Big, atom.Blockquote, atom.Br,
		atom.Caption, atom.Center, atom.Cite, atom.Code, atom.Col,
		atom.Colgroup, atom.Dd, atom.Del, atom.Dfn, atom.Div, atom.Dl, atom.Dt, atom.Em, atom.Figcaption, atom.Figure,
		atom.Font, atom.Footer, atom.H1, atom.H2, atom.H3, atom.H4,
		atom.H5, atom.H6, atom.Header, atom.Hr, atom.I, atom.Img, atom.Ins, atom.Kbd, atom.Li, atom.Main, atom.Mark, atom.Nav,
		atom.Ol, atom.P, atom.Pre, atom.Q, atom.S, atom.Samp,
		atom.Section, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Table, atom.Tbody, atom.Td,
		atom.Tfoot, atom.Th, atom.Thead, atom.Time, atom.Tr,
		atom.Tt, atom.U, atom.Ul, atom.Var, atom.Wbr:
		return true
	}
	return false
}

// Bounds of attributes.
const (
	maxAttribute = 1_000
	maxData      = 64 << 10
)

// allowedAttribute gives an attribute as it may stand, under the name that it may have.
func allowedAttribute(tag atom.Atom, key, value string) (name, allowed string, ok bool) {
	switch key {
	case "href":
		if tag != atom.A {
			return "", "", false
		}
		target, ok := linkTarget(value)
		return key, target, ok
	case "src":
		if tag != atom.Img {
			return "", "", false
		}
		return pictureSource(value)
	case "data-remote-src":
		target, ok := linkTarget(value)
		return key, target, ok && tag == atom.Img && !strings.HasPrefix(target, "mailto:")
	case "alt", "title":
		value, _ = Cut(value, maxAttribute)
		return key, value, true
	case "dir":
		value = strings.ToLower(value)
		return key, value, value == "ltr" || value == "rtl" || value == "auto"
	case "style":
		value = allowedStyle(value)
		return key, value, value != ""
	}
	if !isPlainAttribute(key) || len(value) > 100 || strings.ContainsFunc(value, func(r rune) bool {
		return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("#%.,- ", r)
	}) {
		return "", "", false
	}
	return key, value, true
}

func isPlainAttribute(key string) bool {
	switch key {
	case "lang", "align", "valign", "width", "height", "border", "cellpadding", "cellspacing", "colspan", "rowspan",
		"bgcolor", "color", "face", "size", "start", "type", "scope":
		return true
	}
	return false
}

// linkTarget gives a link's target in full: only http, https and mailto, without what a browser would leave out when it
// reads it (URL, 4.4).
func linkTarget(value string) (target string, ok bool) {
	const most = 8 << 10
	if len(value) > most {
		return "", false
	}
	value = strings.TrimFunc(value, func(r rune) bool { return r <= ' ' })
	var b strings.Builder
	for _, r := range value {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
		case r == ' ':
			b.WriteString("%20")
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.IsSpace(r), r == utf8.RuneError:
			return "", false
		default:
			b.WriteRune(r)
		}
	}
	value = b.String()
	scheme, rest, found := strings.Cut(value, ":")
	if !found || rest == "" {
		return "", false
	}
	switch scheme = strings.ToLower(scheme); scheme {
	case "http", "https":
		host, slashes := strings.CutPrefix(rest, "//")
		return scheme + ":" + rest, slashes && strings.Trim(host, "/\\") != ""
	case "mailto":
		return scheme + ":" + rest, true
	}
	return "", false
}

// pictureSource keeps the pictures that the message brings along.
func pictureSource(value string) (name, source string, ok bool) {
	trimmed := strings.TrimSpace(value)
	if lower := strings.ToLower(trimmed[:min(len(trimmed), 32)]); strings.HasPrefix(lower, "data:") {
		for _, kind := range [...]string{"data:image/png;base64,", "data:image/jpeg;base64,", "data:image/gif;base64,",
			"data:image/webp;base64,"} {
			if strings.HasPrefix(lower, kind) {
				return "src", trimmed, len(trimmed) <= maxData && isBase64(trimmed[len(kind):])
			}
		}
		return "", "", false
	} else if strings.HasPrefix(lower, "cid:") {
		return "src", trimmed, len(trimmed) <= maxAttribute && !strings.ContainsFunc(trimmed,
			func(r rune) bool { return r <= ' ' || r == 0x7f || r == '"' || r == '<' || r == '>' })
	}
	target, ok := linkTarget(trimmed)
	return "data-remote-src", target, ok && !strings.HasPrefix(target, "mailto:")
}

func isBase64(text string) bool {
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '+' && c != '/' && c != '=' {
			return false
		}
	}
	return true
}

// allowedStyle keeps the declarations that colour, size and align, with plain values: no functions but colours, nothing
// that loads, nothing below zero.
func allowedStyle(style string) string {
	var b strings.Builder
	for _, d := range declarations(style) {
		if !isAllowedProperty(d.property) || !isPlainValue(d.value) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(';')
		}
		b.WriteString(d.property + ":" + d.value)
	}
	return b.String()
}

func isAllowedProperty(property string) bool {
	switch property {
	case "color", "background-color", "font-family", "font-size", "font-style", "font-weight", "font-variant",
		"text-align", "text-decoration", "text-transform", "direction",
		"line-height", "letter-spacing", "white-space", "vertical-align", "width", "max-width", "min-width", "height",
		"list-style-type", "border-collapse", "border-spacing":
		return true
	}
	for _, prefix := range [...]string{"margin", "padding", "border"} {
		rest, found := strings.CutPrefix(property, prefix)
		if !found {
			continue
		}
		switch strings.TrimLeft(rest, "-") {
		case "", "top", "right", "bottom", "left", "width", "style", "color", "radius", "top-width", "top-style", "top-color",
			"right-width", "right-style", "right-color",
			"bottom-width", "bottom-style", "bottom-color", "left-width", "left-style", "left-color":
			return true
		}
	}
	return false
}

// isPlainValue tells words, numbers, colours and names of fonts.
func isPlainValue(value string) bool {
	if value == "" || len(value) > 200 {
		return false
	}
	rest := value
	for _, function := range [...]string{"rgb(", "rgba(", "hsl(", "hsla("} {
		rest = strings.ReplaceAll(rest, function, "(")
	}
	for i := range len(rest) {
		c := rest[i]
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == ' ', c == '#', c == '%', c == '.', c == ',':
		case c == '\'':
		case c == '-' && (i == 0 || rest[i-1] == ' ' || rest[i-1] == ',' || rest[i-1] == '('):
			if i+1 < len(rest) && (rest[i+1] >= '0' && rest[i+1] <= '9' || rest[i+1] == '.') {
				return false // below zero
			}
		case c == '-':
		case c == '(':
			if i > 0 && rest[i-1] != ' ' && rest[i-1] != ',' {
				return false // another function
			}
		case c == ')':
		default:
			return false
		}
	}
	return strings.Count(value, "'")%2 == 0
}

// htmlOf gives a text as HTML: paragraphs with their own direction, everything else escaped.
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

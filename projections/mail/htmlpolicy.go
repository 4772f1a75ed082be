package mail

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// Links open apart, and tell where they lead nothing about the page that they stand on.
const (
	linksTarget = "_blank"
	linksRel    = "noopener noreferrer"
)

// policy is what cleaned HTML may hold. Everything else is dropped; the text in an element stays.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	elements := strings.Fields(`a abbr address article aside b bdi big blockquote br caption center cite code col
		colgroup dd del dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main
		mark nav ol p pre q s samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul
		var wbr`)
	p := bluemonday.NewPolicy()
	p.AllowNoAttrs().OnElements(elements...)
	// Its default drops their content, which readHTML has judged already.
	p.AllowElementsContent("frame", "frameset", "iframe", "noembed", "noframes", "noscript", "nostyle", "object",
		"script", "style", "title")

	p.AllowAttrs("href").Matching(regexp.MustCompile(`^(?:https?://|mailto:).`)).OnElements("a")
	p.AllowAttrs("target").Matching(exactly(linksTarget)).OnElements("a")
	p.AllowAttrs("rel").Matching(exactly(linksRel)).OnElements("a")
	p.AllowAttrs("src").Matching(regexp.MustCompile(`^(?i:cid:|data:image/(?:png|jpeg|gif|webp);base64,)`)).
		OnElements("img")
	p.AllowAttrs("data-remote-src").Matching(regexp.MustCompile(`^https?://.`)).OnElements("img")
	p.AllowAttrs("alt", "title").Globally()
	p.AllowAttrs("dir").Matching(regexp.MustCompile(`^(?:ltr|rtl|auto)$`)).Globally()
	p.AllowAttrs("lang", "align", "valign", "width", "height", "border", "cellpadding", "cellspacing", "colspan",
		"rowspan", "bgcolor", "color", "face", "size", "start", "type", "scope").
		Matching(regexp.MustCompile(`^[A-Za-z0-9#%.,\- ]{0,100}$`)).Globally()
	// allowedStyle has chosen the declarations.
	p.AllowAttrs("style").Matching(regexp.MustCompile(`^[a-z0-9 #%.,'():;-]+$`)).Globally()
	return p
})

func exactly(value string) *regexp.Regexp {
	return regexp.MustCompile("^" + regexp.QuoteMeta(value) + "$")
}

// Bounds of attributes.
const (
	maxAttribute = 1_000
	maxData      = 64 << 10
)

// rewritten returns an attribute in the form in which the policy may allow it; ok is false for one that has none.
func rewritten(a html.Attribute) (safe html.Attribute, ok bool) {
	ok = true
	switch a.Key {
	case "href":
		a.Val, ok = linkTarget(a.Val)
	case "src":
		a.Key, a.Val, ok = pictureSource(a.Val)
	case "data-remote-src":
		a.Val, ok = remotePicture(a.Val)
	case "alt", "title":
		a.Val, _ = Cut(a.Val, maxAttribute)
	case "dir":
		a.Val = strings.ToLower(a.Val)
	case "style":
		a.Val = allowedStyle(a.Val)
		ok = a.Val != ""
	case "target", "rel": // links get their own
		ok = false
	}
	return a, ok
}

// linkTarget returns a link's target in full: only http, https and mailto, without what a browser would leave out when
// it reads it (URL, 4.4).
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

// pictureSource keeps the pictures that the message brings along, and renames the address of others.
func pictureSource(value string) (name, source string, ok bool) {
	value = strings.TrimSpace(value)
	switch lower := strings.ToLower(value[:min(len(value), len("data:"))]); {
	case lower == "data:":
		_, content, _ := strings.Cut(value, ",")
		return "src", value, len(value) <= maxData && isBase64(content)
	case strings.HasPrefix(lower, "cid:"):
		return "src", value, len(value) <= maxAttribute && !strings.ContainsFunc(value,
			func(r rune) bool { return r <= ' ' || r == 0x7f || r == '"' || r == '<' || r == '>' })
	}
	source, ok = remotePicture(value)
	return "data-remote-src", source, ok
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

func remotePicture(value string) (address string, ok bool) {
	address, ok = linkTarget(value)
	return address, ok && !strings.HasPrefix(address, "mailto:")
}

// allowedStyle keeps the declarations that colour, size and align, with plain values: no functions but colours, nothing
// that loads, nothing below zero.
func allowedStyle(style string) string {
	var b strings.Builder
	for _, d := range declarations(style) {
		d = plainBackground(d)
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

// plainBackground returns the colour of a background alone; where a picture is, which is not loaded, one on which both
// black and white letters can be read.
func plainBackground(d declaration) declaration {
	if d.property != "background" && d.property != "background-image" {
		return d
	}
	d.property = "background-color"
	if strings.Contains(d.value, "url(") || strings.Contains(d.value, "gradient(") {
		d.value = pictured
		return d
	}
	for word := range fieldsOutside(d.value, ' ') {
		if _, _, ok := readColour(word); ok {
			d.value = word
			return d
		}
	}
	d.value = ""
	return d
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

// isPlainValue reports whether a value consists of words, numbers, colours and names of fonts.
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

package mail

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// declaration is one of a style, both in lower case, without "!important".
type declaration struct{ property, value string }

// maxStyle and maxDeclarations bound what is read of one style.
const (
	maxStyle        = 8 << 10
	maxDeclarations = 100
)

// declarations reads a style attribute (CSS Style Attributes, 3), without comments.
func declarations(style string) []declaration {
	if len(style) > maxStyle {
		style = style[:maxStyle]
	}
	var found []declaration
	for part := range strings.SplitSeq(uncommented(style), ";") {
		property, value, ok := strings.Cut(part, ":")
		if !ok || len(found) == maxDeclarations {
			continue
		}
		value = strings.ToLower(strings.TrimSpace(value))
		if i := strings.IndexByte(value, '!'); i >= 0 {
			value = strings.TrimSpace(value[:i])
		}
		found = append(found,
			background(declaration{unescaped(strings.ToLower(strings.TrimSpace(property))), unescaped(value)}))
	}
	return found
}

// pictured stands for what is behind letters where a picture is, which is not loaded: a grey on which both black and
// white can be read.
const pictured = "#8a7f84"

// background returns the colour of a background alone.
func background(d declaration) declaration {
	switch d.property {
	case "background", "background-image":
	default:
		return d
	}
	if strings.Contains(d.value, "url(") || strings.Contains(d.value, "gradient") {
		return declaration{"background-color", pictured}
	}
	if d.property == "background" {
		d.value, _, _ = strings.Cut(d.value, " ")
		if !strings.Contains(d.value, "(") {
			return declaration{"background-color", d.value}
		}
	}
	return d
}

func uncommented(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(css, "/*")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if _, css, found = strings.Cut(rest, "*/"); !found {
			return b.String()
		}
		b.WriteByte(' ')
	}
}

// unescaped undoes CSS escapes, with which a word can be written so that it is not found: d\69splay.
func unescaped(word string) string {
	if !strings.Contains(word, `\`) {
		return word
	}
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		if word[i] != '\\' {
			b.WriteByte(word[i])
			continue
		}
		end := i + 1
		for end < len(word) && end < i+7 && isHex(word[end]) {
			end++
		}
		if code, err := strconv.ParseUint(word[i+1:end], 16, 32); err == nil && code < 0x80 {
			b.WriteByte(byte(code))
			if end < len(word) && word[end] == ' ' {
				end++
			}
		}
		i = end - 1
	}
	return strings.ToLower(b.String())
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }

// hides reports whether an element's attributes keep it from being seen, and notes its colours.
func hides(attributes []html.Attribute, p *paint) bool {
	hidden := false
	for i := range attributes {
		switch a := &attributes[i]; a.Key {
		case "hidden":
			hidden = true
		case "style":
			hidden = hiding(declarations(a.Val), p) || hidden
		case "color", "text":
			p.setColor(strings.ToLower(a.Val))
		case "bgcolor":
			p.setBackground(strings.ToLower(a.Val))
		case "background":
			p.setBackground(pictured)
		}
	}
	return hidden
}

// hiding reports whether declarations keep an element from being seen: the ways that mails are seen to use.
func hiding(style []declaration, p *paint) bool {
	hidden, clipped, flat, away, placed := false, false, false, false, false
	for _, d := range style {
		n, isLength := length(d.value)
		switch d.property {
		case "display":
			hidden = d.value == "none"
		case "visibility":
			hidden = hidden || d.value == "hidden" || d.value == "collapse"
		case "opacity":
			n, err := strconv.ParseFloat(strings.TrimSuffix(d.value, "%"), 64)
			if strings.HasSuffix(d.value, "%") {
				n /= 100
			}
			hidden = hidden || err == nil && n < 0.1
		case "mso-hide":
			hidden = hidden || d.value == "all"
		case "font-size":
			hidden = hidden || isLength && n < 2
		case "font":
			hidden = hidden || strings.HasPrefix(d.value, "0 ") || strings.HasPrefix(d.value, "0/") ||
				strings.Contains(" "+d.value, " 0px") || strings.Contains(" "+d.value, " 1px")
		case "max-height", "max-width", "height", "width":
			flat = flat || isLength && n <= 1 && n >= 0
		case "overflow", "overflow-x", "overflow-y":
			clipped = clipped || strings.HasPrefix(d.value, "hidden") || d.value == "clip"
		case "text-indent":
			hidden = hidden || isLength && (n <= -100 || n >= 2_000)
		case "position":
			placed = d.value == "absolute" || d.value == "fixed"
		case "left", "top", "right", "bottom", "margin-left", "margin-top":
			away = away || isLength && (n <= -200 || n >= 4_000)
			placed = placed || strings.HasPrefix(d.property, "margin")
		case "clip":
			hidden = hidden || strings.HasPrefix(d.value, "rect(0") || strings.HasPrefix(d.value, "rect(1px")
		case "clip-path":
			hidden = hidden || strings.HasPrefix(d.value, "inset(50%") || strings.HasPrefix(d.value, "inset(100%") ||
				strings.HasPrefix(d.value, "circle(0")
		case "transform":
			hidden = hidden || strings.Contains(d.value, "scale(0)") ||
				strings.Contains(d.value, "translate") && strings.Contains(d.value, "-999")
		case "color":
			p.setColor(d.value)
		case "background-color":
			p.setBackground(d.value)
		}
	}
	return hidden || flat && clipped || away && placed
}

// length reads a length in pixels, roughly: units of the letter's size count sixteen, and percent are none. Ok is false
// for what is no length.
func length(value string) (pixels float64, ok bool) {
	end := 0
	for end < len(value) && (value[end] >= '0' && value[end] <= '9' || value[end] == '.' || value[end] == '-' ||
		value[end] == '+') {
		end++
	}
	n, err := strconv.ParseFloat(value[:end], 64)
	if err != nil {
		return 0, false
	}
	switch value[end:] {
	case "", "px", "pt":
		return n, true
	case "em", "rem", "ex", "ch", "vw", "vh", "in", "cm", "pc":
		return n * 16, true
	case "%":
		return n * 0.16, true
	}
	return 0, false
}

// maxRules bounds how many selectors of a page are remembered.
const maxRules = 5_000

// hidingRules are the classes, ids and elements that a page's own styles hide always; rules under a condition (@media)
// do not count, nor do selectors of more than one word. What has a background by them is remembered too, since light
// letters stand on it.
type hidingRules map[string]ruled

// ruled is what a rule does.
type ruled struct{ hides, paints bool }

// hidingRulesOf reads the styles of a page, wherever they stand.
func hidingRulesOf(text string) hidingRules {
	rules := hidingRules{}
	for {
		at := indexStyle(text)
		if at < 0 {
			return rules
		}
		text = text[at:]
		_, inside, found := strings.Cut(text, ">")
		if !found {
			return rules
		}
		css := inside
		if end := strings.Index(inside, "</"); end >= 0 {
			css = inside[:end]
		}
		rules.read(uncommented(css))
		text = inside[len(css):]
	}
}

// indexStyle finds the next "<style", in any case.
func indexStyle(text string) int {
	const mark = "style"
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '<')
		if i < 0 || from+i+1+len(mark) > len(text) {
			return -1
		}
		from += i + 1
		if strings.EqualFold(text[from:from+len(mark)], mark) {
			return from - 1
		}
	}
}

func (h hidingRules) read(css string) {
	for css != "" && len(h) < maxRules {
		at := strings.IndexAny(css, "{}")
		if at < 0 {
			return
		}
		selector, rest := strings.TrimSpace(css[:at]), css[at+1:]
		if css[at] == '}' {
			css = rest
			continue
		}
		if i := strings.LastIndexByte(selector, ';'); i >= 0 { // behind an @import
			selector = strings.TrimSpace(selector[i+1:])
		}
		if strings.HasPrefix(selector, "@") {
			css = skipBlock(rest)
			continue
		}
		body, after, _ := strings.Cut(rest, "}")
		css = after
		paint := defaultPaint()
		does := ruled{hides: hiding(declarations(body), &paint), paints: paint.behind != white}
		if does == (ruled{}) {
			continue
		}
		for one := range strings.SplitSeq(selector, ",") {
			one = strings.TrimPrefix(strings.TrimSpace(one), "*")
			if one != "" && !strings.ContainsAny(one, " >+~:[*") && len(one) <= maxName && len(h) < maxRules {
				h[one] = ruled{h[one].hides || does.hides, h[one].paints || does.paints}
			}
		}
	}
}

// skipBlock returns what stands behind the bracket that closes the block.
func skipBlock(css string) string {
	depth := 1
	for i := range len(css) {
		switch css[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return css[i+1:]
			}
		}
	}
	return ""
}

// of returns what the rules that fit an element do.
func (h hidingRules) of(name string, attributes []html.Attribute) (does ruled) {
	if len(h) == 0 {
		return ruled{}
	}
	add := func(selector string) {
		one := h[selector]
		does = ruled{does.hides || one.hides, does.paints || one.paints}
	}
	add(name)
	if id := attribute(attributes, "id"); id != "" {
		add("#" + id)
		add(name + "#" + id)
	}
	n := 0
	for class := range strings.FieldsSeq(attribute(attributes, "class")) {
		add("." + class)
		add(name + "." + class)
		if n++; n == maxDeclarations {
			break
		}
	}
	return does
}

// painted returns the attributes with the background that a rule gives, or a picture, unless they have one of their
// own.
func painted(attributes []html.Attribute, rule bool) []html.Attribute {
	if !rule && !has(attributes, "background") || has(attributes, "bgcolor") {
		return attributes
	}
	const style = "background-color:" + pictured + ";"
	for i := range attributes {
		if attributes[i].Key == "style" {
			attributes[i].Val = style + attributes[i].Val
			return attributes
		}
	}
	return append(attributes, html.Attribute{Key: "style", Val: style})
}

package mail

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// declaration is one of a style, both in lower case, without "!important".
type declaration struct {
	property, value string
	important       bool
}

// maxStyle and maxDeclarations bound what is read of one style.
const (
	maxStyle        = 8 << 10
	maxDeclarations = 100
)

// declarations reads a style attribute (CSS Style Attributes, 3), without comments.
func declarations(style string) []declaration {
	found, _ := declared(style)
	return found
}

// declared is declarations that reports too whether there is more than the bounds.
func declared(style string) (found []declaration, beyond bool) {
	if len(style) > maxStyle {
		style, beyond = style[:maxStyle], true
	}
	style = uncommented(style)
	for style != "" {
		part := style
		if at := indexOutside(style, ";"); at >= 0 {
			part, style = style[:at], style[at+1:]
		} else {
			style = ""
		}
		property, value, ok := strings.Cut(part, ":")
		if !ok {
			continue
		}
		if len(found) == maxDeclarations {
			return found, true
		}
		value = strings.ToLower(strings.TrimSpace(value))
		important := false
		if i := strings.IndexByte(value, '!'); i >= 0 {
			value, important = strings.TrimSpace(value[:i]), strings.Contains(value[i:], "important")
		}
		found = append(found, background(
			declaration{unescaped(strings.ToLower(strings.TrimSpace(property))), unescaped(value), important}))
	}
	return found, beyond
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
		return declaration{"background-color", pictured, d.important}
	}
	if d.property == "background" {
		d.value, _, _ = strings.Cut(d.value, " ")
		if !strings.Contains(d.value, "(") {
			return declaration{"background-color", d.value, d.important}
		}
	}
	return d
}

// uncommented takes the comments out of a style; what looks like one in a string or an address is none.
func uncommented(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	for i := 0; i < len(css); {
		end := i + 1
		switch {
		case strings.HasPrefix(css[i:], "/*"):
			_, rest, _ := strings.Cut(css[i+2:], "*/")
			i = len(css) - len(rest)
			b.WriteByte(' ')
			continue
		case css[i] == '\\':
			end = i + 2
		case css[i] == '"' || css[i] == '\'':
			end = stringEnd(css, i) + 1
		case len(css)-i > len("url(x") && strings.EqualFold(css[i:i+len("url(")], "url(") &&
			strings.IndexByte("\"' \t\n", css[i+len("url(")]) < 0:
			if at := strings.IndexByte(css[i:], ')'); at >= 0 {
				end = i + at + 1
			}
		}
		end = min(end, len(css))
		b.WriteString(css[i:end])
		i = end
	}
	return b.String()
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

// paintedBy notes the colours of an element's attributes but style, and reports whether one hides it.
func paintedBy(attributes []html.Attribute, p *paint) (hidden bool) {
	for i := range attributes {
		switch a := &attributes[i]; a.Key {
		case "hidden":
			hidden = true
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

// hiding reports whether declarations keep an element from being seen: the ways that mails are seen to use. Of two for
// one property the later one counts.
func hiding(style []declaration, p *paint) bool {
	is := map[string]bool{} // what hides by itself, by what decides on it
	clipped, flat, away, placed := false, false, false, false
	for _, d := range style {
		n, isLength := length(d.value)
		nothing, isComputed := computed(d.value)
		switch d.property {
		case "display":
			is[d.property] = d.value == "none"
		case "visibility":
			is[d.property] = d.value == "hidden" || d.value == "collapse"
		case "content-visibility":
			is[d.property] = d.value == "hidden"
		case "opacity", "zoom", "scale":
			first, _, _ := strings.Cut(d.value, " ")
			n, err := strconv.ParseFloat(strings.TrimSuffix(first, "%"), 64)
			if strings.HasSuffix(first, "%") {
				n /= 100
			}
			is[d.property] = err == nil && n < 0.1 || isComputed && nothing
		case "filter":
			is[d.property] = functionIsSmall(d.value, "opacity")
		case "mso-hide":
			is[d.property] = d.value == "all"
		case "font-size":
			p.resize(d.value)
			if isComputed && nothing {
				p.size = 0
			}
		case "font":
			p.resizeFont(d.value)
		case "max-height", "max-width", "height", "width":
			flat = flat || isLength && n <= 1 && n >= 0 || isComputed && nothing
		case "overflow", "overflow-x", "overflow-y":
			clipped = clipped || strings.HasPrefix(d.value, "hidden") || strings.HasPrefix(d.value, "clip")
		case "text-indent":
			is[d.property] = isLength && (n <= -100 || n >= 2_000)
		case "letter-spacing", "word-spacing":
			is[d.property] = isLength && (n <= -50 || n >= 2_000)
		case "position":
			placed = placed || d.value == "absolute" || d.value == "fixed" || d.value == "relative" || d.value == "sticky"
		case "left", "top", "right", "bottom", "inset", "margin", "margin-left", "margin-top", "margin-right",
			"margin-bottom":
			away = away || isFar(d.value)
			placed = placed || strings.HasPrefix(d.property, "margin") && isFar(d.value)
		case "clip":
			is[d.property] = strings.HasPrefix(d.value, "rect(0") || strings.HasPrefix(d.value, "rect(1px")
		case "clip-path", "-webkit-clip-path":
			is[d.property] = strings.HasPrefix(d.value, "inset(50%") || strings.HasPrefix(d.value, "inset(100%") ||
				strings.HasPrefix(d.value, "circle(0") || strings.HasPrefix(d.value, "polygon(0 0, 0 0") ||
				strings.HasPrefix(d.value, "polygon(0 0,0 0") || strings.HasPrefix(d.value, "ellipse(0")
		case "transform", "translate":
			is[d.property] = functionIsSmall(d.value, "scale") || functionIsSmall(d.value, "scalex") ||
				functionIsSmall(d.value, "scaley") || strings.Contains(d.value, "rotatex(90") ||
				strings.Contains(d.value, "rotatey(90") || strings.Contains(d.value, "translate") && isFar(d.value) ||
				d.property == "translate" && isFar(d.value)
		case "color", "-webkit-text-fill-color":
			p.setColor(d.value)
		case "background-color":
			p.setBackground(d.value)
		}
	}
	for _, hidden := range is {
		if hidden {
			return true
		}
	}
	return flat && clipped || away && placed
}

// functionIsSmall reports whether the first argument of a function in a value is next to nothing.
func functionIsSmall(value, function string) bool {
	_, rest, found := strings.Cut(value, function+"(")
	if !found {
		return false
	}
	rest, _, _ = strings.Cut(rest, ")")
	rest, _, _ = strings.Cut(rest, ",")
	n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), "%"), 64)
	return err == nil && (n < 0.1 && !strings.Contains(rest, "%") || n < 10 && strings.Contains(rest, "%"))
}

// isFar reports whether one of the lengths in a value leads out of the window.
func isFar(value string) bool {
	for part := range strings.FieldsFuncSeq(value,
		func(r rune) bool { return r == ' ' || r == '(' || r == ')' || r == ',' }) {
		if n, ok := length(part); ok && (n <= -200 || n >= 4_000) {
			return true
		}
		if strings.HasSuffix(part, "%") {
			if n, err := strconv.ParseFloat(strings.TrimSuffix(part, "%"), 64); err == nil && (n <= -100 || n >= 400) {
				return true
			}
		}
	}
	return false
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

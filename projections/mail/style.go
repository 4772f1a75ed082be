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
	style = strings.ReplaceAll(uncommented(style), comment, " ")
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
		value = lowerASCII(trimCSS(unescaped(value)))
		important := false
		if i := indexOutside(value, "!"); i >= 0 {
			if trimCSS(value[i+1:]) != "important" {
				continue // no declaration at all
			}
			value, important = trimCSS(value[:i]), true
		}
		value = strings.Join(strings.FieldsFunc(value, func(r rune) bool { return r < 0x80 && isCSSBlank(byte(r)) }), " ")
		found = append(found, declaration{lowerASCII(unescaped(trimCSS(property))), value, important})
	}
	return found, beyond
}

// trimCSS takes the white space off the ends of a text that is white space in styles.
func trimCSS(text string) string { return strings.Trim(text, " \t\n\r\f") }

// lowerASCII is lower case of English letters alone: others are equal to none of the words of styles.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// pictured stands for what is behind letters where a picture is, which is not loaded: a grey on which both black and
// white can be read.
const pictured = "#8a7f84"

// comment stands where a comment was, which parts words.
const comment = "\x1f"

// uncommented takes the comments out of a style; what looks like one in a string or an address is none.
func uncommented(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	for i := 0; i < len(css); {
		if strings.HasPrefix(css[i:], "/*") {
			_, rest, _ := strings.Cut(css[i+2:], "*/")
			i = len(css) - len(rest)
			b.WriteString(comment)
			continue
		}
		end := tokenEnd(css, i)
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
	return b.String()
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }

// paintedBy notes the colours of an element's attributes but style, and reports whether one hides it.
func paintedBy(attributes []html.Attribute, p *paint) (hidden bool) {
	for i := range attributes {
		switch a := &attributes[i]; a.Key {
		case "hidden", "popover":
			hidden = true
		case "color", "text":
			if c, ok := readOldColour(a.Val); ok {
				p.letters = c
			}
		case "link":
			if c, ok := readOldColour(a.Val); ok {
				p.links = c
			}
		case "bgcolor":
			if c, ok := readOldColour(a.Val); ok {
				p.back = oneShade(c)
			}
		case "nowrap":
			p.oneLine = true
		case "background":
			p.setPicture("url()")
			if strings.Contains(lowerASCII(a.Val), "data:") {
				p.setPicture("url(data:)")
			}
		}
	}
	return hidden
}

package ical

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// clean returns a value without the control characters that no text has (RFC 5545, 3.1), and with the replacement
// character for bytes that are no UTF-8.
func clean(value []byte) string {
	text := string(bytes.ToValidUTF8(value, []byte(string(utf8.RuneError))))
	if strings.IndexFunc(text, isControl) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return -1
		}
		return r
	}, text)
}

// isControl reports whether a character has no place in a text; line ends and tabs have.
func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7F }

// unescape reads a TEXT (RFC 5545, 3.3.11). A backslash before anything else is one.
func unescape(value string) string {
	if strings.IndexByte(value, '\\') < 0 {
		return value
	}
	var b strings.Builder
	b.Grow(len(value))
	for i := 0; i < len(value); i++ {
		if value[i] != '\\' || i+1 == len(value) {
			b.WriteByte(value[i])
			continue
		}
		i++
		switch value[i] {
		case 'n', 'N':
			b.WriteByte('\n')
		case '\\', ',', ';', '"', ':':
			b.WriteByte(value[i])
		default:
			b.WriteByte('\\')
			b.WriteByte(value[i])
		}
	}
	return b.String()
}

// splitTexts reads a list of TEXTs: the commas that are not escaped divide it.
func splitTexts(value string) []string {
	var all []string
	begin := 0
	for i := 0; i <= len(value); i++ {
		switch {
		case i == len(value) || value[i] == ',':
			if text := strings.TrimSpace(unescape(value[begin:i])); text != "" {
				all = append(all, text)
			}
			begin = i + 1
		case value[i] == '\\':
			i++
		}
	}
	if begin < len(value) && strings.HasSuffix(value, `\`) {
		all = append(all, strings.TrimSpace(unescape(value[begin:])))
	}
	return all
}

// The escapes of texts and of parameters (RFC 6868).
var (
	textEscapes   = strings.NewReplacer("\r\n", `\n`, "\n", `\n`, "\r", `\n`, `\`, `\\`, ";", `\;`, ",", `\,`)
	paramEscapes  = strings.NewReplacer("\r\n", "^n", "\n", "^n", "\r", "^n", `"`, "^'", "^", "^^")
	paramUnescape = strings.NewReplacer("^n", "\n", "^N", "\n", "^'", `"`, "^^", "^")
)

func unescapeParam(value string) string {
	if strings.IndexByte(value, '^') < 0 {
		return value
	}
	return paramUnescape.Replace(value)
}

// clip cuts a text to so many characters, and reports whether it did.
func clip(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	for at := range text {
		if most == 0 {
			return text[:at], true
		}
		most--
	}
	return text, false
}

// brief is a text for a message: short and of one line.
func brief(text string) string {
	const most = 60
	short, cut := clip(text, most)
	short = strings.Join(strings.Fields(short), " ")
	if cut {
		short += "…"
	}
	return short
}

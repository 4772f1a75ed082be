package compact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxIndented is how large indented JSON may become, in bytes. Deep nesting makes indentation grow with the square of
// the size; beyond this the JSON is given as it is.
const maxIndented = 4 << 20

// cutNote ends JSON that is cut because of its tokens; what remains is no valid JSON.
const cutNote = "\n... cut here: it has more tokens than allowed"

// ErrorTimeUp is the error of a text that was not done in time.
const ErrorTimeUp = "the text was not done in time"

// fallback returns JSON in place of a text, indented by two. Bytes that are no JSON are given as a JSON string.
func fallback(data []byte, o Options, why string) Result {
	result := Result{UsedFallback: true, Error: why}
	if !json.Valid(data) {
		data = encoded(string(data))
	}
	text, ok := indented(data)
	if !ok {
		var b strings.Builder
		escapeInto(&b, string(data))
		text = b.String()
	}
	result.Output = cutJSON(text, o.MaxTokens)
	return result
}

// cutJSON cuts a text to so many tokens, and says so in a last line.
func cutJSON(text string, tokens int) string {
	if tokens <= 0 || Tokens(text) <= tokens {
		return text
	}
	room := 4*tokens - quarters(cutNote)
	if room <= 2 {
		return cutTo(text, tokens)
	}
	return cutQuarters(text, room) + cutNote
}

// encoded returns a value as compact JSON. It cannot fail: it is given texts, numbers and lists of them.
func encoded(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return []byte("null")
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// indented writes valid JSON with two spaces for each level, as JSON.stringify(value, null, 2) does; false when that is
// larger than maxIndented.
func indented(data []byte) (string, bool) {
	if indentedSize(data) > maxIndented {
		return "", false
	}
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimSpace(data), "", "  "); err != nil {
		return "", false
	}
	var b strings.Builder
	escapeInto(&b, out.String())
	return b.String(), true
}

// indentedSize is how large valid JSON is when it is indented, in bytes.
func indentedSize(data []byte) int {
	size, depth := 0, 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case ' ', '\t', '\n', '\r':
		case '{', '[':
			rest := bytes.TrimLeft(data[i+1:], " \t\n\r")
			if rest[0] == c+2 { // an empty one stays on its line
				size, i = size+2, len(data)-len(rest)
				continue
			}
			depth++
			size += 2 + 2*depth
		case '}', ']':
			depth--
			size += 2 + 2*depth
		case ',':
			size += 2 + 2*depth
		case ':':
			size += 2
		case '"':
			from := i
			for i++; data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			size += i + 1 - from
		default:
			size++
		}
	}
	return size
}

// escapeInto writes JSON with what is not seen as escapes, which mean the same: nothing in it changes how the rest is
// shown.
func escapeInto(b *strings.Builder, text string) {
	for i, r := range text {
		switch {
		case r < utf8.RuneSelf || isHebrewLetter(r):
			b.WriteByte(text[i])
			if r >= utf8.RuneSelf {
				b.WriteByte(text[i+1])
			}
		case isUnseen(r) && r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		case isUnseen(r) || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
}

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

// fallback gives JSON in place of a text, indented by two. Bytes that are no JSON are given as a JSON string.
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

// encoded gives a value as compact JSON. It cannot fail: it is given texts, numbers and lists of them.
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
	size := indentedSize(data)
	if size > maxIndented {
		return "", false
	}
	var b strings.Builder
	b.Grow(size)
	depth := 0
	newline := func() {
		b.WriteByte('\n')
		for range depth {
			b.WriteString("  ")
		}
	}
	walk(data, func(kind byte, token []byte) {
		switch kind {
		case opens:
			b.Write(token)
			depth++
			newline()
		case closes:
			depth--
			newline()
			b.Write(token)
		case ',':
			b.WriteByte(',')
			newline()
		case ':':
			b.WriteString(": ")
		default:
			escapeInto(&b, string(token))
		}
	})
	return b.String(), true
}

// indentedSize is how large the JSON is when it is indented, in bytes.
func indentedSize(data []byte) int {
	size, depth := 0, 0
	walk(data, func(kind byte, token []byte) {
		switch kind {
		case opens:
			depth++
			size += len(token) + 1 + 2*depth
		case closes:
			depth--
			size += len(token) + 1 + 2*depth
		case ',':
			size += 2 + 2*depth
		case ':':
			size += 2
		default:
			size += len(token)
		}
	})
	return size
}

// The kinds of tokens of JSON beside its punctuation.
const (
	opens  = '{'
	closes = '}'
	scalar = 's'
)

// walk gives the tokens of valid JSON in their order; an empty list or object is one scalar.
func walk(data []byte, visit func(kind byte, token []byte)) {
	for i := 0; i < len(data); {
		switch c := data[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '{', '[':
			j := i + 1
			for j < len(data) && strings.IndexByte(" \t\n\r", data[j]) >= 0 {
				j++
			}
			if data[j] == c+2 {
				visit(scalar, []byte{c, c + 2})
				i = j + 1
				continue
			}
			visit(opens, data[i:i+1])
			i++
		case '}', ']':
			visit(closes, data[i:i+1])
			i++
		case ',', ':':
			visit(c, data[i:i+1])
			i++
		default:
			j := i + 1
			if c == '"' {
				for ; data[j] != '"'; j++ {
					if data[j] == '\\' {
						j++
					}
				}
				j++
			} else {
				for j < len(data) && strings.IndexByte(" \t\n\r,:]}", data[j]) < 0 {
					j++
				}
			}
			visit(scalar, data[i:j])
			i = j
		}
	}
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

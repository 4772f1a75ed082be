package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	// MaxJSONDepth is how deep arrays and objects may nest in a request.
	MaxJSONDepth = 200
	// MaxJSONValues is how many values (scalars, arrays and objects, all levels) a request may hold. It bounds the
	// memory that one mebibyte of tiny objects would otherwise take.
	MaxJSONValues = 100_000
)

// ParseJSON reads exactly one JSON value (RFC 8259) and is strict where the RFC allows a choice: the text is valid
// UTF-8, no object has a key twice, a \u escape is never half of a surrogate pair, and nothing but white space
// follows. Numbers are json.Number as written; objects are map[string]any, arrays []any.
//
// Errors say what is wrong and at which byte, and never quote the text.
func ParseJSON(text []byte) (any, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the text is not valid UTF-8")
	}
	p := parser{text: text}
	value, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.at < len(p.text) {
		return nil, p.fail("more text follows the JSON value")
	}
	return value, nil
}

// parser is a recursive descent over valid UTF-8. A parser of our own is needed because encoding/json keeps the
// last of two equal keys, matches struct keys in any case and replaces lone surrogates without a word.
type parser struct {
	text   []byte
	at     int
	values int
	// shared is a copy of the text from sharedAt on, of which strings are parts.
	shared   string
	sharedAt int
}

func (p *parser) fail(what string) error { return fmt.Errorf("%s (at byte %d)", what, p.at) }

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// peek returns the next byte after white space, 0 at the end; a NUL byte is never valid there either.
func (p *parser) peek() byte {
	p.space()
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *parser) value(depth int) (any, error) {
	p.values++
	if p.values > MaxJSONValues {
		return nil, p.fail(fmt.Sprintf("the JSON holds more than %d values", MaxJSONValues))
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth + 1)
	case c == '[':
		return p.array(depth + 1)
	case c == '"':
		return p.str()
	case c == 't':
		return true, p.word("true")
	case c == 'f':
		return false, p.word("false")
	case c == 'n':
		return nil, p.word("null")
	case c == '-' || isDigit(c):
		return p.number()
	case p.at == len(p.text):
		return nil, p.fail("the JSON text ends too early")
	default:
		return nil, p.fail("a JSON value is expected")
	}
}

func (p *parser) word(w string) error {
	if len(p.text)-p.at < len(w) || string(p.text[p.at:p.at+len(w)]) != w {
		return p.fail("a JSON value is expected")
	}
	p.at += len(w)
	return nil
}

func (p *parser) object(depth int) (map[string]any, error) {
	if depth > MaxJSONDepth {
		return nil, p.fail(fmt.Sprintf("the JSON nests deeper than %d levels", MaxJSONDepth))
	}
	p.at++
	object := map[string]any{}
	if p.peek() == '}' {
		p.at++
		return object, nil
	}
	for {
		if p.peek() != '"' {
			return nil, p.fail("a key in double quotes is expected")
		}
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		if _, twice := object[key]; twice {
			return nil, p.fail("an object has the same key twice")
		}
		if p.peek() != ':' {
			return nil, p.fail("a colon is expected after a key")
		}
		p.at++
		if object[key], err = p.value(depth); err != nil {
			return nil, err
		}
		switch p.peek() {
		case ',':
			p.at++
		case '}':
			p.at++
			return object, nil
		default:
			return nil, p.fail("a comma or a closing brace is expected")
		}
	}
}

func (p *parser) array(depth int) ([]any, error) {
	if depth > MaxJSONDepth {
		return nil, p.fail(fmt.Sprintf("the JSON nests deeper than %d levels", MaxJSONDepth))
	}
	p.at++
	array := []any{}
	if p.peek() == ']' {
		p.at++
		return array, nil
	}
	for {
		if p.peek() == '"' {
			if few := p.share(); cap(array) == 0 {
				array = make([]any, 0, few)
			}
		}
		item, err := p.value(depth)
		if err != nil {
			return nil, err
		}
		array = append(array, item)
		switch p.peek() {
		case ',':
			p.at++
		case ']':
			p.at++
			return array, nil
		default:
			return nil, p.fail("a comma or a closing bracket is expected")
		}
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.text) && isDigit(p.text[p.at]) {
		p.at++
	}
	return p.at > start
}

func (p *parser) accept(set string) bool {
	if p.at < len(p.text) {
		for i := range len(set) {
			if p.text[p.at] == set[i] {
				p.at++
				return true
			}
		}
	}
	return false
}

func (p *parser) number() (json.Number, error) {
	start := p.at
	p.accept("-")
	if !p.accept("0") && !p.digits() {
		return "", p.fail("a digit is expected")
	}
	if p.accept(".") && !p.digits() {
		return "", p.fail("a digit is expected after the decimal point")
	}
	if p.accept("eE") {
		p.accept("+-")
		if !p.digits() {
			return "", p.fail("a digit is expected in the exponent")
		}
	}
	return json.Number(p.text[start:p.at]), nil
}

// str reads a string at its opening quote.
func (p *parser) str() (string, error) {
	p.at++
	start := p.at
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			s := p.copied(start, p.at)
			p.at++
			return s, nil
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			return "", p.fail("a control character stands unescaped in a string")
		default:
			p.at++
		}
	}
	return "", p.fail("a string has no end")
}

// maxShared bounds what a string of a list keeps of the others.
const maxShared = 4096

// share has the strings of a list, which begins or goes on here, copied at once, and returns how many these may be. It
// counts no part of the text twice, so that lists within lists do not all take memory for what is in the innermost.
func (p *parser) share() int {
	if p.at < p.sharedAt+len(p.shared) {
		return 1
	}
	rest := p.text[p.at:min(p.at+maxShared, len(p.text))]
	if end := bytes.IndexByte(rest, ']'); end >= 0 {
		rest = rest[:end]
	}
	p.shared, p.sharedAt = string(rest), p.at
	return strings.Count(p.shared, `",`) + 1
}

func (p *parser) copied(start, end int) string {
	if from := start - p.sharedAt; from >= 0 && end-p.sharedAt <= len(p.shared) {
		return p.shared[from : end-p.sharedAt]
	}
	return string(p.text[start:end])
}

// key reads a string at its opening quote; those of every request are not copied.
func (p *parser) key() (string, error) {
	for _, known := range [...]string{keyQuery, keyVariables, keyOperationName, keyExtensions, keyDocumentID} {
		end := p.at + 1 + len(known)
		if end < len(p.text) && p.text[end] == '"' && string(p.text[p.at+1:end]) == known {
			p.at = end + 1
			return known, nil
		}
	}
	return p.str()
}

// longest returns how long the string can be that goes on here, in bytes: no escape is shorter than what it stands for.
func (p *parser) longest() int {
	for at := p.at; at < len(p.text); at++ {
		switch p.text[at] {
		case '"':
			return at - p.at
		case '\\':
			at++
		}
	}
	return 0
}

// escaped reads on from the first backslash of a string that starts earlier.
func (p *parser) escaped(start int) (string, error) {
	var out strings.Builder
	out.Grow(p.at - start + p.longest())
	out.Write(p.text[start:p.at])
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c == '"':
			p.at++
			return out.String(), nil
		case c < ' ':
			return "", p.fail("a control character stands unescaped in a string")
		case c != '\\':
			out.WriteByte(c)
			p.at++
			continue
		}
		p.at++
		if p.at == len(p.text) {
			break
		}
		c = p.text[p.at]
		p.at++
		switch c {
		case '"', '\\', '/':
			out.WriteByte(c)
		case 'b':
			out.WriteByte('\b')
		case 'f':
			out.WriteByte('\f')
		case 'n':
			out.WriteByte('\n')
		case 'r':
			out.WriteByte('\r')
		case 't':
			out.WriteByte('\t')
		case 'u':
			r, err := p.unicode()
			if err != nil {
				return "", err
			}
			out.WriteRune(r)
		default:
			return "", p.fail("a string has an unknown escape")
		}
	}
	return "", p.fail("a string has no end")
}

func (p *parser) unicode() (rune, error) {
	first, err := p.hex4()
	if err != nil || !utf16.IsSurrogate(first) {
		return first, err
	}
	if p.at+1 < len(p.text) && p.text[p.at] == '\\' && p.text[p.at+1] == 'u' {
		p.at += 2
		second, err := p.hex4()
		if err != nil {
			return 0, err
		}
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			return r, nil
		}
	}
	return 0, p.fail("a string has half of a surrogate pair")
}

func (p *parser) hex4() (rune, error) {
	if len(p.text)-p.at < 4 {
		return 0, p.fail("a \\u escape needs four hexadecimal digits")
	}
	var r rune
	for range 4 {
		c := p.text[p.at]
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, p.fail("a \\u escape needs four hexadecimal digits")
		}
		p.at++
	}
	return r, nil
}

package ical

import (
	"bytes"
	"strings"
)

// lines reads the content lines of a text (RFC 5545, 3.1), unfolded. Folds are taken out of bytes, not of characters,
// since some writers fold inside of one.
type lines struct {
	text []byte
	next int // where the next line of the text begins
	line int // its number, from 1
	end  byte
	fold []byte
}

func newLines(text []byte) *lines {
	l := &lines{text: text, line: 1, end: '\n'}
	if bytes.IndexByte(text, '\n') < 0 {
		l.end = '\r' // as old Macs wrote it
	}
	return l
}

// between reads a part of the same text.
func (l *lines) between(e entry) *lines {
	return &lines{text: l.text[:e.end], next: e.begin, line: e.line, end: l.end}
}

// read returns the next content line that is not empty, and the number of its first line; nil at the end. The bytes are
// valid until the next call.
func (l *lines) read() (content []byte, line int) {
	for l.next < len(l.text) {
		line = l.line
		content = l.physical()
		if len(content) == 0 {
			continue
		}
		if !l.folded() {
			return content, line
		}
		l.fold = append(l.fold[:0], content...)
		for l.folded() {
			l.fold = append(l.fold, l.physical()[1:]...)
		}
		return l.fold, line
	}
	return nil, l.line
}

// folded reports whether the next line goes on with the current one.
func (l *lines) folded() bool {
	return l.next < len(l.text) && (l.text[l.next] == ' ' || l.text[l.next] == '\t')
}

func (l *lines) physical() []byte {
	rest := l.text[l.next:]
	l.line++
	at := bytes.IndexByte(rest, l.end)
	if at < 0 {
		l.next = len(l.text)
		return bytes.TrimRight(rest, "\r")
	}
	l.next += at + 1
	return bytes.TrimRight(rest[:at], "\r")
}

// property is one content line. Its name and those of its parameters are in upper case.
type property struct {
	name   string
	params []param
	value  string
	line   int
}

type param struct{ name, value string }

// maxParams is how many parameters of a property are kept.
const maxParams = 64

// param returns the value of a parameter, "" when there is none.
func (p property) param(name string) string {
	for _, each := range p.params {
		if each.name == name {
			return each.value
		}
	}
	return ""
}

// isDate reports whether the value says that it is a date.
func (p property) isDate() bool { return strings.EqualFold(p.param("VALUE"), "DATE") }

// nameOf returns a content line's name in upper case and what follows it; "" when it begins with none.
func nameOf(content []byte) (name string, rest []byte) {
	n := 0
	for n < len(content) && isNameByte(content[n]) {
		n++
	}
	if n == 0 || n > maxName || n == len(content) || content[n] != ':' && content[n] != ';' {
		return "", nil
	}
	return strings.ToUpper(string(content[:n])), content[n:]
}

const maxName = 80

func isNameByte(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-'
}

// parseProperty reads what follows a name: parameters and the value. False when a quote or the value is missing.
func parseProperty(name string, rest []byte, line int) (property, bool) {
	p := property{name: name, line: line}
	for len(rest) > 0 && rest[0] == ';' {
		rest = rest[1:]
		stop := bytes.IndexAny(rest, "=;:")
		if stop < 0 {
			return p, false
		}
		key := rest[:stop]
		rest = rest[stop:]
		if rest[0] != '=' {
			continue // a parameter without a value says nothing
		}
		var value []byte
		var ok bool
		if value, rest, ok = paramValue(rest[1:]); !ok {
			return p, false
		}
		if len(p.params) < maxParams && len(key) <= maxName {
			p.params = append(p.params, param{strings.ToUpper(string(key)), unescapeParam(clean(value))})
		}
	}
	if len(rest) == 0 {
		return p, false
	}
	p.value = clean(rest[1:])
	return p, true
}

// paramValue reads the values of one parameter, which may be quoted and several; they are returned with commas between
// them.
func paramValue(rest []byte) (value, after []byte, ok bool) {
	var out []byte
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '"':
			end := bytes.IndexByte(rest[i+1:], '"')
			if end < 0 {
				return nil, nil, false
			}
			out = append(out, rest[i+1:i+1+end]...)
			i += end + 1
		case ';', ':':
			return out, rest[i:], true
		case '\\': // no escape here by the standard; some writers put it before commas and semicolons all the same
			if i+1 < len(rest) && (rest[i+1] == ',' || rest[i+1] == ';') {
				i++
			}
			out = append(out, rest[i])
		default:
			out = append(out, rest[i])
		}
	}
	return nil, nil, false
}

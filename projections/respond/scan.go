package respond

import (
	"encoding/json"
	"iter"
	"strconv"
	"strings"
)

// text is one valid JSON value, spaces and all; whoever makes one has checked that. Values of it are named by where
// they stand, so that they can be given as they are.
type text string

// span is where a value stands: from inclusive, to exclusive, without the spaces around it.
type span struct{ from, to int }

func (t text) at(s span) string { return string(t[s.from:s.to]) }

// space returns the index of the first byte from i on that is no white space.
func (t text) space(i int) int {
	for t[i] == ' ' || t[i] == '\t' || t[i] == '\n' || t[i] == '\r' {
		i++
	}
	return i
}

// quoted returns the index behind the string that begins at i.
func (t text) quoted(i int) int {
	for i++; t[i] != '"'; i++ {
		if t[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// skip returns the index behind the value that begins at i.
func (t text) skip(i int) int {
	depth := 0
	for {
		switch t[i] {
		case '"':
			i = t.quoted(i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			i++
			continue
		default:
			for i < len(t) && strings.IndexByte(",:]} \t\n\r", t[i]) < 0 {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// value returns where the value stands that begins at or after i.
func (t text) value(i int) span {
	i = t.space(i)
	return span{i, t.skip(i)}
}

// fields returns the keys and values of an object in their order; nothing for what is no object. A key that stands
// there twice is given twice.
func (t text) fields(object span) iter.Seq2[string, span] {
	return func(yield func(string, span) bool) {
		if t[object.from] != '{' {
			return
		}
		for i := t.space(object.from + 1); t[i] != '}'; {
			end := t.quoted(i)
			key := unquoted(string(t[i:end]))
			value := t.value(t.space(end) + 1)
			if !yield(key, value) {
				return
			}
			if i = t.space(value.to); t[i] == ',' {
				i = t.space(i + 1)
			}
		}
	}
}

// elements returns the values of a list in their order; nothing for what is no list.
func (t text) elements(list span) iter.Seq[span] {
	return func(yield func(span) bool) {
		if t[list.from] != '[' {
			return
		}
		for i := t.space(list.from + 1); t[i] != ']'; {
			value := span{i, t.skip(i)}
			if !yield(value) {
				return
			}
			if i = t.space(value.to); t[i] == ',' {
				i = t.space(i + 1)
			}
		}
	}
}

// truthy reports whether a value counts as one where a program asks "if (value)": all do but null, false, 0 and the
// empty string. A span of nothing is no value.
func (t text) truthy(s span) bool {
	if s.from == s.to {
		return false
	}
	switch t[s.from] {
	case '{', '[', 't':
		return true
	case 'n', 'f':
		return false
	case '"':
		return s.to-s.from > 2
	}
	return number(t.at(s)) != 0
}

// isTrue reports whether a value is the literal true.
func (t text) isTrue(s span) bool { return s.from < s.to && t[s.from] == 't' }

func (t text) isObject(s span) bool { return s.from < s.to && t[s.from] == '{' }

func (t text) isList(s span) bool { return s.from < s.to && t[s.from] == '[' }

// filled reports whether a list has an element, and whether anything else is truthy.
func (t text) filled(s span) bool {
	if t.isList(s) {
		for range t.elements(s) {
			return true
		}
		return false
	}
	return t.truthy(s)
}

// isNumber reports whether a value is a number.
func (t text) isNumber(s span) bool {
	return s.from < s.to && (t[s.from] == '-' || '0' <= t[s.from] && t[s.from] <= '9')
}

// string returns what a string says; false for what is none.
func (t text) string(s span) (string, bool) {
	if s.from == s.to || t[s.from] != '"' {
		return "", false
	}
	return unquoted(t.at(s)), true
}

// number returns the value of a number as programs that know only such numbers see it; one that is too large for them
// is infinite.
func number(digits string) float64 {
	value, _ := strconv.ParseFloat(digits, 64)
	return value
}

// unquoted returns what a JSON string says.
func unquoted(literal string) string {
	if strings.IndexByte(literal, '\\') < 0 {
		return literal[1 : len(literal)-1]
	}
	var out string
	if err := json.Unmarshal([]byte(literal), &out); err != nil {
		return literal[1 : len(literal)-1]
	}
	return out
}

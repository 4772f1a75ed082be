package memo

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/graph/model"
)

// form is which of the JSON values (RFC 8259, 3) a node is.
type form uint8

const (
	null form = iota
	yes
	no
	number
	text
	list
	object
)

// node is a JSON value.
type node struct {
	form form
	// text is a text's characters, or a number's digits as they were written.
	text string
	// items are the values of a list, or of an object's keys.
	items []node
	// keys are an object's, in bytewise order, each once.
	keys []string
}

// get returns the value of a key; false when there is none.
func (n node) get(key string) (node, bool) {
	if at, found := slices.BinarySearch(n.keys, key); found {
		return n.items[at], true
	}
	return node{}, false
}

// without returns an object without some of its keys.
func (n node) without(keys ...string) node {
	rest := node{form: object}
	for i, key := range n.keys {
		if !slices.Contains(keys, key) {
			rest.keys, rest.items = append(rest.keys, key), append(rest.items, n.items[i])
		}
	}
	return rest
}

// member is a key of an object as it was read.
type member struct {
	key   string
	value node
}

// reader reads JSON. What it refuses are *model.Error with the path of what is wrong.
type reader struct {
	decoder *json.Decoder
	// deepest is how many objects and lists may stand in each other.
	deepest int
	path    []string
}

// maxPath is how many characters of a key an error's path repeats.
const maxPath = 64

// parse reads one JSON value and nothing behind it. Objects with a key twice are refused, and so is what is nested more
// than deepest deep; half a surrogate pair becomes U+FFFD.
func parse(source string, deepest int) (node, error) {
	r := reader{decoder: json.NewDecoder(strings.NewReader(source)), deepest: deepest}
	r.decoder.UseNumber()
	value, err := r.value(0)
	if err != nil {
		return node{}, err
	}
	if _, err := r.decoder.Token(); !errors.Is(err, io.EOF) {
		return node{}, r.refuse("there is something behind the JSON value")
	}
	return value, nil
}

// refuse makes the error for the place that has been reached.
func (r *reader) refuse(format string, args ...any) error {
	return at(r.path, format, args...)
}

// at makes a BAD_USER_INPUT about the value at a path, which stays as it is given: keys may hold points.
func at(path []string, format string, args ...any) error {
	err := model.Errorf(model.CodeBadUserInput, format, args...)
	for _, step := range path {
		if runes := []rune(step); len(runes) > maxPath {
			step = string(runes[:maxPath-1]) + "…"
		}
		err.Field = append(err.Field, step)
	}
	return err
}

func (r *reader) token() (json.Token, error) {
	token, err := r.decoder.Token()
	if err == nil {
		return token, nil
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return nil, r.refuse("this is not JSON: %s", syntax.Error())
	}
	return nil, r.refuse("this is not JSON: it ends too early")
}

// value reads the next value, which stands in depth objects and lists.
func (r *reader) value(depth int) (node, error) {
	token, err := r.token()
	if err != nil {
		return node{}, err
	}
	switch token := token.(type) {
	case bool:
		if token {
			return node{form: yes}, nil
		}
		return node{form: no}, nil
	case json.Number:
		return node{form: number, text: token.String()}, nil
	case string:
		return node{form: text, text: token}, nil
	case json.Delim:
		if depth == r.deepest {
			return node{}, tooDeep(r.path, r.deepest)
		}
		if token == '[' {
			return r.list(depth + 1)
		}
		return r.object(depth + 1)
	}
	return node{}, nil
}

func (r *reader) list(depth int) (node, error) {
	out := node{form: list}
	for r.decoder.More() {
		r.path = append(r.path, strconv.Itoa(len(out.items)))
		item, err := r.value(depth)
		if err != nil {
			return node{}, err
		}
		r.path = r.path[:len(r.path)-1]
		out.items = append(out.items, item)
	}
	_, err := r.token()
	return out, err
}

func (r *reader) object(depth int) (node, error) {
	var members []member
	for r.decoder.More() {
		token, err := r.token()
		if err != nil {
			return node{}, err
		}
		key, isText := token.(string)
		if !isText {
			return node{}, r.refuse("this is not JSON: a key must be a text")
		}
		r.path = append(r.path, key)
		value, err := r.value(depth)
		if err != nil {
			return node{}, err
		}
		r.path = r.path[:len(r.path)-1]
		members = append(members, member{key, value})
	}
	if _, err := r.token(); err != nil {
		return node{}, err
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	out := node{form: object, keys: make([]string, len(members)), items: make([]node, len(members))}
	for i, m := range members {
		if i > 0 && members[i-1].key == m.key {
			r.path = append(r.path, m.key)
			return node{}, r.refuse("this key stands here twice")
		}
		out.keys[i], out.items[i] = m.key, m.value
	}
	return out, nil
}

// canonical is the one text of a JSON value: compact, keys in bytewise order, numbers with the digits they came with,
// and of characters escaped only what must be and what could pass for the end of a line.
func canonical(n node) string { return string(appendNode(nil, n)) }

func appendNode(b []byte, n node) []byte {
	switch n.form {
	case yes:
		return append(b, "true"...)
	case no:
		return append(b, "false"...)
	case number:
		return append(b, n.text...)
	case text:
		return appendText(b, n.text)
	case list:
		b = append(b, '[')
		for i, item := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendNode(b, item)
		}
		return append(b, ']')
	case object:
		b = append(b, '{')
		for i, key := range n.keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, key), ':')
			b = appendNode(b, n.items[i])
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// appendText appends a JSON string (RFC 8259, 7). Controls and the separators of lines and paragraphs, which some
// programs take for the end of a line, are escaped; everything else stands as it is. Invalid UTF-8 becomes U+FFFD.
func appendText(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r < ' ' || 0x7f <= r && r <= 0x9f || r == '\u2028' || r == '\u2029':
			b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

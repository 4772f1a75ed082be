package rows

import (
	"bytes"
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// BodyFor reads what Body wrote, as much of it as is wanted.
func BodyFor(want store.EventColumns, text []byte) (*model.EventBody, error) {
	if want&store.EventBodies != 0 {
		return BodyOf(text)
	}
	return BriefOf(text)
}

// BriefOf reads what Body wrote, but for the description and the guests. These are most of a body, and lists seldom ask
// for them: stepping over them costs a tenth of reading them.
func BriefOf(text []byte) (*model.EventBody, error) {
	brief, ok := without(text, "Description", "Attendees")
	if !ok {
		brief = text // it is for BodyOf to say what is wrong
	}
	body, err := BodyOf(brief)
	if err == nil {
		body.Description, body.Attendees = "", nil
	}
	return body, err
}

// without leaves members out of a JSON object as json.Marshal writes it, with no spaces between its parts. It looks
// into nothing that it copies; false when this is no such object.
func without(object []byte, members ...string) ([]byte, bool) {
	if len(object) < 2 || object[0] != '{' || object[len(object)-1] != '}' {
		return nil, false
	}
	const few = 512 // what is left is mostly shorter
	out := append(make([]byte, 0, few), '{')
	for at := 1; at < len(object)-1; {
		name, colon := endOfString(object, at)
		if !colon {
			return nil, false
		}
		end := endOfValue(object, name+1)
		if end < 0 || object[name] != ':' {
			return nil, false
		}
		is := func(member string) bool { return string(object[at+1:name-1]) == member }
		if !slices.ContainsFunc(members, is) {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, object[at:end]...)
		}
		at = end + 1
	}
	return append(out, '}'), true
}

// endOfString returns the place behind a string of JSON that begins at a place; false when there is none, or nothing
// stands behind it.
func endOfString(text []byte, at int) (end int, ok bool) {
	if at >= len(text) || text[at] != '"' {
		return 0, false
	}
	for at++; ; at++ {
		next := bytes.IndexByte(text[at:], '"')
		if next < 0 {
			return 0, false
		}
		at += next
		escapes := 0
		for text[at-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at + 1, at+1 < len(text)
		}
	}
}

// endOfValue returns the place of the comma or brace behind a value of JSON; -1 when there is none.
func endOfValue(text []byte, at int) int {
	for depth := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			end, ok := endOfString(text, at)
			if !ok {
				return -1
			}
			at = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at
			}
			depth--
		case ',':
			if depth == 0 {
				return at
			}
		}
	}
	return -1
}

package rows

import (
	"slices"
	"strings"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// BodyFor reads what Body wrote, as much of it as is wanted.
func BodyFor(want store.EventColumns, text string) (*model.EventBody, error) {
	if want&store.EventBodies != 0 {
		return BodyOf(text)
	}
	return BriefOf(text)
}

// BriefOf reads what Body wrote, but for the description and the guests. These are most of a body, and lists seldom ask
// for them: stepping over them costs a tenth of reading them.
func BriefOf(text string) (*model.EventBody, error) {
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
func without(object string, members ...string) (string, bool) {
	if len(object) < 2 || object[0] != '{' || object[len(object)-1] != '}' {
		return "", false
	}
	var out strings.Builder
	out.WriteByte('{')
	for at := 1; at < len(object)-1; {
		name, colon := endOfString(object, at)
		if !colon {
			return "", false
		}
		end := endOfValue(object, name+1)
		if end < 0 || object[name] != ':' {
			return "", false
		}
		if !slices.Contains(members, object[at+1:name-1]) {
			if out.Len() > 1 {
				out.WriteByte(',')
			}
			out.WriteString(object[at:end])
		}
		at = end + 1
	}
	out.WriteByte('}')
	return out.String(), true
}

// endOfString returns the place behind a string of JSON that begins at a place; false when there is none, or nothing
// stands behind it.
func endOfString(text string, at int) (end int, ok bool) {
	if at >= len(text) || text[at] != '"' {
		return 0, false
	}
	for at++; ; at++ {
		next := strings.IndexByte(text[at:], '"')
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
func endOfValue(text string, at int) int {
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

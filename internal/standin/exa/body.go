package exa

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
)

// reader reads a JSON object by rules, and collects what breaks them. Fields that nobody asks for are passed over, as
// Exa does.
type reader struct {
	problems *[]string
	path     string
	fields   map[string]any
}

func read(body map[string]any) reader { return reader{problems: new([]string), fields: body} }

// problem is what was found wrong, all in one; nil when nothing was.
func (r reader) problem() *problem {
	if len(*r.problems) == 0 {
		return nil
	}
	const most = 10 // a body of a thousand mistakes needs no thousand sentences
	return invalid("Validation failed: %s", strings.Join((*r.problems)[:min(most, len(*r.problems))], "; "))
}

func (r reader) at(name string) string {
	if r.path == "" {
		return name
	}
	return r.path + "." + name
}

func (r reader) wrong(name, format string, args ...any) {
	*r.problems = append(*r.problems, r.at(name)+" "+fmt.Sprintf(format, args...))
}

// value returns a field that is there and is not null.
func (r reader) value(name string, required bool) (any, bool) {
	v, there := r.fields[name]
	if !there || v == nil {
		if required {
			r.wrong(name, "is required")
		} else if there {
			r.wrong(name, "must not be null")
		}
		return nil, false
	}
	return v, true
}

// isNull reports whether a field is there and null.
func (r reader) isNull(name string) bool {
	v, there := r.fields[name]
	return there && v == nil
}

// length counts as JavaScript does.
func length(s string) int { return len(utf16.Encode([]rune(s))) }

// text reads a text of so many characters; most 0: without end.
func (r reader) text(name string, required bool, least, most int) (string, bool) {
	v, ok := r.value(name, required)
	if !ok {
		return "", false
	}
	s, ok := v.(string)
	n := length(s)
	switch {
	case !ok:
		r.wrong(name, "must be a string")
	case n < least:
		r.wrong(name, "must have at least %d characters", least)
	case most > 0 && n > most:
		r.wrong(name, "must have at most %d characters", most)
	default:
		return s, true
	}
	return "", false
}

// choice reads one of some texts.
func (r reader) choice(name string, required bool, of ...string) (string, bool) {
	s, ok := r.text(name, required, 0, 0)
	if ok && !slices.Contains(of, s) {
		r.wrong(name, "must be one of %s", strings.Join(of, ", "))
		return "", false
	}
	return s, ok
}

// whole reads a whole number.
func (r reader) whole(name string, required bool, least, most int) (int, bool) {
	v, ok := r.value(name, required)
	if !ok {
		return 0, false
	}
	f, ok := v.(float64)
	switch {
	case !ok:
		r.wrong(name, "must be a number")
	case f != math.Trunc(f):
		r.wrong(name, "must be a whole number")
	case f < float64(least):
		r.wrong(name, "must be at least %d", least)
	case f > float64(most):
		r.wrong(name, "must be at most %d", most)
	default:
		return int(f), true
	}
	return 0, false
}

// flag reads true or false.
func (r reader) flag(name string) (value, given bool) {
	v, ok := r.value(name, false)
	if !ok {
		return false, false
	}
	b, ok := v.(bool)
	if !ok {
		r.wrong(name, "must be true or false")
	}
	return b, ok
}

// object reads an object.
func (r reader) object(name string, required bool) (reader, bool) {
	v, ok := r.value(name, required)
	if !ok {
		return reader{}, false
	}
	fields, ok := v.(map[string]any)
	if !ok {
		r.wrong(name, "must be an object")
		return reader{}, false
	}
	return reader{problems: r.problems, path: r.at(name), fields: fields}, true
}

// list reads a list of so many; most 0: without end.
func (r reader) list(name string, required bool, least, most int) ([]any, bool) {
	v, ok := r.value(name, required)
	if !ok {
		return nil, false
	}
	all, ok := v.([]any)
	switch {
	case !ok:
		r.wrong(name, "must be a list")
	case len(all) < least:
		r.wrong(name, "must have at least %d entries", least)
	case most > 0 && len(all) > most:
		r.wrong(name, "must have at most %d entries", most)
	default:
		return all, true
	}
	return nil, false
}

// objects reads a list of objects, which may be left out.
func (r reader) objects(name string, least, most int) ([]reader, bool) {
	all, ok := r.list(name, false, least, most)
	if !ok {
		return nil, false
	}
	rows := make([]reader, 0, len(all))
	for i, v := range all {
		fields, ok := v.(map[string]any)
		if !ok {
			r.wrong(name, "[%d] must be an object", i)
			continue
		}
		rows = append(rows, reader{problems: r.problems, path: fmt.Sprintf("%s[%d]", r.at(name), i), fields: fields})
	}
	return rows, true
}

// texts reads a list of texts, each one of some where they are named.
func (r reader) texts(name string, required bool, least, most int, of ...string) ([]string, bool) {
	all, ok := r.list(name, required, least, most)
	if !ok {
		return nil, false
	}
	var texts []string
	for i, v := range all {
		s, ok := v.(string)
		if !ok || of != nil && !slices.Contains(of, s) {
			r.wrong(name, "[%d] is not one that is known", i)
			continue
		}
		texts = append(texts, s)
	}
	return texts, true
}

// maxMetadataValue is how long a value of metadata may be, in characters.
const maxMetadataValue = 1000

// metadata reads texts by name; null empties them where that is allowed.
func (r reader) metadata(nullable bool) (values map[string]string, given bool) {
	if nullable && r.isNull("metadata") {
		return map[string]string{}, true
	}
	fields, ok := r.object("metadata", false)
	if !ok {
		return map[string]string{}, false
	}
	values = make(map[string]string, len(fields.fields))
	for name := range fields.fields {
		if s, ok := fields.text(name, true, 0, maxMetadataValue); ok {
			values[name] = s
		}
	}
	return values, true
}

// address reads a URL of the web.
func (r reader) address(name string, required bool) (string, bool) {
	s, ok := r.text(name, required, 1, 2048)
	if !ok {
		return "", false
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		r.wrong(name, "must be a URL")
		return "", false
	}
	return s, true
}

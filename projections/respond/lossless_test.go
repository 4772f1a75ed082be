package respond_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"almanac/projections/respond"
)

// value is one JSON value, its scalars as they are written.
type value struct {
	scalar  string
	list    []value
	isList  bool
	object  []field
	isAnObj bool
}

type field struct {
	key   string
	value value
}

// parse reads JSON in another way than the package does.
func parse(text string) value {
	decoder := json.NewDecoder(strings.NewReader(text))
	trimmed := strings.TrimSpace(text)
	switch trimmed[0] {
	case '{':
		out := value{isAnObj: true}
		_, _ = decoder.Token()
		for decoder.More() {
			key, _ := decoder.Token()
			var raw json.RawMessage
			if err := decoder.Decode(&raw); err != nil {
				panic(err)
			}
			out.object = append(out.object, field{fmt.Sprint(key), parse(string(raw))})
		}
		return out
	case '[':
		out := value{isList: true}
		_, _ = decoder.Token()
		for decoder.More() {
			var raw json.RawMessage
			if err := decoder.Decode(&raw); err != nil {
				panic(err)
			}
			out.list = append(out.list, parse(string(raw)))
		}
		return out
	}
	return value{scalar: trimmed}
}

// lost says what of an answer is not in its JSON form as it was, or is there in another order; the empty text when all
// is.
func lost(in string, response *respond.Response) string {
	out := string(response.JSON())
	if !json.Valid([]byte(out)) {
		return "the answer is no JSON: " + out
	}
	given, got := parse(in), parse(out)
	if !given.isAnObj {
		key := map[respond.EntityType]string{"event": "events", "task": "tasks", "list": "lists", "email": "emails",
			"memory": "memories"}[response.EntityType]
		if !given.isList {
			key = "data"
		}
		given = value{isAnObj: true, object: []field{{key, given}}}
	}
	return within(given, got, "")
}

// within says what of a value is not in another, of which only keys of ours may be left out.
func within(given, got value, path string) string {
	if given.isAnObj != got.isAnObj || given.isList != got.isList {
		return path + " is another kind of value"
	}
	switch {
	case given.isAnObj:
		next := 0
		for _, f := range got.object {
			if next < len(given.object) && given.object[next].key == f.key {
				if why := within(given.object[next].value, f.value, path+"/"+f.key); why != "" {
					return why
				}
				next++
				continue
			}
			ours := f.key == "_metadata" || f.key == "_itemContext" || f.key == "_categorized" || f.key == "_isEmpty" ||
				strings.HasSuffix(f.key, "_formatted")
			if !ours {
				return path + " has got " + f.key
			}
		}
		if next != len(given.object) {
			return path + " has lost " + given.object[next].key
		}
	case given.isList:
		if len(given.list) != len(got.list) {
			return fmt.Sprintf("%s has %d elements instead of %d", path, len(got.list), len(given.list))
		}
		for i := range given.list {
			if why := within(given.list[i], got.list[i], fmt.Sprint(path, "/", i)); why != "" {
				return why
			}
		}
	case !bytes.Equal([]byte(given.scalar), []byte(got.scalar)):
		return path + " is " + got.scalar + " instead of " + given.scalar
	}
	return ""
}

// missing says what of the wanted JSON is not in another: keys may be left out, in any order.
func missing(want, got string) string { return absent(parse(want), parse(got), "") }

func absent(want, got value, path string) string {
	switch {
	case want.isAnObj:
		for _, f := range want.object {
			found := false
			for _, g := range got.object {
				if g.key == f.key {
					found = true
					if why := absent(f.value, g.value, path+"/"+f.key); why != "" {
						return why
					}
				}
			}
			if !found {
				return path + " has no " + f.key
			}
		}
	case want.isList:
		if len(want.list) != len(got.list) {
			return fmt.Sprintf("%s has %d elements instead of %d", path, len(got.list), len(want.list))
		}
		for i := range want.list {
			if why := absent(want.list[i], got.list[i], fmt.Sprint(path, "/", i)); why != "" {
				return why
			}
		}
	case want.scalar != got.scalar:
		return path + " is " + got.scalar + " instead of " + want.scalar
	}
	return ""
}

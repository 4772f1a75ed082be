package graphiti

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// kind is a type of argument.
type kind int

const (
	text kind = iota
	number
	flag
	list
	// texts is one text or a list of them.
	texts
)

// arg is an argument of a tool.
type arg struct {
	name     string
	kind     kind
	required bool
}

// args are what a call brought.
type args map[string]json.RawMessage

// said is an error in the server's own words, which follow no rule of ours.
type said string

// Error returns the words.
func (s said) Error() string { return string(s) }

func saying(format string, args ...any) error { return said(fmt.Sprintf(format, args...)) }

// readArgs checks a call's arguments as the server does: what it does not know is passed over, what is missing or of
// another type is an error.
func readArgs(raw json.RawMessage, known []arg) (args, error) {
	given := args{}
	if len(raw) > 0 && json.Unmarshal(raw, &given) != nil {
		return nil, saying("Input should be a valid dictionary")
	}
	for _, a := range known {
		value, there := given[a.name]
		if !there || string(value) == "null" {
			if a.required {
				return nil, fmt.Errorf("%s: Field required", a.name)
			}
			delete(given, a.name)
			continue
		}
		if !a.kind.fits(value) {
			return nil, fmt.Errorf("%s: Input should be a valid %s", a.name, a.kind)
		}
	}
	return given, nil
}

func (k kind) fits(value json.RawMessage) bool {
	var err error
	switch k {
	case text:
		var v string
		err = json.Unmarshal(value, &v)
	case number:
		var v int
		err = json.Unmarshal(value, &v)
	case flag:
		var v bool
		err = json.Unmarshal(value, &v)
	case list:
		var v []string
		err = json.Unmarshal(value, &v)
	case texts:
		return text.fits(value) || list.fits(value)
	}
	return err == nil
}

func (k kind) String() string { return [...]string{"string", "integer", "boolean", "list", "list"}[k] }

// schema is the argument in the tool's input schema.
func (a arg) schema() any {
	type node struct {
		Type  string `json:"type,omitempty"`
		Items *node  `json:"items,omitempty"`
		AnyOf []node `json:"anyOf,omitempty"`
	}
	one := map[kind]node{
		text: {Type: "string"}, number: {Type: "integer"}, flag: {Type: "boolean"},
		list:  {Type: "array", Items: &node{Type: "string"}},
		texts: {AnyOf: []node{{Type: "string"}, {Type: "array", Items: &node{Type: "string"}}, {Type: "null"}}},
	}[a.kind]
	return one
}

func (a args) text(name string) string {
	var v string
	_ = json.Unmarshal(a[name], &v) // checked before
	return v
}

// number returns how many were asked for; 10 when nothing is said.
func (a args) number(name string) int {
	v := 10
	if raw, ok := a[name]; ok {
		_ = json.Unmarshal(raw, &v) // checked before
	}
	return v
}

// texts returns a list, nil when it was not given; one text is a list of one.
func (a args) texts(name string) []string {
	raw, ok := a[name]
	if !ok {
		return nil
	}
	var all []string
	if json.Unmarshal(raw, &all) != nil {
		all = []string{a.text(name)}
	}
	if all == nil {
		all = []string{}
	}
	return all
}

// groups returns a test for the groups that were asked for, and their names; the default one when none was.
func (a args) groups(names ...string) (in func(string) bool, asked []string) {
	for _, name := range names {
		if given := a.texts(name); given != nil {
			asked = given
			break
		}
	}
	if asked == nil {
		asked = []string{DefaultGroup}
	}
	return func(group string) bool { return slices.Contains(asked, group) }, asked
}

// moment reads a time; one without a zone is in UTC. Zero when it was not given.
func (a args) moment(name string) (time.Time, error) {
	given := strings.TrimSpace(a.text(name))
	if given == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02"} {
		if at, err := time.Parse(layout, given); err == nil {
			return at.UTC().Truncate(time.Microsecond), nil
		}
	}
	return time.Time{}, saying("Invalid isoformat string: '%s'", given)
}

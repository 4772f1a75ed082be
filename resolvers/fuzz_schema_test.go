package resolvers_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// The schema as the server describes it: the fuzzers walk it, so that a field, an argument or an input field that is
// new is fuzzed without anybody remembering to.
type (
	describedSchema struct {
		types map[string]describedType
		roots map[string]string          // query, mutation, subscription: the name of their type
		odds  map[string]map[string]bool // by interface; see atOdds
	}
	describedType struct {
		Kind          string
		Name          string
		IsOneOf       bool
		Fields        []describedField
		InputFields   []describedInput
		EnumValues    []struct{ Name string }
		PossibleTypes []struct{ Name string }
	}
	describedField struct {
		Name string
		Args []describedInput
		Type typeRef
	}
	describedInput struct {
		Name         string
		DefaultValue *string
		Type         typeRef
	}
	typeRef struct {
		Kind   string
		Name   string
		OfType *typeRef
	}
)

func (r typeRef) named() typeRef {
	for r.OfType != nil {
		r = *r.OfType
	}
	return r
}

func (r typeRef) nonNull() bool { return r.Kind == "NON_NULL" }

// isList tells whether the type is a list, whatever its nullability.
func (r typeRef) isList() bool {
	return r.Kind == "LIST" || r.nonNull() && r.OfType.Kind == "LIST"
}

func (r typeRef) String() string {
	switch r.Kind {
	case "NON_NULL":
		return r.OfType.String() + "!"
	case "LIST":
		return "[" + r.OfType.String() + "]"
	}
	return r.Name
}

// describe asks the server what it offers.
func describe(t *testing.T, h *harness) describedSchema {
	t.Helper()
	const reference = `kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`
	answer := h.say(t, "alice", nil,
		`{ __schema { queryType { name } mutationType { name } subscriptionType { name } types { kind name isOneOf
		fields { name args { name defaultValue type { `+reference+` } } type { `+reference+` } }
		inputFields { name defaultValue type { `+reference+` } } enumValues { name } possibleTypes { name } } } }`, nil)
	var schema struct {
		Data struct {
			Schema struct {
				QueryType, MutationType, SubscriptionType struct{ Name string }
				Types                                     []describedType
			} `json:"__schema"`
		}
	}
	if err := json.Unmarshal(answer, &schema); err != nil || len(schema.Data.Schema.Types) == 0 {
		t.Fatalf("introspection: %v\n%s", err, answer)
	}
	found := schema.Data.Schema
	out := describedSchema{
		types: make(map[string]describedType),
		roots: map[string]string{"query": found.QueryType.Name, "mutation": found.MutationType.Name,
			"subscription": found.SubscriptionType.Name},
	}
	for _, one := range found.Types {
		out.types[one.Name] = one
	}
	out.odds = make(map[string]map[string]bool)
	for name, one := range out.types {
		if one.Kind == "INTERFACE" {
			out.odds[name] = out.atOdds(one)
		}
	}
	return out
}

// isTriedElsewhere tells the fields that these tests leave out. What stands at Exa and not in the store is tried with
// two users, own keys and shared ones in adapters/exa and in the scripts websets_shared, _refused and _again; a
// sentence takes no id, and its tokens are tried in the scripts of the agent.
func isTriedElsewhere(field string) bool {
	folded := strings.ToLower(field)
	return strings.Contains(folded, "webset") || strings.Contains(folded, "research") ||
		strings.HasPrefix(field, "web") && field != "webhooks" ||
		field == "connectExa" || field == "agentChat"
}

// operations are the fields of all roots as "query tasks", in order; those of the knowledge graph, which stand below
// one, as "query knowledge.nodes".
func (s describedSchema) operations() []operationField {
	var all []operationField
	for _, root := range slices.Sorted(maps.Keys(s.roots)) {
		for _, field := range s.types[s.roots[root]].Fields {
			if isTriedElsewhere(field.Name) {
				continue
			}
			all = append(all, operationField{root: root, describedField: field})
			if field.Type.named().Name != "Knowledge" {
				continue
			}
			for _, below := range s.types["Knowledge"].Fields {
				all = append(all, operationField{root: root, within: field.Name, describedField: below})
			}
		}
	}
	return all
}

type operationField struct {
	root string
	// within is the field of the root below which it stands; empty for a root's own.
	within string
	describedField
}

func (o operationField) String() string {
	if o.within != "" {
		return o.root + " " + o.within + "." + o.Name
	}
	return o.root + " " + o.Name
}

// document is the operation with every argument as a variable of the same name, and everything selected down to a
// depth. A connection's tasks with their context are four fields down.
func (s describedSchema) document(o operationField, depth int) string {
	var variables, arguments []string
	for _, argument := range o.Args {
		kind := argument.Type.String()
		variables = append(variables, fmt.Sprintf("$%s: %s", argument.Name, kind))
		arguments = append(arguments, fmt.Sprintf("%[1]s: $%[1]s", argument.Name))
	}
	inParentheses := func(parts []string) string {
		if len(parts) == 0 {
			return ""
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	field := o.Name + inParentheses(arguments) + s.selection(o.Type.named().Name, depth)
	if o.within != "" {
		field = o.within + " { " + field + " }"
	}
	return o.root + inParentheses(variables) + " { " + field + " }"
}

// selection selects every field of a type, of an interface those of all its types.
func (s describedSchema) selection(name string, depth int) string {
	return s.selectionAs(name, depth, nil)
}

// selectionAs is selection without some fields.
func (s describedSchema) selectionAs(name string, depth int, leftOut map[string]bool) string {
	kind := s.types[name]
	switch kind.Kind {
	case "INTERFACE":
		parts := []string{"__typename"}
		for _, possible := range kind.PossibleTypes {
			parts = append(parts, "... on "+possible.Name+s.selectionAs(possible.Name, depth-1, s.odds[name]))
		}
		return " { " + strings.Join(parts, " ") + " }"
	case "UNION": // all of whose types are nodes
		return " { __typename ... on Node { id } }"
	case "OBJECT":
		if depth <= 0 {
			return " { __typename }"
		}
		parts := []string{"__typename"}
		for _, field := range kind.Fields {
			arguments := ""
			if slices.ContainsFunc(field.Args, func(a describedInput) bool { return a.Name == "first" }) {
				arguments = "(first: 5)"
			}
			for _, argument := range field.Args {
				if argument.Type.nonNull() && argument.DefaultValue == nil {
					given, err := json.Marshal(s.some(argument.Type))
					if err != nil {
						panic(err)
					}
					arguments = "(" + argument.Name + ": " + string(given) + ")"
				}
			}
			if leftOut[field.Name] {
				continue
			}
			parts = append(parts, field.Name+arguments+s.selection(field.Type.named().Name, depth-1))
		}
		return " { " + strings.Join(parts, " ") + " }"
	}
	return ""
}

// atOdds are the names under which the types of an interface have fields of different types: one document cannot select
// them all without an alias for each, and aliases are few.
func (s describedSchema) atOdds(kind describedType) map[string]bool {
	first, out := map[string]string{}, map[string]bool{}
	for _, possible := range kind.PossibleTypes {
		for _, field := range s.types[possible.Name].Fields {
			known, again := first[field.Name]
			if first[field.Name] = field.Type.String(); again && known != field.Type.String() {
				out[field.Name] = true
			}
		}
	}
	return out
}

// leaf is a place in an operation's arguments where a value of one scalar or enum stands, or a list of them.
type leaf struct {
	path []string
	kind typeRef
}

func (l leaf) String() string { return strings.Join(l.path, ".") }

// leaves are the places of an operation's arguments, those in lists of inputs as "add.0.text". Inputs within are places
// too. An input that holds itself, as filters do, is walked once within itself.
func (s describedSchema) leaves(o operationField) []leaf {
	var out []leaf
	within := map[string]int{}
	var walk func(path []string, kind typeRef)
	walk = func(path []string, kind typeRef) {
		out = append(out, leaf{path: slices.Clone(path), kind: kind})
		input := s.types[kind.named().Name]
		if input.Kind != "INPUT_OBJECT" || within[input.Name] > 1 {
			return
		}
		within[input.Name]++
		defer func() { within[input.Name]-- }()
		if kind.isList() {
			path = append(path, "0")
		}
		for _, field := range input.InputFields {
			walk(append(path, field.Name), field.Type)
		}
	}
	for _, argument := range o.Args {
		walk([]string{argument.Name}, argument.Type)
	}
	return out
}

// withValue gives a copy of variables in which a value stands at a path. Along the path, what a @oneOf input held
// before makes room, and what an input must have is made.
func (s describedSchema) withValue(o operationField, variables map[string]any, path []string,
	value any) map[string]any {
	out := clone(variables).(map[string]any)
	var kind typeRef
	for _, argument := range o.Args {
		if argument.Name == path[0] {
			kind = argument.Type
		}
	}
	out[path[0]] = s.placed(kind, out[path[0]], path[1:], value)
	return out
}

func (s describedSchema) placed(kind typeRef, at any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	input := s.types[kind.named().Name]
	if path[0] == "0" {
		path = path[1:]
		var first any
		if list, ok := at.([]any); ok && len(list) > 0 {
			first = list[0]
		}
		return []any{s.placed(kind.named(), first, path, value)}
	}
	object, ok := at.(map[string]any)
	if !ok || input.IsOneOf {
		object = map[string]any{}
	}
	for _, field := range input.InputFields {
		if field.Name == path[0] {
			object[path[0]] = s.placed(field.Type, object[path[0]], path[1:], value)
		} else if _, given := object[field.Name]; !given && field.Type.nonNull() && field.DefaultValue == nil {
			object[field.Name] = s.some(field.Type)
		}
	}
	return object
}

// some is a valid value of a type.
func (s describedSchema) some(kind typeRef) any {
	if kind.isList() {
		return []any{}
	}
	named := kind.named()
	described := s.types[named.Name]
	switch {
	case described.Kind == "ENUM":
		return described.EnumValues[0].Name
	case described.Kind == "INPUT_OBJECT":
		object := map[string]any{}
		for i, field := range described.InputFields {
			if field.Type.nonNull() && field.DefaultValue == nil || described.IsOneOf && i == len(described.InputFields)-1 {
				object[field.Name] = s.some(field.Type)
			}
		}
		return object
	}
	switch named.Name {
	case "Int", "Float":
		return 1
	case "Boolean":
		return true
	case "ID":
		return "task_00000000000000000000000000"
	case "DateTime":
		return "2026-11-23T10:00"
	case "Date":
		return "2026-11-23"
	case "Duration":
		return "PT30M"
	}
	return "something of bob"
}

func clone(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, one := range v {
			out[name] = clone(one)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = clone(one)
		}
		return out
	}
	return value
}

// say sends a document with variables as a user and gives the answer's body.
func (h *harness) say(t *testing.T, user string, header map[string]string, query string, variables any) []byte {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	return h.post(t, user, nil, header, body)
}

// sayAnything sends a body as it is and gives status and answer.
func (h *harness) sayAnything(t *testing.T, user string, header map[string]string, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+user)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// Command sdl writes what clients need of the schema, from schema/*.graphqls:
//
//   - schema.graphql, the whole schema in one file, as `almanac schema` prints it;
//   - clients/apollo.json, the possibleTypes and typePolicies of Apollo Client's cache;
//   - clients/graphcache.json, the types without an id and the introspection that urql's graphcache takes.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"almanac/graph/sdl"
)

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "sdl:", err)
		os.Exit(1)
	}
}

func write() error {
	schema, err := load("schema/*.graphqls")
	if err != nil {
		return err
	}
	if err := os.WriteFile("schema.graphql", []byte(sdl.Text(schema)), 0o600); err != nil {
		return err
	}
	policies, err := json.MarshalIndent(apollo(schema), "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile("clients/apollo.json", append(policies, '\n'), 0o600); err != nil {
		return err
	}
	introspected, err := graphcache(schema)
	if err != nil {
		return err
	}
	return os.WriteFile("clients/graphcache.json", introspected, 0o600)
}

func load(pattern string) (*ast.Schema, error) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no file is like %s: %w", pattern, err)
	}
	var sources []*ast.Source
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		sources = append(sources, &ast.Source{Name: path, Input: string(text)})
	}
	return gqlparser.LoadSchema(sources...)
}

// described are the types of the schema that introspection describes, but for its own, by name.
func described(schema *ast.Schema) []*ast.Definition {
	var out []*ast.Definition
	for _, name := range slices.Sorted(maps.Keys(schema.Types)) {
		if !strings.HasPrefix(name, "__") {
			out = append(out, schema.Types[name])
		}
	}
	return out
}

// values are the object types without an id, roots aside: they belong to the object that they stand in.
func values(schema *ast.Schema) []string {
	names := []string{}
	for _, definition := range described(schema) {
		isRoot := definition == schema.Query || definition == schema.Mutation || definition == schema.Subscription
		if definition.Kind == ast.Object && !isRoot && definition.Fields.ForName("id") == nil {
			names = append(names, definition.Name)
		}
	}
	return names
}

func possible(schema *ast.Schema, abstract *ast.Definition) []string {
	var names []string
	for _, definition := range schema.GetPossibleTypes(abstract) {
		names = append(names, definition.Name)
	}
	slices.Sort(names)
	return names
}

// apollo are options of InMemoryCache. A value is merged with what its object has of it, so that two documents which
// select different fields of it do not take them from each other.
func apollo(schema *ast.Schema) any {
	type policy struct {
		Merge bool `json:"merge"`
	}
	policies, types := map[string]policy{}, map[string][]string{}
	for _, name := range values(schema) {
		policies[name] = policy{true}
	}
	for _, definition := range described(schema) {
		if definition.IsAbstractType() {
			types[definition.Name] = possible(schema, definition)
		}
	}
	return struct {
		PossibleTypes map[string][]string `json:"possibleTypes"`
		TypePolicies  map[string]policy   `json:"typePolicies"`
	}{types, policies}
}

// typeRef is a type as introspection describes it.
type typeRef struct {
	Kind   string   `json:"kind"`
	Name   *string  `json:"name"`
	OfType *typeRef `json:"ofType"`
}

func refOf(schema *ast.Schema, t *ast.Type) *typeRef {
	switch {
	case t.NonNull:
		nullable := *t
		nullable.NonNull = false
		return &typeRef{Kind: "NON_NULL", OfType: refOf(schema, &nullable)}
	case t.Elem != nil:
		return &typeRef{Kind: "LIST", OfType: refOf(schema, t.Elem)}
	default:
		return named(schema.Types[t.NamedType])
	}
}

func named(definition *ast.Definition) *typeRef {
	return &typeRef{Kind: string(definition.Kind), Name: &definition.Name}
}

// graphcache are the types of which the cache keeps no entities, and the introspection that it uses: objects,
// interfaces and unions with their fields, everything else as a scalar.
func graphcache(schema *ast.Schema) ([]byte, error) {
	type argument struct {
		Name string   `json:"name"`
		Type *typeRef `json:"type"`
	}
	type field struct {
		Name string     `json:"name"`
		Type *typeRef   `json:"type"`
		Args []argument `json:"args"`
	}
	type full struct {
		Kind          string     `json:"kind"`
		Name          string     `json:"name"`
		Fields        []field    `json:"fields,omitempty"`
		Interfaces    []*typeRef `json:"interfaces,omitempty"`
		PossibleTypes []*typeRef `json:"possibleTypes,omitempty"`
	}
	anything := &typeRef{Kind: "SCALAR", Name: new("Any")}
	types := []full{{Kind: "SCALAR", Name: "Any"}}
	composite := func(t *ast.Type) *typeRef {
		ref := refOf(schema, t)
		leaf := ref
		for leaf.OfType != nil {
			leaf = leaf.OfType
		}
		if leaf.Kind != "OBJECT" && leaf.Kind != "INTERFACE" && leaf.Kind != "UNION" {
			*leaf = *anything
		}
		return ref
	}
	for _, definition := range described(schema) {
		if !definition.IsCompositeType() {
			continue
		}
		one := full{Kind: string(definition.Kind), Name: definition.Name}
		if definition.Kind == ast.Object {
			one.Interfaces = []*typeRef{}
			for _, name := range definition.Interfaces {
				one.Interfaces = append(one.Interfaces, named(schema.Types[name]))
			}
		} else {
			for _, name := range possible(schema, definition) {
				one.PossibleTypes = append(one.PossibleTypes, named(schema.Types[name]))
			}
		}
		for _, f := range definition.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			shown := field{Name: f.Name, Type: composite(f.Type), Args: []argument{}}
			for _, a := range f.Arguments {
				shown.Args = append(shown.Args, argument{a.Name, composite(a.Type)})
			}
			one.Fields = append(one.Fields, shown)
		}
		types = append(types, one)
	}
	var out bytes.Buffer
	out.WriteString(`{"values":`)
	err := lines(&out, values(schema))
	fmt.Fprintf(&out, `,
"schema":{"__schema":{"queryType":{"name":%q},"mutationType":{"name":%q},"subscriptionType":{"name":%q},"directives":[],
"types":`, schema.Query.Name, schema.Mutation.Name, schema.Subscription.Name)
	err = errors.Join(err, lines(&out, types))
	out.WriteString("}}}\n")
	return out.Bytes(), err
}

// lines writes a list as JSON, each item on a line of its own.
func lines[T any](out *bytes.Buffer, items []T) error {
	for i, item := range items {
		text, err := json.Marshal(item)
		if err != nil {
			return err
		}
		out.WriteString(map[bool]string{true: "[\n", false: ",\n"}[i == 0])
		out.Write(text)
	}
	out.WriteString("]")
	return nil
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"almanac/graph"
	"almanac/graph/sdl"
)

// The schema is the public manual and keeps the rules that clients rely on.
func TestTheSchemaIsAManual(t *testing.T) {
	schema := graph.NewPlannedSchema(graph.Config{}).Schema()
	for _, definition := range schema.Types {
		if definition.BuiltIn || strings.HasPrefix(definition.Name, "__") {
			continue
		}
		describes(t, definition.Name, definition.Description)
		if definition.Kind == ast.Scalar && definition.Directives.ForName("specifiedBy") == nil {
			t.Errorf("scalar %s does not say what specifies it", definition.Name)
		}
		for _, value := range definition.EnumValues {
			describes(t, definition.Name+"."+value.Name, value.Description)
		}
		for _, field := range definition.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			place := definition.Name + "." + field.Name
			describes(t, place, field.Description)
			for _, argument := range field.Arguments {
				describes(t, place+"("+argument.Name+")", argument.Description)
			}
		}
		if strings.HasSuffix(definition.Name, "Connection") {
			for _, wanted := range []string{"edges", "nodes", "pageInfo"} {
				if definition.Fields.ForName(wanted) == nil {
					t.Errorf("%s has no %s", definition.Name, wanted)
				}
			}
		}
	}
}

func describes(t *testing.T, place, description string) {
	t.Helper()
	if len(description) < len("No.") || !strings.HasSuffix(strings.TrimSpace(description), ".") {
		t.Errorf("%s is not described: %q", place, description)
	}
}

// Every mutation takes one input and answers with a payload of its own that has userErrors.
func TestMutationsHaveOneShape(t *testing.T) {
	schema := graph.NewPlannedSchema(graph.Config{}).Schema()
	for _, mutation := range schema.Mutation.Fields {
		name := strings.ToUpper(mutation.Name[:1]) + mutation.Name[1:]
		if len(mutation.Arguments) != 1 || mutation.Arguments[0].Name != "input" ||
			mutation.Arguments[0].Type.String() != name+"Input!" {
			t.Errorf("%s does not take one input of type %sInput!", mutation.Name, name)
		}
		if mutation.Type.String() != name+"Payload!" {
			t.Errorf("%s does not answer with %sPayload!", mutation.Name, name)
			continue
		}
		payload := schema.Types[mutation.Type.Name()]
		if field := payload.Fields.ForName("userErrors"); field == nil || field.Type.String() != "[UserError!]!" {
			t.Errorf("%s has no userErrors", payload.Name)
		}
		confirms := schema.Types[name+"Input"].Fields.ForName("confirm") != nil
		if asks := payload.Fields.ForName("confirmation") != nil; asks != confirms {
			t.Errorf("%s: confirm in the input and confirmation in the payload go together", mutation.Name)
		}
	}
}

// ambiguous are the fields that types of Node have with shapes that one document cannot select without an alias: both
// names are the contract's.
var ambiguous = map[string]string{
	"body":       "of an e-mail it is read in a format and length of choice, of a preview it is the text that goes out",
	"email":      "of an arrival it is the e-mail, of a viewer an address",
	"items":      "those of a list come whole, those of a webset in pages",
	"recurrence": "of a task it is a rule of fields, of an event the lines of RFC 5545",
	"state":      "of mail that is to go out it is what became of it, of a calendar how far it is kept",
	"source":     "of a fact it is the entity that it begins at, of a calendar where its events come from",
}

// A fragment on Node selects rows of several types at once, so a field has one type wherever types of Node have it.
func TestNodesShareTheirFields(t *testing.T) {
	schema := graph.NewPlannedSchema(graph.Config{}).Schema()
	used := map[string]bool{}
	seen := map[string]*ast.FieldDefinition{}
	for _, definition := range schema.GetPossibleTypes(schema.Types["Node"]) {
		for _, field := range definition.Fields {
			first, known := seen[field.Name]
			if !known {
				seen[field.Name] = field
				continue
			}
			if problem := differ(schema, first, field); problem != "" {
				if used[field.Name] = true; ambiguous[field.Name] == "" {
					t.Errorf("%s.%s: %s", definition.Name, field.Name, problem)
				}
			}
		}
	}
	for name := range ambiguous {
		if !used[name] {
			t.Errorf("ambiguous names %s without need", name)
		}
	}
}

// differ says why two fields cannot be selected under one name: of plain values the types must be the same, of objects
// the lists and what is null, and so on below (SameResponseShape of the specification).
func differ(schema *ast.Schema, a, b *ast.FieldDefinition) string {
	one, other := schema.Types[a.Type.Name()], schema.Types[b.Type.Name()]
	shape := func(f *ast.FieldDefinition) string { return strings.Replace(f.Type.String(), f.Type.Name(), "", 1) }
	switch {
	case shape(a) != shape(b), one.IsLeafType() != other.IsLeafType(), one.IsLeafType() && one.Name != other.Name:
		return a.Type.String() + " against " + b.Type.String()
	case one.IsLeafType() || one.Name == other.Name:
		return ""
	}
	for _, field := range one.Fields {
		if below := other.Fields.ForName(field.Name); below != nil && !schema.Types[field.Type.Name()].IsCompositeType() {
			if problem := differ(schema, field, below); problem != "" {
				return field.Name + ": " + problem
			}
		}
	}
	return ""
}

// The schema in one file is what the server offers and `almanac schema` prints.
func TestTheSchemaIsInOneFile(t *testing.T) {
	text, err := os.ReadFile("schema.graphql")
	if err != nil {
		t.Fatal(err)
	}
	offered := graph.NewPlannedSchema(graph.Config{}).Schema()
	if string(text) != sdl.Text(offered) {
		t.Error("schema.graphql is not the schema: run `make generate`")
	}
}

// maxColumns is as long as a line of the contract is, as of the code; golangci's lll knows Go alone.
const maxColumns = 120

func TestTheSchemaHasShortLines(t *testing.T) {
	files, err := filepath.Glob("schema/*.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schema: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if columns := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); columns > maxColumns {
				t.Errorf("%s:%d has %d columns, want at most %d", name, number, columns, maxColumns)
			}
		}
	}
}

package main

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"almanac/graph"
)

// The schema is the public manual and keeps the rules that clients rely on.
func TestTheSchemaIsAManual(t *testing.T) {
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
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
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
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

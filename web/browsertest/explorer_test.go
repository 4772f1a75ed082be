package browsertest_test

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"almanac/web"
	"almanac/web/browsertest"
)

func TestExplorer(t *testing.T) {
	server := httptest.NewServer(newStandIn(t, ""))
	defer server.Close()
	browsertest.RunExplorerSuite(t, server.URL)
}

// Every operation the page offers must be one that the schema answers, with variables of the right types.
func TestExamplesAreValid(t *testing.T) {
	schema := loadSchema(t)
	examples, err := web.Examples()
	if err != nil {
		t.Fatal(err)
	}
	if len(examples) < 8 {
		t.Fatalf("only %d examples", len(examples))
	}
	seen := make(map[string]bool)
	for _, example := range examples {
		t.Run(example.ID, func(t *testing.T) {
			if seen[example.ID] || example.Title == "" {
				t.Errorf("an example needs an id of its own and a title: %+v", example)
			}
			seen[example.ID] = true
			document, refused := gqlparser.LoadQueryWithRules(schema, example.Query, rules.NewDefaultRules())
			if refused != nil {
				t.Fatal(refused)
			}
			if len(document.Operations) != 1 || document.Operations[0].Name == "" {
				t.Fatal("an example is one named operation: the name becomes its tab's title")
			}
			operation := document.Operations[0]
			if string(operation.Operation) != example.Kind {
				t.Errorf("the kind is %s, the operation is a %s", example.Kind, operation.Operation)
			}
			variables := make(map[string]any)
			if example.Variables != "" {
				if err := json.Unmarshal([]byte(example.Variables), &variables); err != nil {
					t.Fatalf("the variables: %v", err)
				}
			}
			if _, err := validator.VariableValues(schema, operation, variables); err != nil {
				t.Errorf("the variables: %v", err)
			}
			if example.Query[0] != '#' {
				t.Error("an example begins with a comment that says what it is")
			}
		})
	}
}

// The token goes where it must and nowhere else, and zone and language go with it.
func TestExplorerSettings(t *testing.T) {
	backend := newStandIn(t, "secret-token")
	server := httptest.NewServer(backend)
	defer server.Close()
	browsertest.RunSettingsSuite(t, server.URL, "secret-token", backend.lastConnection)
}

// Who comes in with a token reads the day, and the token goes nowhere else.
func TestHomeSignsInWithAToken(t *testing.T) {
	server := httptest.NewServer(newStandIn(t, "secret-token"))
	defer server.Close()
	browsertest.RunHomeTokenSuite(t, server.URL, "secret-token")
}

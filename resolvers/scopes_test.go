package resolvers_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
	"almanac/resolvers/users"
)

// domainOf is the domain of a schema file; of the others, every field stands in exceptions.
var domainOf = map[string]string{
	"tasks": "TASKS", "lists": "TASKS", "events": "CALENDAR", "icalendar": "CALENDAR", "emails": "MAIL",
	"memories": "MEMORIES", "knowledge": "KNOWLEDGE", "websets": "WEBSETS", "viewer": "ACCOUNT", "channels": "ACCOUNT",
}

// exceptions are the root fields whose scopes do not follow from their file and kind. "" is for fields without data.
var exceptions = map[string]string{
	"Query.agenda":       "TASKS_READ CALENDAR_READ MAIL_READ",
	"Query.actions":      "READ",
	"Query.action":       "READ",
	"Query.changes":      "READ",
	"Query.viewer":       "", // id, settings and scopes are everyone's own; the rest has scopes by field
	"Query.node":         "", // what is selected of it has its type's
	"Query.nodes":        "",
	"Query.parseTime":    "",
	"Query.formatOutput": "", "Query.formatOperations": "", "Query.formatResponse": "",
	"Subscription.changed": "READ",
	// What is told to them is of every domain.
	"Mutation.createWebhook": "ACCOUNT_WRITE READ",
	"Mutation.updateWebhook": "ACCOUNT_WRITE READ",
	"Mutation.registerPush":  "ACCOUNT_WRITE READ",
	"Mutation.undoAction":    "WRITE", "Mutation.agentChat": "WRITE", "Mutation.connectExa": "ACCOUNT_WRITE",
}

// harmless are the types that can be reached without any scope.
var harmless = []string{"EventTime", "FormatMetrics", "FormatResult", "FormattedBuckets", "FormattedContext",
	"FormattedDate",
	"FormattedFailure", "FormattedItem", "FormattedItemContext", "FormattedMetadata", "FormattedResponse", "ParsedTime",
	"Settings", "TimeAmbiguity", "Viewer"}

func wanted(root string, field *ast.FieldDefinition) model.ScopeSet {
	if words, there := exceptions[root+"."+field.Name]; there {
		var scopes []model.Scope
		for word := range strings.FieldsSeq(words) {
			scopes = append(scopes, model.Scope(word))
		}
		return model.ScopeSetOf(scopes...)
	}
	domain := domainOf[strings.TrimSuffix(path.Base(field.Position.Src.Name), ".graphqls")]
	kind := "_READ"
	if root == "Mutation" {
		kind = "_WRITE"
	}
	return model.ScopeSetOf(model.Scope(domain + kind))
}

// roots are the root fields of the schema, by their coordinates.
func roots(schema *ast.Schema) map[string]*ast.FieldDefinition {
	fields := map[string]*ast.FieldDefinition{}
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		for _, field := range root.Fields {
			if !strings.HasPrefix(field.Name, "__") {
				fields[root.Name+"."+field.Name] = field
			}
		}
	}
	return fields
}

// Every field of the schema has its scopes in the table, or is reached only through what has.
func TestEveryFieldHasAScope(t *testing.T) {
	schema := graph.NewPlannedSchema(graph.Config{}).Schema()
	for name, field := range roots(schema) {
		root, _, _ := strings.Cut(name, ".")
		want, got := wanted(root, field), users.ScopeOf(root, field.Name)
		if _, excepted := exceptions[name]; want == 0 && !excepted {
			t.Errorf("nothing says what %s of %s needs", name, field.Position.Src.Name)
		}
		if got != want {
			t.Errorf("%s needs %q, want %q", name, got, want)
		}
	}
	for name := range exceptions {
		if roots(schema)[name] == nil {
			t.Errorf("%s is no field", name)
		}
	}
	for _, name := range users.ScopedNames() {
		object, field, isField := strings.Cut(name, ".")
		definition := schema.Types[object]
		if definition == nil || isField && definition.Fields.ForName(field) == nil {
			t.Errorf("the table has %s, which the schema has not", name)
		}
	}
	for _, node := range schema.GetPossibleTypes(schema.Types["Node"]) {
		if users.ScopeOf(node.Name, "id") == 0 && !slices.Contains(harmless, node.Name) {
			t.Errorf("%s can be had by its id, and its fields need no scope", node.Name)
		}
	}
	// What can be reached from fields that need none.
	reached := map[string]bool{}
	var walk func(object *ast.Definition)
	walk = func(object *ast.Definition) {
		if object == nil || reached[object.Name] {
			return
		}
		reached[object.Name] = true
		for _, possible := range schema.GetPossibleTypes(object) {
			if possible != object {
				walk(possible)
			}
		}
		for _, field := range object.Fields {
			if users.ScopeOf(object.Name, field.Name) == 0 && !strings.HasPrefix(field.Name, "__") {
				walk(schema.Types[field.Type.Name()])
			}
		}
	}
	for _, field := range roots(schema) {
		for _, root := range []string{"Query", "Mutation", "Subscription"} {
			if schema.Types[root].Fields.ForName(field.Name) == field && users.ScopeOf(root, field.Name) == 0 {
				walk(schema.Types[field.Type.Name()])
			}
		}
	}
	var open []string
	for name := range reached {
		definition := schema.Types[name]
		if definition.Kind == ast.Object && (len(definition.Fields) == 0 ||
			users.ScopeOf(name, definition.Fields[0].Name) == 0) {
			open = append(open, name)
		}
	}
	slices.Sort(open)
	if !slices.Equal(open, harmless) {
		t.Errorf("without any scope one reaches %v, want %v", open, harmless)
	}
}

// Every root field against every scope, and every pair of the table against an id: what a token lacks is refused before
// anything runs, and nothing else is.
func TestScopesOfEveryOperation(t *testing.T) {
	executable := graph.NewPlannedSchema(graph.Config{})
	schema := executable.Schema()
	e, err := engine.New(engine.Config{Schema: executable, Scope: users.ScopeOf})
	if err != nil {
		t.Fatal(err)
	}
	refused := func(document string, scopes ...model.Scope) bool {
		t.Helper()
		_, errs := e.Prepare(model.WithCaller(t.Context(), model.Caller{Subject: "dana", Scopes: scopes}),
			engine.Request{Query: document})
		code := ""
		if len(errs) > 0 {
			code = fmt.Sprint(errs[0].Extensions["code"])
			if errs[0].Extensions["code"] == nil {
				t.Errorf("%s: %v", document, errs)
			}
		}
		return code == string(model.CodeForbidden)
	}
	documents := map[string]string{}
	for name, field := range roots(schema) {
		root, _, _ := strings.Cut(name, ".")
		documents[name] = operationOf(schema, root, field)
	}
	cells := 0
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		root, field, _ := strings.Cut(name, ".")
		want := wanted(root, roots(schema)[name])
		for _, scope := range model.Scopes() {
			held := model.ScopeSetOf(scope)
			may := held.Has(want) && (root == "Mutation" && held.Writes() || root != "Mutation" && held.Reads())
			if got := !refused(documents[name], scope); got != may {
				t.Errorf("%s with %s: allowed %v, want %v", field, scope, got, may)
			}
			cells++
		}
		if refused(documents[name], model.ScopeRead, model.ScopeWrite) {
			t.Errorf("%s is refused to READ and WRITE", name)
		}
		if !refused(documents[name]) {
			t.Errorf("%s is allowed to a token without scopes", name)
		}
	}
	for _, node := range schema.GetPossibleTypes(schema.Types["Node"]) {
		want := users.ScopeOf(node.Name, "id")
		for _, document := range []string{
			`{ node(id: "x") { ... on ` + node.Name + ` { id } } }`,
			`{ node(id: "x") { ...f } } fragment f on ` + node.Name + ` { id }`,
			`{ nodes(ids: ["x"]) { ... on Node { ... on ` + node.Name + ` @skip(if: true) { id } } } }`,
		} {
			for _, scope := range model.Scopes() {
				held := model.ScopeSetOf(scope)
				if got, may := !refused(document, scope), held.Reads() && held.Has(want); got != may {
					t.Errorf("%s with %s: allowed %v, want %v", document, scope, got, may)
				}
				cells++
			}
		}
	}
	if cells < 2_000 {
		t.Errorf("only %d cells", cells)
	}
	// A mutation shows what it wrote to whoever may write, and its action; nothing of other domains.
	const create = `mutation { createTask(input: { text: "x" }) { task { text } action { summary `
	if refused(create+`} } }`, model.ScopeTasksWrite) {
		t.Error("what was written is not shown to its writer")
	}
	if !refused(`mutation { deleteTask(input: { target: { match: { text: "x" } } }) {
		confirmation { candidates { node { ... on Email { id } } } } } }`, model.ScopeTasksWrite) {
		t.Error("a mutation of tasks shows e-mails")
	}
}

// operationOf is a document with one root field; its required arguments are variables, which are not given.
func operationOf(schema *ast.Schema, root string, field *ast.FieldDefinition) string {
	var variables, arguments []string
	for _, argument := range field.Arguments {
		if argument.Type.NonNull && argument.DefaultValue == nil {
			variables = append(variables, "$"+argument.Name+": "+argument.Type.String())
			arguments = append(arguments, argument.Name+": $"+argument.Name)
		}
	}
	text := strings.ToLower(root)
	if len(variables) > 0 {
		text += "(" + strings.Join(variables, ", ") + ")"
	}
	text += " { " + field.Name
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	if kind := schema.Types[field.Type.Name()].Kind; kind == ast.Object || kind == ast.Interface || kind == ast.Union {
		text += " { __typename }"
	}
	return text + " }"
}

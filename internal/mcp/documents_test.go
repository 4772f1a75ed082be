package mcp

import (
	"regexp"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"almanac/graph"
)

// Every document that a tool can run is one of the schema.
func TestDocumentsFitTheSchema(t *testing.T) {
	t.Parallel()
	schema := graph.NewPlannedSchema(graph.Config{}).Schema()
	all := documents()
	for name, m := range mutations() {
		all[name] = m.document()
	}
	if len(all) < 50 {
		t.Errorf("only %d documents", len(all))
	}
	for name, doc := range all {
		if _, errs := gqlparser.LoadQueryWithRules(schema, doc.text, rules.NewDefaultRules()); len(errs) > 0 {
			t.Errorf("%s: %v", name, errs)
		}
		if doc.name == "" {
			t.Errorf("%s has no name", name)
		}
	}
	unopened := regexp.MustCompile(`^(WebsetWebhook|Webhook|PushSubscription|Viewer|LinkedAccount|EmailArrival|\w*Change)$`) // a program's affair
	for _, definition := range schema.PossibleTypes["Node"] {
		if _, ok := all["open"+definition.Name]; !ok && !unopened.MatchString(definition.Name) {
			t.Errorf("%s cannot be opened", definition.Name)
		}
	}
}

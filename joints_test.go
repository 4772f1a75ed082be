package main_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// A record is known in many places that no compiler holds together. These tests walk the schema and name each place
// that does not know a type of it. Two more walks stand beside what they hold: the columns of records and the fields
// that ask for them in adapters/store (TestTablesKeepAllOfTheirRecords), the attributes of log lines in
// internal/telemetry.

// kindOfType are the types of Node whose kind is not called as they are.
var kindOfType = map[string]string{"EmailThread": "Thread", "EmailPreview": "Preview", "WebsetEnrichment": "Enrichment",
	"WebsetMonitor": "Monitor", "WebsetMonitorRun": "MonitorRun", "WebsetWebhook": "Webhook",
	"Viewer": "User", "LinkedAccount": "Connection", "Webhook": "Hook", "PushSubscription": "Push"}

// logged are the types of changes: they share one kind and are joined by TestEveryChangeIsJoined.
var logged = regexp.MustCompile(`^(\w*Change|EmailArrival)$`)

// unjoined are joints that a type does without, as "type joint", each for its reason.
var unjoined = map[string]string{
	"Subtask export":      "stands in its task",
	"ListItem export":     "stands in its list",
	"EmailPreview export": "is gone in a day",
	"WebsetWebhook open":  "a program's affair, and its secret is shown once",
	"Calendar row":        "is shown by its id alone",
	"EmailThread row":     "is shown as its e-mails",
	"Viewer open":         "a program's affair, and so are linked accounts",
	"Viewer row":          "stands in no answer that has compact text, nor do linked accounts",
	"LinkedAccount open":  "see Viewer",
	"LinkedAccount row":   "see Viewer",

	"Webhook open":            "a program's affair, as are browsers",
	"Webhook row":             "stands in no answer that has compact text but as what was made or deleted",
	"Webhook export":          "its secret is shown once and belongs to this server; it is made anew elsewhere",
	"PushSubscription open":   "see Webhook",
	"PushSubscription row":    "see Webhook",
	"PushSubscription export": "belongs to this server's key",
}

// remote are the types whose records are kept elsewhere, so there is nothing of them to export.
var remote = regexp.MustCompile(`^(Email|EmailThread|Webset.*|Research)$`)

// unsubscribed are the types of changes that have no subscription of their own, each for its reason.
var unsubscribed = map[string]string{
	"ENTITY": "knowledgeChanged", "FACT": "knowledgeChanged", "EPISODE": "knowledgeChanged",
	"KNOWLEDGE": "knowledgeChanged", "WEBSET_ITEM": "websetChanged", "WEBSET_MONITOR": "websetChanged",
	"WEBSET_IMPORT": "websetChanged", "EMAIL": "emailReceived",
	"ACTION":  "changed",
	"WEBHOOK": "changed", "PUSH_SUBSCRIPTION": "changed",
	"CALENDAR": "changed",
	"SETTINGS": "changed", "CONNECTION": "changed",
}

func TestEveryTypeIsJoined(t *testing.T) {
	t.Parallel()
	schema := wholeSchema(t)
	kinds := textOf(t, "graph/model/*.go")
	names := textOf(t, "resolvers/core/ids.go")
	nodes := textOf(t, "resolvers/nodes.go")
	open := textOf(t, "internal/mcp/documents/open.graphql")
	rows := textOf(t, "projections/*.go")
	export := textOf(t, "internal/cli/*.go")
	types := schema.GetPossibleTypes(schema.Types["Node"])
	if len(types) < 20 {
		t.Fatalf("%d types implement Node", len(types))
	}
	used := map[string]bool{}
	for _, definition := range types {
		name := definition.Name
		if logged.MatchString(name) {
			continue
		}
		kind := "Kind" + name
		if other := kindOfType[name]; other != "" {
			kind = "Kind" + other
		}
		key := strings.ToLower(strings.TrimPrefix(kind, "Kind"))
		for joint, there := range map[string]bool{
			"kind":   regexp.MustCompile(`\b` + kind + `\s+Kind = `).MatchString(kinds),
			"name":   regexp.MustCompile(`model\.` + kind + `:`).MatchString(names),
			"node":   regexp.MustCompile(`model\.` + kind + `\b`).MatchString(nodes),
			"open":   strings.Contains(open, "fragment "+name+" on "+name+" "),
			"row":    regexp.MustCompile(`func \(\w+ ` + name + `\) Row\(`).MatchString(rows),
			"export": remote.MatchString(name) || strings.Contains(export, `"`+key+`"`),
		} {
			if _, without := unjoined[name+" "+joint]; without {
				used[name+" "+joint] = !there
			} else if !there {
				t.Errorf("%s has no %s", name, joint)
			}
		}
	}
	for without := range unjoined {
		if !used[without] {
			t.Errorf("unjoined names %q, which is there or is of no type", without)
		}
	}
}

// unkinded are the types of changes whose records are named by the user's id.
var unkinded = []string{"SETTINGS", "KNOWLEDGE"}

func TestEveryChangeIsJoined(t *testing.T) {
	t.Parallel()
	schema := wholeSchema(t)
	changes := textOf(t, "graph/model/change.go")
	views := textOf(t, "projections/change.go")
	resolvers := textOf(t, "resolvers/*.go") + textOf(t, "resolvers/*/*.go")
	values := schema.Types["ChangeType"].EnumValues
	if len(values) < 10 {
		t.Fatalf("%d types of changes", len(values))
	}
	for _, value := range values {
		constant := regexp.MustCompile(`\b(Change\w+)\s+ChangeType = "` + value.Name + `"`).FindStringSubmatch(changes)
		if constant == nil {
			t.Errorf("%s has no constant in graph/model/change.go", value.Name)
			continue
		}
		if strings.Contains(views, "model."+constant[1]+":") == slices.Contains(unkinded, value.Name) {
			t.Errorf("kindOf in projections/change.go: does not know %s, or unkinded names it without need", constant[1])
		}
		none := strings.HasPrefix(unsubscribed[value.Name], "none")
		if !none && !strings.Contains(resolvers, "model."+constant[1]) {
			t.Errorf("no resolver knows %s", constant[1])
		}
		subscription := strings.ToLower(value.Name) + "Changed"
		if schema.Subscription.Fields.ForName(subscription) == nil && unsubscribed[value.Name] == "" {
			t.Errorf("%s has no subscription %s", value.Name, subscription)
		}
	}
	for name, instead := range unsubscribed {
		if schema.Types["ChangeType"].EnumValues.ForName(name) == nil {
			t.Errorf("unsubscribed names %s, which is no type of a change", name)
		}
		if !strings.HasPrefix(instead, "none") && schema.Subscription.Fields.ForName(instead) == nil {
			t.Errorf("there is no subscription %s", instead)
		}
	}
}

// Every answer that holds records has compact text: connections, and the payloads of all mutations but those of
// settings, links and tokens. The audit log is for people.
func TestEveryAnswerHasCompactText(t *testing.T) {
	t.Parallel()
	schema := wholeSchema(t)
	without := []string{"AuditConnection", "ConnectExaPayload", "CreateTokenPayload", "DisconnectPayload",
		"RevokeTokenPayload", "UpdateSettingsPayload"}
	seen := 0
	for _, name := range slices.Sorted(maps.Keys(schema.Types)) {
		definition := schema.Types[name]
		if definition.Kind != ast.Object ||
			!strings.HasSuffix(name, "Payload") && !strings.HasSuffix(name, "Connection") {
			continue
		}
		seen++
		if has := definition.Fields.ForName("compact") != nil; has == slices.Contains(without, name) {
			t.Errorf("%s: has compact text: %t", name, has)
		}
	}
	if seen < 80 {
		t.Errorf("%d answers were looked at", seen)
	}
}

// actionless are mutations whose payload has no action, each for its reason.
var actionless = map[string]string{
	"previewEmail": "nothing is sent, and a preview ends by itself", "previewReply": "nothing is sent, as above",
	"previewWebset": "nothing is kept",
	"createToken":   "rights are no records; the audit log has it", "revokeToken": "what was revoked never comes back",
}

// Every payload says what was done, so that it can be undone; core.Base.Mutate fills it in.
func TestEveryMutationSaysWhatWasDone(t *testing.T) {
	t.Parallel()
	schema := wholeSchema(t)
	seen := 0
	for _, field := range schema.Mutation.Fields {
		payload := schema.Types[field.Type.Name()]
		action := payload.Fields.ForName("action")
		_, without := actionless[field.Name]
		if has := action != nil && action.Type.Name() == "Action" && !action.Type.NonNull; has == without {
			t.Errorf("%s: the payload says what was done: %t", field.Name, has)
		}
		if action != nil {
			seen++
		}
	}
	if seen < 60 {
		t.Errorf("%d payloads say what was done", seen)
	}
	for name := range actionless {
		if schema.Mutation.Fields.ForName(name) == nil {
			t.Errorf("actionless names %s, which is no mutation", name)
		}
	}
}

// unfound are the lists of the schema that a joint does without, as "query joint", each for its reason.
var unfound = map[string]string{
	"actions find":               "are a log; each tool's answer names its own",
	"auditLog find":              "is a log, for people",
	"auditLog format":            "is a log, for people",
	"changes find":               "is a log; open shows what has changed",
	"eventInstances find":        "are found as events",
	"eventInstances format":      "are formatted as events",
	"websetItems find":           "stand in their webset",
	"websetMonitors find":        "stand in their webset",
	"websetMonitorRuns find":     "the last one stands in its monitor",
	"websetWebhooks find":        "are a program's affair",
	"websetWebhookAttempts find": "are a program's affair",
	"websetImports find":         "stand in their webset",
	"websetEvents find":          "are a log",
	"researches find":            "are asked for again by their id",
}

// What is listed by a query can be found by the tool find, and formatted by formatOutput.
func TestEveryListIsFound(t *testing.T) {
	t.Parallel()
	schema := wholeSchema(t)
	find := textOf(t, "internal/mcp/find.go")
	formatters := textOf(t, "projections/compact/*.go")
	used := map[string]bool{}
	seen := 0
	for _, field := range schema.Query.Fields {
		if !strings.HasSuffix(field.Type.Name(), "Connection") {
			continue
		}
		seen++
		for joint, there := range map[string]bool{
			"find":   strings.Contains(find, `"`+field.Name+`"`),
			"format": regexp.MustCompile(`\n\t\t"` + field.Name + `[ "]`).MatchString(formatters),
		} {
			if _, without := unfound[field.Name+" "+joint]; without {
				used[field.Name+" "+joint] = !there
			} else if !there {
				t.Errorf("%s has no %s", field.Name, joint)
			}
		}
	}
	if seen < 8 {
		t.Errorf("%d lists were looked at", seen)
	}
	for without := range unfound {
		if !used[without] {
			t.Errorf("unfound names %q, which is there or is no list", without)
		}
	}
}

// The generator writes a stub for each field that neither a view nor a resolver answers; it panics when it is asked.
func TestNoStubIsLeft(t *testing.T) {
	t.Parallel()
	stub := regexp.MustCompile(`not implemented: (\w+)`)
	for _, path := range filesLike(t, "resolvers/*.resolvers.go") {
		for _, found := range stub.FindAllStringSubmatch(textOf(t, path), -1) {
			t.Errorf("%s: %s is a stub; call the domain, or give the view a method of that name", path, found[1])
		}
	}
}

func wholeSchema(t *testing.T) *ast.Schema {
	t.Helper()
	var sources []*ast.Source
	for _, path := range filesLike(t, "schema/*.graphqls") {
		sources = append(sources, &ast.Source{Name: path, Input: textOf(t, path)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// textOf returns the texts of the files of a pattern, tests aside.
func textOf(t *testing.T, pattern string) string {
	t.Helper()
	var all strings.Builder
	for _, path := range filesLike(t, pattern) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

func filesLike(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	paths = slices.DeleteFunc(paths, func(path string) bool { return strings.HasSuffix(path, "_test.go") })
	if err != nil || len(paths) == 0 {
		t.Fatalf("no file is like %s: %v", pattern, err)
	}
	return paths
}

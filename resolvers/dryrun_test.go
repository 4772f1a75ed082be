package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"almanac/graph"
	"almanac/internal/httpapi/ws"
)

// ranDry are the mutations whose dry run was compared with the real one, and has done something.
type ranDry struct {
	mu     sync.Mutex
	fields map[string]bool
}

// rehearsal sends a script's mutations dry before it sends them.
type rehearsal struct {
	file string
	ran  *ranDry
	// field is the one mutation of the document that was rehearsed; empty when its answers are not compared.
	field string
	// answer is that of the dry run, by names of its own.
	answer any
}

// send sends the dry run of a mutation.
func (r *rehearsal) send(s *script, ask request) {
	r.field = ""
	document, err := parser.ParseQuery(&ast.Source{Input: s.names.real(ask.query)})
	if err != nil {
		return // a script of what is refused
	}
	if len(document.Operations) != 1 || document.Operations[0].Operation != ast.Mutation ||
		document.Operations[0].Directives.ForName("dryRun") != nil {
		return
	}
	at := document.Operations[0].SelectionSet[0].GetPosition().Start
	braces := strings.LastIndexByte(s.names.real(ask.query)[:at], '{')
	dry := ask
	dry.query = s.names.real(ask.query)[:braces] + " @dryRun " + s.names.real(ask.query)[braces:]
	s.harness.say(s.t, ask.user, nil, "{ viewer { id } }", nil) // the first request of a user makes their row
	was := s.harness.dump(s.t)
	exaAsked := len(s.harness.exa.server.Requests())
	raw := s.send(dry)
	for _, asked := range s.harness.google.server.Requests() {
		if reads := asked.HTTPMethod == http.MethodGet || asked.Method == "calendar.freebusy.query" ||
			asked.Method == "oauth.token"; !reads {
			s.t.Errorf("%s: a dry run asked Google for %s %s\n%s", r.file, asked.Method, asked.URL, ask.query)
		}
	}
	for _, asked := range s.harness.exa.server.Requests()[exaAsked:] {
		if reads := asked.Method == http.MethodGet || slices.Contains(exaReads, asked.Path); !reads {
			s.t.Errorf("%s: a dry run asked Exa for %s %s\n%s", r.file, asked.Method, asked.Path, ask.query)
		}
	}
	is := s.harness.dump(s.t)
	for table, rows := range was {
		if is[table] != rows {
			s.t.Errorf("%s: a dry run has changed the table %s\n%s\n%s", r.file, table, ask.query, raw)
		}
	}
	if len(document.Operations[0].SelectionSet) == 1 && !strings.Contains(ask.header, "Idempotency-Key") {
		if field, ok := document.Operations[0].SelectionSet[0].(*ast.Field); ok {
			r.field, r.answer = field.Name, comparable(s, raw, field.Name)
		}
	}
}

// exaReads are the paths of Exa that are asked by POST and change nothing.
var exaReads = []string{"/websets/v0/websets/preview", "/search", "/findSimilar", "/contents", "/answer"}

// compare holds the answer of the real run against that of the dry run.
func (r *rehearsal) compare(s *script, ask request, raw []byte) {
	if r.field == "" {
		return
	}
	is := comparable(s, raw, r.field)
	if isUpset(r.file, raw) {
		return
	}
	if got, want := written(s.t, r.answer), written(s.t, is); !bytes.Equal(got, want) {
		s.t.Errorf("%s: the dry run said otherwise than the real one\n%s\n%s\n dry: %s\nreal: %s", r.file, ask.query,
			ask.variables, got, want)
		return
	}
	if failed, ok := is.(map[string]any); ok && failed["errors"] != nil {
		return
	}
	r.ran.mu.Lock()
	defer r.ran.mu.Unlock()
	r.ran.fields[r.field] = true
}

// unforeseen are the fields that only a real run knows, or in which the two must differ.
var unforeseen = []string{"isDryRun", "compact", "version", "htmlLink", "meetingUrl", "iCalUID", "link",
	"token", "locations"}

// unforeseenOf are those of single mutations: what a Graphiti server says of its queue, and makes of facts; and the
// preview that a question is about and that was not kept; the action by which one is undone, for the same reason, and
// the records that a sentence has changed, which are read when it is done; and the secret address of a calendar, where
// nothing is after a dry run; the secret of a webhook, and whether it was reached.
var unforeseenOf = map[string][]string{"addEpisode": {"message"}, "addFacts": {"facts"}, "replyToEmail": {"node"},
	"undoAction": {"undoneBy"}, "agentChat": {"nodes"},
	"publishCalendar": {"url"}, "createWebhook": {"secret"}, "updateWebhook": {"secret"},
	"testWebhook": {"delivered", "status"}, "testPush": {"delivered", "status"}, "createToken": {"secret", "key"}}

// comparable is an answer with names in place of ids, without what cannot be foreseen.
func comparable(s *script, raw []byte, field string) any {
	own := newNames()
	own.own, own.mails = s.names.own, s.names.mails
	var answer, sorted map[string]any
	decoder := json.NewDecoder(bytes.NewReader(inOrder(s.t, raw)))
	decoder.UseNumber()
	if err := decoder.Decode(&sorted); err != nil {
		s.t.Fatalf("%v\n%s", err, raw)
	}
	// A dry run has nothing to undo, so it does not say how.
	marks := strings.NewReplacer("dryrun_", "", "Dry run, nothing was done; otherwise: ", "",
		`\nSay “undo that” to take it back.`, "", `\nאפשר לומר „בטל את הפעולה האחרונה”.`, "",
		`\nSay “undo that” to take back the last of them, and again for the one before.`, "",
		`\nאפשר לומר „בטל את הפעולה האחרונה” כדי לבטל את האחרונה שבהן, ושוב לזו שלפניה.`, "")
	text := marks.Replace(string(written(s.t, sorted))) // the names are given by the order of the text
	if err := json.Unmarshal([]byte(own.short(text)), &answer); err != nil {
		s.t.Fatalf("%v\n%s", err, text)
	}
	delete(answer, "extensions")
	leftOut := unforeseen
	if field != "addFacts" || s.setting.base != "" { // the own graph shows them
		leftOut = slices.Concat(leftOut, unforeseenOf[field])
	}
	return without(answer, leftOut)
}

func without(value any, leftOut []string) any {
	switch v := value.(type) {
	case map[string]any:
		for name, one := range v {
			if slices.Contains(leftOut, name) {
				delete(v, name)
				continue
			}
			v[name] = without(one, leftOut)
		}
	case []any:
		for i, one := range v {
			v[i] = without(one, leftOut)
		}
	}
	return value
}

// isUpset reports whether a remote system did not do what it was asked, which no dry run can foresee.
func isUpset(file string, raw []byte) bool {
	return strings.Contains(file, "_faults") || file == "emails_unknown" ||
		bytes.Contains(raw, []byte(`"code":"UPSTREAM_`))
}

func written(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(fmt.Errorf("write an answer: %w", err))
	}
	return text
}

// A mutation that comes by a socket is run dry as well.
func TestDryRunsBySocket(t *testing.T) {
	h := harnesses()[0].build(t, start)
	server := httptest.NewServer(h.handler)
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	socket, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(server.URL, "http")+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{ws.Subprotocol}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.CloseNow() })
	var answers string
	for _, message := range []string{
		`{"type":"connection_init","payload":{"authorization":"Bearer alice"}}`,
		`{"id":"1","type":"subscribe","payload":{"query":` +
			`"mutation @dryRun { createTask(input: { text: \"Buy milk\" }) { task { id } context { isDryRun } } }"}}`,
	} {
		if err := socket.Write(ctx, websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
		_, answer, err := socket.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		answers += string(answer)
	}
	for _, part := range []string{`"id":"dryrun_task_`, `"isDryRun":true`, `"extensions":{"dryRun":true}`} {
		if !strings.Contains(answers, part) {
			t.Errorf("%s is missing in %s", part, answers)
		}
	}
	if tasks := string(h.say(t, "alice", nil, "{ tasks { totalCount } }", nil)); !strings.Contains(tasks,
		`"totalCount":0`) {
		t.Errorf("a dry run has made a task: %s", tasks)
	}
}

// TestDryRunsByStream: a mutation whose answer is wanted as a stream is run dry as well.
func TestDryRunsByStream(t *testing.T) {
	h := harnesses()[0].build(t, start)
	said := string(h.say(t, "alice", map[string]string{"Accept": "text/event-stream"},
		`mutation @dryRun { createTask(input: { text: "Buy milk" }) { task { id } context { isDryRun } } }`, nil))
	for _, part := range []string{`"id":"dryrun_task_`, `"isDryRun":true`, `"extensions":{"dryRun":true}`} {
		if !strings.Contains(said, part) {
			t.Errorf("%s is missing in %s", part, said)
		}
	}
	if tasks := string(h.say(t, "alice", nil, "{ tasks { totalCount } }", nil)); !strings.Contains(tasks,
		`"totalCount":0`) {
		t.Errorf("a dry run has made a task: %s", tasks)
	}
}

// TestNodesOfPayloads holds each field of a mutation's payload that leads to a record against the table of those that
// only refer to one, so that a new one is thought of: the schema marks them with @existing.
func TestNodesOfPayloads(t *testing.T) {
	schema := graph.NewPlannedSchema(graph.Config{}).Schema()
	nodes := map[string]bool{}
	for _, possible := range schema.GetPossibleTypes(schema.Types["Node"]) {
		nodes[possible.Name] = true
	}
	var existing, changed []string
	for _, mutation := range schema.Mutation.Fields {
		for _, field := range schema.Types[mutation.Type.Name()].Fields {
			switch name := field.Type.Name(); {
			case !nodes[name]:
			case field.Directives.ForName("existing") != nil:
				existing = append(existing, field.Name)
			default:
				changed = append(changed, field.Name)
			}
		}
	}
	want := []string{"connections", "duplicates", "existingList", "existingTask"}
	if slices.Sort(existing); !slices.Equal(slices.Compact(existing), want) {
		t.Errorf("marked with @existing: %v, not %v", existing, want)
	}
	want = []string{
		"action", "actions", "before", "calendar", "email", "enrichment", "entity", "episode", "event", "events",
		"facts", "import", "item", "list", "memories", "memory", "monitor", "preview", "research", "search",
		"subscription", "subtask", "task", "tasks", "undone", "webhook", "webset",
	}
	if slices.Sort(changed); !slices.Equal(slices.Compact(changed), want) {
		t.Errorf("made or changed, so that their ids begin with dryrun_: %v, not %v; a field that only refers to a record "+
			"is marked with @existing", slices.Compact(changed), want)
	}
}

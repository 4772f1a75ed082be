package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/mcp"
	mailbox "almanac/internal/standin/gmail"
	"almanac/projections/compact"
)

func TestPaging(t *testing.T) {
	t.Parallel()
	h := build(t)
	alice := h.as("alice")
	want := map[string]bool{}
	for i := range 30 {
		want[alice.call("change_tasks",
			object{"action": "create", "text": fmt.Sprintf("Task %02d שלום", i)}).content.IDs[0]] = true
		alice.call("remember", object{"action": "store", "content": fmt.Sprintf("Note number %02d of many", i)})
	}
	for _, tokens := range []int{200, 500, 1500} {
		seen := map[string]bool{}
		arguments := object{"in": []string{"tasks", "memories", "lists"}, "maxTokens": tokens}
		for pages := 0; ; pages++ {
			page := alice.call("find", arguments)
			if n := compact.Tokens(page.text); n > tokens {
				t.Fatalf("%d tokens instead of %d:\n%s", n, tokens, page.text)
			}
			for _, kind := range []string{"tasks", "memories"} {
				for _, id := range page.content.Found[kind] {
					if seen[id] || !strings.Contains(page.text, id) {
						t.Fatalf("%s is told twice, or not at all:\n%s", id, page.text)
					}
					seen[id] = true
				}
			}
			if page.content.Cursor == "" {
				break
			}
			contains(t, page.text, page.content.Cursor)
			arguments["cursor"] = page.content.Cursor
			if pages > 100 {
				t.Fatal("no end")
			}
		}
		if len(seen) != 60 {
			t.Errorf("with %d tokens: %d of 60 were told", tokens, len(seen))
		}
	}
	for _, cursor := range []string{"x", "tasks:abc", "fish:1", "tasks:,tasks:"} {
		if out, err := alice.try("find", object{"cursor": cursor}); err != nil || !out.failed {
			t.Errorf("cursor %q: %s %v", cursor, out.text, err)
		}
	}
}

func TestAgendaPages(t *testing.T) {
	t.Parallel()
	alice := build(t).as("alice")
	for i := range 25 {
		alice.call("change_tasks", object{"action": "create", "text": fmt.Sprintf("Due %02d", i),
			"dueDate": fmt.Sprintf("2026-11-23T10:%02d", i)})
	}
	seen := map[string]bool{}
	arguments := object{"kinds": []string{"TASK"}, "maxTokens": 300}
	for range 50 {
		page := alice.call("agenda", arguments)
		if n := compact.Tokens(page.text); n > 300 {
			t.Fatalf("%d tokens:\n%s", n, page.text)
		}
		for _, id := range page.content.IDs {
			if seen[id] {
				t.Fatalf("%s twice", id)
			}
			seen[id] = true
		}
		if page.content.Cursor == "" {
			break
		}
		arguments["cursor"] = page.content.Cursor
	}
	if len(seen) != 25 {
		t.Errorf("%d of 25", len(seen))
	}
	// What is not linked is a note, not a failure.
	all := alice.call("agenda", object{})
	contains(t, all.text, "Due 00")
	if len(all.content.Problems) == 0 || all.content.Problems[0].Code != "NOT_CONNECTED" {
		t.Errorf("problems: %+v", all.content.Problems)
	}
}

func TestLongLetters(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.link()
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "Line %03d ends untrusted>> with more.\r\n", i)
	}
	h.deliver(mailbox.Letter{From: "dana@example.com", To: mailAddress, Subject: "Long", Text: text.String(),
		MessageID: "1@example.com"})
	alice := h.as("alice")
	id := alice.call("find", object{"in": []string{"emails"}}).content.Found["emails"][0]
	arguments := object{"id": id, "maxTokens": 600}
	whole := ""
	for range 100 {
		page := alice.call("open", arguments)
		if n := compact.Tokens(page.text); n > 600 {
			t.Fatalf("%d tokens", n)
		}
		first, _, _ := strings.Cut(page.text, "\n")
		mark := strings.TrimPrefix(first, "<<untrusted ")
		if strings.Count(page.text, "untrusted "+mark+">>") != 1 {
			t.Fatalf("the fence does not hold:\n%s", page.text)
		}
		whole += page.text
		if page.content.Cursor == "" {
			break
		}
		arguments["cursor"] = page.content.Cursor
	}
	for i := range 400 {
		if strings.Count(whole, fmt.Sprintf("Line %03d ", i)) != 1 {
			t.Fatalf("line %d is there %d times", i, strings.Count(whole, fmt.Sprintf("Line %03d ", i)))
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	h := build(t)
	alice := h.as("alice")
	// One kind that cannot be had leaves the others.
	alice.call("change_tasks", object{"action": "create", "text": "here"})
	out := alice.call("find", object{"in": []string{"tasks", "emails"}})
	contains(t, out.text, "here", "emails: NOT_CONNECTED", "https://almanac.example/connect")
	for _, c := range []struct {
		name, body, code string
	}{
		{"a cause", `{"errors":[{"message":"hidden","extensions":{"code":"INTERNAL","traceId":"t1"}}],"data":null}`,
			"INTERNAL"},
		{"slow down", `{"errors":[{"message":"later","extensions":{"code":"RATE_LIMITED","retryAfterMs":1500}}]}`,
			"RATE_LIMITED"},
		{"no GraphQL", `oops secret`, "INTERNAL"},
		{"nothing", ``, "INTERNAL"},
	} {
		fail := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(c.body)) })
		h.front.fail.Store(&fail)
		out, err := alice.try("find", object{"in": []string{"tasks"}})
		if err != nil || !out.failed || out.content.Problems[0].Code != c.code || strings.Contains(out.text, "secret") {
			t.Errorf("%s: %s %v", c.name, out.text, err)
		}
		if c.code == "RATE_LIMITED" {
			contains(t, out.text, "1500 ms")
		}
	}
	panics := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	h.front.fail.Store(&panics)
	if out, err := alice.try("agenda", object{}); err != nil || !out.failed {
		t.Errorf("a panic: %s %v", out.text, err)
	}
	h.front.fail.Store(nil)
	alice.call("find", object{"in": []string{"tasks"}})
}

func TestCancelledCallsStop(t *testing.T) {
	t.Parallel()
	h := build(t)
	alice := h.as("alice")
	began, ended := make(chan struct{}), make(chan struct{})
	slow := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(began)
		<-r.Context().Done()
		close(ended)
	})
	h.front.fail.Store(&slow)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-began
		cancel()
	}()
	if _, err := alice.CallTool(ctx, &sdk.CallToolParams{Name: "agenda", Arguments: object{}}); err == nil {
		t.Error("a cancelled call has an answer")
	}
	<-ended
}

func TestResources(t *testing.T) {
	t.Parallel()
	h := build(t)
	updated := make(chan string, 16)
	alice := h.connect("alice", &sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) {
			updated <- r.Params.URI
		}}, nil)
	list, err := alice.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 1 || list.Resources[0].URI != "almanac://agenda/today" {
		t.Fatalf("resources: %+v %v", list, err)
	}
	templates, err := alice.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 {
		t.Fatalf("templates: %+v %v", templates, err)
	}
	alice.call("change_tasks", object{"action": "create", "text": "today's task", "dueDate": "2026-11-22T18:00"})
	alice.call("change_tasks", object{"action": "create", "text": "later task", "dueDate": "2026-12-02T18:00"})
	read := func(uri string) string {
		t.Helper()
		out, err := alice.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		return out.Contents[0].Text
	}
	today := read("almanac://agenda/today")
	contains(t, today, "today's task")
	if strings.Contains(today, "later task") {
		t.Error("today has what is later")
	}
	contains(t, read("almanac://agenda/2026-12-01/2026-12-03"), "later task")
	for _, uri := range []string{"almanac://agenda/yesterday", "almanac://agenda/a/b", "almanac://tasks"} {
		if _, err := alice.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s can be read", uri)
		}
	}
	if err := alice.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "almanac://agenda/today"}); err != nil {
		t.Fatal(err)
	}
	bob := h.as("bob")
	bob.call("change_tasks", object{"action": "create", "text": "bob's"})
	// The stream of changes begins a moment after the subscription is acknowledged, so Alice changes things until she
	// hears.
	for i := 0; ; i++ {
		alice.call("change_tasks", object{"action": "create", "text": fmt.Sprint("another ", i)})
		select {
		case uri := <-updated:
			if uri != "almanac://agenda/today" {
				t.Errorf("updated: %s", uri)
			}
			return
		default:
		}
		if i > 2_000 {
			t.Fatal("no word of a change")
		}
	}
}

const publishedQuery = `# How many tasks are open, by when they are due.
query task_counts($search: String, $window: TaskWindow = TODAY) {
  tasks(filter: { search: $search, window: $window }) { totalCount }
}
`

const publishedMutation = `# Adds a task for the house.
mutation add_chore($input: CreateTaskInput!) {
  createTask(input: $input) { task { id text } userErrors { message } }
}
`

func TestPublished(t *testing.T) {
	t.Parallel()
	h := build(t, func(c *mcp.Config) {
		c.Tools = []string{"find", "confirm"}
		c.Documents = []mcp.Document{{File: "counts.graphql", Text: publishedQuery},
			{File: "chore.graphql", Text: publishedMutation}}
	})
	alice := h.as("alice")
	list, err := alice.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Name == "add_chore" && (tool.Annotations.DestructiveHint == nil || !*tool.Annotations.DestructiveHint ||
			!strings.HasPrefix(tool.Description, "Adds a task for the house.")) {
			t.Errorf("add_chore: %+v", tool)
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"add_chore", "confirm", "find", "task_counts"}) {
		t.Fatalf("tools: %v", names)
	}
	asked := alice.ask("add_chore", object{"input": object{"text": "Wash the windows", "dueDate": "2026-11-22T20:00"}})
	contains(t, asked.text, "add_chore", "Wash the windows")
	contains(t, alice.call("task_counts", object{}).text, "totalCount: 0")
	contains(t, alice.call("confirm", object{"token": asked.content.Confirmation.Token}).text, "Wash the windows")
	counted := alice.call("task_counts", object{"search": "windows"})
	contains(t, counted.text, "totalCount: 1")
	contains(t, string(counted.content.Data), `"totalCount":1`)
	if out, err := alice.try("task_counts", object{"window": "SOMETIME"}); err != nil || !out.failed {
		t.Errorf("a wrong value: %s %v", out.text, err)
	}
	if names, err := h.as("alice.READ").ListTools(t.Context(), nil); err != nil || len(names.Tools) != 2 {
		t.Errorf("a token with READ sees %+v", names)
	}
}

func TestRefusedDocuments(t *testing.T) {
	t.Parallel()
	h := build(t)
	settings := mcp.Config{Front: h.front, Authenticator: byName{}, Box: boxOf(t), Now: h.clock.Now, Schema: h.schema}
	for _, c := range []struct{ text, want string }{
		{"query { viewer { id } }", "one operation with a name"},
		{"query a { viewer { id } } query b { viewer { id } }", "one operation with a name"},
		{"subscription s { taskChanged { cursor } }", "a subscription has many answers"},
		{"query find { viewer { id } }", `there is a tool "find" already`},
		{"query x { nothing }", "nothing"},
		{"query {", "Expected"},
		{publishedQuery, "at most 8 are offered"},
	} {
		settings.Documents = []mcp.Document{{File: "it.graphql", Text: c.text}}
		if _, err := mcp.New(settings); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	settings.Tools = []string{"find"}
	settings.Documents = []mcp.Document{{File: "long.graphql",
		Text: "# " + strings.Repeat("word ", 90) + "\n" +
			"query big($a: MemoryFilter, $b: CreateEventInput, $c: CreateEventsInput, $d: UpdateEventInput, $e: " +
			"AddFactsInput, " +
			"$f: CreateTaskInput, $g: CreateTasksInput, $h: StoreMemoryInput) { viewer { id } memories(filter: $a) { " +
			"totalCount } }"}}
	if _, err := mcp.New(settings); err == nil {
		t.Error("unused variables, or definitions that are too long, pass")
	}
}

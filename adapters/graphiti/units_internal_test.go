package graphiti

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/graph/model"
)

// Names of tools of all times are known, today's first; arguments by the schema, all where there is none.
func TestToolsByName(t *testing.T) {
	t.Parallel()
	schema := func(names ...string) any {
		properties := map[string]any{}
		for _, name := range names {
			properties[name] = map[string]any{"type": "string"}
		}
		return map[string]any{"type": "object", "properties": properties}
	}
	var old, both, bare tools
	old.add(&mcp.Tool{Name: "add_episode", InputSchema: schema("name", "group_id")})
	old.add(&mcp.Tool{Name: "search_facts", InputSchema: schema("query")})
	old.add(&mcp.Tool{Name: "search_memory_nodes", InputSchema: schema("query", "group_ids")})
	both.add(&mcp.Tool{Name: "add_episode"})
	both.add(&mcp.Tool{Name: "add_memory"})
	bare.add(&mcp.Tool{Name: "search_nodes"})
	bare.add(nil)
	if old.adder() != "add_episode" || old.facts() != "search_facts" || old.nodes() != "search_memory_nodes" ||
		old.episodes() != "" {
		t.Errorf("%+v", old)
	}
	if both.adder() != "add_memory" || both.arg("add_memory", "anything") != "anything" {
		t.Errorf("%+v", both)
	}
	args := arguments{}
	if err := old.inGroup("search_facts", "g", args); model.CodeOf(err) != model.CodeNotConfigured || len(args) != 0 {
		t.Errorf("a tool that takes no group is used: %v", err)
	}
	if err := old.inGroup("add_episode", "g", args); err != nil || args["group_id"] != "g" {
		t.Errorf("%v %v", args, err)
	}
	if len(bare.known) != 1 || !bare.argsUnknown("search_nodes") || old.argsUnknown("search_facts") {
		t.Errorf("%+v", bare)
	}
}

// What the server says is cleaned, cut, and holds neither addresses nor keys.
func TestReasons(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"no such\x00 thing\n\nhere":                              "no such thing here",
		"failed: redis://user:pass@10.0.0.1:6379/0 is away":      "failed: … is away",
		"connect to falkordb:6379 refused":                       "connect to … refused",
		"key sk-0123456789abcdef is wrong":                       "key … is wrong",
		"Authorization: Bearer abc.def-ghi":                      "Authorization: …",
		"שגיאה\u0007 בשרת":                                       "שגיאה בשרת",
		strings.Repeat("א", 300):                                 strings.Repeat("א", 199) + "…",
		"bad \xff\xfe bytes":                                     "bad bytes",
		"neo4j+s://x.databases.neo4j.io: ServiceUnavailable  - ": "… ServiceUnavailable -",
	} {
		if got := reasonOf(given); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

// Times come as Python writes them, with and without a zone.
func TestWireTimes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 10, 30, 0, 123456000, time.UTC)
	for given, want := range map[string]time.Time{
		`"2026-11-21T10:30:00.123456+00:00"`: at,
		`"2026-11-21T12:30:00.123456+02:00"`: at,
		`"2026-11-21T10:30:00.123456Z"`:      at,
		`"2026-11-21T10:30:00.123456789Z"`:   at,
		`"2026-11-21T10:30:00.123456"`:       at,
		`"2026-11-21 10:30:00.123456+00:00"`: at,
		`"2026-11-21"`:                       time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC),
		`null`:                               {},
		`""`:                                 {},
		`"soon"`:                             {},
		`17`:                                 {},
		`{"at": 1}`:                          {},
		`"` + strings.Repeat("2", 100) + `"`: {},
	} {
		var got wireTime
		if err := json.Unmarshal([]byte(given), &got); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v %v, want %v", given, got, err, want)
		}
	}
}

// One odd item costs no other, and what is of another group, doubled or nameless is dropped.
func TestItems(t *testing.T) {
	t.Parallel()
	var list []json.RawMessage
	err := json.Unmarshal([]byte(`[
		17, null, "x", [], {"uuid": 5, "group_id": "g"}, {"uuid": "short", "group_id": "g"},
		{"uuid": "uuid-0001", "group_id": "g", "name": "Dana\u0000 \n Cohen", "labels": ["Entity", 7, "Person"], "summary": 9, "attributes": {"b": 1.50, "a": [null]}, "created_at": "never"},
		{"uuid": "uuid-0001", "group_id": "g", "name": "again"},
		{"uuid": "uuid-0002", "group_id": "h", "name": "foreign"}, {"uuid": "uuid-0003", "name": "of nobody"},
		{"uuid": "uuid-0004", "group_id": "g"}
	]`), &list)
	if err != nil {
		t.Fatal(err)
	}
	base := &Base{}
	base.once.Do(base.prepare)
	got := base.entities("g", list)
	if len(got) != 2 || got[0].Name != "Dana Cohen" || got[0].Type != "Person" ||
		got[0].Attributes != `{"a":[null],"b":1.50}` || got[1].Name != "uuid-0004" {
		t.Fatalf("%+v", got)
	}
	ref, err := model.KnowledgeRefOf(got[0].ID)
	if err != nil || ref.UUID != "uuid-0001" || ref.Name != "Dana Cohen" {
		t.Errorf("%+v %v", ref, err)
	}
	if id, err := model.ParseID(got[1].ID.String()); err != nil || id != got[1].ID {
		t.Errorf("%v %v", id, err)
	}
}

// What expired holds no more, also when nobody says since when.
func TestExpiredFactsAreClosed(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := wireFact{UUID: "uuid-0001", Group: "g", Source: "uuid-0002", Target: "uuid-0003", Name: "works at",
		ExpiredAt: wireTime{at}}
	f, ok := w.fact("g")
	if !ok || f.HoldsAt(at.Add(time.Hour)) || !f.HoldsAt(at.Add(-time.Hour)) || f.Relation != "WORKS_AT" {
		t.Errorf("%+v", f)
	}
	w.InvalidAt = wireTime{at.AddDate(-1, 0, 0)}
	if f, _ = w.fact("g"); !f.InvalidAt.Equal(w.InvalidAt.Time) {
		t.Errorf("%+v", f)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for address, c := range map[string]struct{ allow, ok bool }{
		"https://graphiti.example/mcp/":   {false, true},
		"http://localhost:8000/mcp/":      {false, true},
		"http://127.0.0.1:8000/mcp/":      {false, true},
		"http://[::1]:8000/mcp/":          {false, true},
		"http://graphiti:8000/mcp/":       {false, false},
		"http://localhost.example/mcp/":   {false, false},
		"http://graphiti.example/mcp/":    {true, true},
		"ftp://localhost/":                {true, false},
		"https://u:p@graphiti.example/":   {false, false},
		"https://graphiti.example/?key=1": {false, false},
		"https:///mcp/":                   {false, false},
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		b := &Base{Target: Target{URL: u}, AllowHTTP: c.allow}
		if err := b.Check(); (err == nil) != c.ok || err != nil && strings.Contains(err.Error(), "graphiti.example") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if (&Base{}).Check() == nil || (&Base{Target: Target{Command: []string{"x"}}, Group: "a b"}).Check() == nil ||
		(&Base{Target: Target{Command: []string{"x"}}}).Check() != nil {
		t.Error("no address, or a group that is none, is taken")
	}
}

// What is kept of names is bounded, the oldest going first.
func TestNamesAreBounded(t *testing.T) {
	t.Parallel()
	n := newNames()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	entity := func(i int) model.Entity {
		return model.Entity{SourceID: "uuid-" + time.Duration(i).String(), Name: "n"}
	}
	for i := range 3 * mostNames {
		n.put("g", at, []model.Entity{entity(i)})
	}
	if g, _ := n.groups.Get("g"); g.Len() != mostNames {
		t.Errorf("%d names", g.Len())
	}
	if _, ok := n.get("g", entity(0).SourceID, at); ok {
		t.Error("the oldest stayed")
	}
	if _, ok := n.get("g", entity(3*mostNames-1).SourceID, at.Add(namesAge)); !ok {
		t.Error("the latest is gone")
	}
	for i := range 2 * mostGroups {
		n.put("g"+time.Duration(i).String(), at, []model.Entity{entity(1)})
	}
	if n.groups.Len() != mostGroups {
		t.Errorf("%d groups", n.groups.Len())
	}
	n.forget("g" + time.Duration(2*mostGroups-1).String())
	if n.groups.Len() != mostGroups-1 {
		t.Error("what was forgotten stays")
	}
}

// No answer makes it panic, or gives what is not within the limits.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"result": {"message": "m", "nodes": [{"uuid": "uuid-0001", "group_id": "g", "name": "Dana", "labels": ["Entity"]}]}}`,
		`{"nodes": [{"uuid": "uuid-0001", "group_id": "g", "attributes": {"a": "` + strings.Repeat("x", 100) +
			`"}}], "facts": [{}]}`,
		`{"facts": [{"uuid": "uuid-0001", "group_id": "g", "source_node_uuid": "uuid-0002", "target_node_uuid": "uuid-0003", "name": "עובד ב", "episodes": ["uuid-0009", 1]}]}`,
		`{"error": "node x not found"}`, `{"error": null}`, `[]`, `[{"uuid": "uuid-0001", "group_id": "g", "content": "c"}]`,
		`null`, `{"result": null}`, ``,
		`{"nodes": {"a": 1}}`, `{"facts": [[[[]]]], "edges": 7}`,
	} {
		f.Add([]byte(seed))
	}
	base := &Base{}
	base.once.Do(base.prepare)
	f.Fuzz(func(t *testing.T, text []byte) {
		result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}
		if json.Valid(text) {
			result.StructuredContent = json.RawMessage(text)
		}
		value, lost := readResult(result)
		if lost != nil {
			if !utf8.ValidString(lost.Message) || utf8.RuneCountInString(lost.Message) > 200 {
				t.Errorf("reason %q", lost.Message)
			}
			return
		}
		var lists map[string]json.RawMessage
		if json.Unmarshal(value, &lists) != nil {
			return
		}
		for _, raw := range lists {
			var list []json.RawMessage
			if json.Unmarshal(raw, &list) != nil {
				continue
			}
			for _, e := range base.entities("g", list) {
				if !fits(e.Name, model.MaxEntityName) || !fits(e.Summary, model.MaxEntitySummary) ||
					!fits(e.Type, model.MaxEntityType) || len(e.Attributes) > model.MaxAttributes {
					t.Errorf("%+v", e)
				}
				if id, err := model.ParseID(e.ID.String()); err != nil || id != e.ID {
					t.Errorf("%v: %v", e.ID, err)
				}
			}
			for _, fact := range factsIn("g", list) {
				if !fits(fact.Relation, model.MaxRelation) || !fits(fact.Sentence, model.MaxFactSentence) ||
					len(fact.Episodes) > model.MaxFactEpisodes {
					t.Errorf("%+v", fact)
				}
			}
			for _, e := range items(list, func(w wireEpisode) (model.Episode, bool) { return w.episode("g") }) {
				if !fits(e.Name, model.MaxEpisodeName) || !fits(e.Content, model.MaxEpisodeContent) {
					t.Errorf("%+v", e)
				}
			}
		}
	})
}

func fits(text string, most int) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= most && !strings.ContainsRune(text, 0)
}

package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// streamed are the types that subscriptions alone answer with; TestChangesAreResolved looks at them.
var streamed = []string{"TaskChange", "ListChange", "MemoryChange", "EventChange", "KnowledgeChange", "WebsetChange",
	"EmailArrival"}

// seenIDs are the ids of all scripts.
type seenIDs struct {
	schema *ast.Schema

	mu       sync.Mutex
	types    map[string]string // by id
	resolved map[string]int    // how many of a type were resolved
}

// The aliases of what is selected besides.
const (
	typeAlias = "typeOfTheObject"
	idAlias   = "idOfTheObject"
)

// idWitness selects the ids of a script's requests, and resolves them.
type idWitness struct {
	all *seenIDs
	// operation is that of the document before; empty when nothing was added to it.
	operation ast.Operation
	isDry     bool
}

// object is what a client's cache keeps an object by.
type object struct{ typename, id string }

func (w *idWitness) before(s *script, ask request) request {
	w.operation = ""
	text := s.names.real(ask.query)
	document, errs := gqlparser.LoadQueryWithRules(w.all.schema, text, rules.NewDefaultRules())
	if errs != nil || len(document.Operations) != 1 {
		return ask // a script of what is refused
	}
	operation := document.Operations[0]
	w.operation, w.isDry = operation.Operation, operation.Directives.ForName("dryRun") != nil
	var places []int
	w.places(operation.SelectionSet, &places)
	for _, fragment := range document.Fragments {
		w.add(fragment.SelectionSet, fragment.TypeCondition, &places)
	}
	runes := []rune(text)
	slices.Sort(places)
	for _, place := range slices.Backward(slices.Compact(places)) {
		at := strings.LastIndexByte(string(runes[:place]), '{') + 1
		before := string(runes[:place])
		runes = []rune(before[:at] + " " + typeAlias + ": __typename " + idAlias + ": id " + before[at:] +
			string(runes[place:]))
	}
	ask.query = string(runes)
	return ask
}

// add notes the selection set of an object or interface that has an id.
func (w *idWitness) add(selected ast.SelectionSet, typename string, places *[]int) {
	of := w.all.schema.Types[typename]
	if of.Fields.ForName("id") != nil && of.Name != "Query" && len(selected) > 0 {
		*places = append(*places, selected[0].GetPosition().Start)
	}
	w.places(selected, places)
}

func (w *idWitness) places(selected ast.SelectionSet, places *[]int) {
	for _, one := range selected {
		switch one := one.(type) {
		case *ast.Field:
			if len(one.SelectionSet) > 0 {
				w.add(one.SelectionSet, one.Definition.Type.Name(), places)
			}
		case *ast.InlineFragment:
			w.places(one.SelectionSet, places)
		}
	}
}

func (w *idWitness) after(s *script, ask request, raw []byte) []byte {
	if w.operation == "" {
		return raw
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var answer map[string]any
	if err := decoder.Decode(&answer); err != nil {
		s.t.Fatalf("answer is no JSON: %v\n%s", err, raw)
	}
	if _, ran := answer["data"]; !ran { // what was added may have made it too expensive
		return s.send(ask)
	}
	found := map[object]bool{}
	collect(answer, found)
	if !w.isDry && (len(ask.scopes) == 0 || slices.Contains(ask.scopes, "READ")) {
		w.resolve(s, ask, found, w.operation == ast.Query && answer["errors"] == nil)
	}
	stripped, err := json.Marshal(answer)
	if err != nil {
		s.t.Fatal(err)
	}
	return stripped
}

// collect takes the objects out of an answer, and what was added to it away.
func collect(answer any, found map[object]bool) {
	switch answer := answer.(type) {
	case map[string]any:
		typename, isObject := answer[typeAlias].(string)
		if id, there := answer[idAlias].(string); isObject && there {
			found[object{typename, id}] = true
		}
		delete(answer, typeAlias)
		delete(answer, idAlias)
		for _, value := range answer {
			collect(value, found)
		}
	case []any:
		for _, value := range answer {
			collect(value, found)
		}
	}
}

// resolve asks node for each object; strictly when each must be there.
func (w *idWitness) resolve(s *script, ask request, found map[object]bool, strictly bool) {
	var objects []object
	w.all.mu.Lock()
	for one := range found {
		if other, known := w.all.types[one.id]; known && other != one.typename {
			s.t.Errorf("%s is the id of a %s and of a %s\n%s", one.id, other, one.typename, ask.query)
		}
		w.all.types[one.id] = one.typename
		if !strings.HasPrefix(one.id, dryrun.Prefix) {
			objects = append(objects, one)
		}
	}
	w.all.mu.Unlock()
	for page := range slices.Chunk(objects, model.MaxPageSize) {
		ids := make([]string, len(page))
		for i, one := range page {
			ids[i] = one.id
		}
		raw := s.harness.say(s.t, ask.user, nil, `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }`,
			map[string]any{"ids": ids})
		var answer struct {
			Data struct {
				Nodes []*struct {
					Type string `json:"__typename"`
					ID   string
				}
			}
			Errors []struct {
				Message    string
				Extensions struct{ Code model.ErrorCode }
			}
		}
		if err := json.Unmarshal(raw, &answer); err != nil || len(answer.Data.Nodes) != len(page) {
			s.t.Errorf("nodes: %v\n%s", err, raw)
			continue
		}
		isUp := !slices.ContainsFunc(answer.Errors, func(e struct {
			Message    string
			Extensions struct{ Code model.ErrorCode }
		}) bool {
			return e.Extensions.Code != model.CodeNotFound
		})
		w.all.mu.Lock()
		for i, node := range answer.Data.Nodes {
			switch {
			case node != nil && (node.Type != page[i].typename || node.ID != page[i].id):
				s.t.Errorf("node(%s) is %v; it was answered as a %s\n%s", page[i].id, *node, page[i].typename, ask.query)
			case node != nil:
				w.all.resolved[node.Type]++
			case strictly && isUp:
				s.t.Errorf("%s, a %s, does not resolve\n%s\n%s", page[i].id, page[i].typename, ask.query,
					fmt.Sprint(answer.Errors))
			}
		}
		w.all.mu.Unlock()
	}
}

// A change that a subscription sends has an id of its own, which node resolves to the same type with the same fields;
// the same change in `changes` is another object. Another user's ids resolve to nothing.
func TestChangesAreResolved(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			alice := model.UserIDOf("alice")
			mutate(t, h, `mutation { createTask(input: { text: "I am here" }) { task { id } } }`)
			after := latestCursor(t, h, "alice")
			mutate(t, h, `mutation {
				createTask(input: { text: "new" }) { task { id } }
				createList(input: { name: "new" }) { list { id } }
				storeMemory(input: { content: "new" }) { memory { id } }
				updateSettings(input: { locale: "he" }) { settings { locale } }
			}`)
			mutate(t, h, `mutation { addEpisode(input: { content: "new", extract: false }) { episode { id } } }`)
			event := model.EventRef{Connection: 1, Calendar: "c", Event: "e"}.ID()
			webset := model.WebsetRef{Kind: model.KindWebset, ID: "webset_1"}.PublicID()
			if err := h.google.link(t.Context(), alice, "alice@example.com", "UTC"); err != nil {
				t.Fatal(err)
			}
			if err := h.store.Write(t.Context(), alice, func(ctx context.Context, tx store.Tx) error {
				return tx.LogRemote(ctx, []model.Change{
					{Type: model.ChangeEvent, ID: event.UUID, Remote: event.Remote, Operation: model.OperationUpdated},
					mailLine(1, model.OperationCreated, "a1"),
					{Type: model.ChangeWebset, ID: webset.UUID, Remote: webset.Remote, Operation: model.OperationUpdated},
				})
			}); err != nil {
				t.Fatal(err)
			}
			seen := map[string]string{}
			for typename, subscription := range map[string]string{
				"TaskChange": "taskChanged", "ListChange": "listChanged", "MemoryChange": "memoryChanged",
				"KnowledgeChange": "knowledgeChanged", "EventChange": "eventChanged", "WebsetChange": "websetChanged",
				"EmailArrival": "emailReceived", "Change": "changed",
			} {
				fields := "__typename id nodeId at cursor"
				s := subscribe(t, h, "alice",
					`subscription ($after: String) { change: `+subscription+`(after: $after) { `+fields+` } }`,
					map[string]any{"after": after})
				var sent struct {
					Data struct{ Change map[string]string }
				}
				if err := json.Unmarshal([]byte(s.next()), &sent); err != nil {
					t.Fatal(err)
				}
				s.close()
				id := sent.Data.Change["id"]
				if other, known := seen[id]; known || !strings.HasPrefix(id, "change_") {
					t.Errorf("%s has the id %s, which %s has", typename, id, other)
				}
				seen[id] = typename
				var got struct {
					Data struct{ Node map[string]string }
				}
				query := `query ($id: ID!) { node(id: $id) { ... on ` + typename + ` { ` + fields + ` } } }`
				raw := h.say(t, "alice", nil, query, map[string]any{"id": id})
				if err := json.Unmarshal(raw, &got); err != nil || !maps.Equal(got.Data.Node, sent.Data.Change) {
					t.Errorf("%s: %v is sent, node answers %s", typename, sent.Data.Change, raw)
				}
				if raw := h.say(t, "bob", nil, query, map[string]any{"id": id}); !strings.Contains(string(raw), "NOT_FOUND") {
					t.Errorf("another user reads %s", raw)
				}
			}
			everyChangeIsSent(t, h, after)
		})
	}
}

// everyChangeIsSent holds what `changed` sends against the log.
func everyChangeIsSent(t *testing.T, h *harness, after string) {
	t.Helper()
	const fields = "id type nodeId operation at cursor node { __typename id }"
	var log struct {
		Data struct {
			Changes struct{ Nodes []json.RawMessage }
		}
	}
	raw := h.say(t, "alice", nil, `query ($after: String) { changes(after: $after, first: 100) { nodes { `+fields+` } } }`,
		map[string]any{"after": after})
	if err := json.Unmarshal(raw, &log); err != nil {
		t.Fatal(err)
	}
	types := map[string]bool{}
	s := subscribe(t, h, "alice", `subscription ($after: String) { changed(after: $after) { `+fields+` } }`,
		map[string]any{"after": after})
	defer s.close()
	for i, want := range log.Data.Changes.Nodes {
		var got struct {
			Data struct{ Changed json.RawMessage }
		}
		if err := json.Unmarshal([]byte(s.next()), &got); err != nil || !bytes.Equal(got.Data.Changed, want) {
			t.Errorf("change %d is %s, want %s", i, got.Data.Changed, want)
		}
		var change struct{ Type string }
		_ = json.Unmarshal(want, &change)
		types[change.Type] = true
	}
	for _, typename := range []string{"TASK", "LIST", "MEMORY", "EPISODE", "SETTINGS", "EVENT", "EMAIL", "WEBSET",
		"CONNECTION", "ACTION"} {
		if !types[typename] {
			t.Errorf("no %s was sent", typename)
		}
	}
	some := subscribe(t, h, "alice",
		`subscription ($after: String) { changed(after: $after, types: [SETTINGS, CONNECTION]) { type node { __typename } } }`,
		map[string]any{"after": after})
	defer some.close()
	for _, want := range []string{`"type":"SETTINGS","node":{"__typename":"Viewer"}`,
		`"type":"CONNECTION","node":{"__typename":"LinkedAccount"}`} {
		if text := some.next(); !strings.Contains(text, want) {
			t.Errorf("%s is sent, want %s", text, want)
		}
	}
}

package resolvers_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
)

var episodeID = regexp.MustCompile(`episode_[0-9a-z]{26}`)

// Whatever is selected of a list, the store is asked once: one statement or one batch, and for no column that the
// selection does not need.
func TestAListQueryIsOneBatch(t *testing.T) {
	queries := map[string]struct{ query, forbidden string }{
		"slim": {`{ tasks(first: 50) { nodes { id text } } }`, "due_at recurrence nudge_count updated_at category reminder"},
		"flags": {`{ tasks(first: 50) { nodes { itemContext { isOverdue } } } }`,
			"recurrence nudge_count updated_at category reminder"},
		"all of a page": {`{ tasks(first: 50) { totalCount isEmpty pageInfo { endCursor } edges { cursor node { id } }
			nodes { id text subtasks { text } completions { completedAt } recurrence { type } } } }`, "nudge_count " +
			"category_key"},
		"board": {
			`{ tasks { categorized { counts { overdue today upcoming recurring noDueDate } overdue(first: 3) { text } today { text } } } }`, "nudge_count updated_at"},
		"slim memories": {`{ memories(first: 50) { nodes { id content } } }`,
			"summary metadata overridden expires_at_shown vector"},
		"memories' flags": {`{ memories { nodes { itemContext { isOverride memoryType } } } }`,
			"content summary tags metadata vector"},
		"all of memories": {
			`{ memories(first: 50) { totalCount isEmpty pageInfo { endCursor } edges { cursor node { id } } nodes { content summary tags metadata history { content } embedding { state vector } } } }`, ""},
		"lists": {`{ lists { totalCount nodes { name items { text } } } }`, "is_checklist"},
	}
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			kind, counts := kind.counted()
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			fill, err := json.Marshal(map[string]string{"query": `mutation {
				createTasks(input: { tasks: [{ text: "a", dueDate: "2026-11-22T10:00", subtasks: ["s"] }, { text: "b" }] }) {
					created }
				storeMemories(input: { memories: [{ content: "m" }, { content: "n", tags: ["t"] }] }) { created }
				createList(input: { name: "l", items: ["i"] }) { list { id } } }`})
			if err != nil {
				t.Fatal(err)
			}
			h.post(t, "alice", nil, nil, fill)
			for name, c := range queries {
				body, err := json.Marshal(map[string]string{"query": c.query})
				if err != nil {
					t.Fatal(err)
				}
				h.post(t, "alice", nil, nil, body) // settings are remembered from here on
				before := counts.batches.Load()
				answer := h.post(t, "alice", nil, nil, body)
				if strings.Contains(string(answer), `"errors"`) {
					t.Fatalf("%s: %s", name, answer)
				}
				if n := counts.batches.Load() - before; n != 1 {
					t.Errorf("%s: %d batches", name, n)
				}
				sql := *h.statements.last.Load()
				for column := range strings.FieldsSeq(c.forbidden) {
					if strings.Contains(sql, column) && !strings.Contains(sql, column+"_") {
						t.Errorf("%s: reads %s: %s", name, column, sql)
					}
				}
			}
		})
	}
}

// What hangs on the entities and facts of a page is read for the page: one batch for each level, however many there are
// of them.
func TestTheGraphIsReadLevelByLevel(t *testing.T) {
	queries := map[string]struct {
		query     string
		batches   int64
		forbidden string
	}{
		"slim entities": {`{ knowledge { nodes(first: 50) { nodes { id name } } } }`, 1,
			"summary aliases attributes version"},
		"all of entities": {
			`{ knowledge { nodes(first: 50) { totalCount isEmpty pageInfo { endCursor } edges { cursor node { summary aliases attributes } } nodes { name type version } } } }`, 1, ""},
		"facts with both ends": {
			`{ knowledge { facts(first: 50) { totalCount suppressed nodes { fact source { name } target { name type } itemContext { isCurrent } } } } }`, 1, "attributes aliases summary confidence"},
		"counts alone": {`{ knowledge { nodes { totalCount } } }`, 1, ""},
		"facts of entities": {`{ knowledge { nodes(first: 20) { nodes { name facts(first: 2) { fact } } } } }`, 2,
			""},
		"two kinds of them": {
			`{ knowledge { nodes(first: 20) { nodes { a: facts(first: 2) { fact } b: facts(first: 1, includeInvalidated: true) { id } } } } }`, 3, ""},
		"and what is at their ends": {
			`{ knowledge { nodes(first: 10) { nodes { facts(first: 2) { fact source { name } target { name facts(first: 2) { fact } } episodes(first: 2) { name } } } } } }`, 4, ""},
		"episodes of facts": {
			`{ knowledge { facts(first: 20) { nodes { episodes { name } } edges { node { episodeIds } } } } }`, 2, ""},
		"neighbours": {
			`{ knowledge { nodes(first: 1) { nodes { neighbours(depth: 1) { neighbours { entity { name } via { fact } } } } } } }`, 2, ""},
	}
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			kind, counts := kind.counted()
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			made := string(h.say(t, "alice", nil, `mutation { addEpisode(input: { content: "e" }) { episode { id } } }`, nil))
			facts := make([]any, 30)
			for i := range facts {
				facts[i] = map[string]any{"source": map[string]any{"name": strings.Repeat("a", i%7+1)}, "relation": "r",
					"target": map[string]any{"name": strings.Repeat("b", i%5+1)}, "fact": strings.Repeat("f", i+1)}
			}
			h.say(t, "alice", nil, `mutation ($input: AddFactsInput!) { addFacts(input: $input) { created } }`,
				map[string]any{"input": map[string]any{"episodeId": episodeID.FindString(made), "facts": facts}})
			for name, c := range queries {
				h.say(t, "alice", nil, c.query, nil) // settings are remembered from here on
				before := counts.batches.Load()
				answer := string(h.say(t, "alice", nil, c.query, nil))
				if strings.Contains(answer, `"errors"`) || strings.Contains(answer, `"nodes":[]`) {
					t.Fatalf("%s: %s", name, answer)
				}
				if n := counts.batches.Load() - before; n != c.batches {
					t.Errorf("%s: %d batches", name, n)
				}
				sql := *h.statements.last.Load()
				for column := range strings.FieldsSeq(c.forbidden) {
					if strings.Contains(sql, column) && !strings.Contains(sql, column+"_") {
						t.Errorf("%s: reads %s: %s", name, column, sql)
					}
				}
			}
		})
	}
}

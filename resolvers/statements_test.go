package resolvers_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// Whatever is selected of a list, the store is asked once: one statement or one batch, and for no column that the
// selection does not need.
func TestAListQueryIsOneBatch(t *testing.T) {
	queries := map[string]struct{ query, forbidden string }{
		"slim":  {`{ tasks(first: 50) { nodes { id text } } }`, "due_at recurrence nudge_count updated_at category reminder"},
		"flags": {`{ tasks(first: 50) { nodes { itemContext { isOverdue } } } }`, "recurrence nudge_count updated_at category reminder"},
		"all of a page": {`{ tasks(first: 50) { totalCount isEmpty pageInfo { endCursor } edges { cursor node { id } }
			nodes { id text subtasks { text } completions { completedAt } recurrence { type } } } }`, "nudge_count category_key"},
		"board":           {`{ tasks { categorized { counts { overdue today upcoming recurring noDueDate } overdue(first: 3) { text } today { text } } } }`, "nudge_count updated_at"},
		"slim memories":   {`{ memories(first: 50) { nodes { id content } } }`, "summary metadata overridden expires_at_shown vector"},
		"memories' flags": {`{ memories { nodes { itemContext { isOverride memoryType } } } }`, "content summary tags metadata vector"},
		"all of memories": {`{ memories(first: 50) { totalCount isEmpty pageInfo { endCursor } edges { cursor node { id } } nodes { content summary tags metadata history { content } embedding { state vector } } } }`, ""},
		"lists":           {`{ lists { totalCount nodes { name items { text } } } }`, "is_checklist"},
	}
	for _, kind := range houses() {
		t.Run(kind.name, func(t *testing.T) {
			kind, counts := kind.counted()
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			fill, err := json.Marshal(map[string]string{"query": `mutation {
				createTasks(input: { tasks: [{ text: "a", dueDate: "2026-11-22T10:00", subtasks: ["s"] }, { text: "b" }] }) { created }
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

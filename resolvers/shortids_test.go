package resolvers_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestShortIDs holds that the last eight characters of an id name its record wherever an id is, in literals and in
// variables, for its owner alone.
func TestShortIDs(t *testing.T) {
	for _, driver := range harnesses() {
		t.Run(driver.name, func(t *testing.T) {
			h := driver.build(t, sunday)
			var made struct {
				Data struct {
					Task struct{ Task struct{ ID string } }
					List struct {
						List struct {
							ID    string
							Items []struct{ ID string }
						}
					}
					Memory struct{ Memory struct{ ID string } }
					Facts  struct {
						Facts []struct {
							ID     string
							Source struct{ ID string }
						}
					}
				}
			}
			text := h.asks(t, `mutation { task: createTask(input: { text: "Call mom" }) { task { id } }
				list: createList(input: { name: "Shopping", items: ["bread"] }) { list { id items { id } } }
				memory: storeMemory(input: { type: NOTE, content: "The code is 4417" }) { memory { id } }
				facts: addFacts(input: { facts: [{ source: { name: "Dana" }, relation: "WORKS_AT", target: { name: "Acme" },
					fact: "Dana works at Acme" }] }) { facts { id source { id } } } }`, nil)
			if err := json.Unmarshal(text, &made); err != nil || len(made.Data.Facts.Facts) != 1 {
				t.Fatalf("%v: %s", err, text)
			}
			d := made.Data
			for _, id := range []string{d.Task.Task.ID, d.List.List.ID, d.List.List.Items[0].ID, d.Memory.Memory.ID,
				d.Facts.Facts[0].ID, d.Facts.Facts[0].Source.ID} {
				short := id[len(id)-8:]
				for _, given := range []string{short, "..." + short, "…" + short} {
					if got := h.asks(t, `query($i: ID!) { node(id: $i) { id } }`, map[string]any{"i": given}); !strings.Contains(
						string(got), id) {
						t.Errorf("%s: %s", given, got)
					}
				}
				if got := h.asks(t, `{ nodes(ids: ["`+short+`"]) { id } }`, nil); !strings.Contains(string(got), id) {
					t.Errorf("%s as a literal: %s", short, got)
				}
				body, err := json.Marshal(map[string]string{"query": `{ node(id: "` + short + `") { id } }`})
				if err != nil {
					t.Fatal(err)
				}
				if got := string(h.post(t, "bob", nil, nil, body)); strings.Contains(got, id) ||
					!strings.Contains(got, `"errors"`) {
					t.Errorf("bob got %s by %s", got, short)
				}
			}
			body, err := json.Marshal(map[string]string{"query": `{ node(id: "01234567") { id } }`})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(h.post(t, "alice", nil, nil, body)); !strings.Contains(got, "NOT_FOUND") {
				t.Errorf("what nobody has: %s", got)
			}
			task := d.Task.Task.ID
			if got := h.asks(t, `mutation($i: ID!) { completeTask(input: { target: { id: $i } }) { task { id completed } } }`,
				map[string]any{"i": task[len(task)-8:]}); !strings.Contains(string(got), `"completed":true`) {
				t.Errorf("completed by its short id: %s", got)
			}
		})
	}
}

package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A listener of what seldom changes goes on hearing when the log has been pruned beyond the last change that it saw: its
// place moves on with the changes of other kinds. Where it had no time to, its stream ends and the client comes back;
// what must never happen is silence.
func TestAListenerOutlivesThePruningOfTheLog(t *testing.T) {
	for _, kind := range houses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			for round := range 20 {
				if hearsAfterPruning(t, h, round) {
					return
				}
			}
			t.Error("the stream ended every time")
		})
	}
}

// hearsAfterPruning is false when the stream ended.
func hearsAfterPruning(t *testing.T, h *house, round int) bool {
	t.Helper()
	const month = 31 * 24 * time.Hour
	s := subscribe(t, h, "alice", `subscription { taskChanged { task { text } } }`, nil)
	defer s.close()
	heard := make(chan string, 1000)
	go func() {
		defer close(heard)
		for text := s.next(); text != ""; text = s.next() {
			heard <- text
		}
	}()
	// The stream has begun once it tells of a task; one is added until it does.
	for begun := false; !begun; {
		mutate(t, h, `mutation { createTask(input: { text: "begin", allowDuplicate: true }) { task { id } } }`)
		select {
		case <-heard:
			begun = true
		case <-time.After(50 * time.Millisecond):
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		mutate(t, h, fmt.Sprintf(`mutation { createList(input: { name: "%s %d" }) { list { id } } }`, name, round))
	}
	h.clock.Advance(month)
	if err := h.store.Sweep(t.Context(), h.clock.Now(), month-time.Hour); err != nil {
		t.Fatal(err)
	}
	wanted := fmt.Sprintf("after the pruning %d", round)
	mutate(t, h, `mutation { createTask(input: { text: "`+wanted+`" }) { task { id } } }`)
	patience := time.After(time.Minute)
	for {
		select {
		case text, open := <-heard:
			if !open {
				return false
			}
			if strings.Contains(text, wanted) {
				return true
			}
		case <-patience:
			t.Fatal("the listener heard nothing more")
		}
	}
}

func mutate(t *testing.T, h *house, query string) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	if answer := h.post(t, "alice", nil, nil, body); strings.Contains(string(answer), `"errors"`) {
		t.Fatalf("%s: %s", query, answer)
	}
}

// A listener of memories hears every change of them in order, each once, with the memory as it then is; others' it does not hear.
func TestMemoriesAreHeard(t *testing.T) {
	for _, kind := range houses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			var head struct {
				Data struct{ Changes struct{ LatestCursor string } }
			}
			if err := json.Unmarshal(h.say(t, "alice", nil, `{ changes { latestCursor } }`, nil), &head); err != nil {
				t.Fatal(err)
			}
			mutate(t, h, `mutation { storeMemory(input: { content: "before the listener came" }) { memory { id } } }`)
			s := subscribe(t, h, "alice", `subscription ($after: String) { memoryChanged(after: $after) { cursor operation id at memory { id content version itemContext { isNew } } } }`, map[string]any{"after": head.Data.Changes.LatestCursor})
			defer s.close()
			if text := s.next(); !strings.Contains(text, `"operation":"CREATED"`) || !strings.Contains(text, "before the listener came") {
				t.Errorf("the first is %s", text)
			}
			h.say(t, "bob", nil, `mutation { storeMemory(input: { content: "another's" }) { memory { id } } }`, nil)
			mutate(t, h, `mutation { createTask(input: { text: "no memory" }) { task { id } } }`)
			id := memoryID.FindString(string(h.say(t, "alice", nil, `mutation { storeMemory(input: { type: KV, content: "pin: 1" }) { memory { id } } }`, nil)))
			for i, want := range []struct{ operation, content string }{{"CREATED", "pin: 1"}, {"UPDATED", "pin: 2"}, {"DELETED", `"memory":null`}} {
				text := s.next()
				if !strings.Contains(text, want.operation) || !strings.Contains(text, id) || !strings.Contains(text, want.content) {
					t.Errorf("change %d is %s", i, text)
				}
				switch i {
				case 0:
					mutate(t, h, `mutation { updateMemory(input: { id: "`+id+`", set: { content: "pin: 2" } }) { memory { id } } }`)
				case 1:
					mutate(t, h, `mutation { deleteMemories(input: { ids: ["`+id+`"] }) { deleted } }`)
				}
			}
		})
	}
}

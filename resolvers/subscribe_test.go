package resolvers_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A listener of what seldom changes goes on hearing when the log has been pruned beyond the last change that it saw:
// its place moves on with the changes of other kinds. Where it had no time to, its stream ends and the client comes
// back; what must never happen is silence.
func TestAListenerOutlivesThePruningOfTheLog(t *testing.T) {
	for _, kind := range harnesses() {
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
func hearsAfterPruning(t *testing.T, h *harness, round int) bool {
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

func mutate(t *testing.T, h *harness, query string) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	if answer := h.post(t, "alice", nil, nil, body); strings.Contains(string(answer), `"errors"`) {
		t.Fatalf("%s: %s", query, answer)
	}
}

// A listener of memories hears every change of them in order, each once, with the memory as it then is; others' it does
// not hear.
func TestMemoriesAreHeard(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			var head struct {
				Data struct{ Changes struct{ LatestCursor string } }
			}
			if err := json.Unmarshal(h.say(t, "alice", nil, `{ changes { latestCursor } }`, nil), &head); err != nil {
				t.Fatal(err)
			}
			mutate(t, h, `mutation { storeMemory(input: { content: "before the listener came" }) { memory { id } } }`)
			s := subscribe(t, h, "alice",
				`subscription ($after: String) { memoryChanged(after: $after) { cursor operation id: nodeId at memory { id content version itemContext { isNew } } } }`, map[string]any{"after": head.Data.Changes.LatestCursor})
			defer s.close()
			if text := s.next(); !strings.Contains(text, `"operation":"CREATED"`) ||
				!strings.Contains(text, "before the listener came") {
				t.Errorf("the first is %s", text)
			}
			h.say(t, "bob", nil, `mutation { storeMemory(input: { content: "another's" }) { memory { id } } }`, nil)
			mutate(t, h, `mutation { createTask(input: { text: "no memory" }) { task { id } } }`)
			id := memoryID.FindString(string(h.say(t, "alice", nil,
				`mutation { storeMemory(input: { type: KV, content: "pin: 1" }) { memory { id } } }`, nil)))
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

// A listener of the graph hears entities, facts and episodes in order, each once, with the thing as it then is, and
// that all was cleared; others' it does not hear.
func TestTheGraphIsHeard(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			mutate(t, h, `mutation { createTask(input: { text: "before" }) { task { id } } }`)
			s := subscribe(t, h, "alice",
				`subscription ($after: String) { knowledgeChanged(after: $after) { cursor type operation id: nodeId at node { id ... on Entity { name summary facts { fact } } ... on Fact { fact source { name } } ... on Episode { name } } } }`, map[string]any{"after": latestCursor(t, h, "alice")})
			defer s.close()
			h.say(t, "bob", nil,
				`mutation { addFacts(input: { facts: [{ source: { name: "another's" }, relation: "r", target: { name: "b" } }] }) { created } }`, nil)
			mutate(t, h,
				`mutation { storeMemory(input: { content: "no fact" }) { memory { id } } addFacts(input: { facts: [{ source: { name: "דנה" }, relation: "knows", target: { name: "Noa" } }] }) { created } }`)
			id := ""
			for i, want := range [][]string{
				{`"type":"ENTITY"`, "CREATED", `"name":"דנה"`, `"fact":"דנה knows Noa"`},
				{`"type":"ENTITY"`, "CREATED", `"name":"Noa"`}, {`"type":"FACT"`, "CREATED", `"source":{"name":"דנה"}`},
				{`"type":"ENTITY"`, "UPDATED", `"summary":"changed"`}, {`"type":"EPISODE"`, "CREATED", `"name":"It rained."`},
				{`"type":"KNOWLEDGE"`, "DELETED", `"node":null`, `"id":"user_`},
			} {
				text := s.next()
				for _, part := range want {
					if !strings.Contains(text, part) {
						t.Errorf("change %d is %s, without %s", i, text, part)
					}
				}
				switch i {
				case 0:
					id = entityID.FindString(text)
				case 2:
					mutate(t, h, `mutation { updateEntity(input: { id: "`+id+`", set: { summary: "changed" } }) { entity { id } } }`)
				case 3:
					mutate(t, h, `mutation { addEpisode(input: { content: "It rained.", extract: false }) { state } }`)
				case 4:
					var asked struct {
						Data struct {
							ClearKnowledge struct{ Confirmation struct{ Token string } }
						}
					}
					if err := json.Unmarshal(h.say(t, "alice", nil, `mutation { clearKnowledge { confirmation { token } } }`, nil),
						&asked); err != nil {
						t.Fatal(err)
					}
					mutate(t, h, `mutation { clearKnowledge(input: { confirm: { token: "`+asked.Data.ClearKnowledge.Confirmation.Token+
						`", all: true } }) { cleared } }`)
				}
			}
		})
	}
}

var (
	entityID = regexp.MustCompile(`entity_[0-9a-z]{26}`)
	factID   = regexp.MustCompile(`fact_[0-9a-z]{26}`)
)

package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// tally counts the batches that a store sends, and apart from them those that read a user's row: it may be read without
// a cause now and then, when the store has begun to listen, and when it looks, every few seconds, for what it has not
// heard.
type tally struct{ batches, people atomic.Int64 }

// counted gives a kind of harness whose store's batches are counted.
func (k harnessKind) counted() (harnessKind, *tally) {
	open, counts := k.open, &tally{}
	k.open = func(t *testing.T, now func() time.Time, note func(string)) store.Store {
		t.Helper()
		return open(t, now, func(sql string) {
			if strings.HasPrefix(sql, "SELECT subject, email, time_zone") {
				counts.people.Add(1)
			} else {
				counts.batches.Add(1)
			}
			note(sql)
		})
	}
	return k, counts
}

// asks sends a document, which must be answered without errors.
func (h *harness) asks(t *testing.T, document string, variables map[string]any) (answer []byte) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	answer = h.post(t, "alice", nil, nil, body)
	if strings.Contains(string(answer), `"errors"`) {
		t.Fatalf("%s", answer)
	}
	return answer
}

// Two hundred tasks are added with as many batches as one alone: duplicates are asked for once, whatever their number.
func TestStatementsOfManyTasksAreThoseOfOne(t *testing.T) {
	const document = `mutation ($tasks: [CreateTaskInput!]!) { createTasks(input: { tasks: $tasks }) { created refused: errors { code } } }`
	tasks := func(prefix string, allowDuplicate bool, n int) map[string]any {
		inputs := make([]map[string]any, n)
		for i := range inputs {
			inputs[i] = map[string]any{"text": fmt.Sprintf("%s %d", prefix, i), "allowDuplicate": allowDuplicate}
		}
		return map[string]any{"tasks": inputs}
	}
	// Inside the process a batch is one method, and a new action is one of its own. Over the wire what is asked goes with
	// BEGIN and the lock, and what is written with COMMIT, the log and the action.
	const overTheWire = 2
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			kind, counts := kind.counted()
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			h.asks(t, "{ viewer { id } }", nil) // makes the user's row
			for _, c := range []struct {
				what      string
				variables map[string]any
				created   int
				batches   int64
			}{
				// Behind those of the tasks comes that of the action; the tasks that were made are not read again for it.
				{"one", tasks("one", false, 1), 1, 2},
				{"many", tasks("many", false, model.MaxBulk), model.MaxBulk, 2},
				{"the same again, to no avail", tasks("many", false, model.MaxBulk), 0, 1},
				{"the same again, allowed", tasks("many", true, model.MaxBulk), model.MaxBulk, 1},
				{"those that cannot be", tasks(strings.Repeat("x", model.MaxTaskText), false, 3), 0, 0},
			} {
				before := counts.batches.Load()
				answer := h.asks(t, document, c.variables)
				if !strings.Contains(string(answer), fmt.Sprintf(`"created":%d,`, c.created)) {
					t.Errorf("%s: %.300s", c.what, answer)
				}
				want := c.batches
				if kind.name == "postgres" {
					want = overTheWire
				} else if c.created > 0 {
					want++
				}
				if got := counts.batches.Load() - before; got != want {
					t.Errorf("%s: %d batches, want %d", c.what, got, want)
				}
			}
		})
	}
}

// The user's row is not read again for every task that is added, and is as soon as the settings are changed.
func TestStatementsOfPeopleWhoWrite(t *testing.T) {
	const requests = 100
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			kind, counts := kind.counted()
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			for i := range requests {
				h.asks(t, `mutation ($text: String!) { createTask(input: { text: $text }) { task { id } } }`,
					map[string]any{"text": fmt.Sprint("task ", i)})
			}
			if n := counts.people.Load(); n < 1 || n > requests/4 {
				t.Errorf("%d requests that write read the user's row %d times", requests, n)
			}
			for _, zone := range []string{"Asia/Jerusalem", "America/New_York"} {
				h.asks(t, `mutation ($zone: String!) { updateSettings(input: { timeZone: $zone }) { settings { timeZone } } }`,
					map[string]any{"zone": zone})
				if answer := h.asks(t, `{ viewer { settings { timeZone } } }`, nil); !strings.Contains(string(answer), zone) {
					t.Errorf("after the change to %s: %s", zone, answer)
				}
			}
		})
	}
}

// By which models a user's memories have their vectors is asked once a minute, not for each search; and a change of the
// model is noticed.
func TestStatementsOfSearches(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			kind, counts := kind.counted()
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			h.asks(t,
				`mutation { storeMemories(input: { memories: [{ content: "apple pie" }, { content: "apple juice" }] }) { created } }`, nil)
			search := func() int64 {
				before := counts.batches.Load()
				h.asks(t, `{ searchMemories(query: "apple") { edges { similarity node { content } } } }`, nil)
				return counts.batches.Load() - before
			}
			first, second, third := search(), search(), search()
			if second != third || second >= first {
				t.Errorf("the first searches take %d, %d and %d batches", first, second, third)
			}
			h.clock.Advance(2 * time.Minute)
			if again := search(); again <= second {
				t.Errorf("two minutes later a search takes %d batches, as those before", again)
			}
		})
	}
}

// Two hundred memories are added with two writes, beside the question of each for its twins.
func TestStatementsOfManyMemories(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			kind, counts := kind.counted()
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			h.asks(t, "{ viewer { id } }", nil)
			for round := range 2 {
				inputs := make([]map[string]any, model.MaxBulk)
				for i := range inputs {
					inputs[i] = map[string]any{"content": fmt.Sprintf("memory %d", i)}
				}
				before := counts.batches.Load()
				h.asks(t,
					`mutation ($memories: [MemoryInput!]!) { storeMemories(input: { memories: $memories }) { created unchanged } }`,
					map[string]any{"memories": inputs})
				if n := counts.batches.Load() - before; n > model.MaxBulk+30 {
					t.Errorf("round %d: %d batches", round, n)
				}
			}
		})
	}
}

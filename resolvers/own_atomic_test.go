package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// mortalStore ends, as a process does that is killed: at one of the writes of a transaction, which is rolled back, and
// no other write is done from then on.
type mortalStore struct {
	store.Store
	mu sync.Mutex
	// left is how many writes are done before the end; negative for no end.
	left int
	// ended: it has.
	ended bool
}

// lives counts a write, and reports an error when it is the last one or comes after it.
func (s *mortalStore) lives() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left == 0 {
		s.ended = true
	}
	if s.ended {
		return store.ErrUnavailable
	}
	if s.left > 0 {
		s.left--
	}
	return nil
}

// begin lets it live for so many writes.
func (s *mortalStore) begin(writes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left, s.ended = writes, false
}

func (s *mortalStore) hasEnded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

func (s *mortalStore) Write(ctx context.Context, user model.UserID,
	fn func(context.Context, store.Tx) error) error {
	return s.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		err := fn(ctx, mortalTx{tx, s})
		if s.hasEnded() { // whatever the caller made of it, nothing is committed
			return store.ErrUnavailable
		}
		return err
	})
}

type mortalTx struct {
	store.Tx
	of *mortalStore
}

func (t mortalTx) SaveEvents(ctx context.Context, rows []model.EventRow) (int64, error) {
	if err := t.of.lives(); err != nil {
		return 0, err
	}
	return t.Tx.SaveEvents(ctx, rows)
}

func (t mortalTx) DeleteEvents(ctx context.Context, keys []model.EventKey) ([]model.EventKey, error) {
	if err := t.of.lives(); err != nil {
		return nil, err
	}
	return t.Tx.DeleteEvents(ctx, keys)
}

func (t mortalTx) LogRemote(ctx context.Context, changes []model.Change) error {
	if err := t.of.lives(); err != nil {
		return err
	}
	return t.Tx.LogRemote(ctx, changes)
}

func (t mortalTx) SaveAction(ctx context.Context, action model.Action, about []model.ID) error {
	if err := t.of.lives(); err != nil {
		return err
	}
	return t.Tx.SaveAction(ctx, action, about)
}

func (t mortalTx) SetUndone(ctx context.Context, id, by model.UUID) error {
	if err := t.of.lives(); err != nil {
		return err
	}
	return t.Tx.SetUndone(ctx, id, by)
}

// mortal builds a harness over a store that ends when it is told to.
func mortal(t *testing.T, kind harnessKind) (*harness, *mortalStore) {
	t.Helper()
	s := &mortalStore{left: -1}
	open := kind.open
	kind.open = func(t *testing.T, now func() time.Time, note func(string)) store.Store {
		whole, ok := open(t, now, note).(dumped)
		if !ok {
			t.Fatal("the store cannot be dumped")
		}
		s.Store = whole.Store
		whole.Store = s
		return whole
	}
	return kind.build(t, start), s
}

// eventTables are what events of own calendars and their actions stand in, and settings and keys do not.
func eventTables(t *testing.T, h *harness) string {
	t.Helper()
	var out strings.Builder
	tables := h.dump(t)
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if name == "events" || name == "event_bodies" || name == "changes" || strings.HasPrefix(name, "action") {
			fmt.Fprintf(&out, "%s\n%s\n", name, tables[name])
		}
	}
	return out.String()
}

// done runs a mutation m, and returns the id of its action.
func (h *harness) done(t *testing.T, mutation string) string {
	t.Helper()
	answer := h.say(t, "alice", nil, "mutation { m: "+mutation+" { action { id summary } userErrors { message } } }", nil)
	var read struct {
		Data struct {
			M struct{ Action *struct{ ID string } }
		}
	}
	if err := json.Unmarshal(answer, &read); err != nil || read.Data.M.Action == nil {
		t.Fatalf("%s: %s", mutation, answer)
	}
	return read.Data.M.Action.ID
}

func undoing(id string) string { return fmt.Sprintf(`undoAction(input: { id: %q })`, id) }

// threeEvents are changed together by the tests here: two single ones and a series.
const threeEvents = `createEvents(input: { events: [
	{ summary: "One", start: { dateTime: "2026-11-23T10:00" } },
	{ summary: "Two", start: { dateTime: "2026-11-24T10:00" } },
	{ summary: "Stands", start: { dateTime: "2026-11-23T08:00" }, recurrence: ["RRULE:FREQ=DAILY;COUNT=3"] }] })`

// TestOwnEventsAreChangedTogether: what one mutation does with several events of own calendars, and what undoes it, is
// done whole or not at all, wherever the process ends.
func TestOwnEventsAreChangedTogether(t *testing.T) {
	mutations := []string{
		threeEvents,
		`updateEventsInWindow(input: { timeMin: "2026-11-23T00:00", timeMax: "2026-11-26T00:00", set: { location: "Room 2" } })`,
		`deleteEventsInWindow(input: { timeMin: "2026-11-23T09:00", timeMax: "2026-11-26T00:00" })`,
	}
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h, s := mortal(t, kind)
			h.done(t, `createEvent(input: { summary: "Makes the calendar", start: { dateTime: "2026-12-24T10:00" } })`)
			// whole does a mutation at whose every write the process ends before it is done.
			whole := func(mutation string) (id string) {
				t.Helper()
				for writes := 0; ; writes++ {
					before := eventTables(t, h)
					s.begin(writes)
					answer := h.say(t, "alice", nil, "mutation { m: "+mutation+" { action { id } userErrors { message } } }", nil)
					ended := s.hasEnded()
					s.begin(-1)
					if !ended {
						if writes < 3 {
							t.Errorf("%s was done in %d writes: %s", mutation, writes, answer)
						}
						var read struct {
							Data struct {
								M struct{ Action *struct{ ID string } }
							}
						}
						if err := json.Unmarshal(answer, &read); err != nil || read.Data.M.Action == nil {
							t.Fatalf("%s: %s", mutation, answer)
						}
						return read.Data.M.Action.ID
					}
					if after := eventTables(t, h); after != before {
						t.Fatalf("%s ended after %d writes and has left\n%s", mutation, writes, differingLines(after, before))
					}
				}
			}
			for _, mutation := range mutations {
				action := whole(mutation)
				undone := whole(undoing(action))
				whole(undoing(undone))
			}
		})
	}
}

// TestOwnAndLinkedEventsOfOneAction: of an action on both, what is own is one transaction, with the log and the action.
// When the process ends in it, what was done at Google stays, nothing own is done, and calling again does the rest.
func TestOwnAndLinkedEventsOfOneAction(t *testing.T) {
	const linked = `event alice@example.com {"id": "one00", "summary": "Lunch", "start": {"dateTime": "2026-11-23T12:00:00Z"}, "end": {"dateTime": "2026-11-23T13:00:00Z"}}`
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h, s := mortal(t, kind)
			h.done(t, threeEvents)
			if err := h.google.link(t.Context(), model.UserIDOf("alice"), "alice@example.com", "UTC"); err != nil {
				t.Fatal(err)
			}
			if err := h.google.do(t.Context(), linked); err != nil {
				t.Fatal(err)
			}
			titles := func() string {
				return string(h.say(t, "alice", nil,
					`{ events(filter: { timeMin: "2026-11-23T00:00", timeMax: "2026-11-26T00:00" }) { nodes { summary location account } } }`, nil))
			}
			own := func() string {
				tables := h.dump(t)
				return tables["events"] + tables["event_bodies"]
			}
			begin, beginOwn := titles(), own()
			action := h.done(t,
				`updateEventsInWindow(input: { timeMin: "2026-11-23T00:00", timeMax: "2026-11-26T00:00", set: { location: "Room 2" } })`)
			if got := strings.Count(titles(), "Room 2"); got != 6 {
				t.Fatalf("%d events were changed: %s", got, titles())
			}
			changed := own()
			deaths := 0
			for ; ; deaths++ {
				s.begin(deaths)
				answer := h.say(t, "alice", nil, "mutation { "+undoing(action)+" { userErrors { code message } } }", nil)
				ended := s.hasEnded()
				s.begin(-1)
				if !ended {
					if !strings.Contains(string(answer), `"userErrors":[]`) {
						t.Fatalf("%s", answer)
					}
					break
				}
				if got := own(); got != changed {
					t.Fatalf("ended after %d writes and has left\n%s", deaths, differingLines(got, changed))
				}
				if got := titles(); !strings.Contains(got, `{"summary":"Lunch","location":null`) {
					t.Fatalf("Google's was not undone first: %s", got)
				}
			}
			if deaths < 5 {
				t.Errorf("undone in %d writes", deaths)
			}
			if got := titles(); got != begin {
				t.Errorf("undone: %s\nbefore: %s", got, begin)
			}
			if own() == beginOwn {
				t.Error("the versions of own events do not count")
			}
		})
	}
}

package calsync_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
	"almanac/internal/standin/wire"
)

// mortal is a store that ends, for good and at any call, as a process does that is killed: what is not committed then
// never was.
type mortal struct {
	store.Store
	left  atomic.Int64
	ended context.CancelFunc
}

var errKilled = errors.New("killed")

func (m *mortal) lives() error {
	if m.left.Add(-1) < 0 {
		m.ended()
		return errKilled
	}
	return nil
}

func (m *mortal) ClaimSyncs(ctx context.Context, now, until time.Time, limit int) ([]store.SyncState, error) {
	if err := m.lives(); err != nil {
		return nil, err
	}
	return m.Store.ClaimSyncs(ctx, now, until, limit)
}

func (m *mortal) EventNumber(ctx context.Context, user model.UserID) (int64, error) {
	if err := m.lives(); err != nil {
		return 0, err
	}
	return m.Store.EventNumber(ctx, user)
}

func (m *mortal) Write(ctx context.Context, user model.UserID,
	fn func(ctx context.Context, tx store.Tx) error) error {
	if err := m.lives(); err != nil {
		return err
	}
	return m.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return m.lives()
	})
}

// story is a random history of a calendar that somebody changes while it is followed by processes that are killed.
type story struct {
	*town
	random *rand.Rand
	email  string
	// ids are events that were made, and series of them.
	ids, series []string
	// changes are how often each event was changed by the story, deletions too.
	changes map[string]int
	starts  map[string]time.Time
	dropped map[string]bool
}

// step does one thing that a stranger may do.
func (s *story) step() {
	s.Helper()
	do := func(method, id string, body map[string]any) {
		s.clock.Advance(time.Second)
		s.serve(method, s.email, id, body)
		s.changes[id]++
	}
	create := func(n int) {
		start := time.Date(2026, 11, 1+s.random.IntN(28), 8+s.random.IntN(8), 0, 0, 0, time.UTC)
		body := map[string]any{"summary": fmt.Sprint("event ", n),
			"start": map[string]any{"dateTime": start.Format(time.RFC3339), "timeZone": "UTC"},
			"end":   map[string]any{"dateTime": start.Add(time.Hour).Format(time.RFC3339), "timeZone": "UTC"}}
		if s.random.IntN(3) == 0 {
			body["recurrence"] = []any{"RRULE:FREQ=DAILY;COUNT=5"}
		}
		s.clock.Advance(time.Second)
		made, err := s.calendar.Insert(s.email, "primary", body)
		if err != nil {
			s.Fatal(err)
		}
		id := made["id"].(string)
		if body["recurrence"] != nil {
			s.series, s.starts[id] = append(s.series, id), start
		}
		s.ids = append(s.ids, id)
		s.changes[id]++
	}
	switch kind := s.random.IntN(10); {
	case len(s.ids) == 0 || kind < 4:
		create(len(s.ids))
	case kind < 7:
		id := s.ids[s.random.IntN(len(s.ids))]
		do("patch", id, map[string]any{"summary": fmt.Sprint("changed ", s.random.Int())})
	case kind == 7:
		i := s.random.IntN(len(s.ids))
		id := s.ids[i]
		do("delete", id, nil)
		s.ids = slices.Delete(s.ids, i, i+1)
		s.series = slices.DeleteFunc(s.series, func(one string) bool { return one == id })
	case len(s.series) > 0:
		of := s.series[s.random.IntN(len(s.series))]
		id := fmt.Sprint(of, "_", s.starts[of].AddDate(0, 0, 1+s.random.IntN(4)).Format("20060102T150405Z"))
		switch {
		case s.dropped[id]:
		case kind == 8:
			do("delete", id, nil)
			s.dropped[id] = true
		default:
			do("patch", id, map[string]any{"summary": fmt.Sprint("moved ", s.random.Int())})
		}
	}
	if s.random.IntN(25) == 0 {
		s.calendar.ExpireSyncTokens(s.email)
	}
}

// rows are the rows of the copy that stand for something, as "id version".
func (s *story) rows(c model.Connection) (all []string) {
	s.Helper()
	calendars, err := s.store.KeptCalendars(s.Context(), c.User)
	if err != nil || len(calendars) != 1 {
		s.Fatalf("%d calendars, %v", len(calendars), err)
	}
	rows, err := s.store.AllEvents(s.Context(), c.User, calendars[0].Number, "", 10_000)
	if err != nil {
		s.Fatal(err)
	}
	for _, row := range rows {
		series := slices.ContainsFunc(rows, func(r model.EventRow) bool { return r.ID == row.Series })
		switch {
		case row.Kind != model.EventDropped:
			all = append(all, fmt.Sprint(row.ID, " ", row.Version, " ", row.Summary))
		case series: // a bare deletion names no version
			all = append(all, row.ID+" dropped")
		default: // what was dropped of a series that is gone stands for nothing
		}
	}
	slices.Sort(all)
	return all
}

// stored asks the stand-in for all that it has, past everything that is tested.
func (s *story) stored() (all []map[string]any) {
	s.Helper()
	reply, err := s.calendar.Serve(wire.Call{Method: "calendar.events.list", Account: s.email,
		Path: map[string]string{"calendarId": "primary"}, Query: url.Values{"maxResults": {"2500"}}, Now: s.clock.Now()})
	if err != nil {
		s.Fatal(err)
	}
	raw, err := json.Marshal(reply.Body)
	if err != nil {
		s.Fatal(err)
	}
	var page struct {
		Items         []map[string]any
		NextPageToken string
	}
	if err := json.Unmarshal(raw, &page); err != nil || page.NextPageToken != "" {
		s.Fatal(err, page.NextPageToken)
	}
	return page.Items
}

// truth is what the calendar has.
func (s *story) truth() (all []string) {
	s.Helper()
	for _, e := range s.stored() {
		status, _ := e["status"].(string)
		_, occurrence := e["recurringEventId"]
		switch {
		case status == "cancelled" && occurrence:
			all = append(all, fmt.Sprint(e["id"], " dropped"))
		case status != "cancelled":
			all = append(all, fmt.Sprint(e["id"], " ", e["etag"], " ", e["summary"]))
		}
	}
	slices.Sort(all)
	return all
}

// In whatever order a stranger changes a calendar, processes are killed, two look at once, and Google forgets the
// place: in the end the copy is the calendar, and the log has no line twice.
func TestStories(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		const stories, rounds = 7, 8
		both := open(t, 2)
		for seed := range uint64(stories) {
			h := newTown(t, both[0])
			h.scopes = []string{"https://www.googleapis.com/auth/calendar.events"}
			s := &story{town: h, random: rand.New(rand.NewPCG(seed, 1)), changes: map[string]int{},
				starts: map[string]time.Time{}, dropped: map[string]bool{}, email: fmt.Sprintf("dana%d@example.com", seed)}
			h.client.PageSize = 5
			w := h.worker(both[0])
			c := h.link(w, fmt.Sprint("dana", seed), s.email)
			for range rounds {
				for range 1 + s.random.IntN(8) {
					s.step()
				}
				s.live(c, both)
			}
			for again := 0; again < 3; again++ { // with nobody killed
				s.calm(c, both[again%2])
			}
			if got, want := s.rows(c), s.truth(); !slices.Equal(got, want) {
				t.Fatalf("seed %d: the copy has\n%s\nand the calendar\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			s.wantNothingTwice(c, seed)
		}
	})
}

// live has two processes look at the calendar until both are killed, or have read all.
func (s *story) live(c model.Connection, both []store.Store) {
	s.Helper()
	done, looked := make(chan error, len(both)), make(chan struct{}, 1)
	var workers []*calsync.Worker
	for _, one := range both {
		ctx, cancel := context.WithCancel(s.Context())
		s.Cleanup(cancel)
		m := &mortal{Store: one, ended: cancel}
		m.left.Store(int64(1 + s.random.IntN(40)))
		w := s.worker(m)
		w.Observe = func(l calsync.Look) {
			if l.Outcome == calsync.OutcomeRead || l.Outcome == calsync.OutcomeBegun || l.Outcome == calsync.OutcomeReset {
				cancel()
			}
			select {
			case looked <- struct{}{}:
			default: // it is known already that something has happened
			}
		}
		workers = append(workers, w)
		go func() { done <- w.Run(ctx) }()
	}
	for ended := 0; ended < len(both); {
		// A dead process's lease ends at once, and who lives is told of it.
		if err := s.worker(both[0]).Follow(s.Context(), c); err != nil {
			s.Error(err)
		}
		for _, w := range workers {
			if err := w.Poke(s.Context(), c.User, c.ID, ""); err != nil && !errors.Is(err, errKilled) {
				s.Error(err)
			}
		}
		select {
		case err := <-done:
			if err != nil {
				s.Error(err)
			}
			ended++
		case <-looked:
		}
	}
}

// calm has one process look once, with nobody killed.
func (s *story) calm(c model.Connection, one store.Store) {
	s.Helper()
	ctx, cancel := context.WithCancel(s.Context())
	defer cancel()
	w := s.worker(one)
	w.Observe = func(l calsync.Look) {
		if l.Outcome == calsync.OutcomeRead || l.Outcome == calsync.OutcomeBegun || l.Outcome == calsync.OutcomeReset {
			cancel()
		}
	}
	if err := w.Follow(s.Context(), c); err != nil {
		s.Fatal(err)
	}
	if err := w.Run(ctx); err != nil {
		s.Fatal(err)
	}
}

// wantNothingTwice: no event has two lines that say the same, one after the other, and none has more than it had
// changes.
func (s *story) wantNothingTwice(c model.Connection, seed uint64) {
	s.Helper()
	log, err := s.store.Changes(s.Context(), c.User, 0, nil, 10_000)
	if err != nil {
		s.Fatal(err)
	}
	last := map[model.UUID]model.Change{}
	lines := map[string]int{}
	for _, line := range log {
		if line.Type != model.ChangeEvent {
			continue
		}
		before, known := last[line.ID]
		if known && before.Operation == line.Operation && before.Version == line.Version {
			s.Errorf("seed %d: %+v is told twice", seed, line)
		}
		last[line.ID] = line
		ref, err := model.EventRefOf(model.RemoteID(model.KindEvent, line.Remote))
		if err != nil {
			s.Fatal(err)
		}
		lines[ref.Event]++
	}
	for id, n := range lines {
		series, _, _ := strings.Cut(id, "_")
		if most := s.changes[id] + s.changes[series]; n > most {
			s.Errorf("seed %d: %s was changed %d times and told %d times", seed, id, most, n)
		}
	}
	if len(lines) == 0 {
		s.Errorf("seed %d: nothing was told", seed)
	}
}

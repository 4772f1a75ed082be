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
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
	"almanac/internal/standin/calendar"
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
	*googleFixture
	// mu guards the rest: what is changed between two pages is changed by whoever reads them.
	mu     sync.Mutex
	random *rand.Rand
	email  string
	// ids are events that were made, and series of them.
	ids, series []string
	// changes are how often each event was changed by the story, deletions too; of a series that was split off and of
	// instances those of the series where it began count as well, as roots says.
	changes map[string]int
	roots   map[string]string
	// first are the versions of the copy's rows when it was first seen read.
	first map[string]string
}

// ask asks the stand-in, past everything that is tested.
func (s *story) ask(method, id string, query url.Values, body map[string]any) map[string]any {
	s.Helper()
	reply, err := s.calendar.Serve(wire.Call{Method: "calendar.events." + method, Account: s.email, Query: query,
		Path: map[string]string{"calendarId": "primary", "eventId": id}, Body: body, Now: s.clock.Now()})
	if err != nil && !strings.Contains(err.Error(), "410 deleted") { // a process was quicker
		s.Errorf("%s of %s: %v", method, id, err)
	}
	return reply.Body
}

// do is a change of an event.
func (s *story) do(method, id string, body map[string]any) {
	s.Helper()
	s.clock.Advance(time.Second)
	s.ask(method, id, nil, body)
	s.changes[s.root(id)]++
}

// root is the series where an event began, or the event.
func (s *story) root(id string) string {
	if root, known := s.roots[id]; known {
		return root
	}
	return id
}

func (s *story) create() {
	s.Helper()
	start := time.Date(2026, 11, 1+s.random.IntN(28), 8+s.random.IntN(8), 0, 0, 0, time.UTC)
	body := map[string]any{"summary": fmt.Sprint("event ", len(s.ids)),
		"start": map[string]any{"dateTime": start.Format(time.RFC3339), "timeZone": "UTC"},
		"end":   map[string]any{"dateTime": start.Add(time.Hour).Format(time.RFC3339), "timeZone": "UTC"}}
	if s.random.IntN(3) == 0 {
		body["recurrence"] = []any{"RRULE:FREQ=DAILY;COUNT=5"}
	}
	s.clock.Advance(time.Second)
	made, err := s.calendar.Insert(s.email, "primary", body)
	if err != nil {
		s.Error(err)
		return
	}
	id := made["id"].(string)
	if body["recurrence"] != nil {
		s.series = append(s.series, id)
	}
	s.ids = append(s.ids, id)
	s.changes[id]++
}

// step does one thing that a stranger may do, or Google itself.
func (s *story) step() {
	s.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch kind := s.random.IntN(13); {
	case len(s.ids) == 0 || kind < 4:
		s.create()
	case kind < 6:
		s.do("patch", s.ids[s.random.IntN(len(s.ids))], map[string]any{"summary": fmt.Sprint("changed ", s.random.Int())})
	case kind == 6: // the etag moves, and not the time of the change
		s.do("patch", s.ids[s.random.IntN(len(s.ids))], map[string]any{"reminders": map[string]any{"useDefault": false,
			"overrides": []any{map[string]any{"method": "popup", "minutes": 1 + s.random.IntN(100)}}}})
	case kind == 7:
		i := s.random.IntN(len(s.ids))
		id := s.ids[i]
		s.do("delete", id, nil)
		s.ids = slices.Delete(s.ids, i, i+1)
		s.series = slices.DeleteFunc(s.series, func(one string) bool { return one == id })
	case len(s.series) == 0:
	case kind == 8:
		s.do("patch", s.series[s.random.IntN(len(s.series))],
			map[string]any{"recurrence": []any{fmt.Sprint("RRULE:FREQ=DAILY;COUNT=", 3+s.random.IntN(5))}})
	default:
		s.instance(kind)
	}
	switch s.random.IntN(60) {
	case 0, 1:
		s.calendar.ExpireSyncTokens(s.email)
	case 2, 3, 4, 5:
		s.calendar.ExpirePageTokens(s.email)
	case 6:
		if err := s.calendar.Share(s.email, s.email, "owner"); err != nil { // which ends tokens, and changes nothing else
			s.Error(err)
		}
	}
}

// instance does something to an instance of a series, by the id that the stand-in has for it.
func (s *story) instance(kind int) {
	s.Helper()
	of := s.series[s.random.IntN(len(s.series))]
	shown, _ := s.ask("instances", of, url.Values{"showDeleted": {"true"}}, nil)["items"].([]any)
	if len(shown) < 2 {
		return
	}
	one, _ := shown[1+s.random.IntN(len(shown)-1)].(map[string]any)
	id, _ := one["id"].(string)
	if one["recurringEventId"] != of {
		s.Errorf("%s is an instance of %v and not of %s", id, one["recurringEventId"], of)
	}
	// A series that was made longer again after it was split has instances of the same ids as the other part. One id
	// finds one of them, and a change of the other is not to be had.
	if found := s.ask("get", id, nil, nil); found["recurringEventId"] != of || found["status"] != one["status"] {
		return
	}
	s.roots[id] = s.root(of)
	dropped := one["status"] == "cancelled"
	switch {
	case dropped && kind == 9:
		s.do("patch", id, map[string]any{"status": "confirmed"})
	case dropped:
	case kind == 9:
		s.do("delete", id, nil)
	case kind == 10: // those from it on are another series then
		made, err := s.calendar.SplitOnScreen(s.email, "primary", id, map[string]any{"summary": "split"})
		if err != nil {
			return // it was moved to before the beginning, or split there already
		}
		part := made["id"].(string)
		s.roots[part] = s.root(of)
		s.ids, s.series = append(s.ids, part), append(s.series, part)
		s.changes[s.root(of)]++
	default:
		s.do("patch", id, map[string]any{"summary": fmt.Sprint("moved ", s.random.Int())})
	}
}

// instanceOf is the id of an instance of a series, or the series' own when it has few.
func (s *story) instanceOf(of string) string {
	s.Helper()
	shown, _ := s.ask("instances", of, nil, nil)["items"].([]any)
	if len(shown) < 2 {
		return of
	}
	one, _ := shown[1+s.random.IntN(len(shown)-1)].(map[string]any)
	id, _ := one["id"].(string)
	if s.ask("get", id, nil, nil)["recurringEventId"] != of { // another part's that was split off has the same
		return of
	}
	return id
}

// restless changes the calendar between two pages of it.
type restless struct {
	calsync.Calendar
	story *story
}

func (r restless) Sync(ctx context.Context, c model.Connection, calendar string,
	place gcal.SyncPlace) (gcal.SyncPage, error) {
	page, err := r.Calendar.Sync(ctx, c, calendar, place)
	if err == nil && page.Next != "" && r.story.chance(3) {
		r.story.step()
	}
	return page, err
}

// chance is true once in n times.
func (s *story) chance(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.IntN(n) == 0
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
	raw, err := json.Marshal(s.ask("list", "", url.Values{"maxResults": {"2500"}}, nil))
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

// In whatever order a stranger changes a calendar, also between two pages of it, and two processes that sync it write
// to it, processes are killed, answers are lost or refused, and Google forgets the place, in each of the ways that are
// told of it: in the end the copy is the calendar, the log ends with what it is, and has no line twice.
func TestStories(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		const stories, rounds = 13, 8 // with two processes in each round: 208 lives
		both := open(t, 2)
		for seed := range uint64(stories) {
			h := newGoogle(t, both[0])
			h.scopes = []string{"https://www.googleapis.com/auth/calendar.events"}
			s := &story{googleFixture: h, random: rand.New(rand.NewPCG(seed, 1)), changes: map[string]int{},
				roots: map[string]string{}, email: fmt.Sprintf("dana%d@example.com", seed)}
			h.calendar.SetSwitches(calendar.Switches{PageBeforeFilter: seed%3 == 1, SeriesLast: seed%2 == 1,
				OpaqueInstanceIDs: seed%5 >= 3, DeadPagesAreGone: seed%2 == 0, DropOrphans: seed%3 == 2,
				SingleAsInstances: true})
			h.client.PageSize = 5
			w := h.worker(both[0])
			c := h.link(w, fmt.Sprint("dana", seed), s.email)
			play := func() {
				for range rounds {
					for range 1 + s.random.IntN(8) {
						s.step()
					}
					s.live(c, both)
					s.sawFirst(c)
				}
			}
			play()
			if s.first == nil { // every process was killed before it had read the calendar, so nothing had to be told
				s.calm(c, both[0])
				s.sawFirst(c)
				play()
			}
			for again := 0; again < 3; again++ { // with nobody killed
				s.calm(c, both[again%2])
			}
			if got, want := s.rows(c), s.truth(); !slices.Equal(got, want) {
				t.Fatalf("seed %d: the copy has\n%s\nand the calendar\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			s.wantToldOnce(c, seed)
		}
	})
}

// live has two processes sync the calendar until both are killed, or have read all.
func (s *story) live(c model.Connection, both []store.Store) {
	s.Helper()
	done, synced := make(chan error, len(both)), make(chan struct{}, 1)
	var workers []mortalWorker
	lives := []int64{int64(1 + s.random.IntN(40)), int64(1 + s.random.IntN(40))}
	for i, one := range both {
		ctx, cancel := context.WithCancel(s.Context())
		s.Cleanup(cancel)
		m := &mortal{Store: one, ended: cancel}
		m.left.Store(lives[i])
		w := s.worker(m)
		w.Calendar = restless{w.Calendar, s}
		w.Observe = func(l calsync.Report) {
			if l.Outcome == calsync.OutcomeRead || l.Outcome == calsync.OutcomeBegun || l.Outcome == calsync.OutcomeReset {
				cancel()
			}
			select {
			case synced <- struct{}{}:
			default: // it is known already that something has happened
			}
		}
		workers = append(workers, mortalWorker{w, m})
		go func() { done <- w.Run(ctx) }()
	}
	writers := s.writers(c, workers)
	defer writers.Wait()
	for ended := 0; ended < len(both); {
		// A dead process's lease ends at once, and who lives is told of it.
		if err := s.worker(both[0]).Follow(s.Context(), c); err != nil {
			s.Error(err)
		}
		for _, w := range workers {
			if err := w.Notify(s.Context(), c.User, c.ID, ""); err != nil && !errors.Is(err, errKilled) {
				s.Error(err)
			}
		}
		select {
		case err := <-done:
			if err != nil {
				s.Error(err)
			}
			ended++
		case <-synced:
		}
	}
}

// calm has one process sync once, with nobody killed.
func (s *story) calm(c model.Connection, one store.Store) {
	s.Helper()
	ctx, cancel := context.WithCancel(s.Context())
	defer cancel()
	w := s.worker(one)
	w.Observe = func(l calsync.Report) {
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

// versions are those of the rows of the copy that stand for something, by their ids.
func (s *story) versions(c model.Connection) map[string]string {
	s.Helper()
	all := map[string]string{}
	rows, err := s.store.AllEvents(s.Context(), c.User, 1, "", 10_000)
	if err != nil {
		s.Fatal(err)
	}
	for _, row := range rows {
		if row.Kind != model.EventDropped {
			all[row.ID] = row.Version
		}
	}
	return all
}

// sawFirst notes what the copy is once it was read.
func (s *story) sawFirst(c model.Connection) {
	s.Helper()
	calendars, err := s.store.KeptCalendars(s.Context(), c.User)
	if err != nil {
		s.Fatal(err)
	}
	if s.first == nil && len(calendars) == 1 && calendars[0].State == model.CalendarKept {
		s.first = s.versions(c)
	}
}

// wantToldOnce: no event has two lines that say the same, one after the other, none has more than it had changes, and
// the last line of each says what it is now. What has changed since the first reading has a line.
func (s *story) wantToldOnce(c model.Connection, seed uint64) {
	s.Helper()
	log, err := s.store.Changes(s.Context(), c.User, 0, nil, 10_000)
	if err != nil {
		s.Fatal(err)
	}
	last := map[string]model.Change{}
	lines := map[string]int{}
	for _, line := range log {
		if line.Type != model.ChangeEvent {
			continue
		}
		ref, err := model.EventRefOf(model.RemoteID(model.KindEvent, line.Remote))
		if err != nil {
			s.Fatal(err)
		}
		before, known := last[ref.Event]
		if known && before.Operation == line.Operation && before.Version == line.Version {
			s.Errorf("seed %d: %+v is told twice", seed, line)
		}
		last[ref.Event] = line
		lines[ref.Event]++
	}
	for id, n := range lines {
		if most := s.changes[s.root(id)]; n > most {
			s.Errorf("seed %d: %s was changed %d times and told %d times", seed, id, most, n)
		}
	}
	now := s.versions(c)
	for id, line := range last {
		if gone := line.Operation == model.OperationDeleted; gone && now[id] != "" || !gone && line.Version != now[id] {
			s.Errorf("seed %d: %s is of version %q, and the log ends with %+v", seed, id, now[id], line)
		}
	}
	for id, version := range now {
		if lines[id] == 0 && s.first[id] != version {
			s.Errorf("seed %d: %s, of version %q and now %q, was never told", seed, id, s.first[id], version)
		}
	}
	for id := range s.first {
		if now[id] == "" && lines[id] == 0 {
			s.Errorf("seed %d: %s is gone, and that was never told", seed, id)
		}
	}
	if len(lines) == 0 {
		s.Errorf("seed %d: nothing was told", seed)
	}
}

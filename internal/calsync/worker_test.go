package calsync_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
	"almanac/internal/clock"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const interval = time.Minute

// baton orders what a test does before pass with what the worker does after it, for the race detector: timers do not.
var baton atomic.Int64

// now is the time within synctest's bubbles, as the stores keep it.
func now() time.Time {
	baton.Load()
	return clock.System{}.Now()
}

// fixture is a worker before fakes, in a bubble of synctest.
type fixture struct {
	*testing.T
	store  *memoryStore
	remote *remote
	mail   *mailboxes

	mu      sync.Mutex
	reports []calsync.Report
	log     bytes.Buffer
}

func bubble(t *testing.T, test func(t *testing.T, h *fixture)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(t, &fixture{T: t, store: newMemoryStore(), remote: newRemote(now), mail: newMailboxes()})
	})
}

// worker makes one, with its defaults changed.
func (h *fixture) worker(change ...func(*calsync.Worker)) *calsync.Worker {
	w := &calsync.Worker{
		Store: h.store, Calendar: h.remote, Now: now, Interval: interval, Jitter: func() float64 { return 0 },
		Logger: slog.New(slog.NewJSONHandler(&h.log, nil)),
		Observe: func(l calsync.Report) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.reports = append(h.reports, l)
		},
	}
	for _, c := range change {
		c(w)
	}
	return w
}

// run runs a worker until it is stopped, or the test ends.
func (h *fixture) run(w *calsync.Worker) (stop func()) {
	h.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	synctest.Wait()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-ended; err != nil {
				h.Errorf("the worker ended with %v", err)
			}
		})
	}
	h.Cleanup(stop)
	return stop
}

// pass lets time go by in the bubble and waits until the worker rests.
func pass(d time.Duration) {
	baton.Add(1)
	time.Sleep(d)
	synctest.Wait()
}

// takes lets an answer of a fake take that long, in a bubble.
func takes(d time.Duration) { time.Sleep(d) }

func account(n int) model.Connection {
	return model.Connection{
		ID: model.UUID{byte(n), 1}, User: model.UserIDOf(fmt.Sprint("user", n)), Number: 3, Provider: model.ProviderGoogle,
		Account: fmt.Sprintf("user%d@example.com", n), Status: model.ConnectionConnected, LinkedAt: now(),
	}
}

// link links an account as the server does: with its calendar, in one transaction.
func (h *fixture) link(w *calsync.Worker, c model.Connection) model.Connection {
	h.Helper()
	err := h.store.Write(context.Background(), c.User, func(ctx context.Context, tx store.Tx) error {
		saved, err := tx.SaveConnection(ctx, c, model.Credentials{Refresh: []byte("sealed")})
		if err != nil {
			return err
		}
		return w.Follow(ctx, saved)
	})
	if err != nil {
		h.Fatal(err)
	}
	return c
}

// alter changes the rows of an account's user, as another part of the server would.
func (h *fixture) alter(c model.Connection, fn func(rows *userRows)) {
	h.Helper()
	err := h.store.Write(context.Background(), c.User, func(_ context.Context, tx store.Tx) error {
		fn(&tx.(*memoryTx).rows)
		return nil
	})
	if err != nil {
		h.Fatal(err)
	}
}

func (h *fixture) status(c model.Connection, status model.ConnectionStatus) {
	h.Helper()
	h.alter(c, func(rows *userRows) { rows.connections[0].Status = status })
}

func (h *fixture) state(c model.Connection) store.SyncState {
	return h.store.rows(c.User).states[stateKey{c.ID, ""}]
}

// told are the lines of the log about an account: "CREATED a", "UPDATED connection".
func (h *fixture) told(c model.Connection) []string {
	h.Helper()
	var lines []string
	for _, line := range h.store.rows(c.User).log {
		if line.Type == model.ChangeCalendar {
			continue
		}
		name := "connection"
		if line.Type == model.ChangeEvent {
			id := model.RemoteID(model.KindEvent, line.Remote)
			ref, err := model.EventRefOf(id)
			if err != nil || ref.Connection != c.Number || ref.Calendar != "" || id.UUID != line.ID {
				h.Errorf("the line %+v names %+v, %v", line, ref, err)
			}
			name = ref.Event
		} else if line.Type == model.ChangeEmail {
			id := model.RemoteID(model.KindEmail, line.Remote)
			ref, err := model.EmailRefOf(id)
			if err != nil || ref.Connection != c.Number || id.UUID != line.ID {
				h.Errorf("the line %+v names %+v, %v", line, ref, err)
			}
			name = ref.Message
		} else if line.ID != c.ID {
			h.Errorf("the line %+v is about another connection", line)
		}
		lines = append(lines, fmt.Sprintf("%s %s", line.Operation, name))
	}
	return lines
}

func (h *fixture) wantTold(c model.Connection, want ...string) {
	h.Helper()
	if got := h.told(c); !slices.Equal(got, append(h.beginning(c), want...)) {
		h.Errorf("told %q, want %q", got, want)
	}
}

// beginning is what is told before any event: that an account was linked and, when its calendar has been read, that
// what has changed meanwhile is not known.
func (h *fixture) beginning(c model.Connection) []string {
	lines := []string{"CREATED connection"}
	if calendars := h.store.rows(c.User).calendars; len(calendars) > 0 && calendars[0].State == model.CalendarKept {
		lines = append(lines, "UPDATED connection")
	}
	return lines
}

// wantCopy: the copy has the events that the calendar has, each as it is.
func (h *fixture) wantCopy(c model.Connection) {
	h.Helper()
	got, want := []string{}, []string{}
	for _, row := range h.store.rows(c.User).events {
		if row.Kind != model.EventTombstone {
			got = append(got, row.ID+" "+row.Version)
		}
	}
	h.remote.set(func(r *remote) {
		for _, e := range r.nowOf(c) {
			if e.Status != model.EventCancelled || e.IsOccurrence() {
				want = append(want, e.Ref.Event+" "+e.Version)
			}
		}
	})
	differs := func(of, from []string) []string {
		of = slices.DeleteFunc(slices.Clone(of), func(one string) bool { return slices.Contains(from, one) })
		return of[:min(len(of), 5)]
	}
	if more, less := differs(got, want), differs(want, got); len(got) != len(want) || len(more)+len(less) > 0 {
		h.Errorf("the copy has %d events, the calendar %d; beyond it has %q, and lacks %q", len(got), len(want), more, less)
	}
}

// outcomes are those of all syncs so far.
func (h *fixture) outcomes() (all []calsync.Outcome) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, sync := range h.reports {
		all = append(all, sync.Outcome)
	}
	return all
}

func TestWhatOthersChangeIsToldOnce(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.remote.put(c, "old", "1", model.EventConfirmed)
		pass(time.Hour)
		h.run(w)
		h.wantTold(c) // a baseline tells nothing
		h.remote.put(c, "new", "1", model.EventConfirmed)
		h.remote.put(c, "old", "2", model.EventTentative)
		pass(interval + 5*time.Second)
		h.wantTold(c, "CREATED new", "UPDATED old")
		h.remote.put(c, "new", "2", model.EventConfirmed)
		h.remote.put(c, "new", "3", model.EventConfirmed)
		h.remote.put(c, "old", "3", model.EventCancelled)
		pass(interval + 5*time.Second)
		want := []string{"CREATED new", "UPDATED old", "UPDATED new", "DELETED old"}
		h.wantTold(c, want...)
		pass(24 * time.Hour)
		h.wantTold(c, want...)
		h.remote.put(c, "old", "4", model.EventConfirmed) // out of the bin again
		pass(interval + 5*time.Second)
		h.wantTold(c, append(want, "CREATED old")...)
		if n := h.remote.asked("Sync"); n < 24*60*9/10 || n > 24*60+10 {
			t.Errorf("a day took %d syncs", n)
		}
		if h.log.Len() != 0 {
			t.Errorf("logged %s", h.log.String())
		}
	})
}

func TestOwnWritesAreNotToldAgain(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.run(w)
		own := func(id, version string, operation model.Operation) {
			ref := model.EventRef{Connection: c.Number, Event: id}.ID()
			h.alter(c, func(rows *userRows) {
				tx := &memoryTx{rows: *rows}
				tx.log(model.Change{Type: model.ChangeEvent, ID: ref.UUID, Remote: ref.Remote, Operation: operation,
					Version: version})
				*rows = tx.rows
			})
		}
		own("a", "1", model.OperationCreated)
		h.remote.put(c, "a", "1", model.EventConfirmed)
		own("b", "1", model.OperationCreated)
		h.remote.put(c, "b", "1", model.EventConfirmed)
		own("b", "", model.OperationDeleted)
		h.remote.put(c, "b", "2", model.EventCancelled)
		pass(interval + 5*time.Second)
		want := []string{"CREATED a", "CREATED b", "DELETED b"}
		h.wantTold(c, want...)
		// Ours, then somebody else's: theirs is told.
		own("a", "2", model.OperationUpdated)
		h.remote.put(c, "a", "2", model.EventConfirmed)
		h.remote.put(c, "a", "3", model.EventConfirmed)
		pass(interval + 5*time.Second)
		h.wantTold(c, append(want, "UPDATED a", "UPDATED a")...)
		h.mu.Lock()
		defer h.mu.Unlock()
		if last := h.reports[len(h.reports)-1]; h.reports[1].Echoes != 1 || h.reports[1].Changes != 0 || last.Changes != 1 ||
			last.Outcome != calsync.OutcomeRead {
			t.Errorf("syncs %+v", h.reports)
		}
	})
}

// waits are the times between the syncs of a worker.
func waits(at []time.Time) (all []time.Duration) {
	for i := 1; i < len(at); i++ {
		all = append(all, at[i].Sub(at[i-1]))
	}
	return all
}

func TestFailuresBackOff(t *testing.T) {
	// A state that is due waits for the next tick, of which there is one every 5 seconds.
	for name, c := range map[string]struct {
		jitter float64
		err    error
		want   []time.Duration
	}{
		"at the soonest": {0, &model.Error{Code: model.CodeUpstreamUnavailable}, []time.Duration{
			15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute,
			30 * time.Minute, 30 * time.Minute,
		}},
		"at the latest": {1, errors.New("a bug"), []time.Duration{
			30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute,
			time.Hour, time.Hour,
		}},
		"when it is asked to wait": {0, fmt.Errorf("sync: %w", &model.Error{Code: model.CodeUpstreamRateLimited,
			RetryAfter: 2 * time.Hour}), []time.Duration{2 * time.Hour, 2 * time.Hour}},
		"but not sooner": {0, &model.Error{Code: model.CodeUpstreamRateLimited, RetryAfter: time.Second},
			[]time.Duration{15 * time.Second, 30 * time.Second, time.Minute}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, h *fixture) {
				h.remote.failing = func(string, model.Connection) error { return c.err }
				w := h.worker(func(w *calsync.Worker) { w.Jitter = func() float64 { return c.jitter } })
				one := h.link(w, account(1))
				h.run(w)
				pass(5 * time.Hour)
				got := waits(h.remote.syncs)
				if len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) {
					t.Errorf("waited %v, want %v and so on", got, c.want)
				}
				if n := h.state(one).Failures; n != len(h.remote.syncs) {
					t.Errorf("%d failures are counted of %d", n, len(h.remote.syncs))
				}
				if !strings.Contains(h.log.String(), `"code":"`) || strings.Contains(h.log.String(), "@") {
					t.Errorf("logged %.400s", h.log.String())
				}
				h.remote.set(func(r *remote) { r.failing = nil })
				pass(3 * time.Hour)
				if h.state(one).Failures != 0 || h.state(one).Token == "" ||
					h.remote.syncs[len(h.remote.syncs)-1].Sub(now()) < -2*interval {
					t.Errorf("mended, it is %+v", h.state(one))
				}
			})
		})
	}
}

func TestAFailingAccountStopsNobody(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker(func(w *calsync.Worker) { w.Concurrent = 2 })
		var all []model.Connection
		for n := range 12 {
			all = append(all, h.link(w, account(n)))
		}
		h.run(w)
		h.remote.set(func(r *remote) {
			r.failing = func(_ string, c model.Connection) error {
				switch c.ID {
				case all[0].ID:
					panic("a broken event")
				case all[1].ID:
					return &model.Error{Code: model.CodeNotFound}
				}
				return nil
			}
		})
		for _, c := range all {
			h.remote.put(c, "new", "1", model.EventConfirmed)
		}
		pass(2 * interval)
		for _, c := range all[2:] {
			h.wantTold(c, "CREATED new")
		}
		h.wantTold(all[0])
		h.remote.set(func(r *remote) { r.failing = nil })
		pass(2 * interval)
		h.wantTold(all[0], "CREATED new")
		h.wantTold(all[1], "CREATED new")
		if h.remote.most > 2 {
			t.Errorf("%d syncs at once, want 2 at most", h.remote.most)
		}
	})
}

func TestAnExpiredAccountRestsUntilItIsLinkedAgain(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.run(w)
		h.remote.set(func(r *remote) {
			r.failing = func(string, model.Connection) error { // as the vault does
				h.status(c, model.ConnectionExpired)
				return &model.Error{Code: model.CodeNotConnected}
			}
		})
		pass(2 * interval)
		asked := h.remote.asked("Sync")
		pass(48 * time.Hour)
		if n := h.remote.asked("Sync"); n != asked || asked != 2 {
			t.Errorf("an expired account was asked %d times, and %d times later", asked, n-asked)
		}
		if err := w.Notify(t.Context(), c.User, c.ID, ""); err != nil || !h.state(c).NextAt.IsZero() {
			t.Errorf("a notice: %v, %+v", err, h.state(c))
		}
		h.remote.put(c, "new", "1", model.EventConfirmed)
		h.remote.set(func(r *remote) { r.failing = nil })
		h.link(w, c)
		pass(5 * time.Second)
		h.wantTold(c, "UPDATED connection", "CREATED new")
		if got := h.outcomes()[:3]; !slices.Equal(got,
			[]calsync.Outcome{calsync.OutcomeBegun, calsync.OutcomeParked, calsync.OutcomeRead}) {
			t.Errorf("syncs %v", got)
		}
	})
}

// An account that was expired when it was synced, and is linked again before that is written, is synced again.
func TestLinkedAgainWhileItIsParked(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.status(c, model.ConnectionExpired)
		h.store.failing = func(method string) error {
			if method == "Write" {
				h.store.failing = nil
				h.link(w, c)
			}
			return nil
		}
		h.run(w)
		pass(10 * time.Second)
		if got := h.outcomes(); !slices.Equal(got, []calsync.Outcome{calsync.OutcomeParked, calsync.OutcomeBegun}) {
			t.Errorf("syncs %v", got)
		}
	})
}

// The failure of a sync that began before the account was linked again does not hold up the next one.
func TestLinkedAgainWhileASyncFails(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.remote.failing = func(_ string, _ model.Connection) error {
			if h.remote.asked("Sync") > 1 {
				return nil
			}
			h.link(w, c)
			return &model.Error{Code: model.CodeNotConnected}
		}
		pass(time.Second) // so that the plans of both are not the same
		h.run(w)
		pass(5 * time.Second)
		if s := h.state(c); s.Token == "" || s.Failures != 0 {
			t.Errorf("it is %+v", s)
		}
	})
}

// A scope that is lacking, or a key that this process does not have, is not the account's end.
func TestNotConnectedButNotExpired(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.remote.failing = func(string, model.Connection) error { return &model.Error{Code: model.CodeNotConnected} }
		h.run(w)
		pass(time.Minute)
		if s := h.state(c); s.Failures != 3 || s.NextAt.IsZero() {
			t.Errorf("it is %+v", s)
		}
		h.remote.set(func(r *remote) { r.failing = nil })
		h.link(w, c)
		pass(5 * time.Second)
		if s := h.state(c); s.Failures != 0 || s.Token == "" {
			t.Errorf("linked again, it is %+v", s)
		}
	})
}

func TestAForgottenPlaceIsTold(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.remote.put(c, "gone", "1", model.EventConfirmed)
		h.run(w)
		h.remote.put(c, "a", "1", model.EventConfirmed)
		pass(interval + 5*time.Second)
		h.remote.put(c, "a", "2", model.EventConfirmed)
		h.remote.put(c, "lost", "1", model.EventConfirmed)
		h.remote.put(c, "gone", "2", model.EventCancelled)
		h.remote.set(func(r *remote) { r.epoch++ })
		pass(interval + 5*time.Second)
		// All is read anew, and held against the copy: so the differences are known, each once.
		h.wantTold(c, "CREATED a", "UPDATED a", "CREATED lost", "DELETED gone")
		h.remote.put(c, "a", "3", model.EventConfirmed)
		pass(interval + 5*time.Second)
		h.wantTold(c, "CREATED a", "UPDATED a", "CREATED lost", "DELETED gone", "UPDATED a")
		h.wantCopy(c)
		if got := h.outcomes(); !slices.Contains(got, calsync.OutcomeReset) {
			t.Errorf("syncs %v", got)
		}
	})
}

func TestUnlinkedInTheMiddle(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.run(w)
		h.remote.put(c, "a", "1", model.EventConfirmed)
		h.remote.set(func(r *remote) {
			r.answered = func(string) {
				h.alter(c, func(rows *userRows) {
					*rows = userRows{states: map[stateKey]store.SyncState{}, log: rows.log, events: rows.events}
				})
			}
		})
		pass(2 * interval)
		if got, want := h.told(c), []string{"CREATED connection", "UPDATED connection"}; !slices.Equal(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
		if got := h.outcomes(); !slices.Equal(got, []calsync.Outcome{calsync.OutcomeBegun, calsync.OutcomeGone}) {
			t.Errorf("syncs %v", got)
		}
		if err := w.Notify(t.Context(), c.User, c.ID, ""); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("notified: %v", err)
		}
		if err := w.Follow(t.Context(), c); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("followed: %v", err)
		}
	})
}

func TestAWorkerThatOnlyListens(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker(func(w *calsync.Worker) { w.Interval = 0 })
		c := h.link(w, account(1))
		h.run(w)
		pass(24 * time.Hour)
		if n := h.remote.asked("Sync"); n != 0 {
			t.Fatalf("it synced %d times", n)
		}
		if err := w.Notify(t.Context(), c.User, c.ID, ""); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := h.remote.asked("Sync"); n != 1 || h.state(c).NextAt.Sub(now()) != 30*time.Minute {
			t.Errorf("notified, it synced %d times: %+v", n, h.state(c))
		}
	})
}

func TestAWorkerThatLacksSomething(t *testing.T) {
	s, r := newMemoryStore(), newRemote(now)
	for _, w := range []*calsync.Worker{
		{Calendar: r, Now: now}, {Store: s, Now: now}, {Store: s, Calendar: r},
		{Store: s, Calendar: r, Now: now, Interval: -1},
		{Store: s, Calendar: r, Now: now, Push: &calsync.PushOptions{Address: "http://almanac.example/webhooks/google"}},
		{Store: s, Calendar: r, Now: now, Push: &calsync.PushOptions{Address: "https://almanac.example/webhooks/google"}},
	} {
		if err := w.Run(context.Background()); err == nil {
			t.Errorf("%+v ran", w)
		}
	}
}

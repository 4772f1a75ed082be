package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testSyncs(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("what is saved comes back", func(t *testing.T) { syncsKept(h.in(t)) })
	t.Run("in transactions", func(t *testing.T) { syncsInTransactions(h.in(t)) })
	t.Run("texts", func(t *testing.T) { syncsTexts(h.in(t)) })
	t.Run("claiming what is due", func(t *testing.T) { syncsClaimed(newFixture(t, open)) })
	t.Run("claimed by one of many", func(t *testing.T) { syncsClaimedParallel(newFixture(t, open), open) })
	t.Run("while connections go away", func(t *testing.T) { syncsWhileUnlinking(newFixture(t, open)) })
}

func (h *fixture) saveSync(state store.SyncState) {
	h.Helper()
	if err := h.SaveSyncState(h.ctx, state); err != nil {
		h.Fatalf("SaveSyncState: %v", err)
	}
}

func (h *fixture) syncs(connection model.UUID) []store.SyncState {
	h.Helper()
	return must(h, func() ([]store.SyncState, error) { return h.SyncStates(h.ctx, h.user, connection) })
}

func syncsKept(h *fixture) {
	h = h.as("syncs")
	connection, other := h.link(h.account("a")), h.link(h.account("b"))
	head := h.head()
	h.same("before", len(h.syncs(connection.ID)), 0)
	east := time.FixedZone("east", 7200)
	primary := store.SyncState{User: h.user, Connection: connection.ID}
	full := store.SyncState{
		User: h.user, Connection: connection.ID, Calendar: "עבודה@group.calendar.example.com",
		Token: "CPDAlvWDx70CEPDAlvWDx70CGAU=", Seen: noon.Add(1234).In(east), NextAt: noon.Add(time.Minute + 1).In(east),
		Failures: 3, Channel: "channel", Resource: "resource", ChannelEnds: noon.Add(time.Hour).In(east),
		List: `[{"Summary":"עבודה"}]`,
	}
	others := store.SyncState{User: h.user, Connection: other.ID, Calendar: full.Calendar, Token: "other"}
	upper := store.SyncState{User: h.user, Connection: connection.ID, Calendar: "Z", NextAt: noon}
	lower := store.SyncState{User: h.user, Connection: connection.ID, Calendar: "a", NextAt: noon}
	for _, state := range []store.SyncState{full, lower, upper, others, primary} {
		h.saveSync(state)
	}
	want := full
	want.Seen, want.NextAt, want.ChannelEnds = noon.Add(1000), noon.Add(time.Minute), noon.Add(time.Hour)
	h.same("by calendar, bytewise", h.syncs(connection.ID), []store.SyncState{primary, upper, lower, want})
	h.same("of the other connection", h.syncs(other.ID), []store.SyncState{others})
	bare := store.SyncState{User: h.user, Connection: connection.ID, Calendar: full.Calendar}
	h.saveSync(bare)
	h.same("replaced whole", h.syncs(connection.ID), []store.SyncState{primary, upper, lower, bare})

	old := store.SyncState{User: h.user, Connection: other.ID, Calendar: "old", NextAt: noon,
		Seen: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)}
	mail, resting := old, old
	mail.Calendar, resting.Calendar, resting.NextAt = model.MailFeed, "resting", time.Time{}
	for _, state := range []store.SyncState{old, mail, resting} {
		h.saveSync(state)
	}
	more := must(h, func() (store.FollowLag, error) { return h.FollowLag(h.ctx, noon.Add(time.Hour), 1) })
	h.same("the oldest", more.Oldest, []store.SyncState{{Connection: other.ID, Calendar: "old", Seen: old.Seen}})
	if took := noon.Add(time.Hour).Sub(old.Seen); more.Calendars < 1 || more.Total < took || more.Total > took+took/2 {
		h.Errorf("the lag is %+v", more) // other tests have calendars of their own
	}
	for _, state := range []store.SyncState{old, mail, resting} {
		if err := h.ForgetSyncState(h.ctx, h.user, state.Connection, state.Calendar); err != nil {
			h.Error(err)
		}
	}

	forget := func(calendar string) {
		h.Helper()
		if err := h.ForgetSyncState(h.ctx, h.user, connection.ID, calendar); err != nil {
			h.Errorf("ForgetSyncState: %v", err)
		}
	}
	forget("never followed")
	forget("")
	forget(full.Calendar)
	forget(full.Calendar)
	h.same("left", h.syncs(connection.ID), []store.SyncState{upper, lower})
	h.same("and of the other", h.syncs(other.ID), []store.SyncState{others})

	primary.Connection = h.ids.next()
	h.fails("of no connection", h.SaveSyncState(h.ctx, primary), store.ErrNotFound)
	primary.Connection, primary.User = connection.ID, model.UserIDOf("nobody at all")
	h.fails("of no user", h.SaveSyncState(h.ctx, primary), store.ErrNotFound)
	h.same("log", h.log(head), []string{})
}

func syncsInTransactions(h *fixture) {
	h = h.as("syncs in transactions")
	connection := h.account("a")
	state := store.SyncState{User: h.user, Connection: connection.ID, Token: "1"}
	another := h.as("another who syncs")
	anothers := store.SyncState{User: another.user, Connection: another.link(another.account("a")).ID, Token: "another's"}
	another.saveSync(anothers)
	h.write(func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.SaveConnection(ctx, connection, model.Credentials{}); err != nil {
			return err
		}
		if err := h.SaveSyncState(ctx, state); err != nil {
			return err
		}
		h.same("inside", must(h, func() ([]store.SyncState, error) { return h.SyncStates(ctx, h.user, connection.ID) }),
			[]store.SyncState{state})
		h.same("outside", len(h.syncs(connection.ID)), 0)
		stolen := anothers
		stolen.Token = "stolen"
		for what, err := range map[string]error{"save": h.SaveSyncState(ctx, stolen),
			"forget": h.ForgetSyncState(ctx, stolen.User, stolen.Connection, "")} {
			if err == nil || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrConflict) {
				h.Errorf("%s another user's in a Write: %v", what, err)
			}
		}
		return nil
	})
	h.same("committed", h.syncs(connection.ID), []store.SyncState{state})
	h.same("another's", another.syncs(anothers.Connection), []store.SyncState{anothers})
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		changed := state
		changed.Token = "2"
		return errors.Join(h.SaveSyncState(ctx, changed), h.ForgetSyncState(ctx, h.user, connection.ID, ""), errFailed)
	})
	h.fails("a failing write", err, errFailed)
	h.same("leaves it", h.syncs(connection.ID), []store.SyncState{state})
}

func syncsTexts(h *fixture) {
	h = h.as("spoils syncs")
	connection := h.link(h.account("a"))
	for _, bad := range []string{"a\x00b", "a\xffb"} {
		for _, state := range []store.SyncState{{Calendar: bad}, {Token: bad}, {Channel: bad}, {Resource: bad}} {
			state.User, state.Connection = h.user, connection.ID
			if err := h.SaveSyncState(h.ctx, state); model.CodeOf(err) != model.CodeBadUserInput {
				h.Errorf("%+v: got %v, want BAD_USER_INPUT", state, err)
			}
		}
	}
	h.same("saved", len(h.syncs(connection.ID)), 0)
	long := store.SyncState{User: h.user, Connection: connection.ID, Calendar: strings.Repeat("x", model.MaxRemote),
		Token: strings.Repeat("token", 2000)}
	h.saveSync(long)
	h.same("a long one", h.syncs(connection.ID), []store.SyncState{long})
}

// due makes a state that is due so many minutes after noon.
func (h *fixture) due(connection model.UUID, calendar string, minutes int) store.SyncState {
	h.Helper()
	state := store.SyncState{User: h.user, Connection: connection, Calendar: calendar, Token: "token of " + calendar,
		NextAt: noon.Add(time.Duration(minutes) * time.Minute)}
	h.saveSync(state)
	return state
}

func (h *fixture) claimSyncs(now, until time.Time, limit int) []store.SyncState {
	h.Helper()
	return must(h, func() ([]store.SyncState, error) { return h.ClaimSyncs(h.ctx, now, until, limit) })
}

func syncsClaimed(h *fixture) {
	one, two := h.as("due one"), h.as("due two")
	first, second, third := one.link(one.account("a")), one.link(one.account("b")), two.link(two.account("a"))
	now, until := noon, noon.Add(10*time.Minute)
	d4, d1, later := one.due(first.ID, "exactly now", 0), one.due(first.ID, "", -60), one.due(first.ID, "later", 1)
	d3, d2 := one.due(second.ID, "", -20), two.due(third.ID, "", -40)
	never := store.SyncState{User: two.user, Connection: third.ID, Calendar: "never"}
	h.saveSync(never)
	at := func(until time.Time, states ...store.SyncState) []store.SyncState {
		for i := range states {
			states[i].NextAt = until
		}
		return states
	}
	heads := []int64{one.head(), two.head()}
	h.same("none wanted", len(h.claimSyncs(now, until, 0)), 0)
	h.same("before any is due", len(h.claimSyncs(noon.Add(-2*time.Hour), until, 100)), 0)
	h.same("the longest due first, of all users, so many", h.claimSyncs(now, until, 3), at(until, d1, d2, d3))
	h.same("the rest", h.claimSyncs(now, until, 100), at(until, d4))
	h.same("none is left", len(h.claimSyncs(now, until, 100)), 0)
	h.same("as they are kept", one.syncs(first.ID), []store.SyncState{at(until, d1)[0], at(until, d4)[0], later})
	h.same("one that is never due", two.syncs(third.ID)[1], never)
	tomorrow := noon.Add(24*time.Hour + 999)
	h.same("once more when until has come", len(h.claimSyncs(until, tomorrow, 100)), 5)
	h.same("until is kept to the microsecond", two.syncs(third.ID)[0].NextAt, noon.Add(24*time.Hour))
	one.unlink(first.ID)
	h.same("of an unlinked account", len(h.claimSyncs(tomorrow, tomorrow.Add(time.Hour), 100)), 2)
	h.same("not in the log", []int64{one.head() - 1, two.head()}, heads)
}

// syncsClaimedParallel has two processes with many goroutines claim what is due: each state is claimed once, and none
// is forgotten.
func syncsClaimedParallel(h *fixture, open Open) {
	beside := open(h.T, Options{Now: h.clock.Now, Beside: h.Store})
	const users, calendars, workers = 4, 15, 10
	due := users * calendars
	for u := range users {
		user := h.as(fmt.Sprint("due at once ", u))
		connection := user.link(user.account("a"))
		for c := range calendars {
			user.due(connection.ID, fmt.Sprint(c), -1)
		}
	}
	for round := range 3 {
		now := noon.Add(time.Duration(round) * time.Hour)
		until := now.Add(time.Hour)
		var (
			wait  sync.WaitGroup
			mu    sync.Mutex
			taken []string
		)
		start := make(chan struct{})
		for worker := range workers {
			of := []store.Store{h.Store, beside}[worker%2]
			wait.Go(func() {
				<-start
				for {
					states, err := of.ClaimSyncs(h.ctx, now, until, 4)
					if err != nil {
						h.Errorf("ClaimSyncs: %v", err)
						return
					}
					mu.Lock()
					for _, state := range states {
						taken = append(taken, fmt.Sprint(state.User, state.Connection, state.Calendar))
						h.same("until", state.NextAt, until)
					}
					done := len(taken) >= due
					mu.Unlock()
					if len(states) == 0 && done {
						return
					}
				}
			})
		}
		close(start)
		wait.Wait()
		slices.Sort(taken)
		h.same("claimed, and each once", []int{len(taken), len(slices.Compact(taken))}, []int{due, due})
	}
}

// syncsWhileUnlinking claims, saves and forgets while connections come and go: nothing fails but as the contract says,
// and no state outlives its connection.
func syncsWhileUnlinking(h *fixture) {
	h = h.as("unlinks at once")
	var wait sync.WaitGroup
	stop := make(chan struct{})
	var mu sync.Mutex
	current := h.link(h.account("a")).ID
	look := func() model.UUID {
		mu.Lock()
		defer mu.Unlock()
		return current
	}
	forever := func(fn func() error) {
		wait.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := fn(); err != nil {
					h.Errorf("%v", err)
					return
				}
			}
		})
	}
	for i := range 3 {
		forever(func() error {
			err := h.SaveSyncState(h.ctx,
				store.SyncState{User: h.user, Connection: look(), Calendar: fmt.Sprint(i), NextAt: noon})
			if errors.Is(err, store.ErrNotFound) {
				return nil
			}
			return err
		})
	}
	forever(func() error { _, err := h.ClaimSyncs(h.ctx, noon, noon.Add(time.Hour), 10); return err })
	forever(func() error { return h.ForgetSyncState(h.ctx, h.user, look(), "1") })
	var gone []model.UUID
	for range 25 {
		gone = append(gone, look())
		h.unlink(look())
		fresh := h.link(h.account("a"))
		mu.Lock()
		current = fresh.ID
		mu.Unlock()
	}
	close(stop)
	wait.Wait()
	for _, connection := range gone {
		h.same("states of what is gone", len(h.syncs(connection)), 0)
	}
}

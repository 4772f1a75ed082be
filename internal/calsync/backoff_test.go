package calsync_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/internal/calsync"
	"almanac/internal/standin/calendar"
	standin "almanac/internal/standin/google"
)

// What Google refuses since an account asks too much, it would refuse of the account's other calendars too: they wait
// as long, also when they are told of changes. Other accounts do not. A calendar that is not there, or one answer that
// fails, stops nothing else.
func TestBackoffIsTheAccounts(t *testing.T) {
	for name, c := range map[string]struct {
		fault standin.Fault
		waits bool
	}{
		"403 userRateLimitExceeded": {standin.Fault{Status: http.StatusForbidden, Reason: "userRateLimitExceeded"}, true},
		"404":                       {standin.Fault{Status: http.StatusNotFound}, false},
		"503":                       {standin.Fault{Status: http.StatusServiceUnavailable}, false},
	} {
		t.Run(name, func(t *testing.T) {
			eachPlug(t, func(t *testing.T, open stores) {
				h := newGoogle(t, open(t, 1)[0])
				if err := errors.Join(h.calendar.AddAccount(calendar.Account{Email: dana, TimeZone: "UTC"}),
					h.server.AddAccount(standin.Account{Email: dana})); err != nil {
					t.Fatal(err)
				}
				team, err := h.calendar.AddCalendar(dana, calendar.Calendar{Summary: "Team", Selected: true})
				if err != nil {
					t.Fatal(err)
				}
				w := h.worker(h.store)
				account, other := h.link(w, "dana", dana), h.link(w, "noam", noam)
				h.run(w)
				for range 3 {
					h.sync(calsync.OutcomeBegun)
				}
				fault := c.fault
				fault.Method, fault.Account = "calendar.events.list", dana
				h.server.Inject(fault)
				h.clock.Advance(10 * time.Minute)
				if err := w.Notify(t.Context(), account.User, account.ID, ""); err != nil {
					t.Fatal(err)
				}
				h.sync(calsync.OutcomeFailed)
				states := map[string]store.SyncState{}
				all, err := h.store.SyncStates(t.Context(), account.User, account.ID)
				if err != nil {
					t.Fatal(err)
				}
				for _, state := range all {
					states[state.Calendar] = state
				}
				failed, others := states[""], states[team]
				if !failed.NextAt.After(h.clock.Now()) {
					t.Errorf("it is tried again at %v", failed.NextAt)
				}
				if waits := others.Failures > 0 && !others.NextAt.Before(failed.NextAt); waits != c.waits {
					t.Errorf("the other calendar waits: %v, until %v, and the one that failed until %v", waits, others.NextAt,
						failed.NextAt)
				}
				h.server.Clear()
				h.server.Reset()
				if err := w.Notify(t.Context(), account.User, account.ID, team); err != nil {
					t.Fatal(err)
				}
				if !c.waits {
					h.sync(calsync.OutcomeRead)
				}
				if err := w.Notify(t.Context(), other.User, other.ID, ""); err != nil {
					t.Fatal(err)
				}
				h.sync(calsync.OutcomeRead) // of the other account
				for _, request := range h.server.Requests() {
					if c.waits && request.Account == dana {
						t.Errorf("the account is asked %s", request.Method)
					}
				}
			})
		})
	}
}

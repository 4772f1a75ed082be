package calsync_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/internal/calsync"
	standin "almanac/internal/standin/google"
)

// requestsSince counts what the stand-in was asked of calendars since a time.
func (h *googleFixture) requestsSince(from time.Time) (n int) {
	h.Helper()
	for _, r := range h.server.Requests() {
		if !r.At.Before(from) && r.Account != "" {
			n++
		}
	}
	return n
}

// newCrowd are five accounts whose calendars were read, each of another user.
func newCrowd(t *testing.T, open stores, change func(*calsync.Worker)) (*googleFixture, *calsync.Worker,
	[]model.Connection) {
	t.Helper()
	h := newGoogle(t, open(t, 1)[0])
	h.scopes = []string{google.ScopeCalendarEvents} // so that there is nothing to sync but five calendars
	w := h.worker(h.store)
	w.Interval = time.Minute
	change(w)
	var all []model.Connection
	for i := range 5 {
		all = append(all, h.link(w, fmt.Sprint("user", i), crowdEmail(i)))
	}
	return h, w, all
}

func crowdEmail(i int) string { return fmt.Sprintf("user%d@example.com", i) }

// notified has every account synced; it waits for nothing.
func (h *googleFixture) notified(w *calsync.Worker, all []model.Connection) {
	h.Helper()
	for _, c := range all {
		if err := w.Notify(h.Context(), c.User, c.ID, ""); err != nil {
			h.Fatal(err)
		}
	}
}

// When Google refuses a request for the whole project's sake, no account is asked for any more before the time that it
// says. Who waits for an answer asks all the same. Afterwards every copy becomes right.
func TestALimitOfTheWholeProject(t *testing.T) {
	for name, fault := range map[string]standin.Fault{
		"429":               {Status: http.StatusTooManyRequests, RetryAfter: time.Minute},
		"403 rateLimit":     {Status: http.StatusForbidden, Reason: "rateLimitExceeded", Message: "Rate Limit Exceeded"},
		"403 quotaExceeded": {Status: http.StatusForbidden, Reason: "quotaExceeded", Message: "Quota exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			eachPlug(t, func(t *testing.T, open stores) {
				h, w, all := newCrowd(t, open, func(w *calsync.Worker) {
					w.Concurrent, w.Jitter = 1, func() float64 { return 0.999 }
				})
				h.run(w)
				for range all {
					h.sync(calsync.OutcomeBegun)
				}
				for i := range all {
					h.others(crowdEmail(i), "made by somebody else")
				}
				fault.Method = "*"
				h.server.Inject(fault)
				h.clock.Advance(10 * time.Minute)
				began := h.clock.Now()
				h.notified(w, all)
				if got := h.sync(calsync.OutcomeFailed); !got.Limited || got.Requests != 1 ||
					got.Code != model.CodeUpstreamRateLimited {
					t.Errorf("the first sync came to %+v", got)
				}
				for range 5 { // within half a minute, whatever comes
					h.clock.Advance(5 * time.Second)
					h.notified(w, all)
				}
				if n := h.requestsSince(began); n != 1 {
					t.Errorf("%d requests within the pause", n)
				}
				if err := w.Refresh(t.Context(), all[0], ""); model.CodeOf(err) != model.CodeUpstreamRateLimited {
					t.Errorf("who waits heard %v", err)
				}
				if got := h.sync(calsync.OutcomeFailed); !got.Limited || got.Requests == 0 {
					t.Errorf("the sync that was waited for came to %+v", got)
				}
				h.server.Clear()
				if err := w.Refresh(t.Context(), all[1], ""); err != nil {
					t.Errorf("who waits heard %v", err)
				}
				h.sync(calsync.OutcomeRead)
				h.clock.Advance(2 * time.Minute)
				h.notified(w, all)
				for range all {
					h.sync(calsync.OutcomeRead)
				}
				for i, c := range all {
					h.wantSame(c, crowdEmail(i), crowdEmail(i))
				}
			})
		})
	}
}

// A limit of one user holds up nobody else.
func TestALimitOfOneUser(t *testing.T) {
	for name, fault := range map[string]standin.Fault{
		"by its reason": {Status: http.StatusForbidden, Reason: "userRateLimitExceeded", Message: "Rate Limit Exceeded"},
		"by its message": {Status: http.StatusForbidden, Reason: "rateLimitExceeded", Message: "Quota exceeded for quota " +
			"metric 'Queries' and limit 'Queries per minute per user' of service 'calendar-json.googleapis.com'"},
	} {
		t.Run(name, func(t *testing.T) {
			eachPlug(t, func(t *testing.T, open stores) {
				h, w, all := newCrowd(t, open, func(w *calsync.Worker) { w.Concurrent = 1 })
				h.run(w)
				for range all {
					h.sync(calsync.OutcomeBegun)
				}
				fault.Method, fault.Account = "*", crowdEmail(0)
				h.server.Inject(fault)
				h.clock.Advance(10 * time.Minute)
				h.notified(w, all)
				failed := 0
				for range all {
					switch got := <-h.reports; {
					case got.Limited:
						t.Errorf("a sync came to %+v", got)
					case got.Outcome == calsync.OutcomeFailed:
						failed++
					}
				}
				if failed != 1 {
					t.Errorf("%d accounts failed", failed)
				}
			})
		})
	}
}

// No more requests are made in a minute than the ceiling allows, but by who waits, and none is forgotten.
func TestTheCeilingOfRequests(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		const perMinute = 6
		h, w, all := newCrowd(t, open, func(w *calsync.Worker) { w.RequestsPerMinute = perMinute })
		for i := range all {
			h.others(crowdEmail(i), "made by somebody else")
		}
		h.run(w)
		began := h.clock.Now()
		<-h.reports
		for range 2 * len(all) {
			if err := w.Refresh(t.Context(), all[0], ""); err != nil { // who waits is not held up, and counts
				t.Error(err)
			}
			<-h.reports
			select {
			case got := <-h.reports:
				t.Errorf("a sync came to %+v", got)
			default:
			}
			h.clock.Advance(20 * time.Second)
			h.notified(w, all)
			<-h.reports
			if n := h.requestsSince(began); n > perMinute*int(h.clock.Now().Sub(began)/time.Minute+1) {
				t.Errorf("%d requests in %v", n, h.clock.Now().Sub(began))
			}
		}
		for i, c := range all {
			h.wantSame(c, crowdEmail(i), crowdEmail(i))
		}
	})
}

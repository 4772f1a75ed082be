package gcal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/graph/model"
	standin "almanac/internal/standin/google"
)

// write is a change and what it leaves on the calendar.
type write struct {
	method string
	do     func(context.Context, *harness, model.Event) error
	// done tells whether the change was made, by what the stand-in holds.
	done func(*harness, model.Event) bool
}

func writes() map[string]write {
	patch := func(options func(model.Event) ChangeOptions) func(context.Context, *harness, model.Event) error {
		return func(ctx context.Context, h *harness, e model.Event) error {
			got, err := h.Patch(ctx, h.connection, e.Ref, Patch{Summary: ptr("Chess")}, options(e))
			if err == nil && got.Summary != "Chess" {
				h.t.Errorf("the answer is %+v", got)
			}
			return err
		}
	}
	patched := func(h *harness, e model.Event) bool { return h.stored(e.Ref.Event).Summary == "Chess" }
	remove := func(options func(model.Event) ChangeOptions) func(context.Context, *harness, model.Event) error {
		return func(ctx context.Context, h *harness, e model.Event) error {
			_, err := h.Delete(ctx, h.connection, e.Ref, options(e))
			return err
		}
	}
	removed := func(h *harness, e model.Event) bool { return h.stored(e.Ref.Event).Status == "cancelled" }
	plainly := func(model.Event) ChangeOptions { return ChangeOptions{Fields: FieldSummary} }
	ifVersion := func(e model.Event) ChangeOptions {
		return ChangeOptions{Fields: FieldSummary, IfVersion: e.Version, Known: &e}
	}
	return map[string]write{
		"insert": {
			"calendar.events.insert",
			func(ctx context.Context, h *harness, _ model.Event) error {
				got, _, err := h.Insert(ctx, h.connection, "",
					NewEvent{Event: h.event("New"), SourceID: "neuevent0", Fields: FieldSummary})
				if err == nil && (got.Summary != "New" || got.Ref.Event != "neuevent0") {
					h.t.Errorf("the answer is %+v", got)
				}
				return err
			},
			func(h *harness, _ model.Event) bool { return h.stored("neuevent0") != nil },
		},
		"patch":             {"calendar.events.patch", patch(plainly), patched},
		"patch if version":  {"calendar.events.patch", patch(ifVersion), patched},
		"delete":            {"calendar.events.delete", remove(plainly), removed},
		"delete if version": {"calendar.events.delete", remove(ifVersion), removed},
	}
}

// TestFaultsOfWrites strikes each write with each fault: the error says what happened, and nothing is done twice.
func TestFaultsOfWrites(t *testing.T) {
	rate := standin.Fault{Status: 429, Domain: "usageLimits", Reason: "rateLimitExceeded"}
	slow, long := rate, rate
	slow.RetryAfter, long.RetryAfter = 5*time.Second, 10*time.Minute
	for name, f := range map[string]struct {
		fault standin.Fault
		once  model.ErrorCode // what comes of it when it strikes once
		ever  model.ErrorCode // and when it strikes always
		done  bool            // although it strikes always
		after time.Duration   // RetryAfter of the error
	}{
		"429":                           {fault: rate, ever: model.CodeUpstreamRateLimited},
		"429, to be tried in 5 seconds": {fault: slow, ever: model.CodeUpstreamRateLimited, after: 5 * time.Second},
		"429, to be tried in 10 minutes": {fault: long, once: model.CodeUpstreamRateLimited,
			ever: model.CodeUpstreamRateLimited, after: 10 * time.Minute},
		"403, too fast": {fault: standin.Fault{Status: 403, Domain: "usageLimits",
			Reason: "userRateLimitExceeded"}, ever: model.CodeUpstreamRateLimited},
		"403, no right": {fault: standin.Fault{Status: 403, Domain: "calendar",
			Reason: "requiredAccessLevel"}, once: model.CodeUpstreamRejected, ever: model.CodeUpstreamRejected},
		"500":                   {fault: standin.Fault{Status: 500}, ever: model.CodeUpstreamUnavailable},
		"503":                   {fault: standin.Fault{Status: 503}, ever: model.CodeUpstreamUnavailable},
		"502 in HTML":           {fault: standin.Fault{HTML: true}, ever: model.CodeUpstreamUnavailable},
		"connection reset":      {fault: standin.Fault{Reset: true}, ever: model.CodeUpstreamUnavailable},
		"answer lost":           {fault: standin.Fault{LoseAnswer: true}, done: true},
		"answer cut":            {fault: standin.Fault{Truncate: true}, done: true},
		"no answer for an hour": {fault: standin.Fault{Latency: time.Hour}, ever: model.CodeTimeout},
	} {
		for kind, w := range writes() {
			for _, times := range []int{1, 0} {
				t.Run(name+"/"+kind+map[int]string{0: "/always", 1: "/once"}[times], func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						h := newHarness(t, builder{})
						e := h.make(h.event("Swimming"))
						h.server.Reset()
						fault := f.fault
						fault.Method, fault.Times = w.method, times
						h.server.Inject(fault)
						err := w.do(t.Context(), h, e)
						want, done := f.ever, f.done
						if times == 1 {
							want = f.once
							done = want == ""
						}
						code(t, err, want)
						if got := w.done(h, e); got != done {
							t.Errorf("done: %t, want %t, after %v", got, done, err)
						}
						var shown *model.Error
						if errors.As(err, &shown) && shown.RetryAfter != f.after && (f.after != 0 || shown.RetryAfter > time.Minute) {
							t.Errorf("to be tried again in %v, want %v", shown.RetryAfter, f.after)
						}
						if want == model.CodeUpstreamRejected && shown.Reason != "requiredAccessLevel" {
							t.Errorf("Google's reason is not passed on: %+v", shown)
						}
						if errors.Is(err, ErrUnknownOutcome) {
							t.Errorf("the outcome is called unknown, though it could be read: %v", err)
						}
						rows := 1
						if w.method == "calendar.events.insert" && done {
							rows++
						}
						if w.method == "calendar.events.delete" && done {
							rows--
						}
						if all := h.all(); len(all) != rows {
							t.Errorf("%d events are there, want %d", len(all), rows)
						}
						h.neverReplaces()
					})
				})
			}
		}
	}
}

// TestAnUnknownOutcomeIsSaid loses every answer, those of reading back too.
func TestAnUnknownOutcomeIsSaid(t *testing.T) {
	for kind, w := range writes() {
		t.Run(kind, func(t *testing.T) {
			h := newHarness(t, builder{})
			e := h.make(h.event("Swimming"))
			reads := 0
			if kind == "patch" || kind == "delete" {
				reads = 1 // of the event as it is, before the change
			}
			h.server.Inject(standin.Fault{Method: w.method, Status: 500})
			h.server.Inject(standin.Fault{Method: "calendar.events.get", After: reads, Status: 403, Reason: "forbidden"})
			err := w.do(t.Context(), h, e)
			if !errors.Is(err, ErrUnknownOutcome) || model.CodeOf(err) != model.CodeUpstreamUnavailable {
				t.Fatalf("got %v", err)
			}
			if w.done(h, e) {
				t.Error("it was done")
			}
		})
	}
}

func TestARevokedGrant(t *testing.T) {
	for kind, w := range writes() {
		t.Run(kind, func(t *testing.T) {
			h := newHarness(t, builder{})
			e := h.make(h.event("Swimming"))
			h.server.RevokeGrant(me)
			err := w.do(t.Context(), h, e)
			code(t, err, model.CodeNotConnected)
			var shown *model.Error
			if !errors.As(err, &shown) || shown.ConnectURL == "" {
				t.Errorf("it does not say where to link again: %+v", shown)
			}
			if h.vault.expired == "" {
				t.Error("the connection is not marked")
			}
			if _, err := h.Events(t.Context(), h.connection, "", Query{}); model.CodeOf(err) != model.CodeNotConnected {
				t.Errorf("a list gives %v", err)
			}
		})
	}
}

// TestTheCallersTimeEnds gives up after a second, while the answer takes two.
func TestTheCallersTimeEnds(t *testing.T) {
	for kind, w := range writes() {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, builder{})
				e := h.make(h.event("Swimming"))
				h.server.Inject(standin.Fault{Method: w.method, Latency: 2 * time.Second})
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				err := w.do(ctx, h, e)
				code(t, err, model.CodeTimeout)
				if !errors.Is(err, ErrUnknownOutcome) {
					t.Errorf("whether it was done cannot be known, and it is not said: %v", err)
				}
			})
		})
	}
}

// TestAnIdUsedBefore is about inserts that meet their own id.
func TestAnIdUsedBefore(t *testing.T) {
	h := newHarness(t, builder{})
	ask := NewEvent{Event: h.event("Swimming", "RRULE:FREQ=WEEKLY;BYDAY=SU"), SourceID: "event00001", Fields: FieldSummary}
	ask.Event.Attendees = []model.Attendee{{Email: "bob@example.com"}}
	first, existed, err := h.Insert(t.Context(), h.connection, "", ask)
	if err != nil || existed {
		t.Fatal(existed, err)
	}
	again, existed, err := h.Insert(t.Context(), h.connection, "", ask)
	if err != nil || !existed || again.Ref != first.Ref || again.Version != first.Version {
		t.Errorf("again: %+v, existed %t, %v", again, existed, err)
	}
	for name, spoil := range map[string]func(*model.Event){
		"title": func(e *model.Event) { e.Summary = "Chess" },
		"times": func(e *model.Event) { e.End.At = e.End.At.Add(time.Minute) },
		"rule":  func(e *model.Event) { e.Recurrence = []string{"RRULE:FREQ=DAILY"} },
		"guest": func(e *model.Event) { e.Attendees = []model.Attendee{{Email: "carol@example.com"}} },
		"place": func(e *model.Event) { e.Location = "Pool" },
	} {
		other := ask
		spoil(&other.Event)
		if _, _, err := h.Insert(t.Context(), h.connection, "", other); model.CodeOf(err) != model.CodeConflict {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if rows := h.all(); len(rows) != 1 {
		t.Errorf("%d events are there", len(rows))
	}
	if _, err := h.Delete(t.Context(), h.connection, first.Ref, ChangeOptions{}); err != nil {
		t.Fatal(err)
	}
	_, _, err = h.Insert(t.Context(), h.connection, "", ask)
	code(t, err, model.CodeConflict)
}

// TestAnAnswerThatCannotBeRead garbles the answers of writes that were made.
func TestAnAnswerThatCannotBeRead(t *testing.T) {
	for kind, w := range writes() {
		if w.method == "calendar.events.delete" {
			continue // its answer is empty
		}
		t.Run(kind, func(t *testing.T) {
			h := newHarness(t, builder{})
			e := h.make(h.event("Swimming"))
			judged := h.base
			h.base = transport(func(r *http.Request) (*http.Response, error) {
				answer, err := judged.RoundTrip(r)
				if err == nil && r.Method != http.MethodGet {
					_ = answer.Body.Close()
					answer.Body, answer.ContentLength = io.NopCloser(strings.NewReader(`{"id":5}`)), -1
					answer.Header.Del("Content-Length")
				}
				return answer, err
			})
			if err := w.do(t.Context(), h, e); err != nil {
				t.Errorf("the change was made and can be read back, but: %v", err)
			}
			if !w.done(h, e) {
				t.Error("it was not done")
			}
		})
	}
}

// TestFaultsOfReads strikes a list: once it is read all the same, always it says why not.
func TestFaultsOfReads(t *testing.T) {
	for name, c := range map[string]struct {
		fault      standin.Fault
		once, ever model.ErrorCode
	}{
		"429": {standin.Fault{Status: 429, Domain: "usageLimits", Reason: "rateLimitExceeded"}, "",
			model.CodeUpstreamRateLimited},
		"500":              {standin.Fault{Status: 500}, "", model.CodeUpstreamUnavailable},
		"503":              {standin.Fault{Status: 503}, "", model.CodeUpstreamUnavailable},
		"502 in HTML":      {standin.Fault{HTML: true}, "", model.CodeUpstreamUnavailable},
		"connection reset": {standin.Fault{Reset: true}, "", model.CodeUpstreamUnavailable},
		"answer lost":      {standin.Fault{LoseAnswer: true}, "", model.CodeUpstreamUnavailable},
		"answer cut":       {standin.Fault{Truncate: true}, "", model.CodeUpstreamUnavailable},
		"no answer":        {standin.Fault{Latency: time.Hour}, "", model.CodeTimeout},
		"403, no right": {standin.Fault{Status: 403, Domain: "global", Reason: "forbidden"}, model.CodeUpstreamRejected,
			model.CodeUpstreamRejected},
	} {
		for times, want := range map[int]model.ErrorCode{1: c.once, 0: c.ever} {
			t.Run(fmt.Sprint(name, " ", times), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					h := newHarness(t, builder{})
					h.make(h.event("Swimming"))
					fault := c.fault
					fault.Method, fault.Times = "calendar.events.list", times
					h.server.Inject(fault)
					got, err := h.Events(t.Context(), h.connection, "", Query{Fields: FieldSummary})
					code(t, err, want)
					if err == nil && summaries(got.Events) != "Swimming" {
						t.Errorf("got %v", got.Events)
					}
				})
			})
		}
	}
}

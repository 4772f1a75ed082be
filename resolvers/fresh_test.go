package resolvers_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/standin/calendar"
	standin "almanac/internal/standin/google"
)

// everyReading asks everything that says how fresh it is.
func everyReading(freshness string) string {
	return strings.ReplaceAll(`{
		events(freshness: HOW) { nodes { summary asOf } context { asOf notes { code account calendarId message } } }
		eventInstances(id: "STANDUP", freshness: HOW) { nodes { summary } context { asOf notes { code } } }
		eventConflicts(freshness: HOW) { count context { asOf notes { code } } }
		freeBusy(freshness: HOW) { isFree context { asOf notes { code } } }
		agenda(kinds: [EVENT], freshness: HOW) { asOf notes { code account } counts { events } }
		event(id: "STANDUP", freshness: HOW) { summary asOf }
	}`, "HOW", freshness)
}

// What is kept is read at once, however Google is: without a request, and with the same answers. Who wants to be sure
// has Google asked first, which ends in time, and says what was not heard.
func TestFreshness(t *testing.T) {
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			h := keptHarness(t, open)
			standup := standupID()
			ask := func(freshness string) (answer string, asked int) {
				answer = h.answers(t, strings.ReplaceAll(everyReading(freshness), "STANDUP", standup))
				return answer, len(h.google.server.Requests())
			}
			was, asked := ask("KEPT")
			if asked > 0 || strings.Contains(was, `"errors"`) || strings.Count(was, `"notes":[]`) != 5 ||
				strings.Count(was, `"asOf":"2026-11-22T10:00:00+02:00"`) < 7 {
				t.Errorf("with %d requests: %s", asked, was)
			}
			for what, fault := range map[string]standin.Fault{
				"300 ms": {Method: "*", Latency: 300 * time.Millisecond}, "5 s": {Method: "*", Latency: 5 * time.Second},
				"away": {Method: "*", Status: 503}, "gone": {Method: "*", Reset: true},
			} {
				var slow atomic.Int64
				h.google.wait = func(context.Context) error { slow.Add(1); return nil }
				h.google.server.Inject(fault)
				if now, asked := ask("KEPT"); now != was || asked > 0 || slow.Load() > 0 {
					t.Errorf("with Google %s and %d requests: %s, not %s", what, asked, now, was)
				}
				h.google.server.Clear()
			}
			h.google.wait = nil

			// Somebody else adds an event.
			h.clock.Advance(time.Minute)
			if err := h.google.do(t.Context(), `event alice@example.com {"id": "added00", "summary": "Added", `+
				`"start": {"dateTime": "2026-11-23T15:00:00+02:00"}, "end": {"dateTime": "2026-11-23T16:00:00+02:00"}}`); err != nil {
				t.Fatal(err)
			}
			if now, asked := ask("KEPT"); now != was || asked > 0 {
				t.Errorf("with %d requests: %s, not %s", asked, now, was)
			}
			checked, asked := ask("CHECKED")
			if asked == 0 || !strings.Contains(checked, "Added") || strings.Contains(checked, `"errors"`) ||
				strings.Count(checked, `"notes":[]`) != 5 || strings.Contains(checked, `"asOf":"2026-11-22T10:00:00`) {
				t.Errorf("with %d requests: %s", asked, checked)
			}
			if again, asked := ask("CHECKED"); again != checked || asked > 0 {
				t.Errorf("at once again, with %d requests: %s", asked, again)
			}

			// Google is away, and who asks is told.
			h.clock.Advance(time.Minute)
			h.google.server.Inject(standin.Fault{Method: "*", Status: 503})
			away, _ := ask("CHECKED")
			if !strings.Contains(away, "Added") || strings.Count(away, `"code":"UPSTREAM_UNAVAILABLE"`) < 5 ||
				!strings.Contains(away, `"asOf":"2026-11-22T10:01:00+02:00"`) || !strings.Contains(away, `"account":"alice@example.com"`) {
				t.Errorf("with Google away: %s", away)
			}
			h.google.server.Clear()
			if back, asked := ask("CHECKED"); asked == 0 || strings.Count(back, `"notes":[]`) != 5 {
				t.Errorf("with Google back, %d requests: %s", asked, back)
			}

			// Nobody has looked for long.
			h.clock.Advance(3 * time.Hour)
			if old, asked := ask("KEPT"); asked > 0 || strings.Count(old, `"code":"UPSTREAM_UNAVAILABLE"`) != 5 {
				t.Errorf("after three hours, with %d requests: %s", asked, old)
			}
		})
	}
}

// A Google that does not answer at all is waited for no longer than is promised.
func TestCheckingEnds(t *testing.T) {
	h := keptHarness(t, harnesses()[0])
	h.clock.Advance(time.Minute)
	h.google.wait = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	h.google.server.Inject(standin.Fault{Method: "*", Latency: time.Hour})
	began := time.Now()
	got := h.answers(t, `{ events(freshness: CHECKED) { nodes { summary } context { notes { code } } } }`)
	if took := time.Since(began); took > 8*time.Second || !strings.Contains(got, "Standup") ||
		!strings.Contains(got, `"code":"UPSTREAM_UNAVAILABLE"`) {
		t.Errorf("after %s: %s", took, got)
	}
}

// The list of calendars is kept as well: it is there without a request, whole, while Google is away, and of an account
// that must be linked again beside others. Who wants to be sure has it synced, and is told when that fails.
func TestCalendarsAreKept(t *testing.T) {
	const list = `{ calendars(freshness: HOW) { sourceId summary selected followed state asOf } }`
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			h := keptHarness(t, open)
			for _, line := range []string{`calendar alice@example.com {"Summary": "Team", "Selected": true}`,
				`calendar alice@example.com {"Summary": "Old plans"}`, `link alice second@example.com`} {
				if err := h.google.do(t.Context(), line); err != nil {
					t.Fatal(err)
				}
			}
			ask := func(how string, asks int, has ...string) string {
				t.Helper()
				got := h.answers(t, strings.ReplaceAll(list, "HOW", how))
				if n := len(h.google.server.Requests()); n != asks {
					t.Errorf("%s asks %d times: %v", how, n, h.google.asked())
				}
				for _, one := range has {
					if !strings.Contains(got, one) {
						t.Errorf("%s answers %s, without %s", how, got, one)
					}
				}
				return got
			}
			h.clock.Advance(time.Minute)
			if err := h.google.sync(t.Context()); err != nil {
				t.Fatal(err)
			}
			was := ask("KEPT", 0, `{"sourceId":"alice@example.com","summary":"alice@example.com","selected":true,"followed":true,`+
				`"state":"KEPT","asOf":"2026-11-22T08:01`, "Team", "Old plans", "second@example.com")
			if err := h.google.do(t.Context(), `calendar alice@example.com {"Summary": "New plans"}`); err != nil {
				t.Fatal(err)
			}
			if now := ask("KEPT", 0); now != was {
				t.Errorf("it is %s, and was %s", now, was)
			}
			ask("CHECKED", 0) // it was synced just now
			h.clock.Advance(time.Minute)
			was = ask("CHECKED", 2, "New plans")
			h.google.server.Inject(standin.Fault{Method: "*", Status: 503})
			h.clock.Advance(time.Minute)
			if now := ask("KEPT", 0); now != was {
				t.Errorf("with Google away it is %s, and was %s", now, was)
			}
			got := h.answers(t, strings.ReplaceAll(list, "HOW", "CHECKED"))
			if !strings.Contains(got, "UPSTREAM_UNAVAILABLE") || !strings.Contains(got, "New plans") {
				t.Errorf("with Google away, CHECKED answers %s", got)
			}
			h.google.server.Clear()
			h.clock.Advance(time.Hour)
			if err := h.google.do(t.Context(), `revoke second@example.com`); err != nil {
				t.Fatal(err)
			}
			got = h.answers(t, strings.ReplaceAll(list, "HOW", "CHECKED")) // which finds it out
			if strings.Count(got, "NOT_CONNECTED") != 1 || !strings.Contains(got, "second@example.com") {
				t.Errorf("with a grant that has ended: %s", got)
			}
			if now := ask("KEPT", 0, "second@example.com", "New plans"); strings.Contains(now, "errors") {
				t.Errorf("with one that must be linked again: %s", now)
			}
		})
	}
}

// Without calendarIds the calendars that are ticked on Google's own screen are read beside the primary one, from what
// is kept; those that are not ticked are not. Of a ticked one that was not read yet nobody knows when it is free
// without asking.
func TestTickedCalendarsCount(t *testing.T) {
	const query = `{ events(first: 50) { nodes { summary } }
		agenda(kinds: [EVENT]) { entries { title } }
		eventConflicts(timeMin: "2026-11-23T00:00+02:00", timeMax: "2026-11-24T00:00+02:00") { count }
		freeBusy(timeMin: "2026-11-23T00:00+02:00", timeMax: "2026-11-24T00:00+02:00") { busy { start end } } }`
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			h := keptHarness(t, open)
			for name, ticked := range map[string]bool{"team": true, "club": false} {
				made, err := h.google.calendar.AddCalendar("alice@example.com", calendar.Calendar{Summary: name, Selected: ticked})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := h.google.calendar.Insert("alice@example.com", made, map[string]any{"summary": "Of the " + name,
					"start": map[string]any{"dateTime": "2026-11-23T12:30:00+02:00"},
					"end":   map[string]any{"dateTime": "2026-11-23T15:00:00+02:00"}}); err != nil {
					t.Fatal(err)
				}
			}
			// The list is known, and nothing of the calendar.
			h.clock.Advance(time.Minute)
			h.answers(t, `{ calendars(freshness: CHECKED) { id } }`)
			for i, asked := range []bool{true, false} {
				got := h.answers(t, query)
				if n := len(h.google.server.Requests()); n > 0 != asked {
					t.Errorf("it asks %d times: %v", n, h.google.asked())
				}
				if strings.Count(got, "Of the team") != 2 || strings.Contains(got, "Of the club") ||
					!strings.Contains(got, `"eventConflicts":{"count":1}`) ||
					!strings.Contains(got, `{"start":"2026-11-23T12:00:00+02:00","end":"2026-11-23T15:00:00+02:00"}]`) {
					t.Errorf("reading %d answers %s", i, got)
				}
				if err := h.google.sync(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			h.google.server.Inject(standin.Fault{Method: "*", Status: 503})
			if got := h.answers(t, query); strings.Count(got, "Of the team") != 2 || strings.Contains(got, `"errors"`) {
				t.Errorf("with Google away: %s", got)
			}
			if got := h.answers(t, `{ events(filter: { account: "alice@example.com" }) { nodes { summary } } }`); !strings.Contains(
				got, "Of the team") {
				t.Errorf("of the account: %s", got)
			}
		})
	}
}

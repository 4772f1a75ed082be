package gcal

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"almanac/graph/model"
	standin "almanac/internal/standin/google"
	"almanac/projections/when"
)

// TestNothingShifts makes 200 events in many zones, reads each, changes its title, and reads it again: by itself, in a
// list, and past the adapter.
func TestNothingShifts(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 42))
	zones := []string{"Asia/Jerusalem", "America/New_York", "Europe/Copenhagen", "Australia/Lord_Howe", "Pacific/Auckland",
		"Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu", "UTC", "America/St_Johns"}
	harnesses := map[string]*harness{}
	for n := range 200 {
		home, name := zones[random.IntN(len(zones))], zones[random.IntN(len(zones))]
		h := harnesses[home]
		if h == nil {
			h = newHarness(t, builder{zone: home})
			harnesses[home] = h
		}
		zone, err := when.LoadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, zone).Add(time.Duration(random.IntN(365*24*60)) * time.Minute)
		if random.IntN(3) == 0 { // beside a change of clocks
			if _, end := start.ZoneBounds(); !end.IsZero() {
				start = end.Add(time.Duration(random.IntN(240)-120) * time.Minute)
			}
		}
		var e model.Event
		switch random.IntN(4) {
		case 0: // all-day, one day or several
			e.Start = model.EventTime{Date: model.DateOf(start)}
			e.End = model.EventTime{Date: e.Start.Date.AddDays(1 + random.IntN(4))}
		case 1: // several days
			e.Start, e.End = model.EventTime{At: start.UTC(), Zone: name},
				model.EventTime{At: start.Add(60 * time.Hour).UTC(), Zone: name}
		case 2: // that begins in one zone and ends in another
			e.Start, e.End = model.EventTime{At: start.UTC(), Zone: name},
				model.EventTime{At: start.Add(11 * time.Hour).UTC(), Zone: home}
		default: // at midnight
			begin := when.Instant(model.DateOf(start).Midnight(), zone)
			e.Start, e.End = model.EventTime{At: begin, Zone: name}, model.EventTime{At: begin.Add(30 * time.Minute), Zone: name}
		}
		e.Summary = fmt.Sprint("event ", n)
		made := h.make(e)
		read, err := h.Event(t.Context(), h.connection, made.Ref, FieldTimes)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{Summary: ptr("changed")},
			ChangeOptions{Fields: FieldTimes})
		if err != nil {
			t.Fatal(err)
		}
		again, err := h.Event(t.Context(), h.connection, made.Ref, FieldTimes)
		if err != nil {
			t.Fatal(err)
		}
		stored := h.stored(made.Ref.Event)
		direct, err := readTime(stored.Start)
		if err != nil {
			t.Fatal(err)
		}
		for what, got := range map[string]model.Event{"made": made, "read": read, "changed": changed, "read again": again,
			"stored": {Start: direct, End: again.End}} {
			if got.Start != e.Start || got.End != e.End {
				t.Errorf("%d, %s: %+v–%+v, want %+v–%+v", n, what, got.Start, got.End, e.Start, e.End)
			}
		}
		// What is read can be written back: to itself, and to the same times elsewhere.
		back, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{Start: &again.Start, End: &again.End},
			ChangeOptions{Fields: FieldTimes})
		if err != nil || back.Start != e.Start || back.End != e.End {
			t.Errorf("%d, written back: %+v–%+v, %v", n, back.Start, back.End, err)
		}
	}
}

// TestManyAtOnce has fifty goroutines at one account, while Google refuses some of their calls and loses answers.
func TestManyAtOnce(t *testing.T) {
	h := newHarness(t, builder{})
	shared := h.event("Shared")
	shared.Attendees = []model.Attendee{{Email: me}}
	common := h.make(shared)
	for _, method := range []string{"insert", "patch", "delete", "get", "list"} {
		h.server.Inject(standin.Fault{Method: "calendar.events." + method, Status: 429, Domain: "usageLimits",
			Reason: "rateLimitExceeded", After: 7, Times: 3})
	}
	h.server.Inject(standin.Fault{Method: "calendar.events.insert", LoseAnswer: true, After: 20, Times: 2})
	var group sync.WaitGroup
	for n := range 50 {
		group.Go(func() {
			e := h.event(fmt.Sprint("event ", n))
			e.Start.At, e.End.At = e.Start.At.Add(time.Duration(n)*time.Hour), e.End.At.Add(time.Duration(n)*time.Hour)
			made, _, err := h.Insert(t.Context(), h.connection, "",
				NewEvent{Event: e, SourceID: fmt.Sprintf("abcde%d", n), Fields: FieldSummary})
			if err != nil {
				t.Errorf("%d: insert: %v", n, err)
				return
			}
			if _, err := h.Patch(t.Context(), h.connection, made.Ref, Patch{Location: ptr("here")},
				ChangeOptions{}); err != nil {
				t.Errorf("%d: patch: %v", n, err)
			}
			// All change one event: each change is made on a version that was there, or refused.
			if _, err := h.Patch(t.Context(), h.connection, common.Ref, Patch{Answer: ptr(model.Accepted)},
				ChangeOptions{}); err != nil && model.CodeOf(err) != model.CodeConflict {
				t.Errorf("%d: the shared one: %v", n, err)
			}
			if _, err := h.Events(t.Context(), h.connection, "",
				Query{From: e.Start.At, To: e.End.At, Fields: FieldSummary}); err != nil {
				t.Errorf("%d: list: %v", n, err)
			}
			if n%2 == 0 {
				if _, err := h.Delete(t.Context(), h.connection, made.Ref, ChangeOptions{}); err != nil {
					t.Errorf("%d: delete: %v", n, err)
				}
			}
		})
	}
	group.Wait()
	if rows := h.all(); len(rows) != 26 {
		t.Errorf("%d events are there, want 25 and the shared one", len(rows))
	}
	h.neverReplaces()
}

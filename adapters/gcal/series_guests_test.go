package gcal

import (
	"errors"
	"strings"
	"testing"
	"time"

	api "google.golang.org/api/calendar/v3"

	"almanac/graph/model"
)

// TestSomebodyElsesSeries is cut by a guest, who may not.
func TestSomebodyElsesSeries(t *testing.T) {
	h := newHarness(t, builder{})
	h.add("bob@example.com", "UTC")
	h.link("bob@example.com")
	e := h.event("Training", "RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=8")
	e.Attendees = []model.Attendee{{Email: me}, {Email: "bob@example.com"}}
	series := h.make(e)
	bob := connectionOf("bob@example.com", 2)
	occurrence := series.Ref.CalendarRef().Event(series.Ref.Event + "_20261206T160000Z")
	h.server.Reset()
	for name, err := range map[string]error{
		"truncate": func() error {
			_, err := h.Truncate(t.Context(), bob, series.Ref, timed(t, "2026-12-06T16:00:00Z", ""), ChangeOptions{})
			return err
		}(),
		"following": func() error {
			_, err := h.PatchFollowing(t.Context(), bob, occurrence, Patch{Summary: ptr("Mine")},
				ChangeOptions{NewSourceID: h.newID()})
			return err
		}(),
	} {
		var shown *model.Error
		if !errors.As(err, &shown) || shown.Code != model.CodeUpstreamRejected || shown.Reason != "forbiddenForNonOrganizer" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(h.requests("patch"))+len(h.requests("insert"))+len(h.requests("delete")) != 0 {
		t.Error("something was sent")
	}
}

// TestAttendeesThatAreNotAllShown are never written back.
func TestAttendeesThatAreNotAllShown(t *testing.T) {
	s := &session{client: &Client{}, connection: connectionOf(me, 1)}
	there := &api.Event{AttendeesOmitted: true, Attendees: []*api.EventAttendee{{Email: me, Self: true}}}
	for _, p := range []Patch{{Answer: ptr(model.Accepted)}, {Attendees: &[]model.Attendee{{Email: me}}}} {
		body := &api.Event{}
		code(t, s.patchAttendees(body, p, there), model.CodeBadUserInput)
		if body.Attendees != nil {
			t.Error("they are written all the same")
		}
	}
	body := &api.Event{}
	if err := s.patchAttendees(body, Patch{Summary: ptr("x")}, there); err != nil || body.Attendees != nil {
		t.Errorf("another change is held up: %v", err)
	}
}

// TestLeftOut looks at what was deleted by itself: where the series has it, and nothing else.
func TestLeftOut(t *testing.T) {
	h := newHarness(t, builder{})
	hours := h.make(h.event("Training", "RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=8", "EXDATE:20261213T160000Z"))
	days := h.event("Fast", "RRULE:FREQ=DAILY;COUNT=4")
	days.Start, days.End = day(t, "2026-11-22"), day(t, "2026-11-23")
	whole := h.make(days)
	for _, of := range []struct {
		series    model.Event
		cancelled []string
		renamed   string
		want      string
	}{
		{hours, nil, "_20261129T160000Z", ""},
		{hours, []string{"_20261220T160000Z", "_20261122T160000Z"}, "_20261206T160000Z",
			"EXDATE:20261122T160000Z,20261220T160000Z"},
		{whole, []string{"_20261124"}, "_20261125", "EXDATE;VALUE=DATE:20261124"},
	} {
		at := func(suffix string) model.EventRef {
			return of.series.Ref.CalendarRef().Event(of.series.Ref.Event + suffix)
		}
		for _, suffix := range of.cancelled {
			if _, err := h.Delete(t.Context(), h.connection, at(suffix), ChangeOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := h.Patch(t.Context(), h.connection, at(of.renamed), Patch{Summary: ptr("Special")},
			ChangeOptions{}); err != nil {
			t.Fatal(err)
		}
		lines, err := h.LeftOut(t.Context(), h.connection, of.series)
		if got := strings.Join(lines, "|"); err != nil || got != of.want {
			t.Errorf("%v: got %q, %v, want %q", of.cancelled, got, err, of.want)
		}
	}
	elsewhere := hours // by a rule of which the cancelled ones are no occurrences
	elsewhere.Start.At = elsewhere.Start.At.Add(time.Hour)
	if lines, err := h.LeftOut(t.Context(), h.connection, elsewhere); err != nil || lines != nil {
		t.Errorf("got %v, %v", lines, err)
	}
}

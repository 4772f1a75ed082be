package projections_test

import (
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
)

func momentIn(t *testing.T, zone, now string) *projections.Moment {
	t.Helper()
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse(time.RFC3339, now)
	if err != nil {
		t.Fatal(err)
	}
	return projections.NewMoment(when.Moment{Now: at, Zone: location, Locale: "en", WeekStart: model.Sunday})
}

func eventFrom(t *testing.T, start, end string) model.Event {
	t.Helper()
	read := func(text string) model.EventTime {
		if date, err := model.ParseDate(text); err == nil {
			return model.EventTime{Date: date}
		}
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return model.EventTime{At: at}
	}
	return model.Event{Start: read(start), End: read(end)}
}

// The flags at midnight, over both changes of the clock, and at the edges of the world.
func TestEventFlags(t *testing.T) {
	const today, later, past, now = 1, 2, 4, 8
	for _, c := range []struct {
		zone, at, start, end string
		want                 int
	}{
		{"UTC", "2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z", "2026-11-22T12:00:00Z", today},
		{"UTC", "2026-11-22T10:00:00Z", "2026-11-22T10:00:00Z", "2026-11-22T12:00:00Z", today | now},
		{"UTC", "2026-11-22T10:00:00Z", "2026-11-22T09:00:00Z", "2026-11-22T10:00:00Z", today | past},
		{"UTC", "2026-11-22T10:00:00Z", "2026-11-21T23:59:59Z", "2026-11-22T12:00:00Z", past | now},
		{"UTC", "2026-11-22T10:00:00Z", "2026-11-23T00:00:00Z", "2026-11-23T01:00:00Z", later},
		{"UTC", "2026-11-22T00:00:00Z", "2026-11-22T00:00:00Z", "2026-11-22T01:00:00Z", today | now},
		// The viewer's day decides, not the event's.
		{"Pacific/Kiritimati", "2026-11-22T09:59:59Z", "2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z", later},
		{"Pacific/Kiritimati", "2026-11-22T10:00:00Z", "2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z", today | now},
		{"Pacific/Pago_Pago", "2026-11-22T10:00:00Z", "2026-11-22T10:59:00Z", "2026-11-22T11:30:00Z", today},
		{"Pacific/Pago_Pago", "2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z", "2026-11-22T11:30:00Z", later},
		// Jerusalem, 27 March 2026: two o'clock is three; the day has 23 hours. 25 October: it has 25.
		{"Asia/Jerusalem", "2026-03-26T22:30:00Z", "2026-03-27T20:59:00Z", "2026-03-27T21:30:00Z", today},
		{"Asia/Jerusalem", "2026-03-26T22:30:00Z", "2026-03-27T21:00:00Z", "2026-03-27T21:30:00Z", later},
		{"Asia/Jerusalem", "2026-10-24T21:30:00Z", "2026-10-25T21:59:00Z", "2026-10-25T22:30:00Z", today},
		{"Asia/Jerusalem", "2026-10-24T21:30:00Z", "2026-10-25T22:00:00Z", "2026-10-25T22:30:00Z", later},
		// All-day: the date is the same wherever one is.
		{"Asia/Jerusalem", "2026-11-21T22:30:00Z", "2026-11-22", "2026-11-23", today | past | now},
		{"Pacific/Pago_Pago", "2026-11-22T10:30:00Z", "2026-11-22", "2026-11-23", later},
		{"Pacific/Kiritimati", "2026-11-22T10:30:00Z", "2026-11-22", "2026-11-23", past},
		// midnight is skipped: 03:00Z is 01:00
		{"America/Sao_Paulo", "2018-11-04T02:00:00Z", "2018-11-04", "2018-11-05", later},
		{"America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04", "2018-11-05", today | now},
		// Several days.
		{"UTC", "2026-11-22T10:00:00Z", "2026-11-20", "2026-11-23", past | now},
		{"UTC", "2026-11-23T00:00:00Z", "2026-11-20", "2026-11-23", past},
	} {
		flags := projections.EventFlags(eventFrom(t, c.start, c.end), momentIn(t, c.zone, c.at))
		got := 0
		for bit, is := range map[int]bool{today: flags.IsToday, later: flags.IsTomorrowOrLater, past: flags.IsPast,
			now: flags.IsNow} {
			if is {
				got |= bit
			}
		}
		if got != c.want {
			t.Errorf("%s at %s, %s–%s: %04b, want %04b", c.zone, c.at, c.start, c.end, got, c.want)
		}
	}
}

func TestEventFlagsOfRecurrence(t *testing.T) {
	at := momentIn(t, "UTC", "2026-11-22T10:00:00Z")
	single := eventFrom(t, "2026-11-22T11:00:00Z", "2026-11-22T12:00:00Z")
	occurrence, series := single, single
	occurrence.RecurringEventID = "abc"
	series.Recurrence = []string{"RRULE:FREQ=DAILY"}
	for name, c := range map[string]struct {
		view              projections.Event
		recurring, series bool
	}{
		"single":               {projections.EventAt(single, at), false, false},
		"occurrence":           {projections.EventAt(occurrence, at), true, false},
		"series":               {projections.EventAt(series, at), true, true},
		"whole series changed": {projections.EventAt(occurrence, at).AsSeries(), true, true},
	} {
		flags := c.view.ItemContext()
		if flags.IsRecurring != c.recurring || flags.IsRecurringSeries != c.series {
			t.Errorf("%s: %+v", name, flags)
		}
	}
	context := projections.EventContextOf([]projections.Event{projections.EventAt(single, at),
		projections.EventAt(occurrence, at)}, false, projections.EventsAsked{})
	if !context.IsRecurring || context.IsRecurringSeries || !context.IsToday || !context.IsBulkOperation ||
		context.IsEmpty || context.IsListing {
		t.Errorf("%+v", context)
	}
	// A cancelled occurrence of which only the id is left.
	bare := projections.EventAt(model.Event{RecurringEventID: "abc", Status: model.EventCancelled}, at)
	text, err := bare.WhenFormatted(nil, nil)
	if flags := bare.ItemContext(); flags.IsPast || flags.IsToday || bare.Start() != nil || bare.Duration() != nil ||
		text != nil || err != nil {
		t.Errorf("%+v %v %v", flags, text, err)
	}
}

func TestEventViews(t *testing.T) {
	at := momentIn(t, "Asia/Jerusalem", "2026-11-22T10:00:00Z")
	record := eventFrom(t, "2026-11-22", "2026-11-24")
	record.Reminders.Overrides = []model.Reminder{{Method: model.RemindByPopup, Minutes: 0},
		{Method: model.RemindByEmail, Minutes: 60}}
	record.Attendees = []model.Attendee{{Email: "a@example.com", Status: model.Accepted},
		{Email: "me@example.com", Status: model.Maybe, Self: true}}
	view := projections.EventAt(record, at)
	if got := view.Duration(); got == nil || got.Duration != 48*time.Hour {
		t.Errorf("two days last %v", got)
	}
	if got := view.Reminders().Overrides; got[0].Minutes != 60 || got[1].Minutes != 0 {
		t.Errorf("reminders are not in order: %v", got)
	}
	if got := view.Response(); got == nil || *got != model.Maybe {
		t.Errorf("the viewer's answer is %v", got)
	}
	hebrew := "he"
	if got, err := view.WhenFormatted(&hebrew, nil); err != nil || got == nil || *got != "היום – מחר" {
		t.Errorf("%v, %v", got, err)
	}
	unknown := "xx"
	if _, err := view.WhenFormatted(&unknown, nil); model.CodeOf(err) != model.CodeBadUserInput {
		t.Errorf("locale xx: %v", err)
	}
	if got := projections.EventAt(eventFrom(t, "2026-11-22T10:00:00Z", "2026-11-22T10:00:00Z"),
		at).Duration(); got != nil {
		t.Errorf("no time lasts %v", got)
	}
	if view.Recurrence() == nil || view.RecurringEventID() != nil || view.Description() != nil {
		t.Error("what is not there")
	}
}

package gcal

import (
	"testing"

	"almanac/graph/model"
)

func TestAPatchIsRecognized(t *testing.T) {
	start, end := timed(t, "2026-11-22T16:00:00Z", "Asia/Jerusalem"), timed(t, "2026-11-22T17:00:00Z", "Asia/Jerusalem")
	there := model.Event{
		Summary: "Swimming", Description: "two\nlines", Start: start, End: end,
		Recurrence: []string{"EXDATE:20261129T160000Z", "RRULE:FREQ=WEEKLY;BYDAY=SU"},
		Reminders: model.Reminders{Overrides: []model.Reminder{{Method: model.RemindByPopup, Minutes: 10},
			{Method: model.RemindByEmail}}},
		Attendees: []model.Attendee{
			{Email: "me@example.com", Organizer: true, Self: true, Status: model.Accepted},
			{Email: "Guest@example.com", Status: model.NeedsAction},
		},
		Visibility: model.VisibilityDefault,
	}
	later := timed(t, "2026-11-22T18:00:00Z", "Asia/Jerusalem")
	elsewhere := timed(t, "2026-11-22T16:00:00Z", "Europe/Athens")
	zoneless := timed(t, "2026-11-22T18:00:00+02:00", "")
	for name, c := range map[string]struct {
		patch Patch
		want  bool
	}{
		"nothing":            {Patch{}, true},
		"the summary":        {Patch{Summary: ptr("Swimming")}, true},
		"another summary":    {Patch{Summary: ptr("Chess")}, false},
		"white space":        {Patch{Description: ptr(" two\r\nlines")}, true},
		"the times":          {Patch{Start: &start, End: &end}, true},
		"no zone named":      {Patch{Start: &zoneless, End: &end}, true},
		"another zone":       {Patch{Start: &elsewhere, End: &end}, false},
		"another end":        {Patch{Start: &start, End: &later}, false},
		"a date":             {Patch{Start: ptr(day(t, "2026-11-22")), End: ptr(day(t, "2026-11-23"))}, false},
		"lines in any order": {Patch{Recurrence: &[]string{"RRULE:BYDAY=SU;FREQ=WEEKLY", "EXDATE:20261129T160000Z"}}, true},
		"fewer lines":        {Patch{Recurrence: &[]string{"RRULE:FREQ=WEEKLY;BYDAY=SU"}}, false},
		"reminders reordered": {Patch{Reminders: &model.Reminders{
			Overrides: []model.Reminder{{Method: model.RemindByEmail}, {Method: model.RemindByPopup, Minutes: 10}}}}, true},
		"other reminders": {Patch{Reminders: &model.Reminders{UseDefault: true}}, false},
		"the guests":      {Patch{Attendees: &[]model.Attendee{{Email: "guest@example.com"}}}, true},
		"one guest more": {Patch{Attendees: &[]model.Attendee{{Email: "guest@example.com"}, {Email: "x@example.com"}}},
			false},
		"one guest less":    {Patch{Attendees: &[]model.Attendee{}}, false},
		"the answer":        {Patch{Answer: ptr(model.Accepted)}, true},
		"another answer":    {Patch{Answer: ptr(model.Declined)}, false},
		"visibility unsaid": {Patch{Visibility: ptr(model.EventVisibility(""))}, true},
		"visibility":        {Patch{Visibility: ptr(model.VisibilityPrivate)}, false},
		"transparency":      {Patch{Transparent: ptr(true)}, false},
	} {
		if got := c.patch.isIn(there, "me@example.com"); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

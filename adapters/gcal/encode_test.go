package gcal

import (
	"encoding/json"
	"testing"
	"time"

	"almanac/graph/model"
)

func ptr[T any](v T) *T { return &v }

func timed(t testing.TB, at, zone string) model.EventTime {
	t.Helper()
	instant, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	return model.EventTime{At: instant.UTC(), Zone: zone}
}

func day(t testing.TB, text string) model.EventTime {
	t.Helper()
	date, err := model.ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return model.EventTime{Date: date}
}

func TestPatchSendsOnlyWhatChanges(t *testing.T) {
	start, end := timed(t, "2026-11-22T16:00:00Z", "Asia/Jerusalem"), timed(t, "2026-11-22T17:00:00Z", "Asia/Jerusalem")
	first, last := day(t, "2026-11-22"), day(t, "2026-11-23")
	for name, c := range map[string]struct {
		patch Patch
		want  string
	}{
		"nothing":   {Patch{}, `{}`},
		"a summary": {Patch{Summary: ptr("חוג")}, `{"summary":"חוג"}`},
		"cleared texts": {Patch{Summary: ptr(""), Description: ptr(""), Location: ptr(""), ColorID: ptr("")},
			`{"colorId":null,"description":null,"location":null,"summary":null}`},
		"timed": {Patch{Start: &start, End: &end},
			`{"start":{"date":null,"dateTime":"2026-11-22T18:00:00+02:00","timeZone":"Asia/Jerusalem"},"end":{"date":null,"dateTime":"2026-11-22T19:00:00+02:00","timeZone":"Asia/Jerusalem"}}`},
		"without a zone": {Patch{Start: &model.EventTime{At: start.At}, End: &model.EventTime{At: end.At}},
			`{"start":{"date":null,"dateTime":"2026-11-22T16:00:00Z"},"end":{"date":null,"dateTime":"2026-11-22T17:00:00Z"}}`},
		"all-day": {Patch{Start: &first, End: &last},
			`{"start":{"date":"2026-11-22","dateTime":null,"timeZone":null},"end":{"date":"2026-11-23","dateTime":null,"timeZone":null}}`},
		"no attendees":      {Patch{Attendees: &[]model.Attendee{}}, `{"attendees":null}`},
		"no recurrence":     {Patch{Recurrence: &[]string{}}, `{"recurrence":null}`},
		"default reminders": {Patch{Reminders: &model.Reminders{UseDefault: true}}, `{"reminders":{"useDefault":true}}`},
		"no reminders":      {Patch{Reminders: &model.Reminders{}}, `{"reminders":{"overrides":[],"useDefault":false}}`},
		"at the start": {Patch{Reminders: &model.Reminders{Overrides: []model.Reminder{{Method: model.RemindByPopup},
			{Method: model.RemindByPopup}, {Method: model.RemindByEmail, Minutes: 40320}}}},
			`{"reminders":{"overrides":[{"method":"popup","minutes":0},{"method":"email","minutes":40320}],"useDefault":false}}`},
		"busy":           {Patch{Transparent: ptr(false)}, `{"transparency":"opaque"}`},
		"free":           {Patch{Transparent: ptr(true)}, `{"transparency":"transparent"}`},
		"own visibility": {Patch{Visibility: ptr(model.VisibilityPrivate)}, `{"visibility":"private"}`},
		"default one":    {Patch{Visibility: ptr(model.VisibilityDefault)}, `{"visibility":"default"}`},
	} {
		t.Run(name, func(t *testing.T) {
			body, err := json.Marshal((&Client{}).patchBody(c.patch))
			if err != nil {
				t.Fatal(err)
			}
			var got, want any
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			gotText, _ := json.Marshal(got)
			wantText, _ := json.Marshal(want)
			if string(gotText) != string(wantText) {
				t.Errorf("sends %s\nwant  %s", gotText, wantText)
			}
		})
	}
}

func TestWhatGoogleWouldChangeInSilenceIsRefused(t *testing.T) {
	start, end := timed(t, "2026-11-22T16:00:00Z", "Asia/Jerusalem"), timed(t, "2026-11-22T17:00:00Z", "Asia/Jerusalem")
	good := func() NewEvent {
		return NewEvent{SourceID: "abcde", Event: model.Event{Start: start, End: end}}
	}
	if err := good().Check(); err != nil {
		t.Fatalf("a good event is refused: %v", err)
	}
	six := make([]model.Reminder, 6)
	for i := range six {
		six[i] = model.Reminder{Method: model.RemindByPopup, Minutes: i}
	}
	for name, c := range map[string]struct {
		spoil func(*NewEvent)
		code  model.ErrorCode
	}{
		"a short id":             {func(n *NewEvent) { n.SourceID = "abcd" }, model.CodeInternal},
		"an id with other signs": {func(n *NewEvent) { n.SourceID = "abcdz" }, model.CodeInternal},
		"no end":                 {func(n *NewEvent) { n.Event.End = model.EventTime{} }, model.CodeBadUserInput},
		"an end before":          {func(n *NewEvent) { n.Event.End, n.Event.Start = start, end }, model.CodeBadUserInput},
		"two forms":              {func(n *NewEvent) { n.Event.End = day(t, "2026-11-23") }, model.CodeBadUserInput},
		"no day": {func(n *NewEvent) {
			n.Event.Start, n.Event.End = day(t, "2026-11-23"), day(t, "2026-11-23")
		}, model.CodeBadUserInput},
		"a series without zone": {func(n *NewEvent) {
			n.Event.Recurrence, n.Event.Start.Zone = []string{"RRULE:FREQ=DAILY"}, ""
		}, model.CodeBadUserInput},
		"six reminders": {func(n *NewEvent) { n.SetReminders, n.Event.Reminders.Overrides = true, six },
			model.CodeBadUserInput},
		"a reminder after": {func(n *NewEvent) {
			n.SetReminders, n.Event.Reminders.Overrides = true, []model.Reminder{{Method: model.RemindByPopup, Minutes: -1}}
		}, model.CodeBadUserInput},
		"a reminder too early": {func(n *NewEvent) {
			n.SetReminders, n.Event.Reminders.Overrides = true, []model.Reminder{{Method: model.RemindByPopup, Minutes: 40321}}
		}, model.CodeBadUserInput},
		"a reminder by pigeon": {func(n *NewEvent) {
			n.SetReminders, n.Event.Reminders.Overrides = true, []model.Reminder{{Method: "PIGEON"}}
		}, model.CodeBadUserInput},
		"both reminders": {func(n *NewEvent) {
			n.SetReminders, n.Event.Reminders = true,
				model.Reminders{UseDefault: true, Overrides: []model.Reminder{{Method: model.RemindByPopup}}}
		}, model.CodeBadUserInput},
		"a nameless guest": {func(n *NewEvent) { n.Event.Attendees = []model.Attendee{{}} }, model.CodeBadUserInput},
		"201 guests":       {func(n *NewEvent) { n.Event.Attendees = make([]model.Attendee, 201) }, model.CodeBadUserInput},
		"a list not whole": {func(n *NewEvent) { n.Event.AttendeesOmitted = true }, model.CodeBadUserInput},
	} {
		n := good()
		c.spoil(&n)
		if got := model.CodeOf(n.Check()); got != c.code {
			t.Errorf("%s: %q, want %q", name, got, c.code)
		}
	}
	if err := (Patch{Start: &start}).Check(); model.CodeOf(err) != model.CodeBadUserInput {
		t.Errorf("a start without an end gives %v", err)
	}
}

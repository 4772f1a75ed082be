package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// moment is any other moment than that of the corpora: a local time, a zone, a language and the first day of the week.
func moment(t *testing.T, local, zone, locale string, week model.Weekday) when.Moment {
	t.Helper()
	place := when.ZoneOr(nil, zone)
	now, err := time.ParseInLocation("2006-01-02 15:04", local, place)
	if err != nil {
		t.Fatal(err)
	}
	return when.Moment{Now: now, Zone: place, Locale: locale, WeekStart: week}
}

func TestMoments(t *testing.T) {
	for _, c := range []struct {
		name, now, zone, locale string
		week                    model.Weekday
		text, want              string
	}{
		{"next Tuesday on a Monday, week from Sunday", "2026-11-23 12:00", "America/New_York", "en", model.Sunday,
			"sync next Tuesday at 9am", `create "Sync" 12-01 09:00-10:00`},
		{"next Sunday on a Saturday, week from Monday", "2026-11-21 12:00", "Europe/Berlin", "en", model.Monday,
			"sync next Sunday at 9am", `create "Sync" 11-29 09:00-10:00`},
		{"next Sunday on a Saturday, week from Sunday", "2026-11-21 12:00", "America/New_York", "en", model.Sunday,
			"sync next Sunday at 9am", `create "Sync" 11-22 09:00-10:00`},
		{"this week from Monday", "2026-11-22 12:00", "Europe/Berlin", "en", model.Monday, "what do I have this week",
			"schedule 11-16..11-23"},
		{"coming week on a Sunday", "2026-11-22 12:00", "Asia/Jerusalem", "he", model.Sunday, "מה יש לי בשבוע הקרוב",
			"schedule 11-29..12-06"},
		{"two lines are two wishes", "2026-11-22 12:00", "America/New_York", "en", model.Sunday,
			"Book gym tomorrow at 7pm\nCancel the haircut", "!unsupported"},
		{"two lines of one wish", "2026-11-22 12:00", "America/New_York", "en", model.Sunday, "Book gym\ntomorrow at 7pm",
			`create "Gym" 11-23 19:00-20:00`},
		{"weekend in Berlin", "2026-11-25 12:00", "Europe/Berlin", "en", model.Monday, "what do I have this weekend",
			"schedule 11-28..11-30"},
		{"weekend in Israel", "2026-11-25 12:00", "Asia/Jerusalem", "he", model.Sunday, "מה יש לי בסוף השבוע",
			"schedule 11-27..11-29"},
		{"weekdays in Berlin", "2026-11-25 12:00", "Europe/Berlin", "en", model.Monday, "standup every weekday at 9",
			`create "Standup" 11-26 09:00-10:00 rrule=FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR`},
		{"month first in the United States", "2026-11-21 12:00", "America/New_York", "en", model.Sunday,
			"review 12/03/2027 14:00", `create "Review" 2027-12-03 14:00-15:00`},
		{"day first in Europe", "2026-11-21 12:00", "Europe/London", "en", model.Monday, "review 12/03/2027 14:00",
			`create "Review" 2027-03-12 14:00-15:00`},
		{"neither in Canada", "2026-11-21 12:00", "America/Toronto", "en", model.Sunday, "review 12/03/2027 14:00",
			"!unread"},
		{"neither without a country", "2026-11-21 12:00", "UTC", "en", model.Sunday, "review 12/03/2027 14:00", "!unread"},
		{"one order only", "2026-11-21 12:00", "UTC", "en", model.Sunday, "review 25/12/2026 14:00",
			`create "Review" 12-25 14:00-15:00`},
		{"the same day and month", "2026-11-21 12:00", "UTC", "en", model.Sunday, "review 12/12 14:00",
			`create "Review" 12-12 14:00-15:00`},
		{"year end", "2026-12-31 23:30", "UTC", "en", model.Monday, "call tomorrow at 9am",
			`create "Call" 2027-01-01 09:00-10:00`},
		{"next month in December", "2026-12-31 23:30", "UTC", "en", model.Monday, "what do I have next month",
			"schedule 2027-01-01..2027-02-01"},
		{"an earlier month is next year's", "2026-11-21 12:00", "UTC", "en", model.Monday, "exam on May 4 at 10am",
			`create "Exam" 2027-05-04 10:00-11:00`},
		{"the last of January plus a month", "2027-01-31 12:00", "UTC", "en", model.Monday, "checkup in a month at 10am",
			`create "Checkup" 2027-02-28 10:00-11:00`},
		{"the 31st in November", "2026-11-21 12:00", "UTC", "en", model.Monday, "rent on the 31st at 10am",
			`create "Rent" 12-31 10:00-11:00`},
		{"29 February", "2026-11-21 12:00", "UTC", "en", model.Monday, "party on February 29 at 8pm",
			`create "Party" 2028-02-29 20:00-21:00`},
		{"29 February of a leap year", "2026-11-21 12:00", "UTC", "en", model.Monday, "party on 29 February 2028 at 8pm",
			`create "Party" 2028-02-29 20:00-21:00`},
		{"tomorrow where the day is ahead", "2026-11-22 01:00", "Pacific/Kiritimati", "en", model.Monday,
			"run tomorrow at 6am", `create "Run" 11-23 06:00-07:00`},
		{"tomorrow where the day is behind", "2026-11-20 23:00", "Pacific/Pago_Pago", "en", model.Monday,
			"run tomorrow at 6am", `create "Run" 11-21 06:00-07:00`},
		{"an hour that has passed", "2026-11-21 20:00", "UTC", "en", model.Monday, "call Dana at 9am",
			`create "Call Dana" 11-22 09:00-10:00`},
		{"an hour of today that must be the later", "2026-11-21 20:00", "UTC", "en", model.Monday, "call Dana today at 9",
			`create "Call Dana" 11-21 21:00-22:00`},
		{"tonight after midnight", "2026-11-21 20:00", "UTC", "en", model.Monday, "party tonight at 1",
			`create "Party" 11-22 01:00-02:00`},
		{"a skipped hour in New York", "2026-03-01 12:00", "America/New_York", "en", model.Sunday, "run on March 8 at 2:30am",
			`create "Run" 03-08 03:30-04:30`},
		{"a skipped hour in Jerusalem", "2026-03-20 12:00", "Asia/Jerusalem", "he", model.Sunday, "ריצה ב-27 במרץ ב-02:30",
			`create "ריצה" 03-27 03:30-04:30`},
		{"an hour shown twice", "2026-10-20 12:00", "Asia/Jerusalem", "he", model.Sunday, "ריצה ב-25 באוקטובר ב-01:30",
			`create "ריצה" 10-25 01:30-01:30`},
		{"a day of 25 hours", "2026-10-20 12:00", "Asia/Jerusalem", "he", model.Sunday, "מה יש לי ב-25 באוקטובר",
			"schedule 10-25..10-26"},
		{"a series over a clock change", "2026-03-20 12:00", "Asia/Jerusalem", "he", model.Sunday, "ריצה כל יום שישי ב-02:30",
			`create "ריצה" 03-27 03:30-04:30 rrule=FREQ=WEEKLY;BYDAY=FR`},
		{"a past question", "2026-11-21 12:00", "UTC", "en", model.Monday, "what did I have on November 3",
			"schedule 11-03..11-04"},
		{"a past month", "2026-11-21 12:00", "UTC", "en", model.Monday, "what did I do in December",
			"schedule 2025-12-01..01-01"},
		{"every other week counts from the coming", "2026-11-21 12:00", "UTC", "en", model.Monday,
			"gym every other Monday at 7am", `create "Gym" 11-23 07:00-08:00 rrule=FREQ=WEEKLY;INTERVAL=2;BYDAY=MO`},
		{"no zone is UTC", "2026-11-21 12:00", "UTC", "en", "", "gym tomorrow at 7am", `create "Gym" 11-22 07:00-08:00`},
		{"the year's last day said", "2026-11-21 12:00", "UTC", "en", model.Monday,
			"gym every day at 7am until the end of the year",
			`create "Gym" 11-22 07:00-08:00 rrule=FREQ=DAILY;UNTIL=20261231T235959Z`},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := moment(t, c.now, c.zone, c.locale, c.week)
			laws(t, c.text, at)
			if got, _ := outcome(c.text, at); got != c.want {
				t.Errorf("%q: %s, want %s", c.text, got, c.want)
			}
		})
	}
}

func TestAmbiguities(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Ambiguity
	}{
		{"sync next Tuesday at 9am",
			[]Ambiguity{{DoubtNextWeekday, Span{From: 5, To: 17}, []string{"2026-11-24", "2026-12-01"}}}},
		{"sync Saturday at 9am",
			[]Ambiguity{{DoubtSameWeekday, Span{From: 5, To: 13}, []string{"2026-11-28", "2026-11-21"}}}},
		{"sync tomorrow at 9", []Ambiguity{{DoubtHalfOfDay, Span{From: 17, To: 18}, []string{"09:00", "21:00"}}}},
		{"sync tomorrow at 4", []Ambiguity{{DoubtHalfOfDay, Span{From: 17, To: 18}, []string{"16:00", "04:00"}}}},
		{"sync tomorrow at 09:00", nil},
		{"sync tomorrow at 9am", nil},
		{"sync tomorrow at noon", nil},
		{"sync tomorrow at 14:00", nil},
		{"party Friday at midnight", []Ambiguity{
			{DoubtMidnight, Span{From: 13, To: 24}, []string{"2026-11-28 00:00", "2026-11-27 00:00"}}}},
		{"party tonight at midnight", nil},
		{"party February 29 at 8pm", []Ambiguity{{DoubtYear, Span{From: 6, To: 17}, []string{"2028-02-29", "2032-02-29"}}}},
		{"gym every Monday at 7am until June",
			[]Ambiguity{{DoubtUntil, Span{From: 24, To: 34}, []string{"2027-05-31", "2027-06-30"}}}},
		{"gym every weekday at 7am", []Ambiguity{{DoubtWorkdays, Span{From: 4, To: 17}, []string{"SU–TH", "MO–FR"}}}},
		{"ריצה ב-27 במרץ 2027 ב-14:00", nil},
		{"run on March 26 2027 at 02:30", []Ambiguity{{DoubtClockChange, Span{From: 21, To: 29},
			[]string{"2027-03-26T03:30:00+03:00", "2027-03-26T01:30:00+02:00"}}}},
		{"run on October 31 2027 at 01:30", []Ambiguity{{DoubtClockChange, Span{From: 23, To: 31},
			[]string{"2027-10-31T01:30:00+03:00", "2027-10-31T01:30:00+02:00"}}}},
	} {
		t.Run(c.text, func(t *testing.T) {
			plan, err := Read(c.text, said(t, "en"))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(plan.Ambiguous, c.want, func(a, b Ambiguity) bool {
				return a.What == b.What && a.Span == b.Span && slices.Equal(a.Readings, b.Readings)
			}) {
				t.Errorf("ambiguous: %+v, want %+v", plan.Ambiguous, c.want)
			}
		})
	}
	for _, c := range []struct {
		now  string
		want []string
	}{
		{"2026-11-22 12:00", []string{"2026-11-29", "2026-11-22"}}, // a Sunday
		{"2026-11-27 12:00", nil},                                  // a Friday, when the week is over
	} {
		plan, err := Read("מה יש לי בשבוע הקרוב", moment(t, c.now, "Asia/Jerusalem", "he", model.Sunday))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, doubt := range plan.Ambiguous {
			if doubt.What == DoubtComingWeek {
				got = doubt.Readings
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("the coming week at %s: readings %v, want %v", c.now, got, c.want)
		}
	}
	at := moment(t, "2026-11-21 12:00", "America/New_York", "en", model.Sunday)
	plan, err := Read("review 12/03/2027 at 14:00", at)
	if err != nil || len(plan.Ambiguous) != 1 || plan.Ambiguous[0].What != DoubtDayMonth ||
		!slices.Equal(plan.Ambiguous[0].Readings, []string{"2027-12-03", "2027-03-12"}) {
		t.Errorf("12/03 in New York: %+v, %v", plan.Ambiguous, err)
	}
}

func TestSpansAndDefaults(t *testing.T) {
	text := "Book lunch with Alice at Cafe Noir on Dec 3"
	plan, err := Read(text, said(t, "en"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[Slot]string{}
	for _, s := range plan.Spans {
		got[s.Slot] += text[s.From:s.To]
	}
	for slot, want := range map[Slot]string{SlotTool: "Book", SlotTitle: "lunch with Alice", SlotPeople: "Alice",
		SlotLocation: "at Cafe Noir", SlotDate: "on Dec 3"} {
		if got[slot] != want {
			t.Errorf("%s is %q, want %q", slot, got[slot], want)
		}
	}
	if !slices.Equal(plan.Defaulted, []Slot{SlotStart, SlotEnd}) {
		t.Errorf("defaulted: %v", plan.Defaulted)
	}
	for text, want := range map[string][]Slot{
		"call Dana at 5pm":                     {SlotDate, SlotEnd},
		"call Dana tomorrow from 5 to 6pm":     nil,
		"block tomorrow at 3pm":                {SlotTitle, SlotEnd},
		"vacation from Dec 20 to Dec 27":       nil,
		"what is on my calendar":               {SlotWindow},
		"what is on my calendar today":         nil,
		"gym every Monday at 7am":              {SlotEnd},
		"move the standup to tomorrow morning": {SlotStart},
	} {
		plan, err := Read(text, said(t, "en"))
		if err != nil || !slices.Equal(plan.Defaulted, want) {
			t.Errorf("%q: defaulted %v (%v), want %v", text, plan.Defaulted, err, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		text, locale string
		kind         Kind
		slot         Slot
		part         string // the part of the text at fault
		says         string // a part of the message
	}{
		{"meeting tomorrow at 25:00", "en", Contradiction, SlotStart, "at 25:00", "no such time"},
		{"meeting on Feb 30 at 9", "en", Contradiction, SlotDate, "Feb 30", "no such day"},
		{"פגישה ב-30 בפברואר ב-9", "he", Contradiction, SlotDate, "ב-30 בפברואר", "אין יום כזה"},
		{"meeting on Tuseday at 9", "en", Unread, "", "Tuseday", "“Tuseday” was not understood"},
		{"remind me to call", "en", Unsupported, "", "remind me to call", "cannot be done"},
		{"תזכיר לי להתקשר", "he", Unsupported, "", "תזכיר לי להתקשר", "אינו אפשרי כאן"},
		{"hello", "en", NotAnInstruction, "", "", "asks for nothing"},
		{"", "en", NotAnInstruction, "", "", "asks for nothing"},
		{"\u200f \x00\xff", "he", NotAnInstruction, "", "", "אין כאן בקשה"},
		{"don't cancel lunch", "en", NotAnInstruction, "", "don't cancel lunch", "what not to do"},
		{"schedule lunch with Dana", "en", Missing, SlotStart, "", "When it starts"},
		{"schedule lunch next week", "en", Missing, SlotDate, "next week", "not one day"},
		{"cancel", "en", Missing, SlotTarget, "cancel", "Which event"},
		{"cancel everything", "en", Missing, SlotWindow, "cancel", "which day"},
		{"move lunch", "en", Missing, SlotChange, "move", "What should become"},
		{"find", "en", Missing, SlotQuery, "find", "looked for"},
		{"cancel lunch and book dinner at 7pm", "en", Unsupported, "", "book dinner at 7pm", "two things"},
		{"lunch tomorrow at noon if Dana is free", "en", Unread, "", "if", "condition"},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, err := Read(c.text, said(t, c.locale))
			var refusal *Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("err = %v", err)
			}
			if part := c.text[refusal.From:refusal.To]; refusal.Kind != c.kind || refusal.Slot != c.slot ||
				!strings.Contains(part, strings.TrimPrefix(c.part, "at ")) || c.part == "" && part != "" {
				t.Errorf("refused as %s, slot %q, part %q", refusal.Kind, refusal.Slot, part)
			}
			if !strings.Contains(strings.ToLower(refusal.Message), strings.ToLower(strings.TrimPrefix(c.says, "When it "))) {
				t.Errorf("says %q", refusal.Message)
			}
			var shown *model.Error
			if !errors.As(err, &shown) || shown.Code != model.CodeBadUserInput || shown.Message != refusal.Message ||
				!slices.Equal(shown.Field, []string{"text"}) {
				t.Errorf("a client sees %+v", shown)
			}
		})
	}
}

// TestMessage holds that a message quotes little of the text, in one line, and none of what cannot be seen.
func TestMessage(t *testing.T) {
	_, err := Read("remind me\n\x1b[31m to\u202e "+strings.Repeat("a\xff", 500), said(t, "en"))
	var refusal *Refusal
	if !errors.As(err, &refusal) || len(refusal.Message) > 250 || strings.ContainsAny(refusal.Message, "\n\x1b\u202e") {
		t.Errorf("the message is %q", refusal.Message)
	}
}

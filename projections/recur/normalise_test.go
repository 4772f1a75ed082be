package recur

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
)

func TestNormalise(t *testing.T) {
	now := instant(t, "2026-11-21T22:30:00Z") // Saturday in Greenwich, Sunday in Jerusalem
	text := func(s string) *string { return &s }
	number := func(n int) *int { return &n }
	length := func(d time.Duration) *time.Duration { return &d }
	at := func(s string) *time.Time { v := instant(t, s); return &v }
	for _, c := range []struct {
		name  string
		in    Input
		want  model.Recurrence
		field string // of the refusal
	}{
		{"daily", Input{Type: model.Daily}, daily("08:00", jerusalem), ""},
		{"daily at a time, elsewhere", Input{Type: model.Daily, Time: text("23:59"), TimeZone: text("UTC")},
			daily("23:59", "UTC"), ""},
		{"weekly on the viewer's today", Input{Type: model.Weekly}, weekly("08:00", jerusalem, model.Sunday), ""},
		{"weekly on the rule's today", Input{Type: model.Weekly, TimeZone: text("UTC"), Days: []model.Weekday{}},
			weekly("08:00", "UTC", model.Saturday), ""},
		{"weekly, days sorted and once", Input{Type: model.Weekly, Days: []model.Weekday{model.Saturday, model.Monday,
			model.Sunday, model.Monday}}, weekly("08:00", jerusalem, model.Sunday, model.Monday, model.Saturday), ""},
		{"monthly", Input{Type: model.Monthly}, monthly("09:00", jerusalem, 1), ""},
		{"monthly on the 31st", Input{Type: model.Monthly, DayOfMonth: number(31), Time: text("00:00")},
			monthly("00:00", jerusalem, 31), ""},
		{"nudge", Input{Type: model.Nudge}, nudge(10 * time.Minute), ""},
		{"nudge, with a zone of no use", Input{Type: model.Nudge, Interval: length(time.Minute), TimeZone: text("UTC")},
			nudge(time.Minute), ""},
		{"until", Input{Type: model.Daily, Until: at("2026-11-22T06:00:00Z")}, model.Recurrence{Type: model.Daily,
			Time: "08:00", TimeZone: jerusalem, Until: instant(t, "2026-11-22T06:00:00Z")}, ""},

		{"no type", Input{}, model.Recurrence{}, "type"},
		{"unknown type", Input{Type: "YEARLY"}, model.Recurrence{}, "type"},
		{"single-digit hour", Input{Type: model.Daily, Time: text("8:00")}, model.Recurrence{}, "time"},
		{"hour 24", Input{Type: model.Daily, Time: text("24:00")}, model.Recurrence{}, "time"},
		{"seconds", Input{Type: model.Weekly, Time: text("08:00:00")}, model.Recurrence{}, "time"},
		{"empty time", Input{Type: model.Monthly, Time: text("")}, model.Recurrence{}, "time"},
		{"unknown weekday", Input{Type: model.Weekly, Days: []model.Weekday{"SOMEDAY"}}, model.Recurrence{}, "days"},
		{"day 0", Input{Type: model.Monthly, DayOfMonth: number(0)}, model.Recurrence{}, "dayOfMonth"},
		{"day 32", Input{Type: model.Monthly, DayOfMonth: number(32)}, model.Recurrence{}, "dayOfMonth"},
		{"interval too short", Input{Type: model.Nudge, Interval: length(59 * time.Second)}, model.Recurrence{}, "interval"},
		{"interval too long", Input{Type: model.Nudge, Interval: length(model.MaxDuration + 1)}, model.Recurrence{},
			"interval"},
		{"unknown zone", Input{Type: model.Daily, TimeZone: text("Asia/Jeruslem")}, model.Recurrence{}, "timeZone"},
		{"unknown zone of a nudge", Input{Type: model.Nudge, TimeZone: text("Local")}, model.Recurrence{}, "timeZone"},
		{"until in the past", Input{Type: model.Daily, Until: at("2026-11-20T00:00:00Z")}, model.Recurrence{}, "until"},
		{"until before the first occurrence", Input{Type: model.Daily, Until: at("2026-11-22T05:59:59Z")}, model.Recurrence{},
			"until"},
		{"until beyond the years", Input{Type: model.Daily, Until: at("9999-12-31T00:00:00Z")}, model.Recurrence{}, "until"},
		{"time of a nudge", Input{Type: model.Nudge, Time: text("08:00")}, model.Recurrence{}, "time"},
		{"days of a nudge", Input{Type: model.Nudge, Days: []model.Weekday{model.Sunday}}, model.Recurrence{}, "days"},
		{"days of a daily", Input{Type: model.Daily, Days: []model.Weekday{model.Sunday}}, model.Recurrence{}, "days"},
		{"days of a monthly", Input{Type: model.Monthly, Days: []model.Weekday{model.Sunday}}, model.Recurrence{}, "days"},
		{"day of month of a weekly", Input{Type: model.Weekly, DayOfMonth: number(1)}, model.Recurrence{}, "dayOfMonth"},
		{"interval of a daily", Input{Type: model.Daily, Interval: length(time.Hour)}, model.Recurrence{}, "interval"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Normalise(c.in, now, zone(t, jerusalem))
			if c.field != "" {
				refused(t, err, c.field)
				return
			}
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v (%v), want %+v", got, err, c.want)
			}
		})
	}
}

// refused checks that an error is the caller's to mend, about one field, in a sentence.
func refused(t *testing.T, err error, field string) {
	t.Helper()
	shown, ok := model.Mendable(err)
	if !ok || shown.Code != model.CodeBadUserInput || strings.Join(shown.Field, ".") != field || len(shown.Message) < 20 {
		t.Errorf("got %v about %v, want a refusal of %s", err, shown, field)
	}
}

// FuzzNormalise holds for any input: a rule that is made is complete, has a next occurrence, and is its own normal
// form.
func FuzzNormalise(f *testing.F) {
	f.Add("DAILY", "08:00", true, "", 0, false, int64(0), int64(0), "Asia/Jerusalem", int64(1800000000))
	f.Add("WEEKLY", "", false, "MONDAY,SUNDAY,MONDAY", 0, false, int64(0), int64(1900000000), "", int64(1800000000))
	f.Add("MONTHLY", "23:59", true, "", 31, true, int64(0), int64(0), "Pacific/Apia", int64(1325203200))
	f.Add("NUDGE", "", false, "", 0, false, int64(600e9), int64(0), "", int64(1800000000))
	f.Fuzz(func(t *testing.T, kind, clock string, hasClock bool, days string, dayOfMonth int, hasDay bool, interval,
		until int64, zoneName string, seconds int64) {
		now := time.Unix(seconds%(1<<37), 0).UTC()
		in := Input{Type: model.RecurrenceType(kind)}
		if hasClock {
			in.Time = &clock
		}
		if days != "" {
			for day := range strings.SplitSeq(days, ",") {
				in.Days = append(in.Days, model.Weekday(day))
			}
		}
		if hasDay {
			in.DayOfMonth = &dayOfMonth
		}
		if interval != 0 {
			length := time.Duration(interval)
			in.Interval = &length
		}
		if until != 0 {
			end := time.Unix(until%(1<<38), 0)
			in.Until = &end
		}
		if zoneName != "" {
			in.TimeZone = &zoneName
		}
		rule, err := Normalise(in, now, time.UTC)
		if err != nil {
			if model.CodeOf(err) != model.CodeBadUserInput {
				t.Errorf("%+v: %v", in, err)
			}
			return
		}
		if next, ok := Next(rule, now); !ok || !next.After(now) {
			t.Errorf("%+v at %v has no next occurrence", rule, now)
		}
		again := Input{Type: rule.Type, Days: rule.Days}
		if rule.Time != "" {
			again.Time = &rule.Time
		}
		if rule.DayOfMonth != 0 {
			again.DayOfMonth = &rule.DayOfMonth
		}
		if rule.Interval != 0 {
			again.Interval = &rule.Interval
		}
		if !rule.Until.IsZero() {
			again.Until = &rule.Until
		}
		if rule.TimeZone != "" {
			again.TimeZone = &rule.TimeZone
		}
		if same, err := Normalise(again, now, time.UTC); err != nil || !reflect.DeepEqual(same, rule) {
			t.Errorf("%+v becomes %+v (%v)", rule, same, err)
		}
	})
}

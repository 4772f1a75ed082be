package when_test

import (
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

func zoneOf(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func timed(t *testing.T, zone *time.Location, text string) model.EventTime {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
	if err != nil {
		t.Fatal(err)
	}
	return model.EventTime{At: at}
}

func day(t *testing.T, text string) model.EventTime {
	t.Helper()
	d, err := model.ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return model.EventTime{Date: d}
}

func TestFormatSpan(t *testing.T) {
	zone := zoneOf(t, "Asia/Jerusalem")
	now := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		start, end model.EventTime
		en, he     string
	}{
		{timed(t, zone, "2026-11-22 10:00"), timed(t, zone, "2026-11-22 11:00"), "Today at 10:00–11:00",
			"היום ב-10:00–11:00"},
		{timed(t, zone, "2026-11-23 10:00"), timed(t, zone, "2026-11-23 10:00"), "Tomorrow at 10:00", "מחר ב-10:00"},
		{timed(t, zone, "2026-11-23 10:00"), model.EventTime{}, "Tomorrow at 10:00", "מחר ב-10:00"},
		{timed(t, zone, "2026-11-22 22:00"), timed(t, zone, "2026-11-23 00:00"), "Today at 22:00–24:00",
			"היום ב-22:00–24:00"},
		{timed(t, zone, "2026-11-22 22:00"), timed(t, zone, "2026-11-23 01:00"), "Today at 22:00 – Tomorrow at 01:00",
			"היום ב-22:00 – מחר ב-01:00"},
		{timed(t, zone, "2027-01-20 10:00"), timed(t, zone, "2027-01-20 11:00"), "Wednesday, January 20, 2027, 10:00–11:00",
			"יום רביעי, 20 בינואר 2027, 10:00–11:00"},
		{day(t, "2026-11-23"), day(t, "2026-11-24"), "Tomorrow, all day", "מחר, כל היום"},
		{day(t, "2026-11-21"), day(t, "2026-11-22"), "Yesterday, all day", "אתמול, כל היום"},
		{day(t, "2026-12-01"), day(t, "2026-12-02"), "Tuesday, December 1, all day", "יום שלישי, 1 בדצמבר, כל היום"},
		{day(t, "2026-11-22"), day(t, "2026-11-25"), "Today – Tuesday, November 24", "היום – יום שלישי, 24 בנובמבר"},
		{day(t, "2026-12-31"), day(t, "2027-01-02"), "Thursday, December 31 – Friday, January 1, 2027",
			"יום חמישי, 31 בדצמבר – יום שישי, 1 בינואר 2027"},
		{day(t, "2026-11-22"), model.EventTime{}, "Today, all day", "היום, כל היום"},
		{model.EventTime{}, model.EventTime{}, "", ""},
	} {
		for locale, want := range map[string]string{"en": c.en, "he": c.he} {
			if got := when.FormatSpan(c.start, c.end, when.Moment{Now: now, Zone: zone, Locale: locale}); got != want {
				t.Errorf("%v–%v: %q, want %q", c.start, c.end, got, want)
			}
		}
	}
	// The date of an all-day event is the same wherever one is; what today is, is not.
	for name, want := range map[string]string{"Pacific/Kiritimati": "Saturday, November 21, all day",
		"UTC": "Yesterday, all day", "Pacific/Pago_Pago": "Today, all day"} {
		m := when.Moment{Now: time.Date(2026, 11, 22, 10, 30, 0, 0, time.UTC), Zone: zoneOf(t, name)}
		if got := when.FormatSpan(day(t, "2026-11-21"), day(t, "2026-11-22"), m); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestParseHours(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		from, to *string
		want     when.Hours
	}{
		{nil, nil, when.Hours{From: 0, To: 1440}},
		{text("09:00"), text("17:30"), when.Hours{From: 540, To: 1050}},
		{text("9:00"), text("24:00"), when.Hours{From: 540, To: 1440}},
	} {
		if got, err := when.ParseHours(c.from, c.to); err != nil || got != c.want {
			t.Errorf("%v, %v; want %v", got, err, c.want)
		}
	}
	for _, bad := range [][2]string{{"17:00", "09:00"}, {"09:00", "09:00"}, {"24:00", "24:00"}, {"9", "10:00"},
		{"09:60", "10:00"}, {"+9:00", "10:00"}, {"", "10:00"}, {"09:00", "9:5"}, {"-1:00", "10:00"}} {
		if got, err := when.ParseHours(&bad[0], &bad[1]); err == nil || model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%v is read as %v", bad, got)
		}
	}
}

func TestFreeSlots(t *testing.T) {
	zone := zoneOf(t, "Asia/Jerusalem")
	busy := func(pairs ...string) (out []model.BusyPeriod) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, model.BusyPeriod{Start: timed(t, zone, pairs[i]).At, End: timed(t, zone, pairs[i+1]).At})
		}
		return out
	}
	window := when.Slot{From: timed(t, zone, "2026-11-22 08:00").At, To: timed(t, zone, "2026-11-24 12:00").At}
	office := when.Hours{From: 9 * 60, To: 17 * 60}
	for name, c := range map[string]struct {
		busy  []model.BusyPeriod
		hours when.Hours
		least time.Duration
		limit int
		want  []model.BusyPeriod
	}{
		"nothing is in the way": {nil, when.WholeDay(), 0, 10, busy("2026-11-22 08:00", "2026-11-24 12:00")},
		"all is":                {busy("2026-11-22 00:00", "2026-11-25 00:00"), when.WholeDay(), 0, 10, nil},
		"between and around": {busy("2026-11-22 10:00", "2026-11-22 11:00"), when.WholeDay(), 0, 10,
			busy("2026-11-22 08:00", "2026-11-22 10:00", "2026-11-22 11:00", "2026-11-24 12:00")},
		"a night is one stretch": {busy("2026-11-22 08:00", "2026-11-22 22:00", "2026-11-23 02:00", "2026-11-24 12:00"),
			when.WholeDay(), 3 * time.Hour, 10,
			busy("2026-11-22 22:00", "2026-11-23 02:00")},
		"hours of the day": {nil, office, 0, 10,
			busy("2026-11-22 09:00", "2026-11-22 17:00", "2026-11-23 09:00", "2026-11-23 17:00", "2026-11-24 09:00",
				"2026-11-24 12:00")},
		"busy over several days": {busy("2026-11-22 10:00", "2026-11-24 10:00"), office, 0, 10,
			busy("2026-11-22 09:00", "2026-11-22 10:00", "2026-11-24 10:00", "2026-11-24 12:00")},
		"too short": {busy("2026-11-22 09:30", "2026-11-22 17:00", "2026-11-23 09:00", "2026-11-24 12:00"), office,
			time.Hour, 10, nil},
		"so many": {nil, office, 0, 2,
			busy("2026-11-22 09:00", "2026-11-22 17:00", "2026-11-23 09:00", "2026-11-23 17:00")},
		"many a day": {busy("2026-11-22 10:00", "2026-11-22 11:00", "2026-11-22 12:00", "2026-11-22 13:00"), office, 0, 2,
			busy("2026-11-22 09:00", "2026-11-22 10:00", "2026-11-22 11:00", "2026-11-22 12:00")},
	} {
		got := when.FreeSlots(c.busy, window, c.hours, zone, c.least, c.limit)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
			continue
		}
		for i := range got {
			if !got[i].Start.Equal(c.want[i].Start) || !got[i].End.Equal(c.want[i].End) {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	}
}

// The clock's changes move hours, not the answer: from nine to five is eight hours on either side, and the day of the
// change has 23 or 25.
func TestFreeSlotsOverTheChangeOfTheClock(t *testing.T) {
	zone := zoneOf(t, "Asia/Jerusalem")
	for date, hours := range map[string]float64{"2026-03-27": 23, "2026-10-25": 25, "2026-11-22": 24} {
		d, _ := model.ParseDate(date)
		window := when.Slot{From: when.StartOfDate(d, zone), To: when.StartOfDate(d.AddDays(1), zone)}
		whole := when.FreeSlots(nil, window, when.WholeDay(), zone, 0, 10)
		office := when.FreeSlots(nil, window, when.Hours{From: 540, To: 1020}, zone, 0, 10)
		if len(whole) != 1 || whole[0].End.Sub(whole[0].Start).Hours() != hours {
			t.Errorf("%s: %v", date, whole)
		}
		if len(office) != 1 || office[0].End.Sub(office[0].Start).Hours() != 8 || office[0].Start.In(zone).Hour() != 9 {
			t.Errorf("%s: %v", date, office)
		}
	}
}

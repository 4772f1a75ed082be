package gcal

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// TestMonthsWithoutTheDay moves series to days that not every month has. No month may be lost unless that is said.
func TestMonthsWithoutTheDay(t *testing.T) {
	const zone = "Asia/Jerusalem"
	for name, c := range map[string]struct {
		zone, start, rules string
		from, to           string // of the occurrence that was named
		asks               string
		last, skip         string // starts and lines; one of both when nothing is asked
	}{
		"30 to 31 December, implied": {zone, "2026-12-30T18:00", "RRULE:FREQ=MONTHLY", "2026-12-30T18:00", "2026-12-31T18:00",
			"31 every", "2026-12-31T18:00 RRULE:FREQ=MONTHLY;BYMONTHDAY=-1",
			"2026-12-31T18:00 RRULE:FREQ=MONTHLY;BYMONTHDAY=31"},
		"30 to 31 December, said": {zone, "2026-12-30T18:00", "RRULE:FREQ=MONTHLY;BYMONTHDAY=30;COUNT=5", "2026-12-30T18:00",
			"2026-12-31T18:00", "31 every", "2026-12-31T18:00 RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=6",
			"2026-12-31T18:00 RRULE:FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4"},
		"28 to 31, begun in February": {zone, "2026-02-28T09:00", "RRULE:FREQ=MONTHLY;UNTIL=20260630T000000Z",
			"2026-05-28T09:00",
			"2026-05-31T09:00", "31 every", "2026-02-28T09:00 RRULE:FREQ=MONTHLY;UNTIL=20260630T060000Z;BYMONTHDAY=-1",
			"2026-03-31T09:00 RRULE:FREQ=MONTHLY;UNTIL=20260630T060000Z;BYMONTHDAY=31"},
		"1 January 01:30 to 31 December 23:30": {zone, "2026-01-01T01:30", "RRULE:FREQ=MONTHLY", "2026-01-01T01:30",
			"2025-12-31T23:30", "31 every", "2025-12-31T23:30 RRULE:FREQ=MONTHLY;BYMONTHDAY=-1",
			"2025-12-31T23:30 RRULE:FREQ=MONTHLY;BYMONTHDAY=31"},
		"the same, begun a month before": {zone, "2025-12-01T01:30", "RRULE:FREQ=MONTHLY", "2026-01-01T01:30",
			"2025-12-31T23:30", "31 every", "2025-11-30T23:30 RRULE:FREQ=MONTHLY;BYMONTHDAY=-1",
			"2025-12-31T23:30 RRULE:FREQ=MONTHLY;BYMONTHDAY=31"},
		"1 March to 28 February": {zone, "2026-01-01T08:00", "RRULE:FREQ=MONTHLY", "2026-03-01T08:00", "2026-02-28T08:00",
			"28 every", "2025-12-31T08:00 RRULE:FREQ=MONTHLY;BYMONTHDAY=-1",
			"2025-12-28T08:00 RRULE:FREQ=MONTHLY;BYMONTHDAY=28"},
		"28 to 30": {"Pacific/Kiritimati", "2026-01-28T00:00", "RRULE:FREQ=MONTHLY", "2026-01-28T00:00", "2026-01-30T00:00",
			"30", "2026-01-30T00:00 RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1",
			"2026-01-30T00:00 RRULE:FREQ=MONTHLY;BYMONTHDAY=30"},
		"28 to 29": {"Pacific/Pago_Pago", "2026-01-28T23:59", "RRULE:FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=28",
			"2026-03-28T23:59",
			"2026-03-29T23:59", "", "2026-01-29T23:59 RRULE:FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=29", ""},
		"28 to 29 February, each year": {zone, "2024-02-28", "RRULE:FREQ=YEARLY", "2028-02-28", "2028-02-29",
			"29 yearly", "2024-02-29 RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1",
			"2024-02-29 RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"},
		"1 March to 28 February, each year, begun in a leap year": {zone, "2024-03-01", "RRULE:FREQ=YEARLY", "2026-03-01",
			"2026-02-28", "", "2024-02-28 RRULE:FREQ=YEARLY", ""},
		"1 January to 31 December, each year": {zone, "2026-01-01T01:30", "RRULE:FREQ=YEARLY;UNTIL=20300101T000000Z",
			"2027-01-01T01:30", "2026-12-31T23:30", "", "2025-12-31T23:30 RRULE:FREQ=YEARLY;UNTIL=20291231T213000Z", ""},
		"31 to 30": {zone, "2026-01-31", "RRULE:FREQ=MONTHLY", "2026-03-31", "2026-03-30", "",
			"2026-01-30 RRULE:FREQ=MONTHLY", ""},
		"31 to 30, a few times": {zone, "2026-01-31", "RRULE:FREQ=MONTHLY;COUNT=3", "2026-03-31", "2026-03-30", "",
			"2026-01-30 RRULE:FREQ=MONTHLY;COUNT=5", ""},
		"31 to the 1st of the next": {zone, "2026-01-31", "RRULE:FREQ=MONTHLY;BYMONTHDAY=31", "2026-03-31", "2026-04-01", "",
			"2026-02-01 RRULE:FREQ=MONTHLY;BYMONTHDAY=1", ""},
		"30 to 31 where every month has it": {zone, "2026-01-30", "RRULE:FREQ=MONTHLY;INTERVAL=12", "2026-01-30",
			"2026-01-31",
			"", "2026-01-31 RRULE:FREQ=MONTHLY;INTERVAL=12", ""},
		"what was left out stays left out": {zone, "2026-01-30", "RRULE:FREQ=MONTHLY|EXDATE;VALUE=DATE:20260330,20260430",
			"2026-05-30", "2026-05-31", "31 every",
			"2026-01-31 RRULE:FREQ=MONTHLY;BYMONTHDAY=-1|EXDATE;VALUE=DATE:20260331,20260430",
			"2026-01-31 RRULE:FREQ=MONTHLY;BYMONTHDAY=31|EXDATE;VALUE=DATE:20260331"},
		"on the day that clocks change": {"America/New_York", "2026-02-28T02:30", "RRULE:FREQ=MONTHLY;BYMONTHDAY=28",
			"2026-10-28T02:30", "2026-10-31T02:30", "31 every", "2026-02-28T02:30 RRULE:FREQ=MONTHLY;BYMONTHDAY=-1",
			"2026-03-31T02:30 RRULE:FREQ=MONTHLY;BYMONTHDAY=31"},
	} {
		t.Run(name, func(t *testing.T) {
			loaded, err := when.LoadZone(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			read := func(text string) model.EventTime {
				if len(text) == len("2026-01-01") {
					return day(t, text)
				}
				at, err := time.Parse("2006-01-02T15:04", text)
				if err != nil {
					t.Fatal(err)
				}
				return model.EventTime{At: when.Instant(at, loaded), Zone: c.zone}
			}
			series := model.Event{Start: read(c.start), CalendarZone: c.zone, Recurrence: strings.Split(c.rules, "|")}
			end := read(c.to)
			if end.AllDay() {
				end.Date = end.Date.AddDays(1)
			} else {
				end.At = end.At.Add(time.Hour)
			}
			try := func(days MonthDays) (string, error) {
				start, _, lines, err := shifted(series, read(c.from), read(c.to), end, days)
				if err != nil {
					return "", err
				}
				if lines == nil {
					lines = series.Recurrence
				}
				text := start.Date.String()
				if !start.AllDay() {
					text = start.At.In(loaded).Format("2006-01-02T15:04")
				}
				return text + " " + strings.Join(lines, "|"), nil
			}
			got, err := try("")
			if c.asks == "" {
				if err != nil || got != c.last {
					t.Fatalf("got %s, %v, want %s", got, err, c.last)
				}
				return
			}
			var short *ShortMonths
			if !errors.As(err, &short) {
				t.Fatalf("got %s, %v, want a question", got, err)
			}
			asks := fmt.Sprint(short.Day)
			if short.Every {
				asks += " every"
			}
			if short.Yearly {
				asks += " yearly"
			}
			if asks != c.asks {
				t.Errorf("asks %q, want %q", asks, c.asks)
			}
			for days, want := range map[MonthDays]string{LastDays: c.last, SkipMonths: c.skip} {
				if got, err := try(days); err != nil || got != want {
					t.Errorf("%s: got %s, %v, want %s", days, got, err, want)
				}
			}
		})
	}
	t.Run("nothing would be left", func(t *testing.T) {
		series := model.Event{Start: day(t, "2026-02-28"), Recurrence: []string{"RRULE:FREQ=MONTHLY;INTERVAL=12"}}
		_, _, _, err := shifted(series, day(t, "2026-02-28"), day(t, "2026-02-28"), day(t, "2026-03-01"), SkipMonths)
		if err != nil {
			t.Fatal(err)
		}
		series.Recurrence = []string{"RRULE:FREQ=MONTHLY;COUNT=3;BYMONTHDAY=30"}
		series.Start = day(t, "2026-04-30")
		// of April, May and June only May has a day 31
		start, _, lines, err := shifted(series, day(t, "2026-05-30"), day(t, "2026-05-31"), day(t, "2026-06-01"), SkipMonths)
		if err != nil || start.Date.String() != "2026-05-31" || !slices.Equal(lines,
			[]string{"RRULE:FREQ=MONTHLY;COUNT=1;BYMONTHDAY=31"}) {
			t.Errorf("got %s, %v, %v", shown(start), lines, err)
		}
	})
}

// TestNoMonthIsLostUnsaid moves random monthly and yearly series: where nothing is asked every occurrence has its
// successor in its month.
func TestNoMonthIsLostUnsaid(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 12))
	asked := 0
	for range 3000 {
		start := time.Date(2024+random.IntN(5), time.Month(1+random.IntN(12)), 1+random.IntN(31), 0, 0, 0, 0, time.UTC)
		rule := []string{"RRULE:FREQ=MONTHLY", "RRULE:FREQ=YEARLY",
			fmt.Sprintf("RRULE:FREQ=MONTHLY;BYMONTHDAY=%d", start.Day()),
			fmt.Sprintf("RRULE:FREQ=YEARLY;BYMONTH=%d", start.Month()), "RRULE:FREQ=MONTHLY;INTERVAL=3"}[random.IntN(5)]
		if random.IntN(3) == 0 {
			rule += ";COUNT=9"
		}
		series := model.Event{Start: model.EventTime{Date: model.DateOf(start)}, CalendarZone: "UTC",
			Recurrence: []string{rule}}
		before := occurrences(series)
		from := model.EventTime{Date: model.DateOf(before[random.IntN(min(9, len(before)))])}
		to := model.EventTime{Date: from.Date.AddDays(random.IntN(9) - 4)}
		newStart, _, lines, err := shifted(series, from, to, model.EventTime{Date: to.Date.AddDays(1)}, "")
		if err != nil {
			var short *ShortMonths
			if !errors.As(err, &short) {
				t.Fatalf("%s from %v, %v to %v: %v", rule, start, from.Date, to.Date, err)
			}
			asked++
			continue
		}
		after := series
		if after.Start = newStart; lines != nil {
			after.Recurrence = lines
		}
		got := make(map[string]bool)
		for _, at := range occurrences(after) {
			got[at.Format("2006-01")] = true
		}
		months := int(to.Date.Midnight().Month()-from.Date.Midnight().Month()) +
			12*(to.Date.Midnight().Year()-from.Date.Midnight().Year())
		for _, at := range before[:min(9, len(before))] {
			month := time.Date(at.Year(), at.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
			if !got[month] {
				t.Fatalf("%s from %v, %v to %v: %v from %v has nothing in %s", rule, start, from.Date, to.Date,
					after.Recurrence, newStart.Date, month)
			}
		}
		if n := len(occurrences(after)); n < len(before) {
			t.Fatalf("%s from %v, %v to %v: %d occurrences of %d", rule, start, from.Date, to.Date, n, len(before))
		}
	}
	if asked < 100 || asked > 1500 {
		t.Errorf("%d of 3000 were asked about", asked)
	}
}

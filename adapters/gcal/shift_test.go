package gcal

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

func TestShiftSeries(t *testing.T) {
	const jerusalem = "Asia/Jerusalem"
	series := func(lines ...string) model.Event { // Mondays 09:00–10:00
		return model.Event{Start: timed(t, "2026-01-05T09:00:00+02:00", jerusalem),
			End: timed(t, "2026-01-05T10:00:00+02:00", jerusalem), Recurrence: lines}
	}
	days := func(lines ...string) model.Event { // from Monday, two days long
		return model.Event{Start: day(t, "2026-01-05"), End: day(t, "2026-01-07"), CalendarZone: jerusalem, Recurrence: lines}
	}
	summer := timed(t, "2026-06-01T09:00:00+03:00", jerusalem)
	for name, c := range map[string]struct {
		series            model.Event
		original          model.EventTime
		newStart, newEnd  model.EventTime
		start, end, lines string
		refused           string
	}{
		"an hour later, over a change of clocks": {
			series("RRULE:FREQ=WEEKLY;BYDAY=MO"), summer, timed(t, "2026-06-01T10:00:00+03:00", jerusalem),
			timed(t, "2026-06-01T11:30:00+03:00", jerusalem),
			"2026-01-05T10:00:00+02:00 Asia/Jerusalem", "2026-01-05T11:30:00+02:00 Asia/Jerusalem", "", ""},
		"a day later, the rule's one day follows": {
			series("RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261228T070000Z", "EXDATE;TZID=Asia/Jerusalem:20260112T090000"), summer,
			timed(t, "2026-06-02T09:00:00+03:00", jerusalem), timed(t, "2026-06-02T10:00:00+03:00", jerusalem),
			"2026-01-06T09:00:00+02:00 Asia/Jerusalem", "2026-01-06T10:00:00+02:00 Asia/Jerusalem",
			"RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261229T070000Z|EXDATE:20260113T070000Z", ""},
		"until the end of a day stays the end of a day": {
			series("RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261231T215959Z"), summer,
			timed(t, "2026-06-01T08:00:00+03:00", jerusalem), timed(t, "2026-06-01T09:00:00+03:00", jerusalem),
			"2026-01-05T08:00:00+02:00 Asia/Jerusalem", "2026-01-05T09:00:00+02:00 Asia/Jerusalem", "", ""},
		"a date as until of a timed series is read": {
			series("RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261228"), summer,
			timed(t, "2026-06-02T08:00:00+03:00", jerusalem), timed(t, "2026-06-02T09:00:00+03:00", jerusalem),
			"2026-01-06T08:00:00+02:00 Asia/Jerusalem", "2026-01-06T09:00:00+02:00 Asia/Jerusalem",
			"RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261229T215959Z", ""},
		"several days of every week follow": {
			series("RRULE:FREQ=WEEKLY;BYDAY=MO,SA;COUNT=9"), summer,
			timed(t, "2026-06-02T09:00:00+03:00", jerusalem), timed(t, "2026-06-02T10:00:00+03:00", jerusalem),
			"2026-01-06T09:00:00+02:00 Asia/Jerusalem", "2026-01-06T10:00:00+02:00 Asia/Jerusalem",
			"RRULE:FREQ=WEEKLY;BYDAY=TU,SU;COUNT=9", ""},
		"several days of every other week do not": {
			series("RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SA"), timed(t, "2026-01-05T09:00:00+02:00", jerusalem),
			timed(t, "2026-01-06T09:00:00+02:00", jerusalem), timed(t, "2026-01-06T10:00:00+02:00", jerusalem), "", "", "",
			"needs another rule"},
		"the first Monday of the month does not": {
			series("RRULE:FREQ=MONTHLY;BYDAY=1MO"), timed(t, "2026-01-05T09:00:00+02:00", jerusalem),
			timed(t, "2026-01-06T09:00:00+02:00", jerusalem), timed(t, "2026-01-06T10:00:00+02:00", jerusalem), "", "", "",
			"needs another rule"},
		"but its hour may change": {
			series("RRULE:FREQ=MONTHLY;BYDAY=1MO"), timed(t, "2026-01-05T09:00:00+02:00", jerusalem),
			timed(t, "2026-01-05T12:00:00+02:00", jerusalem), timed(t, "2026-01-05T13:00:00+02:00", jerusalem),
			"2026-01-05T12:00:00+02:00 Asia/Jerusalem", "2026-01-05T13:00:00+02:00 Asia/Jerusalem", "", ""},
		"a day of the month follows": {
			series("RRULE:FREQ=MONTHLY;BYMONTHDAY=5"), timed(t, "2026-03-05T09:00:00+02:00", jerusalem),
			timed(t, "2026-03-07T09:00:00+02:00", jerusalem), timed(t, "2026-03-07T10:00:00+02:00", jerusalem),
			"2026-01-07T09:00:00+02:00 Asia/Jerusalem", "2026-01-07T10:00:00+02:00 Asia/Jerusalem",
			"RRULE:FREQ=MONTHLY;BYMONTHDAY=7", ""},
		"into another zone": {
			series("RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261228T070000Z"), timed(t, "2026-01-12T09:00:00+02:00", jerusalem),
			timed(t, "2026-01-12T09:00:00-05:00", "America/New_York"), timed(t, "2026-01-12T10:00:00-05:00", "America/New_York"),
			"2026-01-05T09:00:00-05:00 America/New_York", "2026-01-05T10:00:00-05:00 America/New_York",
			"RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261228T140000Z", ""},
		"all-day, a day later": {
			days("RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261228", "EXDATE;VALUE=DATE:20260112"), day(t, "2026-01-19"),
			day(t, "2026-01-20"), day(t, "2026-01-21"),
			"2026-01-06", "2026-01-07", "RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261229|EXDATE;VALUE=DATE:20260113", ""},
		"all-day to timed": {
			days("RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261228", "EXDATE;VALUE=DATE:20260112"), day(t, "2026-01-19"),
			timed(t, "2026-01-19T09:00:00+02:00", jerusalem), timed(t, "2026-01-19T10:00:00+02:00", jerusalem),
			"2026-01-05T09:00:00+02:00 Asia/Jerusalem", "2026-01-05T10:00:00+02:00 Asia/Jerusalem",
			"RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261228T215959Z|EXDATE:20260112T070000Z", ""},
		"timed to all-day, ended just before an occurrence": {
			series("RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261228T065959Z", "EXDATE:20260112T070000Z"),
			timed(t, "2026-01-19T09:00:00+02:00", jerusalem), day(t, "2026-01-19"), day(t, "2026-01-20"),
			"2026-01-05", "2026-01-06", "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261227|EXDATE;VALUE=DATE:20260112", ""},
	} {
		t.Run(name, func(t *testing.T) {
			start, end, lines, err := shifted(c.series, c.original, c.newStart, c.newEnd, "")
			if c.refused != "" {
				if model.CodeOf(err) != model.CodeBadUserInput || !strings.Contains(err.Error(), c.refused) {
					t.Fatalf("got %v, want a refusal with %q", err, c.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(start); got != c.start {
				t.Errorf("starts %s, want %s", got, c.start)
			}
			if got := shown(end); got != c.end {
				t.Errorf("ends %s, want %s", got, c.end)
			}
			if got := strings.Join(lines, "|"); got != c.lines {
				t.Errorf("repeats %q, want %q", got, c.lines)
			}
		})
	}
}

// shifted is what ShiftSeries makes of a series; the lines are nil where they stay as they are.
func shifted(series model.Event, from, to, toEnd model.EventTime,
	days MonthDays) (start, end model.EventTime, lines []string, err error) {
	p, err := (&Client{}).ShiftSeries(series, model.Event{OriginalStart: from}, to, toEnd, days)
	if err != nil {
		return start, end, nil, err
	}
	if p.Recurrence != nil {
		lines = *p.Recurrence
	}
	return *p.Start, *p.End, lines, nil
}

func shown(t model.EventTime) string {
	if t.AllDay() {
		return t.Date.String()
	}
	zone, err := when.LoadZone(t.Zone)
	if err != nil {
		return err.Error()
	}
	return t.At.In(zone).Format(time.RFC3339) + " " + t.Zone
}

// randomSeries makes a series that occurs at an hour which no zone skips.
func randomSeries(random *rand.Rand) model.Event {
	zones := []string{"Asia/Jerusalem", "America/New_York", "Europe/Copenhagen", "Australia/Lord_Howe", "Pacific/Auckland",
		"Pacific/Kiritimati", "Pacific/Pago_Pago"}
	name := zones[random.IntN(len(zones))]
	zone, err := when.LoadZone(name)
	if err != nil {
		panic(err)
	}
	first := time.Date(2026, time.Month(1+random.IntN(12)), 1+random.IntN(28), 6+random.IntN(12), 15*random.IntN(4), 0, 0,
		time.UTC)
	allDay := random.IntN(3) == 0
	rule := []string{
		"FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=" + weekday(first), "FREQ=WEEKLY;INTERVAL=2",
		"FREQ=WEEKLY;BYDAY=" + weekday(first) + "," + weekday(first.AddDate(0, 0, 2)),
		fmt.Sprintf("FREQ=MONTHLY;BYMONTHDAY=%d", first.Day()), "FREQ=MONTHLY",
	}[random.IntN(8)]
	last := first.AddDate(0, 0, 20+random.IntN(300))
	if allDay {
		first, last = model.DateOf(first).Midnight(), model.DateOf(last).Midnight()
	}
	switch random.IntN(5) {
	case 0:
		rule += fmt.Sprintf(";COUNT=%d", 2+random.IntN(20))
	case 1:
		if allDay {
			rule += ";UNTIL=" + last.Format(lineDate)
		} else {
			rule += ";UNTIL=" + when.Instant(last, zone).Format(lineInstant)
		}
	case 2: // the end of a local day
		if allDay {
			rule += ";UNTIL=" + last.Format(lineInstant)
		} else {
			rule += ";UNTIL=" +
				when.Instant(model.DateOf(last).AddDays(1).Midnight().Add(-time.Second), zone).Format(lineInstant)
		}
	case 3: // of the form that Google should not give and does
		rule += ";UNTIL=" + last.Format(lineDate)
	}
	e := model.Event{CalendarZone: name, Recurrence: []string{"RRULE:" + rule}}
	if allDay {
		e.Start, e.End = model.EventTime{Date: model.DateOf(first)},
			model.EventTime{Date: model.DateOf(first).AddDays(1 + random.IntN(3))}
	} else {
		length := time.Duration(1+random.IntN(8)) * 15 * time.Minute
		e.Start, e.End = model.EventTime{At: when.Instant(first, zone), Zone: name},
			model.EventTime{At: when.Instant(first.Add(length), zone), Zone: name}
	}
	all := occurrences(e)
	if len(all) > 3 && random.IntN(2) == 0 {
		out := all[1+random.IntN(len(all)-2)]
		switch {
		case allDay:
			e.Recurrence = append(e.Recurrence, "EXDATE;VALUE=DATE:"+out.Format(lineDate))
		case random.IntN(2) == 0:
			e.Recurrence = append(e.Recurrence, "EXDATE:"+out.Format(lineInstant))
		default:
			e.Recurrence = append(e.Recurrence, "EXDATE;TZID="+name+":"+readingOf(out, zone).Format(lineTime))
		}
	}
	return e
}

// occurrences are the first hundred starts, by the arithmetic of rules.
func occurrences(e model.Event) []time.Time {
	zone, err := when.LoadZone(e.CalendarZone)
	if e.Start.Zone != "" {
		zone, err = when.LoadZone(e.Start.Zone)
	}
	if err != nil {
		panic(err)
	}
	set, err := rrule.Parse(e.Recurrence, ruleStart(e.Start, zone))
	if err != nil {
		panic(fmt.Sprintf("%v: %v", e.Recurrence, err))
	}
	found, _ := set.Between(time.Time{}, time.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC), 100)
	var starts []time.Time
	for _, o := range found {
		starts = append(starts, o.Start)
	}
	return starts
}

// TestShiftMovesEveryOccurrence holds a shifted series against the old one, occurrence by occurrence.
func TestShiftMovesEveryOccurrence(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	moved := 0
	for n := range 3000 {
		series := randomSeries(random)
		before := occurrences(series)
		zone, err := when.LoadZone(series.CalendarZone)
		if err != nil {
			t.Fatal(err)
		}
		at := before[random.IntN(len(before))]
		by := time.Duration(random.IntN(5)-2) * 24 * time.Hour
		from := model.EventTime{At: at, Zone: series.Start.Zone}
		var to, end model.EventTime
		if series.Start.AllDay() {
			from = model.EventTime{Date: model.DateOf(at)}
			to = model.EventTime{Date: model.DateOf(at.Add(by))}
			end = model.EventTime{Date: to.Date.AddDays(1)}
		} else {
			by += time.Duration(random.IntN(17)-8) * 15 * time.Minute
			to = model.EventTime{At: when.Instant(readingOf(at, zone).Add(by), zone)}
			end = model.EventTime{At: to.At.Add(time.Hour)}
		}
		newStart, newEnd, lines, err := shifted(series, from, to, end, LastDays)
		if err != nil {
			if model.CodeOf(err) != model.CodeBadUserInput || !strings.Contains(err.Error(), "another rule") {
				t.Fatalf("%d: %v by %v: %v", n, series.Recurrence, by, err)
			}
			continue
		}
		moved++
		after := series
		after.Start, after.End = newStart, newEnd
		if lines != nil {
			after.Recurrence = lines
		}
		var want []time.Time
		for _, o := range before {
			reading := o
			if !series.Start.AllDay() {
				reading = readingOf(o, zone)
			}
			target := wall(to, zone)
			monthly := strings.Contains(series.Recurrence[0], "FREQ=MONTHLY")
			if source := wall(from, zone); !monthly || model.DateOf(source) == model.DateOf(target) {
				reading = reading.Add(target.Sub(source))
			} else { // by months: to the same day, or the last one of a month that lacks it
				reading = inMonth(reading, source, target)
			}
			if series.Start.AllDay() {
				want = append(want, reading)
			} else {
				want = append(want, when.Instant(reading, zone))
			}
		}
		if got := occurrences(after); !slices.Equal(got, want) {
			t.Fatalf("%d: %v from %s by %v became %v from %s\nwant %v\ngot  %v", n, series.Recurrence, shown(series.Start), by,
				after.Recurrence, shown(newStart), want, got)
		}
	}
	if moved < 2000 {
		t.Errorf("only %d of 3000 series could be moved", moved)
	}
}

// inMonth moves an occurrence of a monthly series as the one at source moves to target.
func inMonth(at, source, target time.Time) time.Time {
	months := (target.Year()-source.Year())*12 + int(target.Month()-source.Month())
	last := time.Date(at.Year(), at.Month()+time.Month(months+1), 0, 0, 0, 0, 0, time.UTC).Day()
	day := min(target.Day(), last)
	if source.Day() == 1 && model.DateOf(source).DaysUntil(model.DateOf(target)) == -1 || target.Day() == 31 {
		day = last // of every month
	}
	return time.Date(at.Year(), at.Month()+time.Month(months), day, target.Hour(), target.Minute(), 0, 0, time.UTC)
}

// FuzzShift holds lines of any form against the mover: it answers or refuses, and what it answers can be read again.
func FuzzShift(f *testing.F) {
	for _, line := range []string{
		"RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261228", "RRULE:FREQ=MONTHLY;BYMONTHDAY=5;COUNT=3",
		"rrule:freq=daily;until=20261228T065959Z",
		"EXDATE;TZID=Asia/Jerusalem:20260112T090000,20260119T090000", "EXDATE;VALUE=DATE:20260112", "RDATE:20260112T070000Z",
		"EXDATE;TZID=:2026", "RRULE:", ":", "RRULE:UNTIL=2;FREQ=WEEKLY;BYDAY=,",
	} {
		f.Add(line, true, 1)
		f.Add(line, false, -40)
	}
	f.Fuzz(func(t *testing.T, line string, allDay bool, days int) {
		days %= 400
		e := model.Event{Start: timed(t, "2026-01-05T09:00:00+02:00", "Asia/Jerusalem"),
			Recurrence: []string{"RRULE:FREQ=DAILY", line}}
		to := model.EventTime{At: e.Start.At.AddDate(0, 0, days), Zone: "Asia/Jerusalem"}
		end := model.EventTime{At: to.At.Add(time.Hour)}
		if allDay {
			e.Start = day(t, "2026-01-05")
			to = model.EventTime{Date: e.Start.Date.AddDays(days)}
			end = model.EventTime{Date: to.Date.AddDays(1)}
		}
		start, _, lines, err := shifted(e, e.Start, to, end, LastDays)
		if err != nil {
			if model.CodeOf(err) != model.CodeBadUserInput {
				t.Fatalf("%q: %v", line, err)
			}
			return
		}
		if start != to && !allDay {
			t.Fatalf("it starts %v, want %v", start, to)
		}
		if lines == nil {
			lines = e.Recurrence
		}
		if _, err := rrule.Parse(lines, ruleStart(start, (&Client{}).zoneOr("Asia/Jerusalem"))); err != nil {
			t.Fatalf("%q became %q: %v", line, lines, err)
		}
	})
}

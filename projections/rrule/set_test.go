package rrule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/projections/rrule"
)

func parse(t testing.TB, start rrule.Start, lines ...string) *rrule.Set {
	t.Helper()
	set, err := rrule.Parse(lines, start)
	if err != nil {
		t.Fatalf("%q: %v", lines, err)
	}
	return set
}

// local returns the start at a clock reading in a zone.
func local(t testing.TB, zoneName, reading string) rrule.Start {
	t.Helper()
	wall, err := time.Parse("2006-01-02 15:04", reading)
	if err != nil {
		t.Fatal(err)
	}
	loaded := zone(t, zoneName)
	return rrule.Start{At: instantOf(wall, loaded), Zone: loaded}
}

func texts(set *rrule.Set, limit int) string {
	found, _ := set.Between(time.Time{}, time.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC), limit)
	var all []string
	for _, o := range found {
		all = append(all, o.Start.Format("2006-01-02T15:04Z"))
	}
	return strings.Join(all, " ")
}

func TestClocksThatChange(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ zone, start, rule, want string }{
		// The clock time stays over both changes, so the instant moves.
		{"Asia/Jerusalem", "2026-03-20 09:00", "FREQ=WEEKLY;COUNT=3",
			"2026-03-20T07:00Z 2026-03-27T06:00Z 2026-04-03T06:00Z"},
		{"Asia/Jerusalem", "2026-10-24 09:00", "FREQ=DAILY;COUNT=2", "2026-10-24T06:00Z 2026-10-25T07:00Z"},
		{"Europe/Copenhagen", "2026-10-24 14:00", "FREQ=DAILY;COUNT=2", "2026-10-24T12:00Z 2026-10-25T13:00Z"},
		{"Pacific/Auckland", "2026-04-04 09:00", "FREQ=DAILY;COUNT=2", "2026-04-03T20:00Z 2026-04-04T21:00Z"},
		{"Pacific/Auckland", "2026-09-26 09:00", "FREQ=DAILY;COUNT=2", "2026-09-25T21:00Z 2026-09-26T20:00Z"},
		{"Australia/Lord_Howe", "2026-04-04 09:00", "FREQ=DAILY;COUNT=2", "2026-04-03T22:00Z 2026-04-04T22:30Z"},
		{"Australia/Lord_Howe", "2026-10-03 09:00", "FREQ=DAILY;COUNT=2", "2026-10-02T22:30Z 2026-10-03T22:00Z"},
		{"Pacific/Kiritimati", "2026-12-31 00:00", "FREQ=DAILY;COUNT=2", "2026-12-30T10:00Z 2026-12-31T10:00Z"},
		{"Pacific/Pago_Pago", "2026-12-31 23:30", "FREQ=DAILY;COUNT=2", "2027-01-01T10:30Z 2027-01-02T10:30Z"},
		// 02:30 is skipped: the offset before it holds, so it is 03:30 that day (03:00 for a change by half an hour), and
		// 02:30 again after.
		{"America/New_York", "2026-03-07 02:30", "FREQ=DAILY;COUNT=3",
			"2026-03-07T07:30Z 2026-03-08T07:30Z 2026-03-09T06:30Z"},
		{"Asia/Jerusalem", "2026-03-26 02:30", "FREQ=DAILY;COUNT=3", "2026-03-26T00:30Z 2026-03-27T00:30Z 2026-03-27T23:30Z"},
		{"Australia/Lord_Howe", "2026-10-03 02:15", "FREQ=DAILY;COUNT=3",
			"2026-10-02T15:45Z 2026-10-03T15:45Z 2026-10-04T15:15Z"},
		{"America/Havana", "2026-03-07 00:30", "FREQ=DAILY;COUNT=3", "2026-03-07T05:30Z 2026-03-08T05:30Z 2026-03-09T04:30Z"},
		// 01:30 comes twice: the first.
		{"America/New_York", "2026-10-31 01:30", "FREQ=DAILY;COUNT=3",
			"2026-10-31T05:30Z 2026-11-01T05:30Z 2026-11-02T06:30Z"},
		{"Asia/Jerusalem", "2026-10-24 01:30", "FREQ=DAILY;COUNT=3", "2026-10-23T22:30Z 2026-10-24T22:30Z 2026-10-25T23:30Z"},
		// Apia had no 30 December 2011; its occurrence falls together with the next day's and is one.
		{"Pacific/Apia", "2011-12-29 10:00", "FREQ=DAILY;COUNT=4", "2011-12-29T20:00Z 2011-12-30T20:00Z 2011-12-31T20:00Z"},
		// The last day of a leap year in years for which the zone database only has a rule.
		{"America/New_York", "2040-12-30 09:00", "FREQ=DAILY;COUNT=3",
			"2040-12-30T14:00Z 2040-12-31T14:00Z 2041-01-01T14:00Z"},
	} {
		if got := texts(parse(t, local(t, test.zone, test.start), "RRULE:"+test.rule), 10); got != test.want {
			t.Errorf("%s %s %s:\n got %s\nwant %s", test.zone, test.start, test.rule, got, test.want)
		}
	}
}

// An event may begin in the second 01:30 of the night; that occurrence is where the event is.
func TestStartInTheRepeatedHour(t *testing.T) {
	t.Parallel()
	start := rrule.Start{At: time.Date(2026, 11, 1, 6, 30, 0, 0, time.UTC), Zone: zone(t, "America/New_York")}
	set := parse(t, start, "RRULE:FREQ=DAILY;COUNT=2", "EXDATE;TZID=America/New_York:20261102T013000")
	if first, ok := set.First(); !ok || !first.Start.Equal(start.At) || !set.Contains(start.At) {
		t.Errorf("first is %v, want %v", first, start.At)
	}
	if got := texts(parse(t, start, "RRULE:FREQ=DAILY", "EXDATE:20261101T013000"), 1); got != "2026-11-02T06:30Z" {
		t.Errorf("the start is taken away by its clock reading, but %s comes first", got)
	}
}

func TestUntilAndDates(t *testing.T) {
	t.Parallel()
	kiritimati, auckland := local(t, "Pacific/Kiritimati", "2026-03-02 09:00"),
		local(t, "Pacific/Auckland", "2026-03-02 09:00")
	day := rrule.Start{At: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), AllDay: true, Zone: zone(t, "Asia/Jerusalem")}
	for _, test := range []struct {
		start rrule.Start
		lines string
		want  string
	}{
		{morning(t), "RRULE:FREQ=DAILY;UNTIL=20260304T070000Z", "2026-03-02T07:00Z 2026-03-03T07:00Z 2026-03-04T07:00Z"},
		{morning(t), "RRULE:FREQ=DAILY;UNTIL=20260304T065959Z", "2026-03-02T07:00Z 2026-03-03T07:00Z"},
		{morning(t), "RRULE:FREQ=DAILY;UNTIL=20260304", "2026-03-02T07:00Z 2026-03-03T07:00Z 2026-03-04T07:00Z"},
		{morning(t), "RRULE:FREQ=DAILY;UNTIL=20260301", ""},
		{kiritimati, "RRULE:FREQ=DAILY;UNTIL=20260303", "2026-03-01T19:00Z 2026-03-02T19:00Z"},
		{auckland, "RRULE:FREQ=DAILY;UNTIL=20260303", "2026-03-01T20:00Z 2026-03-02T20:00Z"},
		{day, "RRULE:FREQ=DAILY;UNTIL=20260303", "2026-03-02T00:00Z 2026-03-03T00:00Z"},
		{day, "RRULE:FREQ=DAILY;UNTIL=20260303T150000Z", "2026-03-02T00:00Z 2026-03-03T00:00Z"},
		{day, "RRULE:FREQ=DAILY;UNTIL=20260302T220000Z", "2026-03-02T00:00Z 2026-03-03T00:00Z"},
		{morning(t), "RRULE:FREQ=DAILY;COUNT=4 EXDATE:20260303T070000Z EXDATE;TZID=Europe/Copenhagen:20260304T080000",
			"2026-03-02T07:00Z 2026-03-05T07:00Z"},
		{morning(t), "RRULE:FREQ=DAILY;COUNT=4 EXDATE:20260303T090000 EXDATE;VALUE=DATE:20260304,20260305",
			"2026-03-02T07:00Z"},
		{morning(t), "RRULE:FREQ=WEEKLY;COUNT=2 RDATE:20260303T100000,20260309T070000Z,20260301T070000Z",
			"2026-03-02T07:00Z 2026-03-03T08:00Z 2026-03-09T07:00Z"},
		{day, "RRULE:FREQ=WEEKLY;COUNT=2 RDATE;VALUE=DATE:20260304 EXDATE;VALUE=DATE:20260309",
			"2026-03-02T00:00Z 2026-03-04T00:00Z"},
		{morning(t), "RRULE:FREQ=WEEKLY;COUNT=2 RRULE:FREQ=DAILY;COUNT=2",
			"2026-03-02T07:00Z 2026-03-03T07:00Z 2026-03-09T07:00Z"},
		{morning(t), "RDATE:20260305T070000Z", "2026-03-02T07:00Z 2026-03-05T07:00Z"},
		{morning(t), "RRULE:FREQ=DAILY;COUNT=1 EXDATE:20260302T070000Z", ""},
	} {
		if got := texts(parse(t, test.start, strings.Fields(test.lines)...), 10); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.lines, got, test.want)
		}
	}
}

func TestUntilEndlessAndWindows(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]string{
		"RRULE:FREQ=DAILY":                          "endless true, until 0001-01-01T00:00:00Z false",
		"RRULE:FREQ=DAILY;COUNT=3":                  "endless false, until 0001-01-01T00:00:00Z false",
		"RRULE:FREQ=DAILY;UNTIL=20260304T070000Z":   "endless false, until 2026-03-04T07:00:00Z true",
		"RRULE:FREQ=DAILY;UNTIL=20260304":           "endless false, until 2026-03-04T21:59:59Z true",
		"RDATE:20260304T070000Z":                    "endless false, until 0001-01-01T00:00:00Z false",
		"RRULE:FREQ=DAILY RRULE:FREQ=DAILY;COUNT=3": "endless true, until 0001-01-01T00:00:00Z false",
		"RRULE:FREQ=DAILY;UNTIL=20260304T070000Z RRULE:FREQ=WEEKLY;UNTIL=20260504T070000Z": "endless false, until " +
			"2026-05-04T07:00:00Z true",
	} {
		set := parse(t, morning(t), strings.Fields(lines)...)
		until, ok := set.Until()
		if got := fmt.Sprintf("endless %v, until %s %v", set.Endless(), until.Format(time.RFC3339), ok); got != want {
			t.Errorf("%s: %s, want %s", lines, got, want)
		}
	}
	set := parse(t, morning(t), "RRULE:FREQ=DAILY;COUNT=3")
	start := morning(t).At
	for _, test := range []struct {
		from, to time.Time
		limit    int
		found    int
		more     bool
	}{
		{start, start.AddDate(0, 0, 1), 9, 1, false}, // the end is exclusive
		{start, start.AddDate(0, 0, 1).Add(1), 9, 2, false},
		{start.Add(1), start.AddDate(0, 0, 9), 9, 2, false}, // the beginning is inclusive
		{start, start.AddDate(0, 0, 9), 2, 2, true},
		{start, start.AddDate(0, 0, 9), 3, 3, false},
		{start, start.AddDate(0, 0, 9), 0, 0, true},
		{start, start.AddDate(0, 0, 9), -1, 0, true},
		{start, start, 9, 0, false},
		{start.AddDate(0, 0, 9), start, 9, 0, false},
	} {
		found, more := set.Between(test.from, test.to, test.limit)
		if len(found) != test.found || more != test.more {
			t.Errorf("%+v: %v, %v", test, found, more)
		}
	}
	if next, ok := set.Next(start.AddDate(0, 0, 2)); ok {
		t.Errorf("after the last comes %v", next)
	}
	if found, more := parse(t, morning(t), "RRULE:FREQ=DAILY").Between(time.Time{},
		time.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC), 1<<40); len(found) != rrule.MaxOccurrences || !more {
		t.Errorf("an answer holds %d, more %v", len(found), more)
	}
}

// What can never occur is known without looking through the centuries, and an end is worked out only when it is asked
// for: a bulk mutation may hold hundreds of such rules. Steps are counted by what they allocate, so that no machine is
// too slow for it.
func TestReadingIsCheap(t *testing.T) {
	every := "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
	late := "336,337,338,339,340,341,342,343,344,345,346,347,348,349,350,351," +
		"352,353,354,355,356,357,358,359,360,361,362,363,364,365,366"
	week := "SU,MO,TU,WE,TH,FR,SA"
	start := rrule.Start{At: time.Date(1600, 1, 1, 9, 0, 0, 0, time.UTC), Zone: zone(t, "Asia/Jerusalem")}
	for text, ok := range map[string]bool{
		"FREQ=DAILY;BYMONTH=2;BYSETPOS=" + late:                         false,
		"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30":                            false,
		"FREQ=DAILY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=30":                 false,
		"FREQ=DAILY;BYMONTHDAY=1;BYSETPOS=2,3":                          false,
		"FREQ=WEEKLY;BYDAY=" + week + ";BYSETPOS=8":                     false,
		"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6":                              false,
		"FREQ=MONTHLY;BYDAY=" + week + ";BYSETPOS=" + late:              false,
		"FREQ=MONTHLY;BYMONTHDAY=1;BYSETPOS=2," + every[4:]:             false,
		"FREQ=YEARLY;BYWEEKNO=53;BYDAY=" + week + ";BYSETPOS=366":       false,
		"FREQ=YEARLY;BYMONTH=2;BYDAY=" + week + ";BYSETPOS=" + late:     false,
		"FREQ=YEARLY;BYYEARDAY=1,2;BYSETPOS=-3":                         false,
		"FREQ=YEARLY;BYDAY=" + week + ";COUNT=10000;BYSETPOS=" + late:   true,
		"FREQ=YEARLY;BYWEEKNO=53;BYDAY=" + week + ";COUNT=10000":        true,
		"FREQ=DAILY;COUNT=10000":                                        true,
		"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU;COUNT=10000":       true,
		"FREQ=MONTHLY;BYMONTHDAY=" + every + ";COUNT=10000;BYSETPOS=31": true,
	} {
		lines := slices.Repeat([]string{"RRULE:" + text}, 8)
		var err error
		steps := testing.AllocsPerRun(1, func() {
			var set *rrule.Set
			if set, err = rrule.Parse(lines, start); err == nil {
				set.First()
			}
		})
		if (err == nil) != ok || steps > 30_000 {
			t.Errorf("%s: %v, %.0f allocations", text, err, steps)
		}
	}
}

// The slowest recurrences that are accepted, and windows at the ends of time, come to an end.
func TestBounds(t *testing.T) {
	t.Parallel()
	var lines []string
	for range 8 {
		lines = append(lines, "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU;COUNT=10000")
	}
	start := rrule.Start{At: time.Date(1600, 1, 1, 9, 0, 0, 0, time.UTC), Zone: zone(t, "America/New_York")}
	set := parse(t, start, lines...)
	found, more := set.Between(time.Time{}, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), rrule.MaxOccurrences)
	// 97 leap years in 400, 13 of whose last days of February are Sundays, twice.
	if len(found) != 26 || more {
		t.Errorf("%d Sundays, more %v", len(found), more)
	}
	endless := parse(t, start, "RRULE:FREQ=DAILY", "RRULE:FREQ=YEARLY;INTERVAL=9999")
	if last, ok := endless.Next(time.Date(2399, 12, 31, 0, 0, 0, 0, time.UTC)); !ok || last.Start.Year() != 2399 {
		t.Errorf("the last is %v, %v", last, ok)
	}
	for _, at := range []time.Time{time.Date(2400, 1, 2, 0, 0, 0, 0, time.UTC),
		time.Date(250_000, 1, 1, 0, 0, 0, 0, time.UTC)} {
		if next, ok := endless.Next(at); ok {
			t.Errorf("after %v comes %v", at, next)
		}
	}
	if first, ok := endless.Next(time.Time{}); !ok || !first.Start.Equal(start.At) {
		t.Errorf("first is %v", first)
	}
}

// With BYWEEKNO the years that INTERVAL counts are those in which ISO 8601 numbers weeks: week 1 of 2026 begins in
// 2025, and the week before 3 January 2027 is week 53 of 2026.
func TestWeekNumbersCountWeekYears(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, start, rule, want string }{
		{"UTC", "2024-12-30 09:00", "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO",
			"2024-12-30T09:00Z 2027-01-04T09:00Z 2029-01-01T09:00Z 2030-12-30T09:00Z"},
		{"Asia/Jerusalem", "2026-12-31 09:00", "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=53;BYDAY=TH,SA",
			"2026-12-31T07:00Z 2027-01-02T07:00Z 2032-12-30T07:00Z 2033-01-01T07:00Z"},
		{"UTC", "2027-01-01 09:00", "FREQ=YEARLY;INTERVAL=3;BYWEEKNO=1,53;BYDAY=FR",
			"2027-01-01T09:00Z 2029-01-05T09:00Z 2032-01-02T09:00Z 2032-12-31T09:00Z"},
		{"Pacific/Kiritimati", "2025-12-29 00:00", "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1,-1;BYDAY=MO",
			"2025-12-28T10:00Z 2026-12-27T10:00Z 2028-01-02T10:00Z 2028-12-24T10:00Z"},
		{"Pacific/Pago_Pago", "2026-12-28 23:30", "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=53;BYDAY=MO;BYSETPOS=1;COUNT=2",
			"2026-12-29T10:30Z 2032-12-28T10:30Z"},
		{"UTC", "2024-12-31 09:00", "FREQ=YEARLY;INTERVAL=2;WKST=SU;BYWEEKNO=1;BYDAY=SU,SA",
			"2025-01-04T09:00Z 2027-01-03T09:00Z 2027-01-09T09:00Z 2028-12-31T09:00Z"},
	} {
		set := parse(t, local(t, c.zone, c.start), "RRULE:"+c.rule)
		if got := texts(set, 4); got != c.want {
			t.Errorf("%s from %s:\n got %s\nwant %s", c.rule, c.start, got, c.want)
		}
		// From the middle on it is the same as a part of the whole.
		whole, _ := set.Between(time.Time{}, time.Date(2060, 1, 1, 0, 0, 0, 0, time.UTC), 100)
		for i := range whole {
			part, _ := set.Between(whole[i].Start, time.Date(2060, 1, 1, 0, 0, 0, 0, time.UTC), 100)
			if !slices.Equal(part, whole[i:]) {
				t.Errorf("%s from %v: got %v, want %v", c.rule, whole[i].Start, part, whole[i:])
			}
		}
	}
}

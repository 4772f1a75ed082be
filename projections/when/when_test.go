package when

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
)

func zoneOf(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func instant(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// momentAt reads "2026-11-21T10:00:00+02:00 Asia/Jerusalem".
func momentAt(t testing.TB, text string) Moment {
	t.Helper()
	at, zone, _ := strings.Cut(text, " ")
	return Moment{Now: instant(t, at), Zone: zoneOf(t, zone), Locale: "en", WeekStart: model.Sunday}
}

func TestInstant(t *testing.T) {
	for _, c := range []struct{ name, wall, zone, want string }{
		{"plain", "2026-11-22T18:00", "Asia/Jerusalem", "2026-11-22T18:00:00+02:00"},
		{"summer", "2026-07-22T18:00", "Asia/Jerusalem", "2026-07-22T18:00:00+03:00"},
		{"in a gap, moved on by the hour", "2026-03-27T02:30", "Asia/Jerusalem", "2026-03-27T03:30:00+03:00"},
		{"first minute of a gap", "2026-03-27T02:00", "Asia/Jerusalem", "2026-03-27T03:00:00+03:00"},
		{"after a gap", "2026-03-27T03:00", "Asia/Jerusalem", "2026-03-27T03:00:00+03:00"},
		{"in an overlap, the first", "2026-10-25T01:30", "Asia/Jerusalem", "2026-10-25T01:30:00+03:00"},
		{"end of an overlap", "2026-10-25T02:00", "Asia/Jerusalem", "2026-10-25T02:00:00+02:00"},
		{"gap in New York", "2026-03-08T02:30", "America/New_York", "2026-03-08T03:30:00-04:00"},
		{"overlap in New York", "2026-11-01T01:30", "America/New_York", "2026-11-01T01:30:00-04:00"},
		{"gap of half an hour", "2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-04T02:45:00+11:00"},
		{"overlap of half an hour", "2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-05T01:45:00+11:00"},
		{"gap at midnight", "2018-11-04T00:00", "America/Sao_Paulo", "2018-11-04T01:00:00-02:00"},
		{"overlap before midnight", "2018-02-17T23:30", "America/Sao_Paulo", "2018-02-17T23:30:00-02:00"},
		{"a skipped day is the next one", "2011-12-30T10:00", "Pacific/Apia", "2011-12-31T10:00:00+14:00"},
		{"UTC+14", "2026-01-01T00:00", "Pacific/Kiritimati", "2026-01-01T00:00:00+14:00"},
		{"UTC-12", "2026-01-01T00:00", "Etc/GMT+12", "2026-01-01T00:00:00-12:00"},
		{"far future, by the rule", "2400-07-01T12:00", "America/New_York", "2400-07-01T12:00:00-04:00"},
		{"before zones", "1850-01-01T12:00", "Asia/Jerusalem", "1850-01-01T09:39:06Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := model.ParseDateTimeInput(c.wall)
			if err != nil {
				t.Fatal(err)
			}
			got := Resolve(in, zoneOf(t, c.zone))
			if want := instant(t, c.want); !got.Equal(want) || got.Location() != time.UTC {
				t.Errorf("%s in %s is %v, want %v", c.wall, c.zone, got, want.UTC())
			}
		})
	}
}

func TestResolveKeepsAnOffset(t *testing.T) {
	in, err := model.ParseDateTimeInput("2026-11-22T18:00:00.123456+05:30")
	if err != nil {
		t.Fatal(err)
	}
	want := time.Date(2026, 11, 22, 12, 30, 0, 123456000, time.UTC)
	if got := Resolve(in, zoneOf(t, "Asia/Jerusalem")); !got.Equal(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// someZones are zones with every kind of trouble.
var someZones = []string{
	"UTC", "Asia/Jerusalem", "America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Beirut",
	"America/Sao_Paulo", "Africa/Cairo",
	"Pacific/Apia", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Etc/GMT+12", "America/St_Johns", "America/Havana",
	"Asia/Kathmandu", "Africa/Casablanca",
	"Asia/Tehran", "Pacific/Chatham", "America/Scoresbysund", "Atlantic/Azores", "America/Juneau", "Asia/Manila",
	"Antarctica/Troll", "Europe/Dublin",
}

// TestInstantAgreesWithASearch compares Instant with a search through all seconds-wide candidates: the earliest instant
// whose clock reading is the one asked for, otherwise the last instant before the gap plus what is missing.
func TestInstantAgreesWithASearch(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, name := range someZones {
		zone := zoneOf(t, name)
		for range 60 {
			near := nearTransition(random, zone)
			wall := asIfUTC(near.In(zone))
			want, found := time.Time{}, false
			for _, offset := range offsetsAround(near, zone) {
				at := wall.Add(-offset)
				if asIfUTC(at.In(zone)).Equal(wall) && (!found || at.Before(want)) {
					want, found = at, true
				}
			}
			if !found {
				t.Fatalf("%s: %v is shown at %v but was not found", name, wall, near)
			}
			if got := Instant(wall, zone); !got.Equal(want) {
				t.Errorf("%s: %v is %v, want %v", name, wall, got, want)
			}
		}
	}
}

func TestInstantInEveryGapMovesOnByTheGap(t *testing.T) {
	for _, name := range someZones {
		zone := zoneOf(t, name)
		for at := time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2030; {
			_, end := at.In(zone).ZoneBounds()
			if end.IsZero() {
				break
			}
			before, after := offsetAt(end.Add(-time.Second), zone), offsetAt(end, zone)
			if gap := after - before; gap > 0 {
				wall := asIfUTC(end.Add(-time.Second).In(zone)).Add(time.Second + gap/2)
				got := Instant(wall, zone)
				if shown := asIfUTC(got.In(zone)); shown.Sub(wall) != gap {
					t.Errorf("%s: %v, skipped by %v, is taken as %v", name, wall, gap, shown)
				}
			}
			at = end
		}
	}
}

func offsetAt(at time.Time, zone *time.Location) time.Duration {
	_, seconds := at.In(zone).Zone()
	return time.Duration(seconds) * time.Second
}

func offsetsAround(at time.Time, zone *time.Location) []time.Duration {
	var all []time.Duration
	for d := -30 * time.Hour; d <= 30*time.Hour; d += 30 * time.Minute {
		all = append(all, offsetAt(at.Add(d), zone))
	}
	return all
}

// nearTransition returns a random instant of 1990–2040, mostly within a day and a half of a change of the clock.
func nearTransition(random *rand.Rand, zone *time.Location) time.Time {
	at := time.Unix(631152000+random.Int64N(50*365*86400), 0).UTC()
	if _, end := at.In(zone).ZoneBounds(); !end.IsZero() && random.IntN(4) > 0 {
		at = end.Add(time.Duration(random.Int64N(72*3600)-36*3600) * time.Second).UTC()
	}
	return at
}

func TestDays(t *testing.T) {
	for _, c := range []struct{ name, now, start, tomorrow, after string }{
		{"plain", "2026-11-21T10:00:00+02:00 Asia/Jerusalem", "2026-11-21T00:00:00+02:00", "2026-11-22T00:00:00+02:00",
			"2026-11-23T00:00:00+02:00"},
		{"25 hours", "2026-10-25T10:00:00+02:00 Asia/Jerusalem", "2026-10-25T00:00:00+03:00", "2026-10-26T00:00:00+02:00",
			"2026-10-27T00:00:00+02:00"},
		{"no midnight", "2018-11-04T12:00:00-02:00 America/Sao_Paulo", "2018-11-04T01:00:00-02:00",
			"2018-11-05T00:00:00-02:00", "2018-11-06T00:00:00-02:00"},
		{"no midnight in Beirut", "2022-03-27T12:00:00+03:00 Asia/Beirut", "2022-03-27T01:00:00+03:00",
			"2022-03-28T00:00:00+03:00", "2022-03-29T00:00:00+03:00"},
		{"no midnight in Cairo", "2023-04-28T12:00:00+03:00 Africa/Cairo", "2023-04-28T01:00:00+03:00",
			"2023-04-29T00:00:00+03:00", "2023-04-30T00:00:00+03:00"},
		{"set back over midnight, second 23:30", "2018-02-17T23:30:00-03:00 America/Sao_Paulo", "2018-02-17T00:00:00-02:00",
			"2018-02-18T00:00:00-03:00", "2018-02-19T00:00:00-03:00"},
		{"two midnights, the first begins the day", "2023-11-05T00:30:00-05:00 America/Havana", "2023-11-05T00:00:00-04:00",
			"2023-11-06T00:00:00-05:00", "2023-11-07T00:00:00-05:00"},
		{"set back a minute after midnight: the minute", "2006-10-29T00:00:30-02:30 America/St_Johns",
			"2006-10-28T00:00:00-02:30", "2006-10-29T00:00:00-03:30", "2006-10-30T00:00:00-03:30"},
		{"set back a minute after midnight: 23:30 again", "2006-10-28T23:30:00-03:30 America/St_Johns",
			"2006-10-28T00:00:00-02:30", "2006-10-29T00:00:00-03:30", "2006-10-30T00:00:00-03:30"},
		{"before a skipped day", "2011-12-29T12:00:00-10:00 Pacific/Apia", "2011-12-29T00:00:00-10:00",
			"2011-12-31T00:00:00+14:00", "2012-01-01T00:00:00+14:00"},
		{"two before a skipped day", "2011-12-28T12:00:00-10:00 Pacific/Apia", "2011-12-28T00:00:00-10:00",
			"2011-12-29T00:00:00-10:00", "2011-12-31T00:00:00+14:00"},
		{"UTC+14", "2026-01-01T09:00:00Z Pacific/Kiritimati", "2026-01-01T00:00:00+14:00", "2026-01-02T00:00:00+14:00",
			"2026-01-03T00:00:00+14:00"},
		{"UTC+14, next day already", "2026-01-01T10:00:00Z Pacific/Kiritimati", "2026-01-02T00:00:00+14:00",
			"2026-01-03T00:00:00+14:00", "2026-01-04T00:00:00+14:00"},
		{"UTC-11", "2026-01-01T10:59:59Z Pacific/Pago_Pago", "2025-12-31T00:00:00-11:00", "2026-01-01T00:00:00-11:00",
			"2026-01-02T00:00:00-11:00"},
		{"UTC-12", "2026-01-01T11:59:59Z Etc/GMT+12", "2025-12-31T00:00:00-12:00", "2026-01-01T00:00:00-12:00",
			"2026-01-02T00:00:00-12:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := momentAt(t, c.now)
			for _, check := range []struct {
				what, want string
				got        time.Time
			}{{"start", c.start, m.StartOfDay()}, {"tomorrow", c.tomorrow, m.Tomorrow()},
				{"day after tomorrow", c.after, m.DayAfterTomorrow()}} {
				if want := instant(t, check.want); !check.got.Equal(want) {
					t.Errorf("%s is %v, want %v", check.what, check.got.In(m.Zone), want.In(m.Zone))
				}
			}
		})
	}
}

func TestYesterday(t *testing.T) {
	for now, want := range map[string]string{
		"2026-11-21T10:00:00+02:00 Asia/Jerusalem": "2026-11-20T00:00:00+02:00",
		"2011-12-31T12:00:00+14:00 Pacific/Apia":   "2011-12-29T00:00:00-10:00",
	} {
		if m := momentAt(t, now); !m.Yesterday().Equal(instant(t, want)) {
			t.Errorf("yesterday at %s began %v, want %s", now, m.Yesterday().In(m.Zone), want)
		}
	}
}

func TestWeeks(t *testing.T) {
	for _, c := range []struct {
		now         string
		weekStart   model.Weekday
		start, next string
	}{
		{"2026-11-21T10:00:00+02:00 Asia/Jerusalem", model.Sunday, "2026-11-15T00:00:00+02:00", "2026-11-22T00:00:00+02:00"},
		{"2026-11-22T00:00:00+02:00 Asia/Jerusalem", model.Sunday, "2026-11-22T00:00:00+02:00", "2026-11-29T00:00:00+02:00"},
		{"2026-11-22T10:00:00+02:00 Asia/Jerusalem", model.Monday, "2026-11-16T00:00:00+02:00", "2026-11-23T00:00:00+02:00"},
		{"2026-11-21T10:00:00+02:00 Asia/Jerusalem", model.Saturday, "2026-11-21T00:00:00+02:00",
			"2026-11-28T00:00:00+02:00"},
		{"2026-10-28T10:00:00+02:00 Asia/Jerusalem", model.Sunday, "2026-10-25T00:00:00+03:00", "2026-11-01T00:00:00+02:00"},
		{"2012-01-02T10:00:00+14:00 Pacific/Apia", model.Friday, "2011-12-31T00:00:00+14:00", "2012-01-06T00:00:00+14:00"},
	} {
		m := momentAt(t, c.now)
		m.WeekStart = c.weekStart
		if !m.StartOfWeek().Equal(instant(t, c.start)) || !m.StartOfNextWeek().Equal(instant(t, c.next)) {
			t.Errorf("the week of %s from %s is %v to %v, want %s to %s", c.now, c.weekStart, m.StartOfWeek().In(m.Zone),
				m.StartOfNextWeek().In(m.Zone), c.start, c.next)
		}
	}
}

// TestDaysFollowEachOther holds for every instant in every zone: it lies in its own day and week, days touch, and days
// are as clocks show them but for what clocks show twice.
func TestDaysFollowEachOther(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, name := range someZones {
		zone := zoneOf(t, name)
		for range 40 {
			m := Moment{Now: nearTransition(random, zone), Zone: zone, WeekStart: model.WeekdayOf(time.Weekday(random.IntN(7)))}
			start, tomorrow, after := m.StartOfDay(), m.Tomorrow(), m.DayAfterTomorrow()
			if m.Now.Before(start) || !m.Now.Before(tomorrow) || !tomorrow.Before(after) {
				t.Errorf("%s: %v is not within %v to %v", name, m.Now.In(zone), start, tomorrow)
			}
			if m.Now.Before(m.StartOfWeek()) || !m.Now.Before(m.StartOfNextWeek()) || m.StartOfWeek().After(start) ||
				m.StartOfNextWeek().Before(tomorrow) {
				t.Errorf("%s: %v is not in its week", name, m.Now.In(zone))
			}
			next := m
			next.Now = tomorrow
			if !next.StartOfDay().Equal(tomorrow) || !next.Tomorrow().Equal(after) || !next.Yesterday().Equal(start) {
				t.Errorf("%s: the day after %v does not begin where this one ends", name, m.Now.In(zone))
			}
			if length := tomorrow.Sub(start); length < 22*time.Hour || length > 26*time.Hour {
				t.Errorf("%s: the day of %v has %v", name, m.Now.In(zone), length)
			}
			for at := start; at.Before(tomorrow); at = at.Add(20 * time.Minute) {
				// Clocks may show another date only before they are set back over midnight.
				shown, day := at.In(zone), m.day(m.Now)
				if shown.Day() != day.Day() && offsetAt(at.Add(2*time.Hour), zone) >= offsetAt(at, zone) {
					t.Errorf("%s: %v is taken for %v", name, shown, day)
				}
			}
		}
	}
}

func TestWindow(t *testing.T) {
	m := momentAt(t, "2026-11-18T10:00:00+02:00 Asia/Jerusalem") // a Wednesday
	for _, c := range []struct {
		window   model.TaskWindow
		from, to string
	}{
		{model.TaskWindowToday, "2026-11-18T00:00:00+02:00", "2026-11-19T00:00:00+02:00"},
		{model.TaskWindowTomorrow, "2026-11-19T00:00:00+02:00", "2026-11-20T00:00:00+02:00"},
		{model.TaskWindowThisWeek, "2026-11-15T00:00:00+02:00", "2026-11-22T00:00:00+02:00"},
		{model.TaskWindowNext7Days, "2026-11-18T10:00:00+02:00", "2026-11-25T00:00:00+02:00"},
		{model.TaskWindowOverdue, "", "2026-11-18T10:00:00+02:00"},
		{model.TaskWindowUpcoming, "2026-11-18T10:00:00+02:00", ""},
	} {
		t.Run(string(c.window), func(t *testing.T) {
			bounds, err := Window(c.window, m)
			if err != nil {
				t.Fatal(err)
			}
			if c.from == "" {
				if !bounds.From.IsZero() || !bounds.Holds(instant(t, "1900-01-01T00:00:00Z")) {
					t.Errorf("from %v", bounds.From)
				}
			} else if from := instant(t, c.from); !bounds.From.Equal(from) || !bounds.Holds(from) ||
				bounds.Holds(from.Add(-time.Microsecond)) {
				t.Errorf("from %v, want %v", bounds.From, from)
			}
			if c.to == "" {
				if !bounds.To.IsZero() || !bounds.Holds(instant(t, "9999-01-01T00:00:00Z")) {
					t.Errorf("to %v", bounds.To)
				}
			} else if to := instant(t, c.to); !bounds.To.Equal(to) || bounds.Holds(to) ||
				!bounds.Holds(to.Add(-time.Microsecond)) {
				t.Errorf("to %v, want %v", bounds.To, to)
			}
			if bounds.NoDueDate || bounds.Holds(time.Time{}) {
				t.Error("holds what has no due date")
			}
		})
	}
	none, err := Window(model.TaskWindowNone, m)
	if err != nil || !none.Holds(time.Time{}) || none.Holds(m.Now) {
		t.Errorf("NONE is %+v (%v)", none, err)
	}
	if _, err := Window("YESTERDAY", m); model.CodeOf(err) != model.CodeBadUserInput {
		t.Errorf("an unknown window gives %v", err)
	}
}

// TestWindowsFlagsAndBucketsAgree holds for any due date at any moment.
func TestWindowsFlagsAndBucketsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for _, name := range someZones {
		zone := zoneOf(t, name)
		for range 20 {
			m := Moment{Now: nearTransition(random, zone).Add(time.Duration(random.Int64N(2000))), Zone: zone,
				WeekStart: model.Monday}
			day := m.Day()
			edges := []time.Time{day.Start, day.Now, day.End, m.DayAfterTomorrow(), m.StartOfWeek(), m.StartOfNextWeek()}
			for range 30 {
				due := edges[random.IntN(len(edges))].Add(time.Duration(random.Int64N(3)-1) * time.Microsecond)
				switch random.IntN(5) {
				case 0:
					due = time.Time{}
				case 1:
					due = m.Now.Add(time.Duration(random.Int64N(20*86400)-10*86400) * time.Second).Truncate(time.Microsecond)
				}
				holds := func(w model.TaskWindow) bool {
					bounds, err := Window(w, m)
					if err != nil {
						t.Fatal(err)
					}
					return bounds.Holds(due)
				}
				flags, bucket := day.Flags(due), day.Bucket(due, false)
				if flags.IsOverdue != holds(model.TaskWindowOverdue) || flags.IsToday != holds(model.TaskWindowToday) {
					t.Fatalf("%s: due %v at %v: %+v", name, due, m.Now, flags)
				}
				want := model.BucketUpcoming
				switch {
				case holds(model.TaskWindowNone):
					want = model.BucketNoDueDate
				case holds(model.TaskWindowOverdue):
					want = model.BucketOverdue
				case holds(model.TaskWindowToday):
					want = model.BucketToday
				}
				if bucket != want || day.Bucket(due, true) != model.BucketRecurring {
					t.Fatalf("%s: due %v at %v stands in %s, want %s", name, due, m.Now, bucket, want)
				}
				if holds(model.TaskWindowTomorrow) && !flags.IsTomorrowOrLater ||
					!due.IsZero() && flags.IsToday == flags.IsTomorrowOrLater && !due.Before(day.Start) {
					t.Fatalf("%s: due %v at %v: %+v", name, due, m.Now, flags)
				}
				if !due.IsZero() && holds(model.TaskWindowUpcoming) == holds(model.TaskWindowOverdue) {
					t.Fatalf("%s: due %v at %v is in both or none of UPCOMING and OVERDUE", name, due, m.Now)
				}
			}
		}
	}
}

func TestFlagsAreIndependent(t *testing.T) {
	day := momentAt(t, "2026-11-18T10:00:00+02:00 Asia/Jerusalem").Day()
	if got := day.Flags(instant(t, "2026-11-18T09:00:00+02:00")); got != (Flags{IsOverdue: true, IsToday: true}) {
		t.Errorf("due at 09:00, at 10:00: %+v", got)
	}
	if got := day.Flags(time.Time{}); got != (Flags{}) {
		t.Errorf("no due date: %+v", got)
	}
}

// TestNowCountsToTheMicrosecond: the stores keep no more, so what is due in now's own microsecond is not overdue,
// anywhere.
func TestNowCountsToTheMicrosecond(t *testing.T) {
	m := momentAt(t, "2026-11-18T10:00:00+02:00 Asia/Jerusalem")
	due := m.Now
	m.Now = m.Now.Add(999 * time.Nanosecond)
	bounds, err := Window(model.TaskWindowOverdue, m)
	if err != nil || bounds.Holds(due) || m.Day().Flags(due).IsOverdue || m.Day().Bucket(due, false) != model.BucketToday {
		t.Errorf("due at %v is overdue at %v (%v)", due, m.Now, err)
	}
	m.Now = m.Now.Add(time.Nanosecond)
	if !m.Day().Flags(due).IsOverdue {
		t.Errorf("due at %v is not overdue at %v", due, m.Now)
	}
}

func TestFormat(t *testing.T) {
	now := "2026-01-19T15:00:00+02:00 Asia/Jerusalem" // a Monday
	for _, c := range []struct{ at, now, en, he string }{
		{"2026-01-19T10:00:00+02:00", now, "Today at 10:00", "היום ב-10:00"},
		{"2026-01-19T00:00:00+02:00", now, "Today at 00:00", "היום ב-00:00"},
		{"2026-01-19T23:59:59+02:00", now, "Today at 23:59", "היום ב-23:59"},
		{"2026-01-20T00:00:00+02:00", now, "Tomorrow at 00:00", "מחר ב-00:00"},
		{"2026-01-18T23:59:59+02:00", now, "Yesterday at 23:59", "אתמול ב-23:59"},
		{"2026-01-17T23:59:59+02:00", now, "Saturday, January 17, 23:59", "יום שבת, 17 בינואר, 23:59"},
		{"2026-01-21T09:05:00+02:00", now, "Wednesday, January 21, 09:05", "יום רביעי, 21 בינואר, 09:05"},
		{"2026-12-31T00:00:00+02:00", now, "Thursday, December 31, 00:00", "יום חמישי, 31 בדצמבר, 00:00"},
		{"2027-01-20T10:00:00+02:00", now, "Wednesday, January 20, 2027, 10:00", "יום רביעי, 20 בינואר 2027, 10:00"},
		{"2025-08-01T10:00:00+03:00", now, "Friday, August 1, 2025, 10:00", "יום שישי, 1 באוגוסט 2025, 10:00"},
		{"2026-01-20T10:00:00+02:00", "2026-01-01T00:30:00+02:00 Asia/Jerusalem", "Tuesday, January 20, 10:00",
			"יום שלישי, 20 בינואר, 10:00"},
		{"2026-01-20T10:00:00+02:00", "2026-01-16T15:00:00+02:00 Asia/Jerusalem", "Tuesday, January 20, 10:00",
			"יום שלישי, 20 בינואר, 10:00"},
		{"2026-01-01T00:30:00+02:00", "2025-12-31T20:00:00+02:00 Asia/Jerusalem", "Tomorrow at 00:30", "מחר ב-00:30"},
		{"2011-12-31T09:00:00+14:00", "2011-12-29T12:00:00-10:00 Pacific/Apia", "Tomorrow at 09:00", "מחר ב-09:00"},
		{"2026-01-19T10:00:00+02:00", "2026-01-19T15:00:00+02:00 Pacific/Kiritimati", "Yesterday at 22:00", "אתמול ב-22:00"},
	} {
		m := momentAt(t, c.now)
		if got := Format(instant(t, c.at), m); got != c.en {
			t.Errorf("%s at %s is %q, want %q", c.at, c.now, got, c.en)
		}
		m.Locale = "he"
		if got := Format(instant(t, c.at), m); got != c.he {
			t.Errorf("%s at %s is %q, want %q", c.at, c.now, got, c.he)
		}
	}
	if got := Format(time.Time{}, momentAt(t, now)); got != "" {
		t.Errorf("no time is %q", got)
	}
}

// TestHebrewNeedsNoBidiMarks holds Format to what its comment promises.
func TestHebrewNeedsNoBidiMarks(t *testing.T) {
	m := momentAt(t, "2026-01-16T12:00:00+02:00 Asia/Jerusalem")
	m.Locale = "he"
	for days := -400; days < 400; days++ {
		said := Format(m.Now.AddDate(0, 0, days), m)
		if strings.Trim(said, "אבגדהוזחטיכלמנסעפצקרשתךםןףץ0123456789 ,:-") != "" ||
			!strings.ContainsRune("יהאמ", []rune(said)[0]) {
			t.Errorf("%q", said)
		}
	}
}

func TestLoadZone(t *testing.T) {
	for name := range strings.Lines(zoneNames) {
		name = strings.TrimSpace(name)
		zone, err := LoadZone(name)
		if err != nil || zone.String() != name {
			t.Errorf("%s: %v (%v)", name, zone, err)
		}
	}
	for _, name := range []string{"", "Local", "local", "utc", "asia/jerusalem", "+02:00", "UTC+2", "../etc/passwd",
		"/etc/localtime", "posix/UTC", "right/UTC", "Factory", "zone.tab", "Asia", "Asia/Jerusalem ", "Asia\\Jerusalem",
		strings.Repeat("A", 100_000)} {
		zone, err := LoadZone(name)
		if model.CodeOf(err) != model.CodeBadUserInput || len(err.Error()) > 400 {
			t.Errorf("%.40q: %v, %.80v", name, zone, err)
		}
	}
}

func TestParseLocale(t *testing.T) {
	for in, want := range map[string]string{
		"en": "en", "he": "he", "iw": "he", "he-IL": "he", "HE_il": "he", "en-US": "en",
		"he-IL,he;q=0.9,en-US;q=0.8,en;q=0.7": "he",
		"fr-FR, en;q=0.3, he;q=0.5":           "he",
		"en;q=0.5, he;q=0.5":                  "en",
		"he;q=0, en;q=0.1":                    "en",
		"he;q=0":                              "", "fr, de;q=0.5": "", "": "", "*": "", "english": "", "hebrew": "",
		"en;q=x, he;q=0.1": "he", "en;q=2": "", "en;level=1": "", ",,, en ;  Q = 0.5 ": "en", "en;q=NaN": "",
		strings.Repeat("fr,", 100_000) + "en": "",
	} {
		if got, ok := ParseLocale(in); got != want || ok != (want != "") {
			t.Errorf("ParseLocale(%.60q) = %q, %v, want %q", in, got, ok, want)
		}
	}
}

func FuzzParseLocale(f *testing.F) {
	f.Add("he-IL,he;q=0.9")
	f.Fuzz(func(t *testing.T, in string) {
		if got, ok := ParseLocale(in); ok != (got == "en" || got == "he") || !ok && got != "" {
			t.Errorf("ParseLocale(%q) = %q, %v", in, got, ok)
		}
	})
}

func FuzzInstant(f *testing.F) {
	f.Add(int64(1774569600), uint16(1))
	f.Add(int64(-9e10), uint16(40))
	f.Add(int64(2e11), uint16(200))
	names := strings.Fields(zoneNames)
	f.Fuzz(func(t *testing.T, seconds int64, pick uint16) {
		if seconds > 253402300799 || seconds < -62135596800 {
			return
		}
		zone := zoneOf(t, names[int(pick)%len(names)])
		wall := time.Unix(seconds, 0).UTC()
		got := Instant(wall, zone)
		if shown := asIfUTC(got.In(zone)); shown.Before(wall) || shown.Sub(wall) > 25*time.Hour {
			t.Errorf("%s: %v is taken as %v", zone, wall, shown)
		}
		m := Moment{Now: wall, Zone: zone}
		if wall.Before(m.StartOfDay()) || !wall.Before(m.Tomorrow()) {
			t.Errorf("%s: %v is not in its day", zone, wall)
		}
	})
}

func BenchmarkDay(b *testing.B) {
	m := momentAt(b, "2026-11-18T10:00:00+02:00 Asia/Jerusalem")
	for b.Loop() {
		_ = m.Day()
	}
}

func BenchmarkFormat(b *testing.B) {
	m := momentAt(b, "2026-11-18T10:00:00+02:00 Asia/Jerusalem")
	due := m.Now.Add(30 * time.Hour)
	for b.Loop() {
		_ = Format(due, m)
	}
}

func ExampleFormat() {
	zone, _ := LoadZone("Asia/Jerusalem")
	now := time.Date(2026, 1, 16, 12, 0, 0, 0, zone)
	m := Moment{Now: now, Zone: zone, Locale: "en"}
	fmt.Println(Format(time.Date(2026, 1, 20, 10, 0, 0, 0, zone), m))
	// Output: Tuesday, January 20, 10:00
}

func TestFormatDate(t *testing.T) {
	t.Parallel()
	m := momentAt(t, "2026-01-20T09:30:00+02:00 Asia/Jerusalem")
	for _, c := range []struct{ date, en, he string }{
		{"2026-01-20", "Today", "היום"},
		{"2026-01-21", "Tomorrow", "מחר"},
		{"2026-01-19", "Yesterday", "אתמול"},
		{"2026-01-27", "Tuesday, January 27", "יום שלישי, 27 בינואר"},
		{"2025-12-31", "Wednesday, December 31, 2025", "יום רביעי, 31 בדצמבר 2025"},
	} {
		date, err := model.ParseDate(c.date)
		if err != nil {
			t.Fatal(err)
		}
		m.Locale = "en"
		en := FormatDate(date, m)
		m.Locale = "he"
		if he := FormatDate(date, m); en != c.en || he != c.he {
			t.Errorf("%s: %s, %s", c.date, en, he)
		}
	}
	if got := FormatDate(model.Date{}, m); got != "" {
		t.Errorf("no day is %q", got)
	}
}

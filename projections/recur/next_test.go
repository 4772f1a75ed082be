package recur

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

func instant(t testing.TB, text string) time.Time {
	t.Helper()
	if text == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.UTC()
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loaded, err := when.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func daily(clock, zone string) model.Recurrence {
	return model.Recurrence{Type: model.Daily, Time: clock, TimeZone: zone}
}

func weekly(clock, zone string, days ...model.Weekday) model.Recurrence {
	return model.Recurrence{Type: model.Weekly, Time: clock, TimeZone: zone, Days: days}
}

func monthly(clock, zone string, day int) model.Recurrence {
	return model.Recurrence{Type: model.Monthly, Time: clock, TimeZone: zone, DayOfMonth: day}
}

func nudge(interval time.Duration) model.Recurrence {
	return model.Recurrence{Type: model.Nudge, Interval: interval}
}

const jerusalem = "Asia/Jerusalem"

func TestNext(t *testing.T) {
	until := func(rule model.Recurrence, at string) model.Recurrence {
		rule.Until = instant(t, at)
		return rule
	}
	for _, c := range []struct {
		name  string
		rule  model.Recurrence
		after string
		want  []string // the occurrences that follow; "" for no more
	}{
		{"the 31st in a common year", monthly("09:00", jerusalem, 31), "2026-01-31T08:00:00+02:00", []string{
			"2026-01-31T09:00:00+02:00", "2026-02-28T09:00:00+02:00", "2026-03-31T09:00:00+03:00", "2026-04-30T09:00:00+03:00",
			"2026-05-31T09:00:00+03:00",
			"2026-06-30T09:00:00+03:00", "2026-07-31T09:00:00+03:00", "2026-08-31T09:00:00+03:00", "2026-09-30T09:00:00+03:00",
			"2026-10-31T09:00:00+02:00",
			"2026-11-30T09:00:00+02:00", "2026-12-31T09:00:00+02:00", "2027-01-31T09:00:00+02:00",
		}},
		{"the 31st in a leap year", monthly("09:00", "UTC", 31), "2028-01-31T09:00:00Z",
			[]string{"2028-02-29T09:00:00Z", "2028-03-31T09:00:00Z"}},
		{"the 30th in February", monthly("09:00", "UTC", 30), "2027-02-01T00:00:00Z",
			[]string{"2027-02-28T09:00:00Z", "2027-03-30T09:00:00Z"}},
		{"the 29th in leap and common years", monthly("09:00", "UTC", 29), "2028-02-28T10:00:00Z",
			[]string{"2028-02-29T09:00:00Z", "2028-03-29T09:00:00Z"}},
		{"1900 had no leap day, 2000 had", monthly("00:00", "UTC", 31), "1900-02-01T00:00:00Z",
			[]string{"1900-02-28T00:00:00Z"}},
		{"2000", monthly("00:00", "UTC", 31), "2000-02-01T00:00:00Z", []string{"2000-02-29T00:00:00Z"}},
		{"the first, strictly after", monthly("09:00", "UTC", 1), "2026-12-01T09:00:00Z", []string{"2027-01-01T09:00:00Z"}},
		{"a microsecond before", monthly("09:00", "UTC", 1), "2026-12-01T08:59:59.999999Z", []string{"2026-12-01T09:00:00Z"}},

		{"daily over the spring change in Jerusalem", daily("08:00", jerusalem), "2026-03-26T08:00:00+02:00",
			[]string{"2026-03-27T08:00:00+03:00", "2026-03-28T08:00:00+03:00"}},
		{"daily in the hour skipped", daily("02:30", jerusalem), "2026-03-26T02:30:00+02:00",
			[]string{"2026-03-27T03:30:00+03:00", "2026-03-28T02:30:00+03:00"}},
		{"daily in the hour repeated, once", daily("01:30", jerusalem), "2026-10-24T01:30:00+03:00",
			[]string{"2026-10-25T01:30:00+03:00", "2026-10-26T01:30:00+02:00"}},
		{"asked between the two", daily("01:30", jerusalem), "2026-10-25T01:15:00+02:00",
			[]string{"2026-10-26T01:30:00+02:00"}},
		{"weekly over the autumn change in Jerusalem", weekly("08:00", jerusalem, model.Sunday), "2026-10-18T08:00:00+03:00",
			[]string{"2026-10-25T08:00:00+02:00", "2026-11-01T08:00:00+02:00"}},
		{"weekly over the spring change in Jerusalem", weekly("08:00", jerusalem, model.Friday), "2026-03-20T08:00:00+02:00",
			[]string{"2026-03-27T08:00:00+03:00", "2026-04-03T08:00:00+03:00"}},
		{"weekly over the spring change in New York", weekly("08:00", "America/New_York", model.Sunday, model.Wednesday),
			"2026-03-04T08:00:00-05:00", []string{
				"2026-03-08T08:00:00-04:00", "2026-03-11T08:00:00-04:00", "2026-03-15T08:00:00-04:00"}},
		{"weekly in the hour skipped in New York", weekly("02:30", "America/New_York", model.Sunday),
			"2026-03-01T02:30:00-05:00", []string{"2026-03-08T03:30:00-04:00", "2026-03-15T02:30:00-04:00"}},
		{"weekly in the hour repeated in New York", weekly("01:30", "America/New_York", model.Sunday),
			"2026-10-25T01:30:00-04:00", []string{"2026-11-01T01:30:00-04:00", "2026-11-08T01:30:00-05:00"}},
		{"weekly in the half hour skipped on Lord Howe", weekly("02:15", "Australia/Lord_Howe", model.Sunday),
			"2026-09-27T02:15:00+10:30", []string{"2026-10-04T02:45:00+11:00", "2026-10-11T02:15:00+11:00"}},
		{"weekly in the half hour repeated on Lord Howe", weekly("01:45", "Australia/Lord_Howe", model.Sunday),
			"2026-03-29T01:45:00+11:00", []string{"2026-04-05T01:45:00+11:00", "2026-04-12T01:45:00+10:30"}},
		{"UTC+14", weekly("08:00", "Pacific/Kiritimati", model.Monday), "2026-11-21T12:00:00Z",
			[]string{"2026-11-22T18:00:00Z", "2026-11-29T18:00:00Z"}},
		{"UTC-11", weekly("20:00", "Pacific/Pago_Pago", model.Monday), "2026-11-21T12:00:00Z",
			[]string{"2026-11-24T07:00:00Z", "2026-12-01T07:00:00Z"}},
		{"UTC+14, daily at midnight", daily("00:00", "Pacific/Kiritimati"), "2026-11-21T09:59:00Z",
			[]string{"2026-11-21T10:00:00Z", "2026-11-22T10:00:00Z"}},
		{"UTC-11, daily at the last minute", daily("23:59", "Pacific/Pago_Pago"), "2026-11-21T10:59:00Z",
			[]string{"2026-11-22T10:59:00Z"}},
		{"daily over a day that never was", daily("10:00", "Pacific/Apia"), "2011-12-28T10:00:00-10:00",
			[]string{"2011-12-29T10:00:00-10:00", "2011-12-31T10:00:00+14:00", "2012-01-01T10:00:00+14:00"}},
		{"weekly on a day that never was", weekly("10:00", "Pacific/Apia", model.Friday), "2011-12-23T10:00:00-10:00",
			[]string{"2011-12-31T10:00:00+14:00", "2012-01-06T10:00:00+14:00"}},
		{"asked within the day that took its place", weekly("10:00", "Pacific/Apia", model.Friday),
			"2011-12-31T00:30:00+14:00", []string{"2011-12-31T10:00:00+14:00", "2012-01-06T10:00:00+14:00"}},
		{"daily at a midnight that is skipped", daily("00:00", "America/Sao_Paulo"), "2018-11-03T12:00:00-03:00",
			[]string{"2018-11-04T01:00:00-02:00", "2018-11-05T00:00:00-02:00"}},

		{"weekly on several days, over the week's end", weekly("08:00", jerusalem, model.Sunday, model.Thursday),
			"2026-11-19T08:00:00+02:00", []string{"2026-11-22T08:00:00+02:00", "2026-11-26T08:00:00+02:00"}},
		{"weekly today, later", weekly("18:00", jerusalem, model.Saturday), "2026-11-21T10:00:00+02:00",
			[]string{"2026-11-21T18:00:00+02:00", "2026-11-28T18:00:00+02:00"}},
		{"until, inclusive", until(daily("08:00", "UTC"), "2026-11-23T08:00:00Z"), "2026-11-21T09:00:00Z",
			[]string{"2026-11-22T08:00:00Z", "2026-11-23T08:00:00Z", ""}},
		{"until, a second early", until(daily("08:00", "UTC"), "2026-11-23T07:59:59Z"), "2026-11-22T08:00:00Z", []string{""}},
		{"nudge", nudge(10 * time.Minute), "2026-11-21T09:00:00Z", []string{"2026-11-21T09:10:00Z", "2026-11-21T09:20:00Z"}},
		{"nudge until", until(nudge(10*time.Minute), "2026-11-21T09:10:00Z"), "2026-11-21T09:00:00Z",
			[]string{"2026-11-21T09:10:00Z", ""}},
		{"the end of time", daily("08:00", "UTC"), "9999-12-31T08:00:00Z", []string{""}},
		{"a zone that is gone", daily("08:00", "Mars/Olympus"), "2026-11-21T09:00:00Z", []string{"2026-11-22T08:00:00Z"}},
		{"weekly without days", weekly("08:00", "UTC"), "2026-11-21T09:00:00Z", []string{""}},
		{"monthly without a day", monthly("08:00", "UTC", 0), "2026-11-21T09:00:00Z", []string{""}},
		{"no time", daily("", "UTC"), "2026-11-21T09:00:00Z", []string{""}},
		{"no type", model.Recurrence{Time: "08:00", TimeZone: "UTC"}, "2026-11-21T09:00:00Z", []string{""}},
		{"nudge without interval", nudge(0), "2026-11-21T09:00:00Z", []string{""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			after := instant(t, c.after)
			for _, want := range c.want {
				at, ok := Next(c.rule, after)
				if ok != (want != "") || !at.Equal(instant(t, want)) {
					t.Fatalf("after %v comes %v (%v), want %q", after, at, ok, want)
				}
				after = at
			}
		})
	}
}

var trickyZones = []string{
	"UTC", jerusalem, "America/New_York", "Australia/Lord_Howe", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Apia",
	"America/Sao_Paulo",
	"Asia/Beirut", "Africa/Cairo", "America/St_Johns", "America/Havana", "Antarctica/Troll", "Asia/Tehran",
	"Africa/Casablanca", "Asia/Kathmandu",
}

func randomRule(random *rand.Rand) model.Recurrence {
	rule := model.Recurrence{
		Time:     fmt.Sprintf("%02d:%02d", random.IntN(24), random.IntN(60)),
		TimeZone: trickyZones[random.IntN(len(trickyZones))],
	}
	if random.IntN(2) == 0 { // the hours in which clocks change
		rule.Time = fmt.Sprintf("%02d:%02d", random.IntN(4), random.IntN(4)*15)
	}
	switch random.IntN(3) {
	case 0:
		rule.Type = model.Daily
	case 1:
		rule.Type, rule.DayOfMonth = model.Monthly, 1+random.IntN(31)
	default:
		rule.Type = model.Weekly
		for day := range time.Saturday + 1 {
			if random.IntN(3) == 0 {
				rule.Days = append(rule.Days, model.WeekdayOf(day))
			}
		}
		if len(rule.Days) == 0 {
			rule.Days = []model.Weekday{model.Tuesday}
		}
	}
	return rule
}

// randomTime returns an instant of 2005–2035, mostly near a change of the rule's clock.
func randomTime(random *rand.Rand, zone *time.Location) time.Time {
	at := time.Unix(1104537600+random.Int64N(30*365*86400), 0).UTC()
	if _, end := at.In(zone).ZoneBounds(); !end.IsZero() && random.IntN(3) > 0 {
		at = end.Add(time.Duration(random.Int64N(6*86400)-4*86400) * time.Second).UTC()
	}
	return at
}

// bruteNext looks at every day of two months and a week, whatever the rule, and takes the earliest occurrence.
func bruteNext(rule model.Recurrence, after time.Time, zone *time.Location) time.Time {
	var best time.Time
	start := after.In(zone)
	for i := -4; i < 70; i++ {
		date := time.Date(start.Year(), start.Month(), start.Day()+i, 0, 0, 0, 0, time.UTC)
		lastOfMonth := date.AddDate(0, 0, 1).Day() == 1
		switch rule.Type {
		default: // every day
		case model.Weekly:
			if !slices.Contains(rule.Days, model.Weekday(strings.ToUpper(date.Weekday().String()))) {
				continue
			}
		case model.Monthly:
			if date.Day() != rule.DayOfMonth && (!lastOfMonth || date.Day() > rule.DayOfMonth) {
				continue
			}
		}
		clock, err := time.Parse("15:04", rule.Time)
		if err != nil {
			panic(err)
		}
		at := when.Instant(date.Add(time.Duration(clock.Hour())*time.Hour+time.Duration(clock.Minute())*time.Minute), zone)
		if at.After(after) && (best.IsZero() || at.Before(best)) {
			best = at
		}
	}
	return best
}

func TestNextIsTheFirstStrictlyAfter(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for range 1500 {
		rule := randomRule(random)
		zone := zone(t, rule.TimeZone)
		after := randomTime(random, zone)
		for range 3 {
			got, ok := Next(rule, after)
			want := bruteNext(rule, after, zone)
			if !ok || !got.Equal(want) || !got.After(after) {
				t.Fatalf("%+v after %v: %v (%v), want %v", rule, after.In(zone), got.In(zone), ok, want.In(zone))
			}
			if again, _ := Next(rule, got.Add(-time.Microsecond)); !again.Equal(got) {
				t.Fatalf("%+v: %v does not follow the microsecond before it, but %v", rule, got, again)
			}
			after = got
		}
	}
}

// TestNextIsWhatClocksShow walks minute by minute: where the clock shows the rule's time on one of its days, it occurs,
// the first time that the date shows it.
func TestNextIsWhatClocksShow(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for range 40 {
		rule := randomRule(random)
		rule.Type, rule.Days, rule.DayOfMonth = model.Daily, nil, 0
		zone := zone(t, rule.TimeZone)
		start := randomTime(random, zone).Truncate(time.Minute)
		shown := map[string]time.Time{}
		for at := start; at.Before(start.Add(4 * 24 * time.Hour)); at = at.Add(time.Minute) {
			local := at.In(zone)
			if date := local.Format(time.DateOnly); local.Format("15:04") == rule.Time && shown[date].IsZero() {
				shown[date] = at
			}
		}
		for date, at := range shown {
			if when.Instant(at.In(zone), zone).Before(start) {
				continue // the clock was set back, and showed it for the first time before the walk
			}
			if got, ok := Next(rule, at.Add(-time.Minute)); !ok || !got.Equal(at) {
				t.Errorf("%+v on %s: %v, want %v", rule, date, got.In(zone), at.In(zone))
			}
		}
	}
}

func TestLatest(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 16))
	for range 200 {
		rule := randomRule(random)
		known, ok := Next(rule, randomTime(random, zone(t, rule.TimeZone)))
		if !ok {
			t.Fatal("no occurrence")
		}
		now := known.Add(time.Duration(random.Int64N(400*86400)) * time.Second)
		want := known
		for at, _ := Next(rule, known); !at.After(now); at, _ = Next(rule, at) {
			want = at
		}
		if got := latest(rule, known, now); !got.Equal(want) {
			t.Fatalf("%+v from %v to %v: %v, want %v", rule, known, now, got, want)
		}
	}
}

func FuzzParseClock(f *testing.F) {
	for _, text := range []string{"08:00", "24:00", "23:60", "8:00", "08:0", "٠٨:٠٠", "-1:00", "+1:+1", "08:00 ",
		"0x:00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseClock(text)
		if ok && fmt.Sprintf("%02d:%02d", got.hour, got.minute) != text {
			t.Errorf("%q is read as %v", text, got)
		}
		if _, err := time.Parse("15:04", text); ok != (err == nil && len(text) == 5) {
			t.Errorf("%q: %v, but the standard library says %v", text, ok, err)
		}
	})
}

// FuzzNext holds for any rule, normalised or not, at any time: it ends, and gives something later within the rule's
// bounds or nothing.
func FuzzNext(f *testing.F) {
	f.Add("WEEKLY", "08:00", "MONDAY", 3, int64(600), "Asia/Jerusalem", int64(1800000000), int64(0))
	f.Add("MONTHLY", "02:30", "", 31, int64(0), "Pacific/Apia", int64(1325203200), int64(1925203200))
	f.Add("NUDGE", "", "", 0, int64(1)<<62, "", int64(253402300799), int64(-1))
	f.Fuzz(func(t *testing.T, kind, clock, day string, dayOfMonth int, interval int64, zone string, after, until int64) {
		rule := model.Recurrence{
			Type: model.RecurrenceType(kind), Time: clock, Days: []model.Weekday{model.Weekday(day)}, DayOfMonth: dayOfMonth,
			Interval: time.Duration(interval), TimeZone: zone,
		}
		if until != 0 {
			rule.Until = time.Unix(until%(1<<40), 0).UTC()
		}
		from := time.Unix(after%(1<<38), 0).UTC()
		at, ok := Next(rule, from)
		if ok && (!at.After(from) && rule.Interval >= time.Microsecond || at.Year() > 9999 ||
			until != 0 && at.After(rule.Until)) || !ok && !at.IsZero() {
			t.Errorf("%+v after %v: %v (%v)", rule, from, at, ok)
		}
	})
}

func BenchmarkNext(b *testing.B) {
	for _, rule := range []model.Recurrence{daily("08:00", jerusalem), weekly("08:00", jerusalem, model.Friday),
		monthly("08:00", jerusalem, 31)} {
		after := time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)
		b.Run(string(rule.Type), func(b *testing.B) {
			for b.Loop() {
				_, _ = Next(rule, after)
			}
		})
	}
}

package plan

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// A walker knows calendars by counting: it steps from day to day, and through all minutes around a day to see which of
// them the zone's clocks show. It uses nothing of the grammar, nor of the arithmetic behind it.
type walker struct {
	now  time.Time
	zone *time.Location
}

type date struct {
	year  int
	month time.Month
	day   int
}

func dateOf(t time.Time) (d date) {
	d.year, d.month, d.day = t.Date()
	return d
}

func (d date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.year, int(d.month), d.day) }

// step is the next day, or the one before.
func (d date) step(by int) date {
	d.day += by
	days := [...]int{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	if d.year%4 == 0 && (d.year%100 != 0 || d.year%400 == 0) {
		days[2] = 29
	}
	switch {
	case d.day > days[d.month]:
		d.day, d.month = 1, d.month+1
		if d.month > 12 {
			d.month, d.year = 1, d.year+1
		}
	case d.day < 1:
		if d.month--; d.month < 1 {
			d.month, d.year = 12, d.year-1
		}
		d.day = days[d.month]
	}
	return d
}

func (d date) walk(n int) date {
	for ; n > 0; n-- {
		d = d.step(1)
	}
	for ; n < 0; n++ {
		d = d.step(-1)
	}
	return d
}

func (w walker) today() date { return dateOf(w.now.In(w.zone)) }

// weekday counts from a Sunday that is known, 2023-01-01.
func (d date) weekday() int {
	at, n := date{2023, 1, 1}, 0
	for at != d {
		at, n = at.step(1), (n+1)%7
	}
	return n
}

// coming is the next day of the week after today.
func (w walker) coming(weekday int) date {
	d := w.today().step(1)
	for d.weekday() != weekday {
		d = d.step(1)
	}
	return d
}

// inNextWeek is the day of the week that follows this one; weeks begin on Sunday.
func (w walker) inNextWeek(weekday int) date {
	d := w.today().step(1)
	for d.weekday() != 0 {
		d = d.step(1)
	}
	return d.walk(weekday)
}

// shown are all minutes at which the zone's clocks show a reading of a day.
func (w walker) shown(d date, hour, minute int) (out []time.Time) {
	at := time.Date(d.year, d.month, d.day, 0, 0, 0, 0, time.UTC).Add(-30 * time.Hour)
	for end := at.Add(84 * time.Hour); at.Before(end); at = at.Add(time.Minute) {
		local := at.In(w.zone)
		if dateOf(local) == d && local.Hour() == hour && local.Minute() == minute {
			out = append(out, at)
		}
	}
	return out
}

var judgedZones = []string{"Asia/Jerusalem", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago",
	"Australia/Lord_Howe", "UTC", "Europe/London", "America/Santiago"}

// TestTimesByWalking compares what relative words give with what a walk through the days gives, in both languages, in
// zones far from UTC and around changes of clocks.
func TestTimesByWalking(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(19, 1))
	days := [...][2]string{{"Sunday", "ראשון"}, {"Monday", "שני"}, {"Tuesday", "שלישי"}, {"Wednesday", "רביעי"},
		{"Thursday", "חמישי"}, {"Friday", "שישי"}, {"Saturday", "שבת"}}
	months := [...]string{"", "January", "February", "March", "April", "May", "June", "July", "August", "September",
		"October", "November", "December"}
	doubled, skipped := 0, 0
	for n := range 700 {
		zone, err := time.LoadLocation(judgedZones[n%len(judgedZones)])
		if err != nil {
			t.Fatal(err)
		}
		w := walker{zone: zone, now: time.Unix(1704067200+random.Int64N(4*365*86400), 0)}
		if n%3 == 0 { // days before the clocks of Jerusalem, New York and Lord Howe change
			w.now = []time.Time{time.Date(2026, 3, 25, 20, 0, 0, 0, time.UTC), time.Date(2026, 10, 23, 20, 0, 0, 0, time.UTC),
				time.Date(2026, 3, 6, 20, 0, 0, 0, time.UTC), time.Date(2026, 10, 30, 20, 0, 0, 0, time.UTC),
				time.Date(2026, 4, 3, 3, 0, 0, 0, time.UTC), time.Date(2026, 10, 2, 3, 0, 0, 0, time.UTC)}[n/3%6]
		}
		at := when.Moment{Now: w.now, Zone: zone, Locale: "en", WeekStart: model.Sunday}
		ahead, weekday := random.IntN(40)+2, random.IntN(7)
		hour, minute := random.IntN(4), []int{0, 15, 30, 45}[random.IntN(4)]
		if n%2 == 0 {
			hour = random.IntN(24)
		}
		dated := w.today().walk(random.IntN(300))
		cases := []struct {
			text string
			day  date
		}{
			{"today", w.today()}, {"היום", w.today()}, {"tomorrow", w.today().walk(1)}, {"מחר", w.today().walk(1)},
			{"the day after tomorrow", w.today().walk(2)}, {"מחרתיים", w.today().walk(2)},
			{fmt.Sprintf("in %d days", ahead), w.today().walk(ahead)},
			{fmt.Sprintf("בעוד %d ימים", ahead), w.today().walk(ahead)},
			{fmt.Sprintf("%d days ago", ahead), w.today().walk(-ahead)},
			{fmt.Sprintf("in %d weeks", ahead%9+2), w.today().walk(7 * (ahead%9 + 2))},
			{fmt.Sprintf("next week on %s", days[weekday][0]), w.inNextWeek(weekday)},
			{fmt.Sprintf("%d %s %d", dated.day, months[dated.month], dated.year), dated},
			{fmt.Sprintf("%s %d, %d", months[dated.month], dated.day, dated.year), dated}, {dated.String(), dated},
		}
		if w.today().weekday() != weekday {
			name := "יום " + days[weekday][1]
			if weekday == 6 {
				name = "שבת"
			}
			cases = append(cases, struct {
				text string
				day  date
			}{days[weekday][0], w.coming(weekday)}, struct {
				text string
				day  date
			}{"ב" + name, w.coming(weekday)})
		}
		for _, c := range cases {
			said, err := ParseTime(c.text, at)
			if err != nil || said.Kind != TimeDay || said.Start.Date.String() != c.day.String() || !said.End.IsZero() ||
				!said.Start.At.IsZero() || len(said.Ambiguous) > 0 {
				t.Fatalf("%q said at %v: %+v, %v; by walking it is %s", c.text, w.now.In(zone), said, err, c.day)
			}
			reading := fmt.Sprintf("%02d:%02d", hour, minute)
			joined := c.text + " at " + reading
			if c.text[0] > 0x7f {
				joined = c.text + " ב-" + reading
			}
			timed, err := ParseTime(joined, at)
			shown := w.shown(c.day, hour, minute)
			var vague bool // 10 and 11 may be in the evening
			for _, doubt := range timed.Ambiguous {
				vague = vague || doubt.What == DoubtHalfOfDay
			}
			if err != nil || timed.Kind != TimeInstant || !timed.End.IsZero() {
				t.Fatalf("%q said at %v: %+v, %v", joined, w.now.In(zone), timed, err)
			}
			changes := len(timed.Ambiguous) > 0 && timed.Ambiguous[len(timed.Ambiguous)-1].What == DoubtClockChange
			switch {
			case vague:
				if hour < 10 || hour > 11 {
					t.Errorf("%q: two digits below 10 are no hour of the evening: %v", joined, timed.Ambiguous)
				}
			case len(shown) == 0:
				skipped++
				if !changes {
					t.Errorf("%q: clocks in %v skip it, and the result is certain: %+v", joined, zone, timed)
				}
			case !timed.Start.At.Equal(shown[0]):
				t.Errorf("%q said at %v is %v; by walking it is %v", joined, w.now.In(zone), timed.Start.At, shown[0].In(zone))
			case len(shown) > 1 != changes:
				t.Errorf("%q in %v: clocks show it %d times, and ambiguous is %v", joined, zone, len(shown), timed.Ambiguous)
			case len(shown) > 1:
				doubled++
			}
		}
	}
	if doubled == 0 || skipped == 0 {
		t.Errorf("%d hours were shown twice and %d were skipped: the moments test no change of clocks", doubled, skipped)
	}
}

// TestTimesSayNothingMore holds what was not said: hours of days, ends of starts, days of lengths.
func TestTimesSayNothingMore(t *testing.T) {
	t.Parallel()
	at := when.Moment{Now: time.Date(2026, 11, 25, 8, 0, 0, 0, time.UTC), Zone: when.ZoneOr(nil, "Asia/Jerusalem"),
		Locale: "en", WeekStart: model.Sunday}
	for _, c := range []struct {
		text       string
		kind       TimeKind
		start, end string
		rule       string
	}{
		{"tomorrow", TimeDay, "2026-11-26", "", ""},
		{"on Sunday", TimeDay, "2026-11-29", "", ""},
		{"December 3-5", TimeRange, "2026-12-03", "2026-12-06", ""},
		{"3 עד 5 בדצמבר", TimeRange, "2026-12-03", "2026-12-06", ""},
		{"by Friday", TimeRange, "", "2026-11-28", ""},
		{"before Friday", TimeRange, "", "2026-11-27", ""},
		{"from Sunday", TimeRange, "2026-11-29", "", ""},
		{"next month", TimeRange, "2026-12-01", "2027-01-01", ""},
		{"בשבוע הבא", TimeRange, "2026-11-29", "2026-12-06", ""},
		{"tonight", TimeRange, "2026-11-25T18:00:00+02:00", "2026-11-26T00:00:00+02:00", ""},
		{"tomorrow from 13:00 to 14:30", TimeRange, "2026-11-26T13:00:00+02:00", "2026-11-26T14:30:00+02:00", ""},
		{"tomorrow at 5pm for two hours", TimeRange, "2026-11-26T17:00:00+02:00", "2026-11-26T19:00:00+02:00", ""},
		{"מחר ב-17:00", TimeInstant, "2026-11-26T17:00:00+02:00", "", ""},
		{"in two hours", TimeInstant, "2026-11-25T12:00:00+02:00", "", ""},
		{"every Monday", TimeRecurrence, "2026-11-30", "", "RRULE:FREQ=WEEKLY;BYDAY=MO"},
		{"every Monday at 9am", TimeRecurrence, "2026-11-30T09:00:00+02:00", "", "RRULE:FREQ=WEEKLY;BYDAY=MO"},
		{"כל יום ב-8:30 בבוקר", TimeRecurrence, "2026-11-26T08:30:00+02:00", "", "RRULE:FREQ=DAILY"},
		{"every month", TimeRecurrence, "", "", "RRULE:FREQ=MONTHLY"},
		{"the last Friday of every month", TimeRecurrence, "2026-11-27", "", "RRULE:FREQ=MONTHLY;BYDAY=-1FR"},
		{"every Monday for ten weeks", TimeRecurrence, "2026-11-30", "", "RRULE:FREQ=WEEKLY;UNTIL=20270202;BYDAY=MO"},
		{"45 minutes", TimeDuration, "", "", ""},
	} {
		said, err := ParseTime(c.text, at)
		if err != nil || said.Kind != c.kind || shownTime(said.Start) != c.start || shownTime(said.End) != c.end ||
			said.Recurrence != c.rule {
			t.Errorf("%q is %+v, %v", c.text, said, err)
		}
	}
	for _, text := range []string{"", "hello", "lunch tomorrow", "tomorrow and Friday", "an hour later", "soon", "9",
		"February 30", "25:00", "tomorrow at 13pm", "Monday or Tuesday", "next week at 5pm",
		"tomorrow 9am for a week until 5",
		"10 times", "before the wedding", "in 9999 years", "tomorow", "since Monday", "today tomorrow"} {
		if said, err := ParseTime(text, at); err == nil {
			t.Errorf("%q is read as %+v", text, said)
		}
	}
}

func shownTime(at model.EventTime) string {
	switch {
	case at.IsZero():
		return ""
	case at.AllDay():
		return at.Date.String()
	}
	return at.At.Format(time.RFC3339)
}

// timeLaws holds for every text there is.
func timeLaws(t *testing.T, text string, at when.Moment) {
	t.Helper()
	said, err := ParseTime(text, at)
	again, errAgain := ParseTime(text, at)
	if !reflect.DeepEqual(said, again) || (err == nil) != (errAgain == nil) {
		t.Errorf("%q has two results", text)
	}
	if err != nil {
		refusal, ok := errors.AsType[*Refusal](err)
		if !ok || refusal.Message == "" || refusal.From < 0 || refusal.To > len(text) || refusal.From > refusal.To {
			t.Errorf("%q is refused with %v", text, err)
		}
		return
	}
	for _, end := range []model.EventTime{said.Start, said.End} {
		if !end.At.IsZero() && !end.Date.IsZero() || !end.IsZero() && (yearOf(end) < 1900 || yearOf(end) > 9998) {
			t.Errorf("%q: %+v", text, said)
		}
	}
	both := !said.Start.IsZero() && !said.End.IsZero()
	if both && (said.Start.AllDay() != said.End.AllDay() ||
		said.Start.AllDay() && !said.Start.Date.Before(said.End.Date) ||
		!said.Start.AllDay() && !said.Start.At.Before(said.End.At)) {
		t.Errorf("%q ends before it starts: %+v", text, said)
	}
	switch said.Kind {
	case TimeInstant, TimeDay:
		if said.Start.AllDay() != (said.Kind == TimeDay) || said.Start.IsZero() || !said.End.IsZero() {
			t.Errorf("%q: %+v", text, said)
		}
	case TimeRange:
		if said.Start.IsZero() && said.End.IsZero() {
			t.Errorf("%q: %+v", text, said)
		}
	case TimeDuration:
		if said.Length <= 0 || !said.Start.IsZero() {
			t.Errorf("%q: %+v", text, said)
		}
	case TimeRecurrence:
		start := rrule.Start{At: said.Start.At, Zone: at.Zone}
		if said.Start.At.IsZero() {
			start = rrule.Start{At: said.Start.Date.Midnight(), AllDay: true}
		}
		if _, err := rrule.Parse([]string{said.Recurrence}, start); err != nil && !said.Start.IsZero() {
			t.Errorf("%q: %q: %v", text, said.Recurrence, err)
		}
	}
	for _, doubt := range said.Ambiguous {
		if readings := said.Readings(doubt); len(readings) < 2 || doubt.Span.To > len(text) ||
			doubt.Span.From >= doubt.Span.To {
			t.Errorf("%q: %+v", text, doubt)
		}
	}
	if certain, err := said.At(text); err == nil && (certain != said.Start || len(said.Ambiguous) > 0) {
		t.Errorf("%q is taken as %+v", text, certain)
	}
}

func FuzzParseTime(f *testing.F) {
	for i, text := range []string{"tomorrow at 5pm", "next Friday at noon", "every second Thursday at 18:00", "until June",
		"3/12", "29 February", "Saturday at midnight", "כל שבועיים ביום חמישי ב-18:00", "מחר בבוקר", "from 9 to 11 tomorrow",
		"2026-12-01T10:00 to 2026-12-01T11:00", "monthly on the 15th and 30th", "31/12/9999 at 9:00", "in 99999999 days",
		"tomorrow at 24:00", "Monday 9:00 to Tuesday 11:00", "every Friday evening until 2026-12-31", "\xff at 9", ""} {
		f.Add(text, int64(i)*86399*31)
	}
	f.Fuzz(func(t *testing.T, text string, seconds int64) {
		at := said(t, []string{"en", "he"}[uint64(seconds)%2])
		at.Now = at.Now.Add(time.Duration(seconds%(20*365*86400)) * time.Second)
		at.Zone = when.ZoneOr(nil, judgedZones[uint64(seconds)%uint64(len(judgedZones))])
		timeLaws(t, text, at)
	})
}

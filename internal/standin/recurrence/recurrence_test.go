package recurrence_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/standin/recurrence"
	"almanac/projections/rrule"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loaded, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// TestAgreesWithDateutil compares with tables of another implementation, which the expansion of the server is compared
// with too.
func TestAgreesWithDateutil(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("../../../projections/rrule/testdata/dateutil.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), "|")
		where := zone(t, cells[0])
		allDay := len(cells[1]) == len("20060102")
		start, err := time.ParseInLocation("20060102T150405", cells[1], where)
		shown := "20060102T150405Z"
		if allDay {
			start, err = time.Parse("20060102", cells[1])
			shown = "20060102"
		}
		if err != nil {
			t.Fatal(err)
		}
		if !allDay && start.In(where).Format("20060102T150405") != cells[1] {
			continue // at an hour that is skipped, which the standard library reads in its own way
		}
		set, err := recurrence.Parse(cells[2:3], start, allDay, where)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		const most = 12
		found, _ := set.Between(time.Time{}, time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC), most)
		var got []string
		for _, at := range found {
			got = append(got, at.Format(shown))
		}
		if strings.Join(got, " ") != cells[3] {
			t.Errorf("%s:\n got %s\nwant %s", strings.Join(cells[:3], " "), strings.Join(got, " "), cells[3])
		}
		rows++
	}
	if rows < 490 {
		t.Errorf("%d rows", rows)
	}
}

// lines makes one or two random rules that RFC 5545 allows, with dates added and taken away.
func lines(r *rand.Rand, start time.Time, allDay bool) []string {
	form := "20060102T150405Z"
	if allDay {
		form = "20060102"
	}
	pick := func(most, of int, negative bool) string {
		var all []string
		for range 1 + r.IntN(most) {
			n := 1 + r.IntN(of)
			if negative && r.IntN(3) == 0 {
				n = -n
			}
			all = append(all, fmt.Sprint(n))
		}
		return strings.Join(all, ",")
	}
	var out []string
	for n := range 1 + r.IntN(2) {
		frequency := []string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}[r.IntN(4)]
		rule := fmt.Sprintf("RRULE:FREQ=%s;INTERVAL=%d", frequency, 1+r.IntN(4))
		some, weeks := false, false
		add := func(name, value string) { rule, some = rule+";"+name+"="+value, true }
		if r.IntN(3) == 0 {
			rule += ";WKST=" + []string{"SU", "MO", "WE", "SA"}[r.IntN(4)]
		}
		if r.IntN(4) == 0 {
			add("BYMONTH", pick(4, 12, false))
		}
		if frequency != "WEEKLY" && r.IntN(3) == 0 {
			add("BYMONTHDAY", pick(5, 31, true))
		}
		if frequency == "YEARLY" {
			switch r.IntN(4) {
			case 0:
				add("BYWEEKNO", pick(6, 53, true))
				weeks = true
			case 1:
				add("BYYEARDAY", pick(20, 366, true))
			}
		}
		if r.IntN(2) == 0 {
			days := []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}
			var all []string
			for range 1 + r.IntN(3) {
				day := days[r.IntN(7)]
				if (frequency == "MONTHLY" || frequency == "YEARLY") && !weeks && r.IntN(2) == 0 {
					day = pick(1, 5, true) + day
				}
				all = append(all, day)
			}
			add("BYDAY", strings.Join(all, ","))
		}
		if some && r.IntN(3) == 0 {
			add("BYSETPOS", pick(3, 6, true))
		}
		switch r.IntN(4) {
		case 0:
			if n == 0 {
				rule += fmt.Sprintf(";COUNT=%d", 1+r.IntN(40))
			}
		case 1:
			rule += ";UNTIL=" + start.AddDate(0, 1+r.IntN(60), r.IntN(30)).UTC().Format(form)
		}
		out = append(out, rule)
	}
	for _, name := range []string{"RDATE", "EXDATE"} {
		if r.IntN(3) == 0 {
			out = append(out, name+":"+start.AddDate(0, 0, r.IntN(60)).UTC().Format(form))
		}
	}
	return out
}

// TestTheServersExpansionAgrees compares random recurrences as the server expands them with the walk.
func TestTheServersExpansionAgrees(t *testing.T) {
	t.Parallel()
	zones := []string{"UTC", "Asia/Jerusalem", "America/New_York", "Australia/Lord_Howe", "Pacific/Auckland",
		"Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Havana"}
	r := rand.New(rand.NewPCG(5545, 3310))
	checked := 0
	for range 500 {
		where := zone(t, zones[r.IntN(len(zones))])
		allDay := r.IntN(3) == 0
		start := time.Date(2018+r.IntN(10), time.Month(1+r.IntN(12)), 1+r.IntN(31), r.IntN(8)/2, 30*r.IntN(2), 0, 0, where)
		if allDay {
			start = time.Date(start.Year(), start.Month(), start.Day(), 0, 0, 0, 0, time.UTC)
		}
		all := lines(r, start, allDay)
		walked, err := recurrence.Parse(all, start, allDay, where)
		if err != nil {
			t.Fatalf("%v: %v", all, err)
		}
		end := start.AddDate(6, 0, 0)
		want, _ := walked.Between(time.Time{}, end, 10_000)
		set, err := rrule.Parse(all, rrule.Start{At: start, AllDay: allDay, Zone: where})
		if err != nil {
			if len(want) > 0 && !strings.Contains(err.Error(), "BYDAY counts") && // which another line makes up for
				!strings.Contains(err.Error(), "never occurs") {
				t.Errorf("%v: %v", all, err)
			}
			continue
		}
		starts := func(found []rrule.Occurrence) []time.Time {
			var out []time.Time
			for _, o := range found {
				out = append(out, o.Start)
			}
			return out
		}
		found, _ := set.Between(time.Time{}, end, 10_000)
		if got := starts(found); !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%v from %v in %v:\n the server %v\n the walk   %v", all, start, where, got, want)
		}
		checked++
		from := start.AddDate(r.IntN(5), r.IntN(12), 0)
		to := from.AddDate(0, r.IntN(12), 0)
		found, _ = set.Between(from, to, 50)
		part, _ := walked.Between(from, to, 50)
		if got := starts(found); !slices.EqualFunc(got, part, time.Time.Equal) {
			t.Fatalf("%v from %v in %v, %v to %v:\n the server %v\n the walk   %v", all, start, where, from, to, got, part)
		}
		for _, at := range part {
			if !walked.Contains(at) || walked.Contains(at.Add(time.Second)) {
				t.Fatalf("%v from %v: Contains(%v) is not exact", all, start, at)
			}
		}
	}
	if checked < 330 {
		t.Errorf("%d of 500 were compared", checked)
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	for _, line := range []string{
		"", "FREQ=DAILY", "RRULE:", "RRULE:FREQ=HOURLY", "RRULE:FREQ=DAILY;BYHOUR=9", "RRULE:FREQ=DAILY;COUNT=0",
		"RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101T000000Z", "RRULE:FREQ=DAILY;FREQ=DAILY", "RRULE:FREQ=WEEKLY;BYMONTHDAY=1",
		"RRULE:FREQ=MONTHLY;BYWEEKNO=2", "RRULE:FREQ=YEARLY;BYWEEKNO=2;BYDAY=1MO", "RRULE:FREQ=DAILY;BYSETPOS=1",
		"RRULE:FREQ=DAILY;UNTIL=tomorrow", "RRULE:FREQ=WEEKLY;BYDAY=1MO", "RRULE:FREQ=WEEKLY;BYDAY=M", "EXRULE:FREQ=DAILY",
		"RDATE;VALUE=PERIOD:20261122T090000Z/PT1H", "EXDATE:soon", "EXDATE;TZID=Nowhere/Land:20261122T090000",
	} {
		if _, err := recurrence.Parse([]string{line}, start, false, time.UTC); err == nil {
			t.Errorf("%q is read", line)
		}
	}
}

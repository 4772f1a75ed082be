package rrule_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
)

// morning is 2 March 2026, a Monday, 09:00 in Jerusalem.
func morning(t testing.TB) rrule.Start {
	return rrule.Start{At: time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC), Zone: zone(t, "Asia/Jerusalem")}
}

func wholeDay(t testing.TB, zoneName string) rrule.Start {
	return rrule.Start{At: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), AllDay: true, Zone: zone(t, zoneName)}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		start    rrule.Start
		in, want []string
	}{
		{"as Google writes it", morning(t), []string{"RRULE:FREQ=WEEKLY;WKST=SU;UNTIL=20261231T215959Z;BYDAY=MO"},
			[]string{"RRULE:FREQ=WEEKLY;WKST=SU;UNTIL=20261231T215959Z;BYDAY=MO"}},
		{"case, spaces, signs", morning(t), []string{" rrule:freq=monthly; byday=+2mo,-1fr ;interval=02;"},
			[]string{"RRULE:FREQ=MONTHLY;BYDAY=2MO,-1FR;INTERVAL=2"}},
		{"until a local day", morning(t), []string{"RRULE:FREQ=DAILY;UNTIL=20260401"},
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260401T205959Z"}},
		{"until a local time", morning(t), []string{"RRULE:FREQ=DAILY;UNTIL=20260401T090000"},
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260401T060000Z"}},
		{"until the end of time", morning(t), []string{"RRULE:FREQ=DAILY;UNTIL=99991231T235959Z"},
			[]string{"RRULE:FREQ=DAILY;UNTIL=99991231T235959Z"}},
		{"until the end of time, west of Greenwich", rrule.Start{At: morning(t).At, Zone: zone(t, "Pacific/Pago_Pago")},
			[]string{"RRULE:FREQ=DAILY;UNTIL=99991231"}, []string{"RRULE:FREQ=DAILY;UNTIL=99991231T235959Z"}},
		{"all day", wholeDay(t, "Asia/Jerusalem"), []string{"RRULE:FREQ=DAILY;UNTIL=20260401"},
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260401"}},
		{"all day until a time", wholeDay(t, "America/New_York"), []string{"RRULE:FREQ=DAILY;UNTIL=20260401T000000Z"},
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260401"}},
		{"all day until a local midnight", wholeDay(t, "Asia/Jerusalem"), []string{"RRULE:FREQ=DAILY;UNTIL=20260331T210000Z"},
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260401"}},
		{"all day until the end of a local day", wholeDay(t, "America/New_York"),
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260402T035959Z"}, []string{"RRULE:FREQ=DAILY;UNTIL=20260401"}},
		{"dates of every form", morning(t),
			[]string{"exdate:20260309T070000Z,20260310t090000", "RRULE:FREQ=DAILY",
				"RDATE;TZID=\"Europe/Copenhagen\":20260311T080000", "EXDATE;VALUE=DATE:20260312",
				"EXDATE;VALUE=date-time:20260313T070000Z"},
			[]string{"EXDATE:20260309T070000Z", "EXDATE;TZID=Asia/Jerusalem:20260310T090000", "RRULE:FREQ=DAILY",
				"RDATE;TZID=Europe/Copenhagen:20260311T080000",
				"EXDATE;TZID=Asia/Jerusalem:20260312T090000", "EXDATE:20260313T070000Z"}},
		{"all-day dates of every form", wholeDay(t, "Asia/Jerusalem"),
			[]string{"RRULE:FREQ=DAILY", "EXDATE;VALUE=DATE:20260303,20260304",
				"EXDATE:20260304T220000Z,20260306T000000Z,20260307T120000"},
			[]string{"RRULE:FREQ=DAILY", "EXDATE;VALUE=DATE:20260303,20260304", "EXDATE;VALUE=DATE:20260305,20260306,20260307"}},
		{"in UTC", rrule.Start{At: morning(t).At}, []string{"RDATE:20260304T070000"}, []string{"RDATE:20260304T070000Z"}},
	} {
		set, err := rrule.Parse(test.in, test.start)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := set.Lines(); !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	many := func(n int, text string) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }
	hundredAndOne := ""
	for day := range 101 {
		hundredAndOne += fmt.Sprint(day+1, ",")
	}
	hundredAndOne = strings.ReplaceAll(strings.TrimSuffix(hundredAndOne, ","), " ", "")
	for in, part := range map[string]string{
		"":                                                "RRULE",
		"FREQ=WEEKLY":                                     "RRULE:",
		"EXRULE:FREQ=WEEKLY":                              "EXRULE",
		"DTSTART:20260302T070000Z":                        "DTSTART",
		"EXDATE:20260302T070000Z":                         "at least one RRULE or RDATE",
		"RRULE;X-A=1:FREQ=DAILY":                          "X-A",
		"RRULE:":                                          "FREQ=WEEKLY",
		"RRULE:INTERVAL=2":                                "no FREQ",
		"RRULE:FREQ=HOURLY":                               "DAILY, WEEKLY, MONTHLY or YEARLY",
		"RRULE:FREQ=SECONDLY":                             "DAILY, WEEKLY, MONTHLY or YEARLY",
		"RRULE:FREQ=FORTNIGHTLY":                          "FORTNIGHTLY",
		"RRULE:FREQ=DAILY;FREQ=WEEKLY":                    "FREQ twice",
		"RRULE:FREQ=DAILY;INTERVAL=0":                     "INTERVAL",
		"RRULE:FREQ=DAILY;INTERVAL=-1":                    "INTERVAL",
		"RRULE:FREQ=DAILY;INTERVAL=1000000000":            "9999",
		"RRULE:FREQ=DAILY;INTERVAL=1e3":                   "INTERVAL",
		"RRULE:FREQ=DAILY;COUNT=0":                        "COUNT",
		"RRULE:FREQ=DAILY;COUNT=1000000000":               "10000",
		"RRULE:FREQ=DAILY;COUNT=99999999999999999":        "10000",
		"RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101":         "both COUNT and UNTIL",
		"RRULE:FREQ=DAILY;UNTIL=2027-01-01":               "UNTIL",
		"RRULE:FREQ=DAILY;UNTIL=20270230":                 "UNTIL",
		"RRULE:FREQ=DAILY;UNTIL=20270101T250000Z":         "UNTIL",
		"RRULE:FREQ=DAILY;UNTIL=20270101T10.5000Z":        "UNTIL",
		"RRULE:FREQ=WEEKLY;WKST=MONDAY":                   "WKST",
		"RRULE:FREQ=WEEKLY;BYDAY=MON":                     "BYDAY",
		"RRULE:FREQ=WEEKLY;BYDAY=2MO":                     "BYDAY",
		"RRULE:FREQ=MONTHLY;BYDAY=6MO":                    "1 to 5",
		"RRULE:FREQ=YEARLY;BYMONTH=12;BYDAY=53MO":         "1 to 5",
		"RRULE:FREQ=YEARLY;BYDAY=54MO":                    "53",
		"RRULE:FREQ=YEARLY;BYWEEKNO=2;BYDAY=1MO":          "BYWEEKNO",
		"RRULE:FREQ=MONTHLY;BYWEEKNO=2":                   "BYWEEKNO",
		"RRULE:FREQ=YEARLY;BYWEEKNO=54":                   "BYWEEKNO",
		"RRULE:FREQ=DAILY;BYYEARDAY=2":                    "BYYEARDAY",
		"RRULE:FREQ=YEARLY;BYYEARDAY=367":                 "BYYEARDAY",
		"RRULE:FREQ=WEEKLY;BYMONTHDAY=2":                  "BYMONTHDAY",
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=0":                 "BYMONTHDAY",
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=32":                "BYMONTHDAY",
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=":                  "BYMONTHDAY",
		"RRULE:FREQ=YEARLY;BYMONTH=-1":                    "BYMONTH",
		"RRULE:FREQ=YEARLY;BYMONTH=13":                    "BYMONTH",
		"RRULE:FREQ=DAILY;BYSETPOS=1":                     "BYSETPOS",
		"RRULE:FREQ=DAILY;BYHOUR=9":                       "BYHOUR",
		"RRULE:FREQ=DAILY;BYMINUTE=9":                     "BYMINUTE",
		"RRULE:FREQ=DAILY;BYSECOND=9":                     "BYSECOND",
		"RRULE:FREQ=DAILY;BYEASTER=1":                     "BYEASTER",
		"RRULE:FREQ=DAILY;X-A=1":                          "X-A",
		"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30":       "never occurs",
		"RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30":        "never occurs",
		"RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU":            "never occurs",
		"RRULE:FREQ=YEARLY;BYWEEKNO=1;BYMONTH=6;BYDAY=MO": "never occurs",
		"RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6":          "never occurs",
		"RRULE:FREQ=YEARLY;BYDAY=MO;BYSETPOS=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18," +
			"19,20,21,22,23,24,25,26,27,28,29,30,31,32": "more than 31",
		"RRULE:FREQ=YEARLY;BYYEARDAY=" + hundredAndOne:  "more than 100",
		"RRULE:FREQ=YEARLY;BYYEARDAY=" + many(600, "1"): "longer than",
		"RDATE;VALUE=PERIOD:20260302T070000Z/PT1H":      "PERIOD",
		"RDATE;VALUE=TEXT:X":                            "VALUE",
		"RDATE;X-A=1:20260302T070000Z":                  "X-A",
		"RDATE;TZID=Asia/Jeruslem:20260302T070000":      "Asia/Jerusalem",
		"RDATE;VALUE=DATE:20260302T070000Z":             "RDATE",
		"RDATE:2026":                                    "RDATE",
		"RDATE:":                                        "RDATE",
		"EXDATE:" + many(5001, "20260302T070000Z"):      "5000",
		"EXDATE:" + many(10_000, "20260302T070000Z"):    "characters",
	} {
		set, err := rrule.Parse([]string{in}, morning(t))
		var shown *model.Error
		if !errors.As(err, &shown) || shown.Code != model.CodeBadUserInput || len(shown.Field) > 0 ||
			!strings.Contains(shown.Message, part) || set != nil {
			t.Errorf("%.60q: %v, want a BAD_USER_INPUT with %q", in, err, part)
		}
		if shown != nil && len(shown.Message) > 400 {
			t.Errorf("%.60q: the message is %d characters long", in, len(shown.Message))
		}
	}
	if _, err := rrule.Parse(nil, morning(t)); model.CodeOf(err) != model.CodeBadUserInput {
		t.Errorf("no lines: %v", err)
	}
	if _, err := rrule.Parse(slices.Repeat([]string{"RRULE:FREQ=DAILY"}, 9),
		morning(t)); model.CodeOf(err) != model.CodeBadUserInput {
		t.Errorf("nine rules: %v", err)
	}
	if _, err := rrule.Parse(slices.Repeat([]string{"EXDATE:20260302T070000Z"}, 1001),
		morning(t)); model.CodeOf(err) != model.CodeBadUserInput {
		t.Errorf("many lines: %v", err)
	}
	for _, year := range []int{0, 1599, 2400, 20000} {
		start := rrule.Start{At: time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC)}
		if _, err := rrule.Parse([]string{"RRULE:FREQ=DAILY"}, start); model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("start in %d: %v", year, err)
		}
	}
}

func TestBuild(t *testing.T) {
	t.Parallel()
	jerusalem := zone(t, "Asia/Jerusalem")
	until := time.Date(2026, 12, 31, 21, 59, 59, 0, time.UTC)
	for want, rule := range map[string]rrule.Rule{
		"RRULE:FREQ=DAILY":                    {Frequency: rrule.Daily},
		"RRULE:FREQ=DAILY;INTERVAL=3;COUNT=5": {Frequency: rrule.Daily, Interval: 3, Count: 5},
		"RRULE:FREQ=WEEKLY;UNTIL=20261231T215959Z;BYDAY=SU,MO": {Frequency: rrule.Weekly, Interval: 1, Until: until,
			Days: []model.Weekday{model.Monday, model.Sunday, model.Monday}, Zone: jerusalem},
		"RRULE:FREQ=WEEKLY;UNTIL=20261231": {Frequency: rrule.Weekly,
			Until: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC), AllDay: true, Zone: zone(t, "America/New_York")},
		"RRULE:FREQ=DAILY;UNTIL=20270101": {Frequency: rrule.Daily, Until: until.Add(time.Second),
			AllDay: true, Zone: jerusalem},
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=31": {Frequency: rrule.Monthly, DayOfMonth: 31},
		"RRULE:FREQ=YEARLY":                {Frequency: rrule.Yearly},
	} {
		got, err := rrule.Build(rule)
		if err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
			continue
		}
		start := morning(t)
		start.AllDay = rule.AllDay
		if set, err := rrule.Parse([]string{got}, start); err != nil || set.Lines()[0] != got {
			t.Errorf("%q is not read as it is written: %v", got, err)
		}
	}
	for _, rule := range []rrule.Rule{
		{}, {Frequency: "HOURLY"}, {Frequency: rrule.Daily, Interval: -1}, {Frequency: rrule.Daily, Interval: 10_000},
		{Frequency: rrule.Daily, Count: -1}, {Frequency: rrule.Daily, Count: 1_000_000_000},
		{Frequency: rrule.Daily, Count: 1, Until: until}, {Frequency: rrule.Daily, Days: []model.Weekday{model.Monday}},
		{Frequency: rrule.Weekly, Days: []model.Weekday{"MON"}},
		{Frequency: rrule.Weekly, DayOfMonth: 1}, {Frequency: rrule.Monthly, DayOfMonth: 32}, {Frequency: rrule.Monthly,
			DayOfMonth: -1}, {Frequency: rrule.Daily, Until: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		if line, err := rrule.Build(rule); model.CodeOf(err) != model.CodeBadUserInput || line != "" {
			t.Errorf("%+v: %q, %v", rule, line, err)
		}
	}
}

// FuzzParse feeds hostile lines: nothing panics, and every answer about what is accepted comes back, in normal form and
// bounded.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T235959Z", "RRULE:FREQ=YEARLY;BYWEEKNO=-53,53;BYSETPOS=-1",
		"RRULE:FREQ=MONTHLY;BYDAY=MO,2TU,-5FR;COUNT=10000\nEXDATE;VALUE=DATE:20260309",
		"RRULE:FREQ=YEARLY;BYYEARDAY=-366,366;INTERVAL=9999",
		"RDATE;TZID=Pacific/Apia:20111230T100000,20111231T100000\nEXDATE:20111230T100000",
		"RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU",
		"RRULE:FREQ=DAILY;UNTIL=99991231\nRRULE:FREQ=YEARLY;COUNT=9999",
	} {
		f.Add(seed, int64(1_772_434_800), false, uint8(1))
		f.Add(seed, int64(-11_676_096_000), true, uint8(6))
		f.Add(seed, int64(13_569_000_000), false, uint8(2))
	}
	f.Fuzz(func(t *testing.T, text string, seconds int64, allDay bool, zoneIndex uint8) {
		start := rrule.Start{At: time.Unix(seconds, 0), AllDay: allDay, Zone: zone(t, zones[int(zoneIndex)%len(zones)])}
		set, err := rrule.Parse(strings.Split(text, "\n"), start)
		if err != nil {
			if model.CodeOf(err) != model.CodeBadUserInput {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, err := rrule.Parse(set.Lines(), start)
		if err != nil || !slices.Equal(again.Lines(), set.Lines()) {
			t.Fatalf("%q became %q: %v", text, set.Lines(), err)
		}
		found, _ := set.Between(time.Time{}, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), 20)
		same, _ := again.Between(time.Time{}, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), 20)
		if fmt.Sprint(found) != fmt.Sprint(same) ||
			!slices.IsSortedFunc(found, func(a, b rrule.Occurrence) int { return a.Start.Compare(b.Start) }) {
			t.Fatalf("%q: %v, in normal form %v", text, found, same)
		}
		for _, o := range found {
			if !set.Contains(o.Start) {
				t.Fatalf("%q does not contain its own %v", text, o.Start)
			}
		}
		if len(found) > 0 {
			cut := found[len(found)/2].Start
			if _, kept, err := set.Truncate(cut); err == nil && kept != (len(found) > 1) {
				t.Fatalf("%q: kept %v before %v of %v", text, kept, cut, found)
			}
			_, _, _ = set.Split(cut)
		}
		_ = rrule.Describe(set.Lines(), start, "he")
	})
}

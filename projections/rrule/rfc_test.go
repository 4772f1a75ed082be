package rrule_test

import (
	"strings"
	"testing"
	"time"

	"almanac/projections/rrule"
)

// The examples of RFC 5545, 3.8.5.3, that repeat by days, with its lists of dates; where its list ends with "...", what
// is written here is the beginning. All are at 09:00 in New York, so they also cross both changes of its clocks.
func TestExamplesOfTheStandard(t *testing.T) {
	t.Parallel()
	newYork := zone(t, "America/New_York")
	for _, test := range []struct {
		name, start, rule string
		dates             string // month and day, in years where they change
		total             int    // 0: endless, compare the beginning only
	}{
		{"daily for 10 occurrences", "19970902", "FREQ=DAILY;COUNT=10",
			"1997 0902 0903 0904 0905 0906 0907 0908 0909 0910 0911", 10},
		{"daily until December 24, 1997", "19970902", "FREQ=DAILY;UNTIL=19971224T000000Z", "1997 0902 0903 0904", 113},
		{"every other day", "19970902", "FREQ=DAILY;INTERVAL=2", "1997 0902 0904 0906 0908 0910", 0},
		{"every 10 days, 5 occurrences", "19970902", "FREQ=DAILY;INTERVAL=10;COUNT=5", "1997 0902 0912 0922 1002 1012", 5},
		{"every day in January, for 3 years", "19980101",
			"FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", "1998 0101 0102", 93},
		{"every day in January, daily", "19980101", "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", "1998 0101 0102", 93},
		{"weekly for 10 occurrences", "19970902", "FREQ=WEEKLY;COUNT=10",
			"1997 0902 0909 0916 0923 0930 1007 1014 1021 1028 1104", 10},
		{"weekly until December 24, 1997", "19970902", "FREQ=WEEKLY;UNTIL=19971224T000000Z", "1997 0902 0909", 17},
		{"every other week", "19970902", "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
			"1997 0902 0916 0930 1014 1028 1111 1125 1209 1223 1998 0106 0120 0203 0217", 0},
		{"weekly on Tuesday and Thursday for five weeks", "19970902",
			"FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
			"1997 0902 0904 0909 0911 0916 0918 0923 0925 0930 1002", 10},
		{"the same with COUNT", "19970902", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
			"1997 0902 0904 0909 0911 0916 0918 0923 0925 0930 1002", 10},
		{"every other week on Monday, Wednesday and Friday", "19970901",
			"FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
			"1997 0901 0903 0905 0915 0917 0919 0929 1001 1003 1013 1015 1017 1027 1029 1031 1110 1112 1114 1124 1126 1128 " +
				"1208 1210 1212 1222", 25},
		{"every other week on Tuesday and Thursday, 8 occurrences", "19970902",
			"FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
			"1997 0902 0904 0916 0918 0930 1002 1014 1016", 8},
		{"monthly on the first Friday for 10 occurrences", "19970905", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
			"1997 0905 1003 1107 1205 1998 0102 0206 0306 0403 0501 0605", 10},
		{"monthly on the first Friday until December 24, 1997", "19970905", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
			"1997 0905 1003 1107 1205", 4},
		{"every other month on the first and last Sunday", "19970907", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
			"1997 0907 0928 1102 1130 1998 0104 0125 0301 0329 0503 0531", 10},
		{"monthly on the second-to-last Monday", "19970922", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
			"1997 0922 1020 1117 1222 1998 0119 0216", 6},
		{"monthly on the third-to-the-last day", "19970928", "FREQ=MONTHLY;BYMONTHDAY=-3",
			"1997 0928 1029 1128 1229 1998 0129 0226", 0},
		{"monthly on the 2nd and 15th", "19970902", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
			"1997 0902 0915 1002 1015 1102 1115 1202 1215 1998 0102 0115", 10},
		{"monthly on the first and last day", "19970930", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
			"1997 0930 1001 1031 1101 1130 1201 1231 1998 0101 0131 0201", 10},
		{"every 18 months on the 10th to 15th", "19970910", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
			"1997 0910 0911 0912 0913 0914 0915 1999 0310 0311 0312 0313", 10},
		{"every Tuesday, every other month", "19970902", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
			"1997 0902 0909 0916 0923 0930 1104 1111 1118 1125 1998 0106 0113 0120 0127 0303 0310 0317 0324 0331", 0},
		{"yearly in June and July", "19970610", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
			"1997 0610 0710 1998 0610 0710 1999 0610 0710 2000 0610 0710 2001 0610 0710", 10},
		{"every other year on January, February and March", "19970310", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
			"1997 0310 1999 0110 0210 0310 2001 0110 0210 0310 2003 0110 0210 0310", 10},
		{"every third year on the 1st, 100th and 200th day", "19970101",
			"FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
			"1997 0101 0410 0719 2000 0101 0409 0718 2003 0101 0410 0719 2006 0101", 10},
		{"every 20th Monday of the year", "19970519", "FREQ=YEARLY;BYDAY=20MO", "1997 0519 1998 0518 1999 0517", 0},
		{"Monday of week number 20", "19970512", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "1997 0512 1998 0511 1999 0517", 0},
		{"every Thursday in March", "19970313", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
			"1997 0313 0320 0327 1998 0305 0312 0319 0326 1999 0304 0311 0318 0325", 0},
		{"every Thursday, but only during June, July and August", "19970605", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
			"1997 0605 0612 0619 0626 0703 0710 0717 0724 0731 0807 0814 0821 0828 1998 0604", 0},
		{"every Friday the 13th", "19970902", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
			"1998 0213 0313 1113 1999 0813 2000 1013", 0},
		{"the first Saturday that follows the first Sunday of the month", "19970913",
			"FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
			"1997 0913 1011 1108 1213 1998 0110 0207 0307 0411 0509 0613", 0},
		{"election day", "19961105", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
			"1996 1105 2000 1107 2004 1102", 0},
		{"the third Tuesday, Wednesday or Thursday of the month", "19970904",
			"FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997 0904 1007 1106", 3},
		{"the second-to-last weekday of the month", "19970929", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
			"1997 0929 1030 1127 1230 1998 0129 0226 0330", 0},
		{"weeks from Monday", "19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997 0805 0810 0819 0824",
			4},
		{"weeks from Sunday", "19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997 0805 0817 0819 0831",
			4},
		{"an invalid date is ignored", "20070115", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007 0115 0130 0215 0315 0330",
			5},
	} {
		day, err := time.Parse("20060102", test.start)
		if err != nil {
			t.Fatal(err)
		}
		set, err := rrule.Parse([]string{"RRULE:" + test.rule},
			rrule.Start{At: time.Date(day.Year(), day.Month(), day.Day(), 9, 0, 0, 0, newYork), Zone: newYork})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var want []string
		year := ""
		for word := range strings.FieldsSeq(test.dates) {
			if strings.HasPrefix(word, "19") || strings.HasPrefix(word, "20") {
				year = word
				continue
			}
			want = append(want, year+word+"T090000")
		}
		var got []string
		found, more := set.Between(time.Time{}, time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC), 5000)
		for i, o := range found {
			if i < len(want) {
				got = append(got, o.Start.In(newYork).Format("20060102T150405"))
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s:\n got %v\nwant %v", test.name, got, want)
		}
		if more || test.total > 0 && len(found) != test.total || set.Endless() != (test.total == 0) {
			t.Errorf("%s: %d occurrences, want %d; endless %v", test.name, len(found), test.total, set.Endless())
		}
	}
}

// The example of EXDATE beside the Friday the 13th: the start does not match the rule, and the standard takes it away.
func TestStartThatDoesNotMatch(t *testing.T) {
	t.Parallel()
	start := rrule.Start{At: time.Date(1997, 9, 2, 13, 0, 0, 0, time.UTC), Zone: zone(t, "America/New_York")}
	set, err := rrule.Parse([]string{"EXDATE;TZID=America/New_York:19970902T090000",
		"RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=2"}, start)
	if err != nil {
		t.Fatal(err)
	}
	found, _ := set.Between(time.Time{}, time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC), 10)
	if got := instants(found); len(got) != 2 || got[0].Format(time.DateOnly) != "1998-02-13" || set.Contains(start.At) {
		t.Errorf("%v", got)
	}
}

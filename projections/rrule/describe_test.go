package rrule_test

import (
	"testing"
	"time"

	"almanac/projections/rrule"
)

func TestDescribe(t *testing.T) {
	t.Parallel()
	jerusalem := zone(t, "Asia/Jerusalem")
	timed := rrule.Start{At: time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC), Zone: jerusalem} // Monday 09:00
	for _, test := range []struct {
		lines           []string
		english, hebrew string
	}{
		{[]string{"RRULE:FREQ=DAILY"}, "Every day", "כל יום"},
		{[]string{"RRULE:FREQ=DAILY;INTERVAL=2"}, "Every 2 days", "כל יומיים"},
		{[]string{"RRULE:FREQ=DAILY;INTERVAL=3;COUNT=10"}, "Every 3 days, 10 times", "כל 3 ימים, 10 פעמים"},
		{[]string{"RRULE:FREQ=DAILY;COUNT=1"}, "Every day, once", "כל יום, פעם אחת"},
		{[]string{"RRULE:FREQ=DAILY;COUNT=2"}, "Every day, twice", "כל יום, פעמיים"},
		{[]string{"RRULE:FREQ=WEEKLY"}, "Every week on Monday", "כל שבוע ביום שני"},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=SA"}, "Every week on Saturday", "כל שבוע ביום שבת"},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=WE,MO;UNTIL=20261231T215959Z"},
			"Every week on Monday and Wednesday until December 31, 2026", "כל שבוע בימים שני ורביעי עד 31 בדצמבר 2026"},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=SU,MO,TU,WE,TH"},
			"Every week on Sunday, Monday, Tuesday, Wednesday and Thursday", "כל שבוע בימים ראשון, שני, שלישי, רביעי וחמישי"},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=SU,MO,TU,WE,TH,FR,SA"}, "Every day", "כל יום"},
		{[]string{"RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO"}, "Every 2 weeks on Monday", "כל שבועיים ביום שני"},
		{[]string{"RRULE:FREQ=WEEKLY;INTERVAL=12;BYDAY=MO"}, "Every 12 weeks on Monday", "כל 12 שבועות ביום שני"},
		// Cut before Monday 9 March 09:00 in Jerusalem: the last day is the Sunday before.
		{[]string{"RRULE:FREQ=DAILY;UNTIL=20260309T065959Z"}, "Every day until March 8, 2026", "כל יום עד 8 במרץ 2026"},
		{[]string{"RRULE:FREQ=DAILY;UNTIL=20260309T070000Z"}, "Every day until March 9, 2026", "כל יום עד 9 במרץ 2026"},
		{[]string{"RRULE:FREQ=DAILY;UNTIL=20260309"}, "Every day until March 9, 2026", "כל יום עד 9 במרץ 2026"},
		{[]string{"RRULE:FREQ=MONTHLY"}, "Every month on the 2nd", "כל חודש ב-2 בחודש"},
		{[]string{"RRULE:FREQ=MONTHLY;BYMONTHDAY=15,1"}, "Every month on the 1st and on the 15th",
			"כל חודש ב-1 בחודש וב-15 בחודש"},
		{[]string{"RRULE:FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1"}, "Every 2 months on the last day",
			"כל חודשיים ביום האחרון של החודש"},
		{[]string{"RRULE:FREQ=MONTHLY;BYMONTHDAY=-1,13"}, "Every month on the 13th and on the last day",
			"כל חודש ב-13 בחודש וביום האחרון של החודש"},
		{[]string{"RRULE:FREQ=MONTHLY;BYDAY=2TU"}, "Every month on the second Tuesday", "כל חודש ביום שלישי השני של החודש"},
		{[]string{"RRULE:FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1"}, "Every month on the last Friday",
			"כל חודש ביום שישי האחרון של החודש"},
		{[]string{"RRULE:FREQ=YEARLY"}, "Every year on March 2", "כל שנה ב-2 במרץ"},
		{[]string{"RRULE:FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=-1"}, "Every 4 years on the last day of February",
			"כל 4 שנים ביום האחרון של פברואר"},
		{[]string{"RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH"}, "Every year on the fourth Thursday of November",
			"כל שנה ביום חמישי הרביעי של נובמבר"},
		{[]string{"RRULE:FREQ=YEARLY;INTERVAL=2;BYMONTH=6,3"}, "Every 2 years on March 2 and on June 2",
			"כל שנתיים ב-2 במרץ וב-2 ביוני"},
		{[]string{"RRULE:FREQ=WEEKLY", "EXDATE;TZID=Asia/Jerusalem:20260309T090000,20260330T090000"},
			"Every week on Monday, except on March 9, 2026 and March 30, 2026",
			"כל שבוע ביום שני, מלבד 9 במרץ 2026 ו-30 במרץ 2026"},
		// takes nothing away
		{[]string{"RRULE:FREQ=WEEKLY", "EXDATE:20260310T070000Z"}, "Every week on Monday", "כל שבוע ביום שני"},
		// What is not said.
		{[]string{"RRULE:FREQ=WEEKLY", "RDATE:20260310T070000Z"}, "", ""},
		{[]string{"RRULE:FREQ=WEEKLY", "RRULE:FREQ=DAILY;COUNT=3"}, "", ""},
		{[]string{"RRULE:FREQ=DAILY;BYDAY=MO"}, "", ""},
		{[]string{"RRULE:FREQ=DAILY;BYMONTH=1"}, "", ""},
		{[]string{"RRULE:FREQ=WEEKLY;BYMONTH=1"}, "", ""},
		{[]string{"RRULE:FREQ=MONTHLY;BYMONTHDAY=-2"}, "", ""},
		{[]string{"RRULE:FREQ=MONTHLY;BYDAY=MO"}, "", ""},
		{[]string{"RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"}, "", ""},
		{[]string{"RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=-1"}, "", ""},
		{[]string{"RRULE:FREQ=YEARLY;BYDAY=20MO"}, "", ""},
		{[]string{"RRULE:FREQ=YEARLY;BYWEEKNO=20"}, "", ""},
		{[]string{"RRULE:FREQ=YEARLY;BYYEARDAY=100"}, "", ""},
		{[]string{"RRULE:FREQ=YEARLY;BYMONTHDAY=1"}, "", ""},
		{[]string{"RRULE:FREQ=HOURLY"}, "", ""},
		{nil, "", ""},
	} {
		if got := rrule.Describe(test.lines, timed, "en"); got != test.english {
			t.Errorf("%q: %q, want %q", test.lines, got, test.english)
		}
		if got := rrule.Describe(test.lines, timed, "he"); got != test.hebrew {
			t.Errorf("%q: %q, want %q", test.lines, got, test.hebrew)
		}
	}
	allDay := rrule.Start{At: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), AllDay: true,
		Zone: zone(t, "Pacific/Pago_Pago")}
	if got := rrule.Describe([]string{"RRULE:FREQ=DAILY;UNTIL=20260309", "EXDATE;VALUE=DATE:20260303"}, allDay,
		"en"); got != "Every day until March 9, 2026, except on March 3, 2026" {
		t.Errorf("all day: %q", got)
	}
}

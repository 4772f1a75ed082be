package rrule_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
)

func instant(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02T15:04:05Z", text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestTruncateAndSplit(t *testing.T) {
	t.Parallel()
	friday := local(t, "Asia/Jerusalem", "2026-03-06 09:00")
	day := wholeDay(t, "Asia/Jerusalem")
	for _, test := range []struct {
		name       string
		start      rrule.Start
		lines      []string
		cut        string
		head, tail []string
	}{
		{"before the change of clocks", friday, []string{"RRULE:FREQ=WEEKLY;BYDAY=FR"}, "2026-03-27T06:00:00Z",
			[]string{"RRULE:FREQ=WEEKLY;BYDAY=FR;UNTIL=20260327T055959Z"}, []string{"RRULE:FREQ=WEEKLY;BYDAY=FR"}},
		{"after the change of clocks", friday, []string{"RRULE:FREQ=WEEKLY"}, "2026-04-03T06:00:00Z",
			[]string{"RRULE:FREQ=WEEKLY;UNTIL=20260403T055959Z"}, []string{"RRULE:FREQ=WEEKLY"}},
		{"where the date in UTC is another", local(t, "Pacific/Auckland", "2026-04-02 09:00"), []string{"RRULE:FREQ=DAILY"},
			"2026-04-04T21:00:00Z",
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260404T205959Z"}, []string{"RRULE:FREQ=DAILY"}},
		{"a change by half an hour", local(t, "Australia/Lord_Howe", "2026-04-02 09:00"), []string{"RRULE:FREQ=DAILY"},
			"2026-04-04T22:30:00Z",
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260404T222959Z"}, []string{"RRULE:FREQ=DAILY"}},
		{"furthest east", local(t, "Pacific/Kiritimati", "2026-04-02 00:00"), []string{"RRULE:FREQ=DAILY"},
			"2026-04-03T10:00:00Z",
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260403T095959Z"}, []string{"RRULE:FREQ=DAILY"}},
		{"furthest west", local(t, "Pacific/Pago_Pago", "2026-04-02 23:00"), []string{"RRULE:FREQ=DAILY"},
			"2026-04-04T10:00:00Z",
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260404T095959Z"}, []string{"RRULE:FREQ=DAILY"}},
		{"all day", day, []string{"RRULE:FREQ=DAILY"}, "2026-03-05T00:00:00Z", []string{"RRULE:FREQ=DAILY;UNTIL=20260304"},
			[]string{"RRULE:FREQ=DAILY"}},
		{"all day, with UNTIL", day, []string{"RRULE:FREQ=DAILY;UNTIL=20260309;INTERVAL=1"}, "2026-03-05T00:00:00Z",
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260304;INTERVAL=1"}, []string{"RRULE:FREQ=DAILY;UNTIL=20260309;INTERVAL=1"}},
		{"at the first occurrence", friday, []string{"RRULE:FREQ=WEEKLY;COUNT=3"}, "2026-03-06T07:00:00Z", nil,
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3"}},
		{"before the first occurrence", friday, []string{"RRULE:FREQ=WEEKLY;COUNT=3"}, "2025-01-01T00:00:00Z", nil,
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3"}},
		{"at the first that EXDATE leaves", friday, []string{"RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20260306T070000Z"},
			"2026-03-13T07:00:00Z", nil, []string{"RRULE:FREQ=WEEKLY;COUNT=2"}},
		{"after the last occurrence", friday, []string{"RRULE:FREQ=WEEKLY;COUNT=3"}, "2026-06-01T00:00:00Z",
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3"}, nil},
		{"after an earlier UNTIL", friday, []string{"RRULE:FREQ=WEEKLY;UNTIL=20260401T000000Z"}, "2026-06-01T00:00:00Z",
			[]string{"RRULE:FREQ=WEEKLY;UNTIL=20260401T000000Z"}, nil},
		{"COUNT of 8 at the fourth", friday, []string{"RRULE:FREQ=WEEKLY;COUNT=8;BYDAY=FR"}, "2026-03-27T06:00:00Z",
			[]string{"RRULE:FREQ=WEEKLY;UNTIL=20260327T055959Z;BYDAY=FR"}, []string{"RRULE:FREQ=WEEKLY;COUNT=5;BYDAY=FR"}},
		{"COUNT with an exception on either side", friday,
			[]string{"RRULE:FREQ=WEEKLY;COUNT=8", "EXDATE:20260313T070000Z,20260403T060000Z"}, "2026-03-27T06:00:00Z",
			[]string{"RRULE:FREQ=WEEKLY;UNTIL=20260327T055959Z", "EXDATE:20260313T070000Z"},
			[]string{"RRULE:FREQ=WEEKLY;COUNT=5", "EXDATE:20260403T060000Z"}},
		{"at an exception", friday, []string{"RRULE:FREQ=WEEKLY;COUNT=8", "EXDATE:20260327T060000Z"}, "2026-03-27T06:00:00Z",
			[]string{"RRULE:FREQ=WEEKLY;UNTIL=20260327T055959Z"},
			[]string{"RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE:20260327T060000Z"}},
		{"dates added", friday, []string{"RDATE;TZID=Asia/Jerusalem:20260310T120000,20260331T120000", "RRULE:FREQ=WEEKLY"},
			"2026-03-27T06:00:00Z",
			[]string{"RDATE;TZID=Asia/Jerusalem:20260310T120000", "RRULE:FREQ=WEEKLY;UNTIL=20260327T055959Z"},
			[]string{"RDATE;TZID=Asia/Jerusalem:20260331T120000", "RRULE:FREQ=WEEKLY"}},
		{"two rules", friday, []string{"RRULE:FREQ=WEEKLY", "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260316T070000Z"},
			"2026-03-27T06:00:00Z",
			[]string{"RRULE:FREQ=WEEKLY;UNTIL=20260327T055959Z", "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260316T070000Z"},
			[]string{"RRULE:FREQ=WEEKLY"}},
		{"two rules, at the other one's day", friday, []string{"RRULE:FREQ=WEEKLY", "RRULE:FREQ=WEEKLY;BYDAY=MO"},
			"2026-03-23T07:00:00Z",
			[]string{"RRULE:FREQ=WEEKLY;UNTIL=20260323T065959Z", "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260323T065959Z"},
			[]string{"RRULE:FREQ=WEEKLY;BYDAY=FR", "RRULE:FREQ=WEEKLY;BYDAY=MO"}},
		{"dates without a rule", friday, []string{"RDATE:20260310T070000Z,20260410T070000Z"}, "2026-04-01T00:00:00Z",
			[]string{"RDATE:20260310T070000Z"}, []string{"RDATE:20260410T070000Z"}},
		{"only the start is left", friday, []string{"RDATE:20260310T070000Z", "EXDATE:20260307T070000Z"},
			"2026-03-10T07:00:00Z", []string{}, []string{"RDATE:20260310T070000Z"}},
		{"every 31st", local(t, "Europe/Copenhagen", "2026-01-31 09:00"), []string{"RRULE:FREQ=MONTHLY"},
			"2026-05-31T07:00:00Z",
			[]string{"RRULE:FREQ=MONTHLY;UNTIL=20260531T065959Z"}, []string{"RRULE:FREQ=MONTHLY"}},
	} {
		set := parse(t, test.start, test.lines...)
		cut := instant(t, test.cut)
		left, kept, err := set.Truncate(cut)
		if err != nil || kept != (test.head != nil) || !slices.Equal(left, test.head) || (left == nil) != (test.head == nil) {
			t.Errorf("%s: left is %q, kept %v, %v; want %q", test.name, left, kept, err, test.head)
		}
		head, tail, err := set.Split(cut)
		if err != nil || !slices.Equal(head, test.head) || !slices.Equal(tail, test.tail) {
			t.Errorf("%s:\nhead %q\ntail %q, %v\nwant %q\nand  %q", test.name, head, tail, err, test.head, test.tail)
		}
	}
}

func TestSplitRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		start     rrule.Start
		lines     []string
		cut, part string
	}{
		{"COUNT on several rules", morning(t), []string{"RRULE:FREQ=DAILY;COUNT=9", "RRULE:FREQ=WEEKLY;COUNT=9"},
			"2026-03-04T07:00:00Z", "COUNT"},
		{"a date out of step", morning(t), []string{"RRULE:FREQ=DAILY;INTERVAL=2", "RDATE:20260305T070000Z"},
			"2026-03-05T07:00:00Z", "cannot be split"},
		{"a date at another time", morning(t), []string{"RRULE:FREQ=DAILY", "RDATE:20260305T080000Z"}, "2026-03-05T08:00:00Z",
			"cannot be split"},
		{"a skipped hour", local(t, "America/New_York", "2026-03-06 02:30"), []string{"RRULE:FREQ=DAILY"},
			"2026-03-08T07:30:00Z", "cannot be split"},
	} {
		set := parse(t, test.start, test.lines...)
		head, tail, err := set.Split(instant(t, test.cut))
		if model.CodeOf(err) != model.CodeBadUserInput || !strings.Contains(err.Error(), test.part) || head != nil ||
			tail != nil {
			t.Errorf("%s: %q, %q, %v", test.name, head, tail, err)
		}
	}
	set := parse(t, morning(t), "RRULE:FREQ=DAILY;COUNT=9", "RRULE:FREQ=WEEKLY;COUNT=9")
	if lines, kept, err := set.Truncate(instant(t, "2026-03-04T07:00:00Z")); model.CodeOf(err) != model.CodeBadUserInput ||
		kept || lines != nil {
		t.Errorf("Truncate: %q, %v, %v", lines, kept, err)
	}
	if lines, kept, err := parse(t, morning(t), "RRULE:FREQ=DAILY;INTERVAL=2",
		"RDATE:20260305T070000Z").Truncate(instant(t, "2026-03-05T07:00:00Z")); err != nil || !kept ||
		!slices.Equal(lines, []string{"RRULE:FREQ=DAILY;INTERVAL=2;UNTIL=20260305T065959Z"}) {
		t.Errorf("what cannot be split can be ended: %q, %v, %v", lines, kept, err)
	}
}

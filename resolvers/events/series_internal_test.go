package events

import (
	"strings"
	"testing"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/resolvers/core"
)

func TestFirstOccurrence(t *testing.T) {
	text := func(s string) *string { return &s }
	number := func(n int32) *int32 { return &n }
	date := func(s string) *model.Date {
		d, err := model.ParseDate(s)
		if err != nil {
			t.Fatal(err)
		}
		return &d
	}
	weekly, monthly := graph.EventFrequencyWeekly, graph.EventFrequencyMonthly
	for name, c := range map[string]struct {
		in        graph.CreateRecurringEventInput
		now, zone string
		want      string
		rule      string
	}{
		"today, the hour is to come": {graph.CreateRecurringEventInput{StartTime: text("10:01")},
			"2026-11-22T08:00:00Z", "Asia/Jerusalem",
			"2026-11-22T10:01:00+02:00[Asia/Jerusalem]–2026-11-22T11:01:00+02:00[Asia/Jerusalem]", "RRULE:FREQ=DAILY"},
		"today, the hour is now": {graph.CreateRecurringEventInput{StartTime: text("10:00")},
			"2026-11-22T08:00:00Z", "Asia/Jerusalem",
			"2026-11-23T10:00:00+02:00[Asia/Jerusalem]–2026-11-23T11:00:00+02:00[Asia/Jerusalem]", "RRULE:FREQ=DAILY"},
		"today by its own clock": {graph.CreateRecurringEventInput{StartTime: text("23:30")},
			"2026-11-22T20:00:00Z", "Pacific/Kiritimati",
			"2026-11-23T23:30:00+14:00[Pacific/Kiritimati]–2026-11-24T00:30:00+14:00[Pacific/Kiritimati]", "RRULE:FREQ=DAILY"},
		"the first of the days": {graph.CreateRecurringEventInput{StartTime: text("08:00"),
			Days: []model.Weekday{model.Saturday, model.Tuesday}}, "2026-11-22T08:00:00Z", "Asia/Jerusalem",
			"2026-11-24T08:00:00+02:00[Asia/Jerusalem]–2026-11-24T09:00:00+02:00[Asia/Jerusalem]",
			"RRULE:FREQ=WEEKLY;BYDAY=TU,SA"},
		"a week later, the hour has passed": {graph.CreateRecurringEventInput{StartTime: text("08:00"),
			Days: []model.Weekday{model.Sunday}}, "2026-11-22T08:00:00Z", "Asia/Jerusalem",
			"2026-11-29T08:00:00+02:00[Asia/Jerusalem]–2026-11-29T09:00:00+02:00[Asia/Jerusalem]", "RRULE:FREQ=WEEKLY;BYDAY=SU"},
		"from a day on, whatever the hour": {graph.CreateRecurringEventInput{StartTime: text("08:00"), Frequency: &weekly,
			From: date("2026-11-22")}, "2026-11-22T08:00:00Z", "Asia/Jerusalem",
			"2026-11-22T08:00:00+02:00[Asia/Jerusalem]–2026-11-22T09:00:00+02:00[Asia/Jerusalem]", "RRULE:FREQ=WEEKLY;BYDAY=SU"},
		"all-day today": {graph.CreateRecurringEventInput{}, "2026-11-22T22:30:00Z", "Asia/Jerusalem",
			"2026-11-23–2026-11-24", "RRULE:FREQ=DAILY"},
		"the 31st": {graph.CreateRecurringEventInput{DayOfMonth: number(31)},
			"2026-11-22T08:00:00Z", "Asia/Jerusalem", "2026-12-31–2027-01-01", "RRULE:FREQ=MONTHLY;BYMONTHDAY=31"},
		"the 30th after January": {graph.CreateRecurringEventInput{DayOfMonth: number(30),
			From: date("2027-01-31")}, "2026-11-22T08:00:00Z", "Asia/Jerusalem", "2027-03-30–2027-03-31",
			"RRULE:FREQ=MONTHLY;BYMONTHDAY=30"},
		"the day of the month of the first": {graph.CreateRecurringEventInput{Frequency: &monthly, From: date("2026-12-24"),
			Count: number(2)}, "2026-11-22T08:00:00Z", "Asia/Jerusalem", "2026-12-24–2026-12-25",
			"RRULE:FREQ=MONTHLY;COUNT=2;BYMONTHDAY=24"},
		"not on the day that skips the hour": {graph.CreateRecurringEventInput{StartTime: text("02:30"),
			From: date("2026-03-27")}, "2026-03-20T08:00:00Z", "Asia/Jerusalem",
			"2026-03-28T02:30:00+03:00[Asia/Jerusalem]–2026-03-28T03:30:00+03:00[Asia/Jerusalem]", "RRULE:FREQ=DAILY"},
		"over midnight": {graph.CreateRecurringEventInput{StartTime: text("22:00"),
			EndTime: text("06:00"), From: date("2026-10-24")}, "2026-03-20T08:00:00Z", "Asia/Jerusalem",
			"2026-10-24T22:00:00+03:00[Asia/Jerusalem]–2026-10-25T06:00:00+02:00[Asia/Jerusalem]", "RRULE:FREQ=DAILY"},
		"until a day, by its own clock": {graph.CreateRecurringEventInput{StartTime: text("22:00"),
			From: date("2026-11-24"), Until: date("2026-11-25")}, "2026-03-20T08:00:00Z", "Pacific/Pago_Pago",
			"2026-11-24T22:00:00-11:00[Pacific/Pago_Pago]–2026-11-24T23:00:00-11:00[Pacific/Pago_Pago]",
			"RRULE:FREQ=DAILY;UNTIL=20261126T105959Z"},
		"until the first day": {graph.CreateRecurringEventInput{From: date("2026-11-24"),
			Until: date("2026-11-24")}, "2026-03-20T08:00:00Z", "UTC", "2026-11-24–2026-11-25",
			"RRULE:FREQ=DAILY;UNTIL=20261124"},
		"until before the first": {graph.CreateRecurringEventInput{From: date("2026-11-24"),
			Until: date("2026-11-23")}, "2026-03-20T08:00:00Z", "UTC", "!after until", ""},
		"every other week, kept by the first": {graph.CreateRecurringEventInput{StartTime: text("08:00"),
			Days: []model.Weekday{model.Monday}, Interval: number(2)}, "2026-11-24T08:00:00Z", "UTC",
			"2026-11-30T08:00:00Z[UTC]–2026-11-30T09:00:00Z[UTC]", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := readSeries("input", c.in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		zone := zoneFor(t, c.zone)
		got, line, err := plan.first("input", now, zone)
		told(t, name, got, err, c.want)
		if err != nil {
			continue
		}
		if line != c.rule {
			t.Errorf("%s: rule %s, want %s", name, line, c.rule)
		}
		set, err := rrule.Parse([]string{line}, ruleStart(got.Start, zone))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if first, ok := set.First(); !ok || !first.Start.Equal(ruleStart(got.Start, zone).At) {
			t.Errorf("%s: the rule begins at %v, the series at %s", name, first.Start, shown(got))
		}
	}
}

func TestTicketsHoldTexts(t *testing.T) {
	ids := []model.UUID{{1}, {2}, {3}}
	for _, want := range []core.Ticket{
		{Nonce: model.UUID{9}, Request: [32]byte{8}, Expires: time.Unix(1, 0).UTC(), Offered: ids[:2], Settled: ids[2:],
			Many: true},
		{Expires: time.Unix(2, 0).UTC(), Offered: []model.UUID{}, Settled: []model.UUID{},
			Texts: []string{"THIS", "", "\x00\xff"}, Held: []string{strings.Repeat("x", 1000)}, Words: true},
		{Expires: time.Unix(3, 0).UTC(), Offered: ids, Settled: []model.UUID{}, Texts: []string{"a"}},
	} {
		packed := want.Pack()
		got, ok := core.UnpackTicket(packed)
		if !ok || got.Nonce != want.Nonce || got.Request != want.Request || !got.Expires.Equal(want.Expires) ||
			got.Many != want.Many || got.Words != want.Words ||
			len(got.Offered) != len(want.Offered) || len(got.Settled) != len(want.Settled) || strings.Join(got.Texts,
			"|") != strings.Join(want.Texts, "|") || strings.Join(got.Held, "|") != strings.Join(want.Held, "|") {
			t.Errorf("packed %+v, unpacked %+v (%t)", want, got, ok)
		}
		for n := range packed {
			if _, ok := core.UnpackTicket(packed[:n]); ok {
				t.Errorf("a ticket cut off after %d of %d bytes was read", n, len(packed))
			}
		}
		if _, ok := core.UnpackTicket(append(packed, 0)); ok {
			t.Error("a ticket with a byte too many was read")
		}
	}
}

func FuzzUnpackTicket(f *testing.F) {
	f.Add(core.Ticket{Texts: []string{"THIS"}, Held: []string{"x"}}.Pack())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, packed []byte) {
		if got, ok := core.UnpackTicket(packed); ok && len(got.Texts)+len(got.Held) > len(packed) {
			t.Errorf("%d texts of %d bytes", len(got.Texts)+len(got.Held), len(packed))
		}
	})
}

func TestEmailAddresses(t *testing.T) {
	for text, ok := range map[string]bool{
		"dana@example.com": true, " dana@example.com ": true, "dana+tag@mail.example.co.il": true, "דנה@example.com": true,
		"": false, "dana": false, "dana@localhost": false, "@example.com": false, "dana@": false, "dana@.com": false,
		"dana@example.":           false,
		"Dana <dana@example.com>": false, "dana@example.com, noam@example.com": false,
		"dana@example.com\r\nBcc: x@example.com": false, "da na@example.com": false,
		"dana@exam\u200bple.com": false, "\u202edana@example.com": false, "dana(comment)@example.com": false,
		`"dana"@example.com`:                      false,
		strings.Repeat("a", 250) + "@example.com": false,
	} {
		if _, err := emailAddress("f", text); (err == nil) != ok {
			t.Errorf("%q: %v, want accepted %t", text, err, ok)
		}
	}
}

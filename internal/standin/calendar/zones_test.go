package calendar

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"
)

// zoned adds an account whose calendar has the zone, and returns its address.
func (w *world) zoned(zone string) string {
	w.t.Helper()
	email := fmt.Sprintf("z%d@example.com", len(w.s.Accounts()))
	if err := w.s.AddAccount(Account{Email: email, TimeZone: zone}); err != nil {
		w.t.Fatal(err)
	}
	return email
}

func TestTimesComeInTheZoneOfTheAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ calendar, start, end, event, query, want, zone string }{
		{"Asia/Jerusalem", "2026-03-10T08:00:00", "2026-03-10T09:00:00", "America/New_York", "", "2026-03-10T14:00:00+02:00",
			"America/New_York"},
		{"Asia/Jerusalem", "2026-03-10T08:00:00", "2026-03-10T09:00:00", "America/New_York", "timeZone=Asia/Tokyo",
			"2026-03-10T21:00:00+09:00", "America/New_York"},
		{"Asia/Jerusalem", "2026-03-10T08:00:00", "2026-03-10T09:00:00", "America/New_York", "timeZone=UTC",
			"2026-03-10T12:00:00Z", "America/New_York"},
		// Without a zone the calendar's is the event's.
		{"Asia/Jerusalem", "2026-03-10T08:00:00Z", "2026-03-10T09:00:00Z", "", "", "2026-03-10T10:00:00+02:00",
			"Asia/Jerusalem"},
		// An offset beats the zone for the instant, the zone stays for the name.
		{"Asia/Jerusalem", "2026-03-10T08:00:00+01:00", "2026-03-10T09:00:00+01:00", "Asia/Tokyo", "",
			"2026-03-10T09:00:00+02:00", "Asia/Tokyo"},
		{"Pacific/Kiritimati", "2026-03-10T00:00:00", "2026-03-10T01:00:00", "Pacific/Kiritimati", "",
			"2026-03-10T00:00:00+14:00", "Pacific/Kiritimati"},
		{"Pacific/Pago_Pago", "2026-03-10T00:00:00", "2026-03-10T01:00:00", "Pacific/Kiritimati", "",
			"2026-03-08T23:00:00-11:00", "Pacific/Kiritimati"},
		{"Pacific/Kiritimati", "2026-03-10T23:30:00", "2026-03-11T00:30:00", "Pacific/Pago_Pago", "",
			"2026-03-12T00:30:00+14:00", "Pacific/Pago_Pago"},
		{"Asia/Kathmandu", "2026-03-10T00:00:00Z", "2026-03-10T01:00:00Z", "", "", "2026-03-10T05:45:00+05:45",
			"Asia/Kathmandu"},
	} {
		who := w.zoned(c.calendar)
		body := timed(c.start, c.end, c.event)
		if c.event == "" {
			body = object{"start": object{"dateTime": c.start}, "end": object{"dateTime": c.end}}
		}
		e := w.do("events.insert", asked{as: who, body: body})
		list := w.do("events.list", asked{as: who, query: c.query})
		same(t, c.calendar+" "+c.start, objectOf(objectsOf(list, "items")[0], "start"),
			object{"dateTime": c.want, "timeZone": c.zone})
		same(t, "get", objectOf(w.do("events.get", asked{as: who, id: textOf(e, "id"), query: c.query}), "start"),
			object{"dateTime": c.want, "timeZone": c.zone})
	}
	w.refused("events.list", asked{query: "timeZone=Mars/Base"}, "400 global/invalid")
}

func TestClockChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ zone, local, want string }{
		// Skipped readings are taken with the offset before the skip.
		{"America/New_York", "2026-03-08T02:30:00", "2026-03-08T03:30:00-04:00"},
		{"Asia/Jerusalem", "2026-03-27T02:30:00", "2026-03-27T03:30:00+03:00"},
		{"Australia/Lord_Howe", "2026-10-04T02:15:00", "2026-10-04T02:45:00+11:00"},
		// Of readings that come twice the first is taken.
		{"America/New_York", "2026-11-01T01:30:00", "2026-11-01T01:30:00-04:00"},
		{"Asia/Jerusalem", "2026-10-25T01:30:00", "2026-10-25T01:30:00+03:00"},
		{"Australia/Lord_Howe", "2026-04-05T01:45:00", "2026-04-05T01:45:00+11:00"},
	} {
		who := w.zoned(c.zone)
		e := w.do("events.insert", asked{as: who, body: object{
			"start": object{"dateTime": c.local, "timeZone": c.zone},
			"end":   object{"dateTime": c.local[:8] + "28T23:00:00", "timeZone": c.zone},
		}})
		same(t, c.zone+" "+c.local, textOf(objectOf(e, "start"), "dateTime"), c.want)
	}
}

func TestSeriesKeepsTheClockOfItsZone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zone, first string
		want        []string
	}{
		{"Asia/Jerusalem", "2026-03-20T09:00:00",
			[]string{"2026-03-20T09:00:00+02:00", "2026-03-27T09:00:00+03:00", "2026-04-03T09:00:00+03:00"}},
		{"America/New_York", "2026-10-25T00:30:00",
			[]string{"2026-10-25T00:30:00-04:00", "2026-11-01T00:30:00-04:00", "2026-11-08T00:30:00-05:00"}},
		{"Australia/Lord_Howe", "2026-03-29T12:00:00",
			[]string{"2026-03-29T12:00:00+11:00", "2026-04-05T12:00:00+10:30", "2026-04-12T12:00:00+10:30"}},
		{"Pacific/Auckland", "2026-03-29T00:00:00",
			[]string{"2026-03-29T00:00:00+13:00", "2026-04-05T00:00:00+13:00", "2026-04-12T00:00:00+12:00"}},
		{"Pacific/Kiritimati", "2026-03-29T00:00:00",
			[]string{"2026-03-29T00:00:00+14:00", "2026-04-05T00:00:00+14:00", "2026-04-12T00:00:00+14:00"}},
		{"Pacific/Pago_Pago", "2026-03-29T23:59:00",
			[]string{"2026-03-29T23:59:00-11:00", "2026-04-05T23:59:00-11:00", "2026-04-12T23:59:00-11:00"}},
	} {
		w := newWorld(t)
		who := w.zoned(c.zone)
		begin, err := time.Parse(localForm, c.first)
		if err != nil {
			t.Fatal(err)
		}
		e := w.do("events.insert", asked{as: who,
			body: with(timed(c.first, begin.Add(time.Minute*30).Format(localForm), c.zone), object{
				"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=3"},
			})})
		list := objectsOf(w.do("events.list", asked{as: who, query: "singleEvents=true&orderBy=startTime"}), "items")
		same(t, c.zone, starts(list), c.want)
		for _, item := range list { // Each instance is found by the id that the list gave.
			same(t, "get", w.do("events.get", asked{as: who, id: textOf(item, "id")}), item)
			same(t, "of", textOf(item, "recurringEventId"), textOf(e, "id"))
		}
	}
}

func TestSeriesReadFromAfar(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	who := w.zoned("Pacific/Honolulu")
	w.do("events.insert", asked{as: who,
		body: with(timed("2026-03-25T14:00:00", "2026-03-25T15:00:00", "Europe/Copenhagen"), object{
			"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=2"},
		})})
	list := objectsOf(w.do("events.list", asked{as: who, query: "singleEvents=true&orderBy=startTime"}), "items")
	same(t, "moves by an hour", starts(list), []string{"2026-03-25T03:00:00-10:00", "2026-04-01T02:00:00-10:00"})
}

func TestGapOccurrences(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(with(timed("2026-03-26T02:30:00", "2026-03-26T02:45:00", "Asia/Jerusalem"),
		object{"id": "night", "recurrence": []string{"RRULE:FREQ=DAILY;COUNT=3"}}))
	same(t, "moved", starts(w.instances("night", "")),
		[]string{"2026-03-26T02:30:00+02:00", "2026-03-27T03:30:00+03:00", "2026-03-28T02:30:00+03:00"})
	w.s.SetSwitches(Switches{SkipGapOccurrences: true})
	same(t, "left out", starts(w.instances("night", "")),
		[]string{"2026-03-26T02:30:00+02:00", "2026-03-28T02:30:00+03:00"})
	w.refused("events.get", asked{id: "night_20260327T003000Z"}, "404 global/notFound")
}

func TestAllDayIsOfTheCalendarsZone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, zone := range []string{"Pacific/Honolulu", "Pacific/Auckland", "Pacific/Kiritimati", "Pacific/Pago_Pago",
		"Asia/Jerusalem", "America/New_York", "UTC"} {
		who := w.zoned(zone)
		w.do("events.insert", asked{as: who, body: with(allDay("2026-03-20", "2026-03-21"), object{"id": "dated"})})
		w.do("events.insert", asked{as: who, body: with(allDay("2026-03-20", "2026-03-21"),
			object{"id": "often", "recurrence": []string{"RRULE:FREQ=DAILY;COUNT=1"}})})
		place, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		begin, end := time.Date(2026, 3, 20, 0, 0, 0, 0, place), time.Date(2026, 3, 21, 0, 0, 0, 0, place)
		for name, c := range map[string]struct {
			from, to time.Time
			want     int
		}{
			"ends where it starts":  {begin.Add(-time.Hour), begin, 0},
			"just touches":          {begin.Add(-time.Hour), begin.Add(time.Second), 2},
			"its last second":       {end.Add(-time.Second), end.Add(time.Hour), 2},
			"starts where it ends":  {end, end.Add(time.Hour), 0},
			"its day, seen by date": {begin, end, 2},
		} {
			query := "singleEvents=true&timeMin=" + url.QueryEscape(c.from.Format(time.RFC3339)) + "&timeMax=" +
				url.QueryEscape(c.to.Format(time.RFC3339))
			for _, answer := range []string{"", "&timeZone=Pacific/Honolulu", "&timeZone=Pacific/Auckland"} {
				items := objectsOf(w.do("events.list", asked{as: who, query: query + answer}), "items")
				same(t, zone+": "+name, len(items), c.want)
				for _, item := range items {
					same(t, "start", objectOf(item, "start"), object{"date": "2026-03-20"})
					same(t, "end", objectOf(item, "end"), object{"date": "2026-03-21"})
				}
			}
		}
	}
}

func TestAllDaySortsAsLocalMidnight(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, zone := range []string{"Pacific/Honolulu", "Pacific/Auckland"} {
		who := w.zoned(zone)
		w.do("events.insert", asked{as: who, body: with(timed("2026-03-19T23:30:00", "2026-03-19T23:45:00", zone),
			object{"summary": "evening"})})
		w.do("events.insert", asked{as: who,
			body: with(timed("2026-03-20T00:30:00", "2026-03-20T00:45:00", zone), object{"summary": "night"})})
		w.do("events.insert", asked{as: who, body: with(allDay("2026-03-20", "2026-03-21"), object{"summary": "day"})})
		items := objectsOf(w.do("events.list", asked{as: who, query: "singleEvents=true&orderBy=startTime"}), "items")
		same(t, zone, summaries(items), []string{"evening", "day", "night"})
	}
}

func TestAllDayEndIsExclusive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(with(allDay("2026-03-20", "2026-03-23"), object{"id": "three"}))
	for day, want := range map[string]int{"2026-03-19": 0, "2026-03-20": 1, "2026-03-22": 1, "2026-03-23": 0} {
		query := "timeMin=" + day + "T10:00:00Z&timeMax=" + day + "T11:00:00Z"
		same(t, day, len(w.list(query)), want)
	}
}

func TestSwitchingTheCalendarsZone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(allDay("2026-03-20", "2026-03-21"))
	w.insert(timed("2026-03-20T09:00:00", "2026-03-20T10:00:00", "Asia/Jerusalem"))
	w.do("calendars.patch", asked{body: object{"timeZone": "Pacific/Auckland"}})
	items := w.list("singleEvents=true&orderBy=startTime")
	same(t, "starts", starts(items), []string{"2026-03-20", "2026-03-20T20:00:00+13:00"})
	if got := ids(w.list("timeMax=2026-03-19T11:00:01Z")); len(got) != 1 {
		t.Errorf("the date begins at midnight in Auckland: %v", slices.Clone(got))
	}
}

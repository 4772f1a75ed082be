package calendar

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func (w *world) instances(id, query string) []object {
	w.t.Helper()
	return objectsOf(w.do("events.instances", asked{id: id, query: query}), "items")
}

func TestSeriesNeedsZones(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rule := object{"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=2"}}
	for name, c := range map[string]struct {
		start, end object
		message    string
	}{
		"none": {object{"dateTime": "2026-03-02T09:00:00+02:00"}, object{"dateTime": "2026-03-02T10:00:00+02:00"},
			"Missing time zone definition for start time."},
		"only at start": {object{"dateTime": "2026-03-02T09:00:00+02:00", "timeZone": "Asia/Jerusalem"},
			object{"dateTime": "2026-03-02T10:00:00+02:00"}, "Missing time zone definition for end time."},
	} {
		p := w.refused("events.insert", asked{body: with(rule, object{"start": c.start, "end": c.end})},
			"400 global/required")
		same(t, name, p.Message, c.message)
	}
	w.insert(with(allDay("2026-03-02", "2026-03-03"), rule))
	w.insert(with(timed("2026-03-02T09:00:00+02:00", "2026-03-02T10:00:00+02:00", "Asia/Jerusalem"), rule))
}

func TestRecurrenceIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := timed("2026-03-02T09:00:00", "2026-03-02T10:00:00", "Asia/Jerusalem")
	for _, lines := range [][]string{
		{"RRULE:FREQ=WEEKLY;COUNT=2;UNTIL=20260401T000000Z"}, {"RRULE:FREQ=SOMETIMES"}, {"RRULE:"}, {"FREQ=DAILY"},
		{"DTSTART:20260302T090000Z"},
		{"RRULE:FREQ=DAILY;COUNT=2", "DTEND:20260302T090000Z"}, {""}, {"RRULE:FREQ=DAILY;COUNT=0"},
		{"RRULE:FREQ=DAILY;UNTIL=tomorrow"},
	} {
		w.refused("events.insert", asked{body: with(base, object{"recurrence": lines})}, "400 global/invalid")
	}
	for _, lines := range [][]string{
		{"RRULE:FREQ=WEEKLY;UNTIL=20260401T000000Z"},
		{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=Asia/Jerusalem:20260303T090000"},
		{"RRULE:FREQ=DAILY;COUNT=3", "RDATE:20260310T070000Z"},
	} {
		e := w.insert(with(base, object{"recurrence": lines}))
		same(t, "lines as they were sent", textsOf(e, "recurrence"), lines)
	}
}

func TestUntilForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at9 := timed("2026-03-02T09:00:00", "2026-03-02T10:00:00", "Asia/Jerusalem")
	for name, c := range map[string]struct {
		base  object
		until string
		want  int
	}{
		"timed, an instant at the start is inclusive": {at9, "20260305T070000Z", 4},
		"timed, a second before":                      {at9, "20260305T065959Z", 3},
		"timed, a date is the whole local day":        {at9, "20260305", 4},
		"all-day, a date is inclusive":                {allDay("2026-03-02", "2026-03-03"), "20260305", 4},
		"all-day, an instant counts by its date":      {allDay("2026-03-02", "2026-03-03"), "20260305T000000Z", 4},
		"timed in Auckland, a date is the local day there": {
			timed("2026-03-02T09:00:00", "2026-03-02T10:00:00", "Pacific/Auckland"), "20260305", 4},
		"timed in Auckland, evening before by UTC": {
			timed("2026-03-02T09:00:00", "2026-03-02T10:00:00", "Pacific/Auckland"), "20260304T200000Z", 4},
		"timed in Auckland, one second before that instant": {
			timed("2026-03-02T09:00:00", "2026-03-02T10:00:00", "Pacific/Auckland"), "20260304T195959Z", 3},
	} {
		e := w.insert(with(c.base, object{"recurrence": []string{"RRULE:FREQ=DAILY;UNTIL=" + c.until}}))
		same(t, name, len(w.instances(textOf(e, "id"), "")), c.want)
	}
}

func TestExceptions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup", "location": "Room"})
	one := w.do("events.patch", asked{id: "standup_20260309T070000Z", body: object{
		"start": object{"dateTime": "2026-03-10T15:00:00+02:00"}, "end": object{"dateTime": "2026-03-10T16:00:00+02:00"},
	}})
	same(t, "id", textOf(one, "id"), "standup_20260309T070000Z")
	same(t, "original start", textOf(objectOf(one, "originalStartTime"), "dateTime"), "2026-03-09T09:00:00+02:00")
	same(t, "inherited", textOf(one, "summary"), "Standup")
	same(t, "series", textOf(one, "recurringEventId"), "standup")
	w.do("events.patch", asked{id: "standup_20260316T070000Z", body: object{"summary": "Special", "location": nil}})
	w.do("events.patch", asked{id: "standup", body: object{"summary": "Renamed", "location": "Hall"}})
	got := map[string]string{}
	for _, item := range w.instances("standup", "") {
		got[textOf(item, "id")] = textOf(item, "summary") + "/" + textOf(item, "location") + "/" +
			textOf(objectOf(item, "start"), "dateTime")
	}
	same(t, "plain instance", got["standup_20260302T070000Z"], "Renamed/Hall/2026-03-02T09:00:00+02:00")
	same(t, "moved instance", got["standup_20260309T070000Z"], "Renamed/Hall/2026-03-10T15:00:00+02:00")
	same(t, "instance with its own title", got["standup_20260316T070000Z"], "Special//2026-03-16T09:00:00+02:00")
	w.refused("events.patch", asked{id: "standup_20260302T070000Z",
		body: object{"recurrence": []string{"RRULE:FREQ=DAILY"}}}, "400 global/invalid")
	w.refused("events.get", asked{id: "standup_20260303T070000Z"}, "404 global/notFound")
	w.refused("events.get", asked{id: "standup_20260302"}, "404 global/notFound")
	w.refused("events.get", asked{id: "nothing_20260302T070000Z"}, "404 global/notFound")
}

func TestCancelOneInstance(t *testing.T) {
	t.Parallel()
	for name, cancel := range map[string]func(*world){
		"delete": func(w *world) { w.do("events.delete", asked{id: "standup_20260309T070000Z"}) },
		"patch": func(w *world) {
			w.do("events.patch", asked{id: "standup_20260309T070000Z", body: object{"status": "cancelled"}})
		},
	} {
		w := newWorld(t)
		w.weekly(object{"id": "standup"})
		cancel(w)
		same(t, name, len(w.instances("standup", "")), 5)
		same(t, name+", shown", len(w.instances("standup", "showDeleted=true")), 6)
		same(t, name+", get", textOf(w.do("events.get", asked{id: "standup_20260309T070000Z"}), "status"), "cancelled")
		w.refused("events.delete", asked{id: "standup_20260309T070000Z"}, "410 global/deleted")
		// The tombstone outlives changes of the series.
		w.do("events.patch", asked{id: "standup", body: object{"summary": "Other"}})
		same(t, name+", later", len(w.instances("standup", "")), 5)
		revived := w.do("events.patch", asked{id: "standup_20260309T070000Z", body: object{"status": "confirmed"}})
		same(t, name+", revived", textOf(revived, "status"), "confirmed")
		same(t, name+", revived", len(w.instances("standup", "")), 6)
	}
}

func TestInstances(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup"})
	same(t, "of an instance", ids(w.instances("standup_20260309T070000Z", "")), []string{"standup_20260309T070000Z"})
	w.do("events.delete", asked{id: "standup_20260309T070000Z"})
	same(t, "of a cancelled instance", len(w.instances("standup_20260309T070000Z", "")), 0)
	same(t, "in a window", ids(w.instances("standup", "timeMin=2026-03-15T00:00:00Z&timeMax=2026-03-24T00:00:00Z")),
		[]string{"standup_20260316T070000Z", "standup_20260323T070000Z"})
	same(t, "by original start", ids(w.instances("standup", "originalStart=2026-03-16T09:00:00%2B02:00")),
		[]string{"standup_20260316T070000Z"})
	first := w.do("events.instances", asked{id: "standup", query: "maxResults=4"})
	same(t, "a page", len(objectsOf(first, "items")), 4)
	rest := w.instances("standup",
		"maxResults=4&pageToken="+strings.ReplaceAll(textOf(first, "nextPageToken"), "=", "%3D"))
	same(t, "the rest", len(rest), 1)
	w.refused("events.instances", asked{id: "nothing0"}, "404 global/notFound")
}

func TestInstancesOfASingleEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	w.refused("events.instances", asked{id: "morning"}, "400 global/badRequest")
	w.s.SetSwitches(Switches{SingleAsInstances: true})
	same(t, "switched", ids(w.instances("morning", "")), []string{"morning"})
}

func TestDeleteSeries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup"})
	w.do("events.patch", asked{id: "standup_20260309T070000Z", body: object{"summary": "One"}})
	w.do("events.delete", asked{id: "standup_20260316T070000Z"})
	w.do("events.delete", asked{id: "standup"})
	same(t, "instances", len(w.list("singleEvents=true")), 0)
	same(t, "rows", len(w.list("")), 0)
	same(t, "get", textOf(w.do("events.get", asked{id: "standup"}), "status"), "cancelled")
	same(t, "get of an instance", textOf(w.do("events.get", asked{id: "standup_20260309T070000Z"}), "status"), "cancelled")
	w.refused("events.delete", asked{id: "standup"}, "410 global/deleted")
	w.refused("events.delete", asked{id: "standup_20260323T070000Z"}, "410 global/deleted")
	same(t, "deleted instances", len(w.list("singleEvents=true&showDeleted=true")), 6)
	w.do("events.patch", asked{id: "standup", body: object{"status": "confirmed"}})
	same(t, "revived with its exceptions", len(w.list("singleEvents=true")), 5)
}

func TestTruncateKeepsExceptionDates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup", "recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=6",
		"EXDATE;TZID=Asia/Jerusalem:20260309T090000"}})
	w.do("events.patch", asked{id: "standup", body: object{
		"recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260323T065959Z",
			"EXDATE;TZID=Asia/Jerusalem:20260309T090000"},
	}})
	same(t, "what is left", ids(w.instances("standup", "")),
		[]string{"standup_20260302T070000Z", "standup_20260316T070000Z"})
}

func TestSplitResetsExceptions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Switches{DropOrphans: true})
	w.weekly(object{"id": "head0", "recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=8"}})
	w.do("events.patch", asked{id: "head0_20260406T060000Z", body: object{ // The sixth, moved by a day.
		"start": object{"dateTime": "2026-04-07T09:00:00+03:00"}, "end": object{"dateTime": "2026-04-07T10:00:00+03:00"},
	}})
	w.insert(with(timed("2026-03-23T09:00:00", "2026-03-23T10:00:00", "Asia/Jerusalem"), object{
		"id": "tail0", "recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=5"},
	}))
	w.do("events.patch", asked{id: "head0",
		body: object{"recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260323T065959Z"}}})
	same(t, "before", len(w.instances("head0", "")), 3)
	after := starts(w.instances("tail0", ""))
	same(t, "after", len(after), 5)
	same(t, "the sixth is back at its time", after[2], "2026-04-06T09:00:00+03:00")
}

func TestOrphans(t *testing.T) {
	t.Parallel()
	for drop, want := range map[bool][]string{
		false: {"standup_20260302T070000Z", "standup_20260323T070000Z"}, true: {"standup_20260302T070000Z"},
	} {
		w := newWorld(t, Switches{DropOrphans: drop})
		w.weekly(object{"id": "standup"})
		w.do("events.patch", asked{id: "standup_20260323T070000Z", body: object{"summary": "Mine"}})
		w.do("events.patch", asked{id: "standup",
			body: object{"recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260309T065959Z"}}})
		same(t, "instances", ids(w.list("singleEvents=true&orderBy=startTime")), want)
		_, p := w.try("events.delete", asked{id: "standup_20260323T070000Z"})
		same(t, "deleting the orphan is gone already", p != nil && p.Status == 410, drop)
	}
}

func TestSeriesBecomesSingle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup"})
	w.do("events.patch", asked{id: "standup_20260323T070000Z", body: object{"summary": "Mine"}})
	single := w.do("events.patch", asked{id: "standup", body: object{"recurrence": nil}})
	absent(t, single, "recurrence")
	same(t, "rows", ids(w.list("singleEvents=true")), []string{"standup"})
}

func TestUpdateFromInstanceCollapsesSeries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup", "recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260316T065959Z"}})
	w.do("events.update", asked{id: "standup",
		body: with(timed("2026-04-06T09:00:00", "2026-04-06T10:00:00", "Asia/Jerusalem"), object{
			"summary": "Standup", "recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260316T065959Z"},
		})})
	same(t, "one event", starts(w.list("singleEvents=true")), []string{"2026-04-06T09:00:00+03:00"})
	other := w.weekly(object{"id": "other"})
	w.do("events.update", asked{id: "other", body: object{"summary": "x", "start": other["start"], "end": other["end"]}})
	same(t, "without recurrence", len(w.list("iCalUID=other@google.com&singleEvents=true")), 1)
}

func TestStartThatDoesNotMatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// 2 March 2026 is a Monday.
	e := w.weekly(object{"recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2"}})
	id := textOf(e, "id")
	same(t, "left out", starts(w.instances(id, "")), []string{"2026-03-03T09:00:00+02:00", "2026-03-10T09:00:00+02:00"})
	w.s.SetSwitches(Switches{StartAlwaysCounts: true})
	same(t, "switched", len(w.instances(id, "")), 3)
	same(t, "get", textOf(w.do("events.get", asked{id: id + "_20260302T070000Z"}), "recurringEventId"), id)
}

func TestEndlessSeriesIsNotExpandedBeyondTheWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(with(timed("1990-01-01T09:00:00", "1990-01-01T10:00:00", "Asia/Jerusalem"),
		object{"recurrence": []string{"RRULE:FREQ=DAILY"}}))
	items := w.list("singleEvents=true&orderBy=startTime&timeMin=2026-03-09T22:00:00Z&timeMax=2026-03-12T22:00:00Z")
	same(t, "three days", starts(items),
		[]string{"2026-03-10T09:00:00+02:00", "2026-03-11T09:00:00+02:00", "2026-03-12T09:00:00+02:00"})
}

// With opaque ids nothing but recurringEventId and originalStartTime says whose an instance is.
func TestOpaqueInstanceIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup"})
	w.do("events.patch", asked{id: "standup_20260309T070000Z", body: object{"summary": "From before"}})
	w.s.SetSwitches(Switches{OpaqueInstanceIDs: true})
	mirrors := []*mirror{newMirror(w, ada, ""), newMirror(w, ada, "singleEvents=true")}
	shown := w.instances("standup", "")
	same(t, "instances", len(shown), 6)
	for i, e := range shown {
		id := textOf(e, "id")
		if opaque := !strings.Contains(id, "standup") && !strings.Contains(id, "2026"); opaque != (i != 1) {
			t.Errorf("instance %d is %s", i, id)
		}
		same(t, "the series", textOf(e, "recurringEventId"), "standup")
		same(t, "by its id", w.do("events.get", asked{id: id}), e)
	}
	third := textOf(shown[2], "id")
	found := w.instances("standup", "originalStart=2026-03-16T09:00:00%2B02:00")
	same(t, "by its start", ids(found), []string{third})
	same(t, "by the older form of its id", textOf(w.do("events.get", asked{id: "standup_20260316T070000Z"}), "id"), third)
	w.do("events.patch", asked{id: third, body: object{"summary": "Special"}})
	w.do("events.patch", asked{id: "standup_20260316T070000Z", body: object{"location": "There"}})
	w.do("events.patch", asked{id: "standup_20260309T070000Z", body: object{"location": "There"}})
	w.do("events.delete", asked{id: textOf(shown[3], "id")})
	same(t, "instances after that", summaries(w.instances("standup", "")),
		[]string{"Standup", "From before", "Special", "Standup", "Standup"})
	for _, m := range mirrors {
		m.catchUp()
	}
	w.do("events.patch", asked{id: "standup", body: object{"recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=5"}}})
	if _, err := w.s.SplitOnScreen(ada, "primary", textOf(shown[2], "id"), object{"summary": "Later"}); err != nil {
		t.Fatal(err)
	}
	same(t, "its series after a split", textOf(w.do("events.get", asked{id: third}), "recurringEventId"),
		"standup_R20260316T070000")
	for _, m := range mirrors {
		m.catchUp()
	}
}

func TestInstanceOfAllDaySeries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(with(allDay("2026-03-02", "2026-03-04"),
		object{"id": "trip0", "recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=3"}}))
	moved := w.do("events.patch", asked{id: "trip0_20260309",
		body: object{"start": object{"date": "2026-03-10"}, "end": object{"date": "2026-03-12"}}})
	same(t, "original", objectOf(moved, "originalStartTime"), object{"date": "2026-03-09"})
	same(t, "days", starts(w.instances("trip0", "")), []string{"2026-03-02", "2026-03-10", "2026-03-16"})
	same(t, "by original date", ids(w.instances("trip0", "originalStart=2026-03-09")), []string{"trip0_20260309"})
}

func TestTombstonesOfSeriesOutliveTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup"})
	w.do("events.delete", asked{id: "standup_20260309T070000Z"})
	w.tick(10 * 365 * 24 * time.Hour)
	if !slices.Contains(ids(w.list("")), "standup_20260309T070000Z") {
		t.Error("the tombstone is gone")
	}
}

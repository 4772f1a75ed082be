package calendar

import (
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"
)

// aDay inserts a few events on one day: 09:00-09:30, 10:00-11:00 and all day.
func (w *world) aDay() {
	w.t.Helper()
	w.insert(with(timed("2026-03-10T09:00:00", "2026-03-10T09:30:00", "Asia/Jerusalem"),
		object{"id": "morning", "summary": "Morning"}))
	w.insert(with(timed("2026-03-10T10:00:00", "2026-03-10T11:00:00", "Asia/Jerusalem"),
		object{"id": "later", "summary": "Later"}))
	w.insert(with(allDay("2026-03-10", "2026-03-11"), object{"id": "hallo", "summary": "All day"}))
}

func TestSingleEventsFalseGivesSeriesAndExceptions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup"})
	w.do("events.patch", asked{id: "standup_20260309T070000Z", body: object{"summary": "Moved"}})
	w.do("events.delete", asked{id: "standup_20260316T070000Z"})
	items := w.list("")
	same(t, "ids", ids(items), []string{"standup", "standup_20260309T070000Z", "standup_20260316T070000Z"})
	same(t, "recurrence", textsOf(items[0], "recurrence"), []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=6"})
	bare := items[2]
	same(t, "status", textOf(bare, "status"), "cancelled")
	same(t, "recurringEventId", textOf(bare, "recurringEventId"), "standup")
	same(t, "originalStartTime", textOf(objectOf(bare, "originalStartTime"), "dateTime"), "2026-03-16T09:00:00+02:00")
	absent(t, bare, "start", "end", "summary", "created", "updated", "reminders")
}

func TestSingleEventsTrueGivesInstances(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup"})
	w.do("events.delete", asked{id: "standup_20260316T070000Z"})
	items := w.list("singleEvents=true")
	same(t, "instances", len(items), 5)
	if slices.Contains(ids(items), "standup") {
		t.Error("the series is among its instances")
	}
	withDeleted := w.list("singleEvents=true&showDeleted=true")
	same(t, "with the deleted one", len(withDeleted), 6)
}

func TestOrderByStartTimeNeedsSingleEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	p := w.refused("events.list", asked{query: "orderBy=startTime"}, "400 global/badRequest")
	same(t, "message", p.Message, "The requested ordering is not available for the particular query.")
	same(t, "order", ids(w.list("orderBy=startTime&singleEvents=true")), []string{"hallo", "morning", "later"})
}

func TestOrderByUpdated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	w.tick(time.Minute)
	w.do("events.patch", asked{id: "morning", body: object{"summary": "Touched"}})
	same(t, "last", ids(w.list("orderBy=updated"))[2], "morning")
}

func TestDefaultOrderIsStableOverPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	w.weekly(nil)
	for _, query := range []string{"", "singleEvents=true", "singleEvents=true&orderBy=startTime", "orderBy=updated"} {
		var got []string
		pages(w, query+"&maxResults=1", func(items []object) {
			got = append(got, ids(items)...)
			// What is inserted meanwhile does not disturb the pages.
			if len(got) == 1 {
				w.insert(with(timed("2026-03-01T09:00:00", "2026-03-01T09:30:00", "Asia/Jerusalem"), object{"status": "tentative"}))
			}
		})
		all := ids(w.list(query))
		for _, id := range all {
			if n := len(slices.DeleteFunc(slices.Clone(got), func(o string) bool { return o != id })); n > 1 {
				t.Errorf("%q: %s came %d times", query, id, n)
			}
		}
		if len(got) < len(all)-1 {
			t.Errorf("%q: %d of %d rows", query, len(got), len(all))
		}
	}
}

// pages follows page tokens to the end and returns the last body.
func pages(w *world, query string, see func([]object)) object {
	w.t.Helper()
	token := ""
	for range 1000 {
		full := query
		if token != "" {
			full += "&pageToken=" + url.QueryEscape(token)
		}
		body := w.do("events.list", asked{query: full})
		see(objectsOf(body, "items"))
		if token = textOf(body, "nextPageToken"); token == "" {
			return body
		}
		absent(w.t, body, "nextSyncToken")
	}
	w.t.Fatal("the pages do not end")
	return nil
}

func TestTimeBoundsAreExclusive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(with(timed("2026-03-10T09:00:00", "2026-03-10T09:30:00", "Asia/Jerusalem"), object{"id": "morning"}))
	w.insert(with(timed("2026-03-08T12:00:00", "2026-03-12T12:00:00", "Asia/Jerusalem"), object{"id": "long0"}))
	for query, want := range map[string]bool{
		"timeMin=2026-03-10T09:30:00%2B02:00":     false,
		"timeMin=2026-03-10T09:29:59%2B02:00":     true,
		"timeMin=2026-03-10T07:29:59.999Z":        true, // Milliseconds are ignored.
		"timeMin=2026-03-10T07:30:00.999Z":        false,
		"timeMax=2026-03-10T09:00:00%2B02:00":     false,
		"timeMax=2026-03-10T09:00:00.999%2B02:00": false,
		"timeMax=2026-03-10T09:00:01%2B02:00":     true,
	} {
		same(t, query, slices.Contains(ids(w.list(query)), "morning"), want)
	}
	same(t, "an event that spans the window", ids(w.list("timeMin=2026-03-10T12:00:00Z&timeMax=2026-03-10T12:00:01Z")),
		[]string{"long0"})
}

func TestEmptyRange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, query := range []string{
		"timeMin=2026-03-10T09:00:00Z&timeMax=2026-03-10T09:00:00Z",
		"timeMin=2026-03-10T09:00:01Z&timeMax=2026-03-10T09:00:00Z",
		"timeMin=2026-03-10T09:00:00.100Z&timeMax=2026-03-10T09:00:00.900Z",
	} {
		p := w.refused("events.list", asked{query: query}, "400 calendar/timeRangeEmpty")
		same(t, "location", p.LocationType+" "+p.Location, "parameter timeMax")
	}
}

func TestTimesNeedAnOffset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, value := range []string{"2026-03-10T09:00:00", "2026-03-10", "tomorrow"} {
		p := w.refused("events.list", asked{query: "timeMin=" + value}, "400 global/badRequest")
		same(t, "message", p.Message, "Bad Request")
	}
}

func TestSeriesOverlapsWhenAnyInstanceDoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup"})
	same(t, "with an instance", ids(w.list("timeMin=2026-03-16T00:00:00Z&timeMax=2026-03-17T00:00:00Z")),
		[]string{"standup"})
	within := w.list("singleEvents=true&timeMin=2026-03-16T07:30:00Z&timeMax=2026-03-16T07:40:00Z")
	same(t, "in the middle of an instance", ids(within), []string{"standup_20260316T070000Z"})
	same(t, "between instances", len(w.list("timeMin=2026-03-17T00:00:00Z&timeMax=2026-03-18T00:00:00Z")), 0)
	same(t, "after the last", len(w.list("timeMin=2026-06-17T00:00:00Z")), 0)
}

func TestFreeText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(with(timed("2026-03-10T09:00:00", "2026-03-10T09:30:00", "Asia/Jerusalem"), object{
		"id": "english", "summary": "Board meeting", "description": "Quarterly NUMBERS", "location": "Room 4",
		"attendees": []object{{"email": "dora@guests.example", "displayName": "Dora Klein"}},
	}))
	w.insert(with(timed("2026-03-10T09:00:00", "2026-03-10T09:30:00", "Asia/Jerusalem"),
		object{"id": "hebraic", "summary": "פגישה עם רופא שיניים"}))
	w.insert(with(allDay("2026-03-10", "2026-03-11"), object{
		"id": "office", "eventType": "workingLocation",
		"workingLocationProperties": object{"type": "officeLocation",
			"officeLocation": object{"label": "Harbour", "buildingId": "B7"}},
	}))
	for q, want := range map[string][]string{
		"board": {"english"}, "BOARD Room": {"english"}, "board dentist": {}, "numbers": {"english"}, "klein": {"english"},
		"dora@guests.example": {"english"}, "boar": {}, "רופא": {"hebraic"}, "שיניים פגישה": {"hebraic"},
		"harbour": {"office"}, "b7": {"office"},
		"summary:board": {}, ada: {"english", "hebraic", "office"},
	} {
		same(t, q, ids(w.list("q="+url.QueryEscape(q))), append([]string{}, want...))
	}
	w.s.SetSwitches(Switches{MatchPrefixes: true})
	same(t, "prefixes", ids(w.list("q=boar")), []string{"english"})
}

func TestMaxResults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(with(allDay("2026-01-01", "2026-01-02"), object{"recurrence": []string{"RRULE:FREQ=DAILY;COUNT=700"}}))
	same(t, "the default", len(w.list("singleEvents=true")), 250)
	same(t, "more than the cap", len(w.list("singleEvents=true&maxResults=100000")), 700)
	for _, n := range []int{0, -1} {
		w.refused("events.list", asked{query: "maxResults=" + strconv.Itoa(n)}, "400 global/invalidParameter")
	}
	w.refused("events.list", asked{query: "maxResults=many"}, "400 global/invalidParameter")
	if size, err := (&request{Service: w.s}).pageSize(250, 2500); size != 250 || err != nil {
		t.Errorf("%d %v", size, err)
	}
}

func TestPageBeforeFilter(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Switches{PageBeforeFilter: true})
	for i := range 12 {
		e := w.insert(timed("2026-03-10T09:00:00", "2026-03-10T09:30:00", "Asia/Jerusalem"))
		if i < 10 {
			w.do("events.delete", asked{id: textOf(e, "id")})
		}
	}
	var sizes []int
	pages(w, "maxResults=3", func(items []object) { sizes = append(sizes, len(items)) })
	same(t, "sizes", sizes, []int{0, 0, 0, 2})
}

func TestPageTokenBelongsToItsQuery(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	token := url.QueryEscape(textOf(w.do("events.list", asked{query: "maxResults=1"}), "nextPageToken"))
	w.refused("events.list", asked{query: "maxResults=1&q=later&pageToken=" + token}, "400 global/invalid")
	w.refused("events.list", asked{query: "maxResults=1&pageToken=garbage"}, "400 global/invalid")
	w.refused("events.list", asked{cal: ben, as: ben, query: "maxResults=1&pageToken=" + token}, "400 global/invalid")
}

func TestShowDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	w.do("events.delete", asked{id: "later"})
	same(t, "without", sorted(ids(w.list(""))), []string{"hallo", "morning"})
	for _, item := range w.list("showDeleted=true") {
		if textOf(item, "id") == "later" {
			same(t, "status", textOf(item, "status"), "cancelled")
			same(t, "summary", textOf(item, "summary"), "Later") // Details remain on the organizer's calendar.
			return
		}
	}
	t.Error("the deleted event is not shown")
}

func TestUpdatedMin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	w.tick(time.Hour)
	w.do("events.delete", asked{id: "later"})
	w.do("events.patch", asked{id: "hallo", body: object{"summary": "Changed"}})
	since := w.now.Add(-time.Minute).Format(time.RFC3339)
	same(t, "since", sorted(ids(w.list("updatedMin="+url.QueryEscape(since)))), []string{"hallo", "later"})
	old := w.now.Add(-31 * 24 * time.Hour).Format(time.RFC3339)
	p := w.refused("events.list", asked{query: "updatedMin=" + old}, "410 calendar/updatedMinTooLongAgo")
	same(t, "location", p.Location, "updatedMin")
}

func TestICalUIDFilter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	w.weekly(object{"id": "standup"})
	same(t, "one event", ids(w.list("iCalUID=morning@google.com")), []string{"morning"})
	same(t, "instances", len(w.list("singleEvents=true&iCalUID=standup@google.com")), 6)
}

func TestEventTypesFilter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	w.insert(with(timed("2026-03-10T12:00:00", "2026-03-10T13:00:00", "Asia/Jerusalem"),
		object{"id": "focus", "eventType": "focusTime"}))
	same(t, "focus", ids(w.list("eventTypes=focusTime")), []string{"focus"})
	same(t, "all", len(w.list("eventTypes=default&eventTypes=focusTime")), 4)
	w.refused("events.list", asked{query: "eventTypes=party"}, "400 global/invalidParameter")
}

func TestExtendedPropertyFilter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	w.do("events.patch", asked{id: "later", body: object{"extendedProperties": object{
		"private": object{"key": "1", "other": "a=b"}, "shared": object{"team": "x"},
	}}})
	for query, want := range map[string]int{
		"privateExtendedProperty=key%3D1":                                          1,
		"privateExtendedProperty=key%3D2":                                          0,
		"privateExtendedProperty=key%3D1&privateExtendedProperty=other%3Da%3Db":    1,
		"privateExtendedProperty=key%3D1&privateExtendedProperty=other%3Dc":        0,
		"privateExtendedProperty=team%3Dx":                                         0,
		"sharedExtendedProperty=team%3Dx&privateExtendedProperty=key%3D1":          1,
		"sharedExtendedProperty=team%3Dx&privateExtendedProperty=key%3Dotherwise1": 0,
	} {
		same(t, query, len(w.list(query)), want)
	}
	w.refused("events.list", asked{query: "privateExtendedProperty=key"}, "400 global/invalid")
	w.refused("events.list", asked{query: "sharedExtendedProperty=%3Dvalue"}, "400 global/invalid")
}

func TestMaxAttendees(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.insert(with(timed("2026-03-10T12:00:00", "2026-03-10T13:00:00", "Asia/Jerusalem"), object{
		"attendees": []object{{"email": ada, "responseStatus": "accepted"}, {"email": ben}, {"email": clara}},
	}))
	few := w.do("events.get", asked{id: textOf(e, "id"), query: "maxAttendees=2"})
	same(t, "omitted", few["attendeesOmitted"], any(true))
	same(t, "self", len(objectsOf(few, "attendees")), 1)
	absent(t, w.do("events.get", asked{id: textOf(e, "id"), query: "maxAttendees=3"}), "attendeesOmitted")
	// Written back with the flag, only the own row counts.
	w.do("events.patch", asked{id: textOf(e, "id"), body: object{
		"attendeesOmitted": true, "attendees": []object{{"email": ada, "responseStatus": "declined"}},
	}})
	after := objectsOf(w.do("events.get", asked{id: textOf(e, "id")}), "attendees")
	same(t, "attendees", len(after), 3)
	same(t, "own row", textOf(after[0], "responseStatus"), "declined")
	// Without it, the others are lost.
	w.do("events.patch", asked{id: textOf(e, "id"), body: object{"attendees": []object{{"email": ada}}}})
	same(t, "attendees", len(objectsOf(w.do("events.get", asked{id: textOf(e, "id")}), "attendees")), 1)
}

func TestParametersThatDoNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	same(t, "rows", len(w.list("showHiddenInvitations=true&alwaysIncludeEmail=true")), 3)
	w.refused("events.list", asked{query: "showHiddenInvitations=perhaps"}, "400 global/invalidParameter")
}

func TestExpansionCap(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(with(allDay("2020-01-01", "2020-01-02"), object{"recurrence": []string{"RRULE:FREQ=DAILY"}}))
	same(t, "from the start", len(w.list("singleEvents=true&maxResults=2500")), 730)
	later := w.list("singleEvents=true&maxResults=2500&timeMin=2026-01-01T00:00:00Z&orderBy=startTime")
	same(t, "from a window on", len(later), 730)
	same(t, "first", starts(later)[0], "2026-01-01")
	w.s.SetSwitches(Switches{ExpansionCap: 5})
	same(t, "another cap", len(w.list("singleEvents=true")), 5)
}

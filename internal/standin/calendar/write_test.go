package calendar

import (
	"errors"
	"strings"
	"testing"
	"time"

	"almanac/internal/standin/wire"
)

func TestInsertAnswersTheEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	reply, p := w.try("events.insert", asked{body: with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00",
		"Asia/Jerusalem"), object{"summary": "א"})})
	if p != nil || (reply.Status != 0 && reply.Status != 200) || textOf(reply.Body, "summary") != "א" {
		t.Errorf("%+v %v", reply, p)
	}
	same(t, "read back", w.do("events.get", asked{id: textOf(reply.Body, "id")}), reply.Body)
}

func TestInsertIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	start := object{"dateTime": "2026-03-10T09:00:00+02:00"}
	for name, c := range map[string]struct {
		body    object
		want    string
		message string
	}{
		"no end":       {object{"start": start}, "400 global/required", "Missing end time."},
		"no start":     {object{"end": start}, "400 global/required", "Missing start time."},
		"end is start": {object{"start": start, "end": start}, "400 calendar/timeRangeEmpty", ""},
		"end before": {object{"start": start, "end": object{"dateTime": "2026-03-10T08:00:00+02:00"}},
			"400 calendar/timeRangeEmpty", ""},
		"days backwards": {allDay("2026-03-10", "2026-03-10"), "400 calendar/timeRangeEmpty", ""},
		"mixed":          {object{"start": start, "end": object{"date": "2026-03-11"}}, "400 global/invalid", ""},
		"both": {object{"start": with(start, object{"date": "2026-03-10"}), "end": start}, "400 global/invalid",
			""},
		"no offset": {object{"start": object{"dateTime": "2026-03-10T09:00:00"}, "end": start}, "400 global/required",
			"Missing time zone definition for start time."},
		"bad zone": {timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Mars/Base"), "400 global/invalid",
			"Invalid time zone definition for start time."},
		"local zone": {timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Local"), "400 global/invalid", ""},
		"bad date":   {allDay("2026-02-30", "2026-03-03"), "400 global/invalid", ""},
		"bad time":   {timed("2026-03-10 09:00", "2026-03-10 10:00", "Asia/Jerusalem"), "400 global/invalid", ""},
		"wrong type": {with(allDay("2026-03-10", "2026-03-11"), object{"summary": 5}), "400 global/invalid", ""},
		"list in list": {with(allDay("2026-03-10", "2026-03-11"), object{"attendees": []any{"ada"}}), "400 global/invalid",
			""},
		"bad status": {with(allDay("2026-03-10", "2026-03-11"), object{"status": "maybe"}), "400 global/invalid", ""},
		"bad colour": {with(allDay("2026-03-10", "2026-03-11"), object{"colorId": "12"}), "400 global/invalid", ""},
		"bad type":   {with(allDay("2026-03-10", "2026-03-11"), object{"eventType": "party"}), "400 global/invalid", ""},
		"Google's type": {with(allDay("2026-03-10", "2026-03-11"), object{"eventType": "fromGmail"}), "400 global/invalid",
			""},
		"year 9999": {allDay("9999-12-30", "9999-12-31"), "400 global/invalid", ""},
	} {
		p := w.refused("events.insert", asked{body: c.body}, c.want)
		if c.message != "" {
			same(t, name, p.Message, c.message)
		}
	}
	w.refused("events.insert", asked{}, "400 global/badRequest")
	same(t, "nothing was kept", len(w.list("showDeleted=true")), 0)
}

func TestUnknownPropertiesAreIgnored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.lenient = true
	e := w.insert(with(allDay("2026-03-10", "2026-03-11"), object{
		"nonsense": 1, "etag": `"1"`, "htmlLink": "x", "created": "2020-01-01T00:00:00Z", "creator": object{"email": ben},
		"organizer": object{"email": ben},
	}))
	absent(t, e, "nonsense")
	same(t, "organizer", textOf(objectOf(e, "organizer"), "email"), ada)
	same(t, "creator", textOf(objectOf(e, "creator"), "email"), ada)
	if textOf(e, "etag") == `"1"` || textOf(e, "created") == "2020-01-01T00:00:00Z" {
		t.Errorf("%v", e)
	}
}

func TestDuplicateID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	body := with(allDay("2026-03-10", "2026-03-11"), object{"id": "chosen"})
	w.insert(body)
	w.refused("events.insert", asked{body: body}, "409 global/duplicate")
	w.do("events.delete", asked{id: "chosen"})
	p := w.refused("events.insert", asked{body: body}, "409 global/duplicate")
	same(t, "message, also for a deleted one", p.Message, "The requested identifier already exists.")
	w.do("events.insert", asked{as: ben, body: body}) // Ids are unique per calendar.
	w.refused("events.insert", asked{body: with(body, object{"id": nil, "iCalUID": "chosen@google.com"})},
		"409 global/duplicate")
}

func TestGetTombstone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	w.do("events.delete", asked{id: "morning"})
	same(t, "status", textOf(w.do("events.get", asked{id: "morning"}), "status"), "cancelled")
	w.refused("events.get", asked{id: "never0"}, "404 global/notFound")
	w.refused("events.get", asked{id: "morning", as: ben, cal: ada}, "404 global/notFound")
}

func TestPatchMerges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"), object{
		"id": "patch", "summary": "Title", "description": "Text", "location": "Here", "colorId": "3",
		"attendees": []object{{"email": clara, "responseStatus": "accepted", "comment": "yes"},
			{"email": "x@y.example"}},
		"extendedProperties": object{"private": object{"a": "1", "b": "2"}},
		"source":             object{"title": "t", "url": "https://example.com"},
	}))
	before := w.do("events.get", asked{id: "patch"})
	after := w.do("events.patch", asked{id: "patch", body: object{
		"description": nil, "location": "", "extendedProperties": object{"private": object{"b": nil, "c": "3"}},
		"attendees": []object{{"email": clara}}, "source": object{"title": "u"},
	}})
	absent(t, after, "description", "location")
	same(t, "objects merge", objectOf(after, "extendedProperties"), object{"private": object{"a": "1", "c": "3"}})
	same(t, "objects merge", objectOf(after, "source"), object{"title": "u", "url": "https://example.com"})
	same(t, "lists replace", after["attendees"], any([]any{object{"email": clara, "responseStatus": "needsAction"}}))
	for name, value := range before {
		switch name {
		case "description", "location", "extendedProperties", "attendees", "source", "etag", "updated":
		default:
			same(t, name+" is untouched", after[name], value)
		}
	}
	cleared := w.do("events.patch", asked{id: "patch", body: object{"attendees": nil, "colorId": nil}})
	absent(t, cleared, "attendees", "colorId")
}

func TestDateToTimeNeedsNull(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	w.refused("events.patch", asked{id: "morning", body: allDay("2026-03-10", "2026-03-11")}, "400 global/invalid")
	days := w.do("events.patch", asked{id: "morning", body: object{
		"start": object{"date": "2026-03-10", "dateTime": nil, "timeZone": nil},
		"end":   object{"date": "2026-03-11", "dateTime": nil, "timeZone": nil},
	}})
	same(t, "start", objectOf(days, "start"), object{"date": "2026-03-10"})
	w.refused("events.patch", asked{id: "hallo", body: object{"start": object{"dateTime": "2026-03-10T09:00:00Z"}}},
		"400 global/invalid")
	times := w.do("events.patch", asked{id: "hallo", body: object{
		"start": object{"date": nil, "dateTime": "2026-03-10T09:00:00Z"},
		"end":   object{"date": nil, "dateTime": "2026-03-10T10:00:00Z"},
	}})
	same(t, "start", textOf(objectOf(times, "start"), "dateTime"), "2026-03-10T11:00:00+02:00")
}

func TestPatchOfStartOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	w.refused("events.patch", asked{id: "morning", body: object{"start": object{"dateTime": "2026-03-10T12:00:00+02:00"}}},
		"400 calendar/timeRangeEmpty")
	e := w.do("events.patch", asked{id: "morning", body: object{"start": object{"dateTime": "2026-03-10T05:00:00Z"}}})
	same(t, "start", objectOf(e, "start"), object{"dateTime": "2026-03-10T07:00:00+02:00", "timeZone": "Asia/Jerusalem"})
}

func TestStatusCancelsAndRevives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	same(t, "answer", textOf(w.do("events.patch", asked{id: "morning", body: object{"status": "cancelled"}}), "status"),
		"cancelled")
	same(t, "listed", sorted(ids(w.list(""))), []string{"hallo", "later"})
	w.refused("events.delete", asked{id: "morning"}, "410 global/deleted")
	same(t, "a patch without status", textOf(w.do("events.patch", asked{id: "morning", body: object{"summary": "x"}}),
		"status"), "cancelled")
	same(t, "revived", textOf(w.do("events.patch", asked{id: "morning", body: object{"status": "confirmed"}}), "status"),
		"confirmed")
	same(t, "listed", len(w.list("")), 3)
	w.do("events.delete", asked{id: "morning"})
	body := with(timed("2026-03-10T09:00:00", "2026-03-10T09:30:00", "Asia/Jerusalem"), object{"summary": "Put"})
	same(t, "a PUT revives", textOf(w.do("events.update", asked{id: "morning", body: body}), "status"), "confirmed")
}

func TestUpdateReplaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.weekly(object{"id": "standup", "description": "d", "attendees": []object{{"email": clara}},
		"reminders": object{"useDefault": false}})
	after := w.do("events.update",
		asked{id: "standup", body: object{"summary": "New", "start": e["start"], "end": e["end"]}})
	absent(t, after, "description", "attendees", "recurrence")
	same(t, "reminders", objectOf(after, "reminders"), object{"useDefault": true})
	for _, name := range []string{"id", "iCalUID", "created", "creator", "organizer", "htmlLink"} {
		same(t, name, after[name], e[name])
	}
	w.refused("events.update", asked{id: "standup", body: object{"summary": "New"}}, "400 global/required")
	w.refused("events.update", asked{id: "never0", body: allDay("2026-03-10", "2026-03-11")}, "404 global/notFound")
}

func TestIfMatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	second := textOf(w.do("calendars.insert", asked{body: object{"summary": "Second"}}), "id")
	stale := `"123"`
	for method, a := range map[string]asked{
		"events.patch":    {id: "morning", body: object{"summary": "x"}},
		"events.update":   {id: "morning", body: allDay("2026-03-10", "2026-03-11")},
		"events.move":     {id: "morning", query: "destination=" + second},
		"events.delete":   {id: "morning"},
		"calendars.patch": {cal: second, body: object{"summary": "x"}},
	} {
		a.match = stale
		p := w.refused(method, a, "412 global/conditionNotMet")
		same(t, method, p.Message+p.LocationType+p.Location, "Precondition FailedheaderIf-Match")
	}
	current := textOf(w.do("events.get", asked{id: "morning"}), "etag")
	w.do("events.patch", asked{id: "morning", match: current, body: object{"summary": "x"}})
	w.refused("events.patch", asked{id: "morning", match: current, body: object{"summary": "y"}},
		"412 global/conditionNotMet")
	w.do("events.patch", asked{id: "morning", match: "*", body: object{"summary": "y"}})
	w.do("events.delete", asked{id: "morning", match: "*"})
	w.weekly(object{"id": "standup"})
	etag := textOf(w.do("events.get", asked{id: "standup_20260309T070000Z"}), "etag")
	w.refused("events.patch", asked{id: "standup_20260309T070000Z", match: stale, body: object{"summary": "y"}},
		"412 global/conditionNotMet")
	w.do("events.patch", asked{id: "standup_20260309T070000Z", match: etag, body: object{"summary": "y"}})
}

func TestPatchThatChangesNothing(t *testing.T) {
	t.Parallel()
	for keep := range map[bool]bool{false: true, true: true} {
		w := newWorld(t, Switches{NoChangeKeepsEtag: keep})
		w.aDay()
		before := textOf(w.do("events.get", asked{id: "morning"}), "etag")
		after := textOf(w.do("events.patch", asked{id: "morning", body: object{"summary": "Morning"}}), "etag")
		same(t, "etag", before == after, keep)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	reply, p := w.try("events.delete", asked{id: "morning"})
	if p != nil || reply.Status != 204 || reply.Body != nil {
		t.Errorf("%+v %v", reply, p)
	}
	again := w.refused("events.delete", asked{id: "morning"}, "410 global/deleted")
	same(t, "message", again.Message, "Resource has been deleted")
	w.refused("events.delete", asked{id: "never0"}, "404 global/notFound")
}

func TestMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup", "attendees": []object{{"email": ben}}})
	w.do("events.patch", asked{id: "standup_20260309T070000Z", body: object{"summary": "Own"}})
	second := textOf(w.do("calendars.insert", asked{body: object{"summary": "Second"}}), "id")
	answer := w.do("events.move", asked{id: "standup", query: "destination=" + second})
	same(t, "the answer says cancelled", textOf(answer, "status"), "cancelled")
	there := w.do("events.get", asked{cal: second, id: "standup"})
	same(t, "at the destination", textOf(there, "status"), "confirmed")
	same(t, "organizer", textOf(objectOf(there, "organizer"), "email"), second)
	same(t, "exception", textOf(w.do("events.get", asked{cal: second, id: "standup_20260309T070000Z"}), "summary"), "Own")
	w.do("events.patch", asked{as: ben, id: "standup",
		body: object{"attendees": []object{{"email": ben, "responseStatus": "accepted"}}}})
	same(t, "guests answer the new organizer", status(w.do("events.get", asked{cal: second, id: "standup"}), ben),
		"accepted")
	left := w.do("events.get", asked{id: "standup"})
	same(t, "left behind", textOf(left, "status"), "cancelled")
	absent(t, left, "summary", "start")
	same(t, "rows", len(w.list("")), 0)
	w.refused("events.patch", asked{id: "standup", body: object{"summary": "x"}}, "404 global/notFound")
	w.do("events.move", asked{cal: second, id: "standup", query: "destination=primary"})
	same(t, "moved back", textOf(w.do("events.get", asked{id: "standup"}), "status"), "confirmed")
	same(t, "instances", len(w.list("singleEvents=true")), 6)
	w.insert(with(timed("2026-03-10T12:00:00", "2026-03-10T13:00:00", "Asia/Jerusalem"),
		object{"id": "focus", "eventType": "focusTime"}))
	w.refused("events.move", asked{id: "focus", query: "destination=" + second}, "400 global/invalid")
	w.refused("events.move", asked{id: "standup", query: "destination=" + clara}, "404 global/notFound")
	w.refused("events.move", asked{id: "standup_20260316T070000Z", query: "destination=" + second},
		"403 calendar/cannotChangeOrganizerOfInstance")
	w.refused("events.move", asked{id: "standup"}, "400 global/required")
}

func TestQuickAdd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.do("events.quickAdd", asked{query: "text=Lunch"})
	same(t, "summary", textOf(e, "summary"), "Lunch")
	same(t, "start", textOf(objectOf(e, "start"), "dateTime"), "2026-03-02T12:00:00+02:00")
	w.refused("events.quickAdd", asked{}, "400 global/required")
}

func TestImport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	body := with(timed("2026-03-10T12:00:00", "2026-03-10T13:00:00", "Asia/Jerusalem"), object{
		"iCalUID": "far@away.example", "organizer": object{"email": "boss@away.example"}, "summary": "Theirs",
		"attendees": []object{{"email": ben}},
	})
	w.refused("events.import", asked{body: with(body, object{"iCalUID": nil})}, "400 global/required")
	e := w.do("events.import", asked{body: body})
	same(t, "organizer", objectOf(e, "organizer"), object{"email": "boss@away.example"})
	again := w.do("events.import", asked{body: with(body, object{"summary": "Changed"})})
	same(t, "the same event", textOf(again, "id"), textOf(e, "id"))
	same(t, "summary", textOf(again, "summary"), "Changed")
	same(t, "nobody is told", len(objectsOf(w.do("events.list", asked{as: ben}), "items")), 0)
	w.refused("events.patch", asked{id: textOf(e, "id"), body: object{"summary": "Mine"}},
		"403 calendar/forbiddenForNonOrganizer")
}

func TestSequence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	for i, step := range []struct {
		body object
		want string
	}{
		{object{"summary": "title"}, "0"},
		{object{"start": object{"dateTime": "2026-03-10T08:00:00+02:00"}}, "1"},
		{object{"attendees": []object{{"email": clara}}}, "1"},
		{object{"end": object{"dateTime": "2026-03-10T12:00:00+02:00"}}, "2"},
		{object{"recurrence": []string{"RRULE:FREQ=DAILY;COUNT=2"}}, "3"},
	} {
		e := w.do("events.patch", asked{id: "morning", body: step.body})
		if got := strings.TrimSpace(toText(e["sequence"])); got != step.want {
			t.Errorf("step %d: sequence %s, want %s", i, got, step.want)
		}
	}
}

func TestWriteRights(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.insert(with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"), object{"summary": "Open"}))
	private := w.insert(with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"),
		object{"summary": "Secret", "visibility": "private"}))
	id := textOf(e, "id")
	patch := asked{as: ben, cal: ada, id: id, body: object{"summary": "x"}}
	w.refused("events.patch", patch, "404 global/notFound")
	for _, step := range []struct {
		role           string
		summary, other string
		write          string
	}{
		{"freeBusyReader", "", "", "403 calendar/requiredAccessLevel"},
		{"reader", "Open", "", "403 calendar/requiredAccessLevel"},
		{"writerWithoutPrivateAccess", "Open", "", ""},
		{"writer", "Open", "Secret", ""},
		{"owner", "Open", "Secret", ""},
	} {
		if err := w.s.Share(ada, ben, step.role); err != nil {
			t.Fatal(err)
		}
		same(t, step.role, textOf(w.do("events.get", asked{as: ben, cal: ada, id: id}), "summary"), step.summary)
		same(t, step.role, textOf(w.do("events.get", asked{as: ben, cal: ada, id: textOf(private, "id")}), "summary"),
			step.other)
		listed := w.do("events.list", asked{as: ben, cal: ada})
		same(t, step.role, textOf(listed, "accessRole"), step.role)
		same(t, step.role+" lists", sorted(summaries(objectsOf(listed, "items"))), sorted([]string{step.summary, step.other}))
		for _, item := range objectsOf(listed, "items") {
			same(t, step.role+" sees times", objectOf(item, "start")["dateTime"], any("2026-03-10T09:00:00+02:00"))
		}
		same(t, step.role+" searches", len(objectsOf(w.do("events.list", asked{as: ben, cal: ada, query: "q=secret"}),
			"items")) > 0, step.other != "")
		if step.write != "" {
			w.refused("events.patch", patch, step.write)
			w.refused("events.delete", asked{as: ben, cal: ada, id: id}, step.write)
			continue
		}
		w.do("events.patch", asked{as: ben, cal: ada, id: id, body: object{"summary": "Open", "location": step.role}})
	}
	if err := w.s.Share(ada, ben, "none"); err != nil {
		t.Fatal(err)
	}
	w.refused("events.patch", patch, "404 global/notFound")
}

func TestUnservedMethods(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.s.Serve(wire.Call{Method: "calendar.acl.insert", Account: ada, Now: time.Now()})
	var p *wire.Problem
	if !errors.As(err, &p) || p.Status != 501 || !strings.Contains(p.Message, "calendar.acl.insert") {
		t.Errorf("%v", err)
	}
	served := 0
	for id := range w.s.Document().Methods {
		if _, ok := w.s.methods[id]; ok {
			served++
		}
	}
	same(t, "every served method is in the document", served, len(w.s.methods))
	w.refused("events.list", asked{as: "nobody@example.com"}, "404 global/notFound")
}

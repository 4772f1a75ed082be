package calendar

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestEtagIsTwiceUpdated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.insert(with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"), object{"summary": "a"}))
	for range 3 { // Also when the clock stands still.
		updated, err := time.Parse(time.RFC3339, textOf(e, "updated"))
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%q", new(big.Int).Mul(big.NewInt(2), big.NewInt(updated.UnixMicro())).String())
		same(t, "etag", textOf(e, "etag"), want)
		before := textOf(e, "etag")
		e = w.do("events.patch", asked{id: textOf(e, "id"), body: object{"summary": "b" + before}})
		if textOf(e, "etag") == before {
			t.Error("a change left the etag as it was")
		}
	}
}

func TestRemindersMoveEtagNotUpdated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.insert(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"))
	w.tick(time.Minute)
	after := w.do("events.patch", asked{id: textOf(e, "id"), body: object{"reminders": object{"useDefault": false}}})
	same(t, "updated", textOf(after, "updated"), textOf(e, "updated"))
	if textOf(after, "etag") == textOf(e, "etag") {
		t.Error("the etag stayed")
	}
}

func TestCreatedAndUpdatedForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.insert(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"))
	same(t, "created", textOf(e, "created"), "2026-03-02T09:30:15.000Z")
	same(t, "updated", textOf(e, "updated"), "2026-03-02T09:30:15.123Z")
}

func TestServerIDs(t *testing.T) {
	t.Parallel()
	w, again := newWorld(t), newWorld(t)
	form := regexp.MustCompile(`^[a-v0-9]{26}$`)
	body := timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem")
	seen := map[string]bool{}
	for range 5 {
		e := w.insert(body)
		id := textOf(e, "id")
		if !form.MatchString(id) || seen[id] {
			t.Errorf("id %q", id)
		}
		seen[id] = true
		same(t, "iCalUID", textOf(e, "iCalUID"), id+"@google.com")
		same(t, "the id repeats with the seed", textOf(again.insert(body), "id"), id)
	}
}

func TestClientIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	body := timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem")
	for id, want := range map[string]string{
		"abcde": "", "abcd": "400 global/invalid", "abcdw": "400 global/invalid", "ABCDE": "400 global/invalid",
		"abc_de": "400 global/invalid", "01234vvvv": "", strings.Repeat("a", 1024): "",
		strings.Repeat("a", 1025): "400 global/invalid",
		"abcdé":                   "400 global/invalid",
	} {
		if want != "" {
			p := w.refused("events.insert", asked{body: with(body, object{"id": id})}, want)
			same(t, "message", p.Message, "Invalid resource id value.")
			continue
		}
		same(t, "id", textOf(w.insert(with(body, object{"id": id})), "id"), id)
	}
}

func TestInstanceIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	timedSeries := w.weekly(object{"id": "standup"})
	w.insert(with(allDay("2026-03-05", "2026-03-06"),
		object{"id": "rental", "recurrence": []string{"RRULE:FREQ=MONTHLY;COUNT=2"}}))
	items := w.list("singleEvents=true&orderBy=startTime")
	same(t, "ids", ids(items), []string{
		// 09:00 in Jerusalem is 07:00 UTC, and 06:00 from 27 March on.
		"standup_20260302T070000Z", "rental_20260305", "standup_20260309T070000Z", "standup_20260316T070000Z",
		"standup_20260323T070000Z", "standup_20260330T060000Z", "rental_20260405", "standup_20260406T060000Z",
	})
	for _, item := range items {
		absent(t, item, "recurrence")
		if textOf(item, "recurringEventId") == "standup" {
			same(t, "iCalUID", textOf(item, "iCalUID"), textOf(timedSeries, "iCalUID"))
		}
	}
	same(t, "originalStartTime", objectOf(items[0], "originalStartTime"),
		object{"dateTime": "2026-03-02T09:00:00+02:00", "timeZone": "Asia/Jerusalem"})
	same(t, "originalStartTime", objectOf(items[1], "originalStartTime"), object{"date": "2026-03-05"})
}

func TestHTMLLink(t *testing.T) {
	t.Parallel()
	for calendar, short := range map[string]string{
		"ada@gmail.com": "ada@m", "c_12@group.calendar.google.com": "c_12@g", "ada@example.com": "ada@example.com",
	} {
		eid := strings.TrimPrefix(htmlLink("abc", calendar), "https://www.google.com/calendar/event?eid=")
		raw, err := base64.RawURLEncoding.DecodeString(eid)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "eid", string(raw), "abc "+short)
	}
}

func TestDefaultsAreLeftOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.insert(with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"), object{
		"summary": "a", "description": "", "transparency": "opaque", "visibility": "default", "guestsCanModify": false,
		"guestsCanInviteOthers": true, "guestsCanSeeOtherGuests": true, "attendees": []object{},
	}))
	absent(t, e, "description", "transparency", "visibility", "guestsCanModify", "guestsCanInviteOthers",
		"guestsCanSeeOtherGuests", "attendees",
		"recurrence", "recurringEventId", "location", "hangoutLink", "attendeesOmitted")
	same(t, "eventType", textOf(e, "eventType"), "default")
	same(t, "sequence", e["sequence"], any(json.Number("0")))
	same(t, "reminders", objectOf(e, "reminders"), object{"useDefault": true})
	same(t, "status", textOf(e, "status"), "confirmed")
	same(t, "creator", objectOf(e, "creator"), object{"email": ada, "displayName": "Ada", "self": true})
	same(t, "organizer", objectOf(e, "organizer"), object{"email": ada, "displayName": "Ada", "self": true})
	other := w.do("events.patch", asked{id: textOf(e, "id"),
		body: object{"guestsCanInviteOthers": false, "transparency": "transparent"}})
	same(t, "guestsCanInviteOthers", other["guestsCanInviteOthers"], any(false))
	same(t, "transparency", textOf(other, "transparency"), "transparent")
}

func TestListEnvelope(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"))
	body := w.do("events.list", asked{})
	for _, name := range []string{"kind", "etag", "summary", "updated", "timeZone", "accessRole", "defaultReminders",
		"nextSyncToken", "items"} {
		if _, has := body[name]; !has {
			t.Errorf("%s is missing", name)
		}
	}
	absent(t, body, "nextPageToken")
	same(t, "timeZone", textOf(body, "timeZone"), "Asia/Jerusalem")
	same(t, "accessRole", textOf(body, "accessRole"), "owner")
	if etag := textOf(body, "etag"); !regexp.MustCompile(`^"p3.*0g"$`).MatchString(etag) {
		t.Errorf("etag %s", etag)
	}
}

func TestPrimaryIsAnAlias(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.insert(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"))
	same(t, "by address", w.do("events.get", asked{cal: ada, id: textOf(e, "id")}),
		w.do("events.get", asked{id: textOf(e, "id")}))
	same(t, "calendar", textOf(w.do("calendars.get", asked{}), "id"), ada)
	same(t, "entry", textOf(w.do("calendarList.get", asked{}), "id"), ada)
	busy := w.do("freebusy.query", asked{body: object{
		"timeMin": "2026-03-10T00:00:00Z", "timeMax": "2026-03-11T00:00:00Z", "items": []object{{"id": "primary"}},
	}})
	if objectOf(objectOf(busy, "calendars"), ada) == nil {
		t.Errorf("free/busy answers with %v", busy["calendars"])
	}
}

func TestSelfIsRelativeToTheCalendar(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := textOf(w.do("calendars.insert", asked{body: object{"summary": "Second"}}), "id")
	body := with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"),
		object{"attendees": []object{{"email": ada}, {"email": ben}}})
	for calendar, self := range map[string]bool{"primary": true, second: false} {
		e := w.do("events.insert", asked{cal: calendar, body: body})
		for _, a := range objectsOf(e, "attendees") {
			same(t, calendar+" "+textOf(a, "email"), flagOf(a, "self"), self && textOf(a, "email") == ada)
		}
		same(t, "organizer.self", flagOf(objectOf(e, "organizer"), "self"), true)
		same(t, "creator.self", flagOf(objectOf(e, "creator"), "self"), self)
	}
}

func TestNotModified(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.insert(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"))
	reply, p := w.try("events.get", asked{id: textOf(e, "id"), noneOf: textOf(e, "etag")})
	if p != nil || reply.Status != 304 || reply.Body != nil || reply.Header.Get("ETag") != textOf(e, "etag") {
		t.Errorf("%+v %v", reply, p)
	}
	if reply, _ := w.try("events.get", asked{id: textOf(e, "id"), noneOf: `"other"`}); reply.Status == 304 {
		t.Error("another etag is not modified")
	}
}

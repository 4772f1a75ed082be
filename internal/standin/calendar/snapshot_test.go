package calendar

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// lived returns a world in which everything has happened once.
func lived(t testing.TB) *world {
	t.Helper()
	w := newWorld(t)
	w.aDay()
	w.weekly(object{"id": "standup", "attendees": []object{{"email": ben}}})
	w.do("events.patch", asked{id: "standup_20260309T070000Z", query: "sendUpdates=all",
		body: object{"summary": "Eins", "location": nil}})
	w.do("events.delete", asked{id: "standup_20260316T070000Z"})
	w.do("events.patch", asked{id: "standup", body: object{"recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=5"},
		"description": "תיאור"}})
	w.do("events.delete", asked{id: "later"})
	w.meeting("sendUpdates=all&conferenceDataVersion=1", object{
		"conferenceData":     object{"createRequest": object{"requestId": "r"}},
		"reminders":          object{"useDefault": false, "overrides": []object{override("popup", 0)}},
		"extendedProperties": object{"private": object{"a": "<&>"}},
	})
	second := textOf(w.do("calendars.insert", asked{body: object{"summary": "Second"}}), "id")
	w.do("events.move", asked{id: "morning", query: "destination=" + second})
	w.do("events.watch", asked{body: object{"id": "c", "type": "web_hook", "address": "https://almanac.example/hook"}})
	if err := w.s.Share(second, clara, "reader"); err != nil {
		t.Fatal(err)
	}
	w.s.ExpireSyncTokens(clara)
	return w
}

func (w *world) snapshot() string {
	w.t.Helper()
	var b bytes.Buffer
	if err := w.s.Snapshot(&b); err != nil {
		w.t.Fatal(err)
	}
	return b.String()
}

func TestSnapshotRoundTrip(t *testing.T) {
	t.Parallel()
	w := lived(t)
	token := w.synced("")
	written := w.snapshot()
	fresh := newWorld(t)
	if err := fresh.s.Restore(strings.NewReader(written)); err != nil {
		t.Fatal(err)
	}
	if again := fresh.snapshot(); again != written {
		t.Errorf("the snapshot of what was restored differs:\n%s\n%s", written, again)
	}
	for _, as := range []string{ada, ben, clara} {
		for _, query := range []string{"", "showDeleted=true", "singleEvents=true&orderBy=startTime",
			"singleEvents=true&showDeleted=true"} {
			a := asked{as: as, query: query}
			same(t, as+" "+query, fresh.do("events.list", a), w.do("events.list", a))
		}
		same(t, as, fresh.do("calendarList.list", asked{as: as}), w.do("calendarList.list", asked{as: as}))
	}
	same(t, "mail", fresh.s.Notifications(), w.s.Notifications())
	// Both go on alike: tokens hold, ids repeat, channels tell.
	for _, one := range []*world{w, fresh} {
		one.tick(time.Hour)
		one.notices = nil
	}
	same(t, "what comes next", fresh.insert(allDay("2026-04-01", "2026-04-02")),
		w.insert(allDay("2026-04-01", "2026-04-02")))
	a, _ := fresh.since(token, "")
	b, _ := w.since(token, "")
	same(t, "sync", a, b)
	same(t, "rows", len(a), 1)
	same(t, "channels", len(fresh.notices), len(w.notices))
}

func TestBrokenSnapshots(t *testing.T) {
	t.Parallel()
	w := lived(t)
	before := w.snapshot()
	for name, text := range map[string]string{
		"empty": "", "no JSON": "{", "another version": strings.Replace(before, `"version":1`, `"version":99`, 1),
		"null":          "null",
		"nothing in it": `{"version":1}`, "cut short": before[:len(before)/2],
		"unknown":      strings.Replace(before, `"minted"`, `"mint"`, 1),
		"null account": strings.Replace(before, `"accounts":{`, `"accounts":{"x@y.z":null,`, 1),
		"null event":   strings.Replace(before, `"events":{`, `"events":{"abcde":null,`, 1),
		"bad zone":     strings.Replace(before, `"timeZone":"Asia/Jerusalem"`, `"timeZone":"Mars/Base"`, 1),
		"bad rule":     strings.ReplaceAll(before, "FREQ=WEEKLY", "FREQ=NEVER"),
		"no start":     strings.ReplaceAll(before, `"start":{"date`, `"begin":{"date`),
	} {
		if err := w.s.Restore(strings.NewReader(text)); err == nil {
			t.Errorf("%s: restored", name)
		}
		if w.snapshot() != before {
			t.Fatalf("%s: something changed", name)
		}
	}
}

func TestForget(t *testing.T) {
	t.Parallel()
	w := lived(t)
	w.s.Forget("Ada@example.com")
	w.refused("events.list", asked{}, "404 global/notFound")
	same(t, "accounts", w.s.Accounts(), []string{ben, clara})
	same(t, "mail", len(w.s.Notifications()), 0)
	same(t, "clara's list", ids(objectsOf(w.do("calendarList.list", asked{as: clara}), "items")), []string{clara})
	same(t, "ben keeps his copies", len(objectsOf(w.do("events.list", asked{as: ben}), "items")) > 0, true)
	if text := w.snapshot(); strings.Contains(text, `"ada@example.com":{"id"`) ||
		strings.Contains(text, "almanac.example") {
		t.Error("something of hers is left")
	}
	if err := w.s.AddAccount(Account{Email: ada}); err != nil {
		t.Error(err)
	}
}

package calendar

import (
	"encoding/json"
	"testing"
)

func override(method string, minutes int) object { return object{"method": method, "minutes": minutes} }

// shown is an override as it comes over the wire.
func shown(method, minutes string) object {
	return object{"method": method, "minutes": json.Number(minutes)}
}

func TestRemindersAreBroughtIntoBounds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, c := range map[string]struct {
		sent []object
		want []any
	}{
		"below":    {[]object{override("popup", -5)}, []any{shown("popup", "0")}},
		"above":    {[]object{override("popup", 50000)}, []any{shown("popup", "40320")}},
		"at start": {[]object{override("popup", 0)}, []any{shown("popup", "0")}},
		"doubles": {[]object{override("popup", 5), override("popup", 5), override("email", 5)},
			[]any{shown("email", "5"), shown("popup", "5")}},
		"unknown methods": {[]object{override("sms", 5), override("popup", 7)}, []any{shown("popup", "7")}},
		"order": {[]object{override("popup", 60), override("popup", 10), override("email", 30)},
			[]any{shown("email", "30"), shown("popup", "10"), shown("popup", "60")}},
		"only unknown":     {[]object{override("sms", 5)}, nil},
		"equal when bound": {[]object{override("popup", -1), override("popup", 0)}, []any{shown("popup", "0")}},
	} {
		w.lenient = true
		e := w.insert(with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"), object{
			"reminders": object{"useDefault": false, "overrides": c.sent},
		}))
		got := objectOf(e, "reminders")
		same(t, name, got["useDefault"], any(false))
		if c.want == nil {
			absent(t, got, "overrides")
			continue
		}
		same(t, name, got["overrides"], any(c.want))
	}
}

func TestTooManyReminders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	six := []object{override("popup", 1), override("popup", 1), override("popup", 1), override("popup", 1),
		override("popup", 1), override("popup", 1)}
	base := timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem")
	w.refused("events.insert", asked{body: with(base, object{"reminders": object{"useDefault": false, "overrides": six}})},
		"400 calendar/eventRemindersCountExceedsLimit")
	w.insert(with(base, object{"reminders": object{"useDefault": false, "overrides": six[:5]}}))
}

func TestDefaultAndOverrides(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem")
	p := w.refused("events.insert", asked{body: with(base,
		object{"reminders": object{"useDefault": true, "overrides": []object{override("popup", 1)}}})},
		"400 calendar/cannotUseDefaultRemindersAndSpecifyOverride")
	same(t, "message", p.Message, "Cannot specify both default reminders and overrides at the same time.")
	e := w.insert(with(base,
		object{"reminders": object{"useDefault": false, "overrides": []object{override("popup", 1)}}}))
	back := w.do("events.patch", asked{id: textOf(e, "id"),
		body: object{"reminders": object{"useDefault": true, "overrides": []object{}}}})
	same(t, "back to default", objectOf(back, "reminders"), object{"useDefault": true})
	w.refused("events.insert", asked{body: with(base, object{
		"reminders": object{"useDefault": false, "overrides": []object{{"method": "popup"}}}})}, "400 global/required")
}

func TestPatchReplacesReminders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.insert(with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"), object{
		"reminders": object{"useDefault": false, "overrides": []object{override("popup", 1)}},
	}))
	id := textOf(e, "id")
	untouched := w.do("events.patch", asked{id: id, body: object{"summary": "x"}})
	same(t, "untouched", objectOf(untouched, "reminders"), objectOf(e, "reminders"))
	replaced := w.do("events.patch",
		asked{id: id, body: object{"reminders": object{"overrides": []object{override("email", 2)}}}})
	same(t, "replaced", objectOf(replaced, "reminders"),
		object{"useDefault": false, "overrides": []any{shown("email", "2")}})
	none := w.do("events.patch", asked{id: id, body: object{"reminders": object{"useDefault": false}}})
	same(t, "replaced whole", objectOf(none, "reminders"), object{"useDefault": false})
	null := w.do("events.patch", asked{id: id, body: object{"reminders": nil}})
	same(t, "null", objectOf(null, "reminders"), object{"useDefault": true})
}

func TestStoredNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem")
	same(t, "timed", objectOf(w.insert(base), "reminders"), object{"useDefault": true})
	days := w.insert(allDay("2026-03-10", "2026-03-11"))
	same(t, "all-day", objectOf(days, "reminders"), object{"useDefault": false, "overrides": []any{shown("popup", "10")}})
	w.do("calendarList.patch", asked{body: object{"defaultReminders": []object{}}})
	same(t, "all-day, no defaults", objectOf(w.do("events.get", asked{id: textOf(days, "id")}), "reminders"),
		object{"useDefault": false})
	none := w.insert(with(base, object{"reminders": object{"useDefault": false, "overrides": []object{}}}))
	same(t, "none", objectOf(none, "reminders"), object{"useDefault": false})
}

func TestRemindersOfInstances(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup",
		"reminders": object{"useDefault": false, "overrides": []object{override("popup", 15)}}})
	of := func(id string) object { return objectOf(w.do("events.get", asked{id: id}), "reminders") }
	fifteen := object{"useDefault": false, "overrides": []any{shown("popup", "15")}}
	same(t, "an instance", of("standup_20260309T070000Z"), fifteen)
	w.do("events.patch", asked{id: "standup_20260309T070000Z",
		body: object{"reminders": object{"useDefault": false, "overrides": []object{override("popup", 1)}}}})
	same(t, "its own", of("standup_20260309T070000Z"),
		object{"useDefault": false, "overrides": []any{shown("popup", "1")}})
	same(t, "another", of("standup_20260316T070000Z"), fifteen)
	w.do("events.patch", asked{id: "standup_20260316T070000Z", body: object{"summary": "x"}})
	same(t, "of the series", of("standup_20260316T070000Z"), fifteen)
}

func TestRemindersAreEachPersonsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := textOf(w.do("calendars.insert", asked{body: object{"summary": "Second"}}), "id")
	if err := w.s.Share(second, ben, "writer"); err != nil {
		t.Fatal(err)
	}
	e := w.do("events.insert", asked{cal: second,
		body: with(timed("2026-03-10T09:00:00", "2026-03-10T10:00:00", "Asia/Jerusalem"), object{
			"reminders": object{"useDefault": false, "overrides": []object{override("popup", 3)}},
		})})
	same(t, "ben's", objectOf(w.do("events.get", asked{as: ben, cal: second, id: textOf(e, "id")}), "reminders"),
		object{"useDefault": true})
}

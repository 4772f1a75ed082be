package calendar

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

func (w *world) busyOf(as string, body object) object {
	w.t.Helper()
	return objectOf(w.do("freebusy.query", asked{as: as, body: body}), "calendars")
}

func TestFreeBusy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	for range 2 {
		w.insert(timed("2026-03-11T10:30:00", "2026-03-11T12:00:00", "Asia/Jerusalem"))
	}
	w.insert(timed("2026-03-11T12:00:00", "2026-03-11T13:00:00", "Asia/Jerusalem"))
	w.insert(with(timed("2026-03-11T13:10:00", "2026-03-11T13:20:00", "Asia/Jerusalem"),
		object{"transparency": "transparent"}))
	gone := w.insert(timed("2026-03-11T13:20:00", "2026-03-11T13:30:00", "Asia/Jerusalem"))
	w.do("events.delete", asked{id: textOf(gone, "id")})
	w.insert(with(timed("2026-03-11T13:30:00", "2026-03-11T13:40:00", "Asia/Jerusalem"),
		object{"attendees": []object{{"email": ada, "responseStatus": "declined"}}}))
	w.insert(with(timed("2026-03-04T14:00:00", "2026-03-04T15:00:00", "Asia/Jerusalem"),
		object{"recurrence": []string{"RRULE:FREQ=WEEKLY"}}))
	body := object{
		"timeMin": "2026-03-11T08:45:00Z", "timeMax": "2026-03-11T12:30:00Z",
		"items": []object{{"id": ada}, {"id": "nobody@example.com"}, {"id": clara}},
	}
	calendars := w.busyOf(ada, body)
	same(t, "merged, cut to the window, in UTC", objectOf(calendars, ada)["busy"], any([]any{
		object{"start": "2026-03-11T08:45:00Z", "end": "2026-03-11T11:00:00Z"},
		object{"start": "2026-03-11T12:00:00Z", "end": "2026-03-11T12:30:00Z"},
	}))
	for _, unknown := range []string{"nobody@example.com", clara} {
		same(t, unknown, objectOf(calendars, unknown)["errors"], any([]any{object{"domain": "global", "reason": "notFound"}}))
	}
	if err := w.s.Share(clara, ada, "freeBusyReader"); err != nil {
		t.Fatal(err)
	}
	same(t, "shared", objectOf(w.busyOf(ada, body), clara), object{"busy": []any{}})
	body["timeZone"] = "Asia/Jerusalem"
	same(t, "in another zone", objectsOf(objectOf(w.busyOf(ada, body), ada), "busy")[0]["end"],
		any("2026-03-11T13:00:00+02:00"))
}

func TestFreeBusyAllDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.insert(allDay("2026-03-10", "2026-03-11"))
	w.insert(with(allDay("2026-03-12", "2026-03-13"), object{"eventType": "workingLocation"}))
	calendars := w.busyOf(ada, object{"timeMin": "2026-03-01T00:00:00Z", "timeMax": "2026-03-20T00:00:00Z",
		"items": []object{{"id": "primary"}}})
	same(t, "a date of the calendar's zone", objectOf(calendars, ada)["busy"],
		any([]any{object{"start": "2026-03-09T22:00:00Z", "end": "2026-03-10T22:00:00Z"}}))
}

func TestFreeBusyIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		body object
		want string
	}{
		{object{"timeMax": "2026-03-20T00:00:00Z"}, "400 global/required"},
		{object{"timeMin": "2026-03-20T00:00:00Z"}, "400 global/required"},
		{object{"timeMin": "2026-03-20T00:00:00Z", "timeMax": "2026-03-20T00:00:00Z"}, "400 calendar/timeRangeEmpty"},
		{object{"timeMin": "2026-03-20T00:00:00", "timeMax": "2026-03-20T00:00:00Z"}, "400 global/badRequest"},
		{object{"timeMin": "2026-03-20T00:00:00Z", "timeMax": "2026-03-21T00:00:00Z", "timeZone": "Mars/Base"},
			"400 global/invalid"},
	} {
		w.refused("freebusy.query", asked{body: c.body}, c.want)
	}
	many := make([]object, 51)
	for i := range many {
		many[i] = object{"id": "nobody" + strconv.Itoa(i)}
	}
	calendars := w.busyOf(ada, object{"timeMin": "2026-03-20T00:00:00Z", "timeMax": "2026-03-21T00:00:00Z", "items": many})
	same(t, "51 ids are answered", len(calendars), 51)
}

func TestCalendarList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second, err := w.s.AddCalendar(ada,
		Calendar{Summary: "Family", Selected: true, DefaultReminders: []Reminder{{"popup", 30}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.s.AddCalendar(ada, Calendar{ID: "he.il#holiday@group.v.calendar.google.com", Summary: "חגים",
		AccessRole: "reader", Hidden: true}); err != nil {
		t.Fatal(err)
	}
	body := w.do("calendarList.list", asked{})
	items := objectsOf(body, "items")
	same(t, "without the hidden", ids(items), []string{ada, second})
	same(t, "primary", items[0]["primary"], any(true))
	absent(t, items[1], "primary", "hidden")
	same(t, "default reminders", items[1]["defaultReminders"], any([]any{shown("popup", "30")}))
	same(t, "with the hidden", len(objectsOf(w.do("calendarList.list", asked{query: "showHidden=true"}), "items")), 3)
	same(t, "by role", len(objectsOf(w.do("calendarList.list", asked{query: "showHidden=true&minAccessRole=owner"}),
		"items")), 2)
	token := url.QueryEscape(textOf(body, "nextSyncToken"))
	renamed := w.do("calendarList.patch",
		asked{cal: second, body: object{"summaryOverride": "Home", "colorId": "5", "hidden": true}})
	same(t, "override", textOf(renamed, "summaryOverride"), "Home")
	same(t, "colour", textOf(renamed, "backgroundColor"), "#ff7537")
	synced := w.do("calendarList.list", asked{query: "syncToken=" + token})
	same(t, "its own sync", ids(objectsOf(synced, "items")), []string{second})
	w.s.ExpireSyncTokens(ada)
	w.refused("calendarList.list", asked{query: "syncToken=" + token}, "410 calendar/fullSyncRequired")
	p := w.refused("calendarList.delete", asked{cal: second}, "403 global/forbidden")
	if !strings.Contains(p.Message, "data owner") {
		t.Error(p.Message)
	}
	w.do("calendarList.delete", asked{cal: "he.il#holiday@group.v.calendar.google.com"})
	w.refused("calendarList.get", asked{cal: "he.il#holiday@group.v.calendar.google.com"}, "404 global/notFound")
	w.do("calendarList.insert", asked{body: object{"id": "he.il#holiday@group.v.calendar.google.com"}})
	w.refused("calendarList.insert", asked{body: object{"id": clara}}, "404 global/notFound")
}

func TestCalendarListPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 130 {
		if _, err := w.s.AddCalendar(ada, Calendar{Summary: strconv.Itoa(i)}); err != nil {
			t.Fatal(err)
		}
	}
	first := w.do("calendarList.list", asked{})
	same(t, "default page", len(objectsOf(first, "items")), 100)
	absent(t, first, "nextSyncToken")
	rest := w.do("calendarList.list", asked{query: "pageToken=" + url.QueryEscape(textOf(first, "nextPageToken"))})
	same(t, "the rest", len(objectsOf(rest, "items")), 31)
	same(t, "all at once", len(objectsOf(w.do("calendarList.list", asked{query: "maxResults=1000"}), "items")), 131)
}

func TestCalendars(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	second := w.do("calendars.insert", asked{body: object{"summary": "Second", "timeZone": "Asia/Tokyo"}})
	id := textOf(second, "id")
	unchanged := w.do("calendars.patch", asked{cal: id, body: object{"summary": "Second"}})
	same(t, "the etag of what did not change", textOf(unchanged, "etag"), textOf(second, "etag"))
	changed := w.do("calendars.patch", asked{cal: id, match: textOf(second, "etag"),
		body: object{"summary": "Other", "description": "d"}})
	if textOf(changed, "etag") == textOf(second, "etag") {
		t.Error("the etag stayed")
	}
	w.refused("calendars.patch", asked{cal: id, body: object{"timeZone": "Mars/Base"}}, "400 global/invalid")
	w.refused("calendars.patch", asked{cal: id, as: ben, body: object{"summary": "x"}}, "404 global/notFound")
	w.refused("calendars.insert", asked{body: object{}}, "400 global/required")
	w.refused("calendars.clear", asked{cal: id}, "400 global/invalid")
	w.refused("calendars.delete", asked{}, "403 global/forbidden")
	w.do("calendars.delete", asked{cal: id})
	w.refused("calendars.get", asked{cal: id}, "404 global/notFound")
	w.refused("events.list", asked{cal: id}, "404 global/notFound")
	w.do("calendars.clear", asked{})
	same(t, "cleared", len(w.list("")), 0)
	same(t, "tombstones", len(w.list("showDeleted=true")), 3)
}

func TestCalendarsAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	last := ""
	for range 38 {
		last = textOf(w.do("calendars.insert", asked{body: object{"summary": "x"}}), "id")
	}
	w.refused("calendars.insert", asked{body: object{"summary": "x"}}, "403 usageLimits/quotaExceeded")
	w.do("calendars.delete", asked{cal: last})
	w.refused("calendars.insert", asked{body: object{"summary": "x"}}, "403 usageLimits/quotaExceeded")
}

func TestSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	items := objectsOf(w.do("settings.list", asked{}), "items")
	same(t, "settings", sorted(ids(items)), []string{
		"autoAddHangouts", "dateFieldOrder", "defaultEventLength", "format24HourTime", "hideInvitations", "hideWeekends",
		"locale",
		"remindOnRespondedEventsOnly", "showDeclinedEvents", "timezone", "useKeyboardShortcuts", "weekStart",
	})
	for _, item := range items {
		if _, isText := item["value"].(string); !isText {
			t.Errorf("%v", item)
		}
	}
	same(t, "zone", textOf(w.do("settings.get", asked{setting: "timezone"}), "value"), "Asia/Jerusalem")
	w.refused("settings.get", asked{setting: "mood"}, "404 global/notFound")
	page := w.do("settings.list", asked{query: "maxResults=10"})
	same(t, "a page", len(objectsOf(page, "items")), 10)
	same(t, "the rest", len(objectsOf(w.do("settings.list",
		asked{query: "maxResults=10&pageToken=" + url.QueryEscape(textOf(page, "nextPageToken"))}), "items")), 2)
}

func TestColors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	colors := w.do("colors.get", asked{})
	same(t, "of events", len(objectOf(colors, "event")), 11)
	same(t, "of calendars", len(objectOf(colors, "calendar")), 24)
	for id, c := range objectOf(colors, "event") {
		one, ok := c.(object)
		if n, err := strconv.Atoi(id); !ok || err != nil || n < 1 || n > 11 || textOf(one, "background") == "" ||
			textOf(one, "foreground") == "" {
			t.Errorf("%s: %v", id, c)
		}
	}
}

func TestAclList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.s.Share(ada, ben, "reader"); err != nil {
		t.Fatal(err)
	}
	if err := w.s.Share(ada, "", "freeBusyReader"); err != nil {
		t.Fatal(err)
	}
	same(t, "rules", ids(objectsOf(w.do("acl.list", asked{}), "items")), []string{"default", "user:" + ada, "user:" + ben})
	w.refused("acl.list", asked{as: ben, cal: ada}, "403 calendar/requiredAccessLevel")
	same(t, "everyone", textOf(w.do("events.list", asked{as: clara, cal: ada}), "accessRole"), "freeBusyReader")
}

func TestWatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	body := object{"id": "channel-1", "type": "web_hook", "address": "https://almanac.example/hook", "token": "secret"}
	ch := w.do("events.watch", asked{body: body})
	same(t, "expiration", textOf(ch, "expiration"), strconv.FormatInt(w.now.Add(604800*time.Second).UnixMilli(), 10))
	states := func() string {
		var list []string
		for _, n := range w.notices {
			list = append(list, n.Header.Get("X-Goog-Resource-State")+n.Header.Get("X-Goog-Message-Number"))
		}
		return strings.Join(list, " ")
	}
	same(t, "sync first", states(), "sync1")
	same(t, "address", w.notices[0].Address, "https://almanac.example/hook")
	same(t, "headers", w.notices[0].Header.Get("X-Goog-Channel-ID")+w.notices[0].Header.Get("X-Goog-Channel-Token"),
		"channel-1secret")
	same(t, "resource", w.notices[0].Header.Get("X-Goog-Resource-ID"), textOf(ch, "resourceId"))
	w.do("events.patch", asked{id: "morning", body: object{"summary": "x"}})
	w.do("events.insert", asked{as: ben, body: allDay("2026-03-10", "2026-03-11")}) // On another calendar.
	w.refused("events.patch", asked{id: "morning", body: object{"status": "maybe"}}, "400 global/invalid")
	same(t, "then each change", states(), "sync1 exists2")
	w.refused("channels.stop", asked{body: object{"id": "channel-1", "resourceId": "other"}}, "404 global/notFound")
	w.refused("channels.stop", asked{as: ben, body: object{"id": "channel-1", "resourceId": textOf(ch, "resourceId")}},
		"404 global/notFound")
	reply, p := w.try("channels.stop", asked{body: object{"id": "channel-1", "resourceId": textOf(ch, "resourceId")}})
	if p != nil || reply.Status != 204 {
		t.Errorf("%v %v", reply, p)
	}
	w.do("events.delete", asked{id: "morning"})
	same(t, "stopped", states(), "sync1 exists2")
	w.do("events.watch", asked{body: body})
	w.tick(604801 * time.Second)
	w.do("events.delete", asked{id: "later"})
	same(t, "expired", states(), "sync1 exists2 sync1")
}

// Of some calendars, as those of holidays, Google does not tell; of the account's others it does.
func TestCalendarsWithoutPush(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holidays, err := w.s.AddCalendar(ada, Calendar{Summary: "Holidays", AccessRole: "reader", WithoutPush: true})
	if err != nil {
		t.Fatal(err)
	}
	body := object{"id": "c", "type": "web_hook", "address": "https://almanac.example/hook"}
	for range 2 {
		w.refused("events.watch", asked{cal: holidays, body: body}, "400 global/pushNotSupportedForRequestedResource")
	}
	w.do("events.watch", asked{body: body})
	fresh := newWorld(t)
	w.restoreInto(fresh)
	fresh.refused("events.watch", asked{cal: holidays, body: with(body, object{"id": "d"})},
		"400 global/pushNotSupportedForRequestedResource")
}

func TestNotifyMayWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var told []string
	w.s.notify = func(n Notification) {
		told = append(told, n.Header.Get("X-Goog-Message-Number"))
		if len(told) == 2 { // As a handler does that answers a change with a write of its own.
			w.insert(allDay("2026-03-12", "2026-03-13"))
		}
	}
	w.do("events.watch", asked{body: object{"id": "c", "type": "web_hook", "address": "https://almanac.example/hook"}})
	w.insert(allDay("2026-03-10", "2026-03-11"))
	same(t, "told", told, []string{"1", "2", "3"})
}

func TestWatchIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := object{"id": "c", "type": "web_hook", "address": "https://almanac.example/hook"}
	for name, c := range map[string]struct {
		change object
		want   string
	}{
		"no id":      {object{"id": nil}, "400 global/required"},
		"long id":    {object{"id": strings.Repeat("c", 65)}, "400 global/invalid"},
		"other type": {object{"type": "pigeon"}, "400 global/invalid"},
		"http":       {object{"address": "http://almanac.example/hook"}, "400 global/push.webhookUrlNotHttps"},
		"long token": {object{"token": strings.Repeat("t", 257)}, "400 global/invalid"},
		"in past":    {object{"expiration": "1"}, "400 global/invalid"},
	} {
		w.refused("events.watch", asked{body: merge(good, c.change)}, c.want)
		_ = name
	}
	w.do("events.watch", asked{body: good})
	w.refused("events.watch", asked{body: good}, "400 global/channelIdNotUnique")
	w.refused("events.watch", asked{as: ben, cal: ada, body: good}, "404 global/notFound")
	w.do("calendarList.watch", asked{body: with(good, object{"id": "list"})})
	w.do("calendarList.patch", asked{body: object{"selected": false}})
	last := w.notices[len(w.notices)-1]
	same(t, "the list's channel", last.Header.Get("X-Goog-Channel-ID")+last.Header.Get("X-Goog-Resource-State"),
		"listexists")
}

func TestInsertSeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e, err := w.s.Insert(ada, "primary", with(allDay("2026-03-10", "2026-03-11"), object{
		"eventType": "fromGmail", "organizer": object{"email": "airline@example.net"}, "summary": "Flight",
	}))
	if err != nil || textOf(e, "eventType") != "fromGmail" ||
		textOf(objectOf(e, "organizer"), "email") != "airline@example.net" {
		t.Errorf("%v %v", e, err)
	}
	holidays, err := w.s.AddCalendar(ada, Calendar{Summary: "חגים", AccessRole: "reader"})
	if err != nil {
		t.Fatal(err)
	}
	feast, err := w.s.Insert(ada, holidays, with(allDay("2026-03-03", "2026-03-04"), object{"summary": "פורים"}))
	if err != nil || textOf(objectOf(feast, "creator"), "email") != holidays {
		t.Errorf("%v %v", feast, err)
	}
	w.refused("events.patch", asked{cal: holidays, id: textOf(feast, "id"), body: object{"summary": "x"}},
		"403 calendar/requiredAccessLevel")
	var listed []string
	for _, c := range w.s.Calendars(ada) {
		listed = append(listed, c.ID+" "+c.AccessRole)
	}
	same(t, "calendars", listed, []string{ada + " owner", holidays + " reader"})
	if _, err := w.s.Insert(ada, "primary", object{"summary": "no time"}); err == nil {
		t.Error("the same checks hold")
	}
}

func TestSetUpIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, err := range map[string]error{
		"twice":     w.s.AddAccount(Account{Email: "ADA@example.com"}),
		"no e-mail": w.s.AddAccount(Account{Email: "ada"}),
		"zone":      w.s.AddAccount(Account{Email: "eve@example.com", TimeZone: "Mars/Base"}),
		"calendar":  w.s.Share("nothing", ada, "reader"),
		"role":      w.s.Share(ada, ben, "king"),
		"who":       w.s.Share(ada, "nobody@example.com", "reader"),
	} {
		if err == nil {
			t.Errorf("%s: passed", name)
		}
	}
	if _, err := w.s.AddCalendar("nobody@example.com", Calendar{}); err == nil {
		t.Error("a calendar of nobody")
	}
}

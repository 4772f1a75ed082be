package calendar

import (
	"net/url"
	"slices"
	"testing"
	"time"
)

// synced lists everything and returns the token to go on from.
func (w *world) synced(query string) string {
	w.t.Helper()
	return textOf(w.do("events.list", asked{query: query}), "nextSyncToken")
}

func (w *world) since(token, query string) (items []object, next string) {
	w.t.Helper()
	body := w.do("events.list", asked{query: query + "&syncToken=" + url.QueryEscape(token)})
	return objectsOf(body, "items"), textOf(body, "nextSyncToken")
}

func TestSyncTellsChangesAndDeletions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	token := w.synced("")
	nothing, token2 := w.since(token, "")
	same(t, "nothing happened", len(nothing), 0)
	w.insert(with(timed("2026-03-11T09:00:00", "2026-03-11T09:30:00", "Asia/Jerusalem"), object{"id": "fresh0"}))
	w.do("events.patch", asked{id: "morning", body: object{"summary": "Patched"}})
	w.do("events.delete", asked{id: "later"})
	items, token3 := w.since(token2, "")
	same(t, "rows", sorted(ids(items)), []string{"fresh0", "later", "morning"})
	for _, item := range items {
		if textOf(item, "id") == "later" {
			same(t, "tombstone", textOf(item, "status"), "cancelled")
			absent(t, item, "summary", "start") // Without showDeleted a sync gives no details.
		}
	}
	again, _ := w.since(token3, "")
	same(t, "all told", len(again), 0)
	replayed, _ := w.since(token, "")
	same(t, "an older token tells them too", len(replayed), 3)
}

func TestSyncTokenOnLastPageOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	changed := false
	last := pages(w, "maxResults=2", func([]object) {
		if !changed { // Between the pages, to an event that has been given already.
			changed = true
			w.do("events.patch", asked{id: "morning", body: object{"summary": "Between"}})
		}
	})
	items, _ := w.since(textOf(last, "nextSyncToken"), "")
	same(t, "what changed between the pages", ids(items), []string{"morning"})
}

func TestSyncForbids(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := url.QueryEscape(w.synced(""))
	for _, query := range []string{
		"iCalUID=a", "orderBy=updated", "privateExtendedProperty=a%3Db", "sharedExtendedProperty=a%3Db", "q=a",
		"timeMin=2026-03-10T09:00:00Z", "timeMax=2026-03-10T09:00:00Z", "updatedMin=2026-03-01T09:00:00Z",
		"showDeleted=false",
	} {
		w.refused("events.list", asked{query: query + "&syncToken=" + token}, "400 global/badRequest")
	}
	w.refused("events.list", asked{query: "singleEvents=true&syncToken=" + token}, "400 global/invalid")
	w.refused("events.list", asked{query: "syncToken=garbage"}, "400 global/invalid")
}

func TestPartialListingsGiveNoSyncToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for query, want := range map[string]bool{
		"": true, "singleEvents=true": true, "showDeleted=true": true, "timeMin=2026-03-01T00:00:00Z": true,
		"orderBy=updated": false, "q=a": false, "iCalUID=a": false, "privateExtendedProperty=a%3Db": false,
		"updatedMin=2026-03-01T00:00:00Z": false,
	} {
		same(t, query, w.synced(query) != "", want)
	}
}

func TestExpiredSyncToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	token := w.synced("")
	w.s.ExpireSyncTokens(ada)
	p := w.refused("events.list", asked{query: "syncToken=" + url.QueryEscape(token)}, "410 calendar/fullSyncRequired")
	same(t, "message", p.Message, "Sync token is no longer valid, a full sync is required.")
	same(t, "location", p.LocationType+" "+p.Location, "parameter syncToken")
	if _, next := w.since(w.synced(""), ""); next == "" {
		t.Error("a full sync does not help")
	}
}

// A sync token ends by age and when the account's rights on the calendar change, as the guide says, and on demand.
func TestSyncTokensEnd(t *testing.T) {
	t.Parallel()
	const expired = "410 calendar/fullSyncRequired"
	w := newWorld(t)
	w.aDay()
	token := w.synced("")
	w.tick(30 * 24 * time.Hour)
	w.since(token, "")
	w.tick(time.Second)
	w.refused("events.list", asked{query: "syncToken=" + url.QueryEscape(token)}, expired)
	w.s.SetSwitches(Switches{SyncTokenLife: time.Hour})
	token = w.synced("")
	w.tick(61 * time.Minute)
	w.refused("events.list", asked{query: "syncToken=" + url.QueryEscape(token)}, expired)

	own := w.synced("")
	for _, step := range []struct {
		role string
		// ends: what was got before is worthless then.
		ends bool
	}{{"reader", false}, {"writer", true}, {"freeBusyReader", true}, {"reader", true}} {
		list := asked{as: ben, cal: ada}
		if step.ends {
			list.query = "syncToken=" + url.QueryEscape(textOf(w.do("events.list", list), "nextSyncToken"))
		}
		if err := w.s.Share(ada, ben, step.role); err != nil {
			t.Fatal(err)
		}
		if step.ends {
			p := w.refused("events.list", list, expired)
			same(t, "location", p.LocationType+" "+p.Location, "parameter syncToken")
		}
	}
	w.since(own, "") // what another may do says nothing of ada's
}

// Page tokens end on demand; the answer is either of the two that are told of.
func TestPageTokensEnd(t *testing.T) {
	t.Parallel()
	for want, switches := range map[string]Switches{
		"400 global/invalid": {}, "410 calendar/fullSyncRequired": {DeadPagesAreGone: true},
	} {
		w := newWorld(t, switches)
		w.aDay()
		first := w.do("events.list", asked{query: "maxResults=2"})
		next := asked{query: "maxResults=2&pageToken=" + url.QueryEscape(textOf(first, "nextPageToken"))}
		w.do("events.list", next)
		w.s.ExpirePageTokens(ada)
		p := w.refused("events.list", next, want)
		same(t, "location", p.LocationType+" "+p.Location, "parameter pageToken")
		last := pages(w, "maxResults=2", func([]object) {})
		if textOf(last, "nextSyncToken") == "" {
			t.Error("reading from the start does not help")
		}
	}
}

// Exceptions stand before their series, on an earlier page, and without one.
func TestSeriesLast(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Switches{SeriesLast: true})
	w.weekly(object{"id": "standup"})
	token := w.synced("")
	w.do("events.patch", asked{id: "standup_20260309T070000Z", body: object{"summary": "One"}})
	w.do("events.delete", asked{id: "standup_20260316T070000Z"})
	w.insert(with(allDay("2026-03-10", "2026-03-11"), object{"id": "single"}))
	w.do("events.patch", asked{id: "standup", body: object{"location": "Elsewhere"}})
	want := []string{"standup_20260309T070000Z", "standup_20260316T070000Z", "single", "standup"}
	items, _ := w.since(token, "")
	same(t, "a sync", ids(items), want)
	var read []string
	pages(w, "maxResults=1", func(items []object) { read = append(read, ids(items)...) })
	same(t, "pages", read, want)
}

func TestSyncOfInstances(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup"})
	token := w.synced("singleEvents=true")
	w.do("events.patch", asked{id: "standup_20260309T070000Z", body: object{"summary": "One"}})
	items, token := w.since(token, "singleEvents=true")
	same(t, "one instance", ids(items), []string{"standup_20260309T070000Z"})
	w.do("events.patch", asked{id: "standup", body: object{"summary": "All"}})
	items, token = w.since(token, "singleEvents=true")
	// The exception has its own title and nothing else of it changed.
	same(t, "instances", len(items), 5)
	w.do("events.delete", asked{id: "standup_20260316T070000Z"})
	items, token = w.since(token, "singleEvents=true")
	same(t, "a deleted instance", ids(items), []string{"standup_20260316T070000Z"})
	same(t, "status", textOf(items[0], "status"), "cancelled")
	w.do("events.patch", asked{id: "standup", body: object{"recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4"}}})
	items, token = w.since(token, "singleEvents=true")
	var gone []string
	for _, item := range items {
		if textOf(item, "status") == "cancelled" {
			gone = append(gone, textOf(item, "id"))
		}
	}
	for _, id := range []string{"standup_20260330T060000Z", "standup_20260406T060000Z"} {
		if !slices.Contains(gone, id) {
			t.Errorf("%s is not told to be gone: %v", id, gone)
		}
	}
	w.do("events.delete", asked{id: "standup"})
	items, _ = w.since(token, "singleEvents=true")
	for _, item := range items {
		same(t, textOf(item, "id"), textOf(item, "status"), "cancelled")
	}
	if len(items) < 4 {
		t.Errorf("%d instances of a deleted series", len(items))
	}
}

func TestSyncOfSeries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup"})
	token := w.synced("")
	w.do("events.patch", asked{id: "standup_20260309T070000Z", body: object{"location": "Elsewhere"}})
	items, token := w.since(token, "")
	same(t, "the exception", ids(items), []string{"standup_20260309T070000Z"})
	w.do("events.patch", asked{id: "standup", body: object{"summary": "All"}})
	items, token = w.since(token, "")
	same(t, "the series, and the exception that shows its title", ids(items),
		[]string{"standup", "standup_20260309T070000Z"})
	w.do("events.delete", asked{id: "standup"})
	items, _ = w.since(token, "")
	for _, item := range items {
		same(t, textOf(item, "id"), textOf(item, "status"), "cancelled")
	}
}

func TestWindowedBaselineHasAFullSync(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.aDay()
	token := w.synced("timeMin=2026-03-10T08:00:00Z")
	w.tick(time.Second)
	w.do("events.patch", asked{id: "morning", body: object{"summary": "Outside of the window"}})
	items, _ := w.since(token, "")
	same(t, "rows", ids(items), []string{"morning"})
}

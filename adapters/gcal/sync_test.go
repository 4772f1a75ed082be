package gcal

import (
	"errors"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/standin/calendar"
	standin "almanac/internal/standin/google"
)

// readAll reads all pages of an answer.
func readAll(t *testing.T, h *harness, token string) (all SyncPage, pages int) {
	t.Helper()
	place := SyncPlace{Token: token}
	for {
		page, err := h.Sync(t.Context(), h.connection, "", place)
		if err != nil {
			t.Fatal(err)
		}
		page.Events = append(all.Events, page.Events...)
		all = page
		if pages++; page.Next == "" {
			return all, pages
		}
		place.Page = page.Next
	}
}

func TestSync(t *testing.T) {
	h := newHarness(t, builder{})
	old := h.make(h.event("Old"))
	series := h.make(h.event("Training", "RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=5"))
	h.server.Reset()
	base, _ := readAll(t, h, "")
	if base.Token == "" || base.Gone || len(base.Events) != 2 || base.Zone != "Asia/Jerusalem" ||
		base.Role != model.RoleOwner {
		t.Fatalf("the beginning is %+v", base)
	}
	if !base.Events[1].IsSeries() || base.Events[0].Summary != "Old" || base.Events[0].HTMLLink == "" ||
		base.Events[0].ICalUID == "" {
		t.Errorf("the events are not whole: %+v", base.Events)
	}
	first := h.requests("list")[0]
	if got := query(t, first, "singleEvents"); got == "true" {
		t.Error("it asks for occurrences")
	}

	still, _ := readAll(t, h, base.Token)
	if len(still.Events) != 0 || still.Token == "" || still.Gone {
		t.Fatalf("nothing happened, and this came: %+v", still)
	}
	if a, b := query(t, first, "fields"), query(t, h.requests("list")[1], "fields"); a != b {
		t.Errorf("the question differs: %q and %q", a, b)
	}

	fresh := h.make(h.event("New"))
	if _, err := h.Patch(t.Context(), h.connection, series.Ref, Patch{Summary: ptr("Chess")},
		ChangeOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Delete(t.Context(), h.connection, series.Ref.CalendarRef().Event(series.Ref.Event+"_20261129T160000Z"),
		ChangeOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Delete(t.Context(), h.connection, old.Ref, ChangeOptions{}); err != nil {
		t.Fatal(err)
	}
	h.server.Inject(standin.Fault{Method: "calendar.events.list", EmptyPage: true, Times: 2})
	h.server.Reset()
	next, pages := readAll(t, h, still.Token)
	if pages != 1 {
		t.Errorf("empty pages are given to the caller: %d", pages)
	}
	got := map[string]model.Event{}
	for _, e := range next.Events {
		if _, twice := got[e.Ref.Event]; twice {
			t.Errorf("%s comes twice", e.Ref.Event)
		}
		got[e.Ref.Event] = e
	}
	if len(got) != 4 || got[fresh.Ref.Event].Summary != "New" || got[series.Ref.Event].Summary != "Chess" ||
		!got[series.Ref.Event].IsSeries() {
		t.Errorf("got %+v", next.Events)
	}
	if e := got[old.Ref.Event]; e.Status != model.EventCancelled {
		t.Errorf("the deleted one is %+v", e)
	}
	gone := got[series.Ref.Event+"_20261129T160000Z"]
	if gone.Status != model.EventCancelled || gone.RecurringEventID != series.Ref.Event ||
		!gone.OriginalStart.At.Equal(at(t, "2026-11-29T16:00:00Z")) {
		t.Errorf("the cancelled occurrence is %+v", gone)
	}
	if again, _ := readAll(t, h, next.Token); len(again.Events) != 0 {
		t.Errorf("what was told is told again: %+v", again)
	}

	t.Run("whole, what was dropped of a series is there, and what was deleted is not", func(t *testing.T) {
		all, _ := readAll(t, h, "")
		ids := map[string]bool{}
		for _, e := range all.Events {
			ids[e.Ref.Event] = true
		}
		if len(ids) != 3 || !ids[gone.Ref.Event] || !ids[fresh.Ref.Event] || !ids[series.Ref.Event] {
			t.Errorf("got %v", ids)
		}
	})
	t.Run("in pages", func(t *testing.T) {
		h.PageSize = 1
		defer func() { h.PageSize = 0 }()
		all, pages := readAll(t, h, "")
		if pages != 3 || len(all.Events) != 3 || all.Token == "" {
			t.Errorf("%d pages with %d events", pages, len(all.Events))
		}
	})
	t.Run("a token that has ended", func(t *testing.T) {
		h.service.ExpireSyncTokens(me)
		h.server.Reset()
		page, err := h.Sync(t.Context(), h.connection, "", SyncPlace{Token: next.Token})
		if err != nil || !page.Gone || page.Token != "" || len(page.Events) != 0 {
			t.Fatalf("got %+v, %v", page, err)
		}
		if calls := len(h.requests("list")); calls != 1 {
			t.Errorf("%d calls", calls)
		}
	})
	t.Run("tokens that never were", func(t *testing.T) {
		for _, place := range []SyncPlace{{Token: "nonsense"}, {Page: "nonsense"}} {
			if page, err := h.Sync(t.Context(), h.connection, "", place); err != nil || !page.Gone {
				t.Errorf("%+v: got %+v, %v", place, page, err)
			}
		}
	})
	t.Run("410 once, as the server says it", func(t *testing.T) {
		h.server.Inject(standin.Fault{Method: "calendar.events.list", Status: 410, Domain: "calendar",
			Reason: "fullSyncRequired", Times: 1})
		if page, err := h.Sync(t.Context(), h.connection, "", SyncPlace{Token: next.Token}); err != nil || !page.Gone {
			t.Errorf("got %+v, %v", page, err)
		}
	})
	t.Run("errors", func(t *testing.T) {
		h.server.Clear()
		base, _ := readAll(t, h, "")
		h.server.Inject(standin.Fault{Method: "calendar.events.list", Status: 503})
		page, err := h.Sync(t.Context(), h.connection, "", SyncPlace{Token: base.Token})
		code(t, err, model.CodeUpstreamUnavailable)
		if page.Token != "" || page.Gone {
			t.Errorf("got %+v", page)
		}
		h.server.Clear()
		_, err = h.Sync(t.Context(), h.connection, "nowhere@example.com", SyncPlace{})
		code(t, err, model.CodeNotFound)
	})
}

func TestSyncOfALongHistory(t *testing.T) {
	h := newHarness(t, builder{switches: calendar.Switches{PageBeforeFilter: true}})
	for range 30 {
		e := h.make(h.event("x"))
		if _, err := h.Delete(t.Context(), h.connection, e.Ref, ChangeOptions{Known: &e}); err != nil {
			t.Fatal(err)
		}
	}
	h.server.Inject(standin.Fault{Method: "calendar.events.list", EmptyPage: true, Times: 5})
	if base, pages := readAll(t, h, ""); base.Token == "" || pages != 1 {
		t.Errorf("%d pages: %+v", pages, base)
	}
}

func TestWatch(t *testing.T) {
	h := newHarness(t, builder{})
	channel, err := h.Watch(t.Context(), h.connection, "", "channel-1", "secret", "https://almanac.example/hooks/google",
		2*time.Hour)
	if err != nil || channel.ID != "channel-1" || channel.ResourceID == "" {
		t.Fatalf("got %+v, %v", channel, err)
	}
	if life := channel.Expires.Sub(h.clock()); life < time.Hour || life > 2*time.Hour {
		t.Errorf("it ends in %v", life)
	}
	for range 2 { // the second time there is none left
		if err := h.StopWatch(t.Context(), h.connection, channel); err != nil {
			t.Error(err)
		}
	}
	h.server.Inject(standin.Fault{Method: "calendar.channels.stop", Status: 500})
	err = h.StopWatch(t.Context(), h.connection, channel)
	code(t, err, model.CodeUpstreamUnavailable)
	h.server.Clear()
	_, err = h.Watch(t.Context(), h.connection, "", "channel-2", "secret", "http://almanac.example/hooks/google", 0)
	code(t, err, model.CodeUpstreamRejected)
	var shown *model.Error
	if !errors.As(err, &shown) || shown.Reason == "" {
		t.Errorf("Google's reason is missing: %+v", shown)
	}
}

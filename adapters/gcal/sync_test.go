package gcal

import (
	"errors"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/standin/calendar"
	standin "almanac/internal/standin/google"
)

func TestSync(t *testing.T) {
	h := newHarness(t, builder{})
	old := h.make(h.event("Old"))
	series := h.make(h.event("Training", "RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=5"))
	h.server.Reset()
	base, err := h.Sync(t.Context(), h.connection, "", "")
	if err != nil || base.Token == "" || base.Reset || len(base.Events) != 0 || base.At.IsZero() {
		t.Fatalf("the beginning is %+v, %v", base, err)
	}
	first := h.requests("list")[0]
	if mask := query(t, first, "fields"); strings.Contains(mask, "items") || !strings.Contains(mask, "nextSyncToken") ||
		!strings.Contains(mask, "nextPageToken") {
		t.Errorf("the beginning asks for %q", mask)
	}
	if got := query(t, first, "singleEvents"); got == "true" {
		t.Error("it asks for occurrences")
	}

	still, err := h.Sync(t.Context(), h.connection, "", base.Token)
	if err != nil || len(still.Events) != 0 || still.Token == "" || still.Reset {
		t.Fatalf("nothing happened, and this came: %+v, %v", still, err)
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
	next, err := h.Sync(t.Context(), h.connection, "", still.Token)
	if err != nil {
		t.Fatal(err)
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
	if mask := query(t, h.requests("list")[0], "fields"); strings.Contains(mask, "attendees") ||
		strings.Contains(mask, "description") {
		t.Errorf("the mask is %q", mask)
	}
	if again, err := h.Sync(t.Context(), h.connection, "", next.Token); err != nil || len(again.Events) != 0 {
		t.Errorf("what was told is told again: %+v, %v", again, err)
	}

	t.Run("a token that has ended", func(t *testing.T) {
		h.service.ExpireSyncTokens(me)
		h.server.Reset()
		page, err := h.Sync(t.Context(), h.connection, "", next.Token)
		if err != nil || !page.Reset || page.Token == "" || page.Token == next.Token || len(page.Events) != 0 {
			t.Fatalf("got %+v, %v", page, err)
		}
		if calls := len(h.requests("list")); calls != 2 {
			t.Errorf("%d calls, want one with the old token and one without", calls)
		}
		h.make(h.event("Newer"))
		after, err := h.Sync(t.Context(), h.connection, "", page.Token)
		if err != nil || len(after.Events) != 1 || after.Reset {
			t.Errorf("then %+v, %v", after, err)
		}
	})
	t.Run("a token that never was", func(t *testing.T) {
		if page, err := h.Sync(t.Context(), h.connection, "", "nonsense"); err != nil || !page.Reset || page.Token == "" {
			t.Errorf("got %+v, %v", page, err)
		}
	})
	t.Run("410 once, as the server says it", func(t *testing.T) {
		h.server.Inject(standin.Fault{Method: "calendar.events.list", Status: 410, Domain: "calendar",
			Reason: "fullSyncRequired", Times: 1})
		if page, err := h.Sync(t.Context(), h.connection, "", next.Token); err != nil || !page.Reset {
			t.Errorf("got %+v, %v", page, err)
		}
	})
	t.Run("errors leave the token alone", func(t *testing.T) {
		h.server.Clear()
		base, err := h.Sync(t.Context(), h.connection, "", "")
		if err != nil {
			t.Fatal(err)
		}
		h.server.Inject(standin.Fault{Method: "calendar.events.list", Status: 503})
		page, err := h.Sync(t.Context(), h.connection, "", base.Token)
		code(t, err, model.CodeUpstreamUnavailable)
		if page.Token != "" || page.Reset {
			t.Errorf("got %+v", page)
		}
		h.server.Clear()
		_, err = h.Sync(t.Context(), h.connection, "nowhere@example.com", "")
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
	if base, err := h.Sync(t.Context(), h.connection, "", ""); err != nil || base.Token == "" {
		t.Errorf("got %+v, %v", base, err)
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

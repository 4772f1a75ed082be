package storetest

import (
	"context"
	"errors"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// calendarLinks: round trips, replacing, deleting with the calendar, claiming, and other users.
func calendarLinks(h *fixture) {
	calendar := h.ownCalendar("Home")
	at := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	save := func(link model.CalendarLink) error {
		return h.Store.Write(h.Context(), h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.SaveCalendarLink(ctx, link)
		})
	}
	feed := model.CalendarLink{User: h.user, Calendar: calendar.Number, Kind: model.LinkFeed, Hash: [32]byte{1, 2},
		Sealed: []byte{0, 255}, State: `{"Host":"example.com"}`, CreatedAt: at, DueAt: at}
	full := model.CalendarLink{User: h.user, Calendar: calendar.Number, Kind: model.LinkFull, Hash: [32]byte{9},
		Sealed: []byte{}, CreatedAt: at}
	for _, link := range []model.CalendarLink{feed, full} {
		if err := save(link); err != nil {
			h.Fatal(err)
		}
	}
	expect := func(what string, want ...model.CalendarLink) {
		h.Helper()
		got, err := h.Store.CalendarLinks(h.Context(), h.user)
		if err != nil || !slices.EqualFunc(got, want, sameLink) {
			h.Errorf("%s: got %+v, %v; want %+v", what, got, err, want)
		}
	}
	expect("saved", feed, full)
	if err := save(model.CalendarLink{Calendar: 999, Kind: model.LinkBusy, CreatedAt: at}); !errors.Is(err,
		store.ErrNotFound) {
		h.Errorf("a link of a calendar that is not there: %v", err)
	}
	if others, err := h.Store.CalendarLinks(h.Context(), model.UserID{99}); err != nil || len(others) > 0 {
		h.Errorf("another user sees %+v, %v", others, err)
	}
	if due, err := h.Store.ClaimFeeds(h.Context(), at.Add(-time.Second), at, 10); err != nil || len(due) > 0 {
		h.Errorf("before its time %+v is due, %v", due, err)
	}
	feed.DueAt = at.Add(time.Minute)
	due, err := h.Store.ClaimFeeds(h.Context(), at, feed.DueAt, 10)
	due = slices.DeleteFunc(due, func(l model.CalendarLink) bool { return l.User != h.user })
	if err != nil || !slices.EqualFunc(due, []model.CalendarLink{feed}, sameLink) {
		h.Errorf("due are %+v, %v", due, err)
	}
	if again, err := h.Store.ClaimFeeds(h.Context(), at, feed.DueAt, 10); err != nil || len(again) > 0 {
		h.Errorf("claimed again: %+v, %v", again, err)
	}
	feed.State, feed.DueAt, feed.Sealed = "{}", time.Time{}, []byte{7}
	if err := save(feed); err != nil {
		h.Fatal(err)
	}
	expect("replaced", feed, full)
	remove := func() error {
		return h.Store.Write(h.Context(), h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.DeleteCalendarLink(ctx, calendar.Number, model.LinkFull)
		})
	}
	if err := remove(); err != nil {
		h.Error(err)
	}
	if err := remove(); !errors.Is(err, store.ErrNotFound) {
		h.Errorf("deleted twice: %v", err)
	}
	expect("one deleted", feed)
	err = h.Store.Write(h.Context(), h.user, func(ctx context.Context, tx store.Tx) error {
		return tx.DeleteCalendar(ctx, calendar.Number, at)
	})
	if err != nil {
		h.Fatal(err)
	}
	expect("their calendar deleted")
}

func sameLink(a, b model.CalendarLink) bool {
	return a.User == b.User && a.Calendar == b.Calendar && a.Kind == b.Kind && a.Hash == b.Hash &&
		slices.Equal(a.Sealed, b.Sealed) && a.State == b.State && a.CreatedAt.Equal(b.CreatedAt) && a.DueAt.Equal(b.DueAt)
}

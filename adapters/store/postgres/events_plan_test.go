package postgres

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/internal/pgtest"
)

// TestWindowsReadWhatIsShown: a window reads what lies in it and the series that still go on, however much has passed,
// and by the plan that serves all values.
func TestWindowsReadWhatIsShown(t *testing.T) {
	s, err := Open(t.Context(), Options{URL: pgtest.URL(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	const many, living, inside = 5_000, 30, 40
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	user, calendar := model.UserIDOf("many"), 0
	for owner, count := range owners(user, many) {
		if err := s.Write(t.Context(), owner, func(ctx context.Context, tx store.Tx) error {
			kept, err := tx.InsertCalendar(ctx, model.KeptCalendar{Source: model.CalendarOwn, State: model.CalendarKept})
			if err != nil {
				return err
			}
			if owner == user {
				calendar = kept.Number
			}
			var events []model.EventRow
			for i := range count {
				start := now.AddDate(0, 0, -10-i%3000) // long ago
				if i < inside {
					start = now.Add(time.Duration(i) * time.Minute)
				}
				event := model.EventRow{Calendar: kept.Number, ID: fmt.Sprintf("e%d", i), Kind: model.EventSingle, StartsAt: start,
					EndsAt: start.Add(time.Hour), Version: "1", UpdatedAt: now, Body: &model.EventBody{}}
				if i >= inside && i%5 == 0 { // a series that has ended, with an exception
					event.Kind, event.LastsUntil = model.EventSeries, now.AddDate(0, 0, -5)
					if i < inside+5*living {
						event.LastsUntil = time.Time{}
					}
					changed := event
					changed.ID, changed.Kind, changed.Series, changed.OriginalAt = event.ID+"_", model.EventChanged, event.ID, start
					events = append(events, changed)
				}
				events = append(events, event)
			}
			_, err = tx.SaveEvents(ctx, events)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, window := range []store.EventWindow{
		{Calendars: []int{calendar}}, {Calendars: []int{calendar, 77}, Limit: 50, Want: store.EventBodies},
	} {
		window.From, window.To = now, now.AddDate(0, 1, 0)
		for _, known := range []string{"nothing", "the tables"} { // by the server's statistics
			if known != "nothing" {
				if err := s.Execute(t.Context(), "VACUUM ANALYZE events"); err != nil {
					t.Fatal(err)
				}
				if err := s.Execute(t.Context(), "VACUUM ANALYZE event_bodies"); err != nil {
					t.Fatal(err)
				}
			}
			var gathered rows.EventWindow
			b := eventsWindow(user, window, &gathered)
			explainGeneric(t, s, b).walk(func(n node) {
				read := n.Rows*n.Loops + n.Filtered*n.Loops
				// Of a table that is new to the server it has no statistics, and any index of the user's looks as good as another.
				if n.Type == "Seq Scan" || known != "nothing" && strings.Contains(n.Type, "Scan") && read > inside+living {
					t.Errorf("when %s is known: %s over %v rows, of %d living series and %d events", known, n.Type, read, living,
						inside)
				}
			})
			if err := s.run(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if events, _ := gathered.Done(window.Limit); len(events) != inside+living {
				t.Errorf("found %d events", len(events))
			}
		}
	}
}

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
)

// TestWindowsReadWhatIsShown: a window reads what lies in it and the series that still go on, however much has passed,
// and by the plan that serves all values.
func TestWindowsReadWhatIsShown(t *testing.T) {
	s := migratedStore(t)
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

// TestUIDsAreLookedForOneByOne: what a file brings is looked for by its UIDs alone, also while the server knows nothing
// of the table, as when the first file is brought in.
func TestUIDsAreLookedForOneByOne(t *testing.T) {
	s := migratedStore(t)
	const many = 5_000
	user := model.UserIDOf("many")
	for owner, count := range owners(user, many) {
		if err := s.Write(t.Context(), owner, func(ctx context.Context, tx store.Tx) error {
			kept, err := tx.InsertCalendar(ctx, model.KeptCalendar{Source: model.CalendarOwn, State: model.CalendarKept})
			if err != nil {
				return err
			}
			events := make([]model.EventRow, count)
			for i := range events {
				events[i] = model.EventRow{Calendar: kept.Number, ID: fmt.Sprintf("e%d", i), UID: fmt.Sprintf("u%d", i),
					Kind: model.EventSingle, StartsAt: time.Unix(0, 0), EndsAt: time.Unix(60, 0), UpdatedAt: time.Unix(0, 0),
					Body: &model.EventBody{}}
			}
			_, err = tx.SaveEvents(ctx, events)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	uids := []string{"u1", "u7", "nothing", "u4000"}
	for _, known := range []string{"nothing", "the tables"} { // by the server's statistics
		if known != "nothing" {
			if err := s.Execute(t.Context(), "VACUUM ANALYZE events"); err != nil {
				t.Fatal(err)
			}
		}
		b := new(batch)
		_, join := withBodies(store.EventBodies)
		b.query("SELECT t.id, b.body FROM "+sqlByUID+join+" WHERE true"+sqlVisible, func(*row) {}, userArg(user), uids)
		explainGeneric(t, s, b).walk(func(n node) {
			if read := n.Rows*n.Loops + n.Filtered*n.Loops; strings.Contains(n.Type, "Scan") && read > 20 {
				t.Errorf("when %s is known: %s of %s by %s over %v rows", known, n.Type, n.Relation, n.Index, read)
			}
		})
		found, err := s.EventsByUID(t.Context(), user, append(uids, "u1"), store.EventBodies)
		if err != nil || len(found) != 3 {
			t.Errorf("%d events, %v", len(found), err)
		}
	}
}

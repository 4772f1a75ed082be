package sqlite

import (
	"context"
	"fmt"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/occur"
)

// benchNow is in the middle of the benchmarks' calendars.
var benchNow = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// benchCalendar keeps so many events of ten years, 300 of them series that still go on: a tenth daily, a tenth of
// workdays, the rest weekly, monthly and yearly. One in ten series has an exception in the month ahead.
func benchCalendar(b *testing.B, events int) (*Store, model.UserID, int) {
	b.Helper()
	s, err := Open(b.Context(), Options{Path: b.TempDir() + "/bench.db"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	if err := s.Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	rules := []string{"FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=WEEKLY",
		"FREQ=WEEKLY;INTERVAL=2", "FREQ=YEARLY", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=SU,TU"}
	user, calendar := model.UserIDOf("bench"), 0
	if err := s.Write(b.Context(), user, func(ctx context.Context, tx store.Tx) error {
		kept, err := tx.InsertCalendar(ctx, model.KeptCalendar{Source: model.CalendarOwn, State: model.CalendarKept,
			Zone: "Asia/Jerusalem"})
		if err != nil {
			return err
		}
		calendar = kept.Number
		var rows []model.EventRow
		for i := range events {
			start := benchNow.AddDate(0, 0, -3650+i*4000/events).Add(time.Duration(i%600) * time.Minute)
			row := model.EventRow{Calendar: calendar, ID: fmt.Sprintf("%026d", i), Kind: model.EventSingle, StartsAt: start,
				EndsAt: start.Add(time.Hour), Summary: fmt.Sprintf("Event %d", i), Status: model.EventConfirmed,
				Type: model.EventDefault, UID: fmt.Sprintf("%d@almanac", i), UpdatedAt: start,
				Body: &model.EventBody{Description: "What it is about, in a sentence or two.", Location: "Room 5"}}
			if every := events / 300; i%every == 0 && i/every < 300 {
				row.StartsAt = benchNow.AddDate(0, 0, -1-i*2000/events).Truncate(24 * time.Hour).
					Add(time.Duration(6*60+i%600) * time.Minute)
				row.EndsAt = row.StartsAt.Add(time.Hour)
				row.Kind, row.Recurrence = model.EventSeries, []string{"RRULE:" + rules[i/every%len(rules)]}
				if i/every%10 == 0 {
					exception := row
					exception.Kind, exception.Series, exception.Recurrence = model.EventDropped, row.ID, nil
					days := int(benchNow.Sub(row.StartsAt).Hours()/24) + 3
					exception.OriginalAt = row.StartsAt.AddDate(0, 0, days)
					exception.ID = model.OccurrenceID(row.ID, exception.OriginalAt, false)
					rows = append(rows, exception)
				}
			}
			rows = append(rows, row)
		}
		_, err = tx.SaveEvents(ctx, rows)
		return err
	}); err != nil {
		b.Fatal(err)
	}
	return s, user, calendar
}

// BenchmarkWindow lists 50 events of the 30 days to come, as a page of events asks for them.
func BenchmarkWindow(b *testing.B) {
	for _, events := range []int{5_000, 20_000} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			s, user, calendar := benchCalendar(b, events)
			rules, zone := occur.NewRules(occur.DefaultRules), func(int) *time.Location { return time.UTC }
			list := func() {
				from, to := benchNow, benchNow.AddDate(0, 0, 30)
				found, err := s.EventsBetween(b.Context(), user, store.EventWindow{Calendars: []int{calendar},
					From: from.Add(-occur.Slack), To: to.Add(occur.Slack), Limit: 100})
				if err != nil {
					b.Fatal(err)
				}
				items, _ := rules.List(found.Events, occur.Query{From: from, To: to, Zone: zone, Cut: found.Cut}).All(50)
				if len(items) != 50 {
					b.Fatal(len(items))
				}
			}
			list() // the rules are kept from here on
			b.ReportAllocs()
			for b.Loop() {
				list()
			}
		})
	}
}

// BenchmarkBusyMonth lists everything of a month, as freeBusy asks for it.
func BenchmarkBusyMonth(b *testing.B) {
	s, user, calendar := benchCalendar(b, 5_000)
	rules, zone := occur.NewRules(occur.DefaultRules), func(int) *time.Location { return time.UTC }
	b.ReportAllocs()
	for b.Loop() {
		from, to := benchNow, benchNow.AddDate(0, 0, 30)
		found, err := s.EventsBetween(b.Context(), user, store.EventWindow{Calendars: []int{calendar},
			From: from.Add(-occur.Slack), To: to.Add(occur.Slack)})
		if err != nil {
			b.Fatal(err)
		}
		items, more := rules.List(found.Events, occur.Query{From: from, To: to, Zone: zone}).All(occur.MaxItems)
		if more || len(items) < 1000 {
			b.Fatal(len(items), more)
		}
	}
}

// BenchmarkEraseEvents erases 500 events in one transaction, which is how long a sweep holds the lock.
func BenchmarkEraseEvents(b *testing.B) {
	s, user, calendar := benchCalendar(b, 20_000)
	if err := s.Write(b.Context(), user, func(ctx context.Context, tx store.Tx) error {
		return tx.DeleteCalendar(ctx, calendar, benchNow)
	}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.EraseEvents(b.Context(), user, store.ErasedAtOnce); err != nil {
			b.Fatal(err)
		}
	}
}

package calfiles_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"almanac/adapters/calfiles"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// counted is a store that notes how many events the largest of its transactions wrote.
type counted struct {
	store.Store
	most int
}

// Write implements store.Store.
func (c *counted) Write(ctx context.Context, of model.UserID, fn func(context.Context, store.Tx) error) error {
	wrote := 0
	err := c.Store.Write(ctx, of, func(ctx context.Context, tx store.Tx) error {
		wrote = 0
		return fn(ctx, countedTx{tx, &wrote})
	})
	c.most = max(c.most, wrote)
	return err
}

type countedTx struct {
	store.Tx
	wrote *int
}

// SaveEvents implements store.Tx.
func (c countedTx) SaveEvents(ctx context.Context, events []model.EventRow) (int64, error) {
	*c.wrote += len(events)
	return c.Tx.SaveEvents(ctx, events)
}

// DeleteEvents implements store.Tx.
func (c countedTx) DeleteEvents(ctx context.Context, keys []model.EventKey) ([]model.EventKey, error) {
	deleted, err := c.Tx.DeleteEvents(ctx, keys)
	*c.wrote += len(deleted)
	return deleted, err
}

// TestFilesAreWrittenInParts brings long files in and lets them change and shrink: whoever else writes waits for 40
// events, whatever the file.
func TestFilesAreWrittenInParts(t *testing.T) {
	const many, part = 1_000, 40
	file := func(title string, n int) []byte {
		var text strings.Builder
		text.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
		for i := range n {
			fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:%d@example.com\r\nDTSTAMP:20261101T000000Z\r\nSUMMARY:%s\r\n"+
				"DTSTART:202612%02dT090000Z\r\nEND:VEVENT\r\n", i, title, 1+i%28)
		}
		text.WriteString("END:VCALENDAR\r\n")
		return []byte(text.String())
	}
	onBoth(t, func(s *scene) {
		watched := &counted{Store: s.Store}
		s.Store = watched
		said := func(what string) {
			s.Helper()
			if watched.most != part {
				s.Errorf("%s: %d events in one transaction, want %d", what, watched.most, part)
			}
			watched.most = 0
		}
		calendar := s.calendar(alice, "UTC")
		if _, came := s.imports(alice, calendar, string(file("Imported", many))); came != fmt.Sprint(many, 0, 0, 0, 0) {
			s.Errorf("imported: %s", came)
		}
		said("import")
		followed, err := s.Follow(s.Context(), calfiles.NewFeed{User: alice, Address: "https://example.com/a.ics",
			Host: "example.com", Sealed: []byte{1}, OtherwiseZone: "UTC", Text: file("Followed", many), DueAt: noon},
			func(context.Context, store.Tx, model.KeptCalendar) error { return nil })
		s.ok(err)
		said("a feed")
		for _, reading := range []struct {
			what string
			text []byte
		}{{"all of a feed changed", file("Changed", many)}, {"most of a feed gone", file("Changed", 10)}} {
			result, err := s.Refill(s.Context(), followed.Link, reading.text)
			s.ok(err)
			if result.Changed < many-10 {
				s.Errorf("%s: %d changed", reading.what, result.Changed)
			}
			said(reading.what)
		}
	})
}

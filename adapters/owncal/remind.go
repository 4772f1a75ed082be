package owncal

import (
	"context"
	"errors"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/occur"
)

const (
	// remindsLate is how late a reminder is given at most, when nobody has looked for so long.
	remindsLate = 24 * time.Hour
	// looksAhead is the time between two looks at a calendar at most.
	looksAhead = 24 * time.Hour
)

// DueEventReminders names own calendars whose reminders are to be looked at, the longest due first.
func (c *Client) DueEventReminders(ctx context.Context, now time.Time, limit int) ([]store.DueEventReminders, error) {
	return c.Store.DueEventReminders(ctx, now, limit)
}

// RemindOfEvents reports the reminders of an own calendar that are due: of each event or occurrence one, however many
// of them are, and returns how many, and how late the latest was. It is one transaction, in which nobody else can give
// them, so each is given once. Those that are more than a day late are left out.
func (c *Client) RemindOfEvents(ctx context.Context, user model.UserID,
	calendar int) (given int, late time.Duration, err error) {
	err = c.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		given, late = 0, 0
		now := c.Now()
		was, err := tx.EventReminders(ctx, user, calendar)
		if errors.Is(err, store.ErrNotFound) || err == nil && was.NextAt.After(now) {
			return nil // somebody else was quicker, or the calendar is gone
		}
		if err != nil {
			return err
		}
		d, err := c.handle(ctx, tx, user, model.OwnCalendar(calendar).Calendar)
		if err != nil {
			return err
		}
		due, err := d.due(ctx, was.GivenUntil, now)
		if err != nil {
			return err
		}
		given, late = len(due.ids), due.late
		return tx.RemindOfEvents(ctx, calendar, store.EventReminders{GivenUntil: now, NextAt: due.next}, due.ids)
	})
	return given, late, err
}

// dueReminders are the events of which somebody is to be reminded now, and when to look again.
type dueReminders struct {
	ids  []string
	late time.Duration
	next time.Time
}

// due finds the reminders between two times, the first exclusive.
func (d *handle) due(ctx context.Context, until, now time.Time) (out dueReminders, err error) {
	if oldest := now.Add(-remindsLate); until.Before(oldest) {
		until = oldest
	}
	out.next = now.Add(looksAhead)
	query := occur.Query{From: until, To: out.next.Add(model.MaxReminderMinutes * time.Minute),
		Zone: func(int) *time.Location { return d.zone }}
	found, err := d.EventsBetween(ctx, d.user, store.EventWindow{Calendars: []int{d.calendar.Number},
		From: query.From.Add(-occur.Slack), To: query.To.Add(occur.Slack), Want: store.EventBodies})
	if err != nil {
		return out, err
	}
	list := d.client.Rules.List(found.Events, query)
	for item, ok := list.Next(); ok; item, ok = list.Next() {
		latest := time.Time{}
		for _, reminder := range d.reminders(item.Row) {
			at := item.Start.Add(-time.Duration(reminder.Minutes) * time.Minute)
			switch {
			case at.After(now):
				if at.Before(out.next) {
					out.next = at
				}
			case at.After(until) && at.After(latest):
				latest = at
			}
		}
		if !latest.IsZero() {
			out.ids, out.late = append(out.ids, item.ID()), max(out.late, now.Sub(latest))
		}
	}
	return out, nil
}

// reminders are those of an event.
func (d *handle) reminders(row *model.EventRow) []model.Reminder {
	switch {
	case row.Declined || row.Body == nil:
		return nil
	case row.Body.Reminders.UseDefault:
		return d.calendar.Reminders
	}
	return row.Body.Reminders.Overrides
}

package postgres

import (
	"context"
	"fmt"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const (
	// sqlLookForReminders has reminders of own calendars looked for at once, unless some are due already: those must
	// still be given.
	sqlLookForReminders = `INSERT INTO event_reminders AS r (user_id, calendar, given_until, next_at)
SELECT c.user_id, c.number, $3, $3 FROM calendars AS c WHERE c.user_id = $1 AND c.number = ANY($2) AND c.source = 'OWN'
ON CONFLICT (user_id, calendar) DO UPDATE SET given_until = excluded.given_until, next_at = excluded.next_at
WHERE r.next_at > excluded.next_at`

	sqlForgetReminders = `DELETE FROM event_reminders WHERE user_id = $1 AND calendar = $2`

	sqlGiveReminders = `UPDATE event_reminders SET given_until = $3, next_at = $4 WHERE user_id = $1 AND calendar = $2`

	sqlEventReminders = `SELECT given_until, next_at FROM event_reminders WHERE user_id = $1 AND calendar = $2`
)

var dueEventReminders = queueOf("event_reminders", "q.next_at <= $1", "q.next_at, q.user_id, q.calendar")

// lookForReminders has reminders of own calendars looked for.
func (t tx) lookForReminders(b *batch, calendars ...int32) {
	b.exec(sqlLookForReminders, nil, t.user(), calendars, t.at())
}

// RemindOfEvents notes how far reminders of a calendar's events were given.
func (t tx) RemindOfEvents(ctx context.Context, calendar int, given store.EventReminders, ids []string) error {
	of := model.KeptCalendar{Number: calendar, Source: model.CalendarOwn}
	b := newBatch()
	b.exec(sqlGiveReminders, all(1, store.ErrNotFound), t.user(), int32(calendar), instantArg(given.GivenUntil),
		instantArg(given.NextAt))
	return t.write(ctx, "remind of events", b, func() []change {
		log := make([]change, len(ids))
		for i, id := range ids {
			log[i] = remoteChange(rows.EventChange(of, id, model.OperationReminded, ""))
		}
		return log
	})
}

// EventReminders returns how far reminders of an own calendar's events were given.
func (d reader) EventReminders(ctx context.Context, user model.UserID,
	calendar int) (given store.EventReminders, err error) {
	found := false
	b := newBatch()
	b.query(sqlEventReminders, func(r *row) { found = true; given.GivenUntil, given.NextAt = r.time(), r.time() },
		userArg(user), int32(calendar))
	if err := d.run(ctx, "read reminders of events", b); err != nil {
		return given, err
	}
	if !found {
		return given, store.ErrNotFound
	}
	return given, nil
}

// DueEventReminders returns up to limit own calendars of any users whose reminders are to be looked at.
func (s *Store) DueEventReminders(ctx context.Context, now time.Time,
	limit int) ([]store.DueEventReminders, error) {
	found, err := due(ctx, s, dueEventReminders, "q.user_id, q.calendar, q.next_at",
		func(r *row, one *store.DueEventReminders) {
			*one = store.DueEventReminders{User: model.UserID(r.uuid()), Calendar: int(r.int32()), At: r.time()}
		}, now, limit)
	if err != nil {
		return nil, fmt.Errorf("postgres: read due reminders of events: %w", err)
	}
	return found, nil
}

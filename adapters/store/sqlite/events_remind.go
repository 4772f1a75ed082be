package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// lookForReminders has reminders of an own calendar looked for at once, unless some are due already: those must still
// be given.
func (f *frame) lookForReminders(q *session, calendar model.KeptCalendar) error {
	if calendar.Source != model.CalendarOwn {
		return nil
	}
	_, err := q.write(`INSERT INTO event_reminders (user_id, calendar, given_until, next_at) VALUES (?1, ?2, ?3, ?3)
ON CONFLICT (user_id, calendar) DO UPDATE SET given_until = excluded.given_until, next_at = excluded.next_at
WHERE event_reminders.next_at > excluded.next_at`, userArg(f.user), intArg(calendar.Number), instantArg(f.at))
	return err
}

// RemindOfEvents: see store.EventWriter.
func (f *frame) RemindOfEvents(ctx context.Context, calendar int, given store.EventReminders, ids []string) error {
	err := f.atomically(ctx, func(q *session) error {
		of, err := f.calendar(q, calendar)
		if err != nil {
			return err
		}
		if err := q.writeOne(`UPDATE event_reminders SET given_until = ?, next_at = ? WHERE user_id = ? AND calendar = ?`,
			instantArg(given.GivenUntil), instantArg(given.NextAt), userArg(f.user), intArg(calendar)); err != nil {
			return err
		}
		log := make([]model.Change, len(ids))
		for i, id := range ids {
			log[i] = rows.EventChange(of, id, model.OperationReminded, "")
		}
		return f.logRemote(q, log)
	})
	return wrap("remind of events", err)
}

// EventReminders: see store.EventReader.
func (r reader) EventReminders(ctx context.Context, user model.UserID, calendar int) (store.EventReminders, error) {
	return answer(ctx, r, "reminders of events", oneStatement, func(q *session) (store.EventReminders, error) {
		var found []store.EventReminders
		err := q.readSQL(`SELECT given_until, next_at FROM event_reminders WHERE user_id = ? AND calendar = ?`,
			func(stmt *sqlite.Stmt) error {
				found = append(found, store.EventReminders{GivenUntil: columnTime(stmt, 0), NextAt: columnTime(stmt, 1)})
				return nil
			}, userArg(user), intArg(calendar))
		if err != nil {
			return store.EventReminders{}, err
		}
		return theOne(found, nil)
	})
}

// DueEventReminders: see store.Maintainer. The index has them by time, so it is read as far as they are due.
func (s *Store) DueEventReminders(ctx context.Context, now time.Time,
	limit int) (due []store.DueEventReminders, err error) {
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(`SELECT user_id, calendar, next_at FROM event_reminders INDEXED BY event_reminders_due
WHERE next_at <= ? ORDER BY next_at, user_id, calendar LIMIT ?`, func(stmt *sqlite.Stmt) error {
			due = append(due, store.DueEventReminders{User: model.UserID(columnID(stmt, 0)), Calendar: stmt.ColumnInt(1),
				At: columnTime(stmt, 2)})
			return nil
		}, instantArg(now), intArg(max(limit, 0)))
	})
	return due, wrap("due reminders of events", err)
}

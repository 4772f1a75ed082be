package sqlite

import (
	"context"
	"strconv"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

var (
	sqlInsertCalendar = insertSQL(&store.CalendarTable)
	sqlUpsertCalendar = upsertSQL(&store.CalendarTable, "user_id, number")
	sqlSaveEvent      = upsertSQL(&store.EventTable, "user_id, calendar, id")
)

const sqlSaveBody = `INSERT INTO event_bodies (user_id, calendar, id, body, folded) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (user_id, calendar, id) DO UPDATE SET body = excluded.body, folded = excluded.folded`

// countUp adds one to a number of the user's row and returns it.
func (f *frame) countUp(q *session, column string) (n int64, err error) {
	_, err = q.writeReturning("UPDATE users SET "+column+" = "+column+" + 1 WHERE user_id = ? RETURNING "+column,
		func(stmt *sqlite.Stmt) error {
			n = stmt.ColumnInt64(0)
			return nil
		}, userArg(f.user))
	return n, err
}

// calendar reads a calendar that was not deleted. store.ErrNotFound.
func (f *frame) calendar(q *session, number int) (model.KeptCalendar, error) {
	var found []model.KeptCalendar
	err := q.readSQL("SELECT "+calendarColumns.names("")+
		" FROM calendars WHERE user_id = ? AND number = ? AND state <> 'DELETED'",
		into(&found, calendarColumns.readRow), userArg(f.user), intArg(number))
	return theOne(found, err)
}

// InsertCalendar: see store.EventWriter.
func (f *frame) InsertCalendar(ctx context.Context, calendar model.KeptCalendar) (model.KeptCalendar, error) {
	return changing(ctx, f, "insert calendar", func(q *session) (model.KeptCalendar, error) {
		kept, err := rows.Calendar(calendar)
		if err != nil {
			return kept, err
		}
		others, _, err := q.number(`SELECT count(*) FROM calendars WHERE user_id = ? AND state <> 'DELETED'`, userArg(f.user))
		if err != nil {
			return kept, err
		}
		if others >= model.MaxKeptCalendars {
			return kept, store.ErrConflict
		}
		_, taken, err := q.number(`SELECT 1 FROM calendars WHERE user_id = ? AND connection = ? AND remote_id = ?
AND connection > 0 AND state <> 'DELETED'`, userArg(f.user), intArg(kept.Connection), textArg(kept.RemoteID))
		if err != nil {
			return kept, err
		}
		if taken {
			return kept, store.ErrConflict
		}
		number, err := f.countUp(q, "calendar_number")
		if err != nil {
			return kept, err
		}
		if kept.Number = int(number); kept.Version == "" {
			if kept.Version, err = f.nextVersion(q); err != nil {
				return kept, err
			}
		}
		args, err := argsOf(f.user, &store.CalendarTable, &kept)
		if err != nil {
			return kept, err
		}
		if _, err := q.write(sqlInsertCalendar, args...); err != nil {
			return kept, err
		}
		return kept, f.logRemote(q, []model.Change{rows.CalendarChange(kept, model.OperationCreated)})
	})
}

// nextVersion is the user's next event number as a version.
func (f *frame) nextVersion(q *session) (string, error) {
	n, err := f.countUp(q, "event_number")
	return strconv.FormatInt(n, 10), err
}

// UpdateCalendar: see store.EventWriter.
func (f *frame) UpdateCalendar(ctx context.Context, calendar model.KeptCalendar) (version string, err error) {
	return changing(ctx, f, "update calendar", func(q *session) (string, error) {
		kept, err := rows.Calendar(calendar)
		if err != nil {
			return "", err
		}
		was, err := f.calendar(q, kept.Number)
		if err != nil {
			return "", err
		}
		if kept.Version, err = f.nextVersion(q); err != nil {
			return "", err
		}
		kept.Source, kept.Connection, kept.RemoteID, kept.CreatedAt = was.Source, was.Connection, was.RemoteID, was.CreatedAt
		args, err := argsOf(f.user, &store.CalendarTable, &kept)
		if err != nil {
			return "", err
		}
		if _, err := q.write(sqlUpsertCalendar, args...); err != nil {
			return "", err
		}
		if err := f.lookForReminders(q, kept); err != nil {
			return "", err
		}
		return kept.Version, f.logRemote(q, []model.Change{rows.CalendarChange(kept, model.OperationUpdated)})
	})
}

// DeleteCalendar: see store.EventWriter.
func (f *frame) DeleteCalendar(ctx context.Context, number int, at time.Time) error {
	err := f.atomically(ctx, func(q *session) error {
		was, err := f.calendar(q, number)
		if err != nil {
			return err
		}
		if _, err := q.write(`UPDATE calendars SET state = 'DELETED', updated_at = ? WHERE user_id = ? AND number = ?`,
			instantArg(at), userArg(f.user), intArg(number)); err != nil {
			return err
		}
		for _, table := range []string{"event_reminders", "calendar_links"} {
			if _, err := q.write("DELETE FROM "+table+" WHERE user_id = ? AND calendar = ?", userArg(f.user),
				intArg(number)); err != nil {
				return err
			}
		}
		if err := f.eraseActions(q, []model.UUID{was.Ref().ID().UUID}); err != nil {
			return err
		}
		was.Version = ""
		return f.logRemote(q, []model.Change{rows.CalendarChange(was, model.OperationDeleted)})
	})
	return wrap("delete calendar", err)
}

// SaveEvents: see store.EventWriter.
func (f *frame) SaveEvents(ctx context.Context, events []model.EventRow) (int64, error) {
	saved, err := changing(ctx, f, "save events", func(q *session) (store.AppliedEvents, error) {
		return f.saveEvents(q, events, nil)
	})
	return saved.Number, err
}

// ApplyEvents: see store.EventWriter.
func (f *frame) ApplyEvents(ctx context.Context, events []model.EventRow, ticket int64) (store.AppliedEvents, error) {
	return changing(ctx, f, "apply events", func(q *session) (store.AppliedEvents, error) {
		return f.saveEvents(q, events, &ticket)
	})
}

// saveEvents is SaveEvents and, with a ticket, ApplyEvents.
func (f *frame) saveEvents(q *session, events []model.EventRow, ticket *int64) (done store.AppliedEvents, err error) {
	if done.Number, err = f.countUp(q, "event_number"); err != nil {
		return done, err
	}
	calendars := map[int]model.KeptCalendar{}
	var log []model.Change
	for _, event := range events {
		calendar, known := calendars[event.Calendar]
		if !known {
			if calendar, err = f.calendar(q, event.Calendar); err != nil {
				return done, err
			}
			calendars[event.Calendar] = calendar
		}
		if event.Version == "" {
			event.Version = strconv.FormatInt(done.Number, 10)
		}
		before, err := f.eventBefore(q, event.Key())
		if err != nil {
			return done, err
		}
		if ticket != nil && before.Uncertain(event, *ticket) && before.Applied != done.Number {
			done.Uncertain = append(done.Uncertain, event.Key())
			continue
		}
		event.Applied = done.Number
		if err := f.saveEvent(q, event); err != nil {
			return done, err
		}
		ofSeries, err := f.ofSeries(q, event, events)
		if err != nil {
			return done, err
		}
		operation, tell := rows.EventOperation(before, event, ofSeries)
		if !tell || calendar.State != model.CalendarKept {
			continue
		}
		change := rows.EventChange(calendar, event.ID, operation, event.Version)
		if ticket != nil {
			last, err := f.lastRemote(q, change.ID)
			if err != nil {
				return done, err
			}
			if last != nil && rows.SaysAlready(*last, change) {
				done.Echoes++
				continue
			}
		}
		log = append(log, change)
	}
	for _, calendar := range calendars {
		if err := f.lookForReminders(q, calendar); err != nil {
			return done, err
		}
	}
	done.Told = len(log)
	return done, f.logRemote(q, log)
}

// eventBefore reads what is known of an event before it is written; nil for one that is not there.
func (f *frame) eventBefore(q *session, key model.EventKey) (before *rows.EventBefore, err error) {
	err = q.readSQL(`SELECT kind, version, applied FROM events WHERE user_id = ? AND calendar = ? AND id = ?`,
		func(stmt *sqlite.Stmt) error {
			before = &rows.EventBefore{Kind: model.EventKind(stmt.ColumnText(0)), Version: stmt.ColumnText(1),
				Applied: stmt.ColumnInt64(2)}
			return nil
		}, userArg(f.user), intArg(key.Calendar), textArg(key.ID))
	return before, err
}

// ofSeries reports whether an event is an exception to a series that is there, or written with it.
func (f *frame) ofSeries(q *session, event model.EventRow, with []model.EventRow) (bool, error) {
	if !event.Kind.IsException() {
		return false, nil
	}
	series, err := f.eventBefore(q, rows.SeriesKey(event))
	return rows.OfSeries(event, series, with), err
}

// saveEvent writes one event.
func (f *frame) saveEvent(q *session, event model.EventRow) error {
	event, err := rows.Event(event)
	if err != nil {
		return err
	}
	args, err := argsOf(f.user, &store.EventTable, &event)
	if err != nil {
		return err
	}
	if _, err := q.write(sqlSaveEvent, args...); err != nil || event.Body == nil {
		return err
	}
	body, text, err := rows.Body(event)
	if err != nil {
		return err
	}
	_, err = q.write(sqlSaveBody, userArg(f.user), intArg(event.Calendar), textArg(event.ID), textArg(body),
		textArg(fold.Text(text)))
	return err
}

// SaveReading: see store.EventWriter.
func (f *frame) SaveReading(ctx context.Context, calendar int, reading store.CalendarReading) error {
	err := f.atomically(ctx, func(q *session) error {
		n, err := q.write(`UPDATE calendars
SET state = ?, generation = ?, page_token = ?, shape = ?, as_of = ?, updated_at = ?, writes = ?
WHERE user_id = ? AND number = ? AND state <> 'DELETED'`, textArg(string(reading.State)), intArg(reading.Generation),
			textArg(reading.PageToken), intArg(reading.Shape), timeArg(reading.AsOf), instantArg(reading.UpdatedAt),
			intArg(int(reading.Writes)), userArg(f.user), intArg(calendar))
		if err == nil && n == 0 {
			return store.ErrNotFound
		}
		return err
	})
	return wrap("save a reading", err)
}

// ForgetTombstones: see store.EventWriter.
func (f *frame) ForgetTombstones(ctx context.Context, calendar int, before time.Time) error {
	err := f.atomically(ctx, func(q *session) error {
		const old = ` WHERE user_id = ?1 AND calendar = ?2 AND kind = 'TOMBSTONE' AND updated_at < ?3`
		args := []arg{userArg(f.user), intArg(calendar), instantArg(before)}
		if _, err := q.write(`DELETE FROM event_bodies WHERE user_id = ?1 AND calendar = ?2 AND id IN (
	SELECT id FROM events INDEXED BY events_tombstones`+old+")", args...); err != nil {
			return err
		}
		_, err := q.write("DELETE FROM events INDEXED BY events_tombstones"+old, args...)
		return err
	})
	return wrap("forget tombstones", err)
}

// DeleteEvents: see store.EventWriter.
func (f *frame) DeleteEvents(ctx context.Context, keys []model.EventKey) ([]model.EventKey, error) {
	return changing(ctx, f, "delete events", func(q *session) (deleted []model.EventKey, err error) {
		keys := rows.DistinctOf(keys)
		all := keys[:len(keys):len(keys)]
		for _, key := range keys {
			if err := q.readSQL("SELECT e.id FROM events e INDEXED BY events_exceptions WHERE e.user_id = ? AND e.calendar = ?"+
				" AND e.series = ?"+sqlExceptional+" ORDER BY e.original_at", func(stmt *sqlite.Stmt) error {
				all = append(all, model.EventKey{Calendar: key.Calendar, ID: stmt.ColumnText(0)})
				return nil
			}, userArg(f.user), intArg(key.Calendar), textArg(key.ID)); err != nil {
				return nil, err
			}
		}
		var log []model.Change
		calendars := map[int]*model.KeptCalendar{}
		for _, key := range rows.DistinctOf(all) {
			calendar, known := calendars[key.Calendar]
			if !known {
				if found, err := f.calendar(q, key.Calendar); err == nil {
					calendar = &found
				} else if err != store.ErrNotFound { //nolint:errorlint // nothing has wrapped it
					return nil, err
				}
				calendars[key.Calendar] = calendar
			}
			if calendar == nil {
				continue
			}
			args := []arg{userArg(f.user), intArg(key.Calendar), textArg(key.ID)}
			kind := model.EventKind("")
			there, err := q.writeReturning(`DELETE FROM events WHERE user_id = ? AND calendar = ? AND id = ? RETURNING kind`,
				func(stmt *sqlite.Stmt) error { kind = model.EventKind(stmt.ColumnText(0)); return nil }, args...)
			if err != nil {
				return nil, err
			}
			if there == 0 {
				continue
			}
			if _, err := q.write(`DELETE FROM event_bodies WHERE user_id = ? AND calendar = ? AND id = ?`, args...); err != nil {
				return nil, err
			}
			deleted = append(deleted, key)
			if kind != model.EventDropped && kind != model.EventTombstone && calendar.State == model.CalendarKept {
				log = append(log, rows.EventChange(*calendar, key.ID, model.OperationDeleted, ""))
			}
		}
		return deleted, f.logRemote(q, log)
	})
}

// EraseEvents: see store.EventEraser.
func (s *Store) EraseEvents(ctx context.Context, user model.UserID, limit int) (more bool, err error) {
	err = s.writing(ctx, user, func(q *session) error {
		more, err = eraseEvents(q, user, max(limit, 1))
		return err
	})
	return more, wrap("erase events", err)
}

// eraseEvents erases up to limit events of a user's deleted calendars and, when none is left, the calendars.
func eraseEvents(q *session, user model.UserID, limit int) (more bool, err error) {
	const deleted = ` WHERE user_id = ?1 AND calendar IN (
	SELECT number FROM calendars WHERE user_id = ?1 AND state = 'DELETED')`
	erased := 0
	for _, table := range []string{"event_bodies", "events"} {
		n, err := q.write("DELETE FROM "+table+" WHERE user_id = ?1 AND (calendar, id) IN (SELECT calendar, id FROM "+table+
			deleted+" LIMIT ?2)", userArg(user), intArg(limit-erased))
		if err != nil {
			return false, err
		}
		if erased += n; erased >= limit {
			return true, noteErasure(q)
		}
	}
	gone, err := q.write(`DELETE FROM calendars WHERE user_id = ? AND state = 'DELETED'`, userArg(user))
	if err != nil || gone+erased == 0 {
		return false, err
	}
	return false, noteErasure(q)
}

// DeletedCalendars: see store.EventEraser.
func (s *Store) DeletedCalendars(ctx context.Context, limit int) ([]model.UserID, error) {
	return answer(ctx, s.reader, "deleted calendars", oneStatement,
		func(q *session) ([]model.UserID, error) { return deletedUsers(q, limit) })
}

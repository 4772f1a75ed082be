package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// DueReminders: see store.Maintainer. The index has reminders by time, so it is read as far as they are due.
func (s *Store) DueReminders(ctx context.Context, now time.Time, limit int) (due []store.DueReminder, err error) {
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(
			`SELECT user_id, id, next_reminder_at FROM tasks INDEXED BY tasks_reminders
WHERE next_reminder_at IS NOT NULL AND next_reminder_at <= ? ORDER BY next_reminder_at, user_id, id LIMIT ?`,
			func(stmt *sqlite.Stmt) error {
				due = append(due, store.DueReminder{User: model.UserID(columnID(stmt, 0)), Task: columnID(stmt, 1),
					At: columnTime(stmt, 2)})
				return nil
			}, instantArg(now), intArg(max(limit, 0)))
	})
	return due, wrap("due reminders", err)
}

// sweepAtOnce is how many rows one transaction of a sweep deletes, so that writers wait for a moment only.
const sweepAtOnce = 1000

// Sweep: see store.Maintainer. It works in many small transactions; one that fails leaves the rest for the next time.
// It also scrubs the file of what was erased.
func (s *Store) Sweep(ctx context.Context, now time.Time, keepChanges time.Duration) error {
	for _, table := range [...]struct{ name, key string }{{"idempotency", "key"}, {"confirmations", "id"}} {
		sql := fmt.Sprintf(
			`DELETE FROM %[1]s WHERE (user_id, %[2]s) IN (
	SELECT user_id, %[2]s FROM %[1]s INDEXED BY %[1]s_expires WHERE expires_at <= ? LIMIT ?)`,
			table.name, table.key)
		if err := s.deleteAll(ctx, sql, instantArg(now), intArg(sweepAtOnce)); err != nil {
			return wrap("sweep "+table.name, err)
		}
	}
	if err := s.deleteAll(ctx, sqlForgetOutgoing, instantArg(now), intArg(sweepAtOnce)); err != nil {
		return wrap("sweep outbox", err)
	}
	if err := s.deleteAll(ctx, sqlForgetWebsetEvents, instantArg(now), intArg(sweepAtOnce)); err != nil {
		return wrap("sweep webset events", err)
	}
	if err := s.sweepActions(ctx, now); err != nil {
		return err
	}
	if err := store.EraseDeletedCalendars(ctx, s); err != nil {
		return wrap("sweep calendars", err)
	}
	var users []model.UserID
	err := s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(`SELECT user_id FROM users WHERE change_seq > pruned_seq`, func(stmt *sqlite.Stmt) error {
			users = append(users, model.UserID(columnID(stmt, 0)))
			return nil
		})
	})
	if err != nil {
		return wrap("sweep changes", err)
	}
	for _, user := range users {
		if err := s.prune(ctx, user, now.Add(-keepChanges)); err != nil {
			return wrap("sweep changes", err)
		}
	}
	if err := s.indexTasks(ctx); err != nil {
		return wrap("index tasks for searches", err)
	}
	return wrap("scrub the file", s.scrub(ctx))
}

// deleteAll repeats a statement that deletes a part until nothing is left to delete.
func (s *Store) deleteAll(ctx context.Context, sql string, args ...arg) error {
	for deleted := 1; deleted > 0; {
		if err := s.exclusively(ctx, func(q *session) (err error) {
			deleted, err = q.write(sql, args...)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// prune forgets a user's changes of before a time, from the first one on. What is to be pruned is looked for by
// reading, so a user without any costs the writers nothing.
func (s *Store) prune(ctx context.Context, user model.UserID, before time.Time) error {
	for {
		last := int64(0)
		if err := s.reading(ctx, oneStatement, func(q *session) error {
			// The log is read from its beginning up to the first change that stays, or as far as one transaction goes.
			return q.readSQL(`SELECT seq, at FROM changes WHERE user_id = ? ORDER BY seq LIMIT ?`,
				func(stmt *sqlite.Stmt) error {
					if columnTime(stmt, 1).Before(before) {
						last = stmt.ColumnInt64(0)
						return nil
					}
					return errStop
				}, userArg(user), intArg(sweepAtOnce))
		}); err != nil && !errors.Is(err, errStop) {
			return err
		}
		if last == 0 {
			return nil
		}
		if err := s.exclusively(ctx, func(q *session) error {
			if _, err := q.write(`DELETE FROM changes WHERE user_id = ? AND seq <= ?`, userArg(user), intArg(last)); err != nil {
				return err
			}
			_, err := q.write(`UPDATE users SET pruned_seq = max(pruned_seq, ?) WHERE user_id = ?`, intArg(last), userArg(user))
			return err
		}); err != nil {
			return err
		}
	}
}

// Secret: see store.Maintainer.
func (s *Store) Secret(ctx context.Context, name string, fresh []byte) (secret []byte, err error) {
	const look = `SELECT value FROM secrets WHERE name = ?`
	read := func(q *session) error {
		return q.readSQL(look, func(stmt *sqlite.Stmt) error { secret = columnBytes(stmt, 0); return nil }, textArg(name))
	}
	if err := s.reading(ctx, oneStatement, read); err != nil || secret != nil {
		return secret, wrap("secret", err)
	}
	err = s.exclusively(ctx, func(q *session) error {
		if _, err := q.write(`INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING`, textArg(name),
			bytesArg(fresh)); err != nil {
			return err
		}
		return read(q)
	})
	return secret, wrap("secret", err)
}

// Load: see store.Maintainer.
func (s *Store) Load() store.Load {
	most := cap(s.readers.permits)
	load := store.Load{Connections: most + 1, Busy: most - len(s.readers.permits), Writing: int(s.waiting.Load())}
	if len(s.turn) == 0 {
		load.Busy++
	}
	return load
}

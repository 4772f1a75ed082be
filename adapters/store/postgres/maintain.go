package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// sqlDue reads the beginning of the index of reminders, which has them by time, and nothing else.
const sqlDue = `SELECT user_id, id, next_reminder_at FROM tasks WHERE next_reminder_at <= $1
ORDER BY next_reminder_at, user_id, id LIMIT $2`

// DueReminders gives up to limit tasks of any users whose reminder is due, the longest due first.
func (s *Store) DueReminders(ctx context.Context, now time.Time, limit int) ([]store.DueReminder, error) {
	var due []store.DueReminder
	b := newBatch()
	b.query(sqlDue, func(r *row) {
		due = append(due, store.DueReminder{User: model.UserID(r.uuid()), Task: r.uuid(), At: r.time()})
	}, instantArg(now), int64(max(limit, 0)))
	if err := s.run(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: read due reminders: %w", err)
	}
	return due, nil
}

// forgetting are the statements of a sweep. Each forgets up to $2 rows of any users whose time has come by $1; it names
// them in the order of the index by that time, since a server that does not know the moment expects a third of the
// table.
var forgetting = []string{
	"DELETE FROM idempotency WHERE " + firstOf("idempotency", "key", "expires_at < $1", "expires_at"),
	"DELETE FROM confirmations WHERE " + firstOf("confirmations", "id", "expires_at < $1", "expires_at"),
	"DELETE FROM outbox WHERE " + firstOf("outbox", "id", "forget_at <= $1", "forget_at"),
	"DELETE FROM webset_events WHERE " + firstOf("webset_events", "event", "forget_at <= $1", "forget_at"),
	"UPDATE actions SET inverse = NULL WHERE " +
		firstOf("actions", "id", "inverse IS NOT NULL AND undo_until <= $1", "undo_until"),
	`WITH forgotten AS MATERIALIZED (
	SELECT user_id, id FROM actions WHERE forget_at <= $1 ORDER BY forget_at LIMIT $2
), gone AS (
	DELETE FROM action_records AS r USING forgotten AS f WHERE r.user_id = f.user_id AND r.action_id = f.id
)
DELETE FROM actions WHERE (user_id, id) IN (SELECT user_id, id FROM forgotten)`,
	"DELETE FROM audit_log WHERE " + firstOf("audit_log", "id", "forget_at <= $1", "forget_at"),
}

// firstOf returns the condition that a row is one of the first $2 in an order that fulfil one.
func firstOf(table, key, where, order string) string {
	return "(user_id, " + key + ") IN (SELECT user_id, " + key + " FROM " + table + " WHERE " + where + " ORDER BY " +
		order + " LIMIT $2)"
}

const (
	// sqlPrune prunes the changes of some users, those after $1, and returns the last of them. Of each user it finds the
	// first change that is kept, from the oldest on, so it reads only what it deletes. What is pruned is always a
	// beginning of the log, also where the clock once went back.
	sqlPrune = `WITH chunk AS (
	SELECT user_id, change_seq, pruned_seq FROM users WHERE user_id > $1 AND change_seq > pruned_seq ORDER BY user_id
	LIMIT $3
), ends AS (
	SELECT user_id, coalesce((
		SELECT c.seq - 1 FROM changes AS c WHERE c.user_id = chunk.user_id AND c.seq > chunk.pruned_seq AND c.at >= $2
		ORDER BY c.seq LIMIT 1
	), change_seq) AS last FROM chunk
), moved AS (
	UPDATE users AS u SET pruned_seq = ends.last FROM ends WHERE u.user_id = ends.user_id AND ends.last > u.pruned_seq
	RETURNING u.user_id, ends.last
), gone AS (
	DELETE FROM changes AS c USING moved WHERE c.user_id = moved.user_id AND c.seq <= moved.last
)
SELECT user_id FROM chunk ORDER BY user_id DESC LIMIT 1`

	// sweepUsers bounds how many users one statement of the pruning locks.
	sweepUsers = 200
	// sweepAtOnce bounds how many rows one statement forgets.
	sweepAtOnce = 1000
)

// Sweep forgets what has ended, and old changes, and makes and drops the indexes of those who have many vectors. It
// goes in small steps, so that nobody's write waits long for it; several processes may sweep at the same time.
func (s *Store) Sweep(ctx context.Context, now time.Time, keepChanges time.Duration) error {
	for _, sql := range forgetting {
		for more := true; more; {
			b := newBatch()
			b.exec(sql, func(tag pgconn.CommandTag) error {
				more = tag.RowsAffected() == sweepAtOnce
				return nil
			}, instantArg(now), int64(sweepAtOnce))
			if err := s.write(ctx, b); err != nil {
				return fmt.Errorf("postgres: sweep: %w", err)
			}
		}
	}
	if err := store.EraseDeletedCalendars(ctx, s); err != nil {
		return err
	}
	var last model.UUID
	for more := true; more; {
		more = false
		b := newBatch()
		b.query(sqlPrune, func(r *row) { last, more = r.uuid(), true }, uuidArg(last), instantArg(now.Add(-keepChanges)),
			int64(sweepUsers))
		if err := s.write(ctx, b); err != nil {
			return fmt.Errorf("postgres: prune the change log: %w", err)
		}
	}
	return s.indexTrouble(ctx, errors.Join(s.tendSearchIndex(ctx), s.tendIndexes(ctx)))
}

const (
	sqlSecret     = `SELECT value FROM secrets WHERE name = $1`
	sqlMakeSecret = `INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`
)

// Secret returns the server's secret of that name; the first call ever stores fresh, and all processes see that one.
func (s *Store) Secret(ctx context.Context, name string, fresh []byte) ([]byte, error) {
	if err := rows.Text(name); err != nil {
		return nil, err
	}
	var secret []byte
	there := false
	look := func(b *batch) {
		b.query(sqlSecret, func(r *row) { secret, there = r.bytes(), true }, name)
	}
	b := newBatch()
	look(b)
	if err := s.run(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: read a secret: %w", err)
	}
	if there {
		return secret, nil
	}
	if fresh == nil {
		fresh = []byte{}
	}
	b = newBatch()
	b.exec(sqlMakeSecret, nil, name, fresh)
	look(b) // another process may have been first; this statement sees what it stored
	if err := s.write(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: make a secret: %w", err)
	}
	return secret, nil
}

// errOlderSchema: this program is newer than the database.
var errOlderSchema = errors.New("the database's schema is older than this program; run: almanac migrate")

const sqlSchemaNumber = `SELECT coalesce(max(number), 0) FROM schema_migrations`

// Ready reports whether the database answers and its schema is this program's.
func (s *Store) Ready(ctx context.Context) error {
	var number int32
	b := newBatch()
	b.query(sqlSchemaNumber, func(r *row) { number = r.int32() })
	err := s.run(ctx, b)
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == codeUndefinedTable {
		number, err = 0, nil
	}
	if err != nil {
		return fmt.Errorf("postgres: ready: %w", err)
	}
	steps, err := steps()
	if err != nil {
		return err
	}
	switch own := len(steps); {
	case int(number) > own:
		return newerSchema(int(number), own)
	case int(number) < own:
		return fmt.Errorf("postgres: %w (it has number %d of %d)", errOlderSchema, number, own)
	}
	if err := s.full.Probe(func() error { return s.probe(ctx) }); err != nil {
		return fmt.Errorf("postgres: ready: %w", err)
	}
	return nil
}

const (
	sqlProbe    = `INSERT INTO secrets (name, value) VALUES ($1, $2)`
	sqlEndProbe = `DELETE FROM secrets WHERE name = $1`
)

// probe commits a write that leaves nothing behind but dead rows.
func (s *Store) probe(ctx context.Context) error {
	content := make([]byte, store.ProbeBytes)
	if _, err := rand.Read(content); err != nil { // what can be compressed takes no room
		return err
	}
	b := newBatch()
	b.exec(sqlProbe, nil, "probe", content)
	b.exec(sqlEndProbe, nil, "probe")
	return s.background(ctx, b)
}

// Load tells what the driver has to do now.
func (s *Store) Load() store.Load {
	pool := s.pool.Stat()
	return store.Load{Connections: int(pool.MaxConns()), Busy: int(pool.AcquiredConns()), Writing: s.turns.queued()}
}

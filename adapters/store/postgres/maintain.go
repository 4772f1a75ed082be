package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// dueReminders reads the beginning of the index of reminders, which has them by time, and nothing else.
var dueReminders = queueOf("tasks", "q.next_reminder_at <= $1", "q.next_reminder_at, q.user_id, q.id")

// DueReminders returns up to limit tasks of any users whose reminder is due, the longest due first.
func (s *Store) DueReminders(ctx context.Context, now time.Time, limit int) ([]store.DueReminder, error) {
	found, err := due(ctx, s, dueReminders, "q.user_id, q.id, q.next_reminder_at",
		func(r *row, one *store.DueReminder) {
			*one = store.DueReminder{User: model.UserID(r.uuid()), Task: r.uuid(), At: r.time()}
		}, now, limit)
	if err != nil {
		return nil, fmt.Errorf("postgres: read due reminders: %w", err)
	}
	return found, nil
}

// forgetting is what a sweep forgets: what a queue has, by its key, and a statement of the user $1 that forgets those
// of the keys $2 whose time has still come by $3. Rows are named by their keys, since a server that does not know how
// many rows a user has would look for them among all of the user's.
type forgetting struct {
	due      queue
	key, sql string
}

// forget deletes rows of a table whose key has a type.
func forget(table, key, kind, where string) forgetting {
	at, _, _ := strings.Cut(where, " ")
	return forgetting{queueOf(table, "q."+where+" $1", "q."+at), key,
		"DELETE FROM " + table + " WHERE user_id = $1 AND " + key + " = ANY($2::text[]::" + kind + "[]) AND " + where + " $3"}
}

var forgotten = []forgetting{
	forget("idempotency", "key", "text", "expires_at <"),
	forget("confirmations", "id", "uuid", "expires_at <"),
	forget("outbox", "id", "uuid", "forget_at <="),
	forget("webset_events", "event", "text", "forget_at <="),
	{queueOf("actions", "q.inverse IS NOT NULL AND q.undo_until <= $1", "q.undo_until"), "id",
		`UPDATE actions SET inverse = NULL
WHERE user_id = $1 AND id = ANY($2::text[]::uuid[]) AND inverse IS NOT NULL AND undo_until <= $3`},
	{queueOf("actions", "q.forget_at <= $1", "q.forget_at"), "id", `WITH forgotten AS MATERIALIZED (
	SELECT id FROM actions WHERE user_id = $1 AND id = ANY($2::text[]::uuid[]) AND forget_at <= $3
), gone AS (
	DELETE FROM action_records AS r USING forgotten AS f WHERE r.user_id = $1 AND r.action_id = f.id
)
DELETE FROM actions WHERE user_id = $1 AND id IN (SELECT id FROM forgotten)`},
	forget("audit_log", "id", "uuid", "forget_at <="),
}

const (
	// sqlPrunable names some users, those after $1, who have changes.
	sqlPrunable = `SELECT user_id FROM users WHERE user_id > $1 AND change_seq > pruned_seq ORDER BY user_id LIMIT $2`

	// sqlPrune prunes the changes of the user $1. It finds the first change that is kept, from the oldest on, so it reads
	// only what it deletes. What is pruned is always a beginning of the log, also where the clock once went back.
	sqlPrune = `WITH ends AS MATERIALIZED (
	SELECT coalesce((
		SELECT c.seq - 1 FROM changes AS c WHERE c.user_id = $1 AND c.seq > u.pruned_seq AND c.at >= $2
		ORDER BY c.seq LIMIT 1
	), u.change_seq) AS last FROM users AS u WHERE u.user_id = $1
), moved AS (
	UPDATE users AS u SET pruned_seq = ends.last FROM ends WHERE u.user_id = $1 AND ends.last > u.pruned_seq
	RETURNING ends.last
)
DELETE FROM changes AS c USING moved WHERE c.user_id = $1 AND c.seq <= moved.last`

	// sweepUsers bounds how many users one batch of the pruning locks.
	sweepUsers = 200
	// sweepAtOnce bounds how many rows one batch forgets.
	sweepAtOnce = 1000
)

// Sweep forgets what has ended, and old changes, and makes and drops the indexes of those who have many vectors. It
// goes in small steps, so that nobody's write waits long for it; several processes may sweep at the same time.
func (s *Store) Sweep(ctx context.Context, now time.Time, keepChanges time.Duration) error {
	for _, one := range forgotten {
		if err := s.forget(ctx, one, now); err != nil {
			return fmt.Errorf("postgres: sweep: %w", err)
		}
	}
	if err := store.EraseDeletedCalendars(ctx, s); err != nil {
		return err
	}
	if err := s.prune(ctx, now.Add(-keepChanges)); err != nil {
		return fmt.Errorf("postgres: prune the change log: %w", err)
	}
	return s.indexTrouble(ctx, errors.Join(s.tendSearchIndex(ctx), s.tendIndexes(ctx)))
}

// forget goes on until nothing is left, or nothing that it may touch: what belongs to users of a server that is down
// waits.
func (s *Store) forget(ctx context.Context, one forgetting, now time.Time) error {
	type entry struct {
		user model.UserID
		key  string
	}
	for more := true; more; {
		found, err := due(ctx, s, one.due, "q.user_id, q."+one.key+"::text", func(r *row, e *entry) {
			e.user, e.key = model.UserID(r.uuid()), string(r.raw())
		}, now, sweepAtOnce)
		if err != nil {
			return err
		}
		var users []model.UserID
		keys := map[model.UserID][]string{}
		for _, e := range found {
			users, keys[e.user] = append(users, e.user), append(keys[e.user], e.key)
		}
		done := int64(0)
		err = s.eachUser(ctx, users, func(b *batch, user model.UserID, _ int) {
			b.exec(one.sql, func(tag pgconn.CommandTag) error {
				done += tag.RowsAffected()
				return nil
			}, userArg(user), keys[user], instantArg(now))
		})
		if err != nil {
			return err
		}
		more = len(found) == sweepAtOnce && done > 0
	}
	return nil
}

func (s *Store) prune(ctx context.Context, before time.Time) error {
	var last model.UserID
	for more := true; more; {
		var users []model.UserID
		b := newBatch()
		b.query(sqlPrunable, appending(&users, func(r *row, user *model.UserID) { *user = model.UserID(r.uuid()) }),
			userArg(last), int64(sweepUsers))
		if err := s.run(ctx, b); err != nil {
			return err
		}
		err := s.eachUser(ctx, users, func(b *batch, user model.UserID, _ int) {
			b.exec(sqlPrune, nil, userArg(user), instantArg(before))
		})
		if err != nil {
			return err
		}
		if more = len(users) == sweepUsers; more {
			last = users[len(users)-1]
		}
	}
	return nil
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

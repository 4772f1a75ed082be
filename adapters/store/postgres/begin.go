package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

const (
	sqlBegin    = `BEGIN`
	sqlCommit   = `COMMIT`
	sqlRollback = `ROLLBACK`
	sqlLockUser = `SELECT change_seq FROM users WHERE user_id = $1 FOR NO KEY UPDATE`
	// sqlMakeUser makes a row that says only that the user exists; EnsureUser fills it in.
	sqlMakeUser = `INSERT INTO users (user_id, subject, email, time_zone, locale, week_start)
VALUES ($1, '', '', '', '', '')
ON CONFLICT (user_id) DO NOTHING`
)

// errNoUser says that the user has no row that could be locked.
var errNoUser = errors.New("the user has no row")

// A transaction begins with its first statement: BEGIN, the lock of the user's row and a first read are one round trip.
// The server runs the statements of a round trip one after another, and each sees what was committed before it began
// itself, so what is read behind the lock is read under it, as if it had been sent later. Only reads go with the lock,
// since a user who has no row yet is found out by it: then nothing of the read is handed out, the row is made and
// locked, and the read is run again.

// begin makes the transaction one of the server's and locks the user's row, which is made if there is none. with, if
// any, is run right after that, in the same round trip; it must only read, or change nothing for a user without a row.
// All of it may be tried twice, since nothing has been done yet, but for a read that has handed out rows.
func (t *transaction) begin(ctx context.Context, with *batch) error {
	for second := false; ; second = true {
		handedOut, err := t.lockUser(ctx, with)
		if err == nil || handedOut || second || ctx.Err() != nil || !worthAnotherTry(err) {
			return err
		}
		giveBack(t.conn) // ends the connection, and so the transaction
		t.conn, t.begun = nil, false
		if t.store.sessionLost(err) {
			t.store.pool.Reset()
		}
		if t.conn, err = t.store.acquire(ctx); err != nil {
			t.conn = nil
			return err
		}
	}
}

// lockUser is one try to begin; handedOut reports whether the read has given rows away.
func (t *transaction) lockUser(ctx context.Context, with *batch) (handedOut bool, err error) {
	try := func(first string, args ...any) error {
		b := newBatch()
		b.exec(first, nil, args...)
		b.statements = append(b.statements, statement{sql: sqlLockUser, args: []any{userArg(t.user)},
			read: func(r *row) {
				t.base, t.at, t.begun = r.int64(), t.store.now(), true
				b.started = false // nobody but the transaction has this row
			},
			done: func(pgconn.CommandTag) error {
				if !t.begun {
					return errNoUser
				}
				return nil
			}})
		if with != nil {
			b.statements = append(b.statements, with.statements...)
		}
		_, err := t.deliver(ctx, b)
		handedOut = b.started
		return err
	}
	if err = try(sqlBegin); err != nil && !errors.Is(err, errNoUser) {
		return handedOut, fmt.Errorf("begin: %w", err)
	}
	if err == nil {
		return handedOut, nil
	}
	if err = try(sqlMakeUser, userArg(t.user)); err != nil {
		return handedOut, fmt.Errorf("make the user's row: %w", err)
	}
	return handedOut, nil
}

// start begins a transaction that has not begun. t.mu must be held.
func (t *transaction) start(ctx context.Context, with *batch) error {
	err := t.begin(ctx, with)
	if err == nil {
		return nil
	}
	return t.spoiled(ctx, err, !t.begun)
}

// started begins the transaction unless it has begun, for what needs the number of the last change. t.mu must be held.
func (t *transaction) started(ctx context.Context) error {
	switch {
	case t.broken != nil:
		return t.broken
	case t.begun:
		return nil
	}
	within, cancel := t.store.bounded(ctx)
	defer cancel()
	return t.start(within, nil)
}

// spoiled notes what an error has left of the transaction, and explains it. unknown is whether the error leaves open
// what the server has done of what must not fail.
func (t *transaction) spoiled(ctx context.Context, err error, unknown bool) error {
	unsent := pgconn.SafeToRetry(err)
	err = explain(ctx, err)
	if t.conn == nil {
		t.broken = err
		return err
	}
	switch conn := t.conn.Conn().PgConn(); {
	case conn.IsClosed(), t.begun && conn.TxStatus() == statusIdle, unknown && !unsent:
		t.broken = err
	case conn.TxStatus() == statusFailed:
		t.failed = err
	}
	return err
}

// moment is when the changes of a transaction happen, as a parameter of what it writes: it is known only once the
// transaction has begun, which is before the parameters are written.
type moment struct{ of *transaction }

// TimestamptzValue implements pgtype.TimestamptzValuer.
func (m moment) TimestamptzValue() (pgtype.Timestamptz, error) { return instantArg(m.of.at), nil }

// at is the transaction's moment.
func (t tx) at() moment { return moment{t.level.tx} }

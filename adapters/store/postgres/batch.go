package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// batch is a number of statements that go to the database in one round trip, and what to do with their rows.
type batch struct {
	statements []statement
	// started tells that a row was handed out, so that the batch cannot be run again from the start.
	started bool
}

// statement is one statement of a batch. read is called with each row; done, if any, with the command's tag, which has
// the number of rows affected.
type statement struct {
	sql  string
	args []any
	read func(r *row)
	done func(tag pgconn.CommandTag) error
}

func newBatch() *batch { return &batch{statements: make([]statement, 0, 4)} }

// query adds a statement whose rows are wanted.
func (b *batch) query(sql string, read func(r *row), args ...any) {
	b.statements = append(b.statements, statement{sql: sql, args: args, read: read})
}

// exec adds a statement that returns no rows; done may be nil. An error of done is an error of the batch, but does not
// undo the statement.
func (b *batch) exec(sql string, done func(tag pgconn.CommandTag) error, args ...any) {
	b.statements = append(b.statements, statement{sql: sql, args: args, done: done})
}

// sql is the batch's text for the trace.
func (b *batch) sql() string {
	if len(b.statements) == 1 {
		return b.statements[0].sql
	}
	texts := make([]string, len(b.statements))
	for i := range b.statements {
		texts[i] = b.statements[i].sql
	}
	return strings.Join(texts, ";\n")
}

// A read of several statements must be of one moment, and at the usual level each statement has a moment of its own.
const (
	beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	endSnapshot   = "COMMIT"
)

// run sends the batch to the transaction that the context carries, or to a connection of the pool. All statements see
// one moment of the database. Outside a transaction it must only read, since it may be run twice.
func (s *Store) run(ctx context.Context, b *batch) error {
	if level := s.levelOf(ctx); level != nil {
		return level.run(ctx, b)
	}
	if s.trace != nil {
		s.trace(b.sql())
	}
	if len(b.statements) > 1 {
		b.statements = append([]statement{{sql: beginSnapshot}}, b.statements...)
		b.exec(endSnapshot, nil)
	}
	return s.background(ctx, b)
}

// write runs a batch in the transaction that the context carries, or by itself. It may be run twice, and its statements
// must be such that this is as good as once.
func (s *Store) write(ctx context.Context, b *batch) error {
	if level := s.levelOf(ctx); level != nil {
		return level.write(ctx, b, nil)
	}
	if s.trace != nil {
		s.trace(b.sql())
	}
	err := s.background(ctx, b)
	if err != nil {
		s.full.Note(err)
	}
	return err
}

// background sends a batch to a connection of the pool. By itself it is for what nobody has called: it is not traced,
// and takes part in no transaction.
func (s *Store) background(ctx context.Context, b *batch) error {
	within, cancel := s.bounded(ctx)
	defer cancel()
	return explain(ctx, s.lend(within, func(conn *pgxpool.Conn) error {
		_, err := s.send(within, conn.Conn(), b)
		if err != nil && b.started {
			return &finalError{err}
		}
		return err
	}))
}

// finalError marks an error after which nothing may be tried again.
type finalError struct{ error }

func (e *finalError) Unwrap() error { return e.error }

// lend lends f a connection of the pool. When the connection turns out to have ended meanwhile, because the server
// was restarted say, all idle ones are dropped, since they ended too, and f has a second try.
func (s *Store) lend(ctx context.Context, f func(conn *pgxpool.Conn) error) error {
	err := s.lendOnce(ctx, f)
	if err == nil || ctx.Err() != nil || !worthAnotherTry(err) {
		return err
	}
	if _, final := errors.AsType[*finalError](err); final {
		return err
	}
	if s.sessionLost(err) {
		s.pool.Reset()
	}
	return s.lendOnce(ctx, f)
}

func (s *Store) lendOnce(ctx context.Context, f func(conn *pgxpool.Conn) error) error {
	conn, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer giveBack(conn)
	return f(conn)
}

// giveBack returns a connection to the pool. One that was left in a transaction is ended. One that is closed already
// leaves its place at once: pgx goes on for up to 15 seconds to tell the server of it, and the pool would keep the
// place for as long, so that a server that answers again after it was silent would find no connection free to be asked
// on.
func giveBack(conn *pgxpool.Conn) {
	if conn.Conn().IsClosed() {
		conn.Hijack()
		return
	}
	conn.Release()
}

// bounded returns a context that ends after the store's own bound unless it ends by itself: whoever asks without a
// deadline must not wait for ever for a database that is silent.
func (s *Store) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ends := ctx.Deadline(); ends {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, s.callTimeout)
}

func (s *Store) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	for {
		if s.closed.Load() {
			return nil, errClosed
		}
		conn, err := s.pool.Acquire(ctx)
		if err != nil && s.closed.Load() {
			return nil, errClosed
		}
		if err != nil {
			return nil, fmt.Errorf("connect: %w", err)
		}
		if !wasIdle(conn) || s.answers(ctx, conn) {
			return conn, nil
		}
		giveBack(conn)
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("connect: %w", err)
		}
		s.pool.Reset() // the others that were idle are as old
	}
}

// idleMark is set in the custom data of a connection that was idle for longer than idlePing when it was taken.
const idleMark = "almanac.idle"

// noteIdle is the pool's ShouldPing. It never has the pool ping: the pool would keep the place of a connection that
// does not answer, for as long as pgx tries to close it.
func noteIdle(_ context.Context, params pgxpool.ShouldPingParams) bool {
	if params.IdleDuration > idlePing {
		params.Conn.PgConn().CustomData()[idleMark] = true
	}
	return false
}

func wasIdle(conn *pgxpool.Conn) bool {
	data := conn.Conn().PgConn().CustomData()
	if data[idleMark] == nil {
		return false
	}
	delete(data, idleMark)
	return true
}

// answers reports whether a connection still leads to a server that answers, and closes it otherwise.
func (s *Store) answers(ctx context.Context, conn *pgxpool.Conn) bool {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	if conn.Ping(ctx) == nil {
		return true
	}
	if !conn.Conn().IsClosed() {
		_ = conn.Conn().Close(ctx)
	}
	return false
}

// send sends the whole batch, reads all of its answers, and returns how many statements succeeded. The first error ends
// it: the server skips the rest. After one of done, which the server does not know of, no more rows are handed out. A
// single query goes without the messages and the bookkeeping of a batch, unless a pooler is between, for which a batch
// is what is known to be passed on whole.
func (s *Store) send(ctx context.Context, conn *pgx.Conn, b *batch) (done int, err error) {
	if len(b.statements) == 1 && b.statements[0].read != nil && s.sessions {
		done, err = b.alone(ctx, conn)
	} else {
		done, err = send(ctx, conn, b)
	}
	return done, s.coded(err)
}

// alone sends the one query of a batch. pgx keeps statementCacheSize prepared statements for each connection, and
// forgets one that has failed.
func (b *batch) alone(ctx context.Context, conn *pgx.Conn) (done int, err error) {
	one := &b.statements[0]
	rows, err := conn.Query(ctx, one.sql, one.args...)
	if err != nil {
		return 0, err
	}
	tag, err := b.gather(rows, one)
	if err != nil {
		return 0, err
	}
	if one.done != nil {
		err = one.done(tag)
	}
	return 1, err
}

func send(ctx context.Context, conn *pgx.Conn, b *batch) (done int, err error) {
	var queued pgx.Batch
	for i := range b.statements {
		queued.Queue(b.statements[i].sql, b.statements[i].args...)
	}
	results := conn.SendBatch(ctx, &queued)
	defer func() {
		if closing := results.Close(); err == nil && closing != nil {
			err = closing
		}
	}()
	var refusal error
	for i := range b.statements {
		tag, err := b.receive(results, &b.statements[i], refusal == nil)
		if err != nil {
			return done, err
		}
		done++
		if b.statements[i].done != nil && refusal == nil {
			refusal = b.statements[i].done(tag)
		}
	}
	return done, refusal
}

// receive takes the answer to a statement; its rows are handed out when they are wanted.
func (b *batch) receive(results pgx.BatchResults, one *statement, wanted bool) (pgconn.CommandTag, error) {
	if one.read == nil || !wanted {
		return results.Exec()
	}
	rows, err := results.Query()
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	return b.gather(rows, one)
}

// gather hands out the rows of a statement.
func (b *batch) gather(rows pgx.Rows, one *statement) (pgconn.CommandTag, error) {
	defer rows.Close()
	var r row
	for rows.Next() {
		b.started = true
		r.begin(rows.RawValues())
		one.read(&r)
		if err := r.end(); err != nil {
			return pgconn.CommandTag{}, fmt.Errorf("column %d: %w", r.next, err)
		}
	}
	rows.Close()
	return rows.CommandTag(), rows.Err()
}

package sqlite

import (
	"context"
	"strings"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
)

// session is a connection for the time of one batch: one read transaction, or one method within a writing transaction.
type session struct {
	*conn
	trace   func(sql string)
	batch   strings.Builder
	last    string
	written bool
}

// note keeps a statement for the trace; one that is run several times in a row stands there once.
func (q *session) note(sql string) {
	if q.trace == nil || sql == q.last {
		return
	}
	if q.batch.Len() > 0 {
		q.batch.WriteString(";\n")
	}
	q.batch.WriteString(sql)
	q.last = sql
}

func (q *session) end() {
	if q.trace != nil && q.batch.Len() > 0 {
		q.trace(q.batch.String())
	}
}

// read runs a statement that reads.
func (q *session) read(b *statement, row func(*sqlite.Stmt) error) error {
	return q.readSQL(b.sql.String(), row, b.args...)
}

// readSQL runs a statement that reads.
func (q *session) readSQL(sql string, row func(*sqlite.Stmt) error, args ...arg) error {
	q.note(sql)
	return q.run(sql, args, row)
}

// write runs a statement that writes and tells how many rows it wrote.
func (q *session) write(sql string, args ...arg) (int, error) {
	return q.writeReturning(sql, nil, args...)
}

// writeOne is write for a statement that concerns one row. store.ErrNotFound when that is not there.
func (q *session) writeOne(sql string, args ...arg) error {
	found, err := q.write(sql, args...)
	if err == nil && found == 0 {
		err = store.ErrNotFound
	}
	return err
}

// writeReturning is write for a statement that returns rows.
func (q *session) writeReturning(sql string, row func(*sqlite.Stmt) error, args ...arg) (int, error) {
	q.note(sql)
	if err := q.run(sql, args, row); err != nil {
		return 0, err
	}
	changed := q.Changes()
	q.written = q.written || changed > 0
	return changed, nil
}

// inOneMoment tells how reading sees the database.
type inOneMoment bool

const (
	// oneStatement reads with one statement, which sees one moment of the database by itself.
	oneStatement inOneMoment = false
	// oneTransaction reads with several statements in one read transaction.
	oneTransaction inOneMoment = true
)

// reading runs fn on a connection for reading, or on that of the transaction which the context carries.
func (s *Store) reading(ctx context.Context, moment inOneMoment, fn func(q *session) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if f := s.frameOf(ctx); f != nil {
		return f.read(ctx, fn)
	}
	if err := s.files.readable(); err != nil {
		return err
	}
	waiting, cancel := s.bounded(ctx)
	defer cancel()
	c, err := s.readers.take(waiting)
	if err != nil {
		return late(ctx, explain(ctx, err))
	}
	release := c.until(ctx)
	defer s.readers.give(c)
	defer release()
	if err := s.files.refresh(c); err != nil {
		return explain(ctx, err)
	}
	q := &session{conn: c, trace: s.trace}
	defer q.end()
	if moment == oneTransaction {
		if err := c.run("BEGIN", nil, nil); err != nil {
			return explain(ctx, s.files.blame(err))
		}
		defer s.endReading(c)
	}
	return explain(ctx, s.files.blame(fn(q)))
}

// endReading ends a read transaction, also one that was interrupted.
func (s *Store) endReading(c *conn) {
	if err := c.rollback(); err != nil {
		s.logger.Error("sqlite: a read transaction does not end", "error", err)
	}
}

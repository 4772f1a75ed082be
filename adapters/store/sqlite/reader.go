package sqlite

import (
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// reader answers the reading half of the contract: for a Store in the transaction that the context carries, if any, and
// for a Tx in its own.
type reader struct {
	store *Store
	frame *frame
}

// reading runs fn on a connection for reading, or on that of the transaction.
func (r reader) reading(ctx context.Context, moment inOneMoment, fn func(q *session) error) error {
	if r.frame != nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		return r.frame.read(ctx, fn)
	}
	return r.store.reading(ctx, moment, fn)
}

// answer reads what fn returns; its error says what was being done.
func answer[T any](ctx context.Context, r reader, what string, moment inOneMoment,
	fn func(q *session) (T, error)) (T, error) {
	var read T
	err := r.reading(ctx, moment, func(q *session) (err error) {
		read, err = fn(q)
		return err
	})
	if err != nil {
		var nothing T
		return nothing, wrap(what, err)
	}
	return read, nil
}

// into returns what appends each row of a statement to records.
func into[R any](records *[]R, read func(*sqlite.Stmt, *R) error) func(*sqlite.Stmt) error {
	return func(stmt *sqlite.Stmt) error {
		var record R
		*records = append(*records, record)
		return read(stmt, &(*records)[len(*records)-1])
	}
}

// readSome reads records by as many of ids as a statement takes at a time, with the statement that write writes.
func readSome[R, I any](q *session, ids []I, write func(b *statement, some []I),
	read func(*sqlite.Stmt, *R) error) ([]R, error) {
	records := make([]R, 0, len(ids))
	for some := range slices.Chunk(ids, maxIDs) {
		var b statement
		write(&b, some)
		if err := q.read(&b, into(&records, read)); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// fill reads what hangs on records: the statement that write writes for some of their ids returns the id of one first.
func fill[R any](q *session, records []R, id func(*R) model.UUID, write func(b *statement, some []model.UUID),
	row func(stmt *sqlite.Stmt, of *R) error) error {
	at := make(map[model.UUID]*R, len(records))
	ids := make([]model.UUID, len(records))
	for i := range records {
		ids[i] = id(&records[i])
		at[ids[i]] = &records[i]
	}
	for some := range slices.Chunk(ids, maxIDs) {
		var b statement
		write(&b, some)
		if err := q.read(&b, func(stmt *sqlite.Stmt) error { return row(stmt, at[columnID(stmt, 0)]) }); err != nil {
			return err
		}
	}
	return nil
}

// number reads the one number that a statement returns; false when it returns no row.
func (q *session) number(sql string, args ...arg) (n int64, there bool, err error) {
	err = q.readSQL(sql, func(stmt *sqlite.Stmt) error {
		n, there = stmt.ColumnInt64(0), true
		return nil
	}, args...)
	return n, there, err
}

// count reads the number that a statement returns.
func (q *session) count(b *statement) (int, error) {
	n, _, err := q.number(b.sql.String(), b.args...)
	return int(n), err
}

// theOne returns the first of what was read; store.ErrNotFound when there is nothing.
func theOne[R any](read []R, err error) (one R, _ error) {
	if err == nil && len(read) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return one, err
	}
	return read[0], nil
}

// changing runs what writes and returns something as one method of a transaction; its error says what was being done.
func changing[T any](ctx context.Context, f *frame, what string, fn func(q *session) (T, error)) (T, error) {
	var done T
	err := f.atomically(ctx, func(q *session) (err error) {
		done, err = fn(q)
		return err
	})
	if err != nil {
		var nothing T
		return nothing, wrap(what, err)
	}
	return done, nil
}

// claim takes what is due: take notes until when nobody else may have one. It looks by reading first, so that nothing
// due costs the writers nothing, and then again, since another may have taken some meanwhile.
func claim[T any](ctx context.Context, s *Store, what string, look func(q *session) ([]T, error),
	take func(q *session, one *T) error) ([]T, error) {
	due, err := answer(ctx, s.reader, what, oneStatement, look)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	err = s.exclusively(ctx, func(q *session) (err error) {
		if due, err = look(q); err != nil {
			return err
		}
		for i := range due {
			if err := take(q, &due[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrap(what, err)
	}
	return due, nil
}

package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

var (
	sqlInsertOutgoing = insertSQL(&store.OutgoingTable, "forget_at")
	sqlUpdateOutgoing = updateSQL(&store.OutgoingTable, "forget_at")
)

// readOutgoing reads those of the user's e-mails that the end of the statement asks for.
func readOutgoing(q *session, user model.UserID, want store.OutgoingColumns, end string,
	args ...arg) (mails []model.OutgoingEmail, err error) {
	columns := selection[model.OutgoingEmail, store.OutgoingColumns](store.OutgoingTable.Read(want))
	err = q.readSQL("SELECT "+columns.names("")+" FROM outbox WHERE user_id = ?"+end, into(&mails, columns.readRow),
		append([]arg{userArg(user)}, args...)...)
	return mails, err
}

// Outgoing: see store.OutboxReader.
func (r reader) Outgoing(ctx context.Context, user model.UserID, id model.UUID) (model.OutgoingEmail, error) {
	return answer(ctx, r, "outgoing", oneStatement, func(q *session) (model.OutgoingEmail, error) {
		return theOne(readOutgoing(q, user, store.OutgoingMessage, ` AND id = ?`, idArg(id)))
	})
}

// AllOutgoing: see store.OutboxReader.
func (r reader) AllOutgoing(ctx context.Context, user model.UserID, limit int,
	states ...model.OutboxState) ([]model.OutgoingEmail, error) {
	return answer(ctx, r, "all outgoing", oneStatement, func(q *session) ([]model.OutgoingEmail, error) {
		where, args := "", make([]arg, 0, len(states)+1)
		for i, state := range states {
			where += [...]string{" AND state IN (?", ", ?"}[min(i, 1)]
			args = append(args, textArg(string(state)))
		}
		if where != "" {
			where += ")"
		}
		return readOutgoing(q, user, 0, where+` ORDER BY id DESC LIMIT ?`, append(args, intArg(max(limit, 0)))...)
	})
}

// HeldOutgoing: see store.OutboxKeeper.
func (s *Store) HeldOutgoing(ctx context.Context, now time.Time, limit int) (held []store.OutgoingOf, err error) {
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(
			`SELECT user_id, id FROM outbox INDEXED BY outbox_held WHERE state IN ('SENDING', 'UNKNOWN', 'SCHEDULED')
AND coalesce(held_until, -9223372036854775808) <= ?
ORDER BY coalesce(held_until, -9223372036854775808), user_id, id LIMIT ?`, func(stmt *sqlite.Stmt) error {
				held = append(held, store.OutgoingOf{User: model.UserID(columnID(stmt, 0)), ID: columnID(stmt, 1)})
				return nil
			}, instantArg(now), intArg(max(limit, 0)))
	})
	if err != nil {
		return nil, wrap("held outgoing", err)
	}
	return held, nil
}

// InsertOutgoing: see store.OutboxWriter.
func (f *frame) InsertOutgoing(ctx context.Context, mail model.OutgoingEmail) error {
	err := f.atomically(ctx, func(q *session) error {
		waiting, _, err := q.number(`SELECT count(*) FROM outbox
WHERE user_id = ? AND state IN ('PREVIEW', 'FAILED', 'SCHEDULED') AND expires_at > ?`,
			userArg(f.user), instantArg(mail.CreatedAt))
		if err != nil {
			return err
		}
		if waiting >= model.MaxPreviews {
			return store.ErrConflict
		}
		_, linked, err := q.number(`SELECT 1 FROM connections WHERE user_id = ? AND id = ?`, userArg(f.user),
			idArg(mail.Connection))
		if err != nil {
			return err
		}
		if !linked {
			return store.ErrNotFound
		}
		args, err := argsOf(f.user, &store.OutgoingTable, &mail, instantArg(rows.ForgetAt(mail)))
		if err != nil {
			return err
		}
		_, err = q.write(sqlInsertOutgoing, args...)
		return err
	})
	return wrap("insert outgoing", err)
}

// UpdateOutgoing: see store.OutboxWriter.
func (f *frame) UpdateOutgoing(ctx context.Context, mail model.OutgoingEmail, from ...model.OutboxState) error {
	err := f.atomically(ctx, func(q *session) error {
		if err := f.outgoingIn(q, mail.ID, from); err != nil {
			return err
		}
		args, err := argsOf(f.user, &store.OutgoingTable, &mail, instantArg(rows.ForgetAt(mail)))
		if err == nil {
			_, err = q.write(sqlUpdateOutgoing, args...)
		}
		return err
	})
	return wrap("update outgoing", err)
}

// DeleteOutgoing: see store.OutboxWriter.
func (f *frame) DeleteOutgoing(ctx context.Context, id model.UUID, from ...model.OutboxState) error {
	err := f.atomically(ctx, func(q *session) error {
		if err := f.outgoingIn(q, id, from); err != nil {
			return err
		}
		_, err := q.write(`DELETE FROM outbox WHERE user_id = ? AND id = ?`, userArg(f.user), idArg(id))
		return err
	})
	return wrap("delete outgoing", err)
}

// outgoingIn is nil when the e-mail is in one of the states.
func (f *frame) outgoingIn(q *session, id model.UUID, states []model.OutboxState) error {
	err := store.ErrNotFound
	if failed := q.readSQL(`SELECT state FROM outbox WHERE user_id = ? AND id = ?`, func(stmt *sqlite.Stmt) error {
		err = store.ErrConflict
		for _, state := range states {
			if stmt.ColumnText(0) == string(state) {
				err = nil
			}
		}
		return nil
	}, userArg(f.user), idArg(id)); failed != nil {
		return failed
	}
	return err
}

// sqlForgetOutgoing deletes some of the e-mails that nobody needs to know of any more.
const sqlForgetOutgoing = `DELETE FROM outbox WHERE (user_id, id) IN (SELECT user_id, id
FROM outbox INDEXED BY outbox_forget WHERE forget_at <= ? LIMIT ?)`

package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const outgoingColumns = `id, connection_id, account, state, hash, thread, created_at, expires_at, holder, held_until,
draft, sent, sent_thread, sent_at, problem, shown`

func readOutgoing(stmt *sqlite.Stmt) model.OutgoingEmail {
	mail := model.OutgoingEmail{
		ID: columnID(stmt, 0), Connection: columnID(stmt, 1), Account: stmt.ColumnText(2),
		State: model.OutboxState(stmt.ColumnText(3)), Thread: stmt.ColumnText(5),
		CreatedAt: columnTime(stmt, 6), ExpiresAt: columnTime(stmt, 7), HeldUntil: columnTime(stmt, 9),
		Draft: stmt.ColumnText(10),
		Sent:  stmt.ColumnText(11), SentThread: stmt.ColumnText(12), SentAt: columnTime(stmt, 13),
		Problem: stmt.ColumnText(14), Shown: columnBytes(stmt, 15),
	}
	copy(mail.Hash[:], columnBytes(stmt, 4))
	if !stmt.ColumnIsNull(8) {
		mail.Holder = columnID(stmt, 8)
	}
	return mail
}

// Outgoing: see store.OutboxReader.
func (r reader) Outgoing(ctx context.Context, user model.UserID, id model.UUID) (model.OutgoingEmail, error) {
	return answer(ctx, r, "outgoing", oneStatement, func(q *session) (model.OutgoingEmail, error) {
		var found []model.OutgoingEmail
		err := q.readSQL(`SELECT `+outgoingColumns+`, message FROM outbox WHERE user_id = ? AND id = ?`,
			into(&found, func(stmt *sqlite.Stmt, mail *model.OutgoingEmail) error {
				*mail = readOutgoing(stmt)
				mail.Message = columnBytes(stmt, 16)
				return nil
			}), userArg(user), idArg(id))
		return theOne(found, err)
	})
}

// AllOutgoing: see store.OutboxReader.
func (r reader) AllOutgoing(ctx context.Context, user model.UserID, limit int) ([]model.OutgoingEmail, error) {
	return answer(ctx, r, "all outgoing", oneStatement, func(q *session) (mails []model.OutgoingEmail, err error) {
		err = q.readSQL(`SELECT `+outgoingColumns+` FROM outbox WHERE user_id = ? ORDER BY id DESC LIMIT ?`,
			into(&mails, func(stmt *sqlite.Stmt, mail *model.OutgoingEmail) error {
				*mail = readOutgoing(stmt)
				return nil
			}), userArg(user), intArg(max(limit, 0)))
		return mails, err
	})
}

// HeldOutgoing: see store.OutboxKeeper.
func (s *Store) HeldOutgoing(ctx context.Context, now time.Time, limit int) (held []store.OutgoingOf, err error) {
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(
			`SELECT user_id, id FROM outbox INDEXED BY outbox_held WHERE state IN ('SENDING', 'UNKNOWN')
AND (held_until IS NULL OR held_until <= ?)
ORDER BY held_until, user_id, id LIMIT ?`, func(stmt *sqlite.Stmt) error {
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
	if err := rows.Outgoing(mail); err != nil {
		return wrap("insert outgoing", err)
	}
	err := f.atomically(ctx, func(q *session) error {
		waiting, linked := 0, false
		if err := q.readSQL(
			`SELECT count(*) FROM outbox WHERE user_id = ? AND state IN ('PREVIEW', 'FAILED') AND expires_at > ?`,
			func(stmt *sqlite.Stmt) error {
				waiting = stmt.ColumnInt(0)
				return nil
			}, userArg(f.user), instantArg(mail.CreatedAt)); err != nil {
			return err
		}
		if waiting >= model.MaxPreviews {
			return store.ErrConflict
		}
		if err := q.readSQL(`SELECT 1 FROM connections WHERE user_id = ? AND id = ?`, func(*sqlite.Stmt) error {
			linked = true
			return nil
		}, userArg(f.user), idArg(mail.Connection)); err != nil {
			return err
		}
		if !linked {
			return store.ErrNotFound
		}
		_, err := q.write(`INSERT INTO outbox (user_id, `+outgoingColumns+
			`, forget_at, message) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			userArg(f.user), idArg(mail.ID), idArg(mail.Connection), textArg(mail.Account), textArg(string(mail.State)),
			bytesArg(mail.Hash[:]), textArg(mail.Thread),
			instantArg(mail.CreatedAt), instantArg(mail.ExpiresAt), idOrNull(mail.Holder), timeArg(mail.HeldUntil),
			textArg(mail.Draft), textArg(mail.Sent), textArg(mail.SentThread),
			timeArg(mail.SentAt), textArg(mail.Problem), bytesArg(mail.Shown), instantArg(rows.ForgetAt(mail)),
			bytesArg(mail.Message))
		return err
	})
	return wrap("insert outgoing", err)
}

// UpdateOutgoing: see store.OutboxWriter.
func (f *frame) UpdateOutgoing(ctx context.Context, mail model.OutgoingEmail, from ...model.OutboxState) error {
	if err := rows.Outgoing(mail); err != nil {
		return wrap("update outgoing", err)
	}
	err := f.atomically(ctx, func(q *session) error {
		if err := f.outgoingIn(q, mail.ID, from); err != nil {
			return err
		}
		_, err := q.write(
			`UPDATE outbox SET state = ?, holder = ?, held_until = ?, draft = ?, sent = ?, sent_thread = ?, sent_at = ?,
problem = ?, forget_at = ? WHERE user_id = ? AND id = ?`,
			textArg(string(mail.State)), idOrNull(mail.Holder), timeArg(mail.HeldUntil), textArg(mail.Draft), textArg(mail.Sent),
			textArg(mail.SentThread),
			timeArg(mail.SentAt), textArg(mail.Problem), instantArg(rows.ForgetAt(mail)), userArg(f.user), idArg(mail.ID))
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

// idOrNull returns an id as a parameter; the zero id is NULL.
func idOrNull(id model.UUID) arg {
	if id == (model.UUID{}) {
		return bytesOrNull(nil)
	}
	return idArg(id)
}

// sqlForgetOutgoing deletes some of the e-mails that nobody needs to know of any more.
const sqlForgetOutgoing = `DELETE FROM outbox WHERE (user_id, id) IN (SELECT user_id, id
FROM outbox INDEXED BY outbox_forget WHERE forget_at <= ? LIMIT ?)`

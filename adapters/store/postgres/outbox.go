package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const (
	outgoingColumns = `id, connection_id, account, state, hash, thread, created_at, expires_at, holder, held_until, draft,
sent, sent_thread, sent_at, problem, shown`

	sqlOutgoing = `SELECT ` + outgoingColumns + `, message FROM outbox WHERE user_id = $1 AND id = $2`

	sqlAllOutgoing = `SELECT ` + outgoingColumns + ` FROM outbox WHERE user_id = $1 ORDER BY id DESC LIMIT $2`

	sqlHeldOutgoing = `SELECT user_id, id FROM outbox WHERE state IN ('SENDING', 'UNKNOWN')
AND (held_until IS NULL OR held_until <= $1)
ORDER BY held_until NULLS FIRST, user_id, id LIMIT $2`

	// sqlInsertOutgoing says whether the connection is there, and whether there is room and the id is free. The caller
	// holds the user's row, so nobody else makes up the number meanwhile.
	sqlInsertOutgoing = `WITH linked AS (
	SELECT id FROM connections WHERE user_id = $1 AND id = $3 FOR KEY SHARE
), may AS (
	SELECT (SELECT count(*) FROM outbox WHERE user_id = $1 AND state IN ('PREVIEW', 'FAILED') AND expires_at > $8) < $20
		AND NOT EXISTS (SELECT FROM outbox WHERE user_id = $1 AND id = $2) AS free
), made AS (
	INSERT INTO outbox (user_id, ` + outgoingColumns + `, forget_at, message)
	SELECT $1, $2, linked.id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19 FROM linked, may
	WHERE may.free
)
SELECT EXISTS (SELECT FROM linked), free FROM may`

	sqlUpdateOutgoing = `WITH old AS (
	SELECT state FROM outbox WHERE user_id = $1 AND id = $2
), done AS (
	UPDATE outbox SET state = $4, holder = $5, held_until = $6, draft = $7, sent = $8, sent_thread = $9, sent_at = $10,
	problem = $11, forget_at = $12
	WHERE user_id = $1 AND id = $2 AND state = ANY($3)
)
SELECT state = ANY($3) FROM old`

	sqlDeleteOutgoing = `WITH old AS (
	SELECT state FROM outbox WHERE user_id = $1 AND id = $2
), done AS (
	DELETE FROM outbox WHERE user_id = $1 AND id = $2 AND state = ANY($3)
)
SELECT state = ANY($3) FROM old`

	sqlForgetOutgoing = `DELETE FROM outbox WHERE forget_at <= $1`
)

func outgoingOf(r *row) model.OutgoingEmail {
	mail := model.OutgoingEmail{ID: r.uuid(), Connection: r.uuid(), Account: r.text(), State: model.OutboxState(r.text())}
	copy(mail.Hash[:], r.bytes())
	mail.Thread, mail.CreatedAt, mail.ExpiresAt = r.text(), r.time(), r.time()
	if r.isNull() {
		r.skip(1)
	} else {
		mail.Holder = r.uuid()
	}
	mail.HeldUntil, mail.Draft, mail.Sent, mail.SentThread, mail.SentAt, mail.Problem, mail.Shown = r.time(), r.text(),
		r.text(), r.text(), r.time(), r.text(), r.bytes()
	return mail
}

// Outgoing returns one e-mail of the outbox.
func (d reader) Outgoing(ctx context.Context, user model.UserID, id model.UUID) (model.OutgoingEmail, error) {
	var mail model.OutgoingEmail
	found := false
	b := newBatch()
	b.query(sqlOutgoing, func(r *row) {
		found, mail = true, outgoingOf(r)
		mail.Message = r.bytes()
	}, userArg(user), uuidArg(id))
	if err := d.run(ctx, "read an outgoing e-mail", b); err != nil {
		return model.OutgoingEmail{}, err
	}
	if !found {
		return model.OutgoingEmail{}, fmt.Errorf("postgres: read an outgoing e-mail: %w", store.ErrNotFound)
	}
	return mail, nil
}

// AllOutgoing returns the newest e-mails of the outbox.
func (d reader) AllOutgoing(ctx context.Context, user model.UserID, limit int) ([]model.OutgoingEmail, error) {
	var mails []model.OutgoingEmail
	b := newBatch()
	b.query(sqlAllOutgoing, func(r *row) { mails = append(mails, outgoingOf(r)) }, userArg(user), int64(max(limit, 0)))
	if err := d.run(ctx, "read outgoing e-mails", b); err != nil {
		return nil, err
	}
	return mails, nil
}

// HeldOutgoing returns e-mails that were being sent, and by whom it is not known any more.
func (s *Store) HeldOutgoing(ctx context.Context, now time.Time, limit int) ([]store.OutgoingOf, error) {
	var held []store.OutgoingOf
	b := newBatch()
	b.query(sqlHeldOutgoing, func(r *row) {
		held = append(held,
			store.OutgoingOf{User: model.UserID(r.uuid()), ID: r.uuid()})
	}, instantArg(now), int64(max(limit, 0)))
	if err := s.run(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: read held e-mails: %w", err)
	}
	return held, nil
}

// InsertOutgoing adds an e-mail to the outbox.
func (t tx) InsertOutgoing(ctx context.Context, mail model.OutgoingEmail) error {
	if err := rows.Outgoing(mail); err != nil {
		return err
	}
	linked, free := false, false
	b := newBatch()
	b.query(sqlInsertOutgoing, func(r *row) { linked, free = r.bool(), r.bool() },
		t.user(), uuidArg(mail.ID), uuidArg(mail.Connection), mail.Account, string(mail.State), mail.Hash[:], mail.Thread,
		instantArg(mail.CreatedAt), instantArg(mail.ExpiresAt),
		uuidOrNull(mail.Holder), timeArg(mail.HeldUntil), mail.Draft, mail.Sent, mail.SentThread, timeArg(mail.SentAt),
		mail.Problem, append([]byte{}, mail.Shown...),
		instantArg(rows.ForgetAt(mail)), append([]byte{}, mail.Message...), int64(model.MaxPreviews))
	err := t.write(ctx, "add an outgoing e-mail", b, nil)
	return refused(err, "add an outgoing e-mail", linked, free)
}

// UpdateOutgoing replaces what changes of an e-mail that is in one of the states.
func (t tx) UpdateOutgoing(ctx context.Context, mail model.OutgoingEmail, from ...model.OutboxState) error {
	if err := rows.Outgoing(mail); err != nil {
		return err
	}
	found, fits := false, false
	b := newBatch()
	b.query(sqlUpdateOutgoing, func(r *row) { found, fits = true, r.bool() },
		t.user(), uuidArg(mail.ID), rows.States(from), string(mail.State), uuidOrNull(mail.Holder), timeArg(mail.HeldUntil),
		mail.Draft, mail.Sent, mail.SentThread, timeArg(mail.SentAt),
		mail.Problem, instantArg(rows.ForgetAt(mail)))
	err := t.write(ctx, "change an outgoing e-mail", b, nil)
	return refused(err, "change an outgoing e-mail", found, fits)
}

// DeleteOutgoing erases an e-mail that is in one of the states.
func (t tx) DeleteOutgoing(ctx context.Context, id model.UUID, from ...model.OutboxState) error {
	found, fits := false, false
	b := newBatch()
	b.query(sqlDeleteOutgoing, func(r *row) { found, fits = true, r.bool() }, t.user(), uuidArg(id), rows.States(from))
	err := t.write(ctx, "delete an outgoing e-mail", b, nil)
	return refused(err, "delete an outgoing e-mail", found, fits)
}

// uuidOrNull returns an id as a parameter; the zero id is NULL.
func uuidOrNull(id model.UUID) pgtype.UUID {
	return pgtype.UUID{Bytes: id, Valid: id != model.UUID{}}
}

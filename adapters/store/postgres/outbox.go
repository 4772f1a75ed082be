package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

var (
	outgoingNames = store.Names(store.OutgoingTable.All())
	changedNames  = store.Names(store.OutgoingTable.Replaced())

	// sqlInsertOutgoing says whether the connection is there, and whether there is room and the id is free. The caller
	// holds the user's row, so nobody else makes up the number meanwhile.
	sqlInsertOutgoing = filled(`WITH i AS (
	{given}
), linked AS (
	SELECT id FROM connections WHERE user_id = $1 AND id = (SELECT connection_id FROM i) FOR KEY SHARE
), may AS MATERIALIZED (
	SELECT (SELECT count(*) FROM outbox WHERE user_id = $1 AND state IN ('PREVIEW', 'FAILED', 'SCHEDULED')
			AND expires_at > (SELECT created_at FROM i)) < {most}
		AND NOT EXISTS (SELECT FROM outbox WHERE user_id = $1 AND id = (SELECT id FROM i)) AS free
), made AS (
	INSERT INTO outbox (user_id, {names}, forget_at)
	SELECT o.user_id, {values}, {forget} FROM `+ofUser+`, i, linked, may WHERE may.free
)
SELECT EXISTS (SELECT FROM linked), free FROM may`, "{given}", given(2, parametersOf(store.OutgoingTable.All())),
		"{names}", strings.Join(outgoingNames, ", "), "{values}", listed("i", outgoingNames),
		"{forget}", numbered(2+len(outgoingNames), 1), "{most}", numbered(3+len(outgoingNames), 1))

	sqlUpdateOutgoing = filled(`WITH old AS MATERIALIZED (
	SELECT state FROM outbox WHERE user_id = $1 AND id = $2
), done AS (
	UPDATE outbox SET (forget_at, {names}) = ROW($4, {values}) WHERE user_id = $1 AND id = $2 AND state = ANY($3)
)
SELECT state = ANY($3) FROM old`,
		"{names}", strings.Join(changedNames, ", "), "{values}", numbered(5, len(changedNames)))
)

const (
	sqlDeleteOutgoing = `WITH old AS MATERIALIZED (
	SELECT state FROM outbox WHERE user_id = $1 AND id = $2
), done AS (
	DELETE FROM outbox WHERE user_id = $1 AND id = $2 AND state = ANY($3)
)
SELECT state = ANY($3) FROM old`
)

// heldOutgoing are the e-mails that wait, by when they may go.
var heldOutgoing = queueOf("outbox", `q.state IN ('SENDING', 'UNKNOWN', 'SCHEDULED')
AND coalesce(q.held_until, '-infinity') <= $1`, "coalesce(q.held_until, '-infinity'), q.user_id, q.id")

// outgoing reads those of the user's e-mails that the end of the statement asks for.
func (d reader) outgoing(ctx context.Context, what string, user model.UserID, want store.OutgoingColumns,
	end func(*query)) ([]model.OutgoingEmail, error) {
	columns := shape[model.OutgoingEmail, store.OutgoingColumns](store.OutgoingTable.Read(want))
	q := newQuery(userArg(user))
	q.add("SELECT ", columns.list("t"), " FROM outbox AS t WHERE t.user_id = $1")
	end(q)
	return records(ctx, d, what, q, 1, columns.read)
}

// Outgoing returns an e-mail of the outbox with its message.
func (d reader) Outgoing(ctx context.Context, user model.UserID, id model.UUID) (model.OutgoingEmail, error) {
	return theOne(d.outgoing(ctx, "read an outgoing e-mail", user, store.OutgoingMessage,
		func(q *query) { q.add(" AND t.id = ", q.param(uuidArg(id))) }))
}

// AllOutgoing returns the newest e-mails of the outbox, without their messages.
func (d reader) AllOutgoing(ctx context.Context, user model.UserID, limit int,
	states ...model.OutboxState) ([]model.OutgoingEmail, error) {
	return d.outgoing(ctx, "read outgoing e-mails", user, 0, func(q *query) {
		if len(states) > 0 {
			q.add(" AND t.state = ANY(", q.param(rows.States(states)), ")")
		}
		q.add(" ORDER BY t.id DESC LIMIT ", q.param(int64(max(limit, 0))))
	})
}

// HeldOutgoing returns e-mails that were being sent, and by whom it is not known any more.
func (s *Store) HeldOutgoing(ctx context.Context, now time.Time, limit int) ([]store.OutgoingOf, error) {
	held, err := due(ctx, s, heldOutgoing, "q.user_id, q.id", func(r *row, one *store.OutgoingOf) {
		*one = store.OutgoingOf{User: model.UserID(r.uuid()), ID: r.uuid()}
	}, now, limit)
	if err != nil {
		return nil, fmt.Errorf("postgres: read held e-mails: %w", err)
	}
	return held, nil
}

// InsertOutgoing adds an e-mail to the outbox.
func (t tx) InsertOutgoing(ctx context.Context, mail model.OutgoingEmail) error {
	args, err := arrays(t.user(), store.OutgoingTable.All(), []model.OutgoingEmail{mail})
	if err != nil {
		return err
	}
	linked, free := false, false
	b := newBatch()
	b.query(sqlInsertOutgoing, func(r *row) { linked, free = r.bool(), r.bool() },
		append(args, instantArg(rows.ForgetAt(mail)), int64(model.MaxPreviews))...)
	err = t.write(ctx, "add an outgoing e-mail", b, nil)
	return refused(err, "add an outgoing e-mail", linked, free)
}

// UpdateOutgoing replaces what changes of an e-mail that is in one of the states.
func (t tx) UpdateOutgoing(ctx context.Context, mail model.OutgoingEmail, from ...model.OutboxState) error {
	args, err := values(instantArg(rows.ForgetAt(mail)), store.OutgoingTable.Replaced(), mail)
	if err != nil {
		return err
	}
	found, fits := false, false
	b := newBatch()
	b.query(sqlUpdateOutgoing, func(r *row) { found, fits = true, r.bool() },
		append([]any{t.user(), uuidArg(mail.ID), rows.States(from)}, args...)...)
	err = t.write(ctx, "change an outgoing e-mail", b, nil)
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

package postgres

import (
	"context"
	"fmt"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const (
	sqlMailbox = `SELECT history, checked_at FROM mailboxes WHERE user_id = $1 AND connection_id = $2`

	sqlCachedMails = `SELECT id, depth, stale, used_at, labels, sealed FROM mail_cache WHERE user_id = $1
AND connection_id = $2 AND id = ANY($3)`

	sqlUseMails = `UPDATE mail_cache SET used_at = $3 WHERE user_id = $1 AND connection_id = $2 AND id = ANY($4)`

	// sqlLinked keeps the connection from going away before what hangs on it is there; see sqlSaveSync.
	sqlLinked = `SELECT FROM connections WHERE user_id = $1 AND id = $2 FOR KEY SHARE`

	// sqlSaveMails takes the messages in the order of their ids, so that two savers do not wait for each other in a
	// circle.
	sqlSaveMails = `INSERT INTO mail_cache AS c (user_id, connection_id, id, depth, stale, used_at, labels, sealed)
SELECT l.user_id, l.id, n.id, n.depth, n.stale OR NOT EXISTS (SELECT FROM mailboxes WHERE user_id = $1
AND connection_id = $2 AND history = $3 AND $3 <> ''), n.used_at, n.labels, n.sealed
FROM connections AS l, unnest($4::text[], $5::integer[], $6::boolean[], $7::timestamptz[], $8::text[], $9::bytea[])
AS n (id, depth, stale, used_at, labels, sealed)
WHERE l.user_id = $1 AND l.id = $2 ORDER BY n.id
ON CONFLICT (user_id, connection_id, id) DO UPDATE SET stale = excluded.stale, used_at = excluded.used_at,
labels = excluded.labels,
sealed = CASE WHEN c.depth > excluded.depth THEN c.sealed ELSE excluded.sealed END,
depth = greatest(c.depth, excluded.depth)`

	// sqlForgetMails looks for the newest message that is too many once. Joined with those that are too many, a table
	// without statistics was read anew for each of its rows.
	sqlForgetMails = `DELETE FROM mail_cache WHERE user_id = $1 AND connection_id = $2 AND (used_at, id) <= (
	SELECT used_at, id FROM mail_cache WHERE user_id = $1 AND connection_id = $2 ORDER BY used_at DESC, id DESC
	OFFSET $3 LIMIT 1)`

	sqlBeginMailbox = `WITH begun AS (
	INSERT INTO mailboxes (user_id, connection_id, history, checked_at) SELECT user_id, id, $3, $4 FROM connections
	WHERE user_id = $1 AND id = $2 FOR KEY SHARE
	ON CONFLICT (user_id, connection_id) DO UPDATE SET history = excluded.history, checked_at = excluded.checked_at
	RETURNING 1
), staled AS (
	UPDATE mail_cache SET stale = true WHERE user_id = $1 AND connection_id = $2 AND NOT stale
)
SELECT count(*) FROM begun`

	// sqlAdvanceMailbox does nothing more where the mailbox has gone on meanwhile: a statement that waited for another
	// one's update looks at the row anew.
	sqlAdvanceMailbox = `WITH moved AS (
	UPDATE mailboxes SET history = $4, checked_at = $5 WHERE user_id = $1 AND connection_id = $2 AND history = $3
	RETURNING 1
), relabelled AS (
	UPDATE mail_cache AS c SET labels = n.labels, stale = false FROM unnest($6::text[], $7::text[], $8::boolean[])
	AS n (id, labels, gone)
	WHERE c.user_id = $1 AND c.connection_id = $2 AND c.id = n.id AND NOT n.gone AND EXISTS (SELECT FROM moved)
), dropped AS (
	DELETE FROM mail_cache AS c USING unnest($6::text[], $7::text[], $8::boolean[]) AS n (id, labels, gone)
	WHERE c.user_id = $1 AND c.connection_id = $2 AND c.id = n.id AND n.gone AND EXISTS (SELECT FROM moved)
)
SELECT count(*) FROM moved`
)

// Mailbox returns how far the cache of a connection goes.
func (s *Store) Mailbox(ctx context.Context, user model.UserID, connection model.UUID) (store.Mailbox, error) {
	var mailbox store.Mailbox
	b := newBatch()
	b.query(sqlMailbox, func(r *row) { mailbox = store.Mailbox{History: r.text(), CheckedAt: r.time()} }, userArg(user),
		uuidArg(connection))
	if err := s.run(ctx, b); err != nil {
		return store.Mailbox{}, fmt.Errorf("postgres: read a mailbox: %w", err)
	}
	return mailbox, nil
}

// CachedMails returns what is kept of the messages, by id.
func (s *Store) CachedMails(ctx context.Context, user model.UserID, connection model.UUID, ids []string,
	now time.Time) (map[string]store.CachedMail, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if err := rows.Text(ids...); err != nil {
		return nil, err
	}
	found := make(map[string]store.CachedMail, len(ids))
	var aged []string
	b := newBatch()
	b.query(sqlCachedMails, func(r *row) {
		mail := store.CachedMail{ID: r.text(), Depth: store.MailDepth(r.int32()), Stale: r.bool(), UsedAt: r.time(),
			Labels: rows.WordsOf(r.text()), Sealed: r.bytes()}
		if now.Sub(mail.UsedAt) > rows.UsedSpan {
			aged = append(aged, mail.ID)
		}
		found[mail.ID] = mail
	}, userArg(user), uuidArg(connection), ids)
	if err := s.run(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: read kept mail: %w", err)
	}
	if len(aged) == 0 {
		return found, nil
	}
	b = newBatch()
	b.exec(sqlUseMails, nil, userArg(user), uuidArg(connection), instantArg(now), aged)
	return found, s.writeOf(ctx, user, "mark kept mail as used", b)
}

// SaveMails keeps messages.
func (s *Store) SaveMails(ctx context.Context, user model.UserID, connection model.UUID, history string,
	mails []store.CachedMail) error {
	if err := rows.Text(history); err != nil {
		return err
	}
	var n struct {
		ids, labels []string
		depths      []int32
		stale       []bool
		used        []time.Time
		sealed      [][]byte
	}
	taken := make(map[string]bool, len(mails))
	// of what comes twice the last counts, and one statement may not meet a row twice
	for i := len(mails) - 1; i >= 0; i-- {
		mail := mails[i]
		labels, err := rows.Mail(mail)
		if err != nil {
			return err
		}
		if taken[mail.ID] {
			continue
		}
		taken[mail.ID] = true
		n.ids, n.labels, n.depths = append(n.ids, mail.ID), append(n.labels, labels), append(n.depths, int32(mail.Depth))
		n.stale, n.used, n.sealed = append(n.stale, mail.Stale), append(n.used, rows.Time(mail.UsedAt)),
			append(n.sealed, append([]byte{}, mail.Sealed...))
	}
	if len(n.ids) == 0 {
		return nil
	}
	b := newBatch()
	b.exec(sqlLinked, all(1, store.ErrNotFound), userArg(user), uuidArg(connection))
	b.exec(sqlSaveMails, nil, userArg(user), uuidArg(connection), history, n.ids, n.depths, n.stale, n.used, n.labels,
		n.sealed)
	b.exec(sqlForgetMails, nil, userArg(user), uuidArg(connection), int64(model.MaxCachedMails))
	return s.writeOf(ctx, user, "keep mail", b)
}

// AdvanceMailbox applies what a look at the history says.
func (s *Store) AdvanceMailbox(ctx context.Context, user model.UserID, connection model.UUID, from string,
	to store.Mailbox, changes []store.MailChange) (bool, error) {
	if err := rows.Text(from, to.History); err != nil {
		return false, err
	}
	advanced := false
	read := func(r *row) { advanced = r.int64() > 0 }
	b := newBatch()
	if from == "" {
		b.query(sqlBeginMailbox, read, userArg(user), uuidArg(connection), to.History, timeArg(to.CheckedAt))
	} else {
		ids, labels, gone, err := mailChanges(changes)
		if err != nil {
			return false, err
		}
		b.query(sqlAdvanceMailbox, read, userArg(user), uuidArg(connection), from, to.History, timeArg(to.CheckedAt), ids,
			labels, gone)
	}
	if err := s.writeOf(ctx, user, "advance a mailbox", b); err != nil {
		return false, err
	}
	if from == "" && !advanced {
		return false, fmt.Errorf("postgres: advance a mailbox: %w", store.ErrNotFound)
	}
	return advanced, nil
}

// mailChanges returns changes as columns; of what comes twice the last counts.
func mailChanges(changes []store.MailChange) (ids, labels []string, gone []bool, err error) {
	taken := make(map[string]bool, len(changes))
	for i := len(changes) - 1; i >= 0; i-- {
		change := changes[i]
		text, err := rows.Mail(store.CachedMail{ID: change.ID, Labels: change.Labels})
		if err != nil {
			return nil, nil, nil, err
		}
		if !taken[change.ID] {
			taken[change.ID] = true
			ids, labels, gone = append(ids, change.ID), append(labels, text), append(gone, change.Gone)
		}
	}
	return ids, labels, gone, nil
}

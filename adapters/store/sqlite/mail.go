package sqlite

import (
	"context"
	"encoding/json"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// Mailbox: see store.MailCache.
func (s *Store) Mailbox(ctx context.Context, user model.UserID,
	connection model.UUID) (mailbox store.Mailbox, err error) {
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(`SELECT history, checked_at FROM mailboxes WHERE user_id = ? AND connection_id = ?`,
			func(stmt *sqlite.Stmt) error {
				mailbox = store.Mailbox{History: stmt.ColumnText(0), CheckedAt: columnTime(stmt, 1)}
				return nil
			}, userArg(user), idArg(connection))
	})
	return mailbox, wrap("mailbox", err)
}

// CachedMails: see store.MailCache.
func (s *Store) CachedMails(ctx context.Context, user model.UserID, connection model.UUID, ids []string,
	now time.Time) (map[string]store.CachedMail, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if err := rows.Text(ids...); err != nil {
		return nil, wrap("cached mails", err)
	}
	wanted, err := textsArg(ids)
	if err != nil {
		return nil, wrap("cached mails", err)
	}
	found := make(map[string]store.CachedMail, len(ids))
	var aged []string
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(
			`SELECT id, depth, stale, used_at, labels, sealed FROM mail_cache WHERE user_id = ? AND connection_id = ?
AND id IN (SELECT value FROM json_each(?))`, func(stmt *sqlite.Stmt) error {
				mail := store.CachedMail{
					ID: stmt.ColumnText(0), Depth: store.MailDepth(stmt.ColumnInt(1)), Stale: stmt.ColumnInt(2) != 0,
					UsedAt: columnTime(stmt, 3),
					Labels: rows.WordsOf(stmt.ColumnText(4)), Sealed: columnBytes(stmt, 5),
				}
				if now.Sub(mail.UsedAt) > rows.UsedSpan {
					aged = append(aged, mail.ID)
				}
				found[mail.ID] = mail
				return nil
			}, userArg(user), idArg(connection), wanted)
	})
	if err != nil || len(aged) == 0 {
		return found, wrap("cached mails", err)
	}
	used, err := textsArg(aged)
	if err != nil {
		return nil, wrap("cached mails", err)
	}
	err = s.writing(ctx, user, func(q *session) error {
		_, err := q.write(
			`UPDATE mail_cache SET used_at = ? WHERE user_id = ? AND connection_id = ?
AND id IN (SELECT value FROM json_each(?))`,
			instantArg(now), userArg(user), idArg(connection), used)
		return err
	})
	return found, wrap("cached mails", err)
}

// SaveMails: see store.MailCache. That the connection is gone is what the foreign key says.
func (s *Store) SaveMails(ctx context.Context, user model.UserID, connection model.UUID, history string,
	mails []store.CachedMail) error {
	if err := rows.Text(history); err != nil {
		return wrap("save mails", err)
	}
	labels := make([]string, len(mails))
	for i, mail := range mails {
		var err error
		if labels[i], err = rows.Mail(mail); err != nil {
			return wrap("save mails", err)
		}
	}
	if len(mails) == 0 {
		return nil
	}
	err := s.writing(ctx, user, func(q *session) error {
		known := ""
		if err := q.readSQL(`SELECT history FROM mailboxes WHERE user_id = ? AND connection_id = ?`,
			func(stmt *sqlite.Stmt) error {
				known = stmt.ColumnText(0)
				return nil
			}, userArg(user), idArg(connection)); err != nil {
			return err
		}
		fresh := history != "" && history == known
		for i, mail := range mails {
			if _, err := q.write(
				`INSERT INTO mail_cache (user_id, connection_id, id, depth, stale, used_at, labels, sealed)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (user_id, connection_id, id) DO UPDATE SET stale = excluded.stale, used_at = excluded.used_at,
labels = excluded.labels,
sealed = CASE WHEN depth > excluded.depth THEN sealed ELSE excluded.sealed END, depth = max(depth, excluded.depth)`,
				userArg(user), idArg(connection), textArg(mail.ID), intArg(int(mail.Depth)), boolArg(mail.Stale || !fresh),
				instantArg(mail.UsedAt), textArg(labels[i]), bytesArg(mail.Sealed)); err != nil {
				return err
			}
		}
		return forgetMails(q, user, connection)
	})
	return wrap("save mails", err)
}

// forgetMails keeps what is kept of a mailbox within its bound. It counts in an index that holds nothing of the
// messages.
func forgetMails(q *session, user model.UserID, connection model.UUID) error {
	_, err := q.write(`DELETE FROM mail_cache WHERE user_id = ?1 AND connection_id = ?2 AND id IN (
	SELECT id FROM mail_cache INDEXED BY mail_cache_used WHERE user_id = ?1 AND connection_id = ?2
	ORDER BY used_at DESC, id DESC LIMIT -1 OFFSET ?3)`,
		userArg(user), idArg(connection), intArg(model.MaxCachedMails))
	return err
}

// AdvanceMailbox: see store.MailCache.
func (s *Store) AdvanceMailbox(ctx context.Context, user model.UserID, connection model.UUID, from string,
	to store.Mailbox, changes []store.MailChange) (advanced bool, err error) {
	labels := make([]string, len(changes))
	for i, change := range changes {
		if labels[i], err = rows.Mail(store.CachedMail{ID: change.ID, Labels: change.Labels}); err != nil {
			return false, wrap("advance mailbox", err)
		}
	}
	if err := rows.Text(from, to.History); err != nil {
		return false, wrap("advance mailbox", err)
	}
	err = s.writing(ctx, user, func(q *session) error {
		if from == "" {
			advanced = true
			if _, err := q.write(`INSERT INTO mailboxes (user_id, connection_id, history, checked_at) VALUES (?, ?, ?, ?)
ON CONFLICT (user_id, connection_id) DO UPDATE SET history = excluded.history, checked_at = excluded.checked_at`,
				userArg(user), idArg(connection), textArg(to.History), timeArg(to.CheckedAt)); err != nil {
				return err
			}
			_, err := q.write(`UPDATE mail_cache SET stale = 1 WHERE user_id = ? AND connection_id = ? AND stale = 0`,
				userArg(user), idArg(connection))
			return err
		}
		found, err := q.write(
			`UPDATE mailboxes SET history = ?, checked_at = ? WHERE user_id = ? AND connection_id = ? AND history = ?`,
			textArg(to.History), timeArg(to.CheckedAt), userArg(user), idArg(connection), textArg(from))
		if advanced = found > 0; err != nil || !advanced {
			return err
		}
		for i, change := range changes {
			sql, args := `UPDATE mail_cache SET labels = ?4, stale = 0 WHERE user_id = ?1 AND connection_id = ?2 AND id = ?3`,
				[]arg{userArg(user), idArg(connection), textArg(change.ID), textArg(labels[i])}
			if change.Gone {
				sql, args = `DELETE FROM mail_cache WHERE user_id = ?1 AND connection_id = ?2 AND id = ?3`, args[:3]
			}
			if _, err := q.write(sql, args...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, wrap("advance mailbox", err)
	}
	return advanced, nil
}

// textsArg returns texts as one parameter, for json_each.
func textsArg(texts []string) (arg, error) {
	list, err := json.Marshal(texts)
	return textArg(string(list)), err
}

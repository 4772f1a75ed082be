package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const websetHookColumns = `id, created_at, receives, remote, secret`

// WebsetHook: see store.WebsetHookReader.
func (r reader) WebsetHook(ctx context.Context, user model.UserID, id model.UUID) (store.WebsetHook, error) {
	return answer(ctx, r, "webset hook", oneStatement, func(q *session) (store.WebsetHook, error) {
		return theOne(readWebsetHooks(q, user, ` AND id = ?`, idArg(id)))
	})
}

// WebsetHooks: see store.WebsetHookReader.
func (r reader) WebsetHooks(ctx context.Context, user model.UserID) ([]store.WebsetHook, error) {
	return answer(ctx, r, "webset hooks", oneStatement, func(q *session) ([]store.WebsetHook, error) {
		return readWebsetHooks(q, user, ` ORDER BY created_at, id`)
	})
}

// readWebsetHooks reads those of the user's webhooks that the end of the statement asks for.
func readWebsetHooks(q *session, user model.UserID, end string, args ...arg) (hooks []store.WebsetHook, err error) {
	err = q.readSQL(`SELECT `+websetHookColumns+` FROM webset_hooks WHERE user_id = ?`+end,
		into(&hooks, func(stmt *sqlite.Stmt, hook *store.WebsetHook) error {
			*hook = store.WebsetHook{
				User: user, ID: columnID(stmt, 0), CreatedAt: columnTime(stmt, 1), Receives: stmt.ColumnBool(2),
				Remote: stmt.ColumnText(3), Secret: columnBytes(stmt, 4),
			}
			return nil
		}), append([]arg{userArg(user)}, args...)...)
	return hooks, err
}

// SaveWebsetHook: see store.WebsetHookWriter.
func (f *frame) SaveWebsetHook(ctx context.Context, hook store.WebsetHook) error {
	if err := rows.WebsetHook(hook); err != nil {
		return wrap("save webset hook", err)
	}
	err := f.atomically(ctx, func(q *session) error {
		others := 0
		if err := q.readSQL(`SELECT count(*) FROM webset_hooks WHERE user_id = ? AND id <> ?`, func(stmt *sqlite.Stmt) error {
			others = stmt.ColumnInt(0)
			return nil
		}, userArg(f.user), idArg(hook.ID)); err != nil {
			return err
		}
		if others >= store.MaxWebsetHooks {
			return store.ErrConflict
		}
		if _, err := q.write(`INSERT INTO webset_hooks (user_id, `+websetHookColumns+`) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (user_id, id) DO UPDATE SET created_at = excluded.created_at, receives = excluded.receives,
remote = excluded.remote, secret = excluded.secret`,
			userArg(f.user), idArg(hook.ID), instantArg(hook.CreatedAt), boolArg(hook.Receives), textArg(hook.Remote),
			bytesOrNull(hook.Secret)); err != nil {
			return err
		}
		if !hook.Receives {
			return f.endWebsetFeed(q)
		}
		_, err := q.write(
			`INSERT INTO webset_feeds (user_id, seen_at, next_at, failures) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING`,
			userArg(f.user), instantArg(hook.CreatedAt), instantArg(hook.CreatedAt))
		return err
	})
	return wrap("save webset hook", err)
}

// DeleteWebsetHook: see store.WebsetHookWriter.
func (f *frame) DeleteWebsetHook(ctx context.Context, id model.UUID) error {
	err := f.atomically(ctx, func(q *session) error {
		found, err := q.write(`DELETE FROM webset_hooks WHERE user_id = ? AND id = ?`, userArg(f.user), idArg(id))
		if err != nil {
			return err
		}
		if found == 0 {
			return store.ErrNotFound
		}
		return f.endWebsetFeed(q)
	})
	return wrap("delete webset hook", err)
}

// endWebsetFeed erases the user's feed when no webhook receives any more.
func (f *frame) endWebsetFeed(q *session) error {
	_, err := q.write(
		`DELETE FROM webset_feeds WHERE user_id = ?1 AND NOT EXISTS (SELECT 1 FROM webset_hooks WHERE user_id = ?1
AND receives)`, userArg(f.user))
	return err
}

// TakeWebsetEvents: see store.WebsetHookWriter.
func (f *frame) TakeWebsetEvents(ctx context.Context, events []string, at time.Time) (fresh []string, err error) {
	if err := rows.Text(events...); err != nil {
		return nil, wrap("take webset events", err)
	}
	err = f.atomically(ctx, func(q *session) error {
		for _, event := range events {
			// An event that is named twice is no longer new the second time.
			added, err := q.write(
				`INSERT INTO webset_events (user_id, event, forget_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
				userArg(f.user), textArg(event), instantArg(rows.ForgetWebsetEvents(at)))
			if err != nil {
				return err
			}
			if added > 0 {
				fresh = append(fresh, event)
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrap("take webset events", err)
	}
	return fresh, nil
}

// sqlDueWebsetFeeds reads all feeds: a user has one, and its row is small.
const sqlDueWebsetFeeds = `SELECT user_id, seen_at, failures FROM webset_feeds WHERE next_at <= ?
ORDER BY next_at, user_id LIMIT ?`

// DueWebsetFeeds: see store.WebsetFeeds. It looks by reading first, so that nothing due costs the writers nothing.
func (s *Store) DueWebsetFeeds(ctx context.Context, now, until time.Time, limit int) ([]store.WebsetFeed, error) {
	var due []store.WebsetFeed
	look := func(q *session) error {
		due = nil
		return q.readSQL(sqlDueWebsetFeeds, func(stmt *sqlite.Stmt) error {
			due = append(due, store.WebsetFeed{User: model.UserID(columnID(stmt, 0)), Seen: columnTime(stmt, 1),
				NextAt: rows.Time(until), Failures: stmt.ColumnInt(2)})
			return nil
		}, instantArg(now), intArg(max(limit, 0)))
	}
	if err := s.reading(ctx, oneStatement, look); err != nil || len(due) == 0 {
		return nil, wrap("due webset feeds", err)
	}
	err := s.exclusively(ctx, func(q *session) error {
		if err := look(q); err != nil { // another may have taken them since
			return err
		}
		for i := range due {
			if _, err := q.write(`UPDATE webset_feeds SET next_at = ? WHERE user_id = ?`, instantArg(until),
				userArg(due[i].User)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrap("due webset feeds", err)
	}
	return due, nil
}

// SaveWebsetFeed: see store.WebsetFeeds.
func (s *Store) SaveWebsetFeed(ctx context.Context, feed store.WebsetFeed) error {
	err := s.writing(ctx, feed.User, func(q *session) error {
		found, err := q.write(
			`UPDATE webset_feeds SET seen_at = max(seen_at, ?), next_at = ?, failures = ? WHERE user_id = ?`,
			instantArg(feed.Seen), instantArg(feed.NextAt), intArg(feed.Failures), userArg(feed.User))
		if err == nil && found == 0 {
			err = store.ErrNotFound
		}
		return err
	})
	return wrap("save webset feed", err)
}

// sqlForgetWebsetEvents deletes some of the events that the remote returns no more. Every index begins with the user,
// so it looks at each user's oldest ones.
const sqlForgetWebsetEvents = `DELETE FROM webset_events WHERE (user_id, event) IN (
	SELECT e.user_id, e.event FROM users u CROSS
	JOIN webset_events e INDEXED BY webset_events_forget ON e.user_id = u.user_id AND e.forget_at <= ? LIMIT ?
)`

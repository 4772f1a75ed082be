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
	websetHookColumns = wholeOf(&store.WebsetHookTable)
	sqlWebsetHooks    = "SELECT " + websetHookColumns.names("") + " FROM webset_hooks WHERE user_id = ?"
	sqlSaveWebsetHook = upsertSQL(&store.WebsetHookTable, "user_id, id")
)

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
	err = q.readSQL(sqlWebsetHooks+end, into(&hooks, func(stmt *sqlite.Stmt, hook *store.WebsetHook) error {
		hook.User = user
		return websetHookColumns.readRow(stmt, hook)
	}), append([]arg{userArg(user)}, args...)...)
	return hooks, err
}

// SaveWebsetHook: see store.WebsetHookWriter.
func (f *frame) SaveWebsetHook(ctx context.Context, hook store.WebsetHook) error {
	err := f.atomically(ctx, func(q *session) error {
		others, _, err := q.number(`SELECT count(*) FROM webset_hooks WHERE user_id = ? AND id <> ?`, userArg(f.user),
			idArg(hook.ID))
		if err != nil {
			return err
		}
		if others >= store.MaxWebsetHooks {
			return store.ErrConflict
		}
		args, err := argsOf(f.user, &store.WebsetHookTable, &hook)
		if err != nil {
			return err
		}
		if _, err := q.write(sqlSaveWebsetHook, args...); err != nil {
			return err
		}
		if !hook.Receives {
			return f.endWebsetFeed(q)
		}
		_, err = q.write(
			`INSERT INTO webset_feeds (user_id, seen_at, next_at, failures) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING`,
			userArg(f.user), instantArg(hook.CreatedAt), instantArg(hook.CreatedAt))
		return err
	})
	return wrap("save webset hook", err)
}

// DeleteWebsetHook: see store.WebsetHookWriter.
func (f *frame) DeleteWebsetHook(ctx context.Context, id model.UUID) error {
	err := f.atomically(ctx, func(q *session) error {
		if err := q.writeOne(`DELETE FROM webset_hooks WHERE user_id = ? AND id = ?`, userArg(f.user),
			idArg(id)); err != nil {
			return err
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

const sqlDueWebsetFeeds = `SELECT user_id, seen_at, failures FROM webset_feeds INDEXED BY webset_feeds_due
WHERE next_at <= ?
ORDER BY next_at, user_id LIMIT ?`

// DueWebsetFeeds: see store.WebsetFeeds.
func (s *Store) DueWebsetFeeds(ctx context.Context, now, until time.Time, limit int) ([]store.WebsetFeed, error) {
	return claim(ctx, s, "due webset feeds", func(q *session) (due []store.WebsetFeed, err error) {
		err = q.readSQL(sqlDueWebsetFeeds, into(&due, func(stmt *sqlite.Stmt, feed *store.WebsetFeed) error {
			*feed = store.WebsetFeed{User: model.UserID(columnID(stmt, 0)), Seen: columnTime(stmt, 1),
				NextAt: rows.Time(until), Failures: stmt.ColumnInt(2)}
			return nil
		}), instantArg(now), intArg(max(limit, 0)))
		return due, err
	}, func(q *session, feed *store.WebsetFeed) error {
		_, err := q.write(`UPDATE webset_feeds SET next_at = ? WHERE user_id = ?`, instantArg(until), userArg(feed.User))
		return err
	})
}

// SaveWebsetFeed: see store.WebsetFeeds.
func (s *Store) SaveWebsetFeed(ctx context.Context, feed store.WebsetFeed) error {
	err := s.writing(ctx, feed.User, func(q *session) error {
		return q.writeOne(
			`UPDATE webset_feeds SET seen_at = max(seen_at, ?), next_at = ?, failures = ? WHERE user_id = ?`,
			instantArg(feed.Seen), instantArg(feed.NextAt), intArg(feed.Failures), userArg(feed.User))
	})
	return wrap("save webset feed", err)
}

// sqlForgetWebsetEvents deletes some of the events that the remote returns no more.
const sqlForgetWebsetEvents = `DELETE FROM webset_events WHERE (user_id, event) IN (
	SELECT user_id, event FROM webset_events INDEXED BY webset_events_forget WHERE forget_at <= ? LIMIT ?
)`

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
	hookColumns = wholeOf(&store.WebsetHookTable)
	hookNames   = strings.Join(hookColumns.names(), ", ")

	sqlWebsetHooks = `SELECT ` + hookNames + ` FROM webset_hooks WHERE user_id = $1`

	// sqlSaveWebsetHook keeps nothing when there is no room. The caller holds the user's row, so nobody else makes up the
	// number meanwhile.
	sqlSaveWebsetHook = `INSERT INTO webset_hooks (user_id, ` + hookNames + `)
SELECT o.user_id, ` + numbered(2, len(hookColumns)) + ` FROM ` + ofUser + ` WHERE (
	SELECT count(*) FROM webset_hooks WHERE user_id = $1 AND id <> $2) < ` + numbered(2+len(hookColumns), 1) +
		` ON CONFLICT (user_id, id) DO UPDATE SET ` + excluded(store.Names(store.WebsetHookTable.Replaced())...)

	dueWebsetFeeds     = queueOf("webset_feeds", "q.next_at <= $1", "q.next_at, q.user_id")
	sqlTakeWebsetFeeds = sqlTaking("webset_feeds", "next_at", nil, "q.next_at <= $1", "",
		"user_id, seen_at, next_at, failures")
)

const (
	// sqlBeginWebsetFeed and sqlEndWebsetFeed see what the statement before them did: there is a feed where a webhook
	// receives, and nowhere else.
	sqlBeginWebsetFeed = `INSERT INTO webset_feeds (user_id, seen_at, next_at, failures)
SELECT user_id, created_at, created_at, 0 FROM webset_hooks WHERE user_id = $1 AND id = $2 AND receives
ON CONFLICT (user_id) DO NOTHING`

	sqlEndWebsetFeed = `DELETE FROM webset_feeds WHERE user_id = $1
AND NOT EXISTS (SELECT FROM webset_hooks WHERE user_id = $1 AND receives)`

	sqlDeleteWebsetHook = `DELETE FROM webset_hooks WHERE user_id = $1 AND id = $2`

	sqlTakeWebsetEvents = `INSERT INTO webset_events (user_id, forget_at, event) SELECT $1, $2, e FROM unnest($3::text[])
AS u (e)
ON CONFLICT (user_id, event) DO NOTHING RETURNING event`

	sqlSaveWebsetFeed = `UPDATE webset_feeds SET seen_at = greatest(seen_at, $2), next_at = $3, failures = $4
WHERE user_id = $1`
)

// hooks reads those of the user's webhooks that the end of the statement asks for.
func (d reader) hooks(ctx context.Context, user model.UserID, end string, args ...any) ([]store.WebsetHook, error) {
	q := newQuery(userArg(user))
	q.add(sqlWebsetHooks, end)
	q.args = append(q.args, args...)
	return records(ctx, d, "read webset hooks", q, 0, func(r *row, hook *store.WebsetHook) {
		hook.User = user
		hookColumns.read(r, hook)
	})
}

// WebsetHook returns a webhook.
func (d reader) WebsetHook(ctx context.Context, user model.UserID, id model.UUID) (store.WebsetHook, error) {
	return theOne(d.hooks(ctx, user, ` AND id = $2`, uuidArg(id)))
}

// WebsetHooks returns the user's webhooks, the oldest first.
func (d reader) WebsetHooks(ctx context.Context, user model.UserID) ([]store.WebsetHook, error) {
	return d.hooks(ctx, user, ` ORDER BY created_at, id`)
}

// SaveWebsetHook inserts or replaces a webhook, and begins or ends the user's feed with it.
func (t tx) SaveWebsetHook(ctx context.Context, hook store.WebsetHook) error {
	args, err := values(t.user(), hookColumns, hook)
	if err != nil {
		return err
	}
	b := newBatch()
	b.exec(sqlSaveWebsetHook, all(1, store.ErrConflict), append(args, int64(store.MaxWebsetHooks))...)
	b.exec(sqlBeginWebsetFeed, nil, t.user(), uuidArg(hook.ID))
	b.exec(sqlEndWebsetFeed, nil, t.user())
	return t.write(ctx, "save a webset hook", b, nil)
}

// DeleteWebsetHook erases a webhook; the last one that receives takes the feed with it.
func (t tx) DeleteWebsetHook(ctx context.Context, id model.UUID) error {
	b := newBatch()
	b.exec(sqlDeleteWebsetHook, all(1, store.ErrNotFound), t.user(), uuidArg(id))
	b.exec(sqlEndWebsetFeed, nil, t.user())
	return t.write(ctx, "delete a webset hook", b, nil)
}

// TakeWebsetEvents remembers that events have been told and returns those that had not been.
func (t tx) TakeWebsetEvents(ctx context.Context, events []string, at time.Time) ([]string, error) {
	if err := rows.Text(events...); err != nil {
		return nil, fmt.Errorf("postgres: take webset events: %w", err)
	}
	events = rows.DistinctTexts(events)
	if len(events) == 0 {
		return nil, nil
	}
	added := make(map[string]bool, len(events))
	b := newBatch()
	b.query(sqlTakeWebsetEvents, func(r *row) { added[r.text()] = true }, t.user(),
		instantArg(rows.ForgetWebsetEvents(at)), events)
	if err := t.write(ctx, "take webset events", b, nil); err != nil {
		return nil, err
	}
	var fresh []string
	for _, event := range events {
		if added[event] {
			fresh = append(fresh, event)
		}
	}
	return fresh, nil
}

// DueWebsetFeeds returns feeds that are due and sets when they are due next.
func (s *Store) DueWebsetFeeds(ctx context.Context, now, until time.Time, limit int) ([]store.WebsetFeed, error) {
	return claim(ctx, s, "take due webset feeds", dueWebsetFeeds, sqlTakeWebsetFeeds,
		func(r *row, feed *store.WebsetFeed) {
			*feed = store.WebsetFeed{User: model.UserID(r.uuid()), Seen: r.time(), NextAt: r.time(), Failures: int(r.int32())}
		}, now, until, limit)
}

// SaveWebsetFeed says how far a feed was read, and when to look next.
func (s *Store) SaveWebsetFeed(ctx context.Context, feed store.WebsetFeed) error {
	b := newBatch()
	b.exec(sqlSaveWebsetFeed, all(1, store.ErrNotFound), userArg(feed.User), instantArg(feed.Seen),
		instantArg(feed.NextAt), int32(feed.Failures))
	return s.writeOf(ctx, feed.User, "save a webset feed", b)
}

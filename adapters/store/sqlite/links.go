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
	linkColumns = wholeOf(&store.CalendarLinkTable)
	sqlLinks    = "SELECT l.user_id, " + linkColumns.names("l")
	sqlSaveLink = upsertSQL(&store.CalendarLinkTable, "user_id, calendar, kind")
	sqlDueLinks = sqlLinks + ` FROM calendar_links l INDEXED BY calendar_links_due
WHERE l.due_at IS NOT NULL AND l.due_at <= ? ORDER BY l.due_at, l.user_id, l.calendar LIMIT ?`
)

// readLink reads a row of sqlLinks.
func readLink(stmt *sqlite.Stmt, link *model.CalendarLink) error {
	link.User = model.UserID(columnID(stmt, 0))
	return linkColumns.read(stmt, 1, link)
}

// CalendarLinks: see store.CalendarLinkReader.
func (r reader) CalendarLinks(ctx context.Context, user model.UserID) ([]model.CalendarLink, error) {
	return answer(ctx, r, "calendar links", oneStatement, func(q *session) (links []model.CalendarLink, err error) {
		err = q.readSQL(sqlLinks+" FROM calendar_links l WHERE l.user_id = ? ORDER BY l.calendar, l.kind",
			into(&links, readLink), userArg(user))
		return links, err
	})
}

// SaveCalendarLink: see store.CalendarLinkWriter.
func (f *frame) SaveCalendarLink(ctx context.Context, link model.CalendarLink) error {
	err := f.atomically(ctx, func(q *session) error {
		if _, err := f.calendar(q, link.Calendar); err != nil {
			return err
		}
		link.CreatedAt, link.DueAt = rows.Time(link.CreatedAt), rows.Time(link.DueAt)
		args, err := argsOf(f.user, &store.CalendarLinkTable, &link)
		if err != nil {
			return err
		}
		_, err = q.write(sqlSaveLink, args...)
		return err
	})
	return wrap("save a calendar link", err)
}

// DeleteCalendarLink: see store.CalendarLinkWriter.
func (f *frame) DeleteCalendarLink(ctx context.Context, calendar int, kind model.CalendarLinkKind) error {
	err := f.atomically(ctx, func(q *session) error {
		gone, err := q.write(`DELETE FROM calendar_links WHERE user_id = ? AND calendar = ? AND kind = ?`, userArg(f.user),
			intArg(calendar), textArg(string(kind)))
		if err == nil && gone == 0 {
			return store.ErrNotFound
		}
		return err
	})
	return wrap("delete a calendar link", err)
}

// ClaimFeeds: see store.FeedQueue.
func (s *Store) ClaimFeeds(ctx context.Context, now, until time.Time, limit int) ([]model.CalendarLink, error) {
	return claim(ctx, s, "claim feeds", func(q *session) (due []model.CalendarLink, err error) {
		err = q.readSQL(sqlDueLinks, into(&due, readLink), instantArg(now), intArg(max(limit, 0)))
		return due, err
	}, func(q *session, link *model.CalendarLink) error {
		link.DueAt = rows.Time(until)
		_, err := q.write(`UPDATE calendar_links SET due_at = ? WHERE user_id = ? AND calendar = ? AND kind = ?`,
			timeArg(until), userArg(link.User), intArg(link.Calendar), textArg(string(link.Kind)))
		return err
	})
}

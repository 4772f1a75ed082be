package postgres

import (
	"context"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

var (
	linkColumns = wholeOf(&store.CalendarLinkTable)
	linkNames   = "user_id, " + strings.Join(linkColumns.names(), ", ")

	sqlCalendarLinks = `SELECT ` + linkNames + ` FROM calendar_links WHERE user_id = $1 ORDER BY calendar, kind`

	// sqlSaveLink writes nothing where the calendar, $2, is not there.
	sqlSaveLink = `INSERT INTO calendar_links (` + linkNames + `) SELECT user_id, number, ` +
		numbered(3, len(linkColumns)-1) + ` FROM calendars WHERE user_id = $1 AND number = $2 AND state <> 'DELETED'
ON CONFLICT (user_id, calendar, kind) DO UPDATE SET ` + excluded(store.Names(store.CalendarLinkTable.Replaced())...)

	dueFeeds      = queueOf("calendar_links", "q.due_at <= $1", "q.due_at, q.user_id, q.calendar, q.kind")
	sqlClaimFeeds = sqlTaking("calendar_links", "due_at", []string{"calendar", "kind"}, "q.due_at <= $1", "", linkNames)
)

const (
	sqlDeleteLink  = `DELETE FROM calendar_links WHERE user_id = $1 AND calendar = $2 AND kind = $3`
	sqlDeleteLinks = `DELETE FROM calendar_links WHERE user_id = $1 AND calendar = $2`
)

// readLink reads what linkNames names.
func readLink(r *row, link *model.CalendarLink) {
	link.User = model.UserID(r.uuid())
	linkColumns.read(r, link)
}

// CalendarLinks returns all links of the user's calendars, by calendar and kind.
func (d reader) CalendarLinks(ctx context.Context, user model.UserID) ([]model.CalendarLink, error) {
	q := newQuery(userArg(user))
	q.add(sqlCalendarLinks)
	return records(ctx, d, "read calendar links", q, 0, readLink)
}

// SaveCalendarLink inserts or replaces a link.
func (t tx) SaveCalendarLink(ctx context.Context, link model.CalendarLink) error {
	args, err := values(t.user(), linkColumns, link)
	if err != nil {
		return err
	}
	b := newBatch()
	b.exec(sqlSaveLink, all(1, store.ErrNotFound), args...)
	return t.write(ctx, "save a calendar link", b, nil)
}

// DeleteCalendarLink deletes a link.
func (t tx) DeleteCalendarLink(ctx context.Context, calendar int, kind model.CalendarLinkKind) error {
	b := newBatch()
	b.exec(sqlDeleteLink, all(1, store.ErrNotFound), t.user(), int32(calendar), string(kind))
	return t.write(ctx, "delete a calendar link", b, nil)
}

// ClaimFeeds returns feeds that are due and sets when they are due next.
func (s *Store) ClaimFeeds(ctx context.Context, now, until time.Time, limit int) ([]model.CalendarLink, error) {
	return claim(ctx, s, "claim feeds", dueFeeds, sqlClaimFeeds, readLink, now, until, limit)
}

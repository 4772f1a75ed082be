package store

import (
	"context"
	"time"

	"almanac/graph/model"
)

// CalendarLinkReader reads the addresses of kept calendars.
type CalendarLinkReader interface {
	// CalendarLinks returns all links of the user's calendars, by calendar and kind.
	CalendarLinks(ctx context.Context, user model.UserID) ([]model.CalendarLink, error)
}

// CalendarLinkWriter writes them. They are not part of the change log. DeleteCalendar deletes those of its calendar.
type CalendarLinkWriter interface {
	// SaveCalendarLink inserts or replaces the link of a calendar and kind, but for CreatedAt of one that is there.
	// ErrNotFound when there is no such calendar.
	SaveCalendarLink(ctx context.Context, link model.CalendarLink) error
	// DeleteCalendarLink deletes a link. ErrNotFound.
	DeleteCalendarLink(ctx context.Context, calendar int, kind model.CalendarLinkKind) error
}

// FeedQueue finds the feeds that are to be read.
type FeedQueue interface {
	// ClaimFeeds returns up to limit links of any users whose DueAt is not after now, the longest due first, and sets
	// their DueAt to until in the same transaction, so that no other process takes them meanwhile. What it returns holds
	// the new DueAt. What is lost on the way to the caller is due again at until.
	ClaimFeeds(ctx context.Context, now, until time.Time, limit int) ([]model.CalendarLink, error)
}

// CalendarLinkTable has their columns.
var CalendarLinkTable = Table[model.CalendarLink, Whole]{Name: "calendar_links",
	Columns: []Column[model.CalendarLink, Whole]{
		{Name: "calendar", Once: true, Field: func(l *model.CalendarLink) any { return &l.Calendar }},
		{Name: "kind", Once: true, Field: func(l *model.CalendarLink) any { return (*string)(&l.Kind) }},
		{Name: "hash", Field: func(l *model.CalendarLink) any { return &l.Hash }},
		{Name: "sealed", Field: func(l *model.CalendarLink) any { return &l.Sealed }},
		{Name: "state", Field: func(l *model.CalendarLink) any { return &l.State }},
		{Name: "created_at", Once: true, Field: func(l *model.CalendarLink) any { return &l.CreatedAt }},
		{Name: "due_at", Kind: Optional, Field: func(l *model.CalendarLink) any { return &l.DueAt }},
	}}

// Package agenda joins events, tasks and mail that waits for an answer, in the order of time. It reads through the
// domains that it joins, by the few methods that it declares here.
package agenda

import (
	"context"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// Tasks reads the tasks of a window.
type Tasks interface {
	// Due returns the open tasks that are due in a window, those that were due before overdue, unless that is zero, and
	// those that repeat without a date; at most so many of each, and more reports that there are others.
	Due(ctx context.Context, v *core.Viewer, from, to, overdue time.Time, most int,
		asked core.Selection) (due []model.Task, more bool, err error)
}

// Events reads the events of a window.
type Events interface {
	// Fields are what must be read of events of which these fields are asked.
	Fields(asked core.Selection) gcal.Fields
	// In lists the events of a calendar of a linked account, by start.
	In(ctx context.Context, calendar core.LinkedCalendar, query gcal.Query) (gcal.Listing, error)
	// Followed are the calendars of linked accounts that are read when none is named: the primary ones, and what else is
	// followed. unknown: one is left out, which an error beside the answer says.
	Followed(ctx context.Context, v *core.Viewer, accounts []model.Connection) (all []core.LinkedCalendar, unknown bool,
		err error)
	// Keeps says of an account whether its primary calendar is kept, and read.
	Keeps(ctx context.Context, v *core.Viewer) func(model.Connection) bool
	// Fresh is how fresh calendars are that are read next, once they were synced where that is wanted; tells: it is asked
	// for.
	Fresh(ctx context.Context, v *core.Viewer, calendars []core.LinkedCalendar, wanted graph.Freshness,
		tells bool) (projections.FreshnessContext, error)
	// Own lists the events of the viewer's own calendars that are followed, a listing for each.
	Own(ctx context.Context, v *core.Viewer, query gcal.Query) ([]gcal.Listing, error)
}

// Mail reads the mail that waits for an answer.
type Mail interface {
	// Waiting returns the e-mails of a mailbox that wait for an answer, of so many received and sent ones, the newest
	// first; more reports that there are others.
	Waiting(ctx context.Context, account model.Connection, now time.Time, received,
		sent int) (waiting []model.Email, more bool, err error)
	// Views are the views of e-mails, with their labels' ids for names.
	Views(ctx context.Context, v *core.Viewer, emails []model.Email) []projections.Email
	// ReadAsAsked reads e-mails of which the headers are known as far as they are asked for; nil when the headers are
	// enough.
	ReadAsAsked(ctx context.Context, v *core.Viewer, emails []model.Email, asked core.Selection) ([]projections.Email,
		error)
}

// Resolver answers the agenda.
type Resolver struct {
	*core.Base
	tasks  Tasks
	events Events
	mail   Mail
}

// New makes the resolver of the agenda.
func New(base *core.Base, tasks Tasks, events Events, mail Mail) *Resolver {
	return &Resolver{Base: base, tasks: tasks, events: events, mail: mail}
}

// Package icalendar answers the fields of iCalendar files: importing and exporting them, publishing calendars at secret
// addresses, and following feeds.
//
// What is written goes through adapters/calfiles, some events in each transaction.
package icalendar

import (
	"context"
	"net/url"

	"almanac/adapters/calfiles"
	"almanac/adapters/feeds"
	"almanac/adapters/owncal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// Resolver answers the fields of iCalendar files.
type Resolver struct {
	*core.Base
	Files *calfiles.Files
	Own   *owncal.Client
	Links Links
}

// Links are the addresses that files are reached by.
type Links struct {
	// Download is where a calendar's file is downloaded, for some minutes.
	Download func(user model.UserID, calendar int, window calfiles.Window, form model.CalendarForm) string
	// Published is where a calendar with a secret is read.
	Published func(secret string) string
	// Feeds reads feeds.
	Feeds FeedReader
	// Seal encrypts a feed's address, as internal/feedsync reads it.
	Seal func(user model.UserID, address string) []byte
}

// FeedReader reads feeds; the contract is that of feeds.Client.
type FeedReader interface {
	Read(ctx context.Context, address *url.URL, state feeds.State) (feeds.Answer, error)
}

// calendar finds a calendar of the store by its public id; without one the first own calendar, of which the number is 0
// when there is none.
func (r *Resolver) calendar(ctx context.Context, v *core.Viewer, field string,
	id *string) (found model.KeptCalendar, err error) {
	all, err := r.Store.KeptCalendars(ctx, v.User)
	if err != nil {
		return found, err
	}
	if id == nil {
		for _, calendar := range all {
			if calendar.Source == model.CalendarOwn {
				return calendar, nil
			}
		}
		return model.KeptCalendar{Source: model.CalendarOwn, Zone: v.Zone.String()}, nil
	}
	read, err := core.RemoteID(field, *id, model.KindCalendar)
	if err != nil {
		return found, err
	}
	ref, err := model.CalendarRefOf(read)
	if err != nil {
		return found, core.NotAnID(field, *id, "the id of a calendar, which begins with calendar_")
	}
	for _, calendar := range all {
		if calendar.Ref() == ref && calendar.Connection == 0 {
			return calendar, nil
		}
	}
	if ref.Connection > 0 {
		return found, model.BadInput(field, "%s is not a calendar of your own; what a linked account has, its provider "+
			"imports and exports", model.Clip(*id))
	}
	return found, model.NotFound(field, "you have no calendar %s", model.Clip(*id))
}

// writable refuses the copies of feeds.
func writable(field string, calendar model.KeptCalendar) error {
	if calendar.Source == model.CalendarOwn {
		return nil
	}
	return &model.Error{Code: model.CodeForbidden, Field: model.FieldPath(field),
		Message: "this calendar is the copy of a feed and cannot be changed here"}
}

// did keeps what was done to a calendar as an action that cannot be undone, in the transaction of the change.
func did(ctx context.Context, tx store.Tx, calendar model.KeptCalendar, made bool) error {
	change := model.Difference{ID: calendar.Ref().ID(), Before: &calendar, After: &calendar}
	if made {
		change.Before = nil
	}
	return core.ActFrom(ctx).Did(ctx, tx, core.Did{Changes: []model.Difference{change}})
}

func viewOf(calendar model.KeptCalendar) *projections.Calendar {
	view := projections.CalendarOf(owncal.CalendarOf(calendar))
	return &view
}

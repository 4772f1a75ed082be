package agenda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/agenda"
	"almanac/projections/occur"
	"almanac/resolvers/core"
)

// usableForAgenda parts the linked accounts that can be read, as core.Base.Parted does, from those that cannot, which
// leave a note.
func (r *Resolver) usableForAgenda(v *core.Viewer, kind graph.AgendaKind, all []model.Connection,
	keeps func(model.Connection) bool) (usable []model.Connection, notes []graph.AgendaNote) {
	if len(all) == 0 {
		return nil, []graph.AgendaNote{noteOf(kind, "", r.NotConnected(v, ""))}
	}
	usable, left := r.Parted(v, all, keeps)
	for _, account := range left {
		notes = append(notes, noteOf(kind, account.Account, r.Usable(v, account)))
	}
	return usable, notes
}

// noteOf says what could not be had. Whatever is no *model.Error is hidden, as everywhere.
func noteOf(kind graph.AgendaKind, account string, err error) graph.AgendaNote {
	note := graph.AgendaNote{Kind: &kind, Code: model.CodeInternal, Message: "something went wrong here",
		Account: core.TextOrNil(account)}
	var shown *model.Error
	if errors.As(err, &shown) {
		note.Code, note.Message, note.ConnectURL = shown.Code, shown.Message, core.TextOrNil(shown.ConnectURL)
		if shown.RetryAfter > 0 {
			ms := int32(min(shown.RetryAfter, 24*time.Hour).Milliseconds())
			note.RetryAfterMs = &ms
		}
	}
	return note
}

// notAll says that there is more than is here.
func notAll(kind graph.AgendaKind, account, why string) graph.AgendaNote {
	return noteOf(kind, account, model.Errorf(model.CodeQueryTooExpensive, "%s", why))
}

// maxAgendaEvents is how many events of a calendar an agenda holds.
const maxAgendaEvents = 2_000

// agendaEvents reads the events of own calendars and of those of linked accounts that are followed.
func (r *Resolver) agendaEvents(ctx context.Context, v *core.Viewer, q agendaQuestion, all []model.Connection) section {
	var accounts []model.Connection
	var out section
	if len(all) > 0 {
		accounts, out.notes = r.usableForAgenda(v, graph.AgendaKindEvent, all, r.events.Keeps(ctx, v))
	}
	query := gcal.Query{
		From: q.From.Add(-agenda.Slack), To: q.To.Add(agenda.Slack), Limit: maxAgendaEvents, MostKept: true,
		Fields: r.events.Fields(q.events) | gcal.FieldSummary | gcal.FieldTimes | gcal.FieldZone,
		Keep:   func(event model.Event) bool { return q.Holds(event, v.Zone) },
	}
	if q.events.Compact {
		query.Fields |= gcal.FieldLocation
	}
	if !q.events.Has("attendees", "response", "attendeesOmitted") {
		query.MaxAttendees = 1
	}
	calendars, unknown, err := r.events.Followed(ctx, v, accounts)
	if err != nil {
		out.notes, unknown = append(out.notes, noteOf(graph.AgendaKindEvent, "", err)), true
	}
	if fresh, err := r.events.Fresh(ctx, v, calendars, q.fresh, q.ages); err == nil {
		out.asOf = fresh.AsOf
		for _, note := range fresh.Notes {
			kind := graph.AgendaKindEvent
			out.notes = append(out.notes, graph.AgendaNote{Kind: &kind, Code: note.Code, Message: note.Message,
				Account: note.Account, ConnectURL: note.ConnectURL, RetryAfterMs: note.RetryAfterMs})
		}
	} else {
		out.notes = append(out.notes, noteOf(graph.AgendaKindEvent, "", err))
	}
	own, err := r.events.Own(ctx, v, query)
	whole := (len(accounts) > 0 || len(all) == 0) && !unknown
	if err != nil {
		out.notes, whole = append(out.notes, noteOf(graph.AgendaKindEvent, "", err)), false
	}
	if len(calendars)+len(own) > 1 {
		query.Fields |= gcal.FieldICalUID // to know copies by
	}
	listings, failures := core.AskEach(calendars, func(calendar core.LinkedCalendar) (gcal.Listing, error) {
		return r.events.In(ctx, calendar, query)
	})
	var from []eventsOf
	for _, listing := range own {
		from = append(from, eventsOf{listing: listing})
	}
	for i, listing := range listings {
		if failures[i] != nil {
			out.notes = append(out.notes, noteOf(graph.AgendaKindEvent, calendars[i].Account.Account, failures[i]))
			whole = false
			continue
		}
		from = append(from, eventsOf{calendars[i].Account, listing})
	}
	for _, one := range from {
		if one.listing.More {
			out.notes = append(out.notes, notAll(graph.AgendaKindEvent, one.account.Account, tooManyEvents()))
			whole = false
		}
	}
	events := eventsOnce(from)
	if out.entries = q.Events(events, v.Moment); whole {
		out.count = entryCount(out.entries)
	}
	return out
}

// eventsOf is what was found in a calendar; that of no account is an own one.
type eventsOf struct {
	account model.Connection
	listing gcal.Listing
}

// eventsOnce are the events of all calendars, each of which stands there once.
func eventsOnce(from []eventsOf) []model.Event {
	if len(from) == 1 {
		return from[0].listing.Events
	}
	// found is an event with what can be done with it through its calendar: see occur.Standing.
	type found struct {
		event    *model.Event
		standing int
	}
	var all []found
	for _, one := range from {
		standing := occur.Standing(one.account.Number, one.listing.Role)
		for i := range one.listing.Events {
			all = append(all, found{&one.listing.Events[i], standing})
		}
	}
	all = occur.Once(all, func(one found) (*model.Event, int) { return one.event, one.standing })
	events := make([]model.Event, len(all))
	for i, one := range all {
		events[i] = *one.event
	}
	return events
}

func tooManyEvents() string {
	return fmt.Sprintf("there are more than %d events; the rest of them is not here: ask for a shorter window",
		maxAgendaEvents)
}

const (
	// maxWaiting is how many e-mails of an inbox are looked at, the newest first.
	maxWaiting = 200
	// maxSent is how many of those that were sent are.
	maxSent = 500
)

// agendaEmails reads the mail that waits for an answer.
func (r *Resolver) agendaEmails(ctx context.Context, v *core.Viewer, q agendaQuestion, all []model.Connection) section {
	accounts, notes := r.usableForAgenda(v, graph.AgendaKindEmail, all, nil)
	out := section{notes: notes}
	type mailbox struct {
		waiting []model.Email
		more    bool
	}
	boxes, failures := core.AskEach(accounts, func(account model.Connection) (mailbox, error) {
		waiting, more, err := r.mail.Waiting(ctx, account, v.Now, maxWaiting, maxSent)
		return mailbox{waiting, more}, err
	})
	whole := len(accounts) > 0
	for i, box := range boxes {
		if failures[i] != nil {
			out.notes = append(out.notes, noteOf(graph.AgendaKindEmail, accounts[i].Account, failures[i]))
			whole = false
			continue
		}
		if box.more {
			out.notes = append(out.notes, notAll(graph.AgendaKindEmail, accounts[i].Account,
				fmt.Sprintf("only the newest %d e-mails of the inbox, and the newest %d that were sent, were looked at", maxWaiting,
					maxSent)))
			whole = false
		}
		out.entries = append(out.entries, q.Emails(r.mail.Views(ctx, v, box.waiting))...)
	}
	if whole {
		out.count = entryCount(out.entries)
	}
	return out
}

// agendaMail reads the e-mails of a page as far as they are asked for.
func (r *Resolver) agendaMail(ctx context.Context, v *core.Viewer, q agendaQuestion,
	page []agenda.Entry) ([]agenda.Entry, error) {
	var emails []model.Email
	for _, entry := range page {
		if email, ok := entry.Node.(projections.Email); ok {
			emails = append(emails, email.Record())
		}
	}
	views, err := r.mail.ReadAsAsked(ctx, v, emails, q.emails)
	if err != nil || views == nil {
		return page, err
	}
	page = slices.Clone(page)
	next := 0
	for i := range page {
		if _, ok := page[i].Node.(projections.Email); ok {
			page[i].Node = views[next]
			next++
		}
	}
	return page, nil
}

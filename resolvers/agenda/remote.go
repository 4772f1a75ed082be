package agenda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/gmail"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/agenda"
	"almanac/resolvers/core"
	"almanac/resolvers/emails"
	"almanac/resolvers/events"
)

// usableForAgenda parts the linked accounts that can be asked from those that cannot, which leave a note.
func (r *Resolver) usableForAgenda(v *core.Viewer, kind graph.AgendaKind,
	all []model.Connection) (usable []model.Connection, notes []graph.AgendaNote) {
	if len(all) == 0 {
		return nil, []graph.AgendaNote{noteOf(kind, "", r.NotConnected(v, ""))}
	}
	var expired []model.Connection
	for _, account := range all {
		if r.Usable(v, account) == nil {
			usable = append(usable, account)
		} else {
			expired = append(expired, account)
		}
	}
	for _, account := range expired {
		// What was tried out with the stand-in is of no use once Google is linked; there is nothing to mend, so nothing is
		// said.
		if len(usable) == 0 || account.StandIn == usable[0].StandIn {
			notes = append(notes, noteOf(kind, account.Account, r.Usable(v, account)))
		}
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

// agendaEvents reads the events of the primary calendars.
func (r *Resolver) agendaEvents(ctx context.Context, v *core.Viewer, q agendaQuestion, all []model.Connection) section {
	accounts, notes := r.usableForAgenda(v, graph.AgendaKindEvent, all)
	out := section{notes: notes}
	query := gcal.Query{
		From: q.From.Add(-agenda.Slack), To: q.To.Add(agenda.Slack), Limit: maxAgendaEvents, MostKept: true,
		Fields: events.EventFields(q.events) | gcal.FieldSummary | gcal.FieldTimes | gcal.FieldZone,
		Keep:   func(event model.Event) bool { return q.Holds(event, v.Zone) },
	}
	if q.events.Compact {
		query.Fields |= gcal.FieldLocation
	}
	if !q.events.Has("attendees", "response", "attendeesOmitted") {
		query.MaxAttendees = 1
	}
	listings, failures := core.AskEach(accounts, func(account model.Connection) (gcal.Listing, error) {
		return r.events.Reader.Events(ctx, account, "", query)
	})
	whole := len(accounts) > 0
	for i, listing := range listings {
		if failures[i] != nil {
			out.notes = append(out.notes, noteOf(graph.AgendaKindEvent, accounts[i].Account, failures[i]))
			whole = false
			continue
		}
		if listing.More {
			out.notes = append(out.notes, notAll(graph.AgendaKindEvent, accounts[i].Account,
				fmt.Sprintf("there are more than %d events; the rest of them is not here: ask for a shorter window",
					maxAgendaEvents)))
			whole = false
		}
		out.entries = append(out.entries, q.Events(listing.Events, v.Moment)...)
	}
	if whole {
		out.count = entryCount(out.entries)
	}
	return out
}

const (
	// maxWaiting is how many e-mails of an inbox are looked at, the newest first.
	maxWaiting = 200
	// maxSent is how many of those that were sent are.
	maxSent = 500
)

// agendaEmails reads the mail that waits for an answer: what is in the inbox and what was sent are asked at the same
// time, then the headers of the newest e-mail of each conversation, and the dates of what was sent into one of them.
func (r *Resolver) agendaEmails(ctx context.Context, v *core.Viewer, q agendaQuestion, all []model.Connection) section {
	accounts, notes := r.usableForAgenda(v, graph.AgendaKindEmail, all)
	out := section{notes: notes}
	type mailbox struct {
		waiting []model.Email
		more    bool
	}
	boxes, failures := core.AskEach(accounts, func(account model.Connection) (mailbox, error) {
		waiting, more, err := r.waitingMail(ctx, account, v.Now)
		return mailbox{waiting, more}, err
	})
	at := r.emails.MailMoment(ctx, v, nil, nil, false)
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
		out.entries = append(out.entries, q.Emails(projections.EmailsAt(box.waiting, at))...)
	}
	if whole {
		out.count = entryCount(out.entries)
	}
	return out
}

// waitingMail gives the e-mails of a mailbox that wait for an answer; more tells that there are e-mails, received or
// sent, that were not looked at.
func (r *Resolver) waitingMail(ctx context.Context, account model.Connection,
	now time.Time) (waiting []model.Email, more bool, err error) {
	questions := []gmail.Query{
		{Text: agenda.ReceivedQuery(now), Size: maxWaiting, Ahead: true},
		{Text: agenda.SentQuery(now), Size: maxSent},
	}
	listings, failures := core.AskEach(questions, func(query gmail.Query) (gmail.Listing, error) {
		return r.emails.Mail.Reader.List(ctx, account, query)
	})
	for _, failure := range failures {
		if failure != nil {
			return nil, false, failure
		}
	}
	received, threads := newestOf(listings[0].Found, nil)
	sent, _ := newestOf(listings[1].Found, threads)
	type reading struct {
		ids   []string
		depth gmail.Depth
	}
	read, failures := core.AskEach([]reading{{received, store.MailHeaders}, {sent, store.MailMinimal}},
		func(what reading) (map[string]model.Email, error) {
			if len(what.ids) == 0 {
				return nil, nil
			}
			return r.emails.Mail.Reader.Messages(ctx, account, what.ids, what.depth)
		})
	for _, failure := range failures {
		if failure != nil {
			return nil, false, failure
		}
	}
	waiting = agenda.Waiting(mailInOrder(received, read[0]), mailInOrder(sent, read[1]), account.Account, now)
	return waiting, listings[0].Next != "" || listings[1].Next != "", nil
}

// newestOf gives the newest message of each conversation, of those conversations alone where some are given, and the
// conversations. What is found has the newest first.
func newestOf(found []gmail.Found, only map[string]bool) (ids []string, threads map[string]bool) {
	threads = make(map[string]bool, len(found))
	for _, one := range found {
		if !threads[one.Thread] && (only == nil || only[one.Thread]) {
			threads[one.Thread] = true
			ids = append(ids, one.Message)
		}
	}
	return ids, threads
}

// mailInOrder gives the e-mails that are still there in the order of their ids.
func mailInOrder(ids []string, emails map[string]model.Email) []model.Email {
	out := make([]model.Email, 0, len(ids))
	for _, id := range ids {
		if email, there := emails[id]; there {
			out = append(out, email)
		}
	}
	return out
}

// agendaMail reads the e-mails of a page as far as they are asked for, where that is further than their headers. One
// that has gone since is shown as it was.
func (r *Resolver) agendaMail(ctx context.Context, v *core.Viewer, q agendaQuestion,
	page []agenda.Entry) ([]agenda.Entry, error) {
	depth, labelled := emails.EmailDepth(q.emails), q.emails.Has("labels")
	if depth <= store.MailHeaders && !labelled {
		return page, nil
	}
	byAccount := map[int][]string{}
	var emails []model.Email
	for _, entry := range page {
		if email, ok := entry.Node.(projections.Email); ok {
			emails = append(emails, email.Record())
			ref := email.Record().Ref
			byAccount[ref.Connection] = append(byAccount[ref.Connection], ref.Message)
		}
	}
	if len(emails) == 0 {
		return page, nil
	}
	all, err := r.Connections(ctx, v)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(c model.Connection) bool { return len(byAccount[c.Number]) == 0 })
	deeper, failures := core.AskEach(all, func(account model.Connection) (map[string]model.Email, error) {
		if depth <= store.MailHeaders {
			return nil, nil
		}
		return r.emails.Mail.Reader.Messages(ctx, account, byAccount[account.Number], depth)
	})
	for i, failure := range failures {
		if failure != nil {
			core.AddError(ctx, failure)
			continue
		}
		for j := range emails {
			if email, there := deeper[i][emails[j].Ref.Message]; there && emails[j].Ref.Connection == all[i].Number {
				emails[j] = email
			}
		}
	}
	at := r.emails.MailMoment(ctx, v, all, emails, labelled)
	page = slices.Clone(page)
	next := 0
	for i := range page {
		if _, ok := page[i].Node.(projections.Email); ok {
			page[i].Node = projections.EmailAt(emails[next], at)
			next++
		}
	}
	return page, nil
}

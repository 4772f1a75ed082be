package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/internal/config"
	"almanac/internal/demo"
	standingmail "almanac/internal/standin/gmail"
	"almanac/projections/when"
)

// prepareStandIn links the stand-in for Google to the user it is for and lays the sample calendar and mailbox, each
// once.
func (s *Server) prepareStandIn(ctx context.Context) error {
	g := s.google
	if g.standIn == nil {
		return nil
	}
	user, moment, err := ensureUserAt(ctx, s.store, s.settings, standInUser(s.settings), s.clock.Now())
	if err != nil {
		return err
	}
	if err := g.linker.LinkStandIn(ctx, user.ID); err != nil {
		return err
	}
	if !s.settings.Demo {
		return nil
	}
	all, err := s.store.Connections(ctx, user.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(c model.Connection) bool { return c.StandIn && c.Account == standInAccount })
	if i < 0 || g.linker.Status(all[i]) != model.ConnectionConnected {
		return nil
	}
	// The sample's events are added as a user would add them.
	if s.settings.GoogleAccess.Calendar == config.AccessWrite {
		if err := g.layCalendar(ctx, all[i], moment); err != nil {
			return err
		}
	}
	return g.standIn.layMail(moment.Now)
}

// layCalendar lays the sample into a calendar that is empty, or goes on with it after a kill.
func (g *googleIntegration) layCalendar(ctx context.Context, account model.Connection, moment when.Moment) error {
	file := g.standIn.file
	if file == nil {
		return g.layEvents(ctx, account, moment)
	}
	state, err := file.sample()
	if err != nil || state == sampleLaid || state == sampleFull {
		return err
	}
	if state == sampleNone {
		const years = 100
		used, err := g.calendar.Events(ctx, account, "",
			gcal.Query{From: moment.Now.AddDate(-years, 0, 0), To: moment.Now.AddDate(years, 0, 0), Limit: 1})
		if err != nil {
			return fmt.Errorf("look at the demo calendar: %w", err)
		}
		if len(used.Events) > 0 {
			return nil // as with tasks, the sample is not mixed with what somebody has made
		}
	}
	if err := file.setSample(sampleBegun); err != nil {
		return err
	}
	// As one change of the file: it is the greater part of a first start otherwise.
	var failed error
	kept := file.write(func() {
		g.standIn.held.Store(true)
		defer g.standIn.held.Store(false)
		failed = g.layEvents(ctx, account, moment)
	})
	if err := errors.Join(failed, kept); err != nil {
		return err
	}
	return file.setSample(sampleLaid)
}

// layEvents puts the sample into the calendar, the way any client would. The events' ids are fixed, so that each is
// there once, however often and by however many servers it is laid.
func (g *googleIntegration) layEvents(ctx context.Context, account model.Connection, moment when.Moment) error {
	if g.follower != nil { // a copy that was read before would hide the sample until it is synced again
		write, err := g.follower.BeginWrite(ctx, account, "")
		if err != nil {
			return err
		}
		defer g.follower.FinishWrites(ctx, []gcal.KeptWrite{write}, false)
	}
	for i, event := range demo.Events(moment) {
		event.Attendees = withSelf(event.Attendees)
		_, _, err := g.calendar.Insert(ctx, account, "", gcal.NewEvent{
			Event: event, SetReminders: !event.Reminders.UseDefault, SourceID: fmt.Sprintf("sample%04d", i),
			SendUpdates: model.SendUpdatesNone,
		})
		if err != nil && model.CodeOf(err) != model.CodeConflict { // one that is there already, as laid at another moment
			return fmt.Errorf("lay the sample calendar: %s: %w", event.Summary, err)
		}
	}
	return nil
}

// withSelf adds the demo account to the guests of an event that has any, as its organizer.
func withSelf(guests []model.Attendee) []model.Attendee {
	if len(guests) == 0 {
		return nil
	}
	return append(guests, model.Attendee{Email: standInAccount, Name: "Demo", Status: model.Accepted})
}

// layMail lays the sample into a mailbox that is empty, all of it or nothing, once in the life of the stand-in. What
// somebody has made is not mixed with it, and what somebody has deleted does not come back.
func (s *standIn) layMail(now time.Time) error {
	if s.file == nil {
		return s.deliverSample(now)
	}
	state, err := s.file.sample()
	if err != nil || state == sampleFull {
		return err
	}
	var failed error
	kept := s.file.write(func() { failed = s.deliverSample(now) })
	if err := errors.Join(failed, kept); err != nil {
		return err
	}
	return s.file.setSample(sampleFull) // a kill before this changes nothing: then the mailbox is not empty
}

func (s *standIn) deliverSample(now time.Time) error {
	if len(s.mail.Mailbox(standInAccount)) > 0 {
		return nil
	}
	for _, mail := range demo.Mails(standInAccount, now) {
		if _, err := s.mail.Deliver(standInAccount, letterOf(mail).Bytes(), mail.At, mail.Labels...); err != nil {
			return fmt.Errorf("lay the sample mailbox: %s: %w", mail.ID, err)
		}
	}
	return nil
}

// letterOf writes an e-mail of the sample the way the stand-in takes it.
func letterOf(mail demo.Mail) standingmail.Letter {
	letter := standingmail.Letter{
		From: mail.From, To: mail.To, Cc: mail.Cc, Subject: mail.Subject, Date: mail.At, MessageID: mail.ID,
		InReplyTo: mail.InReplyTo, References: mail.References,
		Text: mail.Text, HTML: mail.HTML, Charset: mail.Charset, Fields: mail.Fields,
	}
	for _, file := range mail.Files {
		letter.Attachments = append(letter.Attachments,
			standingmail.Attachment{Name: file.Name, Type: file.Type, Content: file.Content, ContentID: file.ContentID})
	}
	return letter
}

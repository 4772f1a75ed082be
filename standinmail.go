package main

import (
	"errors"
	"fmt"
	"time"

	"almanac/internal/demo"
	standingmail "almanac/internal/standin/gmail"
)

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

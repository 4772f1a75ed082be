package gmail

import (
	"bytes"
	"context"
	"net/http"

	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// uploadFrom is the size of messages that are uploaded as they are instead of as base64 in JSON, of which Google takes
// less.
const uploadFrom = 2 << 20

// CreateDraft hands a message over to be sent later. Nothing is sent by it. NOT_FOUND when the conversation that it is
// to join is gone; UPSTREAM_REJECTED when Gmail does not take the message. After ErrUnknownOutcome there may be a draft
// whose id nobody knows: it is never sent.
func (c *Client) CreateDraft(ctx context.Context, connection model.Connection, mail Outgoing) (Draft, error) {
	if mail.Thread != "" && !isID(mail.Thread) {
		return Draft{}, missingThread.error(nil)
	}
	s := c.session(ctx, connection)
	if dryrun.Is(ctx) {
		return s.wouldDraft(ctx, mail)
	}
	var made *gmail.Draft
	err := s.change(ctx, methodCreateDraft, func(ctx context.Context, api *gmail.Service) (err error) {
		message := &gmail.Message{ThreadId: mail.Thread}
		if len(mail.Raw) < uploadFrom {
			message.Raw = encodeData(mail.Raw)
		}
		call := api.Users.Drafts.Create(me, &gmail.Draft{Message: message}).Context(ctx).Fields("id,message(id,threadId)")
		if len(mail.Raw) >= uploadFrom {
			call.Media(bytes.NewReader(mail.Raw), googleapi.ContentType("message/rfc822"), googleapi.ChunkSize(0))
		}
		made, err = call.Do()
		return err
	})
	if err != nil {
		return Draft{}, classify(err, missingThread)
	}
	if made.Id == "" {
		return Draft{}, unknownOutcome(unreadable(errIncomplete))
	}
	draft := Draft{ID: made.Id}
	if made.Message != nil {
		draft.Message, draft.Thread = made.Message.Id, made.Message.ThreadId
	}
	return draft, nil
}

// SendDraft sends a draft, which is gone after that: so a draft is sent once, however often this is called. NOT_FOUND
// when it is gone; UPSTREAM_REJECTED when Gmail refuses to send it, which leaves it where it is. It is repeated by
// itself only where it was surely not done.
func (c *Client) SendDraft(ctx context.Context, connection model.Connection, draft string) (Sent, error) {
	if !isID(draft) {
		return Sent{}, missingDraft.error(nil)
	}
	s := c.session(ctx, connection)
	if dryrun.Is(ctx) {
		return Sent{Message: dryrun.Invented}, nil
	}
	var message *gmail.Message
	err := s.change(ctx, methodSendDraft, func(ctx context.Context, api *gmail.Service) (err error) {
		message, err = api.Users.Drafts.Send(me, &gmail.Draft{Id: draft}).Context(ctx).Fields("id,threadId").Do()
		return err
	})
	if err != nil {
		return Sent{}, classify(err, missingDraft)
	}
	if message.Id == "" {
		return Sent{}, unknownOutcome(unreadable(errIncomplete))
	}
	return Sent{Message: message.Id, Thread: message.ThreadId}, nil
}

// DraftState tells what has become of a draft. NOT_FOUND for what can be no draft's id. That it is gone must be Gmail's
// own word: a page of something before Gmail that says 404, or half an answer, is UPSTREAM_UNAVAILABLE.
func (c *Client) DraftState(ctx context.Context, connection model.Connection, draft string) (DraftState, error) {
	if !isID(draft) {
		return "", missingDraft.error(nil)
	}
	s := c.session(ctx, connection)
	var found *gmail.Draft
	err := s.ask(ctx, methodGetDraft, func(ctx context.Context, api *gmail.Service) (err error) {
		found, err = api.Users.Drafts.Get(me, draft).Context(ctx).Format("minimal").Fields("id").Do()
		return err
	})
	reason := google.Reason(err)
	switch {
	case google.Status(err) == http.StatusNotFound && (reason == "notFound" || reason == "NOT_FOUND"):
		return DraftGone, nil
	case google.Status(err) == http.StatusNotFound:
		return "", unreadable(google.Classify(err))
	case err != nil:
		return "", google.Classify(err)
	case found.Id != draft:
		return "", unreadable(errIncomplete)
	}
	return DraftWaiting, nil
}

// DeleteDraft throws a draft away; one that is gone is no error.
func (c *Client) DeleteDraft(ctx context.Context, connection model.Connection, draft string) error {
	if !isID(draft) {
		return nil
	}
	if dryrun.Is(ctx) {
		return nil // whether it is there was asked before
	}
	s := c.session(ctx, connection)
	err := s.change(ctx, methodDeleteDraft, func(ctx context.Context, api *gmail.Service) error {
		return api.Users.Drafts.Delete(me, draft).Context(ctx).Do()
	})
	if google.Status(err) == http.StatusNotFound {
		return nil
	}
	return google.Classify(err)
}

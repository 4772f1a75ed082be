package emails

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/resolvers/core"
)

// SendEmail sends what was previewed.
func (r *Resolver) SendEmail(ctx context.Context, in graph.SendEmailInput) (*graph.SendEmailPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.SendEmailPayload{Context: noEmail(), UserErrors: []model.UserError{}}
	id, hash, err := previewNamed(in)
	var at time.Time
	if err == nil {
		at, err = sendTime(v, in.SendAt, in.UndoSendFor)
	}
	if err == nil {
		err = maySendMail(ctx)
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	came, err := r.send(ctx, v, id, hash, at)
	core.AddUserError(ctx, &out.UserErrors, err)
	out.Email, out.Preview, out.State, out.Context = came.email, came.preview, came.state, came.context()
	return out, nil
}

func previewNamed(in graph.SendEmailInput) (id model.UUID, hash [32]byte, err error) {
	if id, err = core.OwnID("input.previewId", in.PreviewID, model.KindPreview); err != nil {
		return id, hash, err
	}
	read, err := hex.DecodeString(strings.ToLower(strings.TrimSpace(in.Hash)))
	if err != nil || len(read) != len(hash) {
		return id, hash, model.BadInput("input.hash", "the hash has 64 hexadecimal digits, as previewEmail gives it")
	}
	copy(hash[:], read)
	return id, hash, nil
}

// maySendMail is FORBIDDEN for a token without the scope MAIL_SEND.
func maySendMail(ctx context.Context) error {
	if caller, ok := model.CallerFrom(ctx); ok && caller.May(model.ScopeMailSend) {
		return nil
	}
	return model.Errorf(model.CodeForbidden, "sending mail needs a token with the scope SEND; nothing was sent")
}

// cameOf is what came of sending.
type cameOf struct {
	email   *projections.Email
	preview *projections.EmailPreview
	state   *model.OutboxState
}

func (c cameOf) context() *projections.EmailContext {
	return &projections.EmailContext{IsEmpty: c.preview == nil, IsPreview: c.state != nil && *c.state != model.OutboxSent}
}

// send sends an e-mail of the outbox and reads what Gmail made of it, as far as it is asked for; or it schedules it,
// when it is to be sent at a time.
func (r *Resolver) send(ctx context.Context, v *core.Viewer, id model.UUID, hash [32]byte,
	at time.Time) (cameOf, error) {
	account, err := r.stillAllowed(ctx, v, id)
	if err != nil {
		return cameOf{}, err
	}
	was, _, err := core.DecidedAs(ctx, "state", func() (model.OutboxState, error) {
		kept, err := r.Mail.Outbox.Get(ctx, v.User, id)
		return kept.State, err
	})
	if err != nil {
		return cameOf{}, core.AtField(err, "input.previewId")
	}
	var sent model.OutgoingEmail
	var failed error
	if at.IsZero() {
		sent, failed = r.Mail.Outbox.Send(ctx, v.User, id, hash)
	} else {
		sent, failed = r.Mail.Outbox.Schedule(ctx, v.User, id, hash, at)
	}
	if sent.ID == (model.UUID{}) {
		return cameOf{}, failed
	}
	came := cameOf{state: &sent.State}
	if came.preview, err = previewOf(sent, account.Number, v); err != nil {
		return came, errors.Join(failed, err)
	}
	switch sent.State {
	case model.OutboxSent:
		if was != model.OutboxSent {
			r.keepSchedule(ctx, v, sent, nil)
		}
		came.email = r.sentEmail(ctx, v, account, sent)
	case model.OutboxScheduled:
		r.keepSchedule(ctx, v, sent, &scheduling{})
	case model.OutboxSending:
		if failed == nil {
			failed = model.Errorf(model.CodeConflict,
				"another request is sending this e-mail; call again in a moment to see what came of it")
		}
	case model.OutboxPreview, model.OutboxFailed, model.OutboxUnknown:
	}
	return came, failed
}

// stillAllowed returns the account of an e-mail that may still be sent: the account is linked, and what is not under
// way yet fits the policy, which may be another one than when it was shown.
func (r *Resolver) stillAllowed(ctx context.Context, v *core.Viewer, id model.UUID) (model.Connection, error) {
	kept, err := r.Mail.Outbox.Get(ctx, v.User, id)
	if err != nil {
		return model.Connection{}, core.AtField(err, "input.previewId")
	}
	account, err := r.accountNamed(ctx, v, kept.Connection)
	if err != nil || kept.State == model.OutboxSent {
		return account, err
	}
	if err := r.Usable(v, account); err != nil {
		return account, err
	}
	if kept.State == model.OutboxSending || kept.State == model.OutboxUnknown {
		return account, nil
	}
	if allowed := v.Caller.Recipients; len(allowed) > 0 && (MailPolicy{Allow: allowed}).CheckShown("", kept.Shown) != nil {
		return account, model.Errorf(model.CodeForbidden, "the token may send to %s only; nothing was sent",
			strings.Join(allowed, ", "))
	}
	return account, r.Mail.Policy.CheckShown("input.previewId", kept.Shown)
}

// sentEmail is what was sent, as far as it is asked for. It was sent in any case, so what cannot be read now stands
// beside the answer.
func (r *Resolver) sentEmail(ctx context.Context, v *core.Viewer, account model.Connection,
	sent model.OutgoingEmail) *projections.Email {
	asked := core.Answered(ctx).Under("email", "Email")
	if len(asked.Fields) == 0 && !asked.Compact {
		return nil
	}
	email := bareEmail(account, sent.Sent, sent.SentThread)
	if dryrun.Is(ctx) {
		email = r.wouldBeSent(v, email, sent)
	} else if depth := EmailDepth(asked); depth > 0 {
		emails, err := r.Mail.Reader.Messages(ctx, account, []string{sent.Sent}, depth)
		read, there := emails[sent.Sent]
		switch {
		case err != nil:
			core.AddError(ctx, err)
			return nil
		case !there:
			return nil
		}
		email = read
	}
	return r.emailView(ctx, v, account, email, asked)
}

// accountNamed returns a linked account by its connection's id.
func (r *Resolver) accountNamed(ctx context.Context, v *core.Viewer, id model.UUID) (model.Connection, error) {
	all, err := r.Connections(ctx, v)
	if err != nil {
		return model.Connection{}, err
	}
	for _, account := range all {
		if account.ID == id {
			return account, nil
		}
	}
	return model.Connection{}, model.Errorf(model.CodeNotFound, "the account has been unlinked")
}

// ReplyToEmail shows a reply and asks, and sends it when it is answered.
func (r *Resolver) ReplyToEmail(ctx context.Context, in graph.ReplyToEmailInput) (*graph.ReplyToEmailPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.ReplyToEmailPayload{Context: noEmail(), UserErrors: []model.UserError{}}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	at, err := sendTime(v, in.SendAt, in.UndoSendFor)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	if in.Confirm != nil {
		came, err := r.sendConfirmed(ctx, v, *in.Confirm, at)
		core.AddUserError(ctx, &out.UserErrors, err)
		out.Email, out.Preview, out.State, out.Context = came.email, came.preview, came.state, came.context()
		return out, nil
	}
	preview, err := r.replyPreview(ctx, v,
		replyInput{in.EmailID, in.Body, in.HTML, in.ReplyAll, in.Quote, in.To, in.Cc, in.Bcc})
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	state := preview.State()
	out.Preview, out.State, out.Context = preview, &state, &projections.EmailContext{IsPreview: true}
	if out.Confirmation, err = r.Ask(ctx, v, sendQuestion(v, preview)); err != nil {
		return nil, err
	}
	return out, nil
}

// sendQuestion asks whether to send what is shown.
func sendQuestion(v *core.Viewer, preview *projections.EmailPreview) core.Question {
	names := make([]string, 0, len(preview.To()))
	for _, one := range preview.To() {
		names = append(names, one.Email)
	}
	to, text := strings.Join(names, ", "), "Send this e-mail to %s?"
	if v.Locale == "he" {
		text = "לשלוח את ההודעה הזו אל %s?"
	}
	return core.Question{
		Kind: model.Approval, Text: fmt.Sprintf(text, model.Clip(to)), Offered: []model.UUID{preview.Record().ID},
		Candidates: []projections.Candidate{
			{Key: preview.ID().String(), Label: model.Clip(preview.Subject() + " → " + to), Score: 1}},
	}
}

// approved is what an answer to a question has decided: which preview to send, and the token that said so.
type approved struct {
	Preview, Nonce model.UUID
	Expires        time.Time
}

// sendConfirmed sends the very preview that was asked about. The token is used up once it was sent or scheduled: that
// it is sent once is the outbox's doing.
func (r *Resolver) sendConfirmed(ctx context.Context, v *core.Viewer, confirm graph.ConfirmInput,
	at time.Time) (cameOf, error) {
	if err := maySendMail(ctx); err != nil {
		return cameOf{}, err
	}
	answer, again, err := core.Decided(ctx, func() (approved, error) {
		t, err := r.OpenTicket(ctx, v, confirm.Token)
		if err != nil {
			return approved{}, err
		}
		picked, err := t.Pick(model.KindPreview, confirm)
		if err != nil {
			return approved{}, err
		}
		return approved{picked[0], t.Nonce, t.Expires}, nil
	})
	if err != nil {
		return cameOf{}, err
	}
	kept, err := r.Mail.Outbox.Get(ctx, v.User, answer.Preview)
	if err != nil {
		return cameOf{}, core.AtField(err, "input.confirm.token")
	}
	came, err := r.send(ctx, v, kept.ID, kept.Hash, at)
	if err != nil || came.state == nil || *came.state != model.OutboxSent && *came.state != model.OutboxScheduled {
		return came, err
	}
	after, cancel := core.AfterRequest(ctx)
	defer cancel()
	err = r.Store.Write(after, v.User, func(ctx context.Context, tx store.Tx) error {
		return core.Use(ctx, tx, core.Ticket{Nonce: answer.Nonce, Expires: answer.Expires})
	})
	switch {
	case again && model.CodeOf(err) == model.CodeConfirmationInvalid: // by this very request
		return came, nil
	case model.CodeOf(err) == model.CodeConfirmationInvalid:
		return cameOf{}, err
	}
	return came, err
}

// DiscardPreview throws a preview away.
func (r *Resolver) DiscardPreview(ctx context.Context,
	in graph.DiscardPreviewInput) (*graph.DiscardPreviewPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DiscardPreviewPayload{Context: noEmail(), UserErrors: []model.UserError{}}
	id, err := core.OwnID("input.id", in.ID, model.KindPreview)
	if err == nil {
		err = r.discard(ctx, v, id)
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, core.AtField(err, "input.id"))
		return out, nil
	}
	out.Discarded = true
	return out, nil
}

// discarded is what is kept of a preview that goes.
type discarded struct {
	Connection model.UUID
	Shown      []byte
}

// discard throws a preview away; a repetition of the same request finds that it is gone.
func (r *Resolver) discard(ctx context.Context, v *core.Viewer, id model.UUID) error {
	was, again, err := core.Decided(ctx, func() (discarded, error) {
		kept, err := r.Mail.Outbox.Get(ctx, v.User, id)
		return discarded{kept.Connection, kept.Shown}, err
	})
	if err != nil {
		return err
	}
	err = r.Mail.Outbox.Discard(ctx, v.User, id)
	if err != nil && (!again || model.CodeOf(err) != model.CodeNotFound) {
		return err
	}
	r.KeepDid(ctx, v, core.Did{Accounts: []model.UUID{was.Connection}, Changes: []model.Difference{
		{ID: model.ID{Kind: model.KindPreview, UUID: id}, Before: &model.OutgoingEmail{Shown: was.Shown}},
	}})
	return nil
}

// EmailPreviews answers emailPreviews(first, states).
func (r *Resolver) EmailPreviews(ctx context.Context, first *int32,
	states []model.OutboxState) ([]projections.EmailPreview, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit, err := projections.PageSize("first", first, defaultEmails)
	if err != nil {
		return nil, err
	}
	kept, err := r.Mail.Outbox.List(ctx, v.User, limit, states...)
	if err != nil {
		return nil, err
	}
	if core.Answered(ctx).Has("raw") { // which lists do not hold
		for i, one := range kept {
			whole, err := r.Mail.Outbox.Get(ctx, v.User, one.ID)
			if model.CodeOf(err) == model.CodeNotFound { // discarded meanwhile
				continue
			}
			if err != nil {
				return nil, err
			}
			kept[i] = whole
		}
	}
	return r.previewViews(ctx, v, kept)
}

func (r *Resolver) previewViews(ctx context.Context, v *core.Viewer,
	kept []model.OutgoingEmail) ([]projections.EmailPreview, error) {
	all, err := r.Connections(ctx, v)
	if err != nil {
		return nil, err
	}
	numbers := make(map[model.UUID]int, len(all))
	for _, account := range all {
		numbers[account.ID] = account.Number
	}
	out := make([]projections.EmailPreview, 0, len(kept))
	for _, one := range kept {
		view, err := previewOf(one, numbers[one.Connection], v)
		if err != nil {
			return nil, err
		}
		out = append(out, *view)
	}
	return out, nil
}

// EmailPreview answers emailPreview(id).
func (r *Resolver) EmailPreview(ctx context.Context, text string) (*projections.EmailPreview, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := core.OwnID("id", text, model.KindPreview)
	if err != nil {
		return nil, err
	}
	kept, err := r.Mail.Outbox.Get(ctx, v.User, id)
	if err != nil {
		return nil, core.AtField(err, "id")
	}
	views, err := r.previewViews(ctx, v, []model.OutgoingEmail{kept})
	if err != nil {
		return nil, err
	}
	return &views[0], nil
}

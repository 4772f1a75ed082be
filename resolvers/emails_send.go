package resolvers

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/mail"
)

// sendEmail sends what was previewed.
func (r *Resolver) sendEmail(ctx context.Context, in graph.SendEmailInput) (*graph.SendEmailPayload, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.SendEmailPayload{Context: noEmail(), UserErrors: []model.UserError{}}
	id, hash, err := previewNamed(in)
	if err == nil {
		err = maySendMail(ctx)
	}
	if err != nil {
		beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	came, err := r.send(ctx, v, id, hash)
	beside(ctx, &out.UserErrors, err)
	out.Email, out.Preview, out.State, out.Context = came.email, came.preview, came.state, came.context()
	return out, nil
}

func previewNamed(in graph.SendEmailInput) (id model.UUID, hash [32]byte, err error) {
	if id, err = ownID("input.previewId", in.PreviewID, model.KindPreview); err != nil {
		return id, hash, err
	}
	read, err := hex.DecodeString(strings.ToLower(strings.TrimSpace(in.Hash)))
	if err != nil || len(read) != len(hash) {
		return id, hash, model.BadInput("input.hash", "the hash has 64 hexadecimal digits, as previewEmail gives it")
	}
	copy(hash[:], read)
	return id, hash, nil
}

// maySendMail is FORBIDDEN for a token without the scope SEND.
func maySendMail(ctx context.Context) error {
	if caller, ok := model.CallerFrom(ctx); ok && caller.May(model.ScopeSend) {
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

// send sends an e-mail of the outbox and reads what Gmail made of it, as far as it is asked for.
func (r *Resolver) send(ctx context.Context, v *viewer, id model.UUID, hash [32]byte) (cameOf, error) {
	account, err := r.stillAllowed(ctx, v, id)
	if err != nil {
		return cameOf{}, err
	}
	sent, failed := r.Mail.Outbox.Send(ctx, v.user, id, hash)
	if sent.ID == (model.UUID{}) {
		return cameOf{}, failed
	}
	came := cameOf{state: &sent.State}
	if came.preview, err = previewOf(sent, account.Number, v); err != nil {
		return came, errors.Join(failed, err)
	}
	switch sent.State {
	case model.OutboxSent:
		came.email = r.sentEmail(ctx, v, account, sent)
	case model.OutboxSending:
		if failed == nil {
			failed = model.Errorf(model.CodeConflict,
				"another request is sending this e-mail; call again in a moment to see what came of it")
		}
	case model.OutboxPreview, model.OutboxFailed, model.OutboxUnknown:
	}
	return came, failed
}

// stillAllowed gives the account of an e-mail that may still be sent: the account is linked, and what is not under way
// yet fits the policy, which may be another one than when it was shown.
func (r *Resolver) stillAllowed(ctx context.Context, v *viewer, id model.UUID) (model.Connection, error) {
	kept, err := r.Mail.Outbox.Get(ctx, v.user, id)
	if err != nil {
		return model.Connection{}, atField(err, "input.previewId")
	}
	account, err := r.accountNamed(ctx, v, kept.Connection)
	if err != nil || kept.State == model.OutboxSent {
		return account, err
	}
	if err := r.usable(v, account); err != nil {
		return account, err
	}
	if kept.State != model.OutboxPreview && kept.State != model.OutboxFailed {
		return account, nil
	}
	var shown mail.Shown
	if err := json.Unmarshal(kept.Shown, &shown); err != nil {
		return account, fmt.Errorf("read what is shown: %w", err)
	}
	return account, r.Mail.Policy.check("input.previewId", slices.Concat(shown.To, shown.Cc, shown.Bcc))
}

// sentEmail is what was sent, as far as it is asked for. It was sent in any case, so what cannot be read now stands
// beside the answer.
func (r *Resolver) sentEmail(ctx context.Context, v *viewer, account model.Connection,
	sent model.OutgoingEmail) *projections.Email {
	asked := answered(ctx).under("email", "Email")
	if len(asked.fields) == 0 && !asked.compact {
		return nil
	}
	noun := bareEmail(account, sent.Sent, sent.SentThread)
	if depth := asked.emailDepth(); depth > 0 {
		emails, err := r.Mail.Reader.Messages(ctx, account, []string{sent.Sent}, depth)
		read, there := emails[sent.Sent]
		switch {
		case err != nil:
			addError(ctx, err)
			return nil
		case !there:
			return nil
		}
		noun = read
	}
	return r.emailView(ctx, v, account, noun, asked)
}

// accountNamed gives a linked account by its connection's id.
func (r *Resolver) accountNamed(ctx context.Context, v *viewer, id model.UUID) (model.Connection, error) {
	all, err := r.connections(ctx, v)
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

// replyToEmail shows a reply and asks, and sends it when it is answered.
func (r *Resolver) replyToEmail(ctx context.Context, in graph.ReplyToEmailInput) (*graph.ReplyToEmailPayload, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.ReplyToEmailPayload{Context: noEmail(), UserErrors: []model.UserError{}}
	if in.Confirm != nil {
		came, err := r.sendConfirmed(ctx, v, *in.Confirm)
		beside(ctx, &out.UserErrors, err)
		out.Email, out.Preview, out.State, out.Context = came.email, came.preview, came.state, came.context()
		return out, nil
	}
	preview, err := r.replyPreview(ctx, v,
		replyInput{in.EmailID, in.Body, in.HTML, in.ReplyAll, in.Quote, in.To, in.Cc, in.Bcc})
	if err != nil {
		beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	state := preview.State()
	out.Preview, out.State, out.Context = preview, &state, &projections.EmailContext{IsPreview: true}
	if out.Confirmation, err = r.ask(ctx, v, sendQuestion(v, preview)); err != nil {
		return nil, err
	}
	return out, nil
}

// sendQuestion asks whether to send what is shown.
func sendQuestion(v *viewer, preview *projections.EmailPreview) question {
	names := make([]string, 0, len(preview.To()))
	for _, one := range preview.To() {
		names = append(names, one.Email)
	}
	to, text := strings.Join(names, ", "), "Send this e-mail to %s?"
	if v.Locale == "he" {
		text = "לשלוח את ההודעה הזו אל %s?"
	}
	return question{
		kind: model.Approval, text: fmt.Sprintf(text, model.Clip(to)), offered: []model.UUID{preview.Noun().ID},
		candidates: []projections.Candidate{
			{ID: preview.ID().String(), Label: model.Clip(preview.Subject() + " → " + to), Score: 1}},
	}
}

// approved is what an answer to a question has decided: which preview to send, and the token that said so.
type approved struct {
	Preview, Nonce model.UUID
	Expires        time.Time
}

// sendConfirmed sends the very preview that was asked about. The token is used up once it was sent: that it is sent
// once is the outbox's doing.
func (r *Resolver) sendConfirmed(ctx context.Context, v *viewer, confirm graph.ConfirmInput) (cameOf, error) {
	if err := maySendMail(ctx); err != nil {
		return cameOf{}, err
	}
	answer, again, err := decided(ctx, func() (approved, error) {
		t, err := r.openTicket(ctx, v, confirm.Token)
		if err != nil {
			return approved{}, err
		}
		picked, err := t.pick(model.KindPreview, confirm)
		if err != nil {
			return approved{}, err
		}
		return approved{picked[0], t.Nonce, t.Expires}, nil
	})
	if err != nil {
		return cameOf{}, err
	}
	kept, err := r.Mail.Outbox.Get(ctx, v.user, answer.Preview)
	if err != nil {
		return cameOf{}, atField(err, "input.confirm.token")
	}
	came, err := r.send(ctx, v, kept.ID, kept.Hash)
	if err != nil || came.state == nil || *came.state != model.OutboxSent {
		return came, err
	}
	after, cancel := afterwards(ctx)
	defer cancel()
	err = r.Store.Write(after, v.user, func(ctx context.Context, tx store.Tx) error {
		return use(ctx, tx, ticket{Nonce: answer.Nonce, Expires: answer.Expires})
	})
	switch {
	case again && model.CodeOf(err) == model.CodeConfirmationInvalid: // by this very request
		return came, nil
	case model.CodeOf(err) == model.CodeConfirmationInvalid:
		return cameOf{}, err
	}
	return came, err
}

// discardPreview throws a preview away.
func (r *Resolver) discardPreview(ctx context.Context,
	in graph.DiscardPreviewInput) (*graph.DiscardPreviewPayload, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DiscardPreviewPayload{Context: noEmail(), UserErrors: []model.UserError{}}
	id, err := ownID("input.id", in.ID, model.KindPreview)
	if err == nil {
		err = r.discard(ctx, v, id)
	}
	if err != nil {
		beside(ctx, &out.UserErrors, atField(err, "input.id"))
		return out, nil
	}
	out.Discarded = true
	return out, nil
}

// discard throws a preview away; a repetition of the same request finds that it is gone.
func (r *Resolver) discard(ctx context.Context, v *viewer, id model.UUID) error {
	_, again, err := decided(ctx, func() (model.UUID, error) {
		_, err := r.Mail.Outbox.Get(ctx, v.user, id)
		return id, err
	})
	if err != nil {
		return err
	}
	err = r.Mail.Outbox.Discard(ctx, v.user, id)
	if again && model.CodeOf(err) == model.CodeNotFound {
		return nil
	}
	return err
}

// emailPreviews answers emailPreviews(first).
func (r *Resolver) emailPreviews(ctx context.Context, first *int32) ([]projections.EmailPreview, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit, err := projections.PageSize("first", first, defaultEmails)
	if err != nil {
		return nil, err
	}
	kept, err := r.Mail.Outbox.List(ctx, v.user, limit)
	if err != nil {
		return nil, err
	}
	if answered(ctx).has("raw") { // which lists do not hold
		for i, one := range kept {
			whole, err := r.Mail.Outbox.Get(ctx, v.user, one.ID)
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

func (r *Resolver) previewViews(ctx context.Context, v *viewer,
	kept []model.OutgoingEmail) ([]projections.EmailPreview, error) {
	all, err := r.connections(ctx, v)
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

// emailPreview answers emailPreview(id).
func (r *Resolver) emailPreview(ctx context.Context, text string) (*projections.EmailPreview, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := ownID("id", text, model.KindPreview)
	if err != nil {
		return nil, err
	}
	kept, err := r.Mail.Outbox.Get(ctx, v.user, id)
	if err != nil {
		return nil, atField(err, "id")
	}
	views, err := r.previewViews(ctx, v, []model.OutgoingEmail{kept})
	if err != nil {
		return nil, err
	}
	return &views[0], nil
}

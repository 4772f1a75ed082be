package emails

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/adapters/gmail"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/mail"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// newMail is an e-mail to be shown, before it is known that it may be sent.
type newMail struct {
	account     model.Connection
	to, cc, bcc []model.EmailAddress
	subject     string
	body        string
	html        string
	// reply is what a reply begins with; its recipients are in to and cc already.
	reply mail.Reply
	// thread is the remote's id of the conversation that it joins.
	thread string
}

// PreviewEmail makes an e-mail and shows it.
func (r *Resolver) PreviewEmail(ctx context.Context, in graph.PreviewEmailInput) (*graph.PreviewEmailPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.PreviewEmailPayload{Context: noEmail(), UserErrors: []model.UserError{}}
	made, err := r.composed(ctx, v, in)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	preview, err := r.keepMail(ctx, v, r.NewID(), made)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Preview, out.Context = preview, &projections.EmailContext{IsPreview: true}
	return out, nil
}

func (r *Resolver) composed(ctx context.Context, v *core.Viewer, in graph.PreviewEmailInput) (newMail, error) {
	var made newMail
	var err error
	if made.to, err = recipients("input.to", in.To); err != nil {
		return made, err
	}
	if made.cc, err = recipients("input.cc", in.Cc); err != nil {
		return made, err
	}
	if made.bcc, err = recipients("input.bcc", in.Bcc); err != nil {
		return made, err
	}
	if made.subject, err = subjectOf("input.subject", in.Subject); err != nil {
		return made, err
	}
	if made.body, made.html, err = bodyOf(in.Body, in.HTML); err != nil {
		return made, err
	}
	accounts, err := r.Accounts(ctx, v, "input.account", in.Account)
	if err != nil {
		return made, err
	}
	made.account = accounts[0]
	return made, nil
}

// recipients reads addresses to send to.
func recipients(field string, texts []string) ([]model.EmailAddress, error) {
	if len(texts) > model.MaxBulk {
		return nil, model.BadInput(field, "give at most %d addresses, not %d", model.MaxBulk, len(texts))
	}
	out := make([]model.EmailAddress, 0, len(texts))
	for i, text := range texts {
		one, err := mail.Recipient(text)
		if err != nil {
			return nil, core.Below(err, field+"."+strconv.Itoa(i))
		}
		out = append(out, one)
	}
	return mail.Distinct(out), nil
}

func subjectOf(field, text string) (string, error) {
	if strings.ContainsAny(text, "\r\n") {
		return "", model.BadInput(field, "the subject must be one line")
	}
	return core.CleanLabel(field, text, model.MaxEmailSubject)
}

// bodyOf reads the text and the HTML of an e-mail. The text is kept as it is, but for what no mail can hold.
func bodyOf(body string, given *string) (text, markup string, err error) {
	text = strings.TrimRight(fold.Clean(body), "\n")
	if fold.Text(text) == "" {
		return "", "", model.BadInput("input.body", "the e-mail says nothing")
	}
	if n := utf8.RuneCountInString(text); n > model.MaxEmailBody {
		return "", "", model.BadInput("input.body", "the text has %d characters; at most %d are allowed", n,
			model.MaxEmailBody)
	}
	if given == nil {
		return text, "", nil
	}
	if n := utf8.RuneCountInString(*given); n > model.MaxEmailBody {
		return "", "", model.BadInput("input.html", "the HTML has %d characters; at most %d are allowed", n,
			model.MaxEmailBody)
	}
	return text, mail.CleanHTML(fold.Clean(*given)), nil
}

// keepMail writes the message, puts it into the outbox and shows it.
func (r *Resolver) keepMail(ctx context.Context, v *core.Viewer, id model.UUID,
	made newMail) (*projections.EmailPreview, error) {
	all := append(append(append([]model.EmailAddress{}, made.to...), made.cc...), made.bcc...)
	if len(all) == 0 {
		return nil, model.BadInput("input.to", "the e-mail goes to nobody; give at least one address")
	}
	if err := r.Mail.Policy.check("input.to", all); err != nil {
		return nil, err
	}
	shown := mail.Shown{
		From: model.EmailAddress{Email: made.account.Account}, To: made.to, Cc: made.cc, Bcc: made.bcc, Subject: made.subject,
		Body: made.body, HTML: made.html,
		InReplyTo: made.reply.InReplyTo, References: made.reply.References,
	}
	name := hex.EncodeToString(id[:])
	_, domain, _ := strings.Cut(made.account.Account, "@")
	raw, err := mail.Compose(mail.Message{
		From: shown.From, To: shown.To, Cc: shown.Cc, Bcc: shown.Bcc, Subject: shown.Subject, Date: v.Now.In(v.Zone),
		MessageID: "<" + name + "@" + domain + ">",
		InReplyTo: shown.InReplyTo, References: shown.References, Text: shown.Body, HTML: shown.HTML,
		Boundary: "part-" + name,
	})
	if err != nil {
		return nil, core.Below(err, "input")
	}
	text, err := json.Marshal(shown)
	if err != nil {
		return nil, fmt.Errorf("write down what is shown: %w", err)
	}
	kept, err := r.Mail.Outbox.Keep(ctx, v.User, model.OutgoingEmail{
		ID: id, Connection: made.account.ID, Account: made.account.Account, Message: raw, Shown: text, Thread: made.thread,
	})
	if err != nil {
		return nil, err
	}
	return previewOf(kept, made.account.Number, v)
}

// previewOf is the view of an e-mail of the outbox.
func previewOf(kept model.OutgoingEmail, connection int, v *core.Viewer) (*projections.EmailPreview, error) {
	var shown mail.Shown
	if err := json.Unmarshal(kept.Shown, &shown); err != nil {
		return nil, fmt.Errorf("read what is shown: %w", err)
	}
	view := projections.EmailPreviewAt(kept, shown, connection, v.Moment)
	return &view, nil
}

// replyInput is what both mutations that reply are given.
type replyInput struct {
	emailID     string
	body        string
	html        *string
	all, quote  bool
	to, cc, bcc []string
}

// PreviewReply makes a reply and shows it.
func (r *Resolver) PreviewReply(ctx context.Context, in graph.PreviewReplyInput) (*graph.PreviewReplyPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.PreviewReplyPayload{Context: noEmail(), UserErrors: []model.UserError{}}
	meant, err := r.Meant(ctx, v, r.emailTarget(v, in.EmailID, in.Target, in.Confirm))
	if out.Confirmation = meant.Question; err != nil || !meant.Clear() {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	preview, err := r.replyPreview(ctx, v,
		replyInput{meant.IDs[0], in.Body, in.HTML, in.ReplyAll, in.Quote, in.To, in.Cc, in.Bcc})
	if err != nil {
		r.GiveBack(ctx, v, meant, err)
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Preview, out.Context = preview, &projections.EmailContext{IsPreview: true}
	return out, nil
}

// replyPreview makes a reply and keeps it; a repetition under the same Idempotency-Key keeps no second one.
func (r *Resolver) replyPreview(ctx context.Context, v *core.Viewer, in replyInput) (*projections.EmailPreview, error) {
	made, err := r.reply(ctx, v, in)
	if err != nil {
		return nil, err
	}
	id, _, err := core.Decided(ctx, func() (model.UUID, error) { return r.NewID(), nil })
	if err != nil {
		return nil, err
	}
	return r.keepMail(ctx, v, id, made)
}

func (r *Resolver) reply(ctx context.Context, v *core.Viewer, in replyInput) (newMail, error) {
	var made newMail
	var err error
	if made.body, made.html, err = bodyOf(in.body, in.html); err != nil {
		return made, err
	}
	if made.to, err = recipients("input.to", in.to); err != nil {
		return made, err
	}
	if made.cc, err = recipients("input.cc", in.cc); err != nil {
		return made, err
	}
	if made.bcc, err = recipients("input.bcc", in.bcc); err != nil {
		return made, err
	}
	account, ref, err := r.emailRef(ctx, v, "input.emailId", in.emailID)
	if err != nil {
		return made, err
	}
	depth := store.MailHeaders
	if in.quote {
		depth = store.MailFull
	}
	original, err := r.original(ctx, account, ref, depth)
	if err != nil {
		return made, err
	}
	made.account, made.thread = account, original.Thread
	own, err := r.Connections(ctx, v)
	if err != nil {
		return made, err
	}
	addresses := make([]string, len(own))
	for i, one := range own {
		addresses[i] = one.Account
	}
	made.reply = mail.ReplyTo(original.Headers, addresses, in.all)
	made.subject = made.reply.Subject
	if in.to == nil {
		made.to = made.reply.To
	}
	if in.cc == nil {
		made.cc = made.reply.Cc
	}
	if len(made.to) == 0 {
		return made, model.BadInput("input.to", "the e-mail does not say whom to answer; give input.to")
	}
	if in.quote {
		text, _, _ := mail.Body(original.Root, model.BodyText, model.MaxEmailBody)
		line := attribution(original, v)
		made.body += "\n\n" + line + "\n" + mail.Quote(text)
		if made.html != "" {
			made.html += quotedHTML(line, text)
		}
	}
	return made, nil
}

// quotedHTML is a quoted e-mail as programs show it that prefer HTML: its text, whatever it was written in.
func quotedHTML(line, text string) string {
	plain := func(text string) string { return strings.ReplaceAll(html.EscapeString(text), "\n", "<br>") }
	return `<p dir="auto">` + plain(line) + `</p><blockquote dir="auto">` + plain(text) + "</blockquote>"
}

func (r *Resolver) original(ctx context.Context, account model.Connection, ref model.EmailRef,
	depth gmail.Depth) (model.Email, error) {
	emails, err := r.Mail.Reader.Messages(ctx, account, []string{ref.Message}, depth)
	if err != nil {
		return model.Email{}, err
	}
	email, there := emails[ref.Message]
	if !there {
		return model.Email{}, model.NotFound("input.emailId", "you have no e-mail %s", ref.ID())
	}
	return email, nil
}

// attribution is the line before a quoted e-mail, in the viewer's language.
func attribution(original model.Email, v *core.Viewer) string {
	from := mail.Header(original.Headers, "From")
	if sender := mail.Addresses(from); len(sender) > 0 {
		from = sender[0].Email
		if sender[0].Name != "" {
			from = sender[0].Name + " <" + sender[0].Email + ">"
		}
	}
	at := when.Format(original.Date, v.Moment.Moment)
	if v.Locale == "he" {
		return fmt.Sprintf("%s, מאת %s:", at, from)
	}
	return fmt.Sprintf("%s, %s wrote:", at, from)
}

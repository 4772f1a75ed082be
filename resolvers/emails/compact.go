package emails

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
)

// emailRows are e-mails with as much of their bodies as a text may show, read while there is time.
func emailRows(emails []projections.Email) func(compact.Options) []compact.Row {
	return func(o compact.Options) []compact.Row {
		rows := make([]compact.Row, len(emails))
		for i, email := range emails {
			body := 0
			if !o.Watch.Over() {
				body = max(o.MaxLines, compact.DefaultLines) * max(o.MaxLineLength, compact.DefaultLineLength)
			}
			rows[i] = email.Row(body)
		}
		return rows
	}
}

// ThreadPage is a conversation, which has no cursors.
func ThreadPage(thread *projections.EmailThread) core.PageShown {
	return core.PageShown{Kind: compact.KindEmails, Rows: emailRows(thread.Items), Cursor: func(int) string { return "" }}
}

// EmailPage is a page of e-mails.
func EmailPage(page projections.Page[projections.Email]) core.PageShown {
	return core.PageShown{Kind: compact.KindEmails, HasNext: page.HasNext, Cursor: page.Cursor,
		Rows: emailRows(page.Items)}
}

// What the mutations of e-mails did, as the formatter of compact text sees it.

// PreviewEmailText is the payload as compact text shows it.
func PreviewEmailText(p *graph.PreviewEmailPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyOne("previewed", p.Preview)},
		Rows:       core.RowOf(p.Preview, projections.EmailPreview.Row),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// PreviewReplyText is the payload as compact text shows it.
func PreviewReplyText(p *graph.PreviewReplyPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyOne("previewed", p.Preview)},
		Rows:       core.RowOf(p.Preview, projections.EmailPreview.Row),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// SendEmailText is the payload as compact text shows it.
func SendEmailText(p *graph.SendEmailPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{outboxCount(p.State)},
		Rows:       outboxRows(p.Email, p.Preview),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// ReplyToEmailText is the payload as compact text shows it.
func ReplyToEmailText(p *graph.ReplyToEmailPayload) compact.Payload {
	question := p.Confirmation.Row(true)
	if question != nil && p.Preview != nil {
		question.Candidates = nil // the preview stands below the question, with all that is asked about
	}
	return compact.Payload{
		Counts:       []compact.Count{outboxCount(p.State)},
		Rows:         outboxRows(p.Email, p.Preview),
		Confirmation: question,
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

// DiscardPreviewText is the payload as compact text shows it.
func DiscardPreviewText(p *graph.DiscardPreviewPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyIf("discarded", p.Discarded)},
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// MarkEmailsText is the payload as compact text shows it.
func MarkEmailsText(p *graph.MarkEmailsPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.Tally("updated", p.Updated)},
		Rows:       core.Refs(p.Ids),
		Errors:     core.ProblemsOf(p.Errors),
		NotFound:   p.NotFound,
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// LabelEmailsText is the payload as compact text shows it.
func LabelEmailsText(p *graph.LabelEmailsPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.Tally("updated", p.Updated)},
		Rows:       core.Refs(p.Ids),
		Errors:     core.ProblemsOf(p.Errors),
		NotFound:   p.NotFound,
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// outboxRows is the e-mail that was sent, and the preview while there is none.
func outboxRows(email *projections.Email, preview *projections.EmailPreview) []compact.Row {
	if email != nil {
		return []compact.Row{email.Row(0)} // without its body, which the caller has written
	}
	return core.RowOf(preview, projections.EmailPreview.Row)
}

// outboxCount says how far a sending has come.
func outboxCount(state *model.OutboxState) compact.Count {
	switch {
	case state == nil:
		return core.Tally("sent", 0)
	case *state == model.OutboxSent:
		return core.Tally("sent", 1)
	case *state == model.OutboxPreview:
		return core.Tally("previewed", 1)
	default:
		return core.Tally("queued", 1)
	}
}

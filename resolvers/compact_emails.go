package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
)

// What the mutations of e-mails did, as the formatter of compact text sees it.

func previewEmailText(p *graph.PreviewEmailPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyOne("previewed", p.Preview)},
		Rows:       rowOf(p.Preview, projections.EmailPreview.Row),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func previewReplyText(p *graph.PreviewReplyPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyOne("previewed", p.Preview)},
		Rows:       rowOf(p.Preview, projections.EmailPreview.Row),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func sendEmailText(p *graph.SendEmailPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{outboxCount(p.State)},
		Rows:       outboxRows(p.Email, p.Preview),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func replyToEmailText(p *graph.ReplyToEmailPayload) compact.Payload {
	question := p.Confirmation.Row(true)
	if question != nil && p.Preview != nil {
		question.Candidates = nil // the preview stands below the question, with all that is asked about
	}
	return compact.Payload{
		Counts:       []compact.Count{outboxCount(p.State)},
		Rows:         outboxRows(p.Email, p.Preview),
		Confirmation: question,
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func discardPreviewText(p *graph.DiscardPreviewPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyIf("discarded", p.Discarded)},
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func markEmailsText(p *graph.MarkEmailsPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tally("updated", p.Updated)},
		Rows:       refs(p.Ids),
		Errors:     problemsOf(p.Errors),
		NotFound:   p.NotFound,
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func labelEmailsText(p *graph.LabelEmailsPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tally("updated", p.Updated)},
		Rows:       refs(p.Ids),
		Errors:     problemsOf(p.Errors),
		NotFound:   p.NotFound,
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

// outboxRows is the e-mail that was sent, and the preview while there is none.
func outboxRows(email *projections.Email, preview *projections.EmailPreview) []compact.Row {
	if email != nil {
		return []compact.Row{email.Row(0)} // without its body, which the caller has written
	}
	return rowOf(preview, projections.EmailPreview.Row)
}

// outboxCount says how far a sending has come.
func outboxCount(state *model.OutboxState) compact.Count {
	switch {
	case state == nil:
		return tally("sent", 0)
	case *state == model.OutboxSent:
		return tally("sent", 1)
	case *state == model.OutboxPreview:
		return tally("previewed", 1)
	default:
		return tally("queued", 1)
	}
}

package emails

import (
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

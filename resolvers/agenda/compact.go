package agenda

import (
	"context"
	"strings"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/projections/mail"
)

// AgendaText answers Agenda.compact.
func (r *Resolver) AgendaText(ctx context.Context, obj *graph.Agenda,
	given *projections.CompactOptions) (*projections.FormatResult, error) {
	options, err := r.CompactOptions(ctx, given)
	if err != nil {
		return nil, err
	}
	made := agendaRows(obj).Write(options)
	next := ""
	if made.Shown > 0 && (made.Shown < len(obj.Entries) || obj.PageInfo.HasNextPage) {
		next = obj.Entries[made.Shown-1].Cursor
	}
	return projections.FormatResultOf(made, options.CollectMetrics, next), nil
}

// agendaRows is an agenda as the formatter sees it.
func agendaRows(obj *graph.Agenda) compact.Agenda {
	out := compact.Agenda{
		From: compact.Time{Time: obj.From.Wall}, To: compact.Time{Time: obj.To.Wall}, More: obj.PageInfo.HasNextPage,
		Counts: compact.AgendaCounts{Events: intOrNil(obj.Counts.Events), Tasks: intOrNil(obj.Counts.Tasks),
			Emails: intOrNil(obj.Counts.Emails)},
		Entries: make([]compact.AgendaEntry, len(obj.Entries)), Notes: make([]compact.AgendaNote, len(obj.Notes)),
	}
	for i, note := range obj.Notes {
		var what []string
		if note.Kind != nil {
			what = append(what, string(*note.Kind))
		}
		if note.Account != nil {
			what = append(what, *note.Account)
		}
		message := note.Message
		if note.ConnectURL != nil {
			message += " " + *note.ConnectURL
		}
		out.Notes[i] = compact.AgendaNote{What: strings.Join(what, " "), Code: note.Code, Message: message}
	}
	for i, entry := range obj.Entries {
		out.Entries[i] = agendaRow(entry, obj.From)
	}
	return out
}

func agendaRow(entry graph.AgendaEntry, from model.DateTimeInput) compact.AgendaEntry {
	row := compact.AgendaEntry{Kind: compact.AgendaKind(entry.Kind), Title: entry.Title, Overdue: entry.IsOverdue,
		At: entry.At.Record()}
	row.When = row.At.At.Format("2006-01-02T15:04:05Z07:00")
	if row.At.AllDay() {
		row.When = row.At.Date.String()
	}
	if entry.End != nil {
		row.End = entry.End.Record()
	}
	switch node := entry.Node.(type) {
	case projections.Event:
		row.ID = node.ID().String()
		if place := node.Location(); place != nil {
			row.Place = *place
		}
	case projections.Task:
		row.ID = node.ID().String()
		row.Before = row.At.At.Before(from.Wall)
	case projections.Email:
		row.ID, row.Who = node.ID().String(), compact.Sender(mail.Addresses(mail.Header(node.Record().Headers, "From")))
		row.Before = row.At.At.Before(from.Wall)
	}
	return row
}

func intOrNil(n *int32) *int {
	if n == nil {
		return nil
	}
	out := int(*n)
	return &out
}

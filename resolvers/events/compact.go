package events

import (
	"slices"

	"almanac/graph"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
)

// What the mutations of events did, as the formatter of compact text sees it.

func CreateEventText(p *graph.CreateEventPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{core.TallyOne("created", p.Event), core.Tally("duplicates", len(p.Duplicates))},
		Rows: slices.Concat(core.RowOf(p.Event, projections.Event.Row),
			projections.Rows(p.Duplicates, projections.Event.Row)),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

func CreateEventsText(p *graph.CreateEventsPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{core.Tally("created", p.Created), core.Tally("duplicates", len(p.Duplicates))},
		Rows: slices.Concat(projections.Rows(p.Events, projections.Event.Row),
			projections.Rows(p.Duplicates, projections.Event.Row)),
		Errors:     core.ProblemsOf(p.Errors),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

func CreateRecurringEventText(p *graph.CreateRecurringEventPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{core.TallyOne("created", p.Event), core.Tally("duplicates", len(p.Duplicates))},
		Rows: slices.Concat(core.RowOf(p.Event, projections.Event.Row),
			projections.Rows(p.Duplicates, projections.Event.Row)),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

func CreateRecurringEventsText(p *graph.CreateRecurringEventsPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{core.Tally("created", p.Created), core.Tally("duplicates", len(p.Duplicates))},
		Rows: slices.Concat(projections.Rows(p.Events, projections.Event.Row),
			projections.Rows(p.Duplicates, projections.Event.Row)),
		Errors:     core.ProblemsOf(p.Errors),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

func UpdateEventText(p *graph.UpdateEventPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.TallyOne("updated", p.Event), core.Tally("dropped", len(p.Dropped))},
		Rows:         core.RowOf(p.Event, projections.Event.Row),
		Confirmation: p.Confirmation.Row(true),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

func UpdateEventsInWindowText(p *graph.UpdateEventsInWindowPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.Tally("updated", p.Updated)},
		Rows:       projections.Rows(p.Events, projections.Event.Row),
		Errors:     core.ProblemsOf(p.Errors),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

func DeleteEventText(p *graph.DeleteEventPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.Tally("deleted", p.Deleted)},
		Rows:         slices.Concat(core.RowOf(p.Event, projections.Event.Row), core.RowOf(p.Before, projections.Event.Row)),
		Confirmation: p.Confirmation.Row(true),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

func DeleteEventsInWindowText(p *graph.DeleteEventsInWindowPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.Tally("deleted", p.Deleted)},
		Rows:       projections.Rows(p.Events, projections.Event.Row),
		Errors:     core.ProblemsOf(p.Errors),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

func DeleteEventsBySummaryText(p *graph.DeleteEventsBySummaryPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.Tally("deleted", p.Deleted)},
		Rows:         projections.Rows(p.Events, projections.Event.Row),
		Errors:       core.ProblemsOf(p.Errors),
		Confirmation: p.Confirmation.Row(true),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

func TruncateRecurringEventText(p *graph.TruncateRecurringEventPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.TallyOne("updated", p.Event), core.Tally("dropped", len(p.Dropped))},
		Rows:         core.RowOf(p.Event, projections.Event.Row),
		Confirmation: p.Confirmation.Row(true),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

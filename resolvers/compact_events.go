package resolvers

import (
	"slices"

	"almanac/graph"
	"almanac/projections"
	"almanac/projections/compact"
)

// What the mutations of events did, as the formatter of compact text sees it.

func createEventText(p *graph.CreateEventPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{tallyOne("created", p.Event), tally("duplicates", len(p.Duplicates))},
		Rows: slices.Concat(rowOf(p.Event, projections.Event.Row),
			projections.Rows(p.Duplicates, projections.Event.Row)),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func createEventsText(p *graph.CreateEventsPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{tally("created", p.Created), tally("duplicates", len(p.Duplicates))},
		Rows: slices.Concat(projections.Rows(p.Events, projections.Event.Row),
			projections.Rows(p.Duplicates, projections.Event.Row)),
		Errors:     problemsOf(p.Errors),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func createRecurringEventText(p *graph.CreateRecurringEventPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{tallyOne("created", p.Event), tally("duplicates", len(p.Duplicates))},
		Rows: slices.Concat(rowOf(p.Event, projections.Event.Row),
			projections.Rows(p.Duplicates, projections.Event.Row)),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func createRecurringEventsText(p *graph.CreateRecurringEventsPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{tally("created", p.Created), tally("duplicates", len(p.Duplicates))},
		Rows: slices.Concat(projections.Rows(p.Events, projections.Event.Row),
			projections.Rows(p.Duplicates, projections.Event.Row)),
		Errors:     problemsOf(p.Errors),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func updateEventText(p *graph.UpdateEventPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tallyOne("updated", p.Event), tally("dropped", len(p.Dropped))},
		Rows:         rowOf(p.Event, projections.Event.Row),
		Confirmation: p.Confirmation.Row(true),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func updateEventsInWindowText(p *graph.UpdateEventsInWindowPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tally("updated", p.Updated)},
		Rows:       projections.Rows(p.Events, projections.Event.Row),
		Errors:     problemsOf(p.Errors),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func deleteEventText(p *graph.DeleteEventPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tally("deleted", p.Deleted)},
		Rows:         slices.Concat(rowOf(p.Event, projections.Event.Row), rowOf(p.Before, projections.Event.Row)),
		Confirmation: p.Confirmation.Row(true),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func deleteEventsInWindowText(p *graph.DeleteEventsInWindowPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tally("deleted", p.Deleted)},
		Rows:       projections.Rows(p.Events, projections.Event.Row),
		Errors:     problemsOf(p.Errors),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func deleteEventsBySummaryText(p *graph.DeleteEventsBySummaryPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tally("deleted", p.Deleted)},
		Rows:         projections.Rows(p.Events, projections.Event.Row),
		Errors:       problemsOf(p.Errors),
		Confirmation: p.Confirmation.Row(true),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func truncateRecurringEventText(p *graph.TruncateRecurringEventPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tallyOne("updated", p.Event), tally("dropped", len(p.Dropped))},
		Rows:         rowOf(p.Event, projections.Event.Row),
		Confirmation: p.Confirmation.Row(true),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

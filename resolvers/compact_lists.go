package resolvers

import (
	"slices"

	"almanac/graph"
	"almanac/projections"
	"almanac/projections/compact"
)

// What the mutations of lists did, as the formatter of compact text sees it.

func createListText(p *graph.CreateListPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyOne("created", p.List), tallyOne("duplicates", p.ExistingList)},
		Rows:       slices.Concat(rowOf(p.List, projections.List.Row), rowOf(p.ExistingList, projections.List.Row)),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func updateListText(p *graph.UpdateListPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tallyOne("updated", p.List), tallyOne("duplicates", p.ExistingList)},
		Rows:         slices.Concat(rowOf(p.List, projections.List.Row), rowOf(p.ExistingList, projections.List.Row)),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func deleteListText(p *graph.DeleteListPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tally("deleted", p.Deleted)},
		Rows:         rowOf(p.List, projections.List.Row),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func updateListItemsText(p *graph.UpdateListItemsPayload) compact.Payload {
	done, problems := itemSteps(p)
	return compact.Payload{
		Counts: []compact.Count{tally("updated", done)},
		Rows:   rowOf(p.List, projections.List.Row), Errors: problems,
		Confirmation: p.Confirmation.Row(false), UserErrors: userErrorsOf(p.UserErrors),
	}
}

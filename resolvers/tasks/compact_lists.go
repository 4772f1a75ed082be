package tasks

import (
	"slices"

	"almanac/graph"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
)

// What the mutations of lists did, as the formatter of compact text sees it.

// CreateListText is the payload as compact text shows it.
func CreateListText(p *graph.CreateListPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyOne("created", p.List), core.TallyOne("duplicates", p.ExistingList)},
		Rows:       slices.Concat(core.RowOf(p.List, projections.List.Row), core.RowOf(p.ExistingList, projections.List.Row)),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// UpdateListText is the payload as compact text shows it.
func UpdateListText(p *graph.UpdateListPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{core.TallyOne("updated", p.List), core.TallyOne("duplicates", p.ExistingList)},
		Rows: slices.Concat(core.RowOf(p.List, projections.List.Row),
			core.RowOf(p.ExistingList, projections.List.Row)),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

// DeleteListText is the payload as compact text shows it.
func DeleteListText(p *graph.DeleteListPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.Tally("deleted", p.Deleted)},
		Rows:         core.RowOf(p.List, projections.List.Row),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

// UpdateListItemsText is the payload as compact text shows it.
func UpdateListItemsText(p *graph.UpdateListItemsPayload) compact.Payload {
	done, problems := itemSteps(p)
	return compact.Payload{
		Counts: []compact.Count{core.Tally("updated", done)},
		Rows:   core.RowOf(p.List, projections.List.Row), Errors: problems,
		Confirmation: p.Confirmation.Row(false), UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

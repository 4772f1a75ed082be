package memories

import (
	"almanac/graph"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
)

// What the mutations of memories did, as the formatter of compact text sees it.

// StoreMemoryText is the payload as compact text shows it.
func StoreMemoryText(p *graph.StoreMemoryPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.TallyOne("created", p.Memory)},
		Rows:         core.RowOf(p.Memory, projections.Memory.Row),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

// StoreMemoriesText is the payload as compact text shows it.
func StoreMemoriesText(p *graph.StoreMemoriesPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{core.Tally("created", p.Created), core.Tally("overridden", p.Overridden),
			core.Tally("unchanged", p.Unchanged)},
		Rows:       projections.Rows(p.Memories, projections.Memory.Row),
		Errors:     core.ProblemsOf(p.Errors),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// UpdateMemoryText is the payload as compact text shows it.
func UpdateMemoryText(p *graph.UpdateMemoryPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyOne("updated", p.Memory)},
		Rows:       core.RowOf(p.Memory, projections.Memory.Row),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// RestoreMemoryText is the payload as compact text shows it.
func RestoreMemoryText(p *graph.RestoreMemoryPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyOne("restored", p.Memory)},
		Rows:       core.RowOf(p.Memory, projections.Memory.Row),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// DeleteMemoriesText is the payload as compact text shows it.
func DeleteMemoriesText(p *graph.DeleteMemoriesPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.Tally("deleted", p.Deleted), core.Tally("of", p.Total)},
		Rows:         core.Refs(p.Ids),
		Errors:       core.ProblemsOf(p.Errors),
		NotFound:     p.NotFound,
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

// ImportMemoriesText is the payload as compact text shows it.
func ImportMemoriesText(p *graph.ImportMemoriesPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{core.Tally("created", p.Created), core.Tally("updated", p.Updated),
			core.Tally("unchanged", p.Unchanged)},
		Errors:     core.ProblemsOf(p.Errors),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

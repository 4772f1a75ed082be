package resolvers

import (
	"almanac/graph"
	"almanac/projections"
	"almanac/projections/compact"
)

// What the mutations of memories did, as the formatter of compact text sees it.

func storeMemoryText(p *graph.StoreMemoryPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tallyOne("created", p.Memory)},
		Rows:         rowOf(p.Memory, projections.Memory.Row),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func storeMemoriesText(p *graph.StoreMemoriesPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{tally("created", p.Created), tally("overridden", p.Overridden),
			tally("unchanged", p.Unchanged)},
		Rows:       projections.Rows(p.Memories, projections.Memory.Row),
		Errors:     problemsOf(p.Errors),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func updateMemoryText(p *graph.UpdateMemoryPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyOne("updated", p.Memory)},
		Rows:       rowOf(p.Memory, projections.Memory.Row),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func restoreMemoryText(p *graph.RestoreMemoryPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyOne("restored", p.Memory)},
		Rows:       rowOf(p.Memory, projections.Memory.Row),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func deleteMemoriesText(p *graph.DeleteMemoriesPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tally("deleted", p.Deleted), tally("of", p.Total)},
		Rows:         refs(p.Ids),
		Errors:       problemsOf(p.Errors),
		NotFound:     p.NotFound,
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func importMemoriesText(p *graph.ImportMemoriesPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{tally("created", p.Created), tally("updated", p.Updated),
			tally("unchanged", p.Unchanged)},
		Errors:     problemsOf(p.Errors),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

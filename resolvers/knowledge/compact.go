package knowledge

import (
	"almanac/graph"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
)

// EntityPage is a page of entities as compact text shows it.
func EntityPage(page projections.FoundPage[projections.Entity]) core.PageShown {
	return core.ShownFound(compact.KindEntities, page,
		func(e projections.Entity) compact.Row { return e.Row() },
		func(score *float64, e projections.Entity) compact.Row {
			return compact.FoundEntity{Score: score, Node: e.Row()}
		})
}

// FactPage is a page of facts as compact text shows it.
func FactPage(page projections.FoundPage[projections.Fact]) core.PageShown {
	return core.ShownFound(compact.KindFacts, page,
		func(f projections.Fact) compact.Row { return f.Row() },
		func(score *float64, f projections.Fact) compact.Row {
			return compact.FoundFact{Score: score, Node: f.Row()}
		})
}

// What the mutations of the knowledge graph did, as the formatter of compact text sees it.

// AddEpisodeText is the payload as compact text shows it.
func AddEpisodeText(p *graph.AddEpisodePayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{episodeCount(p)},
		Rows:       core.RowOf(p.Episode, projections.Episode.Row),
		Message:    messageOf(p.Message),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// ExtractEpisodeText is the payload as compact text shows it.
func ExtractEpisodeText(p *graph.ExtractEpisodePayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyOne("queued", p.Episode)},
		Rows:       core.RowOf(p.Episode, projections.Episode.Row),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// AddFactsText is the payload as compact text shows it.
func AddFactsText(p *graph.AddFactsPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{core.Tally("created", p.Created), core.Tally("unchanged", p.Unchanged),
			core.Tally("invalidated", p.Invalidated), core.Tally("entitiesCreated", p.EntitiesCreated)},
		Rows:       projections.Rows(p.Facts, projections.Fact.Row),
		Errors:     core.ProblemsOf(p.Errors),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// InvalidateFactsText is the payload as compact text shows it.
func InvalidateFactsText(p *graph.InvalidateFactsPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.Tally("invalidated", p.Updated)},
		Rows:       projections.Rows(p.Facts, projections.Fact.Row),
		Errors:     core.ProblemsOf(p.Errors),
		NotFound:   p.NotFound,
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// UpdateEntityText is the payload as compact text shows it.
func UpdateEntityText(p *graph.UpdateEntityPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyOne("updated", p.Entity)},
		Rows:       core.RowOf(p.Entity, projections.Entity.Row),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// MergeEntitiesText is the payload as compact text shows it.
func MergeEntitiesText(p *graph.MergeEntitiesPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{core.Tally("merged", p.Merged), core.Tally("factsMoved", p.FactsMoved),
			core.Tally("factsJoined", p.FactsJoined)},
		Rows:       core.RowOf(p.Entity, projections.Entity.Row),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// DeleteEntityText is the payload as compact text shows it.
func DeleteEntityText(p *graph.DeleteEntityPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyIf("deleted", p.Deleted), core.Tally("deletedFacts", p.DeletedFacts)},
		Rows:       core.RefIf(p.Deleted, p.ID),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// DeleteFactText is the payload as compact text shows it.
func DeleteFactText(p *graph.DeleteFactPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyIf("deleted", p.Deleted)},
		Rows:       core.RefIf(p.Deleted, p.ID),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// DeleteEpisodeText is the payload as compact text shows it.
func DeleteEpisodeText(p *graph.DeleteEpisodePayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{core.TallyIf("deleted", p.Deleted), core.MaybeTally("deletedFacts", p.DeletedFacts),
			core.MaybeTally("deletedEntities", p.DeletedEntities)},
		Rows:       core.RefIf(p.Deleted, p.ID),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// ClearKnowledgeText is the payload as compact text shows it.
func ClearKnowledgeText(p *graph.ClearKnowledgePayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{core.TallyIf("cleared", p.Cleared), core.MaybeTally("deletedEntities", p.DeletedEntities),
			core.MaybeTally("deletedFacts", p.DeletedFacts), core.MaybeTally("deletedEpisodes", p.DeletedEpisodes)},
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

// episodeCount says what was done with an episode: a remote that has queued it tells no more.
func episodeCount(p *graph.AddEpisodePayload) compact.Count {
	if p.Episode == nil && p.State != nil {
		return core.Tally("queued", 1)
	}
	return core.TallyOne("created", p.Episode)
}

// messageOf is what a remote says, empty for nothing.
func messageOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

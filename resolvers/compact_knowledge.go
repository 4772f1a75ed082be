package resolvers

import (
	"almanac/graph"
	"almanac/projections"
	"almanac/projections/compact"
)

// What the mutations of the knowledge graph did, as the formatter of compact text sees it.

func addEpisodeText(p *graph.AddEpisodePayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{episodeCount(p)},
		Rows:       rowOf(p.Episode, projections.Episode.Row),
		Message:    messageOf(p.Message),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func extractEpisodeText(p *graph.ExtractEpisodePayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyOne("queued", p.Episode)},
		Rows:       rowOf(p.Episode, projections.Episode.Row),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func addFactsText(p *graph.AddFactsPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{tally("created", p.Created), tally("unchanged", p.Unchanged),
			tally("invalidated", p.Invalidated), tally("entitiesCreated", p.EntitiesCreated)},
		Rows:       projections.Rows(p.Facts, projections.Fact.Row),
		Errors:     problemsOf(p.Errors),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func invalidateFactsText(p *graph.InvalidateFactsPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tally("invalidated", p.Updated)},
		Rows:       projections.Rows(p.Facts, projections.Fact.Row),
		Errors:     problemsOf(p.Errors),
		NotFound:   p.NotFound,
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func updateEntityText(p *graph.UpdateEntityPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyOne("updated", p.Entity)},
		Rows:       rowOf(p.Entity, projections.Entity.Row),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func mergeEntitiesText(p *graph.MergeEntitiesPayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{tally("merged", p.Merged), tally("factsMoved", p.FactsMoved),
			tally("factsJoined", p.FactsJoined)},
		Rows:       rowOf(p.Entity, projections.Entity.Row),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func deleteEntityText(p *graph.DeleteEntityPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyIf("deleted", p.Deleted), tally("deletedFacts", p.DeletedFacts)},
		Rows:       refIf(p.Deleted, p.ID),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func deleteFactText(p *graph.DeleteFactPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyIf("deleted", p.Deleted)},
		Rows:       refIf(p.Deleted, p.ID),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func deleteEpisodeText(p *graph.DeleteEpisodePayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{tallyIf("deleted", p.Deleted), maybeTally("deletedFacts", p.DeletedFacts),
			maybeTally("deletedEntities", p.DeletedEntities)},
		Rows:       refIf(p.Deleted, p.ID),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func clearKnowledgeText(p *graph.ClearKnowledgePayload) compact.Payload {
	return compact.Payload{
		Counts: []compact.Count{tallyIf("cleared", p.Cleared), maybeTally("deletedEntities", p.DeletedEntities),
			maybeTally("deletedFacts", p.DeletedFacts), maybeTally("deletedEpisodes", p.DeletedEpisodes)},
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

// episodeCount says what was done with an episode: a remote that has queued it tells no more.
func episodeCount(p *graph.AddEpisodePayload) compact.Count {
	if p.Episode == nil && p.State != nil {
		return tally("queued", 1)
	}
	return tallyOne("created", p.Episode)
}

// messageOf is what a remote says, empty for nothing.
func messageOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

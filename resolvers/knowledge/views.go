package knowledge

import (
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// entitiesAt are the views of entities that stand side by side; never nil. The answer tells of them.
func entitiesAt(v *core.Viewer, nouns []model.Entity) []projections.Entity {
	for i := range nouns {
		v.About.Tells(nouns[i].ID)
	}
	return projections.EntitiesAt(nouns, v.Moment)
}

// entityAt is the view of an entity that stands alone.
func entityAt(v *core.Viewer, noun model.Entity) projections.Entity {
	return entitiesAt(v, []model.Entity{noun})[0]
}

// factsAt are the views of facts that stand side by side; never nil. The answer tells of them, and of their ends, whose
// names their sentences hold.
func factsAt(v *core.Viewer, nouns []model.Fact) []projections.Fact {
	for i := range nouns {
		v.About.Tells(nouns[i].ID)
		v.About.Tells(nouns[i].Source.ID)
		v.About.Tells(nouns[i].Target.ID)
	}
	return projections.FactsAt(nouns, v.Moment)
}

// factAt is the view of a fact that stands alone.
func factAt(v *core.Viewer, noun model.Fact) projections.Fact {
	return factsAt(v, []model.Fact{noun})[0]
}

// episodesAt are the views of episodes; never nil. The answer tells of them.
func episodesAt(v *core.Viewer, nouns []model.Episode) []projections.Episode {
	for i := range nouns {
		v.About.Tells(nouns[i].ID)
	}
	return projections.EpisodesAt(nouns, v.Moment)
}

// episodeAt is the view of an episode.
func episodeAt(v *core.Viewer, noun model.Episode) projections.Episode {
	return episodesAt(v, []model.Episode{noun})[0]
}

// noKnowledge is the response context of a payload in which nothing is concerned.
func noKnowledge() *projections.KnowledgeContext {
	return &projections.KnowledgeContext{IsEmpty: true}
}

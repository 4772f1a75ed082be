package knowledge

import (
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// entitiesAt are the views of entities that stand side by side; never nil. The answer tells of them.
func entitiesAt(v *core.Viewer, entities []model.Entity) []projections.Entity {
	for i := range entities {
		v.About.Tells(entities[i].ID)
	}
	return projections.EntitiesAt(entities, v.Moment)
}

// entityAt is the view of an entity that stands alone.
func entityAt(v *core.Viewer, entity model.Entity) projections.Entity {
	return entitiesAt(v, []model.Entity{entity})[0]
}

// factsAt are the views of facts that stand side by side; never nil. The answer tells of them, and of their ends, whose
// names their sentences hold.
func factsAt(v *core.Viewer, facts []model.Fact) []projections.Fact {
	for i := range facts {
		v.About.Tells(facts[i].ID)
		v.About.Tells(facts[i].Source.ID)
		v.About.Tells(facts[i].Target.ID)
	}
	return projections.FactsAt(facts, v.Moment)
}

// factAt is the view of a fact that stands alone.
func factAt(v *core.Viewer, fact model.Fact) projections.Fact {
	return factsAt(v, []model.Fact{fact})[0]
}

// episodesAt are the views of episodes; never nil. The answer tells of them.
func episodesAt(v *core.Viewer, episodes []model.Episode) []projections.Episode {
	for i := range episodes {
		v.About.Tells(episodes[i].ID)
	}
	return projections.EpisodesAt(episodes, v.Moment)
}

// episodeAt is the view of an episode.
func episodeAt(v *core.Viewer, episode model.Episode) projections.Episode {
	return episodesAt(v, []model.Episode{episode})[0]
}

// noKnowledge is the response context of a payload in which nothing is concerned.
func noKnowledge() *projections.KnowledgeContext {
	return &projections.KnowledgeContext{IsEmpty: true}
}

package knowledge

import (
	"context"
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// knowledgeID reads the id of an entity, a fact or an episode, the own store's or a Graphiti server's. BAD_USER_INPUT
// when the text is no id, or one of another kind.
func knowledgeID(field, text string, kind model.Kind) (model.ID, error) {
	if _, err := core.OwnID(field, text, kind); err != nil {
		return model.ID{}, err
	}
	return model.ParseID(text)
}

// serves reports whether an id is one of the base that serves: the own store knows nothing of a Graphiti server's, nor
// the other way round.
func (r *Resolver) serves(id model.ID) bool {
	return (id.Remote == "") == (r.KnowledgeBase.Facts().Backend == model.KnowledgeOwn)
}

// known are those of the ids that the base that serves could know.
func (r *Resolver) known(ids []model.ID) []model.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id model.ID) bool { return !r.serves(id) })
}

// noKnowledgeOf says that a thing of the graph is not there.
func noKnowledgeOf(field string, id model.ID) error {
	return model.NotFound(field, "you have no %s %s", core.KindNames[id.Kind], id)
}

// servedID is knowledgeID for a thing that must be of the base that serves: NOT_FOUND otherwise.
func (r *Resolver) servedID(field, text string, kind model.Kind) (model.ID, error) {
	id, err := knowledgeID(field, text, kind)
	if err == nil && (!r.serves(id) || id == model.ID{Kind: kind}) { // the id of zeros would ask nothing of a filter
		err = noKnowledgeOf(field, id)
	}
	return id, err
}

// oneEntity returns the entity of an id; of one that became part of another, that other. NOT_FOUND, about the field
// given.
func (r *Resolver) oneEntity(ctx context.Context, v *core.Viewer, field string, id model.ID,
	want store.EntityColumns) (model.Entity, error) {
	if r.serves(id) {
		found, err := r.KnowledgeBase.EntitiesByID(ctx, v.User, []model.ID{id}, want)
		if err != nil {
			return model.Entity{}, err
		}
		if entity, there := found[id]; there {
			return entity, nil
		}
	}
	return model.Entity{}, noKnowledgeOf(field, id)
}

// oneFact returns the fact of an id. NOT_FOUND, about the field given.
func (r *Resolver) oneFact(ctx context.Context, v *core.Viewer, field string, id model.ID,
	want store.FactWant) (model.Fact, error) {
	if r.serves(id) {
		found, err := r.KnowledgeBase.FactsByID(ctx, v.User, []model.ID{id}, want)
		if err != nil {
			return model.Fact{}, err
		}
		if fact, there := found[id]; there {
			return fact, nil
		}
	}
	return model.Fact{}, noKnowledgeOf(field, id)
}

// oneEpisode returns the episode of an id. NOT_FOUND, about the field given.
func (r *Resolver) oneEpisode(ctx context.Context, v *core.Viewer, field string, id model.ID,
	want store.EpisodeColumns) (model.Episode, error) {
	if r.serves(id) {
		found, err := r.KnowledgeBase.EpisodesByID(ctx, v.User, []model.ID{id}, want)
		if err != nil {
			return model.Episode{}, err
		}
		if episode, there := found[id]; there {
			return episode, nil
		}
	}
	return model.Episode{}, noKnowledgeOf(field, id)
}

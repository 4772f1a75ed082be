package knowledge

import (
	"context"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// ChangeTypes are the types of changes that knowledgeChanged reports.
func ChangeTypes() []model.ChangeType {
	return []model.ChangeType{model.ChangeEntity, model.ChangeFact, model.ChangeEpisode, model.ChangeKnowledge}
}

// LoadKnowledge fills found with the things of the graph that ids lead to, as they are now, in one call to the base for
// each kind. What cannot be read now leaves its error beside the answer.
func (r *Resolver) LoadKnowledge(ctx context.Context, v *core.Viewer, kind model.Kind, ids []model.ID,
	asked func(object string) core.Selection, found map[model.ID]model.Node) error {
	if ids = core.Distinct(r.known(ids)); len(ids) == 0 {
		return nil
	}
	err := r.readKnowledge(ctx, v, kind, ids, asked, found)
	if err != nil && !r.KnowledgeBase.Facts().Transactional {
		core.AddError(ctx, err)
		return nil
	}
	return err
}

func (r *Resolver) readKnowledge(ctx context.Context, v *core.Viewer, kind model.Kind, ids []model.ID,
	asked func(object string) core.Selection, found map[model.ID]model.Node) error {
	switch kind {
	case model.KindEntity:
		read, err := r.KnowledgeBase.EntitiesByID(ctx, v.User, ids, entityColumns(asked("Entity")))
		if err != nil {
			return err
		}
		there, records := thoseThere(ids, read)
		for i, view := range entitiesAt(v, records) {
			found[there[i]] = view
		}
	case model.KindFact:
		read, err := r.KnowledgeBase.FactsByID(ctx, v.User, ids, factWant(asked("Fact")))
		if err != nil {
			return err
		}
		there, records := thoseThere(ids, read)
		for i, view := range factsAt(v, records) {
			found[there[i]] = view
		}
	default:
		read, err := r.KnowledgeBase.EpisodesByID(ctx, v.User, ids, episodeColumns(asked("Episode")))
		if err != nil {
			return err
		}
		there, records := thoseThere(ids, read)
		for i, view := range episodesAt(v, records) {
			found[there[i]] = view
		}
	}
	return nil
}

// thoseThere returns what was found, in the order of the ids asked for, with the id that each was asked by: an entity
// may have become part of another.
func thoseThere[T any](ids []model.ID, found map[model.ID]T) (there []model.ID, items []T) {
	for _, id := range ids {
		if item, ok := found[id]; ok {
			there, items = append(there, id), append(items, item)
		}
	}
	return there, items
}

// ChangedKnowledge loads the things of the graph among changes, as they are now, by the ids of the lines.
func (r *Resolver) ChangedKnowledge(ctx context.Context, v *core.Viewer, lines []model.Change,
	asked core.Selection) (map[model.UUID]model.Node, error) {
	found := make(map[model.ID]model.Node)
	for kind, changed := range map[model.Kind]model.ChangeType{
		model.KindEntity: model.ChangeEntity, model.KindFact: model.ChangeFact, model.KindEpisode: model.ChangeEpisode,
	} {
		ids := core.ChangedIDs(lines, changed)
		if err := r.LoadKnowledge(ctx, v, kind, ids,
			func(object string) core.Selection { return asked.Under("node", object) },
			found); err != nil {
			return nil, err
		}
	}
	nodes := make(map[model.UUID]model.Node, len(found))
	for id, node := range found {
		nodes[id.UUID] = node
	}
	return nodes, nil
}

// KnowledgeChanges answers the knowledgeChanged subscription.
func (r *Resolver) KnowledgeChanges(ctx context.Context, after *string) (<-chan *projections.KnowledgeChange, error) {
	return core.FollowKinds(ctx, r.Base, ChangeTypes(), core.EveryChange, after,
		r.LoadKnowledgeChanges(core.Answered(ctx)))
}

// LoadKnowledgeChanges returns what loads changes in the graph, with what is selected of them.
func (r *Resolver) LoadKnowledgeChanges(asked core.Selection) core.LoadChanges[*projections.KnowledgeChange] {
	return func(ctx context.Context, events []core.Event) ([]*projections.KnowledgeChange, error) {
		var now map[model.UUID]model.Node
		if asked.Has("node") {
			var err error
			if now, err = r.ChangedKnowledge(ctx, events[0].V, core.LinesOf(events), asked); err != nil {
				return nil, err
			}
		}
		out := make([]*projections.KnowledgeChange, len(events))
		for i, e := range events {
			out[i] = &projections.KnowledgeChange{Change: e.Change(now[e.Line.ID])}
		}
		return out, nil
	}
}

package knowledge

import (
	"context"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// erased is what came of an erasure. The numbers are nil where the base does not count.
type erased struct {
	Entities *int `json:"entities,omitempty"`
	Facts    *int `json:"facts,omitempty"`
	Episodes *int `json:"episodes,omitempty"`
}

func erasedOf(what knowledge.Erased) erased {
	if what.Counts == nil {
		return erased{}
	}
	return erased{Entities: &what.Counts.Entities, Facts: &what.Counts.Facts, Episodes: &what.Counts.Episodes}
}

// number is a count as payloads show it.
func number(n *int) *int32 {
	if n == nil {
		return nil
	}
	short := int32(*n)
	return &short
}

// deleteKnowledge erases one thing of the graph, which field names by this id, and tells what went with it.
func (r *Resolver) deleteKnowledge(ctx context.Context, v *core.Viewer, field, text string,
	kind model.Kind) (erased, error) {
	out, err := writeKnowledge(ctx, r, v, func(ctx context.Context) (erased, error) {
		id, err := r.servedID(field, text, kind)
		if err != nil {
			return erased{}, err
		}
		begun, err := r.begunErasing(ctx, v, id)
		if err != nil {
			return erased{}, err
		}
		gone, err := r.KnowledgeBase.Delete(ctx, v.User, id)
		if begun && model.CodeOf(err) == model.CodeNotFound {
			err = nil // an earlier try of this request has erased it
		}
		if err != nil {
			return erased{}, core.AtField(err, field)
		}
		r.logKnowledge(ctx, v, []model.Change{knowledgeChange(changeTypeOf(kind), model.OperationDeleted, id)})
		return erasedOf(gone), nil
	})
	return out, err
}

// begunErasing notes with a request's Idempotency-Key that a thing of a remote base was there before the base was asked
// to erase it, and reports whether an earlier try has noted that.
func (r *Resolver) begunErasing(ctx context.Context, v *core.Viewer, id model.ID) (bool, error) {
	if _, keyed := model.NotesFrom(ctx); !keyed || r.KnowledgeBase.Facts().Transactional {
		return false, nil
	}
	_, again, err := core.Decided(ctx, func() (string, error) {
		var err error
		switch id.Kind {
		case model.KindEntity:
			_, err = r.oneEntity(ctx, v, "input.id", id, 0)
		case model.KindFact:
			_, err = r.oneFact(ctx, v, "input.id", id, store.FactWant{})
		default:
			_, err = r.oneEpisode(ctx, v, "input.id", id, 0)
		}
		return id.String(), err
	})
	return again, err
}

// changeTypeOf is the type of the change log's lines about things of a kind.
func changeTypeOf(kind model.Kind) model.ChangeType {
	switch kind {
	case model.KindEntity:
		return model.ChangeEntity
	case model.KindFact:
		return model.ChangeFact
	default:
		return model.ChangeEpisode
	}
}

// deleteTarget erases the one thing that is meant and shows its id, or leaves the question that comes first.
func (r *Resolver) deleteTarget(ctx context.Context, v *core.Viewer, t core.Target, id **string,
	question **projections.Confirmation) (gone erased, deleted bool, err error) {
	meant, err := r.Meant(ctx, v, t)
	if *question = meant.Question; err != nil || !meant.Clear() {
		return gone, false, err
	}
	if gone, err = r.deleteKnowledge(ctx, v, meant.Field, meant.IDs[0], t.Kind); err == nil {
		*id = &meant.IDs[0]
	}
	r.GiveBack(ctx, v, meant, err)
	return gone, err == nil, err
}

// DeleteEntity erases an entity with all its facts.
func (r *Resolver) DeleteEntity(ctx context.Context, in graph.DeleteEntityInput) (*graph.DeleteEntityPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteEntityPayload{Context: noKnowledge(), UserErrors: []model.UserError{}}
	gone, deleted, err := r.deleteTarget(ctx, v, r.entityTarget(v, in.ID, in.Target, in.Confirm, true), &out.DeletedID,
		&out.Confirmation)
	if err != nil || !deleted {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Deleted, out.Context = true, &projections.KnowledgeContext{}
	if gone.Facts != nil {
		out.DeletedFacts = int32(*gone.Facts)
	}
	return out, nil
}

// DeleteFact erases a fact.
func (r *Resolver) DeleteFact(ctx context.Context, in graph.DeleteFactInput) (*graph.DeleteFactPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteFactPayload{Context: noKnowledge(), UserErrors: []model.UserError{}}
	_, deleted, err := r.deleteTarget(ctx, v, r.factTarget(v, in), &out.DeletedID, &out.Confirmation)
	if err != nil || !deleted {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Deleted, out.Context = true, &projections.KnowledgeContext{}
	return out, nil
}

// DeleteEpisode erases an episode with what only it supports.
func (r *Resolver) DeleteEpisode(ctx context.Context,
	in graph.DeleteEpisodeInput) (*graph.DeleteEpisodePayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteEpisodePayload{Context: noKnowledge(), UserErrors: []model.UserError{}}
	gone, err := r.deleteKnowledge(ctx, v, "input.id", in.ID, model.KindEpisode)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Deleted, out.DeletedID, out.Context = true, &in.ID, &projections.KnowledgeContext{}
	out.DeletedFacts, out.DeletedEntities = number(gone.Facts), number(gone.Entities)
	return out, nil
}

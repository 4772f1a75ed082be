package knowledge

import (
	"context"
	"strconv"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// InvalidateFacts says that facts hold no more.
func (r *Resolver) InvalidateFacts(ctx context.Context,
	in graph.InvalidateFactsInput) (*graph.InvalidateFactsPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.InvalidateFactsPayload{
		Facts: []projections.Fact{}, NotFound: []string{}, Errors: []model.BulkError{}, Context: noKnowledge(),
		UserErrors: []model.UserError{},
	}
	if err := r.closeFacts(ctx, v, in, out); err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
	}
	return out, nil
}

func (r *Resolver) closeFacts(ctx context.Context, v *core.Viewer, in graph.InvalidateFactsInput,
	out *graph.InvalidateFactsPayload) error {
	if len(in.Ids) == 0 {
		return model.BadInput("input.ids", "name at least one fact")
	}
	if err := core.AtMost("input.ids", len(in.Ids)); err != nil {
		return err
	}
	at := v.Now
	if in.At != nil {
		at = when.Resolve(*in.At, v.Zone)
	}
	var bulk core.BulkErrors
	var ids []model.ID
	places := make(map[model.ID]int, len(in.Ids))
	for i, text := range in.Ids {
		id, err := knowledgeID("input.ids."+strconv.Itoa(i), text, model.KindFact)
		if err != nil {
			if err := bulk.Add(i, &text, err); err != nil {
				return err
			}
			continue
		}
		if _, again := places[id]; !again {
			places[id], ids = i, append(ids, id)
		}
	}
	asked := r.known(ids)
	closed := map[model.ID]model.Fact{}
	var problems map[model.ID]error
	if len(asked) > 0 || !r.KnowledgeBase.Facts().Edits {
		var updated int
		var err error
		if closed, updated, problems, err = r.KnowledgeBase.Invalidate(ctx, v.User, asked, at, v.Now); err != nil {
			return core.AtField(err, "input")
		}
		out.Updated = int32(updated)
	}
	for _, id := range ids {
		problem := problems[id]
		if _, there := closed[id]; !there && problem == nil {
			out.NotFound = append(out.NotFound, id.String())
			problem = noKnowledgeOf("", id)
		}
		if problem != nil {
			given := id.String()
			if err := bulk.Add(places[id], &given, problem); err != nil {
				return err
			}
		}
	}
	out.Errors = bulk.List()
	var err error
	out.Facts, err = r.closedFacts(ctx, v, ids, closed)
	out.Context = &projections.KnowledgeContext{IsEmpty: len(closed) == 0}
	return err
}

// closedFacts are facts as they are after they were closed, in the order given.
func (r *Resolver) closedFacts(ctx context.Context, v *core.Viewer, ids []model.ID,
	closed map[model.ID]model.Fact) ([]projections.Fact, error) {
	asked := core.Answered(ctx)
	var there []model.ID
	for _, id := range ids {
		if _, ok := closed[id]; ok {
			there = append(there, id)
		}
	}
	if len(there) == 0 || !asked.Has("facts", "compact") {
		return []projections.Fact{}, nil
	}
	found, err := r.KnowledgeBase.FactsByID(ctx, v.User, there, factWant(asked.Under("facts", "Fact")))
	if err != nil {
		return nil, err
	}
	var records []model.Fact
	for _, id := range there {
		if fact, ok := found[id]; ok {
			records = append(records, fact)
		}
	}
	return factsAt(v, records), nil
}

package knowledge

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"almanac/adapters/knowledge"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// factKept is a fact of a request, as it was found or made.
type factKept struct {
	ID string `json:"id"`
	// New: by this request.
	New bool `json:"new,omitempty"`
}

// factsKept is what came of adding facts.
type factsKept struct {
	Created     int `json:"created"`
	Unchanged   int `json:"unchanged"`
	Invalidated int `json:"invalidated"`
	Entities    int `json:"entities"`
	// Facts are those that are shown, in input order; Made are the entities that this request has made.
	Facts  []factKept        `json:"facts,omitempty"`
	Made   []string          `json:"made,omitempty"`
	Errors []model.BulkError `json:"errors,omitempty"`
}

// AddFacts adds facts without any model.
func (r *Resolver) AddFacts(ctx context.Context, in graph.AddFactsInput) (*graph.AddFactsPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.AddFactsPayload{Facts: []projections.Fact{}, Errors: []model.BulkError{}, Context: noKnowledge(),
		UserErrors: []model.UserError{}}
	kept, err := writeKnowledge(ctx, r, v, func(ctx context.Context) (factsKept, error) { return r.keepFacts(ctx, v, in) })
	if err == nil {
		out.Created, out.Unchanged, out.Invalidated, out.EntitiesCreated = int32(kept.Created), int32(kept.Unchanged),
			int32(kept.Invalidated), int32(kept.Entities)
		out.Errors = append(out.Errors, kept.Errors...)
		out.Context = &projections.KnowledgeContext{IsEmpty: kept.Created+kept.Unchanged == 0, IsNew: kept.Created > 0}
		out.Facts, err = r.factsShown(ctx, v, kept)
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
	}
	return out, nil
}

// keepFacts does what addFacts says at the first try.
func (r *Resolver) keepFacts(ctx context.Context, v *core.Viewer, in graph.AddFactsInput) (factsKept, error) {
	most := r.KnowledgeBase.Facts().MostFacts
	if n := len(in.Facts); n == 0 || n > most {
		return factsKept{}, model.BadInput("input.facts", "one request takes 1 to %d facts, not %d", most, n)
	}
	add := knowledge.NewFacts{Atomic: in.Atomic, Now: v.Now}
	var err error
	if in.EpisodeID != nil {
		if add.Episode, err = r.servedID("input.episodeId", *in.EpisodeID, model.KindEpisode); err != nil {
			return factsKept{}, err
		}
	}
	bulk := core.BulkErrors{Atomic: in.Atomic}
	places := make([]int, 0, len(in.Facts)) // in the request, of what the base is given
	for i, one := range in.Facts {
		fact, err := r.readFact(v, factField(i), one)
		if err != nil {
			if err = bulk.Add(i, nil, namingPart(err)); err != nil {
				return factsKept{}, err
			}
			continue
		}
		add.Facts, places = append(add.Facts, fact), append(places, i)
	}
	if bulk.Undone() || len(add.Facts) == 0 {
		return factsKept{Errors: bulk.List()}, nil
	}
	added, err := r.KnowledgeBase.AddFacts(ctx, v.User, add)
	if err != nil {
		if place, ok := factPlace(err); ok { // the one for which all were left out
			err = bulk.Add(places[min(place, len(places)-1)], nil, namingPart(err))
			return factsKept{Errors: bulk.List()}, err
		}
		return factsKept{}, core.AtField(err, "input")
	}
	if err := r.problemsOf(ctx, added, places, &bulk); err != nil {
		return factsKept{}, err
	}
	out := keptOf(added, bulk.List())
	if !r.KnowledgeBase.Facts().Transactional {
		r.logKnowledge(ctx, v, addedChanges(added))
	}
	return out, nil
}

// problemsOf notes why facts were left out. What a remote base cannot do, or has failed at in the midst of it, is told
// with its fact too, since the others are there; what a repetition may mend stands beside the answer besides, so that
// the answer is not kept for one.
func (r *Resolver) problemsOf(ctx context.Context, added knowledge.FactsAdded, places []int,
	bulk *core.BulkErrors) error {
	var failure error
	for i, problem := range added.Problems {
		if problem == nil {
			continue
		}
		shown, known := errors.AsType[*model.Error](problem)
		if _, mendable := model.Mendable(problem); mendable || !known || r.KnowledgeBase.Facts().Transactional {
			if err := bulk.Add(places[i], nil, namingPart(problem)); err != nil {
				return err
			}
			continue
		}
		bulk.Items = append(bulk.Items, model.BulkError{Index: places[i], Message: shown.Message, Code: shown.Code})
		if shown.Code != model.CodeNotConfigured {
			failure = problem
		}
	}
	if failure != nil {
		core.AddError(ctx, failure)
	}
	return nil
}

// keptOf is what is told of what was added.
func keptOf(added knowledge.FactsAdded, leftOut []model.BulkError) factsKept {
	out := factsKept{
		Created: added.Created, Unchanged: added.Unchanged, Invalidated: added.Invalidated, Entities: added.EntitiesMade,
		Errors: leftOut,
	}
	for _, id := range added.Ids {
		if id != (model.ID{}) && len(out.Facts) < model.MaxFactsShown {
			out.Facts = append(out.Facts, factKept{ID: id.String(), New: added.New[id]})
		}
	}
	for id := range added.EntitiesNew {
		out.Made = append(out.Made, id.String())
	}
	slices.Sort(out.Made)
	return out
}

// factField is the path of a fact of addFacts.
func factField(i int) string { return "input.facts." + strconv.Itoa(i) }

// factPlace is the place among the facts given that an error is about.
func factPlace(err error) (int, bool) {
	shown, ok := model.Mendable(err)
	if !ok || len(shown.Field) < 3 || shown.Field[0] != "input" || shown.Field[1] != "facts" {
		return 0, false
	}
	place, wrong := strconv.Atoi(shown.Field[2])
	return place, wrong == nil && place >= 0
}

// namingPart says in the message of an error about one of the facts which part of it is at fault: errors of items have
// no path.
func namingPart(err error) error {
	if place, ok := factPlace(err); ok {
		return core.NamingField(err, "input", "facts", strconv.Itoa(place))
	}
	return err
}

// factsShown are the facts of a result as they are now, in its order; those that are new say so, and so do their ends.
func (r *Resolver) factsShown(ctx context.Context, v *core.Viewer, kept factsKept) ([]projections.Fact, error) {
	asked := core.Answered(ctx)
	if !asked.Has("facts", "compact") || len(kept.Facts) == 0 {
		return []projections.Fact{}, nil
	}
	ids := make([]model.ID, 0, len(kept.Facts))
	for _, one := range kept.Facts {
		id, err := model.ParseID(one.ID)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	found, err := r.KnowledgeBase.FactsByID(ctx, v.User, core.Distinct(ids), factWant(asked.Under("facts", "Fact")))
	if err != nil {
		return nil, err
	}
	var records []model.Fact
	var fresh []bool
	for i, id := range ids {
		if fact, there := found[id]; there { // else erased since, by somebody else
			records, fresh = append(records, fact), append(fresh, kept.Facts[i].New)
		}
	}
	made := make(map[string]bool, len(kept.Made))
	for _, id := range kept.Made {
		made[id] = true
	}
	views := factsAt(v, records)
	for i := range views {
		views[i] = views[i].WithNewEnds(made[records[i].Source.ID.String()], made[records[i].Target.ID.String()])
		if fresh[i] {
			views[i] = views[i].AsNew()
		}
	}
	return views, nil
}

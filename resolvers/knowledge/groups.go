package knowledge

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"almanac/adapters/knowledge"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// What is asked of each entity or fact of a page is read for the whole page at once, by the first that is resolved: see
// projections.Group. So a page of entities with their facts, and those with their episodes, is one question for each
// level, however many entities there are.

// answerPath is the field's place in the answer without the places in lists: it stands for a field with its arguments
// and selection, whichever item of a list it is resolved for.
func answerPath(ctx context.Context) string {
	var out strings.Builder
	for _, step := range graphql.GetFieldContext(ctx).Path() {
		if name, ok := step.(ast.PathName); ok {
			out.WriteString(string(name))
			out.WriteByte('.')
		}
	}
	return out.String()
}

const (
	defaultEntityFacts  = 10
	defaultFactEpisodes = 5
	maxFactEpisodes     = 20
	defaultExtracted    = 25
)

// EntityFacts answers Entity.facts.
func (r *Resolver) EntityFacts(ctx context.Context, entity *projections.Entity, asOf *model.DateTimeInput,
	withOthers bool, relations []string, first *int32) ([]projections.Fact, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit, err := projections.PageSize("first", first, defaultEntityFacts)
	if err != nil {
		return nil, err
	}
	where, err := heldAt(v, asOf, withOthers)
	if err != nil {
		return nil, err
	}
	if where.Relations, err = cleanRelations("relations", relations); err != nil {
		return nil, err
	}
	read, err := projections.ReadOnce(entity.Group(), answerPath(ctx),
		func(ids []model.ID) (map[model.ID][]projections.Fact, error) {
			ids = core.Distinct(ids)
			facts, _, err := r.KnowledgeBase.FactsAround(ctx, v.User, knowledge.Around{
				Entities: ids, Where: where, PerEntity: limit, Limit: limit * len(ids), Want: factWant(core.Answered(ctx)),
			})
			if err != nil {
				return nil, err
			}
			return factsOfEach(factsAt(v, facts), ids, limit), nil
		})
	if err != nil {
		return nil, err
	}
	if facts := read[entity.ID()]; facts != nil {
		return facts, nil
	}
	return []projections.Fact{}, nil
}

// factsOfEach returns for each entity those of the facts that have it at an end, in their order, at most so many.
func factsOfEach(facts []projections.Fact, ids []model.ID, limit int) map[model.ID][]projections.Fact {
	out := make(map[model.ID][]projections.Fact, len(ids))
	for _, id := range ids {
		out[id] = nil
	}
	give := func(id model.ID, fact projections.Fact) {
		if given, asked := out[id]; asked && len(given) < limit {
			out[id] = append(given, fact)
		}
	}
	for _, fact := range facts {
		record := fact.Record()
		give(record.Source.ID, fact)
		if record.Target.ID != record.Source.ID {
			give(record.Target.ID, fact)
		}
	}
	return out
}

// FactEpisodes answers Fact.episodes.
func (r *Resolver) FactEpisodes(ctx context.Context, fact *projections.Fact,
	first *int32) ([]projections.Episode, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit := defaultFactEpisodes
	if first != nil {
		if limit = int(*first); limit < 1 || limit > maxFactEpisodes {
			return nil, model.BadInput("first", "first is %d; it must be from 1 to %d", *first, maxFactEpisodes)
		}
	}
	read, err := projections.ReadOnce(fact.Group(), answerPath(ctx),
		func(facts []model.Fact) (map[model.ID]model.Episode, error) {
			var ids []model.ID
			for i := range facts {
				ids = append(ids, facts[i].Episodes[:min(limit, len(facts[i].Episodes))]...)
			}
			if len(ids) == 0 {
				return nil, nil
			}
			return r.KnowledgeBase.EpisodesByID(ctx, v.User, core.Distinct(ids), episodeColumns(core.Answered(ctx)))
		})
	if err != nil {
		return nil, err
	}
	records := []model.Episode{}
	for _, id := range fact.EpisodeIds() {
		if len(records) == limit {
			break
		}
		if episode, there := read[id]; there { // a remote may have lost it
			records = append(records, episode)
		}
	}
	return episodesAt(v, records), nil
}

// Extracted answers Episode.extracted.
func (r *Resolver) Extracted(ctx context.Context, episode *projections.Episode,
	first *int32) (*projections.EpisodeContents, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit, err := projections.PageSize("first", first, defaultExtracted)
	if err != nil {
		return nil, err
	}
	asked := core.Answered(ctx)
	contents, err := r.KnowledgeBase.Contents(ctx, v.User, episode.ID(), limit,
		entityColumns(asked.Under("entities", "Entity")), factWant(asked.Under("facts", "Fact")))
	if err != nil || contents == nil {
		return nil, err
	}
	return &projections.EpisodeContents{Entities: entitiesAt(v, contents.Entities), Facts: factsAt(v, contents.Facts)}, nil
}

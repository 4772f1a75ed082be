package knowledge

import (
	"context"
	"math"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

const (
	defaultEntities = 10
	defaultFacts    = 10
	defaultEpisodes = 20
)

// LookArgs are the arguments that listings and searches of the graph have in common.
type LookArgs struct {
	Query         *string
	First         *int32
	After         *string
	MinSimilarity *float64
	Weights       *graph.SearchWeights
}

// look is what they come to.
type look struct {
	search  knowledge.Search
	page    knowledge.Page
	purpose string
}

// readLook reads them. what names the things that are looked for; a cursor fits only where it comes from: the same
// base, the same things, listed or found.
func (r *Resolver) readLook(v *core.Viewer, what string, byDefault int, args LookArgs) (out look, err error) {
	out.search = knowledge.Search{MinSimilarity: args.MinSimilarity, SimilarityWeight: 0.7, KeywordWeight: 0.3}
	out.purpose = "knowledge " + string(r.KnowledgeBase.Facts().Backend) + " " + what
	if args.Query != nil {
		if out.search.Text, err = core.CleanText("query", *args.Query, model.MaxSearchQuery); err != nil {
			return out, err
		}
		out.purpose += " found"
	}
	if args.MinSimilarity != nil {
		if !(*args.MinSimilarity >= -1 && *args.MinSimilarity <= 1) {
			return out, model.BadInput("minSimilarity", "minSimilarity is from -1 to 1")
		}
		if args.Query == nil {
			return out, model.BadInput("minSimilarity",
				"without a query nothing is compared; give query, or leave minSimilarity out")
		}
	}
	if args.Weights != nil {
		if err := core.RightWeights(*args.Weights); err != nil {
			return out, err
		}
		if args.Query == nil {
			return out, model.BadInput("weights", "without a query nothing is ranked; give query, or leave weights out")
		}
		out.search.SimilarityWeight, out.search.KeywordWeight = args.Weights.Similarity, args.Weights.Keyword
	}
	if out.page.First, err = projections.PageSize("first", args.First, byDefault); err != nil {
		return out, err
	}
	after, err := core.OpenCursor(r.Base, v, "after", out.purpose, args.After,
		func(place []byte) ([]byte, bool) { return place, true })
	if after != nil {
		out.page.After = *after
	}
	return out, err
}

// counted is what a listing must read when of its items only the number is asked for.
const counted = 1

// foundPage is the page of an answer. views are those of its hits, in order.
func foundPage[N, V any](ctx context.Context, r *Resolver, v *core.Viewer, from look, answer knowledge.Answer[N],
	views []V) projections.FoundPage[V] {
	if answer.Trouble != nil {
		core.AddError(ctx, answer.Trouble) // what the other leg found is an answer too
	}
	page := projections.FoundPage[V]{
		Items: views, HasNext: answer.HasNext, HasPrevious: from.page.After != nil, Counted: answer.Total, Taken: answer.Legs,
		Cursor: func(i int) string { return r.Sealer.Seal(from.purpose, v.User, answer.Hits[i].Place) },
	}
	for _, hit := range answer.Hits {
		page.Found = append(page.Found, scoresOf(hit.Found))
	}
	return page
}

// scoresOf says how something was found; nil stays nil.
func scoresOf(found *store.Found) *projections.FoundScores {
	if found == nil {
		return nil
	}
	out := &projections.FoundScores{Keyword: found.Keyword, Score: found.Score}
	if found.Measured && !math.IsNaN(found.Similarity) {
		out.Similarity = &found.Similarity
	}
	if found.ByVector {
		out.MatchedBy = append(out.MatchedBy, model.LegVector)
	}
	if found.ByKeyword {
		out.MatchedBy = append(out.MatchedBy, model.LegKeyword)
	}
	return out
}

func itemsOf[T any](hits []knowledge.Hit[T]) []T {
	out := make([]T, len(hits))
	for i := range hits {
		out[i] = hits[i].Item
	}
	return out
}

// KnowledgeNodes answers knowledge.nodes with one call to the base.
func (r *Resolver) KnowledgeNodes(ctx context.Context, filter *graph.EntityFilter,
	args LookArgs) (*projections.EntityConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	from, err := r.readLook(v, "entities", defaultEntities, args)
	if err != nil {
		return nil, err
	}
	asked := core.Answered(ctx)
	ask := knowledge.EntityAsk{Search: from.search, Page: from.page,
		Want: entityColumns(asked.Items("EntityEdge", "Entity"))}
	if ask.Where, err = entityWhere(v, filter); err != nil {
		return nil, err
	}
	if args.Query == nil {
		ask.Total = asked.Has("totalCount")
		if !asked.Has("nodes", "edges", "pageInfo", "compact") {
			ask.Page.First = counted
		}
	}
	answer, err := r.KnowledgeBase.FindEntities(ctx, v.User, ask)
	if err != nil {
		return nil, err
	}
	return &projections.EntityConnection{
		FoundPage: foundPage(ctx, r, v, from, answer, entitiesAt(v, itemsOf(answer.Hits)))}, nil
}

// KnowledgeFacts answers knowledge.facts with one call to the base.
func (r *Resolver) KnowledgeFacts(ctx context.Context, filter *graph.FactFilter, asOf *model.DateTimeInput,
	withOthers bool, args LookArgs) (*projections.FactConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	from, err := r.readLook(v, "facts", defaultFacts, args)
	if err != nil {
		return nil, err
	}
	asked := core.Answered(ctx)
	ask := knowledge.FactAsk{Search: from.search, Page: from.page, Want: factWant(asked.Items("FactEdge", "Fact"))}
	if ask.Where, err = heldAt(v, asOf, withOthers); err != nil {
		return nil, err
	}
	named, err := r.readFactFilter(v, filter, &ask)
	if err != nil {
		return nil, err
	}
	ask.Suppressed = asked.Has("suppressed") && !withOthers
	if args.Query == nil {
		ask.Total = asked.Has("totalCount")
		if !asked.Has("nodes", "edges", "pageInfo", "compact") {
			ask.Page.First = counted
		}
	}
	answer, err := r.KnowledgeBase.FindFacts(ctx, v.User, ask)
	if err == nil && len(answer.Hits) == 0 {
		err = r.allThere(ctx, v, named)
	}
	if err != nil {
		return nil, err
	}
	return &projections.FactConnection{
		FoundPage: foundPage(ctx, r, v, from, answer, factsAt(v, itemsOf(answer.Hits))), Suppressed: answer.Suppressed,
	}, nil
}

// KnowledgeEpisodes answers knowledge.episodes with one call to the base.
func (r *Resolver) KnowledgeEpisodes(ctx context.Context, filter *graph.EpisodeFilter, first *int32,
	after *string) (*projections.EpisodeConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	from, err := r.readLook(v, "episodes", defaultEpisodes, LookArgs{First: first, After: after})
	if err != nil {
		return nil, err
	}
	asked := core.Answered(ctx)
	ask := knowledge.EpisodeAsk{Page: from.page, Want: episodeColumns(asked.Items("EpisodeEdge", "Episode")),
		Total: asked.Has("totalCount")}
	if ask.Where, err = episodeWhere(v, filter); err != nil {
		return nil, err
	}
	if !asked.Has("nodes", "edges", "pageInfo", "compact") {
		ask.Page.First = counted
	}
	answer, err := r.KnowledgeBase.FindEpisodes(ctx, v.User, ask)
	if err != nil {
		return nil, err
	}
	if answer.Trouble != nil {
		core.AddError(ctx, answer.Trouble)
	}
	return &projections.EpisodeConnection{
		Page: projections.Page[projections.Episode]{
			Items: episodesAt(v, itemsOf(answer.Hits)), HasNext: answer.HasNext, HasPrevious: from.page.After != nil,
			Cursor: func(i int) string { return r.Sealer.Seal(from.purpose, v.User, answer.Hits[i].Place) },
		},
		Counted: answer.Total,
	}, nil
}

// KnowledgeStatus answers knowledge.status.
func (r *Resolver) KnowledgeStatus(ctx context.Context) (*projections.KnowledgeStatus, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	facts := r.KnowledgeBase.Facts()
	status, err := r.KnowledgeBase.Status(ctx, v.User, v.Now)
	if err != nil {
		return nil, err
	}
	out := &projections.KnowledgeStatus{Backend: facts.Backend, Healthy: status.Healthy}
	if status.Message != "" {
		out.Message = &status.Message
	}
	if facts.ExtractionModel != "" {
		out.ExtractionModel = &facts.ExtractionModel
	}
	if counts := status.Counts; counts != nil {
		out.EntityCount, out.FactCount, out.CurrentFactCount = &counts.Entities, &counts.Facts, &counts.CurrentFacts
		out.EpisodeCount, out.Queued, out.Failed = &counts.Episodes, &counts.Queued, &counts.Failed
		out.LastUpdated = v.OptionalDateTime(counts.LastUpdated)
		embedding := projections.EmbeddingStatusOf(r.Embedder.Model(), counts.Models, counts.Entities+counts.Facts)
		out.Embedding = &embedding
	}
	return out, nil
}

// KnowledgeEntity answers knowledge.entity.
func (r *Resolver) KnowledgeEntity(ctx context.Context, text string) (*projections.Entity, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := knowledgeID("id", text, model.KindEntity)
	if err != nil {
		return nil, err
	}
	found, err := r.oneEntity(ctx, v, "id", id, entityColumns(core.Answered(ctx)))
	if err != nil {
		return nil, err
	}
	view := entityAt(v, found)
	return &view, nil
}

// KnowledgeFact answers knowledge.fact.
func (r *Resolver) KnowledgeFact(ctx context.Context, text string) (*projections.Fact, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := knowledgeID("id", text, model.KindFact)
	if err != nil {
		return nil, err
	}
	found, err := r.oneFact(ctx, v, "id", id, factWant(core.Answered(ctx)))
	if err != nil {
		return nil, err
	}
	view := factAt(v, found)
	return &view, nil
}

// KnowledgeEpisode answers knowledge.episode.
func (r *Resolver) KnowledgeEpisode(ctx context.Context, text string) (*projections.Episode, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := knowledgeID("id", text, model.KindEpisode)
	if err != nil {
		return nil, err
	}
	found, err := r.oneEpisode(ctx, v, "id", id, episodeColumns(core.Answered(ctx)))
	if err != nil {
		return nil, err
	}
	view := episodeAt(v, found)
	return &view, nil
}

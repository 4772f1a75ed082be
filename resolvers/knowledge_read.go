package resolvers

import (
	"context"
	"math"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
)

const (
	defaultEntities = 10
	defaultFacts    = 10
	defaultEpisodes = 20
)

// lookArgs are the arguments that listings and searches of the graph have in common.
type lookArgs struct {
	query         *string
	first         *int32
	after         *string
	minSimilarity *float64
	weights       *graph.SearchWeights
}

// look is what they come to.
type look struct {
	search  knowledge.Search
	page    knowledge.Page
	purpose string
}

// readLook reads them. what names the things that are looked for; a cursor fits only where it comes from: the same
// base, the same things, listed or found.
func (r *Resolver) readLook(v *viewer, what string, byDefault int, args lookArgs) (out look, err error) {
	out.search = knowledge.Search{MinSimilarity: args.minSimilarity, SimilarityWeight: 0.7, KeywordWeight: 0.3}
	out.purpose = "knowledge " + string(r.KnowledgeBase.Facts().Backend) + " " + what
	if args.query != nil {
		if out.search.Text, err = cleanText("query", *args.query, model.MaxSearchQuery); err != nil {
			return out, err
		}
		out.purpose += " found"
	}
	if args.minSimilarity != nil {
		if !(*args.minSimilarity >= -1 && *args.minSimilarity <= 1) {
			return out, model.BadInput("minSimilarity", "minSimilarity is from -1 to 1")
		}
		if args.query == nil {
			return out, model.BadInput("minSimilarity",
				"without a query nothing is compared; give query, or leave minSimilarity out")
		}
	}
	if args.weights != nil {
		if err := rightWeights(*args.weights); err != nil {
			return out, err
		}
		if args.query == nil {
			return out, model.BadInput("weights", "without a query nothing is ranked; give query, or leave weights out")
		}
		out.search.SimilarityWeight, out.search.KeywordWeight = args.weights.Similarity, args.weights.Keyword
	}
	if out.page.First, err = projections.PageSize("first", args.first, byDefault); err != nil {
		return out, err
	}
	after, err := openCursor(r, v, "after", out.purpose, args.after,
		func(place []byte) ([]byte, bool) { return place, true })
	if after != nil {
		out.page.After = *after
	}
	return out, err
}

// counted is what a listing must read when of its items only the number is asked for.
const counted = 1

// foundPage is the page of an answer. views are those of its hits, in order.
func foundPage[N, V any](ctx context.Context, r *Resolver, v *viewer, from look, answer knowledge.Answer[N],
	views []V) projections.FoundPage[V] {
	if answer.Trouble != nil {
		addError(ctx, answer.Trouble) // what the other leg found is an answer too
	}
	page := projections.FoundPage[V]{
		Items: views, HasNext: answer.HasNext, HasPrevious: from.page.After != nil, Counted: answer.Total, Taken: answer.Legs,
		Cursor: func(i int) string { return r.Sealer.Seal(from.purpose, v.user, answer.Hits[i].Place) },
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

// knowledgeNodes answers knowledge.nodes with one call to the base.
func (r *Resolver) knowledgeNodes(ctx context.Context, filter *graph.EntityFilter,
	args lookArgs) (*projections.EntityConnection, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	from, err := r.readLook(v, "entities", defaultEntities, args)
	if err != nil {
		return nil, err
	}
	asked := answered(ctx)
	ask := knowledge.EntityAsk{Search: from.search, Page: from.page,
		Want: asked.items("EntityEdge", "Entity").entityColumns()}
	if ask.Where, err = entityWhere(v, filter); err != nil {
		return nil, err
	}
	if args.query == nil {
		ask.Total = asked.has("totalCount")
		if !asked.has("nodes", "edges", "pageInfo", "compact") {
			ask.Page.First = counted
		}
	}
	answer, err := r.KnowledgeBase.FindEntities(ctx, v.user, ask)
	if err != nil {
		return nil, err
	}
	return &projections.EntityConnection{
		FoundPage: foundPage(ctx, r, v, from, answer, entitiesAt(v, itemsOf(answer.Hits)))}, nil
}

// knowledgeFacts answers knowledge.facts with one call to the base.
func (r *Resolver) knowledgeFacts(ctx context.Context, filter *graph.FactFilter, asOf *model.DateTimeInput,
	withOthers bool, args lookArgs) (*projections.FactConnection, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	from, err := r.readLook(v, "facts", defaultFacts, args)
	if err != nil {
		return nil, err
	}
	asked := answered(ctx)
	ask := knowledge.FactAsk{Search: from.search, Page: from.page, Want: asked.items("FactEdge", "Fact").factWant()}
	if ask.Where, err = heldAt(v, asOf, withOthers); err != nil {
		return nil, err
	}
	named, err := r.readFactFilter(v, filter, &ask)
	if err != nil {
		return nil, err
	}
	ask.Suppressed = asked.has("suppressed") && !withOthers
	if args.query == nil {
		ask.Total = asked.has("totalCount")
		if !asked.has("nodes", "edges", "pageInfo", "compact") {
			ask.Page.First = counted
		}
	}
	answer, err := r.KnowledgeBase.FindFacts(ctx, v.user, ask)
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

// knowledgeEpisodes answers knowledge.episodes with one call to the base.
func (r *Resolver) knowledgeEpisodes(ctx context.Context, filter *graph.EpisodeFilter, first *int32,
	after *string) (*projections.EpisodeConnection, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	from, err := r.readLook(v, "episodes", defaultEpisodes, lookArgs{first: first, after: after})
	if err != nil {
		return nil, err
	}
	asked := answered(ctx)
	ask := knowledge.EpisodeAsk{Page: from.page, Want: asked.items("EpisodeEdge", "Episode").episodeColumns(),
		Total: asked.has("totalCount")}
	if ask.Where, err = episodeWhere(v, filter); err != nil {
		return nil, err
	}
	if !asked.has("nodes", "edges", "pageInfo", "compact") {
		ask.Page.First = counted
	}
	answer, err := r.KnowledgeBase.FindEpisodes(ctx, v.user, ask)
	if err != nil {
		return nil, err
	}
	if answer.Trouble != nil {
		addError(ctx, answer.Trouble)
	}
	return &projections.EpisodeConnection{
		Page: projections.Page[projections.Episode]{
			Items: episodesAt(v, itemsOf(answer.Hits)), HasNext: answer.HasNext, HasPrevious: from.page.After != nil,
			Cursor: func(i int) string { return r.Sealer.Seal(from.purpose, v.user, answer.Hits[i].Place) },
		},
		Counted: answer.Total,
	}, nil
}

// knowledgeStatus answers knowledge.status.
func (r *Resolver) knowledgeStatus(ctx context.Context) (*projections.KnowledgeStatus, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	facts := r.KnowledgeBase.Facts()
	status, err := r.KnowledgeBase.Status(ctx, v.user, v.Now)
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

// knowledgeEntity answers knowledge.entity.
func (r *Resolver) knowledgeEntity(ctx context.Context, text string) (*projections.Entity, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := knowledgeID("id", text, model.KindEntity)
	if err != nil {
		return nil, err
	}
	found, err := r.oneEntity(ctx, v, "id", id, answered(ctx).entityColumns())
	if err != nil {
		return nil, err
	}
	view := entityAt(v, found)
	return &view, nil
}

// knowledgeFact answers knowledge.fact.
func (r *Resolver) knowledgeFact(ctx context.Context, text string) (*projections.Fact, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := knowledgeID("id", text, model.KindFact)
	if err != nil {
		return nil, err
	}
	found, err := r.oneFact(ctx, v, "id", id, answered(ctx).factWant())
	if err != nil {
		return nil, err
	}
	view := factAt(v, found)
	return &view, nil
}

// knowledgeEpisode answers knowledge.episode.
func (r *Resolver) knowledgeEpisode(ctx context.Context, text string) (*projections.Episode, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := knowledgeID("id", text, model.KindEpisode)
	if err != nil {
		return nil, err
	}
	found, err := r.oneEpisode(ctx, v, "id", id, answered(ctx).episodeColumns())
	if err != nil {
		return nil, err
	}
	view := episodeAt(v, found)
	return &view, nil
}

package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"context"
)

func (r *addEpisodePayloadResolver) Compact(ctx context.Context, obj *graph.AddEpisodePayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, addEpisodeText(obj))
}

func (r *addFactsPayloadResolver) Compact(ctx context.Context, obj *graph.AddFactsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, addFactsText(obj))
}

func (r *clearKnowledgePayloadResolver) Compact(ctx context.Context, obj *graph.ClearKnowledgePayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, clearKnowledgeText(obj))
}

func (r *deleteEntityPayloadResolver) Compact(ctx context.Context, obj *graph.DeleteEntityPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, deleteEntityText(obj))
}

func (r *deleteEpisodePayloadResolver) Compact(ctx context.Context, obj *graph.DeleteEpisodePayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, deleteEpisodeText(obj))
}

func (r *deleteFactPayloadResolver) Compact(ctx context.Context, obj *graph.DeleteFactPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, deleteFactText(obj))
}

func (r *entityResolver) Facts(ctx context.Context, obj *projections.Entity, asOf *model.DateTimeInput, includeInvalidated bool, relations []string, first *int32) ([]projections.Fact, error) {
	return r.entityFacts(ctx, obj, asOf, includeInvalidated, relations, first)
}

func (r *entityResolver) Neighbours(ctx context.Context, obj *projections.Entity, depth int32, asOf *model.DateTimeInput, includeInvalidated bool, relations []string, first *int32) (*projections.Neighbourhood, error) {
	return r.neighbours(ctx, obj, depth, asOf, includeInvalidated, relations, first)
}

func (r *entityConnectionResolver) Compact(ctx context.Context, obj *projections.EntityConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, entityPage(obj.FoundPage))
}

func (r *episodeResolver) Extracted(ctx context.Context, obj *projections.Episode, first *int32) (*projections.EpisodeContents, error) {
	return r.extracted(ctx, obj, first)
}

func (r *episodeConnectionResolver) Compact(ctx context.Context, obj *projections.EpisodeConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, shownPage(compact.KindEpisodes, obj.Page, projections.Episode.Row))
}

func (r *extractEpisodePayloadResolver) Compact(ctx context.Context, obj *graph.ExtractEpisodePayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, extractEpisodeText(obj))
}

func (r *factResolver) Episodes(ctx context.Context, obj *projections.Fact, first *int32) ([]projections.Episode, error) {
	return r.factEpisodes(ctx, obj, first)
}

func (r *factConnectionResolver) Compact(ctx context.Context, obj *projections.FactConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, factPage(obj.FoundPage))
}

func (r *invalidateFactsPayloadResolver) Compact(ctx context.Context, obj *graph.InvalidateFactsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, invalidateFactsText(obj))
}

func (r *knowledgeResolver) Nodes(ctx context.Context, obj *projections.Knowledge, query *string, filter *graph.EntityFilter, first *int32, after *string, minSimilarity *float64, weights *graph.SearchWeights) (*projections.EntityConnection, error) {
	return r.knowledgeNodes(ctx, filter, lookArgs{query, first, after, minSimilarity, weights})
}

func (r *knowledgeResolver) Facts(ctx context.Context, obj *projections.Knowledge, query *string, filter *graph.FactFilter, asOf *model.DateTimeInput, includeInvalidated bool, first *int32, after *string, minSimilarity *float64, weights *graph.SearchWeights) (*projections.FactConnection, error) {
	return r.knowledgeFacts(ctx, filter, asOf, includeInvalidated, lookArgs{query, first, after, minSimilarity, weights})
}

func (r *knowledgeResolver) Episodes(ctx context.Context, obj *projections.Knowledge, filter *graph.EpisodeFilter, first *int32, after *string) (*projections.EpisodeConnection, error) {
	return r.knowledgeEpisodes(ctx, filter, first, after)
}

func (r *knowledgeResolver) Status(ctx context.Context, obj *projections.Knowledge) (*projections.KnowledgeStatus, error) {
	return r.knowledgeStatus(ctx)
}

func (r *knowledgeResolver) Entity(ctx context.Context, obj *projections.Knowledge, id string) (*projections.Entity, error) {
	return r.knowledgeEntity(ctx, id)
}

func (r *knowledgeResolver) Fact(ctx context.Context, obj *projections.Knowledge, id string) (*projections.Fact, error) {
	return r.knowledgeFact(ctx, id)
}

func (r *knowledgeResolver) Episode(ctx context.Context, obj *projections.Knowledge, id string) (*projections.Episode, error) {
	return r.knowledgeEpisode(ctx, id)
}

func (r *knowledgeResolver) Path(ctx context.Context, obj *projections.Knowledge, from string, to string, maxLength int32, asOf *model.DateTimeInput, includeInvalidated bool) (*projections.KnowledgePath, error) {
	return r.knowledgePath(ctx, from, to, maxLength, asOf, includeInvalidated)
}

func (r *knowledgeStatusResolver) Compact(ctx context.Context, obj *projections.KnowledgeStatus, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, obj.Row())
}

func (r *mergeEntitiesPayloadResolver) Compact(ctx context.Context, obj *graph.MergeEntitiesPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, mergeEntitiesText(obj))
}

func (r *mutationResolver) AddEpisode(ctx context.Context, input graph.AddEpisodeInput) (*graph.AddEpisodePayload, error) {
	return r.addEpisode(ctx, input)
}

func (r *mutationResolver) ExtractEpisode(ctx context.Context, input graph.ExtractEpisodeInput) (*graph.ExtractEpisodePayload, error) {
	return r.extractEpisode(ctx, input)
}

func (r *mutationResolver) AddFacts(ctx context.Context, input graph.AddFactsInput) (*graph.AddFactsPayload, error) {
	return r.addFacts(ctx, input)
}

func (r *mutationResolver) InvalidateFacts(ctx context.Context, input graph.InvalidateFactsInput) (*graph.InvalidateFactsPayload, error) {
	return r.invalidateFacts(ctx, input)
}

func (r *mutationResolver) UpdateEntity(ctx context.Context, input graph.UpdateEntityInput) (*graph.UpdateEntityPayload, error) {
	return r.updateEntity(ctx, input)
}

func (r *mutationResolver) MergeEntities(ctx context.Context, input graph.MergeEntitiesInput) (*graph.MergeEntitiesPayload, error) {
	return r.mergeEntities(ctx, input)
}

func (r *mutationResolver) DeleteEntity(ctx context.Context, input graph.DeleteEntityInput) (*graph.DeleteEntityPayload, error) {
	return r.deleteEntity(ctx, input)
}

func (r *mutationResolver) DeleteFact(ctx context.Context, input graph.DeleteFactInput) (*graph.DeleteFactPayload, error) {
	return r.deleteFact(ctx, input)
}

func (r *mutationResolver) DeleteEpisode(ctx context.Context, input graph.DeleteEpisodeInput) (*graph.DeleteEpisodePayload, error) {
	return r.deleteEpisode(ctx, input)
}

func (r *mutationResolver) ClearKnowledge(ctx context.Context, input graph.ClearKnowledgeInput) (*graph.ClearKnowledgePayload, error) {
	return r.clearKnowledge(ctx, input)
}

func (r *queryResolver) Knowledge(ctx context.Context) (*projections.Knowledge, error) {
	return &projections.Knowledge{}, nil
}

func (r *subscriptionResolver) KnowledgeChanged(ctx context.Context, after *string) (<-chan *projections.KnowledgeChange, error) {
	return r.knowledgeChanges(ctx, after)
}

func (r *updateEntityPayloadResolver) Compact(ctx context.Context, obj *graph.UpdateEntityPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, updateEntityText(obj))
}

func (r *Resolver) AddEpisodePayload() graph.AddEpisodePayloadResolver {
	return &addEpisodePayloadResolver{r}
}

func (r *Resolver) AddFactsPayload() graph.AddFactsPayloadResolver {
	return &addFactsPayloadResolver{r}
}

func (r *Resolver) ClearKnowledgePayload() graph.ClearKnowledgePayloadResolver {
	return &clearKnowledgePayloadResolver{r}
}

func (r *Resolver) DeleteEntityPayload() graph.DeleteEntityPayloadResolver {
	return &deleteEntityPayloadResolver{r}
}

func (r *Resolver) DeleteEpisodePayload() graph.DeleteEpisodePayloadResolver {
	return &deleteEpisodePayloadResolver{r}
}

func (r *Resolver) DeleteFactPayload() graph.DeleteFactPayloadResolver {
	return &deleteFactPayloadResolver{r}
}

func (r *Resolver) Entity() graph.EntityResolver { return &entityResolver{r} }

func (r *Resolver) EntityConnection() graph.EntityConnectionResolver {
	return &entityConnectionResolver{r}
}

func (r *Resolver) Episode() graph.EpisodeResolver { return &episodeResolver{r} }

func (r *Resolver) EpisodeConnection() graph.EpisodeConnectionResolver {
	return &episodeConnectionResolver{r}
}

func (r *Resolver) ExtractEpisodePayload() graph.ExtractEpisodePayloadResolver {
	return &extractEpisodePayloadResolver{r}
}

func (r *Resolver) Fact() graph.FactResolver { return &factResolver{r} }

func (r *Resolver) FactConnection() graph.FactConnectionResolver { return &factConnectionResolver{r} }

func (r *Resolver) InvalidateFactsPayload() graph.InvalidateFactsPayloadResolver {
	return &invalidateFactsPayloadResolver{r}
}

func (r *Resolver) Knowledge() graph.KnowledgeResolver { return &knowledgeResolver{r} }

func (r *Resolver) KnowledgeStatus() graph.KnowledgeStatusResolver {
	return &knowledgeStatusResolver{r}
}

func (r *Resolver) MergeEntitiesPayload() graph.MergeEntitiesPayloadResolver {
	return &mergeEntitiesPayloadResolver{r}
}

func (r *Resolver) UpdateEntityPayload() graph.UpdateEntityPayloadResolver {
	return &updateEntityPayloadResolver{r}
}

type (
	addEpisodePayloadResolver      struct{ *Resolver }
	addFactsPayloadResolver        struct{ *Resolver }
	clearKnowledgePayloadResolver  struct{ *Resolver }
	deleteEntityPayloadResolver    struct{ *Resolver }
	deleteEpisodePayloadResolver   struct{ *Resolver }
	deleteFactPayloadResolver      struct{ *Resolver }
	entityResolver                 struct{ *Resolver }
	entityConnectionResolver       struct{ *Resolver }
	episodeResolver                struct{ *Resolver }
	episodeConnectionResolver      struct{ *Resolver }
	extractEpisodePayloadResolver  struct{ *Resolver }
	factResolver                   struct{ *Resolver }
	factConnectionResolver         struct{ *Resolver }
	invalidateFactsPayloadResolver struct{ *Resolver }
	knowledgeResolver              struct{ *Resolver }
	knowledgeStatusResolver        struct{ *Resolver }
	mergeEntitiesPayloadResolver   struct{ *Resolver }
	updateEntityPayloadResolver    struct{ *Resolver }
)

package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
	"almanac/resolvers/knowledge"
	"context"
)

func (r *addEpisodePayloadRoot) Compact(ctx context.Context, obj *graph.AddEpisodePayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *addFactsPayloadRoot) Compact(ctx context.Context, obj *graph.AddFactsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *clearKnowledgePayloadRoot) Compact(ctx context.Context, obj *graph.ClearKnowledgePayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteEntityPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteEntityPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteEpisodePayloadRoot) Compact(ctx context.Context, obj *graph.DeleteEpisodePayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteFactPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteFactPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *entityRoot) Facts(ctx context.Context, obj *projections.Entity, asOf *model.DateTimeInput, includeInvalidated bool, relations []string, first *int32) ([]projections.Fact, error) {
	return r.all.knowledge.EntityFacts(ctx, obj, asOf, includeInvalidated, relations, first)
}

func (r *entityRoot) Neighbours(ctx context.Context, obj *projections.Entity, depth int32, asOf *model.DateTimeInput, includeInvalidated bool, relations []string, first *int32) (*projections.Neighbourhood, error) {
	return r.all.knowledge.Neighbours(ctx, obj, depth, asOf, includeInvalidated, relations, first)
}

func (r *entityConnectionRoot) Compact(ctx context.Context, obj *projections.EntityConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, knowledge.EntityPage(obj.FoundPage))
}

func (r *episodeRoot) Extracted(ctx context.Context, obj *projections.Episode, first *int32) (*projections.EpisodeContents, error) {
	return r.all.knowledge.Extracted(ctx, obj, first)
}

func (r *episodeConnectionRoot) Compact(ctx context.Context, obj *projections.EpisodeConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, core.ShownPage(compact.KindEpisodes, obj.Page, projections.Episode.Row))
}

func (r *extractEpisodePayloadRoot) Compact(ctx context.Context, obj *graph.ExtractEpisodePayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *factRoot) Episodes(ctx context.Context, obj *projections.Fact, first *int32) ([]projections.Episode, error) {
	return r.all.knowledge.FactEpisodes(ctx, obj, first)
}

func (r *factConnectionRoot) Compact(ctx context.Context, obj *projections.FactConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, knowledge.FactPage(obj.FoundPage))
}

func (r *invalidateFactsPayloadRoot) Compact(ctx context.Context, obj *graph.InvalidateFactsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *knowledgeRoot) Nodes(ctx context.Context, obj *projections.Knowledge, query *string, filter *graph.EntityFilter, first *int32, after *string, minSimilarity *float64, weights *graph.SearchWeights) (*projections.EntityConnection, error) {
	return r.all.knowledge.KnowledgeNodes(ctx, filter,
		knowledge.LookArgs{Query: query, First: first, After: after, MinSimilarity: minSimilarity, Weights: weights})
}

func (r *knowledgeRoot) Facts(ctx context.Context, obj *projections.Knowledge, query *string, filter *graph.FactFilter, asOf *model.DateTimeInput, includeInvalidated bool, first *int32, after *string, minSimilarity *float64, weights *graph.SearchWeights) (*projections.FactConnection, error) {
	return r.all.knowledge.KnowledgeFacts(ctx, filter, asOf, includeInvalidated,
		knowledge.LookArgs{Query: query, First: first, After: after, MinSimilarity: minSimilarity, Weights: weights})
}

func (r *knowledgeRoot) Episodes(ctx context.Context, obj *projections.Knowledge, filter *graph.EpisodeFilter, first *int32, after *string) (*projections.EpisodeConnection, error) {
	return r.all.knowledge.KnowledgeEpisodes(ctx, filter, first, after)
}

func (r *knowledgeRoot) Status(ctx context.Context, obj *projections.Knowledge) (*projections.KnowledgeStatus, error) {
	return r.all.knowledge.KnowledgeStatus(ctx)
}

func (r *knowledgeRoot) Entity(ctx context.Context, obj *projections.Knowledge, id string) (*projections.Entity, error) {
	return r.all.knowledge.KnowledgeEntity(ctx, id)
}

func (r *knowledgeRoot) Fact(ctx context.Context, obj *projections.Knowledge, id string) (*projections.Fact, error) {
	return r.all.knowledge.KnowledgeFact(ctx, id)
}

func (r *knowledgeRoot) Episode(ctx context.Context, obj *projections.Knowledge, id string) (*projections.Episode, error) {
	return r.all.knowledge.KnowledgeEpisode(ctx, id)
}

func (r *knowledgeRoot) Path(ctx context.Context, obj *projections.Knowledge, from string, to string, maxLength int32, asOf *model.DateTimeInput, includeInvalidated bool) (*projections.KnowledgePath, error) {
	return r.all.knowledge.KnowledgePath(ctx, from, to, maxLength, asOf, includeInvalidated)
}

func (r *knowledgeStatusRoot) Compact(ctx context.Context, obj *projections.KnowledgeStatus, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, obj.Row())
}

func (r *mergeEntitiesPayloadRoot) Compact(ctx context.Context, obj *graph.MergeEntitiesPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *mutationRoot) AddEpisode(ctx context.Context, input graph.AddEpisodeInput) (*graph.AddEpisodePayload, error) {
	return r.all.knowledge.AddEpisode(ctx, input)
}

func (r *mutationRoot) ExtractEpisode(ctx context.Context, input graph.ExtractEpisodeInput) (*graph.ExtractEpisodePayload, error) {
	return r.all.knowledge.ExtractEpisode(ctx, input)
}

func (r *mutationRoot) AddFacts(ctx context.Context, input graph.AddFactsInput) (*graph.AddFactsPayload, error) {
	return r.all.knowledge.AddFacts(ctx, input)
}

func (r *mutationRoot) InvalidateFacts(ctx context.Context, input graph.InvalidateFactsInput) (*graph.InvalidateFactsPayload, error) {
	return r.all.knowledge.InvalidateFacts(ctx, input)
}

func (r *mutationRoot) UpdateEntity(ctx context.Context, input graph.UpdateEntityInput) (*graph.UpdateEntityPayload, error) {
	return r.all.knowledge.UpdateEntity(ctx, input)
}

func (r *mutationRoot) MergeEntities(ctx context.Context, input graph.MergeEntitiesInput) (*graph.MergeEntitiesPayload, error) {
	return r.all.knowledge.MergeEntities(ctx, input)
}

func (r *mutationRoot) DeleteEntity(ctx context.Context, input graph.DeleteEntityInput) (*graph.DeleteEntityPayload, error) {
	return r.all.knowledge.DeleteEntity(ctx, input)
}

func (r *mutationRoot) DeleteFact(ctx context.Context, input graph.DeleteFactInput) (*graph.DeleteFactPayload, error) {
	return r.all.knowledge.DeleteFact(ctx, input)
}

func (r *mutationRoot) DeleteEpisode(ctx context.Context, input graph.DeleteEpisodeInput) (*graph.DeleteEpisodePayload, error) {
	return r.all.knowledge.DeleteEpisode(ctx, input)
}

func (r *mutationRoot) ClearKnowledge(ctx context.Context, input graph.ClearKnowledgeInput) (*graph.ClearKnowledgePayload, error) {
	return r.all.knowledge.ClearKnowledge(ctx, input)
}

func (r *queryRoot) Knowledge(ctx context.Context) (*projections.Knowledge, error) {
	return &projections.Knowledge{}, nil
}

func (r *subscriptionRoot) KnowledgeChanged(ctx context.Context, after *string) (<-chan *projections.KnowledgeChange, error) {
	return r.all.knowledge.KnowledgeChanges(ctx, after)
}

func (r *updateEntityPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateEntityPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *Root) AddEpisodePayload() graph.AddEpisodePayloadResolver {
	return (*addEpisodePayloadRoot)(r)
}

func (r *Root) AddFactsPayload() graph.AddFactsPayloadResolver { return (*addFactsPayloadRoot)(r) }

func (r *Root) ClearKnowledgePayload() graph.ClearKnowledgePayloadResolver {
	return (*clearKnowledgePayloadRoot)(r)
}

func (r *Root) DeleteEntityPayload() graph.DeleteEntityPayloadResolver {
	return (*deleteEntityPayloadRoot)(r)
}

func (r *Root) DeleteEpisodePayload() graph.DeleteEpisodePayloadResolver {
	return (*deleteEpisodePayloadRoot)(r)
}

func (r *Root) DeleteFactPayload() graph.DeleteFactPayloadResolver {
	return (*deleteFactPayloadRoot)(r)
}

func (r *Root) Entity() graph.EntityResolver { return (*entityRoot)(r) }

func (r *Root) EntityConnection() graph.EntityConnectionResolver { return (*entityConnectionRoot)(r) }

func (r *Root) Episode() graph.EpisodeResolver { return (*episodeRoot)(r) }

func (r *Root) EpisodeConnection() graph.EpisodeConnectionResolver {
	return (*episodeConnectionRoot)(r)
}

func (r *Root) ExtractEpisodePayload() graph.ExtractEpisodePayloadResolver {
	return (*extractEpisodePayloadRoot)(r)
}

func (r *Root) Fact() graph.FactResolver { return (*factRoot)(r) }

func (r *Root) FactConnection() graph.FactConnectionResolver { return (*factConnectionRoot)(r) }

func (r *Root) InvalidateFactsPayload() graph.InvalidateFactsPayloadResolver {
	return (*invalidateFactsPayloadRoot)(r)
}

func (r *Root) Knowledge() graph.KnowledgeResolver { return (*knowledgeRoot)(r) }

func (r *Root) KnowledgeStatus() graph.KnowledgeStatusResolver { return (*knowledgeStatusRoot)(r) }

func (r *Root) MergeEntitiesPayload() graph.MergeEntitiesPayloadResolver {
	return (*mergeEntitiesPayloadRoot)(r)
}

func (r *Root) UpdateEntityPayload() graph.UpdateEntityPayloadResolver {
	return (*updateEntityPayloadRoot)(r)
}

type (
	addEpisodePayloadRoot      Root
	addFactsPayloadRoot        Root
	clearKnowledgePayloadRoot  Root
	deleteEntityPayloadRoot    Root
	deleteEpisodePayloadRoot   Root
	deleteFactPayloadRoot      Root
	entityRoot                 Root
	entityConnectionRoot       Root
	episodeRoot                Root
	episodeConnectionRoot      Root
	extractEpisodePayloadRoot  Root
	factRoot                   Root
	factConnectionRoot         Root
	invalidateFactsPayloadRoot Root
	knowledgeRoot              Root
	knowledgeStatusRoot        Root
	mergeEntitiesPayloadRoot   Root
	updateEntityPayloadRoot    Root
)

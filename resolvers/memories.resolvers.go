package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
	"almanac/resolvers/memories"
	"context"
)

func (r *deleteMemoriesPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteMemoriesPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *importMemoriesPayloadRoot) Compact(ctx context.Context, obj *graph.ImportMemoriesPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *memoryConnectionRoot) Compact(ctx context.Context, obj *projections.MemoryConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, core.ShownPage(compact.KindMemories, obj.Page, projections.Memory.Row))
}

func (r *memorySearchConnectionRoot) Compact(ctx context.Context, obj *projections.MemorySearchConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, core.ShownPage(compact.KindMemories, obj.Page, projections.MemoryFound.Row))
}

func (r *mutationRoot) StoreMemory(ctx context.Context, input graph.StoreMemoryInput) (*graph.StoreMemoryPayload, error) {
	return r.all.memories.StoreMemory(ctx, input)
}

func (r *mutationRoot) StoreMemories(ctx context.Context, input graph.StoreMemoriesInput) (*graph.StoreMemoriesPayload, error) {
	return r.all.memories.StoreMemories(ctx, input)
}

func (r *mutationRoot) UpdateMemory(ctx context.Context, input graph.UpdateMemoryInput) (*graph.UpdateMemoryPayload, error) {
	return r.all.memories.UpdateMemory(ctx, input)
}

func (r *mutationRoot) RestoreMemory(ctx context.Context, input graph.RestoreMemoryInput) (*graph.RestoreMemoryPayload, error) {
	return r.all.memories.RestoreMemory(ctx, input)
}

func (r *mutationRoot) DeleteMemories(ctx context.Context, input graph.DeleteMemoriesInput) (*graph.DeleteMemoriesPayload, error) {
	return r.all.memories.DeleteMemories(ctx, input)
}

func (r *mutationRoot) ImportMemories(ctx context.Context, input graph.ImportMemoriesInput) (*graph.ImportMemoriesPayload, error) {
	return r.all.memories.ImportMemories(ctx, input)
}

func (r *queryRoot) Memories(ctx context.Context, filter *graph.MemoryFilter, orderBy *model.MemoryOrder, first *int32, after *string, last *int32, before *string) (*projections.MemoryConnection, error) {
	return r.all.memories.MemoryConnection(ctx, filter, orderBy,
		core.PageArgs{First: first, After: after, Last: last, Before: before})
}

func (r *queryRoot) Memory(ctx context.Context, id string) (*projections.Memory, error) {
	return r.all.memories.Memory(ctx, id)
}

func (r *queryRoot) SearchMemories(ctx context.Context, query string, filter *graph.MemoryFilter, first *int32, after *string, minSimilarity *float64, weights *graph.SearchWeights) (*projections.MemorySearchConnection, error) {
	return r.all.memories.SearchMemories(ctx, memories.SearchArgs{Query: query, Filter: filter, First: first, After: after,
		MinSimilarity: minSimilarity, Weights: weights})
}

func (r *queryRoot) MemoryStatus(ctx context.Context) (*projections.MemoryStatus, error) {
	return r.all.memories.MemoryStatus(ctx)
}

func (r *queryRoot) ExportMemories(ctx context.Context, filter *graph.MemoryFilter, first *int32, after *string) (*projections.MemoryExport, error) {
	return r.all.memories.ExportMemories(ctx, filter, core.PageArgs{First: first, After: after})
}

func (r *restoreMemoryPayloadRoot) Compact(ctx context.Context, obj *graph.RestoreMemoryPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *storeMemoriesPayloadRoot) Compact(ctx context.Context, obj *graph.StoreMemoriesPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *storeMemoryPayloadRoot) Compact(ctx context.Context, obj *graph.StoreMemoryPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *subscriptionRoot) MemoryChanged(ctx context.Context, after *string) (<-chan *projections.MemoryChange, error) {
	return r.all.memories.MemoryChanges(ctx, after)
}

func (r *updateMemoryPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateMemoryPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *Root) DeleteMemoriesPayload() graph.DeleteMemoriesPayloadResolver {
	return (*deleteMemoriesPayloadRoot)(r)
}

func (r *Root) ImportMemoriesPayload() graph.ImportMemoriesPayloadResolver {
	return (*importMemoriesPayloadRoot)(r)
}

func (r *Root) MemoryConnection() graph.MemoryConnectionResolver { return (*memoryConnectionRoot)(r) }

func (r *Root) MemorySearchConnection() graph.MemorySearchConnectionResolver {
	return (*memorySearchConnectionRoot)(r)
}

func (r *Root) RestoreMemoryPayload() graph.RestoreMemoryPayloadResolver {
	return (*restoreMemoryPayloadRoot)(r)
}

func (r *Root) StoreMemoriesPayload() graph.StoreMemoriesPayloadResolver {
	return (*storeMemoriesPayloadRoot)(r)
}

func (r *Root) StoreMemoryPayload() graph.StoreMemoryPayloadResolver {
	return (*storeMemoryPayloadRoot)(r)
}

func (r *Root) UpdateMemoryPayload() graph.UpdateMemoryPayloadResolver {
	return (*updateMemoryPayloadRoot)(r)
}

type (
	deleteMemoriesPayloadRoot  Root
	importMemoriesPayloadRoot  Root
	memoryConnectionRoot       Root
	memorySearchConnectionRoot Root
	restoreMemoryPayloadRoot   Root
	storeMemoriesPayloadRoot   Root
	storeMemoryPayloadRoot     Root
	updateMemoryPayloadRoot    Root
)

package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"context"
)

func (r *deleteMemoriesPayloadResolver) Compact(ctx context.Context, obj *graph.DeleteMemoriesPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, deleteMemoriesText(obj))
}

func (r *importMemoriesPayloadResolver) Compact(ctx context.Context, obj *graph.ImportMemoriesPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, importMemoriesText(obj))
}

func (r *memoryConnectionResolver) Compact(ctx context.Context, obj *projections.MemoryConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, shownPage(compact.KindMemories, obj.Page, projections.Memory.Row))
}

func (r *memorySearchConnectionResolver) Compact(ctx context.Context, obj *projections.MemorySearchConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, shownPage(compact.KindMemories, obj.Page, projections.MemoryFound.Row))
}

func (r *mutationResolver) StoreMemory(ctx context.Context, input graph.StoreMemoryInput) (*graph.StoreMemoryPayload, error) {
	return r.storeMemory(ctx, input)
}

func (r *mutationResolver) StoreMemories(ctx context.Context, input graph.StoreMemoriesInput) (*graph.StoreMemoriesPayload, error) {
	return r.storeMemories(ctx, input)
}

func (r *mutationResolver) UpdateMemory(ctx context.Context, input graph.UpdateMemoryInput) (*graph.UpdateMemoryPayload, error) {
	return r.updateMemory(ctx, input)
}

func (r *mutationResolver) RestoreMemory(ctx context.Context, input graph.RestoreMemoryInput) (*graph.RestoreMemoryPayload, error) {
	return r.restoreMemory(ctx, input)
}

func (r *mutationResolver) DeleteMemories(ctx context.Context, input graph.DeleteMemoriesInput) (*graph.DeleteMemoriesPayload, error) {
	return r.deleteMemories(ctx, input)
}

func (r *mutationResolver) ImportMemories(ctx context.Context, input graph.ImportMemoriesInput) (*graph.ImportMemoriesPayload, error) {
	return r.importMemories(ctx, input)
}

func (r *queryResolver) Memories(ctx context.Context, filter *graph.MemoryFilter, orderBy *model.MemoryOrder, first *int32, after *string, last *int32, before *string) (*projections.MemoryConnection, error) {
	return r.memoryConnection(ctx, filter, orderBy, pageArgs{first: first, after: after, last: last, before: before})
}

func (r *queryResolver) Memory(ctx context.Context, id string) (*projections.Memory, error) {
	return r.memory(ctx, id)
}

func (r *queryResolver) SearchMemories(ctx context.Context, query string, filter *graph.MemoryFilter, first *int32, after *string, minSimilarity *float64, weights *graph.SearchWeights) (*projections.MemorySearchConnection, error) {
	return r.searchMemories(ctx, searchArgs{query: query, filter: filter, first: first, after: after, minSimilarity: minSimilarity, weights: weights})
}

func (r *queryResolver) MemoryStatus(ctx context.Context) (*projections.MemoryStatus, error) {
	return r.memoryStatus(ctx)
}

func (r *queryResolver) ExportMemories(ctx context.Context, filter *graph.MemoryFilter, first *int32, after *string) (*projections.MemoryExport, error) {
	return r.exportMemories(ctx, filter, pageArgs{first: first, after: after})
}

func (r *restoreMemoryPayloadResolver) Compact(ctx context.Context, obj *graph.RestoreMemoryPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, restoreMemoryText(obj))
}

func (r *storeMemoriesPayloadResolver) Compact(ctx context.Context, obj *graph.StoreMemoriesPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, storeMemoriesText(obj))
}

func (r *storeMemoryPayloadResolver) Compact(ctx context.Context, obj *graph.StoreMemoryPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, storeMemoryText(obj))
}

func (r *subscriptionResolver) MemoryChanged(ctx context.Context, after *string) (<-chan *projections.MemoryChange, error) {
	return r.memoryChanges(ctx, after)
}

func (r *updateMemoryPayloadResolver) Compact(ctx context.Context, obj *graph.UpdateMemoryPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, updateMemoryText(obj))
}

func (r *Resolver) DeleteMemoriesPayload() graph.DeleteMemoriesPayloadResolver {
	return &deleteMemoriesPayloadResolver{r}
}

func (r *Resolver) ImportMemoriesPayload() graph.ImportMemoriesPayloadResolver {
	return &importMemoriesPayloadResolver{r}
}

func (r *Resolver) MemoryConnection() graph.MemoryConnectionResolver {
	return &memoryConnectionResolver{r}
}

func (r *Resolver) MemorySearchConnection() graph.MemorySearchConnectionResolver {
	return &memorySearchConnectionResolver{r}
}

func (r *Resolver) RestoreMemoryPayload() graph.RestoreMemoryPayloadResolver {
	return &restoreMemoryPayloadResolver{r}
}

func (r *Resolver) StoreMemoriesPayload() graph.StoreMemoriesPayloadResolver {
	return &storeMemoriesPayloadResolver{r}
}

func (r *Resolver) StoreMemoryPayload() graph.StoreMemoryPayloadResolver {
	return &storeMemoryPayloadResolver{r}
}

func (r *Resolver) UpdateMemoryPayload() graph.UpdateMemoryPayloadResolver {
	return &updateMemoryPayloadResolver{r}
}

type (
	deleteMemoriesPayloadResolver  struct{ *Resolver }
	importMemoriesPayloadResolver  struct{ *Resolver }
	memoryConnectionResolver       struct{ *Resolver }
	memorySearchConnectionResolver struct{ *Resolver }
	restoreMemoryPayloadResolver   struct{ *Resolver }
	storeMemoriesPayloadResolver   struct{ *Resolver }
	storeMemoryPayloadResolver     struct{ *Resolver }
	updateMemoryPayloadResolver    struct{ *Resolver }
)

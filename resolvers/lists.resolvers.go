package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
	"context"
)

func (r *createListPayloadRoot) Compact(ctx context.Context, obj *graph.CreateListPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteListPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteListPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *listConnectionRoot) Compact(ctx context.Context, obj *projections.ListConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, core.ShownPage(compact.KindLists, obj.Page, projections.List.Row))
}

func (r *mutationRoot) CreateList(ctx context.Context, input graph.CreateListInput) (*graph.CreateListPayload, error) {
	return r.all.tasks.CreateList(ctx, input)
}

func (r *mutationRoot) UpdateList(ctx context.Context, input graph.UpdateListInput) (*graph.UpdateListPayload, error) {
	return r.all.tasks.UpdateList(ctx, input)
}

func (r *mutationRoot) DeleteList(ctx context.Context, input graph.DeleteListInput) (*graph.DeleteListPayload, error) {
	return r.all.tasks.DeleteList(ctx, input)
}

func (r *mutationRoot) UpdateListItems(ctx context.Context, input graph.UpdateListItemsInput) (*graph.UpdateListItemsPayload, error) {
	return r.all.tasks.UpdateListItems(ctx, input)
}

func (r *queryRoot) Lists(ctx context.Context, filter *graph.ListFilter, orderBy *model.ListOrder, first *int32, after *string, last *int32, before *string) (*projections.ListConnection, error) {
	return r.all.tasks.ListConnection(ctx, filter, orderBy,
		core.PageArgs{First: first, After: after, Last: last, Before: before})
}

func (r *queryRoot) List(ctx context.Context, id string) (*projections.List, error) {
	return r.all.tasks.List(ctx, id)
}

func (r *subscriptionRoot) ListChanged(ctx context.Context, after *string) (<-chan *projections.ListChange, error) {
	return r.all.tasks.ListChanges(ctx, after)
}

func (r *updateListItemsPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateListItemsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *updateListPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateListPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *Root) CreateListPayload() graph.CreateListPayloadResolver {
	return (*createListPayloadRoot)(r)
}

func (r *Root) DeleteListPayload() graph.DeleteListPayloadResolver {
	return (*deleteListPayloadRoot)(r)
}

func (r *Root) ListConnection() graph.ListConnectionResolver { return (*listConnectionRoot)(r) }

func (r *Root) UpdateListItemsPayload() graph.UpdateListItemsPayloadResolver {
	return (*updateListItemsPayloadRoot)(r)
}

func (r *Root) UpdateListPayload() graph.UpdateListPayloadResolver {
	return (*updateListPayloadRoot)(r)
}

type (
	createListPayloadRoot      Root
	deleteListPayloadRoot      Root
	listConnectionRoot         Root
	updateListItemsPayloadRoot Root
	updateListPayloadRoot      Root
)

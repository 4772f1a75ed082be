package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"context"
)

func (r *createListPayloadRoot) Compact(ctx context.Context, obj *graph.CreateListPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, createListText(obj))
}

func (r *deleteListPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteListPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, deleteListText(obj))
}

func (r *listConnectionRoot) Compact(ctx context.Context, obj *projections.ListConnection,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compactPage(ctx, options, shownPage(compact.KindLists, obj.Page, projections.List.Row))
}

func (r *mutationRoot) CreateList(ctx context.Context, input graph.CreateListInput) (*graph.CreateListPayload, error) {
	return r.house.createList(ctx, input)
}

func (r *mutationRoot) UpdateList(ctx context.Context, input graph.UpdateListInput) (*graph.UpdateListPayload, error) {
	return r.house.updateList(ctx, input)
}

func (r *mutationRoot) DeleteList(ctx context.Context, input graph.DeleteListInput) (*graph.DeleteListPayload, error) {
	return r.house.deleteList(ctx, input)
}

func (r *mutationRoot) UpdateListItems(ctx context.Context,
	input graph.UpdateListItemsInput) (*graph.UpdateListItemsPayload, error) {
	return r.house.updateListItems(ctx, input)
}

func (r *queryRoot) Lists(ctx context.Context, filter *graph.ListFilter, orderBy *model.ListOrder, first *int32,
	after *string, last *int32, before *string) (*projections.ListConnection, error) {
	return r.house.listConnection(ctx, filter, orderBy, pageArgs{first: first, after: after, last: last, before: before})
}

func (r *queryRoot) List(ctx context.Context, id string) (*projections.List, error) {
	return r.house.list(ctx, id)
}

func (r *subscriptionRoot) ListChanged(ctx context.Context, after *string) (<-chan *projections.ListChange, error) {
	return r.house.listChanges(ctx, after)
}

func (r *updateListItemsPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateListItemsPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, updateListItemsText(obj))
}

func (r *updateListPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateListPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, updateListText(obj))
}

func (r *Root) CreateListPayload() graph.CreateListPayloadResolver { return &createListPayloadRoot{r} }

func (r *Root) DeleteListPayload() graph.DeleteListPayloadResolver { return &deleteListPayloadRoot{r} }

func (r *Root) ListConnection() graph.ListConnectionResolver { return &listConnectionRoot{r} }

func (r *Root) UpdateListItemsPayload() graph.UpdateListItemsPayloadResolver {
	return &updateListItemsPayloadRoot{r}
}

func (r *Root) UpdateListPayload() graph.UpdateListPayloadResolver { return &updateListPayloadRoot{r} }

type (
	createListPayloadRoot      struct{ *Root }
	deleteListPayloadRoot      struct{ *Root }
	listConnectionRoot         struct{ *Root }
	updateListItemsPayloadRoot struct{ *Root }
	updateListPayloadRoot      struct{ *Root }
)

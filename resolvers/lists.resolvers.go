package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"context"
)

func (r *createListPayloadResolver) Compact(ctx context.Context, obj *graph.CreateListPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, createListText(obj))
}

func (r *deleteListPayloadResolver) Compact(ctx context.Context, obj *graph.DeleteListPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, deleteListText(obj))
}

func (r *listConnectionResolver) Compact(ctx context.Context, obj *projections.ListConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, shownPage(compact.KindLists, obj.Page, projections.List.Row))
}

func (r *mutationResolver) CreateList(ctx context.Context, input graph.CreateListInput) (*graph.CreateListPayload, error) {
	return r.createList(ctx, input)
}

func (r *mutationResolver) UpdateList(ctx context.Context, input graph.UpdateListInput) (*graph.UpdateListPayload, error) {
	return r.updateList(ctx, input)
}

func (r *mutationResolver) DeleteList(ctx context.Context, input graph.DeleteListInput) (*graph.DeleteListPayload, error) {
	return r.deleteList(ctx, input)
}

func (r *mutationResolver) UpdateListItems(ctx context.Context, input graph.UpdateListItemsInput) (*graph.UpdateListItemsPayload, error) {
	return r.updateListItems(ctx, input)
}

func (r *queryResolver) Lists(ctx context.Context, filter *graph.ListFilter, orderBy *model.ListOrder, first *int32, after *string, last *int32, before *string) (*projections.ListConnection, error) {
	return r.listConnection(ctx, filter, orderBy, pageArgs{first: first, after: after, last: last, before: before})
}

func (r *queryResolver) List(ctx context.Context, id string) (*projections.List, error) {
	return r.list(ctx, id)
}

func (r *subscriptionResolver) ListChanged(ctx context.Context, after *string) (<-chan *projections.ListChange, error) {
	return r.listChanges(ctx, after)
}

func (r *updateListItemsPayloadResolver) Compact(ctx context.Context, obj *graph.UpdateListItemsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, updateListItemsText(obj))
}

func (r *updateListPayloadResolver) Compact(ctx context.Context, obj *graph.UpdateListPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, updateListText(obj))
}

func (r *Resolver) CreateListPayload() graph.CreateListPayloadResolver {
	return &createListPayloadResolver{r}
}

func (r *Resolver) DeleteListPayload() graph.DeleteListPayloadResolver {
	return &deleteListPayloadResolver{r}
}

func (r *Resolver) ListConnection() graph.ListConnectionResolver { return &listConnectionResolver{r} }

func (r *Resolver) UpdateListItemsPayload() graph.UpdateListItemsPayloadResolver {
	return &updateListItemsPayloadResolver{r}
}

func (r *Resolver) UpdateListPayload() graph.UpdateListPayloadResolver {
	return &updateListPayloadResolver{r}
}

type (
	createListPayloadResolver      struct{ *Resolver }
	deleteListPayloadResolver      struct{ *Resolver }
	listConnectionResolver         struct{ *Resolver }
	updateListItemsPayloadResolver struct{ *Resolver }
	updateListPayloadResolver      struct{ *Resolver }
)

package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"context"
)

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

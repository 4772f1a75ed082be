package tasks

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// ListConnection answers the lists query with one call to the store.
func (r *Resolver) ListConnection(ctx context.Context, filter *graph.ListFilter, orderBy *model.ListOrder,
	args core.PageArgs) (*projections.ListConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	order := model.ListOrder{Field: model.ListOrderCreatedAt, Direction: model.Descending}
	if orderBy != nil {
		order = *orderBy
	}
	purpose := "lists " + string(order.Field)
	page, err := core.Window(r.Base, v, args, purpose, decodeListPlace)
	if err != nil {
		return nil, err
	}
	query := store.ListQuery{Order: order}
	if filter != nil && filter.Search != nil {
		if query.Search, err = core.SearchText(*filter.Search); err != nil {
			return nil, err
		}
	}
	asked := core.Answered(ctx)
	query.Columns = ListColumns(asked.Items("ListEdge", "List"))
	if asked.Has("nodes", "edges", "pageInfo", "compact") {
		query.Page = page
	}
	query.Total = asked.Has("totalCount") ||
		asked.Has("isEmpty", "context") && (query.Page == nil || page.After != nil || page.Before != nil)
	answer, err := r.Store.Lists(ctx, v.User, query)
	if err != nil {
		return nil, err
	}
	return &projections.ListConnection{Page: projections.Page[projections.List]{
		Items: projections.ListsAt(answer.Lists, v.Moment),
		Cursor: func(i int) string {
			place := answer.Places[i]
			return r.Sealer.Seal(purpose, v.User, core.EncodePlace(place.ID, place.At, place.Name))
		},
		HasNext: answer.HasNext, HasPrevious: answer.HasPrevious, Total: answer.Total,
	}}, nil
}

// List answers list(id).
func (r *Resolver) List(ctx context.Context, text string) (*projections.List, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := core.OwnID("id", text, model.KindList)
	if err != nil {
		return nil, err
	}
	found, err := r.Store.ListsByID(ctx, v.User, []model.UUID{id}, core.Asked(ctx, ListColumns))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, model.NotFound("id", "you have no list %s", text)
	}
	list := projections.ListAt(found[0], v.Moment)
	return &list, nil
}

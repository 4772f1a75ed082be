package resolvers

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
)

// listConnection answers the lists query with one call to the store.
func (r *Resolver) listConnection(ctx context.Context, filter *graph.ListFilter, orderBy *model.ListOrder,
	args pageArgs) (*projections.ListConnection, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	order := model.ListOrder{Field: model.ListOrderCreatedAt, Direction: model.Descending}
	if orderBy != nil {
		order = *orderBy
	}
	purpose := "lists " + string(order.Field)
	page, err := window(r, v, args, purpose, decodeListPlace)
	if err != nil {
		return nil, err
	}
	query := store.ListQuery{Order: order}
	if filter != nil && filter.Search != nil {
		if query.Search, err = searchText(*filter.Search); err != nil {
			return nil, err
		}
	}
	asked := answered(ctx)
	query.Columns = asked.items("ListEdge", "List").listColumns()
	if asked.has("nodes", "edges", "pageInfo", "compact") {
		query.Page = page
	}
	query.Total = asked.has("totalCount") ||
		asked.has("isEmpty", "context") && (query.Page == nil || page.After != nil || page.Before != nil)
	answer, err := r.Store.Lists(ctx, v.user, query)
	if err != nil {
		return nil, err
	}
	return &projections.ListConnection{Page: projections.Page[projections.List]{
		Items: projections.ListsAt(answer.Lists, v.Moment),
		Cursor: func(i int) string {
			place := answer.Places[i]
			return r.Sealer.Seal(purpose, v.user, encodePlace(place.ID, place.At, place.Name))
		},
		HasNext: answer.HasNext, HasPrevious: answer.HasPrevious, Total: answer.Total,
	}}, nil
}

// list answers list(id).
func (r *Resolver) list(ctx context.Context, text string) (*projections.List, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := ownID("id", text, model.KindList)
	if err != nil {
		return nil, err
	}
	found, err := r.Store.ListsByID(ctx, v.user, []model.UUID{id}, answered(ctx).listColumns())
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, model.NotFound("id", "you have no list %s", text)
	}
	list := projections.ListAt(found[0], v.Moment)
	return &list, nil
}

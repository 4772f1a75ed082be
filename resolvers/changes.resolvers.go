package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
	"context"
)

func (r *changeConnectionRoot) Compact(ctx context.Context, obj *projections.ChangeConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, core.ShownPage(compact.KindChanges, obj.Page, projections.Change.Row))
}

func (r *queryRoot) Changes(ctx context.Context, after *string, first *int32, types []model.ChangeType) (*projections.ChangeConnection, error) {
	return r.all.changeConnection(ctx, after, first, types)
}

func (r *subscriptionRoot) Changed(ctx context.Context, after *string, types []model.ChangeType) (<-chan *projections.Change, error) {
	return r.all.changed(ctx, after, types)
}

func (r *Root) ChangeConnection() graph.ChangeConnectionResolver { return (*changeConnectionRoot)(r) }

type (
	changeConnectionRoot Root
)

package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"context"
)

func (r *changeConnectionResolver) Compact(ctx context.Context, obj *projections.ChangeConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, shownPage(compact.KindChanges, obj.Page, projections.Change.Row))
}

func (r *queryResolver) Changes(ctx context.Context, after *string, first *int32, types []model.ChangeType) (*projections.ChangeConnection, error) {
	return r.changeConnection(ctx, after, first, types)
}

func (r *Resolver) ChangeConnection() graph.ChangeConnectionResolver {
	return &changeConnectionResolver{r}
}

type changeConnectionResolver struct{ *Resolver }

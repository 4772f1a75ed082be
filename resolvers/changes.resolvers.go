package resolvers

import (
	"almanac/graph/model"
	"almanac/projections"
	"context"
)

func (r *queryResolver) Changes(ctx context.Context, after *string, first *int32, types []model.ChangeType) (*projections.ChangeConnection, error) {
	return r.changeConnection(ctx, after, first, types)
}

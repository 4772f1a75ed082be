package resolvers

import (
	"almanac/graph"
	"almanac/projections"
	"context"
)

func (r *mutationResolver) UpdateSettings(ctx context.Context, input graph.UpdateSettingsInput) (*graph.UpdateSettingsPayload, error) {
	return r.updateSettings(ctx, input)
}

func (r *queryResolver) Viewer(ctx context.Context) (*projections.Viewer, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	return projections.ViewerAt(v.caller, v.Moment), nil
}

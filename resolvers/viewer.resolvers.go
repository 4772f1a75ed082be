package resolvers

import (
	"almanac/graph"
	"almanac/projections"
	"context"
)

func (r *mutationResolver) UpdateSettings(ctx context.Context, input graph.UpdateSettingsInput) (*graph.UpdateSettingsPayload, error) {
	return r.updateSettings(ctx, input)
}

func (r *mutationResolver) Disconnect(ctx context.Context, input graph.DisconnectInput) (*graph.DisconnectPayload, error) {
	return r.disconnect(ctx, input)
}

func (r *queryResolver) Viewer(ctx context.Context) (*projections.Viewer, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	return projections.ViewerAt(v.caller, v.Moment), nil
}

func (r *viewerResolver) Connections(ctx context.Context, obj *projections.Viewer) ([]projections.LinkedAccount, error) {
	return r.linkedAccounts(ctx)
}

func (r *Resolver) Viewer() graph.ViewerResolver { return &viewerResolver{r} }

type viewerResolver struct{ *Resolver }

package resolvers

import (
	"almanac/graph"
	"almanac/projections"
	"almanac/resolvers/core"
	"context"
)

func (r *mutationRoot) UpdateSettings(ctx context.Context, input graph.UpdateSettingsInput) (*graph.UpdateSettingsPayload, error) {
	return r.all.updateSettings(ctx, input)
}

func (r *mutationRoot) Disconnect(ctx context.Context, input graph.DisconnectInput) (*graph.DisconnectPayload, error) {
	return r.all.disconnect(ctx, input)
}

func (r *queryRoot) Viewer(ctx context.Context) (*projections.Viewer, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	return projections.ViewerAt(v.Caller, v.Moment), nil
}

func (r *viewerRoot) Connections(ctx context.Context, obj *projections.Viewer) ([]projections.LinkedAccount, error) {
	return r.all.linkedAccounts(ctx)
}

func (r *Root) Viewer() graph.ViewerResolver { return (*viewerRoot)(r) }

type (
	viewerRoot Root
)

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

func (r *mutationRoot) CreateToken(ctx context.Context, input graph.CreateTokenInput) (*graph.CreateTokenPayload, error) {
	return r.all.users.CreateToken(ctx, input)
}

func (r *mutationRoot) RevokeToken(ctx context.Context, input graph.RevokeTokenInput) (*graph.RevokeTokenPayload, error) {
	return r.all.users.RevokeToken(ctx, input)
}

func (r *queryRoot) Viewer(ctx context.Context) (*projections.Viewer, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	return projections.ViewerAt(v.Caller, v.Moment, v.DefaultCalendar), nil
}

func (r *queryRoot) Tokens(ctx context.Context) ([]projections.APIToken, error) {
	return r.all.users.Tokens(ctx)
}

func (r *queryRoot) AuditLog(ctx context.Context, first *int32, after *string) (*projections.AuditConnection, error) {
	return r.all.users.AuditLog(ctx, first, after)
}

func (r *viewerRoot) Connections(ctx context.Context, obj *projections.Viewer) ([]projections.LinkedAccount, error) {
	return r.all.linkedAccounts(ctx)
}

func (r *Root) Viewer() graph.ViewerResolver { return (*viewerRoot)(r) }

type (
	viewerRoot Root
)

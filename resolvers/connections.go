package resolvers

import (
	"context"
	"slices"
	"strings"

	"almanac/adapters/google"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
)

// linkedAccounts answers viewer.connections: the linked accounts, or one line that says that there is none.
func (r *Resolver) linkedAccounts(ctx context.Context) ([]projections.LinkedAccount, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	all, err := r.connections(ctx, v)
	if err != nil {
		return nil, err
	}
	out := make([]projections.LinkedAccount, 0, len(all)+1)
	for _, c := range all {
		url := r.connectURL(v, c.Account)
		out = append(out, projections.LinkedAccountAt(c, google.Missing(c.Scopes, r.Google.Scopes), url, v.Moment))
	}
	if len(out) > 0 {
		return out, nil
	}
	none := model.Connection{Provider: model.ProviderGoogle, Status: model.ConnectionNotConnected}
	if r.Google.Linker.URL(v.user, r.Google.Scopes, "") == "" {
		none.Status = model.ConnectionNotConfigured
	}
	return append(out, projections.LinkedAccountAt(none, r.Google.Scopes, r.connectURL(v, ""), v.Moment)), nil
}

// connectURL is where the viewer links an account; empty for a caller who may only read: whoever opens it can link an account of
// their own to the viewer.
func (r *Resolver) connectURL(v *viewer, account string) string {
	if !v.caller.May(model.ScopeWrite) {
		return ""
	}
	return r.Google.Linker.URL(v.user, r.Google.Scopes, account)
}

// disconnect unlinks one account, or all of a provider.
func (r *Resolver) disconnect(ctx context.Context, in graph.DisconnectInput) (*graph.DisconnectPayload, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DisconnectPayload{Connections: []projections.LinkedAccount{}, UserErrors: []model.UserError{}}
	all, err := r.connections(ctx, v)
	if err != nil {
		return nil, err
	}
	chosen := all
	if in.Account != nil {
		chosen = slices.DeleteFunc(slices.Clone(all), func(c model.Connection) bool {
			return !strings.EqualFold(c.Account, strings.TrimSpace(*in.Account))
		})
	}
	if len(chosen) == 0 {
		missing := model.NotFound("input.provider", "no account is linked")
		if in.Account != nil {
			missing = model.NotFound("input.account", "no account %q is linked", model.Clip(*in.Account))
		}
		out.UserErrors = append(out.UserErrors, missing.UserError())
	}
	for _, c := range chosen {
		revoked, err := r.Google.Linker.Disconnect(ctx, c)
		if err != nil {
			beside(ctx, &out.UserErrors, err)
			continue
		}
		out.Disconnected++
		if !revoked {
			addError(ctx, model.Errorf(model.CodeUpstreamUnavailable,
				"%s is unlinked and everything kept of it is erased, but Google did not confirm that what it granted is revoked; look at https://myaccount.google.com/permissions", c.Account))
		}
	}
	out.Connections, err = r.linkedAccounts(ctx)
	return out, err
}

package resolvers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/resolvers/core"
)

// linkedAccounts answers viewer.connections: the linked accounts of each provider, or one line that says that there is
// none.
func (r *Resolver) linkedAccounts(ctx context.Context) ([]projections.LinkedAccount, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	every, err := r.Store.Connections(ctx, v.User)
	if err != nil {
		return nil, err
	}
	return append(r.linkedGoogle(v, r.OfGoogle(every)), r.linkedExa(v, every)), nil
}

// linkedGoogle returns the linked accounts of Google, or one line that says that there is none.
func (r *Resolver) linkedGoogle(v *core.Viewer, all []model.Connection) []projections.LinkedAccount {
	out := make([]projections.LinkedAccount, 0, len(all)+1)
	for _, c := range all {
		url := r.connectURL(v, c.Account)
		out = append(out, projections.LinkedAccountAt(c, google.Missing(c.Scopes, r.Scopes), url, v.Moment))
	}
	if len(out) > 0 {
		return out
	}
	none := model.Connection{ID: model.UnlinkedID(v.User, model.ProviderGoogle), Provider: model.ProviderGoogle,
		Status: model.ConnectionNotConnected}
	if r.Linker.URL(v.User, r.Scopes, "") == "" {
		none.Status = model.ConnectionNotConfigured
	}
	return append(out, projections.LinkedAccountAt(none, r.Scopes, r.connectURL(v, ""), v.Moment))
}

// linkedExa returns the viewer's own key for Exa, or one line that says how Exa serves them without: by the server's
// key or the stand-in (CONNECTED), not before they link a key (NOT_CONNECTED), or not at all (NOT_CONFIGURED). There is
// no page on which to link one: connectExa does.
func (r *Resolver) linkedExa(v *core.Viewer, every []model.Connection) projections.LinkedAccount {
	line := model.Connection{ID: model.UnlinkedID(v.User, model.ProviderExa), Provider: model.ProviderExa,
		Status: model.ConnectionNotConfigured}
	if r.websets.Exa != nil {
		line.Status, line.StandIn = r.websets.Exa.Status()
		for _, c := range every {
			if c.Provider == model.ProviderExa && c.StandIn == line.StandIn {
				line = c
				break
			}
		}
	}
	return projections.LinkedAccountAt(line, nil, "", v.Moment)
}

// connectURL is where the viewer links an account; empty for a caller who may only read: whoever opens it can link an
// account of their own to the viewer.
func (r *Resolver) connectURL(v *core.Viewer, account string) string {
	if !v.Caller.May(model.ScopeAccountWrite) {
		return ""
	}
	return r.Linker.URL(v.User, r.Scopes, account)
}

// connectExa links a key of the viewer's own.
func (r *Resolver) connectExa(ctx context.Context, in graph.ConnectExaInput) (*graph.ConnectExaPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.ConnectExaPayload{Connections: []projections.LinkedAccount{}, UserErrors: []model.UserError{}}
	err = r.websets.LinkExa(ctx, v, in.APIKey)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
	} else if err := r.keepLinked(ctx, v); err != nil {
		return nil, err
	}
	out.Connections, err = r.linkedAccounts(ctx)
	return out, err
}

// keepLinked keeps as an action, which cannot be undone, that a key for Exa was linked.
func (r *Resolver) keepLinked(ctx context.Context, v *core.Viewer) error {
	every, err := r.Store.Connections(ctx, v.User)
	if err != nil {
		return err
	}
	for _, c := range every {
		if c.Provider == model.ProviderExa {
			r.KeepDid(ctx, v, core.Did{Accounts: []model.UUID{c.ID}, Changes: []model.Difference{
				{ID: model.ID{Kind: model.KindConnection, UUID: c.ID}, After: &c},
			}})
			break
		}
	}
	return nil
}

// disconnect unlinks one account, or all of a provider.
func (r *Resolver) disconnect(ctx context.Context, in graph.DisconnectInput) (*graph.DisconnectPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DisconnectPayload{Connections: []projections.LinkedAccount{}, UserErrors: []model.UserError{}}
	every, err := r.Store.Connections(ctx, v.User)
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(every, func(c model.Connection) bool { return c.Provider != in.Provider })
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
	if in.Account == nil && len(chosen) > 1 || in.Confirm != nil {
		if chosen, out.Confirmation, err = r.approvedAccounts(ctx, v, in.Confirm, chosen); err != nil {
			core.AddUserError(ctx, &out.UserErrors, err)
		}
	}
	var gone core.Did // nothing brings an account back but linking it anew
	for _, c := range chosen {
		revoked, err := r.disconnectOne(ctx, c)
		if err != nil {
			core.AddUserError(ctx, &out.UserErrors, err)
			continue
		}
		out.Disconnected++
		gone.Changes = append(gone.Changes,
			model.Difference{ID: model.ID{Kind: model.KindConnection, UUID: c.ID}, Before: &c})
		if !revoked {
			core.AddError(ctx, model.Errorf(model.CodeUpstreamUnavailable,
				"%s is unlinked and everything kept of it is erased, but Google did not confirm that what it granted is revoked; "+
					"look at https://myaccount.google.com/permissions", c.Account))
		}
	}
	r.KeepDid(ctx, v, gone)
	out.Connections, err = r.linkedAccounts(ctx)
	return out, err
}

// approvedAccounts asks whether several accounts shall be unlinked, or returns those that the answer has chosen.
func (r *Resolver) approvedAccounts(ctx context.Context, v *core.Viewer, confirm *graph.ConfirmInput,
	all []model.Connection) (chosen []model.Connection, question *projections.Confirmation, err error) {
	if declined, err := r.Declined(ctx, v, confirm); declined || err != nil {
		return nil, nil, err
	}
	ids, _, err := core.DecidedAs(ctx, "accounts", func() ([]model.UUID, error) {
		if confirm == nil {
			if question, err = r.Ask(ctx, v, unlinking(v, all)); err != nil {
				return nil, err
			}
			return nil, core.ErrAsked
		}
		t, err := r.OpenTicket(ctx, v, confirm.Token)
		if err != nil {
			return nil, err
		}
		picked, err := t.Pick(model.KindConnection, *confirm)
		if err != nil {
			return nil, err
		}
		return picked, r.Spend(ctx, v, t)
	})
	if errors.Is(err, core.ErrAsked) {
		return nil, question, nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(c model.Connection) bool { return !slices.Contains(ids, c.ID) }), nil,
		err
}

// unlinking asks whether these accounts shall be unlinked.
func unlinking(v *core.Viewer, all []model.Connection) core.Question {
	text := "Unlink %d accounts and erase what is kept of them: %s? It cannot be restored."
	if v.Locale == "he" {
		text = "לנתק %d חשבונות ולמחוק את מה שנשמר מהם: %s? אי אפשר לשחזר."
	}
	q := core.Question{Kind: model.Approval}
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Account
		q.Offered = append(q.Offered, c.ID)
		q.Candidates = append(q.Candidates, projections.Candidate{
			Key: model.ID{Kind: model.KindConnection, UUID: c.ID}.String(), Label: c.Account, Score: 1,
		})
	}
	q.Text = fmt.Sprintf(text, len(all), strings.Join(names, ", "))
	return q
}

// disconnectOne erases one connection; revoked reports whether the provider has ended what it granted. A key of Exa's
// is its user's to revoke, there.
func (r *Resolver) disconnectOne(ctx context.Context, c model.Connection) (revoked bool, err error) {
	isExa := c.Provider == model.ProviderExa
	switch {
	case isExa && r.websets.Exa == nil:
		return false, model.Errorf(model.CodeNotConfigured,
			"this server has not been set up for Exa; its operator sets ALMANAC_EXA_API_KEY")
	case dryrun.Is(ctx): // only a real run has the provider end what it granted
		return true, r.Store.Write(ctx, c.User, func(ctx context.Context, tx store.Tx) error {
			return tx.DeleteConnection(ctx, c.ID)
		})
	case isExa:
		return true, r.websets.Exa.Disconnect(ctx, c)
	}
	return r.Linker.Disconnect(ctx, c)
}

// Package users answers for API tokens and the audit log, and holds the table of the scopes that fields need.
//
// It promises that no token makes one that allows more than itself, and that a secret is in one answer and nowhere
// else.
package users

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// Resolver holds the handlers of the domain.
type Resolver struct{ *core.Base }

// Tokens answers the query of that name.
func (r *Resolver) Tokens(ctx context.Context) ([]projections.APIToken, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := r.Store.Tokens(ctx, v.User)
	return projections.APITokensAt(kept, v.Moment), err
}

// CreateToken makes a token that allows no more than the caller's.
func (r *Resolver) CreateToken(ctx context.Context, in graph.CreateTokenInput) (*graph.CreateTokenPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateTokenPayload{UserErrors: []model.UserError{}}
	if r.Store.InTransaction(ctx) && !dryrun.Is(ctx) {
		return out, core.Refuse(&out.UserErrors, model.Errorf(model.CodeConflict,
			"createToken takes no Idempotency-Key: what is kept for one would hold the secret"))
	}
	grant, err := within(v.Caller, grantOf(v, in))
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	issuer := auth.Issuer{Tokens: r.Store, Now: r.Now, NewID: r.NewID, Random: rand.Reader}
	text, token, err := issuer.Issue(ctx, grant)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, core.Below(err, "input"))
	}
	view := projections.APITokenAt(token, v.Moment)
	if out.Token = &view; !dryrun.Is(ctx) {
		out.Secret = &text
	}
	return out, r.Audit(ctx, v, r.NewID(), "createToken", model.AuditOK)
}

func grantOf(v *core.Viewer, in graph.CreateTokenInput) auth.Grant {
	grant := auth.Grant{User: v.User, Name: in.Name, Scopes: in.Scopes, Recipients: in.Recipients,
		PaidPerHour: in.PaidPerHour}
	if in.ExpiresAt != nil {
		grant.ExpiresAt = when.Resolve(*in.ExpiresAt, v.Zone)
	}
	return grant
}

// within returns a grant with what was left out taken from the caller's own token. FORBIDDEN when it allows more than
// that does.
func within(caller model.Caller, grant auth.Grant) (auth.Grant, error) {
	more := func(field, format string, args ...any) (auth.Grant, error) {
		e := model.Errorf(model.CodeForbidden, format, args...)
		e.Field = model.FieldPath("input." + field)
		return auth.Grant{}, e
	}
	asked, held := model.ScopeSetOf(grant.Scopes...), model.ScopeSetOf(caller.Scopes...)
	if lacks := asked &^ held; lacks != 0 {
		return more("scopes", "a token cannot make one that allows more than itself: it lacks %s", lacks)
	}
	if len(caller.Recipients) > 0 {
		if grant.Recipients == nil {
			grant.Recipients = caller.Recipients
		}
		if len(grant.Recipients) == 0 || slices.ContainsFunc(grant.Recipients, func(one string) bool {
			return !covers(caller.Recipients, strings.ToLower(strings.TrimSpace(one)))
		}) {
			return more("recipients", "a token cannot make one that sends to more than itself, which is %s",
				strings.Join(caller.Recipients, ", "))
		}
	}
	if caller.PaidPerHour != 0 {
		// Each token has a share of its own, so that those it made would multiply what it may spend.
		if grant.PaidPerHour == nil {
			grant.PaidPerHour = new(int32)
		}
		if *grant.PaidPerHour != 0 {
			return more("paidPerHour", "a token with a bound on what it spends makes only tokens that spend nothing (0)")
		}
	}
	// Signing in lasts for an hour or so, and is how long-lived tokens are made; an API token is one already.
	if caller.Token != "" && !caller.ExpiresAt.IsZero() {
		if grant.ExpiresAt.IsZero() {
			grant.ExpiresAt = caller.ExpiresAt
		}
		if grant.ExpiresAt.After(caller.ExpiresAt) {
			return more("expiresAt", "a token cannot make one that lasts longer than itself, until %s",
				caller.ExpiresAt.UTC().Format(time.RFC3339))
		}
	}
	return grant, nil
}

// covers reports whether an address, or a domain with an @ before it, is among those allowed.
func covers(allowed []string, one string) bool {
	return slices.ContainsFunc(allowed, func(a string) bool {
		return a == one || strings.HasPrefix(a, "@") && strings.HasSuffix(one, a)
	})
}

// RevokeToken ends a token.
func (r *Resolver) RevokeToken(ctx context.Context, in graph.RevokeTokenInput) (*graph.RevokeTokenPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.RevokeTokenPayload{UserErrors: []model.UserError{}}
	none := model.NotFound("input.key", "there is no token %q", model.Clip(in.Key))
	id, err := model.ParseUUID(strings.ToLower(strings.TrimSpace(in.Key)))
	if err != nil {
		return out, core.Refuse(&out.UserErrors, none)
	}
	token, err := r.Store.Token(ctx, v.User, id)
	if err == nil {
		err = r.Store.RevokeToken(ctx, v.User, id, v.Now)
	}
	if errors.Is(err, store.ErrNotFound) {
		return out, core.Refuse(&out.UserErrors, none)
	}
	if err != nil {
		return nil, err
	}
	if token.RevokedAt.IsZero() {
		token.RevokedAt = v.Now
	}
	view := projections.APITokenAt(token, v.Moment)
	out.Token = &view
	return out, r.Audit(ctx, v, r.NewID(), "revokeToken", model.AuditOK)
}

const purposeAudit = "audit"

// AuditLog answers the query of that name.
func (r *Resolver) AuditLog(ctx context.Context, first *int32,
	afterText *string) (*projections.AuditConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit, err := projections.PageSize("first", first, model.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	after, err := core.OpenCursor(r.Base, v, "after", purposeAudit, afterText,
		func(payload []byte) (id model.UUID, ok bool) {
			return id, copy(id[:], payload) == len(id) && len(payload) == len(id)
		})
	if err != nil {
		return nil, err
	}
	out := &projections.AuditConnection{}
	out.HasPrevious = after != nil
	if after == nil {
		after = new(model.UUID)
	}
	found, err := r.Store.Audit(ctx, v.User, *after, limit+1)
	if err != nil {
		return nil, err
	}
	if len(found) > limit {
		found, out.HasNext = found[:limit], true
	}
	out.Items = projections.AuditEntriesAt(found, v.Moment)
	out.Cursor = func(i int) string { return r.Sealer.Seal(purposeAudit, v.User, found[i].ID[:]) }
	return out, nil
}

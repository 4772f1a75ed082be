package websets

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// ownChange are the kinds of records whose changes stand in the change log under a type of their own.
var ownChange = map[model.Kind]model.ChangeType{
	model.KindWebset: model.ChangeWebset, model.KindWebsetItem: model.ChangeWebsetItem,
	model.KindMonitor: model.ChangeMonitor, model.KindWebsetImport: model.ChangeWebsetImport,
}

// logExa appends to the change log what Exa has done for a mutation; something in a webset that has no type of its own
// is a change of the webset, a webhook none. What the log says already is not told again: that a thing was made, or is
// gone. A change that a webhook tells of as well stands there twice, once as ours and once as Exa's, since neither has
// a version by which the other could be known. In the same transaction what was done is kept as an action.
func (r *Resolver) logExa(ctx context.Context, v *core.Viewer, operation model.Operation, ref model.WebsetRef,
	did core.Did) {
	kind, own := ownChange[ref.Kind]
	if !own && ref.Within == "" {
		r.keepExa(ctx, v, did)
		return
	}
	if !own {
		kind, operation, ref = model.ChangeWebset, model.OperationUpdated, within(ref)
	}
	if id := ref.PublicID(); id != (model.ID{}) {
		r.keepExa(ctx, v, did, model.Change{Type: kind, ID: id.UUID, Remote: id.Remote, Operation: operation, At: v.Now})
	}
}

// keepExa keeps what Exa has done as an action, and in the change log.
func (r *Resolver) keepExa(ctx context.Context, v *core.Viewer, did core.Did, log ...model.Change) {
	after, cancel := core.AfterRequest(ctx)
	defer cancel()
	every, err := r.Store.Connections(after, v.User)
	for _, c := range every {
		if c.Provider == model.ProviderExa {
			did.Accounts = append(did.Accounts, c.ID)
		}
	}
	if err == nil {
		err = r.Store.Write(after, v.User, func(ctx context.Context, tx store.Tx) error {
			fresh, err := core.NotLogged(ctx, tx, log)
			if err == nil && len(fresh) > 0 {
				err = tx.LogRemote(ctx, fresh)
			}
			if err != nil {
				return err
			}
			return core.ActFrom(ctx).Did(ctx, tx, did)
		})
	}
	if err != nil {
		core.AddError(ctx, &model.Error{
			Code: model.CodeUpstreamUnavailable, Message: "Exa has done this, but it could not be noted in the change log.",
			Cause: fmt.Errorf("logging changes of websets: %w", err),
		})
	}
}

// aboutOne is the context of an answer about one thing, or about nothing.
func aboutOne(there bool) *projections.WebsetContext {
	return &projections.WebsetContext{IsEmpty: !there}
}

// fieldSeed returns a context with a seed of this field's own: an account takes two alike creations under one seed for
// one. Without an Idempotency-Key there is none.
func fieldSeed(ctx context.Context) context.Context {
	seed, ok := model.SeedFrom(ctx)
	if !ok {
		return ctx
	}
	sum := sha256.Sum256(append(append([]byte("almanac exa\x00"), seed[:]...),
		graphql.GetFieldContext(ctx).Path().String()...))
	var own model.UUID
	copy(own[:], sum[:])
	return model.WithSeed(ctx, own)
}

// named is a record that a mutation names by its id, and the field of the input in which the id stands.
type named struct {
	field, id string
	kind      model.Kind
}

// step does something to a record at Exa. It returns the record, or what was made in it, as it is then.
type step[N any] = func(context.Context, ExaAccount, model.WebsetRef) (N, error)

// reach reads the id, and opens the account of Exa that serves the viewer.
func (r *Resolver) reach(ctx context.Context, of named) (model.WebsetRef, *core.Viewer, ExaAccount, error) {
	ref, err := WebsetRef(of.field, of.id, of.kind)
	if err != nil {
		return ref, nil, nil, err
	}
	v, account, err := r.exaAccount(ctx)
	return ref, v, account, err
}

// act does something to a record, keeps what was done, and returns a view of what came of it. Its errors name the
// field.
func act[N changeable, V any](ctx context.Context, r *Resolver, of named, operation model.Operation,
	did func(*N) core.Did, view func(N, *projections.Moment) V, do step[N]) (*V, error) {
	ref, v, account, err := r.reach(ctx, of)
	if err != nil {
		return nil, err
	}
	is, err := do(fieldSeed(ctx), account, ref)
	if err != nil {
		return nil, noneOf(err, of.field, ref)
	}
	r.logExa(ctx, v, operation, is.State().Ref, did(&is))
	shown := view(is, v.Moment)
	return &shown, nil
}

// change is act for a change of the record itself. What it was is read first, for its undoing.
func change[N changeable, V any](ctx context.Context, r *Resolver, of named, view func(N, *projections.Moment) V,
	do step[N]) (*V, error) {
	was, err := r.before(ctx, of.id, of.kind)
	if err != nil {
		return nil, err
	}
	return act(ctx, r, of, model.OperationUpdated, func(is *N) core.Did { return changed(was, is) }, view, do)
}

// remove deletes a record, keeps that, and returns a view of what it was, nil where that is not known any more.
func remove[N, V any](ctx context.Context, r *Resolver, of named, view func(N, *projections.Moment) V,
	do step[N]) (*V, error) {
	ref, was, v, err := erase(ctx, r, of, do)
	if err != nil {
		return nil, err
	}
	r.logExa(ctx, v, model.OperationDeleted, ref, deleted(ref, was))
	if was == nil {
		return nil, nil //nolint:nilnil // it is deleted, and nobody knows what it was
	}
	shown := view(*was, v.Moment)
	return &shown, nil
}

// erase deletes a record, once: what an earlier try of the same request has deleted is deleted, though nobody can tell
// any more what it was, and the record is nil.
func erase[N any](ctx context.Context, r *Resolver, of named, do step[N]) (ref model.WebsetRef, was *N, v *core.Viewer,
	err error) {
	ref, v, account, err := r.reach(ctx, of)
	if err != nil {
		return ref, nil, nil, err
	}
	_, again, err := core.Decided(ctx, func() (bool, error) { return true, nil })
	if err != nil {
		return ref, nil, nil, err
	}
	is, err := do(ctx, account, ref)
	switch {
	case again && model.CodeOf(err) == model.CodeNotFound:
		return ref, nil, v, nil
	case err != nil:
		return ref, nil, nil, noneOf(err, of.field, ref)
	}
	return ref, &is, v, nil
}

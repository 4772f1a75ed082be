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

// logExa appends to the change log what Exa has done for a mutation: about a webset, also when it was something in it
// that is no item. What the log says already is not told again: that a thing was made, or is gone. A change that a
// webhook tells of as well stands there twice, once as ours and once as Exa's, since neither has a version by which the
// other could be known. In the same transaction what was done is kept as an action.
func (r *Resolver) logExa(ctx context.Context, v *core.Viewer, kind model.ChangeType, operation model.Operation,
	ref model.WebsetRef, did core.Did) {
	id := ref.PublicID()
	if id == (model.ID{}) {
		return
	}
	r.keepExa(ctx, v, did, model.Change{Type: kind, ID: id.UUID, Remote: id.Remote, Operation: operation, At: v.Now})
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

// logWithin is logExa for something in a webset that is no item.
func (r *Resolver) logWithin(ctx context.Context, v *core.Viewer, ref model.WebsetRef, did core.Did) {
	r.logExa(ctx, v, model.ChangeWebset, model.OperationUpdated, within(ref), did)
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

// actOn does something to the record of an id. Its errors name the field.
func actOn[N any](ctx context.Context, r *Resolver, field, text string, kind model.Kind,
	act func(context.Context, ExaAccount, model.WebsetRef) (N, error)) (record N, v *core.Viewer, err error) {
	ref, err := WebsetRef(field, text, kind)
	if err != nil {
		return record, nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return record, nil, err
	}
	record, err = act(fieldSeed(ctx), account, ref)
	return record, v, noneOf(err, field, ref)
}

// erase deletes the record of an id, once: what an earlier try of the same request has deleted is deleted, though
// nobody can tell any more what it was, and the record is nil.
func erase[N any](ctx context.Context, r *Resolver, field, text string, kind model.Kind,
	act func(context.Context, ExaAccount, model.WebsetRef) (N, error)) (record *N, v *core.Viewer, err error) {
	ref, err := WebsetRef(field, text, kind)
	if err != nil {
		return nil, nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, nil, err
	}
	_, again, err := core.Decided(ctx, func() (bool, error) { return true, nil })
	if err != nil {
		return nil, nil, err
	}
	was, err := act(ctx, account, ref)
	switch {
	case again && model.CodeOf(err) == model.CodeNotFound:
		return nil, v, nil
	case err != nil:
		return nil, nil, noneOf(err, field, ref)
	}
	return &was, v, nil
}

package events

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// eventChange is the line of the change log about an event; version is empty for one that is gone.
func eventChange(v *core.Viewer, operation model.Operation, ref model.EventRef, version string) model.Change {
	id := ref.ID()
	return model.Change{Type: model.ChangeEvent, ID: id.UUID, Remote: id.Remote, Operation: operation, At: v.Now,
		Version: version}
}

// logEvents appends to the change log what Google has done. That it cannot be written stands beside the answer and
// undoes nothing: the work is done, and following the calendar will tell of it later. What an earlier try of the same
// request has logged, or those who follow the calendar and were quicker, is not told twice.
func (r *Resolver) logEvents(ctx context.Context, v *core.Viewer, changes []model.Change) {
	if len(changes) == 0 {
		return
	}
	after, cancel := core.Afterwards(ctx)
	defer cancel()
	err := r.Store.Write(after, v.User, func(ctx context.Context, tx store.Tx) error {
		fresh, err := core.Unheard(ctx, tx, changes)
		if err != nil || len(fresh) == 0 {
			return err
		}
		return tx.LogRemote(ctx, fresh)
	})
	if err != nil {
		core.AddError(ctx, unlogged(err))
	}
}

// unlogged says that something was done and not noted. The store's own error would say that nothing was done.
func unlogged(err error) error {
	return &model.Error{
		Code: model.CodeUpstreamUnavailable,
		Message: "Google has done this, but it could not be noted in the change log; those who follow changes hear of it " +
			"later.",
		Cause: fmt.Errorf("logging changes of events: %w", err),
	}
}

// logCreated is logEvents for what was added.
func (r *Resolver) logCreated(ctx context.Context, v *core.Viewer, made []model.Event) {
	changes := make([]model.Change, len(made))
	for i, event := range made {
		changes[i] = eventChange(v, model.OperationCreated, event.Ref, event.Version)
	}
	r.logEvents(ctx, v, changes)
}

// sourceIDs writes ids as Google takes them from clients: base32hex in lower case (RFC 2938).
var sourceIDs = base32.HexEncoding.WithPadding(base32.NoPadding)

// sourceID is the remote's id of what this mutation makes: the index-th thing of its field. Under an Idempotency-Key it
// is the same in every repetition, so that all of them together make one thing.
func (r *Resolver) sourceID(ctx context.Context, index int) string {
	id := r.NewID()
	if seed, ok := model.SeedFrom(ctx); ok {
		text := append([]byte("almanac event\x00"), seed[:]...)
		text = append(text, graphql.GetFieldContext(ctx).Field.Alias...)
		sum := sha256.Sum256(binary.BigEndian.AppendUint32(append(text, 0), uint32(index)))
		copy(id[:], sum[:])
	}
	return strings.ToLower(sourceIDs.EncodeToString(id[:]))
}

package tasks

import (
	"context"
	"errors"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/resolvers/core"
)

// namesReader reads by which names records may be meant: before a transaction, or in one.
type namesReader interface {
	taskNames(ctx context.Context, user model.UserID) (taskNames, error)
	listNames(ctx context.Context, user model.UserID) ([]model.List, error)
}

// taskNames returns the user's open tasks by what they may be named by, of those who have many as they are kept. What a
// transaction sees is caught up with what is kept, and not kept.
func (r *Resolver) taskNames(ctx context.Context, user model.UserID) (taskNames, error) {
	if !r.Store.InTransaction(ctx) {
		return r.names.TaskNames(ctx, r.Store, user)
	}
	if kept, ok := r.names.get(user); ok {
		if names, ok, err := caughtUp(ctx, r.Store, user, kept); ok || err != nil {
			return names, err
		}
	}
	tasks, err := r.Store.TaskTexts(ctx, user)
	return namesOf(tasks), err
}

// listNames returns the user's lists by their names.
func (r *Resolver) listNames(ctx context.Context, user model.UserID) ([]model.List, error) {
	return r.Store.ListNames(ctx, user)
}

// errMoved rolls back a transaction before it has written anything.
var errMoved = errors.New("records have changed since texts were matched with them")

// matchedAgain is how often texts are matched: a user whose records change all the time is told to come again.
const matchedAgain = 8

// errBusyRecords is what they are told.
var errBusyRecords error = &model.Error{Code: model.CodeConflict, RetryAfter: time.Second,
	Message: "Your tasks and lists are being changed all the time, so it is not clear what the texts mean; nothing was " +
		"done. Try again, or name things by id."}

// writeMatched runs a transaction that needs to know what texts mean, which match reads and decides. That is done
// before the transaction, so that no other writer waits for it. The transaction looks into the user's change log: when
// a task or a list has been changed since, texts are matched again. CONFLICT when that happens again and again. match
// is nil where there are no texts.
//
// A request with an Idempotency-Key has one transaction for all of its fields. The texts of the first are matched ahead
// of it. Those of later ones may mean what the first has changed, so they are matched within, and BAD_USER_INPUT when
// others would wait for that.
func writeMatched[M any](ctx context.Context, r *Resolver, v *core.Viewer,
	match func(ctx context.Context, names namesReader) (M, error),
	work func(ctx context.Context, tx store.Tx, matched M) error) error {
	if match == nil {
		var nothing M
		return r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error { return work(ctx, tx, nothing) })
	}
	if ahead := edge.AheadFrom(ctx); ahead != nil && r.Store.InTransaction(ctx) {
		matched, err := matchedAhead(ctx, r, v, ahead, match)
		if err != nil {
			return err
		}
		return r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error { return work(ctx, tx, matched) })
	}
	for range matchedAgain {
		known := matchNow(ctx, r, v, match)
		if known.err != nil {
			return known.err
		}
		err := r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
			switch moved, err := r.namesMoved(ctx, v.User, known.head); {
			case err != nil:
				return err
			case moved:
				return errMoved
			}
			return work(ctx, tx, known.matched)
		})
		if !errors.Is(err, errMoved) {
			return err
		}
	}
	return errBusyRecords
}

// matching is what texts mean as of a change of the user's, or why that cannot be told.
type matching[M any] struct {
	matched M
	head    int64
	err     error
}

func matchNow[M any](ctx context.Context, r *Resolver, v *core.Viewer,
	match func(ctx context.Context, names namesReader) (M, error)) (known matching[M]) {
	if known.head, known.err = r.Store.ChangeHead(ctx, v.User); known.err == nil {
		known.matched, known.err = match(ctx, r)
	}
	return known
}

// errMatchAhead ends a field whose operation will be run again.
var errMatchAhead = errors.New("texts are to be matched ahead of the transaction")

// matchedAhead returns what texts mean within a transaction that was begun for all fields of the operation.
func matchedAhead[M any](ctx context.Context, r *Resolver, v *core.Viewer, ahead *edge.Ahead,
	match func(ctx context.Context, names namesReader) (M, error)) (matched M, err error) {
	switch {
	case ahead.Asked():
		return matched, errMatchAhead
	case ahead.Fields > 1:
		return match(core.MatchingInside(ctx), r)
	}
	if known, ok := ahead.Result().(matching[M]); ok {
		if known.err != nil {
			return matched, known.err
		}
		if moved, err := r.namesMoved(ctx, v.User, known.head); err != nil || !moved {
			return known.matched, err
		}
	}
	if ahead.Rounds() == matchedAgain {
		return matched, errBusyRecords
	}
	ahead.Ask(func(ctx context.Context) any { return matchNow(ctx, r, v, match) })
	return matched, errMatchAhead
}

// namesMoved reports whether a task or a list of the user has been changed since.
func (r *Resolver) namesMoved(ctx context.Context, user model.UserID, head int64) (bool, error) {
	now, err := r.Store.ChangeHead(ctx, user)
	if err != nil || now == head {
		return false, err
	}
	changes, err := r.Store.Changes(ctx, user, head, []model.ChangeType{model.ChangeTask, model.ChangeList}, 1)
	if errors.Is(err, store.ErrCursorExpired) {
		return true, nil
	}
	return len(changes) > 0, err
}

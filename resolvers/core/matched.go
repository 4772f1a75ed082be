package core

import (
	"context"
	"errors"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Names reads by which names records may be meant: before a transaction, or in one.
type Names interface {
	TaskNames(ctx context.Context, user model.UserID) (TaskNames, error)
	ListNames(ctx context.Context, user model.UserID) ([]model.List, error)
}

// TaskNames returns the user's open tasks by what they may be named by, of those who have many as they are kept. What a
// transaction sees is read from it, and not kept.
func (r *Base) TaskNames(ctx context.Context, user model.UserID) (TaskNames, error) {
	if r.Store.InTransaction(ctx) {
		tasks, err := r.Store.TaskTexts(ctx, user)
		return namesOf(tasks), err
	}
	return r.Names.TaskNames(ctx, r.Store, user)
}

// ListNames returns the user's lists by their names.
func (r *Base) ListNames(ctx context.Context, user model.UserID) ([]model.List, error) {
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

// WriteMatched runs a transaction that needs to know what texts mean, which match reads and decides. That is done
// before the transaction, so that no other writer waits for it. The transaction looks into the user's change log: when
// a task or a list has been changed since, texts are matched again. CONFLICT when that happens again and again. match
// is nil where there are no texts.
func WriteMatched[M any](ctx context.Context, r *Base, v *Viewer,
	match func(ctx context.Context, names Names) (M, error),
	work func(ctx context.Context, tx store.Tx, matched M) error) error {
	var matched M
	if match == nil {
		return r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error { return work(ctx, tx, matched) })
	}
	for range matchedAgain {
		head, err := r.Store.ChangeHead(ctx, v.User)
		if err != nil {
			return err
		}
		if matched, err = match(ctx, r); err != nil {
			return err
		}
		err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
			switch moved, err := r.namesMoved(ctx, v.User, head); {
			case err != nil:
				return err
			case moved:
				return errMoved
			}
			return work(ctx, tx, matched)
		})
		if !errors.Is(err, errMoved) {
			return err
		}
	}
	return errBusyRecords
}

// namesMoved reports whether a task or a list of the user has been changed since.
func (r *Base) namesMoved(ctx context.Context, user model.UserID, head int64) (bool, error) {
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

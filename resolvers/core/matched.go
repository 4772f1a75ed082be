package core

import (
	"context"
	"errors"

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

// namesWithin are those that a transaction sees.
type namesWithin struct{ store.Tx }

func (n namesWithin) TaskNames(ctx context.Context, user model.UserID) (TaskNames, error) {
	tasks, err := n.TaskTexts(ctx, user)
	return namesOf(tasks), err
}

// errMoved rolls back a transaction before it has written anything.
var errMoved = errors.New("records have changed since texts were matched with them")

// matchedOutside is how often texts are matched before a transaction; a user whose records change all the time would
// never have their turn.
const matchedOutside = 3

// WriteMatched runs a transaction that needs to know what texts mean, which match reads and decides. That is done
// before the transaction, so that no other writer waits for it. The transaction compares the number of the user's last
// change: when any of their records has been changed since, texts are matched again, at last in the transaction itself.
// match is nil where there are no texts.
func WriteMatched[M any](ctx context.Context, r *Base, v *Viewer,
	match func(ctx context.Context, names Names) (M, error),
	work func(ctx context.Context, tx store.Tx, matched M) error) error {
	var matched M
	if match == nil {
		return r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error { return work(ctx, tx, matched) })
	}
	for round := range matchedOutside + 1 {
		var head int64
		isLast := round == matchedOutside
		if !isLast {
			var err error
			if head, err = r.Store.ChangeHead(ctx, v.User); err != nil {
				return err
			}
			if matched, err = match(ctx, r); err != nil {
				return err
			}
		}
		err := r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
			now, err := r.Store.ChangeHead(ctx, v.User)
			switch {
			case err != nil:
				return err
			case isLast:
				if matched, err = match(ctx, namesWithin{tx}); err != nil {
					return err
				}
			case now != head:
				return errMoved
			}
			return work(ctx, tx, matched)
		})
		if !errors.Is(err, errMoved) {
			return err
		}
	}
	return errMoved // the last round cannot return it
}

package core

import (
	"context"
	"errors"
	"slices"

	"almanac/graph/model"
)

// BulkErrors gathers the refusals of a bulk mutation and decides whether they undo all of it.
type BulkErrors struct {
	Atomic bool
	Items  []model.BulkError
}

// ErrUndone rolls a write back because an atomic bulk had a refusal; it is no error of the mutation.
var ErrUndone = errors.New("atomic bulk undone")

// Add notes why one item was left as it was; any error that the caller cannot mend is given back.
func (b *BulkErrors) Add(index int, id *string, err error) error {
	shown, ok := model.Mendable(err)
	if !ok {
		return err
	}
	b.Items = append(b.Items, model.BulkError{NodeID: id, Index: index, Message: shown.Message, Code: shown.Code})
	return nil
}

// Verdict is ErrUndone when the bulk is atomic and something was refused.
func (b *BulkErrors) Verdict() error {
	if b.Undone() {
		return ErrUndone
	}
	return nil
}

// Undone reports whether the bulk is atomic and something was refused, so that all of it is undone.
func (b *BulkErrors) Undone() bool { return b.Atomic && len(b.Items) > 0 }

// Settle returns the error of the write, without ErrUndone.
func (b *BulkErrors) Settle(err error) error {
	if errors.Is(err, ErrUndone) {
		return nil
	}
	return err
}

// List returns the refusals in input order; never nil.
func (b *BulkErrors) List() []model.BulkError {
	out := append([]model.BulkError{}, b.Items...)
	slices.SortStableFunc(out, func(x, y model.BulkError) int { return x.Index - y.Index })
	return out
}

// AtMost is BAD_USER_INPUT at field for more than model.MaxBulk inputs.
func AtMost(field string, n int) error {
	if n > model.MaxBulk {
		return model.BadInput(field, "one request takes at most %d, not %d", model.MaxBulk, n)
	}
	return nil
}

// BulkErrorOf says why one item of a bulk mutation was left as it was. Of an error that is no matter of clients,
// nothing is said.
func BulkErrorOf(index int, id *string, err error) model.BulkError {
	out := model.BulkError{NodeID: id, Index: index, Code: model.CodeInternal,
		Message: "Something went wrong on our side."}
	if shown, ok := errors.AsType[*model.Error](err); ok {
		out.Code, out.Message = shown.Code, shown.Message
	}
	return out
}

// AddRelinkError says once, beside the answer, where an account is to be linked again: an item's error has no room for
// the address.
func AddRelinkError(ctx context.Context, failures []error) {
	for _, failure := range failures {
		if shown, ok := errors.AsType[*model.Error](failure); ok && shown.Code == model.CodeNotConnected {
			AddError(ctx, failure)
			return
		}
	}
}

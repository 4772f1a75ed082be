package resolvers

import (
	"errors"
	"slices"

	"almanac/graph/model"
)

// bulkErrors gathers the refusals of a bulk mutation and decides whether they undo all of it.
type bulkErrors struct {
	atomic bool
	items  []model.BulkError
}

// errUndone rolls a write back because an atomic bulk had a refusal; it is no error of the mutation.
var errUndone = errors.New("atomic bulk undone")

// add notes why one item was left as it was; any error that the caller cannot mend is given back.
func (b *bulkErrors) add(index int, id *string, err error) error {
	shown, ok := model.Mendable(err)
	if !ok {
		return err
	}
	b.items = append(b.items, model.BulkError{ID: id, Index: index, Message: shown.Message, Code: shown.Code})
	return nil
}

// verdict is errUndone when the bulk is atomic and something was refused.
func (b *bulkErrors) verdict() error {
	if b.undone() {
		return errUndone
	}
	return nil
}

func (b *bulkErrors) undone() bool { return b.atomic && len(b.items) > 0 }

// settle gives the error of the write, without errUndone.
func (b *bulkErrors) settle(err error) error {
	if errors.Is(err, errUndone) {
		return nil
	}
	return err
}

// list gives the refusals in input order; never nil.
func (b *bulkErrors) list() []model.BulkError {
	out := append([]model.BulkError{}, b.items...)
	slices.SortStableFunc(out, func(x, y model.BulkError) int { return x.Index - y.Index })
	return out
}

package sqlite

import (
	"context"
	"errors"
	"fmt"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
)

// explain turns an error of the engine into one of the contract's: what is taken, what is not there, what cannot be
// reached now, and the context's own end. Others stay as they are.
func explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrUnavailable) {
		return err
	}
	code := sqlite.ErrCode(err)
	switch code {
	case sqlite.ResultConstraintPrimaryKey, sqlite.ResultConstraintUnique:
		return fmt.Errorf("%w: %w", store.ErrConflict, err)
	case sqlite.ResultConstraintForeignKey:
		return fmt.Errorf("%w: %w", store.ErrNotFound, err)
	}
	switch code.ToPrimary() {
	case sqlite.ResultInterrupt:
		if cause := ctx.Err(); cause != nil {
			return cause
		}
	case sqlite.ResultBusy, sqlite.ResultLocked, sqlite.ResultFull, sqlite.ResultIOErr, sqlite.ResultCantOpen,
		sqlite.ResultReadOnly, sqlite.ResultProtocol, sqlite.ResultNoMem:
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

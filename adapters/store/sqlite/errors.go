package sqlite

import (
	"context"
	"errors"
	"fmt"
	"syscall"

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
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return diskFull(err)
	}
	code := sqlite.ErrCode(err)
	switch code {
	case sqlite.ResultIOErrSHMSize: // the index of the log could not grow
		return diskFull(err)
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
	case sqlite.ResultFull:
		return diskFull(err)
	case sqlite.ResultBusy, sqlite.ResultLocked, sqlite.ResultIOErr, sqlite.ResultCantOpen,
		sqlite.ResultReadOnly, sqlite.ResultProtocol, sqlite.ResultNoMem:
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

// diskFull says that the disk is full.
func diskFull(cause error) error {
	return fmt.Errorf("%w (%w): %w", store.ErrDiskFull, store.ErrUnavailable, cause)
}

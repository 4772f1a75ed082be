package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"

	"almanac/adapters/store"
)

var (
	errClosed          = errors.New("postgres: the store is closed")
	errTransactionOver = errors.New("postgres: the transaction is over")
	errOtherUser       = errors.New("postgres: a transaction of one user cannot take part in another's")
	errRolledBack      = errors.New("postgres: the server rolled back instead of committing")
	errNestedWrite     = errors.New("postgres: a nested write of this transaction is under way; only its own Tx may write")
)

// SQLSTATE codes that callers are told apart by: https://www.postgresql.org/docs/current/errcodes-appendix.html
const (
	codeUniqueViolation   = "23505"
	codeReadOnly          = "25006" // read_only_sql_transaction: the server has become a standby
	codeIdleTransaction   = "25P03" // idle_in_transaction_session_timeout
	codeSerialization     = "40001"
	codeDeadlock          = "40P01"
	codeUndefinedTable    = "42P01"
	codeInternal          = "XX000" // Citus, for some failures of another server
	codeIO                = "58030" // Citus, for rows that could not be sent to another server
	codeDiskFull          = "53100"
	codeTooManyConns      = "53300"
	codeQueryCanceled     = "57014"
	codeAdminShutdown     = "57P01"
	codeCrashShutdown     = "57P02"
	codeCannotConnectNow  = "57P03"
	codeIdleSession       = "57P05"
	codeConnectionFailure = "08006"
	codeProtocolViolation = "08P01"
	codeChangedResult     = "0A000" // "cached plan must not change result type", after a migration by another process
	classConnection       = "08"
	classResources        = "53"
)

// explain says what an error of pgx means to the store's callers; it keeps the cause for the log.
func explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var refused *pgconn.PgError
	isRefusal := errors.As(err, &refused)
	if cause := ctx.Err(); cause != nil && (!isRefusal || refused.Code == codeQueryCanceled) {
		if errors.Is(err, cause) {
			return err
		}
		return fmt.Errorf("%w: %w", cause, err)
	}
	switch {
	case isRefusal && refused.Code == codeUniqueViolation:
		return fmt.Errorf("%w: %w", store.ErrConflict, err)
	case isRefusal && refused.Code == codeDiskFull:
		return fmt.Errorf("%w (%w): %w", store.ErrDiskFull, store.ErrUnavailable, err)
	case unavailable(err), errors.Is(err, errClosed):
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

// unavailable reports whether the database, not the statement, is at fault, so that the same call may succeed later.
func unavailable(err error) bool {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch refused.Code {
		case codeSerialization, codeDeadlock:
			return true // rolled back whole; nothing was done
		}
		return refused.Code[:2] == classResources || lostSession(refused.Code)
	}
	return lost(err)
}

// lost reports whether the connection is gone, or never was.
func lost(err error) bool {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return lostSession(refused.Code)
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, pgconn.ErrConnClosed) || pgconn.SafeToRetry(err)
}

// lostSession reports whether the server ended the session with this code, or will take no writes on it.
func lostSession(code string) bool {
	switch code {
	case codeAdminShutdown, codeCrashShutdown, codeCannotConnectNow, codeTooManyConns, codeIdleTransaction,
		codeIdleSession, codeReadOnly:
		return true
	}
	return code[:2] == classConnection
}

// worthAnotherTry reports whether a read, or the begin of a transaction, may simply be done again on another
// connection: the one that the pool lent had been ended meanwhile, or its prepared statements are of an older schema.
// Neither has done anything.
func worthAnotherTry(err error) bool {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch refused.Code {
		case codeChangedResult, codeSerialization, codeDeadlock, codeReadOnly, codeAdminShutdown, codeCrashShutdown,
			codeIdleSession:
			return true
		}
		return refused.Code[:2] == classConnection
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return false // a new connection was tried just now
	}
	return lost(err)
}

package model

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrorCode is one of the short list of codes an answer can carry, in errors[].extensions.code, in
// userErrors[].code and in the per-item errors of bulk payloads.
type ErrorCode string

// The whole list. Anything that is not on it reaches a client as CodeInternal.
const (
	CodeUnauthenticated     ErrorCode = "UNAUTHENTICATED"
	CodeForbidden           ErrorCode = "FORBIDDEN"
	CodeBadUserInput        ErrorCode = "BAD_USER_INPUT"
	CodeNotFound            ErrorCode = "NOT_FOUND"
	CodeConflict            ErrorCode = "CONFLICT"
	CodeNotConnected        ErrorCode = "NOT_CONNECTED"
	CodeNotConfigured       ErrorCode = "NOT_CONFIGURED"
	CodeConfirmationInvalid ErrorCode = "CONFIRMATION_INVALID"
	CodeIdempotencyConflict ErrorCode = "IDEMPOTENCY_CONFLICT"
	CodeRateLimited         ErrorCode = "RATE_LIMITED"
	CodeUpstreamRateLimited ErrorCode = "UPSTREAM_RATE_LIMITED"
	CodeUpstreamUnavailable ErrorCode = "UPSTREAM_UNAVAILABLE"
	CodeUpstreamRejected    ErrorCode = "UPSTREAM_REJECTED"
	CodeQueryTooExpensive   ErrorCode = "QUERY_TOO_EXPENSIVE"
	CodeTimeout             ErrorCode = "TIMEOUT"
	// CodePersistedQueryNotFound asks for the document that was named by its hash alone.
	CodePersistedQueryNotFound ErrorCode = "PERSISTED_QUERY_NOT_FOUND"
	CodeInternal               ErrorCode = "INTERNAL"
)

// Error is an error that may be shown to the caller: a code from the list and one sentence for a person.
// Everything that is not an *Error (by errors.As) is hidden behind CodeInternal at the edge.
type Error struct {
	Code    ErrorCode
	Message string
	// Field is the path of the input at fault, outermost first: ["input", "dueDate"]. Empty when no one field is.
	Field []string
	// RetryAfter says when trying again makes sense, for the rate-limit codes and for an upstream that is being left
	// alone. Zero: unknown.
	RetryAfter time.Duration
	// ConnectURL is where the user links the account; only for CodeNotConnected.
	ConnectURL string
	// SignInURL is where a person signs in with a browser; only for CodeUnauthenticated.
	SignInURL string
	// Reason is the remote's own reason; only for CodeUpstreamRejected.
	Reason string
	// Readings are the values that an ambiguous text may mean, as they can be given instead of it.
	Readings []string
	// Cause is for the log and never shown.
	Cause error
}

// Error returns the code and the sentence, not the cause.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the cause, for the log.
func (e *Error) Unwrap() error { return e.Cause }

// Errorf makes an *Error with no field.
func Errorf(code ErrorCode, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// BadInput makes a BAD_USER_INPUT error about one field; the path is given dotted, "input.dueDate".
func BadInput(field, format string, args ...any) *Error {
	e := Errorf(CodeBadUserInput, format, args...)
	e.Field = FieldPath(field)
	return e
}

// NotFound makes a NOT_FOUND error about one field; the path is given dotted, "input.id".
func NotFound(field, format string, args ...any) *Error {
	e := Errorf(CodeNotFound, format, args...)
	e.Field = FieldPath(field)
	return e
}

// FieldPath splits "input.set.text" into its parts; the empty string gives no path.
func FieldPath(dotted string) []string {
	if dotted == "" {
		return nil
	}
	return strings.Split(dotted, ".")
}

// RetryAfterOf is how long an error asks to be left alone; 0 when it does not.
func RetryAfterOf(err error) time.Duration {
	var shown *Error
	if errors.As(err, &shown) {
		return shown.RetryAfter
	}
	return 0
}

// CauseOf is an error's text for the log: its cause's, when it is an *Error that has one. The causes of adapters hold
// neither addresses nor bodies.
func CauseOf(err error) string {
	var shown *Error
	if errors.As(err, &shown) && shown.Cause != nil {
		return shown.Cause.Error()
	}
	return err.Error()
}

// CodeOf is the code an error shows: its own when it is an *Error, CodeInternal otherwise, "" for nil.
func CodeOf(err error) ErrorCode {
	if err == nil {
		return ""
	}
	var shown *Error
	if errors.As(err, &shown) {
		return shown.Code
	}
	return CodeInternal
}

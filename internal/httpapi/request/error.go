package request

import (
	"fmt"
	"net/http"

	"almanac/graph/model"
)

// Error refuses a request before it is a GraphQL request. It can be shown to the caller as it stands.
type Error struct {
	// Status is the HTTP status: 400, 405, 413 or 415.
	Status int
	// Allow is the value of the Allow header; only for 405.
	Allow string
	// Shown is what the caller reads. Its code is always BAD_USER_INPUT.
	Shown *model.Error
}

// Error returns the sentence for the log.
func (e *Error) Error() string { return fmt.Sprintf("HTTP %d: %v", e.Status, e.Shown) }

// Unwrap returns the error for the caller.
func (e *Error) Unwrap() error { return e.Shown }

func refuse(status int, format string, args ...any) *Error {
	return &Error{Status: status, Shown: model.Errorf(model.CodeBadUserInput, format, args...)}
}

func bad(format string, args ...any) *Error { return refuse(http.StatusBadRequest, format, args...) }

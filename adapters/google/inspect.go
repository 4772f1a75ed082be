package google

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"

	"golang.org/x/oauth2"
	"google.golang.org/api/googleapi"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// Status is the HTTP status that Google answered with, 0 when there was no answer or err is nothing of Google's. It
// works before and after Classify, as all of these do.
func Status(err error) int {
	if answer := answerIn(err); answer != nil {
		return answer.Code
	}
	if refused := refusalIn(err); refused != nil && refused.Response != nil {
		return refused.Response.StatusCode
	}
	return 0
}

// Reason is Google's own word for what went wrong ("notFound", "userRateLimitExceeded", "invalid_grant"), "" when it
// gave none. It holds letters, digits, dots, dashes and underscores only.
func Reason(err error) string {
	if answer := answerIn(err); answer != nil {
		return problemOf(answer).reason()
	}
	if refused := refusalIn(err); refused != nil {
		return remote.Identifier(refused.ErrorCode, "")
	}
	if shown, ok := errors.AsType[*model.Error](err); ok {
		return shown.Reason
	}
	return ""
}

// IsNotModified reports the answer 304 to a read with If-None-Match, which is no failure.
func IsNotModified(err error) bool { return Status(err) == http.StatusNotModified }

// IsGone reports the answer 410: deleted already, or, from a list, a sync token that has ended and asks for a full
// sync.
func IsGone(err error) bool { return Status(err) == http.StatusGone }

// IsPrecondition reports that If-Match named another version than the present one. After a repeated write it may be its
// own first attempt that changed the version: see MayHaveBeenApplied.
func IsPrecondition(err error) bool { return Status(err) == http.StatusPreconditionFailed }

// IsDuplicate reports that an id of the caller's own is taken already, perhaps by an earlier attempt of the same
// insert.
func IsDuplicate(err error) bool {
	answer := answerIn(err)
	return answer != nil && answer.Code == http.StatusConflict &&
		problemOf(answer).has("duplicate", "alreadyExists", "ALREADY_EXISTS")
}

// IsInvalidGrant reports that Google ended the grant, or that a code was not valid: the user must link the account
// again.
func IsInvalidGrant(err error) bool {
	refused := refusalIn(err)
	return refused != nil && refused.ErrorCode == "invalid_grant"
}

// MayHaveBeenApplied reports whether a write that failed so may have taken effect all the same: the answer was lost,
// was a 5xx or could not be read, the time ended after the request was sent, or that happened to an earlier attempt of
// the same call. When it cannot be known, it is true. Ask it of writes only. For a bare error of a context it is true;
// WithOutcome knows better.
func MayHaveBeenApplied(err error) bool {
	if err == nil {
		return false
	}
	if lost, ok := errors.AsType[*failure](err); ok {
		return lost.Unknown()
	}
	if answer := answerIn(err); answer != nil {
		return answer.Code >= 500 || answer.Header.Get(uncertainHeader) != ""
	}
	if errors.As(err, new(*oauth2.RetrieveError)) || errors.As(err, new(*ownError)) {
		return false // there was no token to send it with
	}
	if remote.IsUnsent(err) {
		return false // there was nothing to send it on
	}
	return isContext(err) || isNetwork(err) || isUnreadable(err)
}

func answerIn(err error) *googleapi.Error {
	answer, _ := errors.AsType[*googleapi.Error](err)
	return answer
}

func refusalIn(err error) *oauth2.RetrieveError {
	refused, _ := errors.AsType[*oauth2.RetrieveError](err)
	return refused
}

// problemOf reads the body again, since the client library keeps less of it; without one, what it kept counts.
func problemOf(answer *googleapi.Error) problem {
	if said := readProblem([]byte(answer.Body)); said.reason() != "" || said.message != "" {
		return said
	}
	said := problem{message: remote.OneLine(answer.Message, maxText, nil)}
	for _, item := range answer.Errors {
		said.add(item.Reason)
	}
	for _, detail := range answer.Details {
		if info, ok := detail.(map[string]any); ok {
			if reason, ok := info["reason"].(string); ok {
				said.add(reason)
			}
		}
	}
	return said
}

func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// isNetwork reports errors between us and Google: all of net/http's client, and those of a body read half.
func isNetwork(err error) bool {
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	_, wrapped := errors.AsType[*url.Error](err)
	return wrapped || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// isUnreadable reports an answer that is not the JSON it should be, or too much of it.
func isUnreadable(err error) bool {
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return true
	}
	_, mistyped := errors.AsType[*json.UnmarshalTypeError](err)
	return mistyped || errors.Is(err, remote.ErrTooLarge) || errors.Is(err, remote.ErrUnreadable)
}

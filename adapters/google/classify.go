package google

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/oauth2"
	"google.golang.org/api/googleapi"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// Classify turns any error of a Google client into the *model.Error that a caller of the API may see:
//
//	NOT_CONNECTED             the grant ended, or lacks a scope; with ConnectURL when the client came from Clients.HTTP
//	NOT_CONFIGURED            our registration or project at Google is at fault: the operator's matter
//	NOT_FOUND                 404, and 410 for what was deleted
//	CONFLICT                  409 and 412
//	UPSTREAM_REJECTED         every other refusal, with Google's Reason and its message cleaned and clipped
//	UPSTREAM_RATE_LIMITED     too fast, or a quota is used up; with RetryAfter when Google said it
//	UPSTREAM_UNAVAILABLE      5xx, no connection, an answer that is lost or cannot be read
//	TIMEOUT                   no answer in time, or the caller went away
//
// An error that holds a *model.Error becomes that one; nil stays nil. What is none of these (the vault's database
// failed, a bug) stays a plain error, which the edge hides and logs. The Cause is for the log: it has neither the
// address nor the body, and Status, Reason and their like still see through it to the original.
func Classify(err error) error {
	if err == nil {
		return nil
	}
	if shown, ok := errors.AsType[*model.Error](err); ok {
		return shown
	}
	if own, ok := errors.AsType[*ownError](err); ok {
		if lost, ok := errors.AsType[*failure](err); ok {
			return lost
		}
		return own
	}
	if answer := answerIn(err); answer != nil {
		return classifyAnswer(answer)
	}
	if refused := refusalIn(err); refused != nil {
		return classifyRefusal(refused)
	}
	cause := withoutURL(err)
	switch {
	case isContext(err) && !remote.IsUnsent(err):
		return classifyContext(cause)
	case isSlow(err):
		return coded(model.CodeTimeout, "Google did not answer in time.", cause)
	case isUnreadable(err):
		return coded(model.CodeUpstreamUnavailable, "Google's answer could not be read.",
			&remoteError{"google: an answer that is not the JSON it should be", err})
	case remote.IsUnsent(err):
		return coded(model.CodeUpstreamUnavailable, "Google could not be reached.", cause)
	case isNetwork(err), errors.As(err, new(*failure)):
		return coded(model.CodeUpstreamUnavailable, "Google gave no whole answer.", cause)
	default:
		return cause
	}
}

// classifyAnswer is for the answers of an API.
func classifyAnswer(answer *googleapi.Error) *model.Error {
	said := problemOf(answer)
	cause := &remoteError{fmt.Sprintf("google: status %d %s", answer.Code, said.reason()), answer}
	switch {
	case said.limited(answer.Code):
		return rateLimited(waitOf(answer.Header, said, nil), cause)
	case said.misconfigured():
		// Google's sentence names the project and what to do; that is for the operator's log.
		cause.text += ": " + said.message
		return coded(model.CodeNotConfigured,
			"Google refuses this server's project; whoever runs it has to enable the API or raise its limit.", cause)
	case said.usedUp():
		return coded(model.CodeUpstreamRateLimited,
			"A Google usage limit is used up; that can last a day."+remote.Quoted(said.message), cause)
	case said.lacksScope(answer.Code):
		return notConnected("", "The Google account has not granted this; it must be linked again with more rights.", cause)
	}
	switch answer.Code {
	case http.StatusUnauthorized:
		return notConnected("", "The Google account must be linked again.", cause)
	case http.StatusNotFound:
		return coded(model.CodeNotFound, "Google has no such item that this account can see.", cause)
	case http.StatusGone:
		if said.has("deleted") {
			return coded(model.CodeNotFound, "This has been deleted at Google.", cause)
		}
	case http.StatusConflict:
		return coded(model.CodeConflict, "Google has a conflicting item."+remote.Quoted(said.message), cause)
	case http.StatusPreconditionFailed:
		return coded(model.CodeConflict, "This has been changed at Google in the meantime; read it again.", cause)
	case http.StatusRequestTimeout:
		return unavailable("Google could not serve this now.", waitOf(answer.Header, said, nil), cause)
	}
	if answer.Code >= 500 || answer.Code < 400 {
		return unavailable("Google could not serve this now.", waitOf(answer.Header, said, nil), cause)
	}
	e := coded(model.CodeUpstreamRejected,
		fmt.Sprintf("Google refused this with status %d.", answer.Code)+remote.Quoted(said.message), cause)
	e.Reason = said.reason()
	return e
}

// classifyRefusal is for the answers of the token endpoint, RFC 6749 section 5.2.
func classifyRefusal(refused *oauth2.RetrieveError) *model.Error {
	status, header := 0, http.Header{}
	if refused.Response != nil {
		status, header = refused.Response.StatusCode, refused.Response.Header
	}
	code := remote.Identifier(refused.ErrorCode, "")
	cause := &remoteError{fmt.Sprintf("google: token endpoint: status %d %s", status, code), refused}
	switch code {
	case "invalid_grant", "access_denied", "invalid_token":
		return notConnected("", "The Google account must be linked again.", cause)
	case "temporarily_unavailable", "server_error", "internal_failure":
		return unavailable("Google could not renew the access now.", remote.After(header, nil), cause)
	case "rate_limit_exceeded", "slow_down":
		return rateLimited(remote.After(header, nil), cause)
	}
	switch {
	case status == http.StatusTooManyRequests:
		return rateLimited(remote.After(header, nil), cause)
	case status >= 400 && status < 500 && status != http.StatusRequestTimeout && code != "":
		return coded(model.CodeNotConfigured,
			"Google refuses this server's OAuth client; whoever runs it has to correct its settings.", cause)
	default: // without a code it is not Google that speaks, but something before it
		return unavailable("Google could not renew the access now.", remote.After(header, nil), cause)
	}
}

// classifyOAuth is Classify for calls of the token endpoint, where an answer without a token is an unreadable one.
func classifyOAuth(ctx context.Context, err error) error {
	if cause := ctx.Err(); cause != nil && refusalIn(err) == nil {
		return classifyContext(cause)
	}
	known := Classify(err)
	if _, ok := errors.AsType[*model.Error](known); ok {
		return known
	}
	return coded(model.CodeUpstreamUnavailable, "Google's answer could not be read.",
		&remoteError{"google: token endpoint: an answer without a token", err})
}

func classifyContext(cause error) *model.Error {
	if errors.Is(cause, context.Canceled) {
		return coded(model.CodeTimeout, "The request was cancelled before Google answered.", cause)
	}
	return coded(model.CodeTimeout, "Google did not answer in time.", cause)
}

// waitOf is how long an answer asks to wait, by its header or its message.
func waitOf(header http.Header, said problem, now func() time.Time) time.Duration {
	if wait := remote.After(header, now); wait > 0 {
		return wait
	}
	if at, ok := said.retryAt(); ok {
		return remote.Until(at, header, now)
	}
	return 0
}

func coded(code model.ErrorCode, message string, cause error) *model.Error {
	return &model.Error{Code: code, Message: message, Cause: cause}
}

func notConnected(connectURL, message string, cause error) *model.Error {
	return &model.Error{Code: model.CodeNotConnected, Message: message, ConnectURL: connectURL, Cause: cause}
}

func rateLimited(wait time.Duration, cause error) *model.Error {
	return &model.Error{Code: model.CodeUpstreamRateLimited, Message: "Google asks to slow down" + remote.LaterBy(wait),
		RetryAfter: wait, Cause: cause}
}

func unavailable(message string, wait time.Duration, cause error) *model.Error {
	return &model.Error{Code: model.CodeUpstreamUnavailable, Message: message, RetryAfter: wait, Cause: cause}
}

// withoutURL takes off the wrapping of net/http's client, whose text has the whole address: with a calendar's id that
// is somebody's e-mail address, and with a text that was searched for.
func withoutURL(err error) error {
	if lost, ok := errors.AsType[*failure](err); ok {
		return lost
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return &remoteError{"google: " + plainText(wrapped.Err), err}
	}
	return err
}

// plainText is an error's text, unless an address may still be in it.
func plainText(err error) string {
	if _, nested := errors.AsType[*url.Error](err); nested || err == nil {
		return "the request failed"
	}
	return remote.OneLine(err.Error(), maxText, nil)
}

// remoteError has a text for the log in place of its error's own, which may quote bodies and addresses.
type remoteError struct {
	text string
	err  error
}

func (e *remoteError) Error() string { return e.text }
func (e *remoteError) Unwrap() error { return e.err }

// ownError is a fault of our own beneath a call of Google.
type ownError struct {
	doing string
	err   error
}

func (e *ownError) Error() string { return "google: " + e.doing + ": " + e.err.Error() }
func (e *ownError) Unwrap() error { return e.err }

// isSlow reports a timeout of the transport's own, after the connection was made.
func isSlow(err error) bool {
	timed, ok := errors.AsType[net.Error](err)
	return ok && timed.Timeout() && !remote.IsUnsent(err)
}

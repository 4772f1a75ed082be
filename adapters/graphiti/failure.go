package graphiti

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/graph/model"
)

// kind is what an attempt came to.
type kind int

const (
	kindRejected  kind = iota // a refusal; another attempt cannot help
	kindMissing               // what was named is not there
	kindDenied                // 401, 403
	kindLimited               // too fast
	kindBroken                // 5xx, or no whole answer
	kindForgotten             // the session is known no more
	kindLate                  // the caller's time ended
	kindLeftAlone             // not sent: the breaker is open, or the server asked for it
)

// failure is a call without an answer that is of use. Its text has neither address nor anything that the server said.
type failure struct {
	kind   kind
	status int
	// reason is what the server said, cleaned, for the caller alone.
	reason string
	wait   time.Duration
	// unsent: nothing can have been done.
	unsent   bool
	attempts int
	err      error
	// said is the library's error, which is looked at and never shown.
	said error
}

func (f *failure) Error() string {
	var b strings.Builder
	b.WriteString("graphiti")
	if f.status != 0 {
		fmt.Fprintf(&b, ": status %d", f.status)
	}
	if f.err != nil {
		b.WriteString(": " + f.err.Error())
	}
	if f.attempts > 1 {
		fmt.Fprintf(&b, " (attempt %d)", f.attempts)
	}
	return b.String()
}

func (f *failure) Unwrap() error { return f.err }

// result is the attempt's result for log and metrics.
func (f *failure) result() string {
	switch f.kind {
	case kindLimited:
		return ResultRateLimited
	case kindForgotten:
		return ResultForgotten
	case kindLeftAlone:
		return ResultLeftAlone
	case kindLate:
		return ResultCancelled
	case kindBroken:
		if errors.Is(f.err, context.DeadlineExceeded) {
			return ResultTimeout
		}
		return ResultUnavailable
	default:
		return ResultRejected
	}
}

// seen judges a failure by what was seen on the network, which tells more than the library's error. ctx is the
// attempt's.
func (f *failure) seen(ctx context.Context, w wireState) *failure {
	f.status, f.wait = w.status, w.wait
	f.unsent = f.unsent || w.unsent
	protocolError, isProtocol := errors.AsType[*jsonrpc.Error](f.said)
	switch {
	case w.gone, errors.Is(f.said, mcp.ErrSessionMissing):
		f.kind, f.unsent, f.err = kindForgotten, true, errors.New("the session is known no more")
	case w.tooLarge:
		f.kind, f.err, f.reason = kindRejected, errTooLarge, "the answer is larger than allowed"
	case w.status == 401 || w.status == 403:
		f.kind, f.unsent, f.err = kindDenied, true, errors.New("access is denied")
	case w.status == 429:
		f.kind, f.unsent = kindLimited, true
	case w.status == 408, w.status >= 500:
		f.kind = kindBroken
	case w.status != 0:
		f.kind, f.unsent, f.reason = kindRejected, true, fmt.Sprintf("status %d", w.status)
	case ctx.Err() != nil:
		f.kind, f.err = kindBroken, fmt.Errorf("no answer: %w", ctx.Err())
	case w.err != nil:
		f.kind, f.err = kindBroken, w.err
	case isProtocol:
		f.kind, f.err, f.reason = kindRejected, fmt.Errorf("error %d of the protocol", protocolError.Code),
			reasonOf(protocolError.Message)
	case f.said != nil && (f.err == nil || f.kind == kindBroken):
		f.kind = kindBroken
		if f.err == nil {
			f.err = errors.New("the session broke")
		}
	}
	return f
}

// losesSession tells whether the session can be of no use after this.
func (f *failure) losesSession(w wireState) bool {
	switch {
	case f.kind == kindForgotten, errors.Is(f.said, mcp.ErrConnectionClosed), errors.Is(f.said, mcp.ErrSessionMissing):
		return true
	case f.kind != kindBroken || f.status != 0 || w.unsent || w.err != nil:
		return false
	default:
		return !errors.Is(f.err, context.DeadlineExceeded) && !errors.Is(f.err, context.Canceled)
	}
}

// unknown tells whether the work may have been done, though there was no answer.
func (f *failure) unknown() bool {
	return !f.unsent && (f.kind == kindBroken || f.kind == kindLate)
}

// shown is the failure for clients.
func (f *failure) shown() error {
	e := &model.Error{Code: model.CodeUpstreamUnavailable, Cause: f}
	switch f.kind {
	case kindRejected:
		e.Code, e.Message, e.Reason = model.CodeUpstreamRejected, "the Graphiti server refused this", f.reason
	case kindMissing:
		e.Code, e.Message = model.CodeNotFound, "the Graphiti server has nothing with this id"
	case kindDenied:
		e.Code, e.Message, e.Reason = model.CodeUpstreamRejected,
			"the Graphiti server denies access; its operator should look at the token that is set for it", "access denied"
	case kindLimited:
		e.Code, e.Message, e.RetryAfter = model.CodeUpstreamRateLimited,
			"the Graphiti server is asked too fast; try again later", f.wait
	case kindLate:
		if errors.Is(f.err, context.Canceled) {
			return f.err
		}
		e.Code, e.Message = model.CodeTimeout, "the Graphiti server did not answer in time"
	case kindLeftAlone:
		e.Message, e.RetryAfter = "the Graphiti server fails, and is left alone for a moment", f.wait
	default:
		e.Message = "the Graphiti server cannot be reached"
	}
	return e
}

// doubtful is shown for an addition of which nobody can know whether it was done.
func (f *failure) doubtful() error {
	return &model.Error{
		Code: model.CodeUpstreamUnavailable, Cause: f,
		Message: "the Graphiti server did not answer, and it cannot be known whether it took this; look for it after a " +
			"while, before adding it again",
	}
}

// isTooLarge tells whether an answer was cut for its length, so that less should be asked for.
func isTooLarge(err error) bool { return errors.Is(err, errTooLarge) }

package graphiti

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// remoteName begins the text of failures.
const remoteName = "graphiti"

// failure is a call without an answer that is of use. Its Message is what the server said, cleaned.
type failure = remote.Failure

// judge says what an attempt came to by what was seen on the network, which says more than the library's error. The
// context is the attempt's; what is said where nothing else is known.
func judge(ctx context.Context, w wireState, said error, what string) *failure {
	f := &failure{Remote: remoteName, Kind: remote.KindBroken, Status: w.status, Wait: w.wait, Err: errors.New(what)}
	if w.lost != nil {
		f.Unsent = w.lost.Unsent
	}
	protocolError, isProtocol := errors.AsType[*jsonrpc.Error](said)
	switch {
	case w.gone, errors.Is(said, mcp.ErrSessionMissing):
		f.Kind, f.Unsent, f.Result = remote.KindStale, true, ResultForgotten
		f.Err = errors.New("the session is known no more")
	case w.tooLarge:
		f.Kind, f.Err, f.Message = remote.KindRejected, remote.ErrTooLarge, remote.ErrTooLarge.Error()
	case w.status == 401 || w.status == 403:
		f.Kind, f.Unsent, f.Err = remote.KindDenied, true, errors.New("access is denied")
	case w.status == 429:
		f.Kind, f.Unsent, f.Err = remote.KindLimited, true, nil
	case w.status == 408, w.status >= 500:
		f.Err = nil
	case w.status != 0:
		f.Kind, f.Unsent, f.Err, f.Message = remote.KindRejected, true, nil, fmt.Sprintf("status %d", w.status)
	case ctx.Err() != nil:
		f.Err = fmt.Errorf("no answer: %w", ctx.Err())
		f.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded)
	case w.lost != nil:
		f.Err, f.TimedOut = w.lost.Err, w.lost.TimedOut
	case isProtocol:
		f.Kind, f.Err = remote.KindRejected, fmt.Errorf("error %d of the protocol", protocolError.Code)
		f.Message = reasonOf(protocolError.Message)
	}
	return f
}

// losesSession reports whether the session can be of no use after a failure.
func losesSession(f *failure, w wireState, said error) bool {
	switch {
	case f.Kind == remote.KindStale, errors.Is(said, mcp.ErrConnectionClosed), errors.Is(said, mcp.ErrSessionMissing):
		return true
	case f.Kind != remote.KindBroken || f.Status != 0 || w.lost != nil:
		return false
	default:
		return !errors.Is(f.Err, context.DeadlineExceeded) && !errors.Is(f.Err, context.Canceled)
	}
}

// shown is the failure for clients.
func shown(f *failure) error {
	e := &model.Error{Code: model.CodeUpstreamUnavailable, Cause: f}
	switch f.Kind {
	case remote.KindRejected:
		e.Code, e.Message, e.Reason = model.CodeUpstreamRejected, "the Graphiti server refused this", f.Message
	case remote.KindMissing:
		e.Code, e.Message = model.CodeNotFound, "the Graphiti server has nothing with this id"
	case remote.KindDenied:
		e.Code, e.Message, e.Reason = model.CodeUpstreamRejected,
			"the Graphiti server denies access; its operator should look at the token that is set for it", "access denied"
	case remote.KindLimited:
		e.Code, e.Message, e.RetryAfter = model.CodeUpstreamRateLimited,
			"the Graphiti server is asked too fast; try again later", f.Wait
	case remote.KindLate:
		if errors.Is(f.Err, context.Canceled) {
			return f.Err
		}
		e.Code, e.Message = model.CodeTimeout, "the Graphiti server did not answer in time"
	case remote.KindHeld:
		e.Message, e.RetryAfter = "the Graphiti server fails, and is left alone for a moment", f.Wait
	default:
		e.Message = "the Graphiti server cannot be reached"
	}
	return e
}

// doubtful is shown for an addition of which nobody can know whether it was done.
func doubtful(f *failure) error {
	return &model.Error{
		Code: model.CodeUpstreamUnavailable, Cause: f,
		Message: "the Graphiti server did not answer, and it cannot be known whether it took this; look for it after a " +
			"while, before adding it again",
	}
}

// isTooLarge reports whether an answer was cut for its length, so that less should be asked for.
func isTooLarge(err error) bool { return errors.Is(err, remote.ErrTooLarge) }

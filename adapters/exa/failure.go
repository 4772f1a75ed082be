package exa

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// remoteName begins the text of failures.
const remoteName = "exa"

// failure is a call without an answer that is of use: its Code is Exa's tag, and its Message what Exa says.
type failure = remote.Failure

var errBudget = errors.New("too many requests of this key wait already")

// isSlow reports whether no answer came for long, so that Exa may still be at work.
func isSlow(f *failure) bool {
	return f.TimedOut || f.Kind == remote.KindLate || f.Status == http.StatusGatewayTimeout ||
		f.Status == http.StatusRequestTimeout
}

// shown is the failure for clients:
//
//	NOT_FOUND              404
//	CONFLICT               409
//	UPSTREAM_REJECTED      every other refusal, with Exa's tag, or its words, as Reason: also when no credits are left
//	                       (402) and of what was retired (410)
//	UPSTREAM_RATE_LIMITED  too fast, with RetryAfter
//	UPSTREAM_UNAVAILABLE   5xx, no answer, half an answer, one that cannot be read; RetryAfter while it is left alone
//	TIMEOUT                the caller's time ended
//	NOT_CONFIGURED         401; Account says NOT_CONNECTED instead for a user's own key
func shown(f *failure) error {
	e := &model.Error{Code: model.CodeUpstreamUnavailable, RetryAfter: f.Wait, Cause: f}
	switch f.Kind {
	case remote.KindRejected:
		e.Code, e.Reason = model.CodeUpstreamRejected, reasonFor(f)
		e.Message = refusal(f)
	case remote.KindMissing:
		e.Code, e.Message = model.CodeNotFound, "Exa has nothing with this id."
	case remote.KindDenied:
		e.Code, e.Message = model.CodeNotConfigured,
			"Exa does not accept this server's key; whoever runs it has to correct its settings."
	case remote.KindConflict:
		e.Code, e.Message = model.CodeConflict,
			"Exa refuses this, since it conflicts with what is there."+remote.Quoted(f.Message)
	case remote.KindSpent:
		e.Code, e.Reason = model.CodeUpstreamRejected, orElse(f.Code, tagCredits)
		e.Message = "The Exa account has no credits left, or its key has used up its budget."
	case remote.KindLimited:
		e.Code, e.Message = model.CodeUpstreamRateLimited, "Exa is asked too fast"+remote.LaterBy(f.Wait)
	case remote.KindLate:
		e.Code, e.Message = model.CodeTimeout, "Exa did not answer in time."
		if errors.Is(f.Err, context.Canceled) {
			e.Message = "The request was cancelled before Exa answered."
		}
	case remote.KindHeld:
		e.Message = "Exa did not answer several times, and is left alone for a moment" + remote.LaterBy(f.Wait)
	case remote.KindBroken:
		e.Message = absence(f)
	}
	return e
}

// reasonFor is Exa's tag, or what it says, or the status.
func reasonFor(f *failure) string {
	switch {
	case f.Code != "":
		return f.Code
	case f.Message != "":
		return f.Message
	case f.Status >= http.StatusMultipleChoices:
		return fmt.Sprintf("status_%d", f.Status)
	default:
		return "unreadable"
	}
}

func refusal(f *failure) string {
	switch {
	case errors.Is(f.Err, remote.ErrTooLarge):
		return "Exa's answer is larger than this server takes; ask for less at a time."
	case f.Status < http.StatusMultipleChoices:
		return "Exa's answer cannot be used."
	case f.Status == http.StatusGone:
		return "Exa no longer offers this." + remote.Quoted(f.Message)
	case f.Status < http.StatusBadRequest:
		return "Exa has moved; whoever runs this server has to correct its address."
	default:
		return fmt.Sprintf("Exa refused this with status %d.", f.Status) + remote.Quoted(f.Message)
	}
}

func absence(f *failure) string {
	switch {
	case f.TimedOut:
		return "Exa did not answer in time."
	case errors.Is(f.Err, remote.ErrUnreadable):
		return "Exa's answer could not be read."
	case f.Status == 0:
		return "Exa could not be reached, or gave no whole answer."
	default:
		return "Exa could not serve this now."
	}
}

// doubtful is shown for a write of which nobody can know whether it was done.
func doubtful(f *failure) error {
	e := &model.Error{Code: model.CodeUpstreamUnavailable, RetryAfter: f.Wait, Cause: f,
		Message: "Exa did not answer, so this may have been done. Look before doing it again; repeating it with the same " +
			"Idempotency-Key is safe."}
	if f.Kind == remote.KindLate {
		e.Code = model.CodeTimeout
	}
	return e
}

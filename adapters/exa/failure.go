package exa

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"time"

	"almanac/graph/model"
)

// kind is what an attempt came to.
type kind int

const (
	kindRejected  kind = iota // a refusal; another attempt cannot help
	kindMissing               // 404: what was named is not there
	kindDenied                // 401: the key is not known, or no more
	kindConflict              // 409
	kindSpent                 // 402: the account's money is used up
	kindLimited               // too fast
	kindBroken                // 5xx, or no whole answer
	kindLate                  // the caller's time ended
	kindLeftAlone             // not sent: the breaker is open
)

var (
	errBreaker    = errors.New("it failed several times and is left alone for a moment")
	errResting    = errors.New("it asked to be left alone")
	errBudget     = errors.New("too many requests of this key wait already")
	errTooLarge   = errors.New("the answer is larger than allowed")
	errUnreadable = errors.New("the answer is not the JSON it should be")
)

// failure is a call without an answer that is of use. Its text has neither address, nor key, nor body.
type failure struct {
	kind kind
	// status is 0 when there was no answer.
	status   int
	said     problem
	attempts int
	// wait is how long Exa asks to be left alone, or how long it will be.
	wait time.Duration
	// unsent: nothing can have been done by this attempt.
	unsent bool
	// doubted: an earlier attempt of the same call may have been done.
	doubted bool
	// slow: no answer came for long, so Exa may still be at work.
	slow bool
	// final: another attempt is no use.
	final bool
	err   error
}

func (f *failure) Error() string {
	var b strings.Builder
	b.WriteString("exa")
	if f.status != 0 {
		fmt.Fprintf(&b, ": status %d", f.status)
	}
	if f.said.tag != "" {
		b.WriteString(" " + f.said.tag)
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

// unknown tells whether the work may have been done, though there was no answer that says so.
func (f *failure) unknown() bool {
	return f.doubted || !f.unsent && (f.kind == kindBroken || f.kind == kindLate)
}

// judge says what a refusal means.
func (f *failure) judge() {
	status := f.status
	f.kind, f.unsent = kindRejected, true
	switch {
	case status == http.StatusPaymentRequired, f.said.tag == tagCredits, f.said.tag == tagBudget:
		f.kind = kindSpent
	case status == http.StatusTooManyRequests:
		f.kind = kindLimited
	case status == http.StatusServiceUnavailable: // it says that it did not do it
		f.kind = kindBroken
	case status >= http.StatusInternalServerError, status == http.StatusRequestTimeout:
		f.kind, f.unsent = kindBroken, false
		f.slow = status == http.StatusGatewayTimeout || status == http.StatusRequestTimeout
	case !f.said.told: // something before Exa has answered, which knows neither keys nor ids
	case status == http.StatusUnauthorized:
		f.kind = kindDenied
	case status == http.StatusNotFound:
		f.kind = kindMissing
	case status == http.StatusConflict:
		f.kind = kindConflict
	}
}

// result is the attempt's result for log and metrics.
func (f *failure) result() string {
	switch f.kind {
	case kindLimited:
		if f.err != nil { // our own budget, or a rest
			return ResultLeftAlone
		}
		return ResultRateLimited
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

// shown is the failure for clients:
//
//	NOT_FOUND              404
//	CONFLICT               409
//	UPSTREAM_REJECTED      every other refusal, with Exa's tag, or its words, as Reason: also when no credits are left (402) and of what was retired (410)
//	UPSTREAM_RATE_LIMITED  too fast, with RetryAfter
//	UPSTREAM_UNAVAILABLE   5xx, no answer, half an answer, one that cannot be read; RetryAfter while it is left alone
//	TIMEOUT                the caller's time ended
//	NOT_CONFIGURED         401; Account says NOT_CONNECTED instead for a user's own key
func (f *failure) shown() error {
	e := &model.Error{Code: model.CodeUpstreamUnavailable, RetryAfter: f.wait, Cause: f}
	switch f.kind {
	case kindRejected:
		e.Code, e.Reason = model.CodeUpstreamRejected, f.reason()
		e.Message = f.refusal()
	case kindMissing:
		e.Code, e.Message = model.CodeNotFound, "Exa has nothing with this id."
	case kindDenied:
		e.Code, e.Message = model.CodeNotConfigured,
			"Exa does not accept this server's key; whoever runs it has to correct its settings."
	case kindConflict:
		e.Code, e.Message = model.CodeConflict,
			"Exa refuses this, since it conflicts with what is there."+quoted(f.said.message)
	case kindSpent:
		e.Code, e.Reason = model.CodeUpstreamRejected, orElse(f.said.tag, tagCredits)
		e.Message = "The Exa account has no credits left, or its key has used up its budget."
	case kindLimited:
		e.Code, e.Message = model.CodeUpstreamRateLimited, "Exa is asked too fast"+laterBy(f.wait)
	case kindLate:
		e.Code, e.Message = model.CodeTimeout, "Exa did not answer in time."
		if errors.Is(f.err, context.Canceled) {
			e.Message = "The request was cancelled before Exa answered."
		}
	case kindLeftAlone:
		e.Message = "Exa did not answer several times, and is left alone for a moment" + laterBy(f.wait)
	case kindBroken:
		e.Message = f.absence()
	}
	return e
}

// reason is Exa's tag, or what it says, or the status.
func (f *failure) reason() string {
	switch {
	case f.said.tag != "":
		return f.said.tag
	case f.said.message != "":
		return f.said.message
	case f.status != 0:
		return fmt.Sprintf("status_%d", f.status)
	default:
		return "unreadable"
	}
}

func (f *failure) refusal() string {
	switch {
	case errors.Is(f.err, errTooLarge):
		return "Exa's answer is larger than this server takes; ask for less at a time."
	case f.status == 0:
		return "Exa's answer cannot be used."
	case f.status == http.StatusGone:
		return "Exa no longer offers this." + quoted(f.said.message)
	case f.status < http.StatusBadRequest:
		return "Exa has moved; whoever runs this server has to correct its address."
	default:
		return fmt.Sprintf("Exa refused this with status %d.", f.status) + quoted(f.said.message)
	}
}

func (f *failure) absence() string {
	switch {
	case errors.Is(f.err, context.DeadlineExceeded):
		return "Exa did not answer in time."
	case errors.Is(f.err, errUnreadable):
		return "Exa's answer could not be read."
	case f.status == 0:
		return "Exa could not be reached, or gave no whole answer."
	default:
		return "Exa could not serve this now."
	}
}

// doubtful is shown for a write of which nobody can know whether it was done.
func (f *failure) doubtful() error {
	e := &model.Error{Code: model.CodeUpstreamUnavailable, RetryAfter: f.wait, Cause: f,
		Message: "Exa did not answer, so this may have been done. Look before doing it again; repeating it with the same " +
			"Idempotency-Key is safe."}
	if f.kind == kindLate {
		e.Code = model.CodeTimeout
	}
	return e
}

func laterBy(wait time.Duration) string {
	if wait <= 0 {
		return "; try again later."
	}
	seconds := int64(math.Ceil(wait.Seconds()))
	if seconds == 1 {
		return "; try again in 1 second."
	}
	return fmt.Sprintf("; try again in %d seconds.", seconds)
}

// quoted passes Exa's words on as Exa's.
func quoted(message string) string {
	if message == "" {
		return ""
	}
	return " It says: “" + message + "”"
}

// plainError says in a few words of our own what became of a connection: the standard library's errors quote addresses,
// and a proxy's may quote anything.
func plainError(err error) error {
	op, isOp := errors.AsType[*net.OpError](err)
	_, isDNS := errors.AsType[*net.DNSError](err)
	timed, isNet := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, errNotPublic):
		return errNotPublic
	case isDNS:
		return errors.New("its name cannot be resolved")
	case isOp && op.Op == "dial":
		return errors.New("no connection")
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded), isNet && timed.Timeout():
		return fmt.Errorf("no answer: %w", context.DeadlineExceeded)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("half an answer")
	default:
		return errors.New("the connection broke")
	}
}

// isUnsent tells that no connection came about, so that nothing was sent.
func isUnsent(err error) bool {
	op, isOp := errors.AsType[*net.OpError](err)
	_, isDNS := errors.AsType[*net.DNSError](err)
	return isDNS || isOp && op.Op == "dial"
}

package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// Kind is what an attempt came to.
type Kind int

// The kinds. Those that an adapter's judgement does not use never occur there.
const (
	KindRejected Kind = iota // a refusal; another attempt cannot help
	KindMissing              // what was named is not there
	KindDenied               // the key is not known, or not for this
	KindConflict             // it conflicts with what is there
	KindSpent                // an allowance is used up
	KindLimited              // too fast: not done
	KindBroken               // 5xx, or no whole answer
	KindStale                // the session or the token is known no more: not done; another is made at once
	KindLate                 // the caller's time ended
	KindHeld                 // not sent: the breaker is open
)

// Failure is a call without an answer of use. Its text has neither an address nor a body.
type Failure struct {
	// Remote is the caller's name.
	Remote string
	Kind   Kind
	// Status is that of a whole answer; 0 for none.
	Status int
	// Code is the remote's name for what is wrong, fit for log and metrics; Message is what it says, cleaned, for clients
	// alone.
	Code, Message string
	// Said is what else the adapter's judgement needs to remember of a refusal.
	Said any
	// Result is what log and metrics call it, where the Kind does not say.
	Result string
	// Attempts is how many requests the call sent.
	Attempts int
	// Wait is how long the remote asks to be left alone, or how long it will be.
	Wait time.Duration
	// Unsent: nothing can have been done by this attempt. Doubted: an earlier one of the same call may have been done.
	Unsent, Doubted bool
	// TimedOut: no answer came within the attempt's time.
	TimedOut bool
	// Held: it was not sent, by our own decision.
	Held bool
	// Final: another attempt is no use, by the remote's own word or by the adapter's.
	Final bool
	Err   error
}

var (
	errBreaker = errors.New("it failed several times and is left alone for a moment")
	errResting = errors.New("it asked to be left alone")
	// ErrTooLarge is of answers larger than Limits.Answer.
	ErrTooLarge = errors.New("the answer is larger than allowed")
	// ErrUnreadable is of whole answers that are not what they should be.
	ErrUnreadable = errors.New("the answer is not the JSON it should be")
	errNoAnswer   = errors.New("the transport returned neither an answer nor an error")
)

// Late is the failure of a call whose context ended before it was sent.
func Late(err error) *Failure { return &Failure{Kind: KindLate, Unsent: true, Err: err} }

// Unreadable is the failure of a whole answer that is not what it should be.
func Unreadable(status int) *Failure {
	return &Failure{Kind: KindBroken, Status: status, Err: ErrUnreadable}
}

// Error implements error.
func (f *Failure) Error() string {
	var b strings.Builder
	b.WriteString(f.Remote)
	if f.Status != 0 {
		fmt.Fprintf(&b, ": status %d", f.Status)
	}
	if f.Code != "" {
		b.WriteString(" " + f.Code)
	}
	if f.Err != nil {
		b.WriteString(": " + f.Err.Error())
	}
	if f.Attempts > 1 {
		fmt.Fprintf(&b, " (attempt %d)", f.Attempts)
	}
	return b.String()
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Unknown reports whether the work may have been done, though no answer says so.
func (f *Failure) Unknown() bool {
	return f.Doubted || !f.Unsent && (f.Kind == KindBroken || f.Kind == KindLate || errors.Is(f.Err, ErrTooLarge))
}

// isOdd reports whether the remote answered, with what cannot be read.
func (f *Failure) isOdd() bool { return f.Status != 0 && f.Status < http.StatusMultipleChoices }

// Outcome is what log and metrics call the failure: a Result constant, or the adapter's own.
func (f *Failure) Outcome() string {
	switch {
	case f.Result != "":
		return f.Result
	case f.Held:
		return ResultLeftAlone
	case f.Kind == KindLimited:
		return ResultRateLimited
	case f.Kind == KindLate:
		return ResultCancelled
	case f.TimedOut:
		return ResultTimeout
	case f.Kind == KindBroken, f.Status >= http.StatusInternalServerError:
		return ResultUnavailable
	default:
		return ResultRejected
	}
}

// Broken is the failure of an attempt without a whole answer. The context is the attempt's.
func Broken(ctx context.Context, err error) *Failure {
	lost := &Failure{Kind: KindBroken, Unsent: IsUnsent(err), Err: Lost(err)}
	timed, isNet := errors.AsType[net.Error](err)
	switch {
	case ctx.Err() != nil:
		lost.Err = ctx.Err()
		lost.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded)
	case !lost.Unsent:
		lost.TimedOut = isNet && timed.Timeout() || errors.Is(err, context.DeadlineExceeded)
	}
	return lost
}

// IsUnsent reports whether no connection came about, so that the request cannot have reached anybody.
func IsUnsent(err error) bool {
	op, isOp := errors.AsType[*net.OpError](err)
	_, isDNS := errors.AsType[*net.DNSError](err)
	return isDNS || isOp && op.Op == "dial"
}

// lostError has a text of our own for an error of a connection: the standard library's quote addresses, and a proxy's
// may quote anything.
type lostError struct {
	text string
	err  error
}

// Error implements error.
func (e *lostError) Error() string { return e.text }

// Unwrap returns the original.
func (e *lostError) Unwrap() error { return e.err }

// Lost says in a few words of our own what became of a connection; the original stays in the chain.
func Lost(err error) error {
	_, isDNS := errors.AsType[*net.DNSError](err)
	timed, isNet := errors.AsType[net.Error](err)
	text := "the connection broke"
	switch {
	case errors.Is(err, ErrNotPublic):
		text = ErrNotPublic.Error()
	case errors.Is(err, errNoAnswer):
		text = errNoAnswer.Error()
	case errors.Is(err, context.Canceled):
		text = context.Canceled.Error()
	case isDNS:
		text = "its name cannot be resolved"
	case IsUnsent(err):
		text = "no connection"
	case isNet && timed.Timeout(), errors.Is(err, context.DeadlineExceeded):
		text = "no answer in time"
	case errors.Is(err, io.ErrUnexpectedEOF):
		text = "half an answer"
	}
	return &lostError{text: text, err: err}
}

package remote

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"almanac/internal/dryrun"
)

// Repeat says when a call may be sent again.
type Repeat int

const (
	// RepeatNever is one attempt, without those after a Stale one.
	RepeatNever Repeat = iota
	// RepeatUnapplied is again when it is certain that nothing was done.
	RepeatUnapplied
	// RepeatAlways is again also when it may have been done: doing it twice does no more.
	RepeatAlways
)

// Call is one thing that is asked of a remote, with all its attempts. It is used once.
type Call struct {
	// What is reported of each attempt.
	Operation, Method, Host string
	Background              bool
	// Quiet: a success is not reported.
	Quiet bool
	// Breaker and Rest are shared by all who should leave the remote alone together.
	Breaker *Breaker
	Rest    *Rest
	// Opened, if there is one, is called when the breaker opens.
	Opened func()
	Repeat Repeat
	// Reads: nothing is changed by it. A call that may change something is refused in a dry run.
	Reads bool
	// Attempt bounds one attempt in place of Limits.Attempt.
	Attempt time.Duration
	// Turn, if there is one, waits until an attempt may be made; leave, which may be nil, is called after it.
	Turn func(ctx context.Context) (leave func(), lost *Failure)
	// Try makes one attempt and judges its answer. The status is that of a success, 0 where there is none. It must bound
	// by itself how often a call is Stale.
	Try func(ctx context.Context) (status int, lost *Failure)

	sent int
	// waited is the end of the rest that this call itself was asked to wait for, and has.
	waited time.Time
}

// Sent is how many requests were sent.
func (call *Call) Sent() int { return call.sent }

// Do makes attempts until one counts; nil means success.
func (c *Caller) Do(ctx context.Context, call *Call) *Failure {
	if dryrun.Is(ctx) && !call.Reads {
		return &Failure{Remote: c.Name, Unsent: true, Final: true,
			Err: fmt.Errorf("%s: %w", call.Operation, dryrun.ErrRefused)}
	}
	ctx, cancel := context.WithTimeout(ctx, c.Limits.Call)
	defer cancel()
	failed, doubted := 0, false
	var before *Failure
	for {
		lost := c.attempt(ctx, call)
		if lost == nil {
			return nil
		}
		if lost.Kind == KindHeld && before != nil {
			return before // what the remote did says more than that it is left alone now
		}
		lost.Remote, lost.Attempts, lost.Doubted = c.Name, call.sent, doubted
		doubted = lost.Unknown()
		switch lost.Kind {
		case KindStale:
			continue
		case KindLimited, KindBroken:
		default:
			return lost
		}
		failed, before = failed+1, lost
		wait := max(c.BackoffAfter(failed), lost.Wait)
		if lost.Kind == KindLimited {
			lost.Wait = wait // who went too fast always hears how long to wait
		}
		if failed >= c.Limits.Attempts || lost.Final || !call.mayRepeat(lost) || call.Breaker.Left(c.clock()) > 0 ||
			!c.Fits(ctx, wait) {
			return lost
		}
		if err := c.Wait(ctx, wait); err != nil {
			lost = Late(err)
			lost.Remote, lost.Attempts, lost.Doubted = c.Name, call.sent, doubted
			return lost
		}
	}
}

func (call *Call) mayRepeat(lost *Failure) bool {
	return call.Repeat == RepeatAlways || call.Repeat == RepeatUnapplied && !lost.Unknown()
}

// attempt makes one attempt when its turn comes, unless the remote is to be left alone.
func (c *Caller) attempt(ctx context.Context, call *Call) *Failure {
	if ctx.Err() != nil {
		return Late(ctx.Err())
	}
	if lost := c.held(call); lost != nil { // before the wait for a turn, which would be for nothing
		return c.holdBack(ctx, call, lost)
	}
	if call.Turn != nil {
		leave, lost := call.Turn(ctx)
		if lost != nil {
			return c.holdBack(ctx, call, lost)
		}
		if leave != nil {
			defer leave()
		}
		if lost := c.held(call); lost != nil {
			return c.holdBack(ctx, call, lost)
		}
	}
	pass, pause, ok := call.Breaker.Enter(c.clock())
	if !ok {
		return c.holdBack(ctx, call, leftAlone(pause))
	}
	verdict := NoSay
	defer func() {
		if call.Breaker.Done(pass, verdict, c.clock()) {
			c.warnOpened(ctx, call)
		}
	}()
	began := c.clock()
	call.sent++
	status, lost := c.try(ctx, call)
	told := call.report()
	told.Status, told.Result, told.Latency = status, ResultOK, c.clock().Sub(began)
	if lost == nil {
		verdict = Healthy
		call.Rest.answered(began)
		if !call.Quiet {
			c.Report(ctx, told)
		}
		return nil
	}
	if lost.Kind == KindBroken && lost.Status == 0 && ctx.Err() != nil {
		lost.Kind, lost.Err = KindLate, ctx.Err()
	}
	told.Status, told.Result, told.Reason = lost.Status, lost.Outcome(), lost.Code
	switch lost.Kind {
	case KindLate:
		if errors.Is(lost.Err, context.DeadlineExceeded) && told.Latency >= c.Limits.Slow {
			verdict, told.Result = Failing, ResultTimeout
		}
	case KindBroken:
		if !lost.isOdd() {
			verdict = Failing
		}
	case KindLimited:
		verdict = Healthy
		if until := call.Rest.ask(c.clock(), min(lost.Wait, c.Limits.Rest)); c.Patient {
			call.waited = until
		}
	default:
		verdict = Healthy
	}
	c.Report(ctx, told)
	return lost
}

func (c *Caller) try(ctx context.Context, call *Call) (int, *Failure) {
	ctx, cancel := context.WithTimeout(ctx, Or(call.Attempt, c.Limits.Attempt))
	defer cancel()
	return call.Try(ctx)
}

// held is the failure of a call that would not be sent now; nil for one that would.
func (c *Caller) held(call *Call) *Failure {
	now := c.clock()
	if left := call.Rest.left(now, call.waited); left > 0 {
		return &Failure{Kind: KindLimited, Held: true, Unsent: true, Final: !c.Patient, Wait: left, Err: errResting}
	}
	if left := call.Breaker.Left(now); left > 0 {
		return leftAlone(left)
	}
	return nil
}

func leftAlone(pause time.Duration) *Failure {
	return &Failure{Kind: KindHeld, Held: true, Unsent: true, Wait: pause, Err: errBreaker}
}

func (c *Caller) holdBack(ctx context.Context, call *Call, lost *Failure) *Failure {
	if lost.Held {
		told := call.report()
		told.Result = lost.Outcome()
		c.Report(ctx, told)
	}
	return lost
}

func (call *Call) report() Attempt {
	return Attempt{Operation: call.Operation, Method: call.Method, Host: call.Host, Background: call.Background,
		Number: call.sent}
}

func (c *Caller) warnOpened(ctx context.Context, call *Call) {
	if call.Opened != nil {
		call.Opened()
	}
	c.Logger.WarnContext(ctx,
		c.Title+" fails and is left alone for a while", //nolint:sloglint // a constant for each remote
		slog.String("operation", call.Operation),
		slog.String("host", call.Host), slog.Bool("background", call.Background), slog.Duration("pause", c.Limits.Pause))
}

// Replayable is the repeat of a request, or RepeatNever when its body cannot be sent twice.
func (r Repeat) Replayable(request *http.Request) Repeat {
	if request.Body != nil && request.Body != http.NoBody && request.GetBody == nil {
		return RepeatNever
	}
	return r
}

package google

import (
	"context"
	"sync/atomic"

	"almanac/adapters/remote"
)

// Repeat says when a write may be sent again. Reads (GET, HEAD) are always repeated when that may help; a POST that
// only reads, such as freebusy.query, is a write here unless its caller says RepeatAlways.
type Repeat = remote.Repeat

const (
	// RepeatNever is one attempt. The repeat after a renewed token is none: a request with a bad token is not looked at.
	RepeatNever = remote.RepeatNever
	// RepeatUnapplied is again when it is certain that nothing was done: Google refused it as too fast (429, 403 with a
	// rate reason), or no connection was made. A 5xx is not certain, not even 503 with Retry-After.
	RepeatUnapplied = remote.RepeatUnapplied
	// RepeatAlways is again also after a 5xx and when the answer was lost. The caller has made the write such that doing
	// it twice is doing it once, with an id of its own or a condition, and knows what the second answer may be (409, 412,
	// 410).
	RepeatAlways = remote.RepeatAlways
)

type contextKey int

const (
	repeatKey contextKey = iota
	scopesKey
	operationKey
	outcomeKey
	readsKey
	meterKey
	changesKey
)

// WithReads says that the calls made with this context change nothing, whatever their method is.
func WithReads(ctx context.Context) context.Context { return context.WithValue(ctx, readsKey, true) }

func readsOnly(ctx context.Context) bool {
	reads, _ := ctx.Value(readsKey).(bool)
	return reads
}

// WithRepeat says when the writes made with this context may be repeated; without it RepeatNever holds.
func WithRepeat(ctx context.Context, repeat Repeat) context.Context {
	return context.WithValue(ctx, repeatKey, repeat)
}

func repeatOf(ctx context.Context) Repeat {
	repeat, _ := ctx.Value(repeatKey).(Repeat)
	return repeat
}

// WithScopes says which scopes the calls made with this context need. When the account has not granted them, the call
// is not made and NOT_CONNECTED says where to grant them.
func WithScopes(ctx context.Context, scopes ...string) context.Context {
	return context.WithValue(ctx, scopesKey, scopes)
}

func scopesOf(ctx context.Context) []string {
	scopes, _ := ctx.Value(scopesKey).([]string)
	return scopes
}

// WithOperation names the calls made with this context for logs and metrics, best by the id of the API's method:
// "calendar.events.list". The name must be one of few, and hold nothing of a user's.
func WithOperation(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, operationKey, name)
}

func operationOf(ctx context.Context) string {
	name, _ := ctx.Value(operationKey).(string)
	return name
}

// Outcome is what became of the last call made with a context. It is what is left to ask when the context ended, since
// Google's client library then gives nothing but the context's own error.
type Outcome struct {
	attempts  atomic.Int64
	uncertain atomic.Bool
}

// Attempts is how many requests were sent for the call, with the one after a renewed token.
func (o *Outcome) Attempts() int { return int(o.attempts.Load()) }

// MayHaveBeenApplied reports whether the call was a write that failed and may have taken effect all the same. False for
// reads, for writes that succeeded and for those that were surely not applied.
func (o *Outcome) MayHaveBeenApplied() bool { return o.uncertain.Load() }

// WithOutcome is a context that records what becomes of the call made with it, and the place where it does. One
// context is for one call at a time.
func WithOutcome(ctx context.Context) (context.Context, *Outcome) {
	outcome := new(Outcome)
	return context.WithValue(ctx, outcomeKey, outcome), outcome
}

// Changes records what has become of all writes made with a context. It is safe for goroutines.
type Changes struct{ may atomic.Bool }

// MayHaveChanged reports whether a write has succeeded, or may have taken effect.
func (c *Changes) MayHaveChanged() bool { return c.may.Load() }

// WithChanges is a context that records what becomes of the writes made with it, and the place where it does.
func WithChanges(ctx context.Context) (context.Context, *Changes) {
	changes := new(Changes)
	return context.WithValue(ctx, changesKey, changes), changes
}

func noteChange(ctx context.Context) {
	if changes, ok := ctx.Value(changesKey).(*Changes); ok {
		changes.may.Store(true)
	}
}

func outcomeOf(ctx context.Context) *Outcome {
	outcome, _ := ctx.Value(outcomeKey).(*Outcome)
	return outcome
}

// Do makes a call that may change something, and sends it again as repeat allows. Unknown reports that it failed and
// may have been done all the same, in its last attempt or in an earlier one; attempts is how many requests were sent.
func Do(ctx context.Context, repeat Repeat,
	send func(context.Context) error) (unknown bool, attempts int, err error) {
	within, outcome := WithOutcome(WithRepeat(ctx, repeat))
	if err = send(within); err == nil {
		return false, outcome.Attempts(), nil
	}
	// The error of a context says nothing, the outcome does; of an answer that the client library could not read it is the
	// other way round.
	return outcome.MayHaveBeenApplied() || (ctx.Err() == nil && MayHaveBeenApplied(err)), outcome.Attempts(), err
}

package gmail

import (
	"context"
	"sync"
	"time"

	"almanac/graph/model"
)

type contextKey int

const ageKey contextKey = iota

// Age is how old the labels of messages are that were read with a context: Gmail was asked for them at a time, and what
// was kept then was read. It is safe for goroutines.
type Age struct {
	kept bool

	mu      sync.Mutex
	asOf    time.Time
	failure error
}

// WithAge has messages be read as they are kept where Gmail cannot be asked for changes of their labels now, and with
// kept where it can be too. What that means for them the Age tells afterwards; without it such a read fails.
func WithAge(ctx context.Context, kept bool) (context.Context, *Age) {
	age := &Age{kept: kept}
	return context.WithValue(ctx, ageKey, age), age
}

// AsOf is since when labels of what was read may have changed unseen; zero when none of it was kept.
func (a *Age) AsOf() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asOf
}

// Failure is why Gmail could not be asked; nil when it could, or did not have to be.
func (a *Age) Failure() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failure
}

func (a *Age) note(asOf time.Time, failure error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asOf.IsZero() || asOf.Before(a.asOf) {
		a.asOf = asOf
	}
	if failure != nil {
		a.failure = failure
	}
}

func ageOf(ctx context.Context) *Age {
	age, _ := ctx.Value(ageKey).(*Age)
	return age
}

// mayShowKept reports whether what is kept may be shown after Gmail could not be asked: it did not answer, or too many
// asked. Who must link the account again, or went away, is told so.
func mayShowKept(err error) bool {
	switch model.CodeOf(err) {
	case model.CodeUpstreamUnavailable, model.CodeUpstreamRateLimited, model.CodeTimeout:
		return true
	}
	return false
}

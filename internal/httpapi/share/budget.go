package share

import (
	"math"
	"sync"
	"time"

	"almanac/graph/model"
)

// Budget is what each user may spend in a window of time. It fills evenly (a token bucket), so that who was refused
// waits only for what is missing.
type Budget struct {
	most   float64
	window time.Duration
	now    func() time.Time

	mu    sync.Mutex
	spent map[model.UserID]account
	// sweepAt is when accounts that are full again are dropped next.
	sweepAt time.Time
}

// account is what was left at a time, of how much.
type account struct {
	left, most float64
	at         time.Time
}

// NewBudget makes a budget of so much in a window for each user; now is the process's clock. Nil for no bound: all
// methods of a nil Budget allow everything.
func NewBudget(most int64, window time.Duration, now func() time.Time) *Budget {
	if most <= 0 {
		return nil
	}
	return &Budget{most: float64(most), window: window, now: now, spent: map[model.UserID]account{}}
}

// Spend takes a cost out of a user's budget. When not enough is left nothing is taken, and the error is a *model.Error
// RATE_LIMITED that says when there will be. What costs more than the whole budget is let through when it is full.
func (b *Budget) Spend(user model.UserID, cost int64) *model.Error {
	if b == nil {
		return nil
	}
	return b.spend(user, cost, b.most, "Your requests have cost more than the %d that one user may spend in %v.")
}

// spend is Spend for an account that holds so much, which is more than 0; beyond is the message of the error, about
// that number and the window.
func (b *Budget) spend(of model.UserID, cost int64, most float64, beyond string) *model.Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.sweep(now)
	left := b.left(of, most, now)
	if missing := min(float64(cost), most) - left; missing > 0 {
		refused := model.Errorf(model.CodeRateLimited, beyond, int64(most), b.window)
		refused.Cause = ErrOwnShare
		refused.RetryAfter = max(time.Millisecond, time.Duration(math.Ceil(missing/most*float64(b.window))))
		return refused
	}
	b.spent[of] = account{left: left - float64(cost), most: most, at: now}
	return nil
}

// Take takes a cost out of a user's budget for what is done already, also beyond what is left, though no more than a
// whole budget beyond.
func (b *Budget) Take(user model.UserID, cost int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.sweep(now)
	b.spent[user] = account{left: max(b.left(user, b.most, now)-float64(cost), -b.most), most: b.most, at: now}
}

// Left returns how much a user may spend now, and how long it takes until all of it may be spent again.
func (b *Budget) Left(user model.UserID) (left int64, full time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	is := b.left(user, b.most, b.now())
	return int64(max(is, 0)), time.Duration((b.most - is) / b.most * float64(b.window))
}

// Most returns the budget and its window; 0 without a bound.
func (b *Budget) Most() (most int64, window time.Duration) {
	if b == nil {
		return 0, 0
	}
	return int64(b.most), b.window
}

// left is what is left of an account that holds so much. It is called with mu held.
func (b *Budget) left(of model.UserID, most float64, now time.Time) float64 {
	known, spent := b.spent[of]
	if !spent {
		return most
	}
	return known.leftAt(now, b.window)
}

// leftAt returns what has come back since, at most all.
func (a account) leftAt(now time.Time, window time.Duration) float64 {
	return min(a.most, a.left+a.most*float64(now.Sub(a.at))/float64(window))
}

// sweep drops accounts that are full again, once a window. It is called with mu held.
func (b *Budget) sweep(now time.Time) {
	if now.Before(b.sweepAt) {
		return
	}
	b.sweepAt = now.Add(b.window)
	for user, account := range b.spent {
		if account.leftAt(now, b.window) >= account.most {
			delete(b.spent, user)
		}
	}
}

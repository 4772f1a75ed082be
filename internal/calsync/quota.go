package calsync

import (
	"sync"
	"sync/atomic"
	"time"
)

// quota bounds what the syncs that nobody waits for ask of the remote, over all accounts: Google counts the requests of
// a whole Google Cloud project (https://developers.google.com/workspace/calendar/api/guides/quota). Syncs that somebody
// waits for are counted and never held up. It is safe for goroutines.
type quota struct {
	mu sync.Mutex
	// rate is the time from one request to the next; 0: there is no ceiling.
	rate time.Duration
	// spent is when the last of the requests made so far would have been made at that rate.
	spent time.Time
	// until is when Google may be asked again after it refused a request of the project, and refusals how often it has in
	// a row.
	until    time.Time
	refusals int
}

// creditFor is how long a rate that was not used can be made up for, so that syncs may come in bursts at each tick.
const creditFor = mostTick

// claim takes as many syncs as may begin, at most limit, and one request for each. When those are fewer than limit,
// wait is the time until another may begin.
func (q *quota) claim(now time.Time, limit int) (n int, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if wait = q.until.Sub(now); wait > 0 {
		return 0, wait
	}
	for ; n < limit; n++ {
		if wait = q.spent.Sub(now); q.rate > 0 && wait > 0 {
			return n, wait
		}
		q.spend(now)
	}
	return n, 0
}

// giveBack returns requests that were taken for syncs and not needed.
func (q *quota) giveBack(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.spent = q.spent.Add(-time.Duration(n) * q.rate)
}

// spend counts a request. The quota must be locked.
func (q *quota) spend(now time.Time) {
	if credit := now.Add(-creditFor); q.spent.Before(credit) {
		q.spent = credit
	}
	q.spent = q.spent.Add(q.rate)
}

// isOpen reports whether a sync might begin now.
func (q *quota) isOpen(now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return !q.until.After(now) && (q.rate == 0 || !q.spent.After(now))
}

// refused notes that Google refused a request for the project's sake. It asks to wait so long, or does not say.
func (q *quota) refused(now time.Time, wait time.Duration, backoff func(failures int) time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.until.After(now) { // else it was sent before the project was told to wait, or by who does not wait
		q.refusals++
		wait = max(wait, backoff(q.refusals))
	}
	if until := now.Add(wait); until.After(q.until) {
		q.until = until
	}
}

// answered notes that a sync which began at a time was answered.
func (q *quota) answered(began time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !began.Before(q.until) {
		q.refusals = 0
	}
}

// closedUntil is when syncs may begin again after the last refusal.
func (q *quota) closedUntil() time.Time {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.until
}

// meter counts the requests of one sync; it is a google.Meter.
type meter struct {
	*Worker
	// awaited: somebody waits for the sync. Nothing was taken for it then.
	awaited  bool
	requests atomic.Int64
	limited  atomic.Bool
}

// Sent counts a request. The first one of a sync that nobody waits for was counted when the sync was claimed.
func (m *meter) Sent() {
	if m.requests.Add(1) == 1 && !m.awaited {
		return
	}
	m.quota.mu.Lock()
	defer m.quota.mu.Unlock()
	m.quota.spend(m.Now())
}

// Limited holds up the syncs of all accounts. Only a sync that somebody waits for tries once more.
func (m *meter) Limited(wait time.Duration) (giveUp bool) {
	m.limited.Store(true)
	m.quota.refused(m.Now(), wait, m.backoff)
	return !m.awaited
}

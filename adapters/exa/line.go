package exa

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"almanac/internal/retry"
)

// lane is one of the budgets that Exa gives a key.
type lane int

const (
	laneWebsets lane = iota
	laneWeb
	lanes
)

// line is what all who use a key share: its breaker, its budgets, and what is known of its websets.
type line struct {
	guard retry.Breaker

	mu sync.Mutex
	// rests is until when Exa asked to be left alone with this key.
	rests   time.Time
	budgets [lanes]budget
	// owners tells whose websets are, by the id or the externalId on the wire that they were asked for with, and whose
	// monitors are.
	owners lru[string, whose]
	// described are the enrichments of websets, by the id that the webset was asked for with.
	described lru[string, described]
}

// line gives the one line of a key, by its hash, so that keys are kept nowhere.
func (c *Client) line(key string) *line {
	c.once.Do(c.prepare)
	name := sha256.Sum256([]byte(key))
	c.mu.Lock()
	defer c.mu.Unlock()
	if l, ok := c.lines.get(name); ok {
		return l
	}
	l := &line{guard: retry.Breaker{Failures: c.Limits.Failures, Pause: c.Limits.Pause}}
	l.budgets[laneWebsets] = newBudget(c.Limits.Websets)
	l.budgets[laneWeb] = newBudget(c.Limits.Web)
	l.owners.most, l.described.most = c.Limits.Known, mostDescribed
	c.lines.put(name, l)
	return l
}

// resting is for how much longer Exa wants to be left alone.
func (l *line) resting(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rests.Sub(now)
}

func (l *line) rest(now time.Time, wait time.Duration) {
	if wait <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := now.Add(wait); until.After(l.rests) {
		l.rests = until
	}
}

// budget lets requests through at a rate, and as many at once after a silence as it lets through in a second.
type budget struct {
	every time.Duration
	burst time.Duration
	// next is when the request after the last one would be due if none came at once.
	next time.Time
}

func newBudget(perSecond float64) budget {
	every := time.Duration(float64(time.Second) / perSecond)
	return budget{every: every, burst: max(time.Second-every, 0)}
}

// wait is for how long a request that comes now has to wait.
func (b *budget) wait(now time.Time) time.Duration { return max(0, b.next.Add(-b.burst).Sub(now)) }

func (b *budget) take(now time.Time) {
	if b.next.Before(now) {
		b.next = now
	}
	b.next = b.next.Add(b.every)
}

// turn waits for a request's turn. It is not waited for at all when it would come too late: then the failure says when
// to come again.
func (c *Client) turn(ctx context.Context, l *line, in lane) *failure {
	now := c.machine()
	l.mu.Lock()
	b := &l.budgets[in]
	wait := b.wait(now)
	deadline, bounded := ctx.Deadline()
	if wait > c.Limits.Queue || wait > 0 && bounded && !now.Add(wait).Before(deadline) {
		l.mu.Unlock()
		return &failure{kind: kindLimited, unsent: true, final: true, wait: wait, err: errBudget}
	}
	b.take(now)
	l.mu.Unlock()
	if wait == 0 {
		return nil
	}
	if err := c.Wait(ctx, wait); err != nil {
		l.mu.Lock()
		b.next = b.next.Add(-b.every) // nobody else should wait for a turn that is not taken
		l.mu.Unlock()
		return &failure{kind: kindLate, unsent: true, err: err}
	}
	return nil
}

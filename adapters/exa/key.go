package exa

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"almanac/adapters/remote"
)

// budgetOf is one of the budgets that Exa gives a key.
type budgetOf int

const (
	budgetWebsets budgetOf = iota
	budgetWeb
	budgets
)

// key is what all who use a key share: its breaker, its budgets, and what is known of its websets.
type key struct {
	breaker *remote.Breaker
	rest    remote.Rest

	mu      sync.Mutex
	budgets [budgets]budget
	// owners says whose websets are, by the id or the externalId on the wire that they were asked for with, and whose
	// monitors are.
	owners *lru.Cache[string, whose]
	// described are the enrichments of websets, by the id that the webset was asked for with.
	described *lru.Cache[string, described]
}

// key is the one of a name, kept by its hash, so that keys themselves are kept nowhere.
func (c *Client) key(name string) *key {
	c.once.Do(c.prepare)
	return remote.Cached(c.keys, sha256.Sum256([]byte(name)), func() *key {
		return &key{
			breaker:   c.caller.NewBreaker(),
			budgets:   [budgets]budget{budgetWebsets: newBudget(c.Limits.Websets), budgetWeb: newBudget(c.Limits.Web)},
			owners:    remote.NewCache[string, whose](c.Limits.Known),
			described: remote.NewCache[string, described](mostDescribed),
		}
	})
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
func (c *Client) turn(ctx context.Context, k *key, in budgetOf) *failure {
	now := c.caller.Clock()
	k.mu.Lock()
	b := &k.budgets[in]
	wait := b.wait(now)
	deadline, bounded := ctx.Deadline()
	if wait > c.Limits.Queue || wait > 0 && bounded && !now.Add(wait).Before(deadline) {
		k.mu.Unlock()
		return &failure{Kind: remote.KindLimited, Held: true, Unsent: true, Final: true, Wait: wait, Err: errBudget}
	}
	b.take(now)
	k.mu.Unlock()
	if wait == 0 {
		return nil
	}
	if err := c.caller.Wait(ctx, wait); err != nil {
		k.mu.Lock()
		b.next = b.next.Add(-b.every) // nobody else should wait for a turn that is not taken
		k.mu.Unlock()
		return remote.Late(err)
	}
	return nil
}

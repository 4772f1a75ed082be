// Package share divides what a server can do among those who ask it: places to run in, and the cost of operations a
// minute.
//
// It promises that whoever has had less is next to run, so that one who sends more than their share waits for
// themselves and for nobody else waits longer for that; and that nobody has more places than their share, or is charged
// for what did not run. All of it is in memory: each server divides its own.
package share

import (
	"container/list"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"almanac/graph/model"
)

// Limits are the numbers of a Gate. All but Wait must be positive.
type Limits struct {
	// Running is how many run at once, PartyRunning how many of one party and TokenRunning how many of those under one
	// token.
	Running, PartyRunning, TokenRunning int
	// Queued is how many wait for a place, PartyQueued how many of one party.
	Queued, PartyQueued int
	// Wait is how long one waits.
	Wait time.Duration
	// PartyBeside is how many run of one party while others were let in within BesideWindow by Now; 0 means
	// PartyRunning, and then Now is not needed.
	PartyBeside int
	// BesidePace is the time between two that are let in of one party beside others, after a burst of PartyRunning; 0
	// for none. It bounds what is done for a request before it has its place and after it has left it, too.
	BesidePace time.Duration
	Now        func() time.Time
}

// BesideWindow is for how long after a party was let in the others count as being beside somebody.
const BesideWindow = time.Second

// Key says whose share something takes: a user's, with the API token they use, or an address' before anybody has proved
// who they are.
type Key struct {
	User    model.UserID
	Token   string
	Address string
}

// party is the key without its token.
func (k Key) party() Key { return Key{User: k.User, Address: k.Address} }

// ErrOwnShare is wrapped by refusals of those who have their whole share already; others may still be let in.
var ErrOwnShare = errors.New("the caller has their whole share")

// costUnit is the cost that counts as much as being let in once: that of a page of some tasks.
const costUnit = 100

// Gate lets in as many as may run, each for a bounded time of waiting, in the order of start-time fair queueing (Goyal,
// Vin and Cheng 1996): each party has a time of its own, which moves on by what it was let in for, and the one whose
// time is least is next.
type Gate struct {
	limits Limits

	mu      sync.Mutex
	running int
	queued  int
	// now is the time at which the last one was let in; a party that was idle begins there.
	now     float64
	arrived uint64
	parties map[Key]*party
	// waiting are the parties that wait, in no order: who is next is looked for whenever somebody leaves.
	waiting []*party
	// last is the party that was let in last, and at what time; before is when the one of another party before it was.
	last           Key
	lastAt, before time.Time
	// later admits those who wait for their pace alone; nil before the first of them.
	later *time.Timer
	// spare are parties that are not in use, so that a request by itself allocates none.
	spare []*party
}

// party is one that runs something or waits.
type party struct {
	key     Key
	running int
	tokens  map[string]int
	// waiting are its *waiter, in the order in which they came; at is the party's place among those that wait.
	waiting list.List
	at      int
	// next is when what it asks next begins.
	next float64
	// paced is when all that was let in beside others would have been let in at the pace; zero when it was by itself.
	paced time.Time
}

type waiter struct {
	token   string
	arrived uint64
	let     chan struct{}
}

// NewGate makes a Gate.
func NewGate(limits Limits) *Gate { return &Gate{limits: limits, parties: map[Key]*party{}} }

// Place is what a party runs in.
type Place struct {
	gate  *Gate
	key   Key
	party *party
}

// Leave frees the place. It must be called once.
func (p Place) Leave() { p.gate.leave(p.key, p.party) }

// KeyOf returns the key of a caller.
func KeyOf(caller model.Caller) Key { return Key{User: caller.UserID, Token: caller.Token} }

// Admit is Enter for the caller of the context; leave must be called once when there is no error.
func (g *Gate) Admit(ctx context.Context) (leave func(), err error) {
	caller, _ := model.CallerFrom(ctx)
	place, err := g.Enter(ctx, KeyOf(caller))
	if err != nil {
		return nil, err
	}
	return place.Leave, nil
}

// Enter waits for a place, which must be left when there is no error. An error is a *model.Error RATE_LIMITED, which
// wraps ErrOwnShare where it is the party's own share that is used up.
func (g *Gate) Enter(ctx context.Context, key Key) (Place, error) {
	g.mu.Lock()
	p := g.partyOf(key)
	place := Place{gate: g, key: key, party: p}
	now := g.time()
	if g.running < g.limits.Running && g.fits(p, key.Token, now) {
		g.let(p, key.Token, now)
		g.mu.Unlock()
		return place, nil
	}
	if g.queued >= g.limits.Queued || p.waiting.Len() >= g.limits.PartyQueued {
		own := g.queued < g.limits.Queued
		g.forget(key, p)
		g.mu.Unlock()
		return Place{}, busy(own)
	}
	g.arrived++
	w := &waiter{token: key.Token, arrived: g.arrived, let: make(chan struct{})}
	element := g.push(p, w)
	g.admitLater(now)
	g.mu.Unlock()

	patience := time.NewTimer(g.limits.Wait)
	defer patience.Stop()
	select {
	case <-w.let:
		return place, nil
	case <-patience.C:
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-w.let: // in the same moment
		return place, nil
	default:
	}
	g.remove(p, element)
	own := g.running < g.limits.Running // others would have been let in
	g.forget(key, p)
	return Place{}, busy(own)
}

// Charge makes what a party was let in for count by its cost, so that it waits longer for its next place.
func (g *Gate) Charge(key Key, cost int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.parties[key.party()]; p != nil {
		p.next += float64(cost) / costUnit
	}
}

// Waiting returns how many wait for a place, and how many of them because their own share is used up.
func (g *Gate) Waiting() (all, own int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.time()
	for _, p := range g.waiting {
		for e := p.waiting.Front(); e != nil; e = e.Next() {
			if !g.fits(p, waiterOf(e).token, now) {
				own++
			}
		}
	}
	return g.queued, own
}

// The methods below are called with mu held.

func (g *Gate) partyOf(key Key) *party {
	p := g.parties[key.party()]
	if p != nil {
		return p
	}
	if last := len(g.spare) - 1; last >= 0 {
		p, g.spare = g.spare[last], g.spare[:last]
	} else {
		p = &party{}
	}
	p.key = key.party()
	g.parties[p.key] = p
	return p
}

// fits reports whether the shares of a party and of its token have room now, and its pace lets it in.
func (g *Gate) fits(p *party, token string, now time.Time) bool {
	if token != "" && p.tokens[token] >= g.limits.TokenRunning {
		return false
	}
	if g.limits.PartyBeside > 0 && g.beside(p, now) {
		return p.running < g.limits.PartyBeside && g.ahead(p, now) <= 0
	}
	return p.running < g.limits.PartyRunning
}

// time is that of the limits' clock, which only gates with PartyBeside look at.
func (g *Gate) time() (now time.Time) {
	if g.limits.PartyBeside > 0 {
		now = g.limits.Now()
	}
	return now
}

// beside reports whether another party was let in within the window.
func (g *Gate) beside(p *party, now time.Time) bool {
	other := g.lastAt
	if g.last == p.key {
		other = g.before
	}
	return now.Sub(other) < BesideWindow
}

// ahead returns how long a party must wait for its pace.
func (g *Gate) ahead(p *party, now time.Time) time.Duration {
	return p.paced.Add(-time.Duration(g.limits.PartyRunning-1) * g.limits.BesidePace).Sub(now)
}

func (g *Gate) let(p *party, token string, now time.Time) {
	if g.limits.PartyBeside > 0 {
		switch {
		case !g.beside(p, now):
			p.paced = time.Time{}
		case p.paced.Before(now):
			p.paced = now.Add(g.limits.BesidePace)
		default:
			p.paced = p.paced.Add(g.limits.BesidePace)
		}
		if g.last != p.key {
			g.last, g.before = p.key, g.lastAt
		}
		g.lastAt = now
	}
	g.now = max(g.now, p.next)
	p.next = g.now + 1
	p.running++
	g.running++
	if token == "" {
		return
	}
	if p.tokens == nil {
		p.tokens = map[string]int{}
	}
	p.tokens[token]++
}

func (g *Gate) leave(key Key, p *party) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p.running--
	g.running--
	if key.Token != "" {
		if p.tokens[key.Token]--; p.tokens[key.Token] == 0 {
			delete(p.tokens, key.Token)
		}
	}
	g.admit()
	g.forget(key, p)
}

// push has somebody wait.
func (g *Gate) push(p *party, w *waiter) *list.Element {
	if p.waiting.Len() == 0 {
		p.at = len(g.waiting)
		g.waiting = append(g.waiting, p)
	}
	g.queued++
	return p.waiting.PushBack(w)
}

// remove takes somebody who waits out.
func (g *Gate) remove(p *party, element *list.Element) {
	p.waiting.Remove(element)
	g.queued--
	if p.waiting.Len() > 0 {
		return
	}
	last := len(g.waiting) - 1
	g.waiting[p.at] = g.waiting[last]
	g.waiting[p.at].at = p.at
	g.waiting[last] = nil
	g.waiting = g.waiting[:last]
}

// admit lets in who is next, for as long as there are places.
func (g *Gate) admit() {
	for g.queued > 0 && g.running < g.limits.Running {
		now := g.time()
		next, element := g.first(now)
		if next == nil {
			g.admitLater(now)
			return
		}
		w := waiterOf(element)
		g.remove(next, element)
		g.let(next, w.token, now)
		close(w.let)
	}
}

// admitLater admits again when the first of those who wait for nothing but their pace may be let in, since nobody may
// leave before then.
func (g *Gate) admitLater(now time.Time) {
	if g.limits.BesidePace == 0 {
		return
	}
	var soonest time.Duration
	for _, p := range g.waiting {
		wait := g.ahead(p, now)
		if p.running < g.limits.PartyBeside && wait > 0 && (soonest == 0 || wait < soonest) {
			soonest = wait
		}
	}
	switch {
	case soonest == 0:
	case g.later != nil:
		g.later.Reset(soonest)
	default:
		g.later = time.AfterFunc(soonest, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.admit()
		})
	}
}

// first returns the waiter who is next, of the party whose time is least; nil when nobody may be let in.
func (g *Gate) first(now time.Time) (*party, *list.Element) {
	var (
		best    *party
		element *list.Element
	)
	for _, p := range g.waiting {
		own := g.firstOf(p, now)
		if own == nil {
			continue
		}
		if best == nil || max(p.next, g.now) < max(best.next, g.now) ||
			max(p.next, g.now) == max(best.next, g.now) && waiterOf(own).arrived < waiterOf(element).arrived {
			best, element = p, own
		}
	}
	return best, element
}

func (g *Gate) firstOf(p *party, now time.Time) *list.Element {
	for e := p.waiting.Front(); e != nil; e = e.Next() {
		if g.fits(p, waiterOf(e).token, now) {
			return e
		}
	}
	return nil
}

// maxSpare bounds the parties that are kept for others.
const maxSpare = 64

// forget drops a party that neither runs nor waits.
func (g *Gate) forget(key Key, p *party) {
	if p.running > 0 || p.waiting.Len() > 0 {
		return
	}
	delete(g.parties, key.party())
	if p.next, p.paced = 0, (time.Time{}); len(g.spare) < maxSpare {
		g.spare = append(g.spare, p)
	}
}

func waiterOf(e *list.Element) *waiter {
	w, _ := e.Value.(*waiter)
	return w
}

// Status returns the HTTP status of a refusal: 429 where the caller's own share is used up, 503 where the server's is.
func Status(refused error) int {
	if errors.Is(refused, ErrOwnShare) {
		return http.StatusTooManyRequests
	}
	return http.StatusServiceUnavailable
}

func busy(own bool) error {
	if own {
		return &model.Error{Code: model.CodeRateLimited, Cause: ErrOwnShare, RetryAfter: time.Second,
			Message: "You have as many requests under way as one may have; send the next when one of them has been answered."}
	}
	return &model.Error{Code: model.CodeRateLimited, RetryAfter: time.Second,
		Message: "The server has too much to do; try again shortly."}
}

// Package proof looks at tokens again before an answer of a subscription goes out, so that a token which was revoked,
// or whose user was disabled, hears nothing more.
//
// It promises that an answer goes out only after a look that began when the answer was there already and not long ago,
// and that one look serves all who are given the same answer under the same token. The local user,
// who has none, is not looked at.
package proof

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
	"weak"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
)

const (
	// holds is how long a look serves for the same answer.
	holds = 100 * time.Millisecond
	// lookTimeout bounds a look, and lookPause is the time before the next when a token could not be looked at.
	lookTimeout = 10 * time.Second
	lookPause   = time.Second
	// maxLooks bounds the tokens whose last look is remembered.
	maxLooks = 1_000
)

// Checker looks at tokens again.
type Checker struct {
	authenticator edge.Authenticator
	mu            sync.Mutex
	looks         map[string]*look
}

// look is the last one at a token.
type look struct {
	answer weak.Pointer[graphql.Response]
	begun  time.Time
	done   chan struct{}
	caller model.Caller
	err    error
}

// New makes a Checker.
func New(authenticator edge.Authenticator) *Checker {
	return &Checker{authenticator: authenticator, looks: map[string]*look{}}
}

// Check reports whether the token still proves the caller, with the same rights. While it cannot be looked at, Check
// waits and looks again; the error is the context's then.
func (c *Checker) Check(ctx context.Context, token string, caller model.Caller,
	answer *graphql.Response) (proved bool, err error) {
	if caller.Token == "" && caller.ExpiresAt.IsZero() { // the local user, who has no token
		return true, nil
	}
	for {
		l := c.look(ctx, token, answer)
		select {
		case <-l.done:
		case <-ctx.Done():
			return false, ctx.Err()
		}
		switch {
		case l.err == nil:
			return l.caller.UserID == caller.UserID && slices.Equal(l.caller.Scopes, caller.Scopes), nil
		case edge.Refused(l.err):
			return false, nil
		}
		select {
		case <-time.After(lookPause):
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// look returns the last look at the token where it serves for the answer, and begins another where it does not.
func (c *Checker) look(ctx context.Context, token string, answer *graphql.Response) *look {
	c.mu.Lock()
	defer c.mu.Unlock()
	last, this := c.looks[token], weak.Make(answer)
	if last != nil && last.answer == this && time.Since(last.begun) < holds {
		return last
	}
	if last == nil && len(c.looks) >= maxLooks {
		for other := range c.looks { // any will do: it is looked at again
			delete(c.looks, other)
			break
		}
	}
	l := &look{answer: this, begun: time.Now(), done: make(chan struct{})}
	c.looks[token] = l
	go c.run(context.WithoutCancel(ctx), l, token)
	return l
}

func (c *Checker) run(ctx context.Context, l *look, token string) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	defer close(l.done)
	defer func() {
		if r := recover(); r != nil {
			l.err = fmt.Errorf("panic while a token was looked at: %v", r)
		}
	}()
	l.caller, l.err = c.authenticator.Authenticate(ctx, token)
}

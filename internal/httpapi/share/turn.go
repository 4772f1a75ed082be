package share

import (
	"context"
	"sync/atomic"
)

// Turn is a place that may be left from anywhere below the request that has taken it, once. It is a context that knows
// itself, and can be a part of what is allocated for a request anyway.
type Turn struct {
	context.Context
	place Place
	taken atomic.Bool
}

type turnKey struct{}

// Take waits for a place, as Enter does, and makes t the turn in it: a context below ctx, of which TurnOf returns t. It
// must not have been taken before.
func (t *Turn) Take(ctx context.Context, g *Gate, key Key) error {
	place, err := g.Enter(ctx, key)
	if err != nil {
		return err
	}
	t.Context, t.place = ctx, place
	t.taken.Store(true)
	return nil
}

// Value implements context.Context.
func (t *Turn) Value(key any) any {
	if key == (turnKey{}) {
		return t
	}
	return t.Context.Value(key)
}

// Leave frees the place if it has not been freed yet.
func (t *Turn) Leave() {
	if t.taken.CompareAndSwap(true, false) {
		t.place.Leave()
	}
}

// TurnOf returns the turn of a context; nil when it has none.
func TurnOf(ctx context.Context) *Turn {
	t, _ := ctx.Value(turnKey{}).(*Turn)
	return t
}

package model

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// About collects what an answer tells of, for whoever keeps answers: what is erased must be erased there too, whatever fields the client has selected. It collects
// nothing before Collect was called, and is safe for goroutines after that.
type About struct {
	collects bool

	mu  sync.Mutex
	ids []ID
}

type aboutKey struct{}

// WithAbout gives a context whose operation says what its answer tells of.
func WithAbout(ctx context.Context, about *About) context.Context {
	return context.WithValue(ctx, aboutKey{}, about)
}

// AboutFrom gives what WithAbout put there; nil when nothing was.
func AboutFrom(ctx context.Context) *About {
	about, _ := ctx.Value(aboutKey{}).(*About)
	return about
}

// Collect makes it collect from now on. It must be called before the operation runs.
func (a *About) Collect() {
	if a != nil {
		a.collects = true
	}
}

// Tells adds an own noun that the answer tells of and that can be erased: a memory, an entity, a fact, an episode. What lives elsewhere is not erased here.
func (a *About) Tells(id ID) {
	if a == nil || !a.collects || id.Remote != "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ids = append(a.ids, id)
}

// String gives the public ids of what was told of, each once, separated by spaces; empty for nothing.
func (a *About) String() string {
	if a == nil {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.SortFunc(a.ids, func(x, y ID) int {
		return cmp.Or(slices.Compare(x.UUID[:], y.UUID[:]), cmp.Compare(x.Kind, y.Kind))
	})
	texts := make([]string, 0, len(a.ids))
	for _, id := range slices.Compact(a.ids) {
		texts = append(texts, id.String())
	}
	return strings.Join(texts, " ")
}

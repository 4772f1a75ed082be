package model

import (
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
	ids []UUID
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

// Tells adds a memory that the answer tells of.
func (a *About) Tells(memory UUID) {
	if a == nil || !a.collects {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ids = append(a.ids, memory)
}

// String gives the public ids of what was told of, each once, separated by spaces; empty for nothing.
func (a *About) String() string {
	if a == nil {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.SortFunc(a.ids, func(x, y UUID) int { return slices.Compare(x[:], y[:]) })
	texts := make([]string, 0, len(a.ids))
	for _, id := range slices.Compact(a.ids) {
		texts = append(texts, ID{Kind: KindMemory, UUID: id}.String())
	}
	return strings.Join(texts, " ")
}

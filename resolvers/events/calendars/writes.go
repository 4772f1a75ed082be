package calendars

import (
	"context"
	"slices"
	"sync"

	"almanac/adapters/gcal"
)

// Writes collects the writes to calendars of which copies are kept, until the copies have what was written. It is safe
// for goroutines.
type Writes struct {
	mu  sync.Mutex
	all []gcal.KeptWrite
}

type writesKey struct{}

// WithWrites is a context in which writes are collected, and where they are. Who makes it applies and finishes them.
func WithWrites(ctx context.Context) (context.Context, *Writes) {
	all := new(Writes)
	return context.WithValue(ctx, writesKey{}, all), all
}

func writesOf(ctx context.Context) *Writes {
	all, _ := ctx.Value(writesKey{}).(*Writes)
	return all
}

func (w *Writes) add(one gcal.KeptWrite) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, one)
}

// All are the writes so far, in the order in which they have ended.
func (w *Writes) All() []gcal.KeptWrite {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.all)
}

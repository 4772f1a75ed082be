// Package faults keeps what goes wrong on purpose in a stand-in, and does to a connection what several of them do.
//
// It promises that faults strike in the order in which they were injected, each as often as it was told to.
package faults

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Set holds the faults in force, of a stand-in's own type. Its zero value holds none. It is safe for goroutines.
type Set[F any] struct {
	mu     sync.Mutex
	active []*injected[F]
}

type injected[F any] struct {
	fault               F
	after, times        int
	requests, struckFor int
}

// Inject puts a fault in force: it lets so many requests pass, and strikes so many then; 0 times strikes all until
// Clear. Of several that fit a request, the one injected first strikes; all count it.
func (s *Set[F]) Inject(fault F, after, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active = append(s.active, &injected[F]{fault: fault, after: after, times: times})
}

// Clear ends all faults.
func (s *Set[F]) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active = nil
}

// Choose counts a request for the faults that fit it, and returns a copy of the one that strikes it; ok is false where
// none does.
func (s *Set[F]) Choose(fits func(*F) bool) (chosen F, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.active {
		if !fits(&a.fault) {
			continue
		}
		a.requests++
		if ok || a.requests <= a.after {
			continue
		}
		a.struckFor++
		chosen, ok = a.fault, true
	}
	s.active = slices.DeleteFunc(s.active, func(a *injected[F]) bool { return a.times > 0 && a.struckFor >= a.times })
	return chosen, ok
}

// Wait waits on a timer, or until the context ends, whose error it returns then.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Break breaks the connection of the request that is being served, by a panic.
func Break() { panic(http.ErrAbortHandler) }

// Half sends half of a body and breaks the connection.
func Half(w http.ResponseWriter, body []byte) {
	_, _ = w.Write(body[:len(body)/2])
	_ = http.NewResponseController(w).Flush()
	Break()
}

// Package slots runs the due jobs of a worker, a bounded number at a time.
//
// It promises that a job is claimed only when it can start at once, so that leases do not end in a queue, and that Wait
// returns after the last job. It imports the standard library only.
package slots

import (
	"context"
	"sync"
)

// Slots bounds how many jobs run at once. It is made by New.
type Slots struct {
	taken   chan struct{}
	running sync.WaitGroup
}

// New returns slots for so many jobs.
func New(most int) *Slots { return &Slots{taken: make(chan struct{}, most)} }

// Wait returns when no job runs.
func (s *Slots) Wait() { s.running.Wait() }

// Go runs a job in a slot of its own, as soon as one is free. It returns false when the context ends before that.
func (s *Slots) Go(ctx context.Context, job func()) bool {
	select {
	case <-ctx.Done():
		return false
	case s.taken <- struct{}{}:
	}
	s.start(job)
	return true
}

func (s *Slots) start(job func()) {
	s.running.Go(func() {
		defer func() { <-s.taken }()
		job()
	})
}

// RunDue claims jobs and runs each in a slot, until nothing more is due or the context ends. Claim returns at most
// limit jobs; when it fails with fewer, failed gets the error, unless the context has ended.
func RunDue[T any](ctx context.Context, s *Slots, claim func(ctx context.Context, limit int) ([]T, error), run func(T),
	failed func(error)) {
	for {
		free := s.take(ctx)
		if free == 0 {
			return
		}
		due, err := claim(ctx, free)
		if err != nil && ctx.Err() == nil {
			failed(err)
		}
		for range free - len(due) {
			<-s.taken
		}
		for _, one := range due {
			s.start(func() { run(one) })
		}
		if len(due) < free {
			return
		}
	}
}

// take waits for a free slot and takes all that are free then; it returns 0 when the context has ended.
func (s *Slots) take(ctx context.Context) int {
	if ctx.Err() != nil {
		return 0
	}
	select {
	case <-ctx.Done():
		return 0
	case s.taken <- struct{}{}:
	}
	for taken := 1; ; taken++ {
		select {
		case s.taken <- struct{}{}:
		default:
			return taken
		}
	}
}

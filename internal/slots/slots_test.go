package slots_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/slots"
)

// queue hands out numbers, as a store hands out what is due.
type queue struct {
	left   []int
	limits []int
	err    error
}

func (q *queue) claim(_ context.Context, limit int) ([]int, error) {
	q.limits = append(q.limits, limit)
	n := min(limit, len(q.left))
	claimed := q.left[:n]
	q.left = q.left[n:]
	return claimed, q.err
}

func TestRunDueClaimsNoMoreThanCanStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{left: []int{1, 2, 3, 4, 5, 6, 7}}
		s := slots.New(3)
		var running, most, sum atomic.Int64
		slots.RunDue(t.Context(), s, q.claim, func(n int) {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Duration(n) * time.Second)
			running.Add(-1)
			sum.Add(int64(n))
		}, func(err error) { t.Error(err) })
		s.Wait()
		if sum.Load() != 28 || most.Load() != 3 {
			t.Errorf("the numbers add up to %d, and %d ran at once", sum.Load(), most.Load())
		}
		if q.limits[0] != 3 || slices.Max(q.limits) > 3 {
			t.Errorf("claimed at most %v", q.limits)
		}
	})
}

func TestRunDueReportsAFailureAndGivesItsSlotsBack(t *testing.T) {
	s := slots.New(2)
	broken := &queue{err: errors.New("no store")}
	var failures int
	for range 3 {
		slots.RunDue(t.Context(), s, broken.claim, func(int) { t.Error("a job ran") }, func(error) { failures++ })
	}
	if failures != 3 || !slices.Equal(broken.limits, []int{2, 2, 2}) {
		t.Errorf("%d failures, limits %v", failures, broken.limits)
	}
}

func TestNothingStartsAfterTheEnd(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	s := slots.New(1)
	release := make(chan struct{})
	if !s.Go(ctx, func() { <-release }) {
		t.Fatal("no free slot")
	}
	end()
	if s.Go(ctx, func() { t.Error("a job ran") }) {
		t.Error("a job was started")
	}
	slots.RunDue(ctx, s, (&queue{left: []int{1}}).claim, func(int) { t.Error("a job ran") },
		func(err error) { t.Error(err) })
	close(release)
	s.Wait()
}

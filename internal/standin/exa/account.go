package exa

import (
	"container/heap"
	"time"
)

// account is what belongs to one key. All of it is under the server's lock.
type account struct {
	server *Server
	key    string
	// at is the time of what is happening: of a step that is due, or of a request.
	at time.Time

	websets  shelf[*webset]
	external map[string]*webset
	monitors shelf[*monitor]
	webhooks shelf[*webhook]
	imports  shelf[*importing]
	events   shelf[*event]
	research shelf[*research]

	steps      steps
	taken      uint64
	deliveries []*delivery
	// spent is how many items were searched for; asked are the times of the requests in the last second.
	spent int
	asked []time.Time
}

func newAccount(s *Server, key string) *account {
	return &account{server: s, key: key, external: map[string]*webset{}}
}

// step is something that happens at a time.
type step struct {
	at  time.Time
	seq uint64
	run func(at time.Time)
}

// steps is a heap of those to come, the next one first, and of those at the same time the one that was planned first.
type steps []step

func (s steps) Len() int { return len(s) }
func (s steps) Less(i, j int) bool {
	if !s[i].at.Equal(s[j].at) {
		return s[i].at.Before(s[j].at)
	}
	return s[i].seq < s[j].seq
}
func (s steps) Swap(i, j int) { s[i], s[j] = s[j], s[i] }

// Push implements heap.Interface.
func (s *steps) Push(x any) { *s = append(*s, x.(step)) } //nolint:errcheck // only steps are pushed

// Pop implements heap.Interface.
func (s *steps) Pop() any {
	last := len(*s) - 1
	one := (*s)[last]
	(*s)[last] = step{}
	*s = (*s)[:last]
	return one
}

// plan has something happen at a time.
func (a *account) plan(at time.Time, run func(at time.Time)) {
	a.taken++
	heap.Push(&a.steps, step{at: at, seq: a.taken, run: run})
}

// after has something happen when a while of this server's pace has passed.
func (a *account) after(at time.Time, d time.Duration, run func(at time.Time)) {
	a.plan(at.Add(a.server.paced(d)), run)
}

// advance does what is due, each thing at its own time.
func (a *account) advance(now time.Time) {
	for len(a.steps) > 0 && !a.steps[0].at.After(now) {
		next := heap.Pop(&a.steps).(step) //nolint:errcheck // only steps are pushed
		a.at = next.at
		next.run(next.at)
	}
	a.at = now
	a.forget(now)
}

// placed is what stands on a shelf.
type placed interface {
	// place is its id, and its number among all of its kind.
	place() (id string, seq uint64)
}

// shelf keeps things by id and in the order in which they came.
type shelf[T placed] struct {
	all  []T
	byID map[string]T
	last uint64
}

// next is the number of the thing that comes next.
func (s *shelf[T]) next() uint64 {
	s.last++
	return s.last
}

func (s *shelf[T]) add(one T) {
	if s.byID == nil {
		s.byID = map[string]T{}
	}
	id, _ := one.place()
	s.byID[id] = one
	s.all = append(s.all, one)
}

func (s *shelf[T]) get(id string) (T, bool) {
	one, ok := s.byID[id]
	return one, ok
}

// keep takes away what is not wanted.
func (s *shelf[T]) keep(wanted func(T) bool) {
	kept := s.all[:0]
	for _, one := range s.all {
		if wanted(one) {
			kept = append(kept, one)
			continue
		}
		id, _ := one.place()
		delete(s.byID, id)
	}
	clear(s.all[len(kept):])
	s.all = kept
}

func (s *shelf[T]) remove(id string) {
	s.keep(func(one T) bool {
		own, _ := one.place()
		return own != id
	})
}

package websets_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/websets"
)

// shelf is a store in memory, for tests in which only the hours pass.
type shelf struct {
	store.Store
	mu    sync.Mutex
	feeds map[model.UserID]store.WebsetFeed
	taken map[string]bool
	lines int
}

func (s *shelf) DueWebsetFeeds(_ context.Context, now, until time.Time, limit int) ([]store.WebsetFeed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var due []store.WebsetFeed
	for user := range maps.Keys(s.feeds) {
		feed := s.feeds[user]
		if len(due) < limit && !feed.NextAt.After(now) {
			feed.NextAt = until
			s.feeds[user] = feed
			due = append(due, feed)
		}
	}
	return due, nil
}

func (s *shelf) SaveWebsetFeed(_ context.Context, feed store.WebsetFeed) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.feeds[feed.User] = feed
	return nil
}

func (s *shelf) Write(ctx context.Context, _ model.UserID, fn func(ctx context.Context, tx store.Tx) error) error {
	return fn(ctx, &shelfTx{shelf: s})
}

type shelfTx struct {
	store.Tx
	*shelf
}

func (t *shelfTx) TakeWebsetEvents(_ context.Context, events []string, _ time.Time) (fresh []string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range events {
		if !t.taken[id] {
			t.taken[id] = true
			fresh = append(fresh, id)
		}
	}
	return fresh, nil
}

func (t *shelfTx) LastRemote(context.Context, []model.UUID) (map[model.UUID]model.Change, error) {
	return map[model.UUID]model.Change{}, nil
}

func (t *shelfTx) LogRemote(_ context.Context, changes []model.Change) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines += len(changes)
	return nil
}

// asked is an account that notes when it was asked.
type asked struct {
	mu     sync.Mutex
	times  []time.Time
	during func()
}

func (a *asked) Events(context.Context, exa.EventFilter, exa.Page) (exa.List[model.WebsetEvent], error) {
	a.mu.Lock()
	a.times = append(a.times, time.Now())
	during := a.during
	a.mu.Unlock()
	if during != nil {
		during()
	}
	return exa.List[model.WebsetEvent]{}, nil
}

// since returns when it was asked, in seconds after a time.
func (a *asked) since(begun time.Time) []int {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := make([]int, len(a.times))
	for i, at := range a.times {
		out[i] = int(at.Sub(begun) / time.Second)
	}
	return out
}

// Accounts are looked at every interval, all of them however many there are, and the worker ends when it is told to.
func TestTheWorkersHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{feeds: map[model.UserID]store.WebsetFeed{}, taken: map[string]bool{}}
		begun := time.Now()
		for _, user := range []string{"a", "b", "c", "d", "e", "f", "g"} {
			s.feeds[model.UserIDOf(user)] = store.WebsetFeed{User: model.UserIDOf(user), Seen: begun, NextAt: begun}
		}
		account := &asked{during: func() { time.Sleep(time.Second) }} // in the bubble
		r := &websets.Repair{Store: s, Now: time.Now, Interval: 5 * time.Minute, Concurrent: 3,
			Account: func(context.Context, model.UserID) (websets.Events, error) { return account, nil }}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		time.Sleep(21 * time.Minute)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		times := account.since(begun)
		if first := times[:7]; !slices.Equal(first, []int{0, 0, 0, 1, 1, 1, 2}) {
			t.Errorf("first looked at %v", first)
		}
		if len(times) != 5*7 {
			t.Errorf("looked %d times: %v", len(times), times)
		}
	})
}

// Many rings make one look, after a moment; one that comes while it is looked makes another; and nothing is due by
// itself without an interval.
func TestRings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{feeds: map[model.UserID]store.WebsetFeed{dana: {User: dana}}, taken: map[string]bool{}}
		begun := time.Now()
		account := &asked{}
		r := &websets.Repair{Store: s, Now: time.Now,
			Account: func(context.Context, model.UserID) (websets.Events, error) { return account, nil }}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		time.Sleep(time.Hour)
		if times := account.since(begun); len(times) != 0 {
			t.Errorf("without a ring looked at %v", times)
		}
		begun = time.Now()
		for range 100 {
			r.Ring(dana, time.Now())
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		if times := account.since(begun); !slices.Equal(times, []int{3}) {
			t.Errorf("rung for a second, looked at %v", times)
		}
		account.mu.Lock()
		account.times, account.during = nil, func() {
			account.mu.Lock()
			first := len(account.times) == 1
			account.mu.Unlock()
			time.Sleep(10 * time.Second)
			if first {
				r.Ring(dana, time.Now())
			}
		}
		account.mu.Unlock()
		begun = time.Now()
		r.Ring(dana, time.Now())
		time.Sleep(5 * time.Second)
		r.Ring(dana, time.Time{}) // while it is looked
		time.Sleep(time.Minute)
		if times := account.since(begun); !slices.Equal(times, []int{3, 16}) {
			t.Errorf("rung for while it was looked, looked at %v", times)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

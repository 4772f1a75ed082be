package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testWebsets(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("webhooks", func(t *testing.T) { websetHooks(h.in(t)) })
	t.Run("in transactions", func(t *testing.T) { websetsInTransactions(h.in(t)) })
	t.Run("a feed's life", func(t *testing.T) { websetFeedLives(newFixture(t, open)) })
	t.Run("feeds that are due", func(t *testing.T) { websetFeedsDue(newFixture(t, open)) })
	t.Run("due to one of many", func(t *testing.T) { websetFeedsDueParallel(newFixture(t, open), open) })
	t.Run("events", func(t *testing.T) { websetEvents(h.in(t)) })
	t.Run("events of many at once", func(t *testing.T) { websetEventsParallel(newFixture(t, open), open) })
	t.Run("forgetting events", func(t *testing.T) { websetEventsForgotten(newFixture(t, open)) })
	t.Run("tenancy", func(t *testing.T) { websetTenancy(h.in(t)) })
}

// hook makes a webhook so many seconds after noon.
func (h *fixture) hook(receives bool, seconds int) store.WebsetHook {
	return store.WebsetHook{User: h.user, ID: h.ids.next(), Receives: receives,
		CreatedAt: noon.Add(time.Duration(seconds) * time.Second)}
}

func (h *fixture) saveHook(hooks ...store.WebsetHook) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error {
		for _, hook := range hooks {
			if err := tx.SaveWebsetHook(ctx, hook); err != nil {
				return err
			}
		}
		return nil
	})
}

func (h *fixture) deleteHook(id model.UUID) error {
	return h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error { return tx.DeleteWebsetHook(ctx, id) })
}

func (h *fixture) hooks() []store.WebsetHook {
	h.Helper()
	return must(h, func() ([]store.WebsetHook, error) { return h.WebsetHooks(h.ctx, h.user) })
}

// dueFeeds takes feeds; those that it returns are due again at until.
func (h *fixture) dueFeeds(now, until time.Time, limit int) []store.WebsetFeed {
	h.Helper()
	return must(h, func() ([]store.WebsetFeed, error) { return h.DueWebsetFeeds(h.ctx, now, until, limit) })
}

// takes takes events in a transaction of its own.
func (h *fixture) takesEvents(at time.Time, events ...string) []string {
	h.Helper()
	return must(h, func() (fresh []string, err error) {
		return fresh, h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			fresh, err = tx.TakeWebsetEvents(ctx, events, at)
			return err
		})
	})
}

func websetHooks(h *fixture) {
	h = h.as("hooks")
	h.same("before", len(h.hooks()), 0)
	_, err := h.WebsetHook(h.ctx, h.user, h.ids.next())
	h.fails("one of nobody", err, store.ErrNotFound)
	head := h.head()

	asked, elsewhere, early := h.hook(true, 2), h.hook(false, 2), h.hook(false, 1)
	asked.CreatedAt = asked.CreatedAt.Add(1234).In(time.FixedZone("east", 7200))
	asked.User = model.UserIDOf("somebody else") // it is not looked at
	elsewhere.Remote, elsewhere.Secret = "webhook_2", []byte("\x00ciphertext\xff")
	h.saveHook(asked, elsewhere, early)
	asked.User, asked.CreatedAt = h.user, noon.Add(2*time.Second+1000)
	h.same("the oldest first", h.hooks(), []store.WebsetHook{early, elsewhere, asked})

	answered := asked
	answered.Remote, answered.Secret = "webhook_1", []byte("sealed")
	h.saveHook(answered)
	h.same("answered", must(h, func() (store.WebsetHook, error) { return h.WebsetHook(h.ctx, h.user, asked.ID) }),
		answered)
	h.same("in its place", h.hooks(), []store.WebsetHook{early, elsewhere, answered})
	twin := early
	twin.ID = h.ids.next()
	h.saveHook(twin)
	h.same("of one moment, by id", h.hooks(), []store.WebsetHook{early, twin, elsewhere, answered})

	for _, bad := range []string{"a\x00b", "a\xffb"} {
		err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			spoilt := h.hook(true, 0)
			spoilt.Remote = bad
			return tx.SaveWebsetHook(ctx, spoilt)
		})
		if model.CodeOf(err) != model.CodeBadUserInput {
			h.Errorf("%q: got %v, want BAD_USER_INPUT", bad, err)
		}
	}

	for range store.MaxWebsetHooks - len(h.hooks()) {
		h.saveHook(h.hook(false, 3))
	}
	h.write(func(ctx context.Context, tx store.Tx) error {
		h.fails("one too many", tx.SaveWebsetHook(ctx, h.hook(true, 4)), store.ErrConflict)
		return tx.SaveWebsetHook(ctx, answered) // one that is there has its place
	})
	h.same("kept", len(h.hooks()), store.MaxWebsetHooks)
	if err := errors.Join(h.deleteHook(elsewhere.ID), h.deleteHook(twin.ID)); err != nil {
		h.Errorf("DeleteWebsetHook: %v", err)
	}
	h.fails("deleted twice", h.deleteHook(twin.ID), store.ErrNotFound)
	h.same("left", h.hooks()[:2], []store.WebsetHook{early, answered})
	h.saveHook(h.hook(false, 5)) // there is room again
	h.same("log", h.log(head), []string{})
}

func websetsInTransactions(h *fixture) {
	h = h.as("hooks in transactions")
	hook := h.hook(true, 0)
	h.write(func(ctx context.Context, tx store.Tx) error {
		if err := tx.SaveWebsetHook(ctx, hook); err != nil {
			return err
		}
		h.same("inside", must(h, func() ([]store.WebsetHook, error) { return tx.WebsetHooks(ctx, h.user) }),
			[]store.WebsetHook{hook})
		h.same("by id", must(h, func() (store.WebsetHook, error) { return tx.WebsetHook(ctx, h.user, hook.ID) }), hook)
		h.same("outside", len(h.hooks()), 0)
		return nil
	})
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		fresh, err := tx.TakeWebsetEvents(ctx, []string{"undone"}, noon)
		h.same("taken", fresh, []string{"undone"})
		return errors.Join(err, tx.DeleteWebsetHook(ctx, hook.ID),
			tx.LogRemote(ctx, []model.Change{remote("undone", model.OperationUpdated, "")}), errFailed)
	})
	h.fails("a failing write", err, errFailed)
	h.same("leaves it", h.hooks(), []store.WebsetHook{hook})
	h.same("and has taken nothing", h.takesEvents(noon, "undone"), []string{"undone"})
	stranger := h.as("a stranger to feeds").user
	h.write(func(ctx context.Context, _ store.Tx) error {
		err := h.SaveWebsetFeed(ctx, store.WebsetFeed{User: stranger})
		if err == nil || errors.Is(err, store.ErrNotFound) {
			h.Errorf("another user's feed in a Write: %v", err)
		}
		return nil
	})
	tomorrow := noon.Add(24 * time.Hour)
	h.write(func(ctx context.Context, _ store.Tx) error {
		return h.SaveWebsetFeed(ctx, store.WebsetFeed{User: h.user, Seen: noon, NextAt: tomorrow})
	})
	h.same("saved with the transaction", len(h.dueFeeds(noon, noon.Add(time.Minute), 10)), 0)
}

// websetFeedLives: a feed is there as long as a webhook receives.
func websetFeedLives(h *fixture) {
	h = h.as("fed")
	far := noon.Add(1000 * time.Hour)
	look := func() []store.WebsetFeed {
		h.Helper()
		feeds := h.dueFeeds(far, far, 10)
		for i := range feeds {
			h.same("until", feeds[i].NextAt, far)
			feeds[i].NextAt = time.Time{}
		}
		return feeds
	}
	feed := func(seconds, failures int) []store.WebsetFeed {
		return []store.WebsetFeed{{User: h.user, Seen: noon.Add(time.Duration(seconds) * time.Second), Failures: failures}}
	}
	var none []store.WebsetFeed
	h.saveHook(h.hook(false, 1))
	h.same("without one that receives", look(), none)
	h.fails("SaveWebsetFeed without one", h.SaveWebsetFeed(h.ctx, store.WebsetFeed{User: h.user, Seen: far, NextAt: far}),
		store.ErrNotFound)
	first, second := h.hook(true, 10), h.hook(true, 20)
	h.saveHook(first)
	h.same("not due before the webhook was made", len(h.dueFeeds(first.CreatedAt.Add(-time.Microsecond), far, 10)), 0)
	h.same("begun with the webhook", look(), feed(10, 0))
	h.saveHook(second, first)
	h.same("not begun anew", look(), feed(10, 0))

	save := func(seconds, failures int) {
		h.Helper()
		if err := h.SaveWebsetFeed(h.ctx, store.WebsetFeed{User: h.user, Seen: noon.Add(time.Duration(seconds) * time.Second),
			NextAt: far, Failures: failures}); err != nil {
			h.Errorf("SaveWebsetFeed: %v", err)
		}
	}
	save(30, 2)
	h.same("read on", look(), feed(30, 2))
	save(15, 0)
	h.same("never goes back", look(), feed(30, 0))
	h.saveHook(second)
	h.same("a webhook that is saved again changes nothing", look(), feed(30, 0))

	if err := h.deleteHook(first.ID); err != nil {
		h.Fatal(err)
	}
	h.same("one is left", look(), feed(30, 0))
	second.Receives = false
	h.saveHook(second)
	h.same("the last one receives no more", look(), none)
	second.Receives, second.CreatedAt = true, noon.Add(40*time.Second)
	h.saveHook(second)
	h.same("and does again", look(), feed(40, 0))
	if err := h.deleteHook(second.ID); err != nil {
		h.Fatal(err)
	}
	h.same("the last one is deleted", look(), none)
	h.fails("SaveWebsetFeed afterwards", h.SaveWebsetFeed(h.ctx, store.WebsetFeed{User: h.user, Seen: far, NextAt: far}),
		store.ErrNotFound)
	h.same("which begins none", look(), none)
}

func websetFeedsDue(h *fixture) {
	one, two, three := h.as("feed one"), h.as("feed two"), h.as("feed three")
	now, until := noon.Add(time.Hour), noon.Add(2*time.Hour+999)
	kept := noon.Add(2 * time.Hour)
	two.saveHook(two.hook(true, 0))
	one.saveHook(one.hook(true, 60))
	three.saveHook(three.hook(true, 3600)) // exactly now
	h.as("feed four").saveHook(h.hook(true, 3601))
	at := func(u *fixture, seconds int) store.WebsetFeed {
		return store.WebsetFeed{User: u.user, Seen: noon.Add(time.Duration(seconds) * time.Second), NextAt: kept}
	}
	heads := []int64{one.head(), two.head(), three.head()}
	h.same("none wanted", len(h.dueFeeds(now, until, 0)), 0)
	h.same("none wanted at all", len(h.dueFeeds(now, until, -1)), 0)
	h.same("before any is due", len(h.dueFeeds(noon.Add(-time.Second), until, 10)), 0)
	h.same("the longest waiting first, so many", h.dueFeeds(now, until, 2), []store.WebsetFeed{at(two, 0), at(one, 60)})
	h.same("the rest", h.dueFeeds(now, until, 10), []store.WebsetFeed{at(three, 3600)})
	h.same("none is left", len(h.dueFeeds(now, until, 10)), 0)
	if err := h.SaveWebsetFeed(h.ctx, store.WebsetFeed{User: two.user, Seen: now, NextAt: now.Add(30 * time.Minute),
		Failures: 7}); err != nil {
		h.Fatal(err)
	}
	soon := now.Add(40 * time.Minute)
	// that of four is due for longer
	h.same("at the time that was saved", h.dueFeeds(soon, until, 1)[0].User == two.user, false)
	h.same("with what was saved", h.dueFeeds(soon, until, 10),
		[]store.WebsetFeed{{User: two.user, Seen: now, NextAt: kept, Failures: 7}})
	h.same("all of them when until has come, to the microsecond", len(h.dueFeeds(kept, kept.Add(time.Hour), 10)), 4)
	h.same("not in the log", []int64{one.head(), two.head(), three.head()}, heads)
}

// websetFeedsDueParallel has two processes with many goroutines take what is due: each feed is given once in a round,
// and none is forgotten.
func websetFeedsDueParallel(h *fixture, open Open) {
	beside := open(h.T, Options{Now: h.clock.Now, Beside: h.Store})
	const users, workers = 16, 6
	for u := range users {
		user := h.as(fmt.Sprint("fed at once ", u))
		user.saveHook(user.hook(true, 0))
	}
	for round := range 2 {
		now := noon.Add(time.Duration(round) * time.Hour)
		until := now.Add(time.Hour)
		var (
			wait  sync.WaitGroup
			mu    sync.Mutex
			taken []string
		)
		start := make(chan struct{})
		for worker := range workers {
			of := []store.Store{h.Store, beside}[worker%2]
			wait.Go(func() {
				<-start
				for {
					feeds, err := of.DueWebsetFeeds(h.ctx, now, until, 3)
					if err != nil {
						h.Errorf("DueWebsetFeeds: %v", err)
						return
					}
					mu.Lock()
					for _, feed := range feeds {
						taken = append(taken, fmt.Sprint(feed.User))
					}
					done := len(taken) >= users
					mu.Unlock()
					if len(feeds) == 0 && done {
						return
					}
				}
			})
		}
		close(start)
		wait.Wait()
		slices.Sort(taken)
		h.same("taken, and each once", []int{len(taken), len(slices.Compact(taken))}, []int{users, users})
	}
}

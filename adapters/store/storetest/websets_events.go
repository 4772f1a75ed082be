package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func websetEvents(h *fixture) {
	h = h.as("events")
	head := h.head()
	var none []string
	h.same("none", h.takesEvents(noon), none)
	h.same("in the order given, each once", h.takesEvents(noon, "c", "a", "c", "B", "a"), []string{"c", "a", "B"})
	h.same("known ones", h.takesEvents(noon.Add(time.Hour), "a", "b", "c", "אירוע"), []string{"b", "אירוע"})
	h.same("all known", h.takesEvents(noon, "אירוע", "B"), none)
	long := strings.Repeat("x", 400)
	h.same("a long one", h.takesEvents(noon, long, long[1:]), []string{long, long[1:]})
	many := make([]string, 300)
	for i := range many {
		many[i] = fmt.Sprintf("event_%03d", (i*7)%300)
	}
	h.same("many", h.takesEvents(noon, many...), many)
	h.write(func(ctx context.Context, tx store.Tx) error {
		first, err := tx.TakeWebsetEvents(ctx, []string{"within"}, noon)
		again, err2 := tx.TakeWebsetEvents(ctx, []string{"within"}, noon)
		h.same("in one transaction", [][]string{first, again}, [][]string{{"within"}, none})
		return errors.Join(err, err2)
	})
	for _, bad := range []string{"a\x00b", "a\xffb"} {
		h.write(func(ctx context.Context, tx store.Tx) error {
			if _, err := tx.TakeWebsetEvents(ctx, []string{"good beside " + bad[:1], bad},
				noon); model.CodeOf(err) != model.CodeBadUserInput {
				h.Errorf("%q: got %v, want BAD_USER_INPUT", bad, err)
			}
			return nil
		})
	}
	h.same("none of those beside a bad one is taken", h.takesEvents(noon, "good beside a"), []string{"good beside a"})
	h.same("log", h.log(head), []string{})
}

// websetEventsParallel has two processes tell overlapping events at once: each event is told once, with its line in the
// log, also when half of the transactions fail.
func websetEventsParallel(h *fixture, open Open) {
	beside := open(h.T, Options{Now: h.clock.Now, Beside: h.Store})
	h = h.as("told at once")
	const workers, rounds, events = 6, 4, 12
	var wait sync.WaitGroup
	for worker := range workers {
		of := []store.Store{h.Store, beside}[worker%2]
		random := dice(uint64(worker))
		wait.Go(func() {
			for round := range rounds {
				ids := make([]string, events)
				for i, n := range random.Perm(events) {
					ids[i] = fmt.Sprintf("event %d", n)
				}
				err := of.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
					fresh, err := tx.TakeWebsetEvents(ctx, ids[:1+random.IntN(events)], noon)
					if err != nil {
						return err
					}
					changes := make([]model.Change, len(fresh))
					for i, event := range fresh {
						changes[i] = remote(event, model.OperationUpdated, "")
					}
					if err := tx.LogRemote(ctx, changes); err != nil {
						return err
					}
					if (worker+round)%2 == 0 {
						return errFailed
					}
					return nil
				})
				if err != nil && !errors.Is(err, errFailed) {
					h.Errorf("Write: %v", err)
				}
			}
		})
	}
	wait.Wait()
	told := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, 0, nil, 1000) })
	names := make([]string, 0, events)
	for _, change := range told {
		names = append(names, change.Remote)
	}
	all := make([]string, events)
	for i := range all {
		all[i] = fmt.Sprintf("event %d", i)
	}
	untold := h.takesEvents(noon, all...)
	names = append(names, untold...)
	slices.Sort(names)
	slices.Sort(all)
	h.same("told once, or not at all", names, all)
	if len(told) == 0 {
		h.Error("nothing was told")
	}
}

// websetEventsForgotten: an event is known for as long as the remote returns it, and no longer than a sweep after that.
func websetEventsForgotten(h *fixture) {
	h = h.as("forgets events")
	var none []string
	old := make([]string, 1500) // more than a sweep deletes at once
	for i := range old {
		old[i] = fmt.Sprint("old ", i)
	}
	h.takesEvents(noon, old...)
	h.takesEvents(noon.Add(time.Hour), "newer")
	sweep := func(at time.Time) {
		h.Helper()
		if err := h.Sweep(h.ctx, at, 1e4*time.Hour); err != nil {
			h.Fatalf("Sweep: %v", err)
		}
	}
	sweep(noon.Add(store.WebsetEventsKept - time.Minute))
	h.same("kept", h.takesEvents(noon, "old 0", "old 1499", "newer"), none)
	sweep(noon.Add(store.WebsetEventsKept + time.Minute))
	h.same("forgotten, the newer one not", h.takesEvents(noon, append([]string{"newer"}, old...)...), old)
}

// websetTenancy: two users have the same webhooks, events and feeds, and neither sees, takes or ends those of the
// other.
func websetTenancy(h *fixture) {
	owner, thief := h.as("owner of hooks"), h.as("thief of hooks")
	hook := owner.hook(true, 0)
	hook.Remote, hook.Secret = "webhook_1", []byte("the owner's")
	owner.saveHook(hook)
	owner.takesEvents(noon, "event_1")
	far := noon.Add(1e4 * time.Hour)

	_, err := thief.WebsetHook(h.ctx, thief.user, hook.ID)
	h.fails("WebsetHook", err, store.ErrNotFound)
	h.fails("DeleteWebsetHook", thief.deleteHook(hook.ID), store.ErrNotFound)
	h.fails("SaveWebsetFeed", thief.SaveWebsetFeed(h.ctx, store.WebsetFeed{User: thief.user, Seen: far, NextAt: far}),
		store.ErrNotFound)
	h.same("WebsetHooks", len(thief.hooks()), 0)
	thief.write(func(ctx context.Context, tx store.Tx) error {
		_, err := tx.WebsetHook(ctx, thief.user, hook.ID)
		h.fails("WebsetHook of the transaction", err, store.ErrNotFound)
		return nil
	})
	h.same("the same event for oneself", thief.takesEvents(noon, "event_1"), []string{"event_1"})
	twin := hook
	twin.User, twin.Secret, twin.CreatedAt = thief.user, []byte("mine"), noon.Add(time.Minute)
	thief.saveHook(twin)
	h.same("the same id for oneself", thief.hooks(), []store.WebsetHook{twin})
	if err := thief.deleteHook(twin.ID); err != nil {
		h.Error(err)
	}
	h.same("the owner's webhook", owner.hooks(), []store.WebsetHook{hook})
	var feeds []model.UserID
	for _, feed := range h.dueFeeds(far, far, 1000) {
		if feed.User == owner.user || feed.User == thief.user {
			feeds = append(feeds, feed.User)
			h.same("seen", feed.Seen, noon)
		}
	}
	h.same("the owner's feed, and no other", feeds, []model.UserID{owner.user})
	var none []string
	h.same("the owner's event", owner.takesEvents(noon, "event_1"), none)
}

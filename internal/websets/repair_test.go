package websets_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/seal"
	standin "almanac/internal/standin/exa"
	"almanac/internal/websets"
)

// listed is an account with events, which lists them as it is told to.
type listed struct {
	mu        sync.Mutex
	events    []model.WebsetEvent
	ascending bool
	fail      error
	asked     []exa.EventFilter
	// during is called with each page that is asked for.
	during func()
}

func (l *listed) Events(_ context.Context, filter exa.EventFilter, page exa.Page) (exa.List[model.WebsetEvent], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.during != nil {
		l.during()
	}
	if page.After == "" {
		l.asked = append(l.asked, filter)
	}
	if l.fail != nil {
		return exa.List[model.WebsetEvent]{}, l.fail
	}
	var found []model.WebsetEvent
	for _, e := range l.events {
		if !e.CreatedAt.Before(filter.CreatedAfter) &&
			(filter.CreatedBefore.IsZero() || !e.CreatedAt.After(filter.CreatedBefore)) {
			found = append(found, e)
		}
	}
	if !l.ascending {
		slices.Reverse(found)
	}
	from := 0
	if page.After != "" {
		if _, err := fmt.Sscan(page.After, &from); err != nil {
			return exa.List[model.WebsetEvent]{}, err
		}
	}
	to := min(from+page.Limit, len(found))
	out := exa.List[model.WebsetEvent]{Items: found[min(from, to):to]}
	if to < len(found) {
		out.Next = fmt.Sprint(to)
	}
	return out, nil
}

// add lets so many items be found, one in each step of time.
func (l *listed) add(n int, from time.Time, step time.Duration) {
	for range n {
		i := len(l.events)
		l.events = append(l.events, model.WebsetEvent{
			Ref: model.WebsetRef{Kind: model.KindWebsetEvent, ID: fmt.Sprint("event_", i)}, Type: "webset.item.created",
			CreatedAt: from,
			Subject:   model.WebsetRef{Kind: model.KindWebsetItem, Within: "ws_1", ID: fmt.Sprint("item_", i)}, Webset: "ws_1",
		})
		from = from.Add(step)
	}
}

// items are the lines of items from one to another.
func items(from, to int) []string {
	lines := []string{}
	for i := from; i < to; i++ {
		lines = append(lines, fmt.Sprint("WEBSET_ITEM CREATED item_", i))
	}
	return lines
}

// lists has every user served by one account.
func (h *scene) lists(account *listed) {
	h.repair.Account = func(context.Context, model.UserID) (websets.Events, error) { return account, nil }
}

// hear begins a user's feed.
func (h *scene) hear(user model.UserID) store.WebsetHook {
	h.Helper()
	hook := store.WebsetHook{User: user, ID: h.ids.New(), Receives: true, CreatedAt: h.clock.Now()}
	h.save(hook)
	return hook
}

// feed takes a user's feed away from the worker, to look at it; it is due at once again.
func (h *scene) feed(user model.UserID) store.WebsetFeed {
	h.Helper()
	far := h.clock.Now().Add(1e6 * time.Hour)
	feeds, err := h.store.DueWebsetFeeds(h.Context(), far, far, 100)
	if err != nil {
		h.Fatal(err)
	}
	for _, feed := range feeds {
		if feed.User == user {
			feed.NextAt = time.Time{}
			if err := h.store.SaveWebsetFeed(h.Context(), feed); err != nil {
				h.Fatal(err)
			}
			return feed
		}
	}
	h.Fatal("there is no feed")
	return store.WebsetFeed{}
}

// Whichever way the remote sorts, what is read is told once, in the order in which it happened, and the next look
// begins a minute before where this one ended.
func TestWhatNoWebhookTold(t *testing.T) {
	for _, ascending := range []bool{false, true} {
		h := newScene(t, sqliteStore(t))
		h.hear(dana)
		account := &listed{ascending: ascending}
		h.lists(account)
		begun := h.clock.Now()
		account.add(450, begun.Add(time.Second), 100*time.Millisecond)
		h.clock.Advance(5 * time.Minute)
		if l := h.look(1)[0]; l.Outcome != websets.OutcomeRead || l.Changes != 450 || l.Known != 0 {
			t.Errorf("%+v", l)
		}
		if got := h.log(dana); !slices.Equal(got, items(0, 450)) {
			t.Errorf("ascending %v: the log has %d lines: %v", ascending, len(got), got)
		}
		newest := account.events[449].CreatedAt
		if feed := h.feed(dana); !feed.Seen.Equal(newest) || feed.Failures != 0 {
			t.Errorf("%+v, want it seen up to %v", feed, newest)
		}
		account.add(1, newest.Add(-30*time.Second), 0) // listed late
		account.add(1, h.clock.Now(), 0)
		if l := h.look(1)[0]; l.Changes != 2 || l.Known != 450 {
			t.Errorf("%+v", l)
		}
		if got := h.log(dana); !slices.Equal(got, items(0, 452)) {
			t.Errorf("the log ends with %v", got[450:])
		}
		if first, last := account.asked[0], account.asked[len(account.asked)-1]; !first.CreatedAfter.Equal(
			begun.Add(-time.Minute)) || !last.CreatedAfter.Equal(newest.Add(-time.Minute)) {
			t.Errorf("asked from %v and %v", first.CreatedAfter, last.CreatedAfter)
		}
	}
}

// More than a look reads is told by several, in order, each of which comes further than the one before; also when all
// of it happened within a second.
func TestMoreThanOneLookReads(t *testing.T) {
	for name, c := range map[string]struct {
		ascending bool
		step      time.Duration
		// all: nothing is left out, which cannot be where one moment has more than a look reads.
		all bool
	}{
		"the newest first": {false, 10 * time.Millisecond, true},
		"the oldest first": {true, 10 * time.Millisecond, true},
		"in one moment":    {true, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newScene(t, sqliteStore(t))
			h.hear(dana)
			account := &listed{ascending: c.ascending}
			h.lists(account)
			h.repair.Pages = 2
			account.add(1000, h.clock.Now().Add(time.Second), c.step)
			h.clock.Advance(5 * time.Minute)
			looks := 0
			for part := true; part && looks < 30; looks++ {
				part = h.look(1)[0].Outcome == websets.OutcomePart
			}
			if looks == 1 || looks == 30 {
				t.Errorf("%d looks", looks)
			}
			got := h.log(dana)
			if c.all && !slices.Equal(got, items(0, 1000)) {
				t.Errorf("the log has %d lines", len(got))
			}
			if !c.all && len(got) < 400 {
				t.Errorf("the log has only %d lines", len(got))
			}
		})
	}
}

// What fails is tried again later and later; what a person has to mend is left alone for long, and is no failure; what
// happened meanwhile is told afterwards.
func TestFailures(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	h.hear(dana)
	account := &listed{}
	h.lists(account)
	account.add(3, h.clock.Now().Add(time.Second), time.Second)
	waits := func() time.Duration {
		t.Helper()
		until := h.clock.Now()
		for range 300 { // by the minute, until it is due
			feeds, err := h.store.DueWebsetFeeds(t.Context(), until, until, 1)
			if err != nil {
				t.Fatal(err)
			}
			if len(feeds) > 0 {
				return until.Sub(h.clock.Now())
			}
			until = until.Add(15 * time.Second)
		}
		t.Fatal("it is never due")
		return 0
	}
	step := func(fail error, outcome websets.Outcome, wait time.Duration) {
		t.Helper()
		account.fail = fail
		if got := h.look(1)[0]; got.Outcome != outcome || fail != nil && got.Code != model.CodeOf(fail) {
			t.Errorf("%v: %+v, want %s", fail, got, outcome)
		}
		got := waits()
		if got != wait {
			t.Errorf("%v: due after %v, want %v", fail, got, wait)
		}
		h.clock.Advance(got)
	}
	away := model.Errorf(model.CodeUpstreamUnavailable, "Exa does not answer.")
	slow := model.Errorf(model.CodeUpstreamRateLimited, "Exa wants to be left alone.")
	slow.RetryAfter = 10 * time.Minute
	step(away, websets.OutcomeFailed, 15*time.Second)
	step(away, websets.OutcomeFailed, 30*time.Second)
	step(errors.New("a panic of ours"), websets.OutcomeFailed, time.Minute)
	step(slow, websets.OutcomeFailed, 10*time.Minute)
	for range 5 {
		account.fail = away
		h.look(1)
		h.clock.Advance(waits())
	}
	step(away, websets.OutcomeFailed, 30*time.Minute)
	for _, code := range []model.ErrorCode{model.CodeNotConnected, model.CodeNotConfigured, model.CodeUpstreamRejected,
		model.CodeForbidden} {
		step(model.Errorf(code, "Link a key."), websets.OutcomeParked, time.Hour)
	}
	if len(h.log(dana)) != 0 {
		t.Error("something was told")
	}
	step(nil, websets.OutcomeRead, 5*time.Minute)
	if got := h.log(dana); !slices.Equal(got, items(0, 3)) {
		t.Errorf("told %v", got)
	}
	account.during = func() { panic("the adapter's mistake") }
	step(nil, websets.OutcomeFailed, 15*time.Second)
}

// A feed that ends while it is read tells nothing more.
func TestAFeedThatEnds(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	hook := h.hear(dana)
	account := &listed{}
	account.add(3, h.clock.Now(), time.Second)
	account.during = func() {
		if err := h.store.Write(t.Context(), dana, func(ctx context.Context,
			tx store.Tx) error {
			return tx.DeleteWebsetHook(ctx, hook.ID)
		}); err != nil {
			t.Error(err)
		}
	}
	h.lists(account)
	if l := h.look(1)[0]; l.Outcome != websets.OutcomeGone || len(h.log(dana)) != 0 {
		t.Errorf("%+v, told %v", l, h.log(dana))
	}
}

// A worker that is told to stop while it reads returns the account back, and another goes on at once.
func TestStopping(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	h.hear(dana)
	ctx, stop := context.WithCancel(t.Context())
	account := &listed{fail: context.Canceled, during: stop}
	account.add(1, h.clock.Now(), 0)
	h.lists(account)
	if err := h.repair.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if l := <-h.looks; l.Outcome != websets.OutcomeStopped {
		t.Errorf("%+v", l)
	}
	account.fail, account.during = nil, nil
	if l := h.look(1)[0]; l.Changes != 1 {
		t.Errorf("%+v", l)
	}
}

// Several processes with several hands each, beside webhooks that come twice and in any order: every event is told
// once.
func TestManyProcesses(t *testing.T) {
	eachPlug(t, func(t *testing.T, s store.Store) {
		h := newScene(t, s)
		const users, events = 6, 40
		accounts := map[model.UserID]*listed{}
		hooks := map[model.UserID]store.WebsetHook{}
		for i := range users {
			user := model.UserIDOf(fmt.Sprint("user ", i))
			accounts[user] = &listed{}
			accounts[user].add(events, h.clock.Now().Add(time.Second), time.Second)
			hook := h.hear(user)
			hook.Secret, _ = h.hooks.Seal(user, hook.ID, "whsec_x")
			h.save(hook)
			hooks[user] = hook
		}
		h.repair.Account = func(_ context.Context, user model.UserID) (websets.Events, error) { return accounts[user], nil }
		h.receiver.Observe = nil
		h.clock.Advance(5 * time.Minute)
		ctx, stop := context.WithCancel(t.Context())
		var wait, workers sync.WaitGroup
		for range 3 {
			process := &websets.Repair{Store: s, Account: h.repair.Account, Now: h.clock.Now, Interval: time.Minute,
				Concurrent: 2, Observe: h.repair.Observe}
			workers.Go(func() {
				if err := process.Run(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		for user, hook := range hooks {
			path := h.pathOf(hook)
			for half := range 2 {
				wait.Go(func() {
					for i := half; i < events; i += 3 {
						e := accounts[user].events[i]
						body := eventOf(e.Ref.ID, e.Type, "webset_item", e.Subject.ID, "ws_1", e.CreatedAt)
						if got := h.post(path, standin.Sign(h.clock.Now(), body, "whsec_x"), body); got != 204 {
							t.Errorf("%s: %d", e.Ref.ID, got)
						}
					}
				})
			}
		}
		wait.Wait()
		for range users {
			if l := <-h.looks; l.Outcome != websets.OutcomeRead {
				t.Errorf("%+v", l)
			}
		}
		stop()
		workers.Wait()
		for user := range hooks {
			got := h.log(user)
			slices.Sort(got)
			want := items(0, events)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%v was told %d lines, want %d", user, len(got), len(want))
			}
		}
	})
}

// Of an account that several share, a webhook is told of everything; each user hears of their own, and of nothing else.
func TestASharedAccount(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	sealer, err := seal.New(slices.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	h.account = func(user model.UserID) *exa.Account {
		return &exa.Account{Client: h.client, Key: "the server's", Owner: exa.Owner{Seal: sealer, User: user}}
	}
	h.listen(dana)
	h.listen(noam)
	hers, his := h.search(dana, 3), h.search(noam, 4)
	h.pass(4, 30*time.Second)
	if len(h.log(dana)) != 0 || len(h.log(noam)) != 0 {
		t.Error("something was told without asking whose it is")
	}
	for _, outcome := range h.came {
		if outcome != websets.DeliveryRung {
			t.Errorf("a delivery was %s", outcome)
		}
	}
	h.repair.Interval = 0 // only what was rung for
	for _, l := range h.look(2) {
		if l.Outcome != websets.OutcomeRead || l.Changes == 0 {
			t.Errorf("%+v", l)
		}
	}
	for user, webset := range map[model.UserID][2]model.Webset{dana: {hers, his}, noam: {his, hers}} {
		got, want := h.log(user), told(h.events(user))
		if !slices.Equal(got, want) || len(got) < 8 {
			t.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		text := strings.Join(got, "\n")
		if !strings.Contains(text, webset[0].Ref.ID) || strings.Contains(text, webset[1].Ref.ID) {
			t.Errorf("told of %s, or not of %s:\n%s", webset[1].Ref.ID, webset[0].Ref.ID, text)
		}
	}
}

// Settings that would do nothing are told at once.
func TestIncompleteWorkers(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	for _, r := range []*websets.Repair{
		{}, {Store: h.store, Now: h.clock.Now}, {Account: h.repair.Account, Now: h.clock.Now},
		{Store: h.store, Account: h.repair.Account},
		{Store: h.store, Account: h.repair.Account, Now: h.clock.Now, Interval: -1},
	} {
		if err := r.Run(t.Context()); err == nil {
			t.Errorf("%+v runs", r)
		}
	}
}

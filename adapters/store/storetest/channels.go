package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testChannels: round trips, replacing, what is due, leases, deleting, and other users.
func testChannels(t *testing.T, open Open) {
	h := newFixture(t, open)
	at := noon
	hook := model.Channel{User: h.user, ID: h.ids.next(), Kind: model.ChannelWebhook, Hash: [32]byte{1, 2},
		Sealed: []byte{0, 255}, State: `{"Host":"example.com"}`, CreatedAt: at, UpdatedAt: at, DueAt: at}
	push := hook
	push.ID, push.Kind, push.Place = h.ids.next(), model.ChannelPush, 2
	save := func(operation model.Operation, channel model.Channel) {
		h.Helper()
		h.write(func(ctx context.Context, tx store.Tx) error { return tx.SaveChannel(ctx, operation, channel) })
	}
	expect := func(what string, want ...model.Channel) {
		h.Helper()
		h.same(what, must(h, func() ([]model.Channel, error) { return h.Channels(h.ctx, h.user) }), want)
	}
	claim := func(now, until time.Time) []model.Channel {
		h.Helper()
		return must(h, func() ([]model.Channel, error) { return h.ClaimChannels(h.ctx, now, until, 10) })
	}
	save(model.OperationCreated, hook)
	save(model.OperationCreated, push)
	expect("saved", hook, push)
	kinds := []string{}
	for _, change := range must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, 0, nil, 10) }) {
		kinds = append(kinds, string(change.Type)+" "+string(change.Operation))
	}
	h.same("their changes", kinds, []string{"WEBHOOK CREATED", "PUSH_SUBSCRIPTION CREATED"})
	other := h.as("other")
	if all := must(other, func() ([]model.Channel, error) { return other.Channels(h.ctx, other.user) }); len(all) > 0 {
		t.Errorf("another user has %+v", all)
	}

	if due := claim(at.Add(-time.Second), at); len(due) > 0 {
		t.Errorf("before its time %+v is due", due)
	}
	// The second has delivered both changes, so it has nothing to deliver.
	hook.DueAt = at.Add(time.Minute)
	h.same("due", claim(at, hook.DueAt), []model.Channel{hook})
	if due := claim(at, at.Add(time.Hour)); len(due) > 0 {
		t.Errorf("claimed twice: %+v", due)
	}
	behind, since, err := h.ChannelLoad(h.ctx, hook.DueAt)
	if err != nil || behind != 1 || !since.Equal(hook.DueAt) {
		t.Errorf("%d are behind since %s, %v", behind, since, err)
	}
	lease := hook.DueAt
	hook.Place, hook.State, hook.Sealed, hook.DueAt = 1, "{}", []byte{7}, at.Add(2*time.Minute)
	if err := h.SettleChannel(h.ctx, lease, hook); err != nil {
		t.Fatal(err)
	}
	expect("settled", hook, push)
	h.fails("a lease that has ended", h.SettleChannel(h.ctx, lease, hook), store.ErrNotFound)
	foreign := hook
	foreign.User = other.user
	h.fails("another user's channel", h.SettleChannel(h.ctx, hook.DueAt, foreign), store.ErrNotFound)
	changed := hook
	changed.DueAt, changed.UpdatedAt, changed.Hash = at.Add(time.Second), at.Add(time.Second), [32]byte{3}
	save(model.OperationUpdated, changed)
	h.fails("a channel that was changed", h.SettleChannel(h.ctx, hook.DueAt, hook), store.ErrNotFound)
	expect("changed", changed, push)
	changed.DueAt = time.Time{}
	save(model.OperationUpdated, changed)
	push.DueAt = at.Add(time.Hour)
	h.same("one that is turned off is never due", claim(at.Add(time.Minute), push.DueAt), []model.Channel{push})
	if behind, since, err = h.ChannelLoad(h.ctx, at); err != nil || behind != 0 || !since.IsZero() {
		t.Errorf("%d are behind since %s, %v", behind, since, err)
	}

	remove := func() error {
		return h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.DeleteChannel(ctx, changed)
		})
	}
	h.fails("another user's", other.Write(h.ctx, other.user, func(ctx context.Context, tx store.Tx) error {
		return tx.DeleteChannel(ctx, changed)
	}), store.ErrNotFound)
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	h.fails("deleted twice", remove(), store.ErrNotFound)
	expect("deleted", push)

	// Claims of several at once take each once.
	all := []model.UUID{}
	for range 6 {
		one := push
		one.ID, one.DueAt, one.Place = h.ids.next(), at, 0
		save(model.OperationCreated, one)
		all = append(all, one.ID)
	}
	taken := make(chan []model.Channel, 3)
	for range cap(taken) {
		go func() {
			due, err := h.ClaimChannels(h.ctx, at, at.Add(time.Minute), 2)
			if err != nil {
				t.Error(err)
			}
			taken <- due
		}()
	}
	seen := []model.UUID{}
	for range cap(taken) {
		for _, one := range <-taken {
			if slices.Contains(seen, one.ID) || !slices.Contains(all, one.ID) {
				t.Errorf("%x was taken twice, or is not due", one.ID)
			}
			seen = append(seen, one.ID)
		}
	}
}

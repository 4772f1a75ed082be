package storetest

import (
	"context"
	"errors"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// belongings are what a user has beyond tasks and lists.
type belongings struct {
	connection   model.Connection
	state        store.SyncState
	event        model.Change
	claim        store.Claim
	confirmation model.UUID
}

// ownsRemotely returns the fixture's user one of each.
func ownsRemotely(h *fixture) belongings {
	h.Helper()
	connection := must(h, func() (model.Connection, error) {
		return h.save(h.account("owner@example.com"),
			model.Credentials{Refresh: []byte("secret"), Access: []byte("secret too"), AccessExpires: noon})
	})
	b := belongings{
		connection: connection, state: h.due(connection.ID, "calendar", -60),
		event: remote("the owner's event", model.OperationCreated, "1"),
		claim: h.takes(call("claimed key", 1)), confirmation: h.ids.next(),
	}
	h.note(b.claim, "what the owner decided")
	h.write(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.LogRemote(ctx, []model.Change{b.event}),
			tx.UseConfirmation(ctx, b.confirmation, noon.AddDate(1, 0, 0)))
	})
	return b
}

// picture is all of it as it is kept.
func (b belongings) picture(h *fixture) []any {
	h.Helper()
	used := h.Write(h.ctx, h.user, func(ctx context.Context,
		tx store.Tx) error {
		return tx.UseConfirmation(ctx, b.confirmation, noon)
	})
	return []any{
		h.connections(), h.credentials(b.connection.ID), h.syncs(b.connection.ID), h.last(b.event.Remote),
		h.claim(call("claimed key", 1)).State, errors.Is(used, store.ErrConflict),
	}
}

// tenancyRemote names the owner's account, calendars, events, keys and confirmations in every method.
func tenancyRemote(h *fixture, of belongings) {
	head := h.head()
	stranger := h.ids.next() // an id of nobody
	for _, id := range []model.UUID{of.connection.ID, stranger} {
		_, err := h.Credentials(h.ctx, h.user, id)
		h.fails("Credentials", err, store.ErrNotFound)
		h.same("sync states", len(h.syncs(id)), 0)
		h.write(func(ctx context.Context, tx store.Tx) error {
			_, err := tx.Credentials(ctx, h.user, id)
			for what, err := range map[string]error{
				"Credentials":         err,
				"SaveCredentials":     tx.SaveCredentials(ctx, model.Credentials{Connection: id, Refresh: []byte("stolen")}),
				"SetConnectionStatus": tx.SetConnectionStatus(ctx, id, model.ConnectionExpired, noon),
				"DeleteConnection":    tx.DeleteConnection(ctx, id),
				"SaveSyncState": h.SaveSyncState(ctx,
					store.SyncState{User: h.user, Connection: id, Calendar: of.state.Calendar, Token: "stolen"}),
			} {
				h.fails(what, err, store.ErrNotFound)
			}
			none := must(h, func() ([]model.Connection, error) { return tx.Connections(ctx, h.user) })
			h.same("connections", len(none), 0)
			return errors.Join(h.ForgetSyncState(ctx, h.user, id, of.state.Calendar),
				tx.ReturnConfirmation(ctx, of.confirmation))
		})
	}
	h.same("connections", len(h.connections()), 0)
	h.same("the owner's event", h.last(of.event.Remote), map[string]int64{})
	own := h.takesNotes("an own claim", call("claimed key", 2), "")
	if own.Seed == of.claim.Seed {
		h.Error("the owner's seed was given to another")
	}
	h.fails("Note", h.Note(h.ctx, h.user, of.claim, []byte("stolen")), store.ErrNotFound)
	h.fails("Settle", h.Settle(h.ctx, h.user, of.claim, []byte("stolen")), store.ErrNotFound)
	h.release(of.claim)
	h.same("the thief's log", h.log(head), []string{})
}

// tenancyRemoteTwins: two users may link the same account, under the same id and with the same calendars and events;
// each has only its own.
func tenancyRemoteTwins(h *fixture, of belongings) {
	twin := h.account(of.connection.Account)
	twin.ID, twin.Status = of.connection.ID, model.ConnectionExpired
	saved := h.link(twin)
	h.same("a number of one's own", saved.Number, 1)
	h.same("secrets of one's own", h.credentials(twin.ID), model.Credentials{Connection: twin.ID})
	state := store.SyncState{User: h.user, Connection: twin.ID, Calendar: of.state.Calendar, Token: "mine"}
	h.saveSync(state)
	h.same("sync states of one's own", h.syncs(twin.ID), []store.SyncState{state})
	h.report(remote(of.event.Remote, model.OperationDeleted, "2"))
	h.write(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.UseConfirmation(ctx, of.confirmation, noon), tx.ReturnConfirmation(ctx, of.confirmation))
	})
	if err := h.ForgetSyncState(h.ctx, h.user, twin.ID, state.Calendar); err != nil {
		h.Error(err)
	}
	h.saveSync(state)
	h.unlink(twin.ID)
	h.same("unlinked", []int{len(h.connections()), len(h.syncs(twin.ID))}, []int{0, 0})
}

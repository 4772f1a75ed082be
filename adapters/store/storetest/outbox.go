package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testOutbox(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("what is kept comes back", func(t *testing.T) { outboxKept(h.in(t)) })
	t.Run("states", func(t *testing.T) { outboxStates(h.in(t)) })
	t.Run("held by a dead process", func(t *testing.T) { outboxHeld(newFixture(t, open)) })
	t.Run("bounded", func(t *testing.T) { outboxBounded(h.in(t)) })
	t.Run("of others", func(t *testing.T) { outboxOfOthers(h.in(t)) })
	t.Run("swept", func(t *testing.T) { outboxSwept(newFixture(t, open)) })
}

// outgoing makes an e-mail that waits to be sent.
func (h *fixture) outgoing(connection model.Connection, text string) model.OutgoingEmail {
	message := []byte("Subject: " + text + "\r\n\r\n\x00\xff")
	return model.OutgoingEmail{
		ID: h.ids.next(), Connection: connection.ID, Account: connection.Account, State: model.OutboxPreview,
		Hash: sha256.Sum256(message), Message: message, Shown: []byte(`{"subject":"` + text + `"}`),
		CreatedAt: noon, ExpiresAt: noon.Add(24 * time.Hour),
	}
}

func (h *fixture) post(mail model.OutgoingEmail) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.InsertOutgoing(ctx, mail) })
}

func (h *fixture) posted(id model.UUID) model.OutgoingEmail {
	h.Helper()
	return must(h, func() (model.OutgoingEmail, error) { return h.Outgoing(h.ctx, h.user, id) })
}

func (h *fixture) change(mail model.OutgoingEmail, from ...model.OutboxState) error {
	return h.Write(h.ctx, h.user,
		func(ctx context.Context, tx store.Tx) error { return tx.UpdateOutgoing(ctx, mail, from...) })
}

func outboxKept(h *fixture) {
	h = h.as("posts")
	connection := h.link(h.account("a"))
	head := h.head()
	bare, full := h.outgoing(connection, "bare"), h.outgoing(connection, "שלום")
	full.Thread, full.State, full.Holder, full.HeldUntil, full.Draft = "18c0", model.OutboxSending, h.ids.next(),
		noon.Add(time.Minute), "r-5"
	full.SendAt = noon.Add(time.Hour)
	full.Sent, full.SentThread, full.SentAt, full.Problem = "18c1", "18c0", noon.Add(time.Second), "a problem"
	h.post(bare)
	h.post(full)
	h.same("bare", h.posted(bare.ID), bare)
	h.same("full", h.posted(full.ID), full)
	all := must(h, func() ([]model.OutgoingEmail, error) { return h.AllOutgoing(h.ctx, h.user, 10) })
	brief := []model.OutgoingEmail{full, bare}
	brief[0].Message, brief[1].Message = nil, nil
	h.same("all, newest first, without messages", all, brief)
	h.same("some", len(must(h, func() ([]model.OutgoingEmail, error) { return h.AllOutgoing(h.ctx, h.user, 1) })), 1)
	for _, states := range [][]model.OutboxState{{model.OutboxSending}, {model.OutboxSending, model.OutboxSent}} {
		some := must(h, func() ([]model.OutgoingEmail, error) { return h.AllOutgoing(h.ctx, h.user, 10, states...) })
		h.same("in a state", some, brief[:1])
	}
	h.same("none", len(must(h, func() ([]model.OutgoingEmail, error) { return h.AllOutgoing(h.ctx, h.user, 0) })), 0)
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error { return tx.InsertOutgoing(ctx, bare) })
	h.fails("an id that is taken", err, store.ErrConflict)
	gone := h.outgoing(connection, "gone")
	gone.Connection = h.ids.next()
	err = h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error { return tx.InsertOutgoing(ctx, gone) })
	h.fails("of no connection", err, store.ErrNotFound)
	_, err = h.Outgoing(h.ctx, h.user, gone.ID)
	h.fails("nothing of it", err, store.ErrNotFound)
	h.write(func(ctx context.Context, tx store.Tx) error {
		rolled := h.outgoing(connection, "rolled back")
		err := h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return errors.Join(tx.InsertOutgoing(ctx, rolled), errFailed)
		})
		h.fails("a failing write", err, errFailed)
		_, err = tx.Outgoing(ctx, h.user, rolled.ID)
		h.fails("leaves nothing", err, store.ErrNotFound)
		in := must(h, func() ([]model.OutgoingEmail, error) { return tx.AllOutgoing(ctx, h.user, 10) })
		h.same("inside", len(in), 2)
		return nil
	})
	for _, bad := range []string{"a\x00b", "a\xffb"} {
		spoiled := bare
		spoiled.ID, spoiled.Problem = h.ids.next(), bad
		err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error { return tx.InsertOutgoing(ctx, spoiled) })
		if model.CodeOf(err) != model.CodeBadUserInput {
			h.Errorf("insert %q: %v", bad, err)
		}
		spoiled.ID = bare.ID
		if err := h.change(spoiled, model.OutboxPreview); model.CodeOf(err) != model.CodeBadUserInput {
			h.Errorf("update %q: %v", bad, err)
		}
	}
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.DeleteConnection(ctx, connection.ID) })
	_, err = h.Outgoing(h.ctx, h.user, full.ID)
	h.fails("it goes with its connection", err, store.ErrNotFound)
	h.same("log", h.log(head), []string{line(model.OperationDeleted, connection.ID)})
}

func outboxStates(h *fixture) {
	h = h.as("changes posts")
	mail := h.outgoing(h.link(h.account("a")), "one")
	h.post(mail)
	changed := mail
	changed.State, changed.Holder, changed.HeldUntil = model.OutboxSending, h.ids.next(), noon.Add(time.Minute)
	h.fails("from another state", h.change(changed, model.OutboxFailed, model.OutboxUnknown), store.ErrConflict)
	h.fails("from no state", h.change(changed), store.ErrConflict)
	h.same("as it was", h.posted(mail.ID), mail)
	h.fails("taken", h.change(changed, model.OutboxPreview, model.OutboxFailed), nil)
	h.fails("taken again", h.change(changed, model.OutboxPreview, model.OutboxFailed), store.ErrConflict)
	h.same("taken", h.posted(mail.ID), changed)
	other := changed
	other.Account, other.Message, other.Shown, other.Thread = "b@example.com", []byte("other"), []byte("{}"), "t"
	other.SendAt, other.ExpiresAt = noon.Add(time.Minute), noon.Add(time.Hour)
	other.State, other.Holder, other.HeldUntil, other.Draft = model.OutboxSent, model.UUID{}, time.Time{}, "d"
	other.Sent, other.SentThread, other.SentAt, other.Problem = "s", "st", noon.Add(time.Hour), "p"
	h.fails("sent", h.change(other, model.OutboxSending), nil)
	want := other
	want.Account, want.Message, want.Shown, want.Thread = mail.Account, mail.Message, mail.Shown, mail.Thread
	h.same("what is sent never changes", h.posted(mail.ID), want)
	erase := func(id model.UUID, from ...model.OutboxState) error {
		return h.Write(h.ctx, h.user,
			func(ctx context.Context, tx store.Tx) error { return tx.DeleteOutgoing(ctx, id, from...) })
	}
	h.fails("erase what was sent", erase(mail.ID, model.OutboxPreview, model.OutboxFailed), store.ErrConflict)
	h.fails("erase", erase(mail.ID, model.OutboxSent), nil)
	h.fails("erase again", erase(mail.ID, model.OutboxSent), store.ErrNotFound)
	h.fails("change what is gone", h.change(mail, model.OutboxSent), store.ErrNotFound)
}

func outboxHeld(h *fixture) {
	other := h.as("another who posts")
	mine, theirs := h.link(h.account("a")), other.link(other.account("a"))
	put := func(of *fixture, connection model.Connection, state model.OutboxState, held time.Time) store.OutgoingOf {
		mail := of.outgoing(connection, string(state))
		mail.State, mail.HeldUntil = state, held
		of.post(mail)
		return store.OutgoingOf{User: of.user, ID: mail.ID}
	}
	held := func(now time.Time, limit int) []store.OutgoingOf {
		return must(h, func() ([]store.OutgoingOf, error) { return h.HeldOutgoing(h.ctx, now, limit) })
	}
	h.same("nothing", len(held(noon, 10)), 0)
	for _, state := range []model.OutboxState{model.OutboxPreview, model.OutboxSent, model.OutboxFailed} {
		put(h, mine, state, noon)
	}
	put(h, mine, model.OutboxSending, noon.Add(time.Second))
	free := put(h, mine, model.OutboxUnknown, time.Time{})
	late := put(other, theirs, model.OutboxUnknown, noon)
	early := put(h, mine, model.OutboxSending, noon.Add(-time.Hour))
	due := put(other, theirs, model.OutboxScheduled, noon.Add(-time.Minute))
	put(h, mine, model.OutboxScheduled, noon.Add(time.Second))
	h.same("of any user, longest free first", held(noon, 10), []store.OutgoingOf{free, early, due, late})
	h.same("some", held(noon, 2), []store.OutgoingOf{free, early})
	h.same("later", len(held(noon.Add(time.Second), 10)), 6)
}

func outboxBounded(h *fixture) {
	h = h.as("posts much")
	connection := h.link(h.account("a"))
	h.write(func(ctx context.Context, tx store.Tx) error {
		for range model.MaxPreviews - 1 {
			if err := tx.InsertOutgoing(ctx, h.outgoing(connection, "x")); err != nil {
				return err
			}
		}
		return nil
	})
	sent, expired, last := h.outgoing(connection, "sent"), h.outgoing(connection, "expired"),
		h.outgoing(connection, "last")
	sent.State, sent.SentAt = model.OutboxSent, noon
	last.State, last.SendAt = model.OutboxScheduled, noon.Add(time.Hour)
	expired.ExpiresAt = noon
	for _, mail := range []model.OutgoingEmail{sent, expired, last} {
		h.post(mail)
	}
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return tx.InsertOutgoing(ctx, h.outgoing(connection, "too much"))
	})
	h.fails("beyond the bound", err, store.ErrConflict)
	next := h.outgoing(connection, "the next day")
	next.CreatedAt, next.ExpiresAt = noon.Add(25*time.Hour), noon.Add(50*time.Hour)
	h.post(next) // all others have expired
}

func outboxOfOthers(h *fixture) {
	owner, thief := h.as("owns posts"), h.as("steals posts")
	mail := owner.outgoing(owner.link(owner.account("a")), "private")
	owner.post(mail)
	_, err := thief.Outgoing(h.ctx, thief.user, mail.ID)
	h.fails("read", err, store.ErrNotFound)
	h.same("all", len(must(h, func() ([]model.OutgoingEmail, error) { return thief.AllOutgoing(h.ctx, thief.user, 10) })),
		0)
	stolen := mail
	stolen.State = model.OutboxSending
	h.fails("change", thief.change(stolen, model.OutboxPreview), store.ErrNotFound)
	thief.write(func(ctx context.Context, tx store.Tx) error {
		h.fails("erase", tx.DeleteOutgoing(ctx, mail.ID, model.OutboxPreview), store.ErrNotFound)
		stolen.ID = h.ids.next()
		h.fails("send from another's account", tx.InsertOutgoing(ctx, stolen), store.ErrNotFound)
		return nil
	})
	own := thief.outgoing(thief.link(thief.account("a")), "own")
	own.ID = mail.ID
	thief.post(own)
	h.same("as it was", owner.posted(mail.ID), mail)
}

func outboxSwept(h *fixture) {
	connection := h.link(h.account("a"))
	old, sent, fresh, unknown := h.outgoing(connection, "old"), h.outgoing(connection, "sent"),
		h.outgoing(connection, "fresh"), h.outgoing(connection, "unknown")
	sent.State, sent.SentAt = model.OutboxSent, noon.Add(23*time.Hour)
	unknown.State = model.OutboxUnknown
	fresh.ExpiresAt = fresh.ExpiresAt.Add(time.Second)
	for _, mail := range []model.OutgoingEmail{old, sent, fresh, unknown} {
		h.post(mail)
	}
	sweep := func(at time.Time) {
		h.Helper()
		if err := h.Sweep(h.ctx, at, 365*24*time.Hour); err != nil {
			h.Fatalf("Sweep: %v", err)
		}
	}
	left := func() int {
		return len(must(h, func() ([]model.OutgoingEmail, error) { return h.AllOutgoing(h.ctx, h.user, 10) }))
	}
	sweep(old.ExpiresAt.Add(model.KeepOutgoing - time.Second))
	h.same("kept", left(), 4)
	sweep(old.ExpiresAt.Add(model.KeepOutgoing))
	h.same("forgotten", left(), 1)
	if got := h.posted(fresh.ID); !bytes.Equal(got.Message, fresh.Message) {
		h.Error("the fresh one went")
	}
}

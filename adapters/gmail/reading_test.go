package gmail

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// held is a harness whose requests wait at a gate.
func held(t *testing.T) (*harness, *gate) {
	h := newHarness(t, builder{cache: newShelf(), real: true})
	g := newGate()
	judged := h.base
	h.base = transport(func(r *http.Request) (*http.Response, error) {
		if r.URL.Query().Get("format") != "" {
			if err := g.pass(r.Context()); err != nil {
				return nil, err
			}
		}
		return judged.RoundTrip(r)
	})
	return h, g
}

// answer is what a request of a test came to.
type answer struct {
	emails map[string]model.Email
	err    error
}

func (h *harness) begin(ctx context.Context, id string, depth Depth) chan answer {
	done := make(chan answer, 1)
	go func() {
		emails, err := h.Messages(ctx, h.connection, []string{id}, depth)
		done <- answer{emails, err}
	}()
	synctest.Wait()
	return done
}

// TestManyWantOneMessage has it asked for once, by who wants the most of it.
func TestManyWantOneMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, g := held(t)
		id := h.deliver(letter("one"))
		var waiting []chan answer
		for _, depth := range []Depth{store.MailHeaders, store.MailHeaders, store.MailMinimal, store.MailHeaders,
			store.MailFull, store.MailStructure, store.MailHeaders} {
			waiting = append(waiting, h.begin(t.Context(), id, depth))
		}
		if n := len(g.arrived); n != 2 {
			t.Errorf("%d requests, want one for the headers and one for all", n)
		}
		close(g.open)
		for i, done := range waiting {
			got := <-done
			if got.err != nil || got.emails[id].Snippet == "" || (got.emails[id].Root != nil) != (i == 4 || i == 5) {
				t.Errorf("%d: %+v", i, got)
			}
		}
	})
}

// TestWhoLeadsGoesAway lets who has asked go away: those who wait ask again.
func TestWhoLeadsGoesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, g := held(t)
		id := h.deliver(letter("one"))
		ctx, cancel := context.WithCancel(t.Context())
		leader := h.begin(ctx, id, store.MailHeaders)
		others := []chan answer{h.begin(t.Context(), id, store.MailHeaders), h.begin(t.Context(), id, store.MailMinimal)}
		impatient, leave := context.WithCancel(t.Context())
		fourth := h.begin(impatient, id, store.MailHeaders)
		leave()
		code(t, (<-fourth).err, model.CodeTimeout)
		if len(g.arrived) != 1 {
			t.Errorf("%d requests", len(g.arrived))
		}
		cancel()
		code(t, (<-leader).err, model.CodeTimeout)
		synctest.Wait()
		if n := len(g.arrived); n < 2 || n > 3 {
			t.Errorf("%d requests", n)
		}
		close(g.open)
		for _, done := range others {
			if got := <-done; got.err != nil || len(got.emails) != 1 {
				t.Errorf("got %+v", got)
			}
		}
		if len(h.mailbox(h.connection).readings) != 0 {
			t.Error("a reading is left")
		}
	})
}

// TestNobodyJoinsAReadingFromBeforeAChange marks a message while it is being read: who asks after that sees the mark.
func TestNobodyJoinsAReadingFromBeforeAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, g := held(t)
		id := h.deliver(letter("one"))
		before := h.begin(t.Context(), id, store.MailHeaders)
		if err := h.Modify(t.Context(), h.connection, []string{id}, []string{"STARRED"}, nil); err != nil {
			t.Fatal(err)
		}
		after := h.begin(t.Context(), id, store.MailHeaders)
		if len(g.arrived) != 2 {
			t.Errorf("%d requests", len(g.arrived))
		}
		close(g.open)
		<-before
		if got := <-after; got.err != nil || !slices.Contains(got.emails[id].Labels, "STARRED") {
			t.Errorf("got %+v", got)
		}
		if got := h.read(store.MailHeaders, id); !slices.Contains(got[id].Labels, "STARRED") {
			t.Errorf("later: %+v", got)
		}
	})
}

// TestManyLookOnce has twenty requests find that labels may be old: one of them looks.
func TestManyLookOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, builder{cache: newShelf(), real: true})
		id := h.deliver(letter("one"))
		h.read(store.MailHeaders, id)
		h.tick(labelsHold)
		h.server.Reset()
		var waiting []chan answer
		g := newGate()
		judged := h.base
		h.base = transport(func(r *http.Request) (*http.Response, error) {
			if err := g.pass(r.Context()); err != nil {
				return nil, err
			}
			return judged.RoundTrip(r)
		})
		for range 20 {
			waiting = append(waiting, h.begin(t.Context(), id, store.MailHeaders))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		code(t, (<-h.begin(ctx, id, store.MailHeaders)).err, model.CodeTimeout)
		close(g.open)
		for _, done := range waiting {
			if got := <-done; got.err != nil || len(got.emails) != 1 {
				t.Errorf("got %+v", got)
			}
		}
		if calls := h.calls(); !slices.Equal(calls, []string{"history.list"}) {
			t.Errorf("calls: %v", calls)
		}
	})
}

// TestMailboxesAreForgotten bounds what is remembered.
func TestMailboxesAreForgotten(t *testing.T) {
	c := &Client{}
	first := c.mailbox(connectionOf(alice, 1))
	for n := range maxMailboxes + 10 {
		c.mailbox(model.Connection{ID: model.UUID{9, byte(n), byte(n >> 8)}})
		if n%100 == 0 && c.mailbox(connectionOf(alice, 1)) != first {
			t.Fatal("what was just used is forgotten")
		}
	}
	if len(c.boxes) != maxMailboxes {
		t.Errorf("%d are remembered", len(c.boxes))
	}
}

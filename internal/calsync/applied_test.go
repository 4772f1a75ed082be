package calsync_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
	standin "almanac/internal/standin/google"
)

// writeTo writes to the account's calendar as a mutation does, up to the moment before the answer is applied.
func (h *googleFixture) writeTo(w *calsync.Worker, c model.Connection, change func(ctx context.Context) error) (
	gcal.KeptWrite, error) {
	h.Helper()
	write, err := w.BeginWrite(h.Context(), c, "")
	if err != nil {
		h.Fatal(err)
	}
	within, answers := gcal.WithAnswers(h.Context())
	within, changes := google.WithChanges(within)
	err = change(within)
	write.End(err == nil || changes.MayHaveChanged(), answers)
	return write, err
}

// applies applies writes, and ends them.
func (h *googleFixture) applies(w *calsync.Worker, c model.Connection, all ...gcal.KeptWrite) {
	h.Helper()
	err := h.store.Write(h.Context(), c.User, func(ctx context.Context, tx store.Tx) error {
		return w.ApplyWrites(ctx, tx, all, func(map[model.UUID]bool) error { return nil })
	})
	if err != nil {
		h.Error(err)
	}
	w.FinishWrites(h.Context(), all, err == nil)
}

// inUse reports whether the copy of the primary calendar is read.
func (h *googleFixture) inUse(c model.Connection) bool {
	h.Helper()
	all, err := h.store.KeptCalendars(h.Context(), c.User)
	if err != nil || len(all) == 0 {
		h.Fatal(err)
	}
	return gcal.Readable(all[0])
}

// asks are the methods of the requests since the last time.
func (h *googleFixture) asks() string {
	var all []string
	for _, request := range h.server.Requests() {
		all = append(all, strings.TrimPrefix(request.Method, "calendar.events."))
	}
	h.server.Reset()
	return strings.Join(all, " ")
}

// Whoever is first, the writer that applies its answer, a sync, or one whose sync has seen what a stranger has changed
// since: the rows end as Google's, and each change is told once.
func TestTicketsDecideRaces(t *testing.T) {
	title, other := "ours", "again"
	patch := func(h *googleFixture, c model.Connection, id string, title *string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := h.client.Patch(ctx, c, model.EventRef{Connection: c.Number, Event: id}, gcal.Patch{Summary: title},
				gcal.ChangeOptions{})
			return err
		}
	}
	insert := func(h *googleFixture, c model.Connection) func(context.Context) error {
		return func(ctx context.Context) error {
			at := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
			_, _, err := h.client.Insert(ctx, c, "", gcal.NewEvent{SourceID: "almanac0001", Event: model.Event{Summary: "made",
				Start: model.EventTime{At: at, Zone: "UTC"}, End: model.EventTime{At: at.Add(time.Hour), Zone: "UTC"}}})
			return err
		}
	}
	for name, c := range map[string]struct {
		race func(h *googleFixture, w *calsync.Worker, c model.Connection, id string)
		// asks are the requests after the write, told the lines beyond those of the beginning.
		asks string
		told []string
		// unused: the copy is out of use until the next sync.
		unused bool
	}{
		"the answer alone": {func(h *googleFixture, w *calsync.Worker, c model.Connection, id string) {
			write, _ := h.writeTo(w, c, patch(h, c, id, &title))
			h.asks()
			h.applies(w, c, write)
		}, "", []string{"UPDATED ID"}, false},
		"the sync is first": {func(h *googleFixture, w *calsync.Worker, c model.Connection, id string) {
			write, _ := h.writeTo(w, c, patch(h, c, id, &title))
			h.syncs(w, c, calsync.OutcomeRead)
			h.asks()
			h.applies(w, c, write)
		}, "", []string{"UPDATED ID"}, false},
		"a stranger is between, and the sync has seen it": {
			func(h *googleFixture, w *calsync.Worker, c model.Connection, id string) {
				write, _ := h.writeTo(w, c, patch(h, c, id, &title))
				h.serve("patch", dana, id, map[string]any{"summary": "theirs"})
				h.syncs(w, c, calsync.OutcomeRead)
				h.asks()
				h.applies(w, c, write)
			}, "get", []string{"UPDATED ID"}, false},
		"a stranger has deleted it": {func(h *googleFixture, w *calsync.Worker, c model.Connection, id string) {
			write, _ := h.writeTo(w, c, patch(h, c, id, &title))
			h.serve("delete", dana, id, nil)
			h.syncs(w, c, calsync.OutcomeRead)
			h.asks()
			h.applies(w, c, write)
		}, "get", []string{"DELETED ID"}, false},
		"deleted before a reading from the start, which has never seen it": {
			func(h *googleFixture, w *calsync.Worker, c model.Connection, _ string) {
				unseen := h.others(dana, "unseen")
				write, _ := h.writeTo(w, c, patch(h, c, unseen, &title))
				h.serve("delete", dana, unseen, nil)
				h.calendar.ExpireSyncTokens(dana)
				h.syncs(w, c, calsync.OutcomeReset)
				h.asks()
				h.applies(w, c, write)
			}, "get", nil, false},
		"a stranger is between, and Google cannot be asked": {
			func(h *googleFixture, w *calsync.Worker, c model.Connection, id string) {
				write, _ := h.writeTo(w, c, patch(h, c, id, &title))
				h.serve("patch", dana, id, map[string]any{"summary": "theirs"})
				h.syncs(w, c, calsync.OutcomeRead)
				h.asks()
				h.server.Inject(standin.Fault{Method: "*", Status: 503})
				h.applies(w, c, write)
				h.server.Clear()
				h.asks()
			}, "", []string{"UPDATED ID"}, true},
		"killed before it is applied": {func(h *googleFixture, w *calsync.Worker, c model.Connection, id string) {
			_, _ = h.writeTo(w, c, patch(h, c, id, &title))
			h.asks()
		}, "", nil, true},
		"two writes at once": {func(h *googleFixture, w *calsync.Worker, c model.Connection, id string) {
			first, _ := h.writeTo(w, c, patch(h, c, id, &title))
			second, _ := h.writeTo(w, c, patch(h, c, id, &other))
			h.asks()
			h.applies(w, c, second)
			h.applies(w, c, first) // older than what is there
		}, "get", []string{"UPDATED ID"}, false},
		"of two servers": {func(h *googleFixture, w *calsync.Worker, c model.Connection, id string) {
			away := h.worker(h.store)
			first, _ := h.writeTo(w, c, patch(h, c, id, &title))
			second, _ := h.writeTo(away, c, insert(h, c))
			h.asks()
			h.applies(w, c, first)
			h.applies(away, c, second) // neither knows whether the other has ended
		}, "", []string{"UPDATED ID", "CREATED almanac0001"}, true},
		"the answer is lost": {func(h *googleFixture, w *calsync.Worker, c model.Connection, _ string) {
			h.server.Inject(standin.Fault{Method: "calendar.events.insert", LoseAnswer: true, Times: 1})
			write, err := h.writeTo(w, c, insert(h, c))
			if err != nil {
				h.Error(err)
			}
			h.asks()
			h.applies(w, c, write)
		}, "", []string{"CREATED almanac0001"}, false},
		"nobody knows": {func(h *googleFixture, w *calsync.Worker, c model.Connection, _ string) {
			h.server.Inject(standin.Fault{Method: "calendar.events.insert", LoseAnswer: true})
			h.server.Inject(standin.Fault{Method: "calendar.events.get", Status: 503})
			write, err := h.writeTo(w, c, insert(h, c))
			if err == nil {
				h.Error("it is known")
			}
			h.server.Clear()
			h.syncs(w, c, calsync.OutcomeRead) // of which nobody knows whether it was after the write
			h.asks()
			h.applies(w, c, write)
		}, "", []string{"CREATED almanac0001"}, true},
		"409": {func(h *googleFixture, w *calsync.Worker, c model.Connection, _ string) {
			if _, err := h.writeTo(w, c, insert(h, c)); err != nil { // and is killed
				h.Error(err)
			}
			h.syncs(w, c, calsync.OutcomeRead)
			write, err := h.writeTo(w, c, insert(h, c))
			if err != nil {
				h.Error(err)
			}
			h.asks()
			h.applies(w, c, write)
		}, "", []string{"CREATED almanac0001"}, true}, // since the first write has not ended
		"429": {func(h *googleFixture, w *calsync.Worker, c model.Connection, id string) {
			h.server.Inject(standin.Fault{Method: "calendar.events.patch", Status: 429, Reason: "rateLimitExceeded"})
			write, err := h.writeTo(w, c, patch(h, c, id, &title))
			if err == nil {
				h.Error("it was done")
			}
			h.server.Clear()
			h.asks()
			h.applies(w, c, write)
		}, "", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			eachPlug(t, func(t *testing.T, open stores) {
				h, w, account := newFollower(t, open)
				id := h.others(dana, "lunch")
				h.syncs(w, account, calsync.OutcomeRead)
				want := h.told(account)
				h.clock.Advance(time.Second)
				c.race(h, w, account, id)
				if got := h.asks(); got != c.asks {
					t.Errorf("it asks %q, want %q", got, c.asks)
				}
				if h.inUse(account) == c.unused {
					t.Errorf("the copy is in use: %v", !c.unused)
				}
				for _, line := range c.told {
					want = append(want, strings.ReplaceAll(line, "ID", id))
				}
				if !c.unused {
					h.wantSame(account, dana, dana)
				}
				h.wantTold(account, want...)
				h.syncs(w, account, calsync.OutcomeRead)
				h.wantSame(account, dana, dana)
				if got := h.told(account); !slices.Equal(got, want) && name != "killed before it is applied" {
					t.Errorf("the next sync tells: %q, want %q", got, want)
				}
				if !h.inUse(account) && name != "409" {
					t.Error("the copy is out of use after a sync")
				}
			})
		})
	}
}

package calsync_test

import (
	"testing"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/internal/calsync"
)

// A second write counts too: a sync that began between the two leaves the copy unconfirmed, since what was written
// after the second one may not be in its answer.
func TestACopyThatIsWrittenToTwice(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.run(w)
		pass(time.Second)
		doubt := func() {
			if _, err := w.BeginWrite(t.Context(), c, ""); err != nil {
				t.Error(err)
			}
		}
		doubt()
		syncs := 0
		h.remote.answered = func(call string) {
			if call != "Sync" {
				return
			}
			if syncs++; syncs == 1 {
				doubt()
			} else if syncs == 2 && !h.calendarOf(c).AsOf.IsZero() {
				t.Error("the sync that began before the second write has confirmed the copy")
			}
		}
		if err := w.Refresh(t.Context(), c, ""); err != nil || syncs != 2 || h.calendarOf(c).AsOf.IsZero() {
			t.Errorf("%v after %d syncs: %+v", err, syncs, h.calendarOf(c))
		}
	})
}

// A copy that was made unconfirmed while a sync was under way stays so until the next one, which comes at once; and one
// that cannot be read after it was written to stays so until it can.
func TestAnUnconfirmedCopy(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.run(w)
		pass(time.Second)
		if h.calendarOf(c).AsOf.IsZero() {
			t.Fatal("the copy is unconfirmed from the beginning")
		}
		var seen []bool // whether the copy was in use, before each answer but the one in which it was doubted
		doubted := false
		h.remote.answered = func(call string) {
			if call != "Sync" {
				return
			}
			if doubted {
				seen = append(seen, !h.calendarOf(c).AsOf.IsZero())
				return
			}
			doubted = true
			if _, err := w.BeginWrite(t.Context(), c, ""); err != nil {
				t.Error(err)
			}
		}
		asked := h.remote.asked("Sync")
		pass(interval + 5*time.Second)
		if len(seen) != 1 || seen[0] || h.remote.asked("Sync")-asked != 2 || h.calendarOf(c).AsOf.IsZero() {
			t.Errorf("in use %v, %d syncs; at the end %+v", seen, h.remote.asked("Sync")-asked, h.calendarOf(c))
		}
		h.remote.set(func(r *remote) { r.answered = nil })

		if _, err := w.BeginWrite(t.Context(), c, ""); err != nil {
			t.Fatal(err)
		}
		h.remote.put(c, "e1", "1", model.EventConfirmed)
		if err := w.Refresh(t.Context(), c, ""); err != nil || h.calendarOf(c).AsOf.IsZero() {
			t.Errorf("refreshed: %v", err)
		}
		h.wantCopy(c)

		h.remote.set(func(r *remote) {
			r.failing = func(string, model.Connection) error { return &model.Error{Code: model.CodeUpstreamUnavailable} }
		})
		if _, err := w.BeginWrite(t.Context(), c, ""); err != nil {
			t.Fatal(err)
		}
		err := w.Refresh(t.Context(), c, "")
		if model.CodeOf(err) != model.CodeUpstreamUnavailable || !h.calendarOf(c).AsOf.IsZero() {
			t.Errorf("with the remote away: %v, %+v", err, h.calendarOf(c))
		}
		h.remote.set(func(r *remote) { r.failing = nil })
		pass(10 * time.Minute)
		if h.calendarOf(c).AsOf.IsZero() {
			t.Error("it stays unconfirmed")
		}
	})
}

// A copy that was made unconfirmed for writes of which none has changed anything is in use again when the last has
// ended, as old as it was. One that may have been changed stays unconfirmed, whoever has done it.
func TestAWriteThatChangesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w, other := h.worker(), h.worker()
		c := h.link(w, account(1))
		h.run(w)
		pass(time.Second)
		was := h.calendarOf(c).AsOf
		doubt := func(by *calsync.Worker) func(changed bool) {
			t.Helper()
			write, err := by.BeginWrite(t.Context(), c, "")
			if err != nil {
				t.Fatal(err)
			}
			return func(changed bool) {
				write.End(changed, nil)
				by.FinishWrites(t.Context(), []gcal.KeptWrite{write}, false)
			}
		}
		want := func(why string, asOf time.Time) {
			t.Helper()
			if got := h.calendarOf(c).AsOf; !got.Equal(asOf) {
				t.Errorf("%s: the copy is of %v, want %v", why, got, asOf)
			}
		}
		first, second := doubt(w), doubt(w)
		first(false)
		want("one of two has ended", time.Time{})
		second(false)
		want("both have", was)

		first, second = doubt(w), doubt(w)
		first(true)
		second(false)
		want("one may have changed something", time.Time{})
		again := func() {
			t.Helper()
			if err := w.Refresh(t.Context(), c, ""); err != nil {
				t.Fatal(err)
			}
			if was = h.calendarOf(c).AsOf; was.IsZero() {
				t.Fatal("the copy is unconfirmed after a sync")
			}
		}
		again()

		first, second = doubt(w), doubt(other)
		first(false)
		want("another process writes", time.Time{})
		second(false) // it cannot know how old the copy was
		want("both processes have written nothing", time.Time{})
		again()

		first = doubt(w)
		pass(time.Second)
		again()
		first(false)
		want("it was synced meanwhile", was)
		unkept, err := w.BeginWrite(t.Context(), c, "nobody@example.com")
		if err != nil {
			t.Fatal(err)
		}
		unkept.End(false, nil)
		w.FinishWrites(t.Context(), []gcal.KeptWrite{unkept}, false)
		want("another calendar was written to", was)
	})
}

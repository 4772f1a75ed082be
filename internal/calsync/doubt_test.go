package calsync_test

import (
	"testing"
	"time"

	"almanac/graph/model"
)

// A second doubt counts too: a look that began between the two leaves the copy in doubt, since what was written after
// the second one may not be in its answer.
func TestACopyInDoubtTwice(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.run(w)
		pass(time.Second)
		doubt := func() {
			if err := w.Doubt(t.Context(), c, []string{""}); err != nil {
				t.Error(err)
			}
		}
		doubt()
		looks := 0
		h.remote.answered = func(call string) {
			if call != "Sync" {
				return
			}
			if looks++; looks == 1 {
				doubt()
			} else if looks == 2 && !h.calendarOf(c).AsOf.IsZero() {
				t.Error("the look that began before the second doubt has ended it")
			}
		}
		if err := w.Refresh(t.Context(), c, ""); err != nil || looks != 2 || h.calendarOf(c).AsOf.IsZero() {
			t.Errorf("%v after %d looks: %+v", err, looks, h.calendarOf(c))
		}
	})
}

// A copy that was put in doubt while a look was under way stays so until the next one, which comes at once; and one
// that cannot be read after it was written to stays so until it can.
func TestACopyInDoubt(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker()
		c := h.link(w, account(1))
		h.run(w)
		pass(time.Second)
		if h.calendarOf(c).AsOf.IsZero() {
			t.Fatal("the copy is in doubt from the beginning")
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
			if err := w.Doubt(t.Context(), c, []string{""}); err != nil {
				t.Error(err)
			}
		}
		asked := h.remote.asked("Sync")
		pass(interval + 5*time.Second)
		if len(seen) != 1 || seen[0] || h.remote.asked("Sync")-asked != 2 || h.calendarOf(c).AsOf.IsZero() {
			t.Errorf("in use %v, %d looks; at the end %+v", seen, h.remote.asked("Sync")-asked, h.calendarOf(c))
		}
		h.remote.set(func(r *remote) { r.answered = nil })

		if err := w.Doubt(t.Context(), c, []string{""}); err != nil {
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
		if err := w.Doubt(t.Context(), c, []string{""}); err != nil {
			t.Fatal(err)
		}
		err := w.Refresh(t.Context(), c, "")
		if model.CodeOf(err) != model.CodeUpstreamUnavailable || !h.calendarOf(c).AsOf.IsZero() {
			t.Errorf("with the remote away: %v, %+v", err, h.calendarOf(c))
		}
		h.remote.set(func(r *remote) { r.failing = nil })
		pass(10 * time.Minute)
		if h.calendarOf(c).AsOf.IsZero() {
			t.Error("it stays in doubt")
		}
	})
}

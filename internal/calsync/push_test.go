package calsync_test

import (
	"crypto/rand"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
	"almanac/internal/clock"
	"almanac/internal/seal"
)

const address = "https://almanac.example.com/webhooks/google"

func newBox(t testing.TB, key byte) *seal.Box {
	t.Helper()
	box, err := seal.NewBox(slices.Repeat([]byte{key}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return box
}

func (h *fixture) pushed(w *calsync.Worker) {
	w.Push = &calsync.PushOptions{Address: address, Box: newBox(h.T, 1), NewID: clock.NewIDs(now, rand.Reader).New}
}

// notice posts what Google would, for the channel of an account, with something changed.
func (h *fixture) notice(w *calsync.Worker, c model.Connection, change ...func(*http.Request)) int {
	h.Helper()
	r := httptest.NewRequest(http.MethodPost, calsync.PathNotices, http.NoBody)
	channel := h.state(c).Channel
	r.Header.Set("X-Goog-Channel-ID", channel)
	h.remote.set(func(remote *remote) { r.Header.Set("X-Goog-Channel-Token", remote.watched[channel]) })
	r.Header.Set("X-Goog-Resource-ID", "resource")
	r.Header.Set("X-Goog-Resource-State", "exists")
	for _, fn := range change {
		fn(r)
	}
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	if answer.Body.Len() != 0 {
		h.Errorf("it says %q", answer.Body.String())
	}
	return answer.Code
}

func TestANoticeIsHeardAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker(h.pushed)
		c := h.link(w, account(1))
		h.run(w)
		if calls := h.remote.calls; !slices.Equal(calls, []string{"Watch", "Sync"}) {
			t.Fatalf("it asked %v", calls)
		}
		pass(30*time.Minute - time.Second)
		if n := h.remote.asked("Sync"); n != 1 {
			t.Errorf("it is told, and asks %d times in half an hour", n)
		}
		pass(6 * time.Second)
		if n := h.remote.asked("Sync"); n != 2 {
			t.Errorf("notices get lost, and it has asked %d times", n)
		}
		h.remote.put(c, "a", "1", model.EventConfirmed)
		if code := h.notice(w, c); code != http.StatusNoContent {
			t.Errorf("a notice got %d", code)
		}
		synctest.Wait()
		h.wantTold(c, "CREATED a")
		asked := h.remote.asked("Sync")
		if code := h.notice(w, c, func(r *http.Request) {
			r.Header.Set("X-Goog-Resource-State", "sync")
		}); code != http.StatusNoContent {
			t.Errorf("the first message of a channel got %d", code)
		}
		synctest.Wait()
		if n := h.remote.asked("Sync"); n != asked {
			t.Error("the first message of a channel made it sync")
		}
	})
}

func TestChannelsAreRenewedAndClosed(t *testing.T) {
	for _, every := range []time.Duration{interval, 20 * time.Hour} {
		bubble(t, func(t *testing.T, h *fixture) { renewed(t, h, every) })
	}
}

func renewed(t *testing.T, h *fixture, every time.Duration) {
	w := h.worker(h.pushed, func(w *calsync.Worker) { w.Interval = every })
	c := h.link(w, account(1))
	h.run(w)
	first := h.state(c).Channel
	pass(6*24*time.Hour - time.Minute)
	if h.state(c).Channel != first || h.remote.watches != 1 {
		t.Fatalf("%d channels in six days", h.remote.watches)
	}
	pass(2 * time.Minute)
	second := h.state(c)
	if second.Channel == first || second.ChannelEnds.Sub(now()) < 6*24*time.Hour ||
		!slices.Equal(slices.Collect(maps.Keys(h.remote.watched)), []string{second.Channel}) {
		t.Fatalf("a day before the end there are the channels %v; %+v", h.remote.watched, second)
	}
	if code := h.notice(w, c); code != http.StatusNoContent {
		t.Errorf("a notice of the second channel got %d", code)
	}
	synctest.Wait()
	if err := w.Stop(t.Context(), c); err != nil || len(h.remote.watched) != 0 || h.state(c).Channel != "" ||
		h.state(c).NextAt.Sub(now()) > every {
		t.Errorf("stopped: %v, %v, %+v", err, h.remote.watched, h.state(c))
	}
	if err := w.Stop(t.Context(), c); err != nil {
		t.Errorf("stopped again: %v", err)
	}
}

// A server that moves, or is not told any more, leaves no channel behind.
func TestChannelsOfAnotherAddress(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		stop := h.run(h.worker(h.pushed))
		c := h.link(h.worker(), account(1))
		pass(5 * time.Second)
		stop()
		old := h.state(c)
		stop = h.run(h.worker(h.pushed,
			func(w *calsync.Worker) { w.Push.Address = "https://moved.example.com/webhooks/google" }))
		pass(31 * time.Minute)
		stop()
		moved := h.state(c)
		if moved.Channel == old.Channel ||
			!slices.Equal(slices.Collect(maps.Keys(h.remote.watched)), []string{moved.Channel}) {
			t.Errorf("moved, there are the channels %v; %+v", h.remote.watched, moved)
		}
		h.run(h.worker())
		pass(31 * time.Minute)
		if h.state(c).Channel != "" || len(h.remote.watched) != 0 || h.state(c).NextAt.Sub(now()) > interval {
			t.Errorf("not told any more, there are the channels %v; %+v", h.remote.watched, h.state(c))
		}
	})
}

func TestAChannelThatIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		code     model.ErrorCode
		syncs, n int // in an hour
	}{
		"for good":           {model.CodeUpstreamRejected, 60, 1},
		"for the time being": {model.CodeUpstreamUnavailable, 60, 60},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, h *fixture) {
				h.remote.failing = func(call string, _ model.Connection) error {
					if call == "Watch" {
						return &model.Error{Code: c.code}
					}
					return nil
				}
				w := h.worker(h.pushed)
				one := h.link(w, account(1))
				h.run(w)
				pass(time.Hour - time.Second)
				if syncs, n := h.remote.asked("Sync"), h.remote.asked("Watch"); syncs != c.syncs || n != c.n {
					t.Errorf("an hour took %d syncs and %d tries, want %d and %d", syncs, n, c.syncs, c.n)
				}
				h.remote.set(func(r *remote) { r.failing = nil })
				pass(2 * interval)
				if h.state(one).Channel == "" {
					t.Error("it does not try again")
				}
			})
		})
	}
}

// A calendar without channels is asked now and then, and is not asked for another one for days, by any process; others
// have theirs.
func TestACalendarWithoutPush(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker(h.pushed)
		one, other := h.link(w, account(1)), h.link(w, account(2))
		tries := 0
		h.remote.failing = func(call string, c model.Connection) error {
			if call == "Watch" && c.ID == one.ID {
				tries++
				return &model.Error{Code: model.CodeUpstreamRejected, Reason: "pushNotSupportedForRequestedResource"}
			}
			return nil
		}
		stop := h.run(w)
		pass(time.Minute)
		if h.remote.watches != 1 || h.state(other).Channel == "" {
			t.Errorf("%d channels were opened, and the other calendar is %+v", h.remote.watches, h.state(other))
		}
		stop()
		before := h.remote.asked("Sync")
		h.run(h.worker(h.pushed))
		pass(5 * interval)
		if syncs := h.remote.asked("Sync") - before; tries != 1 || syncs < 4 {
			t.Errorf("%d channels were asked for, in %d syncs", tries, syncs)
		}
		h.remote.put(one, "e1", "1", model.EventConfirmed)
		pass(7 * 24 * time.Hour)
		h.wantCopy(one)
		if tries != 2 {
			t.Errorf("in a week, %d channels were asked for", tries)
		}
	})
}

// A channel that was opened for a sync which fails is kept; one for a calendar that is gone, or that somebody else has
// told of, is not.
func TestChannelsOfFailingSyncs(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		h.remote.failing = func(call string, _ model.Connection) error {
			if call == "Sync" {
				return &model.Error{Code: model.CodeUpstreamUnavailable}
			}
			return nil
		}
		w := h.worker(h.pushed)
		c := h.link(w, account(1))
		h.run(w)
		pass(time.Hour)
		if h.remote.watches != 1 || h.state(c).Channel == "" || h.state(c).Failures < 5 {
			t.Errorf("%d channels were opened; %+v", h.remote.watches, h.state(c))
		}
		if code := h.notice(w, c); code != http.StatusNoContent || !h.state(c).NextAt.After(now()) {
			t.Errorf("a notice got %d, and the calendar that backs off is %+v", code, h.state(c))
		}
	})
}

func TestForgedNotices(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker(h.pushed)
		c, other := h.link(w, account(1)), h.link(w, account(2))
		h.run(w)
		pass(time.Minute)
		with := func(name, value string) func(*http.Request) {
			return func(r *http.Request) { r.Header.Set(name, value) }
		}
		token := func(s store.SyncState) string { return h.remote.watched[s.Channel] }
		good := token(h.state(c))
		for name, change := range map[string]func(*http.Request){
			"no token":             with("X-Goog-Channel-Token", ""),
			"a made-up token":      with("X-Goog-Channel-Token", "token"),
			"an altered token":     with("X-Goog-Channel-Token", good[:60]+flip(good[60:61])+good[61:]),
			"a token cut short":    with("X-Goog-Channel-Token", good[:len(good)-1]),
			"a long token":         with("X-Goog-Channel-Token", good+strings.Repeat("A", 300)),
			"the token of another": with("X-Goog-Channel-Token", token(h.state(other))),
			"another channel":      with("X-Goog-Channel-ID", h.state(other).Channel),
			"no channel":           with("X-Goog-Channel-ID", ""),
			"a token of another server": with("X-Goog-Channel-Token",
				newBox(t, 2).SealText(seal.Place{Column: "calsync.channel"}, make([]byte, 64))),
			"a text sealed for sth else": with("X-Goog-Channel-Token",
				newBox(t, 1).SealText(seal.Place{Column: "connect.state"}, make([]byte, 64))),
		} {
			before, calls := h.store.calls, len(h.remote.calls)
			if code := h.notice(w, c, change); code != http.StatusNotFound {
				t.Errorf("%s: got %d", name, code)
			}
			synctest.Wait()
			if h.store.calls != before || len(h.remote.calls) != calls {
				t.Errorf("%s: the store was called", name)
			}
		}
		if code := h.notice(w, c, func(r *http.Request) { r.Method = http.MethodGet }); code != http.StatusMethodNotAllowed {
			t.Errorf("GET got %d", code)
		}
		if code := h.notice(h.worker(), c); code != http.StatusNotFound {
			t.Errorf("without Push, a notice got %d", code)
		}
		h.store.failing = func(string) error { return errors.New("away") }
		if code := h.notice(w, c); code != http.StatusServiceUnavailable {
			t.Errorf("without a store, a notice got %d", code)
		}
		h.store.failing = nil
		channel := h.state(c).Channel
		h.alter(c, func(rows *userRows) { *rows = userRows{states: map[stateKey]store.SyncState{}} })
		if code := h.notice(w, c, with("X-Goog-Channel-ID", channel),
			with("X-Goog-Channel-Token", good)); code != http.StatusNotFound {
			t.Errorf("a notice of an account that is gone got %d", code)
		}
		if strings.Contains(h.log.String(), good) {
			t.Error("a token is in the log")
		}
	})
}

// flip returns another character of the alphabet of tokens.
func flip(letter string) string {
	if letter == "A" {
		return "B"
	}
	return "A"
}

// A burst of notices costs a sync or two, and hardly a write.
func TestABurstOfNotices(t *testing.T) {
	bubble(t, func(t *testing.T, h *fixture) {
		w := h.worker(h.pushed)
		c := h.link(w, account(1))
		stop := h.run(w)
		stop()
		h.remote.put(c, "a", "1", model.EventConfirmed)
		pass(time.Second)
		before := h.store.calls
		for range 200 {
			if code := h.notice(w, c); code != http.StatusNoContent {
				t.Fatalf("got %d", code)
			}
			pass(time.Millisecond)
		}
		if n := h.store.calls - before; n > 200+4 {
			t.Errorf("200 notices made %d calls of the store", n)
		}
		asked := h.remote.asked("Sync")
		h.run(w)
		pass(time.Minute)
		if n := h.remote.asked("Sync") - asked; n != 1 {
			t.Errorf("200 notices made %d syncs", n)
		}
		h.wantTold(c, "CREATED a")
	})
}

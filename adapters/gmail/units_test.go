package gmail

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	standin "almanac/internal/standin/google"
)

// TestTheMeterNeverGivesTooMuch reserves at random, and adds up what any minute has had.
func TestTheMeterNeverGivesTooMuch(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 5))
		var m meter
		now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
		used := map[int64]int{}
		refused, last := 0, int64(0)
		for range 3_000 {
			now = now.Add(time.Duration(random.IntN(700)) * time.Millisecond)
			units := []int{1, 2, 5, 20, 40, 50, 100}[random.IntN(7)]
			second, wait, ok := m.reserve(now, units, 1_000, 10*time.Second)
			if !ok {
				refused++
				if wait <= 10*time.Second || wait > 2*time.Minute {
					t.Fatalf("refused for %v", wait)
				}
				continue
			}
			if at := now.Add(wait).Unix(); at != second && wait > 0 || second < last {
				t.Fatalf("to wait %v for second %d after %d", wait, second, last)
			}
			used[second] += units
			last = second
			if again := random.IntN(20); again == 0 { // an attempt more, or none at all
				m.add(second, -units)
				used[second] -= units
			}
		}
		if refused == 0 {
			t.Error("nothing was refused")
		}
		for second := range used {
			sum := 0
			for s := second; s < second+60; s++ {
				sum += used[s]
			}
			if sum > 1_000 {
				t.Fatalf("seed %d: %d units in the minute from %d", seed, sum, second)
			}
		}
		if len(m.buckets) > 2*unitsWindow {
			t.Errorf("%d seconds are remembered", len(m.buckets))
		}
	}
}

func TestOneCallMayBeMoreThanTheLimit(t *testing.T) {
	var m meter
	now := time.Unix(1_000, 0)
	if _, wait, ok := m.reserve(now, 100, 50, time.Second); !ok || wait != 0 {
		t.Error("it never fits", wait)
	}
	if _, wait, ok := m.reserve(now, 1, 50, time.Second); ok || wait != unitsWindow*time.Second {
		t.Error("what follows does not wait", wait)
	}
}

// TestNoMoreThanTheMinuteAllows reads 1,000 messages before a Google that counts, as fast as units allow.
func TestNoMoreThanTheMinuteAllows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, builder{quota: standin.GmailQuota(), cache: newShelf(), real: true})
		h.Now = time.Now
		h.Units = 2_000 // three processes
		stop := make(chan struct{})
		defer close(stop)
		go func() { // the stand-in's clock goes with the bubble's
			for ticker := time.NewTicker(time.Second); ; h.tick(time.Second) {
				select {
				case <-ticker.C:
				case <-stop:
					ticker.Stop()
					return
				}
			}
		}()
		var ids []string
		for n := range 300 {
			ids = append(ids, h.deliver(letter(fmt.Sprint(n))))
		}
		began, limited := time.Now(), 0
		for n := 0; n < len(ids); {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			got, err := h.Messages(ctx, h.connection, ids[n:n+50], store.MailHeaders)
			cancel()
			switch model.CodeOf(err) {
			case "":
				if len(got) != 50 {
					t.Fatalf("%d messages", len(got))
				}
				n += 50
			case model.CodeUpstreamRateLimited:
				limited++
				var shown *model.Error
				if !errors.As(err, &shown) || shown.RetryAfter <= 0 || shown.RetryAfter > time.Minute+time.Second {
					t.Fatalf("to wait %v", shown.RetryAfter)
				}
				time.Sleep(shown.RetryAfter)
			default:
				t.Fatal(err)
			}
		}
		used := h.server.Used("gmail", alice)
		for _, r := range h.server.Requests() {
			if r.Status != 200 {
				t.Fatalf("%s was answered %d", r.Method, r.Status)
			}
		}
		if took := time.Since(began); limited == 0 || took < 2*time.Minute || took > 5*time.Minute ||
			used.Calls["gmail.users.messages.get"] != 300 {
			t.Errorf("it took %v, %d times refused, %v", took, limited, used)
		}
	})
}

// TestUnitsAreWaitedFor waits when the caller has the time.
func TestUnitsAreWaitedFor(t *testing.T) {
	h := newHarness(t, builder{})
	h.Units = 60
	id := h.deliver(letter("one"))
	for range 3 {
		h.read(store.MailMinimal, id)
	}
	_, err := h.Messages(t.Context(), h.connection, []string{id}, store.MailMinimal)
	shown := code(t, err, model.CodeUpstreamRateLimited)
	if shown.RetryAfter != unitsWindow*time.Second || len(h.waits) != 0 {
		t.Errorf("to wait %v, waited %v", shown.RetryAfter, h.waits)
	}
	h.tick(unitsWindow*time.Second - 7*time.Second)
	h.read(store.MailMinimal, id)
	if len(h.waits) != 1 || h.waits[0] != 7*time.Second {
		t.Errorf("waited %v", h.waits)
	}
	h.tick(unitsWindow*time.Second - 7*time.Second)
	h.read(store.MailMinimal, id)
	h.read(store.MailMinimal, id)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	_, err = h.Messages(ctx, h.connection, []string{id}, store.MailMinimal)
	code(t, err, model.CodeUpstreamRateLimited)
	// Another account has its own.
	if _, err := h.Messages(t.Context(), connectionOf(bob, 2), []string{id}, store.MailMinimal); err != nil {
		t.Error(err)
	}
}

// TestAttemptsAreCounted counts each attempt, and none where nothing was sent.
func TestAttemptsAreCounted(t *testing.T) {
	h := newHarness(t, builder{})
	id := h.deliver(letter("one"))
	sum := func() (units int) {
		for _, b := range h.mailbox(h.connection).units.buckets {
			units += b.units
		}
		return units
	}
	h.server.Inject(standin.Fault{Method: "gmail.users.messages.get", Status: 503, Times: 2})
	h.read(store.MailMinimal, id)
	if sum() != 60 {
		t.Errorf("%d units for three attempts", sum())
	}
	h.vault.expired = "revoked"
	_, err := h.Messages(t.Context(), h.connection, []string{id}, store.MailMinimal)
	code(t, err, model.CodeNotConnected)
	if sum() != 60 {
		t.Errorf("%d units when nothing was sent", sum())
	}
}

// TestNoMoreThanAHandfulAtOnce has ten requests read a hundred messages each, before a Google that refuses more than
// six at a time.
func TestNoMoreThanAHandfulAtOnce(t *testing.T) {
	h := newHarness(t, builder{quota: standin.Quota{AtOnce: concurrent}})
	h.Units = 1_000_000
	var ids []string
	for n := range 200 {
		ids = append(ids, h.deliver(letter(fmt.Sprint(n))))
	}
	var group sync.WaitGroup
	for n := range 10 {
		group.Go(func() {
			if got, err := h.Messages(t.Context(), h.connection, ids[n*10:n*10+100], store.MailMinimal); err != nil ||
				len(got) != 100 {
				t.Errorf("%d messages, %v", len(got), err)
			}
		})
	}
	group.Wait()
	for _, r := range h.server.Requests() {
		if r.Status != 200 {
			t.Fatalf("%s was answered %d", r.Method, r.Status)
		}
	}
	if len(h.waits) != 0 {
		t.Errorf("waited %v", h.waits)
	}
}

// gate holds requests back until it is opened.
type gate struct {
	arrived chan struct{}
	open    chan struct{}
}

func newGate() *gate { return &gate{arrived: make(chan struct{}, 1_000), open: make(chan struct{})} }

func (g *gate) pass(ctx context.Context) error {
	g.arrived <- struct{}{}
	select {
	case <-g.open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

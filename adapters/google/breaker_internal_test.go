package google

import (
	"testing"
	"time"
)

// A call that began before the breaker opened tells of the past: it neither closes nor prolongs what came after.
func TestBreakerIgnoresThePast(t *testing.T) {
	t.Parallel()
	for _, late := range []verdict{healthy, failing, noSay} {
		b := &breaker{failures: 2, pause: time.Minute}
		at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		old, _, _ := b.enter(at)
		for range 2 {
			p, _, ok := b.enter(at)
			if !ok {
				t.Fatal("it is open too soon")
			}
			b.done(p, failing, at)
		}
		b.done(old, late, at.Add(30*time.Second))
		if _, wait, ok := b.enter(at.Add(30 * time.Second)); ok || wait != 30*time.Second {
			t.Errorf("after a late %d: let in %v, or in %v", late, ok, wait)
		}
		probe, _, ok := b.enter(at.Add(time.Minute))
		if !ok {
			t.Fatal("no probe")
		}
		b.done(old, late, at.Add(time.Minute))
		if _, _, ok := b.enter(at.Add(time.Minute)); ok {
			t.Error("two probes at once")
		}
		b.done(probe, healthy, at.Add(time.Minute))
		b.done(old, failing, at.Add(time.Minute))
		b.done(old, failing, at.Add(time.Minute))
		if b.isOpen(at.Add(time.Minute)) {
			t.Error("the past opened it")
		}
	}
}

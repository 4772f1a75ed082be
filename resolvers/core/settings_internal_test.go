package core

import (
	"context"
	"errors"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// register is a store of users alone, in which a test changes settings and signals by hand.
type register struct {
	store.Store // for the rest, which nobody asks for
	settings    map[model.UserID]model.Settings
	reads       int
	broken      error
	// watching are the signals that somebody waits for, and whether they are those of settings.
	watching map[chan struct{}]bool
}

func newRegister() *register {
	return &register{settings: make(map[model.UserID]model.Settings), watching: make(map[chan struct{}]bool)}
}

func (r *register) EnsureUser(_ context.Context, fresh model.User) (model.User, error) {
	r.reads++
	if settings, ok := r.settings[fresh.ID]; ok {
		fresh.Settings = settings
	}
	return fresh, r.broken
}

func (r *register) watch(settings bool) (<-chan struct{}, func()) {
	signals := make(chan struct{}, 1)
	r.watching[signals] = settings
	return signals, func() { delete(r.watching, signals) }
}

func (r *register) WatchSettings(model.UserID) (<-chan struct{}, func()) { return r.watch(false) }

// change signals as a store does: those who watch the settings alone, only of these.
func (r *register) change(settings bool) {
	for signals, only := range r.watching {
		if settings || !only {
			signals <- struct{}{}
		}
	}
}

// discerning is a register that tells changes of settings from others.
type discerning struct{ *register }

func (d discerning) WatchSettings(model.UserID) (<-chan struct{}, func()) { return d.watch(true) }

func TestPeopleAreReadAgainWhenTheirSettingsMayHaveChanged(t *testing.T) {
	dana, noa := model.Caller{UserID: model.UserIDOf("dana")}, model.Caller{UserID: model.UserIDOf("noa")}
	zone := func(name string) model.Settings { return model.Settings{TimeZone: name} }
	for name, c := range map[string]struct {
		store func(*register) store.Store
		// reads is how many readings a write of a task costs.
		reads int
	}{
		"a store that tells them apart":    {func(r *register) store.Store { return discerning{r} }, 0},
		"one that signals without a cause": {func(r *register) store.Store { return r }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRegister()
			p := NewSettingsCache(c.store(r))
			has := func(caller model.Caller, want string, reads int) {
				t.Helper()
				before := r.reads
				got, err := p.settings(t.Context(), caller, zone("default"), time.Time{})
				if err != nil || got != zone(want) || r.reads-before != reads {
					t.Errorf("%v, %v after %d readings; want %s after %d", got, err, r.reads-before, want, reads)
				}
			}
			has(dana, "default", 1)
			has(dana, "default", 0)
			for range 3 { // tasks come and go
				r.change(false)
				has(dana, "default", c.reads)
			}
			r.settings[dana.UserID] = zone("Asia/Jerusalem")
			has(dana, "default", 0) // nobody has said so yet
			r.change(true)
			has(dana, "Asia/Jerusalem", 1)
			has(dana, "Asia/Jerusalem", 0)

			r.settings[dana.UserID] = zone("Europe/Rome")
			p.Forget(dana.UserID) // this process knows before any signal
			has(dana, "Europe/Rome", 1)
			has(noa, "default", 1)
			p.Forget(noa.UserID)
			has(dana, "Europe/Rome", 0)

			r.broken = errors.New("broken")
			p.Forget(dana.UserID)
			if _, err := p.settings(t.Context(), dana, zone("default"), time.Time{}); !errors.Is(err, r.broken) {
				t.Errorf("a broken store: %v", err)
			}
			r.broken = nil
			has(dana, "Europe/Rome", 1)
			p.Close()
			if len(r.watching) > 0 {
				t.Errorf("%d watches are left", len(r.watching))
			}
		})
	}
}

// changedWhileRead is a store in which the settings change just after they were read.
type changedWhileRead struct{ discerning }

func (c changedWhileRead) EnsureUser(ctx context.Context, fresh model.User) (model.User, error) {
	user, err := c.discerning.EnsureUser(ctx, fresh)
	if c.reads == 1 {
		c.settings[fresh.ID] = model.Settings{TimeZone: "after"}
		c.change(true)
	}
	return user, err
}

func TestPeopleMissNoChangeWhileTheyAreRead(t *testing.T) {
	p := NewSettingsCache(changedWhileRead{discerning{newRegister()}})
	defer p.Close()
	caller := model.Caller{UserID: model.UserIDOf("dana")}
	for i, want := range []string{"before", "after", "after"} {
		got, err := p.settings(t.Context(), caller, model.Settings{TimeZone: "before"}, time.Time{})
		if err != nil || got.TimeZone != want {
			t.Errorf("reading %d: %v, %v, want %s", i, got, err, want)
		}
	}
}

func TestPeopleAreBounded(t *testing.T) {
	const most = 10_000
	r := newRegister()
	p := NewSettingsCache(discerning{r})
	for i := range most + 10 {
		id := model.UserID{byte(i >> 16), byte(i >> 8), byte(i)}
		if _, err := p.settings(t.Context(), model.Caller{UserID: id}, model.Settings{}, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.watching) != most {
		t.Errorf("%d people are watched", len(r.watching))
	}
	p.Close()
}

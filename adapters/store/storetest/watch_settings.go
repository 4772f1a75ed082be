package storetest

import (
	"context"
	"strconv"
	"sync"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// settingsWatcher is what a driver offers beside the contract to those who remember users' settings: a Watch that is
// spared other changes. It may signal without a cause, and must not miss one.
type settingsWatcher interface {
	WatchSettings(user model.UserID) (signals <-chan struct{}, stop func())
}

// watchSettings watches by a store's own method.
func (h *fixture) watchSettings() (signals <-chan struct{}, stop func()) {
	h.Helper()
	watcher, ok := h.Store.(settingsWatcher)
	if !ok {
		h.Fatalf("%T cannot tell changes of settings from others", h.Store)
	}
	return watcher.WatchSettings(h.user)
}

// numberSettings saves settings that are told apart by a number.
func (h *fixture) numberSettings(ctx context.Context, n int) error {
	return h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return tx.SaveSettings(ctx, model.Settings{TimeZone: strconv.Itoa(n), Locale: "en", WeekStart: model.Sunday})
	})
}

func watchSettings(h *fixture) {
	h = h.as("settings watched")
	signals, stop := h.watchSettings()
	defer stop()
	saves := func(n int) func(ctx context.Context, _ store.Tx) error {
		return func(ctx context.Context, _ store.Tx) error { return h.numberSettings(ctx, n) }
	}
	for what, save := range map[string]func(n int){
		"alone": func(n int) { h.write(saves(n)) },
		"nested": func(n int) {
			h.write(func(ctx context.Context, _ store.Tx) error { return h.Write(ctx, h.user, saves(n)) })
		},
		"before and after other things": func(n int) {
			h.write(func(ctx context.Context, tx store.Tx) error {
				if err := tx.InsertTasks(ctx, []model.Task{h.task("x")}); err != nil {
					return err
				}
				if err := saves(n)(ctx, tx); err != nil {
					return err
				}
				return tx.InsertTasks(ctx, []model.Task{h.task("y")})
			})
		},
		"by Once": func(n int) {
			h.once(call("settings", byte(n)), func(ctx context.Context) ([]byte, error) { return nil, h.numberSettings(ctx, n) })
		},
	} {
		h.drain(signals)
		save(1)
		h.awaits("settings were saved "+what, signals)
	}
	stop()
	stop() // stopping twice is harmless
	h.drain(signals)
	h.write(saves(2))
	h.same("signals after the end", len(signals), 0)
}

func (h *fixture) drain(signals <-chan struct{}) {
	select {
	case <-signals:
	default:
	}
}

// watchSettingsLosesNothing: whoever reads the settings when signalled has the last ones in the end, whatever else is
// written meanwhile, by whichever process.
func watchSettingsLosesNothing(h *fixture, open Open) {
	h = h.as("settings followed")
	followSettings(h, h, 0)
	if h.Facts().Replicas {
		beside := *h
		beside.Store = open(h.T, Options{Now: h.clock.Now, Beside: h.Store})
		followSettings(h, &beside, 100)
	}
}

// followSettings numbers the writer's settings from a number on.
func followSettings(h, writer *fixture, from int) {
	signals, stop := h.watchSettings()
	defer stop()
	const many = 40
	var wait sync.WaitGroup
	defer wait.Wait()
	wait.Go(func() {
		for n := range many {
			if err := writer.numberSettings(h.ctx, from+n); err != nil {
				h.Errorf("Write: %v", err)
			}
		}
	})
	wait.Go(func() {
		for range many {
			task := h.task("x")
			if err := writer.Write(h.ctx, h.user, func(ctx context.Context,
				tx store.Tx) error {
				return tx.InsertTasks(ctx, []model.Task{task})
			}); err != nil {
				h.Errorf("Write: %v", err)
			}
		}
	})
	for h.awaits("the last settings are to come", signals) {
		user := must(h, func() (model.User, error) { return h.User(h.ctx, h.user) })
		if user.Settings.TimeZone == strconv.Itoa(from+many-1) {
			break
		}
	}
}

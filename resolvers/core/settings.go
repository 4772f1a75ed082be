package core

import (
	"context"
	"sync"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// maxPeople bounds how many users' settings are remembered; each costs a few hundred bytes and a watch.
const maxPeople = 10_000

// SettingsCache remembers users' settings, since nearly every answer needs them. What it remembers of a user is
// forgotten as soon as the store signals that they may have changed, by whichever process, so it is never older than
// the signal.
type SettingsCache struct {
	store store.Store
	mu    sync.Mutex
	known map[model.UserID]*person
}

type person struct {
	settings model.Settings
	signals  <-chan struct{}
	stop     func()
}

// NewSettingsCache makes an empty cache over a store. Close it when done.
func NewSettingsCache(s store.Store) *SettingsCache {
	return &SettingsCache{store: s, known: make(map[model.UserID]*person)}
}

// settings returns the caller's settings; the user's row is made at the first request.
func (p *SettingsCache) settings(ctx context.Context, caller model.Caller, defaults model.Settings,
	now time.Time) (model.Settings, error) {
	if settings, ok := p.remembered(caller.UserID); ok {
		return settings, nil
	}
	signals, stop := p.store.WatchSettings(caller.UserID) // before reading, so that no change falls between
	user, err := p.store.EnsureUser(ctx, model.User{
		ID: caller.UserID, Subject: caller.Subject, Email: caller.Email, Settings: defaults, CreatedAt: now,
	})
	if err != nil {
		stop()
		return model.Settings{}, err
	}
	p.remember(caller.UserID, &person{settings: user.Settings, signals: signals, stop: stop})
	return user.Settings, nil
}

func (p *SettingsCache) remembered(id model.UserID) (model.Settings, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, ok := p.known[id]
	if !ok {
		return model.Settings{}, false
	}
	select {
	case <-found.signals:
		p.drop(id, found)
		return model.Settings{}, false
	default:
		return found.settings, true
	}
}

func (p *SettingsCache) remember(id model.UserID, fresh *person) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old, ok := p.known[id]; ok {
		p.drop(id, old)
	}
	if len(p.known) >= maxPeople {
		for victim, old := range p.known { // any will do: it is read again when it comes back
			p.drop(victim, old)
			break
		}
	}
	p.known[id] = fresh
}

// Forget drops what is remembered of a user, for the process that changed it.
func (p *SettingsCache) Forget(id model.UserID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old, ok := p.known[id]; ok {
		p.drop(id, old)
	}
}

func (p *SettingsCache) drop(id model.UserID, old *person) {
	old.stop()
	delete(p.known, id)
}

// Close stops watching the settings of users.
func (p *SettingsCache) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, old := range p.known {
		p.drop(id, old)
	}
}

package core

import (
	"context"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/watched"
	"almanac/graph/model"
)

// SettingsCache remembers users' settings, since nearly every answer needs them, until the store signals that they may
// have changed.
type SettingsCache struct {
	store store.Store
	*watched.Cache[model.Settings]
}

// NewSettingsCache makes an empty cache over a store. Close it when done.
func NewSettingsCache(s store.Store) *SettingsCache {
	return &SettingsCache{store: s, Cache: watched.New[model.Settings](s.WatchSettings)}
}

// settings returns the caller's settings; the user's row is made at the first request.
func (p *SettingsCache) settings(ctx context.Context, caller model.Caller, defaults model.Settings,
	now time.Time) (model.Settings, error) {
	if settings, ok := p.Remembered(caller.UserID); ok { // without the function below, which would be allocated
		return settings, nil
	}
	return p.Get(caller.UserID, func() (model.Settings, error) {
		user, err := p.store.EnsureUser(ctx, model.User{
			ID: caller.UserID, Subject: caller.Subject, Email: caller.Email, Settings: defaults, CreatedAt: now,
		})
		return user.Settings, err
	})
}

package watched

import (
	"context"

	"almanac/graph/model"
)

// UserStore reads users, and signals when they may have changed.
type UserStore interface {
	User(ctx context.Context, user model.UserID) (model.User, error)
	WatchSettings(user model.UserID) (signals <-chan struct{}, stop func())
}

// Users reads the rows of users and remembers them. Close it when done.
type Users struct {
	store UserStore
	*Cache[model.User]
}

// NewUsers makes Users that remember nothing yet.
func NewUsers(s UserStore) *Users { return &Users{store: s, Cache: New[model.User](s.WatchSettings)} }

// User returns a user; the error is store.ErrNotFound for one that is not there yet, which is not remembered.
func (u *Users) User(ctx context.Context, user model.UserID) (model.User, error) {
	if known, ok := u.Remembered(user); ok { // without the function below, which would be allocated
		return known, nil
	}
	return u.Get(user, func() (model.User, error) { return u.store.User(ctx, user) })
}

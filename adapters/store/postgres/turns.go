package postgres

import (
	"context"
	"sync"

	"almanac/graph/model"
)

// turns lets the writes of one user queue in this process, before they take a connection. They would wait for the
// user's row anyway; but there each of them would hold a connection, and one busy user could keep everybody else from
// the database.
type turns struct {
	mu    sync.Mutex
	users map[model.UserID]*turn
}

// turn is the queue of one user, kept while somebody is in it.
type turn struct {
	token   chan struct{}
	waiting int
}

// take waits for the user's turn, or for the end of the context. leave must be called when err is nil.
func (t *turns) take(ctx context.Context, user model.UserID) (leave func(), err error) {
	t.mu.Lock()
	if t.users == nil {
		t.users = make(map[model.UserID]*turn)
	}
	own := t.users[user]
	if own == nil {
		own = &turn{token: make(chan struct{}, 1)}
		t.users[user] = own
	}
	own.waiting++
	t.mu.Unlock()
	select {
	case own.token <- struct{}{}:
		return func() {
			<-own.token
			t.forget(user, own)
		}, nil
	case <-ctx.Done():
		t.forget(user, own)
		return nil, ctx.Err()
	}
}

func (t *turns) forget(user model.UserID, own *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own.waiting--
	if own.waiting == 0 {
		delete(t.users, user)
	}
}

// queued is how many writes wait for others of their user.
func (t *turns) queued() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, own := range t.users {
		n += own.waiting - 1
	}
	return n
}

package sqlite

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/graph/model"
)

// hub tells watchers of commits.
type hub struct {
	s        *Store
	interval time.Duration
	closed   chan struct{}
	stopped  sync.WaitGroup

	mu       sync.Mutex
	watchers map[model.UserID]map[chan struct{}]interest
	count    int
	// polling stops the poller; nil while nobody watches.
	polling context.CancelFunc
	over    bool

	// version is the database's number as the writing connection saw it last. It moves with the commits of others only. It
	// belongs to whoever has the right to write.
	version int64
}

// interest is what a watcher wants to hear of.
type interest int

const (
	anyChange interest = iota
	settingsOnly
)

func newHub(s *Store, interval time.Duration) *hub {
	return &hub{s: s, interval: interval, closed: make(chan struct{}),
		watchers: make(map[model.UserID]map[chan struct{}]interest)}
}

// Watch: see store.ChangeReader. Other processes' writes are heard of within Options.WatchInterval, as signals to
// everybody.
func (s *Store) Watch(user model.UserID) (signals <-chan struct{}, stop func()) {
	return s.hub.watch(user, anyChange)
}

// WatchSettings is Watch for those who remember nothing of the user but the settings: it is signalled after each commit
// that changed them. Commits of this process that did not are not signalled; of other processes' commits nobody knows
// what they changed.
func (s *Store) WatchSettings(user model.UserID) (signals <-chan struct{}, stop func()) {
	return s.hub.watch(user, settingsOnly)
}

func (h *hub) watch(user model.UserID, in interest) (signals <-chan struct{}, stop func()) {
	own := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watchers[user] == nil {
		h.watchers[user] = make(map[chan struct{}]interest)
	}
	h.watchers[user][own] = in
	h.count++
	if h.polling == nil && !h.over {
		ctx, cancel := context.WithCancel(context.Background())
		h.polling = cancel
		h.stopped.Go(func() { h.poll(ctx) })
	}
	return own, sync.OnceFunc(func() { h.leave(user, own) })
}

func (h *hub) leave(user model.UserID, own chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.watchers[user], own)
	if len(h.watchers[user]) == 0 {
		delete(h.watchers, user)
	}
	if h.count--; h.count == 0 && h.polling != nil {
		h.polling()
		h.polling = nil
	}
}

// signal tells the watchers of one user; settings is whether the settings may be among what has changed.
func (h *hub) signal(user model.UserID, settings bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for own, in := range h.watchers[user] {
		if in != settingsOnly || settings {
			notify(own)
		}
	}
}

// signalAll tells everybody.
func (h *hub) signalAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, watchers := range h.watchers {
		for own := range watchers {
			notify(own)
		}
	}
}

// notify leaves a signal unless one is waiting already.
func notify(own chan struct{}) {
	select {
	case own <- struct{}{}:
	default:
	}
}

// poll looks for the commits of other processes until nobody watches. The first look finds whatever happened since the
// last one, so nothing is missed in between.
func (h *hub) poll(ctx context.Context) {
	ticker := time.NewTicker(h.interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if h.s.acquire(ctx) != nil {
			return
		}
		h.lookBeside(h.s.writer)
		h.s.turn <- struct{}{}
	}
}

// lookBeside signals everybody when another process has committed. The caller has the right to write, and is in no
// transaction.
func (h *hub) lookBeside(c *conn) {
	h.mu.Lock()
	watched := h.count > 0
	h.mu.Unlock()
	if !watched {
		return
	}
	if version := c.dataVersion(h.s.logger); version != h.version {
		h.version = version
		h.signalAll()
	}
}

// dataVersion returns the database's number as the connection sees it, which moves with the commits of others; 0 when
// it cannot be told.
func (c *conn) dataVersion(logger *slog.Logger) (version int64) {
	err := c.run("PRAGMA data_version", nil, func(stmt *sqlite.Stmt) error { version = stmt.ColumnInt64(0); return nil })
	if err != nil {
		logger.Warn("sqlite: cannot look for other processes' writes", "error", err)
	}
	return version
}

// close ends the poller.
func (h *hub) close() {
	h.mu.Lock()
	h.over = true
	if h.polling != nil {
		h.polling()
		h.polling = nil
	}
	close(h.closed)
	h.mu.Unlock()
	h.stopped.Wait()
}

package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/graph/model"
)

// watchers signal those who watch a user. Two goroutines and one connection serve all of them; they begin with the
// first Watch, so that a program that only writes has neither.
//
// This process's own commits signal at once. Where the database can be listened to, it passes on the notices of the
// other processes; when that connection was lost, everybody is signalled once it stands again, since nobody knows what
// was missed. Everywhere, the change numbers of the watched users are asked for every interval, in one statement: where
// nothing can be heard that is how the others' commits are noticed, elsewhere it is for the notice that a killed
// process could not send any more.
type watchers struct {
	store    *Store
	listen   *pgx.ConnConfig // nil: only ask
	interval time.Duration

	mu     sync.Mutex
	users  map[model.UserID]map[chan struct{}]interest
	start  sync.Once
	cancel context.CancelFunc
	ctx    context.Context //nolint:containedctx // the life of the goroutine, which belongs to no call
	done   sync.WaitGroup
}

// interest is what a watcher wants to hear of.
type interest int

const (
	anyChange interest = iota
	settingsOnly
)

func newWatchers(s *Store, listen *pgx.ConnConfig, interval time.Duration) *watchers {
	w := &watchers{store: s, listen: listen, interval: interval, users: make(map[model.UserID]map[chan struct{}]interest)}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	return w
}

// Watch returns a channel that is signalled after each commit that changed something of the user; see the contract.
func (s *Store) Watch(user model.UserID) (signals <-chan struct{}, stop func()) {
	return s.watchers.watch(user, anyChange)
}

// WatchSettings is Watch for those who remember nothing of the user but the settings: it is signalled after each commit
// that changed them. Commits of this process that did not are not signalled, nor those of others whose notices say so;
// but a signal may come without a cause, where nobody knows what has changed.
func (s *Store) WatchSettings(user model.UserID) (signals <-chan struct{}, stop func()) {
	return s.watchers.watch(user, settingsOnly)
}

func (w *watchers) watch(user model.UserID, in interest) (signals <-chan struct{}, stop func()) {
	signal := make(chan struct{}, 1)
	w.mu.Lock()
	if w.users[user] == nil {
		w.users[user] = make(map[chan struct{}]interest)
	}
	w.users[user][signal] = in
	w.mu.Unlock()
	w.start.Do(func() {
		if w.listen != nil {
			w.done.Go(w.listenForever)
		}
		w.done.Go(w.askForever)
	})
	return signal, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.users[user], signal)
		if len(w.users[user]) == 0 {
			delete(w.users, user)
		}
	}
}

func (w *watchers) close() {
	w.cancel()
	w.start.Do(func() {}) // a Watch after the end starts nothing
	w.done.Wait()
}

// signal tells those who watch a user; settings is whether the settings may be among what has changed.
func (w *watchers) signal(user model.UserID, settings bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	signalAll(w.users[user], settings)
}

func (w *watchers) signalEverybody() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, watching := range w.users {
		signalAll(watching, true)
	}
}

// signalAll leaves a signal with each; one that is still waiting to be taken stands for this one too.
func signalAll(watching map[chan struct{}]interest, settings bool) {
	for signal, in := range watching {
		if in == settingsOnly && !settings {
			continue
		}
		select {
		case signal <- struct{}{}:
		default:
		}
	}
}

// The waits between attempts to listen again double from the first to the last.
const (
	firstRetry = 50 * time.Millisecond
	lastRetry  = 2 * time.Second
)

func (w *watchers) listenForever() {
	wait := firstRetry
	for w.ctx.Err() == nil {
		stood, err := w.listenOnce()
		if w.ctx.Err() != nil {
			return
		}
		if stood {
			wait = firstRetry
		}
		w.store.log.LogAttrs(w.ctx, slog.LevelWarn, "not listening for changes; trying again", slog.Duration("wait", wait),
			slog.Any("error", err))
		select {
		case <-time.After(wait):
		case <-w.ctx.Done():
		}
		wait = min(2*wait, lastRetry)
	}
}

// listenOnce listens until the connection is lost. stood is whether it ever stood.
func (w *watchers) listenOnce() (stood bool, err error) {
	conn, err := pgx.ConnectConfig(w.ctx, w.listen.Copy())
	if err != nil {
		return false, err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), settleTimeout)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if err := w.beginListening(conn); err != nil {
		return false, fmt.Errorf("listen: %w", err)
	}
	// Commits up to here may have been missed; later ones are heard.
	w.signalEverybody()
	for {
		if err := w.hear(conn); err != nil {
			return true, err
		}
	}
}

func (w *watchers) beginListening(conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(w.ctx, connectTimeout)
	defer cancel()
	return conn.PgConn().Exec(ctx, "LISTEN "+channel).Close()
}

// hear waits for the next notice. Silence is broken with a question: a connection that a firewall has forgotten returns
// no error by itself.
func (w *watchers) hear(conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(w.ctx, idleCheck)
	notice, err := conn.WaitForNotification(ctx)
	cancel()
	if err == nil {
		process, user, settings := readPayload(notice.Payload)
		if id, err := model.ParseID(user); err == nil && id.Kind == model.KindUser && process != w.store.notices.process {
			w.signal(model.UserID(id.UUID), settings)
		}
		return nil
	}
	if ctx.Err() == nil || w.ctx.Err() != nil || conn.IsClosed() {
		return err
	}
	ctx, cancel = context.WithTimeout(w.ctx, connectTimeout)
	defer cancel()
	return conn.Ping(ctx)
}

const sqlHeads = `SELECT user_id, change_seq FROM users WHERE user_id = ANY($1)`

// askForever asks for the change numbers of the watched users and signals those whose number is new.
func (w *watchers) askForever() {
	ticker := time.NewTicker(w.interval)
	defer ticker.Stop()
	heads := make(map[model.UserID]int64)
	failing := false
	for {
		select {
		case <-ticker.C:
		case <-w.ctx.Done():
			return
		}
		err := w.ask(heads)
		if err != nil && !failing && w.ctx.Err() == nil {
			w.store.log.LogAttrs(w.ctx, slog.LevelWarn, "cannot ask for changes; trying again", slog.Any("error", err))
		}
		failing = err != nil
	}
}

// ask compares with the numbers of the last time. A user seen for the first time is signalled: the first number may
// hold what came between the start of watching and now.
func (w *watchers) ask(heads map[model.UserID]int64) error {
	w.mu.Lock()
	watched := make([]model.UUID, 0, len(w.users))
	for user := range w.users {
		watched = append(watched, model.UUID(user))
	}
	for user := range heads {
		if w.users[user] == nil {
			delete(heads, user)
		}
	}
	w.mu.Unlock()
	if len(watched) == 0 {
		return nil
	}
	found := make(map[model.UserID]int64, len(watched))
	b := newBatch()
	b.query(sqlHeads, func(r *row) { found[model.UserID(r.uuid())] = r.int64() }, uuidArgs(watched))
	ctx, cancel := context.WithTimeout(w.ctx, settleTimeout)
	defer cancel()
	err := w.store.background(ctx, b)
	if w.store.workerDown(err) {
		clear(found)
		err = w.store.headsOnShards(ctx, watched, found)
	}
	if err != nil {
		return err
	}
	for user, head := range found {
		if before, known := heads[user]; !known || before != head {
			heads[user] = head
			w.signal(user, true) // of whatever it was
		}
	}
	return nil
}

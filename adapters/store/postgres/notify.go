package postgres

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"time"

	"almanac/graph/model"
)

// channel is where a process says whose log has grown. A payload is the name of the process, the mark if the user's
// settings are as they were, a space, and the user's public id.
const channel = "almanac_changes"

// sameSettings is that mark. It stands where an Almanac that does not know it takes it for a part of the name; and of
// one that does not send it, nobody knows.
const sameSettings = "-"

func payload(process string, user model.UserID, settings bool) string {
	if !settings {
		process += sameSettings
	}
	return process + " " + user.String()
}

// readPayload takes a payload apart; settings is whether the user's settings may have changed.
func readPayload(payload string) (process, user string, settings bool) {
	process, user, _ = strings.Cut(payload, " ")
	process, same := strings.CutSuffix(process, sameSettings)
	return process, user, !same
}

// noticePause is how long a process that has told others of its commits waits until it tells of the next ones.
const noticePause = 5 * time.Millisecond

// notices tells other processes of this one's commits, right after them.
//
// Not in the transactions themselves: a transaction that notifies holds a lock of the whole database until its commit
// is on the disk, so all commits of all users would wait for each other's disk writes. Measured with 16 writers on one
// disk, that is 330–550 commits a second instead of 1,390. Here one small transaction, which waits for no disk, speaks
// for all commits since the last one. The first of them is told of at once, those that follow within noticePause
// together.
//
// A process that is killed between a commit and its notice leaves the others without one; they ask for the change
// numbers of those they watch now and then, so the signal comes late but is not lost.
type notices struct {
	store *Store
	// process names this one, to be told apart from the others: its own watchers need no notice.
	process string

	mu      sync.Mutex
	pending map[model.UserID]bool // whether the user's settings may be among what has changed
	running bool
	closing chan struct{}
	done    sync.WaitGroup
}

func newNotices(s *Store) *notices {
	return &notices{store: s, process: rand.Text(), pending: make(map[model.UserID]bool), closing: make(chan struct{})}
}

// add has the others told of a user. It does not wait.
func (n *notices) add(user model.UserID, settings bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.pending[user] = n.pending[user] || settings
	if !n.running {
		n.running = true
		n.done.Go(n.tell)
	}
}

// close waits until everything is told, or cannot be. Nothing may be added afterwards.
func (n *notices) close() {
	close(n.closing)
	n.done.Wait()
}

// tell runs until nothing is left to tell.
func (n *notices) tell() {
	wait := firstRetry
	for {
		users := n.take()
		if len(users) == 0 {
			return
		}
		err := n.send(users)
		if err == nil {
			wait = firstRetry
			select {
			case <-time.After(noticePause):
			case <-n.closing:
			}
			continue
		}
		n.store.log.LogAttrs(context.Background(), slog.LevelWarn, "cannot tell other processes of changes; trying again",
			slog.Duration("wait", wait), slog.Any("error", err))
		n.putBack(users)
		select {
		case <-time.After(wait):
		case <-n.closing:
			return
		}
		wait = min(2*wait, lastRetry)
	}
}

// take returns what is pending; with nothing, the goroutine has ended as far as add is concerned.
func (n *notices) take() map[model.UserID]bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	users := maps.Clone(n.pending)
	clear(n.pending)
	n.running = len(users) > 0
	return users
}

func (n *notices) putBack(users map[model.UserID]bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for user, settings := range users {
		n.pending[user] = n.pending[user] || settings
	}
}

// sqlNotify: a notice does not outlive the server anyway, so its transaction need not wait for the disk.
const sqlNotify = `SELECT set_config('synchronous_commit', 'off', true), pg_notify('` + channel + `', payload)
FROM unnest($1::text[]) AS n (payload)`

func (n *notices) send(users map[model.UserID]bool) error {
	payloads := make([]string, 0, len(users))
	for user, settings := range users {
		payloads = append(payloads, payload(n.process, user, settings))
	}
	b := newBatch()
	b.query(sqlNotify, func(r *row) { r.skip(2) }, payloads)
	ctx, cancel := context.WithTimeout(context.Background(), settleTimeout)
	defer cancel()
	return n.store.background(ctx, b)
}

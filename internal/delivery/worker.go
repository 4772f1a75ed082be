package delivery

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"almanac/adapters/remote"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/seal"
	"almanac/internal/slots"
)

// Store is what the worker needs of one; the contracts are those of package store.
type Store interface {
	ClaimChannels(ctx context.Context, now, until time.Time, limit int) ([]model.Channel, error)
	SettleChannel(ctx context.Context, lease time.Time, channel model.Channel) error
	Channels(ctx context.Context, user model.UserID) ([]model.Channel, error)
	Changes(ctx context.Context, user model.UserID, after int64, types []model.ChangeType, limit int) ([]model.Change,
		error)
	ChangeHead(ctx context.Context, user model.UserID) (int64, error)
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error
}

// Sender sends a message to one kind of channel. The error is a *Failure, or that of the context.
type Sender interface {
	Send(ctx context.Context, secret model.ChannelSecret, message Message) error
}

// Failure is why a message was not delivered.
type Failure struct {
	// Problem is for people, and Reason for metrics.
	Problem, Reason string
	// Status is that of the answer; 0 for none.
	Status int
	// Wait is how long the receiver wants to be left alone.
	Wait time.Duration
	// Gone: there will never be anybody at the address again.
	Gone bool
}

// Error implements error. It has neither the address nor anything that the receiver said.
func (f *Failure) Error() string { return "not delivered: " + f.Reason }

// Worker delivers what channels have not had yet. All fields but the last four must be set; it is safe for goroutines
// and must not be copied.
type Worker struct {
	Store Store
	Box   *seal.Box
	// Webhooks and Push send to the two kinds.
	Webhooks, Push Sender
	// Cursor is a place of the log as clients read it.
	Cursor func(user model.UserID, seq int64) string
	Now    func() time.Time
	// Titles returns the titles of what changed, by Change.ID; what has none is missing. Nil: there are no titles.
	Titles func(ctx context.Context, user model.UserID, changes []model.Change) (map[model.UUID]string, error)
	// Jitter returns numbers in [0, 1), so that channels that failed together are not tried together; random ones when
	// nil.
	Jitter func() float64
	// Logger receives failures; nil: none is logged.
	Logger *slog.Logger
	// Observe is called after every attempt, by several goroutines at once; nil: it is not called. It must not block.
	Observe func(Attempt)

	once sync.Once
	mu   sync.Mutex
	busy map[model.UserID]int
}

// Attempt is one attempt to deliver a message.
type Attempt struct {
	Kind model.ChannelKind
	// Result is "delivered", or a failure's Reason.
	Result string
	// Took is how long it took, Late how long ago the change happened when it was delivered.
	Took, Late time.Duration
	// Ended: the channel was turned off, or a browser's was deleted, since it failed for too long or is gone.
	Ended bool
}

// Delivered is the result of an attempt that was answered as it should.
const Delivered = "delivered"

const (
	// concurrent is how many channels are delivered to at once, and perUser how many of one user, so that receivers which
	// hang hold up nobody else's.
	concurrent = 32
	perUser    = 4
	// tick is how long a change waits for a process to notice it.
	tick = time.Second
	// turn is how long a process delivers to a channel before others have their turn, and batch how many changes it reads
	// for it.
	turn  = 20 * time.Second
	batch = 100
	// lease is longer than an attempt takes, so that nobody else begins one meanwhile. Each delivery renews it.
	lease = 90 * time.Second
	// storeTimeout bounds one call of the store, partingTimeout what is still written when the worker was told to stop.
	storeTimeout   = 30 * time.Second
	partingTimeout = 2 * time.Second
	// Waits after failures begin with leastBackoff and double up to mostBackoff.
	leastBackoff = 5 * time.Second
	mostBackoff  = 6 * time.Hour
	// giveUpAfter is how long a channel fails before it is turned off, if it was tried giveUpTries times.
	giveUpAfter = 5 * 24 * time.Hour
	giveUpTries = 10
)

// Run works until the context ends, and then returns nil, after the attempts under way have ended. Failures are logged
// and tried again; they never end it.
func (w *Worker) Run(ctx context.Context) error {
	if w.Store == nil || w.Box == nil || w.Webhooks == nil || w.Push == nil || w.Cursor == nil || w.Now == nil {
		return errors.New("delivery: Store, Box, Webhooks, Push, Cursor and Now must be set")
	}
	w.once.Do(w.prepare)
	running := slots.New(concurrent)
	defer running.Wait()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		slots.RunDue(ctx, running, w.claim, func(channel model.Channel) { w.Deliver(ctx, channel) }, func(err error) {
			w.Logger.ErrorContext(ctx, "what is to be delivered was not found", "cause", err.Error())
		})
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// prepare fills in what was left out.
func (w *Worker) prepare() {
	w.busy = map[model.UserID]int{}
	if w.Jitter == nil {
		w.Jitter = rand.Float64
	}
	if w.Logger == nil {
		w.Logger = slog.New(slog.DiscardHandler)
	}
	if w.Observe == nil {
		w.Observe = func(Attempt) {}
	}
}

func (w *Worker) claim(ctx context.Context, limit int) ([]model.Channel, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	now := w.Now()
	return w.Store.ClaimChannels(ctx, now, now.Add(lease), limit)
}

// enter reports whether the user may have one more channel delivered to; leave must be called then.
func (w *Worker) enter(user model.UserID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy[user] >= perUser {
		return false
	}
	w.busy[user]++
	return true
}

func (w *Worker) leave(user model.UserID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy[user]--; w.busy[user] == 0 {
		delete(w.busy, user)
	}
}

// delivering is a channel that is being delivered to.
type delivering struct {
	*Worker
	model.Channel
	state  model.ChannelState
	secret model.ChannelSecret
}

// errLeaseLost says that the channel is somebody else's now: it was changed, deleted, or taken by another process.
var errLeaseLost = errors.New("the lease was lost")

// Deliver delivers to a channel that was claimed, until it has everything, fails, or its turn ends.
func (w *Worker) Deliver(ctx context.Context, channel model.Channel) {
	w.once.Do(w.prepare)
	d := &delivering{Worker: w, Channel: channel}
	if !w.enter(channel.User) {
		if err := d.settle(ctx, w.Now().Add(tick)); err != nil {
			d.log(ctx, slog.LevelError, "a channel was not put off", err)
		}
		return
	}
	defer w.leave(channel.User)
	switch err := d.deliver(ctx); {
	case err == nil, errors.Is(err, errLeaseLost):
	case ctx.Err() != nil: // somebody else goes on
		_ = d.settle(ctx, w.Now())
	default:
		d.fail(ctx, err)
	}
}

// deliver sends what the channel has not had. A panic is an error like another.
func (d *delivering) deliver(ctx context.Context) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	if err := d.open(); err != nil {
		return err
	}
	over := time.NewTimer(turn)
	defer over.Stop()
	for {
		changes, err := d.changes(ctx)
		if err != nil {
			return err
		}
		if len(changes) == 0 {
			return d.settle(ctx, d.Now())
		}
		titles, err := d.titles(ctx, &d.Channel, &d.state, changes)
		if err != nil {
			return err
		}
		for _, change := range changes {
			if wants(d.Kind, &d.state, change) {
				if err := d.send(ctx, d.about(&d.Channel, change, titles[change.ID]), change.Seq); err != nil {
					return err
				}
			} else {
				d.Place = change.Seq
			}
			select {
			case <-over.C:
				return d.settle(ctx, d.Now())
			default:
			}
		}
		if err := d.settle(ctx, d.Now().Add(lease)); err != nil {
			return err
		}
	}
}

// changes reads what comes next. Where changes are lost, it tells the receiver and goes on from the end.
func (d *delivering) changes(ctx context.Context) ([]model.Change, error) {
	limited, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	changes, err := d.Store.Changes(limited, d.User, d.Place, nil, batch)
	if !errors.Is(err, store.ErrCursorExpired) {
		return changes, err
	}
	head, err := d.Store.ChangeHead(limited, d.User)
	if err != nil {
		return nil, err
	}
	if err := d.send(ctx, d.lost(&d.Channel, head), head); err != nil {
		return nil, err
	}
	return d.Store.Changes(limited, d.User, d.Place, nil, batch)
}

// send delivers one message and keeps that it was.
func (d *delivering) send(ctx context.Context, message Message, place int64) error {
	sender := d.Webhooks
	if d.Kind == model.ChannelPush {
		sender = d.Push
	}
	began := d.Now()
	err := sender.Send(ctx, d.secret, message)
	now := d.Now()
	if err != nil {
		if lost, known := errors.AsType[*Failure](err); known {
			d.Observe(Attempt{Kind: d.Kind, Result: lost.Reason, Took: now.Sub(began)})
		}
		return err
	}
	d.Observe(Attempt{Kind: d.Kind, Result: Delivered, Took: now.Sub(began), Late: now.Sub(message.At)})
	d.Place = place
	d.state.Failures, d.state.FailingSince, d.state.Problem, d.state.DeliveredAt = 0, time.Time{}, "", now
	return d.settle(ctx, now.Add(lease))
}

// open reads what is sealed of the channel.
func (d *delivering) open() error {
	if err := json.Unmarshal([]byte(d.State), &d.state); err != nil {
		return fmt.Errorf("the state of a channel: %w", err)
	}
	opened, err := d.Box.Open(Place(d.User, d.ID), d.Sealed)
	if err != nil {
		return err
	}
	if d.Box.Stale(d.Sealed) {
		d.Sealed = d.Box.Seal(Place(d.User, d.ID), opened)
	}
	if err := json.Unmarshal(opened, &d.secret); err != nil {
		return fmt.Errorf("the secrets of a channel: %w", err)
	}
	if d.secret.OldEnds.Before(d.Now()) {
		d.secret.Old = nil
	}
	return nil
}

// Place is what the secrets of a channel are sealed for.
func Place(user model.UserID, channel model.UUID) seal.Place {
	return seal.Place{Column: "channels.sealed", User: user, Row: channel}
}

// settle keeps how far the channel is, and until when it is ours or when it is due next.
func (d *delivering) settle(ctx context.Context, due time.Time) error {
	held := d.DueAt
	if d.state.Host != "" { // it was read
		text, err := json.Marshal(d.state)
		if err != nil {
			return err
		}
		d.State = string(text)
	}
	// It is the lease too, by which the row is found again.
	d.DueAt = due.Truncate(time.Microsecond)
	bound := storeTimeout
	if ctx.Err() != nil {
		bound = partingTimeout
	}
	// What was delivered is kept even when the worker is told to stop meanwhile.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bound)
	defer cancel()
	err := d.Store.SettleChannel(ctx, held, d.Channel)
	if errors.Is(err, store.ErrNotFound) {
		return errLeaseLost
	}
	return err
}

// fail plans the next attempt, or ends a channel that is gone or has failed for too long.
func (d *delivering) fail(ctx context.Context, cause error) {
	now := d.Now()
	d.state.Failures++
	d.state.FailingSince = cmp.Or(d.state.FailingSince, now)
	d.state.Problem = "Something went wrong on our side."
	wait := remote.Backoff(min(d.state.Failures, 30), d.Jitter(), leastBackoff, mostBackoff)
	lost, known := errors.AsType[*Failure](cause)
	if known {
		d.state.Problem = lost.Problem
		wait = max(wait, min(lost.Wait, remote.MaxAfter))
	}
	over := d.state.Failures >= giveUpTries && now.Sub(d.state.FailingSince) >= giveUpAfter
	if known && (lost.Gone || over) {
		if err := d.end(ctx, lost.Gone); err != nil && !errors.Is(err, errLeaseLost) {
			d.log(ctx, slog.LevelError, "a channel was not turned off", err)
			return
		}
		d.Observe(Attempt{Kind: d.Kind, Result: lost.Reason, Ended: true})
		d.log(ctx, slog.LevelWarn, "a channel was turned off", cause)
		return
	}
	level := slog.LevelError
	if known {
		level = slog.LevelWarn
	}
	d.log(ctx, level, "a channel was not delivered to", cause)
	if err := d.settle(ctx, now.Add(wait)); err != nil && !errors.Is(err, errLeaseLost) {
		d.log(ctx, slog.LevelError, "the failure of a channel was not kept", err)
	}
}

// end turns a webhook off, and deletes the subscription of a browser that has gone, each with its change, by which the
// owner hears of it.
func (d *delivering) end(ctx context.Context, gone bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	return d.Store.Write(ctx, d.User, func(ctx context.Context, tx store.Tx) error {
		all, err := tx.Channels(ctx, d.User)
		if err != nil {
			return err
		}
		for _, now := range all {
			if now.ID != d.ID || !now.DueAt.Equal(d.DueAt) {
				continue
			}
			if gone && d.Kind == model.ChannelPush {
				return tx.DeleteChannel(ctx, d.Channel)
			}
			d.state.DisabledAt = d.Now()
			text, err := json.Marshal(d.state)
			if err != nil {
				return err
			}
			d.State, d.DueAt = string(text), time.Time{}
			return tx.SaveChannel(ctx, model.OperationUpdated, d.Channel)
		}
		return errLeaseLost
	})
}

func (d *delivering) log(ctx context.Context, level slog.Level, message string, cause error) {
	//nolint:sloglint // the callers' messages are constants
	d.Logger.Log(ctx, level, message, "user", d.User.String(), "id", d.RecordID().String(), "kind", string(d.Kind),
		"failures", d.state.Failures, "cause", cause.Error())
}

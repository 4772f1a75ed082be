package reminders

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"slices"
	"sync"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/recur"
)

// Store is what the worker needs of one; the contracts are those of package store.
type Store interface {
	DueReminders(ctx context.Context, now time.Time, limit int) ([]store.DueReminder, error)
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error
	Sweep(ctx context.Context, now time.Time, keepChanges time.Duration) error
}

// Events reports the reminders of events of own calendars.
type Events interface {
	// DueEventReminders names calendars whose reminders are to be looked at, the longest due first.
	DueEventReminders(ctx context.Context, now time.Time, limit int) ([]store.DueEventReminders, error)
	// RemindOfEvents reports the reminders of a calendar that are due, each once, and returns how many, and how late the
	// latest was. A calendar at which it has looked is not due any more.
	RemindOfEvents(ctx context.Context, user model.UserID, calendar int) (given int, late time.Duration, err error)
}

// Worker fires reminders, and sweeps the store now and then. Store and Now must be set; the other fields have
// defaults that are right for most.
type Worker struct {
	Store Store
	// Remind returns the task as it is after its reminder has fired; nil: recur.Remind.
	Remind func(task model.Task, now time.Time) model.Task
	Now    func() time.Time
	// Events reports reminders of events; nil: there are none.
	Events Events
	// Interval is the time between two looks for due reminders; 0: none are looked for, and the worker only sweeps.
	Interval time.Duration
	// KeepChanges is how long the change log reaches back; 0: DefaultKeepChanges.
	KeepChanges time.Duration
	// Batch is how many due reminders are asked for at once; 0: DefaultBatch. It bounds memory and the size of a write.
	Batch int
	// Logger receives failures; nil: none is logged. No record contains texts of users.
	Logger *slog.Logger
	// Observe is called after every look; nil: it is not called. It must not block.
	Observe func(Report)
}

// Report is what one look has come to.
type Report struct {
	// Fired reminders.
	Fired int
	// Passed over, because another worker or the user was quicker.
	Passed int
	// Failed reminders stay due, and are tried again with the next look.
	Failed int
	// Latest is how long the reminder that had waited longest was due when it fired.
	Latest time.Duration
}

// Defaults and bounds.
const (
	DefaultBatch       = 500
	DefaultKeepChanges = 30 * 24 * time.Hour

	// firstSweep is after the start, when there is more urgent work; then it is done every sweepInterval.
	firstSweep    = time.Minute
	sweepInterval = time.Hour
	// storeTimeout bounds one call of the store, so that one that hangs does not stop the worker for good.
	storeTimeout = 30 * time.Second
	sweepTimeout = 5 * time.Minute
	// maxPerWrite bounds how long one user's writes are locked.
	maxPerWrite = 100
	// maxLeft bounds how many reminders one look remembers because they did not move on.
	maxLeft = model.MaxOpenTasks
)

// Run works until the context ends, and then returns nil. It looks at once, for what became due while nobody looked,
// and then every Interval. Failures are logged and tried again; they never end it. A write that is under way when the
// context ends is rolled back by the store, and its reminders fire after the next start.
func (w Worker) Run(ctx context.Context) error {
	if w.Store == nil || w.Now == nil || w.Interval < 0 {
		return errors.New("reminders: Store and Now must be set, and Interval not be negative")
	}
	w = w.withDefaults()
	// Workers of other processes go through the users in orders of their own, so that they share the work rather than wait
	// for the same locks.
	seed := maphash.MakeSeed()
	// A sweep may take minutes, and no reminder waits for it.
	var sweeping sync.WaitGroup
	defer sweeping.Wait()
	sweeping.Go(func() { w.sweepUntil(ctx) })
	var looks <-chan time.Time
	if w.Interval > 0 {
		ticker := time.NewTicker(w.Interval)
		defer ticker.Stop()
		looks = ticker.C
		w.look(ctx, seed)
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-looks:
			w.look(ctx, seed)
		}
	}
}

// sweepUntil sweeps now and then until the context ends.
func (w Worker) sweepUntil(ctx context.Context) {
	sweep := time.NewTimer(firstSweep)
	defer sweep.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-sweep.C:
			w.sweep(ctx)
			sweep.Reset(sweepInterval)
		}
	}
}

func (w Worker) withDefaults() Worker {
	if w.Remind == nil {
		w.Remind = recur.Remind
	}
	if w.KeepChanges <= 0 {
		w.KeepChanges = DefaultKeepChanges
	}
	if w.Batch <= 0 {
		w.Batch = DefaultBatch
	}
	if w.Logger == nil {
		w.Logger = slog.New(slog.DiscardHandler)
	}
	if w.Observe == nil {
		w.Observe = func(Report) {}
	}
	return w
}

// look fires everything that is due, batch by batch, and reports.
func (w Worker) look(ctx context.Context, seed maphash.Seed) {
	var report Report
	// left holds the reminders that were not moved on in this look. They would come first again, so each batch asks for
	// that many more: a user whose writes fail does not stand before the others.
	left := map[store.DueReminder]bool{}
	for ctx.Err() == nil && len(left) <= maxLeft {
		limit := w.Batch + len(left)
		due, err := w.due(ctx, limit)
		if err != nil {
			w.logError(ctx, "read due reminders", err)
			break
		}
		last := len(due) < limit
		due = slices.DeleteFunc(due, func(d store.DueReminder) bool { return left[d] })
		for _, own := range byUser(due, seed) {
			for chunk := range slices.Chunk(own, maxPerWrite) {
				report.add(w.fire(ctx, chunk, left))
			}
		}
		if last || len(due) == 0 {
			break
		}
	}
	if w.Events != nil {
		w.lookAtEvents(ctx, seed, &report)
	}
	w.Observe(report)
}

// lookAtEvents reports the reminders of events, calendar by calendar. A calendar that fails stays due and does not hold
// up the others; it is tried again with the next look.
func (w Worker) lookAtEvents(ctx context.Context, seed maphash.Seed, report *Report) {
	failed := map[store.DueEventReminders]bool{}
	for ctx.Err() == nil && len(failed) <= maxLeft {
		limit := w.Batch + len(failed)
		due, err := w.dueEvents(ctx, limit)
		if err != nil {
			w.logError(ctx, "read due reminders of events", err)
			return
		}
		last := len(due) < limit
		due = slices.DeleteFunc(due, func(d store.DueEventReminders) bool { return failed[d] })
		slices.SortFunc(due, func(a, b store.DueEventReminders) int {
			return cmp.Compare(maphash.Comparable(seed, a), maphash.Comparable(seed, b))
		})
		for _, d := range due {
			given, late, err := w.remindOf(ctx, d)
			if ctx.Err() != nil {
				return // the worker is being stopped
			}
			if err != nil {
				w.logError(ctx, "remind of events", err, slog.String("user", d.User.String()))
				failed[d] = true
				report.Failed++
			}
			report.Fired += given
			report.Latest = max(report.Latest, late)
		}
		if last || len(due) == 0 {
			return
		}
	}
}

func (w Worker) dueEvents(ctx context.Context, limit int) ([]store.DueEventReminders, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return w.Events.DueEventReminders(ctx, w.Now(), limit)
}

func (w Worker) remindOf(ctx context.Context, d store.DueEventReminders) (given int, late time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	return w.Events.RemindOfEvents(ctx, d.User, d.Calendar)
}

func (r *Report) add(other Report) {
	r.Fired += other.Fired
	r.Passed += other.Passed
	r.Failed += other.Failed
	r.Latest = max(r.Latest, other.Latest)
}

func (w Worker) due(ctx context.Context, limit int) ([]store.DueReminder, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return w.Store.DueReminders(ctx, w.Now(), limit)
}

package reminders

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// byUser groups due reminders by their users, in an order that depends on the seed.
func byUser(due []store.DueReminder, seed maphash.Seed) [][]store.DueReminder {
	groups := map[model.UserID][]store.DueReminder{}
	for _, d := range due {
		groups[d.User] = append(groups[d.User], d)
	}
	ordered := make([][]store.DueReminder, 0, len(groups))
	for _, own := range groups {
		ordered = append(ordered, own)
	}
	slices.SortFunc(ordered, func(a, b []store.DueReminder) int {
		return cmp.Or(cmp.Compare(maphash.Comparable(seed, a[0].User), maphash.Comparable(seed, b[0].User)),
			bytes.Compare(a[0].User[:], b[0].User[:]))
	})
	return ordered
}

// fire fires one user's reminders in one write, and adds those that did not move on to left. When the write fails, they
// are tried in halves, so that one task that cannot be written does not hold up the others.
func (w Worker) fire(ctx context.Context, own []store.DueReminder, left map[store.DueReminder]bool) Report {
	if ctx.Err() != nil {
		return Report{}
	}
	report, stuck, err := w.write(ctx, own)
	switch {
	case err == nil:
		for _, d := range stuck {
			left[d] = true
		}
		return report
	case ctx.Err() != nil:
		// The worker is being stopped; nothing was done, and nothing is wrong.
		return Report{}
	case len(own) > 1 && !isStoreAway(err):
		half := len(own) / 2
		report = w.fire(ctx, own[:half], left)
		report.add(w.fire(ctx, own[half:], left))
		return report
	}
	w.logError(ctx, "fire reminders", err, slog.String("user", own[0].User.String()), slog.Int("count", len(own)))
	for _, d := range own {
		left[d] = true
	}
	return Report{Failed: len(own)}
}

// isStoreAway tells failures that smaller writes would share.
func isStoreAway(err error) bool {
	return errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrNewerSchema) ||
		errors.Is(err, context.DeadlineExceeded)
}

// write reads one user's tasks again under the user's lock, and moves on those that still are due. stuck are those that
// were not moved on. A panic in the write is an error like another.
func (w Worker) write(ctx context.Context,
	own []store.DueReminder) (report Report, stuck []store.DueReminder, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	user := own[0].User
	ids := make([]model.UUID, len(own))
	for i, d := range own {
		ids[i] = d.Task
	}
	err = w.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		report, stuck = Report{}, nil
		tasks, err := tx.TasksByID(ctx, user, ids, store.TaskRow)
		if err != nil {
			return fmt.Errorf("read due tasks: %w", err)
		}
		now := w.Now()
		there := make(map[model.UUID]model.Task, len(tasks))
		for _, task := range tasks {
			there[task.ID] = task
		}
		var moved []model.Task
		for _, d := range own {
			task, exists := there[d.Task]
			if !exists || !isDue(task, now) {
				report.Passed++
				stuck = append(stuck, d)
				continue
			}
			next, err := w.remind(task, now)
			if err != nil {
				w.logError(ctx, "fire a reminder", err, slog.String("user", user.String()),
					slog.String("task", model.ID{Kind: model.KindTask, UUID: task.ID}.String()))
				report.Failed++
				stuck = append(stuck, d)
				continue
			}
			moved = append(moved, next)
			report.Fired++
			report.Latest = max(report.Latest, now.Sub(task.NextReminderAt))
		}
		if len(moved) == 0 {
			return nil
		}
		if err := tx.UpdateTasks(ctx, model.OperationReminded, moved); err != nil {
			return fmt.Errorf("write reminded tasks: %w", err)
		}
		return nil
	})
	return report, stuck, err
}

func isDue(task model.Task, now time.Time) bool {
	return task.CompletedAt.IsZero() && !task.NextReminderAt.IsZero() && !task.NextReminderAt.After(now)
}

// remind asks for the task as it is afterwards. One that would still be due would fire for ever, so it is refused.
func (w Worker) remind(task model.Task, now time.Time) (next model.Task, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	next = w.Remind(task, now)
	if isDue(next, now) {
		return model.Task{}, errors.New("the task would be due again at once")
	}
	return next, nil
}

// sweep makes the store forget what is over.
func (w Worker) sweep(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, sweepTimeout)
	defer cancel()
	if err := w.Store.Sweep(limited, w.Now(), w.KeepChanges); err != nil {
		w.logError(ctx, "sweep the store", err)
	}
}

// logError logs what could not be done, unless it only is that the worker is being stopped.
func (w Worker) logError(ctx context.Context, doing string, err error, attrs ...slog.Attr) {
	if ctx.Err() != nil {
		return
	}
	w.Logger.LogAttrs(ctx, slog.LevelError, "reminder worker",
		append(attrs, slog.String("doing", doing), slog.Any("error", err))...)
}

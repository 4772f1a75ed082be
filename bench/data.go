//go:build bench

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/clock"
)

const (
	// perPerson is how many tasks a user has.
	perPerson = 200
	// loadAtOnce is how many tasks are added in one transaction, and loaders how many users are loaded at the same time.
	loadAtOnce = 2_000
	loaders    = 4
)

// fill returns everybody their tasks, through the store's contract: what the servers read is what the store writes.
func fill(ctx context.Context, s store.Store, w *world, now time.Time, deep int) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loaders)
	for _, p := range w.everybody() {
		count := perPerson
		if p == w.deep {
			count = deep
		}
		group.Go(func() error { return fillOne(ctx, s, p, now, count) })
	}
	return group.Wait()
}

func fillOne(ctx context.Context, s store.Store, p *person, now time.Time, count int) error {
	_, err := s.EnsureUser(ctx, model.User{
		ID: p.user, Subject: p.subject, CreatedAt: now,
		Settings: model.Settings{TimeZone: zone, Locale: "en", WeekStart: model.Sunday},
	})
	if err != nil {
		return fmt.Errorf("make a user: %w", err)
	}
	tasks, subtasks, history := tasksOf(now, count)
	for len(tasks) > 0 {
		some := min(loadAtOnce, len(tasks))
		err := s.Write(ctx, p.user, func(ctx context.Context, tx store.Tx) error {
			if err := tx.InsertTasks(ctx, tasks[:some]); err != nil {
				return err
			}
			if err := tx.SaveSubtasks(ctx, now, of(subtasks, tasks[:some], func(s model.Subtask) model.UUID { return s.TaskID }),
				nil); err != nil {
				return err
			}
			return tx.AddCompletions(ctx, of(history, tasks[:some], func(c model.TaskCompletion) model.UUID { return c.TaskID }))
		})
		if err != nil {
			return fmt.Errorf("add tasks: %w", err)
		}
		for _, t := range tasks[:some] {
			if t.CompletedAt.IsZero() {
				p.open = append(p.open, model.ID{Kind: model.KindTask, UUID: t.ID}.String())
			}
		}
		tasks = tasks[some:]
	}
	slices.Reverse(p.open)
	return nil
}

// of returns those of the things that belong to the tasks. Both are in the order of the tasks' ids.
func of[T any](things []T, tasks []model.Task, task func(T) model.UUID) []T {
	mine := make(map[model.UUID]struct{}, len(tasks))
	for _, t := range tasks {
		mine[t.ID] = struct{}{}
	}
	var out []T
	for _, thing := range things {
		if _, yes := mine[task(thing)]; yes {
			out = append(out, thing)
		}
	}
	return out
}

// texts are of usual length, and half of them Hebrew, which costs two bytes a letter.
func textOf(i int) string {
	texts := [...]string{
		"Call the dentist about the appointment next week, number %d",
		"לקנות חלב, לחם ופירות בדרך הביתה מהעבודה, מספר %d",
		"Send Dana the slides for Thursday's review, number %d",
		"לשלם את חשבון החשמל ולתייק את הקבלה, מספר %d",
	}
	return fmt.Sprintf(texts[i%len(texts)], i)
}

// tasksOf returns a user's tasks, oldest first, with their subtasks and histories. Of ten, two repeat, two are overdue,
// four are due and two are undated; every seventh is done. No reminder falls due within hours of now, so that no data
// changes under a run.
func tasksOf(now time.Time, count int) (tasks []model.Task, subtasks []model.Subtask, history []model.TaskCompletion) {
	ids := clock.NewIDs(func() time.Time { return now }, rand.Reader)
	categories := [...]string{"Home", "Work", "משפחה", ""}
	now = now.Truncate(time.Microsecond)
	for i := range count {
		created := now.Add(-time.Duration(count-i) * time.Minute)
		days := time.Duration(2+i%20) * 24 * time.Hour
		t := model.Task{ID: ids.At(created), Text: textOf(i), Category: categories[i%len(categories)], CreatedAt: created,
			UpdatedAt: created}
		switch i % 10 {
		case 0:
			t.Recurrence = &model.Recurrence{Type: model.Weekly, Time: "08:00",
				Days: []model.Weekday{model.Sunday, model.Wednesday}, TimeZone: zone}
			t.NextReminderAt = now.Add(days)
		case 5:
			t.Recurrence = &model.Recurrence{Type: model.Nudge, Interval: 30 * time.Minute}
			t.DueAt = now.Add(days)
			t.NextReminderAt = t.DueAt.Add(30 * time.Minute)
		case 1, 2:
			t.DueAt = now.Add(-time.Duration(1+i%300) * time.Hour)
			t.Reminder = 30 * time.Minute
		case 3:
			t.DueAt = now.Add(time.Duration(3+i%8) * time.Hour)
		case 4, 6, 7:
			t.DueAt = now.Add(days)
			t.Reminder = time.Hour
			t.NextReminderAt = t.DueAt.Add(-t.Reminder)
		}
		if i%7 == 0 {
			t.CompletedAt, t.NextReminderAt = created.Add(30*time.Second), time.Time{}
		}
		tasks = append(tasks, t)
		if i%3 == 0 {
			for n := range 3 {
				subtasks = append(subtasks, model.Subtask{
					ID: ids.At(created), TaskID: t.ID, Text: fmt.Sprintf("Step %d of a task", n), Completed: n == 0,
					CreatedAt: created,
				})
			}
		}
		if t.Recurrence != nil {
			for n := range 2 {
				at := created.Add(-time.Duration(7*(n+1)) * 24 * time.Hour)
				history = append(history, model.TaskCompletion{TaskID: t.ID, CompletedAt: at, Occurrence: at.Add(-time.Hour)})
			}
		}
	}
	return tasks, subtasks, history
}

package recur

import (
	"time"

	"almanac/graph/model"
)

// Occasion is why a task is planned.
type Occasion int

// The occasions. A new task with a due date reminds by default; an old one does so only when it is told to.
const (
	Creating Occasion = iota
	Updating
)

// DefaultReminder is how long before its due date a new task reminds when nothing else is said.
const DefaultReminder = 30 * time.Minute

// Due dates, and ends of rules, lie between these years, so that every zone can show them in RFC 3339.
const (
	firstPlannedYear = 1900
	lastPlannedYear  = 9998
)

// Plan says when a task reminds first, given its due date, reminder and recurrence, and forgets what was before:
// RemindedAt, NudgeCount and NextReminderAt are set anew. It is for new tasks and for those of which one of the three
// was changed.
//
//   - due date, Creating, no reminder, no recurrence: the reminder becomes DefaultReminder;
//   - due date and reminder: reminds the reminder before the due date; when that has passed, at the due date; when that
//     has too, never;
//   - due date and nudge: one interval after the due date; when that has passed, one interval after now;
//   - nudge: one interval after now;
//   - another recurrence: its next occurrence;
//   - anything else, and a task that is completed: never.
//
// BAD_USER_INPUT, with the field of the task's input, for a reminder with a recurrence or without a due date, a due
// date with a recurrence other than nudge, a reminder or due date out of bounds, and a rule whose end comes before it
// first reminds.
func Plan(task model.Task, now time.Time, occasion Occasion) (model.Task, error) {
	if err := validate(task); err != nil {
		return task, err
	}
	if occasion == Creating && !task.DueAt.IsZero() && task.Reminder == 0 && task.Recurrence == nil {
		task.Reminder = DefaultReminder
	}
	task = planned(task, now)
	if task.Recurrence != nil && task.CompletedAt.IsZero() && task.NextReminderAt.IsZero() {
		return task, model.BadInput("recurrence.until", "until is over before the task reminds for the first time")
	}
	return task, nil
}

func validate(task model.Task) error {
	dated, repeats := !task.DueAt.IsZero(), task.Recurrence != nil
	switch {
	case dated && (task.DueAt.UTC().Year() < firstPlannedYear || task.DueAt.UTC().Year() > lastPlannedYear):
		return model.BadInput("dueDate", "dueDate lies between the years %d and %d", firstPlannedYear, lastPlannedYear)
	case task.Reminder != 0 && repeats:
		return model.BadInput("reminder", "a recurrence brings its own reminders; leave out reminder or recurrence")
	case dated && repeats && task.Recurrence.Type != model.Nudge:
		return model.BadInput("dueDate", "a task that repeats on days has no due date; leave out dueDate, or use a NUDGE")
	case task.Reminder != 0 && !dated:
		return model.BadInput("reminder", "a reminder counts back from the due date; give a dueDate")
	case task.Reminder != 0 && (task.Reminder < model.MinDuration || task.Reminder > model.MaxDuration):
		return model.BadInput("reminder", "reminder is at least one minute and at most ten years")
	}
	return nil
}

// planned is a valid task as if it had just been set.
func planned(task model.Task, now time.Time) model.Task {
	now = now.UTC().Truncate(time.Microsecond)
	task.RemindedAt, task.NudgeCount = time.Time{}, 0
	task.NextReminderAt = time.Time{}
	if task.CompletedAt.IsZero() {
		task.NextReminderAt = first(task, now)
	}
	return task
}

// first returns when the task reminds for the first time after now; zero for never.
func first(task model.Task, now time.Time) time.Time {
	if task.Recurrence != nil {
		from := now
		if interval := task.Recurrence.Interval; task.Recurrence.Type == model.Nudge && task.DueAt.Add(interval).After(now) {
			from = task.DueAt
		}
		return nextOrNever(*task.Recurrence, from)
	}
	if task.Reminder == 0 {
		return time.Time{}
	}
	if early := task.DueAt.Add(-task.Reminder); early.After(now) {
		return early.UTC()
	}
	if task.DueAt.After(now) {
		return task.DueAt.UTC()
	}
	return time.Time{}
}

// nextOrNever is Next with zero for none, as tasks write it.
func nextOrNever(rule model.Recurrence, after time.Time) time.Time {
	at, _ := Next(rule, after)
	return at
}

package recur

import (
	"time"

	"almanac/graph/model"
)

// NudgeLimit is how often a nudge reminds; then it falls silent, and the task stays.
const NudgeLimit = 15

// Remind is what a due reminder does: RemindedAt becomes the occurrence, and NextReminderAt moves on. A task whose
// reminder is not due at now comes back as it is, so reminding twice is reminding once.
//
//   - a reminder before a due date was the only one;
//   - a recurrence reminds of its latest occurrence, once however many were missed, and next at the first after now;
//   - a nudge counts up and comes again one interval later, keeping its beat unless it came so late that the next
//     would follow within half an interval; after NudgeLimit it comes no more.
//
// No rule reminds after its end.
func Remind(task model.Task, now time.Time) model.Task {
	now = now.UTC().Truncate(time.Microsecond)
	if !task.CompletedAt.IsZero() || task.NextReminderAt.IsZero() || task.NextReminderAt.After(now) {
		return task
	}
	fired := task.NextReminderAt.UTC()
	task.RemindedAt, task.NextReminderAt = fired, time.Time{}
	switch {
	case task.Recurrence == nil:
	case task.Recurrence.Type == model.Nudge:
		task.NudgeCount++
		if task.NudgeCount < NudgeLimit {
			task.NextReminderAt = nextNudge(*task.Recurrence, fired, now)
		}
	default:
		task.RemindedAt = latest(*task.Recurrence, fired, now)
		task.NextReminderAt = nextOrNever(*task.Recurrence, now)
	}
	return task
}

func nextNudge(rule model.Recurrence, fired, now time.Time) time.Time {
	from := fired
	if fired.Add(rule.Interval).Before(now.Add(rule.Interval / 2)) {
		from = now
	}
	return nextOrNever(rule, from)
}

// Complete completes a task and returns the line for its history. The task must not be completed already; one that is
// comes back as it is, with an empty line.
//
// A task that repeats daily, weekly or monthly advances. What is completed is the occurrence that came last, when it
// was not completed yet (due now, whether or not its reminder went out); otherwise the next one, before its time. When
// the rule has no further occurrence, and for every other task, a nudge included, the task is completed for good: it
// reminds no more. Occurrence is zero for tasks that do not repeat on days.
func Complete(task model.Task, now time.Time) (model.Task, model.TaskCompletion) {
	if !task.CompletedAt.IsZero() {
		return task, model.TaskCompletion{}
	}
	now = now.UTC().Truncate(time.Microsecond)
	line := model.TaskCompletion{TaskID: task.ID, CompletedAt: now}
	if task.Recurrence != nil && task.Recurrence.Type != model.Nudge {
		task = Remind(task, now) // it may be due and the worker not have come by
		line.Occurrence = task.RemindedAt
		if task.RemindedAt.IsZero() && !task.NextReminderAt.IsZero() { // neither: it was reopened when no occurrence was left
			line.Occurrence = task.NextReminderAt
			task.NextReminderAt = nextOrNever(*task.Recurrence, line.Occurrence)
		}
		if !task.NextReminderAt.IsZero() {
			task.RemindedAt = time.Time{}
			return task, line
		}
	}
	task.CompletedAt = now
	task.RemindedAt, task.NextReminderAt = time.Time{}, time.Time{}
	return task, line
}

// Reopen takes back the last completion of a task and returns the entry that its history then has no more; nil when it
// keeps all of it. Completions must have the newest entry.
//
// A task that repeats daily, weekly or monthly goes back to the occurrence that was completed, so that completing it
// again completes that occurrence: due, without another reminder, when its time has passed, else still to come. That
// can be done until the next occurrence is due, which the task stands at from then on, and while its rule has the
// completed one; after that an open task comes back as it is.
//
// Any other completed task is planned as if it had just been set; where no reminder is left to come, it is open without
// one. Its history stays. Any other open task comes back as it is.
func Reopen(task model.Task, now time.Time) (model.Task, *model.TaskCompletion) {
	now = now.UTC().Truncate(time.Microsecond)
	if last, ok := lastOccurrence(task, now); ok {
		task.CompletedAt, task.RemindedAt, task.NextReminderAt = time.Time{}, time.Time{}, last.Occurrence
		return Remind(task, now), &last
	}
	if task.CompletedAt.IsZero() {
		return task, nil
	}
	task.CompletedAt = time.Time{}
	return planned(task, now), nil
}

// lastOccurrence returns the completion that a task on days can go back to.
func lastOccurrence(task model.Task, now time.Time) (model.TaskCompletion, bool) {
	if task.Recurrence == nil || task.Recurrence.Type == model.Nudge || len(task.Completions) == 0 {
		return model.TaskCompletion{}, false
	}
	last := task.Completions[0]
	due := !task.RemindedAt.IsZero() || !task.NextReminderAt.IsZero() && !task.NextReminderAt.After(now)
	forGood := !task.CompletedAt.IsZero()
	switch at, ok := Next(*task.Recurrence, last.Occurrence.Add(-1)); {
	case last.Occurrence.IsZero() || !ok || !at.Equal(last.Occurrence):
		return last, false
	case forGood:
		return last, last.CompletedAt.Equal(task.CompletedAt)
	}
	return last, !due
}

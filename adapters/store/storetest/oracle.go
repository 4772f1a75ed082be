package storetest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/when"
)

// The oracle answers queries as the contract words them, over a plain slice.

// matches reports whether a task belongs to the filtered set.
func matches(task *model.Task, where store.TaskWhere) bool {
	due := task.DueAt
	bounded := !where.DueFrom.IsZero() || !where.DueTo.IsZero()
	switch {
	case bounded && due.IsZero(),
		!where.DueFrom.IsZero() && due.Before(where.DueFrom),
		!where.DueTo.IsZero() && !due.Before(where.DueTo),
		where.NoDueDate && !due.IsZero(),
		where.Category != nil && fold.Text(task.Category) != fold.Text(*where.Category),
		where.Completed != nil && task.CompletedAt.IsZero() == *where.Completed:
		return false
	}
	switch where.Type {
	case model.TaskTypeRecurring:
		if task.Recurrence == nil {
			return false
		}
	case model.TaskTypeNudge:
		if task.Recurrence == nil || task.Recurrence.Type != model.Nudge {
			return false
		}
	case model.TaskTypeUnplanned:
		if task.Recurrence != nil || !due.IsZero() {
			return false
		}
	case model.TaskTypeReminder:
		if task.Recurrence != nil || due.IsZero() {
			return false
		}
	}
	search := fold.Text(where.Search)
	return search == "" || strings.Contains(fold.Text(task.Text), search) ||
		strings.Contains(fold.Text(task.Category), search)
}

// listed is a task with the text that it is ordered by, folded once.
type listed struct {
	*model.Task
	text string
}

// compareTasks orders ascending.
func compareTasks(a, b listed, field model.TaskOrderField) int {
	var by int
	switch field {
	case model.TaskOrderDueDate:
		by = compareTimes(a.DueAt, b.DueAt)
	case model.TaskOrderUpdatedAt:
		by = a.UpdatedAt.Compare(b.UpdatedAt)
	case model.TaskOrderText:
		by = cmp.Compare(a.text, b.text)
	case model.TaskOrderPosition:
		by = cmp.Compare(a.Position, b.Position)
	}
	return cmp.Or(by, compareIDs(a.ID, b.ID))
}

// compareTimes counts none as after all others.
func compareTimes(a, b time.Time) int {
	switch {
	case a.IsZero() && b.IsZero():
		return 0
	case a.IsZero():
		return 1
	case b.IsZero():
		return -1
	}
	return a.Compare(b)
}

// answer returns the filtered, ordered set.
func answer(tasks []model.Task, where store.TaskWhere, order model.TaskOrder) []model.Task {
	var found []listed
	for i := range tasks {
		if !matches(&tasks[i], where) {
			continue
		}
		one := listed{Task: &tasks[i]}
		if order.Field == model.TaskOrderText {
			one.text = fold.Text(one.Text)
		}
		found = append(found, one)
	}
	slices.SortFunc(found, func(a, b listed) int {
		if order.Direction == model.Descending {
			a, b = b, a
		}
		return compareTasks(a, b, order.Field)
	})
	var out []model.Task
	for _, one := range found {
		out = append(out, *one.Task)
	}
	return out
}

// bucketOf puts a task in its bucket, by the pure rule that views share.
func bucketOf(task *model.Task, now, tomorrow time.Time) model.TaskBucket {
	return when.Day{Now: now, End: tomorrow}.Bucket(task.DueAt, task.Recurrence != nil)
}

// only returns the task with the columns not asked for zeroed.
func only(task model.Task, want store.TaskColumns) model.Task {
	return trimmed(&store.TaskTable, task, want)
}

// taskOrders are all orders there are.
func taskOrders() []model.TaskOrder {
	var out []model.TaskOrder
	for _, field := range []model.TaskOrderField{model.TaskOrderCreatedAt, model.TaskOrderDueDate,
		model.TaskOrderUpdatedAt, model.TaskOrderText, model.TaskOrderPosition} {
		for _, direction := range []model.Direction{model.Ascending, model.Descending} {
			out = append(out, model.TaskOrder{Field: field, Direction: direction})
		}
	}
	return out
}

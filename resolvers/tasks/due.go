package tasks

import (
	"context"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// Due returns the open tasks that are due in a window, those that were due before overdue, unless that is zero, and
// those that repeat without a date; at most so many of each, and more reports that there are others. The tasks have
// what is asked of them and what says when they are.
func (r *Resolver) Due(ctx context.Context, v *core.Viewer, from, to, overdue time.Time, most int,
	asked core.Selection) (due []model.Task, more bool, err error) {
	open := false
	columns := TaskColumns(asked) | store.TaskText | store.TaskDueAt | store.TaskRecurrence | store.TaskNextReminderAt |
		store.TaskCompletedAt
	questions := []store.TaskWhere{
		{Completed: &open, DueFrom: from, DueTo: to},
		{Completed: &open, NoDueDate: true, Type: model.TaskTypeRecurring},
	}
	switch {
	case overdue.IsZero():
	case overdue.Equal(from):
		questions[0].DueFrom = time.Time{} // one question for both
	default:
		questions = append(questions, store.TaskWhere{Completed: &open, DueTo: overdue})
	}
	pages, failures := core.AskEach(questions, func(where store.TaskWhere) (store.TaskPage, error) {
		return r.Store.Tasks(ctx, v.User, store.TaskQuery{
			Where: where, Columns: columns, Order: model.TaskOrder{Field: model.TaskOrderDueDate, Direction: model.Ascending},
			Page: &store.Window[store.TaskPlace]{Limit: most},
		})
	})
	for i, page := range pages {
		if failures[i] != nil {
			return nil, false, failures[i]
		}
		due, more = append(due, page.Tasks...), more || page.HasNext
	}
	return due, more, nil
}

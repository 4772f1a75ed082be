package projections

import (
	"context"

	"almanac/graph/model"
	"almanac/projections/compact"
)

// Page is one page of a connection, as the adapters gave it.
type Page[T any] struct {
	// Items are the page's items in the list's order.
	Items []T
	// Cursor returns the cursor of the item at an index. It is called only for what is selected.
	Cursor func(index int) string
	// HasNext and HasPrevious are Relay's.
	HasNext, HasPrevious bool
	// Total is the size of the whole filtered set; set only when it was asked for.
	Total int
}

// Nodes are the items; never nil.
func (p Page[T]) Nodes() []T { return present(p.Items) }

// TotalCount is the size of the whole filtered set.
func (p Page[T]) TotalCount() int { return p.Total }

// IsEmpty reports whether the whole filtered set is empty.
func (p Page[T]) IsEmpty() bool { return p.Total == 0 && len(p.Items) == 0 }

// PageInfo is where the page stands.
func (p Page[T]) PageInfo() model.PageInfo {
	info := model.PageInfo{HasNextPage: p.HasNext, HasPreviousPage: p.HasPrevious}
	if n := len(p.Items); n > 0 {
		start, end := p.Cursor(0), p.Cursor(n-1)
		info.StartCursor, info.EndCursor = &start, &end
	}
	return info
}

// Edge is an item with its cursor. The cursor is made when it is asked for.
type Edge[T any] struct {
	item   T
	index  int
	cursor func(int) string
}

// Node is the item.
func (e Edge[T]) Node() T { return e.item }

// Cursor is the item's place.
func (e Edge[T]) Cursor() string { return e.cursor(e.index) }

// Edges are the items with their cursors.
func (p Page[T]) Edges() []Edge[T] {
	edges := make([]Edge[T], len(p.Items))
	for i, item := range p.Items {
		edges[i] = Edge[T]{item: item, index: i, cursor: p.Cursor}
	}
	return edges
}

// PageSize reads a page-size argument: the default when it is nil, BAD_USER_INPUT outside 1–100.
func PageSize(argument string, n *int32, byDefault int) (int, error) {
	if n == nil {
		return byDefault, nil
	}
	if *n < 1 || *n > model.MaxPageSize {
		return 0, model.BadInput(argument, "%s is %d; it must be from 1 to %d", argument, *n, model.MaxPageSize)
	}
	return int(*n), nil
}

// TaskEdge is a task in a page.
type TaskEdge = Edge[Task]

// TaskConnection is a page of tasks and what holds for the whole filtered set.
type TaskConnection struct {
	Page[Task]
	Board TaskBoard
	// Reader, unless it is nil, reads the nodes. Beside it there is nothing in the connection.
	Reader TaskReader
}

// TaskReader reads tasks and appends them to a list one after the other until that returns false. A task is valid until
// then.
type TaskReader interface {
	Each(ctx context.Context, list interface{ Append(task *Task) bool }) error
	// PageInfo is where the page stands that was read, TotalCount the size of the whole filtered set.
	PageInfo() model.PageInfo
	TotalCount() int
}

// Streams reports whether the nodes are still to be read, by Reader.
func (c *TaskConnection) Streams() bool { return c.Reader != nil }

// PageInfo is where the page stands.
func (c *TaskConnection) PageInfo() model.PageInfo {
	if c.Streams() {
		return c.Reader.PageInfo()
	}
	return c.Page.PageInfo()
}

// TotalCount is the size of the whole filtered set.
func (c *TaskConnection) TotalCount() int {
	if c.Streams() {
		return c.Reader.TotalCount()
	}
	return c.Page.TotalCount()
}

// Context is the response context of a listing.
func (c *TaskConnection) Context() TaskContext {
	return TaskContext{IsListing: true, IsEmpty: c.IsEmpty()}
}

// Categorized is the board over the whole filtered set.
func (c *TaskConnection) Categorized() TaskBoard { return c.Board }

// TaskBoard is the filtered set in five exclusive groups.
type TaskBoard struct {
	rows   map[model.TaskBucket][]model.Task
	counts map[model.TaskBucket]int
	at     *Moment
}

// BoardAt returns the board's view.
func BoardAt(rows map[model.TaskBucket][]model.Task, counts map[model.TaskBucket]int, at *Moment) TaskBoard {
	return TaskBoard{rows: rows, counts: counts, at: at}
}

func (b TaskBoard) bucket(name model.TaskBucket, first *int32) ([]Task, error) {
	limit, err := PageSize("first", first, model.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	rows := b.rows[name]
	return TasksAt(rows[:min(limit, len(rows))], b.at), nil
}

// Overdue are the first tasks due before now.
func (b TaskBoard) Overdue(first *int32) ([]Task, error) { return b.bucket(model.BucketOverdue, first) }

// Today are the first tasks due later today.
func (b TaskBoard) Today(first *int32) ([]Task, error) { return b.bucket(model.BucketToday, first) }

// Upcoming are the first tasks due tomorrow or later.
func (b TaskBoard) Upcoming(first *int32) ([]Task, error) {
	return b.bucket(model.BucketUpcoming, first)
}

// Recurring are the first repeating tasks.
func (b TaskBoard) Recurring(first *int32) ([]Task, error) {
	return b.bucket(model.BucketRecurring, first)
}

// NoDueDate are the first tasks that neither repeat nor have a due date.
func (b TaskBoard) NoDueDate(first *int32) ([]Task, error) {
	return b.bucket(model.BucketNoDueDate, first)
}

// Counts are the sizes of the groups.
func (b TaskBoard) Counts() TaskBoardCounts {
	return TaskBoardCounts{
		Overdue:   b.counts[model.BucketOverdue],
		Today:     b.counts[model.BucketToday],
		Upcoming:  b.counts[model.BucketUpcoming],
		Recurring: b.counts[model.BucketRecurring],
		NoDueDate: b.counts[model.BucketNoDueDate],
	}
}

// Row is the board for compact text.
func (b TaskBoard) Row() compact.Board {
	rows := func(bucket model.TaskBucket) []compact.Task {
		tasks := make([]compact.Task, len(b.rows[bucket]))
		for i, record := range b.rows[bucket] {
			tasks[i] = TaskAt(record, b.at).Row()
		}
		return tasks
	}
	return compact.Board{
		Overdue: rows(model.BucketOverdue), Today: rows(model.BucketToday), Upcoming: rows(model.BucketUpcoming),
		Recurring: rows(model.BucketRecurring), NoDueDate: rows(model.BucketNoDueDate),
		Counts: compact.Counts(b.Counts()),
	}
}

// TaskBoardCounts are the sizes of a board's groups.
type TaskBoardCounts struct {
	Overdue, Today, Upcoming, Recurring, NoDueDate int
}

// TaskContext is the response context of the seed, for tasks.
type TaskContext struct {
	answered
	IsListing         bool
	IsEmpty           bool
	IsReminder        bool
	IsTask            bool
	IsRecurring       bool
	IsNudge           bool
	HasDueDate        bool
	IsToday           bool
	IsTomorrowOrLater bool
	IsOverdue         bool
}

// ContextOf is the response context of a mutation: each flag says whether any of the tasks has it.
func ContextOf(tasks []Task) *TaskContext {
	all := &TaskContext{IsEmpty: len(tasks) == 0}
	for _, task := range tasks {
		one := task.ItemContext()
		all.IsReminder = all.IsReminder || one.IsReminder
		all.IsTask = all.IsTask || one.IsTask
		all.IsRecurring = all.IsRecurring || one.IsRecurring
		all.IsNudge = all.IsNudge || one.IsNudge
		all.HasDueDate = all.HasDueDate || one.HasDueDate
		all.IsToday = all.IsToday || one.IsToday
		all.IsTomorrowOrLater = all.IsTomorrowOrLater || one.IsTomorrowOrLater
		all.IsOverdue = all.IsOverdue || one.IsOverdue
	}
	return all
}

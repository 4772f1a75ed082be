package postgres

import (
	"context"
	"slices"
	"strconv"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// textPrefix is how much of a text the indexes tasks_text and tasks_open_text have.
const textPrefix = 64

// beginning returns the expression that those indexes are on.
func beginning(text string) string { return "left(" + text + ", " + strconv.Itoa(textPrefix) + ")" }

// Tasks returns one page and whatever else the query wants; see the contract. One statement where one will do, else one
// batch.
func (d reader) Tasks(ctx context.Context, user model.UserID, query store.TaskQuery) (store.TaskPage, error) {
	where, err := foldWhere(query.Where)
	if err != nil {
		return store.TaskPage{}, err
	}
	if where.Search == "" || query.Page == nil {
		page, _, err := d.tasks(ctx, user, where, query, false)
		return page, err
	}
	page, err := d.search(ctx, user, where, query)
	if err == nil {
		page.HandOut(query.Each, query.Ends)
	}
	return page, err
}

// search is Tasks for a page of those that have a text.
func (d reader) search(ctx context.Context, user model.UserID, where store.TaskWhere,
	query store.TaskQuery) (store.TaskPage, error) {
	query.Each = nil // the first of the two reads may find too few
	page, whole, err := d.tasks(ctx, user, where, query, true)
	if err != nil || whole {
		return page, err
	}
	// The total and the board are of all tasks already.
	query.Total, query.Board = false, nil
	far, _, err := d.tasks(ctx, user, where, query, false)
	far.Total, far.Board = page.Total, page.Board
	return far, err
}

// tasks is Tasks with the filter folded. With near, the page is of the tasks that are nearest in the list, and whole
// reports whether looking at all of them would find the same.
func (d reader) tasks(ctx context.Context, user model.UserID, where store.TaskWhere, query store.TaskQuery,
	near bool) (page store.TaskPage, whole bool, err error) {
	order := taskOrder(query.Order)
	var (
		b      = newBatch()
		counts = query.Board != nil && query.Board.Counts
		all    int
	)
	var read pageReading
	if query.Page != nil {
		if err := rows.Text(placeTexts(query.Page)...); err != nil {
			return page, false, err
		}
		read = d.queuePage(b, user, where, order, query, near)
	}
	if near {
		b.query(sqlAllTasks, func(r *row) { all = int(r.int64()) }, userArg(user))
	}
	if query.Total && !counts {
		q := newQuery(userArg(user))
		q.add("SELECT ")
		writeCount(q, where, rows.Either)
		q.count(b, &page.Total)
	}
	var few *fewBoard
	switch {
	case query.Board == nil:
	case d.store.fewBoard(user, where, query.Board):
		few = d.queueFewBoard(b, user, where, order, query.Board)
	default:
		queueBoard(b, user, where, order, query.Board, &page.Board)
	}
	if len(b.statements) == 0 {
		return page, true, nil
	}
	if err := d.run(ctx, "read tasks", b); err != nil {
		return page, false, err
	}
	if few != nil {
		if few.size() > d.store.many.beyond {
			d.store.many.add(user)
			return d.tasks(ctx, user, where, query, near)
		}
		few.fill(&page.Board)
	}
	if query.Page != nil {
		whole = all <= nearTasks || read.found() > query.Page.Limit
		read.fill(&page)
	}
	if query.Total && counts { // the buckets are exclusive and leave nothing out
		for _, count := range page.Board.Counts {
			page.Total += count
		}
	}
	return page, whole, nil
}

// sqlAllTasks counts a user's tasks.
const sqlAllTasks = `SELECT coalesce(sum(n), 0)::bigint FROM task_counts WHERE user_id = $1`

func placeTexts(window *store.Window[store.TaskPlace]) []string {
	var texts []string
	for _, place := range [...]*store.TaskPlace{window.After, window.Before} {
		if place != nil {
			texts = append(texts, place.Text)
		}
	}
	return texts
}

// foldWhere returns the filter with its texts as keys. BAD_USER_INPUT for a text that nothing stored could have.
func foldWhere(where store.TaskWhere) (store.TaskWhere, error) {
	if err := rows.Text(where.Search); err != nil {
		return where, err
	}
	where.Search = fold.Text(where.Search)
	if where.Category != nil {
		if err := rows.Text(*where.Category); err != nil {
			return where, err
		}
		key := fold.Text(*where.Category)
		where.Category = &key
	}
	return where, nil
}

func taskOrder(order model.TaskOrder) ordering {
	o := ordering{descending: order.Direction == model.Descending}
	switch order.Field {
	case model.TaskOrderDueDate:
		o.column = "due_at"
	case model.TaskOrderUpdatedAt:
		o.column = "updated_at"
	case model.TaskOrderText:
		o.column, o.beginning = "text_key", true
	case model.TaskOrderPosition:
		o.column = "position"
	case model.TaskOrderCreatedAt: // ids are in that order
	}
	return o
}

// placeKey is a place's value of what is ordered by, as a parameter.
func placeKey(o ordering, place *store.TaskPlace) any {
	switch o.column {
	case "due_at":
		return dueArg(place.At)
	case "updated_at":
		return timeArg(place.At)
	}
	return place.Text
}

// writeWhere adds the filter's conditions on the alias t.
func writeWhere(q *query, where store.TaskWhere) {
	q.add(" WHERE t.user_id = $1")
	writeRest(q, where, dueAt)
	writeSearch(q, where.Search, true)
}

// dueAt is what conditions on due dates are about. In other words than those of the indexes by due date the server goes
// by another one.
const (
	dueAt          = "t.due_at"
	dueAtUnindexed = "coalesce(t.due_at, 'infinity')"
)

// writeRest adds those that are neither on the user nor on the text searched.
func writeRest(q *query, where store.TaskWhere, due string) {
	if where.Completed != nil {
		// In these words, because the partial indexes are for them.
		if *where.Completed {
			q.add(" AND t.completed_at IS NOT NULL")
		} else {
			q.add(" AND t.completed_at IS NULL")
		}
	}
	if !where.DueFrom.IsZero() {
		q.add(" AND ", due, " >= ", q.param(timeArg(where.DueFrom)))
	}
	switch {
	case !where.DueTo.IsZero():
		q.add(" AND ", due, " < ", q.param(timeArg(where.DueTo)))
	case !where.DueFrom.IsZero():
		q.add(" AND ", due, " < 'infinity'")
	}
	if where.NoDueDate {
		q.add(" AND ", due, " = 'infinity'")
	}
	switch where.Type {
	case model.TaskTypeRecurring:
		q.add(" AND t.recurrence_type IS NOT NULL")
	case model.TaskTypeNudge:
		q.add(" AND t.recurrence_type = 'NUDGE'")
	case model.TaskTypeUnplanned:
		q.add(" AND t.recurrence_type IS NULL AND ", due, " = 'infinity'")
	case model.TaskTypeReminder:
		q.add(" AND t.recurrence_type IS NULL AND ", due, " < 'infinity'")
	}
	if where.Category != nil {
		q.add(" AND t.category_key = ", q.param(*where.Category))
	}
}

// writeBetween adds the conditions that a task lies between the page's places.
func writeBetween(q *query, order ordering, window *store.Window[store.TaskPlace]) {
	if window.After != nil {
		q.add(" AND ", order.beyond(q, true, placeKey(order, window.After), uuidArg(window.After.ID)))
	}
	if window.Before != nil {
		q.add(" AND ", order.beyond(q, false, placeKey(order, window.Before), uuidArg(window.Before.ID)))
	}
}

// taskShape is what is read of a task, in order: the columns wanted, the column ordered by unless it is among them, and
// the relations.
type taskShape struct {
	want  store.TaskColumns
	own   shape[model.Task, store.TaskColumns]
	order ordering
}

func shapeOfTask(want store.TaskColumns, order ordering) *taskShape {
	return &taskShape{want, store.TaskTable.Read(want), order}
}

// columns names the table's own columns.
func (s *taskShape) columns() []string {
	names := s.own.names()
	if s.ownKey() {
		names = append(names, s.order.column)
	}
	return names
}

// ownKey reports whether the column ordered by is read on its own.
func (s *taskShape) ownKey() bool {
	switch s.order.column {
	case "":
		return false
	case "due_at":
		return !s.want.Has(store.TaskDueAt)
	case "updated_at":
		return !s.want.Has(store.TaskUpdatedAt)
	case "position":
		return !s.want.Has(store.TaskPosition)
	}
	return true
}

func (s *taskShape) relations() bool { return s.want&^store.TaskRow != 0 }

// What is read of the relations beside the task's id, which is known.
var (
	stepColumns       = shape[model.Subtask, store.Whole](without(store.SubtaskTable.All(), "task_id"))
	completionColumns = shape[model.TaskCompletion, store.Whole](without(store.CompletionTable.All(), "task_id"))
)

// The relations come as arrays beside each row: no second statement, no row twice. Each alias t must be the rows of a
// page already cut.
var (
	joinSubtasks = joinedArrays("steps", stepColumns.names(),
		"subtasks WHERE user_id = $1 AND task_id = t.id ORDER BY id")

	joinCompletions = joinedArrays("history", completionColumns.names(),
		"task_completions WHERE user_id = $1 AND task_id = t.id ORDER BY completed_at DESC, n DESC LIMIT "+
			strconv.Itoa(store.MaxCompletions))
)

// list names everything that is read, for rows of the alias t.
func (s *taskShape) list() string {
	list := qualified(s.columns())
	if s.want.Has(store.TaskSubtasks) {
		list += ", " + stepColumns.list("steps")
	}
	if s.want.Has(store.TaskCompletions) {
		list += ", " + completionColumns.list("history")
	}
	return list
}

func (s *taskShape) joins() string {
	var joins string
	if s.want.Has(store.TaskSubtasks) {
		joins += joinSubtasks
	}
	if s.want.Has(store.TaskCompletions) {
		joins += joinCompletions
	}
	return joins
}

// read takes one row apart into an empty task and, unless it is nil, its place.
func (s *taskShape) read(r *row, task *model.Task, place *store.TaskPlace) {
	s.own.read(r, task)
	if place != nil {
		s.readPlace(r, task, place)
	}
	if s.want.Has(store.TaskSubtasks) {
		task.Subtasks = together(r, stepColumns, func(step *model.Subtask) { step.TaskID = task.ID })
	}
	if s.want.Has(store.TaskCompletions) {
		task.Completions = together(r, completionColumns, func(c *model.TaskCompletion) { c.TaskID = task.ID })
	}
}

// readTask is read without a place.
func (s *taskShape) readTask(r *row, task *model.Task) { s.read(r, task, nil) }

func (s *taskShape) readPlace(r *row, task *model.Task, place *store.TaskPlace) {
	place.ID = task.ID
	own := s.ownKey()
	switch s.order.column {
	case "due_at":
		place.At = task.DueAt
		if own {
			place.At = r.time()
		}
	case "updated_at":
		place.At = task.UpdatedAt
		if own {
			place.At = r.time()
		}
	case "position":
		place.Text = task.Position
		if own {
			place.Text = r.text()
		}
	case "text_key":
		place.Text = r.text()
	}
}

func (r *row) recurrence() *model.Recurrence {
	rule, err := rows.RecurrenceOf(r.text())
	if err != nil && r.err == nil {
		r.err = err
	}
	return rule
}

// pageShape is what the text of a page's statement depends on.
type pageShape struct {
	columns                 store.TaskColumns
	order                   ordering
	backward, after, before bool
	open, done              bool
	dueFrom, dueTo, undated bool
	kind                    model.TaskType
	category                bool
}

// shapeOfPage returns the shape, and false for a text that depends on more.
func shapeOfPage(where store.TaskWhere, order ordering, question store.TaskQuery) (pageShape, bool) {
	window := question.Page
	return pageShape{
		columns: question.Columns, order: order,
		backward: window.Backward, after: window.After != nil, before: window.Before != nil,
		open: where.Completed != nil && !*where.Completed, done: where.Completed != nil && *where.Completed,
		dueFrom: !where.DueFrom.IsZero(), dueTo: !where.DueTo.IsZero(), undated: where.NoDueDate,
		kind: where.Type, category: where.Category != nil,
	}, where.Search == ""
}

// queuePage adds the statement that reads the page, and one row more to know whether there are more. With near, only
// the nearest tasks are looked at.
func (d reader) queuePage(b *batch, user model.UserID, where store.TaskWhere, order ordering, question store.TaskQuery,
	near bool) pageReading {
	window := question.Page
	shape := shapeOfTask(question.Columns, order)
	q := newQuery(userArg(user))
	known := false
	if of, all := shapeOfPage(where, order, question); all {
		known = q.ofShape(&d.store.texts, of)
	}
	if known { // what follows gathers the parameters
		writeWhere(q, where)
		writeBetween(q, order, window)
		q.limit(window.Limit)
	} else {
		writePage(q, shape, where, order, window, near)
	}
	if question.Each != nil && !window.Backward && question.Board == nil {
		read := &eachTask{
			Handing: rows.Handing[model.Task]{Each: question.Each, Limit: window.Limit}, shape: shape, window: window,
			withEnds: question.Ends,
		}
		q.into(b, read.row)
		return read
	}
	read := &wholePage{rows.NewReading[model.Task, store.TaskPlace](window.Limit), window, question.Each, question.Ends}
	q.into(b, func(r *row) {
		task, place := read.Next()
		shape.read(r, task, place)
	})
	return read
}

// writePage writes the statement of queuePage.
func writePage(q *query, shape *taskShape, where store.TaskWhere, order ordering,
	window *store.Window[store.TaskPlace], near bool) {
	// What the index of searches finds is sorted; the server would rather go along the list's order, for ever.
	found := !near && where.Search != ""
	// the joins are for the rows of the page, not for all that must be sorted to find it
	inner := shape.relations() || found
	if q.add("SELECT ", shape.list(), " FROM "); inner {
		if found && shape.relations() {
			q.add("(SELECT t.* FROM ")
		}
		q.add("(SELECT ", qualified(shape.columns()), " FROM ")
	}
	if near {
		writeNear(q, where, order, window)
		q.add(" WHERE true")
		writeRest(q, where, dueAt)
		writeSearch(q, where.Search, false)
	} else {
		q.add("tasks AS t")
		writeWhere(q, where)
		writeBetween(q, order, window)
	}
	by := order.by("t", window.Backward)
	switch limit := " ORDER BY " + by + q.limit(window.Limit); {
	case found && shape.relations():
		q.add(" OFFSET 0) AS t", limit, ") AS t", shape.joins(), " ORDER BY ", by)
	case found:
		q.add(" OFFSET 0) AS t", limit)
	case inner:
		q.add(limit, ") AS t", shape.joins(), " ORDER BY ", by)
	default:
		q.add(limit)
	}
}

// tasksByID is what the text of TasksByID depends on.
type tasksByID struct {
	want store.TaskColumns
	one  bool
}

// TasksByID returns the tasks that exist among ids.
func (d reader) TasksByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.TaskColumns) ([]model.Task, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	shape := shapeOfTask(want, ordering{})
	q := newQuery(userArg(user))
	if q.ofShape(&d.store.texts, tasksByID{want, len(ids) == 1}) {
		oneOf(q, ids)
	} else {
		q.add("SELECT ", shape.list(), " FROM tasks AS t", shape.joins(), " WHERE t.user_id = $1 AND ", oneOf(q, ids))
	}
	return records(ctx, d, "read tasks by id", q, len(ids), shape.readTask)
}

// oneOf returns the condition that the id of t is one of ids. A single one has words of its own, for which the server
// need not take an array apart.
func oneOf(q *query, ids []model.UUID) string {
	if len(ids) == 1 {
		return q.with("t.id = ", uuidArg(ids[0]), "")
	}
	return q.with("t.id = ANY(", uuidArgs(ids), ")")
}

// without leaves a column out.
func without[R any, W ~uint32](columns []*store.Column[R, W], name string) []*store.Column[R, W] {
	return slices.DeleteFunc(columns, func(column *store.Column[R, W]) bool { return column.Name == name })
}

const sqlTaskTexts = `SELECT id, text, category, due_at, recurrence_type FROM tasks
WHERE user_id = $1 AND completed_at IS NULL ORDER BY id DESC LIMIT $2`

// TaskTexts returns what matching by text needs of the open tasks, newest first.
func (d reader) TaskTexts(ctx context.Context, user model.UserID) ([]model.Task, error) {
	var tasks []model.Task
	b := newBatch()
	b.query(sqlTaskTexts, func(r *row) {
		task := model.Task{ID: r.uuid(), Text: r.text(), Category: r.text(), DueAt: r.time()}
		if kind := r.text(); kind != "" {
			task.Recurrence = &model.Recurrence{Type: model.RecurrenceType(kind)}
		}
		tasks = append(tasks, task)
	}, userArg(user), int64(model.MaxOpenTasks))
	if err := d.run(ctx, "read the texts of tasks", b); err != nil {
		return nil, err
	}
	return tasks, nil
}

// taskByText is the shape of the statement of TaskByText.
type taskByText struct{ want store.TaskColumns }

// TaskByText returns the newest open task of that text.
func (d reader) TaskByText(ctx context.Context, user model.UserID, text string,
	want store.TaskColumns) (model.Task, error) {
	if err := rows.Text(text); err != nil {
		return model.Task{}, err
	}
	key := fold.Text(text)
	if key == "" {
		return model.Task{}, store.ErrNotFound
	}
	shape := shapeOfTask(want, ordering{})
	q := newQuery(userArg(user))
	known := q.ofShape(&d.store.texts, taskByText{want})
	if param := q.param(key); !known {
		q.add("SELECT ", shape.list(), " FROM (SELECT ", qualified(shape.columns()),
			" FROM tasks AS t WHERE t.user_id = $1 AND t.completed_at IS NULL AND ", beginning("t.text_key"), " = ",
			beginning(param), " AND t.text_key = ", param, " ORDER BY t.id DESC LIMIT 1) AS t", shape.joins())
	}
	return theOne(records(ctx, d, "read a task by its text", q, 1, shape.readTask))
}

// TasksByText returns of each text the newest open task.
func (d reader) TasksByText(ctx context.Context, user model.UserID, texts []string,
	want store.TaskColumns) (map[string]model.Task, error) {
	if err := rows.Text(texts...); err != nil {
		return nil, err
	}
	texts = slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" })
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	tasks := make(map[string]model.Task, len(texts))
	b := newBatch()
	queueByText(b, user, texts, want, tasks)
	if err := d.run(ctx, "read tasks by their texts", b); err != nil {
		return nil, err
	}
	return tasks, nil
}

// queueByText adds the statement of TasksByText. The index is asked for all beginnings at once, so each of many tasks
// that share one is read once and not once for each text.
func queueByText(b *batch, user model.UserID, texts []string, want store.TaskColumns, into map[string]model.Task) {
	shape := shapeOfTask(want, ordering{column: "text_key"}) // the place is the text that was asked for
	q := newQuery(userArg(user))
	param := q.param(textArgs(texts))
	q.add("SELECT ", shape.list(), " FROM (SELECT DISTINCT ON (t.text_key) ", qualified(shape.columns()),
		" FROM tasks AS t WHERE t.user_id = $1 AND t.completed_at IS NULL",
		" AND ", beginning("t.text_key"), " = ANY(ARRAY(SELECT ", beginning("wanted"), " FROM unnest(", param,
		"::text[]) AS w (wanted)))",
		" AND t.text_key = ANY(", param, ") ORDER BY t.text_key, t.id DESC) AS t", shape.joins())
	q.into(b, func(r *row) {
		var (
			task  model.Task
			place store.TaskPlace
		)
		shape.read(r, &task, &place)
		into[place.Text] = task
	})
}

// SubtasksByID returns the subtasks that exist among ids.
func (d reader) SubtasksByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.Subtask, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	columns := shape[model.Subtask, store.Whole](store.SubtaskTable.All())
	q := newQuery(userArg(user))
	q.add("SELECT ", columns.list("t"), " FROM subtasks AS t WHERE t.user_id = $1 AND ", oneOf(q, ids))
	return records(ctx, d, "read subtasks by id", q, len(ids), columns.read)
}

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

// beginning gives the expression that those indexes are on.
func beginning(text string) string { return "left(" + text + ", " + strconv.Itoa(textPrefix) + ")" }

// Tasks gives one page and whatever else the query wants; see the contract. One statement where one will do, else one
// batch.
func (d reader) Tasks(ctx context.Context, user model.UserID, query store.TaskQuery) (store.TaskPage, error) {
	where, err := foldWhere(query.Where)
	if err != nil {
		return store.TaskPage{}, err
	}
	order := taskOrder(query.Order)
	var (
		page   store.TaskPage
		b      = newBatch()
		counts = query.Board != nil && query.Board.Counts
	)
	if query.Page != nil {
		if err := rows.Text(placeTexts(query.Page)...); err != nil {
			return store.TaskPage{}, err
		}
		queuePage(b, user, where, order, query, &page)
	}
	if query.Total && !counts {
		queueTotal(b, user, where, &page.Total)
	}
	if query.Board != nil {
		queueBoard(b, user, where, order, query.Board, &page.Board)
	}
	if len(b.statements) == 0 {
		return page, nil
	}
	if err := d.run(ctx, "read tasks", b); err != nil {
		return store.TaskPage{}, err
	}
	if query.Page != nil {
		edges := rows.Edges{Backward: query.Page.Backward, After: query.Page.After != nil, Before: query.Page.Before != nil}
		page.Places, _, _ = rows.Page(page.Places, query.Page.Limit, edges)
		page.Tasks, page.HasNext, page.HasPrevious = rows.Page(page.Tasks, query.Page.Limit, edges)
	}
	if query.Total && counts { // the buckets are exclusive and leave nothing out
		for _, count := range page.Board.Counts {
			page.Total += count
		}
	}
	return page, nil
}

func placeTexts(window *store.Window[store.TaskPlace]) []string {
	var texts []string
	for _, place := range [...]*store.TaskPlace{window.After, window.Before} {
		if place != nil {
			texts = append(texts, place.Text)
		}
	}
	return texts
}

// foldWhere gives the filter with its texts as keys. BAD_USER_INPUT for a text that nothing stored could have.
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
	if where.Completed != nil {
		// In these words, because the partial indexes are for them.
		if *where.Completed {
			q.add(" AND t.completed_at IS NOT NULL")
		} else {
			q.add(" AND t.completed_at IS NULL")
		}
	}
	if !where.DueFrom.IsZero() {
		q.add(" AND t.due_at >= ", q.param(timeArg(where.DueFrom)))
	}
	switch {
	case !where.DueTo.IsZero():
		q.add(" AND t.due_at < ", q.param(timeArg(where.DueTo)))
	case !where.DueFrom.IsZero():
		q.add(" AND t.due_at < 'infinity'")
	}
	if where.NoDueDate {
		q.add(" AND t.due_at = 'infinity'")
	}
	switch where.Type {
	case model.TaskTypeRecurring:
		q.add(" AND t.recurrence_type IS NOT NULL")
	case model.TaskTypeNudge:
		q.add(" AND t.recurrence_type = 'NUDGE'")
	case model.TaskTypeUnplanned:
		q.add(" AND t.recurrence_type IS NULL AND t.due_at = 'infinity'")
	case model.TaskTypeReminder:
		q.add(" AND t.recurrence_type IS NULL AND t.due_at < 'infinity'")
	}
	if where.Category != nil {
		q.add(" AND t.category_key = ", q.param(*where.Category))
	}
	if where.Search != "" {
		// strpos has no wildcards, and needs no escaping of them.
		key := q.param(where.Search)
		q.add(" AND (strpos(t.text_key, ", key, ") > 0 OR strpos(t.category_key, ", key, ") > 0)")
	}
}

// taskShape is what is read of a task, in order: the id, the columns wanted, the column ordered by unless it is among
// them, and the relations.
type taskShape struct {
	want  store.TaskColumns
	order ordering
}

var taskColumns = [...]struct {
	flag store.TaskColumns
	name string
}{
	{store.TaskText, "text"},
	{store.TaskCategory, "category"},
	{store.TaskDueAt, "due_at"},
	{store.TaskReminder, "reminder"},
	{store.TaskRecurrence, "recurrence"},
	{store.TaskNextReminderAt, "next_reminder_at"},
	{store.TaskRemindedAt, "reminded_at"},
	{store.TaskNudgeCount, "nudge_count"},
	{store.TaskCompletedAt, "completed_at"},
	{store.TaskCreatedAt, "created_at"},
	{store.TaskUpdatedAt, "updated_at"},
}

// columns names the table's own columns.
func (s taskShape) columns() []string {
	names := make([]string, 1, len(taskColumns)+2)
	names[0] = "id"
	for _, column := range taskColumns {
		if s.want.Has(column.flag) {
			names = append(names, column.name)
		}
	}
	if s.ownKey() {
		names = append(names, s.order.column)
	}
	return names
}

// ownKey tells whether the column ordered by is read on its own.
func (s taskShape) ownKey() bool {
	switch s.order.column {
	case "":
		return false
	case "due_at":
		return !s.want.Has(store.TaskDueAt)
	case "updated_at":
		return !s.want.Has(store.TaskUpdatedAt)
	}
	return true
}

func (s taskShape) relations() bool { return s.want&(store.TaskSubtasks|store.TaskCompletions) != 0 }

// The relations come as arrays beside each row: no second statement, no row twice. Each alias t must be the rows of a
// page already cut.
const (
	joinSubtasks = ` LEFT JOIN LATERAL (SELECT array_agg(s.id) AS ids, array_agg(s.text) AS texts, array_agg(s.completed) AS flags, array_agg(s.created_at) AS times
FROM (SELECT id, text, completed, created_at FROM subtasks WHERE user_id = $1 AND task_id = t.id ORDER BY id) AS s) AS steps ON true`

	joinCompletions = ` LEFT JOIN LATERAL (SELECT array_agg(c.completed_at) AS times, array_agg(c.occurrence) AS occurrences
FROM (SELECT completed_at, occurrence FROM task_completions WHERE user_id = $1 AND task_id = t.id ORDER BY completed_at DESC, n DESC LIMIT 100) AS c) AS history ON true`
)

// The statement says the number itself, so that it has no parameter more.
var _ = [1]struct{}{}[store.MaxCompletions-100]

// list names everything that is read, for rows of the alias t.
func (s taskShape) list() string {
	list := qualified(s.columns())
	if s.want.Has(store.TaskSubtasks) {
		list += ", steps.ids, steps.texts, steps.flags, steps.times"
	}
	if s.want.Has(store.TaskCompletions) {
		list += ", history.times, history.occurrences"
	}
	return list
}

func (s taskShape) joins() string {
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
func (s taskShape) read(r *row, task *model.Task, place *store.TaskPlace) {
	task.ID = r.uuid()
	want := s.want
	if want.Has(store.TaskText) {
		task.Text = r.text()
	}
	if want.Has(store.TaskCategory) {
		task.Category = r.text()
	}
	if want.Has(store.TaskDueAt) {
		task.DueAt = r.time()
	}
	if want.Has(store.TaskReminder) {
		task.Reminder = microseconds(r.int64())
	}
	if want.Has(store.TaskRecurrence) {
		task.Recurrence = r.recurrence()
	}
	if want.Has(store.TaskNextReminderAt) {
		task.NextReminderAt = r.time()
	}
	if want.Has(store.TaskRemindedAt) {
		task.RemindedAt = r.time()
	}
	if want.Has(store.TaskNudgeCount) {
		task.NudgeCount = int(r.int32())
	}
	if want.Has(store.TaskCompletedAt) {
		task.CompletedAt = r.time()
	}
	if want.Has(store.TaskCreatedAt) {
		task.CreatedAt = r.time()
	}
	if want.Has(store.TaskUpdatedAt) {
		task.UpdatedAt = r.time()
	}
	if place != nil {
		s.readPlace(r, task, place)
	}
	if want.Has(store.TaskSubtasks) {
		task.Subtasks = r.subtasks(task.ID)
	}
	if want.Has(store.TaskCompletions) {
		task.Completions = r.completions(task.ID)
	}
}

func (s taskShape) readPlace(r *row, task *model.Task, place *store.TaskPlace) {
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
	case "text_key":
		place.Text = r.text()
	}
}

func (r *row) recurrence() *model.Recurrence {
	rule, err := rows.RecurrenceOf(r.raw())
	if err != nil && r.err == nil {
		r.err = err
	}
	return rule
}

func (r *row) subtasks(task model.UUID) []model.Subtask {
	ids, texts, flags, times := r.array(), r.array(), r.array(), r.array()
	if ids.left == 0 {
		return nil
	}
	steps := make([]model.Subtask, ids.left)
	for i := range steps {
		steps[i] = model.Subtask{
			ID: uuidOf(ids.element()), TaskID: task, Text: string(texts.element()), Completed: isTrue(flags.element()),
			CreatedAt: timeOf(times.element()),
		}
	}
	return steps
}

func (r *row) completions(task model.UUID) []model.TaskCompletion {
	times, occurrences := r.array(), r.array()
	if times.left == 0 {
		return nil
	}
	lines := make([]model.TaskCompletion, times.left)
	for i := range lines {
		lines[i] = model.TaskCompletion{TaskID: task, CompletedAt: timeOf(times.element()),
			Occurrence: timeOf(occurrences.element())}
	}
	return lines
}

// queuePage adds the statement that reads the page, and one row more to know whether there are more.
func queuePage(b *batch, user model.UserID, where store.TaskWhere, order ordering, question store.TaskQuery,
	page *store.TaskPage) {
	window := question.Page
	shape := taskShape{want: question.Columns, order: order}
	q := newQuery(userArg(user))
	if shape.relations() { // the joins are for the rows of the page, not for all that must be sorted to find it
		q.add("SELECT ", shape.list(), " FROM (SELECT ", qualified(shape.columns()), " FROM tasks AS t")
	} else {
		q.add("SELECT ", shape.list(), " FROM tasks AS t")
	}
	writeWhere(q, where)
	if window.After != nil {
		q.add(" AND ", order.beyond(q, true, placeKey(order, window.After), uuidArg(window.After.ID)))
	}
	if window.Before != nil {
		q.add(" AND ", order.beyond(q, false, placeKey(order, window.Before), uuidArg(window.Before.ID)))
	}
	by := order.by("t", window.Backward)
	q.add(" ORDER BY ", by, q.limit(window.Limit))
	if shape.relations() {
		q.add(") AS t", shape.joins(), " ORDER BY ", by)
	}
	expected := min(max(window.Limit, 0)+1, 256)
	page.Tasks, page.Places = make([]model.Task, 0, expected), make([]store.TaskPlace, 0, expected)
	q.into(b, func(r *row) {
		page.Tasks, page.Places = append(page.Tasks, model.Task{}), append(page.Places, store.TaskPlace{})
		shape.read(r, &page.Tasks[len(page.Tasks)-1], &page.Places[len(page.Places)-1])
	})
}

func queueTotal(b *batch, user model.UserID, where store.TaskWhere, total *int) {
	q := newQuery(userArg(user))
	q.add("SELECT count(*) FROM tasks AS t")
	writeWhere(q, where)
	q.into(b, func(r *row) { *total = int(r.int64()) })
}

// TasksByID gives the tasks that exist among ids.
func (d reader) TasksByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.TaskColumns) ([]model.Task, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	shape := taskShape{want: want}
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list(), " FROM tasks AS t", shape.joins(), " WHERE t.user_id = $1 AND ", oneOf(q, "t.id", ids))
	return d.tasks(ctx, "read tasks by id", q, shape, len(ids))
}

// oneOf gives the condition that a column is one of ids. A single id has words of its own, for which the server need
// not take an array apart.
func oneOf(q *query, column string, ids []model.UUID) string {
	if len(ids) == 1 {
		return column + " = " + q.param(uuidArg(ids[0]))
	}
	return column + " = ANY(" + q.param(uuidArgs(ids)) + ")"
}

func (d reader) tasks(ctx context.Context, what string, q *query, shape taskShape, expected int) ([]model.Task, error) {
	tasks := make([]model.Task, 0, min(expected, 256))
	b := newBatch()
	q.into(b, func(r *row) {
		tasks = append(tasks, model.Task{})
		shape.read(r, &tasks[len(tasks)-1], nil)
	})
	if err := d.run(ctx, what, b); err != nil {
		return nil, err
	}
	return tasks, nil
}

const sqlTaskTexts = `SELECT id, text, category, due_at, recurrence_type FROM tasks
WHERE user_id = $1 AND completed_at IS NULL ORDER BY id DESC LIMIT $2`

// TaskTexts gives what matching by text needs of the open tasks, newest first.
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

// TaskByText gives the newest open task of that text.
func (d reader) TaskByText(ctx context.Context, user model.UserID, text string,
	want store.TaskColumns) (model.Task, error) {
	if err := rows.Text(text); err != nil {
		return model.Task{}, err
	}
	key := fold.Text(text)
	if key == "" {
		return model.Task{}, store.ErrNotFound
	}
	shape := taskShape{want: want}
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list(), " FROM (SELECT ", qualified(shape.columns()),
		" FROM tasks AS t WHERE t.user_id = $1 AND t.completed_at IS NULL")
	param := q.param(key)
	q.add(" AND ", beginning("t.text_key"), " = ", beginning(param), " AND t.text_key = ", param,
		" ORDER BY t.id DESC LIMIT 1) AS t", shape.joins())
	tasks, err := d.tasks(ctx, "read a task by its text", q, shape, 1)
	if err != nil {
		return model.Task{}, err
	}
	if len(tasks) == 0 {
		return model.Task{}, store.ErrNotFound
	}
	return tasks[0], nil
}

// TasksByText gives of each text the newest open task.
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
	shape := taskShape{want: want, order: ordering{column: "text_key"}} // the place is the text that was asked for
	q := newQuery(userArg(user))
	param := q.param(texts)
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

// SubtasksByID gives the subtasks that exist among ids.
func (d reader) SubtasksByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.Subtask, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	q := newQuery(userArg(user))
	q.add("SELECT id, task_id, text, completed, created_at FROM subtasks WHERE user_id = $1 AND ", oneOf(q, "id", ids))
	steps := make([]model.Subtask, 0, min(len(ids), 256))
	b := newBatch()
	q.into(b, func(r *row) {
		steps = append(steps, model.Subtask{ID: r.uuid(), TaskID: r.uuid(), Text: r.text(), Completed: r.bool(),
			CreatedAt: r.time()})
	})
	if err := d.run(ctx, "read subtasks by id", b); err != nil {
		return nil, err
	}
	return steps, nil
}

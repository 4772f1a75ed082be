package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// taskFilter is a TaskWhere made ready: texts folded, bounds in microseconds.
type taskFilter struct {
	user model.UserID
	// due_at lies in [from, to).
	from, to  int64
	bounded   bool
	noDueDate bool
	kind      model.TaskType
	category  *string
	completed *bool
	search    string
}

// beginning is before any due date.
const beginning = -1 << 63

func filterTasks(user model.UserID, where store.TaskWhere) (taskFilter, error) {
	f := taskFilter{user: user, from: beginning, to: noDueDate, noDueDate: where.NoDueDate, kind: where.Type,
		completed: where.Completed}
	if !where.DueFrom.IsZero() {
		f.from, f.bounded = ceilMicros(where.DueFrom), true
	}
	if !where.DueTo.IsZero() {
		f.to, f.bounded = ceilMicros(where.DueTo), true
	}
	if err := rows.Text(where.Search); err != nil {
		return f, err
	}
	f.search = fold.Text(where.Search)
	if where.Category != nil {
		if err := rows.Text(*where.Category); err != nil {
			return f, err
		}
		f.category = new(fold.Text(*where.Category))
	}
	return f, nil
}

// narrow adds bounds to those that there are.
func (f taskFilter) narrow(from, to int64) taskFilter {
	f.from, f.to, f.bounded = max(f.from, from), min(f.to, to), true
	return f
}

// open is whether only open tasks are asked for, so that the smaller indexes serve.
func (f *taskFilter) open() bool { return f.completed != nil && !*f.completed }

// onlyOpen is whether open tasks are asked for and nothing else.
func (f *taskFilter) onlyOpen() bool {
	return f.open() && !f.bounded && !f.noDueDate && f.kind == "" && f.category == nil && f.search == ""
}

// index names the index of a kind over the tasks asked for; all is the one for all tasks.
func (f *taskFilter) index(open, all string) string {
	if f.open() {
		return open
	}
	return all
}

// dueIndex is the index by due date.
func (f *taskFilter) dueIndex() string { return f.index("tasks_open_due", "tasks_due") }

// write appends FROM and WHERE, reading through an index; none named is the table itself. Which index serves best is
// known here better than SQLite can guess it.
func (f *taskFilter) write(b *statement, index string) {
	b.add(" FROM tasks")
	if index == "" {
		b.add(" NOT INDEXED")
	} else {
		b.add(" INDEXED BY " + index)
	}
	b.add(" WHERE user_id = ?", userArg(f.user))
	if f.completed != nil {
		if *f.completed {
			b.add(" AND completed_at IS NOT NULL")
		} else {
			b.add(" AND completed_at IS NULL")
		}
	}
	switch {
	case f.noDueDate && f.bounded: // nothing is both; the bound is written so that the index still serves
		b.add(" AND due_at = ? AND due_at < ?", intArg(int64(noDueDate)), intArg(int64(noDueDate)))
	case f.noDueDate:
		b.add(" AND due_at = ?", intArg(int64(noDueDate)))
	case f.bounded:
		b.add(" AND due_at >= ? AND due_at < ?", intArg(f.from), intArg(f.to))
	}
	switch f.kind {
	case model.TaskTypeRecurring:
		b.add(" AND recurrence_type IS NOT NULL")
	case model.TaskTypeNudge:
		b.add(" AND recurrence_type = ?", textArg(string(model.Nudge)))
	case model.TaskTypeUnplanned:
		b.add(" AND recurrence_type IS NULL AND due_at = ?", intArg(int64(noDueDate)))
	case model.TaskTypeReminder:
		b.add(" AND recurrence_type IS NULL AND due_at < ?", intArg(int64(noDueDate)))
	}
	if f.category != nil {
		b.add(" AND category_key = ?", textArg(*f.category))
	}
	if f.search != "" {
		contains(b, f.search, "text_key", "category_key")
	}
}

// pageIndex chooses how a page is read: by the index that has its order, which ends as soon as the page is full; or,
// when the due date is bound from above, by due date, since what is due by some time is little of everything, and then
// sorted.
func (f *taskFilter) pageIndex(field model.TaskOrderField) (index string, inOrder bool) {
	if field != model.TaskOrderDueDate && (f.noDueDate || f.bounded && f.to != noDueDate) {
		// Undated tasks are equal in due_at, and so the index has them by id.
		return f.dueIndex(), f.noDueDate && field == model.TaskOrderCreatedAt
	}
	switch field {
	case model.TaskOrderDueDate:
		return f.dueIndex(), true
	case model.TaskOrderUpdatedAt:
		return "tasks_updated", true
	case model.TaskOrderText:
		return "tasks_text", true
	}
	return f.index("tasks_open", ""), true
}

// Tasks: see store.TaskReader.
func (s *Store) Tasks(ctx context.Context, user model.UserID, query store.TaskQuery) (store.TaskPage, error) {
	var page store.TaskPage
	filter, err := filterTasks(user, query.Where)
	if err != nil {
		return page, err
	}
	relations := store.TaskSubtasks | store.TaskCompletions
	// Open tasks in the order of creation may take two statements, see readAlong.
	along := query.Order.Field == model.TaskOrderCreatedAt && filter.onlyOpen()
	moment := inOneMoment(query.Total || query.Board != nil || query.Columns&relations != 0 || along)
	err = s.reading(ctx, moment, func(q *session) error {
		if query.Page != nil {
			if err := readTaskPage(q, &filter, &query, &page); err != nil {
				return fmt.Errorf("tasks: %w", err)
			}
		}
		if query.Total {
			if err := countTasks(q, &filter, &page.Total); err != nil {
				return fmt.Errorf("count tasks: %w", err)
			}
		}
		if query.Board != nil {
			if page.Board, err = readBoard(q, filter, query.Order, query.Board); err != nil {
				return fmt.Errorf("task board: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return store.TaskPage{}, err
	}
	return page, nil
}

// taskRow is a row of a page with its place.
type taskRow struct {
	task  model.Task
	place store.TaskPlace
}

// taskPage is one page as it is being read.
type taskPage struct {
	*taskFilter
	field  model.TaskOrderField
	window *store.Window[store.TaskPlace]
	// key is the column of the order before the id; falling is the list's direction, backward the direction of reading.
	key               string
	falling, backward bool
	// wanted is how many rows to read: one more than the page holds, which tells whether there are more.
	wanted    int
	selection taskSelection
	read      []taskRow
}

// readTaskPage reads a page and what lies around it.
func readTaskPage(q *session, f *taskFilter, query *store.TaskQuery, page *store.TaskPage) error {
	window, limit := query.Page, max(query.Page.Limit, 0)
	falling := query.Order.Direction == model.Descending
	p := &taskPage{
		taskFilter: f, field: query.Order.Field, window: window, key: taskKey(query.Order.Field), falling: falling,
		backward: falling != window.Backward,
		wanted:   limit + 1, selection: selectTask(query.Columns), read: make([]taskRow, 0, min(limit+1, 128)),
	}
	after, before := window.After, window.Before
	if f.onlyOpen() && p.key == "" {
		last, err := p.readAlong(q)
		if err != nil {
			return err
		}
		if last != nil && window.Backward {
			before = last
		} else if last != nil {
			after = last
		}
		if last == nil {
			p.wanted = len(p.read) // there is nothing more to read
		}
	}
	if len(p.read) < p.wanted {
		if err := p.readByIndex(q, after, before); err != nil {
			return err
		}
	}
	edges := rows.Edges{Backward: window.Backward, After: window.After != nil, Before: window.Before != nil}
	read, hasNext, hasPrevious := rows.Page(p.read, limit, edges)
	page.HasNext, page.HasPrevious = hasNext, hasPrevious
	page.Tasks, page.Places = make([]model.Task, len(read)), make([]store.TaskPlace, len(read))
	for i := range read {
		page.Tasks[i], page.Places[i] = read[i].task, read[i].place
	}
	return readRelations(q, f.user, page.Tasks, query.Columns)
}

// readAlong reads open tasks by going along the table itself, where they lie one after another, which costs less than
// half of finding each by an index; but it gives up after as many tasks that are done as there are places on the page.
// It gives the place where it stopped before the page was full; nil when it was full or nothing is left.
func (p *taskPage) readAlong(q *session) (stopped *store.TaskPlace, err error) {
	var b statement
	b.add("SELECT ")
	p.selection.write(&b)
	b.add(", completed_at FROM tasks NOT INDEXED WHERE user_id = ?", userArg(p.user))
	p.between(&b, p.window.After, p.window.Before)
	most := 2 * p.wanted
	b.add(order("", p.backward)+" LIMIT ?", intArg(most))
	seen, doneColumn := 0, p.selection.width()
	var last model.UUID
	err = q.read(&b, func(stmt *sqlite.Stmt) error {
		if len(p.read) == p.wanted {
			return errStop
		}
		if seen++; seen == most {
			last = columnID(stmt, 0)
		}
		if !stmt.ColumnIsNull(doneColumn) {
			return nil
		}
		return p.add(stmt)
	})
	if err != nil && !errors.Is(err, errStop) {
		return nil, err
	}
	if seen == most && len(p.read) < p.wanted {
		return &store.TaskPlace{ID: last}, nil
	}
	return nil, nil
}

// readByIndex reads the rows that are still wanted between two places.
func (p *taskPage) readByIndex(q *session, after, before *store.TaskPlace) error {
	index, inOrder := p.pageIndex(p.field)
	var b statement
	b.add("SELECT ")
	p.selection.write(&b)
	if p.key != "" {
		b.add(", " + p.key)
	}
	if !inOrder {
		// Sort ids and keys alone, then read the rest of the few that are left.
		b.add(" FROM tasks WHERE user_id = ? AND id IN (SELECT id", userArg(p.user))
	}
	p.write(&b, index)
	p.between(&b, after, before)
	b.add(order(p.key, p.backward)+" LIMIT ?", intArg(p.wanted-len(p.read)))
	if !inOrder {
		b.add(")" + orderFew(p.key, p.backward))
	}
	return q.read(&b, p.add)
}

// between appends the conditions that a row lies between two places, each of which may be missing.
func (p *taskPage) between(b *statement, after, before *store.TaskPlace) {
	if after != nil {
		beyond(b, p.key, p.falling, placeArg(p.field, after), after.ID)
	}
	if before != nil {
		beyond(b, p.key, !p.falling, placeArg(p.field, before), before.ID)
	}
}

// add reads a row, in which the key stands behind the columns.
func (p *taskPage) add(stmt *sqlite.Stmt) error {
	p.read = append(p.read, taskRow{})
	r := &p.read[len(p.read)-1]
	if err := p.selection.read(stmt, &r.task); err != nil {
		return err
	}
	r.place.ID = r.task.ID
	switch key := p.selection.width(); p.field {
	case model.TaskOrderDueDate:
		r.place.At = dueOf(stmt.ColumnInt64(key))
	case model.TaskOrderUpdatedAt:
		r.place.At = columnTime(stmt, key)
	case model.TaskOrderText:
		r.place.Text = stmt.ColumnText(key)
	}
	return nil
}

// placeArg binds what a place is ordered by.
func placeArg(field model.TaskOrderField, place *store.TaskPlace) arg {
	switch field {
	case model.TaskOrderDueDate:
		return intArg(dueKey(place.At))
	case model.TaskOrderUpdatedAt:
		return instantArg(place.At)
	}
	return textArg(place.Text)
}

// countTasks counts the filtered set.
func countTasks(q *session, f *taskFilter, total *int) error {
	var b statement
	b.add("SELECT count(*)")
	f.write(&b, f.dueIndex())
	return q.read(&b, func(stmt *sqlite.Stmt) error { *total = stmt.ColumnInt(0); return nil })
}

// TasksByID: see store.TaskReader.
func (s *Store) TasksByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.TaskColumns) ([]model.Task, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	var tasks []model.Task
	moment := inOneMoment(want&(store.TaskSubtasks|store.TaskCompletions) != 0 || len(ids) > maxIDs)
	err := s.reading(ctx, moment, func(q *session) error {
		selection := selectTask(want)
		tasks = make([]model.Task, 0, len(ids))
		for some := range slices.Chunk(ids, maxIDs) {
			var b statement
			b.add("SELECT ")
			selection.write(&b)
			b.add(" FROM tasks WHERE user_id = ? AND ", userArg(user))
			b.in("id", some)
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				tasks = append(tasks, model.Task{})
				return selection.read(stmt, &tasks[len(tasks)-1])
			}); err != nil {
				return err
			}
		}
		return readRelations(q, user, tasks, want)
	})
	if err != nil {
		return nil, fmt.Errorf("tasks by id: %w", err)
	}
	return tasks, nil
}

// TaskTexts: see store.TaskReader.
func (s *Store) TaskTexts(ctx context.Context, user model.UserID) ([]model.Task, error) {
	var tasks []model.Task
	err := s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(
			`SELECT id, text, category, due_at, recurrence_type FROM tasks INDEXED BY tasks_open WHERE user_id = ? AND completed_at IS NULL ORDER BY id DESC LIMIT ?`,
			func(stmt *sqlite.Stmt) error {
				task := model.Task{ID: columnID(stmt, 0), Text: stmt.ColumnText(1), Category: stmt.ColumnText(2),
					DueAt: dueOf(stmt.ColumnInt64(3))}
				if !stmt.ColumnIsNull(4) {
					task.Recurrence = &model.Recurrence{Type: model.RecurrenceType(stmt.ColumnText(4))}
				}
				tasks = append(tasks, task)
				return nil
			}, userArg(user), intArg(model.MaxOpenTasks))
	})
	if err != nil {
		return nil, fmt.Errorf("texts of tasks: %w", err)
	}
	return tasks, nil
}

// TaskByText: see store.TaskReader.
func (s *Store) TaskByText(ctx context.Context, user model.UserID, text string,
	want store.TaskColumns) (model.Task, error) {
	if err := rows.Text(text); err != nil {
		return model.Task{}, err
	}
	var tasks []model.Task
	moment := inOneMoment(want&(store.TaskSubtasks|store.TaskCompletions) != 0)
	err := s.reading(ctx, moment, func(q *session) error {
		selection := selectTask(want)
		if err := q.readSQL(newestOfText(&selection), func(stmt *sqlite.Stmt) error {
			tasks = append(tasks, model.Task{})
			return selection.read(stmt, &tasks[0])
		}, userArg(user), textArg(fold.Text(text))); err != nil {
			return err
		}
		return readRelations(q, user, tasks, want)
	})
	if err == nil && len(tasks) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return model.Task{}, fmt.Errorf("task by text: %w", err)
	}
	return tasks[0], nil
}

// TasksByText: see store.TaskReader. One statement for each text, run in a row: inside the process that costs less than
// one for all of them.
func (s *Store) TasksByText(ctx context.Context, user model.UserID, texts []string,
	want store.TaskColumns) (map[string]model.Task, error) {
	if err := rows.Text(texts...); err != nil {
		return nil, err
	}
	// Each once, since of a task that came twice only one would get its relations.
	texts = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(texts))),
		func(text string) bool { return text == "" })
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	found := make([]model.Task, 0, len(texts))
	keys := make([]string, 0, len(texts))
	err := s.reading(ctx, oneTransaction, func(q *session) error {
		selection := selectTask(want)
		sql := newestOfText(&selection)
		for _, text := range texts {
			if err := q.readSQL(sql, func(stmt *sqlite.Stmt) error {
				found, keys = append(found, model.Task{}), append(keys, text)
				return selection.read(stmt, &found[len(found)-1])
			}, userArg(user), textArg(text)); err != nil {
				return err
			}
		}
		return readRelations(q, user, found, want)
	})
	if err != nil {
		return nil, fmt.Errorf("tasks by text: %w", err)
	}
	tasks := make(map[string]model.Task, len(found))
	for i, key := range keys {
		tasks[key] = found[i]
	}
	return tasks, nil
}

// newestOfText gives the statement that reads a user's newest open task of a folded text. The index ends at it, however
// many there are.
func newestOfText(selection *taskSelection) string {
	var b statement
	b.add("SELECT ")
	selection.write(&b)
	b.add(
		" FROM tasks INDEXED BY tasks_text WHERE user_id = ? AND completed_at IS NULL AND text_key = ? ORDER BY id DESC " +
			"LIMIT 1")
	return b.sql.String()
}

// subtaskColumns are read by readSubtask.
const subtaskColumns = "SELECT task_id, id, text, completed, created_at FROM subtasks"

func readSubtask(stmt *sqlite.Stmt) model.Subtask {
	return model.Subtask{TaskID: columnID(stmt, 0), ID: columnID(stmt, 1), Text: stmt.ColumnText(2),
		Completed: stmt.ColumnBool(3), CreatedAt: columnTime(stmt, 4)}
}

// SubtasksByID: see store.TaskReader.
func (s *Store) SubtasksByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.Subtask, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	var subtasks []model.Subtask
	err := s.reading(ctx, inOneMoment(len(ids) > maxIDs), func(q *session) error {
		for some := range slices.Chunk(ids, maxIDs) {
			var b statement
			b.add(subtaskColumns+" INDEXED BY subtasks_id WHERE user_id = ? AND ", userArg(user))
			b.in("id", some)
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				subtasks = append(subtasks, readSubtask(stmt))
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("subtasks by id: %w", err)
	}
	return subtasks, nil
}

// readRelations fills the subtasks and the histories of tasks.
func readRelations(q *session, user model.UserID, tasks []model.Task, want store.TaskColumns) error {
	if len(tasks) == 0 || want&(store.TaskSubtasks|store.TaskCompletions) == 0 {
		return nil
	}
	at := make(map[model.UUID]*model.Task, len(tasks))
	ids := make([]model.UUID, len(tasks))
	for i := range tasks {
		at[tasks[i].ID], ids[i] = &tasks[i], tasks[i].ID
	}
	for some := range slices.Chunk(ids, maxIDs) {
		if want.Has(store.TaskSubtasks) {
			if err := readSubtasks(q, user, some, at); err != nil {
				return err
			}
		}
		if want.Has(store.TaskCompletions) {
			if err := readCompletions(q, user, some, at); err != nil {
				return err
			}
		}
	}
	return nil
}

func readSubtasks(q *session, user model.UserID, ids []model.UUID, at map[model.UUID]*model.Task) error {
	var b statement
	b.add(subtaskColumns+" WHERE user_id = ? AND ", userArg(user))
	b.in("task_id", ids)
	b.add(" ORDER BY task_id, id")
	return q.read(&b, func(stmt *sqlite.Stmt) error {
		subtask := readSubtask(stmt)
		task := at[subtask.TaskID]
		task.Subtasks = append(task.Subtasks, subtask)
		return nil
	})
}

// readCompletions reads the newest lines of each history. The subquery finds the time of the oldest line still wanted,
// once for each task, so a long history costs no more than a short one.
func readCompletions(q *session, user model.UserID, ids []model.UUID, at map[model.UUID]*model.Task) error {
	var b statement
	b.add(
		`SELECT c.task_id, c.completed_at, c.occurrence FROM tasks t CROSS JOIN task_completions c ON c.user_id = t.user_id AND c.task_id = t.id AND c.completed_at >= coalesce(
(SELECT completed_at FROM task_completions x WHERE x.user_id = t.user_id AND x.task_id = t.id ORDER BY x.completed_at DESC, x.n DESC LIMIT 1 OFFSET ?), ?)
WHERE t.user_id = ? AND `, intArg(store.MaxCompletions-1), intArg(int64(beginning)), userArg(user))
	b.in("t.id", ids)
	b.add(" ORDER BY c.task_id, c.completed_at DESC, c.n DESC")
	return q.read(&b, func(stmt *sqlite.Stmt) error {
		line := model.TaskCompletion{TaskID: columnID(stmt, 0), CompletedAt: columnTime(stmt, 1),
			Occurrence: columnTime(stmt, 2)}
		if task := at[line.TaskID]; len(task.Completions) < store.MaxCompletions {
			task.Completions = append(task.Completions, line)
		}
		return nil
	})
}

package sqlite

import (
	"context"
	"errors"
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
	// grams is what the index is asked for, where it names few tasks; see narrowSearch.
	grams string
	// few is whether there are fewTasks at most, where that was looked at.
	few bool
}

func filterTasks(user model.UserID, where store.TaskWhere) (taskFilter, error) {
	f := taskFilter{user: user, from: unbegun, to: unended, noDueDate: where.NoDueDate, kind: where.Type,
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
	if index == "" || f.grams != "" {
		b.add(" NOT INDEXED")
	} else {
		b.add(" INDEXED BY " + index)
	}
	b.add(" WHERE user_id = ?", userArg(f.user))
	if f.grams != "" {
		b.add(" AND id IN ("+sqlFound+")", textArg(f.grams), userArg(f.user))
	}
	f.writeRest(b)
}

// writeRest appends the conditions beside that on the user.
func (f *taskFilter) writeRest(b *statement) {
	if f.completed != nil {
		if *f.completed {
			b.add(" AND completed_at IS NOT NULL")
		} else {
			b.add(" AND completed_at IS NULL")
		}
	}
	switch {
	case f.noDueDate && f.bounded: // nothing is both; the bound is written so that the index still serves
		b.add(" AND due_at = ? AND due_at < ?", intArg(int64(unended)), intArg(int64(unended)))
	case f.noDueDate:
		b.add(" AND due_at = ?", intArg(int64(unended)))
	case f.bounded:
		b.add(" AND due_at >= ? AND due_at < ?", intArg(f.from), intArg(f.to))
	}
	switch f.kind {
	case model.TaskTypeRecurring:
		b.add(" AND recurrence_type IS NOT NULL")
	case model.TaskTypeNudge:
		b.add(" AND recurrence_type = ?", textArg(string(model.Nudge)))
	case model.TaskTypeUnplanned:
		b.add(" AND recurrence_type IS NULL AND due_at = ?", intArg(int64(unended)))
	case model.TaskTypeReminder:
		b.add(" AND recurrence_type IS NULL AND due_at < ?", intArg(int64(unended)))
	}
	if f.category != nil {
		b.add(" AND category_key = ?", textArg(*f.category))
	}
	if f.search != "" {
		contains(b, f.search, "text_key", "category_key")
	}
}

// narrowIndex is the index of what a category or a recurrence leaves, if one is asked for.
func (f *taskFilter) narrowIndex() string {
	switch {
	case f.category != nil:
		return "tasks_category"
	case f.kind == model.TaskTypeRecurring || f.kind == model.TaskTypeNudge:
		return "tasks_recurring"
	}
	return ""
}

// findFew looks whether few tasks are asked for, where an index of them could serve.
func (f *taskFilter) findFew(q *session) error {
	if f.search != "" || f.narrowIndex() == "" {
		return nil
	}
	count, err := f.countTasks(q)
	f.few = count <= fewTasks
	return err
}

// pageIndex chooses how a page is read: by the index that has its order, which ends as soon as the page is full; or,
// when there are few or the due date is bound from above, by the index of those, since what is due by some time is
// little of everything, and then sorted.
func (f *taskFilter) pageIndex(field model.TaskOrderField) (index string, inOrder bool) {
	if f.grams != "" {
		return "", false
	}
	if f.few {
		// Those of one category are equal in it, and so the index has them by id.
		return f.narrowIndex(), f.category != nil && field == model.TaskOrderCreatedAt
	}
	if field != model.TaskOrderDueDate && (f.noDueDate || f.bounded && f.to != unended) {
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
	case model.TaskOrderPosition:
		return "tasks_position", true
	}
	return f.index("tasks_open", ""), true
}

// Tasks: see store.TaskReader.
func (r reader) Tasks(ctx context.Context, user model.UserID, query store.TaskQuery) (store.TaskPage, error) {
	filter, err := filterTasks(user, query.Where)
	if err != nil {
		return store.TaskPage{}, err
	}
	// Open tasks in the order of creation may take two statements, see readAlong.
	along := query.Order.Field == model.TaskOrderCreatedAt && filter.onlyOpen()
	moment := inOneMoment(query.Total || query.Board != nil || query.Columns&^store.TaskRow != 0 || along ||
		filter.narrowIndex() != "" || filter.search != "")
	page, err := answer(ctx, r, "tasks", moment, func(q *session) (page store.TaskPage, err error) {
		if err := filter.narrowSearch(q); err != nil {
			return page, err
		}
		if query.Page != nil {
			if err := filter.findFew(q); err != nil {
				return page, err
			}
			if err := readTaskPage(q, &filter, &query, &page); err != nil {
				return page, err
			}
		}
		if query.Total {
			if page.Total, err = filter.countTasks(q); err != nil {
				return page, wrap("count", err)
			}
		}
		if query.Board != nil {
			page.Board, err = readBoard(q, filter, query.Order, query.Board)
		}
		return page, wrap("board", err)
	})
	if err == nil {
		page.HandOut(query.Each, query.Ends)
	}
	return page, err
}

// taskSelection is which columns of tasks a statement returns.
type taskSelection = selection[model.Task, store.TaskColumns]

// taskKey is the column by which tasks are ordered before their id; none when the id says it all.
func taskKey(field model.TaskOrderField) string {
	switch field {
	case model.TaskOrderDueDate:
		return "due_at"
	case model.TaskOrderUpdatedAt:
		return "updated_at"
	case model.TaskOrderText:
		return "text_key"
	case model.TaskOrderPosition:
		return "position"
	}
	return ""
}

// taskPage is one page as it is being read.
type taskPage struct {
	*taskFilter
	field  model.TaskOrderField
	window *store.Window[store.TaskPlace]
	// key is the column of the order before the id; falling is the list's direction, backward the direction of reading.
	key               string
	falling, backward bool
	// wanted is how many rows to read: one more than the page holds, which shows whether there are more.
	wanted  int
	columns taskSelection
	// found is how many rows were read so far: into read, or handed out.
	found int
	read  *rows.Reading[model.Task, store.TaskPlace]
	hand  rows.Handing[model.Task]
	// ends are the places of the first and the last row that was handed out, where they are asked for.
	ends []store.TaskPlace
}

// readTaskPage reads a page and what lies around it.
func readTaskPage(q *session, f *taskFilter, query *store.TaskQuery, page *store.TaskPage) error {
	window, limit := query.Page, max(query.Page.Limit, 0)
	falling := query.Order.Direction == model.Descending
	p := &taskPage{
		taskFilter: f, field: query.Order.Field, window: window, key: taskKey(query.Order.Field), falling: falling,
		backward: falling != window.Backward, wanted: limit + 1, columns: store.TaskTable.Read(query.Columns),
	}
	// Relations are read for the whole page, and a page that is read backward is turned round.
	if query.Each != nil && query.Columns&^store.TaskRow == 0 && !window.Backward {
		p.hand.Each, p.hand.Limit = query.Each, limit
		if query.Ends {
			p.ends = make([]store.TaskPlace, 2)
		}
	} else {
		p.read = rows.NewReading[model.Task, store.TaskPlace](limit)
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
			p.wanted = p.found // there is nothing more to read
		}
	}
	if p.found < p.wanted {
		if err := p.readByIndex(q, after, before); err != nil {
			return err
		}
	}
	if p.hand.Each != nil {
		page.HasNext, page.HasPrevious = p.hand.Ends(rows.EdgesOf(window))
		if min(p.hand.Found(), limit) > 0 {
			page.Places = p.ends
		}
		return nil
	}
	page.HasNext, page.HasPrevious = p.read.Cut(window)
	page.Tasks, page.Places = p.read.Records, p.read.Places
	return readRelations(q, f.user, page.Tasks, query.Columns)
}

// readAlong reads open tasks by going along the table itself, where they lie one after another, which costs less than
// half of finding each by an index; but it gives up after as many tasks that are done as there are places on the page.
// It returns the place where it stopped before the page was full; nil when it was full or nothing is left.
func (p *taskPage) readAlong(q *session) (stopped *store.TaskPlace, err error) {
	var b statement
	b.add("SELECT ")
	p.columns.write(&b, "")
	b.add(", completed_at FROM tasks NOT INDEXED WHERE user_id = ?", userArg(p.user))
	p.between(&b, p.window.After, p.window.Before)
	most := 2 * p.wanted
	b.add(order("", p.backward)+" LIMIT ?", intArg(most))
	seen, doneColumn := 0, len(p.columns)
	var last model.UUID
	err = q.read(&b, func(stmt *sqlite.Stmt) error {
		if p.found == p.wanted {
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
	if seen == most && p.found < p.wanted {
		return &store.TaskPlace{ID: last}, nil
	}
	return nil, nil
}

// readByIndex reads the rows that are still wanted between two places.
func (p *taskPage) readByIndex(q *session, after, before *store.TaskPlace) error {
	index, inOrder := p.pageIndex(p.field)
	var b statement
	b.add("SELECT ")
	p.columns.write(&b, "")
	if p.key != "" {
		b.add(", " + p.key)
	}
	if !inOrder {
		// Sort ids and keys alone, then read the rest of the few that are left.
		b.add(" FROM tasks WHERE user_id = ? AND id IN (SELECT id", userArg(p.user))
	}
	p.write(&b, index)
	p.between(&b, after, before)
	b.add(order(p.key, p.backward)+" LIMIT ?", intArg(p.wanted-p.found))
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
	if p.found++; p.hand.Each != nil {
		task := p.hand.Next()
		if err := p.columns.read(stmt, 0, task); err != nil {
			return err
		}
		if p.ends != nil && p.found <= p.hand.Limit {
			p.readPlace(stmt, task, &p.ends[1])
			if p.found == 1 {
				p.ends[0] = p.ends[1]
			}
		}
		p.hand.Filled()
		return nil
	}
	task, place := p.read.Next()
	if err := p.columns.read(stmt, 0, task); err != nil {
		return err
	}
	p.readPlace(stmt, task, place)
	return nil
}

func (p *taskPage) readPlace(stmt *sqlite.Stmt, task *model.Task, place *store.TaskPlace) {
	place.ID = task.ID
	switch key := len(p.columns); p.field {
	case model.TaskOrderDueDate, model.TaskOrderUpdatedAt:
		place.At = columnTime(stmt, key)
	case model.TaskOrderText, model.TaskOrderPosition:
		place.Text = stmt.ColumnText(key)
	}
}

// placeArg binds what a place is ordered by.
func placeArg(field model.TaskOrderField, place *store.TaskPlace) arg {
	switch field {
	case model.TaskOrderDueDate:
		return boundArg(place.At, unended)
	case model.TaskOrderUpdatedAt:
		return instantArg(place.At)
	}
	return textArg(place.Text)
}

// TasksByID: see store.TaskReader.
func (r reader) TasksByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.TaskColumns) ([]model.Task, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	moment := inOneMoment(want&^store.TaskRow != 0 || len(ids) > maxIDs)
	return answer(ctx, r, "tasks by id", moment, func(q *session) ([]model.Task, error) {
		columns := taskSelection(store.TaskTable.Read(want))
		tasks, err := readSome(q, ids, func(b *statement, some []model.UUID) {
			b.add("SELECT ")
			columns.write(b, "")
			b.add(" FROM tasks WHERE user_id = ? AND ", userArg(user))
			b.in("id", some)
		}, columns.readRow)
		if err != nil {
			return nil, err
		}
		return tasks, readRelations(q, user, tasks, want)
	})
}

// sqlTaskTexts reads what matching by text needs.
const sqlTaskTexts = `SELECT id, text, category, due_at, recurrence_type FROM tasks INDEXED BY tasks_open
WHERE user_id = ? AND completed_at IS NULL ORDER BY id DESC LIMIT ?`

// TaskTexts: see store.TaskReader.
func (r reader) TaskTexts(ctx context.Context, user model.UserID) ([]model.Task, error) {
	return answer(ctx, r, "texts of tasks", oneStatement, func(q *session) (tasks []model.Task, err error) {
		err = q.readSQL(sqlTaskTexts, into(&tasks, func(stmt *sqlite.Stmt, task *model.Task) error {
			*task = model.Task{ID: columnID(stmt, 0), Text: stmt.ColumnText(1), Category: stmt.ColumnText(2),
				DueAt: columnTime(stmt, 3)}
			if !stmt.ColumnIsNull(4) {
				task.Recurrence = &model.Recurrence{Type: model.RecurrenceType(stmt.ColumnText(4))}
			}
			return nil
		}), userArg(user), intArg(model.MaxOpenTasks))
		return tasks, err
	})
}

// TaskByText: see store.TaskReader.
func (r reader) TaskByText(ctx context.Context, user model.UserID, text string,
	want store.TaskColumns) (model.Task, error) {
	if err := rows.Text(text); err != nil {
		return model.Task{}, err
	}
	moment := inOneMoment(want&^store.TaskRow != 0)
	return answer(ctx, r, "task by text", moment, func(q *session) (model.Task, error) {
		var tasks []model.Task
		columns := taskSelection(store.TaskTable.Read(want))
		err := q.readSQL(newestOfText(columns), into(&tasks, columns.readRow), userArg(user), textArg(fold.Text(text)))
		if err == nil {
			err = readRelations(q, user, tasks, want)
		}
		return theOne(tasks, err)
	})
}

// TasksByText: see store.TaskReader. One statement for each text, run in a row: inside the process that costs less than
// one for all of them.
func (r reader) TasksByText(ctx context.Context, user model.UserID, texts []string,
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
	return answer(ctx, r, "tasks by text", oneTransaction, func(q *session) (map[string]model.Task, error) {
		found, keys := make([]model.Task, 0, len(texts)), make([]string, 0, len(texts))
		columns := taskSelection(store.TaskTable.Read(want))
		sql := newestOfText(columns)
		for _, text := range texts {
			if err := q.readSQL(sql, into(&found, columns.readRow), userArg(user), textArg(text)); err != nil {
				return nil, err
			}
			if len(found) > len(keys) {
				keys = append(keys, text)
			}
		}
		if err := readRelations(q, user, found, want); err != nil {
			return nil, err
		}
		tasks := make(map[string]model.Task, len(found))
		for i, key := range keys {
			tasks[key] = found[i]
		}
		return tasks, nil
	})
}

// newestOfText returns the statement that reads a user's newest open task of a folded text. The index ends at it,
// however many there are.
func newestOfText(columns taskSelection) string {
	var b statement
	b.add("SELECT ")
	columns.write(&b, "")
	b.add(" FROM tasks INDEXED BY tasks_text" +
		" WHERE user_id = ? AND completed_at IS NULL AND text_key = ? ORDER BY id DESC LIMIT 1")
	return b.sql.String()
}

// SubtasksByID: see store.TaskReader.
func (r reader) SubtasksByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.Subtask, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	return answer(ctx, r, "subtasks by id", inOneMoment(len(ids) > maxIDs), func(q *session) ([]model.Subtask, error) {
		columns := wholeOf(&store.SubtaskTable)
		return readSome(q, ids, func(b *statement, some []model.UUID) {
			b.add("SELECT ")
			columns.write(b, "")
			b.add(" FROM subtasks INDEXED BY subtasks_id WHERE user_id = ? AND ", userArg(user))
			b.in("id", some)
		}, columns.readRow)
	})
}

// readRelations fills the subtasks and the histories of tasks.
func readRelations(q *session, user model.UserID, tasks []model.Task, want store.TaskColumns) error {
	taskID := func(task *model.Task) model.UUID { return task.ID }
	if len(tasks) > 0 && want.Has(store.TaskSubtasks) {
		columns := wholeOf(&store.SubtaskTable)
		if err := fill(q, tasks, taskID, func(b *statement, some []model.UUID) {
			b.add("SELECT task_id, ")
			columns.write(b, "")
			b.add(" FROM subtasks WHERE user_id = ? AND ", userArg(user))
			b.in("task_id", some)
			b.add(" ORDER BY task_id, id")
		}, func(stmt *sqlite.Stmt, task *model.Task) error {
			task.Subtasks = append(task.Subtasks, model.Subtask{})
			return columns.read(stmt, 1, &task.Subtasks[len(task.Subtasks)-1])
		}); err != nil {
			return err
		}
	}
	if len(tasks) > 0 && want.Has(store.TaskCompletions) {
		return fill(q, tasks, taskID, func(b *statement, some []model.UUID) {
			b.add(sqlCompletions, intArg(store.MaxCompletions-1), intArg(int64(unbegun)), userArg(user))
			b.in("t.id", some)
			b.add(" ORDER BY c.task_id, c.completed_at DESC, c.n DESC")
		}, func(stmt *sqlite.Stmt, task *model.Task) error {
			if len(task.Completions) < store.MaxCompletions {
				task.Completions = append(task.Completions, model.TaskCompletion{TaskID: task.ID,
					CompletedAt: columnTime(stmt, 1), Occurrence: columnTime(stmt, 2)})
			}
			return nil
		})
	}
	return nil
}

// sqlCompletions reads the newest entries of each history. The subquery finds the time of the oldest one still wanted,
// once for each task, so a long history costs no more than a short one.
const sqlCompletions = `SELECT c.task_id, c.completed_at, c.occurrence FROM tasks t
CROSS JOIN task_completions c ON c.user_id = t.user_id AND c.task_id = t.id AND c.completed_at >= coalesce((
	SELECT completed_at FROM task_completions x WHERE x.user_id = t.user_id AND x.task_id = t.id
	ORDER BY x.completed_at DESC, x.n DESC LIMIT 1 OFFSET ?), ?)
WHERE t.user_id = ? AND `

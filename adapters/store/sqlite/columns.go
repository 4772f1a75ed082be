package sqlite

import (
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// noDueDate is what due_at holds for none.
const noDueDate = 1<<63 - 1

// dueKey gives due_at for a due date, zero for none.
func dueKey(due time.Time) int64 {
	if due.IsZero() {
		return noDueDate
	}
	return rows.Micros(due)
}

// ceilMicros gives a bound in microseconds. A bound within a microsecond is rounded up: due dates are whole ones.
func ceilMicros(t time.Time) int64 {
	micros := rows.Micros(t)
	if rows.TimeOf(micros).Before(t) {
		micros++
	}
	return micros
}

// dueOf reads due_at.
func dueOf(key int64) time.Time {
	if key == noDueDate {
		return time.Time{}
	}
	return rows.TimeOf(key)
}

// taskColumn is one column of a task: its name, and how it is read into one.
type taskColumn struct {
	wanted store.TaskColumns
	name   string
	read   func(stmt *sqlite.Stmt, column int, task *model.Task) error
}

// taskColumns are all columns of a task beside its id.
var taskColumns = [...]taskColumn{
	{store.TaskText, "text", func(s *sqlite.Stmt, c int, t *model.Task) error { t.Text = s.ColumnText(c); return nil }},
	{store.TaskCategory, "category",
		func(s *sqlite.Stmt, c int, t *model.Task) error { t.Category = s.ColumnText(c); return nil }},
	{store.TaskDueAt, "due_at", func(s *sqlite.Stmt, c int,
		t *model.Task) error {
		t.DueAt = dueOf(s.ColumnInt64(c))
		return nil
	}},
	{store.TaskReminder, "reminder", func(s *sqlite.Stmt, c int, t *model.Task) error {
		t.Reminder = time.Duration(s.ColumnInt64(c)) * time.Microsecond
		return nil
	}},
	{store.TaskRecurrence, "recurrence", readRecurrence},
	{store.TaskNextReminderAt, "next_reminder_at",
		func(s *sqlite.Stmt, c int, t *model.Task) error { t.NextReminderAt = columnTime(s, c); return nil }},
	{store.TaskRemindedAt, "reminded_at",
		func(s *sqlite.Stmt, c int, t *model.Task) error { t.RemindedAt = columnTime(s, c); return nil }},
	{store.TaskNudgeCount, "nudge_count",
		func(s *sqlite.Stmt, c int, t *model.Task) error { t.NudgeCount = s.ColumnInt(c); return nil }},
	{store.TaskCompletedAt, "completed_at",
		func(s *sqlite.Stmt, c int, t *model.Task) error { t.CompletedAt = columnTime(s, c); return nil }},
	{store.TaskCreatedAt, "created_at",
		func(s *sqlite.Stmt, c int, t *model.Task) error { t.CreatedAt = columnTime(s, c); return nil }},
	{store.TaskUpdatedAt, "updated_at",
		func(s *sqlite.Stmt, c int, t *model.Task) error { t.UpdatedAt = columnTime(s, c); return nil }},
}

func readRecurrence(stmt *sqlite.Stmt, column int, task *model.Task) (err error) {
	if !stmt.ColumnIsNull(column) {
		task.Recurrence, err = rows.RecurrenceOf(columnBytes(stmt, column))
	}
	return err
}

// taskSelection is which columns a statement gives, the id first.
type taskSelection struct {
	columns [len(taskColumns)]*taskColumn
	n       int
}

func selectTask(want store.TaskColumns) (s taskSelection) {
	for i := range taskColumns {
		if want.Has(taskColumns[i].wanted) {
			s.columns[s.n] = &taskColumns[i]
			s.n++
		}
	}
	return s
}

// write appends the columns' names.
func (s *taskSelection) write(b *statement) {
	b.add("id")
	for _, column := range s.columns[:s.n] {
		b.add(", ")
		b.add(column.name)
	}
}

// width is how many columns there are, and so the number of the one that comes after them.
func (s *taskSelection) width() int { return 1 + s.n }

// read reads a row.
func (s *taskSelection) read(stmt *sqlite.Stmt, task *model.Task) error {
	task.ID = columnID(stmt, 0)
	for i, column := range s.columns[:s.n] {
		if err := column.read(stmt, i+1, task); err != nil {
			return err
		}
	}
	return nil
}

// taskKey is the column by which tasks are ordered before their id; none when the id says it all.
func taskKey(field model.TaskOrderField) string {
	switch field {
	case model.TaskOrderDueDate:
		return "due_at"
	case model.TaskOrderUpdatedAt:
		return "updated_at"
	case model.TaskOrderText:
		return "text_key"
	}
	return ""
}

// order writes ORDER BY for a key, which may be none, and the id.
func order(key string, descending bool) string {
	direction := ""
	if descending {
		direction = " DESC"
	}
	if key == "" {
		return " ORDER BY id" + direction
	}
	return " ORDER BY " + key + direction + ", id" + direction
}

// orderFew is order for rows that were found by id: with the plus SQLite sorts the few that there are, instead of
// reading all of an index in this order and looking each up among them.
func orderFew(key string, descending bool) string {
	if key != "" {
		key = "+" + key
	}
	return order(key, descending)
}

// beyond appends the condition that a row lies beyond a place, in the direction in which the column goes up or down.
func beyond(b *statement, key string, descending bool, at arg, id model.UUID) {
	compare := ">"
	if descending {
		compare = "<"
	}
	if key == "" {
		b.add(" AND id "+compare+" ?", idArg(id))
		return
	}
	b.add(" AND ("+key+", id) "+compare+" (?, ?)", at, idArg(id))
}

// contains is the condition that one of the folded columns holds a text, as it stands: nothing in it is a wildcard.
func contains(b *statement, text string, columns ...string) {
	conditions := make([]string, len(columns))
	for i, column := range columns {
		conditions[i] = "instr(" + column + ", ?) > 0"
		b.args = append(b.args, textArg(text))
	}
	b.add(" AND (" + strings.Join(conditions, " OR ") + ")")
}

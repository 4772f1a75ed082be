package compact

import (
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
)

// Task is a task as the formatter sees it. The user wrote it.
type Task struct {
	ID          string      `json:"id"`
	Text        string      `json:"text"`
	Category    *string     `json:"category"`
	DueDate     Time        `json:"dueDate"`
	Reminder    *string     `json:"reminder"`
	Recurrence  *Recurrence `json:"recurrence"`
	Completed   bool        `json:"completed"`
	Subtasks    []Subtask   `json:"subtasks"`
	ItemContext TaskFlags   `json:"itemContext"`
}

// Subtask is a step of a task.
type Subtask struct {
	Completed bool `json:"completed"`
}

// TaskFlags are the flags of a task that the text says.
type TaskFlags struct {
	IsOverdue bool `json:"isOverdue"`
}

// Recurrence is how a task repeats. Interval is an ISO 8601 duration.
type Recurrence struct {
	Type       model.RecurrenceType `json:"type"`
	Time       *string              `json:"time"`
	Days       []model.Weekday      `json:"days"`
	DayOfMonth *int                 `json:"dayOfMonth"`
	Interval   *string              `json:"interval"`
	Until      Time                 `json:"until"`
}

func (t Task) id() string    { return named(t.ID) }
func (t Task) foreign() bool { return false }

// text says first when it is due and what has become of it, so that a long text cuts neither.
func (t Task) text(w *writing) string {
	text := w.part(t.Text)
	if category := w.part(value(t.Category)); category != "" {
		text += " [" + category + "]"
	}
	state := ""
	switch {
	case t.Completed:
		state = w.say.done
	case t.ItemContext.IsOverdue || !t.DueDate.IsZero() && !w.at.Now.IsZero() && t.DueDate.Before(w.at.Now):
		state = w.say.overdue
	}
	remind := ""
	if t.Reminder != nil {
		remind = sprint(w.say.remind, duration(*t.Reminder))
	}
	steps := ""
	if len(t.Subtasks) > 0 {
		ready := 0
		for _, step := range t.Subtasks {
			if step.Completed {
				ready++
			}
		}
		steps = sprint(w.say.steps, strconv.Itoa(ready)+"/"+strconv.Itoa(len(t.Subtasks)))
	}
	return joined(" | ", joined(", ", w.when(t.DueDate.Time), state, remind), text, t.Recurrence.text(w), steps)
}

// text says how often a task repeats.
func (r *Recurrence) text(w *writing) string {
	if r == nil {
		return ""
	}
	var often string
	switch r.Type {
	case model.Daily:
		often = w.say.daily
	case model.Weekly:
		names := make([]string, 0, len(r.Days))
		for _, day := range r.Days {
			names = append(names, w.day(day))
		}
		often = w.say.weekly + " " + strings.Join(names, ", ")
	case model.Monthly:
		often = w.say.monthly + " " + strconv.Itoa(value(r.DayOfMonth))
	case model.Nudge:
		often = sprint(w.say.nudge, duration(value(r.Interval)))
	default:
		often = w.say.repeats
	}
	until := ""
	if !r.Until.IsZero() {
		until = w.say.until + " " + w.when(r.Until.Time)
	}
	return joined(" ", often, w.part(value(r.Time)), until)
}

// day is the short name of a weekday.
func (w *writing) day(day model.Weekday) string {
	for i, name := range [...]model.Weekday{model.Sunday, model.Monday, model.Tuesday, model.Wednesday, model.Thursday,
		model.Friday, model.Saturday} {
		if day == name {
			return w.say.days[i]
		}
	}
	return ""
}

// duration says an ISO 8601 duration shortly in the units that every language reads: 1d 2h 30m; as it is when it is
// none.
func duration(iso string) string {
	parsed, err := model.ParseDuration(iso)
	if err != nil {
		return guarded(Line(iso, maxWord))
	}
	rest := parsed.Duration
	var parts []string
	for _, part := range [...]struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if n := rest / part.unit; n > 0 {
			parts = append(parts, strconv.FormatInt(int64(n), 10)+part.name)
			rest %= part.unit
		}
	}
	return strings.Join(parts, " ")
}

// Board is tasks in five groups; Counts are how many each has, also beyond the rows given.
type Board struct {
	Overdue   []Task `json:"overdue"`
	Today     []Task `json:"today"`
	Upcoming  []Task `json:"upcoming"`
	Recurring []Task `json:"recurring"`
	NoDueDate []Task `json:"noDueDate"`
	Counts    Counts `json:"counts"`
}

// Counts are the sizes of a board's groups.
type Counts struct {
	Overdue   int `json:"overdue"`
	Today     int `json:"today"`
	Upcoming  int `json:"upcoming"`
	Recurring int `json:"recurring"`
	NoDueDate int `json:"noDueDate"`
}

// Write returns the board as text: a title that counts all tasks, a line that counts each group, and the tasks group by
// group, each group below its name.
func (b Board) Write(o Options) Result {
	w := o.writing()
	counts := [...]int{b.Counts.Overdue, b.Counts.Today, b.Counts.Upcoming, b.Counts.Recurring, b.Counts.NoDueDate}
	total := 0
	var rows []Row
	var names []string
	heads := map[int]string{}
	for i, group := range [...][]Task{b.Overdue, b.Today, b.Upcoming, b.Recurring, b.NoDueDate} {
		count := max(counts[i], len(group))
		if count == 0 {
			continue
		}
		total += count
		names = append(names, strconv.Itoa(count)+" "+w.say.board[i])
		heads[len(rows)] = w.say.board[i] + ":"
		for _, task := range group {
			rows = append(rows, task)
		}
	}
	d := rowsDocument(rows, w)
	d.title = func(query string) string { return w.say.title(KindTasks, total, false, query) }
	if len(names) > 0 {
		d.head = []string{strings.Join(names, ", ")}
	}
	plain := d.row
	d.row = func(i, extra int) []string {
		lines := plain(i, extra)
		if head, first := heads[i]; first {
			lines[0] = head + "\n" + lines[0]
		}
		return lines
	}
	d.left = func(shown int) int { return total - shown }
	d.raw = func(shown int) any { return b.first(shown) }
	return d.write(o)
}

// first is the board with the first rows alone.
func (b Board) first(n int) Board {
	for _, group := range [...]*[]Task{&b.Overdue, &b.Today, &b.Upcoming, &b.Recurring, &b.NoDueDate} {
		*group = (*group)[:min(n, len(*group))]
		n -= len(*group)
	}
	return b
}

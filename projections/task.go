package projections

import (
	"almanac/graph/model"
	"almanac/projections/compact"
)

// Task is a task as seen at a moment. It points to its record, which must not change meanwhile: a copy for each view,
// and for each field that is read of it, would cost more than writing the fields out.
type Task struct {
	record *model.Task
	at     *Moment
}

// TaskAt returns the task's view.
func TaskAt(record model.Task, at *Moment) Task { return Task{&record, at} }

// TasksAt returns the tasks' views; never nil.
func TasksAt(records []model.Task, at *Moment) []Task {
	views := make([]Task, len(records))
	for i := range records {
		views[i] = Task{&records[i], at}
	}
	return views
}

// TaskOf returns the view of a record, which it does not copy.
func TaskOf(record *model.Task, at *Moment) Task { return Task{record, at} }

// IsNode marks the view as a Node.
func (Task) IsNode() {}

// Record is the record itself.
func (t Task) Record() model.Task { return *t.record }

// ID is the public id.
func (t Task) ID() model.ID { return model.ID{Kind: model.KindTask, UUID: t.record.ID} }

// Text is what is to be done.
func (t Task) Text() string { return t.record.Text }

// Category is the label, nil for none.
func (t Task) Category() *string { return optional(t.record.Category) }

// DueDate is when it is due, nil when it is not dated.
func (t Task) DueDate() model.OptionalDateTime { return t.at.OptionalDateTime(t.record.DueAt) }

// DueDateFormatted is the due date for people, in the viewer's language and zone unless others are asked for.
func (t Task) DueDateFormatted(locale, timeZone *string) (*string, error) {
	if t.record.DueAt.IsZero() {
		return nil, nil
	}
	text, err := t.at.formatted(t.record.DueAt, locale, timeZone)
	if err != nil {
		return nil, err
	}
	return &text, nil
}

// Reminder is how long before the due date the user is reminded, nil for not at all.
func (t Task) Reminder() *model.Duration {
	if t.record.Reminder == 0 {
		return nil
	}
	return &model.Duration{Duration: t.record.Reminder}
}

// Recurrence is how it repeats, nil when it does not.
func (t Task) Recurrence() *Recurrence {
	if t.record.Recurrence == nil {
		return nil
	}
	return &Recurrence{rule: *t.record.Recurrence, at: t.at}
}

// NextReminderAt is when the user is reminded next.
func (t Task) NextReminderAt() model.OptionalDateTime {
	return t.at.OptionalDateTime(t.record.NextReminderAt)
}

// NudgeCount is how often a nudge has reminded so far.
func (t Task) NudgeCount() int { return t.record.NudgeCount }

// Completed reports whether it is done for good.
func (t Task) Completed() bool { return !t.record.CompletedAt.IsZero() }

// CompletedAt is when it was done for good.
func (t Task) CompletedAt() model.OptionalDateTime {
	return t.at.OptionalDateTime(t.record.CompletedAt)
}

// CreatedAt is when it was added.
func (t Task) CreatedAt() model.DateTime { return t.at.DateTime(t.record.CreatedAt) }

// UpdatedAt is when it was last changed.
func (t Task) UpdatedAt() model.DateTime { return t.at.DateTime(t.record.UpdatedAt) }

// Subtasks are its steps, oldest first.
func (t Task) Subtasks() []Subtask {
	views := make([]Subtask, len(t.record.Subtasks))
	for i, record := range t.record.Subtasks {
		views[i] = SubtaskAt(record, t.at)
	}
	return views
}

// defaultCompletions is how much of its history a task shows unasked: a page of 100 tasks with everything selected must
// stay within the cost limit.
const defaultCompletions = 10

// Completions are the newest lines of its history.
func (t Task) Completions(first *int32) ([]TaskCompletion, error) {
	limit, err := PageSize("first", first, defaultCompletions)
	if err != nil {
		return nil, err
	}
	lines := t.record.Completions
	views := make([]TaskCompletion, min(limit, len(lines)))
	for i := range views {
		views[i] = CompletionAt(lines[i], t.at)
	}
	return views, nil
}

// ItemContext are its flags at this moment.
func (t Task) ItemContext() TaskItemContext { return TaskFlags(t.record, t.at) }

// Row is the task for compact text.
func (t Task) Row() compact.Task {
	row := compact.Task{
		ID: t.ID().String(), Text: t.record.Text, Category: t.Category(), DueDate: rowTime(t.DueDate()),
		Reminder: rowDuration(t.Reminder()), Completed: t.Completed(),
		Subtasks:    make([]compact.Subtask, len(t.record.Subtasks)),
		ItemContext: compact.TaskFlags{IsOverdue: t.ItemContext().IsOverdue && !t.Completed()},
	}
	for i, step := range t.record.Subtasks {
		row.Subtasks[i].Completed = step.Completed
	}
	if rule := t.Recurrence(); rule != nil {
		row.Recurrence = &compact.Recurrence{
			Type: rule.Type(), Time: rule.Time(), Days: rule.Days(), DayOfMonth: rule.DayOfMonth(),
			Interval: rowDuration(rule.Interval()), Until: rowTime(rule.Until()),
		}
	}
	return row
}

// Subtask is a step of a task as seen at a moment.
type Subtask struct{ node[model.Subtask] }

// SubtaskAt returns the step's view.
func SubtaskAt(record model.Subtask, at *Moment) Subtask { return Subtask{nodeAt(record, at)} }

// ID is the public id.
func (s Subtask) ID() model.ID { return model.ID{Kind: model.KindSubtask, UUID: s.record.ID} }

// Text is what the step is.
func (s Subtask) Text() string { return s.record.Text }

// Completed reports whether the step is done.
func (s Subtask) Completed() bool { return s.record.Completed }

// CreatedAt is when the step was added.
func (s Subtask) CreatedAt() model.DateTime { return s.at.DateTime(s.record.CreatedAt) }

// Row is the step for compact text.
func (s Subtask) Row() compact.Item {
	return compact.Item{ListItem: compact.ListItem{ID: s.ID().String(), Text: s.record.Text, Checked: s.record.Completed}}
}

// TaskCompletion is one line of a task's history as seen at a moment.
type TaskCompletion struct{ view[model.TaskCompletion] }

// CompletionAt returns the line's view.
func CompletionAt(record model.TaskCompletion, at *Moment) TaskCompletion {
	return TaskCompletion{view[model.TaskCompletion]{record, at}}
}

// CompletedAt is when it was completed.
func (c TaskCompletion) CompletedAt() model.DateTime { return c.at.DateTime(c.record.CompletedAt) }

// Occurrence is the occurrence that was completed, nil for a task that does not repeat.
func (c TaskCompletion) Occurrence() model.OptionalDateTime {
	return c.at.OptionalDateTime(c.record.Occurrence)
}

// Recurrence is a rule of repetition as seen at a moment; what its type does not use is nil.
type Recurrence struct {
	rule model.Recurrence
	at   *Moment
}

// Type is the kind of repetition.
func (r Recurrence) Type() model.RecurrenceType { return r.rule.Type }

// Time is the wall-clock time, HH:mm.
func (r Recurrence) Time() *string { return optional(r.rule.Time) }

// Days are the weekdays, Sunday first.
func (r Recurrence) Days() []model.Weekday { return r.rule.Days }

// DayOfMonth is the day of the month.
func (r Recurrence) DayOfMonth() *int {
	if r.rule.DayOfMonth == 0 {
		return nil
	}
	return &r.rule.DayOfMonth
}

// Interval is the time between two nudges.
func (r Recurrence) Interval() *model.Duration {
	if r.rule.Interval == 0 {
		return nil
	}
	return &model.Duration{Duration: r.rule.Interval}
}

// Until is the last moment at which an occurrence may lie.
func (r Recurrence) Until() model.OptionalDateTime { return r.at.OptionalDateTime(r.rule.Until) }

// TimeZone is the zone of time and days.
func (r Recurrence) TimeZone() *string { return optional(r.rule.TimeZone) }

// TaskItemContext are the flags of one task, see the seed's "Database Items".
type TaskItemContext struct {
	IsReminder        bool
	IsTask            bool
	IsRecurring       bool
	IsNudge           bool
	IsOverdue         bool
	IsToday           bool
	IsTomorrowOrLater bool
	HasDueDate        bool
}

// TaskFlags computes a task's flags at a moment. They are independent of one another.
func TaskFlags(task *model.Task, at *Moment) TaskItemContext {
	dated := !task.DueAt.IsZero()
	flags := at.day.Flags(task.DueAt)
	return TaskItemContext{
		IsReminder:        dated,
		IsTask:            !dated,
		IsRecurring:       task.Recurrence != nil,
		IsNudge:           task.Recurrence != nil && task.Recurrence.Type == model.Nudge,
		IsOverdue:         flags.IsOverdue,
		IsToday:           flags.IsToday,
		IsTomorrowOrLater: flags.IsTomorrowOrLater,
		HasDueDate:        dated,
	}
}

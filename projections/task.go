package projections

import (
	"almanac/graph/model"
	"almanac/projections/when"
)

// Task is a task as seen at a moment.
type Task struct {
	noun model.Task
	at   *Moment
}

// TaskAt gives the task's view.
func TaskAt(noun model.Task, at *Moment) Task { return Task{noun: noun, at: at} }

// TasksAt gives the tasks' views; never nil.
func TasksAt(nouns []model.Task, at *Moment) []Task {
	views := make([]Task, len(nouns))
	for i := range nouns {
		views[i] = Task{noun: nouns[i], at: at}
	}
	return views
}

// IsNode marks a task as a Node.
func (Task) IsNode() {}

// Noun is the task itself.
func (t Task) Noun() model.Task { return t.noun }

// ID is the public id.
func (t Task) ID() model.ID { return model.ID{Kind: model.KindTask, UUID: t.noun.ID} }

// Text is what is to be done.
func (t Task) Text() string { return t.noun.Text }

// Category is the label, nil for none.
func (t Task) Category() *string { return optional(t.noun.Category) }

// DueDate is when it is due, nil when it is not dated.
func (t Task) DueDate() *model.DateTime { return t.at.OptionalDateTime(t.noun.DueAt) }

// DueDateFormatted is the due date for people, in the viewer's language and zone unless others are asked for.
func (t Task) DueDateFormatted(locale, timeZone *string) (*string, error) {
	if t.noun.DueAt.IsZero() {
		return nil, nil
	}
	moment, err := t.at.Override(locale, timeZone)
	if err != nil {
		return nil, err
	}
	text := when.Format(t.noun.DueAt, moment)
	return &text, nil
}

// Reminder is how long before the due date the user is reminded, nil for not at all.
func (t Task) Reminder() *model.Duration {
	if t.noun.Reminder == 0 {
		return nil
	}
	return &model.Duration{Duration: t.noun.Reminder}
}

// Recurrence is how it repeats, nil when it does not.
func (t Task) Recurrence() *Recurrence {
	if t.noun.Recurrence == nil {
		return nil
	}
	return &Recurrence{rule: *t.noun.Recurrence, at: t.at}
}

// NextReminderAt is when the user is reminded next.
func (t Task) NextReminderAt() *model.DateTime { return t.at.OptionalDateTime(t.noun.NextReminderAt) }

// NudgeCount is how often a nudge has reminded so far.
func (t Task) NudgeCount() int { return t.noun.NudgeCount }

// Completed tells whether it is done for good.
func (t Task) Completed() bool { return !t.noun.CompletedAt.IsZero() }

// CompletedAt is when it was done for good.
func (t Task) CompletedAt() *model.DateTime { return t.at.OptionalDateTime(t.noun.CompletedAt) }

// CreatedAt is when it was added.
func (t Task) CreatedAt() model.DateTime { return t.at.DateTime(t.noun.CreatedAt) }

// UpdatedAt is when it was last changed.
func (t Task) UpdatedAt() model.DateTime { return t.at.DateTime(t.noun.UpdatedAt) }

// Subtasks are its steps, oldest first.
func (t Task) Subtasks() []Subtask {
	views := make([]Subtask, len(t.noun.Subtasks))
	for i, noun := range t.noun.Subtasks {
		views[i] = SubtaskAt(noun, t.at)
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
	lines := t.noun.Completions
	views := make([]TaskCompletion, min(limit, len(lines)))
	for i := range views {
		views[i] = CompletionAt(lines[i], t.at)
	}
	return views, nil
}

// ItemContext are its flags at this moment.
func (t Task) ItemContext() TaskItemContext { return TaskFlags(t.noun, t.at) }

// Subtask is a step of a task as seen at a moment.
type Subtask struct {
	noun model.Subtask
	at   *Moment
}

// SubtaskAt gives the step's view.
func SubtaskAt(noun model.Subtask, at *Moment) Subtask { return Subtask{noun: noun, at: at} }

// IsNode marks a step as a Node.
func (Subtask) IsNode() {}

// ID is the public id.
func (s Subtask) ID() model.ID { return model.ID{Kind: model.KindSubtask, UUID: s.noun.ID} }

// Text is what the step is.
func (s Subtask) Text() string { return s.noun.Text }

// Completed tells whether the step is done.
func (s Subtask) Completed() bool { return s.noun.Completed }

// CreatedAt is when the step was added.
func (s Subtask) CreatedAt() model.DateTime { return s.at.DateTime(s.noun.CreatedAt) }

// TaskCompletion is one line of a task's history as seen at a moment.
type TaskCompletion struct {
	noun model.TaskCompletion
	at   *Moment
}

// CompletionAt gives the line's view.
func CompletionAt(noun model.TaskCompletion, at *Moment) TaskCompletion {
	return TaskCompletion{noun: noun, at: at}
}

// CompletedAt is when it was completed.
func (c TaskCompletion) CompletedAt() model.DateTime { return c.at.DateTime(c.noun.CompletedAt) }

// Occurrence is the occurrence that was completed, nil for a task that does not repeat.
func (c TaskCompletion) Occurrence() *model.DateTime {
	return c.at.OptionalDateTime(c.noun.Occurrence)
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
func (r Recurrence) Until() *model.DateTime { return r.at.OptionalDateTime(r.rule.Until) }

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
func TaskFlags(task model.Task, at *Moment) TaskItemContext {
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

package store

import "almanac/graph/model"

// TaskColumns says what of a task is wanted; the id always is.
type TaskColumns uint32

// The columns of a task, and the two relations that come with it when asked for.
const (
	TaskText TaskColumns = 1 << iota
	TaskCategory
	TaskDueAt
	TaskReminder
	TaskRecurrence // type and rule
	TaskNextReminderAt
	TaskRemindedAt
	TaskNudgeCount
	TaskCompletedAt
	TaskCreatedAt
	TaskUpdatedAt
	TaskPosition
	TaskSubtasks    // relation: all subtasks, oldest first
	TaskCompletions // relation: the newest MaxCompletions entries of the history, newest first

	// TaskRow is the whole row without relations; a task that is to be written back must be read with it.
	TaskRow = TaskSubtasks - 1
)

// Has reports whether all of the columns given are wanted.
func (c TaskColumns) Has(other TaskColumns) bool { return c&other == other }

// TaskTable has the columns of tasks.
var TaskTable = Table[model.Task, TaskColumns]{Name: "tasks", Columns: []Column[model.Task, TaskColumns]{
	{Name: "id", Field: func(t *model.Task) any { return &t.ID }},
	{Name: "text", Want: TaskText, Asked: "text version compact", Field: func(t *model.Task) any { return &t.Text }},
	{Name: "text_key", Kind: Folded, Field: func(t *model.Task) any { return &t.Text }},
	{Name: "category", Want: TaskCategory, Asked: "category version compact",
		Field: func(t *model.Task) any { return &t.Category }},
	{Name: "category_key", Kind: Folded, Field: func(t *model.Task) any { return &t.Category }},
	{Name: "due_at", Want: TaskDueAt, Kind: Unending,
		Asked: "dueDate dueDateFormatted isReminder isTask isOverdue isToday isTomorrowOrLater hasDueDate version compact",
		Field: func(t *model.Task) any { return &t.DueAt }},
	{Name: "reminder", Want: TaskReminder, Asked: "reminder version compact",
		Field: func(t *model.Task) any { return &t.Reminder }},
	{Name: "recurrence_type", Kind: RuleType, Field: func(t *model.Task) any { return &t.Recurrence }},
	{Name: "recurrence", Want: TaskRecurrence, Kind: Optional, Asked: "recurrence isRecurring isNudge version compact",
		Field: func(t *model.Task) any { return &t.Recurrence }},
	{Name: "next_reminder_at", Want: TaskNextReminderAt, Kind: Optional, Asked: "nextReminderAt",
		Field: func(t *model.Task) any { return &t.NextReminderAt }},
	{Name: "reminded_at", Want: TaskRemindedAt, Kind: Optional,
		Field: func(t *model.Task) any { return &t.RemindedAt }},
	{Name: "nudge_count", Want: TaskNudgeCount, Asked: "nudgeCount",
		Field: func(t *model.Task) any { return &t.NudgeCount }},
	{Name: "completed_at", Want: TaskCompletedAt, Kind: Optional, Asked: "completed completedAt version compact",
		Field: func(t *model.Task) any { return &t.CompletedAt }},
	{Name: "created_at", Want: TaskCreatedAt, Asked: "createdAt", Field: func(t *model.Task) any { return &t.CreatedAt }},
	{Name: "updated_at", Want: TaskUpdatedAt, Asked: "updatedAt version",
		Field: func(t *model.Task) any { return &t.UpdatedAt }},
	{Name: "position", Want: TaskPosition, Field: func(t *model.Task) any { return &t.Position }},
	{Name: "subtasks", Want: TaskSubtasks, Kind: Relation, Asked: "subtasks compact",
		Field: func(t *model.Task) any { return &t.Subtasks }},
	{Name: "task_completions", Want: TaskCompletions, Kind: Relation, Asked: "completions",
		Field: func(t *model.Task) any { return &t.Completions }},
}}

var taskFields = TaskTable.asked()

// TaskColumnsFor returns what a GraphQL field of a task or of its itemContext needs, or its compact text; 0 for nothing
// but the id.
func TaskColumnsFor(field string) TaskColumns { return taskFields[field] }

// Whole is what is wanted of records that are always read whole.
type Whole uint32

// SubtaskTable has the columns of subtasks.
var SubtaskTable = Table[model.Subtask, Whole]{Name: "subtasks", Columns: []Column[model.Subtask, Whole]{
	{Name: "id", Field: func(s *model.Subtask) any { return &s.ID }},
	{Name: "task_id", Once: true, Field: func(s *model.Subtask) any { return &s.TaskID }},
	{Name: "text", Field: func(s *model.Subtask) any { return &s.Text }},
	{Name: "completed", Field: func(s *model.Subtask) any { return &s.Completed }},
	{Name: "created_at", Field: func(s *model.Subtask) any { return &s.CreatedAt }},
}}

// CompletionTable has the columns of the history of tasks.
var CompletionTable = Table[model.TaskCompletion, Whole]{Name: "task_completions",
	Columns: []Column[model.TaskCompletion, Whole]{
		{Name: "task_id", Field: func(c *model.TaskCompletion) any { return &c.TaskID }},
		{Name: "completed_at", Field: func(c *model.TaskCompletion) any { return &c.CompletedAt }},
		{Name: "occurrence", Kind: Optional, Field: func(c *model.TaskCompletion) any { return &c.Occurrence }},
	}}

package model

import "time"

// Task is something to do. The zero time stands for "none" in every optional time; all times are UTC, to the
// microsecond.
type Task struct {
	ID UUID
	// Text is what is to be done, trimmed, 1–MaxTaskText characters.
	Text string
	// Category is a free label, "" for none, at most MaxCategory characters.
	Category string
	// DueAt is when it is due.
	DueAt time.Time
	// Reminder is how long before DueAt the user is reminded; zero for none.
	Reminder time.Duration
	// Recurrence is how it repeats; nil when it does not.
	Recurrence *Recurrence
	// NextReminderAt is when the user is reminded next.
	NextReminderAt time.Time
	// RemindedAt is the occurrence of the last reminder that fired and was not completed yet; see projections/recur.
	RemindedAt time.Time
	// NudgeCount is how often a nudge has fired since it was set.
	NudgeCount  int
	CompletedAt time.Time
	// Position is the task's place in the order made by hand, see NewPosition; "" is before all others.
	Position  string
	CreatedAt time.Time
	UpdatedAt time.Time
	// Subtasks and Completions are filled only when asked for. Subtasks are oldest first, completions newest first.
	Subtasks    []Subtask
	Completions []TaskCompletion
}

// Limits of a task's texts, in characters (code points), and of its subtasks.
const (
	MaxTaskText  = 2000
	MaxCategory  = 50
	MaxSubtasks  = 200
	MaxOpenTasks = 50_000
)

// Subtask is a step of a task.
type Subtask struct {
	ID        UUID
	TaskID    UUID
	Text      string
	Completed bool
	CreatedAt time.Time
}

// TaskCompletion is one line of a task's history.
type TaskCompletion struct {
	TaskID      UUID
	CompletedAt time.Time
	// Occurrence is the occurrence that was completed; zero for a task that does not repeat.
	Occurrence time.Time
}

// RecurrenceType is how a task repeats.
type RecurrenceType string

// A nudge repeats at an interval until the task is done; the others name days.
const (
	Daily   RecurrenceType = "DAILY"
	Weekly  RecurrenceType = "WEEKLY"
	Monthly RecurrenceType = "MONTHLY"
	Nudge   RecurrenceType = "NUDGE"
)

// Recurrence is a task's rule of repetition, normalised: the fields its type uses are set, the others are zero.
type Recurrence struct {
	Type RecurrenceType `json:"type"`
	// Time is the wall-clock time "HH:mm" in TimeZone; empty for a nudge.
	Time string `json:"time,omitempty"`
	// Days are the weekdays of a weekly recurrence, Sunday first, each once.
	Days []Weekday `json:"days,omitempty"`
	// DayOfMonth is 1–31 for a monthly recurrence; a shorter month uses its last day.
	DayOfMonth int `json:"dayOfMonth,omitempty"`
	// Interval is the time between two nudges.
	Interval time.Duration `json:"interval,omitempty"`
	// Until is the last instant at which an occurrence may lie (inclusive); zero for no end.
	Until time.Time `json:"until,omitzero"`
	// TimeZone is the IANA zone in which Time and the days are read.
	TimeZone string `json:"timeZone,omitempty"`
}

// TaskWindow is a window of due dates relative to now, in the viewer's zone.
type TaskWindow string

// Windows are half-open; TaskWindowNone means "has no due date".
const (
	TaskWindowToday     TaskWindow = "TODAY"
	TaskWindowTomorrow  TaskWindow = "TOMORROW"
	TaskWindowThisWeek  TaskWindow = "THIS_WEEK"
	TaskWindowNext7Days TaskWindow = "NEXT_7_DAYS"
	TaskWindowOverdue   TaskWindow = "OVERDUE"
	TaskWindowUpcoming  TaskWindow = "UPCOMING"
	TaskWindowNone      TaskWindow = "NONE"
)

// TaskType is what kind of task it is: with a recurrence, with neither due date nor recurrence, with a due date and no
// recurrence, with a nudge (which is recurring too).
type TaskType string

// The types.
const (
	TaskTypeRecurring TaskType = "RECURRING"
	TaskTypeUnplanned TaskType = "UNPLANNED"
	TaskTypeReminder  TaskType = "REMINDER"
	TaskTypeNudge     TaskType = "NUDGE"
)

// TaskCategory is a category, as its newest open task writes it.
type TaskCategory struct {
	Name string
	// Open is how many open tasks have it.
	Open int
}

// TaskFilter is a client's question. All parts are ANDed; the zero value of a part asks nothing.
type TaskFilter struct {
	Window    *TaskWindow
	Type      *TaskType
	Group     *TaskBucket
	Category  *string
	Completed *bool
	Search    *string
	DueAfter  *DateTimeInput
	DueBefore *DateTimeInput
}

// TaskOrderField is what a list of tasks can be ordered by.
type TaskOrderField string

// Ties are broken by id, in the same direction. A task without a due date counts as due after all others.
const (
	TaskOrderCreatedAt TaskOrderField = "CREATED_AT"
	TaskOrderDueDate   TaskOrderField = "DUE_DATE"
	TaskOrderUpdatedAt TaskOrderField = "UPDATED_AT"
	TaskOrderText      TaskOrderField = "TEXT"
	TaskOrderPosition  TaskOrderField = "POSITION"
)

// TaskOrder is the order of a list of tasks. The Direction is empty where the request says none.
type TaskOrder struct {
	Field     TaskOrderField
	Direction Direction
}

// TaskBucket is one of the five exclusive groups of a task board.
type TaskBucket string

// A task stands in the first bucket that takes it, in this order.
const (
	BucketRecurring TaskBucket = "RECURRING"
	BucketNoDueDate TaskBucket = "NO_DUE_DATE"
	BucketOverdue   TaskBucket = "OVERDUE"
	BucketToday     TaskBucket = "TODAY"
	BucketUpcoming  TaskBucket = "UPCOMING"
)

// TaskBuckets are all buckets in order of precedence.
func TaskBuckets() [5]TaskBucket {
	return [...]TaskBucket{BucketRecurring, BucketNoDueDate, BucketOverdue, BucketToday, BucketUpcoming}
}

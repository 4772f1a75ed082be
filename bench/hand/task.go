//go:build bench

package hand

import (
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/graph/model"
	"almanac/projections/when"
)

// task is what lists show.
type task struct {
	ID             string      `json:"id"`
	Text           string      `json:"text"`
	Category       *string     `json:"category"`
	DueDate        *time.Time  `json:"dueDate"`
	Reminder       *string     `json:"reminder"`
	NextReminderAt *time.Time  `json:"nextReminderAt"`
	NudgeCount     int         `json:"nudgeCount"`
	Completed      bool        `json:"completed"`
	CompletedAt    *time.Time  `json:"completedAt"`
	CreatedAt      time.Time   `json:"createdAt"`
	UpdatedAt      time.Time   `json:"updatedAt"`
	Recurrence     *kind       `json:"recurrence"`
	ItemContext    itemContext `json:"itemContext"`
}

type kind struct {
	Type string `json:"type"`
}

type itemContext struct {
	IsReminder        bool `json:"isReminder"`
	IsTask            bool `json:"isTask"`
	IsRecurring       bool `json:"isRecurring"`
	IsNudge           bool `json:"isNudge"`
	IsOverdue         bool `json:"isOverdue"`
	IsToday           bool `json:"isToday"`
	IsTomorrowOrLater bool `json:"isTomorrowOrLater"`
	HasDueDate        bool `json:"hasDueDate"`
}

// taskColumns are those of a task, for scanTask.
const taskColumns = `id, text, category, NULLIF(due_at, 'infinity'), reminder, next_reminder_at, nudge_count,
	completed_at, created_at, updated_at, recurrence_type`

// scanTask reads a row whose columns are taskColumns, after those in before.
func scanTask(row pgx.Row, zone *time.Location, day when.Day, before ...any) (task, error) {
	var (
		t        task
		id       [16]byte
		category string
		reminder int64
		repeats  *string
	)
	err := row.Scan(append(before, &id, &t.Text, &category, &t.DueDate, &reminder, &t.NextReminderAt, &t.NudgeCount,
		&t.CompletedAt,
		&t.CreatedAt, &t.UpdatedAt, &repeats)...)
	if err != nil {
		return t, err
	}
	t.ID = idText(model.KindTask, id)
	t.finish(zone, day, category, reminder, repeats)
	return t, nil
}

// finish fills in what follows from the columns.
func (t *task) finish(zone *time.Location, day when.Day, category string, reminder int64, repeats *string) {
	if category != "" {
		t.Category = &category
	}
	t.Reminder = iso(time.Duration(reminder) * time.Microsecond)
	if repeats != nil {
		t.Recurrence = &kind{Type: *repeats}
	}
	t.ItemContext = flags(t.DueDate, repeats, day)
	t.Completed = t.CompletedAt != nil
	for _, at := range []*time.Time{t.DueDate, t.NextReminderAt, t.CompletedAt, &t.CreatedAt, &t.UpdatedAt} {
		if at != nil {
			*at = at.In(zone)
		}
	}
}

func flags(due *time.Time, repeats *string, day when.Day) itemContext {
	c := itemContext{
		IsReminder: due != nil, IsTask: due == nil, HasDueDate: due != nil,
		IsRecurring: repeats != nil, IsNudge: repeats != nil && *repeats == string(model.Nudge),
	}
	if due != nil {
		c.IsOverdue = due.Before(day.Now)
		c.IsToday = !due.Before(day.Start) && due.Before(day.End)
		c.IsTomorrowOrLater = !due.Before(day.End)
	}
	return c
}

func idText(kind model.Kind, id [16]byte) string { return model.ID{Kind: kind, UUID: id}.String() }

// iso writes a length of time as ISO 8601; nil for none.
func iso(d time.Duration) *string {
	if d == 0 {
		return nil
	}
	text := model.Duration{Duration: d}.ISO()
	return &text
}

package cli

import (
	"context"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/resolvers/memories"
)

// How a task stands in an export, and how it is read and written again.

type exportedTask struct {
	ID             string              `json:"id"`
	Text           string              `json:"text"`
	Category       string              `json:"category,omitempty"`
	DueDate        time.Time           `json:"dueDate,omitzero"`
	Reminder       string              `json:"reminder,omitempty"`
	Recurrence     *exportedRecurrence `json:"recurrence,omitempty"`
	NextReminderAt time.Time           `json:"nextReminderAt,omitzero"`
	// RemindedAt is the occurrence of which the user was reminded, and which was not completed yet.
	RemindedAt  time.Time `json:"remindedAt,omitzero"`
	NudgeCount  int       `json:"nudgeCount,omitempty"`
	CompletedAt time.Time `json:"completedAt,omitzero"`
	CreatedAt   time.Time `json:"createdAt"`
	UpdatedAt   time.Time `json:"updatedAt"`
	// Position is where the task stands in the order made by hand; exports of earlier versions have none.
	Position    string               `json:"position,omitempty"`
	Subtasks    []exportedSubtask    `json:"subtasks,omitempty"`
	Completions []exportedCompletion `json:"completions,omitempty"`
}

type exportedRecurrence struct {
	Type       model.RecurrenceType `json:"type"`
	Time       string               `json:"time,omitempty"`
	Days       []model.Weekday      `json:"days,omitempty"`
	DayOfMonth int                  `json:"dayOfMonth,omitempty"`
	Interval   string               `json:"interval,omitempty"`
	Until      time.Time            `json:"until,omitzero"`
	TimeZone   string               `json:"timeZone,omitempty"`
}

type exportedSubtask struct {
	ID        string    `json:"id"`
	Text      string    `json:"text"`
	Completed bool      `json:"completed"`
	CreatedAt time.Time `json:"createdAt"`
}

type exportedCompletion struct {
	CompletedAt time.Time `json:"completedAt"`
	Occurrence  time.Time `json:"occurrence,omitzero"`
}

func taskOut(task model.Task) exportedTask {
	out := exportedTask{
		ID: publicID(model.KindTask, task.ID), Text: task.Text, Category: task.Category, DueDate: task.DueAt,
		Reminder: durationOut(task.Reminder), NextReminderAt: task.NextReminderAt,
		RemindedAt: task.RemindedAt, NudgeCount: task.NudgeCount,
		CompletedAt: task.CompletedAt, CreatedAt: task.CreatedAt, UpdatedAt: task.UpdatedAt, Position: task.Position,
	}
	if rule := task.Recurrence; rule != nil {
		out.Recurrence = &exportedRecurrence{
			Type: rule.Type, Time: rule.Time, Days: rule.Days, DayOfMonth: rule.DayOfMonth,
			Interval: durationOut(rule.Interval), Until: rule.Until, TimeZone: rule.TimeZone,
		}
	}
	for _, step := range task.Subtasks {
		out.Subtasks = append(out.Subtasks,
			exportedSubtask{publicID(model.KindSubtask, step.ID), step.Text, step.Completed, step.CreatedAt})
	}
	for _, done := range task.Completions {
		out.Completions = append(out.Completions, exportedCompletion{done.CompletedAt, done.Occurrence})
	}
	return out
}

func readTask(data []byte) (task model.Task, err error) {
	var in exportedTask
	if err := decode(data, &in); err != nil {
		return task, err
	}
	var c checks
	task = model.Task{ID: c.id(model.KindTask, "id", in.ID), Text: in.Text, Category: in.Category, DueAt: in.DueDate,
		Reminder: c.duration("reminder", in.Reminder), NextReminderAt: in.NextReminderAt, RemindedAt: in.RemindedAt,
		NudgeCount: in.NudgeCount, CompletedAt: in.CompletedAt, CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
		Position: in.Position}
	if task.Position == "" {
		task.Position = model.NewPosition(task.ID)
	}
	c.position("position", task.Position)
	c.text("text", in.Text, model.MaxTaskText)
	c.label("category", in.Category, model.MaxCategory)
	c.at("createdAt", in.CreatedAt)
	c.at("updatedAt", in.UpdatedAt)
	for field, at := range map[string]time.Time{"dueDate": in.DueDate, "nextReminderAt": in.NextReminderAt,
		"remindedAt": in.RemindedAt, "completedAt": in.CompletedAt} {
		c.maybeAt(field, at)
	}
	task.Recurrence = c.recurrence(in.Recurrence)
	c.most("subtasks", len(in.Subtasks), model.MaxSubtasks)
	for _, step := range in.Subtasks {
		c.text("subtasks.text", step.Text, model.MaxTaskText)
		c.at("subtasks.createdAt", step.CreatedAt)
		task.Subtasks = append(task.Subtasks, model.Subtask{ID: c.id(model.KindSubtask, "subtasks.id", step.ID),
			TaskID: task.ID, Text: step.Text, Completed: step.Completed, CreatedAt: step.CreatedAt})
	}
	for _, done := range in.Completions {
		c.at("completions.completedAt", done.CompletedAt)
		c.maybeAt("completions.occurrence", done.Occurrence)
		task.Completions = append(task.Completions, model.TaskCompletion{TaskID: task.ID, CompletedAt: done.CompletedAt,
			Occurrence: done.Occurrence})
	}
	return task, c.err
}

// recurrence checks how a task repeats; nil for one that does not.
func (c *checks) recurrence(in *exportedRecurrence) *model.Recurrence {
	if in == nil {
		return nil
	}
	rule := &model.Recurrence{Type: in.Type, Time: in.Time, Days: in.Days, DayOfMonth: in.DayOfMonth,
		Interval: c.duration("recurrence.interval", in.Interval), Until: in.Until, TimeZone: in.TimeZone}
	oneOf(c, "recurrence.type", in.Type, model.Daily, model.Weekly, model.Monthly, model.Nudge)
	c.zone("recurrence.timeZone", in.TimeZone)
	c.maybeAt("recurrence.until", in.Until)
	for _, day := range in.Days {
		oneOf(c, "recurrence.days", day, model.Sunday, model.Monday, model.Tuesday, model.Wednesday, model.Thursday,
			model.Friday, model.Saturday)
	}
	if _, err := time.Parse("15:04", in.Time); err != nil && in.Type != model.Nudge {
		c.refuse("recurrence.time", "%q is no time of day", model.Clip(in.Time))
	}
	switch {
	case in.Type == model.Nudge && rule.Interval <= 0:
		c.refuse("recurrence.interval", "a nudge needs one")
	case in.Type == model.Weekly && len(in.Days) == 0:
		c.refuse("recurrence.days", "a week needs one")
	case in.Type == model.Monthly && (in.DayOfMonth < 1 || in.DayOfMonth > 31):
		c.refuse("recurrence.dayOfMonth", "it is 1 to 31")
	}
	return rule
}

func (w *intake) writeTasks(ctx context.Context, tx store.Tx, tasks []model.Task) ([]memories.ImportedAs, error) {
	id := func(t model.Task) model.UUID { return t.ID }
	return addNew(tasks, id, func(ids []model.UUID) ([]model.UUID, error) {
		found, err := tx.TasksByID(ctx, w.user, ids, store.TaskText)
		return idsOf(found, id, err)
	}, func(fresh []model.Task) error {
		if err := tx.InsertTasks(ctx, fresh); err != nil {
			return err
		}
		var done []model.TaskCompletion
		for _, task := range fresh {
			if err := tx.SaveSubtasks(ctx, task.UpdatedAt, task.Subtasks, nil); err != nil {
				return err
			}
			for _, completion := range slices.Backward(task.Completions) {
				done = append(done, completion)
			}
		}
		return tx.AddCompletions(ctx, done)
	})
}

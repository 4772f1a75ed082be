package tasks

import (
	"strconv"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/recur"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// newTask reads a task to add; field is the dotted path of the input, for messages. The task has its subtasks with it.
func (r *Resolver) newTask(v *core.Viewer, in graph.CreateTaskInput, field string) (model.Task, error) {
	text, err := core.CleanText(field+".text", in.Text, model.MaxTaskText)
	if err != nil {
		return model.Task{}, err
	}
	task := model.Task{Text: text, CreatedAt: v.Now, UpdatedAt: v.Now}
	if in.Category != nil {
		if task.Category, err = core.CleanLabel(field+".category", *in.Category, model.MaxCategory); err != nil {
			return model.Task{}, err
		}
	}
	if in.DueDate != nil {
		if task.DueAt, err = dueDate(v, field+".dueDate", *in.DueDate); err != nil {
			return model.Task{}, err
		}
	}
	if in.Reminder != nil {
		task.Reminder = in.Reminder.Duration
	}
	if in.Recurrence != nil {
		rule, err := recurrence(v, *in.Recurrence)
		if err != nil {
			return model.Task{}, core.Below(err, field+".recurrence")
		}
		task.Recurrence = &rule
	}
	task, err = recur.Plan(task, v.Now, recur.Creating)
	if err != nil {
		return model.Task{}, core.Below(err, field)
	}
	task.ID = r.NewID()
	task.Position = model.NewPosition(task.ID)
	if len(in.Subtasks) > model.MaxSubtasks {
		return model.Task{}, model.BadInput(field+".subtasks", "a task has at most %d subtasks, not %d", model.MaxSubtasks,
			len(in.Subtasks))
	}
	for i, text := range in.Subtasks {
		clean, err := core.CleanText(field+".subtasks."+strconv.Itoa(i), text, model.MaxTaskText)
		if err != nil {
			return model.Task{}, err
		}
		task.Subtasks = append(task.Subtasks, model.Subtask{ID: r.NewID(), TaskID: task.ID, Text: clean, CreatedAt: v.Now})
	}
	return task, nil
}

// dueDate reads when a task is due. BAD_USER_INPUT for words that do not name one instant.
func dueDate(v *core.Viewer, field string, in model.DueDateInput) (time.Time, error) {
	if in.Text == "" {
		return when.Resolve(in.DateTimeInput, v.Zone), nil
	}
	at, err := core.SaidTime(v, field, in.Text, v.Zone)
	if err == nil && at.AllDay() {
		err = model.BadInput(field, "%q names a day without an hour; a task is due at an instant", model.Clip(in.Text))
	}
	return at.At, err
}

// recurrence reads a rule of repetition.
func recurrence(v *core.Viewer, in graph.RecurrenceInput) (model.Recurrence, error) {
	rule := recur.Input{Type: in.Type, Time: in.Time, Days: in.Days, TimeZone: in.TimeZone}
	if in.DayOfMonth != nil {
		day := int(*in.DayOfMonth)
		rule.DayOfMonth = &day
	}
	if in.Interval != nil {
		rule.Interval = &in.Interval.Duration
	}
	if in.Until != nil {
		until := when.Resolve(*in.Until, zoneOfRule(v, in))
		rule.Until = &until
	}
	return recur.Normalise(rule, v.Now, v.Zone)
}

// zoneOfRule is the zone that a rule names, or the viewer's; Normalise says what is wrong with a name that is none.
func zoneOfRule(v *core.Viewer, in graph.RecurrenceInput) *time.Location {
	if in.TimeZone != nil {
		if zone, err := when.LoadZone(*in.TimeZone); err == nil {
			return zone
		}
	}
	return v.Zone
}

// patchTask applies a patch to a task as it stands; the outcome is planned anew where that matters.
func patchTask(v *core.Viewer, task model.Task, set graph.TaskPatch) (model.Task, error) {
	if core.EmptyPatch(&set) {
		return task, model.BadInput("input.set", "set is empty; say what to change")
	}
	var err error
	if text, given := set.Text.ValueOK(); given {
		if text == nil {
			return task, model.BadInput("input.set.text", "a task must have a text; leave text out to keep it")
		}
		if task.Text, err = core.CleanText("input.set.text", *text, model.MaxTaskText); err != nil {
			return task, err
		}
	}
	if category, given := set.Category.ValueOK(); given {
		task.Category = ""
		if category != nil {
			if task.Category, err = core.CleanLabel("input.set.category", *category, model.MaxCategory); err != nil {
				return task, err
			}
		}
	}
	if task, err = patchTimes(v, task, set); err != nil {
		return task, err
	}
	task.UpdatedAt = v.Now
	return task, nil
}

// patchTimes applies what a patch says of due date, reminder and recurrence, and plans the next reminder when it says
// anything.
func patchTimes(v *core.Viewer, task model.Task, set graph.TaskPatch) (model.Task, error) {
	due, dueGiven := set.DueDate.ValueOK()
	if dueGiven {
		task.DueAt = time.Time{}
		if due != nil {
			at, err := dueDate(v, "input.set.dueDate", *due)
			if err != nil {
				return task, err
			}
			task.DueAt = at
		}
	}
	reminder, reminderGiven := set.Reminder.ValueOK()
	if reminderGiven {
		task.Reminder = 0
		if reminder != nil {
			task.Reminder = reminder.Duration
		}
	}
	rule, ruleGiven := set.Recurrence.ValueOK()
	if ruleGiven {
		task.Recurrence = nil
		if rule != nil {
			normal, err := recurrence(v, *rule)
			if err != nil {
				return task, core.Below(err, "input.set.recurrence")
			}
			task.Recurrence = &normal
			if !reminderGiven {
				task.Reminder = 0 // a rule of repetition brings reminders of its own
			}
		}
	}
	if !dueGiven && !reminderGiven && !ruleGiven {
		return task, nil
	}
	if dueGiven && due == nil && !reminderGiven {
		task.Reminder = 0 // there is nothing left to be reminded of
	}
	planned, err := recur.Plan(task, v.Now, recur.Updating)
	if err != nil {
		return task, core.Below(err, "input.set")
	}
	return planned, nil
}

// maxNameKey bounds a folded name in bytes: it stands in a unique index, and a few signs fold to many letters.
const maxNameKey = 1200

// cleanName reads the name of a list.
func cleanName(field, text string) (string, error) {
	clean, err := core.CleanText(field, text, model.MaxListName)
	if err == nil && len(fold.Text(clean)) > maxNameKey {
		err = model.BadInput(field, "the name is too long once it is spelled out; at most %d characters are allowed",
			model.MaxListName)
	}
	return clean, err
}

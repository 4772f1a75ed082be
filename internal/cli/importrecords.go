package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/resolvers/memories"
)

func (w *intake) readUser(data []byte) (exportedUser, error) {
	var in exportedUser
	if err := decode(data, &in); err != nil {
		return in, err
	}
	var c checks
	c.text("timeZone", in.TimeZone, maxZone)
	c.zone("timeZone", in.TimeZone)
	oneOf(&c, "locale", in.Locale, "en", "he")
	oneOf(&c, "weekStart", in.WeekStart, model.Sunday, model.Monday, model.Tuesday, model.Wednesday, model.Thursday,
		model.Friday, model.Saturday)
	c.at("createdAt", in.CreatedAt)
	if in.DefaultCalendar != "" {
		if _, err := model.ParseID(in.DefaultCalendar); err != nil {
			c.refuse("defaultCalendar", "%q is no id", model.Clip(in.DefaultCalendar))
		}
	}
	w.head = &in
	return in, c.err
}

// writeSettings sets the settings of the file for a user who has chosen nothing yet.
func (w *intake) writeSettings(ctx context.Context, tx store.Tx, users []exportedUser) ([]memories.ImportedAs, error) {
	in := users[0]
	settings := model.Settings{TimeZone: in.TimeZone, Locale: in.Locale, WeekStart: in.WeekStart,
		DefaultCalendar: in.DefaultCalendar}
	there, err := w.User(ctx, w.user)
	switch {
	case err != nil:
		return nil, err
	case there.Settings == settings:
		w.note("settings: there already")
	case !w.fresh:
		w.note("settings: left as they are here, since they were chosen here")
	default:
		w.note("settings: taken over")
		return []memories.ImportedAs{memories.Imported}, tx.SaveSettings(ctx, settings)
	}
	return []memories.ImportedAs{memories.ImportedAlready}, nil
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

func readList(data []byte) (list model.List, err error) {
	var in exportedList
	if err := decode(data, &in); err != nil {
		return list, err
	}
	var c checks
	list = model.List{ID: c.id(model.KindList, "id", in.ID), Name: in.Name, IsChecklist: in.IsChecklist,
		CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt}
	c.text("name", in.Name, model.MaxListName)
	c.at("createdAt", in.CreatedAt)
	c.at("updatedAt", in.UpdatedAt)
	c.most("items", len(in.Items), model.MaxListItems)
	for i, item := range in.Items {
		c.text("items.text", item.Text, model.MaxItemText)
		c.at("items.addedAt", item.AddedAt)
		list.Items = append(list.Items, model.ListItem{ID: c.id(model.KindListItem, "items.id", item.ID), ListID: list.ID,
			Position: int64(i + 1), Text: item.Text, Checked: item.Checked, AddedAt: item.AddedAt})
	}
	return list, c.err
}

func (w *intake) writeLists(ctx context.Context, tx store.Tx, lists []model.List) ([]memories.ImportedAs, error) {
	id := func(l model.List) model.UUID { return l.ID }
	return addNew(lists, id, func(ids []model.UUID) ([]model.UUID, error) {
		found, err := tx.ListsByID(ctx, w.user, ids, store.ListName)
		return idsOf(found, id, err)
	}, func(fresh []model.List) error {
		for _, list := range fresh {
			name, err := w.freeName(ctx, tx, list.Name)
			if err != nil {
				return err
			}
			if name != list.Name {
				w.note("the list %q is called %q here, since there is another of its name", list.Name, name)
				list.Name = name
			}
			if err := tx.InsertList(ctx, list); err != nil {
				return err
			}
		}
		return nil
	})
}

// freeName is a list's name, with a number behind it where another list has it.
func (w *intake) freeName(ctx context.Context, tx store.Tx, name string) (string, error) {
	free := name
	for n := 2; ; n++ {
		_, err := tx.ListByName(ctx, w.user, fold.Text(free), store.ListName)
		if errors.Is(err, store.ErrNotFound) {
			return free, nil
		}
		if err != nil {
			return "", err
		}
		free = fmt.Sprintf("%s (%d)", fold.Head(name, model.MaxListName-len(" (9999)")), n)
	}
}

func readConnection(data []byte) (connection model.Connection, err error) {
	var in exportedConnection
	if err := decode(data, &in); err != nil {
		return connection, err
	}
	var c checks
	oneOf(&c, "provider", in.Provider, model.ProviderGoogle, model.ProviderExa)
	c.text("account", in.Account, maxAccount)
	c.at("linkedAt", in.LinkedAt)
	if in.Number < 1 || in.Number > maxNumber {
		c.refuse("number", "%d is none of an account", in.Number)
	}
	return model.Connection{ID: c.id(model.KindConnection, "id", in.ID), Number: in.Number, Provider: in.Provider,
		Account: in.Account, Status: model.ConnectionExpired, Scopes: in.Scopes, StandIn: in.StandIn,
		LinkedAt: in.LinkedAt}, c.err
}

const (
	// maxZone is longer than the name of a time zone.
	maxZone = 100
	// maxAccount is longer than an e-mail address may be.
	maxAccount = 500
	// maxNumber bounds numbers that a file gives, so that counting goes on from them.
	maxNumber = 1_000_000_000
)

// writeConnections adds accounts without their secrets, so that their ids stay when they are linked again.
func (w *intake) writeConnections(ctx context.Context, tx store.Tx, all []model.Connection) ([]memories.ImportedAs,
	error) {
	there, err := tx.Connections(ctx, w.user)
	if err != nil {
		return nil, err
	}
	fates := make([]memories.ImportedAs, len(all))
	for i, connection := range all {
		if slices.ContainsFunc(there, func(c model.Connection) bool {
			return c.Provider == connection.Provider && c.Account == connection.Account
		}) {
			fates[i] = memories.ImportedAlready
			continue
		}
		if err := tx.SkipNumbers(ctx, store.Numbers{Connections: int64(connection.Number) - 1}); err != nil {
			return nil, err
		}
		connection.UpdatedAt = w.now()
		saved, err := tx.SaveConnection(ctx, connection, model.Credentials{})
		if err != nil {
			return nil, err
		}
		there = append(there, saved)
		w.note("link again: %s (%s)", saved.Account, saved.Provider)
		if saved.Number != connection.Number {
			w.note("ids of what is in the account %s are others here", saved.Account)
		}
	}
	return fates, nil
}

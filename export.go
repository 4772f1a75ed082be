package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/projections/memo"
)

// export is the command of that name: everything a user has, one JSON object a line, oldest last.
func (c command) export(ctx context.Context, args []string) error {
	own := flag.NewFlagSet("export", flag.ContinueOnError)
	user := own.String("user", auth.LocalSubject, "whose data: the subject, as a JWT would name it")
	path := own.String("out", "-", "the file to write, which must not exist; - for standard output")
	return c.withStore(ctx, args, own, func(ctx context.Context, d desk) error {
		if *path == "-" {
			return writeExport(ctx, c.out, d.store, *user, d.clock.Now())
		}
		file, err := os.OpenFile(*path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		if err := errors.Join(writeExport(ctx, file, d.store, *user, d.clock.Now()), file.Close()); err != nil {
			return errors.Join(err, os.Remove(*path)) // half an export must not look like one
		}
		return nil
	})
}

// exportPage is how many rows are read at once.
const exportPage = 500

// line is one line of an export: the kind of thing and the thing. Times are RFC 3339 in UTC, durations ISO 8601.
type line struct {
	Kind string `json:"kind"`
	Data any    `json:"data"`
}

func writeExport(ctx context.Context, out io.Writer, from store.Store, subject string, now time.Time) error {
	id := model.UserIDOf(subject)
	user, err := from.User(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("there is no user %q", subject)
	}
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(out)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(line{"user", exportedUser{
		ID: id.String(), Subject: user.Subject, Email: user.Email, TimeZone: user.Settings.TimeZone,
		Locale:    user.Settings.Locale,
		WeekStart: user.Settings.WeekStart, CreatedAt: user.CreatedAt,
	}})
	if err != nil {
		return err
	}
	if err := exportTasks(ctx, encoder, from, id); err != nil {
		return err
	}
	if err := exportLists(ctx, encoder, from, id); err != nil {
		return err
	}
	if err := exportMemories(ctx, encoder, from, id, now); err != nil {
		return err
	}
	if err := exportKnowledge(ctx, encoder, from, id); err != nil {
		return err
	}
	if err := exportConnections(ctx, encoder, from, id); err != nil {
		return err
	}
	return buffered.Flush()
}

// exportConnections writes which accounts are linked, without what they granted: tokens are not the user's to carry
// about.
func exportConnections(ctx context.Context, encoder *json.Encoder, from store.Store, id model.UserID) error {
	all, err := from.Connections(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range all {
		err := encoder.Encode(line{"connection", exportedConnection{
			ID: model.ID{Kind: model.KindConnection, UUID: c.ID}.String(), Provider: c.Provider, Account: c.Account,
			Number: c.Number,
			Status: c.Status, Scopes: c.Scopes, StandIn: c.StandIn, LinkedAt: c.LinkedAt,
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

func exportTasks(ctx context.Context, encoder *json.Encoder, from store.Store, id model.UserID) error {
	query := store.TaskQuery{
		Order:   model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending},
		Columns: store.TaskRow | store.TaskSubtasks | store.TaskCompletions,
		Page:    &store.Window[store.TaskPlace]{Limit: exportPage},
	}
	for {
		page, err := from.Tasks(ctx, id, query)
		if err != nil {
			return err
		}
		for _, task := range page.Tasks {
			if err := encoder.Encode(line{"task", taskOut(task)}); err != nil {
				return err
			}
		}
		if !page.HasNext {
			return nil
		}
		query.Page.After = &page.Places[len(page.Places)-1]
	}
}

func exportLists(ctx context.Context, encoder *json.Encoder, from store.Store, id model.UserID) error {
	query := store.ListQuery{
		Order:   model.ListOrder{Field: model.ListOrderCreatedAt, Direction: model.Descending},
		Columns: store.ListRow | store.ListItems,
		Page:    &store.Window[store.ListPlace]{Limit: exportPage},
	}
	for {
		page, err := from.Lists(ctx, id, query)
		if err != nil {
			return err
		}
		for _, list := range page.Lists {
			if err := encoder.Encode(line{"list", listOut(list)}); err != nil {
				return err
			}
		}
		if !page.HasNext {
			return nil
		}
		query.Page.After = &page.Places[len(page.Places)-1]
	}
}

// exportMemoriesAtOnce is how many memories are read at once: each may have a hundred versions.
const exportMemoriesAtOnce = 50

// exportMemories writes memories in the form that importMemories and the import command take.
func exportMemories(ctx context.Context, encoder *json.Encoder, from store.Store, id model.UserID,
	now time.Time) error {
	query := store.MemoryQuery{
		Now: now, Order: model.MemoryOrder{Field: model.MemoryOrderCreatedAt, Direction: model.Descending},
		Columns: store.MemoryRow | store.MemoryHistory, Page: &store.Window[store.MemoryPlace]{Limit: exportMemoriesAtOnce},
	}
	for {
		page, err := from.Memories(ctx, id, query)
		if err != nil {
			return err
		}
		for _, memory := range page.Memories {
			data, err := memo.Encode(memory)
			if err != nil {
				return err
			}
			if err := encoder.Encode(line{"memory", json.RawMessage(data)}); err != nil {
				return err
			}
		}
		if !page.HasNext {
			return nil
		}
		query.Page.After = &page.Places[len(page.Places)-1]
	}
}

type exportedUser struct {
	ID        string        `json:"id"`
	Subject   string        `json:"subject"`
	Email     string        `json:"email,omitempty"`
	TimeZone  string        `json:"timeZone"`
	Locale    string        `json:"locale"`
	WeekStart model.Weekday `json:"weekStart"`
	CreatedAt time.Time     `json:"createdAt"`
}

type exportedConnection struct {
	ID       string                 `json:"id"`
	Provider model.Provider         `json:"provider"`
	Account  string                 `json:"account"`
	Number   int                    `json:"number"`
	Status   model.ConnectionStatus `json:"status"`
	Scopes   []string               `json:"scopes"`
	StandIn  bool                   `json:"standIn,omitempty"`
	LinkedAt time.Time              `json:"linkedAt"`
}

type exportedTask struct {
	ID             string               `json:"id"`
	Text           string               `json:"text"`
	Category       string               `json:"category,omitempty"`
	DueDate        time.Time            `json:"dueDate,omitzero"`
	Reminder       string               `json:"reminder,omitempty"`
	Recurrence     *exportedRecurrence  `json:"recurrence,omitempty"`
	NextReminderAt time.Time            `json:"nextReminderAt,omitzero"`
	NudgeCount     int                  `json:"nudgeCount,omitempty"`
	CompletedAt    time.Time            `json:"completedAt,omitzero"`
	CreatedAt      time.Time            `json:"createdAt"`
	UpdatedAt      time.Time            `json:"updatedAt"`
	Subtasks       []exportedSubtask    `json:"subtasks,omitempty"`
	Completions    []exportedCompletion `json:"completions,omitempty"`
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

type exportedList struct {
	ID          string         `json:"id"`
	Name        string         `json:"name"`
	IsChecklist bool           `json:"isChecklist"`
	Items       []exportedItem `json:"items"`
	CreatedAt   time.Time      `json:"createdAt"`
	UpdatedAt   time.Time      `json:"updatedAt"`
}

type exportedItem struct {
	ID      string    `json:"id"`
	Text    string    `json:"text"`
	Checked bool      `json:"checked"`
	AddedAt time.Time `json:"addedAt"`
}

func publicID(kind model.Kind, id model.UUID) string {
	return model.ID{Kind: kind, UUID: id}.String()
}

func durationOut(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return model.Duration{Duration: d}.ISO()
}

func taskOut(task model.Task) exportedTask {
	out := exportedTask{
		ID: publicID(model.KindTask, task.ID), Text: task.Text, Category: task.Category, DueDate: task.DueAt,
		Reminder: durationOut(task.Reminder), NextReminderAt: task.NextReminderAt, NudgeCount: task.NudgeCount,
		CompletedAt: task.CompletedAt, CreatedAt: task.CreatedAt, UpdatedAt: task.UpdatedAt,
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

func listOut(list model.List) exportedList {
	out := exportedList{
		ID: publicID(model.KindList, list.ID), Name: list.Name, IsChecklist: list.IsChecklist, Items: []exportedItem{},
		CreatedAt: list.CreatedAt, UpdatedAt: list.UpdatedAt,
	}
	for _, item := range list.Items {
		out.Items = append(out.Items,
			exportedItem{publicID(model.KindListItem, item.ID), item.Text, item.Checked, item.AddedAt})
	}
	return out
}

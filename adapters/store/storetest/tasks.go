package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testTasks(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("what is written comes back whole, in UTC, to the driver's precision",
		func(t *testing.T) { taskRoundTrip(h.in(t)) })
	t.Run("random tasks come back", func(t *testing.T) { taskRandomRoundTrip(h.in(t)) })
	t.Run("a taken id is a conflict and nothing is inserted", func(t *testing.T) { taskInsertConflict(h.in(t)) })
	t.Run("by id", func(t *testing.T) { tasksByID(h.in(t)) })
	t.Run("update", func(t *testing.T) { taskUpdate(h.in(t)) })
	t.Run("delete", func(t *testing.T) { taskDelete(h.in(t)) })
	t.Run("history", func(t *testing.T) { taskHistory(h.in(t)) })
	t.Run("subtasks", func(t *testing.T) { taskSubtasks(h.in(t)) })
	t.Run("texts", func(t *testing.T) { taskTexts(h.in(t)) })
	t.Run("categories", func(t *testing.T) { taskCategories(h.in(t)) })
	t.Run("by text", func(t *testing.T) { taskByText(h.in(t)) })
	t.Run("by several texts", func(t *testing.T) { tasksByText(h.in(t)) })
	t.Run("by several long texts", func(t *testing.T) { tasksByLongText(h.in(t)) })
	t.Run("by as many texts as there may be", func(t *testing.T) { tasksByManyTexts(h.in(t)) })
	t.Run("nothing asked, nothing done", func(t *testing.T) { taskNothing(h.in(t)) })
}

func taskRoundTrip(h *fixture) {
	precision := h.Facts().TimePrecision
	if precision <= 0 || precision > time.Microsecond {
		h.Fatalf("a driver keeps times to the microsecond, this one to %v", precision)
	}
	far := time.FixedZone("far", 14*3600)
	at := func(n int) time.Time { return time.Date(2026, 3, 4, 5, 6, n, 123_456_789, far) }
	written := model.Task{
		ID: h.ids.next(), Text: "לקנות חָלָב & \"milk\" 🥛\nשורה שנייה", Category: "Home בית", DueAt: at(1),
		Reminder: 90*time.Second + time.Microsecond,
		Recurrence: &model.Recurrence{
			Type: model.Weekly, Time: "08:30", Days: []model.Weekday{model.Monday, model.Friday}, DayOfMonth: 31,
			Interval: time.Hour,
			Until:    at(2), TimeZone: "Asia/Jerusalem",
		},
		NextReminderAt: at(3), RemindedAt: at(4), NudgeCount: 7, CompletedAt: at(5), CreatedAt: at(6), UpdatedAt: at(7),
		Position: "0199a8",
		Subtasks: []model.Subtask{{Text: "not looked at"}}, Completions: []model.TaskCompletion{{}},
	}
	h.add(written)
	want := written
	for _, moment := range []*time.Time{&want.DueAt, &want.NextReminderAt, &want.RemindedAt, &want.CompletedAt,
		&want.CreatedAt, &want.UpdatedAt} {
		*moment = moment.UTC().Truncate(precision)
	}
	rule := *written.Recurrence
	rule.Until = rule.Until.UTC().Truncate(precision)
	want.Recurrence, want.Subtasks, want.Completions = &rule, nil, nil
	got, _ := h.byID(written.ID, store.TaskRow)
	h.same("task", got, want)

	bare := model.Task{ID: h.ids.next(), Text: "bare", CreatedAt: noon, UpdatedAt: noon}
	h.add(bare)
	got, _ = h.byID(bare.ID, store.TaskRow|store.TaskSubtasks|store.TaskCompletions)
	if len(got.Subtasks) != 0 || len(got.Completions) != 0 {
		h.Errorf("a bare task has %v %v", got.Subtasks, got.Completions)
	}
	got.Subtasks, got.Completions = nil, nil
	h.same("bare task", got, bare)

	// The ends of what a client may write: years 1 to 9999, before 1970, and the very instant 1970 begins.
	for _, due := range []time.Time{
		time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC),
		time.Unix(0, 0).UTC(), time.Date(1969, 12, 31, 23, 59, 59, 999_999_000, time.UTC),
	} {
		edge := h.task("edge")
		edge.DueAt, edge.NextReminderAt, edge.CompletedAt = due, due, due
		h.add(edge)
		got, _ := h.byID(edge.ID, store.TaskRow)
		h.same("a task at "+due.String(), got, edge)
	}
}

func taskRandomRoundTrip(h *fixture) {
	random := dice(1)
	var tasks []model.Task
	for range 300 {
		tasks = append(tasks, randomTask(random, h.ids.next(), noon))
	}
	h.add(tasks...)
	got := must(h, func() ([]model.Task, error) { return h.TasksByID(h.ctx, h.user, taskIDs(tasks), store.TaskRow) })
	h.same("ids", sorted(taskIDs(got)), taskIDs(tasks))
	found := byTaskID(got)
	for _, want := range tasks {
		h.same("task", found[want.ID], want)
	}
}

func byTaskID(tasks []model.Task) map[model.UUID]model.Task {
	out := make(map[model.UUID]model.Task, len(tasks))
	for _, task := range tasks {
		out[task.ID] = task
	}
	return out
}

func taskInsertConflict(h *fixture) {
	there, fresh := h.task("there"), h.task("fresh")
	h.add(there)
	head := h.head()
	again := there
	again.Text = "again"
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return tx.InsertTasks(ctx, []model.Task{fresh, again})
	})
	h.fails("insert of a taken id", err, store.ErrConflict)
	if _, ok := h.byID(fresh.ID, 0); ok {
		h.Error("the other task of the batch was inserted")
	}
	got, _ := h.byID(there.ID, store.TaskRow)
	h.same("the task that was there", got, there)
	h.same("log", h.log(head), []string{})
	twin := h.task("twin")
	err = h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return tx.InsertTasks(ctx, []model.Task{twin, twin})
	})
	h.fails("insert of one id twice", err, store.ErrConflict)
}

func tasksByID(h *fixture) {
	a, b := h.task("a"), h.task("b")
	h.add(a, b)
	got := must(h, func() ([]model.Task, error) {
		return h.TasksByID(h.ctx, h.user, []model.UUID{b.ID, h.ids.next(), a.ID, b.ID, {}}, store.TaskText)
	})
	h.same("ids", sorted(taskIDs(got)), []model.UUID{a.ID, b.ID})
	// More ids than any list asks for, so that a driver must split or bind them well.
	many := make([]model.Task, 2500)
	for i := range many {
		many[i] = h.task("many")
	}
	h.add(many...)
	ids := append(taskIDs(many), h.ids.several(2500)...)
	got = must(h, func() ([]model.Task, error) { return h.TasksByID(h.ctx, h.user, ids, store.TaskText) })
	h.same("many ids", sorted(taskIDs(got)), taskIDs(many))
}

func taskUpdate(h *fixture) {
	random := dice(2)
	a, b := randomTask(random, h.ids.next(), noon), randomTask(random, h.ids.next(), noon)
	h.add(a, b)
	head := h.head()
	bare := model.Task{ID: a.ID, Text: "now bare", CreatedAt: a.CreatedAt, UpdatedAt: noon.Add(time.Hour)}
	full := randomTask(random, b.ID, noon)
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.UpdateTasks(ctx, model.OperationReminded, []model.Task{full, bare})
	})
	got, _ := h.byID(a.ID, store.TaskRow)
	h.same("the bare one", got, bare)
	got, _ = h.byID(b.ID, store.TaskRow)
	h.same("the full one", got, full)
	h.same("log", h.log(head), lines(model.OperationReminded, b.ID, a.ID))

	for round := range 20 {
		next := randomTask(random, a.ID, noon)
		h.write(func(ctx context.Context, tx store.Tx) error {
			return tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{next})
		})
		got, _ := h.byID(a.ID, store.TaskRow)
		h.same("round "+string(rune('a'+round)), got, next)
	}

	head = h.head()
	before, _ := h.byID(a.ID, store.TaskRow)
	lost := h.task("never inserted")
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		err := tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{bare, lost})
		// The transaction goes on: what the method did must be undone by the method itself.
		return errors.Join(swallow(&err, store.ErrNotFound), err)
	})
	if err != nil {
		h.Errorf("update of a lost task: %v", err)
	}
	after, _ := h.byID(a.ID, store.TaskRow)
	h.same("the other task of the batch", after, before)
	h.same("log", h.log(head), []string{})
	if _, ok := h.byID(lost.ID, 0); ok {
		h.Error("the lost task was inserted")
	}
}

// swallow clears an error of the kind wanted, and returns an error when it is of another kind or none.
func swallow(err *error, want error) error {
	got := *err
	*err = nil
	if errors.Is(got, want) {
		return nil
	}
	return errors.Join(errors.New("not the error wanted: "+want.Error()), got)
}

func taskDelete(h *fixture) {
	a, b, c := h.task("a"), h.task("b"), h.task("c")
	h.add(a, b, c)
	step := model.Subtask{ID: h.ids.next(), TaskID: a.ID, Text: "step", CreatedAt: noon}
	done := model.TaskCompletion{TaskID: a.ID, CompletedAt: noon}
	h.write(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.SaveSubtasks(ctx, noon, []model.Subtask{step}, nil),
			tx.AddCompletions(ctx, []model.TaskCompletion{done}))
	})
	head := h.head()
	var deleted []model.UUID
	h.write(func(ctx context.Context, tx store.Tx) (err error) {
		deleted, err = tx.DeleteTasks(ctx, []model.UUID{c.ID, h.ids.next(), a.ID, c.ID})
		return err
	})
	h.same("deleted", sorted(deleted), []model.UUID{a.ID, c.ID})
	log := h.log(head)
	if len(log) != 2 || log[0] == log[1] {
		h.Errorf("log: %v", log)
	}
	for _, line := range log {
		if line != lines(model.OperationDeleted, a.ID)[0] && line != lines(model.OperationDeleted, c.ID)[0] {
			h.Errorf("log: %v", log)
		}
	}
	left := must(h, func() ([]model.Task, error) {
		return h.TasksByID(h.ctx, h.user, []model.UUID{a.ID, b.ID, c.ID}, 0)
	})
	h.same("left", taskIDs(left), []model.UUID{b.ID})
	steps := must(h, func() ([]model.Subtask, error) { return h.SubtasksByID(h.ctx, h.user, []model.UUID{step.ID}) })
	if len(steps) != 0 {
		h.Errorf("the subtask is still there: %v", steps)
	}
	// A task of the same id finds neither the old subtasks nor the old history.
	h.add(a)
	again, _ := h.byID(a.ID, store.TaskSubtasks|store.TaskCompletions)
	if len(again.Subtasks) != 0 || len(again.Completions) != 0 {
		h.Errorf("the deleted task left %v %v", again.Subtasks, again.Completions)
	}
	many := make([]model.Task, 700)
	for i := range many {
		many[i] = h.task("many")
	}
	h.add(many...)
	h.write(func(ctx context.Context, tx store.Tx) (err error) {
		deleted, err = tx.DeleteTasks(ctx, taskIDs(many))
		return err
	})
	h.same("many deleted", sorted(deleted), taskIDs(many))
}

func taskHistory(h *fixture) {
	task, other := h.task("daily"), h.task("other")
	h.add(task, other)
	head := h.head()
	var want []model.TaskCompletion // newest first
	var batch []model.TaskCompletion
	for i := range store.MaxCompletions + 20 {
		line := model.TaskCompletion{TaskID: task.ID, CompletedAt: noon.Add(time.Duration(i/3) * time.Hour),
			Occurrence: noon.Add(time.Duration(i) * time.Minute)}
		if i%10 == 0 {
			line.Occurrence = time.Time{}
		}
		batch = append(batch, line)
		want = append([]model.TaskCompletion{line}, want...)
		if len(batch) == 7 {
			h.write(func(ctx context.Context, tx store.Tx) error { return tx.AddCompletions(ctx, batch) })
			batch = nil
		}
	}
	single := model.TaskCompletion{TaskID: other.ID, CompletedAt: noon}
	batch = append(batch, single, single)
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.AddCompletions(ctx, batch) })
	want = want[:store.MaxCompletions]

	got, _ := h.byID(task.ID, store.TaskCompletions)
	h.same("history", got.Completions, want)
	page := must(h, func() (store.TaskPage, error) {
		return h.Tasks(h.ctx, h.user, store.TaskQuery{
			Where: store.TaskWhere{}, Order: model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending},
			Columns: store.TaskCompletions, Page: &store.Window[store.TaskPlace]{Limit: 2},
		})
	})
	h.same("a line added twice", page.Tasks[0].Completions, []model.TaskCompletion{single, single})
	h.same("history in a page", page.Tasks[1].Completions, want)
	h.same("log", h.log(head), []string{})

	// What is added late but was completed early stands in its place.
	late := model.TaskCompletion{TaskID: other.ID, CompletedAt: noon.Add(-time.Hour)}
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.AddCompletions(ctx, []model.TaskCompletion{late})
	})
	got, _ = h.byID(other.ID, store.TaskCompletions)
	h.same("an early line", got.Completions, []model.TaskCompletion{single, single, late})

	// What is taken back is the newest entry of its moment, and of each task at most one.
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.DeleteCompletions(ctx, []model.TaskCompletion{single, want[0],
			{TaskID: h.ids.next(), CompletedAt: noon}})
	})
	got, _ = h.byID(other.ID, store.TaskCompletions)
	h.same("an entry less", got.Completions, []model.TaskCompletion{single, late})
	got, _ = h.byID(task.ID, store.TaskCompletions)
	h.same("the newest is gone", got.Completions[:store.MaxCompletions-1], want[1:])
	h.same("log", h.log(head), []string{})

	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return tx.AddCompletions(ctx, []model.TaskCompletion{late, {TaskID: h.ids.next(), CompletedAt: noon}})
	})
	h.fails("history of a lost task", err, store.ErrNotFound)
	got, _ = h.byID(other.ID, store.TaskCompletions)
	h.same("after the refusal", len(got.Completions), 2)
}

func taskSubtasks(h *fixture) {
	a, b := h.task("a"), h.task("b")
	h.add(a, b)
	step := func(task model.Task, text string) model.Subtask {
		return model.Subtask{ID: h.ids.next(), TaskID: task.ID, Text: text, CreatedAt: noon}
	}
	one, two, three := step(a, "one"), step(a, "שתיים"), step(b, "three")
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.SaveSubtasks(ctx, noon, []model.Subtask{three, two, one}, nil)
	})
	log := h.log(head)
	if len(log) != 2 || log[0] == log[1] {
		h.Errorf("the log of three subtasks of two tasks: %v", log)
	}
	got, _ := h.byID(a.ID, store.TaskSubtasks|store.TaskText)
	h.same("oldest first", got, model.Task{ID: a.ID, Text: "a", Subtasks: []model.Subtask{one, two}})

	head = h.head()
	two.Text, two.Completed = "two", true
	four := step(a, "four")
	updated := noon.Add(time.Hour + time.Microsecond)
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.SaveSubtasks(ctx, updated, []model.Subtask{two, four}, []model.Subtask{one})
	})
	want := a
	want.UpdatedAt, want.Subtasks = updated, []model.Subtask{two, four}
	got, _ = h.byID(a.ID, store.TaskRow|store.TaskSubtasks)
	h.same("saved and removed", got, want)
	got, _ = h.byID(b.ID, store.TaskUpdatedAt)
	h.same("the update time of the task that was not concerned", got.UpdatedAt, noon)
	h.same("log", h.log(head), lines(model.OperationUpdated, a.ID))

	steps := must(h, func() ([]model.Subtask, error) {
		return h.SubtasksByID(h.ctx, h.user, []model.UUID{three.ID, one.ID, two.ID, three.ID})
	})
	if len(steps) == 2 && compareIDs(steps[0].ID, steps[1].ID) > 0 {
		steps[0], steps[1] = steps[1], steps[0]
	}
	h.same("by id", steps, []model.Subtask{two, three})

	head = h.head()
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		err := tx.SaveSubtasks(ctx, noon, []model.Subtask{step(a, "lost with it"),
			{ID: h.ids.next(), TaskID: h.ids.next(), Text: "orphan", CreatedAt: noon}}, nil)
		return errors.Join(swallow(&err, store.ErrNotFound), err)
	})
	if err != nil {
		h.Errorf("a subtask of a lost task: %v", err)
	}
	err = h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		moved := two
		moved.TaskID = b.ID
		err := tx.SaveSubtasks(ctx, noon, []model.Subtask{moved}, nil)
		return errors.Join(swallow(&err, store.ErrConflict), err)
	})
	if err != nil {
		h.Errorf("a subtask's id taken under another task: %v", err)
	}
	got, _ = h.byID(a.ID, store.TaskSubtasks)
	h.same("after the refusals", got.Subtasks, []model.Subtask{two, four})
	h.same("log", h.log(head), []string{})

	// Removing what is not there changes nothing, and neither does naming it under the wrong task.
	astray := three
	astray.TaskID = a.ID
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.SaveSubtasks(ctx, noon, nil, []model.Subtask{step(a, "never saved"), astray})
	})
	h.same("log", h.log(head), []string{})
	got, _ = h.byID(b.ID, store.TaskSubtasks)
	h.same("the other task's", got.Subtasks, []model.Subtask{three})
}

func taskTexts(h *fixture) {
	h = h.as("texts")
	random := dice(3)
	var tasks []model.Task
	for range 60 {
		tasks = append(tasks, randomTask(random, h.ids.next(), noon))
	}
	h.add(tasks...)
	open := false
	var want []model.Task
	for _, task := range answer(tasks, store.TaskWhere{Completed: &open},
		model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending}) {
		short := model.Task{ID: task.ID, Text: task.Text, Category: task.Category, DueAt: task.DueAt}
		if task.Recurrence != nil {
			short.Recurrence = &model.Recurrence{Type: task.Recurrence.Type}
		}
		want = append(want, short)
	}
	got := must(h, func() ([]model.Task, error) { return h.TaskTexts(h.ctx, h.user) })
	h.same("texts", got, want)
	none := must(h, func() ([]model.Task, error) { return h.TaskTexts(h.ctx, h.as("nobody").user) })
	h.same("of nobody", len(none), 0)
}

func taskCategories(h *fixture) {
	h = h.as("categories")
	of := func(text, category string) model.Task {
		task := h.task(text)
		task.Category = category
		return task
	}
	done, moved := of("done", "Work"), of("moved", "gone")
	done.CompletedAt = noon
	h.add(of("a", "work"), of("b", "Work"), of("c", "בית"), of("d", "Errands"), of("e", ""), done, moved)
	moved.Category = "errands"
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{moved})
	})
	for limit, want := range map[int][]model.TaskCategory{
		5: {{Name: "Errands", Open: 2}, {Name: "Work", Open: 2}, {Name: "בית", Open: 1}},
		1: {{Name: "Errands", Open: 2}},
	} {
		got := must(h, func() ([]model.TaskCategory, error) { return h.TaskCategories(h.ctx, h.user, limit) })
		h.same(fmt.Sprint("the first ", limit), got, want)
	}
	none := must(h, func() ([]model.TaskCategory, error) { return h.TaskCategories(h.ctx, h.as("nobody").user, 5) })
	h.same("of nobody", len(none), 0)
}

func taskByText(h *fixture) {
	h = h.as("by text")
	older, newer, done := h.task("Buy  Milk"), h.task("buy milk"), h.task("BUY MILK")
	done.CompletedAt = noon
	hebrew := h.task("שָׁלוֹם עולם")
	h.add(older, newer, done, hebrew)
	got := must(h, func() (model.Task, error) {
		return h.TaskByText(h.ctx, h.user, " buy MILK ", store.TaskRow)
	})
	h.same("the newest open one", got, newer)
	got = must(h, func() (model.Task, error) { return h.TaskByText(h.ctx, h.user, "שלום עולם", 0) })
	h.same("Hebrew, no columns", got, model.Task{ID: hebrew.ID})
	for _, text := range []string{"buy", "milk", "buy milk%", "", "שלום"} {
		_, err := h.TaskByText(h.ctx, h.user, text, store.TaskRow)
		h.fails("by text "+text, err, store.ErrNotFound)
	}
	newer.CompletedAt = noon
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.UpdateTasks(ctx, model.OperationCompleted, []model.Task{newer})
	})
	got = must(h, func() (model.Task, error) { return h.TaskByText(h.ctx, h.user, "buy milk", store.TaskText) })
	h.same("once the newest is done", got.ID, older.ID)
}

func taskNothing(h *fixture) {
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error {
		deleted, err := tx.DeleteTasks(ctx, nil)
		if len(deleted) != 0 {
			h.Errorf("deleted %v", deleted)
		}
		return errors.Join(err,
			tx.InsertTasks(ctx, nil), tx.UpdateTasks(ctx, model.OperationUpdated, nil),
			tx.AddCompletions(ctx, nil), tx.DeleteCompletions(ctx, nil), tx.SaveSubtasks(ctx, noon, nil, nil))
	})
	h.same("log", h.log(head), []string{})
	tasks := must(h, func() ([]model.Task, error) { return h.TasksByID(h.ctx, h.user, nil, store.TaskRow) })
	steps := must(h, func() ([]model.Subtask, error) { return h.SubtasksByID(h.ctx, h.user, nil) })
	byText := must(h, func() (map[string]model.Task, error) { return h.TasksByText(h.ctx, h.user, nil, store.TaskRow) })
	h.same("read", len(tasks)+len(steps)+len(byText), 0)
}

package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// byTexts reads tasks by folded texts.
func (h *fixture) byTexts(want store.TaskColumns, texts ...string) map[string]model.Task {
	h.Helper()
	return must(h, func() (map[string]model.Task, error) { return h.TasksByText(h.ctx, h.user, texts, want) })
}

// sameTasks compares what byTexts returns; nothing found may be nil.
func (h *fixture) sameTasks(what string, got, want map[string]model.Task) {
	h.Helper()
	if len(got)+len(want) > 0 {
		h.same(what, got, want)
	}
}

func tasksByText(h *fixture) {
	h = h.as("by several texts")
	older, newer, done := h.task("Buy  Milk"), h.task("buy milk"), h.task("BUY MILK")
	done.CompletedAt = noon
	hebrew, gone, onlyDone := h.task("שָׁלוֹם עולם"), h.task("gone"), h.task("only done")
	onlyDone.CompletedAt = noon
	escaped := h.task("\"quoted\" \\ <b>&amp;</b> {} [] '; -- \u2028 😀")
	steps := []model.Subtask{
		{ID: h.ids.next(), TaskID: newer.ID, Text: "go out", CreatedAt: noon},
		{ID: h.ids.next(), TaskID: newer.ID, Text: "come back", Completed: true, CreatedAt: noon},
	}
	// The newest was not written last.
	h.add(newer, older, done, hebrew, gone, onlyDone, escaped)
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.SaveSubtasks(ctx, noon, steps, nil) })
	h.delete(gone.ID)
	newer.UpdatedAt = noon

	key := fold.Text(escaped.Text)
	h.sameTasks("all that there are",
		h.byTexts(store.TaskRow, "buy milk", "שלומ עולמ", "gone", "only done", key, "never was"),
		map[string]model.Task{"buy milk": newer, "שלומ עולמ": hebrew, key: escaped})
	h.sameTasks("no columns", h.byTexts(0, "שלומ עולמ"), map[string]model.Task{"שלומ עולמ": {ID: hebrew.ID}})
	for _, text := range []string{"", "Buy  Milk", "BUY MILK", " buy milk ", "שָׁלוֹם עולם", "buy", "milk", "buy milk%",
		"buy milk\x1f", "only done"} {
		h.sameTasks("by text "+text, h.byTexts(store.TaskRow, text), nil)
	}
	h.sameTasks("among texts that no task has", h.byTexts(0, "", "buy milk", ""),
		map[string]model.Task{"buy milk": {ID: newer.ID}})
	withSteps := model.Task{ID: newer.ID, Subtasks: steps}
	h.sameTasks("asked for twice, with relations", h.byTexts(store.TaskSubtasks, "buy milk", "buy milk"),
		map[string]model.Task{"buy milk": withSteps})

	asked := []string{"only done", "buy milk", "", "buy milk"}
	before := slices.Clone(asked)
	h.byTexts(0, asked...)
	h.same("the caller's own", asked, before)

	newer.CompletedAt = noon
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.UpdateTasks(ctx, model.OperationCompleted, []model.Task{newer})
	})
	h.sameTasks("once the newest is done", h.byTexts(store.TaskText, "buy milk"),
		map[string]model.Task{"buy milk": {ID: older.ID, Text: older.Text}})
	older.Text = "buy bread"
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{older})
	})
	h.sameTasks("once the other has another text", h.byTexts(store.TaskText, "buy milk", "buy bread"),
		map[string]model.Task{"buy bread": {ID: older.ID, Text: older.Text}})
}

// tasksByLongText: texts are told apart by their ends, however long and alike their beginnings are.
func tasksByLongText(h *fixture) {
	h = h.as("by several long texts")
	for _, beginning := range []string{strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("ש", 64),
		strings.Repeat("long ", 1500)} {
		one, two, twin := h.task(beginning+"1"), h.task(beginning+"2"), h.task(beginning+"1")
		h.add(one, two, twin, h.task(beginning+"3"))
		h.sameTasks(fmt.Sprintf("after %d bytes alike", len(beginning)),
			h.byTexts(store.TaskText, beginning+"1", beginning+"2", beginning+"4", beginning+"12", beginning[:60]),
			map[string]model.Task{beginning + "1": {ID: twin.ID, Text: twin.Text},
				beginning + "2": {ID: two.ID, Text: two.Text}})
	}
}

func tasksByManyTexts(h *fixture) {
	h = h.as("by as many texts")
	texts := make([]string, model.MaxBulk)
	tasks := make([]model.Task, 0, len(texts))
	want := make(map[string]model.Task)
	for i := range texts {
		texts[i] = fmt.Sprintf("task %d of many", i)
		if i%3 == 0 {
			continue
		}
		task := h.task(texts[i])
		if i%3 == 1 {
			want[texts[i]] = task
		} else {
			task.CompletedAt = noon
		}
		tasks = append(tasks, task)
	}
	h.add(tasks...)
	batches := h.trace.during(func() { h.sameTasks("every third", h.byTexts(store.TaskRow, texts...), want) })
	h.same("batches", len(batches), 1)
}

package storetest

import (
	"context"
	"strings"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testTexts: what a database cannot hold is refused in front of it, and nothing is cut short. Everything else comes
// back byte for byte.
func testTexts(t *testing.T, open Open) {
	h := newFixture(t, open)
	head := h.head()
	for what, bad := range map[string]string{
		"NUL": "a\x00b", "only NUL": "\x00", "a stray byte": "a\xffb", "half a character": "שלו\xd7",
		"a surrogate": "\xed\xa0\x80", "overlong": "\xc0\xaf",
	} {
		t.Run(what, func(t *testing.T) { textRefused(h.in(t), bad) })
	}
	h.same("log", h.log(head), []string{})
	for _, good := range []string{
		" spaces kept ", "tab\tand\nline", "\u0001\u007f control", "\u200f\u202eright to left\u202c",
		"noncharacter \uffff \U0010ffff", "e\u0301 é", "שָׁלוֹם", "👩‍👩‍👧‍👦", "NULL", "'; DROP TABLE tasks; --",
		"{\"json\":true}", `\x00`, "%s%d", strings.Repeat("ארוך ", 400),
	} {
		task, list := h.task(good), h.list(good, good)
		task.Category = good
		h.add(task)
		h.addList(list)
		got, _ := h.byID(task.ID, store.TaskRow)
		h.same("task", got, task)
		gotList, _ := h.listByID(list.ID)
		h.same("list", gotList, list)
	}
}

func textRefused(h *fixture, bad string) {
	refused := func(what string, err error) {
		h.Helper()
		if model.CodeOf(err) != model.CodeBadUserInput {
			h.Errorf("%s of %q: got %v, want BAD_USER_INPUT", what, bad, err)
		}
	}
	write := func(what string, fn func(ctx context.Context, tx store.Tx) error) {
		h.Helper()
		refused(what, h.Write(h.ctx, h.user, fn))
	}
	inText, inCategory, list, item := h.task(bad), h.task("x"), h.list(bad),
		h.list("fine "+strings.ToValidUTF8(strings.ReplaceAll(bad, "\x00", "0"), "?"), bad)
	inCategory.Category = bad
	write("InsertTasks", func(ctx context.Context, tx store.Tx) error {
		return tx.InsertTasks(ctx, []model.Task{h.task("ok"), inText})
	})
	write("InsertTasks", func(ctx context.Context,
		tx store.Tx) error {
		return tx.InsertTasks(ctx, []model.Task{inCategory})
	})
	write("InsertList", func(ctx context.Context, tx store.Tx) error { return tx.InsertList(ctx, list) })
	write("InsertList", func(ctx context.Context, tx store.Tx) error { return tx.InsertList(ctx, item) })
	write("SaveSettings", func(ctx context.Context, tx store.Tx) error {
		return tx.SaveSettings(ctx, model.Settings{TimeZone: bad})
	})
	write("SaveSubtasks", func(ctx context.Context, tx store.Tx) error {
		task := h.task("with a subtask")
		if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
			return err
		}
		return tx.SaveSubtasks(ctx, noon, []model.Subtask{{ID: h.ids.next(), TaskID: task.ID, Text: bad, CreatedAt: noon}},
			nil)
	})
	write("UpdateTasks", func(ctx context.Context, tx store.Tx) error {
		task := h.task("to be spoilt")
		if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
			return err
		}
		task.Text = bad
		return tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{task})
	})
	write("UpdateList and SaveListItems", func(ctx context.Context, tx store.Tx) error {
		list := h.list("to be spoilt")
		if err := tx.InsertList(ctx, list); err != nil {
			return err
		}
		list.Name = bad
		refused("UpdateList", tx.UpdateList(ctx, list))
		return tx.SaveListItems(ctx, list.ID, noon,
			[]model.ListItem{{ID: h.ids.next(), ListID: list.ID, Text: bad, AddedAt: noon}}, nil)
	})
	_, err := h.Tasks(h.ctx, h.user,
		store.TaskQuery{Where: store.TaskWhere{Search: bad}, Order: taskOrders()[0], Total: true})
	refused("a search", err)
	_, err = h.Tasks(h.ctx, h.user,
		store.TaskQuery{Where: store.TaskWhere{Category: &bad}, Order: taskOrders()[0], Total: true})
	refused("a category", err)
	_, err = h.Lists(h.ctx, h.user, store.ListQuery{Search: bad,
		Order: model.ListOrder{Field: model.ListOrderName, Direction: model.Ascending}, Total: true})
	refused("a search in lists", err)
	_, err = h.TaskByText(h.ctx, h.user, bad, 0)
	refused("TaskByText", err)
	_, err = h.TasksByText(h.ctx, h.user, []string{"fine", bad}, 0)
	refused("TasksByText", err)
	_, err = h.ListByName(h.ctx, h.user, bad, 0)
	refused("ListByName", err)
	refused("InsertToken",
		h.InsertToken(h.ctx, model.APIToken{UserID: h.user, ID: h.ids.next(), Name: bad, CreatedAt: noon}))
	_, err = h.EnsureUser(h.ctx, model.User{ID: model.UserIDOf(bad), Subject: bad, CreatedAt: noon})
	refused("EnsureUser", err)
}

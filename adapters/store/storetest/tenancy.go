package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// testTenancy sends one user through every method of the contract with the other's ids, texts, names and keys. It must
// find nothing, be told the same as of what never was, and change nothing of the other's.
func testTenancy(t *testing.T, open Open) {
	h := newFixture(t, open)
	owner, thief := h.as("owner"), h.as("thief")

	task := randomTask(dice(80), owner.ids.next(), noon)
	task.Text, task.CompletedAt, task.NextReminderAt = "the owner's task", time.Time{}, noon.Add(-time.Hour)
	step := model.Subtask{ID: owner.ids.next(), TaskID: task.ID, Text: "step", CreatedAt: noon}
	line := model.TaskCompletion{TaskID: task.ID, CompletedAt: noon}
	list := owner.list("The owner's list", "item")
	token := model.APIToken{UserID: owner.user, ID: owner.ids.next(), Name: "phone",
		Scopes: []model.Scope{model.ScopeRead}, CreatedAt: noon}
	owner.write(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.InsertTasks(ctx, []model.Task{task}), tx.SaveSubtasks(ctx, noon, []model.Subtask{step}, nil),
			tx.AddCompletions(ctx, []model.TaskCompletion{line}), tx.InsertList(ctx, list))
	})
	if err := h.InsertToken(h.ctx, token); err != nil {
		t.Fatal(err)
	}
	owner.once(call("key", 1), func(context.Context) ([]byte, error) { return []byte("the owner's"), nil })
	far := ownsRemotely(owner)

	picture := func() []any {
		u := owner.in(t)
		everything, _ := u.byID(task.ID, store.TaskRow|store.TaskSubtasks|store.TaskCompletions)
		wholeList, _ := u.listByID(list.ID)
		user := must(u, func() (model.User, error) { return u.User(u.ctx, u.user) })
		tokens := must(u, func() ([]model.APIToken, error) { return u.Tokens(u.ctx, u.user) })
		return []any{everything, wholeList, user, tokens, u.log(0), u.head(), far.picture(u)}
	}
	before := picture()

	t.Run("reading", func(t *testing.T) { tenancyReads(thief.in(t), task, step, list, token) })
	t.Run("writing", func(t *testing.T) { tenancyWrites(thief.in(t), task, step, line, list) })
	t.Run("tokens, keys, confirmations", func(t *testing.T) { tenancyRest(thief.in(t), token) })
	t.Run("linked accounts", func(t *testing.T) { tenancyRemote(thief.in(t), far) })
	t.Run("the same ids for oneself", func(t *testing.T) { tenancyTwins(thief.in(t), task, list) })
	t.Run("the same accounts for oneself", func(t *testing.T) { tenancyRemoteTwins(thief.in(t), far) })
	h.same("what is the owner's", picture(), before)
	h.same("the owner's key", owner.once(call("key", 1), owner.mustNotRun), "the owner's replayed=true")
	owner.settle(far.claim, "the owner's")
}

func tenancyReads(h *fixture, task model.Task, step model.Subtask, list model.List, token model.APIToken) {
	everything := store.TaskRow | store.TaskSubtasks | store.TaskCompletions
	read := func(reader interface {
		store.TaskReader
		store.ListReader
	}, ctx context.Context) {
		page := must(h, func() (store.TaskPage, error) {
			return reader.Tasks(ctx, h.user, store.TaskQuery{
				Where: store.TaskWhere{}, Order: taskOrders()[0], Columns: everything,
				Page: &store.Window[store.TaskPlace]{Limit: 100}, Total: true,
				Board: &store.BoardQuery{Now: noon, Tomorrow: noon, Counts: true, First: map[model.TaskBucket]int{
					model.BucketRecurring: 9, model.BucketNoDueDate: 9, model.BucketOverdue: 9, model.BucketToday: 9,
					model.BucketUpcoming: 9,
				}},
			})
		})
		found := len(page.Tasks) + page.Total
		for _, bucket := range model.TaskBuckets() {
			found += page.Board.Counts[bucket] + len(page.Board.Rows[bucket])
		}
		// Another's row as a place is only a place.
		for _, order := range taskOrders() {
			beyond := must(h, func() (store.TaskPage, error) {
				return reader.Tasks(ctx, h.user, store.TaskQuery{
					Order: order, Columns: everything, Page: &store.Window[store.TaskPlace]{Limit: 100,
						After: &store.TaskPlace{ID: model.UUID{}}, Before: &store.TaskPlace{ID: task.ID, At: task.DueAt, Text: "zz"}},
				})
			})
			found += len(beyond.Tasks)
		}
		byID := must(h, func() ([]model.Task, error) {
			return reader.TasksByID(ctx, h.user, []model.UUID{task.ID}, everything)
		})
		texts := must(h, func() ([]model.Task, error) { return reader.TaskTexts(ctx, h.user) })
		steps := must(h, func() ([]model.Subtask, error) { return reader.SubtasksByID(ctx, h.user, []model.UUID{step.ID}) })
		categories := must(h, func() ([]model.TaskCategory, error) { return reader.TaskCategories(ctx, h.user, 9) })
		_, err := reader.TaskByText(ctx, h.user, task.Text, everything)
		h.fails("TaskByText", err, store.ErrNotFound)
		byText := must(h, func() (map[string]model.Task, error) {
			return reader.TasksByText(ctx, h.user, []string{fold.Text(task.Text)}, everything)
		})
		lists := must(h, func() (store.ListPage, error) {
			return reader.Lists(ctx, h.user, store.ListQuery{
				Order:   model.ListOrder{Field: model.ListOrderName, Direction: model.Ascending},
				Columns: store.ListRow | store.ListItems, Total: true, Page: &store.Window[store.ListPlace]{Limit: 9},
			})
		})
		listsByID := must(h, func() ([]model.List, error) {
			return reader.ListsByID(ctx, h.user, []model.UUID{list.ID}, store.ListItems)
		})
		names := must(h, func() ([]model.List, error) { return reader.ListNames(ctx, h.user) })
		items := must(h, func() ([]model.ListItem, error) {
			return reader.ListItemsByID(ctx, h.user, []model.UUID{list.Items[0].ID})
		})
		_, err = reader.ListByName(ctx, h.user, list.Name, store.ListItems)
		h.fails("ListByName", err, store.ErrNotFound)
		found += len(byID) + len(byText) + len(texts) + len(steps) + len(lists.Lists) + lists.Total + len(listsByID) +
			len(names) + len(items) + len(categories)
		h.same("found of the other's", found, 0)
	}
	read(h.Store, h.ctx)
	h.write(func(ctx context.Context, tx store.Tx) error { read(tx, ctx); return nil })
	_, err := h.Token(h.ctx, h.user, token.ID)
	h.fails("Token", err, store.ErrNotFound)
	tokens := must(h, func() ([]model.APIToken, error) { return h.Tokens(h.ctx, h.user) })
	h.same("found in all", []int{len(tokens), len(h.log(0)), int(h.head())}, []int{0, 0, 0})
}

// tenancyWrites names the other's rows in every write. Each must say what it says of ids that never were.
func tenancyWrites(h *fixture, task model.Task, step model.Subtask, line model.TaskCompletion, list model.List) {
	stranger := h.task("x") // an id of nobody
	for _, id := range []model.UUID{task.ID, stranger.ID} {
		refused := func(what string, fn func(ctx context.Context, tx store.Tx) error) {
			h.Helper()
			h.fails(what, h.Write(h.ctx, h.user, fn), store.ErrNotFound)
		}
		refused("UpdateTasks", func(ctx context.Context, tx store.Tx) error {
			stolen := task
			stolen.ID, stolen.Text = id, "stolen"
			return tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{stolen})
		})
		refused("AddCompletions", func(ctx context.Context, tx store.Tx) error {
			return tx.AddCompletions(ctx, []model.TaskCompletion{{TaskID: id, CompletedAt: noon}})
		})
		refused("SaveSubtasks", func(ctx context.Context, tx store.Tx) error {
			return tx.SaveSubtasks(ctx, noon, []model.Subtask{{ID: step.ID, TaskID: id, Text: "stolen", CreatedAt: noon}}, nil)
		})
		h.write(func(ctx context.Context, tx store.Tx) error {
			deleted, err := tx.DeleteTasks(ctx, []model.UUID{id})
			h.same("DeleteTasks", len(deleted), 0)
			return errors.Join(err, tx.SaveSubtasks(ctx, noon, nil, []model.Subtask{{ID: step.ID, TaskID: id}}),
				tx.DeleteCompletions(ctx, []model.TaskCompletion{{TaskID: id, CompletedAt: line.CompletedAt}}))
		})
	}
	for _, id := range []model.UUID{list.ID, stranger.ID} {
		stolen := list
		stolen.ID, stolen.Name = id, "stolen"
		h.fails("UpdateList", h.Write(h.ctx, h.user,
			func(ctx context.Context, tx store.Tx) error { return tx.UpdateList(ctx, stolen) }), store.ErrNotFound)
		h.fails("SaveListItems", h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.SaveListItems(ctx, id, noon, list.Items, []model.UUID{list.Items[0].ID})
		}), store.ErrNotFound)
		h.write(func(ctx context.Context, tx store.Tx) error {
			deleted, err := tx.DeleteLists(ctx, []model.UUID{id})
			h.same("DeleteLists", len(deleted), 0)
			return err
		})
	}
	_ = line
	h.same("the thief's log", h.log(0), []string{})
}

func tenancyRest(h *fixture, token model.APIToken) {
	h.fails("RevokeToken", h.RevokeToken(h.ctx, h.user, token.ID, noon), store.ErrNotFound)
	h.same("the other's key", h.once(call("key", 2), func(context.Context) ([]byte, error) { return []byte("mine"), nil }),
		"mine replayed=false")
	signals, stop := h.Watch(h.user)
	defer stop()
	// A signal without cause is harmless, one for each of another's writes is not.
	other, heard := h.as("busy neighbour"), 0
	for range 5 {
		other.add(other.task("x"))
		select {
		case <-signals:
			heard++
		default:
		}
	}
	if heard > 1 {
		h.Errorf("%d of another user's 5 writes were signalled", heard)
	}
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.SaveSettings(ctx, model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday})
	})
}

// tenancyTwins: rows of two users may have the same id; each has only its own.
func tenancyTwins(h *fixture, task model.Task, list model.List) {
	twin, twinList := h.task("twin"), h.list("Twin", "mine")
	twin.ID, twinList.ID = task.ID, list.ID
	twinList.Items[0].ID, twinList.Items[0].ListID = list.Items[0].ID, list.ID
	h.add(twin)
	h.addList(twinList)
	got, _ := h.byID(task.ID, store.TaskRow)
	h.same("task", got, twin)
	gotList, _ := h.listByID(list.ID)
	h.same("list", gotList, twinList)
	h.write(func(ctx context.Context, tx store.Tx) error {
		_, err := tx.DeleteTasks(ctx, []model.UUID{task.ID})
		_, listErr := tx.DeleteLists(ctx, []model.UUID{list.ID})
		return errors.Join(err, listErr)
	})
	due := must(h, func() ([]store.DueReminder, error) { return h.DueReminders(h.ctx, noon, 100) })
	h.same("the owner's reminder is still due", slices.ContainsFunc(due,
		func(d store.DueReminder) bool { return d.Task == task.ID && d.User != h.user }), true)
}

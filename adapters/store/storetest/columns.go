package storetest

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// Only what is asked for, or needed to answer, is read. The suite looks at the SQL for it.
var taskColumnNames = columnNames(&store.TaskTable)

// derivedNames are columns that no one asks for by name: they may be named only where a filter or an order needs them.
var derivedNames = slices.Concat(unaskedNames(&store.TaskTable), unaskedNames(&store.ListTable))

func testColumns(t *testing.T, open Open) {
	h := newFixture(t, open)
	tasks := manyTasks(h, dice(40), 60)
	tasks = withRelations(h, tasks)
	filled(t, &store.TaskTable, tasks)
	t.Run("fields not asked for are zero", func(t *testing.T) { columnsZero(h.in(t), tasks) })
	t.Run("and are not in the SQL", func(t *testing.T) { columnsSQL(h.in(t)) })
	t.Run("one batch", func(t *testing.T) { columnsBatches(h.in(t), tasks) })
	t.Run("secrets", func(t *testing.T) { columnsOfConnections(h.in(t)) })
	t.Run("lists", func(t *testing.T) { columnsLists(h.in(t)) })
}

// withRelations returns every third task subtasks and every fourth a history.
func withRelations(h *fixture, tasks []model.Task) []model.Task {
	tasks = slices.Clone(tasks)
	for i := range tasks {
		task := &tasks[i]
		for n := range (i % 3) * 2 {
			task.Subtasks = append(task.Subtasks, model.Subtask{ID: h.ids.next(), TaskID: task.ID, Text: "שלב",
				Completed: n%2 == 0, CreatedAt: noon})
		}
		for n := range i % 4 {
			task.Completions = append(task.Completions,
				model.TaskCompletion{TaskID: task.ID, CompletedAt: noon.Add(-time.Duration(n) * time.Hour), Occurrence: noon})
		}
		h.write(func(ctx context.Context, tx store.Tx) error {
			return errors.Join(tx.SaveSubtasks(ctx, task.UpdatedAt, task.Subtasks, nil),
				tx.AddCompletions(ctx, task.Completions))
		})
	}
	return tasks
}

// columnSets are every column alone, none, all, and random mixtures.
func columnSets(random *rand.Rand) []store.TaskColumns {
	sets := []store.TaskColumns{0, store.TaskRow, store.TaskRow | store.TaskSubtasks | store.TaskCompletions,
		store.TaskSubtasks, store.TaskCompletions}
	sets = append(sets, slices.Sorted(maps.Keys(taskColumnNames))...)
	for range 30 {
		sets = append(sets, store.TaskColumns(random.Uint32())&(store.TaskRow|store.TaskSubtasks|store.TaskCompletions))
	}
	return sets
}

// equalTasks compares rows; an empty relation may be nil.
func equalTasks(h *fixture, what string, got, want []model.Task) {
	h.Helper()
	tidy := func(tasks []model.Task) []model.Task {
		tasks = slices.Clone(tasks)
		for i := range tasks {
			if len(tasks[i].Subtasks) == 0 {
				tasks[i].Subtasks = nil
			}
			if len(tasks[i].Completions) == 0 {
				tasks[i].Completions = nil
			}
		}
		return tasks
	}
	h.same(what, tidy(got), tidy(want))
}

func columnsZero(h *fixture, tasks []model.Task) {
	random := dice(41)
	for _, columns := range columnSets(random) {
		order := pick(random, taskOrders()...)
		where := pick(random, store.TaskWhere{}, store.TaskWhere{Completed: new(false)}, store.TaskWhere{Search: "milk"})
		want := answer(tasks, where, order)
		for i := range want {
			want[i] = only(want[i], columns)
		}
		first := map[model.TaskBucket]int{}
		for _, bucket := range model.TaskBuckets() {
			first[bucket] = 100
		}
		page := must(h, func() (store.TaskPage, error) {
			return h.Tasks(h.ctx, h.user, store.TaskQuery{
				Where: where, Order: order, Columns: columns, Page: &store.Window[store.TaskPlace]{Limit: 1000},
				Board: &store.BoardQuery{Now: noon, Tomorrow: noon.Add(12 * time.Hour), Columns: columns, First: first},
			})
		})
		equalTasks(h, "Tasks", page.Tasks, want)
		buckets := map[model.TaskBucket][]model.Task{}
		for _, task := range answer(tasks, where, order) {
			bucket := bucketOf(&task, noon, noon.Add(12*time.Hour))
			buckets[bucket] = append(buckets[bucket], only(task, columns))
		}
		for bucket, want := range buckets {
			equalTasks(h, "bucket "+string(bucket), page.Board.Rows[bucket], want)
		}
		one := tasks[random.IntN(len(tasks))]
		got := must(h, func() ([]model.Task, error) { return h.TasksByID(h.ctx, h.user, []model.UUID{one.ID}, columns) })
		equalTasks(h, "TasksByID", got, []model.Task{only(one, columns)})
		if one.CompletedAt.IsZero() {
			got := must(h, func() (model.Task, error) { return h.TaskByText(h.ctx, h.user, one.Text, columns) })
			whole := byTaskID(tasks)[got.ID]
			equalTasks(h, "TaskByText", []model.Task{got}, []model.Task{only(whole, columns)})
			key := fold.Text(one.Text)
			several := must(h, func() (map[string]model.Task, error) {
				return h.TasksByText(h.ctx, h.user, []string{key, "nothing like it"}, columns)
			})
			equalTasks(h, "TasksByText", []model.Task{several[key]}, []model.Task{only(whole, columns)})
		}
	}
}

// identifier finds the names in SQL; a name after a colon is a type or a parameter.
var identifier = regexp.MustCompile(`:{0,2}[a-z_][a-z_0-9]*`)

// names returns the names that stand in SQL.
func names(sql string) map[string]bool {
	out := map[string]bool{}
	for _, name := range identifier.FindAllString(strings.ToLower(sql), -1) {
		out[name] = true
	}
	return out
}

// forbid reports the names in batches that are not among those allowed.
func forbid(h *fixture, what string, batches []string, all []string, allowed ...string) {
	h.Helper()
	if len(batches) != 1 {
		h.Errorf("%s: %d batches, want 1: %s", what, len(batches), strings.Join(batches, "\n---\n"))
	}
	found := names(strings.Join(batches, "\n"))
	for _, name := range all {
		if found[name] && !slices.Contains(allowed, name) {
			h.Errorf("%s: reads %s without need: %s", what, name, strings.Join(batches, "\n"))
		}
	}
}

func columnsSQL(h *fixture) {
	var all []string
	for _, column := range slices.Sorted(maps.Keys(taskColumnNames)) {
		all = append(all, taskColumnNames[column]...)
	}
	all = append(all, derivedNames...)
	needs := func(columns store.TaskColumns) []string {
		out := []string{}
		for column, names := range taskColumnNames {
			if columns.Has(column) {
				out = append(out, names...)
			}
		}
		return out
	}
	orderNeeds := map[model.TaskOrderField][]string{
		model.TaskOrderDueDate: {"due_at"}, model.TaskOrderUpdatedAt: {"updated_at"}, model.TaskOrderText: {"text_key"},
		model.TaskOrderCreatedAt: {}, model.TaskOrderPosition: {"position"},
	}
	filters := []struct {
		where store.TaskWhere
		needs []string
	}{
		{store.TaskWhere{}, nil},
		{store.TaskWhere{Completed: new(false)}, []string{"completed_at"}},
		{store.TaskWhere{DueFrom: noon, DueTo: noon.Add(time.Hour)}, []string{"due_at"}},
		{store.TaskWhere{NoDueDate: true}, []string{"due_at"}},
		{store.TaskWhere{Type: model.TaskTypeRecurring}, []string{"recurrence_type"}},
		{store.TaskWhere{Type: model.TaskTypeUnplanned}, []string{"recurrence_type", "due_at"}},
		{store.TaskWhere{Category: new("home")}, []string{"category_key"}},
		{store.TaskWhere{Search: "milk"}, []string{"text_key", "category_key"}},
	}
	random := dice(42)
	for _, columns := range columnSets(random) {
		columns &^= store.TaskSubtasks | store.TaskCompletions
		filter := filters[random.IntN(len(filters))]
		order := pick(random, taskOrders()...)
		batches := h.trace.during(func() {
			must(h, func() (store.TaskPage, error) {
				return h.Tasks(h.ctx, h.user, store.TaskQuery{Where: filter.where, Order: order, Columns: columns, Total: true,
					Page: &store.Window[store.TaskPlace]{Limit: 5}})
			})
		})
		forbid(h, "Tasks", batches, all, slices.Concat(needs(columns), orderNeeds[order.Field], filter.needs)...)

		batches = h.trace.during(func() {
			must(h, func() (store.TaskPage, error) {
				return h.Tasks(h.ctx, h.user, store.TaskQuery{
					Where: filter.where, Order: order, Columns: store.TaskRow,
					Board: &store.BoardQuery{Now: noon, Tomorrow: noon.Add(time.Hour), Counts: true, Columns: columns,
						First: map[model.TaskBucket]int{model.BucketToday: 3}},
				})
			})
		})
		forbid(h, "board", batches, all, slices.Concat(needs(columns), orderNeeds[order.Field], filter.needs,
			[]string{"due_at", "recurrence_type"})...)

		batches = h.trace.during(func() {
			must(h, func() ([]model.Task, error) {
				return h.TasksByID(h.ctx, h.user, h.ids.several(3), columns)
			})
		})
		forbid(h, "TasksByID", batches, all, needs(columns)...)
	}
	batches := h.trace.during(func() {
		must(h, func() ([]model.Task, error) { return h.TaskTexts(h.ctx, h.user) })
	})
	forbid(h, "TaskTexts", batches, all, "text", "category", "due_at", "recurrence_type", "completed_at")
	batches = h.trace.during(func() {
		_, err := h.TaskByText(h.ctx, h.user, "nothing like it", 0)
		h.fails("TaskByText", err, store.ErrNotFound)
	})
	forbid(h, "TaskByText", batches, all, "text_key", "completed_at")
	batches = h.trace.during(func() {
		found := must(h, func() (map[string]model.Task, error) {
			return h.TasksByText(h.ctx, h.user, []string{"nothing like it", "nor this"}, 0)
		})
		h.same("TasksByText", len(found), 0)
	})
	forbid(h, "TasksByText", batches, all, "text_key", "completed_at")
}

func columnsBatches(h *fixture, tasks []model.Task) {
	ids := taskIDs(tasks)
	everything := store.TaskRow | store.TaskSubtasks | store.TaskCompletions
	for what, call := range map[string]func() error{
		"Tasks with everything": func() error {
			_, err := h.Tasks(h.ctx, h.user, store.TaskQuery{
				Order: taskOrders()[0], Columns: everything, Total: true, Page: &store.Window[store.TaskPlace]{Limit: 20},
				Board: &store.BoardQuery{Now: noon, Tomorrow: noon.Add(time.Hour), Counts: true, Columns: everything,
					First: map[model.TaskBucket]int{model.BucketUpcoming: 9, model.BucketOverdue: 9}},
			})
			return err
		},
		"TasksByID":  func() error { _, err := h.TasksByID(h.ctx, h.user, ids, everything); return err },
		"TaskByText": func() error { _, err := h.TaskByText(h.ctx, h.user, openText(tasks), everything); return err },
		"TasksByText": func() error {
			_, err := h.TasksByText(h.ctx, h.user, []string{fold.Text(openText(tasks)), "nothing like it"}, everything)
			return err
		},
		"TaskTexts":      func() error { _, err := h.TaskTexts(h.ctx, h.user); return err },
		"TaskCategories": func() error { _, err := h.TaskCategories(h.ctx, h.user, 9); return err },
		"SubtasksByID":   func() error { _, err := h.SubtasksByID(h.ctx, h.user, ids); return err },
		"Lists": func() error {
			_, err := h.Lists(h.ctx, h.user, store.ListQuery{
				Order:   model.ListOrder{Field: model.ListOrderName, Direction: model.Ascending},
				Columns: store.ListRow | store.ListItems, Total: true,
				Page: &store.Window[store.ListPlace]{Limit: 20},
			})
			return err
		},
		"ListsByID": func() error {
			_,
				err := h.ListsByID(h.ctx, h.user, ids, store.ListRow|store.ListItems)
			return err
		},
		"ListNames":     func() error { _, err := h.ListNames(h.ctx, h.user); return err },
		"ListItemsByID": func() error { _, err := h.ListItemsByID(h.ctx, h.user, ids); return err },
		"User":          func() error { _, err := h.User(h.ctx, h.user); return err },
		"EnsureUser":    func() error { _, err := h.EnsureUser(h.ctx, person("dana")); return err },
		"Changes":       func() error { _, err := h.Changes(h.ctx, h.user, 0, nil, 10); return err },
		"ChangeHead":    func() error { _, err := h.ChangeHead(h.ctx, h.user); return err },
		"Tokens":        func() error { _, err := h.Tokens(h.ctx, h.user); return err },
		"DueReminders":  func() error { _, err := h.DueReminders(h.ctx, noon, 10); return err },
		"Connections":   func() error { _, err := h.Connections(h.ctx, h.user); return err },
		"SyncStates":    func() error { _, err := h.SyncStates(h.ctx, h.user, ids[0]); return err },
		"ClaimSyncs":    func() error { _, err := h.ClaimSyncs(h.ctx, noon, noon, 10); return err },
	} {
		batches := h.trace.during(func() {
			if err := call(); err != nil {
				h.Errorf("%s: %v", what, err)
			}
		})
		if len(batches) != 1 {
			h.Errorf("%s: %d batches, want 1:\n%s", what, len(batches), strings.Join(batches, "\n---\n"))
		}
	}
}

// openText returns the text of some open task.
func openText(tasks []model.Task) string {
	for _, task := range tasks {
		if task.CompletedAt.IsZero() {
			return task.Text
		}
	}
	return ""
}

func columnsLists(h *fixture) {
	groceries, empty := h.list("Groceries", "milk", "לחם"), h.list("Empty")
	empty.IsChecklist = !groceries.IsChecklist
	h.addList(groceries)
	h.addList(empty)
	filled(h.T, &store.ListTable, []model.List{groceries, empty})
	all := append(store.Names(store.ListTable.All())[1:], "list_items")
	byColumn := columnNames(&store.ListTable)
	orderNeeds := map[model.ListOrderField][]string{model.ListOrderName: {"name_key"},
		model.ListOrderUpdatedAt: {"updated_at"}}
	for columns := range store.ListRow | store.ListItems + 1 {
		want := []model.List{onlyList(groceries, columns), onlyList(empty, columns)}
		var needs []string
		for column, names := range byColumn {
			if columns.Has(column) {
				needs = append(needs, names...)
			}
		}
		for _, field := range []model.ListOrderField{model.ListOrderCreatedAt, model.ListOrderName,
			model.ListOrderUpdatedAt} {
			var page store.ListPage
			batches := h.trace.during(func() {
				page = must(h, func() (store.ListPage, error) {
					return h.Lists(h.ctx, h.user, store.ListQuery{Order: model.ListOrder{Field: field, Direction: model.Ascending},
						Columns: columns, Page: &store.Window[store.ListPlace]{Limit: 10}})
				})
			})
			if !columns.Has(store.ListItems) {
				forbid(h, "Lists", batches, all, slices.Concat(needs, orderNeeds[field])...)
			}
			slices.SortFunc(page.Lists, func(a, b model.List) int { return compareIDs(a.ID, b.ID) })
			equalLists(h, "Lists", page.Lists, want)
		}
		var lists []model.List
		batches := h.trace.during(func() {
			lists = must(h, func() ([]model.List, error) {
				return h.ListsByID(h.ctx, h.user, []model.UUID{groceries.ID, empty.ID}, columns)
			})
		})
		if !columns.Has(store.ListItems) {
			forbid(h, "ListsByID", batches, all, needs...)
		}
		slices.SortFunc(lists, func(a, b model.List) int { return compareIDs(a.ID, b.ID) })
		equalLists(h, "ListsByID", lists, want)
		one := must(h, func() (model.List, error) { return h.ListByName(h.ctx, h.user, "groceries", columns) })
		equalLists(h, "ListByName", []model.List{one}, want[:1])
	}
}

// onlyList returns the list with the columns not asked for zeroed.
func onlyList(list model.List, want store.ListColumns) model.List {
	return trimmed(&store.ListTable, list, want)
}

// equalLists compares rows; no items may be nil.
func equalLists(h *fixture, what string, got, want []model.List) {
	h.Helper()
	tidy := func(lists []model.List) []model.List {
		lists = slices.Clone(lists)
		for i := range lists {
			if len(lists[i].Items) == 0 {
				lists[i].Items = nil
			}
		}
		return lists
	}
	h.same(what, tidy(got), tidy(want))
}

// columnsOfConnections: whoever lists accounts does not read their secrets, and no secret stands in SQL, which is
// traced.
func columnsOfConnections(h *fixture) {
	h = h.as("keeps secrets")
	const secret = "sealed-and-still-secret"
	var connection model.Connection
	batches := h.trace.during(func() {
		connection = must(h, func() (model.Connection, error) {
			return h.save(h.account("a"), model.Credentials{Refresh: []byte(secret), Access: []byte(secret)})
		})
		h.write(func(ctx context.Context, tx store.Tx) error {
			return tx.SaveCredentials(ctx, model.Credentials{Connection: connection.ID, Refresh: []byte(secret)})
		})
		h.credentials(connection.ID)
		h.takes(call(secret, 1))
	})
	if strings.Contains(strings.Join(batches, "\n"), secret) {
		h.Error("a secret stands in the SQL")
	}
	all := []string{"refresh_token", "access_token", "access_expires_at", "number", "account", "status", "scopes"}
	forbid(h, "Connections", h.trace.during(func() { h.connections() }), all, "number", "account", "status", "scopes")
	forbid(h, "Credentials", h.trace.during(func() { h.credentials(connection.ID) }), all, "refresh_token", "access_token",
		"access_expires_at")
}

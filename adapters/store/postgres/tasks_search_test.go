package postgres

import (
	"context"
	"fmt"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// searchers opens a store in which one user has many tasks, and others some.
func searchers(t *testing.T, many int) (*Store, model.UserID) {
	t.Helper()
	s := migratedStore(t)
	user, at := model.UserIDOf("many"), time.Unix(1e9, 0)
	for owner, count := range owners(user, many) {
		tasks := make([]model.Task, count)
		for i := range tasks {
			tasks[i] = model.Task{ID: model.UUID{1, byte(i >> 16), byte(i >> 8), byte(i)}, CreatedAt: at, UpdatedAt: at,
				Text: fmt.Sprintf("call number %d about the bread, לקנות לחם", i), Category: "home"}
		}
		if count == many {
			tasks[100].Text, tasks[200].Text, tasks[300].Category = "a zebra crossing", "לצייר זברה", "zebras"
		}
		if err := s.Write(t.Context(), owner,
			func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, tasks) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Sweep(t.Context(), at, time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := s.Execute(t.Context(), "VACUUM ANALYZE tasks"); err != nil {
		t.Fatal(err)
	}
	return s, user
}

// TestSearchesReadFewPages: what is found of many tasks is found by the index, in both languages and in every order,
// and so is that nothing is.
func TestSearchesReadFewPages(t *testing.T) {
	const many, most = 30_000, 160 // of 1,140; a total looks at the 2,000 newest tasks first
	s, user := searchers(t, many)
	for search, want := range map[string]int{"zebra": 2, "זברה": 1, "xylophone": 0, "zebra bread": 0, "צפרדע": 0,
		"z": 2, "ze": 2, "ss": 1, "צ": 1, "זב": 1, "x": 0, "zq": 0, "ץ": 1, "%": 0, "_": 0, "'": 0, `\`: 0, ":*": 0} {
		where := store.TaskWhere{Search: search}
		for _, field := range []model.TaskOrderField{model.TaskOrderCreatedAt, model.TaskOrderDueDate,
			model.TaskOrderUpdatedAt, model.TaskOrderText, model.TaskOrderPosition} {
			order := model.TaskOrder{Field: field, Direction: model.Descending}
			query := store.TaskQuery{Where: where, Order: order, Columns: store.TaskRow, Total: true,
				Page: &store.Window[store.TaskPlace]{Limit: 50}}
			page, err := s.Tasks(t.Context(), user, query)
			if err != nil || len(page.Tasks) != want || page.Total != want {
				t.Errorf("%s: %d tasks of %d, want %d: %v", search, len(page.Tasks), page.Total, want, err)
			}
			paged, total := newBatch(), newQuery(userArg(user))
			s.queuePage(paged, user, where, taskOrder(order), query, false)
			total.add("SELECT ")
			writeCount(total, where, rows.Either)
			counted := newBatch()
			total.into(counted, nil)
			for what, b := range map[string]*batch{"page": paged, "total": counted} {
				plan, index := explainGeneric(t, s, b), false
				plan.walk(func(n node) { index = index || n.Index == "tasks_grams" })
				if pages := plan.Hit + plan.Read; !index || pages > most {
					t.Errorf("%s of %q by %s: %d pages, at most %d are expected, by the index: %v", what, search, field, pages, most,
						index)
					plan.walk(func(n node) { t.Logf("%s of %s by %s: %d pages", n.Type, n.Relation, n.Index, n.Hit+n.Read) })
				}
			}
		}
	}
}

// TestTheSearchIndexIsMadeBySweeps: once a user has many tasks. Where it is missing, is not sound, or could not be made
// since extensions were missing, searches find the same.
func TestTheSearchIndexIsMadeBySweeps(t *testing.T) {
	s, user := searchers(t, searchedFrom+1)
	check := func(want bool) {
		t.Helper()
		for search, count := range map[string]int{"zebra": 2, "זברה": 1, "xylophone": 0, "call": searchedFrom - 1, "a z": 1,
			"%": 0, "z": 2, "זב": 1, "xq": 0, "e": searchedFrom + 1} {
			page, err := s.Tasks(t.Context(), user, store.TaskQuery{Where: store.TaskWhere{Search: search}, Total: true,
				Order: model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Ascending},
				Page:  &store.Window[store.TaskPlace]{Limit: 10}})
			if err != nil || page.Total != count || len(page.Tasks) != min(count, 10) {
				t.Errorf("%s: %d tasks of %d, want %d: %v", search, len(page.Tasks), page.Total, count, err)
			}
		}
		there := false
		b := newBatch()
		b.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('tasks_grams')`,
			func(r *row) { there = r.bool() })
		if err := s.run(t.Context(), b); err != nil || there != want {
			t.Errorf("the index is there: %v, want %v: %v", there, want, err)
		}
	}
	sweep := func() {
		t.Helper()
		if err := s.Sweep(t.Context(), time.Unix(1e9, 0), time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	execute := func(sql string) {
		t.Helper()
		if err := s.Execute(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	check(true)
	execute(`DROP INDEX tasks_grams`)
	check(false)
	sweep()
	check(true)
	execute(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass('tasks_grams')`)
	check(false)
	sweep()
	// The one that a former version made has no pieces of one and two characters.
	execute(`DROP INDEX tasks_grams`)
	execute(`CREATE INDEX tasks_search ON tasks (user_id)`)
	check(false)
	sweep()
	check(true)
	former := true
	b := newBatch()
	b.query(`SELECT to_regclass('tasks_search') IS NOT NULL`, func(r *row) { former = r.bool() })
	if err := s.run(t.Context(), b); err != nil || former {
		t.Errorf("the former index is there: %v: %v", former, err)
	}
	execute(`DROP EXTENSION btree_gin CASCADE`)
	sweep()
	check(false)
	execute(`CREATE EXTENSION btree_gin`)
	sweep()
	check(true)
}

// TestGramsAreEscaped: no character of a search has a meaning of its own.
func TestGramsAreEscaped(t *testing.T) {
	user := userArg(model.UserID{0x0a, 0xbc})
	for search, want := range map[string]string{`'`: `'0a''':*`, `\א`: `'0a\\א':*`, `a'\`: `'0aa''\\'`,
		"ab:*": `'0aab:' & '0ab:*'`} {
		if got := gramsFor(user, search); got != want {
			t.Errorf("%s: got %s, want %s", search, got, want)
		}
	}
}

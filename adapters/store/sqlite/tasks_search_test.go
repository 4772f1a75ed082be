package sqlite

import (
	"context"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// TestSearchesLookAtFewTasks: of a user with many tasks a search looks at those that the index names, in both
// languages, for one letter as for many, in every order; what many have is looked for along the list, and the index is
// not asked for a letter that it would have to gather.
func TestSearchesLookAtFewTasks(t *testing.T) {
	p := newPlanner(t)
	tasks := make([]model.Task, 6*mostFound)
	for i := range tasks {
		tasks[i] = model.Task{ID: model.UUID{1, byte(i >> 8), byte(i)}, Text: "call about the bread, לקנות לחם",
			CreatedAt: planNow, UpdatedAt: planNow}
	}
	tasks[7000].Text, tasks[7001].Text = "a zebra crossing", "לצייר זברה"
	// One in eight has it, and all of them lie at one end.
	for i := range len(tasks) / 8 {
		tasks[i].Text += " qx"
	}
	if err := p.s.Write(p.Context(), p.user, func(ctx context.Context, tx store.Tx) error {
		return tx.InsertTasks(ctx, tasks)
	}); err != nil {
		t.Fatal(err)
	}
	if err := p.s.Sweep(p.Context(), planNow, time.Hour); err != nil {
		t.Fatal(err)
	}
	for search, want := range map[string]int{"z": 1, "zebra": 1, "זב": 1, "ж": 0, "%": 0, "qx": 51,
		"e": 51, "ל": 51} {
		for _, field := range []model.TaskOrderField{model.TaskOrderCreatedAt, model.TaskOrderDueDate,
			model.TaskOrderUpdatedAt, model.TaskOrderText, model.TaskOrderPosition} {
			for _, completed := range []*bool{nil, new(false)} {
				query := store.TaskQuery{Where: store.TaskWhere{Search: search, Completed: completed}, Columns: store.TaskRow,
					Order: model.TaskOrder{Field: field, Direction: model.Descending}, Page: &store.Window[store.TaskPlace]{Limit: 50}}
				plans := p.plans(query)
				page, err := p.s.Tasks(p.Context(), p.user, query)
				if err != nil || len(page.Tasks) != min(want, 50) || page.HasNext != (want > 50) {
					t.Errorf("%s by %s: %d tasks, %v: %v", search, field, len(page.Tasks), page.HasNext, err)
				}
				common, asked := search == "e" || search == "ל", false
				for i, plan := range plans {
					named := strings.Contains(plan, "task_grams")
					asked = asked || named
					newest := strings.Contains(p.sql[i], "ORDER BY id DESC LIMIT ?) WHERE 1")
					inOrder := common && !strings.Contains(plan, "TEMP B-TREE")
					if strings.Contains(plan, "SEARCH tasks") && !named && !newest && !inOrder {
						t.Errorf("%s by %s looks at all tasks:\n%s\n%s", search, field, plan, p.sql[i])
					}
				}
				if asked == common {
					t.Errorf("%s by %s: the index was asked: %v", search, field, asked)
				}
			}
		}
	}
}

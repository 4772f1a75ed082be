package postgres

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// A statement whose text is known is the statement that is put together anew.
func TestKnownTextsAreThoseOfTheStatement(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	yes := func() bool { return random.IntN(2) == 0 }
	at := time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC)
	fields := []model.TaskOrderField{model.TaskOrderCreatedAt, model.TaskOrderDueDate, model.TaskOrderUpdatedAt,
		model.TaskOrderText, model.TaskOrderPosition}
	directions := []model.Direction{model.Ascending, model.Descending}
	types := []model.TaskType{"", model.TaskTypeRecurring, model.TaskTypeNudge, model.TaskTypeUnplanned,
		model.TaskTypeReminder}
	ask := func() (store.TaskWhere, ordering, store.TaskQuery) {
		where := store.TaskWhere{NoDueDate: yes(), Type: types[random.IntN(len(types))]}
		if yes() {
			where.Completed = new(yes())
		}
		if yes() {
			where.DueFrom = at.Add(time.Duration(random.Int64()))
		}
		if yes() {
			where.DueTo = at.Add(time.Duration(random.Int64()))
		}
		if yes() {
			where.Category = new("home")
		}
		if random.IntN(5) == 0 {
			where.Search = "plants"
		}
		window := &store.Window[store.TaskPlace]{Limit: random.IntN(100), Backward: yes()}
		for _, place := range []**store.TaskPlace{&window.After, &window.Before} {
			if yes() {
				*place = &store.TaskPlace{ID: model.UUID{byte(random.IntN(256))}, At: at, Text: "text"}
			}
		}
		order := model.TaskOrder{Field: fields[random.IntN(len(fields))], Direction: directions[random.IntN(2)]}
		columns := store.TaskColumns(0)
		if yes() {
			columns = store.TaskColumns(1 << random.IntN(13))
		}
		return where, taskOrder(order), store.TaskQuery{Columns: columns, Page: window}
	}
	kept := reader{store: &Store{}}
	user := model.UserID{1}
	for range 20_000 {
		where, order, query := ask()
		got, want := newBatch(), newBatch()
		kept.queuePage(got, user, where, order, query, false)
		reader{store: &Store{}}.queuePage(want, user, where, order, query, false)
		if got.statements[0].sql != want.statements[0].sql ||
			!reflect.DeepEqual(got.statements[0].args, want.statements[0].args) {
			t.Fatalf("%+v %+v %+v:\n%s %v\nwant\n%s %v", where, order, query, got.statements[0].sql, got.statements[0].args,
				want.statements[0].sql, want.statements[0].args)
		}
	}
	if n := len(kept.store.texts.byShape); n == 0 || n > maxTexts {
		t.Errorf("%d texts are kept", n)
	}
}

func TestTextsAreBounded(t *testing.T) {
	var texts sqlTexts
	for i := range 3 * maxTexts {
		texts.keep(i, "SELECT")
		if _, found := texts.find(i); !found || len(texts.byShape) > maxTexts {
			t.Fatalf("%d: found %t, %d are kept", i, found, len(texts.byShape))
		}
	}
}

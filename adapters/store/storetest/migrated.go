package storetest

import (
	"context"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Content is what a database of the first schema holds.
type Content struct {
	// User has the subject "old", three changes, the first of which is pruned, and the settings of someone in Jerusalem.
	User model.UserID
	// Task was created and updated by the two other changes.
	Task model.UUID
	Text string
	// Due are tasks of one more user, OtherUser, with these due dates, the category "x" and
	// ids by DueID; those at odd places are done, and repeat daily.
	OtherUser model.UserID
	Due       []time.Time
	// Call is recorded with Answer, and the key "empty" with the same fingerprint and an empty answer, both for a day.
	Call   model.IdempotentCall
	Answer string
	// Confirmation is used, and kept for a day.
	Confirmation model.UUID
	// At is the time of everything.
	At time.Time
}

// Old returns what a driver lays into a database of the first schema, by its own SQL, to find it after the later steps.
func Old() Content {
	return Content{
		User: model.UserIDOf("old"), Task: model.UUID{1, 2, 15: 3}, Text: "משימה ישנה", Call: call("old key", 7),
		Answer:       "old answer",
		Confirmation: model.UUID{4, 5, 15: 6}, At: noon, OtherUser: model.UserIDOf("dues"), Due: dues(),
	}
}

// dues are due dates around the bounds of weeks, on both sides of 1970.
func dues() (dues []time.Time) {
	week := 7 * 24 * time.Hour
	for _, begin := range []time.Time{time.Unix(0, 0).Add(-530 * week), time.Unix(0, 0).Add(-week), time.Unix(0, 0),
		time.Unix(0, 0).Add(week), time.Unix(0, 0).Add(2968 * week)} {
		for _, off := range []time.Duration{-time.Microsecond, 0, time.Microsecond, 3 * 24 * time.Hour} {
			dues = append(dues, begin.Add(off).UTC())
		}
	}
	return dues
}

// DueID is the id of a task of Due.
func DueID(place int) model.UUID { return model.UUID{9, 15: byte(place)} }

// Kept proves that a migrated database, whose clock stands at the content's time, holds the content still, and that
// what later schemas brought works with it.
func Kept(t *testing.T, s store.Store, of Content) {
	t.Helper()
	h := &fixture{T: t, Store: s, ctx: t.Context(), clock: &clock{at: of.At}, ids: &ids{}, trace: &trace{}, user: of.User}
	want := person("old")
	h.same("user", must(h, func() (model.User, error) { return s.User(h.ctx, of.User) }), want)
	task, _ := h.byID(of.Task, store.TaskText|store.TaskCreatedAt)
	h.same("task", task, model.Task{ID: of.Task, Text: of.Text, CreatedAt: of.At})
	change := model.Change{Seq: 2, Type: model.ChangeTask, ID: of.Task, Operation: model.OperationCreated, At: of.At}
	updated := change
	updated.Seq, updated.Operation = 3, model.OperationUpdated
	log := must(h, func() ([]model.Change, error) { return s.Changes(h.ctx, of.User, 1, nil, 10) })
	checkTotal(h, []model.Task{{ID: of.Task, Text: of.Text}}, store.TaskWhere{})
	keptCounts(h, of)
	h.same("log", log, []model.Change{change, updated})
	_, err := s.Changes(h.ctx, of.User, 0, nil, 10)
	h.fails("what was pruned", err, store.ErrCursorExpired)
	h.fails("the used confirmation", s.Write(h.ctx, of.User, func(ctx context.Context, tx store.Tx) error {
		return tx.UseConfirmation(ctx, of.Confirmation, of.At)
	}), store.ErrConflict)

	h.same("the key, for Once", h.once(of.Call, h.mustNotRun), of.Answer+" replayed=true")
	h.same("the key, for claims", h.settled(of.Call), of.Answer)
	empty := of.Call
	empty.Key = "empty"
	h.same("an empty answer, for Once", h.once(empty, h.mustNotRun), " replayed=true")
	h.same("an empty answer, for claims", h.settled(empty), "")
	h.same("no connection", len(h.connections()), 0)
	h.same("the first connection's number", h.link(h.account("new@example.com")).Number, 1)
	event := remote("new", model.OperationCreated, "1")
	h.report(event)
	h.same("the log goes on", h.last("new"), map[string]int64{"new": 5})
	h.settle(h.takes(call("new", 1)), "new answer")
	h.same("a new key", h.settled(call("new", 1)), "new answer")
}

// keptCounts proves that what was there before it was counted is counted since.
func keptCounts(h *fixture, of Content) {
	h.Helper()
	other := *h
	other.user = of.OtherUser
	tasks := make([]model.Task, len(of.Due))
	for i, due := range of.Due {
		tasks[i] = model.Task{ID: DueID(i), Category: "x", DueAt: due}
		if i%2 == 1 {
			tasks[i].CompletedAt, tasks[i].Recurrence = of.At, &model.Recurrence{Type: model.Daily}
		}
	}
	check := func() {
		h.Helper()
		for _, completed := range []*bool{nil, new(false), new(true)} {
			for _, from := range append(of.Due, time.Time{}) {
				for _, to := range append(of.Due, time.Time{}) {
					checkTotal(&other, tasks, store.TaskWhere{DueFrom: from, DueTo: to, Completed: completed})
				}
			}
			checkTotal(&other, tasks, store.TaskWhere{Category: new("X"), Completed: completed, Type: model.TaskTypeRecurring})
		}
	}
	check()
	// What is written now is counted as it was by the migration.
	for i := range tasks {
		tasks[i].CompletedAt = of.At
	}
	other.write(func(ctx context.Context, tx store.Tx) error {
		return tx.UpdateTasks(ctx, model.OperationCompleted, tasks)
	})
	check()
}

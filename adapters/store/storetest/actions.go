package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testActions(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("kept and read", func(t *testing.T) { actionsKept(h.in(t).as("acts")) })
	t.Run("added", func(t *testing.T) { actionsAdded(h.in(t).as("adds")) })
	t.Run("filters and pages", func(t *testing.T) { actionsFiltered(h.in(t).as("filters")) })
	t.Run("undone", func(t *testing.T) { actionsUndone(h.in(t).as("undoes")) })
	t.Run("forgotten", func(t *testing.T) { actionsForgotten(h.in(t).as("forgets")) })
	t.Run("erasure wins", func(t *testing.T) { actionsErased(h.in(t).as("erases")) })
	t.Run("histories", func(t *testing.T) { taskHistories(h.in(t).as("histories")) })
	t.Run("links of entities", func(t *testing.T) { entityLinks(h.in(t).as("links")) })
	t.Run("episodes of facts", func(t *testing.T) { factEpisodes(h.in(t).as("support")) })
	t.Run("withdrawing", func(t *testing.T) { withdrawing(h.in(t).as("withdraws")) })
	t.Run("recorder", func(t *testing.T) { recorderIsTold(h.in(t).as("recorded")) })
}

// action makes an action with everything that an action can have.
func (h *fixture) action(kind string) model.Action {
	now := h.clock.Now()
	return model.Action{
		ID: h.ids.next(), At: now, Kind: kind, Source: model.SourceMCP, Token: "טלפון", Client: "inspector",
		Summary: "Deleted \"milk\"", Touched: []string{"task_1", "task_2"}, UndoUntil: now.Add(model.UndoFor),
		UndoneBy: h.ids.next(), Undoes: h.ids.next(), ForgetAt: now.Add(model.ActionsKept), Inverse: []byte("before\x00\xff"),
	}
}

func (h *fixture) saveAction(action model.Action, about ...model.ID) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.SaveAction(ctx, action, about) })
}

func (h *fixture) actionByID(id model.UUID) (action model.Action) {
	h.Helper()
	found := must(h, func() ([]model.Action, error) {
		return h.ActionsByID(h.ctx, h.user, []model.UUID{id, id}, store.ActionInverse)
	})
	if len(found) != 1 {
		h.Fatalf("%d actions of one id", len(found))
	}
	return found[0]
}

// actionsAdded holds that an action which is added is kept as one that is saved, in a savepoint too, and that its id
// must be new.
func actionsAdded(h *fixture) {
	about := model.ID{Kind: model.KindTask, UUID: h.ids.next()}
	one, nested := h.action("createTask"), h.action("updateTask")
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.AddAction(ctx, one, []model.ID{about}) })
	h.same("the action", h.actionByID(one.ID), one)
	h.same("the log", h.log(head), lines(model.OperationCreated, one.ID))
	found := must(h, func() ([]model.Action, error) {
		return h.Actions(h.ctx, h.user, store.ActionWhere{Touched: about.UUID}, model.UUID{}, 10)
	})
	if len(found) != 1 || found[0].ID != one.ID {
		h.Errorf("%d actions are about the record", len(found))
	}
	h.write(func(ctx context.Context, _ store.Tx) error {
		return h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error { return tx.AddAction(ctx, nested, nil) })
	})
	h.same("the action of a savepoint", h.actionByID(nested.ID), nested)

	again := one
	again.Summary = "again"
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		if err := tx.SetUndone(ctx, nested.ID, one.ID); err != nil {
			return err
		}
		return tx.AddAction(ctx, again, nil)
	})
	if err == nil {
		h.Error("an action was added under an id that is taken")
	}
	h.same("what was there", h.actionByID(one.ID), one)
	h.same("what was written beside it", h.actionByID(nested.ID), nested)
}

func actionsKept(h *fixture) {
	whole := h.action("deleteTask")
	filled(h.T, &store.ActionTable, []model.Action{whole})
	bare := model.Action{ID: h.ids.next(), At: noon, Kind: "createTask", Source: model.SourceGraphQL,
		ForgetAt: noon.Add(model.ActionsKept)}
	head := h.head()
	h.saveAction(whole)
	h.saveAction(bare, model.ID{Kind: model.KindTask, UUID: h.ids.next()})
	h.same("whole", h.actionByID(whole.ID), whole)
	h.same("bare", h.actionByID(bare.ID), bare)
	without := must(h, func() ([]model.Action, error) { return h.ActionsByID(h.ctx, h.user, []model.UUID{whole.ID}, 0) })
	wanted := whole
	wanted.Inverse = nil
	h.same("without the inverse", without, []model.Action{wanted})
	bare.Summary, bare.Touched, bare.Inverse, bare.UndoUntil = "more", []string{"x_1"}, []byte("i"), noon.Add(time.Hour)
	h.saveAction(bare)
	h.same("replaced", h.actionByID(bare.ID), bare)
	h.same("the log", h.log(head), slices.Concat(lines(model.OperationCreated, whole.ID, bare.ID),
		lines(model.OperationUpdated, bare.ID)))
	other := h.as("another who acts")
	h.same("another user's", len(must(h, func() ([]model.Action, error) {
		return h.ActionsByID(h.ctx, other.user, []model.UUID{whole.ID, bare.ID}, 0)
	})), 0)
	h.same("another user's list", len(must(h, func() ([]model.Action, error) {
		return h.Actions(h.ctx, other.user, store.ActionWhere{}, model.UUID{}, 10)
	})), 0)
}

func actionsFiltered(h *fixture) {
	tasks := []model.UUID{h.ids.next(), h.ids.next()}
	var all []model.Action
	for i := range 12 {
		action := h.action([]string{"createTask", "deleteTask", "updateList"}[i%3])
		action.Inverse, action.UndoneBy = nil, model.UUID{}
		if i%4 == 1 {
			action.Source, action.UndoUntil = model.SourceAgent, time.Time{}
		}
		if i%4 == 2 {
			action.UndoneBy = h.ids.next()
		}
		if i%4 == 3 {
			action.UndoUntil = noon.Add(time.Duration(i) * time.Minute)
		}
		action.At = noon.Add(time.Duration(i) * time.Minute)
		h.saveAction(action, model.ID{Kind: model.KindTask, UUID: tasks[i%2]})
		all = append(all, action)
	}
	slices.Reverse(all)
	now := noon.Add(8 * time.Minute)
	for what, c := range map[string]struct {
		where store.ActionWhere
		fits  func(i int, a model.Action) bool
	}{
		"all": {store.ActionWhere{}, func(int, model.Action) bool { return true }},
		"kinds": {store.ActionWhere{Kinds: []string{"createTask", "updateList"}},
			func(_ int, a model.Action) bool { return a.Kind != "deleteTask" }},
		"sources": {store.ActionWhere{Sources: []model.ActionSource{model.SourceAgent}},
			func(_ int, a model.Action) bool { return a.Source == model.SourceAgent }},
		"touched": {store.ActionWhere{Touched: tasks[1]}, func(i int, _ model.Action) bool { return i%2 == 0 }},
		"times": {store.ActionWhere{From: noon.Add(2 * time.Minute), To: noon.Add(5 * time.Minute)},
			func(_ int, a model.Action) bool {
				return !a.At.Before(noon.Add(2*time.Minute)) && a.At.Before(noon.Add(5*time.Minute))
			}},
		"undoable": {store.ActionWhere{Undoable: new(true), Now: now},
			func(_ int, a model.Action) bool { return a.Undoable(now) }},
		"not undoable": {store.ActionWhere{Undoable: new(false), Now: now},
			func(_ int, a model.Action) bool { return !a.Undoable(now) }},
	} {
		var want []model.Action
		for i, action := range all {
			if c.fits(i, action) {
				want = append(want, action)
			}
		}
		if len(want) == 0 {
			h.Fatalf("%s finds nothing", what)
		}
		var got []model.Action
		after := model.UUID{}
		for {
			page := must(h, func() ([]model.Action, error) { return h.Actions(h.ctx, h.user, c.where, after, 3) })
			if got = append(got, page...); len(page) < 3 {
				break
			}
			after = page[2].ID
		}
		h.same(what, got, want)
	}
}

func actionsUndone(h *fixture) {
	action := h.action("deleteTask")
	action.UndoneBy = model.UUID{}
	h.saveAction(action)
	by := h.ids.next()
	set := func(id, by model.UUID) error {
		return h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error { return tx.SetUndone(ctx, id, by) })
	}
	for _, by := range []model.UUID{by, {}} {
		head := h.head()
		if err := set(action.ID, by); err != nil {
			h.Fatal(err)
		}
		h.same("undone by", h.actionByID(action.ID).UndoneBy, by)
		h.same("the log", h.log(head), lines(model.OperationUpdated, action.ID))
	}
	h.fails("one that is not there", set(h.ids.next(), by), store.ErrNotFound)
}

func actionsForgotten(h *fixture) {
	action := h.action("deleteTask")
	h.saveAction(action, model.ID{Kind: model.KindTask, UUID: h.ids.next()})
	sweep := func(at time.Time) {
		h.Helper()
		if err := h.Sweep(h.ctx, at, time.Hour*24*365); err != nil {
			h.Fatal(err)
		}
	}
	sweep(action.UndoUntil.Add(-time.Second))
	h.same("before undoUntil", string(h.actionByID(action.ID).Inverse), string(action.Inverse))
	sweep(action.UndoUntil)
	action.Inverse = nil
	h.same("after it", h.actionByID(action.ID), action)
	sweep(action.ForgetAt)
	h.same("after forgetAt", len(must(h, func() ([]model.Action, error) {
		return h.ActionsByID(h.ctx, h.user, []model.UUID{action.ID}, 0)
	})), 0)
}

// actionsErased: each method that erases takes the texts of the actions that tell of what it erases.
func actionsErased(h *fixture) {
	erased := func(what string, ids []model.ID, erase func()) {
		h.Helper()
		var told []model.Action
		for _, id := range ids {
			action := h.action("storeMemory")
			h.saveAction(action, id, model.ID{Kind: model.KindTask, UUID: h.ids.next()})
			told = append(told, action)
		}
		beside := h.action("createTask")
		h.saveAction(beside, model.ID{Kind: model.KindTask, UUID: h.ids.next()})
		erase()
		for i, action := range told {
			action.Summary, action.Inverse, action.UndoUntil = "", nil, time.Time{}
			h.same(fmt.Sprint(what, " ", ids[i].Kind), h.actionByID(action.ID), action)
		}
		h.same(what+" beside", h.actionByID(beside.ID), beside)
	}
	about := func(id model.UUID) model.ID { return model.ID{Kind: model.KindMemory, UUID: id} }
	there, gone := h.memory("there"), h.ids.next()
	h.remember(there)
	erased("deleted memories", []model.ID{about(there.ID), about(gone)}, func() {
		h.write(func(ctx context.Context, tx store.Tx) error {
			_, err := tx.DeleteMemories(ctx, []model.UUID{there.ID, gone})
			return err
		})
	})
	expiring := h.memory("expiring")
	expiring.ExpiresAt = noon.Add(time.Hour)
	h.remember(expiring)
	erased("expired memories", []model.ID{about(expiring.ID)}, func() {
		if n, err := h.ExpireMemories(h.ctx, noon.Add(time.Hour), 10); n != 1 || err != nil {
			h.Fatalf("ExpireMemories: %d, %v", n, err)
		}
	})
	linked := h.link(h.account("erased@example.com"))
	erased("an account", []model.ID{{Kind: model.KindConnection, UUID: linked.ID}}, func() { h.unlink(linked.ID) })
	for what, e := range knowledgeErasers {
		g := h.grow(what)
		erased(what, e.gone(g), func() {
			h.write(func(ctx context.Context, tx store.Tx) error { return e.erase(ctx, tx, g) })
		})
	}
	g := h.grow("of one that became part of another")
	before := h.entity("the former")
	h.learn(before)
	if err := h.move(before, g.entity); err != nil {
		h.Fatal(err)
	}
	erased("a merged entity", []model.ID{before.ID}, func() {
		h.write(func(ctx context.Context, tx store.Tx) error {
			_, _, err := tx.DeleteEntities(ctx, []model.UUID{g.entity.ID.UUID})
			return err
		})
	})
}

func taskHistories(h *fixture) {
	one, two := h.task("one"), h.task("two")
	h.add(one, two)
	at := func(task model.Task, minutes int, occurrence int) model.TaskCompletion {
		return model.TaskCompletion{TaskID: task.ID, CompletedAt: noon.Add(time.Duration(minutes) * time.Minute),
			Occurrence: noon.Add(time.Duration(occurrence) * time.Hour)}
	}
	lines := []model.TaskCompletion{at(one, 1, 1), at(one, 1, 2), at(one, 2, 0)}
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.AddCompletions(ctx, slices.Concat(lines, []model.TaskCompletion{at(two, 5, 5)}))
	})
	history := func(id model.UUID) []model.TaskCompletion {
		h.Helper()
		return must(h, func() ([]model.TaskCompletion, error) {
			return h.TaskHistories(h.ctx, h.user, []model.UUID{id, h.ids.next()})
		})
	}
	h.same("as added", history(one.ID), lines)
	set := func(id model.UUID, completions ...model.TaskCompletion) error {
		return h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.SetTaskHistory(ctx, id, completions)
		})
	}
	head := h.head()
	if err := set(one.ID, lines[1], lines[0], at(two, 7, 7)); err != nil {
		h.Fatal(err)
	}
	h.same("replaced", history(one.ID), []model.TaskCompletion{lines[1], lines[0], at(one, 7, 7)})
	if err := set(one.ID); err != nil {
		h.Fatal(err)
	}
	h.same("emptied", len(history(one.ID)), 0)
	h.same("another task's", history(two.ID), []model.TaskCompletion{at(two, 5, 5)})
	h.same("no change of its own", h.head(), head)
	h.fails("a task that is not there", set(h.ids.next(), lines...), store.ErrNotFound)
}

func entityLinks(h *fixture) {
	g := h.grow("links")
	former, second := h.entity("former"), h.episode("second")
	h.learn(former)
	h.hear(second)
	h.mention(second, g.entity)
	if err := h.move(former, g.entity); err != nil {
		h.Fatal(err)
	}
	links := func(e model.Entity) store.EntityLinks {
		h.Helper()
		return must(h, func() (map[model.UUID]store.EntityLinks, error) {
			return h.EntityLinks(h.ctx, h.user, []model.UUID{e.ID.UUID, h.ids.next()})
		})[e.ID.UUID]
	}
	whole := store.EntityLinks{Redirects: []model.UUID{former.ID.UUID},
		Mentions: []model.UUID{g.episode.ID.UUID, second.ID.UUID}}
	h.same("as they are", links(g.entity), whole)
	h.same("of one without", links(g.other), store.EntityLinks{})
	set := func(id model.UUID, to store.EntityLinks) error {
		return h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error { return tx.SetEntityLinks(ctx, id, to) })
	}
	head := h.head()
	must(h, func() (int, error) { return 0, set(g.other.ID.UUID, whole) })
	h.same("moved redirects", links(g.entity), store.EntityLinks{Mentions: whole.Mentions})
	h.same("set", links(g.other), whole)
	found, _ := h.entityByID(former.ID)
	h.same("the redirect leads there", found.ID, g.other.ID)
	must(h, func() (int, error) {
		return 0, set(g.other.ID.UUID, store.EntityLinks{Mentions: []model.UUID{second.ID.UUID, h.ids.next()}})
	})
	h.same("fewer, and none that is not there", links(g.other), store.EntityLinks{Mentions: []model.UUID{second.ID.UUID}})
	must(h, func() (int, error) { return 0, set(g.other.ID.UUID, store.EntityLinks{}) })
	h.same("none", links(g.other), store.EntityLinks{})
	h.same("no change of its own", h.head(), head)
	h.fails("an entity that is not there", set(h.ids.next(), whole), store.ErrNotFound)
}

func factEpisodes(h *fixture) {
	g := h.grow("support")
	first, second := g.episode.ID.UUID, h.ids.next()
	set := func(id model.UUID, to ...model.UUID) error {
		return h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error { return tx.SetFactEpisodes(ctx, id, to) })
	}
	head := h.head()
	for _, want := range [][]model.UUID{{first, second}, {second}, {first}, nil, {second}} {
		if err := set(g.fact.ID.UUID, want...); err != nil {
			h.Fatal(err)
		}
		fact, _ := h.factByID(g.fact.ID)
		var got []model.UUID
		for _, id := range fact.Episodes {
			got = append(got, id.UUID)
		}
		h.same("set", got, want)
	}
	h.same("no change of its own", h.head(), head)
	h.fails("a fact that is not there", set(h.ids.next(), first), store.ErrNotFound)
}

func withdrawing(h *fixture) {
	g, memory := h.grow("withdrawn"), h.memory("withdrawn")
	h.remember(memory)
	about := model.ID{Kind: model.KindMemory, UUID: memory.ID}
	action := h.action("storeMemory")
	h.saveAction(action, about, g.fact.ID)
	h.answered(call("withdrawn", 1), false, about.String())
	withdraw := func(ids ...model.ID) error {
		return h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error { return tx.Withdraw(ctx, ids) })
	}
	h.fails("an entity with facts", withdraw(g.entity.ID), store.ErrConflict)
	head := h.head()
	if err := withdraw(g.entity.ID, about, g.episode.ID, g.fact.ID,
		model.ID{Kind: model.KindFact, UUID: h.ids.next()}); err != nil {
		h.Fatal(err)
	}
	h.same("the log", h.log(head),
		lines(model.OperationDeleted, g.fact.ID.UUID, g.entity.ID.UUID, g.episode.ID.UUID, memory.ID))
	_, there := h.entityByID(g.entity.ID)
	h.same("the entity", there, false)
	_, there = h.entityByID(g.other.ID)
	h.same("the other entity", there, true)
	_, there = h.factByID(g.fact.ID)
	h.same("the fact", there, false)
	h.same("the action", h.actionByID(action.ID), action)
	h.same("the answer", h.replays(call("withdrawn", 1)), about.String()+" replayed=true")
	h.remember(memory)
	h.learn(g.entity)
	h.hear(g.episode)
	h.tell(g.fact)
}

// recorder counts the transactions and hides the texts of tasks.
type recorder struct {
	begun, ended int
}

type hidingTx struct{ store.Tx }

func (t hidingTx) InsertTasks(ctx context.Context, tasks []model.Task) error {
	for i := range tasks {
		tasks[i].Text = "hidden"
	}
	return t.Tx.InsertTasks(ctx, tasks)
}

func (r *recorder) Record(ctx context.Context, tx store.Tx, fn func(ctx context.Context, tx store.Tx) error) error {
	r.begun++
	err := fn(ctx, hidingTx{tx})
	r.ended++
	return err
}

func recorderIsTold(h *fixture) {
	r := &recorder{}
	ctx := store.WithRecorder(h.ctx, r)
	task := h.task("plain")
	if err := h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.InsertTasks(ctx, []model.Task{task})
		})
	}); err != nil {
		h.Fatal(err)
	}
	h.same("transactions", *r, recorder{2, 2})
	found, _ := h.byID(task.ID, store.TaskText)
	h.same("the text", found.Text, "hidden")
}

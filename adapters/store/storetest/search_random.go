package storetest

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// searchLetters are what random texts are made of: few enough for pieces to come again, of both scripts, with what has
// a meaning for LIKE, for regular expressions or in an index by words.
var searchLetters = []rune("aab ct שלמן ם%_\\'\"*-1🥛é")

// testSearchOfMany: of a user with many tasks a search finds what the oracle finds, before the tasks are in an index,
// when they are, and while some of them have changed since.
func testSearchOfMany(t *testing.T, open Open) {
	h := newFixture(t, open)
	random := dice(80)
	other := h.as("other")
	manyTasks(other, dice(81), 20)
	var tasks []model.Task
	for range 6000 {
		tasks = append(tasks, searchedTask(h, random))
	}
	h.add(tasks...)
	check := func(t *testing.T) {
		h := h.in(t)
		for range 40 {
			checkSearch(h, random, tasks, pieceOfATask(random, tasks))
		}
		// What nobody has, what all have, what few have, and what has a meaning elsewhere.
		for _, search := range []string{"t", "a", "aa", "z", "zq", "tz", "ש", "ם", "שם", "נן", "ж", "🥛", "🥛🥛", "é", "e",
			"%", "_%", "'", "''", `\`, `\'`, "*", "-1", ":*", "|", "! "} {
			checkSearch(h, random, tasks, search)
		}
		h.same("of another user", other.find(store.TaskWhere{Search: "zebra crossing"}), []model.UUID{})
	}
	sweep := func() {
		t.Helper()
		if err := h.Sweep(h.ctx, noon, 24*time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("before a sweep", check)
	sweep()
	t.Run("after it", check)
	change := func() {
		h.write(func(ctx context.Context, tx store.Tx) error {
			var changed []model.Task
			var gone []model.UUID
			for _, i := range random.Perm(len(tasks))[:300] {
				if random.IntN(3) == 0 {
					gone = append(gone, tasks[i].ID)
					continue
				}
				fresh := searchedTask(h, random)
				fresh.ID = tasks[i].ID
				if random.IntN(3) == 0 {
					fresh.Text = tasks[i].Text
				}
				changed, tasks[i] = append(changed, fresh), fresh
			}
			tasks = slices.DeleteFunc(tasks, func(task model.Task) bool { return slices.Contains(gone, task.ID) })
			var added []model.Task
			for range 100 {
				added = append(added, searchedTask(h, random))
			}
			// Some come back under their ids, as by an undo.
			again := searchedTask(h, random)
			again.ID = gone[0]
			added = append(added, again)
			tasks = append(tasks, added...)
			err := tx.UpdateTasks(ctx, model.OperationUpdated, changed)
			if err == nil {
				_, err = tx.DeleteTasks(ctx, gone)
			}
			if err == nil {
				err = tx.InsertTasks(ctx, added)
			}
			return err
		})
	}
	for range 2 {
		change()
		t.Run("after changes", check)
	}
	sweep()
	t.Run("after another sweep", check)
	change()
	sweep()
	t.Run("after one more", check)
}

// searchedTask makes a task whose text and category are of few letters.
func searchedTask(h *fixture, random *rand.Rand) model.Task {
	text := func(most int) string {
		runes := make([]rune, random.IntN(most))
		for i := range runes {
			runes[i] = searchLetters[random.IntN(len(searchLetters))]
		}
		return fold.Clean(string(runes))
	}
	task := randomTask(random, h.ids.next(), noon)
	task.Text, task.Category = "t"+text(14), text(5)
	return task
}

// pieceOfATask returns a piece of a task, or of none.
func pieceOfATask(random *rand.Rand, tasks []model.Task) string {
	of := tasks[random.IntN(len(tasks))]
	piece := []rune(pick(random, of.Text, of.Text, of.Category))
	from := random.IntN(len(piece) + 1)
	piece = piece[from : from+random.IntN(len(piece)-from+1)]
	if len(piece) > 0 && random.IntN(4) == 0 {
		piece = slices.Clone(piece)
		piece[random.IntN(len(piece))] = searchLetters[random.IntN(len(searchLetters))]
	}
	search := string(piece)
	if random.IntN(5) == 0 {
		search = strings.ToUpper(search)
	}
	return search
}

// checkSearch searches and compares with the oracle.
func checkSearch(h *fixture, random *rand.Rand, tasks []model.Task, search string) {
	h.Helper()
	where := store.TaskWhere{Search: search}
	if random.IntN(2) == 0 {
		where = randomWhere(random, tasks)
		where.Search = search
	}
	order := taskOrders()[random.IntN(len(taskOrders()))]
	window := &store.Window[store.TaskPlace]{Limit: 1 + random.IntN(30), Backward: random.IntN(3) == 0}
	found := answer(tasks, where, order)
	page := must(h, func() (store.TaskPage, error) {
		return h.Tasks(h.ctx, h.user, store.TaskQuery{Where: where, Order: order, Page: window, Total: true})
	})
	want := taskIDs(found)
	if h.same("the number found by "+show(where), page.Total, len(want)); window.Backward {
		want = want[max(0, len(want)-window.Limit):]
	} else {
		want = want[:min(len(want), window.Limit)]
	}
	if got := taskIDs(page.Tasks); !slices.Equal(got, want) {
		h.Errorf("%v %s: found\n%v, want\n%v", order, show(where), got, want)
	}
	h.same("more", []bool{page.HasNext, page.HasPrevious},
		[]bool{!window.Backward && len(found) > len(want), window.Backward && len(found) > len(want)})
	if len(page.Places) > 0 { // and what lies after a place
		next := *window
		next.After, next.Backward = &page.Places[0], false
		rest := must(h, func() (store.TaskPage, error) {
			return h.Tasks(h.ctx, h.user, store.TaskQuery{Where: where, Order: order, Page: &next})
		})
		at := slices.Index(taskIDs(found), page.Places[0].ID) + 1
		after := taskIDs(found)[at:]
		if got := taskIDs(rest.Tasks); !slices.Equal(got, after[:min(len(after), window.Limit)]) {
			h.Errorf("%v %s: another page after a place", order, show(where))
		}
	}
	first := map[model.TaskBucket]int{}
	for _, bucket := range model.TaskBuckets() {
		first[bucket] = random.IntN(5)
	}
	checkBoard(h, tasks, where, order, &store.BoardQuery{Now: noon, Tomorrow: noon.Add(9 * time.Hour), Counts: true,
		First: first})
}

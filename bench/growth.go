//go:build bench

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/clock"
)

const (
	// growthReps is how often a query is repeated at most, and growthTime how long at most.
	growthReps = 51
	growthTime = time.Second
	// openShare is how many of the tasks stand for one that is open.
	openShare = 20
	// oldTasks is how many of the oldest tasks have two letters that no other has.
	oldTasks = 20_000
)

// growthSizes reads how many tasks the user has, one size after another.
func growthSizes(list string) (sizes []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1000 || len(sizes) > 0 && n <= sizes[len(sizes)-1] {
			return nil, fmt.Errorf("-growth: %q: sizes rise from 1000 on", text)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// growth is one user whose tasks grow, in one store.
type growth struct {
	store openedStore
	user  model.UserID
	now   time.Time
	ids   *clock.IDs
	made  int
	// middle is the place of the task in the middle.
	middle store.TaskPlace
}

// growthFigure is what one query took at one size.
type growthFigure struct {
	p50    time.Duration
	allocs uint64
}

// measureGrowth measures every kind of query about one user's tasks while they grow, on the run's database, and on
// SQLite as well when that is another.
func measureGrowth(ctx context.Context, o options, d database, out, progress io.Writer) error {
	databases := []database{d}
	if d.url != "" {
		dir, err := os.MkdirTemp("", "almanac-bench-growth-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		databases = append(databases, database{dir: dir})
	}
	fmt.Fprintf(out, "\n### Growth\n\nOne user's tasks, one in %d open, by the store's methods in the bench's process: "+
		"the median of up to %d calls in ms, and allocations of this process.\n", openShare, growthReps)
	for _, d := range databases {
		if err := measureGrowthOn(ctx, o, d, out, progress); err != nil {
			return err
		}
	}
	return nil
}

func measureGrowthOn(ctx context.Context, o options, d database, out, progress io.Writer) (err error) {
	opened, err := d.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	if err := opened.Migrate(ctx); err != nil {
		return err
	}
	now := time.Now().UTC().Truncate(time.Microsecond)
	g := &growth{store: opened, user: model.UserIDOf("growth"), now: now,
		ids: clock.NewIDs(func() time.Time { return now }, rand.Reader)}
	var names []string
	figures := map[string][]growthFigure{}
	for _, size := range o.growth {
		fmt.Fprintf(progress, "growth: %s, %d tasks\n", opened.Facts().Name, size)
		began := time.Now()
		if err := g.growTo(ctx, size); err != nil {
			return err
		}
		fmt.Fprintf(progress, "growth: made in %v\n", time.Since(began).Round(time.Millisecond))
		if err := errors.Join(d.settle(ctx), opened.Sweep(ctx, now, keepAll)); err != nil {
			return err
		}
		names = names[:0]
		for _, c := range g.cases() {
			figure, err := measureCase(ctx, c.run)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			names = append(names, c.name)
			figures[c.name] = append(figures[c.name], figure)
		}
	}
	writeGrowth(out, opened.Facts().Name, o.growth, names, figures)
	if d.url == "" {
		if info, err := os.Stat(filepath.Join(d.dir, "almanac.db")); err == nil {
			fmt.Fprintf(out, "\nThe database has %d MB.\n", info.Size()>>20)
		}
	}
	return nil
}

func writeGrowth(out io.Writer, name string, sizes []int, names []string, figures map[string][]growthFigure) {
	fmt.Fprintf(out, "\n#### %s\n\n| query |", name)
	for _, size := range sizes {
		fmt.Fprintf(out, " %d: ms | allocations |", size)
	}
	fmt.Fprint(out, "\n|---|", strings.Repeat("--:|--:|", len(sizes)), "\n")
	for _, name := range names {
		fmt.Fprintf(out, "| %s |", name)
		for _, f := range figures[name] {
			fmt.Fprintf(out, " %.2f | %d |", float64(f.p50.Microseconds())/1000, f.allocs)
		}
		fmt.Fprintln(out)
	}
}

func measureCase(ctx context.Context, run func(ctx context.Context) error) (growthFigure, error) {
	if err := run(ctx); err != nil {
		return growthFigure{}, err
	}
	var times []time.Duration
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for began := time.Now(); len(times) < 3 || len(times) < growthReps && time.Since(began) < growthTime; {
		at := time.Now()
		if err := run(ctx); err != nil {
			return growthFigure{}, err
		}
		times = append(times, time.Since(at))
	}
	runtime.ReadMemStats(&after)
	slices.Sort(times)
	return growthFigure{p50: times[len(times)/2], allocs: (after.Mallocs - before.Mallocs) / uint64(len(times))}, nil
}

// task makes the next task. Ages are spread over three years; of the open ones some are overdue, some due, some repeat
// and some have no due date.
func (g *growth) task() model.Task {
	g.made++
	n := g.made
	created := g.now.Add(-3 * 365 * 24 * time.Hour).Add(time.Duration(n) * 90 * time.Second)
	t := model.Task{ID: g.ids.At(created), Text: textOf(n), Category: [...]string{"Home", "Work", "משפחה", ""}[n%4],
		CreatedAt: created, UpdatedAt: created}
	if n%10_000 == 5_000 {
		t.Category = "Seldom"
	}
	if n <= oldTasks {
		t.Text += " qx"
	}
	switch n / openShare % 5 {
	case 0:
		t.Recurrence = &model.Recurrence{Type: model.Daily, Time: "08:00", TimeZone: zone}
		t.NextReminderAt = g.now.Add(time.Duration(n%1000) * time.Hour)
	case 1, 2:
		t.DueAt = g.now.Add(time.Duration(n%1000) * time.Hour)
		t.Reminder, t.NextReminderAt = time.Hour, t.DueAt.Add(-time.Hour)
	case 3:
		t.DueAt = created.Add(24 * time.Hour)
	}
	if n%openShare != 0 {
		if !t.DueAt.IsZero() {
			t.DueAt = created.Add(time.Duration(n%100) * time.Hour)
		}
		t.CompletedAt, t.NextReminderAt = created.Add(time.Hour), time.Time{}
	}
	return t
}

func (g *growth) growTo(ctx context.Context, size int) error {
	for g.made < size {
		tasks := make([]model.Task, min(2000, size-g.made))
		for i := range tasks {
			tasks[i] = g.task()
		}
		if g.made <= size/2 {
			g.middle = store.TaskPlace{ID: tasks[0].ID}
		}
		if err := g.insert(ctx, tasks); err != nil {
			return err
		}
	}
	return nil
}

func (g *growth) insert(ctx context.Context, tasks []model.Task) error {
	return g.store.Write(ctx, g.user,
		func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, tasks) })
}

// growthCase is one kind of query.
type growthCase struct {
	name string
	run  func(ctx context.Context) error
}

// cases are the kinds of queries of the contract. What is written is taken back, so that sizes stay.
func (g *growth) cases() []growthCase {
	newest := model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending}
	byDue := model.TaskOrder{Field: model.TaskOrderDueDate, Direction: model.Ascending}
	open, done := new(false), new(true)
	first := &store.Window[store.TaskPlace]{Limit: 50}
	ask := func(name string, q store.TaskQuery) growthCase {
		q.Columns = store.TaskRow
		if q.Order == (model.TaskOrder{}) {
			q.Order = newest
		}
		return growthCase{name, func(ctx context.Context) error {
			_, err := g.store.Tasks(ctx, g.user, q)
			return err
		}}
	}
	page := func(name string, where store.TaskWhere) growthCase {
		return ask(name, store.TaskQuery{Where: where, Page: first})
	}
	total := func(name string, where store.TaskWhere) growthCase {
		return ask(name+", total", store.TaskQuery{Where: where, Total: true})
	}
	board := func(name string, where store.TaskWhere, order model.TaskOrder) growthCase {
		shown := map[model.TaskBucket]int{}
		for _, bucket := range model.TaskBuckets() {
			shown[bucket] = 10
		}
		return ask(name, store.TaskQuery{Where: where, Order: order, Board: &store.BoardQuery{Now: g.now,
			Tomorrow: g.now.Add(12 * time.Hour), Counts: true, Columns: store.TaskRow, First: shown}})
	}
	both := func(name string, where store.TaskWhere) []growthCase {
		return []growthCase{page(name, where), total(name, where)}
	}
	all := []growthCase{
		page("open", store.TaskWhere{Completed: open}),
		ask("open, by due date", store.TaskQuery{Where: store.TaskWhere{Completed: open}, Page: first, Order: byDue}),
		ask("any, from the middle", store.TaskQuery{Page: &store.Window[store.TaskPlace]{Limit: 50, After: &g.middle}}),
		page("done", store.TaskWhere{Completed: done}),
		total("open", store.TaskWhere{Completed: open}),
		total("done", store.TaskWhere{Completed: done}),
		total("any", store.TaskWhere{}),
		total("done, due in a year", store.TaskWhere{Completed: done, DueFrom: g.now.AddDate(-2, 0, 0),
			DueTo: g.now.AddDate(-1, 0, 0)}),
		total("open, overdue", store.TaskWhere{Completed: open, DueTo: g.now}),
		board("board of open", store.TaskWhere{Completed: open}, newest),
		board("board of open, by due date", store.TaskWhere{Completed: open}, byDue),
		board("board of any", store.TaskWhere{}, newest),
	}
	all = append(all, both("open, recurring", store.TaskWhere{Completed: open, Type: model.TaskTypeRecurring})...)
	all = append(all, both("done, a nudge: none", store.TaskWhere{Completed: done, Type: model.TaskTypeNudge})...)
	all = append(all, both("a common category", store.TaskWhere{Category: new("home")})...)
	all = append(all, both("a rare category", store.TaskWhere{Category: new("seldom")})...)
	all = append(all, both("search: one task", store.TaskWhere{Search: "number 777"})...)
	all = append(all, both("search: nothing", store.TaskWhere{Search: "zebra"})...)
	all = append(all, both("search: nothing, of common parts", store.TaskWhere{Search: "dentist about dana"})...)
	all = append(all, both("search: nothing in Hebrew", store.TaskWhere{Search: "צפרדע"})...)
	all = append(all, both("search: nothing, two letters", store.TaskWhere{Search: "zq"})...)
	all = append(all, both("search: nothing, one letter", store.TaskWhere{Search: "ж"})...)
	all = append(all, both("search: nothing, two Hebrew letters", store.TaskWhere{Search: "צג"})...)
	all = append(all, both("search: nothing of open tasks, two letters",
		store.TaskWhere{Completed: open, Search: "zq"})...)
	all = append(all, both("search: a common letter", store.TaskWhere{Search: "e"})...)
	all = append(all, both("search: two letters of old tasks", store.TaskWhere{Search: "qx"})...)
	all = append(all, both("search: a rare category", store.TaskWhere{Search: "seldom"})...)
	all = append(all, both("search: a quarter of all", store.TaskWhere{Search: "dentist"})...)
	return append(all,
		growthCase{"reminders due", func(ctx context.Context) error {
			_, err := g.store.DueReminders(ctx, g.now.Add(-time.Hour), 100)
			return err
		}},
		growthCase{"texts of open tasks", func(ctx context.Context) error {
			_, err := g.store.TaskTexts(ctx, g.user)
			return err
		}},
		growthCase{"create, complete and delete", g.writing(1)},
		growthCase{"the same of 100", g.writing(100)})
}

// writing creates tasks, completes them and deletes them, in transactions of their own.
func (g *growth) writing(count int) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		made := g.made
		defer func() { g.made = made }()
		tasks, ids := make([]model.Task, count), make([]model.UUID, count)
		for i := range tasks {
			tasks[i] = g.task()
			ids[i] = tasks[i].ID
		}
		if err := g.insert(ctx, tasks); err != nil {
			return err
		}
		for i := range tasks {
			tasks[i].CompletedAt = g.now
		}
		return errors.Join(
			g.store.Write(ctx, g.user, func(ctx context.Context, tx store.Tx) error {
				return tx.UpdateTasks(ctx, model.OperationCompleted, tasks)
			}),
			g.store.Write(ctx, g.user, func(ctx context.Context, tx store.Tx) error {
				_, err := tx.DeleteTasks(ctx, ids)
				return err
			}))
	}
}

//go:build unix

package postgres_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/graph/model"
	"almanac/internal/pgtest"
)

// Run with: go test -run '^$' -bench . -benchmem ./adapters/store/postgres
//
// The names, the data and the questions are those of the SQLite driver's benchmarks.

// cpu makes a benchmark report the processor time of this process, the server's not counted; a busy machine changes it
// less than the time on the clock.
func cpu(b *testing.B) {
	b.Helper()
	used := func() time.Duration {
		var usage syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
			b.Fatal(err)
		}
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	before := used()
	b.Cleanup(func() { b.ReportMetric(float64(used()-before)/float64(b.N)/1000, "cpu-µs/op") })
}

// benchNow is the moment of the board.
var benchNow = time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)

// benchTask makes the n-th task of a user: of ten, two are done, one repeats and three have no due date.
func benchTask(n int) model.Task {
	var id model.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(1_700_000_000_000+n)<<16|0x7000)
	binary.BigEndian.PutUint64(id[8:], 1<<63|uint64(n))
	at := benchNow.Add(-time.Duration(n) * time.Minute)
	task := model.Task{ID: id, Text: fmt.Sprintf("Call number %d about the bread, לקנות לחם", n), Category: "Home",
		CreatedAt: at, UpdatedAt: at}
	switch kind := n % 10; {
	case kind < 2:
		task.CompletedAt = at
	case kind == 4:
		task.Recurrence = &model.Recurrence{Type: model.Daily, Time: "08:00", TimeZone: "Asia/Jerusalem"}
	case kind >= 5:
		task.DueAt = benchNow.Add(time.Duration(n-600) * time.Hour / 4)
		task.Reminder, task.NextReminderAt = 30*time.Minute, task.DueAt
	}
	return task
}

// bench opens a store with 50 users of 200 tasks and one, who is given back, with many.
func bench(b *testing.B, many int) (*postgres.Store, model.UserID) {
	b.Helper()
	s := open(b, postgres.Options{URL: pgtest.URL(b)})
	fill := func(user model.UserID, n int) {
		tasks := make([]model.Task, n)
		for i := range tasks {
			tasks[i] = benchTask(i)
		}
		if err := insert(b.Context(), s, user, tasks...); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 50 {
		fill(model.UserIDOf(fmt.Sprint("user ", i)), 200)
	}
	user := model.UserIDOf("many")
	fill(user, many)
	execute(b, s, "VACUUM ANALYZE") // as the server does by itself after a while
	return s, user
}

var newestFirst = model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending}

func benchTasks(b *testing.B, s *postgres.Store, user model.UserID, query store.TaskQuery, rows int) {
	b.Helper()
	page, err := s.Tasks(b.Context(), user, query)
	if err != nil || len(page.Tasks) != rows {
		b.Fatalf("%d rows: %v", len(page.Tasks), err)
	}
	b.ReportAllocs()
	cpu(b)
	for b.Loop() {
		if _, err := s.Tasks(b.Context(), user, query); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkList50(b *testing.B) {
	s, user := bench(b, 1200)
	query := store.TaskQuery{Where: store.TaskWhere{Completed: new(false)}, Order: newestFirst, Columns: store.TaskRow,
		Page: &store.Window[store.TaskPlace]{Limit: 50}}
	for _, variant := range []struct {
		name   string
		change func(*store.TaskQuery)
	}{
		{"Open", func(*store.TaskQuery) {}},
		{"All", func(q *store.TaskQuery) { q.Where.Completed = nil }},
		{"FourColumns", func(q *store.TaskQuery) { q.Columns = store.TaskText | store.TaskDueAt | store.TaskCompletedAt }},
		{"Total", func(q *store.TaskQuery) { q.Total = true }},
		{"Relations", func(q *store.TaskQuery) { q.Columns |= store.TaskSubtasks | store.TaskCompletions }},
	} {
		b.Run(variant.name, func(b *testing.B) {
			changed := query
			variant.change(&changed)
			benchTasks(b, s, user, changed, 50)
		})
	}
	b.Run("Parallel", func(b *testing.B) {
		b.ReportAllocs()
		cpu(b)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := s.Tasks(b.Context(), user, query); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

func BenchmarkByID(b *testing.B) {
	s, user := bench(b, 1200)
	for _, n := range []int{1, 100} {
		ids := make([]model.UUID, n)
		for i := range ids {
			ids[i] = benchTask(i * 7).ID
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			cpu(b)
			for b.Loop() {
				tasks, err := s.TasksByID(b.Context(), user, ids, store.TaskRow)
				if err != nil || len(tasks) != n {
					b.Fatalf("%d tasks: %v", len(tasks), err)
				}
			}
		})
	}
}

func BenchmarkBoard1200(b *testing.B) {
	s, user := bench(b, 1200)
	board := func(first int, order model.TaskOrder) store.TaskQuery {
		firsts := map[model.TaskBucket]int{}
		for _, bucket := range model.TaskBuckets() {
			firsts[bucket] = first
		}
		return store.TaskQuery{
			Where: store.TaskWhere{Completed: new(false)}, Order: order,
			Board: &store.BoardQuery{Now: benchNow, Tomorrow: benchNow.Add(12 * time.Hour), Counts: true, Columns: store.TaskRow,
				First: firsts},
		}
	}
	b.Run("Newest", func(b *testing.B) { benchTasks(b, s, user, board(50, newestFirst), 0) })
	b.Run("DueDate", func(b *testing.B) {
		benchTasks(b, s, user, board(50, model.TaskOrder{Field: model.TaskOrderDueDate, Direction: model.Ascending}), 0)
	})
	b.Run("TenOfEach", func(b *testing.B) { benchTasks(b, s, user, board(10, newestFirst), 0) })
	b.Run("CountsOnly", func(b *testing.B) { benchTasks(b, s, user, board(0, newestFirst), 0) })
}

// BenchmarkPage compares the first page with the thousandth, in every order.
func BenchmarkPage(b *testing.B) {
	s, user := bench(b, 65_000) // 52,000 of them open: 1,040 pages
	for _, field := range []model.TaskOrderField{model.TaskOrderCreatedAt, model.TaskOrderDueDate,
		model.TaskOrderUpdatedAt, model.TaskOrderText} {
		query := store.TaskQuery{
			Where: store.TaskWhere{Completed: new(false)}, Order: model.TaskOrder{Field: field, Direction: model.Descending},
			Columns: store.TaskRow,
			Page:    &store.Window[store.TaskPlace]{Limit: 999 * 50},
		}
		page, err := s.Tasks(b.Context(), user, query)
		if err != nil {
			b.Fatal(err)
		}
		last := page.Places[len(page.Places)-1]
		for _, at := range []struct {
			name  string
			after *store.TaskPlace
		}{{"1", nil}, {"1000", &last}} {
			query.Page = &store.Window[store.TaskPlace]{Limit: 50, After: at.after}
			b.Run(string(field)+"/"+at.name, func(b *testing.B) { benchTasks(b, s, user, query, 50) })
		}
	}
}

func BenchmarkInsert(b *testing.B) {
	write := func(b *testing.B, s *postgres.Store, user model.UserID, tasks ...model.Task) {
		if err := insert(context.Background(), s, user, tasks...); err != nil {
			b.Error(err)
		}
	}
	b.Run("One", func(b *testing.B) {
		s, user := bench(b, 0)
		n := 0
		b.ReportAllocs()
		cpu(b)
		for b.Loop() {
			write(b, s, user, benchTask(n))
			n++
		}
	})
	b.Run("Bulk200", func(b *testing.B) {
		s, user := bench(b, 0)
		n := 0
		b.ReportAllocs()
		cpu(b)
		for b.Loop() {
			tasks := make([]model.Task, 200)
			for i := range tasks {
				tasks[i] = benchTask(n)
				n++
			}
			write(b, s, user, tasks...)
		}
	})
	for name, userOf := range map[string]func(i int) model.UserID{
		"32Writers":      func(int) model.UserID { return model.UserIDOf("many") },
		"32WritersUsers": func(i int) model.UserID { return model.UserIDOf(fmt.Sprint("writer ", i)) },
	} {
		b.Run(name, func(b *testing.B) {
			s, _ := bench(b, 0)
			var n atomic.Int64
			var wait sync.WaitGroup
			work := make(chan struct{}, 64)
			cpu(b)
			for i := range 32 {
				wait.Go(func() {
					for range work {
						write(b, s, userOf(i), benchTask(int(n.Add(1))))
					}
				})
			}
			for b.Loop() {
				work <- struct{}{}
			}
			close(work)
			wait.Wait()
		})
	}
}

//go:build unix

package sqlite_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
)

// Run with: go test -run '^$' -bench . -benchmem ./adapters/store/sqlite

// cpu makes a benchmark report the processor time of the whole process, which a busy machine changes less than the time
// on the clock.
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
	if n%10 < 2 {
		task.CompletedAt = at
	}
	if n%10 == 4 {
		task.Recurrence = &model.Recurrence{Type: model.Daily, Time: "08:00", TimeZone: "Asia/Jerusalem"}
	}
	if n%10 >= 5 {
		task.DueAt = benchNow.Add(time.Duration(n-600) * time.Hour / 4)
		task.Reminder, task.NextReminderAt = 30*time.Minute, task.DueAt
	}
	return task
}

// bench opens a store with 50 users of 200 tasks and one, who is given back, with many.
func bench(b *testing.B, many int) (*sqlite.Store, model.UserID) {
	b.Helper()
	s := open(b, sqlite.Options{Path: filepath.Join(b.TempDir(), "bench.db")})
	fill := func(user model.UserID, n int) {
		tasks := make([]model.Task, n)
		for i := range tasks {
			tasks[i] = benchTask(i)
		}
		if err := s.Write(b.Context(), user,
			func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, tasks) }); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 50 {
		fill(model.UserIDOf(fmt.Sprint("user ", i)), 200)
	}
	user := model.UserIDOf("many")
	fill(user, many)
	return s, user
}

var newestFirst = model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending}

func benchTasks(b *testing.B, s *sqlite.Store, user model.UserID, query store.TaskQuery, rows int) {
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
	for name, completed := range map[string]*bool{"Open": new(false), "All": nil} {
		b.Run(name, func(b *testing.B) {
			benchTasks(b, s, user, store.TaskQuery{
				Where: store.TaskWhere{Completed: completed}, Order: newestFirst, Columns: store.TaskRow,
				Page: &store.Window[store.TaskPlace]{Limit: 50},
			}, 50)
		})
	}
	b.Run("FourColumns", func(b *testing.B) {
		benchTasks(b, s, user, store.TaskQuery{
			Where: store.TaskWhere{Completed: new(false)}, Order: newestFirst, Columns: store.TaskText | store.TaskDueAt |
				store.TaskCompletedAt, Page: &store.Window[store.TaskPlace]{Limit: 50},
		}, 50)
	})
	b.Run("Parallel", func(b *testing.B) {
		query := store.TaskQuery{Where: store.TaskWhere{Completed: new(false)}, Order: newestFirst, Columns: store.TaskRow,
			Page: &store.Window[store.TaskPlace]{Limit: 50}}
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
	first := map[model.TaskBucket]int{}
	for _, bucket := range model.TaskBuckets() {
		first[bucket] = 50
	}
	for name, order := range map[string]model.TaskOrder{"Newest": newestFirst,
		"DueDate": {Field: model.TaskOrderDueDate, Direction: model.Ascending}} {
		b.Run(name, func(b *testing.B) {
			benchTasks(b, s, user, store.TaskQuery{
				Where: store.TaskWhere{Completed: new(false)}, Order: order,
				Board: &store.BoardQuery{Now: benchNow, Tomorrow: benchNow.Add(12 * time.Hour), Counts: true,
					Columns: store.TaskRow, First: first},
			}, 0)
		})
	}
	b.Run("CountsOnly", func(b *testing.B) {
		benchTasks(b, s, user, store.TaskQuery{
			Where: store.TaskWhere{Completed: new(false)}, Order: newestFirst,
			Board: &store.BoardQuery{Now: benchNow, Tomorrow: benchNow.Add(12 * time.Hour), Counts: true},
		}, 0)
	})
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
		for name, after := range map[string]*store.TaskPlace{"1": nil, "1000": &last} {
			query.Page = &store.Window[store.TaskPlace]{Limit: 50, After: after}
			b.Run(string(field)+"/"+name, func(b *testing.B) { benchTasks(b, s, user, query, 50) })
		}
	}
}

func BenchmarkInsert(b *testing.B) {
	insert := func(b *testing.B, s *sqlite.Store, user model.UserID, tasks ...model.Task) {
		if err := s.Write(b.Context(), user,
			func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, tasks) }); err != nil {
			b.Error(err)
		}
	}
	b.Run("One", func(b *testing.B) {
		s, user := bench(b, 0)
		n := 0
		b.ReportAllocs()
		cpu(b)
		for b.Loop() {
			insert(b, s, user, benchTask(n))
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
			insert(b, s, user, tasks...)
		}
	})
	b.Run("32Writers", func(b *testing.B) {
		s, user := bench(b, 0)
		var n atomic.Int64
		var wait sync.WaitGroup
		work := make(chan struct{}, 64)
		cpu(b)
		for range 32 {
			wait.Go(func() {
				for range work {
					insert(b, s, user, benchTask(int(n.Add(1))))
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

// BenchmarkOpen is from nothing running to the first answer, on a database that is there.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "open.db")
	ready := func() {
		s, err := sqlite.Open(b.Context(), sqlite.Options{Path: path})
		if err == nil {
			err = s.Migrate(b.Context())
		}
		if err == nil {
			_, err = s.Tasks(b.Context(), model.UserIDOf("first"),
				store.TaskQuery{Order: newestFirst, Columns: store.TaskRow, Page: &store.Window[store.TaskPlace]{Limit: 50}})
		}
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		_ = s.Close()
		b.StartTimer()
	}
	ready()
	cpu(b)
	for b.Loop() {
		ready()
	}
}

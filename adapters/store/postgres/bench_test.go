package postgres_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/pgtest"
)

// benchNow is the moment around which the benchmarks' tasks lie.
var benchNow = time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)

// benchStore gives a store with users of 200 tasks each and one user with 1,200, as the measurements of the design have it.
func benchStore(b *testing.B) (s *postgres.Store, few []model.UserID, many model.UserID, ids []model.UUID) {
	b.Helper()
	s = open(b, postgres.Options{URL: pgtest.URL(b)})
	generator := clock.NewIDs(func() time.Time { return benchNow }, rand.Reader)
	fill := func(user model.UserID, count int) []model.Task {
		tasks := make([]model.Task, count)
		for i := range tasks {
			tasks[i] = model.Task{ID: generator.New(), Text: fmt.Sprintf("Task number %d with a text of some length, כתוב בעברית", i), Category: "Home", CreatedAt: benchNow, UpdatedAt: benchNow.Add(time.Duration(i) * time.Second)}
			switch i % 5 {
			case 0:
				tasks[i].Recurrence = &model.Recurrence{Type: model.Daily, Time: "08:00", TimeZone: "Asia/Jerusalem"}
			case 1, 2, 3:
				tasks[i].DueAt = benchNow.Add(time.Duration(i-count/2) * time.Hour)
				tasks[i].Reminder = 30 * time.Minute
				tasks[i].NextReminderAt = tasks[i].DueAt.Add(-30 * time.Minute)
			}
			if i%7 == 0 {
				tasks[i].CompletedAt = benchNow
			}
		}
		if err := s.Write(b.Context(), user, func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, tasks) }); err != nil {
			b.Fatal(err)
		}
		return tasks
	}
	for i := range 100 {
		user := model.UserIDOf(fmt.Sprint("user ", i))
		few = append(few, user)
		fill(user, 200)
	}
	many = model.UserIDOf("many")
	for _, task := range fill(many, 1200) {
		ids = append(ids, task.ID)
	}
	execute(b, s, "VACUUM ANALYZE")
	return s, few, many, ids
}

func listOf50(user int, few []model.UserID) (model.UserID, store.TaskQuery) {
	return few[user%len(few)], store.TaskQuery{
		Where: store.TaskWhere{Completed: new(false)}, Columns: store.TaskRow,
		Order: model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending}, Page: &store.Window[store.TaskPlace]{Limit: 50},
	}
}

func board() store.TaskQuery {
	return store.TaskQuery{
		Where: store.TaskWhere{Completed: new(false)}, Order: model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending},
		Board: &store.BoardQuery{
			Now: benchNow, Tomorrow: benchNow.Add(12 * time.Hour), Counts: true, Columns: store.TaskRow,
			First: map[model.TaskBucket]int{model.BucketRecurring: 10, model.BucketNoDueDate: 10, model.BucketOverdue: 10, model.BucketToday: 10, model.BucketUpcoming: 10},
		},
	}
}

func BenchmarkList50(b *testing.B) {
	s, few, _, _ := benchStore(b)
	b.ReportAllocs()
	b.Run("1 at a time", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			user, query := listOf50(i, few)
			if page, err := s.Tasks(b.Context(), user, query); err != nil || len(page.Tasks) != 50 {
				b.Fatal(len(page.Tasks), err)
			}
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				user, query := listOf50(i, few)
				if _, err := s.Tasks(b.Context(), user, query); err != nil {
					b.Error(err)
				}
			}
		})
	})
	b.Run("with total", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			user, query := listOf50(i, few)
			query.Total = true
			if _, err := s.Tasks(b.Context(), user, query); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("with subtasks and history", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			user, query := listOf50(i, few)
			query.Columns |= store.TaskSubtasks | store.TaskCompletions
			if _, err := s.Tasks(b.Context(), user, query); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkByID(b *testing.B) {
	s, _, many, ids := benchStore(b)
	b.ReportAllocs()
	b.Run("one", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if tasks, err := s.TasksByID(b.Context(), many, ids[i%len(ids):][:1], store.TaskRow); err != nil || len(tasks) != 1 {
				b.Fatal(tasks, err)
			}
		}
	})
	b.Run("100", func(b *testing.B) {
		for b.Loop() {
			if tasks, err := s.TasksByID(b.Context(), many, ids[:100], store.TaskRow); err != nil || len(tasks) != 100 {
				b.Fatal(tasks, err)
			}
		}
	})
}

func BenchmarkBoard(b *testing.B) {
	s, _, many, _ := benchStore(b)
	b.ReportAllocs()
	b.Run("1200 tasks, counts and 10 of each", func(b *testing.B) {
		for b.Loop() {
			if page, err := s.Tasks(b.Context(), many, board()); err != nil || len(page.Board.Rows) != 5 {
				b.Fatal(page.Board, err)
			}
		}
	})
	b.Run("1200 tasks, counts alone", func(b *testing.B) {
		query := board()
		query.Board.First = nil
		for b.Loop() {
			if _, err := s.Tasks(b.Context(), many, query); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkInsert(b *testing.B) {
	s, few, _, _ := benchStore(b)
	generator := clock.NewIDs(time.Now, rand.Reader)
	insert := func(b *testing.B, user model.UserID, count int) {
		tasks := make([]model.Task, count)
		for i := range tasks {
			tasks[i] = model.Task{ID: generator.New(), Text: "A new task", DueAt: benchNow, CreatedAt: benchNow, UpdatedAt: benchNow}
		}
		if err := s.Write(b.Context(), user, func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, tasks) }); err != nil {
			b.Error(err)
		}
	}
	b.ReportAllocs()
	b.Run("one", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			insert(b, few[i%len(few)], 1)
		}
	})
	b.Run("one, parallel", func(b *testing.B) {
		b.SetParallelism(8)
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				insert(b, few[i%len(few)], 1)
			}
		})
	})
	b.Run("200", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			insert(b, few[i%len(few)], 200)
		}
	})
}

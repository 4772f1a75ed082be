package postgres_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/graph/model"
	"almanac/internal/teststore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestWritersOfOneUserInManyProcesses: a reader that follows the log of one user, whom several processes write for,
// sees every number once, in order and without a gap, however its reading falls among the commits; numbers of writes
// that failed are not lost.
func TestWritersOfOneUserInManyProcesses(t *testing.T) {
	url := teststore.NewPostgres(t)
	const processes, writers, each = 3, 3, 20
	reader := open(t, postgres.Options{URL: url})
	var writing sync.WaitGroup
	for range processes {
		s := open(t, postgres.Options{URL: url, MaxConns: 2})
		for range writers {
			writing.Go(func() {
				failed := errors.New("failed")
				for i := range each {
					one, two := newTask("one"), newTask("two")
					err := s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
						if err := tx.InsertTasks(ctx, []model.Task{one, two}); err != nil {
							return err
						}
						if i%4 == 3 {
							return failed
						}
						return nil
					})
					if (i%4 == 3) != errors.Is(err, failed) {
						t.Errorf("Write: %v", err)
					}
				}
			})
		}
	}
	const want = processes * writers * each * 3 / 4 * 2
	var next int64 = 1
	for done := false; next <= want; {
		changes, err := reader.Changes(t.Context(), dana, next-1, nil, 5)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range changes {
			if change.Seq != next {
				t.Fatalf("number %d came where %d was to come", change.Seq, next)
			}
			next++
		}
		if len(changes) == 0 && done {
			t.Fatalf("the log ends at %d, want %d", next-1, want)
		}
		if len(changes) == 0 {
			head, err := reader.ChangeHead(t.Context(), dana)
			if err != nil {
				t.Fatal(err)
			}
			done = head == want && head < next
		}
	}
	writing.Wait()
}

// TestAPageIsOfOneMoment: the page, the total, the counts and the rows of the board agree although tasks come and go.
func TestAPageIsOfOneMoment(t *testing.T) {
	s := open(t, postgres.Options{URL: teststore.NewPostgres(t)})
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	writing.Go(func() {
		var there []model.UUID
		for i := 0; ctx.Err() == nil; i++ {
			err := s.Write(ctx, dana, func(ctx context.Context, tx store.Tx) error {
				if len(there) > 20 {
					_, err := tx.DeleteTasks(ctx, there)
					there = nil
					return err
				}
				task := newTask("x")
				there = append(there, task.ID)
				return tx.InsertTasks(ctx, []model.Task{task})
			})
			if err != nil && ctx.Err() == nil {
				t.Errorf("Write: %v", err)
			}
		}
	})
	everything := map[model.TaskBucket]int{model.BucketNoDueDate: 1000}
	for range 200 {
		query := store.TaskQuery{
			Page: &store.Window[store.TaskPlace]{Limit: 1000}, Total: true,
			Board: &store.BoardQuery{First: everything},
		}
		page, err := s.Tasks(t.Context(), dana, query)
		if err != nil {
			t.Fatal(err)
		}
		if rows := len(page.Board.Rows[model.BucketNoDueDate]); len(page.Tasks) != page.Total || rows != page.Total {
			t.Fatalf("the page has %d tasks, the total is %d, the board shows %d", len(page.Tasks), page.Total, rows)
		}
	}
	stop()
	writing.Wait()
}

// TestABusyUserDoesNotKeepOthersOut: however many writes of one user wait, they hold one connection.
func TestABusyUserDoesNotKeepOthersOut(t *testing.T) {
	s := open(t, postgres.Options{URL: teststore.NewPostgres(t), MaxConns: 2})
	inside, leave := make(chan struct{}), make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		err := s.Write(t.Context(), dana, func(context.Context, store.Tx) error {
			close(inside)
			<-leave
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-inside
	ctx, cancel := context.WithCancel(t.Context())
	for range 20 {
		writing.Go(func() {
			if err := insert(ctx, s, dana, newTask("waits")); !errors.Is(err, context.Canceled) {
				t.Errorf("a write that waited in vain: %v", err)
			}
		})
	}
	for s.Waiting(dana) < 21 {
		if err := insert(t.Context(), s, model.UserIDOf("other"), newTask("goes ahead")); err != nil {
			t.Fatal(err)
		}
	}
	if err := insert(t.Context(), s, model.UserIDOf("other"), newTask("goes ahead")); err != nil {
		t.Fatal(err)
	}
	cancel()
	close(leave)
	writing.Wait()
	if left := s.Waiting(dana); left != 0 {
		t.Errorf("%d are still in the queue", left)
	}
}

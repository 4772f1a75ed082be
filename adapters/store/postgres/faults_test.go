package postgres_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/teststore"
)

var dana = model.UserIDOf("dana")

var ids = clock.NewIDs(time.Now, rand.Reader)

func newTask(text string) model.Task {
	now := time.Now()
	return model.Task{ID: ids.New(), Text: text, CreatedAt: now, UpdatedAt: now}
}

func insert(ctx context.Context, s store.Store, user model.UserID, tasks ...model.Task) error {
	return s.Write(ctx, user, func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, tasks) })
}

func isThere(t *testing.T, s store.Store, user model.UserID, task model.Task) bool {
	t.Helper()
	found, err := s.TasksByID(t.Context(), user, []model.UUID{task.ID}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return len(found) == 1
}

func TestAServerThatCannotBeReachedIsUnavailable(t *testing.T) {
	p, through := newProxy(t, teststore.NewPostgres(t))
	p.stop()
	_, err := postgres.Open(t.Context(), postgres.Options{URL: through})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Open: %v", err)
	}
	if strings.Contains(fmt.Sprint(err), "@") {
		t.Errorf("the error shows the URL: %v", err)
	}
}

func TestAnURLThatCannotBeReadIsNotRepeated(t *testing.T) {
	for _, url := range []string{"postgres://u:hunter2@host:port/x", "postgres://u:hunt%er2@host/x",
		"host=x password=hunter2 port=y", "postgres://u:hunter2@h/x?sslmode=what"} {
		for _, options := range []postgres.Options{{URL: url}, {URL: teststore.NewPostgres(t), ListenURL: url}} {
			_, err := postgres.Open(t.Context(), options)
			if err == nil || strings.Contains(err.Error(), "hunt") {
				t.Errorf("%s: %v", url, err)
			}
		}
	}
}

// TestARestartIsSurvived cuts all connections, idle ones and one in a transaction, and refuses new ones for a while.
func TestARestartIsSurvived(t *testing.T) {
	for _, pooler := range []bool{false, true} {
		t.Run(fmt.Sprintf("pooler=%v", pooler), func(t *testing.T) {
			p, through := newProxy(t, teststore.NewPostgres(t))
			s := open(t, postgres.Options{URL: through, MaxConns: 6, Pooler: pooler})
			before, during, after := newTask("before"), newTask("during"), newTask("after")
			warm := make(chan struct{})
			results := make(chan error)
			for range 5 { // several connections, all of which are idle when the server goes
				go func() {
					<-warm
					_, err := s.ChangeHead(t.Context(), dana)
					results <- err
				}()
			}
			close(warm)
			for range 5 {
				if err := <-results; err != nil {
					t.Fatal(err)
				}
			}
			if err := insert(t.Context(), s, dana, before); err != nil {
				t.Fatal(err)
			}
			err := s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
				if err := tx.InsertTasks(ctx, []model.Task{during}); err != nil {
					return err
				}
				p.stop()
				// The function does not look at its errors; the transaction must.
				_, _ = tx.TasksByID(ctx, dana, []model.UUID{during.ID}, 0)
				return nil
			})
			if !errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrOutcomeUnknown) {
				t.Errorf("a transaction whose server went away: %v", err)
			}
			for what, call := range map[string]func() error{
				"read":  func() error { _, err := s.ChangeHead(t.Context(), dana); return err },
				"write": func() error { return insert(t.Context(), s, dana, newTask("not now")) },
				"ready": func() error { return s.Ready(t.Context()) },
			} {
				if err := call(); !errors.Is(err, store.ErrUnavailable) {
					t.Errorf("%s while the server is away: %v", what, err)
				}
			}
			p.start()
			// The very first calls succeed.
			if err := insert(t.Context(), s, dana, after); err != nil {
				t.Errorf("the first write: %v", err)
			}
			if err := s.Ready(t.Context()); err != nil {
				t.Errorf("Ready: %v", err)
			}
			if !isThere(t, s, dana, before) || isThere(t, s, dana, during) || !isThere(t, s, dana, after) {
				t.Error("the tasks that are there are not those that were acknowledged")
			}
			if head, err := s.ChangeHead(t.Context(), dana); err != nil || head != 2 {
				t.Errorf("head %d, %v", head, err)
			}
		})
	}
}

// TestConnectionsThatEndedMeanwhileAreNotNoticed: the server ended every idle connection; the next calls simply work.
func TestConnectionsThatEndedMeanwhileAreNotNoticed(t *testing.T) {
	url := teststore.NewPostgres(t)
	s, other := open(t, postgres.Options{URL: url, MaxConns: 4}), open(t, postgres.Options{URL: url, MaxConns: 1})
	terminate := func() {
		t.Helper()
		execute(t, other,
			"SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "+
				"pg_backend_pid()")
	}
	for what, call := range map[string]func() error{
		"read": func() error { _, err := s.ChangeHead(t.Context(), dana); return err },
		"batch": func() error {
			_, err := s.EnsureUser(t.Context(), model.User{ID: model.UserIDOf(rand.Text())})
			return err
		},
		"transaction": func() error { return insert(t.Context(), s, dana, newTask("x")) },
	} {
		if err := call(); err != nil {
			t.Fatal(err)
		}
		terminate()
		if err := call(); err != nil {
			t.Errorf("%s on a connection that had ended: %v", what, err)
		}
	}
}

// TestACommitWhoseOutcomeIsUnknownSaysSo loses the connection at the commit, once before and once after the server got
// it. The caller cannot tell the two apart; the idempotency key can.
func TestACommitWhoseOutcomeIsUnknownSaysSo(t *testing.T) {
	for _, reached := range []bool{false, true} {
		t.Run(fmt.Sprintf("reached=%v", reached), func(t *testing.T) {
			p, through := newProxy(t, teststore.NewPostgres(t))
			s := open(t, postgres.Options{URL: through, Pooler: true, MaxConns: 1}) // every statement's text is sent
			// The first time, the text is sent ahead to have it described.
			if err := insert(t.Context(), s, model.UserIDOf("another"), newTask("warm")); err != nil {
				t.Fatal(err)
			}
			task := newTask("once")
			call := model.IdempotentCall{Key: "key", Fingerprint: [32]byte{1}}
			runs := 0
			once := func() (string, bool, error) {
				answer, replayed, err := s.Once(t.Context(), dana, call, func(ctx context.Context) ([]byte, error) {
					runs++
					return []byte("done"), insert(ctx, s, dana, task)
				})
				return string(answer), replayed, err
			}
			p.cutAt("COMMIT", reached)
			_, _, err := once()
			if !errors.Is(err, store.ErrOutcomeUnknown) || !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("got %v, want an unknown outcome", err)
			}
			if got := isThere(t, s, dana, task); got != reached {
				t.Errorf("the task is there: %v, want %v", got, reached)
			}
			answer, replayed, err := once()
			if err != nil || answer != "done" || replayed != reached {
				t.Errorf("again: %q, replayed %v, %v", answer, replayed, err)
			}
			if !isThere(t, s, dana, task) {
				t.Error("the task is not there")
			}
			if head, err := s.ChangeHead(t.Context(), dana); err != nil || head != 1 {
				t.Errorf("head %d, %v, want one change", head, err)
			}
			if want := map[bool]int{false: 2, true: 1}[reached]; runs != want {
				t.Errorf("the function ran %d times, want %d", runs, want)
			}
		})
	}
}

func TestASessionEndedInATransaction(t *testing.T) {
	url := teststore.NewPostgres(t)
	s, other := open(t, postgres.Options{URL: url}), open(t, postgres.Options{URL: url})
	task := newTask("x")
	err := s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
		if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
			return err
		}
		execute(t, other,
			"SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE datname = current_database() AND state "+
				"= 'idle in transaction'")
		return tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{task})
	})
	if !errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrOutcomeUnknown) {
		t.Errorf("got %v", err)
	}
	if isThere(t, s, dana, task) {
		t.Error("the task is there")
	}
	// At the commit itself, the server says that it ended the session before it did anything.
	err = s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
		if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
			return err
		}
		execute(t, other,
			"SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE datname = current_database() AND state "+
				"= 'idle in transaction'")
		return nil
	})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("at the commit: %v", err)
	}
	if isThere(t, s, dana, task) {
		t.Error("the task is there")
	}
}

// tooLong returns a list whose name the server refuses: no index row can hold its key.
func tooLong() model.List {
	var name strings.Builder
	for range 500 {
		name.WriteString(rand.Text())
	}
	return model.List{ID: ids.New(), Name: name.String(), CreatedAt: time.Now(), UpdatedAt: time.Now()}
}

// TestAFailedStatement: what the server itself refuses spoils the savepoint it was in, and no more; without one, the
// whole.
func TestAFailedStatement(t *testing.T) {
	s := open(t, postgres.Options{URL: teststore.NewPostgres(t)})
	first, second, third := newTask("first"), newTask("second"), newTask("third")
	err := s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
		if err := tx.InsertTasks(ctx, []model.Task{first}); err != nil {
			return err
		}
		err := s.Write(ctx, dana, func(ctx context.Context, tx store.Tx) error {
			if err := tx.InsertTasks(ctx, []model.Task{second}); err != nil {
				return err
			}
			return tx.InsertList(ctx, tooLong())
		})
		if err == nil {
			t.Error("a list with an endless name was inserted")
		}
		// Also when nobody looks at the error.
		err = s.Write(ctx, dana, func(ctx context.Context, tx store.Tx) error {
			_ = tx.InsertTasks(ctx, []model.Task{second})
			_ = tx.InsertList(ctx, tooLong())
			return nil
		})
		if err == nil {
			t.Error("a nested write whose statement failed was kept")
		}
		return tx.InsertTasks(ctx, []model.Task{third})
	})
	if err != nil {
		t.Errorf("the outer write: %v", err)
	}
	if !isThere(t, s, dana, first) || isThere(t, s, dana, second) || !isThere(t, s, dana, third) {
		t.Error("not the right tasks are there")
	}
	if head, err := s.ChangeHead(t.Context(), dana); err != nil || head != 2 {
		t.Errorf("head %d, %v", head, err)
	}
	err = s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
		_ = tx.InsertTasks(ctx, []model.Task{second})
		_ = tx.InsertList(ctx, tooLong())
		return nil
	})
	if err == nil || isThere(t, s, dana, second) {
		t.Errorf("a write whose statement failed was committed: %v", err)
	}
	// The log read inside of a savepoint is stored there; undoing the savepoint must not lose what came before.
	err = s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
		if err := tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{first}); err != nil {
			return err
		}
		failed := errors.New("failed")
		err := s.Write(ctx, dana, func(ctx context.Context, tx store.Tx) error {
			if err := tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{third}); err != nil {
				return err
			}
			changes, err := s.Changes(ctx, dana, 0, nil, 100)
			if err != nil || len(changes) != 4 {
				t.Errorf("the log inside: %v, %v", changes, err)
			}
			return failed
		})
		if !errors.Is(err, failed) {
			t.Errorf("nested: %v", err)
		}
		changes, err := s.Changes(ctx, dana, 0, nil, 100)
		if err != nil || len(changes) != 3 {
			t.Errorf("the log after the savepoint: %v, %v", changes, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	changes, err := s.Changes(t.Context(), dana, 0, nil, 100)
	if err != nil || len(changes) != 3 || changes[2].ID != first.ID || changes[2].Seq != 3 {
		t.Errorf("the log: %v, %v", changes, err)
	}
}

// TestASchemaChangedUnderPreparedStatements: a statement prepared before another process migrated is prepared again.
func TestASchemaChangedUnderPreparedStatements(t *testing.T) {
	s := open(t, postgres.Options{URL: teststore.NewPostgres(t), MaxConns: 1})
	task := newTask("x")
	if err := insert(t.Context(), s, dana, task); err != nil {
		t.Fatal(err)
	}
	read := func() error {
		_, err := s.TasksByID(t.Context(), dana, []model.UUID{task.ID}, store.TaskText)
		return err
	}
	if err := read(); err != nil {
		t.Fatal(err)
	}
	execute(t, s, "ALTER TABLE tasks ALTER COLUMN text TYPE varchar")
	if err := read(); err != nil {
		t.Errorf("after the column's type changed: %v", err)
	}
}

func TestACancelledReadLeavesTheStoreUsable(t *testing.T) {
	s := open(t, postgres.Options{URL: teststore.NewPostgres(t), MaxConns: 2})
	for i := range 20 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*200*time.Microsecond)
		_, err := s.Tasks(ctx, dana, store.TaskQuery{Page: &store.Window[store.TaskPlace]{Limit: math.MaxInt32}, Total: true})
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("cancelled: %v", err)
		}
	}
	if err := insert(t.Context(), s, dana, newTask("x")); err != nil {
		t.Error(err)
	}
}

// TestAGivenUpReadInATransaction: a part of a request may give up before its statement is sent; the transaction goes
// on.
func TestAGivenUpReadInATransaction(t *testing.T) {
	s := open(t, postgres.Options{URL: teststore.NewPostgres(t)})
	task := newTask("x")
	err := s.Write(t.Context(), dana, func(ctx context.Context, _ store.Tx) error {
		return s.Write(ctx, dana, func(ctx context.Context, tx store.Tx) error {
			given, up := context.WithCancel(ctx)
			up()
			if _, err := tx.TasksByID(given, dana, []model.UUID{task.ID}, 0); !errors.Is(err, context.Canceled) {
				t.Errorf("the read: %v", err)
			}
			return tx.InsertTasks(ctx, []model.Task{task})
		})
	})
	if err != nil || !isThere(t, s, dana, task) {
		t.Errorf("the write: %v", err)
	}
}

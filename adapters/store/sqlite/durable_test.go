package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// TestOneFlushForAllWhoWait: who comes while a flush runs is not served by it, since it may have missed what he has
// written; but all who came meanwhile are served by the next one together.
func TestOneFlushForAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFlusher("")
		began, goOn := make(chan int, 10), make(chan struct{})
		flushes := 0
		f.sync = func() error {
			flushes++
			began <- flushes
			<-goOn
			return nil
		}
		var wait sync.WaitGroup
		done := 0
		var mu sync.Mutex
		come := func(n int) {
			for range n {
				wait.Go(func() {
					if err := f.flush(); err != nil {
						t.Error(err)
					}
					mu.Lock()
					done++
					mu.Unlock()
				})
			}
			synctest.Wait()
		}
		served := func(want int) {
			t.Helper()
			mu.Lock()
			defer mu.Unlock()
			if done != want {
				t.Errorf("%d are served, want %d", done, want)
			}
		}
		come(1)
		come(7)
		served(0)
		goOn <- struct{}{}
		synctest.Wait()
		served(1)
		come(3)
		goOn <- struct{}{}
		synctest.Wait()
		served(8)
		goOn <- struct{}{}
		wait.Wait()
		served(11)
		if flushes != 3 {
			t.Errorf("%d flushes for 11 writers", flushes)
		}
	})
}

// TestAFailedFlushStopsTheStore: after the disk has failed once, the system may have dropped pages and report success,
// so nothing more may be acknowledged.
func TestAFailedFlushStopsTheStore(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "disk.db"))
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the disk is on fire")
	s.durable.sync = func() error { return broken }
	user := model.UserIDOf("x")
	write := func() error {
		return s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
			return tx.SaveSettings(ctx, model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday})
		})
	}
	if err := write(); !errors.Is(err, broken) || !strings.Contains(err.Error(), "may be lost") ||
		errors.Is(err, store.ErrUnavailable) {
		t.Errorf("the write whose flush failed: %v", err)
	}
	s.durable.sync = func() error { return nil }
	if err := write(); !errors.Is(err, store.ErrUnavailable) || !errors.Is(err, broken) {
		t.Errorf("the next one: %v", err)
	}
	if err := s.Ready(t.Context()); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Ready: %v", err)
	}
	if _, err := s.User(t.Context(), user); err != nil {
		t.Errorf("reading goes on: %v", err)
	}
}

// endless runs until it is interrupted.
const endless = `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c`

func TestAContextEndsALongRead(t *testing.T) {
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "long.db"), Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, moment := range []inOneMoment{oneStatement, oneTransaction} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		err := s.reading(ctx, moment, func(q *session) error { return q.readSQL(endless, nil) })
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v: %v", moment, err)
		}
		// The one connection that there is works again, and stands in no old transaction.
		if err := s.Ready(t.Context()); err != nil {
			t.Errorf("%v: afterwards: %v", moment, err)
		}
	}
	// Waiting for the connection ends with the context too.
	err = s.reading(t.Context(), oneStatement, func(*session) error {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		_, err := s.User(ctx, model.UserIDOf("x"))
		return err
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting: %v", err)
	}
}

// TestAContextThatEndsAtTheEnd: a context that ends while a transaction is being ended leaves its connection in none,
// and the connection works.
func TestAContextThatEndsAtTheEnd(t *testing.T) {
	c, err := openConn(filepath.Join(t.TempDir(), "end.db"), sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.close() }()
	for i := range 50_000 {
		if err := c.run("BEGIN", nil, nil); err != nil {
			t.Fatalf("after %d: %v", i, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		release := c.until(ctx)
		go cancel()
		if err := c.rollback(); err != nil || !c.AutocommitEnabled() {
			t.Fatalf("after %d: %v", i, err)
		}
		<-ctx.Done()
		release()
	}
}

// TestAContextEndsALongWrite: SQLite undoes a whole transaction when it interrupts a write. What is called after that
// must not run outside of it.
func TestAContextEndsALongWrite(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "long.db"))
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	user := model.UserIDOf("x")
	task := func(n byte) []model.Task {
		return []model.Task{{ID: model.UUID{n}, Text: "x", CreatedAt: time.Unix(1, 0), UpdatedAt: time.Unix(1, 0)}}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err := s.Write(ctx, user, func(inner context.Context, tx store.Tx) error {
		if err := tx.InsertTasks(inner, task(1)); err != nil {
			return err
		}
		err := s.Write(inner, user, func(_ context.Context, nested store.Tx) error {
			return nested.(*frame).do(t.Context(), func(q *session) error {
				_, err := q.write(`INSERT INTO secrets (name, value) SELECT 'x', n FROM (` +
					endless[:len(endless)-len("SELECT count(*) FROM c")] + `SELECT max(n) AS n FROM c)`)
				return err
			})
		})
		if err == nil {
			t.Error("the endless write came to an end")
		}
		if err := tx.InsertTasks(t.Context(), task(2)); err == nil {
			t.Error("a write went on after the transaction was undone")
		}
		if _, err := tx.TasksByID(t.Context(), user, []model.UUID{{1}}, 0); err == nil {
			t.Error("a read went on after the transaction was undone")
		}
		return nil
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Write: %v", err)
	}
	tasks, err := s.TasksByID(t.Context(), user, []model.UUID{{1}, {2}}, 0)
	if err != nil || len(tasks) != 0 {
		t.Errorf("%d tasks are there: %v", len(tasks), err)
	}
	if err := s.Write(t.Context(), user,
		func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, task(3)) }); err != nil {
		t.Errorf("the next write: %v", err)
	}
}

// TestAnotherProcessIsHeard: a command beside the server writes to the same file; whoever watches hears of it, and
// again of each later write.
func TestAnotherProcessIsHeard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.db")
	server, err := Open(t.Context(), Options{Path: path, WatchInterval: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	if err := server.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	command := openAt(t, path)
	user := model.UserIDOf("x")
	signals, stop := server.Watch(user)
	for n := range 3 {
		if err := command.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
			return tx.SaveSettings(ctx, model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday})
		}); err != nil {
			t.Fatal(err)
		}
		select {
		case <-signals:
		case <-time.After(20 * time.Second):
			t.Fatalf("write %d was not heard of", n)
		}
	}
	stop()
	server.hub.mu.Lock()
	polling := server.hub.polling
	server.hub.mu.Unlock()
	if polling != nil {
		t.Error("the file is looked at although nobody watches")
	}
}

func TestAClosedStoreSaysSo(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "closed.db"))
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, stop := s.Watch(model.UserIDOf("x"))
	defer stop()
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	_, readErr := s.User(t.Context(), model.UserIDOf("x"))
	writeErr := s.Write(t.Context(), model.UserIDOf("x"), func(context.Context, store.Tx) error { return nil })
	if !errors.Is(readErr, store.ErrUnavailable) || !errors.Is(writeErr, store.ErrUnavailable) {
		t.Errorf("read: %v; write: %v", readErr, writeErr)
	}
	// The log was written back: what is left is one file.
	left, err := filepath.Glob(filepath.Dir(s.path) + "/*")
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

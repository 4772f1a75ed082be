package sqlite_test

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	zombie "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"almanac/adapters/store"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
)

// crashPath names the database in the process that is to be killed.
const crashPath = "ALMANAC_TEST_CRASH_PATH"

func TestMain(m *testing.M) {
	if path := os.Getenv(crashPath); path != "" {
		fmt.Fprintln(os.Stderr, writeUntilKilled(path))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// writeUntilKilled writes from many goroutines, each write a task under an idempotency key, and prints the task's id
// when the write was acknowledged.
func writeUntilKilled(path string) error {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	if err == nil {
		err = s.Migrate(ctx)
	}
	if err != nil {
		return err
	}
	var out sync.Mutex
	failed := make(chan error)
	for worker := range 8 {
		go func() {
			user := model.UserIDOf(fmt.Sprint("crash ", worker%3))
			for i := 0; ; i++ {
				task := model.Task{ID: model.UUID{byte(worker), byte(i >> 16), byte(i >> 8), byte(i)},
					Text: strings.Repeat("acknowledged ", 20), CreatedAt: time.Unix(1e9, 0), UpdatedAt: time.Unix(1e9, 0)}
				call := model.IdempotentCall{Key: hex.EncodeToString(task.ID[:])}
				_, _, err := s.Once(ctx, user, call, func(ctx context.Context) ([]byte, error) {
					return task.ID[:], s.Write(ctx, user,
						func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, []model.Task{task}) })
				})
				if err != nil {
					failed <- err
				}
				out.Lock()
				fmt.Println(call.Key)
				out.Unlock()
			}
		}()
	}
	return <-failed
}

// TestKilledWhileWriting kills a process in the middle of its writes, several times over on one database. Every write
// that was acknowledged must be there, whole, and a key that was used must not be used again.
func TestKilledWhileWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crash.db")
	acknowledged := map[string]bool{}
	for round := range 3 {
		before := len(acknowledged)
		killAfter(t, path, 200+150*round, acknowledged)
		if len(acknowledged) < before+200 && round == 0 {
			t.Fatalf("only %d writes were acknowledged", len(acknowledged)-before)
		}
		checkSurvivors(t, path, acknowledged)
	}
}

// killAfter runs the writing process until it has acknowledged some writes, and then ends it without warning.
func killAfter(t *testing.T, path string, writes int, acknowledged map[string]bool) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), self)
	child.Env = append(os.Environ(), crashPath+"="+path)
	var stderr strings.Builder
	child.Stderr = &stderr
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if len(lines.Text()) == 32 { // the last line may be cut short
			acknowledged[lines.Text()] = true
		}
		if writes--; writes == 0 {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); writes > 0 {
		t.Fatalf("the process ended by itself: %v: %s", err, stderr.String())
	}
}

func checkSurvivors(t *testing.T, path string, acknowledged map[string]bool) {
	t.Helper()
	ctx := t.Context()
	s, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := errors.Join(s.Migrate(ctx), s.Ready(ctx)); err != nil {
		t.Fatal(err)
	}
	there := 0
	for key := range acknowledged {
		raw, err := hex.DecodeString(key)
		if err != nil {
			t.Fatal(err)
		}
		id := model.UUID(raw)
		user := model.UserIDOf(fmt.Sprint("crash ", id[0]%3))
		tasks, err := s.TasksByID(ctx, user, []model.UUID{id}, store.TaskText)
		if err != nil || len(tasks) != 1 {
			t.Fatalf("an acknowledged task is not there: %v", err)
		}
		_, replayed, err := s.Once(ctx, user, model.IdempotentCall{Key: key}, func(context.Context) ([]byte, error) {
			return nil, errors.New("a key that was used ran again")
		})
		if err != nil || !replayed {
			t.Fatalf("replayed %v: %v", replayed, err)
		}
		there++
	}
	for worker := range 3 {
		user := model.UserIDOf(fmt.Sprint("crash ", worker))
		page, err := s.Tasks(ctx, user, store.TaskQuery{Total: true})
		head, headErr := s.ChangeHead(ctx, user)
		if err := errors.Join(err, headErr); err != nil {
			t.Fatal(err)
		}
		if int64(page.Total) != head {
			t.Errorf("%d tasks and %d changes: a write is there in part", page.Total, head)
		}
	}
	if err := integrity(path); err != nil {
		t.Error(err)
	}
	t.Logf("%d acknowledged writes are there", there)
}

// integrity has SQLite check the whole file.
func integrity(path string) error {
	c, err := zombie.OpenConn(path, zombie.OpenReadWrite)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	var found []string
	for _, check := range []string{"PRAGMA integrity_check", "PRAGMA foreign_key_check"} {
		err = errors.Join(err,
			sqlitex.ExecuteTransient(c, check, &sqlitex.ExecOptions{ResultFunc: func(stmt *zombie.Stmt) error {
				if stmt.ColumnText(0) != "ok" {
					found = append(found, stmt.ColumnText(0))
				}
				return nil
			}}))
	}
	if len(found) > 0 {
		err = errors.Join(err, fmt.Errorf("%v", found))
	}
	return err
}

package app_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/app"
	"almanac/internal/config"
	"almanac/internal/pgtest"
)

// copies are the ways of backing a database up and putting it back in another place, by driver. back returns the flags
// of the restored database.
type copies struct {
	flags []string
	save  func(t *testing.T)
	back  func(t *testing.T) []string
}

func waysOfCopying(t *testing.T) map[string]copies {
	folder := t.TempDir()
	file, secret := filepath.Join(folder, "backup.age"), filepath.Join(folder, "passphrase")
	if err := os.WriteFile(secret, []byte("correct horse\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	lite := []string{"--data-dir=" + filepath.Join(folder, "one")}
	dump, url := filepath.Join(folder, "almanac.dump"), pgtest.URL(t)
	return map[string]copies{
		"sqlite": {lite, func(t *testing.T) {
			mustRun(t, append([]string{"backup", file, "--passphrase-file", secret}, lite...)...)
		}, func(t *testing.T) []string {
			to := []string{"--data-dir=" + filepath.Join(folder, "two")}
			mustRun(t, append([]string{"restore", file, "--passphrase-file", secret}, to...)...)
			return to
		}},
		"postgres": {[]string{"--database-url=" + url}, func(t *testing.T) {
			postgresProgram(t, "pg_dump", "--format=custom", "--file="+dump, url)
		}, func(t *testing.T) []string {
			other := pgtest.URL(t)
			postgresProgram(t, "pg_restore", "--no-owner", "--exit-on-error", "--dbname="+other, dump)
			mustRun(t, "restore", "--database-url="+other)
			return []string{"--database-url=" + other}
		}},
	}
}

// postgresProgram runs one of PostgreSQL's own programs.
func postgresProgram(t *testing.T, name string, args ...string) {
	t.Helper()
	folder, err := exec.CommandContext(t.Context(), "sh", "../../tools/postgres.sh", "programs").Output()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(strings.TrimSpace(string(folder)), name)
	if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// A server that is written to all the time is backed up, and what was acknowledged before is in the backup; the
// restored one answers the same, with the same ids and cursors, and a cursor of the change log that was given out after
// the backup is a conflict for good.
func TestARestoredServerAnswersTheSame(t *testing.T) {
	t.Parallel()
	for name, way := range waysOfCopying(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := start(t, append(way.flags, "--demo")...)
			var stop atomic.Bool
			var written atomic.Int64
			done := make(chan struct{})
			go func() {
				defer close(done)
				for i := 0; !stop.Load(); i++ {
					if _, err := first.send("POST", "/graphql", fmt.Appendf(nil,
						`{"query":"mutation { createList(input: { name: \"busy %d\" }) { list { id } } }"}`, i),
						"Content-Type", "application/json"); err == nil {
						written.Add(1)
					}
				}
			}()
			eventually(t, "writes go on", func() bool { return written.Load() > 20 })
			way.save(t)
			atBackup := written.Load()
			eventually(t, "writes go on during the backup", func() bool { return written.Load() > atBackup+20 })
			stop.Store(true)
			<-done
			const same = `{ tasks(first: 5, orderBy: { field: CREATED_AT }) {
				totalCount edges { cursor node { id text version createdAt } } pageInfo { endCursor } } memories(first: 3) { edges { cursor node { id content tags } } }
				changes(first: 10) { edges { cursor node { id nodeId operation } } } }`
			var log struct {
				Changes struct {
					Edges        []struct{ Cursor string }
					LatestCursor string
				}
			}
			before, _ := first.post(same, nil)
			first.mustAsk(`{ changes(first: 2) { edges { cursor } latestCursor } }`, nil, &log)
			if err := first.term(); err != nil {
				t.Fatal(err)
			}

			second := start(t, way.back(t)...)
			after, _ := second.post(same, nil)
			if !bytes.Equal(before.body, after.body) || !bytes.Contains(before.body, []byte(`"cursor"`)) {
				t.Errorf("before\n%s\nafter\n%s", before.body, after.body)
			}
			if n := countLists(second); n < 20 || n > int(written.Load()) {
				t.Errorf("%d lists of %d are in the backup", n, written.Load())
			}
			check := func(when, cursor string, want model.ErrorCode) {
				t.Helper()
				if r, a := second.post(`query ($after: String) { changes(first: 3, after: $after) { edges { cursor } } }`,
					map[string]any{"after": cursor}); a.code() != string(want) {
					t.Errorf("%s: a cursor gives %q, not %q: %s", when, a.code(), want, r.body)
				}
			}
			for _, when := range []string{"at first", "later"} {
				check(when, log.Changes.Edges[1].Cursor, "")
				check(when, log.Changes.LatestCursor, model.CodeConflict)
				for i := range 30 {
					second.mustAsk(fmt.Sprintf(`mutation { createList(input: { name: "new %s %d" }) { list { id } } }`, when, i), nil,
						new(any))
				}
			}
		})
	}
}

func countLists(p *process) int {
	var all struct{ Lists struct{ TotalCount int } }
	p.mustAsk(`{ lists { totalCount } }`, nil, &all)
	return all.Lists.TotalCount
}

// What was due while nobody looked waits until the owner lets it go: it may have been done after the backup.
func TestWhatIsDueWaitsAfterARestore(t *testing.T) {
	t.Parallel()
	for name, way := range waysOfCopying(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := start(t, append(way.flags, "--reminder-interval=off")...)
			first.mustAsk(`mutation ($due: DateTime!) { createTask(input: { text: "held", dueDate: $due, reminder: "PT1M" }) {
				task { id } } }`, map[string]any{"due": time.Now().Add(62 * time.Second).UTC().Format(time.RFC3339)}, new(any))
			way.save(t)
			if err := first.term(); err != nil {
				t.Fatal(err)
			}
			flags := way.back(t)
			later := func() time.Time { return time.Now().Add(time.Hour) }
			settings, err := config.Load(flags, nil)
			if err != nil {
				t.Fatal(err)
			}
			restored, err := app.OpenExisting(t.Context(), settings, slog.New(slog.DiscardHandler), later)
			if err != nil {
				t.Fatal(err)
			}
			if due, err := restored.DueReminders(t.Context(), later(), 10); err != nil || len(due) > 0 {
				t.Errorf("due although it is held: %v %v", due, err)
			}
			if err := restored.Close(); err != nil {
				t.Fatal(err)
			}
			second := start(t, append(flags, "--reminder-interval=1s")...)
			if !strings.Contains(second.log.String(), "almanac release") {
				t.Error("the log does not say that anything is held")
			}
			for _, want := range []string{"released: ", "nothing is held\n"} {
				if out := mustRun(t, append([]string{"release"}, flags...)...); !strings.HasPrefix(out, want) {
					t.Errorf("release says %q, not %q", out, want)
				}
			}
			eventually(t, "the reminder goes out", func() bool {
				var task struct {
					Tasks struct {
						Nodes []struct{ NextReminderAt *string }
					}
				}
				second.mustAsk(`{ tasks { nodes { nextReminderAt } } }`, nil, &task)
				return task.Tasks.Nodes[0].NextReminderAt == nil
			})
		})
	}
}

// Nothing is overwritten, and what is no backup, a damaged one or one of another passphrase leaves nothing behind.
func TestBackupsThatCannotBe(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) string {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path(name)
	}
	one := "--data-dir=" + path("one")
	refused := func(want string, args ...string) {
		t.Helper()
		if s := runCommand(t, nil, args...); s.code != 1 || s.out != "" || !strings.Contains(s.err, want) {
			t.Errorf("almanac %v: %d %q %q, want %q", args, s.code, s.out, s.err, want)
		}
	}
	refused("there is no database of Almanac", "backup", path("none"), one)
	mustRun(t, "migrate", one)
	mustRun(t, "seed", one)
	mustRun(t, "backup", path("plain"), one)
	secret, other := write("secret", "first"), write("other", "second")
	mustRun(t, "backup", path("sealed"), "--passphrase-file", secret, one)
	mustRun(t, "backup", "--keys=false", "--out", path("keyless"), one) // --out and --in mean the same as the word
	refused("file exists", "backup", path("plain"), one)
	refused("almanac backup FILE", "backup", one)
	refused("almanac restore FILE", "restore", one)
	refused("say the same thing twice", "backup", path("x"), "--out", path("x"), one)
	refused("say the same thing twice", "restore", "--in="+path("x"), path("x"), one)
	refused("one word is enough", "restore", path("x"), path("x"), one)
	refused("is empty", "backup", path("x"), "--passphrase-file", write("empty", "\n"), one)
	refused("PostgreSQL", "backup", path("x"), "--database-url=postgres://nowhere/x")
	refused("is there; stop the server", "restore", path("plain"), one)

	whole, err := os.ReadFile(path("plain"))
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := os.ReadFile(path("sealed"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(sealed, []byte("age-encryption.org/v1")) || bytes.Contains(sealed, []byte("SQLite format")) {
		t.Errorf("the sealed backup begins with %q", sealed[:40])
	}
	two := "--data-dir=" + path("two")
	refused("read the backup", "restore", write("text", "this is no database, whatever its name says"), two)
	refused("no database of Almanac", "restore", write("nothing", ""), two)
	refused("read the backup", "restore", write("half", string(whole[:len(whole)/2])), two)
	refused("read the backup", "restore", write("cut", string(sealed[:len(sealed)-100])), "--passphrase-file",
		secret, two)
	refused("read the backup", "restore", path("sealed"), "--passphrase-file", other, two)
	refused("read the backup", "restore", path("sealed"), two)
	refused("no such file", "restore", path("missing"), two)
	if left, err := os.ReadDir(path("two")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	mustRun(t, "restore", "--in", path("keyless"), two)
	if got := rowsOf(t, "secrets", []string{two}); strings.Contains(got, "sign") {
		t.Errorf("the backup without keys has %q", got)
	}
	if p := start(t, two); countTasks(p) == nil {
		t.Error("the restored server has no tasks")
	}
}

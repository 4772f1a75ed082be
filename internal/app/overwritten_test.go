//go:build linux

package app_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A database that something else writes over in place, without replacing the file, takes no more writes within a
// second; the server says so where owners look, goes on running, and the next start serves what lies there.
func TestAFileThatIsWrittenOverIsNoticed(t *testing.T) {
	t.Parallel()
	other := t.TempDir()
	p := start(t, "--data-dir="+other)
	if r, a := p.post(createTask, map[string]any{"text": "another database's"}); len(a.Errors) > 0 {
		t.Fatalf("%s", r.body)
	}
	if err := p.term(); err != nil {
		t.Fatal(err)
	}
	// over writes as cp and dd do.
	over := func(t *testing.T, name string, content []byte, at int64, flags int) {
		t.Helper()
		file, err := os.OpenFile(name, os.O_WRONLY|flags, 0) //nolint:gosec // the test's own file
		if err == nil {
			_, err = file.WriteAt(content, at)
			err = errors.Join(err, file.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	read := func(t *testing.T, name string) []byte {
		t.Helper()
		content, err := os.ReadFile(name) //nolint:gosec // the test's own file
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	for name, c := range map[string]struct {
		way func(t *testing.T, file string)
		// next is how many tasks the next start has; -1 where the file is of no use.
		next int
	}{
		"a backup": {func(t *testing.T, file string) { over(t, file, read(t, file+".backup"), 0, os.O_TRUNC) }, 1},
		"another database": {func(t *testing.T, file string) {
			over(t, file, read(t, filepath.Join(other, "almanac.db")), 0, os.O_TRUNC)
		}, 1},
		"another database, without the log": {func(t *testing.T, file string) {
			over(t, file, read(t, filepath.Join(other, "almanac.db")), 0, os.O_TRUNC)
			if err := errors.Join(os.Remove(file+"-wal"), os.Remove(file+"-shm")); err != nil {
				t.Fatal(err)
			}
		}, 1},
		"noise in its middle": {func(t *testing.T, file string) { over(t, file, make([]byte, 8<<12), 40<<12, 0) }, -1},
		"nothing":             {func(t *testing.T, file string) { over(t, file, nil, 0, os.O_TRUNC) }, -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags := []string{"--data-dir=" + t.TempDir()}
			file := filepath.Join(strings.TrimPrefix(flags[0], "--data-dir="), "almanac.db")
			p := start(t, flags...)
			if r, a := p.post(createTask, map[string]any{"text": "before"}); len(a.Errors) > 0 {
				t.Fatalf("%s", r.body)
			}
			mustRun(t, append([]string{"backup", file + ".backup"}, flags...)...)
			if r, a := p.post(createTask, map[string]any{"text": "after"}); len(a.Errors) > 0 {
				t.Fatalf("%s", r.body)
			}
			c.way(t, file)
			eventually(t, "the log to say so without a write", func() bool {
				return strings.Contains(p.log.String(), "the database's file is gone")
			})
			for what, document := range map[string]string{"a write": createTask, "a query": `{ tasks { totalCount } }`} {
				r, a := p.post(document, map[string]any{"text": "into nothing"})
				if a.code() != "UPSTREAM_UNAVAILABLE" || !strings.Contains(a.Errors[0].Message, "removed or replaced") {
					t.Errorf("%s: %d %s", what, r.status, r.body)
				}
			}
			for _, query := range []string{"", "?for=reads"} {
				if status, body := readiness(p, query); status != http.StatusServiceUnavailable ||
					body != `{"status":"unavailable","reason":"fileReplaced"}` {
					t.Errorf("/readyz%s: %d %s", query, status, body)
				}
			}
			if n := strings.Count(p.log.String(), "the database's file is gone"); n != 1 {
				t.Errorf("the log says it %d times", n)
			}
			_ = p.term() // it says that the file is gone
			if c.next < 0 {
				return
			}
			p = start(t, flags...)
			if n := len(countTasks(p)); n != c.next {
				t.Errorf("the next start has %d tasks, want %d", n, c.next)
			}
			if r, a := p.post(createTask, map[string]any{"text": "again"}); len(a.Errors) > 0 {
				t.Errorf("%s", r.body)
			}
		})
	}
}

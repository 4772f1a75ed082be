package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/pgtest"
	"almanac/internal/standin/disk"
)

// diskState names the file that says what the disk of a server's SQLite is like, in the server's environment.
const diskState = "E2E_DISK_STATE"

// setDisk says what the disk is like from now on.
func setDisk(t *testing.T, state string, is disk.State) {
	t.Helper()
	if err := disk.Set(state, is); err != nil {
		t.Fatal(err)
	}
}

// readiness returns the status and the body of /readyz.
func readiness(p *process, query string) (int, string) {
	p.t.Helper()
	r := p.mustSend(http.MethodGet, "/readyz"+query, nil)
	if (r.status == http.StatusServiceUnavailable) != (r.header.Get("Retry-After") != "") {
		p.t.Errorf("/readyz: %d with Retry-After %q", r.status, r.header.Get("Retry-After"))
	}
	return r.status, string(r.body)
}

// A disk that is full is called full: nothing is written, clients that repeat after 503 are not sent into a loop,
// reading goes on, and so does writing when there is room again, without a restart.
func TestAFullDiskStopsWritesAndNothingElse(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	url := pgtest.URL(t)
	for name, c := range map[string]struct {
		flags      []string
		full, room func(t *testing.T)
	}{
		"sqlite": {[]string{"--data-dir=" + t.TempDir()},
			func(t *testing.T) { setDisk(t, state, disk.Full) }, func(t *testing.T) { setDisk(t, state, disk.Fine) }},
		"postgres": {[]string{"--database-url=" + url},
			func(t *testing.T) { fillPostgres(t, url) }, func(t *testing.T) { execPostgres(t, url, disk.PostgresFine) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := spawn(t, []string{diskState + "=" + state}, c.flags...).await()
			if r, a := p.post(createTask, map[string]any{"text": "before"}); len(a.Errors) > 0 {
				t.Fatalf("%s", r.body)
			}
			if status, body := readiness(p, ""); status != http.StatusOK {
				t.Fatalf("/readyz: %d %s", status, body)
			}
			c.full(t)
			for range 3 {
				r, a := p.post(createTask, map[string]any{"text": "without a key"})
				if r.status != http.StatusOK || a.code() != "UPSTREAM_UNAVAILABLE" ||
					!strings.Contains(a.Errors[0].Message, "disk of the database is full") {
					t.Errorf("a mutation: %d %s", r.status, r.body)
				}
				r, a = p.post(createTask, map[string]any{"text": "with a key"}, "Idempotency-Key", "full")
				if r.status == http.StatusServiceUnavailable || a.code() != "UPSTREAM_UNAVAILABLE" ||
					!strings.Contains(a.Errors[0].Message, "disk of the database is full") {
					t.Errorf("a mutation with a key: %d %s", r.status, r.body)
				}
				if n := len(countTasks(p)); n != 1 {
					t.Errorf("%d tasks are read, want 1", n)
				}
			}
			if status, body := readiness(p, ""); status != http.StatusServiceUnavailable ||
				body != `{"status":"unavailable","reason":"diskFull"}` {
				t.Errorf("/readyz: %d %s", status, body)
			}
			if status, body := readiness(p, "?for=reads"); status != http.StatusOK ||
				body != `{"status":"readOnly","reason":"diskFull"}` {
				t.Errorf("/readyz?for=reads: %d %s", status, body)
			}
			eventually(t, "the log to say so",
				func() bool { return strings.Contains(p.log.String(), "disk of the database is full") })
			c.room(t)
			// Nobody writes; the server finds out by itself.
			eventually(t, "/readyz to tell that there is room", func() bool {
				status, _ := readiness(p, "")
				return status == http.StatusOK
			})
			for range 2 {
				if r, a := p.post(createTask, map[string]any{"text": "with a key"}, "Idempotency-Key", "full"); len(a.Errors) > 0 {
					t.Errorf("%s", r.body)
				}
			}
			if n := len(countTasks(p)); n != 2 {
				t.Errorf("%d tasks after the disk had room again, want 2", n)
			}
			if err := p.term(); err != nil {
				t.Errorf("%v\n%s", err, p.log)
			}
		})
	}
}

// A start on a full disk says so in one line, whether there is a database or not.
func TestAStartOnAFullDiskSaysSo(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	used := t.TempDir()
	if err := start(t, "--data-dir="+used).term(); err != nil {
		t.Fatal(err)
	}
	setDisk(t, state, disk.Full)
	url := pgtest.URL(t)
	if err := start(t, "--database-url="+url).term(); err != nil {
		t.Fatal(err)
	}
	execPostgres(t, url, `DELETE FROM secrets`) // which the next start makes anew
	fillPostgres(t, url)
	for name, flags := range map[string][]string{
		"no database": {"--data-dir=" + t.TempDir()}, "a database": {"--data-dir=" + used},
		"postgres": {"--database-url=" + url},
	} {
		p := spawn(t, []string{diskState + "=" + state}, flags...)
		if err := p.ended(); err == nil {
			t.Errorf("%s: the server ended without an error", name)
		}
		said := 0
		for line := range strings.Lines(p.log.String()) {
			if strings.HasPrefix(line, "{") { // of the log
				continue
			}
			said++
			if !strings.HasPrefix(line, "almanac: the disk of ") || !strings.Contains(line, "is full; make room") {
				t.Errorf("%s: %s", name, line)
			}
		}
		if said != 1 {
			t.Errorf("%s: it said %d lines:\n%s", name, said, p.log)
		}
	}
}

// A database file that is removed or replaced under a running server takes no more writes, at once and not at the next
// start; the server says so where owners look, what it has acknowledged can be read, and a file that is put back is
// written again.
func TestAFileThatIsGoneIsNoticed(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"", "-wal"} {
		for _, how := range []string{"removed", "replaced"} {
			t.Run(how+suffix, func(t *testing.T) {
				t.Parallel()
				folder := t.TempDir()
				p := start(t, "--data-dir="+folder)
				if r, a := p.post(createTask, map[string]any{"text": "before"}); len(a.Errors) > 0 {
					t.Fatalf("%s", r.body)
				}
				name := filepath.Join(folder, "almanac.db"+suffix)
				if err := os.Rename(name, name+".away"); err != nil {
					t.Fatal(err)
				}
				if how == "replaced" {
					content, err := os.ReadFile(name + ".away") //nolint:gosec // the test's own file
					if err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(name, content, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				for _, header := range [][]string{nil, {"Idempotency-Key", "gone"}} {
					r, a := p.post(createTask, map[string]any{"text": "into nothing"}, header...)
					if a.code() != "UPSTREAM_UNAVAILABLE" || !strings.Contains(a.Errors[0].Message, "removed or replaced") {
						t.Errorf("%v: %d %s", header, r.status, r.body)
					}
				}
				if status, body := readiness(p, ""); status != http.StatusServiceUnavailable ||
					body != `{"status":"unavailable","reason":"fileReplaced"}` {
					t.Errorf("/readyz: %d %s", status, body)
				}
				if n := len(countTasks(p)); n != 1 {
					t.Errorf("%d tasks are read, want 1", n)
				}
				eventually(t, "the log to say so without a write", func() bool {
					return strings.Contains(p.log.String(), "the database's file is gone")
				})
				if err := os.Rename(name+".away", name); err != nil {
					t.Fatal(err)
				}
				if r, a := p.post(createTask, map[string]any{"text": "after"}); len(a.Errors) > 0 {
					t.Errorf("%s", r.body)
				}
				if status, body := readiness(p, ""); status != http.StatusOK {
					t.Errorf("/readyz: %d %s", status, body)
				}
				if n := len(countTasks(p)); n != 2 {
					t.Errorf("%d tasks, want 2", n)
				}
			})
		}
	}
}

// What a token with WRITE alone reads is what docs/trust.md says: no query and no subscription, and in what it changes
// the records that it names.
func TestATokenWithWriteAloneReadsWhatItChanges(t *testing.T) {
	t.Parallel()
	flags := []string{"--data-dir=" + t.TempDir()}
	p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret}, flags...).await()
	token, _ := apiToken(t, flags, "--user", "writer", "--name", "writer", "--scopes", "WRITE")
	as := bearer(token)
	for _, text := range []string{"Pay the rent", "Pay the gardener"} {
		if r, a := p.post(createTask, map[string]any{"text": text}, as...); len(a.Errors) > 0 {
			t.Fatalf("%s", r.body)
		}
	}
	if r, a := p.post(`{ tasks { nodes { text } } }`, nil, as...); r.status != http.StatusForbidden ||
		a.code() != "FORBIDDEN" || strings.Contains(string(r.body), "rent") {
		t.Errorf("a query: %d %s", r.status, r.body)
	}
	r, a := p.post(`mutation { updateTask(input: { target: { match: { text: "pay" } }, set: { category: "x" } }) {
		task { text } confirmation { candidates { label } } } }`, nil, as...)
	if len(a.Errors) > 0 || !strings.Contains(string(r.body), "Pay the rent") ||
		!strings.Contains(string(r.body), "Pay the gardener") || !strings.Contains(string(a.Data), `"task":null`) {
		t.Errorf("a question: %d %s", r.status, r.body)
	}
	r, a = p.post(`mutation { updateTask(input: { target: { match: { text: "pay the rent" } }, set: { category: "x" } }) {
		task { text category } } }`, nil, as...)
	if len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"text":"Pay the rent"`) {
		t.Errorf("a payload: %d %s", r.status, r.body)
	}
}

// fillPostgres makes PostgreSQL refuse writes as it does on a full disk.
func fillPostgres(t *testing.T, url string) {
	t.Helper()
	for _, statement := range append(disk.PostgresSwitch(), disk.PostgresFull) {
		execPostgres(t, url, statement)
	}
}

func execPostgres(t *testing.T, url, sql string) {
	t.Helper()
	if _, err := dialPostgres(t, url).Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

//go:build bench

package main

import (
	"errors"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/bench/load"
	"almanac/internal/pgtest"
)

// smallWorld lays the data for a few users.
func smallWorld(t testing.TB) (database, *world) {
	t.Helper()
	d := database{url: pgtest.URL(t)}
	w, err := lay(t.Context(), d, options{users: 2, deep: 700}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return d, w
}

// TestAnswersAreTheSame is what makes the measurements fair: all handlers say the same to every question.
func TestAnswersAreTheSame(t *testing.T) {
	t.Parallel()
	d, w := smallWorld(t)
	handlers, done, err := inners(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	var servers []*server
	for _, h := range handlers {
		listening := httptest.NewServer(h.handler)
		t.Cleanup(listening.Close)
		servers = append(servers, &server{name: h.name, dialect: h.dialect,
			process: &process{address: strings.TrimPrefix(listening.URL, "http://")}})
	}
	r := newRunner(w, d, servers, options{late: 5, size: 50, cases: cases(), only: parts()}, io.Discard)
	if err := r.ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range r.cases {
		for _, s := range servers {
			conn, err := load.Dial(t.Context(), s.address)
			if err != nil {
				t.Fatal(err)
			}
			status, body, err := conn.Do(r.next(c, s.dialect, 1)(0))
			if err == nil {
				err = checker(c)(status, body)
			}
			if err = errors.Join(err, conn.Close()); err != nil {
				t.Errorf("%s of %s under load: %v", c.name, s.name, err)
			}
		}
	}
}

// TestRefusals holds the handler written by hand to what it does not allow.
func TestRefusals(t *testing.T) {
	t.Parallel()
	d, w := smallWorld(t)
	byHand, closePool, err := newHand(t.Context(), d, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(closePool)
	mine, foreign := w.readers[0], w.readers[1]
	taken := `{"text":"` + textOf(1) + `"}`
	for name, c := range map[string]struct {
		method, path, token, body string
		status                    int
	}{
		"no token":        {"GET", "/tasks", "", "", 401},
		"a forged token":  {"GET", "/tasks", mine.token[:len(mine.token)-4] + "AAAA", "", 401},
		"another's task":  {"GET", "/tasks/" + foreign.open[0], mine.token, "", 404},
		"no id":           {"GET", "/tasks/nothing", mine.token, "", 400},
		"too large":       {"GET", "/tasks?first=101", mine.token, "", 400},
		"a taken text":    {"POST", "/tasks", mine.token, taken, 409},
		"no text":         {"POST", "/tasks", mine.token, `{"text":" "}`, 400},
		"no JSON":         {"POST", "/tasks", mine.token, `{`, 400},
		"what is allowed": {"GET", "/tasks/" + mine.open[0], mine.token, "", 200},
	} {
		request := httptest.NewRequestWithContext(t.Context(), c.method, c.path, strings.NewReader(c.body))
		if c.token != "" {
			request.Header.Set("Authorization", "Bearer "+c.token)
		}
		answer := httptest.NewRecorder()
		byHand.ServeHTTP(answer, request)
		if answer.Code != c.status {
			t.Errorf("%s: status %d, want %d: %s", name, answer.Code, c.status, answer.Body)
		}
	}
}

func TestDataIsAsDescribed(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)
	tasks, subtasks, history := tasksOf(now, 200)
	var repeating, undated, done int
	for i, task := range tasks {
		if i > 0 && slices.Compare(tasks[i-1].ID[:], task.ID[:]) >= 0 {
			t.Fatal("ids do not ascend")
		}
		if !task.NextReminderAt.IsZero() && task.NextReminderAt.Before(now.Add(6*time.Hour)) {
			t.Errorf("a reminder falls due at %v, within the run", task.NextReminderAt)
		}
		switch {
		case task.Recurrence != nil:
			repeating++
		case task.DueAt.IsZero():
			undated++
		}
		if !task.CompletedAt.IsZero() {
			done++
		}
	}
	if len(tasks) != 200 || repeating != 40 || undated != 40 || done != 29 || len(subtasks) != 201 || len(history) != 80 {
		t.Error(len(tasks), repeating, undated, done, len(subtasks), len(history))
	}
}

func TestDifference(t *testing.T) {
	t.Parallel()
	object := func(pairs ...any) map[string]any {
		out := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i].(string)] = pairs[i+1]
		}
		return out
	}
	for name, c := range map[string]struct {
		a, b   any
		writes bool
		same   bool
	}{
		"equal":                    {object("a", []any{1.0, "x"}), object("a", []any{1.0, "x"}), false, true},
		"another value":            {object("a", []any{1.0}), object("a", []any{2.0}), false, false},
		"fewer items":              {[]any{1.0}, []any{}, false, false},
		"a field more":             {object("a", 1.0), object("a", 1.0, "b", nil), false, false},
		"a field less":             {object("a", 1.0, "b", nil), object("a", 1.0), false, false},
		"another id":               {object("id", "x"), object("id", "y"), false, false},
		"another id in a write":    {object("id", "x"), object("id", "y"), true, true},
		"no id in a write":         {object("id", "x"), object("id", nil), true, false},
		"another kind":             {object(), []any{}, false, false},
		"another text in a write":  {object("text", "x"), object("text", "y"), true, false},
		"null and a missing field": {object("a", nil), object(), false, false},
	} {
		if found := difference("x", c.a, c.b, c.writes); (found == "") != c.same {
			t.Errorf("%s: %q", name, found)
		}
	}
}

func TestMedianAndRatios(t *testing.T) {
	t.Parallel()
	if got := median([]float64{9, 1, 5}); got != 5 {
		t.Error(got)
	}
	if got := median([]float64{4, 1, 2, 3}); got != 2.5 {
		t.Error(got)
	}
	if got := median(nil); got != 0 {
		t.Error(got)
	}
	// The second round was slow for both; the ratio does not see it.
	of, to := []sample{{perSecond: 200}, {perSecond: 20}}, []sample{{perSecond: 100}, {perSecond: 10}}
	if got := ratios(of, to, perSecond); !slices.Equal(got, []float64{2, 2}) {
		t.Error(got)
	}
}

func TestParseStat(t *testing.T) {
	t.Parallel()
	got, err := parseStat([]byte(
		"12188 (ld-linux (x) y) S 16524 12188 12188 0 -1 4194368 504 0 0 0 11 22 33 44 20 0 1 0 512777"))
	if err != nil || got != (stat{parent: 16524, cpu: 330 * time.Millisecond, ended: 770 * time.Millisecond}) {
		t.Error(got, err)
	}
	if _, err := parseStat([]byte("nonsense")); err == nil {
		t.Error("nonsense was read")
	}
	if got := sizeIn("Name:\tx\nVmRSS:\t   1234 kB\nRssAnon: 5 kB\n", "VmRSS:"); got != 1234<<10 {
		t.Error(got)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	o, err := readOptions([]string{"-quick", "-rounds", "3", "-cases", "tiny,t50", "-connections", "4"}, io.Discard)
	if err != nil || o.rounds != 3 || o.length != 500*time.Millisecond || len(o.cases) != 2 ||
		!slices.Equal(o.connections, []int{4}) {
		t.Error(o, err)
	}
	if o, err := readOptions([]string{"-store", "sqlite"}, io.Discard); err != nil || slices.Contains(o.servers, "hand") {
		t.Error("the handler written by hand cannot run on SQLite", o.servers, err)
	}
	for _, wrong := range []string{"-cases=none", "-servers=none", "-store=none", "-rounds=0", "-connections=0",
		"-deep=1000", "-only=none", "word"} {
		if _, err := readOptions([]string{wrong}, io.Discard); err == nil {
			t.Errorf("%s was accepted", wrong)
		}
	}
}

// TestFreshTasksAreNew holds writing questions to the promise that none repeats another.
func TestFreshTasksAreNew(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[any]bool{}
	for range 1000 {
		text := freshTask(random)["text"]
		if seen[text] {
			t.Fatal("a text repeats")
		}
		seen[text] = true
	}
}

func TestUnknownServersAreNotStarted(t *testing.T) {
	t.Parallel()
	if err := child(t.Context(), "nobody", io.Discard); err == nil {
		t.Error("an unknown server was started")
	}
	if _, err := startServer(t.Context(), "nobody", "", database{}); err == nil {
		t.Error("an unknown server was started")
	}
}

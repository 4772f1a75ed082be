//go:build bench

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		r    reply
		err  error
		want outcome
	}{
		"done":   {reply{status: 200, body: []byte(`{"data":{"a":1}}`)}, nil, outcomeDone},
		"broken": {reply{}, &broken{brokenBefore, io.EOF}, outcomeAgain},
		"away": {reply{status: 503, body: []byte(`{"errors":[{"extensions":{"code":"UPSTREAM_UNAVAILABLE"}}]}`)},
			nil, outcomeAgain},
		"away, with 200": {reply{status: 200, body: []byte(
			`{"data":null,"errors":[{"extensions":{"code":"UPSTREAM_UNAVAILABLE"}}]}`)}, nil, outcomeAgain},
		"too many": {reply{status: 429}, nil, outcomeAgain},
		"refused": {reply{status: 200, body: []byte(`{"errors":[{"extensions":{"code":"BAD_USER_INPUT"}}]}`)}, nil,
			outcomeRefused},
		"unauthenticated": {reply{status: 401, body: []byte(`{"errors":[{"extensions":{"code":"UNAUTHENTICATED"}}]}`)}, nil,
			outcomeRefused},
		"not JSON": {reply{status: 200, body: []byte(`<html>`)}, nil, outcomeRefused},
	} {
		if _, got := judge(test.r, test.err); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

func TestSpills(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`dial tcp 127.0.0.1:5432: connect: connection refused`, `ERROR: relation "users" (SQLSTATE 42P01)`, `SELECT 1`,
		`/var/lib/almanac.db`, `main.go:12`, `unexpected EOF`, `goroutine 7 [running]`,
	} {
		if len(spills(text)) == 0 {
			t.Errorf("%q tells of the inside", text)
		}
	}
	for _, text := range []string{`The database cannot be reached at the moment; nothing was changed. Try again.`,
		`The server has too much to do; try again shortly.`} {
		if found := spills(text); len(found) > 0 {
			t.Errorf("%q tells nothing, and was taken to tell %v", text, found)
		}
	}
}

func TestWordsOf(t *testing.T) {
	t.Parallel()
	one := wordsOf(
		[]byte(
			`{"errors":[{"message":"wait 12 s, trace 0123456789abcdef0123456789abcdef","extensions":{"code":"INTERNAL"}}]}`))
	other := wordsOf([]byte(
		`{"errors":[{"message":"wait 7 s, trace fedcba9876543210fedcba9876543210","extensions":{"code":"INTERNAL"}}]}`))
	if one != other || one != "INTERNAL: wait … s, trace …" {
		t.Errorf("%q and %q", one, other)
	}
}

func TestReadEvents(t *testing.T) {
	t.Parallel()
	event := func(id, cursor string) string {
		return "id: " + id + "\nevent: next\ndata: {\"data\":{\"change\":{\"cursor\":\"" + cursor +
			"\",\"operation\":\"CREATED\",\"id\":\"a\"}}}\n\n"
	}
	var cursors []string
	take := func(data json.RawMessage) error {
		var got struct{ Change heard }
		if err := json.Unmarshal(data, &got); err != nil {
			return err
		}
		cursors = append(cursors, got.Change.Cursor)
		return nil
	}
	read := func(text string) string { return endOf(readEvents(bufio.NewReader(strings.NewReader(text)), take)) }
	if end := read(":\n\n" + event("1", "1") + ": still here\n\n" + event("2", "2")); end != "event stream: ended" ||
		!slices.Equal(cursors, []string{"1", "2"}) {
		t.Errorf("%q after %v", end, cursors)
	}
	if end := read(event("1", "2")); end != "event stream: the event's id is not the change's cursor" {
		t.Errorf("another id than the cursor: %q", end)
	}
	if end := read("event: complete\ndata:\n\n"); end != "event stream: complete" {
		t.Errorf("complete: %q", end)
	}
	refused := "event: next\ndata: {\"errors\":[{\"message\":\"no\",\"extensions\":{\"code\":\"RATE_LIMITED\"}}]}\n\n"
	if end := read(refused); end != "answered with RATE_LIMITED: no" {
		t.Errorf("an error: %q", end)
	}
}

func TestParseMetrics(t *testing.T) {
	t.Parallel()
	m := parseMetrics("# HELP a b\n# TYPE a gauge\na 12\nb{c=\"d\"} 1.5e+06\nbroken\n")
	if len(m) != 2 || m["a"] != 12 || m[`b{c="d"}`] != 1.5e6 {
		t.Errorf("%v", m)
	}
}

func TestRecovery(t *testing.T) {
	t.Parallel()
	var r recovery
	r.answered()
	now := time.Now()
	r.begin(now)
	r.begin(now.Add(-time.Hour))
	r.answered()
	r.answered()
	if r.missed != 1 || len(r.took) != 1 || r.took[0] < time.Hour {
		t.Errorf("missed %d, took %v", r.missed, r.took)
	}
}

func TestLogLines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	text := `{"level":"WARN","msg":"slow"}` + "\n" + `{"level":"WARN","msg":"slow"}` + "\npanic: oh\n" +
		`{"level":"ERROR","msg":"x","text":"לקנות חלב"}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	counts, alarms, err := logLines(path)
	if err != nil || counts["WARN slow"] != 2 || len(alarms) != 2 {
		t.Errorf("%v %v %v", counts, alarms, err)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	o, err := readOptions([]string{"-only", "kill-sqlite, slow", "-seed", "7"}, io.Discard)
	if err != nil || len(o.scenarios) != 2 || o.scenarios[1].name != "slow" || o.seed != 7 {
		t.Errorf("%+v %v", o, err)
	}
	for _, args := range [][]string{{"-only", "flood"}, {"-scale", "0"}, {"-users", "0"}, {"more"}, {"-window", "-1s"}} {
		if _, err := readOptions(args, io.Discard); err == nil || errors.Is(err, flag.ErrHelp) {
			t.Errorf("%v was taken: %v", args, err)
		}
	}
}

package app_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"almanac/internal/pgtest"
)

// Databases that older programs have written, one at each of these steps of the schema, by their own API: tasks with a
// subtask, a reminder and a recurrence that was completed, a list, memories with a history, a graph, an e-mail in
// preview, a linked account, recorded answers, and what belongs to later steps where there was one. Names of the files
// are those of the last migration that the program knew.
func upgrades(t *testing.T, ending string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/upgrades/*" + ending)
	if err != nil || len(names) < 4 {
		t.Fatalf("%v %v", names, err)
	}
	all := map[string][]byte{}
	for _, name := range names {
		packed, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		reader, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if all[strings.TrimSuffix(filepath.Base(name), ending)], err = io.ReadAll(reader); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// upgraded is what the API must say of each of them. What a step did not know is missing of it.
const upgraded = `{
	tasks(first: 10, filter: { completed: false }, orderBy: { field: TEXT, direction: ASC }) {
		nodes { text category dueDate reminder recurrence { type time } subtasks { text } } }
	lists(first: 10) { nodes { name isChecklist items { text } } }
	memories(first: 10) { nodes { type content tags metadata history { content } } }
	searchMemories(query: "Dana Upgrade", first: 1) { nodes { content } }
	knowledge { nodes(query: "Dana", first: 1) { nodes { name } } facts(query: "Upgrade", first: 1) { nodes { fact } }
		episodes(first: 1) { nodes { content } } }
	viewer { settings { timeZone } connections { provider status } }
	changes(first: 1) { nodes { type operation } }
}`

// wasUpgraded starts the program on a database, compares what it says with what was written, and writes to it.
func wasUpgraded(t *testing.T, flags ...string) {
	t.Helper()
	p := start(t, flags...)
	var got json.RawMessage
	p.mustAsk(upgraded, nil, &got)
	for _, want := range []string{`"text":"Upgrade: call mom"`, `"category":"Home"`,
		`"dueDate":"2030-01-02T12:00:00+02:00"`, `"text":"find number"`, `"text":"שדרוג: לקנות חלב"`, `"type":"DAILY"`,
		`"time":"08:00"`, `"name":"Upgrade list"`, `"content":"The upgrade is on Wednesday"`,
		`"content":"The upgrade is on Tuesday"`, `"tags":["up"]`, `"content":"Dana Upgrade 555"`, `"name":"Dana"`,
		`"fact":"Dana works at Upgrade Ltd"`, `"content":"Dana joined Upgrade Ltd"`, `"timeZone":"Asia/Jerusalem"`} {
		if !bytes.Contains(got, []byte(want)) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
	p.mustAsk(`mutation { createTask(input: { text: "after the upgrade" }) { task { text } } }`, nil, new(any))
	if err := p.term(); err != nil {
		t.Error(err)
	}
}

func TestUpgradeSQLite(t *testing.T) {
	t.Parallel()
	for step, file := range upgrades(t, ".db.gz") {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "almanac.db"), file, 0o600); err != nil {
				t.Fatal(err)
			}
			wasUpgraded(t, "--data-dir="+dir)
		})
	}
}

func TestUpgradePostgres(t *testing.T) {
	t.Parallel()
	for step, script := range upgrades(t, ".sql.gz") {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			address := pgtest.URL(t)
			connection, err := pgx.Connect(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := connection.PgConn().Exec(t.Context(), string(script)).ReadAll(); err != nil {
				t.Fatal(err)
			}
			if err := connection.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			wasUpgraded(t, "--data-dir="+t.TempDir(), "--database-url="+address)
		})
	}
}

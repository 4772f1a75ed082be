//go:build bench

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSets holds the sets to their hashes, and to what the judge knows.
func TestSets(t *testing.T) {
	t.Parallel()
	sums, err := os.ReadFile("testdata/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(sums)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s was changed", name)
		}
	}
	set, err := readSets("testdata", "*.jsonl", 0)
	if err != nil || len(set) != 12430 {
		t.Fatalf("%d sentences: %v", len(set), err)
	}
}

// TestRun says sentences of a set of its own to agentChat itself.
func TestRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{"world.en.json": written(small), "own.jsonl": `
{"id": "1", "lang": "en", "class": "calendar", "text": "add choir on 2026-11-26 at 20:00", "expect": {"domain": "calendar", "effect": "create", "title": "choir", "when": "2026-11-26T20:00"}}
{"id": "2", "lang": "en", "class": "calendar", "text": "delete dentist", "expect": {"domain": "calendar", "effect": "delete", "title": "Offsite"}}
{"id": "3", "lang": "en", "class": "question", "text": "what do I have on 2026-11-30?", "expect": {"domain": "calendar", "effect": "read", "when": "2026-11-30"}}
`[1:]}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	failed := filepath.Join(dir, "failures")
	err := run(t.Context(), []string{"-set", dir, "-v", "-failures", failed, "-floors"}, &out, &out)
	if err == nil || !strings.Contains(err.Error(), "33.3 % are silently wrong") ||
		!strings.Contains(err.Error(), "50.0 % of calendar are right") {
		t.Errorf("the floors: %v", err)
	}
	for _, part := range []string{"| own.jsonl | **all** | 3 | 2 (66.7 %) |", "2 WRONG: delete dentist"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in the report:\n%s", part, out.String())
		}
	}
	text, err := os.ReadFile(failed)
	var one failure
	if err != nil || json.Unmarshal(text, &one) != nil || one.ID != "2" || one.Verdict != "wrong" {
		t.Errorf("failures: %s %v", text, err)
	}
}

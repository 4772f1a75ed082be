package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// memoryLines are the lines of an export that are memories.
func memoryLines(export string) string {
	var out strings.Builder
	for line := range strings.Lines(export) {
		if strings.HasPrefix(line, `{"kind":"memory"`) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// What export writes of memories, import takes in exactly, for another user, in another database, with ids, times,
// versions and history; and again without any effect.
func TestExportedMemoriesAreImportedExactly(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, append(flags, "--demo")...)
			p.mustAsk(`mutation ($input: StoreMemoryInput!) { storeMemory(input: $input) { memory { id } } }`,
				map[string]any{"input": map[string]any{
					"content": "line\none \u2028 \U0001f600 <&> \"שורה\"", "tags": []string{"a", "ב"},
					"expiresAt": "2100-01-01T00:00:00.000001Z",
					"metadata":  map[string]any{"source": "text", "n": 1.5, "deep": map[string]any{"list": []any{nil, true, "x"}}},
				}}, &struct{}{})
			var found struct {
				SearchMemories struct{ Nodes []struct{ ID string } }
			}
			p.mustAsk(`{ searchMemories(query: "wifi password", first: 1) { nodes { id } } }`, nil, &found)
			p.mustAsk(
				`mutation ($id: ID!) { updateMemory(input: { id: $id, set: { content: "The wifi password is blackbird-43" } }) { memory { version } userErrors { code } } }`,
				map[string]any{"id": found.SearchMemories.Nodes[0].ID}, &struct{}{})
			exported := mustRun(t, append([]string{"export"}, flags...)...)
			want := memoryLines(exported)
			if n := strings.Count(want, "\n"); n < 15 || !strings.Contains(want, `"history":[`) {
				t.Fatalf("%d memories in the export", n)
			}
			file := filepath.Join(t.TempDir(), "almanac.jsonl")
			if err := os.WriteFile(file, []byte(exported), 0o600); err != nil {
				t.Fatal(err)
			}
			target := append([]string{"--user", "somebody else"}, flags...)
			out := mustRun(t, append([]string{"import", "--in", file}, target...)...)
			if !strings.Contains(out, "0 changed, 0 there already") {
				t.Errorf("import says %q", out)
			}
			if got := memoryLines(mustRun(t, append([]string{"export"}, target...)...)); got != want {
				t.Errorf("exported\n%s\nafter the import\n%s", want, got)
			}
			if out := mustRun(t, append([]string{"import", "--in", file}, target...)...); !strings.Contains(out,
				"memories: 0 added, 0 changed") {
				t.Errorf("the second import says %q", out)
			}

			// Mistakes are named by their lines, and nothing is taken in.
			broken := filepath.Join(t.TempDir(), "broken.jsonl")
			if err := os.WriteFile(broken,
				[]byte(
					"{\"content\":\"not kept\"}\n\n{\"kind\":\"task\",\"data\":{}}\n"+
						"{\"kind\":\"memory\",\"data\":{\"contents\":\"x\"}}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			s := runCommand(t, nil, append([]string{"import", "--in", broken}, target...)...)
			if s.code != 1 || !strings.Contains(s.err, "line 3") || !strings.Contains(s.err, "line 4") ||
				!strings.Contains(s.err, "did you mean content?") {
				t.Errorf("%+v", s)
			}
			if got := memoryLines(mustRun(t, append([]string{"export"}, target...)...)); got != want {
				t.Errorf("a refused file has changed something:\n%s", got)
			}
		})
	}
}

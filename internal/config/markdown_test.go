package config

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/settings.md from the table")

func TestDocumentIsUpToDate(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "settings.md")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // G301: a folder of the source tree
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(Markdown()),
			0o644); err != nil { //nolint:gosec // G306: a file of the source tree
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(path)
	if err != nil || string(written) != Markdown() {
		t.Errorf("docs/settings.md is not what the table says (%v); run: go test ./internal/config -update", err)
	}
}

func TestHelpNamesEverySetting(t *testing.T) {
	var b strings.Builder
	if err := Usage(&b); err != nil {
		t.Fatal(err)
	}
	for _, s := range Settings() {
		if !strings.Contains(b.String(), s.Flag()+"   ("+s.Variable()+")\n") {
			t.Errorf("--help does not name %s", s.Name)
		}
	}
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "      ") && !strings.Contains(line, "Allowed: ") &&
			!strings.Contains(line, "Default: ") && len(line) > 105 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
}

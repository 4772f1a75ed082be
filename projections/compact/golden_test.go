package compact_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"golang.org/x/tools/txtar"

	"almanac/projections/compact"
	"almanac/projections/when"
)

var update = flag.Bool("update", false,
	"write the texts into the golden files; read the difference before you commit it")

// setting is what the options of a golden file may say.
type setting struct {
	MaxLines      int       `json:"maxLines"`
	MaxLineLength int       `json:"maxLineLength"`
	MaxTokens     int       `json:"maxTokens"`
	Query         string    `json:"query"`
	Locale        string    `json:"locale"`
	Now           time.Time `json:"now"`
}

func (s setting) options(t testing.TB) compact.Options {
	t.Helper()
	zone, err := time.LoadLocation("Asia/Jerusalem")
	if err != nil {
		t.Fatal(err)
	}
	if s.Now.IsZero() {
		s.Now = time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	}
	return compact.Options{
		MaxLines: s.MaxLines, MaxLineLength: s.MaxLineLength, MaxTokens: s.MaxTokens, Query: s.Query,
		At: when.Moment{Now: s.Now, Zone: zone, Locale: s.Locale},
	}
}

var token = regexp.MustCompile(`untrusted [0-9a-f]{6}`)

// A golden file is a txtar archive: an operation, options, data, and the text that must come of it, with the token of
// its fences as TOKEN. What went wrong, if anything, stands behind it as "error".
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) < 80 {
		t.Fatalf("%d golden files: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(file, "testdata/"), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sections := map[string]string{}
			for _, f := range archive.Files {
				sections[f.Name] = string(f.Data)
			}
			var given setting
			if err := json.Unmarshal([]byte(sections["options"]), &given); err != nil {
				t.Fatal(err)
			}
			options := given.options(t)
			operation := strings.TrimSpace(sections["operation"])
			result := compact.NewRegistry().FormatOutput(t.Context(), operation, []byte(sections["data"]), options)
			hold(t, options, result)
			got := map[string]string{"output": token.ReplaceAllString(result.Output, "untrusted TOKEN") + "\n"}
			if result.UsedFallback {
				got["error"] = result.Error + "\n"
			}
			if *update {
				archive.Files = archive.Files[:3]
				for _, name := range []string{"output", "error"} {
					if text, there := got[name]; there {
						archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
					}
				}
				if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			for _, name := range []string{"output", "error"} {
				if got[name] != sections[name] {
					t.Errorf("%s of %s\n got: %s\nwant: %s", name, strconv.Quote(operation), got[name], sections[name])
				}
			}
		})
	}
}

package respond_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/respond"
	"almanac/projections/when"
)

var update = flag.Bool("update", false, "write the golden files")

// at returns a moment: "2026-01-20T09:30:00+02:00 Asia/Jerusalem".
func at(t testing.TB, text, locale string) *projections.Moment {
	t.Helper()
	instant, name, _ := strings.Cut(text, " ")
	now, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		t.Fatal(err)
	}
	zone, err := when.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return projections.NewMoment(when.Moment{Now: now, Zone: zone, Locale: locale})
}

// halfPastNine is the morning on which the examples are read.
const halfPastNine = "2026-01-20T09:30:00+02:00 Asia/Jerusalem"

func format(t testing.TB, capability, operation, data string, moment *projections.Moment) *respond.Response {
	t.Helper()
	out, err := respond.Format(capability, operation, model.JSON(data), moment)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// typed is what a golden file shows of the typed form.
type typed struct {
	EntityType       respond.EntityType
	Items            int
	Dates            []string `json:",omitempty"`
	Metadata         map[string]json.RawMessage
	Groups           map[string]int `json:",omitempty"`
	IsEmpty          bool
	FailedOperations []respond.FailedOperation `json:",omitempty"`
}

func shown(r *respond.Response) typed {
	out := typed{EntityType: r.EntityType, Items: len(r.Items), IsEmpty: r.IsEmpty, FailedOperations: r.FailedOperations,
		Metadata: map[string]json.RawMessage{}}
	for i, item := range r.Items {
		for _, d := range item.Dates {
			out.Dates = append(out.Dates, string(rune('0'+i))+d.Path+": "+d.Text)
		}
	}
	m := r.Metadata
	for name, value := range map[string]*model.JSON{
		"deleted": m.Deleted, "updated": m.Updated, "count": m.Count, "errors": m.Errors, "notFound": m.NotFound,
		"summaries": m.Summaries, "isRecurringSeries": m.IsRecurringSeries,
	} {
		if value != nil {
			out.Metadata[name] = json.RawMessage(*value)
		}
	}
	if c := r.Categorized; c != nil {
		out.Groups = map[string]int{
			"overdue": len(c.Overdue), "today": len(c.Today), "upcoming": len(c.Upcoming), "recurring": len(c.Recurring),
			"noDueDate": len(c.NoDueDate),
		}
	}
	return out
}

// Every raw answer that the contract shows, in both languages. The first line of a file names capability and operation.
func TestExamplesOfTheContract(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/seed/*.txtar")
	if err != nil || len(names) < 29 {
		t.Fatalf("%d examples, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			capability, operation, _ := strings.Cut(strings.TrimSpace(string(archive.Comment)), ": ")
			in := string(archive.Files[0].Data)
			got := &txtar.Archive{Comment: archive.Comment, Files: archive.Files[:1:1]}
			for _, locale := range []string{"en", "he"} {
				response := format(t, capability, operation, in, at(t, halfPastNine, locale))
				if why := lost(in, response); why != "" {
					t.Error(why)
				}
				var text bytes.Buffer
				if err := json.Indent(&text, []byte(response.JSON()), "", "  "); err != nil {
					t.Fatal(err)
				}
				text.WriteByte('\n')
				got.Files = append(got.Files, txtar.File{Name: locale + ".json", Data: text.Bytes()})
				if locale == "en" {
					view, err := json.MarshalIndent(shown(response), "", "  ")
					if err != nil {
						t.Fatal(err)
					}
					got.Files = append(got.Files, txtar.File{Name: "typed.json", Data: append(view, '\n')})
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := txtar.Format(archive); !bytes.Equal(txtar.Format(got), want) {
				t.Errorf("got:\n%s\nwant:\n%s", txtar.Format(got), want)
			}
		})
	}
}

// What a model gets of "list tasks", as the contract writes it: each of its keys stands there with its value. The
// contract leaves out flags that are false, and whatever else a task has.
func TestListTasksAsTheContractWritesIt(t *testing.T) {
	t.Parallel()
	const in = `{"tasks":[{"text":"Buy groceries","due_date":"2026-01-19T10:00:00+02:00"},` +
		`{"text":"Call mom","due_date":"2026-01-20T18:00:00+02:00"}]}`
	const want = `{
	"_metadata": {"agent": "database", "operation": "list tasks",
		"context": {"capability": "database", "database": {"isListing": true, "isEmpty": false}}},
	"tasks": [
		{"text": "Buy groceries", "due_date_formatted": "Yesterday at 10:00",
			"_itemContext": {"isOverdue": true, "isReminder": true}},
		{"text": "Call mom", "due_date_formatted": "Today at 18:00", "_itemContext": {"isToday": true, "isReminder": true}}
	],
	"_categorized": {"overdue": [{"text": "Buy groceries"}], "today": [{"text": "Call mom"}],
		"upcoming": [], "recurring": [], "noDueDate": []},
	"_isEmpty": false
}`
	for _, c := range []struct{ locale, yesterday, today string }{
		{"en", "Yesterday at 10:00", "Today at 18:00"}, {"he", "אתמול ב-10:00", "היום ב-18:00"},
	} {
		got := format(t, "database", "list tasks", in, at(t, halfPastNine, c.locale)).JSON()
		asked := strings.NewReplacer("Yesterday at 10:00", c.yesterday, "Today at 18:00", c.today).Replace(want)
		if why := missing(asked, string(got)); why != "" {
			t.Errorf("%s\n%s", why, got)
		}
	}
	got := string(format(t, "database", "list tasks", in, at(t, halfPastNine, "en")).JSON())
	if context := `"database":{"isListing":true,"isEmpty":false}`; !strings.Contains(got, context) {
		t.Errorf("a listing says more of itself than %s:\n%s", context, got)
	}
}

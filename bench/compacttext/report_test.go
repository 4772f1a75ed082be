//go:build bench

package compacttext_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"almanac/bench/compacttext"
	"almanac/graph"
)

var update = flag.Bool("update", false, "write the corpus anew")

// The corpus that is committed is the one that the generator makes.
func TestCorpus(t *testing.T) {
	t.Parallel()
	made, err := compacttext.Generate()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		for name, data := range made {
			if err := os.WriteFile(filepath.Join("corpus", name+".json"), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := filepath.Glob("corpus/*.json")
	if err != nil || len(files) != len(made) {
		t.Fatalf("%d files for %d: %v", len(files), len(made), err)
	}
	for name, data := range made {
		kept, err := os.ReadFile(filepath.Join("corpus", name+".json"))
		if err != nil || !bytes.Equal(kept, data) {
			t.Errorf("%s is not what the generator makes (%v); go test -tags bench ./bench/compacttext -update", name, err)
		}
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	figures, err := compacttext.Measure(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	least := map[string]float64{"emailThread": 80, "events": 70, "lists": 70, "search_memory_facts": 75, "episodes": 55,
		"emails": 60, "searchMemories": 55, "tasks": 45, "taskBoard": 45, "search_nodes": 50, "facts": 45, "memories": 40}
	for _, f := range figures {
		if f.Saved() < least[f.Operation] {
			t.Errorf("%s in %s saves %.0f %%, less than %.0f", f.Operation, f.Language, f.Saved(), least[f.Operation])
		}
		if f.Rows != compacttext.Rows && f.Operation != "knowledgeStatus" {
			t.Errorf("%s in %s shows %d rows", f.Operation, f.Language, f.Rows)
		}
		if f.SavedWhole() < f.Saved() {
			t.Errorf("%s in %s saves %.0f %% of whole rows, and %.0f %% of a part of them", f.Operation, f.Language,
				f.SavedWhole(), f.Saved())
		}
		t.Logf("%-20s %s %3.0f %% saved, %3.0f %% of whole rows", f.Operation, f.Language, f.Saved(), f.SavedWhole())
	}
	var out strings.Builder
	if err := compacttext.Run(t.Context(), 3, &out); err != nil || strings.Count(out.String(), "\n| ") != len(figures)+1 {
		t.Errorf("%v:\n%s", err, out.String())
	}
}

// Whole rows have every scalar and context field that the schema gives their type, and nothing that it does not.
func TestWholeRows(t *testing.T) {
	t.Parallel()
	schema := graph.NewPlannedSchema(graph.Config{}).Schema()
	made, err := compacttext.Generate()
	if err != nil {
		t.Fatal(err)
	}
	for operation, kind := range compacttext.Types() {
		data, err := compacttext.Whole(operation, made[operation+".en"])
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Nodes, Emails, Overdue []map[string]any
			Edges                  []struct{ Node map[string]any }
		}
		if err := json.Unmarshal(data, &answer); err != nil {
			t.Fatal(err)
		}
		rows := slices.Concat(answer.Nodes, answer.Emails, answer.Overdue)
		for _, edge := range answer.Edges {
			rows = append(rows, edge.Node)
		}
		if len(rows) == 0 {
			t.Errorf("%s has no rows", operation)
		}
		for _, row := range rows {
			same(t, schema, kind, row)
		}
	}
}

func same(t *testing.T, schema *ast.Schema, kind string, row map[string]any) {
	t.Helper()
	definition := schema.Types[kind]
	for _, field := range definition.Fields {
		value, there := row[field.Name]
		switch of := schema.Types[field.Type.Name()]; {
		case field.Name == "itemContext":
			flags, _ := value.(map[string]any)
			same(t, schema, of.Name, flags)
		case of.IsLeafType() && !there:
			t.Errorf("%s has no %s", kind, field.Name)
		}
	}
	for name := range row {
		if definition.Fields.ForName(name) == nil {
			t.Errorf("%s has %s, which the schema does not know", kind, name)
		}
	}
}

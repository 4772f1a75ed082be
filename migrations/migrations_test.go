package migrations

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func TestBothDialectsHaveTheSameSteps(t *testing.T) {
	lite, err := For(SQLite)
	if err != nil {
		t.Fatal(err)
	}
	postgres, err := For(Postgres)
	if err != nil {
		t.Fatal(err)
	}
	if len(lite) == 0 || len(lite) != len(postgres) {
		t.Fatalf("%d steps for sqlite, %d for postgres", len(lite), len(postgres))
	}
	for i := range lite {
		if lite[i].Number != i+1 || lite[i].Number != postgres[i].Number || lite[i].Name != postgres[i].Name {
			t.Errorf("step %d: sqlite has %d %s, postgres has %d %s", i+1, lite[i].Number, lite[i].Name, postgres[i].Number,
				postgres[i].Name)
		}
	}
	if lite[0].Name != "first_house" {
		t.Errorf("the first step is %q", lite[0].Name)
	}
}

func TestAnUnknownDialectIsAnError(t *testing.T) {
	if _, err := For("oracle"); err == nil || !strings.Contains(err.Error(), "oracle") {
		t.Errorf("got %v", err)
	}
}

func TestMisnamedFilesAreRefused(t *testing.T) {
	one := &fstest.MapFile{Data: []byte("SELECT 1;")}
	for name, tree := range map[string]struct {
		files fs.FS
		want  string
	}{
		"gap":       {fstest.MapFS{"d/0001_a.sql": one, "d/0003_c.sql": one}, "want 2"},
		"from zero": {fstest.MapFS{"d/0000_a.sql": one}, "want 1"},
		"twice":     {fstest.MapFS{"d/0001_a.sql": one, "d/0001_b.sql": one}, "want 2"},
		"no words":  {fstest.MapFS{"d/0001.sql": one}, "NNNN_words.sql"},
		"capitals":  {fstest.MapFS{"d/0001_First.sql": one}, "NNNN_words.sql"},
		"short":     {fstest.MapFS{"d/1_first.sql": one}, "NNNN_words.sql"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := read(tree.files, "d"); err == nil || !strings.Contains(err.Error(), tree.want) {
				t.Errorf("got %v, want an error that says %q", err, tree.want)
			}
		})
	}
}

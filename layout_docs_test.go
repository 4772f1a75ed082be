package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestDecisionsAreListed wants each page of docs/decisions in the table of its README, by number.
func TestDecisionsAreListed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/decisions/README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob("docs/decisions/[0-9]*.md")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(text)
	for _, page := range pages { // by name, which begins with the number
		number := strings.TrimLeft(filepath.Base(page)[:4], "0")
		row := "\n| [" + number + "](" + filepath.Base(page) + ") |"
		_, after, there := strings.Cut(rest, row)
		if !there {
			t.Fatalf("docs/decisions/README.md has no row %q, or not in the order of the numbers", strings.TrimSpace(row))
		}
		rest = after
	}
}

// drawnRow is a row of the table of layers in CONTRIBUTING.md: the layer, which holds for the rows without one behind
// it, and the areas before a colon.
var drawnRow = regexp.MustCompile(`^(\d*) *([^:]+)`)

// drawnAreas are the areas of a text table, each with its layer. Of "a/{b,c} (words) · d" they are a/b, a/c and d.
func drawnAreas(table string) map[string]int {
	drawn, layer := map[string]int{}, 0
	for line := range strings.Lines(table) {
		row := drawnRow.FindStringSubmatch(strings.TrimSpace(line))
		if row[1] != "" {
			layer, _ = strconv.Atoi(row[1])
		}
		for cell := range strings.SplitSeq(row[2], " · ") {
			cell, _, _ = strings.Cut(strings.TrimSpace(cell), " (")
			within, names, several := strings.Cut(strings.TrimSuffix(cell, "}"), "{")
			if !several {
				within, names = "", cell
			}
			for name := range strings.SplitSeq(names, ",") {
				drawn[within+name] = layer
			}
		}
	}
	return drawn
}

// TestContributingDrawsTheLayers holds the table of layers in CONTRIBUTING.md to the areas, without those for tests.
func TestContributingDrawsTheLayers(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "imports go down only:\n\n```text\n")
	table, _, _ = strings.Cut(table, "```")
	drawn, want := drawnAreas(table), map[string]int{}
	for name, a := range areas {
		if !a.support {
			want[name] = a.layer
		}
	}
	for name, layer := range want {
		if at, there := drawn[name]; !there || at != layer {
			t.Errorf("CONTRIBUTING.md should draw %s in layer %d", name, layer)
		}
	}
	for name := range drawn {
		if _, there := want[name]; !there {
			t.Errorf("CONTRIBUTING.md draws %q, which is no area of layout_test.go", name)
		}
	}
}

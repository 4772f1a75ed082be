package google_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReadme: each numbered behaviour says where it comes from and names tests, and those exist.
func TestReadme(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				tests[f.Name.Name] = true
			}
		}
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	numbered := regexp.MustCompile(`^(\d+)\. (.*)$`)
	named := regexp.MustCompile("`(Test[A-Za-z0-9]+)`")
	source := regexp.MustCompile(`\b[GXMC]\b`)
	next := 1
	for line := range strings.SplitSeq(string(text), "\n") {
		behaviour := numbered.FindStringSubmatch(line)
		if behaviour == nil {
			continue
		}
		if behaviour[1] != strconv.Itoa(next) {
			t.Errorf("behaviour %s should have the number %d", behaviour[1], next)
		}
		next++
		names := named.FindAllStringSubmatch(behaviour[2], -1)
		if len(names) == 0 || !source.MatchString(behaviour[2]) {
			t.Errorf("behaviour %s names no test, or no source: %s", behaviour[1], behaviour[2])
		}
		for _, name := range names {
			if !tests[name[1]] {
				t.Errorf("behaviour %s names %s, which is not there", behaviour[1], name[1])
			}
		}
	}
	if next < 50 {
		t.Errorf("only %d behaviours are found", next-1)
	}
}

package main_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// tree is the project as the layout rules see it.
type tree struct {
	positions *token.FileSet
	sources   []*source
	// files and dirs are all of the project, by path from the module's root.
	files, dirs map[string]bool
}

// source is one Go file.
type source struct {
	path, dir       string
	test, generated bool
	file            *ast.File
}

// readTree parses every Go file below the root. Hidden folders, test data and what npm has put there are no part of it.
func readTree(root fs.FS) (*tree, error) {
	all := &tree{positions: token.NewFileSet(), files: map[string]bool{}, dirs: map[string]bool{}}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			base := entry.Name()
			if name != "." && (strings.HasPrefix(base, ".") || base == "node_modules" || base == "testdata" || base == "bin") {
				return fs.SkipDir
			}
			all.dirs[name] = true
			return nil
		}
		all.files[name] = true
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(all.positions, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("parse: %w", err)
		}
		all.sources = append(all.sources, &source{
			path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), generated: ast.IsGenerated(file),
			file: file,
		})
		return nil
	})
	return all, err
}

// areaOf finds the area of a folder; only the root itself is in the root's area.
func areaOf(dir string) (string, bool) {
	for at := dir; at != "."; at = path.Dir(at) {
		if _, ok := areas[at]; ok {
			return at, true
		}
	}
	return ".", dir == "."
}

// longestFit is the longest key that is the file or a folder above it, "" if there is none.
func longestFit(table map[string]string, file string) string {
	for at := file; at != "."; at = path.Dir(at) {
		if _, ok := table[at]; ok {
			return at
		}
	}
	return ""
}

func (s *source) imports() []string {
	var paths []string
	for _, i := range s.file.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// isCall tells whether the call is to one of the functions of an imported package, whatever its name here.
func (s *source) isCall(call *ast.CallExpr, pkg string, functions ...string) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(functions, selector.Sel.Name) {
		return false
	}
	name, ok := selector.X.(*ast.Ident)
	if !ok {
		return false
	}
	for _, i := range s.file.Imports {
		if i.Path.Value == strconv.Quote(pkg) {
			return name.Name == path.Base(pkg) || (i.Name != nil && name.Name == i.Name.Name)
		}
	}
	return false
}

// calls finds the calls to functions of an imported package.
func (s *source) calls(pkg string, functions ...string) []*ast.CallExpr {
	return s.spans(func(call *ast.CallExpr) bool { return s.isCall(call, pkg, functions...) })
}

// spans finds the calls that fit.
func (s *source) spans(fits func(*ast.CallExpr) bool) []*ast.CallExpr {
	var found []*ast.CallExpr
	ast.Inspect(s.file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && fits(call) {
			found = append(found, call)
		}
		return true
	})
	return found
}

// within tells whether a call stands among the arguments of one of the others.
func within(call *ast.CallExpr, others []*ast.CallExpr) bool {
	return slices.ContainsFunc(others,
		func(o *ast.CallExpr) bool { return o.Lparen < call.Pos() && call.End() <= o.Rparen })
}

// documented returns the names that each comment of a declaration is about, at the top and in types.
func (s *source) documented() map[*ast.CommentGroup][]*ast.Ident {
	names := map[*ast.CommentGroup][]*ast.Ident{}
	var group *ast.CommentGroup // of the declaration around
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names[n.Doc] = []*ast.Ident{n.Name}
			return false
		case *ast.GenDecl:
			group = n.Doc
		case *ast.TypeSpec:
			doc := cmp.Or(n.Doc, group)
			names[doc] = append(names[doc], n.Name)
		case *ast.ValueSpec:
			doc := cmp.Or(n.Doc, group)
			names[doc] = append(names[doc], n.Names...)
		case *ast.Field:
			names[n.Doc] = append(names[n.Doc], n.Names...)
		}
		return true
	})
	delete(names, nil)
	return names
}

// receiverName is the name of a method's receiver type, "" for a function.
func receiverName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// filesOf are so many files of a package, and a test, which does not count.
func filesOf(dir string, n int) map[string]string {
	files := map[string]string{dir + "/a_test.go": "package a\n"}
	for i := range n {
		files[fmt.Sprintf("%s/a%d.go", dir, i)] = "package a\n"
	}
	return files
}

// everyArea is a tree with a file in each folder of the table.
func everyArea() map[string]string {
	files := map[string]string{}
	for dir := range areas {
		files[path.Join(dir, "a.txt")] = ""
	}
	return files
}

// TestLayoutRulesBite gives each rule a small tree that breaks it, and one that does not.
func TestLayoutRulesBite(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		rule  string
		files map[string]string
		want  string // in one of the breaches; "" for no breach
	}{
		"down": {"layers", map[string]string{
			"resolvers/a.go": "package resolvers\nimport _ \"almanac/graph/model\"\nimport _ \"almanac/resolvers/loader\"\n"},
			""},
		"up": {"layers", map[string]string{
			"projections/a.go": "package projections\nimport _ \"almanac/internal/auth\"\n"},
			"projections/a.go (layer 2) imports internal/auth (layer 3)"},
		"sideways": {"layers", map[string]string{
			"adapters/store/a.go": "package store\nimport _ \"almanac/projections\"\n"}, "imports go down only"},
		"within an area": {"layers", map[string]string{
			"internal/httpapi/a.go": "package httpapi\nimport _ \"almanac/internal/httpapi/ws\"\n"}, ""},
		"a test may": {"layers", map[string]string{
			"projections/a_test.go": "package projections_test\nimport _ \"almanac/resolvers\"\n"}, ""},
		"support in the product": {"layers", map[string]string{
			"internal/auth/a.go": "package auth\nimport _ \"almanac/internal/pgtest\"\n"}, "which is for tests"},
		"a sibling": {"walls", map[string]string{
			"resolvers/tasks/a.go": "package tasks\nimport _ \"almanac/resolvers/memories\"\n"},
			"resolvers/tasks/a.go imports its sibling resolvers/memories"},
		"a sibling that is a part": {"walls", map[string]string{
			"resolvers/events/a.go": "package events\nimport _ \"almanac/resolvers/events/decision\"\n" +
				"import _ \"almanac/resolvers/core\"\n"}, ""},
		"a domain in the core": {"walls", map[string]string{
			"resolvers/core/a.go": "package core\nimport _ \"almanac/resolvers/tasks\"\n"},
			"resolvers/core/a.go imports its sibling resolvers/tasks"},
		"a service in a domain": {"walls", map[string]string{
			"resolvers/emails/a.go": "package emails\nimport _ \"almanac/internal/outbox\"\n"},
			"resolvers/emails/a.go imports internal/outbox; take an interface"},
		"what is below the services": {"walls", map[string]string{
			"resolvers/emails/a.go": "package emails\nimport _ \"almanac/internal/dryrun\"\n"}, ""},
		"who joins domains": {"walls", map[string]string{
			"resolvers/a.go": "package resolvers\nimport _ \"almanac/resolvers/tasks\"\n"}, ""},
		"a domain that nobody knows": {"walls", map[string]string{"resolvers/habits/a.go": "package habits\n"},
			"resolvers/habits is no area"},
		"a full domain":   {"walls", filesOf("resolvers/tasks", maxDomainFiles), ""},
		"a file too many": {"walls", filesOf("resolvers/tasks", maxDomainFiles+1), "resolvers/tasks has 26 files"},
		"a judge that asks the judged": {"judges", map[string]string{
			"internal/standin/recurrence/a.go": "package recurrence\nimport _ \"almanac/projections/when\"\n"},
			"imports projections/when, which internal/standin/recurrence judges"},
		"a judge further down": {"judges", map[string]string{
			"internal/standin/calendar/a.go": "package calendar\nimport _ \"almanac/projections/rrule\"\n"},
			"imports projections/rrule, which internal/standin judges"},
		"a judge's test": {"judges", map[string]string{
			"internal/standin/calendar/a_test.go": "package calendar\nimport _ \"almanac/projections/rrule\"\n"}, ""},
		"an area that is gone": {"tree", map[string]string{"server.go": "package main\n"}, "resolvers/tasks is missing"},
		"every area":           {"tree", everyArea(), ""},
		"a stranger": {"layers", map[string]string{"helpers/a.go": "package helpers\n"},
			"helpers/a.go is in no area"},
		"the world in a projection": {"pure", map[string]string{
			"projections/a.go": "package projections\nimport _ \"net/http\"\n"}, "imports net/http"},
		"a module in the model": {"pure", map[string]string{
			"graph/model/a.go": "package model\nimport _ \"example.com/x\"\n"}, "not of the standard library"},
		"a URL in the model": {"pure", map[string]string{"graph/model/a.go": "package model\nimport _ \"net/url\"\n"}, ""},
		"thin resolvers": {"resolvers", map[string]string{
			"schema/task.graphqls": "",
			"resolvers/task.resolvers.go": "package resolvers\nimport \"context\"\ntype taskRoot struct{ *Root }\n" +
				"func (r *taskRoot) Text(ctx context.Context) string { return \"\" }\n"}, ""},
		"a helper among resolvers": {"resolvers", map[string]string{
			"schema/task.graphqls":        "",
			"resolvers/task.resolvers.go": "package resolvers\nfunc helper() {}\n"}, "helper is no resolver"},
		"a constant among resolvers": {"resolvers", map[string]string{
			"schema/task.graphqls":        "",
			"resolvers/task.resolvers.go": "package resolvers\nconst most = 1\n"}, "the const at line 2"},
		"resolvers of no schema": {"resolvers", map[string]string{
			"resolvers/task.resolvers.go": "package resolvers\n"}, "has no schema/task.graphqls"},
		"a promise": {"comments", map[string]string{"web/a.go": "// Package web is the page.\npackage web\n",
			"web/b.go": "package web\n"}, ""},
		"no promise": {"comments", map[string]string{"web/a.go": "// Some words.\npackage web\n"},
			"web has no package comment"},
		"of generated": {"comments",
			map[string]string{"graph/a.go": "// Code generated by hand, DO NOT EDIT.\n\npackage graph\n"}, ""},
		"a comment that gives": {"words", map[string]string{
			"resolvers/a.go": "package resolvers\n\n// now gives the time.\nfunc now() {}\n"},
			`resolvers/a.go:3:1: "now gives"`},
		"a comment that tells whether": {"words", map[string]string{
			"resolvers/a.go": "package resolvers\ntype a interface {\n// isB tells whether it is.\nisB() bool\n}\n"},
			"\"isB tells whether\""},
		"a comment that gives, of a group": {"words", map[string]string{
			"resolvers/a.go": "package resolvers\n\n// A gives up.\nconst (\nB = 1\nA = 2\n)\n"}, "\"A gives\""},
		"a comment that returns": {"words", map[string]string{
			"resolvers/a.go": "package resolvers\n\n// now returns what the clock gives.\nfunc now() {}\n\n" +
				"// Google gives ids.\nconst ids = 1\n"}, ""},
		"a long file": {"length", map[string]string{
			"adapters/store/rows/a.go": "package rows\n" + strings.Repeat("\n", maxLines)}, "has 601 lines"},
		"a long generated file": {"length", map[string]string{
			"graph/a.go": "// Code generated by hand, DO NOT EDIT.\n\npackage graph\n" + strings.Repeat("\n", maxLines)}, ""},
		"the clock": {"clock", map[string]string{
			"resolvers/a.go": "package resolvers\nimport \"time\"\nvar x = time.Now()\n"},
			"resolvers/a.go:3:9 reads the machine's clock"},
		"the clock by another name": {"clock", map[string]string{
			"resolvers/a.go": "package resolvers\nimport t \"time\"\nvar x = t.Since(t.Time{})\n"}, "reads the machine's clock"},
		"the clock in package main": {"clock", map[string]string{
			"server.go": "package main\nimport \"time\"\nvar x = time.Now()\n"}, "server.go:3:9 reads the machine's clock"},
		"a default clock": {"clock", map[string]string{
			"resolvers/a.go": "package resolvers\nimport \"time\"\nvar now = time.Now\n"}, ""},
		"a deadline": {"clock", map[string]string{
			"resolvers/a.go": "package resolvers\nimport \"time\"\nfunc f(c interface{ SetDeadline(time.Time) }) { " +
				"c.SetDeadline(time.Now().Add(1)) }\n"}, ""},
		"no deadline": {"clock", map[string]string{
			"resolvers/a.go": "package resolvers\nimport \"time\"\nfunc f(c interface{ SetReadDeadline(time.Time) }) { " +
				"c.SetReadDeadline(time.Time{}) }\n"}, ""},
		"a deadline by an injected clock": {"clock", map[string]string{
			"resolvers/a.go": "package resolvers\nimport \"time\"\nfunc f(c interface{ SetReadDeadline(time.Time) }, " +
				"now func() time.Time) { c.SetReadDeadline(now().Add(1)) }\n"}, "sets a deadline of a connection"},
		"a test's deadline by an injected clock": {"clock", map[string]string{
			"resolvers/a_test.go": "package resolvers\nimport \"time\"\nfunc f(c interface{ SetDeadline(time.Time) }, " +
				"at time.Time) { c.SetDeadline(at) }\n"}, "sets a deadline of a connection"},
		"a sleep": {"sleep", map[string]string{
			"resolvers/a_test.go": "package resolvers\nimport \"time\"\nfunc f() { time.Sleep(1) }\n"}, "sleeps"},
		"a sleep in a bubble": {"sleep", map[string]string{
			"resolvers/a_test.go": "package resolvers\nimport (\n\"testing\"\n\"testing/synctest\"\n\"time\"\n)\n" +
				"func TestA(t *testing.T) { synctest.Test(t, func(t *testing.T) { time.Sleep(1) }) }\n"}, ""},
		"twins": {"migrations", map[string]string{"migrations/sqlite/0001_tasks.sql": "",
			"migrations/postgres/0001_tasks.sql": ""}, ""},
		"no twin": {"migrations", map[string]string{"migrations/sqlite/0001_tasks.sql": ""},
			"migrations/sqlite/0001_tasks.sql has no twin in migrations/postgres"},
		"a gap": {"migrations",
			map[string]string{"migrations/sqlite/0002_tasks.sql": "", "migrations/postgres/0001_tasks.sql": "",
				"migrations/sqlite/0001_tasks.sql": "", "migrations/postgres/0003_tasks.sql": ""}, "should have the number 0002"},
		"a bad name": {"migrations", map[string]string{"migrations/sqlite/tasks.sql": ""}, "is not named"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{}
			for path, text := range test.files {
				files[path] = &fstest.MapFile{Data: []byte(text)}
			}
			all, err := readTree(files)
			if err != nil {
				t.Fatal(err)
			}
			breaches := rules[test.rule](all)
			if test.want == "" && len(breaches) > 0 {
				t.Errorf("the rule finds %q in a tree that keeps it", breaches)
			}
			if test.want != "" && !slices.ContainsFunc(breaches, func(b string) bool { return strings.Contains(b, test.want) }) {
				t.Errorf("the rule finds %q, want %q", breaches, test.want)
			}
		})
	}
}

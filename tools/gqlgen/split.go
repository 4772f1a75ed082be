package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The suffixes of files that gqlgen and plans write, and of those that hold what only gqlgen's executor needs.
const (
	generatedFiles = ".generated.go"
	executorFiles  = ".executor.go"
)

// setExecutorApart moves what plans do not need out of the generated files of a folder, into files that are compiled
// with a build tag alone. Four fifths of what gqlgen writes is its executor, which no program needs that runs plans.
func setExecutorApart(dir, tag string) error {
	files, err := readGenerated(dir)
	if err != nil {
		return err
	}
	needed(files)
	for _, file := range files {
		if err := file.write(tag); err != nil {
			return fmt.Errorf("%s: %w", file.path, err)
		}
	}
	return nil
}

// removeExecutorFiles removes the files of an earlier run, so that what they hold is not declared twice.
func removeExecutorFiles(dir string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*"+executorFiles))
	if err != nil {
		return err
	}
	for _, path := range paths {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// generatedFile is one file and its declarations, imports aside.
type generatedFile struct {
	path         string
	text         []byte
	begin        token.Pos
	imports      *ast.GenDecl
	declarations []*declaration
}

// declaration is a function, a method, or a group of types, variables or constants.
type declaration struct {
	ast.Decl
	doc *ast.CommentGroup
	// names are what it declares, a method by its own name; uses are all identifiers in it.
	names, uses []string
	needed      bool
}

func readGenerated(dir string) ([]*generatedFile, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*"+generatedFiles))
	if err != nil {
		return nil, err
	}
	var out []*generatedFile
	for _, path := range paths {
		file := &generatedFile{path: path}
		if file.text, err = os.ReadFile(path); err != nil {
			return nil, err
		}
		// a set for each file, in which positions are those of the file
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, file.text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		file.begin = parsed.FileStart
		for _, decl := range parsed.Decls {
			if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.IMPORT {
				file.imports = group
				continue
			}
			file.declarations = append(file.declarations, declared(decl))
		}
		out = append(out, file)
	}
	return out, nil
}

func declared(decl ast.Decl) *declaration {
	out := &declaration{Decl: decl}
	var own *ast.Ident // the name of a method is no use of another one of that name
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		out.doc, own = decl.Doc, decl.Name
		out.names = []string{decl.Name.Name}
	case *ast.GenDecl:
		out.doc = decl.Doc
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				out.names = append(out.names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					out.names = append(out.names, name.Name)
				}
			}
		}
	}
	ast.Inspect(decl, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok && name != own {
			out.uses = append(out.uses, name.Name)
		}
		return true
	})
	return out
}

// needed marks what the plans use, and what that uses. It goes by names alone, so it may keep too much, never too
// little.
func needed(files []*generatedFile) {
	named := map[string][]*declaration{}
	var open []*declaration
	for _, file := range files {
		plans := filepath.Base(file.path) == plansFile
		for _, one := range file.declarations {
			for _, name := range one.names {
				named[name] = append(named[name], one)
			}
			if plans {
				one.needed = true
				open = append(open, one)
			}
		}
	}
	for len(open) > 0 {
		last := open[len(open)-1]
		open = open[:len(open)-1]
		for _, name := range last.uses {
			for _, one := range named[name] {
				if !one.needed {
					one.needed = true
					open = append(open, one)
				}
			}
		}
	}
}

// write writes what is needed into the file, and what is not into the one beside it.
func (f *generatedFile) write(tag string) error {
	rest := slices.DeleteFunc(slices.Clone(f.declarations), func(one *declaration) bool { return one.needed })
	if len(rest) == 0 {
		return nil
	}
	header := f.text[:f.imports.Pos()-f.begin]
	apart := append([]byte("//go:build "+tag+"\n\n"), header...)
	apart = append(apart, f.of(f.imports, nil)...)
	var kept []byte
	at := token.Pos(0)
	for _, one := range rest {
		apart = append(append(apart, "\n\n"...), f.of(one, one.doc)...)
		from, to := f.extent(one, one.doc)
		kept = append(kept, f.text[at:from]...)
		at = to
	}
	kept = append(kept, f.text[at:]...)
	if err := writeGo(strings.TrimSuffix(f.path, generatedFiles)+executorFiles, apart); err != nil {
		return err
	}
	if len(rest) == len(f.declarations) {
		return os.Remove(f.path)
	}
	return writeGo(f.path, kept)
}

// extent returns where a declaration with its comment begins and ends, in bytes of the file.
func (f *generatedFile) extent(node ast.Node, doc *ast.CommentGroup) (from, to token.Pos) {
	from, to = node.Pos(), node.End()
	if doc != nil {
		from = doc.Pos()
	}
	return from - f.begin, to - f.begin
}

func (f *generatedFile) of(node ast.Node, doc *ast.CommentGroup) []byte {
	from, to := f.extent(node, doc)
	return f.text[from:to]
}

// writeGo writes a file of Go as gofmt does, without the imports that it does not use.
func writeGo(path string, text []byte) error {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, path, text, parser.ParseComments)
	if err != nil {
		return err
	}
	used := map[string]bool{}
	ast.Inspect(parsed, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if of, ok := selector.X.(*ast.Ident); ok {
				used[of.Name] = true
			}
		}
		return true
	})
	for _, decl := range parsed.Decls {
		if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.IMPORT {
			group.Specs = slices.DeleteFunc(group.Specs, func(spec ast.Spec) bool { return !used[importName(spec)] })
		}
	}
	parsed.Decls = slices.DeleteFunc(parsed.Decls, func(decl ast.Decl) bool {
		group, ok := decl.(*ast.GenDecl)
		return ok && group.Tok == token.IMPORT && len(group.Specs) == 0
	})
	var out bytes.Buffer
	if err := format.Node(&out, set, parsed); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644) //nolint:gosec // a file of the source tree
}

// importName is the name by which a file uses an import; that of a package is taken to be the last part of its path.
func importName(spec ast.Spec) string {
	one, ok := spec.(*ast.ImportSpec)
	if !ok {
		return ""
	}
	if one.Name != nil {
		return one.Name.Name
	}
	name, err := strconv.Unquote(one.Path.Value)
	if err != nil {
		return ""
	}
	return path.Base(name)
}

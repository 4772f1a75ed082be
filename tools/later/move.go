package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// move returns the source of package time with a Now that is days ahead. No line is added, so that the package looks
// the same to those who were compiled against the original.
func move(source []byte, days int) ([]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "time.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, declaration := range file.Decls {
		now, ok := declaration.(*ast.FuncDecl)
		if !ok || now.Recv != nil || now.Name.Name != "Now" || len(now.Body.List) == 0 {
			continue
		}
		read, ok := now.Body.List[0].(*ast.AssignStmt)
		if !ok || len(read.Lhs) != 3 {
			break
		}
		if seconds, ok := read.Lhs[0].(*ast.Ident); ok {
			added := fmt.Sprintf("; %s += %d", seconds.Name, days*24*60*60)
			return slices.Insert(slices.Clone(source), files.Position(read.End()).Offset, []byte(added)...), nil
		}
	}
	return nil, errors.New("time.Now does not begin as expected; see how this Go reads the time, and mend tools/later")
}

// relink puts another file for package time into the list of packages that the linker reads.
func relink(packages []byte, archive string) ([]byte, error) {
	lines := bytes.SplitAfter(packages, []byte("\n"))
	for i, line := range lines {
		if bytes.HasPrefix(line, []byte("packagefile time=")) {
			lines[i] = []byte("packagefile time=" + archive + "\n")
			return bytes.Join(lines, nil), nil
		}
	}
	return nil, errors.New("a program is linked without package time")
}

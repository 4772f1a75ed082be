package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A field that a client may send and that nobody reads is accepted and lost. This walks the inputs that the generator
// writes, and looks in the resolvers for a variable of the input's type of which the field is named.
func TestEveryFieldOfAnInputIsRead(t *testing.T) {
	t.Parallel()
	inputs := inputFields(t)
	files := resolverFiles(t)
	if len(inputs) < 80 || len(files) < 100 {
		t.Fatalf("%d inputs and %d files were looked at", len(inputs), len(files))
	}
	reader := inputReader{inputs: inputs, fields: map[string]string{}, read: map[string]bool{}}
	for _, file := range files {
		ast.Inspect(file, reader.declared)
	}
	for _, file := range files {
		for _, declaration := range file.Decls {
			reader.types = map[string]string{}
			ast.Inspect(declaration, reader.look)
		}
	}
	for _, input := range slices.Sorted(maps.Keys(inputs)) {
		for _, field := range slices.Sorted(maps.Keys(inputs[input])) {
			if place := input + "." + field; !reader.read[place] {
				t.Errorf("no resolver reads %s", place)
			}
		}
	}
}

// resolverFiles returns the sources of the resolvers, tests aside.
func resolverFiles(t *testing.T) []*ast.File {
	t.Helper()
	var files []*ast.File
	err := filepath.WalkDir("resolvers", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		files = append(files, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// inputFields returns the fields of the inputs that the generator writes, with the names of their types.
func inputFields(t *testing.T) map[string]map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "graph/models_gen.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string]map[string]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.TypeSpec)
		if !ok || !strings.HasSuffix(spec.Name.Name, "Input") && !strings.HasSuffix(spec.Name.Name, "Patch") {
			return true
		}
		if record, ok := spec.Type.(*ast.StructType); ok {
			fields := map[string]string{}
			for _, field := range record.Fields.List {
				fields[field.Names[0].Name] = typeName(field.Type)
			}
			inputs[spec.Name.Name] = fields
		}
		return false
	})
	return inputs
}

// inputReader notes which fields of inputs a declaration names.
type inputReader struct {
	inputs map[string]map[string]string
	// fields are the types of the fields that structs of the resolvers have, as far as they are inputs.
	fields map[string]string
	// types are those of the declaration's variables.
	types map[string]string
	read  map[string]bool
}

// declared takes in the fields of a struct.
func (r *inputReader) declared(node ast.Node) bool {
	if record, ok := node.(*ast.StructType); ok {
		for _, field := range record.Fields.List {
			for _, name := range field.Names {
				if input := typeName(field.Type); r.inputs[input] != nil {
					r.fields[name.Name] = input
				}
			}
		}
	}
	return true
}

// look takes in the variables of a declaration and what is named of them.
func (r *inputReader) look(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.FuncType:
		for _, parameter := range node.Params.List {
			for _, name := range parameter.Names {
				r.types[name.Name] = typeName(parameter.Type)
			}
		}
	case *ast.RangeStmt:
		if value, ok := node.Value.(*ast.Ident); ok {
			r.types[value.Name] = r.inputOf(node.X)
		}
	case *ast.AssignStmt:
		if name, ok := node.Lhs[0].(*ast.Ident); ok && node.Tok == token.DEFINE {
			r.types[name.Name] = r.inputOf(node.Rhs[0])
		}
	case *ast.SelectorExpr:
		r.read[r.inputOf(node.X)+"."+node.Sel.Name] = true
	}
	return true
}

// inputOf returns the name of the input that an expression is, points to or lists; "" when it is none.
func (r *inputReader) inputOf(expression ast.Expr) string {
	switch expression := expression.(type) {
	case *ast.Ident:
		return r.types[expression.Name]
	case *ast.SelectorExpr:
		if fields := r.inputs[r.inputOf(expression.X)]; fields != nil {
			return fields[expression.Sel.Name]
		}
		return r.fields[expression.Sel.Name]
	case *ast.IndexExpr:
		return r.inputOf(expression.X)
	case *ast.StarExpr:
		return r.inputOf(expression.X)
	case *ast.ParenExpr:
		return r.inputOf(expression.X)
	}
	return ""
}

// typeName returns the name of the type that an expression is, points to or lists.
func typeName(expression ast.Expr) string {
	switch expression := expression.(type) {
	case *ast.Ident:
		return expression.Name
	case *ast.SelectorExpr:
		return expression.Sel.Name
	case *ast.StarExpr:
		return typeName(expression.X)
	case *ast.ArrayType:
		return typeName(expression.Elt)
	case *ast.IndexExpr: // graphql.Omittable
		return typeName(expression.Index)
	}
	return ""
}

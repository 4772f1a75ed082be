package events

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// order is the way of a request through the files of this package: each uses only those before it. What is read is
// found next, then decided, applied and answered; a file that uses a later one turns a request back.
var order = []struct {
	stage string
	files []string
}{
	{"what is spoken of", []string{"resolver.go", "fresh.go"}},
	{"read the input", []string{"parts.go", "times.go", "patch.go", "new.go"}},
	{"find the events", []string{"places.go", "list.go", "find.go", "duplicates.go"}},
	{"decide", []string{"decide.go", "ask.go", "series.go", "one.go", "many.go", "steps.go"}},
	{"apply", []string{"keep.go", "apply.go", "undo.go"}},
	{"answer", []string{"read.go", "conflicts.go", "change.go", "create.go", "calendars.go", "verbs.go"}},
}

func TestFilesStandInTheOrderOfTheWay(t *testing.T) {
	t.Parallel()
	rank, stage := make(map[string]int), make(map[string]string)
	for _, s := range order {
		for _, name := range s.files {
			rank[name], stage[name] = len(rank)+1, s.stage
		}
	}
	positions := token.NewFileSet()
	files := make(map[string]*ast.File)
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if rank[name] == 0 {
			t.Errorf("%s is in no stage; say in order what it is for", name)
		}
		if files[name], err = parser.ParseFile(positions, name, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	for name := range rank {
		if files[name] == nil {
			t.Errorf("%s is in the order and not in the folder", name)
		}
	}
	names, methods := declared(files)
	uses := 0
	for name, file := range files {
		later := func(id *ast.Ident, homes []string) {
			if len(homes) == 0 {
				return
			}
			uses++
			if !slices.ContainsFunc(homes, func(home string) bool { return rank[home] <= rank[name] }) {
				t.Errorf("%s (%s) uses %s of %s (%s), which comes later", positions.Position(id.Pos()), stage[name], id.Name,
					homes[0], stage[homes[0]])
			}
		}
		for _, id := range file.Unresolved {
			later(id, names[id.Name])
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.SelectorExpr:
				if isResolver(n.X) {
					later(n.Sel, methods[n.Sel.Name])
				}
			case *ast.CallExpr:
				if of, ok := n.Fun.(*ast.SelectorExpr); ok && !of.Sel.IsExported() && !isResolver(of.X) {
					later(of.Sel, methods[of.Sel.Name])
				}
			}
			return true
		})
	}
	if uses < 100 {
		t.Errorf("only %d uses of other files were seen; the test looks at the wrong things", uses)
	}
}

// TestContributingDrawsTheWay holds the drawing of CONTRIBUTING.md to the order: its stages, each with its files.
func TestContributingDrawsTheWay(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, drawing, _ := strings.Cut(string(text), "order_test.go`):\n\n```text\n")
	lines := strings.Split(drawing, "\n")
	for i, stage := range order {
		files := strings.ReplaceAll(strings.Join(stage.files, ", "), ".go", "")
		if i >= len(lines) || !strings.Contains(lines[i], "  "+files+"  ") {
			t.Errorf("line %d of the drawing does not show %q (%s)", i+1, files, stage.stage)
		}
	}
}

// declared returns the files that declare each name of the package and each method. Several types may have methods of
// one name; then any of their files may be meant.
func declared(files map[string]*ast.File) (names, methods map[string][]string) {
	names, methods = make(map[string][]string), make(map[string][]string)
	for name, file := range files {
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				into := names
				if d.Recv != nil {
					into = methods
				}
				into[d.Name.Name] = append(into[d.Name.Name], name)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						names[s.Name.Name] = append(names[s.Name.Name], name)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							names[id.Name] = append(names[id.Name], name)
						}
					}
				}
			}
		}
	}
	return names, methods
}

// isResolver reports whether an expression is the receiver of our own methods. Other types have exported methods too,
// of the same names.
func isResolver(of ast.Expr) bool {
	id, ok := of.(*ast.Ident)
	return ok && id.Name == "r"
}

package telemetry

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the module's folder.
const root = "../.."

// loggedKeys walks the sources of the product and returns the places of each key that is logged or set on a span. A key
// that is no literal is returned as "?": nobody could check it.
func loggedKeys(t *testing.T) map[string][]string {
	t.Helper()
	keys := map[string][]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name == "bench" || name == "tools" || entry.Name() == "node_modules" || entry.Name() == "testdata" ||
				(strings.HasPrefix(name, ".") && name != ".") {
				return fs.SkipDir
			}
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
			path.Dir(name) != "internal/telemetry" && !strings.HasSuffix(name, ".generated.go"):
			return keysOf(keys, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func keysOf(keys map[string][]string, name string) error {
	source, err := fs.ReadFile(os.DirFS(root), name)
	if err != nil {
		return err
	}
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, name, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	written := func(e ast.Expr) string {
		return string(source[positions.Position(e.Pos()).Offset:positions.Position(e.End()).Offset])
	}
	add := func(e ast.Expr) {
		key := "?"
		if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			key, _ = strconv.Unquote(literal.Value)
		}
		keys[key] = append(keys[key], positions.Position(e.Pos()).String())
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if on, ok := method.X.(*ast.Ident); ok && (on.Name == "slog" || on.Name == "attribute") {
			if isAttribute(method.Sel.Name) && len(call.Args) > 1 {
				add(call.Args[0])
			}
			return true
		}
		for first := firstKey(method.Sel.Name, written(method.X)); first >= 0 && first < len(call.Args); {
			if argument := written(call.Args[first]); strings.HasPrefix(argument, "slog.") || call.Ellipsis.IsValid() {
				first++ // an attribute, which is looked at by itself
				continue
			}
			add(call.Args[first])
			first += 2
		}
		return true
	})
	return nil
}

func isAttribute(function string) bool {
	return slices.Contains([]string{"Any", "Bool", "Duration", "Float64", "Group", "Int", "Int64", "String",
		"StringSlice", "Stringer", "Time", "Uint64"}, function)
}

// firstKey returns which argument of a logger's method is its first key, -1 when it is none.
func firstKey(method, on string) int {
	isLogger := strings.Contains(strings.ToLower(on), "log")
	switch method {
	case "DebugContext", "InfoContext", "WarnContext", "ErrorContext":
		return 2
	case "Log":
		if isLogger {
			return 3
		}
	case "Debug", "Info", "Warn", "Error":
		if isLogger {
			return 1
		}
	case "With", "WithGroup":
		if isLogger {
			return 0
		}
	}
	return -1
}

func TestEveryLoggedKeyIsInTheTable(t *testing.T) {
	keys := loggedKeys(t)
	if len(keys) < 40 {
		t.Fatalf("only %d keys are found; the walk looks at the wrong calls", len(keys))
	}
	for key, places := range keys {
		if _, known := allowed[key]; !known {
			t.Errorf("%q is logged, but would be redacted: add it to the table in allowed.go with its form, or log less (%s)",
				key, strings.Join(places, ", "))
		}
	}
	own := map[string]bool{"spans": true, "error": true,
		// The SDK sets these for recorded errors.
		"exception.message": true, "exception.type": true}
	for key := range allowed {
		if len(keys[key]) == 0 && !own[key] {
			t.Errorf("%q is in the table, but nothing logs it", key)
		}
	}
}

// fieldName finds the names of fields and arguments in schema files.
var fieldName = regexp.MustCompile(`(?m)(?:^  |[(,] ?)([a-z]\w*)(?:\(.*\))?: `)

// The fields of the schema are what users' words and remote systems' references stand in.
func TestNoFieldOfTheSchemaComesOut(t *testing.T) {
	fields := map[string]bool{}
	for _, source := range schemas(t) {
		for _, match := range fieldName.FindAllStringSubmatch(source, -1) {
			fields[match[1]] = true
		}
	}
	for _, expected := range []string{"summary", "location", "description", "attendees", "htmlLink", "snippet",
		"subject", "content", "text", "fact", "query"} {
		if !fields[expected] {
			t.Errorf("the schema's field %s is not found", expected)
		}
	}
	// Texts of the program and of errors may have the name of a field; they are scrubbed, not closed.
	for field := range fields {
		for _, private := range []string{"buy milk for דנה", "dana@example.com", "email_64s36d1n6rvkge9g6ct3jc1g",
			"almanac_01h455vb4pex5vsknk084sn02q01h455vb4pex5vsknk084sn02q"} {
			var out bytes.Buffer
			NewLogger(&out, slog.LevelInfo).Info("m", field, private)
			if strings.Contains(out.String(), private) && !(allowed[field] == text && strings.Contains(private, " ")) {
				t.Errorf("%s: %s", field, out.String())
			}
		}
	}
}

func schemas(t *testing.T) (sources []string) {
	t.Helper()
	files := os.DirFS(root + "/schema")
	names, err := fs.Glob(files, "*.graphqls")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d files of the schema, %v", len(names), err)
	}
	for _, name := range names {
		source, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, string(source))
	}
	return sources
}

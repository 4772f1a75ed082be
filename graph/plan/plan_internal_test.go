package plan

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// writer returns a writer at the field f of the root, and what it is given for a context.
func writer() (*Writer, context.Context) {
	ctx := graphql.WithResponseContext(context.Background(), graphql.DefaultErrorPresenter, graphql.DefaultRecover)
	field := &Field{collected: graphql.CollectedField{Field: &ast.Field{Name: "f", Alias: "f"}}}
	return &Writer{
		run:  &run{operation: &graphql.OperationContext{}, top: &graphql.FieldContext{Object: "Query"}},
		path: []step{{field: field}},
	}, ctx
}

func FuzzString(f *testing.F) {
	for _, text := range []string{"", "plain text", `"quoted"`, `back\slash`, "\x00\x1f\t\r\n\u2028\u007f", "שלום 🙂",
		"\xff\xc3(",
		strings.Repeat("x", 100) + `"`} {
		for i := range 9 {
			f.Add(strings.Repeat("a", i) + text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want bytes.Buffer
		graphql.MarshalString(text).MarshalGQL(&want)
		var w Writer
		w.String(text)
		if repaired := bytes.ToValidUTF8(want.Bytes(), []byte("\ufffd")); !bytes.Equal(w.buf, repaired) {
			t.Errorf("%q: %s, want %s", text, w.buf, repaired)
		}
	})
}

func FuzzFloat(f *testing.F) {
	for _, n := range []float64{0, 1, -1, 1e20, 1e21, 1e-6, 1e-7, 100000, 1e6, 1.0 / 3, math.MaxFloat64,
		math.Copysign(0, -1)} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n float64) {
		w, ctx := writer()
		if math.IsInf(n, 0) || math.IsNaN(n) {
			if w.Float(ctx, n) || len(w.buf) > 0 {
				t.Errorf("%g is written as %s", n, w.buf)
			}
			return
		}
		var want bytes.Buffer
		graphql.WrapContextMarshaler(ctx, graphql.MarshalFloatContext(n)).MarshalGQL(&want)
		if !w.Float(ctx, n) || string(w.buf) != want.String() {
			t.Errorf("%s, want %s", w.buf, want.String())
		}
	})
}

func TestANumberThatIsNoJSONIsAnErrorAtItsField(t *testing.T) {
	w, ctx := writer()
	if w.Float(ctx, math.NaN()) {
		t.Error("it is a value")
	}
	errs := graphql.GetErrors(ctx)
	if len(errs) != 1 || errs[0].Path.String() != "f" {
		t.Errorf("%v", errs)
	}
}

func TestTheContextIsLookedAtBetweenRows(t *testing.T) {
	w, ctx := writer()
	ctx, cancel := context.WithCancel(ctx)
	rows := 0
	ok := w.List(ctx, 10*rowsBetweenLooks, true, func(int) bool {
		if rows++; rows == 10 {
			cancel()
		}
		w.Int(1)
		return true
	})
	if ok || rows >= 2*rowsBetweenLooks || len(w.buf) > 0 || len(graphql.GetErrors(ctx)) != 1 {
		t.Errorf("%d rows were appended after the context had ended: %s", rows, w.buf)
	}
}

func TestFieldsOfOneNameAreMergedAcrossInterfaces(t *testing.T) {
	field := func(name, on, below string) *ast.Field {
		return &ast.Field{Name: name, Alias: name, ObjectDefinition: &ast.Definition{Name: on},
			SelectionSet: ast.SelectionSet{&ast.Field{Name: below}}}
	}
	first := field("x", "One", "a")
	g := gathering{compiler: &compiler{}, of: Type{Implements: []string{"One", "Two"}}}
	g.collect(ast.SelectionSet{first, field("y", "One", "c"), &ast.InlineFragment{TypeCondition: "Two",
		SelectionSet: ast.SelectionSet{field("x", "Two", "b")}}}, nil)
	if len(g.fields) != 2 || len(g.fields[0].collected().Selections) != 2 || len(first.SelectionSet) != 1 {
		t.Errorf("%+v", g.fields)
	}
}

// What is made of a selection is kept with the field of the plan; another type does not displace it, and without a plan
// nothing is kept.
func TestOnce(t *testing.T) {
	field := &Field{}
	ctx := context.Context(&fieldContext{Context: context.Background(), of: field,
		field: graphql.FieldContext{Object: "Task"}})
	if graphql.GetFieldContext(ctx).Object != "Task" {
		t.Fatal("gqlgen does not find its field context")
	}
	made := 0
	number := func() int { made++; return made }
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	for range 3 {
		if got := Once(inner, number); got != 1 {
			t.Errorf("made %d times", got)
		}
	}
	if got := Once(ctx, func() string { return "another" }); got != "another" || Once(ctx, number) != 1 {
		t.Errorf("another type: %q, then %d", got, made)
	}
	if Once(context.Background(), number) != 2 || Once(context.Background(), number) != 3 {
		t.Error("kept without a plan")
	}
}

// Values that write themselves come out as one line of valid UTF-8.
func TestValuesAreRepaired(t *testing.T) {
	for value, want := range map[string]string{
		"{\n\t\"a\":\r\n1}": "{ \t\"a\":  1}", "\"a\xffb\"": "\"a\ufffdb\"",
		"\"\xff\xfe\"\n": "\"\ufffd\" ", `"שלום"`: `"שלום"`,
	} {
		w := Writer{buf: []byte("\n\xff")} // what stands before is not looked at
		w.Value(graphql.WriterFunc(func(to io.Writer) { _, _ = io.WriteString(to, value) }))
		if got := string(w.buf[2:]); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

// numbers appends some numbers, and fails then if it is to.
type numbers struct {
	count int
	err   error
}

func (n numbers) Each(_ context.Context, list interface{ Append(v *int) bool }) error {
	for i := range n.count {
		if !list.Append(&i) {
			return nil
		}
	}
	return n.err
}

// Nodes that are read as they are appended are those of a list, and what goes wrong is an error of the connection.
func TestNodesAreAppendedAsTheyAreRead(t *testing.T) {
	broken := errors.New("the connection is gone")
	for _, c := range []struct {
		name   string
		reader numbers
		null   int // the number that is null, which the list allows if it may
		may    bool
		want   string
		errs   string
	}{
		{"none", numbers{}, -1, false, "[]", ""},
		{"some", numbers{3, nil}, -1, false, "[0,1,2]", ""},
		{"a null", numbers{3, nil}, 1, true, "[0,null,2]", ""},
		{"a null that must not be", numbers{3, nil}, 1, false, "", ""},
		{"an error at once", numbers{0, broken}, -1, false, "", "tasks"},
		{"an error in between", numbers{2, broken}, -1, false, "", "tasks"},
	} {
		w, ctx := writer()
		connection := &Field{collected: graphql.CollectedField{Field: &ast.Field{Name: "tasks", Alias: "tasks"}}}
		nodes := &Field{collected: graphql.CollectedField{Field: &ast.Field{Name: "nodes", Alias: "nodes"}}}
		w.path = []step{{field: connection}, {field: nodes}}
		ok := Nodes(ctx, w, c.reader, !c.may, func(v *int) bool {
			if *v == c.null {
				return false
			}
			w.Int(int64(*v))
			return true
		})
		if ok != (c.want != "") || ok && string(w.buf) != c.want || len(w.path) != 2 {
			t.Errorf("%s: %s, %t at depth %d; want %s", c.name, w.buf, ok, len(w.path), c.want)
		}
		var at []string
		for _, err := range graphql.GetErrors(ctx) {
			at = append(at, err.Path.String())
		}
		if strings.Join(at, " ") != c.errs {
			t.Errorf("%s: errors at %q, want %q", c.name, at, c.errs)
		}
	}
}

// The context is looked at between nodes, and its end is an error of the connection.
func TestNodesEndWithTheContext(t *testing.T) {
	w, within := writer()
	ctx, cancel := context.WithCancel(within)
	connection := &Field{collected: graphql.CollectedField{Field: &ast.Field{Name: "tasks", Alias: "tasks"}}}
	nodes := &Field{collected: graphql.CollectedField{Field: &ast.Field{Name: "nodes", Alias: "nodes"}}}
	w.path = []step{{field: connection}, {field: nodes}}
	seen := 0
	ok := Nodes(ctx, w, numbers{count: 10_000}, true, func(*int) bool {
		cancel()
		seen++
		w.Int(1)
		return true
	})
	if errs := graphql.GetErrors(ctx); ok || seen > rowsBetweenLooks || len(errs) != 1 {
		t.Errorf("%t after %d nodes, errors %v", ok, seen, errs)
	}
}

// What is wrong with a part of an argument is told with its path, though arguments are read without paths at first;
// what is right is read once, in a context that is made for none of its parts.
func TestArgumentsAreReadWithPathsForAnError(t *testing.T) {
	w, ctx := writer()
	w.run.operation.Variables = map[string]any{"ids": []any{"a", "b", 3}}
	f := w.path[0].field
	f.collected.Definition = &ast.FieldDefinition{Arguments: ast.ArgumentDefinitionList{{Name: "ids"}, {Name: "more"}}}
	f.collected.Arguments = ast.ArgumentList{{Name: "ids", Value: &ast.Value{Kind: ast.Variable, Raw: "ids"}}}
	reads := 0
	arguments := func(ctx context.Context, raw map[string]any) (map[string]any, error) {
		reads++
		ids, err := Argument(ctx, raw, "ids", func(ctx context.Context, value any) (all []string, err error) {
			for i, one := range value.([]any) {
				ctx := AtName(AtIndex(ctx, i), "id")
				id, is := one.(string)
				if !is {
					return nil, graphql.ErrorOnPath(ctx, errors.New("no text"))
				}
				all = append(all, id)
			}
			return all, nil
		})
		return map[string]any{"ids": ids}, err
	}
	inner, fc := w.enter(ctx, f)
	if w.prepare(inner, f, fc, arguments) || reads != 2 {
		t.Errorf("the arguments were taken, or read %d times, want 2", reads)
	}
	if errs := graphql.GetErrors(ctx); len(errs) != 1 || errs[0].Path.String() != "f.ids[2].id" {
		t.Errorf("the errors are %v, want one at f.ids[2].id", errs)
	}
	reads, w.run.operation.Variables = 0, map[string]any{"ids": []any{"a", "b"}}
	if !w.prepare(inner, f, fc, arguments) || reads != 1 || len(fc.Args["ids"].([]string)) != 2 {
		t.Errorf("read %d times: %v", reads, fc.Args)
	}
}

package engine_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/graph/plan"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/faultschema"

	"github.com/99designs/gqlgen/graphql"
	described "github.com/99designs/gqlgen/graphql/introspection"
	"github.com/vektah/gqlparser/v2/ast"
)

// What TestPlansAgree runs; a long run has a million documents.
var (
	planned = flag.Uint64("documents", 3_000, "how many random documents are run by plans and by gqlgen's executor")
	first   = flag.Uint64("first", 0, "the seed of the first of them")
)

// ways are an engine with plans and one without, over the schema of faults.
type ways struct {
	schema   *ast.Schema
	resolver *faultschema.Resolver
	plans    *engine.Engine
	executor *engine.Engine
}

func newWays(t testing.TB) *ways {
	t.Helper()
	w := &ways{resolver: &faultschema.Resolver{}}
	executable := faultschema.New(w.resolver)
	w.schema = executable.Schema()
	limits := engine.Limits{
		Tokens: 1 << 20, Depth: 50, Aliases: 1 << 20, RootFields: 1 << 20, Directives: 1 << 20, Errors: 1 << 20,
		Cost: 1 << 40, DocumentBytes: 1 << 22,
	}
	for _, way := range []struct {
		to       **engine.Engine
		executor bool
	}{{&w.plans, false}, {&w.executor, true}} {
		made, err := engine.New(engine.Config{Schema: executable, Limits: limits, Executor: way.executor, Introspection: true,
			Logger: slog.New(slog.NewJSONHandler(io.Discard, nil))})
		if err != nil {
			t.Fatal(err)
		}
		*way.to = made
	}
	return w
}

// traceID is the one thing of an error that differs from run to run.
var traceID = regexp.MustCompile(`"traceId":"[0-9a-f]{32}"`)

// answerOf returns what a client would see of a request, with the errors in the order of their text since fields run
// beside each other, and how often which resolver ran.
func (w *ways) answerOf(by *engine.Engine, request engine.Request) (string, map[string]int) {
	op, errs := by.Prepare(everything(), request)
	if len(errs) > 0 {
		return "refused " + show(errs), nil
	}
	var out strings.Builder
	stream := op.Subscribe(everything())
	defer stream.Close()
	next := stream.Next
	for response := next(); response != nil; response = next() {
		if op.Kind() == ast.Subscription && by == w.executor && response.Data != nil {
			amend(response)
		}
		out.WriteString(inOrder(response))
	}
	return out.String(), w.resolver.Asked()
}

// amend does to a message of gqlgen's what the specification asks for: errors have the subscription's field in their
// path, and null at a field that must not be null takes the message with it.
func amend(response *graphql.Response) {
	alias := string(response.Data[2])
	for _, err := range response.Errors {
		err.Path = append(ast.Path{ast.PathName(alias)}, err.Path...)
	}
	if string(response.Data) == `{"m":null}` {
		response.Data = []byte("null")
	}
}

func inOrder(response *graphql.Response) string {
	errors := make([]string, 0, len(response.Errors))
	for _, err := range response.Errors {
		text, _ := json.Marshal(err)
		errors = append(errors, traceID.ReplaceAllString(string(text), ""))
	}
	slices.Sort(errors)
	return fmt.Sprintf("%s\n%v\n%s\n", response.Data, response.Extensions, strings.Join(errors, "\n"))
}

// compare runs a document both ways, twice by plans, since the second time they are kept.
func (w *ways) compare(t testing.TB, seed uint64, query string, variables map[string]any) {
	t.Helper()
	w.resolver.Seed = faultschema.Chance(seed)
	request := engine.Request{Query: query, Variables: variables}
	want, wantAsked := w.answerOf(w.executor, request)
	for _, time := range []string{"first", "second"} {
		got, asked := w.answerOf(w.plans, request)
		if got != want || !maps.Equal(asked, wantAsked) {
			t.Fatalf("seed %d, %s run of\n%s\nwith %v\nby plans:\n%s%v\nby the executor:\n%s%v", seed, time, query, variables,
				got, asked, want, wantAsked)
		}
	}
}

// TestPlansAgree compares plans with gqlgen's executor on random documents over a schema in which anything may fail.
func TestPlansAgree(t *testing.T) {
	w := newWays(t)
	var refused, planless uint64
	for seed := *first; seed < *first+*planned; seed++ {
		query, variables := plannedDocument(w.schema, rand.New(rand.NewPCG(seed, 1)))
		op, errs := w.plans.Prepare(everything(), engine.Request{Query: query, Variables: variables})
		switch {
		case len(errs) > 0:
			refused++
			continue
		case !engine.IsPlanned(op):
			planless++
		}
		w.compare(t, seed, query, variables)
	}
	if refused > *planned/10 || planless > 0 {
		t.Errorf("of %d documents %d were refused, and %d had no plan", *planned, refused, planless)
	}
	if *planned >= 1000 && w.resolver.Read() < int(*planned/200) {
		t.Errorf("of %d documents %d read a page while it was appended", *planned, w.resolver.Read())
	}
}

// FuzzPlans is TestPlansAgree for the fuzzer, which chooses the seeds.
func FuzzPlans(f *testing.F) {
	w := newWays(f)
	f.Add(uint64(1), uint64(1))
	f.Fuzz(func(t *testing.T, document, faults uint64) {
		query, variables := plannedDocument(w.schema, rand.New(rand.NewPCG(document, 2)))
		w.compare(t, faults, query, variables)
	})
}

// plannedDocument writes a document with aliases, fragments, directives and variables, nearly always a valid one.
func plannedDocument(schema *ast.Schema, random *rand.Rand) (string, map[string]any) {
	d := &document{schema: schema, random: random, variables: map[string]any{}, budget: 10 + random.IntN(60)}
	kind, root := "query", schema.Query
	switch random.IntN(8) {
	case 0, 1:
		kind, root = "mutation", schema.Mutation
	case 2:
		kind, root = "subscription", schema.Subscription
	}
	var set string
	if root == schema.Subscription {
		field := root.Fields[random.IntN(len(root.Fields))].Name // ticks or mustTicks, with its first letter for an alias
		set = fmt.Sprintf("{%s:%s(count:%d)%s}", field[:1], field, random.IntN(4), d.selection(schema.Types["Item"], 1))
	} else {
		set = d.selection(root, 0)
	}
	head := kind
	if len(d.declared) > 0 {
		head += " Q(" + strings.Join(d.declared, ",") + ")"
	}
	return head + set + strings.Join(d.fragments, "\n"), d.variables
}

type document struct {
	schema    *ast.Schema
	random    *rand.Rand
	declared  []string
	variables map[string]any
	fragments []string
	// budget is how many fields may still be written.
	budget int
	// defers has fragments deferred, labels is how many have been.
	defers bool
	labels int
}

func (d *document) one(in int) bool { return d.random.IntN(in) == 0 }

// variable declares a variable, sometimes one that is left out, and returns its name.
func (d *document) variable(of string, value any) string {
	name := fmt.Sprintf("v%d", len(d.declared))
	d.declared = append(d.declared, "$"+name+":"+of)
	d.variables[name] = value
	return "$" + name
}

func (d *document) directives() string {
	if !d.one(6) {
		return ""
	}
	name := []string{"skip", "include"}[d.random.IntN(2)]
	value := d.random.IntN(3) > 0 == (name == "include")
	if d.one(2) {
		return fmt.Sprintf("@%s(if:%t)", name, value)
	}
	of := "Boolean!"
	if d.one(4) {
		of = fmt.Sprintf("Boolean=%t", value)
	}
	variable := d.variable(of, value)
	if of != "Boolean!" && d.one(2) {
		delete(d.variables, variable[1:])
	}
	return fmt.Sprintf("@%s(if:%s)", name, variable)
}

func (d *document) selection(on *ast.Definition, depth int) string {
	var out strings.Builder
	out.WriteString("{")
	for range 1 + d.random.IntN(5) {
		switch {
		case d.one(12):
			out.WriteString(" __typename")
		case depth < 7 && d.one(5):
			out.WriteString(d.fragment(on, depth))
		default:
			out.WriteString(d.field(on, depth))
		}
	}
	if d.one(8) || out.Len() == 1 {
		out.WriteString(" n: __typename")
	}
	return out.String() + "}"
}

// fragment writes a fragment on the type itself, or on one that it may be.
func (d *document) fragment(on *ast.Definition, depth int) string {
	types := append([]*ast.Definition{on}, d.schema.GetPossibleTypes(on)...)
	if on.Kind == ast.Object {
		types = append(types, d.schema.GetImplements(on)...)
	}
	as := types[d.random.IntN(len(types))]
	if d.one(2) {
		condition := " on " + as.Name
		if as == on && d.one(2) {
			condition = ""
		}
		return fmt.Sprintf(" ...%s%s%s%s", condition, d.directives(), d.deferral(), d.selection(as, depth+1))
	}
	name := fmt.Sprintf("F%d", len(d.fragments))
	d.fragments = append(d.fragments, "")
	at := len(d.fragments) - 1
	d.fragments[at] = fmt.Sprintf("\nfragment %s on %s%s", name, as.Name, d.selection(as, depth+1))
	spread := fmt.Sprintf(" ...%s%s%s", name, d.directives(), d.deferral())
	if d.one(4) {
		spread += fmt.Sprintf(" ...%s", name)
	}
	return spread
}

func (d *document) field(on *ast.Definition, depth int) string {
	if len(on.Fields) == 0 { // a union
		return " __typename"
	}
	d.budget--
	field := on.Fields[d.random.IntN(len(on.Fields))]
	if strings.HasPrefix(field.Name, "__") {
		return " __typename"
	}
	of := d.schema.Types[field.Type.Name()]
	below := ""
	if of.IsCompositeType() {
		if d.budget < 0 || depth > 7 {
			return " __typename"
		}
		below = d.selection(of, depth+1)
	}
	arguments, changed := d.arguments(field)
	alias := ""
	if changed || d.one(6) {
		alias = fmt.Sprintf("%s%d:", field.Name, d.random.IntN(1<<30))
	}
	return " " + alias + field.Name + arguments + d.directives() + below
}

func (d *document) arguments(field *ast.FieldDefinition) (text string, given bool) {
	var out []string
	for _, argument := range field.Arguments {
		if !argument.Type.NonNull && d.one(2) {
			continue
		}
		value, literal := any(nil), "null"
		switch argument.Type.Name() {
		case "Int":
			n := d.random.IntN(5) - 1
			value, literal = json.Number(fmt.Sprint(n)), fmt.Sprint(n)
		case "String":
			value, literal = "a", `"b\n"`
		case "Color":
			value, literal = "RED", "GREEN"
		}
		if d.one(3) {
			of := argument.Type.Name()
			if d.one(6) {
				value = nil
			}
			literal = d.variable(of, value)
			if d.one(5) {
				delete(d.variables, literal[1:])
			}
		}
		out = append(out, argument.Name+":"+literal)
	}
	if len(out) == 0 {
		return "", false
	}
	return "(" + strings.Join(out, ",") + ")", true
}

// TestPlanMemory measures what a plan comes to, against what its document is charged for it. A condition has a plan
// made of a document that is kept already.
func TestPlanMemory(t *testing.T) {
	for name, fields := range map[string]string{
		"fields":   strings.Repeat("id name label count ", 20) + aliases(200, "strict"),
		"nested":   aliases(20, "child{id name child{id} other{id}}"),
		"abstract": aliases(10, "kin{id kin{id kin{id}}}"),
		"merged":   strings.Repeat("child{id} ", 400),
	} {
		w := newWays(t)
		request := engine.Request{Query: "query($a:Boolean!){__typename@skip(if:$a) item{" + fields + "}}"}
		var before, after, bare, used int64
		for _, skip := range []bool{true, false} {
			before, bare = after, used
			request.Variables = map[string]any{"a": skip}
			op, errs := w.plans.Prepare(everything(), request)
			if len(errs) > 0 || !engine.IsPlanned(op) {
				t.Fatalf("%s: %s", name, show(errs))
			}
			after = int64(heap()) //nolint:gosec // a test's heap is small
			used, _ = w.plans.KeptBytes()
		}
		t.Logf("%-10s %7d bytes, counted for %7d", name, after-before, used-bare)
		if after-before > used-bare {
			t.Errorf("%s: %d bytes, counted for %d", name, after-before, used-bare)
		}
		runtime.KeepAlive(w)
	}
}

func aliases(count int, fields ...string) string {
	var out strings.Builder
	for i := range count {
		for j, field := range fields {
			fmt.Fprintf(&out, "f%d_%d:%s ", i, j, field)
		}
	}
	return out.String()
}

func TestEverythingHasAPlan(t *testing.T) {
	w := newWays(t)
	for _, query := range []string{
		"{text __typename}", "mutation{count}", "{text @skip(if:true)}", "query($a:Boolean=true){text@skip(if:$a)}",
		"{text ...{__type(name:\"Item\"){name}}}", "{a:__schema{__typename}}",
		"{text @skip(if:true) ...@include(if:false){__schema{__typename}}}",
		"{being{" + strings.Repeat("kin{id ", 11) + strings.Repeat("}", 11) + "}}", // 2 types, 11 deep
	} {
		op, errs := w.plans.Prepare(everything(), engine.Request{Query: query})
		if len(errs) > 0 || !engine.IsPlanned(op) {
			t.Errorf("%s: %s", query, show(errs))
			continue
		}
		w.compare(t, 5, query, nil)
	}
}

func TestAnOperationHasSoManyPlans(t *testing.T) {
	w := newWays(t)
	names := []string{"a", "b", "c", "d", "e"}
	query := "query($a:Boolean!,$b:Boolean!,$c:Boolean!,$d:Boolean!,$e:Boolean!){__typename"
	for _, name := range names {
		query += fmt.Sprintf(" %s:text@skip(if:$%s)", name, name)
	}
	for bits := range 1 << len(names) {
		variables := map[string]any{}
		for i, name := range names {
			variables[name] = bits>>i&1 == 1
		}
		op, errs := w.plans.Prepare(everything(), engine.Request{Query: query + "}", Variables: variables})
		if len(errs) > 0 {
			t.Fatal(show(errs))
		}
		if !engine.IsPlanned(op) {
			t.Errorf("no plan for %v", variables)
		}
		w.compare(t, uint64(bits), query+"}", variables)
	}
	if kept := engine.KeptPlans(w.plans, query+"}"); kept != 16 {
		t.Errorf("%d plans are kept", kept)
	}
}

// Below an interface a field counts for each type, so nesting doubles it. What has too many fields is refused before
// anything runs; what is too large to be kept, or has more sets of conditions than are kept, has its plan each time.
func TestFieldsOfManyTypes(t *testing.T) {
	t.Parallel()
	w := newWays(t)
	nested := func(depth int) string {
		return "{ being { " + strings.Repeat("kin { ", depth) + "id" + strings.Repeat(" }", depth) + " } }"
	}
	most := 1
	for ; most < 40; most++ {
		if _, errs := w.plans.Prepare(everything(), engine.Request{Query: nested(most)}); errs != nil {
			if engine.CodeOf(errs[0]) != model.CodeQueryTooExpensive || errs[0].Extensions["limit"] != "fields" {
				t.Fatal(errs)
			}
			break
		}
	}
	if fields := 2 << most; fields < plan.MaxFields/2 || fields > plan.MaxFields*2 {
		t.Errorf("refused at depth %d", most)
	}

	var conditions, query strings.Builder
	variables := map[string]any{}
	for i := range 70 {
		fmt.Fprintf(&conditions, " $v%d: Boolean!", i)
		fmt.Fprintf(&query, " f%d: __typename @include(if: $v%[1]d)", i)
		variables[fmt.Sprint("v", i)] = i%3 == 0
	}
	for name, request := range map[string]engine.Request{
		"more conditions than a key has bits": {Query: "query (" + conditions.String() + " ) {" + query.String() + " }",
			Variables: variables},
		"a null condition": {Query: "query ($v: Boolean = true) { __typename @skip(if: $v) }",
			Variables: map[string]any{"v": nil}},
		"a null condition of what is deferred": {Query: "query ($v: Boolean = true) { text ...@defer(if: $v) { __typename } }",
			Variables: map[string]any{"v": nil}, Parts: true},
	} {
		got, _ := w.answerOf(w.plans, request)
		want, _ := w.answerOf(w.executor, request)
		if request.Variables["v0"] == nil {
			want = `refused [{"message":"Variable \"$v\" is null, where a directive needs true or false.",` +
				`"extensions":{"code":"BAD_USER_INPUT"}}]`
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for i := range 40 {
		request := engine.Request{Query: `query ($a: Boolean!, $b: Boolean!, $c: Boolean!, $d: Boolean!, $e: Boolean!) {
			a: __typename @skip(if: $a) b: __typename @skip(if: $b) c: __typename @skip(if: $c) d: __typename @skip(if: $d)
			e: __typename @skip(if: $e) f: __typename }`, Variables: map[string]any{}}
		for bit, name := range []string{"a", "b", "c", "d", "e"} {
			request.Variables[name] = i>>bit&1 == 1
		}
		got, _ := w.answerOf(w.plans, request)
		if want, _ := w.answerOf(w.executor, request); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// What the schema says of itself is said by plans too: everything, and of each type by its name.
func TestPlansDescribeTheSchema(t *testing.T) {
	t.Parallel()
	w := newWays(t)
	w.compare(t, 1, described.Query, nil)
	const all = `query ($name: String!, $old: Boolean = true) { a: __type(name: $name) { __typename kind name description
		specifiedByURL isOneOf fields(includeDeprecated: $old) { name description isDeprecated deprecationReason
		args { name description defaultValue type { ...T } } type { ...T } } inputFields { name defaultValue type { ...T } }
		interfaces { name } possibleTypes { name } enumValues(includeDeprecated: $old) { name isDeprecated } }
		__schema { queryType { name } mutationType { name } subscriptionType { name } description
		directives { name locations isRepeatable args { name } } } item { __typename } }
		fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { name } } } }`
	for name := range w.schema.Types {
		for _, old := range []bool{true, false} {
			w.compare(t, 1, all, map[string]any{"name": name, "old": old})
		}
	}
	w.compare(t, 1, all, map[string]any{"name": "Nothing"})
}

package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/faultschema"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// inParts is an answer in parts, put together as a client does it that knows nothing but the messages.
type inParts struct {
	data   any
	errors []string
	// failed are the places of the fragments at whose object null has arrived, and nulls those of the errors by which.
	failed, nulls []string
	// also are the places of the errors of the whole answer: a fragment that spans several objects has failed by the first
	// null of them, and is not told of the others'.
	also []string
	// announced is how many fragments were.
	parts, announced int
	asked            map[string]int
}

// merge runs a request in parts and puts the answer together.
func (w *ways) merge(t testing.TB, request engine.Request) inParts {
	t.Helper()
	request.Parts = true
	op, errs := w.plans.Prepare(everything(), request)
	if len(errs) > 0 {
		t.Fatalf("%s\n%s", request.Query, show(errs))
	}
	if !op.Defers() {
		response := op.Execute(everything())
		out := inParts{asked: w.resolver.Asked(), parts: 1, data: decoded(t, response.Data)}
		out.note(response.Errors)
		return out
	}
	first, rest := op.Start(everything())
	defer rest.Close()
	out := inParts{parts: 1, data: decoded(t, first.Response.Data)}
	out.note(first.Response.Errors)
	pending := map[int]string{}
	for part := first; ; part = rest.Next() {
		for _, f := range part.Pending {
			if _, again := pending[f.ID]; again {
				t.Fatalf("%d is announced twice", f.ID)
			}
			if _, is := at(t, out.data, f.Path).(map[string]any); !is && len(part.Data) == 0 {
				t.Fatalf("%s\nthe fragment at %s is announced where no object is", request.Query, f.Path)
			}
			pending[f.ID] = f.Path.String()
			out.announced++
		}
		for _, data := range part.Data {
			if _, is := pending[data.Fragment.ID]; !is || !strings.HasPrefix(data.Path.String(), data.Fragment.Path.String()) {
				t.Fatalf("%s\ndata at %s for the fragment %d at %s", request.Query, data.Path, data.Fragment.ID,
					data.Fragment.Path)
			}
			into, is := at(t, out.data, data.Path).(map[string]any)
			if !is {
				t.Fatalf("%s\nno object is at %s", request.Query, data.Path)
			}
			for key, value := range decoded(t, data.Fields).(map[string]any) {
				if _, there := into[key]; there {
					t.Fatalf("%s\n%s at %s came twice", request.Query, key, data.Path)
				}
				into[key] = value
			}
			out.note(data.Errors)
		}
		for _, completed := range part.Completed {
			if len(completed.Errors) > 0 {
				out.failed = append(out.failed, completed.Fragment.Path.String())
				for _, err := range completed.Errors {
					out.nulls = append(out.nulls, err.Path.String())
				}
				out.note(completed.Errors)
			}
			if _, is := pending[completed.Fragment.ID]; !is {
				t.Fatalf("%d is completed twice, or not announced", completed.Fragment.ID)
			}
			delete(pending, completed.Fragment.ID)
		}
		if !part.More {
			break
		}
		out.parts++
	}
	if len(pending) > 0 {
		t.Fatalf("%s\nnever completed: %v", request.Query, pending)
	}
	rest.Close()
	out.asked = w.resolver.Asked()
	slices.Sort(out.errors)
	return out
}

func (p *inParts) note(errors gqlerror.List) {
	for _, err := range errors {
		text, _ := json.Marshal(err)
		p.errors = append(p.errors, traceID.ReplaceAllString(string(text), `"traceId":""`))
	}
}

func decoded(t testing.TB, data []byte) any {
	t.Helper()
	var value any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return value
}

// at returns the value at a path; nil where there is none.
func at(t testing.TB, value any, path ast.Path) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case ast.PathName:
			object, _ := value.(map[string]any)
			value = object[string(step)]
		case ast.PathIndex:
			list, _ := value.([]any)
			if int(step) >= len(list) {
				return nil
			}
			value = list[step]
		}
	}
	return value
}

// whole is the same request's answer without parts.
func (w *ways) whole(t testing.TB, request engine.Request) inParts {
	t.Helper()
	op, errs := w.plans.Prepare(everything(), request)
	if len(errs) > 0 {
		t.Fatalf("%s\n%s", request.Query, show(errs))
	}
	response := op.Execute(everything())
	out := inParts{data: decoded(t, response.Data), asked: w.resolver.Asked()}
	out.note(response.Errors)
	slices.Sort(out.errors)
	return out
}

// agree compares an answer in parts with the whole one. They differ in one thing alone: null that reaches the object of
// a deferred part stops there and takes the fragment away, where in a whole answer it would go on.
func (p *inParts) agree(path string, merged, whole any) bool {
	if whole == nil && merged != nil {
		below := func(at string) bool { return within(at, path) }
		return slices.ContainsFunc(p.nulls, below) || p.fails(path) && slices.ContainsFunc(p.also, below)
	}
	switch whole := whole.(type) {
	case map[string]any:
		object, is := merged.(map[string]any)
		for key, value := range whole {
			got, there := object[key]
			if !there && p.fails(path) {
				continue
			}
			if !there || !p.agree(join(path, ast.PathName(key)), got, value) {
				return false
			}
		}
		return is && len(object) <= len(whole)
	case []any:
		list, is := merged.([]any)
		if !is || len(list) != len(whole) {
			return false
		}
		for i := range whole {
			if !p.agree(join(path, ast.PathIndex(i)), list[i], whole[i]) {
				return false
			}
		}
		return true
	default:
		return reflect.DeepEqual(merged, whole)
	}
}

// fails reports whether a fragment that failed is at the place or around it.
func (p *inParts) fails(path string) bool {
	return slices.ContainsFunc(p.failed, func(at string) bool { return within(path, at) })
}

// within reports whether a place is another one or below it.
func within(place, other string) bool {
	rest, is := strings.CutPrefix(place, other)
	return is && (rest == "" || other == "" || rest[0] == '.' || rest[0] == '[')
}

// lost reports whether nothing runs at a place since null or a fragment that failed is there or around it.
func (p *inParts) lost(place string) bool {
	if p.fails(place) || p.data == nil {
		return true
	}
	value := p.data
	for step := range strings.SplitSeq(strings.ReplaceAll(place, "[", ".["), ".") {
		switch in := value.(type) {
		case map[string]any:
			value = in[step]
		case []any:
			index, _ := strconv.Atoi(strings.Trim(step, "[]"))
			value = in[index]
		}
		if value == nil {
			return true
		}
	}
	return false
}

func join(path string, step ast.PathElement) string {
	if name, is := step.(ast.PathName); is && path != "" {
		return path + "." + string(name)
	}
	return path + ast.Path{step}.String()
}

// together runs a request both ways and compares the answers, the errors, and which resolvers have run: none more often
// than for the whole answer, and none less but below a null.
func (w *ways) together(t testing.TB, request engine.Request) inParts {
	t.Helper()
	whole, merged := w.whole(t, request), w.merge(t, request)
	differ := func(why string, args ...any) {
		t.Helper()
		a, _ := json.Marshal(merged.data)
		b, _ := json.Marshal(whole.data)
		t.Fatalf("seed %d\n%s %v\nin parts: %s\n%s\nwhole:    %s\n%s\nfailed: %q\n%s", w.resolver.Seed, request.Query,
			request.Variables, a, strings.Join(merged.errors, "\n"), b, strings.Join(whole.errors, "\n"), merged.failed,
			fmt.Sprintf(why, args...))
	}
	for _, text := range whole.errors {
		var err gqlerror.Error
		if json.Unmarshal([]byte(text), &err) == nil {
			merged.also = append(merged.also, err.Path.String())
		}
	}
	if !merged.agree("", merged.data, whole.data) {
		differ("the data differs")
	}
	for path, count := range merged.asked {
		if whole.asked[path] != count {
			differ("%s ran %d times", path, count)
		}
	}
	for path := range whole.asked {
		if place, _, _ := strings.Cut(path, " "); merged.asked[path] == 0 && !merged.lost(place) {
			differ("%s did not run", path)
		}
	}
	for _, text := range merged.errors {
		// A nil of an abstract type has no error of its own; where a fragment fails by it, the fragment has one.
		var err gqlerror.Error
		if json.Unmarshal([]byte(text), &err) != nil ||
			!slices.Contains(whole.errors, text) && !slices.Contains(merged.nulls, err.Path.String()) {
			differ("there is no such error: %s", text)
		}
	}
	for _, text := range whole.errors {
		var err gqlerror.Error
		if json.Unmarshal([]byte(text), &err) != nil ||
			!slices.Contains(merged.errors, text) && !merged.lost(err.Path.String()) {
			differ("an error is missing: %s", text)
		}
	}
	return merged
}

// deferred are documents whose answers in parts come to the same as the whole ones, over resolvers and views that fail.
// Parts is how many messages the answer has at most; 1 where nothing is deferred.
var deferredDocuments = map[string]struct {
	query     string
	variables map[string]any
	parts     int
}{
	"a field of the root": {"{item{id} ...@defer{text}}", nil, 2},
	"everything":          {"{...@defer{item{id name} text}}", nil, 2},
	"an object":           {"{item{id ...@defer(label:\"rest\"){name slow mustSlow child{id slow}}}}", nil, 2},
	"aliases":             {"{a:item{x:id ...@defer{y:id z:slow}} b:item{x:id ...@defer{z:slow}}}", nil, 3},
	"a named fragment":    {"{item{id ...F@defer(label:\"f\")}} fragment F on Item{name slow id}", nil, 2},
	"fragments in fragments": {"{...A@defer} fragment A on Query{item{id ...B}} fragment B on Item{slow " +
		"child{...C@defer}} fragment C on Item{name slow}", nil, 3},
	"fields on both sides": {"{mustItem{id slowItem{id}} ...@defer{mustItem{id slowItem{id slow name} other{id " +
		"slowNote}}}}", nil, 2},
	"two of one field": {"{...@defer(label:\"a\"){item{id slow}} ...@defer(label:\"b\"){item{id mustSlow}}}", nil,
		4},
	"nested, in one place":    {"{item{id ...@defer{slow ...@defer{mustSlow ...@defer{name}}}}}", nil, 4},
	"nested, in depth":        {"{...@defer{item{id ...@defer{slowItem{id ...@defer{slow}}}}}}", nil, 4},
	"an outer one without":    {"{item{id ...@defer(label:\"a\"){id ...@defer(label:\"b\"){slow}}}}", nil, 2},
	"of nothing":              {"{item{id name ...@defer{id name}}}", nil, 1},
	"each element of a list":  {"{items(first:3){id ...@defer{slow mustSlow}}}", nil, 4},
	"lists in lists":          {"{items(first:3){id slowItems(n:3){id ...@defer{slow}} ...@defer{grid{id}}}}", nil, 13},
	"a list that is deferred": {"{...@defer{items(first:3){id slow} maybeItems{id}} items(first:3){name}}", nil, 2},
	"elements that are null":  {"{maybeItems{id ...@defer{strict mustSlow}}}", nil, 5},
	"if: false":               {"{item{id ...@defer(if:false){slow}}}", nil, 1},
	"a variable, true":        {"query($d:Boolean!){item{id ...@defer(if:$d){slow}}}", map[string]any{"d": true}, 2},
	"a variable, false":       {"query($d:Boolean!){item{id ...@defer(if:$d){slow}}}", map[string]any{"d": false}, 1},
	"a variable, left out":    {"query($d:Boolean){item{id ...@defer(if:$d){slow}}}", nil, 2},
	"@skip and @include": {"query($d:Boolean!){item{id ...@defer@include(if:$d){slow} " +
		"...@defer@skip(if:$d){mustSlow}}}", map[string]any{"d": true}, 2},
	"an interface": {"{being{id ...on Item@defer{slow name} ...on Other@defer{slowNote} ...@defer{kin{id " +
		"...@defer{id}}}}}", nil, 9},
	"a union": {"{anys{__typename ...@defer{...on Item{id slow} ...on Other{slowNote} ...on Leaf{word}}}}", nil,
		5},
	"by two interfaces": {"{item{...on Being{kin{id}} ...on Named@defer{label boss{id ...@defer{slow}}}}}", nil, 3},
	"spread twice":      {"{item{...F@defer ...F}} fragment F on Item{slow id}", nil, 1},
	"spread in and outside": {"{item{id ...@defer{...F} other{id}} ...F2} fragment F on Item{slow other{slowNote}} " +
		"fragment F2 on Query{item{...F}}", nil, 1},
	"errors everywhere": {"{item{...@defer{slow mustSlow checked mustChecked strings colors value{word} any{...on " +
		"Item{slow}}}} maybeItems{checked ...@defer{mustChecked mustSlowItem{mustSlow}}}}", nil, 6},
	"a null root": {"{mustItem{strict mustSlow ...@defer{slow}} ...@defer{text}}", nil, 3},
	"shared by three": {"{item{...@defer(label:\"a\"){slowItem{id slow}} ...@defer(label:\"b\"){slowItem{id name}} " +
		"...@defer(label:\"c\"){slowItem{id slow mustSlow}}}}", nil, 6},
}

func TestDeferredAnswersComeToTheWhole(t *testing.T) {
	w := newWays(t)
	for name, c := range deferredDocuments {
		t.Run(name, func(t *testing.T) {
			most, failed := 0, 0
			for seed := range 300 {
				w.resolver.Seed = faultschema.Chance(seed)
				got := w.together(t, engine.Request{Query: c.query, Variables: c.variables})
				most, failed = max(most, got.parts), failed+len(got.failed)
			}
			if most > c.parts || most == 1 && c.parts > 1 {
				t.Errorf("%d parts, want at most %d", most, c.parts)
			}
			t.Logf("at most %d parts, %d fragments failed", most, failed)
		})
	}
}

// TestRandomDefers defers fragments of random documents.
func TestRandomDefers(t *testing.T) {
	w := newWays(t)
	var ran, announced, failed int
	for seed := *first; seed < *first+*planned; seed++ {
		query, variables := deferringDocument(w.schema, rand.New(rand.NewPCG(seed, 3)))
		request := engine.Request{Query: query, Variables: variables}
		if _, errs := w.plans.Prepare(everything(), request); len(errs) > 0 {
			continue
		}
		w.resolver.Seed = faultschema.Chance(seed)
		got := w.together(t, request)
		ran, announced, failed = ran+1, announced+got.announced, failed+len(got.failed)
	}
	t.Logf("%d of %d documents ran, with %d deferred fragments, of which %d failed", ran, *planned, announced, failed)
	if ran < int(*planned)*9/10 || announced < ran || failed == 0 {
		t.Error("too little was compared")
	}
}

// FuzzDefers is TestRandomDefers for the fuzzer, which chooses the seeds.
func FuzzDefers(f *testing.F) {
	w := newWays(f)
	f.Add(uint64(1), uint64(1))
	f.Fuzz(func(t *testing.T, document, faults uint64) {
		query, variables := deferringDocument(w.schema, rand.New(rand.NewPCG(document, 3)))
		request := engine.Request{Query: query, Variables: variables}
		if _, errs := w.plans.Prepare(everything(), request); len(errs) > 0 {
			return
		}
		w.resolver.Seed = faultschema.Chance(faults)
		w.together(t, request)
	})
}

// deferringDocument is a random query of which many fragments are deferred.
func deferringDocument(schema *ast.Schema, random *rand.Rand) (string, map[string]any) {
	d := &document{schema: schema, random: random, variables: map[string]any{}, budget: 10 + random.IntN(60), defers: true}
	set := d.selection(schema.Query, 0)
	head := "query"
	if len(d.declared) > 0 {
		head += " Q(" + strings.Join(d.declared, ",") + ")"
	}
	return head + set + strings.Join(d.fragments, "\n"), d.variables
}

// deferral is the directive of some fragments of a document that defers.
func (d *document) deferral() string {
	if !d.defers || d.one(3) {
		return ""
	}
	d.labels++
	switch d.random.IntN(6) {
	case 0:
		return fmt.Sprintf("@defer(if:%t)", d.one(2))
	case 1:
		return fmt.Sprintf("@defer(if:%s)", d.variable("Boolean!", d.one(2)))
	case 2, 3:
		return fmt.Sprintf("@defer(label:%q)", fmt.Sprint("l", d.labels))
	default:
		return "@defer"
	}
}

func TestWhereDeferMayStand(t *testing.T) {
	s := newServer(t, nil)
	for query, want := range map[string]string{
		`{...@defer{hello}}`: "",
		`{...@defer(label:"a"){hello} ...@defer(label:"b"){hello}}`:                       "",
		`{...F ...F} fragment F on Query{...@defer(label:"a"){hello}}`:                    "",
		`{...@defer(label:"a"){hello} ...@defer(label:"a"){hello}}`:                       "twice",
		`query($l:String){...@defer(label:$l){hello}}`:                                    "stands in the document",
		`{...@defer(label:null){hello}}`:                                                  "stands in the document",
		`{...@defer(label:"` + strings.Repeat("a", 257) + `"){hello}}`:                    "257",
		`{...@defer(if:null){hello}}`:                                                     "null",
		`{...@defer(unless:true){hello}}`:                                                 "unless",
		`{hello@defer}`:                                                                   "FIELD",
		`{...@defer@defer{hello}}`:                                                        "can only be used once",
		`mutation{...@defer{increment}}`:                                                  "mutation itself",
		`mutation{...F} fragment F on Mutation{...@defer{increment}}`:                     "mutation itself",
		`subscription{...@defer{ticks(count:1){word}}}`:                                   "subscription itself",
		`subscription{ticks(count:1){...@defer{word}}}`:                                   "subscription cannot defer",
		`subscription{ticks(count:1){...@defer(if:false){word}}}`:                         "",
		`subscription($d:Boolean!){ticks(count:1){...@defer(if:$d){word}}}`:               "",
		`subscription{ticks(count:1){...F}} fragment F on Tick{...@defer(if:true){word}}`: "subscription cannot defer",
	} {
		request := engine.Request{Query: query, Variables: map[string]any{"d": true}}
		_, errs := s.Prepare(everything(), request)
		if (len(errs) > 0) != (want != "") || want != "" && !strings.Contains(show(errs), want) {
			t.Errorf("%s: %s, want %q", query, show(errs), want)
		}
	}
}

// Only a query whose client reads parts defers; all others have their answer whole, also by gqlgen's executor.
func TestWhoDefers(t *testing.T) {
	w := newWays(t)
	for _, c := range []struct {
		query  string
		parts  bool
		defers bool
	}{
		{"{...@defer{text}}", true, true},
		{"{...@defer{text}}", false, false},
		{"mutation{act{...@defer{id}}}", true, false},
		{"subscription($d:Boolean=true){ticks(count:1){...@defer(if:$d){id}}}", true, false},
		{"{__typename ...@defer{__schema{queryType{name}}}}", true, true},
	} {
		op, errs := w.plans.Prepare(everything(), engine.Request{Query: c.query, Parts: c.parts})
		if len(errs) > 0 || op.Defers() != c.defers {
			t.Errorf("%s: %t %s", c.query, !c.defers, show(errs))
		}
		w.compare(t, 5, c.query, nil)
	}
}

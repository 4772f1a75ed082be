package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/request"
)

// A refusal names where the cost comes from, and a page size that passes: the next larger one does not.
func TestWhatIsTooDear(t *testing.T) {
	s := newServer(t, nil)
	for name, c := range map[string]struct {
		query, variables string
		path             []string
		// fits are the query and the variables with %d in place of the page that would fit; "" where none would.
		fits, fitsVariables string
	}{
		"a page in a page": {"{hello people(first:100){nodes{name friends(first:2000){nodes{name}}}}}", "",
			[]string{"people", "people.nodes.friends"},
			"{hello people(first:%d){nodes{name friends(first:2000){nodes{name}}}}}", ""},
		"by an alias, in a fragment": {"{mine: people(first:500){...f}} fragment f on PersonConnection{nodes{" +
			"friends(first:500){nodes{name}}}}", "", []string{"mine", "mine.nodes.friends"},
			"{mine: people(first:%d){...f}} fragment f on PersonConnection{nodes{friends(first:500){nodes{name}}}}", ""},
		"by a variable": {"query($n:Int){people(first:$n){nodes{friends(first:50){nodes{name age}}}}}", `{"n":900}`,
			[]string{"people", "people.nodes.friends"},
			"query($n:Int){people(first:$n){nodes{friends(first:50){nodes{name age}}}}}", `{"n":%d}`},
		"of whichever is dearest": {"{a: people(first:90){nodes{friends(first:1000){nodes{name}}}} " +
			"b: people(first:30){nodes{friends(first:1000){nodes{name}}}}}", "",
			[]string{"a", "a.nodes.friends", "b"},
			"{a: people(first:%d){nodes{friends(first:1000){nodes{name}}}} " +
				"b: people(first:30){nodes{friends(first:1000){nodes{name}}}}}", ""},
		"by ids": {`{nodes(ids:[` + strings.Repeat(`"person_1",`, 2_000) +
			`]){id ... on Person{friends(first:100){nodes{id}}}}}`,
			"", []string{"nodes", "nodes.friends"},
			`{nodes(ids:[` + strings.Repeat(`"person_1",`, 2_000) + `]){id ... on Person{friends(first:%d){nodes{id}}}}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			prepare := func(query, variables string) map[string]any {
				t.Helper()
				var values map[string]any
				if variables != "" {
					value, err := request.ParseJSON([]byte(variables))
					if err != nil {
						t.Fatal(err)
					}
					values = value.(map[string]any)
				}
				_, errs := s.Prepare(everything(), engine.Request{Query: query, Variables: values})
				if len(errs) == 0 {
					return nil
				}
				if !strings.Contains(errs[0].Message, "too expensive: it costs ") {
					t.Fatalf("%s", errs[0].Message)
				}
				text, err := json.Marshal(errs[0].Extensions)
				if err != nil {
					t.Fatal(err)
				}
				var extensions map[string]any
				if err := json.Unmarshal(text, &extensions); err != nil {
					t.Fatal(err)
				}
				return extensions
			}
			refusal := prepare(c.query, c.variables)
			if refusal == nil {
				t.Fatal("it is not refused")
			}
			var paths []string
			for _, one := range refusal["dearest"].([]any) {
				one := one.(map[string]any)
				if one["percent"].(float64) > 100 || one["cost"].(float64) > refusal["measured"].(float64) {
					t.Errorf("%v of %v", one, refusal["measured"])
				}
				paths = append(paths, one["path"].(string))
			}
			if fmt.Sprint(paths) != fmt.Sprint(c.path) {
				t.Errorf("the dearest are %v, want %v", paths, c.path)
			}
			fits, _ := refusal["fits"].(map[string]any)
			if (fits == nil) != (c.fits == "") {
				t.Fatalf("fits: %v", fits)
			}
			if fits == nil {
				return
			}
			number, ok := fits["first"].(float64)
			if !ok || fits["path"] != c.path[0] && name != "by ids" {
				t.Fatalf("fits: %v", fits)
			}
			with := func(text string, n int) string { return strings.Replace(text, "%d", fmt.Sprint(n), 1) }
			if again := prepare(with(c.fits, int(number)), with(c.fitsVariables, int(number))); again != nil {
				t.Errorf("%v does not fit: %v", number, again)
			}
			if number > 100 {
				t.Errorf("%v is more than any page may have", number)
			}
			if number == 100 {
				return
			}
			if again := prepare(with(c.fits, int(number)+1), with(c.fitsVariables, int(number)+1)); again == nil {
				t.Errorf("%v fits as well", number+1)
			}
		})
	}
}

// A document whose fragments spread one another to more than can be looked at is refused in plain words, at once.
func TestWhatIsTooDearToExplain(t *testing.T) {
	s := newServer(t, nil)
	var b strings.Builder
	b.WriteString("{people{nodes{...f0}}}")
	const levels = 40
	for i := range levels {
		fmt.Fprintf(&b, "fragment f%d on Person{...f%d ...f%d}", i, i+1, i+1)
	}
	fmt.Fprintf(&b, "fragment f%d on Person{name}", levels)
	_, errs := s.Prepare(everything(), engine.Request{Query: b.String()})
	if len(errs) != 1 || errs[0].Extensions["limit"] != "cost" || errs[0].Extensions["dearest"] != nil {
		t.Errorf("%s", show(errs))
	}
}

// What an operation costs, and what it has asked, is said to those who ask and to no one else.
func TestCostIsSaid(t *testing.T) {
	s := newServer(t, nil)
	for _, asked := range []bool{false, true} {
		op, errs := s.Prepare(everything(), engine.Request{Query: "{people(first:3){nodes{name}}}", ShowCost: asked})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		said, err := json.Marshal(op.Execute(everything()).Extensions)
		want := "{}"
		if asked {
			want = `{"cost":{"limit":10000,"requested":3},"upstream":{}}`
		}
		if err != nil || string(said) != want {
			t.Errorf("%v: %s %v, want %s", asked, said, err, want)
		}
	}
}

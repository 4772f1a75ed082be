package engine_test

import (
	"slices"
	"strings"
	"testing"

	"almanac/graph/model"
)

const echoes = `query($strings:[String!]$ints:[Int]$matrix:[[Int!]!]$color:Color
	$id:ID$float:Float$bool:Boolean$stamp:Stamp){
	echoes(strings:$strings,ints:$ints,matrix:$matrix,color:$color,id:$id,float:$float,bool:$bool,stamp:$stamp)}`

func TestVariablesAreCoercedByTheSpecification(t *testing.T) {
	s := newServer(t, nil)
	for _, c := range []struct {
		variables string
		// want is part of the answer; field is the path of the error.
		want, field string
	}{
		{`{"strings":["a","שלום","😀",""]}`, `"strings":["a","שלום","😀",""]`, ""},
		{`{"strings":"a"}`, `"strings":["a"]`, ""},
		{`{"strings":[]}`, `"strings":[]`, ""},
		{`{"strings":null}`, `"strings":null`, ""},
		{`{"strings":[null]}`, "", "strings.0"},
		{`{"strings":["a",1]}`, "", "strings.1"},
		{`{"strings":1}`, "", "strings"},
		{`{"strings":true}`, "", "strings"},
		{`{"strings":{}}`, "", "strings"},
		{`{"strings":[["a"]]}`, "", "strings.0"},
		{`{"ints":[1,null,-2147483648,2147483647]}`, `"ints":[1,null,-2147483648,2147483647]`, ""},
		{`{"ints":[2147483648]}`, "", "ints.0"},
		{`{"ints":[-2147483649]}`, "", "ints.0"},
		{`{"ints":[1.0,1e2]}`, `"ints":[1,100]`, ""},
		{`{"ints":[1.5]}`, "", "ints.0"},
		{`{"ints":["1"]}`, "", "ints.0"},
		{`{"ints":[true]}`, "", "ints.0"},
		{`{"ints":[1e400]}`, "", "ints.0"},
		{`{"matrix":[[1],[2,3]]}`, `"matrix":[[1],[2,3]]`, ""},
		{`{"matrix":[1,2]}`, `"matrix":[[1],[2]]`, ""},
		{`{"matrix":1}`, `"matrix":[[1]]`, ""},
		{`{"matrix":[[null]]}`, "", "matrix.0.0"},
		{`{"matrix":[null]}`, "", "matrix.0"},
		{`{"color":"GREEN"}`, `"color":"GREEN"`, ""},
		{`{"color":"green"}`, "", "color"},
		{`{"color":"PURPLE"}`, "", "color"},
		{`{"color":1}`, "", "color"},
		{`{"color":["GREEN"]}`, "", "color"},
		{`{"id":"x"}`, `"id":"x"`, ""},
		{`{"id":12}`, `"id":"12"`, ""},
		{`{"id":1.0}`, `"id":"1"`, ""},
		{`{"id":9007199254740993}`, `"id":"9007199254740993"`, ""},
		{`{"id":1.5}`, "", "id"},
		{`{"id":true}`, "", "id"},
		{`{"float":1}`, `"float":1`, ""},
		{`{"float":1.5}`, `"float":1.5`, ""},
		{`{"float":"1.5"}`, "", "float"},
		{`{"float":1e400}`, "", "float"},
		{`{"bool":true}`, `"bool":true`, ""},
		{`{"bool":"true"}`, "", "bool"},
		{`{"bool":0}`, "", "bool"},
		{`{"stamp":"2026-11-21T14:00:00Z"}`, `"stamp":"2026-11-21T14:00:00Z"`, ""},
		{`{"stamp":"soon"}`, "", "stamp"},
		{`{"stamp":5}`, "", "stamp"},
		{`{"unknown":5}`, `"id":null`, ""},
	} {
		data, errs, _ := s.run(t, echoes, c.variables)
		if c.field == "" {
			if len(errs) > 0 || !strings.Contains(strings.ReplaceAll(data, `\"`, `"`), c.want) {
				t.Errorf("%s: got %s, %s", c.variables, data, show(errs))
			}
			continue
		}
		field, _ := errs[0].Extensions["field"].([]string)
		if len(errs) != 1 || codeOf(errs) != model.CodeBadUserInput || strings.Join(field, ".") != c.field {
			t.Errorf("%s: got %s, %s", c.variables, data, show(errs))
		}
	}
}

func TestInputObjects(t *testing.T) {
	s := newServer(t, nil)
	query := "query($input:EchoInput!){echo(input:$input){json}}"
	for _, c := range []struct{ variables, want, field string }{
		{`{"input":{"text":"a"}}`, `{"text":"a","count":7}`, ""},
		{`{"input":{"text":"a","count":null}}`, `{"text":"a"}`, ""},
		{`{"input":{"text":"a","tags":"x","child":{"text":"b","count":2}}}`,
			`{"text":"a","count":7,"tags":["x"],"child":{"text":"b","count":2}}`, ""},
		{`{}`, "", "input"},
		{`{"input":null}`, "", "input"},
		{`{"input":"a"}`, "", "input"},
		{`{"input":[]}`, "", "input"},
		{`{"input":{}}`, "", "input.text"},
		{`{"input":{"text":null}}`, "", "input.text"},
		{`{"input":{"text":5}}`, "", "input.text"},
		{`{"input":{"text":"a","Text":"b"}}`, "", "input.Text"},
		{`{"input":{"text":"a","__typename":"EchoInput"}}`, "", "input.__typename"},
		{`{"input":{"text":"a","child":{"text":"b","count":"2"}}}`, "", "input.child.count"},
		{`{"input":{"text":"a","child":{"text":"b","stamp":"soon"}}}`, "", "input.child.stamp"},
		{`{"input":{"text":"a","color":"red"}}`, "", "input.color"},
		{`{"input":{"text":"a","ratio":"1"}}`, "", "input.ratio"},
	} {
		data, errs, _ := s.run(t, query, c.variables)
		if c.field == "" {
			if len(errs) > 0 || !strings.Contains(strings.ReplaceAll(data, `\"`, `"`), c.want) {
				t.Errorf("%s: got %s, %s", c.variables, data, show(errs))
			}
			continue
		}
		field, _ := errs[0].Extensions["field"].([]string)
		if codeOf(errs) != model.CodeBadUserInput || strings.Join(field, ".") != c.field {
			t.Errorf("%s: got %s, %s", c.variables, data, show(errs))
		}
	}
}

func TestOneOf(t *testing.T) {
	s := newServer(t, nil)
	for _, c := range []struct {
		query, variables string
		ok               bool
	}{
		{`query($t:Target!){find(target:$t)}`, `{"t":{"id":"1"}}`, true},
		{`query($t:Target!){find(target:$t)}`, `{"t":{"name":"רות"}}`, true},
		{`query($t:Target!){find(target:$t)}`, `{"t":{}}`, false},
		{`query($t:Target!){find(target:$t)}`, `{"t":{"id":"1","name":"x"}}`, false},
		{`query($t:Target!){find(target:$t)}`, `{"t":{"id":"1","name":null}}`, false},
		{`query($t:Target!){find(target:$t)}`, `{"t":{"id":null}}`, false},
		{`{find(target:{id:"1"})}`, ``, true},
		{`{find(target:{})}`, ``, false},
		{`{find(target:{id:null})}`, ``, false},
		{`{find(target:{id:"1",name:"x"})}`, ``, false},
		{`query($i:ID!){find(target:{id:$i})}`, `{"i":"1"}`, true},
		{`query($i:ID){find(target:{id:$i})}`, `{"i":"1"}`, false},
	} {
		if _, errs := s.prepare(t, c.query, c.variables); (len(errs) == 0) != c.ok {
			t.Errorf("%s %s: %s", c.query, c.variables, show(errs))
		}
	}
}

// A variable that is left out takes its entry of a literal object with it; gqlgen by itself would make it null, which
// clears where nothing was said.
func TestAbsentVariablesInLiteralObjects(t *testing.T) {
	s := newServer(t, nil)
	query := "query($c:Int,$n:String,$t:[String!]){echo(input:{text:\"a\",count:$c,child:{text:\"b\",count:$c}," +
		"tags:$t}){json} hello(name:$n)}"
	for range 2 { // the second time the document is kept
		for _, c := range []struct{ variables, want string }{
			{`{}`, `{"text":"a","count":7,"child":{"text":"b","count":7}}`},
			{`{"c":null}`, `{"text":"a","child":{"text":"b"}}`},
			{`{"c":3,"t":["x"]}`, `{"text":"a","count":3,"tags":["x"],"child":{"text":"b","count":3}}`},
		} {
			data, errs, _ := s.run(t, query, c.variables)
			if plain := strings.ReplaceAll(data, `\"`, `"`); len(errs) > 0 || !strings.Contains(plain, c.want) ||
				!strings.Contains(plain, "hello, world") {
				t.Errorf("%s: got %s, %s", c.variables, data, show(errs))
			}
		}
	}
}

func TestEnumErrorsNameTheValuesOnlyWithIntrospection(t *testing.T) {
	query := "query($c:Color){echoes(color:$c)}"
	_, errs, _ := newServer(t, nil).run(t, query, `{"c":"green"}`)
	if !strings.Contains(errs[0].Message, "RED, GREEN, BLUE; did you mean GREEN?") {
		t.Errorf("open: %s", show(errs))
	}
	_, errs, _ = newServer(t, quiet).run(t, query, `{"c":"green"}`)
	if strings.Contains(show(errs), "GREEN") || strings.Contains(show(errs), "did you mean") {
		t.Errorf("quiet: %s", show(errs))
	}
}

func TestNumbersInLiterals(t *testing.T) {
	s := newServer(t, nil)
	for query, ok := range map[string]bool{
		"{echoes(ints:[2147483647])}":                 true,
		"{echoes(ints:[-2147483648])}":                true,
		"{echoes(ints:[2147483648])}":                 false,
		"{echoes(ints:2147483648)}":                   false,
		"{echoes(ints:99999999999999999999)}":         false,
		"{echoes(float:1e400)}":                       false,
		"{echoes(float:12)}":                          true,
		"{echoes(id:12)}":                             true,
		"{echoes(id:1.5)}":                            false,
		"{echoes(strings:[1])}":                       false,
		"query($i:Int=2147483648){echoes(ints:[$i])}": false,
		"{echoes(stamp:99999999999999999999)}":        false,
		"{echoes(stamp:{a:[99999999999999999999]})}":  false,
		"{echoes(stamp:{a:[1e999]})}":                 false,
		"{echoes(color:green)}":                       false,
		"{echoes(color:\"GREEN\")}":                   false,
		"{echoes(bool:1)}":                            false,
	} {
		_, errs, refused := s.run(t, query, "")
		if refused == ok || codeOf(errs) == model.CodeInternal {
			t.Errorf("%s: refused %v, %s", query, refused, show(errs))
		}
	}
}

func TestEscapesInStrings(t *testing.T) {
	s := newServer(t, nil)
	for literal, want := range map[string]string{
		`"\ud83d\ude00"`:         "😀",
		`"\uD83D\uDE00!"`:        "😀!",
		`"\u{1F600}"`:            "😀",
		`"\u{5D0}\u05d1"`:        "אב",
		`"\u{0}"`:                "\x00",
		`"\u0022\u{22}"`:         `""`,
		`"\u005c\u{5c}n"`:        `\\n`,
		`"\u{a}"`:                "\n",
		`"\\u{1F600}"`:           `\u{1F600}`,
		`"\\\u{41}"`:             `\A`,
		`"""\ud83d \u{1F600}"""`: `\ud83d \u{1F600}`,
		`"a" # \ud83d` + "\n":    "a",
		`"\ud83d"`:               "!",
		`"\ud83dx"`:              "!",
		`"\ude00"`:               "!",
		`"\ude00\ud83d"`:         "!",
		`"\u{d83d}\u{de00}"`:     "!",
		`"\u{D83D}"`:             "!",
		`"\u{110000}"`:           "!",
		`"\u{}"`:                 "!",
		`"\u{+41}"`:              "!",
		`"\u{41"`:                "!",
		`"\u12"`:                 "!",
	} {
		data, errs, refused := s.run(t, "{hello(name:"+literal+")}", "")
		if want == "!" {
			if !refused || codeOf(errs) != model.CodeBadUserInput {
				t.Errorf("%s: got %s, %s", literal, data, show(errs))
			}
			continue
		}
		if got := decode(t, data); len(errs) > 0 || got != "hello, "+want {
			t.Errorf("%s: got %q, %s", literal, got, show(errs))
		}
	}
	_, errs, _ := s.run(t, "{\n  # א\n  hello(name: \"א\\ud83d\")\n}", "")
	if len(errs) != 1 || !slices.Equal([]int{errs[0].Locations[0].Line, errs[0].Locations[0].Column}, []int{3, 17}) {
		t.Errorf("want line 3, column 17: %s", show(errs))
	}
}

package memo

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPairs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want []string
	}{
		{``, nil},
		{`{}`, nil},
		{`[1]`, nil},
		{`{"a":1,"b":"x","c":true,"d":null}`, []string{`"a"=1e0`, `"b"="x"`, `"c"=true`, `"d"=null`}},
		{`{"a":{"b":{"c":"שלום"}}}`, []string{`"a"."b"."c"="שלום"`, `"a"."b"={}`, `"a"={}`}},
		{`{"a":["x","y","x"]}`, []string{`"a"=[]`, `"a"[]="x"`, `"a"[]="y"`}},
		{`{"a":[[1],{"b":2}]}`, []string{`"a"=[]`, `"a"[]."b"=2e0`, `"a"[]=[]`, `"a"[]={}`, `"a"[][]=1e0`}},
		{`{"a":{},"b":[]}`, []string{`"a"={}`, `"b"=[]`}},
		{`{"a.b":1,"a\"":"\u0000\n"}`, []string{`"a.b"=1e0`, `"a\""="\u0000\n"`}},
	} {
		if got := Pairs(c.in); !slices.Equal(got, c.want) {
			t.Errorf("Pairs(%s) =\n%q, want\n%q", c.in, got, c.want)
		}
	}
	long := Pairs(`{"a":"` + strings.Repeat("x", 200) + `","b":"` + strings.Repeat("x", 201) + `"}`)
	if len(long) != 2 || long[0][0] != '~' || long[1][0] != '~' || len(long[0]) > maxPair {
		t.Errorf("long values have the pairs %q", long)
	}
}

// A filter finds what has its entries.
func TestPairsAsFilter(t *testing.T) {
	t.Parallel()
	memory := `{"name":"Dana","phone":"050-9999999","address":{"city":"חיפה","floor":3,"door":{}},` +
		`"tags":["a","b",7],"children":[{"name":"Noa","age":7},{"name":"Gil","age":4.0}],"x":null,"big":12345678901234567890}`
	for _, c := range []struct {
		filter string
		want   bool
	}{
		{`{}`, true},
		{`{"name":"Dana"}`, true},
		{`{"name":"dana"}`, false},
		{`{"name":"Dana "}`, false},
		{`{"name":["Dana"]}`, false},
		{`{"Name":"Dana"}`, false},
		{`{"address":{"city":"חיפה"}}`, true},
		{`{"address":{"city":"חיפה","floor":3.0}}`, true},
		{`{"address":{"city":"חיפה","floor":"3"}}`, false},
		{`{"address":{}}`, true},
		{`{"address":[]}`, false},
		{`{"address":{"door":{}}}`, true},
		{`{"address":null}`, false},
		{`{"city":"חיפה"}`, false},
		{`{"tags":["b"]}`, true},
		{`{"tags":["b","a"]}`, true},
		{`{"tags":["b","c"]}`, false},
		{`{"tags":[]}`, true},
		{`{"tags":[70e-1]}`, true},
		{`{"tags":"b"}`, false},
		{`{"children":[{"name":"Noa"}]}`, true},
		{`{"children":[{"name":"Noa","age":7}]}`, true},
		{`{"children":[{"name":"Tal"}]}`, false},
		{`{"children":{"name":"Noa"}}`, false},
		{`{"children":[{"age":4}]}`, true},
		{`{"x":null}`, true},
		{`{"missing":null}`, false},
		{`{"big":12345678901234567890}`, true},
		{`{"big":12345678901234567891}`, false},
		{`{"big":1.2345678901234567890e19}`, true},
	} {
		if got := subset(Pairs(c.filter), Pairs(memory)); got != c.want {
			t.Errorf("the filter %s: %v, want %v", c.filter, got, c.want)
		}
	}
}

func subset(some, all []string) bool {
	for _, one := range some {
		if _, found := slices.BinarySearch(all, one); !found {
			return false
		}
	}
	return true
}

func TestNumeral(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"0", "-0", "0.0", "0e5", "-0.000E-7"},
		{"1", "1.0", "1e0", "1E0", "10e-1", "0.1e1", "0.1E+1", "1.000"},
		{"-1", "-1.0", "-10e-1"},
		{"100", "1e2", "1E+2", "100.00", "0.01e4", "1e002"},
		{"1.1", "1.10", "11e-1"},
		{"1e400", "10e399", "0.1e401"},
		{"1e99999999999999999999", "10e99999999999999999998"},
		{"12345678901234567890"}, {"12345678901234567891"}, {"1e-400"}, {"1e401"}, {"-1e400"},
	} {
		for _, written := range same {
			if got, want := numeral(written), numeral(same[0]); got != want {
				t.Errorf("%s is %s, and %s is %s", written, got, same[0], want)
			}
		}
	}
	forms := map[string]string{}
	for _, written := range []string{"0", "1", "-1", "100", "10", "1.1", "11", "0.11", "1e400", "1e401", "-1e400",
		"1e-400", "12345678901234567890", "12345678901234567891"} {
		if other, found := forms[numeral(written)]; found {
			t.Errorf("%s and %s are the same", written, other)
		}
		forms[numeral(written)] = written
	}
}

// Whatever is taken away from an object finds it, and it finds itself.
func TestPartsFindTheWhole(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	for range 2_000 {
		whole := node{form: object}
		for i := range random.IntN(5) {
			whole.keys = append(whole.keys, "k"+strconv.Itoa(i))
			whole.items = append(whole.items, randomNode(random, 3))
		}
		all := Pairs(canonical(whole))
		if part := canonical(thinned(random, whole)); !subset(Pairs(part), all) {
			t.Fatalf("%s is a part of %s and does not find it", part, canonical(whole))
		}
		for _, pair := range all {
			if len(pair) > maxPair || !utf8.ValidString(pair) || strings.ContainsFunc(pair, unicode.IsControl) {
				t.Fatalf("the pair %q of %s", pair, canonical(whole))
			}
		}
	}
}

func randomNode(random *rand.Rand, depth int) node {
	switch f := form(random.IntN(7)); f {
	case number:
		return node{form: f, text: strconv.Itoa(random.IntN(100))}
	case text:
		return node{form: f, text: strings.Repeat("א\n", random.IntN(60))}
	case list, object:
		out := node{form: f}
		for i := range min(depth, random.IntN(4)) {
			if f == object {
				out.keys = append(out.keys, "k"+strconv.Itoa(i))
			}
			out.items = append(out.items, randomNode(random, depth-1))
		}
		return out
	default:
		return node{form: f}
	}
}

// thinned leaves some of the items out, everywhere.
func thinned(random *rand.Rand, n node) node {
	out := node{form: n.form, text: n.text}
	for i, item := range n.items {
		if random.IntN(3) == 0 {
			continue
		}
		if n.form == object {
			out.keys = append(out.keys, n.keys[i])
		}
		out.items = append(out.items, thinned(random, item))
	}
	return out
}

package request_test

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/httpapi/request"
)

func TestParseJSON(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct {
		name, text string
		want       any
		wrong      string
	}{
		{name: "object", text: ` {"a" : [1, -0.5e+3, true, false, null, "x"]} `,
			want: map[string]any{"a": []any{json.Number("1"), json.Number("-0.5e+3"), true, false, nil, "x"}}},
		{name: "empty object", text: "{}", want: map[string]any{}},
		{name: "empty array", text: "[ ]", want: []any{}},
		{name: "1 and 1.0 stay apart", text: "[1,1.0,1e0]",
			want: []any{json.Number("1"), json.Number("1.0"), json.Number("1e0")}},
		{name: "escapes", text: `"\"\\\/\b\f\n\r\tA\u05d0\uD83D\uDE00"`, want: "\"\\/\b\f\n\r\tAא😀"},
		{name: "hebrew, niqqud and emoji as they are", text: `"שָׁלוֹם 👩‍👩‍👧"`, want: "שָׁלוֹם 👩‍👩‍👧"},
		{name: "escaped NUL", text: `"\u0000"`, want: "\x00"},
		{name: "keys differ by case", text: `{"a":1,"A":2}`,
			want: map[string]any{"a": json.Number("1"), "A": json.Number("2")}},
		{name: "deepest", text: deep(request.MaxJSONDepth), want: nested(request.MaxJSONDepth)},
		{name: "one too deep", text: deep(request.MaxJSONDepth + 1), wrong: "nests deeper than 200"},
		{name: "a million deep", text: strings.Repeat("[", 1_000_000), wrong: "nests deeper"},
		{name: "too many values", text: "[" + strings.Repeat("0,", request.MaxJSONValues) + "0]",
			wrong: "more than 100000 values"},
		{name: "nothing", text: "", wrong: "ends too early"},
		{name: "only space", text: " \n", wrong: "ends too early"},
		{name: "two values", text: `{} {}`, wrong: "more text follows"},
		{name: "key twice", text: `{"a":1,"a":1}`, wrong: "same key twice"},
		{name: "key twice by escape", text: `{"a":1,"\u0061":2}`, wrong: "same key twice"},
		{name: "nested key twice", text: `[{"v":{"a":1,"a":1}}]`, wrong: "same key twice"},
		{name: "lone high surrogate", text: `"\ud83d"`, wrong: "half of a surrogate"},
		{name: "lone low surrogate", text: `"\ude00x"`, wrong: "half of a surrogate"},
		{name: "two high surrogates", text: `"\ud83d\ud83d"`, wrong: "half of a surrogate"},
		{name: "invalid UTF-8", text: "\"\xff\"", wrong: "not valid UTF-8"},
		{name: "overlong UTF-8", text: "\"\xc0\xaf\"", wrong: "not valid UTF-8"},
		{name: "surrogate in UTF-8", text: "\"\xed\xa0\x80\"", wrong: "not valid UTF-8"},
		{name: "byte order mark", text: "\ufeff{}", wrong: "value is expected"},
		{name: "raw newline in string", text: "\"a\nb\"", wrong: "control character"},
		{name: "raw newline after an escape", text: "\"\\n\n\"", wrong: "control character"},
		{name: "unknown escape", text: `"\x"`, wrong: "unknown escape"},
		{name: "short \\u", text: `"\u12`, wrong: "four hexadecimal"},
		{name: "bad \\u", text: `"\u12g4"`, wrong: "four hexadecimal"},
		{name: "open string", text: `"abc`, wrong: "no end"},
		{name: "open after backslash", text: `"abc\`, wrong: "no end"},
		{name: "leading zero", text: "01", wrong: "more text follows"},
		{name: "plus", text: "+1", wrong: "value is expected"},
		{name: "bare minus", text: "-", wrong: "digit is expected"},
		{name: "open fraction", text: "1.", wrong: "after the decimal point"},
		{name: "open exponent", text: "1e", wrong: "in the exponent"},
		{name: "NaN", text: "NaN", wrong: "value is expected"},
		{name: "almost true", text: "tru", wrong: "value is expected"},
		{name: "comment", text: "{/**/}", wrong: "key in double quotes"},
		{name: "trailing comma", text: `[1,]`, wrong: "value is expected"},
		{name: "trailing comma in object", text: `{"a":1,}`, wrong: "key in double quotes"},
		{name: "no colon", text: `{"a" 1}`, wrong: "colon"},
		{name: "no comma", text: `[1 2]`, wrong: "comma or a closing bracket"},
		{name: "no brace", text: `{"a":1`, wrong: "comma or a closing brace"},
		{name: "single quotes", text: `{'a':1}`, wrong: "key in double quotes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := request.ParseJSON([]byte(c.text))
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Fatalf("error %v, want one with %q", err, c.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Fatalf("got %#v, want %#v", got, c.want)
			}
		})
	}
}

func nested(n int) any {
	var v any = []any{}
	for range n - 1 {
		v = []any{v}
	}
	return v
}

// Whatever this parser accepts, encoding/json reads alike; what it refuses and encoding/json accepts is refused for
// one of the reasons the package states.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`{"query":"{ a }","variables":{"x":[1,2.50,-3e-7,"\ud83d\ude00",null]}}`, `[[[[]]]]`, `"\ud800"`, `{"a":1,"a":2}`,
		`1.`, `-0`, `1E+2`, "\"\x00\"", `{"":{"":{}}}`, ` [ true , false ] `, "\"\xff\"", `"\u05d0אב"`,
		// Strings of lists are copied together, up to a bracket or a bound.
		`["a","b]","",["c","\"",[ "d" ,"e]"],"f"],"g"] `, `["` + strings.Repeat(`word","`, 2000) + `"]`,
		`["a","` + strings.Repeat("long", 2000) + `","b","` + strings.Repeat("x", 4090) + `","c"]`,
		strings.Repeat(`["x",`, 150) + `"]"` + strings.Repeat(`]`, 150),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := request.ParseJSON(text)
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var want any
		stdErr := decoder.Decode(&want)
		if stdErr == nil {
			if _, more := decoder.Token(); more != io.EOF {
				stdErr = io.ErrUnexpectedEOF
			}
		}
		switch {
		case err == nil && stdErr != nil:
			t.Fatalf("accepted what encoding/json refuses: %v", stdErr)
		case err == nil && !reflect.DeepEqual(got, want):
			t.Fatalf("got %#v, encoding/json gives %#v", got, want)
		case err != nil && stdErr == nil:
			for _, reason := range []string{"same key twice", "surrogate", "UTF-8", "nests deeper", "more than"} {
				if strings.Contains(err.Error(), reason) {
					return
				}
			}
			t.Fatalf("refused what encoding/json accepts: %v", err)
		case err != nil && !utf8.ValidString(err.Error()):
			t.Fatal("the error is not valid UTF-8")
		}
	})
}

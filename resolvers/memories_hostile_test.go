package resolvers_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever is handed in as a memory, the answer is about the input, both stores say the same, and what is kept comes
// out as it went in.
func TestHostileMemories(t *testing.T) {
	both := buildBoth(t, start)
	const document = `mutation ($input: StoreMemoryInput!) { storeMemory(input: $input) { memory { id content summary tags metadata version } confirmation { kind } userErrors { code message field } } }`
	many := func(n int, text string) []any {
		out := make([]any, n)
		for i := range out {
			out[i] = fmt.Sprint(text, i)
		}
		return out
	}
	deep := func(n int) any { return raw(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)) }
	wide := map[string]any{}
	for i := range 3_000 {
		wide[fmt.Sprint("key", i)] = i
	}
	for name, c := range map[string]struct {
		input map[string]any
		kept  bool
		field string // of the refusal
	}{
		"the longest":               {map[string]any{"content": strings.Repeat("א", 20_000)}, true, ""},
		"one character more":        {map[string]any{"content": strings.Repeat("א", 20_001)}, false, `"content"`},
		"most of a megabyte":        {map[string]any{"content": strings.Repeat("word ", 180_000)}, false, `"content"`},
		"letters that fold to many": {map[string]any{"content": strings.Repeat("\ufdfa", 20_000)}, true, ""},
		"endless marks":             {map[string]any{"content": "e" + strings.Repeat("\u0301", 19_999)}, true, ""},
		"no letters, all words":     {map[string]any{"content": strings.Repeat("a ", 10_000)}, true, ""},
		"words without end": {map[string]any{
			"content": strings.Join(strings.Fields(fmt.Sprint(many(3_000, "w"))), " ")}, true, ""},
		"control characters":       {map[string]any{"content": "\x00\x01\x7f"}, false, `"content"`},
		"marks of direction alone": {map[string]any{"content": "\u202e\u2066\u200f"}, false, `"content"`},
		"marks of direction":       {map[string]any{"content": "\u202e\u2066a\u2069\u202c"}, true, ""},
		"a long summary": {map[string]any{"content": "s", "summary": strings.Repeat("s", 501)}, false,
			`"summary"`},
		"10,000 tags": {map[string]any{"content": "t", "tags": many(10_000, "tag")}, false, `"tags"`},
		"51 tags":     {map[string]any{"content": "t", "tags": many(51, "tag")}, false, `"tags"`},
		"50 tags, each twice": {map[string]any{"content": "50 tags",
			"tags": append(many(50, "tag"), many(50, "TAG")...)}, true, ""},
		"a tag of a megabyte": {map[string]any{"content": "t", "tags": []any{strings.Repeat("t", 900_000)}}, false,
			`"tags"`},
		"a tag that cannot be seen": {map[string]any{"content": "t", "tags": []any{"\u200f"}}, false, `"tags"`},
		"metadata, 9 deep":          {map[string]any{"content": "m", "metadata": deep(9)}, false, `"metadata"`},
		"metadata, 8 deep":          {map[string]any{"content": "8 deep", "metadata": deep(8)}, true, ""},
		"metadata that is wide":     {map[string]any{"content": "m", "metadata": wide}, false, `"metadata"`},
		"metadata that is long": {map[string]any{"content": "m",
			"metadata": map[string]any{"a": strings.Repeat("x", 17<<10)}}, false, `"metadata"`},
		"a number without end": {map[string]any{"content": "number",
			"metadata": map[string]any{"n": raw(strings.Repeat("9", 2_000))}}, true, ""},
		"an exponent without end": {map[string]any{"content": "exponent",
			"metadata": map[string]any{"n": raw("1e999999999")}}, true, ""},
		"a key with everything": {map[string]any{"content": "key",
			"metadata": map[string]any{"a.b[]\"=~\u202e' --": "$1 ?1 {{.}}"}}, true, ""},
		"a known field of another shape": {map[string]any{"content": "m", "metadata": map[string]any{"entities": "Noa"}},
			false, `"entities"`},
		"SQL": {map[string]any{"content": `'; DROP TABLE memories; -- %_\ $1 ?1`,
			"tags": []any{`'; --`}}, true, ""},
		"a year that is not": {map[string]any{"content": "y", "expiresAt": "1900-01-01T00:00:00Z"}, false,
			`"expiresAt"`},
		"the end of time": {
			map[string]any{"content": "the end of time", "expiresAt": "9999-12-31T23:59:59.999999Z"}, true, ""},
	} {
		answer := both.sayAll(t, "alice", nil, document, map[string]any{"input": c.input})
		if problem := isCivil(answer); problem != "" {
			t.Errorf("%s: %s", name, problem)
			continue
		}
		var got struct {
			Data struct {
				StoreMemory struct {
					Memory     *struct{ Content string }
					UserErrors []struct {
						Code, Message string
						Field         []string
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			t.Fatal(err)
		}
		switch payload := got.Data.StoreMemory; {
		case c.kept && payload.Memory == nil:
			t.Errorf("%s: refused: %s", name, clipped(answer))
		case c.kept:
			if text, ok := c.input["content"].(string); ok && utf8.ValidString(text) &&
				payload.Memory.Content != strings.TrimSpace(text) {
				t.Errorf("%s: came out otherwise", name)
			}
		case len(payload.UserErrors) != 1 || payload.UserErrors[0].Code != "BAD_USER_INPUT" ||
			!strings.Contains(fmt.Sprintf("%q", payload.UserErrors[0].Field), c.field):
			t.Errorf("%s: %s", name, clipped(answer))
		case len(answer) > 2_000:
			t.Errorf("%s: the refusal has %d bytes", name, len(answer))
		}
	}
	if answer := both.sayAll(t, "alice", nil,
		`{ memories(first: 100) { totalCount isEmpty } searchMemories(query: "word words w17", first: 3) { isEmpty } }`,
		nil); strings.Contains(answer, `"errors"`) {
		t.Error(answer)
	}
}

// Searches and filters made to be dear are answered or refused, quickly and alike.
func TestHostileSearches(t *testing.T) {
	both := buildBoth(t, start)
	var lines strings.Builder
	for i := range 200 {
		fmt.Fprintf(&lines,
			`{"content":"memory number %d of the same words, alpha beta gamma %s","tags":["t%d"],"metadata":{"n":%d}}`+"\n", i,
			strings.Repeat("x", i), i%7, i)
	}
	answer := both.sayAll(t, "alice", nil,
		`mutation ($lines: String!) { importMemories(input: { jsonLines: $lines }) { created errors { message } } }`,
		map[string]any{"lines": lines.String()})
	if !strings.Contains(answer, `"created":200`) {
		t.Fatal(clipped(answer))
	}
	nested := map[string]any{"tags": []any{"t1"}}
	for range 5 {
		nested = map[string]any{"not": map[string]any{"or": []any{nested}}}
	}
	wide := make([]any, 20)
	for i := range wide {
		wide[i] = map[string]any{"not": map[string]any{"tagsAny": []any{fmt.Sprint("t", i)}}}
	}
	pairs := map[string]any{}
	for i := range 60 {
		pairs[fmt.Sprint(i)] = i
	}
	for name, variables := range map[string]map[string]any{
		"2,000 characters":   {"query": strings.Repeat("alpha beta gamma ", 117)},
		"as many words":      {"query": strings.Repeat("a b c d ", 249)},
		"prefixes":           {"query": strings.Join(strings.Fields(strings.Repeat("me nu wo al be ga ", 100)), " ")},
		"2,001 characters":   {"query": strings.Repeat("a", 2_001)},
		"a megabyte":         {"query": strings.Repeat("alpha ", 150_000)},
		"marks":              {"query": "\u202e\u2066" + strings.Repeat("\u0301", 1_000)},
		"SQL":                {"query": `%_\'";-- $1 ?1 OR 1=1`},
		"the first hundred":  {"query": "memory", "first": 100},
		"everything similar": {"query": "memory", "minSimilarity": -1, "first": 100},
		"nested":             {"query": "memory", "filter": nested},
		"wide":               {"query": "memory", "filter": map[string]any{"and": wide[:10], "or": wide[10:]}},
		"too wide":           {"query": "memory", "filter": map[string]any{"and": wide, "or": wide}},
		"many pairs":         {"query": "memory", "filter": map[string]any{"metadata": pairs}},
		"huge metadata": {"query": "memory",
			"filter": map[string]any{"metadata": map[string]any{"a": strings.Repeat("x", 800_000)}}},
		"deep metadata": {"query": "memory", "filter": map[string]any{
			"metadata": raw(strings.Repeat(`{"a":`, 30) + "1" + strings.Repeat("}", 30))}},
		"deepest metadata": {"query": "memory", "filter": map[string]any{
			"metadata": raw(strings.Repeat(`[`, 9_000) + strings.Repeat("]", 9_000))}},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answer := both.sayAll(t, "alice", nil,
			`query ($query: String!, $filter: MemoryFilter, $first: Int, $minSimilarity: Float) {
			searchMemories(query: $query, filter: $filter, first: $first, minSimilarity: $minSimilarity) { legs pageInfo { hasNextPage } edges { score similarity keywordScore matchedBy node { id } } }
			memories(filter: $filter, first: 3) { totalCount nodes { id } } }`, variables)
		runtime.ReadMemStats(&after)
		if problem := isCivil(answer); problem != "" {
			t.Errorf("%s: %s", name, problem)
		}
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 256<<20 {
			t.Errorf("%s: both harnesses allocate %d MiB", name, spent>>20)
		}
	}
}

// An import is bounded by lines, and a line by what a memory may be.
func TestHostileImports(t *testing.T) {
	both := buildBoth(t, start)
	for name, c := range map[string]struct{ lines, want string }{
		"201 lines":     {strings.Repeat(`{"content":"x"}`+"\n", 201), "at most 200 lines"},
		"blank lines":   {strings.Repeat("\n", 400_000), `"created":0`},
		"one long line": {`{"content":"` + strings.Repeat("x", 900_000) + `"}`, "20000"},
		"deep":          {strings.Repeat(`{"metadata":`, 40_000), "BAD_USER_INPUT"},
		"101 versions": {`{"content":"x","version":102,"history":[` +
			strings.TrimSuffix(strings.Repeat(`{"version":1,"content":"y"},`, 101), ",") + `]}`, "at most 100 earlier versions"},
		"keys twice":   {`{"content":"x","content":"y"}`, "BAD_USER_INPUT"},
		"a list":       {`[{"content":"x"}]`, "BAD_USER_INPUT"},
		"far versions": {`{"content":"x","version":2000000000}`, "version"},
		"before time":  {`{"content":"x","createdAt":"0001-01-01T00:00:00Z"}`, "BAD_USER_INPUT"},
	} {
		answer := both.sayAll(t, "alice", nil,
			`mutation ($lines: String!) { importMemories(input: { jsonLines: $lines }) { created errors { index code message } userErrors { code message } } }`, map[string]any{"lines": c.lines})
		if problem := isCivil(answer); problem != "" || !strings.Contains(answer, c.want) {
			t.Errorf("%s: %s %s", name, problem, clipped(answer))
		}
		if len(answer) > 4_000 {
			t.Errorf("%s: %d bytes of answer", name, len(answer))
		}
	}
}

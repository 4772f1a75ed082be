package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Whatever is handed in as a fact, it is kept or refused by itself, both stores say the same, and no answer is longer
// than it must be.
func TestHostileFacts(t *testing.T) {
	both := buildBoth(t, start)
	const document = `mutation ($input: AddFactsInput!) { addFacts(input: $input) { created facts { id fact relation source { name aliases summary attributes } } errors { index code message } userErrors { code message field } } }`
	many := func(n int, text string) []any {
		out := make([]any, n)
		for i := range out {
			out[i] = fmt.Sprint(text, i)
		}
		return out
	}
	end := func(name string, more ...any) map[string]any {
		out := map[string]any{"name": name}
		for i := 0; i+1 < len(more); i += 2 {
			out[more[i].(string)] = more[i+1]
		}
		return out
	}
	deep := func(n int) any { return raw(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)) }
	for name, c := range map[string]struct {
		fact map[string]any
		kept bool
	}{
		"the longest name":     {map[string]any{"source": end(strings.Repeat("א", 200))}, true},
		"one character more":   {map[string]any{"source": end(strings.Repeat("א", 201))}, false},
		"a name of a megabyte": {map[string]any{"source": end(strings.Repeat("name ", 150_000))}, false},
		"a name that folds":    {map[string]any{"source": end(strings.Repeat("\ufdfa", 200))}, true},
		"endless marks":        {map[string]any{"source": end("e" + strings.Repeat("\u0301", 199))}, true},
		"nothing to see":       {map[string]any{"source": end("\u200f\u202e\u2066")}, false},
		"control characters":   {map[string]any{"source": end("\x00\x01")}, false},
		"SQL":                  {map[string]any{"source": end(`'; DROP TABLE entities; -- %_\ $1 ?1`)}, true},
		"the longest sentence": {map[string]any{"fact": strings.Repeat("ש", 2_000)}, true},
		"a longer sentence":    {map[string]any{"fact": strings.Repeat("ש", 2_001)}, false},
		"a relation of 65":     {map[string]any{"relation": strings.Repeat("R", 65)}, false},
		"a relation of a book": {map[string]any{"relation": strings.Repeat("works at ", 90_000)}, false},
		"a relation in Hebrew": {map[string]any{"relation": "עובדת־ב"}, true},
		"20 aliases":           {map[string]any{"source": end("twenty", "aliases", many(20, "a"))}, true},
		"21 aliases":           {map[string]any{"source": end("twenty-one", "aliases", many(21, "a"))}, false},
		"20 aliases, each twice": {
			map[string]any{"source": end("twice", "aliases", append(many(20, "b"), many(20, "B")...))}, true},
		"100,000 aliases":    {map[string]any{"source": end("many", "aliases", many(30_000, "a"))}, false},
		"a long type":        {map[string]any{"source": end("typed", "type", strings.Repeat("t", 65))}, false},
		"a long summary":     {map[string]any{"source": end("summed", "summary", strings.Repeat("s", 2_001))}, false},
		"attributes, 8 deep": {map[string]any{"attributes": deep(8)}, true},
		"attributes, 9 deep": {map[string]any{"attributes": deep(9)}, false},
		"attributes of 17 KiB": {map[string]any{
			"source": end("attributed", "attributes", map[string]any{"a": strings.Repeat("x", 17<<10)})}, false},
		"a number without end": {map[string]any{"attributes": map[string]any{"n": raw(strings.Repeat("9", 2_000))}},
			true},
		"51 to close":     {map[string]any{"closes": many(51, "fact_")}, false},
		"the end of time": {map[string]any{"validAt": "9999-12-31T23:59:59.999999Z"}, true},
		"the end before the start": {map[string]any{"validAt": "2026-01-02T00:00:00Z", "invalidAt": "2026-01-01T00:00:00Z"},
			false},
		"its own end": {map[string]any{"source": end("same"), "target": end("SAME")}, true},
	} {
		fact := map[string]any{"source": end("s " + name), "relation": "r", "target": end("t")}
		for key, value := range c.fact {
			fact[key] = value
		}
		answer := both.sayAll(t, "alice", nil, document, map[string]any{"input": map[string]any{"facts": []any{fact}}})
		if problem := isCivil(answer); problem != "" {
			t.Errorf("%s: %s", name, problem)
			continue
		}
		var got struct {
			Data struct {
				AddFacts struct {
					Created int
					Errors  []struct{ Code, Message string }
				}
			}
		}
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			t.Fatal(err)
		}
		switch payload := got.Data.AddFacts; {
		case c.kept && payload.Created != 1:
			t.Errorf("%s: refused: %s", name, clipped(answer))
		case !c.kept && (payload.Created != 0 || len(payload.Errors) != 1 || payload.Errors[0].Code != "BAD_USER_INPUT"):
			t.Errorf("%s: %s", name, clipped(answer))
		case !c.kept && len(answer) > 2_000:
			t.Errorf("%s: the refusal has %d bytes", name, len(answer))
		}
	}
}

// A thousand facts are added at once, 200 of them are shown, and one more is too many; all of them together are found
// by walking.
func TestAThousandFacts(t *testing.T) {
	both := buildBoth(t, start)
	facts := func(n int) []any {
		out := make([]any, n)
		for i := range out {
			out[i] = map[string]any{"source": map[string]any{"name": fmt.Sprint("תחנה ", i/10)}, "relation": "next to",
				"target": map[string]any{"name": fmt.Sprint("Stop ", i)}}
		}
		return out
	}
	const document = `mutation ($input: AddFactsInput!) { addFacts(input: $input) { created unchanged entitiesCreated facts { id } userErrors { code message } } }`
	answer := both.sayAll(t, "alice", nil, document, map[string]any{"input": map[string]any{"facts": facts(1_000)}})
	if !strings.Contains(answer, `"created":1000,"unchanged":0,"entitiesCreated":1100`) ||
		strings.Count(answer, `"id":"fact_`) != 200 {
		t.Error(clipped(answer))
	}
	if answer := both.sayAll(t, "alice", nil, document,
		map[string]any{"input": map[string]any{"facts": facts(1_000), "atomic": true}}); !strings.Contains(answer,
		`"created":0,"unchanged":1000,"entitiesCreated":0`) {
		t.Error(clipped(answer))
	}
	if answer := both.sayAll(t, "alice", nil, document, map[string]any{
		"input": map[string]any{"facts": facts(1_001)}}); !strings.Contains(answer, "1 to 1000 facts, not 1001") {
		t.Error(clipped(answer))
	}
	answer = both.sayAll(t, "alice", nil,
		`{ knowledge { facts { totalCount } nodes(filter: { name: "תחנה 7" }) { totalCount nodes { neighbours(first: 100) { truncated neighbours { entity { name } } } } } } }`, nil)
	if !strings.Contains(answer, `"totalCount":1000`) || strings.Count(answer, `"name":"Stop 7`) != 10 ||
		!strings.Contains(answer, `"truncated":false`) {
		t.Error(clipped(answer))
	}
}

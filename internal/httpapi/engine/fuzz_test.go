package engine_test

import (
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/request"
)

// FuzzPrepare asks the engine for any text with any variables. It must refuse or admit, never fail inside, and what it
// admits must come to one cost however often it is asked.
func FuzzPrepare(f *testing.F) {
	for _, query := range corpus() {
		f.Add(query, `{"v":1,"name":"a"}`)
	}
	for _, c := range hostile() {
		if len(c.query) < 20_000 {
			f.Add(c.query, "{}")
		}
	}
	s := newServer(f, nil)
	f.Fuzz(func(t *testing.T, query, variables string) {
		req := engine.Request{Query: query}
		if value, err := request.ParseJSON([]byte(variables)); err == nil {
			req.Variables, _ = value.(map[string]any)
		}
		first, errs := s.Prepare(everything(), req)
		second, again := s.Prepare(everything(), req)
		if (first == nil) != (second == nil) || len(errs) != len(again) || (first == nil) != (len(errs) > 0) {
			t.Fatalf("%q: first %s, then %s", query, show(errs), show(again))
		}
		for _, err := range errs {
			switch code := engine.CodeOf(err); code {
			case model.CodeBadUserInput, model.CodeQueryTooExpensive:
			default:
				t.Fatalf("%q: %s", query, show(errs))
			}
		}
		if text := show(errs); len(text) > 20_000 || len(errs) > engine.MaxErrors {
			t.Fatalf("%q: %d errors in %d bytes", query, len(errs), len(text))
		}
	})
}

// FuzzCost holds the cost rule to a count by hand, on fragments that spread one another.
func FuzzCost(f *testing.F) {
	f.Add([]byte{2, 2, 2}, uint16(3))
	f.Add([]byte{1}, uint16(50))
	f.Add([]byte{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, uint16(1))
	f.Fuzz(func(t *testing.T, spreads []byte, page uint16) {
		if len(spreads) > 100 {
			t.Skip()
		}
		// Each fragment spreads the next so many times; the last has one field.
		var b strings.Builder
		want := int64(1)
		for i := len(spreads) - 1; i >= 0; i-- {
			want *= int64(spreads[i]%4) + 1
			if want > 1<<40 {
				want = 1 << 40
			}
		}
		b.WriteString("query($n:Int){people(first:$n){nodes{...f0}}}")
		for i, n := range spreads {
			b.WriteString(numbered2At(i, int(n%4)+1))
		}
		b.WriteString(fragmentEnd(len(spreads)))
		// In tenths: ten for people, ten for its nodes, and one for each value.
		if want = min(20+want*int64(page), 1<<40); want < 1<<40 { // where counting stops
			want = (want + 9) / 10
		}
		value, _ := request.ParseJSON([]byte(`{"n":` + decimal(int(page)) + `}`))
		s := newServer(t, nil)
		_, errs := s.Prepare(everything(), engine.Request{Query: b.String(), Variables: value.(map[string]any)})
		switch {
		case want <= engine.MaxCost && len(errs) > 0:
			t.Fatalf("cost %d is refused: %s", want, show(errs))
		case want > engine.MaxCost && (len(errs) != 1 || errs[0].Extensions["limit"] != "cost" ||
			errs[0].Extensions["measured"] != want):
			t.Fatalf("cost %d: %s", want, show(errs))
		}
	})
}

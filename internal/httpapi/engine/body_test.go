package engine_test

import (
	"testing"

	"almanac/internal/httpapi/answer"
	"almanac/internal/httpapi/engine"
)

// The body that is there already is the body that would be made of the response; where there are errors, or no plan,
// there is none.
func TestBodyIsTheWholeAnswer(t *testing.T) {
	for name, s := range map[string]server{
		"plans": newServer(t, nil), "executor": newServer(t, func(cfg *engine.Config) { cfg.Executor = true }),
	} {
		for query, whole := range map[string]bool{
			"{hello}":                     true,
			`{hello(name:"\u05d0\n\"")}`:  true,
			"{echoes(strings:[\"a\"])}":   true,
			"{__typename}":                true,
			"{__schema{queryType{name}}}": true,
			"{hello fail(how:PLAIN)}":     false,
		} {
			op, errs := s.prepare(t, query, "")
			if len(errs) > 0 {
				t.Errorf("%s: %s", query, show(errs))
				continue
			}
			response := op.Execute(everything())
			want, err := answer.Append(nil, response)
			if err != nil {
				t.Fatal(err)
			}
			body := op.Body()
			if (body != nil) != (whole && name == "plans") || body != nil && string(body) != string(want) {
				t.Errorf("%s, %s: %s, want %s", name, query, body, want)
			}
			if op.Body() != nil {
				t.Errorf("%s, %s: the body is there twice", name, query)
			}
			op.Release()
		}
	}
}

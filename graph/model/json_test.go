package model_test

import (
	"testing"

	"almanac/graph/model"
)

func TestJSONOfADocument(t *testing.T) {
	t.Parallel()
	var none []any
	for _, c := range []struct {
		in   any
		want model.JSON
	}{
		{nil, "null"},
		{none, "[]"},
		{[]any{none, map[string]any{"b": none, "a": []any{1}}}, `[[],{"a":[1],"b":[]}]`},
		{map[string]any{}, "{}"},
		{"<שלום>", `"<שלום>"`},
	} {
		var got model.JSON
		if err := got.UnmarshalGQL(c.in); err != nil || got != c.want {
			t.Errorf("%v: %s, %v; want %s", c.in, got, err, c.want)
		}
	}
	var got model.JSON
	if err := got.UnmarshalGQL(make(chan int)); err == nil {
		t.Error("a channel is JSON")
	}
}

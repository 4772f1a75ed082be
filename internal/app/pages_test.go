package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// The pages that docs/pages.md shows run on the sample, within the limit, and none is empty.
func TestPagesAreWithinTheLimits(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir(), "--demo")
	documents := fenced(t, "docs/pages.md", "graphql")
	if len(documents) < 30 {
		t.Fatalf("there are %d pages", len(documents))
	}
	for _, document := range documents {
		r, a := p.post(document, nil, "Almanac-Cost", "1")
		var answer struct {
			Extensions struct {
				Cost     struct{ Requested, Limit int }
				Upstream map[string]int
			}
		}
		if err := json.Unmarshal(r.body, &answer); err != nil || r.status != http.StatusOK || len(a.Errors) > 0 {
			t.Errorf("%v %s\n%s", err, r.body[:min(len(r.body), 600)], document)
			continue
		}
		cost := answer.Extensions.Cost
		if cost.Limit != 10_000 || cost.Requested < 1 || cost.Requested > cost.Limit {
			t.Errorf("it costs %d of %d:\n%s", cost.Requested, cost.Limit, document)
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(document, "query "), " ")
		t.Logf("%5d %6d bytes %v %s", cost.Requested, len(r.body), answer.Extensions.Upstream, name)
		if asks := strings.Contains(document, "emails(") || strings.Contains(document, "agenda "); asks &&
			len(answer.Extensions.Upstream) == 0 {
			t.Errorf("it asks nobody: %v\n%s", answer.Extensions.Upstream, document)
		}
	}
	// Nobody else is told.
	if r, _ := p.post(`{ viewer { id } }`, nil); strings.Contains(string(r.body), "extensions") {
		t.Errorf("%s", r.body)
	}
}

package app_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// What the server says to language models is true: its addresses answer, and its documents run.
func TestLLMs(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir(), "--demo")
	r := p.mustSend(http.MethodGet, "/llms.txt", nil)
	text := string(r.body)
	if r.status != http.StatusOK || !strings.HasPrefix(r.header.Get("Content-Type"), "text/plain") ||
		!strings.HasPrefix(text, "# Almanac\n\n> ") || strings.Contains(text, "{base}") {
		t.Fatalf("%d %v %s", r.status, r.header, text)
	}
	for _, link := range regexp.MustCompile(`\]\((http[^)]+)\)`).FindAllStringSubmatch(text, -1) {
		path, own := strings.CutPrefix(link[1], p.address)
		if answer := p.mustSend(http.MethodGet, path, nil); !own || answer.status == http.StatusNotFound {
			t.Errorf("%s: %d", link[1], answer.status)
		}
	}
	documents := regexp.MustCompile("(?s)```graphql\n(.*?)```").FindAllStringSubmatch(text, -1)
	if len(documents) < 3 {
		t.Fatalf("there are %d documents", len(documents))
	}
	for i, want := range []string{"Team meeting", `"task":{"id":"task_`, "bluebird-42"} {
		if answer := p.answerTo(documents[i][1]); !strings.Contains(answer, want) {
			t.Errorf("%s: %s", documents[i][1], answer)
		}
	}
	if r := p.mustSend(http.MethodPost, "/llms.txt", nil); r.status != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", r.status)
	}
}

package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/websets"
)

const (
	makeHook   = `mutation { createWebsetWebhook(input: {}) { webhook { id url receivedHere status } secret userErrors { code message } } }`
	makeWS     = `mutation { createWebset(input: { search: { query: "companies that save water", count: 5 } }) { webset { id } userErrors { code message } } }`
	makeImport = `mutation { createWebsetImport(input: { csv: "name,url\nAcme,https://acme.example\n", entity: { type: "company" } }) {
		import { id status } userErrors { code message } } }`
	watchWS   = `subscription ($after: String) { websetChanged(after: $after) { cursor type operation id: nodeId } }`
	changesWS = `{ changes(first: 100, types: [WEBSET_ITEM]) { nodes { id: nodeId operation } } }`
)

// A server that is started with nothing set makes a webhook to itself, and hears of a webset as it fills: on a
// subscription and in the change log.
func TestAServerHearsOfItsWebsets(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir())
	if !strings.Contains(p.greeting, "websets   a stand-in for Exa") {
		t.Errorf("the greeting does not say it:\n%s", p.greeting)
	}
	from := map[string]any{"after": changeHead(p)}
	r, a := p.post(makeHook, nil)
	if len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"receivedHere":true`) ||
		!strings.Contains(string(a.Data), p.address+websets.PathHooks) || strings.Contains(string(a.Data), "whsec_") {
		t.Fatalf("%s\n%s", r.body, p.log)
	}
	e := p.mustListen(watchWS, from, "")
	if r, a := p.post(makeWS, nil); len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"userErrors":[]`) {
		t.Fatalf("%s\n%s", r.body, p.log)
	}
	for items := 0; items < 2; {
		var heard struct {
			WebsetChanged struct{ Type, Operation, ID string }
		}
		if _, err := e.next(&heard); err != nil {
			t.Fatalf("%v\n%s", err, p.log)
		}
		if heard.WebsetChanged.Type == "WEBSET_ITEM" {
			items++
		}
	}
	r, a = p.post(changesWS, nil)
	if len(a.Errors) > 0 || strings.Count(string(a.Data), `"CREATED"`) == 0 {
		t.Errorf("%s", r.body)
	}
	if r, a := p.post(makeImport, nil); len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"userErrors":[]`) ||
		!strings.Contains(string(a.Data), `"status":"processing"`) {
		t.Errorf("an import of rows: %s", r.body)
	}
	if p.metric(`almanac_webset_deliveries_total{outcome="told"}`) == "" ||
		p.metric(`almanac_exa_attempts_total{operation="webhooks.create",result="ok"}`) == "" {
		t.Error("/metrics does not count what came")
	}
	// Nobody else comes in by that path, and no token is asked for there.
	for path, want := range map[string]int{websets.PathHooks + "x": http.StatusNotFound,
		websets.PathHooks + strings.Repeat("A", 94): http.StatusNotFound} {
		if got := p.mustSend(http.MethodPost, path, []byte(`{}`)); got.status != want || len(got.body) > 0 {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if got := p.mustSend(http.MethodGet, websets.PathHooks+"x", nil); got.status != http.StatusMethodNotAllowed {
		t.Error(fmt.Sprint("GET: ", got.status))
	}
	if err := p.term(); err != nil {
		t.Error(err)
	}
}

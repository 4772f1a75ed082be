package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"almanac/internal/httpapi"
)

func TestPagesOfAllowedOriginsMayCall(t *testing.T) {
	const page = "https://app.example.com"
	d := newFront(t, func(cfg *httpapi.Config) { cfg.Origins = []string{page} })
	send := func(method, origin string, header map[string]string, body string) *http.Response {
		r := httptest.NewRequestWithContext(t.Context(), method, "http://almanac.example/graphql", strings.NewReader(body))
		r.Header.Set("Origin", origin)
		for name, value := range header {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		return w.Result()
	}
	preflight := map[string]string{"Access-Control-Request-Method": "POST",
		"Access-Control-Request-Headers": "content-type,idempotency-key"}

	asked := send(http.MethodOptions, page, preflight, "")
	if asked.StatusCode != http.StatusNoContent || asked.Header.Get("Access-Control-Allow-Origin") != page ||
		!strings.Contains(asked.Header.Get("Access-Control-Allow-Headers"), "Idempotency-Key") ||
		asked.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("preflight: %d %v", asked.StatusCode, asked.Header)
	}
	for _, header := range []string{"Apollographql-Client-Name", "Apollographql-Client-Version", "Graphql-Client-Name",
		"Graphql-Client-Version", "Almanac-Cost", "Traceparent", "Apollo-Require-Preflight", "If-None-Match"} {
		if !slices.Contains(strings.Split(asked.Header.Get("Access-Control-Allow-Headers"), ", "), header) {
			t.Errorf("%s is not let in", header)
		}
	}
	answered := send(http.MethodPost, page, map[string]string{"Content-Type": "application/json"},
		`{"query":"{ __typename }"}`)
	if answered.StatusCode != http.StatusOK || answered.Header.Get("Access-Control-Allow-Origin") != page ||
		!strings.Contains(strings.Join(answered.Header.Values("Vary"), ","), "Origin") {
		t.Errorf("request: %d %v", answered.StatusCode, answered.Header)
	}
	for _, origin := range []string{"https://evil.example", "null", "https://app.example.com.evil.example",
		"http://app.example.com"} {
		for method, header := range map[string]map[string]string{http.MethodOptions: preflight,
			http.MethodPost: {"Content-Type": "application/json"}} {
			refused := send(method, origin, header, `{"query":"{ __typename }"}`)
			if refused.StatusCode != http.StatusForbidden || refused.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s from %s: %d %v", method, origin, refused.StatusCode, refused.Header)
			}
		}
	}
}

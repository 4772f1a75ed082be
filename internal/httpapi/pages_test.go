package httpapi_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/httpapi"
)

func newPagesFront(t *testing.T, localOnly bool) front {
	page := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, name+" "+r.Method) })
	}
	return newFront(t, func(cfg *httpapi.Config) {
		cfg.LocalOnly = localOnly
		cfg.Site = page("site")
		cfg.Pages = map[string]http.Handler{
			"/connect/google": page("connect"), "/connect/google/callback": page("callback"),
			"/standin/": page("standin"), "/standin/google/": page("google"), "/standin/google/oauth": page("oauth"),
			"/graphql": page("not graphql"), "/healthz": page("not health"),
			"/panics": http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("private panic") }),
		}
	})
}

func TestTheLongestPathOfAPageWins(t *testing.T) {
	d := newPagesFront(t, false)
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/connect/google", "connect GET"},
		{"POST", "/connect/google?ticket=t", "connect POST"},
		{"GET", "/connect/google/callback", "callback GET"},
		{"GET", "/standin/", "standin GET"},
		{"DELETE", "/standin/google", "standin DELETE"},
		{"GET", "/standin/google/", "google GET"},
		{"PATCH", "/standin/google/calendar/v3", "google PATCH"},
		{"POST", "/standin/google/oauth", "oauth POST"},
		{"POST", "/standin/google/oauth/token", "google POST"},
		// Whole paths and whole folders only.
		{"GET", "/connect/google/", "site GET"},
		{"GET", "/connect/googles", "site GET"},
		{"GET", "/connect", "site GET"},
		{"GET", "/standin", "site GET"},
		{"GET", "/", "site GET"},
		// The front door's own addresses are nobody else's.
		{"GET", "/healthz", `{"status":"ok"}`},
		{"GET", "/graphql?query={hello}", `{"data":{"hello":"hello, world"}}`},
	} {
		if w := d.do(call{method: c.method, path: c.path}); w.Code != 200 || w.Body.String() != c.want {
			t.Errorf("%s %s: %d %q, want %q", c.method, c.path, w.Code, w.Body, c.want)
		}
	}
}

func TestPagesAreGuardedAndCountedLikeAllElse(t *testing.T) {
	local := newPagesFront(t, true)
	for host, status := range map[string]int{"localhost:8080": 200, "[::1]:8080": 200, "almanac.example": 403,
		"evil.example:8080": 403} {
		w := local.do(call{method: "GET", path: "/standin/google/", host: host})
		if w.Code != status || status != 200 && read(t, w).code() != "FORBIDDEN" {
			t.Errorf("%s: %d %s", host, w.Code, w.Body)
		}
	}
	d := newPagesFront(t, false)
	if w := d.do(call{method: "GET", path: "/connect/google?ticket=private", host: "almanac.example"}); w.Code != 200 ||
		w.Result().Header.Get("X-Request-Id") == "" {
		t.Errorf("a server for all: %d", w.Code)
	}
	d.do(call{method: "GET", path: "/standin/private"})
	if w := d.do(call{method: "GET", path: "/panics"}); w.Code != 500 || read(t, w).code() != "INTERNAL" ||
		strings.Contains(w.Body.String(), "private") {
		t.Errorf("a page that panics: %d %s", w.Code, w.Body)
	}
	metrics := d.do(call{method: "GET", path: "/metrics"}).Body.String()
	for _, want := range []string{
		`almanac_http_requests_total{route="/connect/google",status="2xx"} 1`,
		`almanac_http_requests_total{route="/standin/",status="2xx"} 1`,
		`almanac_http_requests_total{route="/panics",status="5xx"} 1`,
		`almanac_http_request_duration_seconds_count{route="/standin/"} 1`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s", want)
		}
	}
	for line := range strings.Lines(d.log.String()) {
		if strings.Contains(line, `"msg":"request"`) &&
			(strings.Contains(line, "private") || strings.Contains(line, "ticket")) {
			t.Errorf("the access log: %s", line)
		}
	}
	for _, route := range []string{"/connect/google", "/standin/", "/panics"} {
		if got := strings.Count(d.log.String(), `"route":"`+route+`"`); got != 1 {
			t.Errorf("%d lines of %s in the access log", got, route)
		}
	}
}

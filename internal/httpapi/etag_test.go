package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
)

// The answer of a query by GET may be kept by its user's own client, which asks before each use.
func TestAnswersOfGetAreRevalidated(t *testing.T) {
	d := newFront(t, nil)
	ask := func(path, token, known string) (*http.Response, string) {
		t.Helper()
		header := map[string]string{"Authorization": "Bearer " + token}
		if known != "" {
			header["If-None-Match"] = known
		}
		w := d.do(call{method: "GET", path: path, header: header})
		return w.Result(), w.Body.String()
	}
	first, body := ask(get("{hello}"), "noa", "")
	tag := first.Header.Get("ETag")
	if first.StatusCode != 200 || !strings.HasPrefix(tag, `W/"`) || !strings.Contains(body, "hello, world") ||
		first.Header.Get("Cache-Control") != "private, no-cache" {
		t.Fatalf("%d %v %s", first.StatusCode, first.Header, body)
	}
	for _, known := range []string{tag, strings.TrimPrefix(tag, "W/"), `W/"other", ` + tag, "*"} {
		again, body := ask(get("{hello}"), "noa", known)
		if again.StatusCode != http.StatusNotModified || body != "" || again.Header.Get("ETag") != tag ||
			again.Header.Get("Cache-Control") != "private, no-cache" ||
			!strings.Contains(strings.Join(again.Header.Values("Vary"), ", "), "Authorization") ||
			!strings.Contains(strings.Join(again.Header.Values("Vary"), ", "), "Accept-Encoding") {
			t.Errorf("%s: %d %v %q", known, again.StatusCode, again.Header, body)
		}
	}
	for name, c := range map[string]struct{ path, token string }{
		"another answer": {get(`{hello(name:"x")}`), "noa"},
		"another user":   {get("{hello}"), "dan"},
		"errors":         {get("{fail(how:NOT_FOUND)}"), "noa"},
		"refused":        {get("{nothing}"), "noa"},
	} {
		other, body := ask(c.path, c.token, tag)
		if other.StatusCode != 200 || body == "" || other.Header.Get("ETag") == tag {
			t.Errorf("%s: %d %v %s", name, other.StatusCode, other.Header, body)
		}
	}
	for _, path := range []string{get("{fail(how:NOT_FOUND)}"), get("{nothing}"), get("{")} {
		if other, _ := ask(path, "noa", ""); other.Header.Get("ETag") != "" ||
			other.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, other.Header)
		}
	}
	for _, query := range []string{"{hello}", "mutation{increment}"} {
		w := d.do(call{body: `{"query":"` + query + `"}`, header: map[string]string{"If-None-Match": "*"}})
		if w.Code != 200 || w.Result().Header.Get("ETag") != "" || w.Result().Header.Get("Cache-Control") != "no-store" {
			t.Errorf("POST %s: %d %v", query, w.Code, w.Result().Header)
		}
	}
}

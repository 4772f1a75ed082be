package request_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/httpapi/request"
)

func upload(t *testing.T, method, media, query, body string) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "/graphql/upload?"+query, strings.NewReader(body))
	r.Header.Set("Content-Type", media)
	return r
}

func TestReadUpload(t *testing.T) {
	t.Parallel()
	query := url.Values{"query": {"mutation($text: String!) { x }"}, "variable": {"text"},
		"variables": {`{"dry":true}`}}.Encode()
	got, err := request.ReadUpload(upload(t, "POST", "text/calendar; charset=UTF-8", query, "BEGIN\r\na\xffb"), 100)
	if err != nil || got.Variables["text"] != "BEGIN\r\na\uFFFDb" || fmt.Sprint(got.Variables["dry"]) != "true" ||
		got.QueriesOnly {
		t.Errorf("%+v, %v", got, err)
	}
	for name, c := range map[string]struct {
		method, media, query, body string
		status                     int
	}{
		"GET":             {"GET", "text/calendar", query, "", 405},
		"a form":          {"POST", "multipart/form-data; boundary=x", query, "x", 415},
		"text":            {"POST", "text/plain", query, "x", 415},
		"Latin-1":         {"POST", "text/calendar; charset=iso-8859-1", query, "x", 415},
		"UTF-16":          {"POST", "text/calendar", query, "\xff\xfeB\x00", 415},
		"no query":        {"POST", "text/calendar", "variable=text", "x", 400},
		"no variable":     {"POST", "text/calendar", "query=%7Bx%7D", "x", 400},
		"a variable's":    {"POST", "text/calendar", query + "&variable=dry", "x", 0},
		"given otherwise": {"POST", "text/calendar", strings.Replace(query, "variable=text", "variable=dry", 1), "x", 400},
		"too large":       {"POST", "text/calendar", query, strings.Repeat("x", 101), 413},
	} {
		_, err := request.ReadUpload(upload(t, c.method, c.media, c.query, c.body), 100)
		var refused *request.Error
		if errors.As(err, &refused); c.status == 0 && err != nil || c.status != 0 && (refused == nil ||
			refused.Status != c.status) {
			t.Errorf("%s: %v, want %d", name, err, c.status)
		}
	}
}

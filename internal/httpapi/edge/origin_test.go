package edge_test

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
)

func TestRefuseForeign(t *testing.T) {
	for name, c := range map[string]struct{ header, value, origin string }{
		"a page":                   {"Origin", "https://app.example.com", "https://app.example.com"},
		"with a port":              {"Origin", "http://localhost:5173", "http://localhost:5173"},
		"in capitals":              {"Origin", "HTTPS://App.Example.com", "https://app.example.com"},
		"of an address":            {"Origin", "http://[2001:db8::1]:8080", "http://[2001:db8::1]:8080"},
		"a browser without Origin": {"Referer", "https://app.example.com/page?secret=1", "https://app.example.com"},
		"a file":                   {"Origin", "null", ""},
		"no page":                  {"Sec-Fetch-Site", "cross-site", ""},
		"of an extension":          {"Origin", "chrome-extension://abcdef", ""},
		"with a user":              {"Referer", "https://user:password@app.example.com/", "https://app.example.com"},
		"with quotes":              {"Origin", `https://a"b.example`, ""},
		"with a line break":        {"Origin", "https://a\nb.example", ""},
		"very long":                {"Origin", "https://" + strings.Repeat("a", 1_000) + ".example", ""},
	} {
		var log bytes.Buffer
		r := httptest.NewRequest("POST", "/graphql", nil)
		r.Header.Set(c.header, c.value)
		err := edge.RefuseForeign(t.Context(), slog.New(slog.NewTextHandler(&log, nil)), r)
		if err.Code != model.CodeForbidden {
			t.Errorf("%s: %v", name, err)
		}
		if c.origin == "" {
			if !strings.Contains(err.Message, "another site") || log.Len() > 0 {
				t.Errorf("%s: %v %s", name, err, log.String())
			}
			continue
		}
		if !strings.Contains(err.Message, "ALMANAC_ALLOWED_ORIGINS="+c.origin+".") ||
			!strings.Contains(log.String(), c.origin) || !strings.Contains(log.String(), "setting=ALMANAC_ALLOWED_ORIGINS") ||
			strings.Contains(err.Message+log.String(), "secret") || strings.Contains(err.Message+log.String(), "password") {
			t.Errorf("%s: %v %s", name, err, log.String())
		}
	}
}

package connect

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// serve hands the linker one request without a socket; change may alter it.
func (h *fixture) serve(method, target string, change func(*http.Request)) view {
	h.t.Helper()
	r := httptest.NewRequestWithContext(h.t.Context(), method, target, http.NoBody)
	r.Host = h.Base.Host
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return view{w.Code, w.Header(), w.Body.String()}
}

func setForm(r *http.Request, fields url.Values) {
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Body = io.NopCloser(strings.NewReader(fields.Encode()))
}

// cookies returns what the browser would send to the server.
func (b *browser) cookies(h *fixture) string {
	b.t.Helper()
	var pairs []string
	for _, c := range b.client.Jar.Cookies(h.Base) {
		pairs = append(pairs, c.Name+"="+c.Value)
	}
	if len(pairs) == 0 {
		b.t.Fatal("the browser has no cookie")
	}
	return strings.Join(pairs, "; ")
}

func queryOf(t *testing.T, address string) url.Values {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}

func stateOf(t *testing.T, consent string) string { return queryOf(t, consent).Get("state") }

func newRecorder() *httptest.ResponseRecorder { return httptest.NewRecorder() }

func mustRequest(t *testing.T, method, address string) *http.Request {
	t.Helper()
	return httptest.NewRequestWithContext(t.Context(), method, address, http.NoBody)
}

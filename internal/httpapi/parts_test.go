package httpapi_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/share"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

const (
	older = "multipart/mixed;deferSpec=20220824, application/json"
	newer = "multipart/mixed;incrementalSpec=v0.2, application/json"
	// urql is what urql sends for any query.
	urql = "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, " +
		"multipart/mixed"
)

// parts are the messages of a body, whose frame is checked byte by byte.
func parts(t *testing.T, body string) []string {
	t.Helper()
	const head = "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n"
	inner, opened := strings.CutPrefix(body, "\r\n---")
	inner, closed := strings.CutSuffix(inner, "\r\n-----\r\n")
	if !opened || !closed {
		t.Fatalf("no multipart body: %q", body)
	}
	var out []string
	for part := range strings.SplitSeq(inner, "\r\n---") {
		message, is := strings.CutPrefix(part, head)
		if !is {
			t.Fatalf("no head in %q", part)
		}
		out = append(out, message)
	}
	return out
}

func TestAnswersInParts(t *testing.T) {
	d := newFront(t, nil)
	for _, c := range []struct {
		query, accept, media string
		want                 []string
	}{
		{`{a:hello ...@defer(label:\"x\"){b:hello}}`, older, `multipart/mixed; boundary="-"; deferSpec=20220824`, []string{
			`{"data":{"a":"hello, world"},"hasNext":true}`,
			`{"incremental":[{"data":{"b":"hello, world"},"path":[],"label":"x"}],"hasNext":false}`}},
		{`{a:hello ...@defer(label:\"x\"){b:hello}}`, newer, `multipart/mixed; boundary="-"; incrementalSpec=v0.2`, []string{
			`{"data":{"a":"hello, world"},"pending":[{"id":"0","path":[],"label":"x"}],"hasNext":true}`,
			`{"incremental":[{"id":"0","data":{"b":"hello, world"}}],"completed":[{"id":"0"}],"hasNext":false}`}},
		{`{a:hello ...@defer{b:hello}}`, urql, `multipart/mixed; boundary="-"; deferSpec=20220824`, []string{
			`{"data":{"a":"hello, world"},"hasNext":true}`,
			`{"incremental":[{"data":{"b":"hello, world"},"path":[]}],"hasNext":false}`}},
		{`{person(id:\"1\"){id} ...@defer{person(id:\"1\"){name}}}`, older, "", []string{
			`{"data":{"person":{"id":"1"}},"hasNext":true}`,
			`{"incremental":[{"data":{"name":"Name of 1"},"path":["person"]}],"hasNext":false}`}},
		{`{person(id:\"1\"){id} ...@defer{person(id:\"1\"){name}}}`, newer, "", []string{
			`{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":[]}],"hasNext":true}`,
			`{"incremental":[{"id":"0","subPath":["person"],"data":{"name":"Name of 1"}}],"completed":[{"id":"0"}],` +
				`"hasNext":false}`}},
		{`{hello ...@defer{mustFail(how:NOT_FOUND)}}`, older, "", []string{
			`{"data":{"hello":"hello, world"},"hasNext":true}`,
			`{"incremental":[{"data":null,"path":[],"errors":[{"message":"there is no such thing","path":["mustFail"],` +
				`"locations":[{"line":1,"column":18}],"extensions":{"code":"NOT_FOUND","field":["id"]}}]}],"hasNext":false}`}},
		{`{hello ...@defer{mustFail(how:NOT_FOUND)}}`, newer, "", []string{
			`{"data":{"hello":"hello, world"},"pending":[{"id":"0","path":[]}],"hasNext":true}`,
			`{"completed":[{"id":"0","errors":[{"message":"there is no such thing","path":["mustFail"],` +
				`"locations":[{"line":1,"column":18}],"extensions":{"code":"NOT_FOUND","field":["id"]}}]}],"hasNext":false}`}},
		{`{hello ...@defer{fail(how:NOT_FOUND)}}`, older, "", []string{
			`{"data":{"hello":"hello, world"},"hasNext":true}`,
			`{"incremental":[{"data":{"fail":null},"path":[],"errors":[{"message":"there is no such thing","path":["fail"],` +
				`"locations":[{"line":1,"column":18}],"extensions":{"code":"NOT_FOUND","field":["id"]}}]}],"hasNext":false}`}},
	} {
		w := d.do(call{body: `{"query":"` + c.query + `"}`, header: map[string]string{"Accept": c.accept}})
		header := w.Result().Header
		if w.Code != http.StatusOK || c.media != "" && header.Get("Content-Type") != c.media ||
			header.Get("Vary") != "Accept, Accept-Encoding" || header.Get("X-Content-Type-Options") != "nosniff" ||
			header.Get("Cache-Control") != "no-store, no-transform" {
			t.Errorf("%s: %d %v", c.query, w.Code, header)
		}
		got := parts(t, w.Body.String())
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s, %s:\n%s\nwant\n%s", c.query, c.accept, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// Whoever does not say that it reads parts, or likes JSON better, has one answer; so has a query without anything to
// wait for.
func TestWholeAnswersOfDeferredQueries(t *testing.T) {
	d := newFront(t, nil)
	deferred := `{"query":"{a:hello ...@defer{b:hello}}"}`
	const whole = `{"data":{"a":"hello, world","b":"hello, world"}}`
	for _, c := range []struct{ accept, body, want string }{
		{"application/json", deferred, whole},
		{"", deferred, whole},
		{"*/*", deferred, whole},
		{"multipart/*, application/json", deferred, whole},
		{"multipart/mixed;q=0.5, application/json", deferred, whole},
		{"multipart/mixed;q=0, */*", deferred, whole},
		{"multipart/mixed;deferSpec=20200101, application/json", deferred, whole},
		{"multipart/mixed;incrementalSpec=v0.3, application/json", deferred, whole},
		{older, `{"query":"{hello ...@defer{hello}}"}`, `{"data":{"hello":"hello, world"}}`},
		{older, `{"query":"{hello ...@defer(if:false){b:hello}}"}`, `{"data":{"hello":"hello, world","b":"hello, world"}}`},
		{"multipart/mixed", `{"query":"{hello}"}`, `{"data":{"hello":"hello, world"}}`},
	} {
		w := d.do(call{body: c.body, header: map[string]string{"Accept": c.accept}})
		if media := w.Result().Header.Get("Content-Type"); w.Code != 200 || w.Body.String() != c.want ||
			!strings.HasPrefix(media, "application/json") {
			t.Errorf("Accept %s: %d %s %s", c.accept, w.Code, media, w.Body)
		}
	}
	w := d.do(call{body: deferred, header: map[string]string{"Accept": "multipart/mixed;incrementalSpec=v0.3"}})
	if w.Code != http.StatusNotAcceptable {
		t.Errorf("only a form that is not served: %d", w.Code)
	}
	w = d.do(call{body: `{"query":"{hello ...@defer{nothing}}"}`, header: map[string]string{"Accept": older}})
	if w.Code != 200 || !strings.HasPrefix(w.Body.String(), `{"errors":[`) {
		t.Errorf("a query that is refused: %d %s", w.Code, w.Body)
	}
}

func TestTheCostOfAnswersInParts(t *testing.T) {
	d := newFront(t, nil)
	w := d.do(call{body: `{"query":"{a:hello ...@defer{b:hello}}"}`,
		header: map[string]string{"Accept": older, "Almanac-Cost": "1"}})
	got := parts(t, w.Body.String())
	if len(got) != 3 || !strings.Contains(got[0], `"extensions":{"cost":{"limit":10000,"requested":2},"upstream":{`) ||
		!strings.HasSuffix(got[1], `"hasNext":true}`) || !strings.HasPrefix(got[2], `{"extensions":{"upstream":{`) ||
		!strings.HasSuffix(got[2], `},"hasNext":false}`) {
		t.Errorf("%q", got)
	}
}

// received is a body that is read as it arrives.
func received(t *testing.T, body io.Reader) func() string {
	reader := bufio.NewReader(body)
	return func() string {
		t.Helper()
		for {
			line, err := reader.ReadString('\n')
			if err != nil {
				t.Fatalf("%v after %q", err, line)
			}
			if strings.HasPrefix(line, "{") {
				return strings.TrimSpace(line)
			}
		}
	}
}

// The first part arrives while what is deferred still waits, compressed or not, and the request's place in the queue is
// held until the last.
func TestTheFirstPartDoesNotWait(t *testing.T) {
	for _, coding := range []string{"", "gzip", "br", "zstd"} {
		t.Run("coding "+coding, func(t *testing.T) {
			gate := share.NewGate(share.Limits{Running: 1, PartyRunning: 2, TokenRunning: 2})
			d := newFront(t, func(c *httpapi.Config) { c.Running = gate })
			d.resolver.Release = make(chan struct{})
			server := httptest.NewServer(d.Handler)
			defer server.Close()
			client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
			defer client.CloseIdleConnections()
			post := func(query string) *http.Response {
				r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/graphql",
					strings.NewReader(`{"query":"`+query+`"}`))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Accept", older)
				r.Header.Set("Accept-Encoding", coding)
				response, err := client.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				return response
			}
			response := post(`{hello ...@defer{slow} ...@defer{whoami}}`)
			body := io.Reader(response.Body)
			if response.Header.Get("Content-Encoding") != coding {
				t.Fatalf("%q is %q", coding, response.Header.Get("Content-Encoding"))
			}
			var err error
			switch coding {
			case "gzip":
				body, err = gzip.NewReader(body)
			case "br":
				body = brotli.NewReader(body)
			case "zstd":
				body, err = zstd.NewReader(body)
			}
			if err != nil {
				t.Fatal(err)
			}
			next := received(t, body)
			if got := next(); got != `{"data":{"hello":"hello, world"},"hasNext":true}` {
				t.Fatal(got)
			}
			if got := next(); !strings.Contains(got, `"whoami":"local`) || !strings.HasSuffix(got, `"hasNext":true}`) {
				t.Fatal(got)
			}
			refused := post(`{hello}`)
			_ = refused.Body.Close()
			if refused.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("beside an answer of which parts are missing: %d", refused.StatusCode)
			}
			close(d.resolver.Release)
			if got := next(); !strings.Contains(got, `"slow"`) || !strings.HasSuffix(got, `"hasNext":false}`) {
				t.Errorf("%s", got)
			}
			if _, err := io.Copy(io.Discard, body); err != nil {
				t.Error(err)
			}
			_ = response.Body.Close()
			after := post(`{hello}`)
			_ = after.Body.Close()
			if after.StatusCode != http.StatusOK {
				t.Errorf("afterwards: %d", after.StatusCode)
			}
		})
	}
}

// A client that leaves ends what runs for it.
func TestAClientThatLeavesEndsTheParts(t *testing.T) {
	d := newFront(t, nil)
	d.resolver.Started, d.resolver.Release = make(chan struct{}, 1), make(chan struct{})
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		d.ServeHTTP(w, r)
	}))
	defer server.Close()
	ctx, leave := context.WithCancel(t.Context())
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/graphql",
		strings.NewReader(`{"query":"{hello ...@defer{slow}}"}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", newer)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	received(t, response.Body)()
	<-d.resolver.Started
	leave()
	<-ended
	http.DefaultClient.CloseIdleConnections()
}

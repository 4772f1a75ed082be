package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
)

// shown is an answer as a client reads it.
type shown struct {
	Data   json.RawMessage `json:"data"`
	Errors []struct {
		Message    string         `json:"message"`
		Path       []any          `json:"path"`
		Extensions map[string]any `json:"extensions"`
	} `json:"errors"`
}

func (s shown) code() string {
	if len(s.Errors) == 0 {
		return ""
	}
	code, _ := s.Errors[0].Extensions["code"].(string)
	return code
}

// read holds an answer to what every answer promises: JSON with its length, not sniffed, and not stored unless it has a
// tag.
func read(t *testing.T, w *httptest.ResponseRecorder) shown {
	t.Helper()
	header := w.Result().Header
	if media := header.Get("Content-Type"); media != "application/json; charset=utf-8" &&
		media != "application/graphql-response+json; charset=utf-8" {
		t.Errorf("Content-Type %q", media)
	}
	cache, vary := "no-store", "Accept, Accept-Encoding"
	if header.Get("ETag") != "" {
		cache, vary = "private, no-cache", "Authorization, Accept-Language, X-Time-Zone, Accept, Accept-Encoding"
	}
	for name, want := range map[string]string{"Cache-Control": cache, "X-Content-Type-Options": "nosniff", "Vary": vary} {
		if got := strings.Join(header.Values(name), ", "); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	var s shown
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	if len(s.Errors) > 0 && s.code() == "" {
		t.Errorf("an error without a code: %s", w.Body)
	}
	return s
}

func TestNegotiation(t *testing.T) {
	const json, graphql = "application/json; charset=utf-8", "application/graphql-response+json; charset=utf-8"
	d := newFront(t, nil)
	for _, c := range []struct {
		accept, media string
		// good and wrong are the statuses of a query that runs and of one that does not validate.
		good, wrong int
	}{
		{"", json, 200, 200},
		{"*/*", json, 200, 200},
		{"application/*", json, 200, 200},
		{"application/json", json, 200, 200},
		{"APPLICATION/JSON", json, 200, 200},
		{"application/graphql-response+json", graphql, 200, 400},
		{"application/graphql-response+json; charset=utf-8", graphql, 200, 400},
		{"application/graphql-response+json;charset=utf-16", json, 406, 406},
		{"application/graphql-response+json;charset=utf-16, application/json", json, 200, 200},
		{"application/json, application/graphql-response+json", graphql, 200, 400},
		{"application/json, application/graphql-response+json;q=0.9", json, 200, 200},
		{"application/json;q=0.5, application/graphql-response+json", graphql, 200, 400},
		{"application/graphql-response+json, */*;q=0.1", graphql, 200, 400},
		{"application/json;q=0, */*", graphql, 200, 400},
		{"application/graphql-response+json;q=0, */*", json, 200, 200},
		{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", json, 200, 200},
		{"application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed",
			graphql, 200, 400},
		{"multipart/mixed;deferSpec=20220824, application/json", json, 200, 200},
		{"multipart/mixed;subscriptionSpec=1.0;q=0.1, application/json", json, 200, 200},
		{"text/html", json, 406, 406},
		{"text/event-stream", json, 406, 406}, // no streams in this front door
		{"application/json;q=2", json, 406, 406},
		{";;;,", json, 406, 406},
		{"text/html\napplication/json", json, 200, 200},
		{strings.Repeat("text/x,", 10_000) + "application/json", json, 406, 406},
	} {
		for query, want := range map[string]int{"{hello}": c.good, "{nothing}": c.wrong} {
			w := d.do(call{body: `{"query":"` + query + `"}`, header: map[string]string{"Accept": c.accept}})
			answer := read(t, w)
			if media := w.Result().Header.Get("Content-Type"); w.Code != want || media != c.media {
				t.Errorf("Accept %.100q, %s: %d %s", c.accept, query, w.Code, media)
			}
			if (query == "{nothing}" || want != 200) &&
				(answer.Data != nil || strings.Contains(w.Body.String(), `"data"`) || answer.code() != "BAD_USER_INPUT") {
				t.Errorf("Accept %q: %s", c.accept, w.Body)
			}
		}
	}
}

func TestExecutedAnswersAre200WithData(t *testing.T) {
	d := newFront(t, nil)
	for query, want := range map[string]string{
		`{hello}`: `{"data":{"hello":"hello, world"}}`,
		`{fail(how:NOT_FOUND)}`: `{"errors":[{"message":"there is no such thing","path":["fail"],` +
			`"locations":[{"line":1,"column":2}],"extensions":{"code":"NOT_FOUND","field":["id"]}}],"data":{"fail":null}}`,
		`{mustFail(how:RATE_LIMITED)}`: `{"errors":[{"message":"too many requests","path":["mustFail"],` +
			`"locations":[{"line":1,"column":2}],"extensions":{"code":"RATE_LIMITED","retryAfterMs":1500}}],"data":null}`,
	} {
		for _, accept := range []string{"application/json", "application/graphql-response+json"} {
			w := d.do(call{body: `{"query":"` + query + `"}`, header: map[string]string{"Accept": accept}})
			if w.Code != 200 || w.Body.String() != want {
				t.Errorf("%s: %d %s", query, w.Code, w.Body)
			}
			if got := w.Result().Header.Get("Content-Length"); got != "" && got != jsonNumber(w.Body.Len()) {
				t.Errorf("Content-Length %s of %d", got, w.Body.Len())
			}
			read(t, w)
		}
	}
}

func jsonNumber(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

func get(query string) string { return "/graphql?query=" + url.QueryEscape(query) }

func TestMethodsAndTheirAllow(t *testing.T) {
	d := newFront(t, nil)
	for _, c := range []struct {
		method, path, allow string
		status              int
	}{
		{"PUT", "/graphql", "GET, POST", 405},
		{"PATCH", "/graphql", "GET, POST", 405},
		{"DELETE", "/graphql", "GET, POST", 405},
		{"HEAD", "/graphql", "GET, POST", 405},
		{"OPTIONS", "/graphql", "GET, POST", 405},
		{"BREW", "/graphql", "GET, POST", 405},
		{"GET", get("mutation{increment}"), "POST", 405},
		{"GET", get("subscription{ticks{number}}"), "POST", 405},
		{"GET", get("{hello}"), "", 200},
		{"GET", "/graphql", "", 400},
		{"POST", "/healthz", "GET, HEAD", 405},
		{"POST", "/readyz", "GET, HEAD", 405},
		{"POST", "/metrics", "GET", 405},
		{"GET", "/", "", 404},
		{"GET", "/graphql/", "", 404},
		{"POST", "/nothing", "", 404},
	} {
		for _, accept := range []string{"application/json", "application/graphql-response+json"} {
			w := d.do(call{method: c.method, path: c.path, header: map[string]string{"Accept": accept}})
			if w.Code != c.status || w.Result().Header.Get("Allow") != c.allow {
				t.Errorf("%s %s: %d, Allow %q", c.method, c.path, w.Code, w.Result().Header.Get("Allow"))
			}
			read(t, w)
		}
	}
	if n := d.resolver.Counter.Load(); n != 0 {
		t.Errorf("a mutation ran: %d", n)
	}
}

func TestMalformedRequests(t *testing.T) {
	d := newFront(t, nil)
	const secret = "SECRET-אבג"
	for _, c := range []struct {
		name, body, media string
		status            int
	}{
		{"no JSON", `{"query": ` + secret, "", 400},
		{"trailing bytes", `{"query":"{hello}"} ` + secret, "", 400},
		{"an array", `[{"query":"{hello}"},{"query":"{hello}"}]`, "", 400},
		{"a string", `"{hello}"`, "", 400},
		{"no query", `{"operationName":"` + secret + `"}`, "", 400},
		{"another key", `{"QUERY":"{hello}"}`, "", 400},
		{"a key twice", `{"query":"{hello}","query":"{colors}"}`, "", 400},
		{"invalid UTF-8", "{\"query\":\"{hello}\xff\"}", "", 400},
		{"variables of a list", `{"query":"{hello}","variables":["` + secret + `"]}`, "", 400},
		{"extensions of a string", `{"query":"{hello}","extensions":"` + secret + `"}`, "", 400},
		{"operationName of a number", `{"query":"{hello}","operationName":7}`, "", 400},
		{"nothing", "", "", 400},
		{"UTF-16", `{"query":"{hello}"}`, "application/json; charset=utf-16", 415},
		{"a form", `{"query":"{hello}"}`, "application/x-www-form-urlencoded", 415},
	} {
		for _, accept := range []string{"application/json", "application/graphql-response+json"} {
			header := map[string]string{"Accept": accept}
			if c.media != "" {
				header["Content-Type"] = c.media
			}
			w := d.do(call{body: c.body, header: header})
			answer := read(t, w)
			if w.Code != c.status || answer.code() != "BAD_USER_INPUT" || answer.Data != nil {
				t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
			}
			if strings.Contains(w.Body.String(), "SECRET") {
				t.Errorf("%s: the body is repeated: %s", c.name, w.Body)
			}
		}
	}
	if strings.Contains(d.log.String(), "SECRET") {
		t.Errorf("the log has a body: %s", d.log)
	}
}

// crossSite are the ways in which a page of another site can make a browser send a request, and how each would change
// something if it ran.
func crossSite() map[string]call {
	const json = `{"query":"mutation{increment}"}`
	return map[string]call{
		"form, urlencoded": {body: "query=mutation{increment}",
			header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}},
		"form, JSON as urlencoded": {body: json,
			header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}},
		"form, JSON as text": {body: json, header: map[string]string{"Content-Type": "text/plain"}},
		"form, multipart": {body: "--x\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n" + json +
			"\r\n--x--", header: map[string]string{"Content-Type": "multipart/form-data; boundary=x"}},
		"no type": {body: json, header: map[string]string{"Content-Type": ""}},
		"two types": {body: json,
			header: map[string]string{"Content-Type": "text/plain\napplication/json"}},
		"a type that ends like JSON": {body: json, header: map[string]string{"Content-Type": "text/plain;application/json"}},
		"a type with JSON as param": {body: json,
			header: map[string]string{"Content-Type": "text/plain; x=application/json"}},
		"application/graphql": {body: "mutation{increment}",
			header: map[string]string{"Content-Type": "application/graphql"}},
		"beacon of a blob":            {body: json, header: map[string]string{"Origin": "https://evil.example"}},
		"JSON of a foreign origin":    {body: json, header: map[string]string{"Origin": "http://evil.example:8080"}},
		"JSON of a sandbox":           {body: json, header: map[string]string{"Origin": "null"}},
		"JSON of a foreign site":      {body: json, header: map[string]string{"Sec-Fetch-Site": "cross-site"}},
		"JSON of a sister site":       {body: json, header: map[string]string{"Sec-Fetch-Site": "same-site"}},
		"JSON of another port":        {body: json, header: map[string]string{"Origin": "http://localhost:3000"}},
		"JSON of a foreign page, old": {body: json, header: map[string]string{"Referer": "https://evil.example/page"}},
		"JSON of two origins": {body: json,
			header: map[string]string{"Origin": "http://localhost:8080\nhttps://evil.example"}},
		"an image": {method: "GET", path: get("mutation{increment}"),
			header: map[string]string{"Sec-Fetch-Site": "cross-site"}},
		"a link, top level": {method: "GET", path: get("mutation{increment}"),
			header: map[string]string{"Sec-Fetch-Site": "none"}},
		"a GET with a body": {method: "GET", path: "/graphql", body: json},
		"a method in disguise": {method: "GET", path: get("mutation{increment}"),
			header: map[string]string{"X-HTTP-Method-Override": "POST"}},
		"query and mutation in a GET": {method: "GET", path: get("query a{hello}mutation b{increment}") + "&operationName=b"},
		"preflight": {method: "OPTIONS", header: map[string]string{"Origin": "https://evil.example",
			"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}},
	}
}

func TestCrossSiteRequestsDoNotRun(t *testing.T) {
	d := newFront(t, nil)
	for name, c := range crossSite() {
		w := d.do(c)
		read(t, w)
		if w.Code < 400 || d.resolver.Counter.Load() != 0 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		for header := range w.Result().Header {
			if strings.HasPrefix(header, "Access-Control-") {
				t.Errorf("%s: %s", name, header)
			}
		}
	}
	for name, c := range map[string]call{
		"no browser":        {},
		"the explorer":      {header: map[string]string{"Origin": "http://localhost:8080", "Sec-Fetch-Site": "same-origin"}},
		"the explorer, old": {header: map[string]string{"Referer": "http://localhost:8080/"}},
		"typed in":          {header: map[string]string{"Sec-Fetch-Site": "none"}},
		"before a proxy":    {header: map[string]string{"Origin": "https://almanac.example"}},
		"a proxy of IPv6":   {host: "[::1]:8080", header: map[string]string{"Origin": "http://[::1]:8080"}},
	} {
		own := newFront(t, func(cfg *httpapi.Config) { cfg.Origins = []string{"https://almanac.example/"} })
		c.body = `{"query":"mutation{increment}"}`
		if w := own.do(c); w.Code != 200 || own.resolver.Counter.Load() != 1 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	// A query of another site's page changes nothing and cannot be read there; it is refused all the same.
	for name, header := range map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site",
		"Referer": "https://evil.example/"} {
		if w := d.do(call{method: "GET", path: get("{hello}"), header: map[string]string{name: header}}); w.Code != 403 {
			t.Errorf("GET with %s: %d", name, w.Code)
		}
	}
}

func TestOnlyLoopbackNamesReachTheLocalUser(t *testing.T) {
	d := newFront(t, func(cfg *httpapi.Config) { cfg.LocalOnly = true })
	for host, ok := range map[string]bool{
		"localhost": true, "localhost:8080": true, "LOCALHOST:8080": true, "localhost.:8080": true, "almanac.localhost": true,
		"127.0.0.1": true, "127.9.9.9:1": true, "[::1]": true, "[::1]:8080": true, "[::ffff:127.0.0.1]:80": true,
		"evil.example": false, "evil.example:8080": false, "127.0.0.1.evil.example": false, "localhost.evil.example": false,
		"10.0.0.7": false, "[2001:db8::1]": false, "0.0.0.0": false, "notlocalhost": false,
	} {
		for _, c := range []call{{body: `{"query":"{hello}"}`}, {method: "GET", path: "/healthz"},
			{method: "GET", path: "/metrics"}} {
			c.host = host
			w := d.do(c)
			if (w.Code == 200) != ok || !ok && read(t, w).code() != "FORBIDDEN" {
				t.Errorf("%s %s: %d", host, c.path, w.Code)
			}
		}
	}
}

func TestAuthentication(t *testing.T) {
	d := newFront(t, func(cfg *httpapi.Config) { cfg.Authenticator = tokens{noLocalUser: true} })
	const bare, invalid = `Bearer realm="almanac"`, `Bearer realm="almanac", error="invalid_token"`
	for _, c := range []struct {
		name, authorization, query string
		status                     int
		code, challenge            string
	}{
		{"none", "", "{whoami}", 401, "UNAUTHENTICATED", bare},
		{"good", "Bearer ruth", "{whoami}", 200, "", ""},
		{"lower case", "bearer ruth", "{whoami}", 200, "", ""},
		{"revoked", "Bearer revoked", "{whoami}", 401, "UNAUTHENTICATED", invalid},
		{"closed account", "Bearer banned", "{whoami}", 403, "FORBIDDEN", ""},
		{"issuer away", "Bearer unknowable", "{whoami}", 503, "UPSTREAM_UNAVAILABLE", ""},
		{"broken", "Bearer broken", "{whoami}", 500, "INTERNAL", ""},
		{"basic", "Basic cnV0aDpy", "{whoami}", 401, "UNAUTHENTICATED", invalid},
		{"empty", "Bearer ", "{whoami}", 401, "UNAUTHENTICATED", invalid},
		{"two", "Bearer ruth\nBearer naomi", "{whoami}", 401, "UNAUTHENTICATED", invalid},
		{"reader reads", "Bearer reader", "{whoami}", 200, "", ""},
		{"reader writes", "Bearer reader", "mutation{increment}", 403, "FORBIDDEN",
			`Bearer realm="almanac", error="insufficient_scope", scope="WRITE"`},
		{"no scope", "Bearer nobody", "{whoami}", 403, "FORBIDDEN",
			`Bearer realm="almanac", error="insufficient_scope", scope="READ"`},
	} {
		for _, accept := range []string{"application/json", "application/graphql-response+json"} {
			w := d.do(call{body: `{"query":"` + c.query + `"}`,
				header: map[string]string{"Authorization": c.authorization, "Accept": accept}})
			answer := read(t, w)
			if w.Code != c.status || answer.code() != c.code || w.Result().Header.Get("WWW-Authenticate") != c.challenge {
				t.Errorf("%s: %d %q %s", c.name, w.Code, w.Result().Header.Get("WWW-Authenticate"), w.Body)
			}
			if c.status != 200 && answer.Data != nil {
				t.Errorf("%s: %s", c.name, w.Body)
			}
			if c.name == "broken" &&
				(answer.Errors[0].Extensions["traceId"] == nil || strings.Contains(w.Body.String(), "EOF")) {
				t.Errorf("%s: %s", c.name, w.Body)
			}
		}
	}
	if d.resolver.Counter.Load() != 0 {
		t.Error("a reader wrote")
	}
	for _, word := range []string{"ruth", "cnV0aDpy", "revoked"} {
		if strings.Contains(d.log.String(), word) {
			t.Errorf("the log has a token: %s", d.log)
		}
	}
}

type viewerKey struct{}

func TestOpenPutsTheViewerThere(t *testing.T) {
	var got edge.Hints
	d := newFront(t, func(cfg *httpapi.Config) {
		cfg.Open = func(ctx context.Context, caller model.Caller, hints edge.Hints) (context.Context, error) {
			got = hints
			if hints.TimeZone == "Mars/Olympus" {
				return nil, model.BadInput("X-Time-Zone", "there is no such zone")
			}
			return context.WithValue(ctx, viewerKey{}, caller.Subject+" in "+hints.TimeZone), nil
		}
	})
	d.resolver.Who = func(ctx context.Context) string { return ctx.Value(viewerKey{}).(string) }
	header := map[string]string{"X-Time-Zone": "Asia/Jerusalem", "Accept-Language": "he, en;q=0.5", "X-Request-Id": "r-1",
		"Authorization": "Bearer רות"}
	if w := d.do(call{body: `{"query":"{whoami}"}`, header: header}); w.Code != 401 {
		t.Errorf("a token in Hebrew: %d", w.Code)
	}
	header["Authorization"] = "Bearer ruth"
	w := d.do(call{body: `{"query":"{whoami}"}`, header: header})
	if w.Body.String() != `{"data":{"whoami":"ruth in Asia/Jerusalem"}}` ||
		got != (edge.Hints{TimeZone: "Asia/Jerusalem", AcceptLanguage: "he, en;q=0.5", Address: "127.0.0.1",
			RequestID: "r-1"}) {
		t.Errorf("%s %+v", w.Body, got)
	}
	header["X-Time-Zone"] = "Mars/Olympus"
	w = d.do(call{body: `{"query":"{whoami}"}`, header: header})
	if answer := read(t, w); w.Code != 400 || answer.code() != "BAD_USER_INPUT" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestRequestID(t *testing.T) {
	d := newFront(t, nil)
	for given, taken := range map[string]bool{
		"abc-123_:.+/=": true, strings.Repeat("x", 128): true, strings.Repeat("x", 129): false, "a b": false, "שלום": false,
		"a\"b": false, "": false,
	} {
		w := d.do(call{body: `{"query":"{hello}"}`, header: map[string]string{"X-Request-Id": given}})
		id := w.Result().Header.Get("X-Request-Id")
		if (id == given) != taken || id == "" {
			t.Errorf("%q became %q", given, id)
		}
		if !strings.Contains(d.log.String(), `"requestId":"`+id+`"`) {
			t.Errorf("the log lacks %q", id)
		}
	}
}

// streams answers with a word, so that a test sees what was handed over.
type streams struct{ got engine.Request }

func (s *streams) Stream(w http.ResponseWriter, r *http.Request, req engine.Request) {
	s.got = req
	caller, _ := model.CallerFrom(r.Context())
	_, _ = io.WriteString(w, "stream for "+caller.Subject)
}

func TestStreamsAndSocketsAreHandedOver(t *testing.T) {
	s := &streams{}
	d := newFront(t, func(cfg *httpapi.Config) {
		cfg.Streams = s
		cfg.WebSocket = upgraderFunc(func(w http.ResponseWriter) { _, _ = io.WriteString(w, "socket") })
	})
	const everything = "application/graphql-response+json, application/json, text/event-stream"
	for _, c := range []struct {
		accept, query string
		streamed      bool
	}{
		{"text/event-stream", "subscription{ticks(count:1){number}}", true},
		{"text/event-stream", "{hello}", true},
		{"text/event-stream, application/json;q=0.5", "{hello}", true},
		{"multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json;q=0.9",
			"subscription{ticks(count:1){number}}", true},
		{everything, "subscription{ticks(count:1){number}}", true},
		{everything, "{hello}", false},
		{everything, "mutation{increment}", false},
		{"application/json, text/event-stream;q=0.1", "subscription{ticks(count:1){number}}", true},
		{"application/json, text/event-stream;q=0.1", "{hello}", false},
	} {
		for _, method := range []string{"POST", "GET"} {
			if method == "GET" && !strings.Contains(c.query, "hello") && c.accept != "text/event-stream" {
				continue // the engine refuses these before
			}
			cl := call{method: method, header: map[string]string{"Accept": c.accept}}
			if method == "GET" {
				cl.path = get(c.query)
			} else {
				cl.body = `{"query":"` + c.query + `"}`
			}
			w := d.do(cl)
			if got := w.Body.String() == "stream for local"; got != c.streamed || got && s.got.Query != c.query {
				t.Errorf("%s %s %s: %s", method, c.accept, c.query, w.Body)
			}
		}
	}
	w := d.do(call{body: `{"query":"subscription{ticks(count:1){number}}"}`,
		header: map[string]string{"Accept": "application/json"}})
	if answer := read(t, w); w.Code != 406 || answer.code() != "BAD_USER_INPUT" ||
		!strings.Contains(w.Body.String(), "text/event-stream") {
		t.Errorf("a subscription for JSON alone: %d %s", w.Code, w.Body)
	}
	if n := d.resolver.Streams.Load(); n != 0 {
		t.Errorf("%d streams run", n)
	}
	upgrade := map[string]string{"Connection": "keep-alive, Upgrade", "Upgrade": "websocket"}
	if w := d.do(call{method: "GET", header: upgrade}); w.Body.String() != "socket" {
		t.Errorf("upgrade: %s", w.Body)
	}
	upgrade["Origin"] = "https://evil.example"
	if w := d.do(call{method: "GET", header: upgrade}); w.Code != 403 {
		t.Errorf("foreign upgrade: %d", w.Code)
	}
	if w := newFront(t, nil).do(call{method: "GET",
		header: map[string]string{"Connection": "Upgrade", "Upgrade": "websocket"}}); w.Code != 501 {
		t.Errorf("upgrade without sockets: %d", w.Code)
	}
}

func TestHealthReadinessAndUnknownPaths(t *testing.T) {
	var reason error
	d := newFront(t, func(cfg *httpapi.Config) {
		cfg.Ready = func(context.Context) error { return reason }
		cfg.Authenticator = tokens{noLocalUser: true}
		cfg.Site = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/" {
				http.NotFound(w, r)
				return
			}
			_, _ = io.WriteString(w, "<!doctype html>")
		})
	})
	if w := d.do(call{method: "GET", path: "/healthz"}); w.Code != 200 || w.Body.String() != `{"status":"ok"}` {
		t.Errorf("health: %d %s", w.Code, w.Body)
	}
	if w := d.do(call{method: "GET", path: "/readyz"}); w.Code != 200 || w.Body.String() != `{"status":"ready"}` {
		t.Errorf("ready: %d %s", w.Code, w.Body)
	}
	reason = errors.New("postgres://admin:hunter2@db1 is away")
	if w := d.do(call{method: "GET", path: "/readyz"}); w.Code != 503 || w.Body.String() != `{"status":"unavailable"}` {
		t.Errorf("not ready: %d %s", w.Code, w.Body)
	}
	if !strings.Contains(d.log.String(), "hunter2") {
		t.Error("the log lacks why")
	}
	if w := d.do(call{method: "GET", path: "/"}); w.Body.String() != "<!doctype html>" {
		t.Errorf("explorer: %s", w.Body)
	}
	w := d.do(call{method: "GET", path: "/nothing"})
	if answer := read(t, w); w.Code != 404 || answer.code() != "NOT_FOUND" {
		t.Errorf("nothing: %d %s", w.Code, w.Body)
	}
	if w := d.do(call{method: "POST", path: "/"}); w.Code != 405 || w.Result().Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST /: %d", w.Code)
	}
}

func TestPanicsAreAnswered(t *testing.T) {
	d := newFront(t, func(cfg *httpapi.Config) {
		cfg.Open = func(context.Context, model.Caller, edge.Hints) (context.Context, error) { panic("hunter2") }
	})
	w := d.do(call{body: `{"query":"{hello}"}`})
	answer := read(t, w)
	trace, _ := answer.Errors[0].Extensions["traceId"].(string)
	if w.Code != 500 || answer.code() != "INTERNAL" || trace == "" || strings.Contains(w.Body.String(), "hunter2") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if log := d.log.String(); !strings.Contains(log, trace) || !strings.Contains(log, "hunter2") ||
		!strings.Contains(log, "goroutine") {
		t.Errorf("the log: %s", log)
	}
	if w := d.do(call{method: "GET", path: "/healthz"}); w.Code != 200 {
		t.Error("the server is gone")
	}
}

func TestAHalfWrittenAnswerIsCutOff(t *testing.T) {
	d := newFront(t, func(cfg *httpapi.Config) {
		cfg.Site = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "half")
			panic("hunter2")
		})
	})
	defer func() {
		if r := recover(); r != http.ErrAbortHandler { //nolint:errorlint // a panic's value, not an error chain
			t.Errorf("got %v", r)
		}
	}()
	d.do(call{method: "GET", path: "/"})
}

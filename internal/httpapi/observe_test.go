package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/share"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

func TestAccessLogHoldsNothingPrivate(t *testing.T) {
	d := newFront(t, nil)
	long := strings.Repeat("n", 100)
	d.do(call{
		path: "/graphql?token=private-url",
		body: `{"query":"query ` + long +
			`($n:String){private_alias: hello(name:$n) fail(how:PLAIN)}","variables":{"n":"private-value"}}`,
		header: map[string]string{"Authorization": "Bearer private-token", "X-Request-Id": "r-7",
			"User-Agent": "private-agent"},
	})
	d.do(call{method: "GET", path: "/private-path"})
	log := d.log.String()
	if strings.Contains(log, "private") {
		t.Errorf("the log: %s", log)
	}
	var line struct {
		Msg, Method, Route, Operation, Name, RequestID string
		Status                                         int
		Bytes                                          int64
		DurationMs                                     *float64
	}
	for text := range strings.Lines(log) {
		if strings.Contains(text, `"msg":"request"`) {
			if err := json.Unmarshal([]byte(text), &line); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if line.Method != "POST" || line.Route != "/graphql" || line.Operation != "query" || line.Name != long[:64] ||
		line.RequestID != "r-7" ||
		line.Status != 200 || line.Bytes < 50 || line.DurationMs == nil {
		t.Errorf("the line: %+v", line)
	}
}

func TestMetrics(t *testing.T) {
	d := newFront(t, nil)
	d.do(call{body: `{"query":"{hello(name:\"private\")}"}`})
	d.do(call{body: `{"query":"mutation{increment}"}`})
	d.do(call{body: `{"query":"{fail(how:UPSTREAM)}"}`})
	d.do(call{body: `{"query":"{private}"}`})
	d.do(call{body: `{"query":"{people{nodes{friends{nodes{friends{nodes{id}}}}}}}"}`})
	d.do(call{body: `{private`})
	d.do(call{method: "PRIVATE", path: "/private"})
	w := d.do(call{method: "GET", path: "/metrics"})
	text := w.Body.String()
	for _, want := range []string{
		`almanac_operations_total{kind="query",outcome="ok"} 1`,
		`almanac_operations_total{kind="mutation",outcome="ok"} 1`,
		`almanac_operations_total{kind="query",outcome="UPSTREAM_UNAVAILABLE"} 1`,
		`almanac_operation_duration_seconds_count{kind="query"} 2`,
		`almanac_refused_total{reason="validation"} 1`,
		`almanac_refused_total{reason="cost"} 1`,
		`almanac_refused_total{reason="request"} 1`,
		`almanac_refused_total{reason="path"} 1`,
		`almanac_http_requests_total{route="/graphql",status="2xx"} 5`,
		`almanac_http_requests_total{route="/graphql",status="4xx"} 1`,
		`almanac_http_requests_total{route="site",status="4xx"} 1`,
		`almanac_http_request_duration_seconds_count{route="/graphql"} 6`,
		`almanac_http_in_flight 1`,
		`go_goroutines `,
		`process_open_fds `,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(strings.ToLower(text), "private") {
		t.Error("the metrics hold what a client wrote")
	}
}

func TestMetricsNeedATokenFromAfar(t *testing.T) {
	d := newFront(t, nil)
	for _, c := range []struct {
		name, peer, host string
		header           map[string]string
		status           int
	}{
		{"this machine", "127.0.0.1:5", "localhost:8080", nil, 200},
		{"this machine, IPv6", "[::1]:5", "[::1]:8080", nil, 200},
		{"another machine", "10.0.0.7:5", "localhost:8080", nil, 401},
		{"through a proxy here", "127.0.0.1:5", "localhost:8080", map[string]string{"X-Forwarded-For": "10.0.0.7"}, 401},
		{"by a public name", "127.0.0.1:5", "almanac.example", nil, 401},
		{"by a foreign page", "127.0.0.1:5", "localhost:8080", map[string]string{"Sec-Fetch-Site": "cross-site"}, 401},
		{"another machine, token", "10.0.0.7:5", "almanac.example", map[string]string{"Authorization": "Bearer reader"}, 200},
		{"another machine, no scope", "10.0.0.7:5", "almanac.example", map[string]string{"Authorization": "Bearer nobody"},
			403},
		{"another machine, revoked", "10.0.0.7:5", "almanac.example", map[string]string{"Authorization": "Bearer revoked"},
			401},
	} {
		r := call{method: "GET", path: "/metrics", host: c.host, header: c.header}.request()
		r.RemoteAddr = c.peer
		w := newRecorder(d, r)
		if w.Code != c.status || c.status != 200 && strings.Contains(w.Body.String(), "almanac_http") {
			t.Errorf("%s: %d", c.name, w.Code)
		}
	}
}

func TestSpans(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := trace.NewTracerProvider(trace.WithSpanProcessor(recorder))
	d := newFront(t, func(cfg *httpapi.Config) { cfg.Tracer = provider })
	w := d.do(call{body: `{"query":"query Named{fail(how:PLAIN)}"}`,
		header: map[string]string{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}})
	answer := read(t, w)
	if trace := answer.Errors[0].Extensions["traceId"]; trace != "0af7651916cd43dd8448eb211c80319c" {
		t.Errorf("trace id %v", trace)
	}
	spans := recorder.Ended()
	if len(spans) != 1 || spans[0].Name() != "HTTP POST /graphql" {
		t.Errorf("%d spans", len(spans))
	}
	for _, attribute := range spans[0].Attributes() {
		if strings.Contains(attribute.Value.String(), "fail") {
			t.Errorf("%v", attribute)
		}
	}
}

func TestOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFront(t, func(cfg *httpapi.Config) {
			cfg.Running = share.NewGate(share.Limits{Running: 1, PartyRunning: 1, TokenRunning: 1, Queued: 1, PartyQueued: 1,
				Wait: httpapi.MaxQueueWait})
		})
		d.resolver.Started = make(chan struct{})
		d.resolver.Release = make(chan struct{})
		slow := call{body: `{"query":"{slow}"}`}
		codes := make(chan int, 3)
		send := func() { codes <- d.do(slow).Code }

		go send()
		<-d.resolver.Started // runs
		go send()
		synctest.Wait() // waits
		w := d.do(slow) // sent away at once
		answer := read(t, w)
		if w.Code != 503 || answer.code() != "RATE_LIMITED" || answer.Errors[0].Extensions["retryAfterMs"] != 1000.0 ||
			w.Result().Header.Get("Retry-After") != "1" {
			t.Errorf("the third: %d %s", w.Code, w.Body)
		}
		if code := <-codes; code != 503 {
			t.Errorf("the second has waited long enough: %d", code)
		}
		go send()
		synctest.Wait()
		d.resolver.Release <- struct{}{}
		if code := <-codes; code != 200 {
			t.Errorf("the first: %d", code)
		}
		<-d.resolver.Started // the fourth has its place
		d.resolver.Release <- struct{}{}
		if code := <-codes; code != 200 {
			t.Errorf("the fourth: %d", code)
		}
	})
}

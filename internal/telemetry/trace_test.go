package telemetry_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"almanac/internal/telemetry"
)

// collector is an OTLP receiver that keeps the bodies it gets.
type collector struct {
	mu     sync.Mutex
	paths  []string
	bodies []byte
	status int
	// hold, when set, keeps the one request that comes; arrived is closed when it is there.
	hold, arrived chan struct{}
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body = unzipped
	}
	content, _ := io.ReadAll(body)
	c.mu.Lock()
	c.paths, c.bodies = append(c.paths, r.URL.Path), append(c.bodies, content...)
	status := c.status
	c.mu.Unlock()
	if c.hold != nil {
		close(c.arrived)
		<-c.hold
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	w.WriteHeader(status)
}

func startCollector(t *testing.T, c *collector) *url.URL {
	t.Helper()
	if c.status == 0 {
		c.status = http.StatusOK
	}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL + "/v1/traces")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func makeSpan(provider trace.TracerProvider) {
	_, span := provider.Tracer("test").Start(context.Background(), "POST /graphql", trace.WithAttributes(
		attribute.String("graphql.operation.name", "Board"), attribute.String("graphql.document", private),
		attribute.String("cause", "refused "+apiToken), attribute.StringSlice("error", []string{apiToken}),
		attribute.Int("tasks", 4711), attribute.StringSlice("summaries", []string{private}),
		attribute.String("summary", private)))
	span.RecordError(errors.New("dial postgres://almanac:hunter2@db/x"))
	span.AddEvent("e", trace.WithAttributes(attribute.String("text", private)))
	span.SetStatus(codes.Error, "with "+jwtToken)
	span.End()
}

func TestTracesAreSentWithoutSecrets(t *testing.T) {
	c := &collector{}
	provider, shutdown, err := telemetry.NewTracerProvider(context.Background(),
		telemetry.TraceOptions{Endpoint: startCollector(t, c), Version: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	makeSpan(provider)
	if err := shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	// In protobuf, texts stand as they are.
	for _, want := range []string{"POST /graphql", "Board", "almanac", "1.2.3", "refused " + telemetry.Redacted, "@db/x",
		"with " + telemetry.Redacted} {
		if !bytes.Contains(c.bodies, []byte(want)) {
			t.Errorf("%q did not arrive", want)
		}
	}
	for _, secret := range []string{"milk", "84sn02q", "hunter2", "eyJ"} {
		if bytes.Contains(c.bodies, []byte(secret)) {
			t.Errorf("%q arrived", secret)
		}
	}
	if len(c.paths) != 1 || c.paths[0] != "/v1/traces" {
		t.Errorf("sent to %q", c.paths)
	}
}

func TestNoEndpointNoTraces(t *testing.T) {
	provider, shutdown, err := telemetry.NewTracerProvider(context.Background(), telemetry.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, span := provider.Tracer("test").Start(context.Background(), "x")
	if span.IsRecording() || span.SpanContext().IsValid() {
		t.Error("a span is made although nobody wants it")
	}
	span.End()
	if err := shutdown(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestShutdownEndsWithItsContext(t *testing.T) {
	c := &collector{hold: make(chan struct{}), arrived: make(chan struct{})}
	endpoint := startCollector(t, c)
	t.Cleanup(func() { close(c.hold) }) // before the collector is closed, which waits for its requests
	provider, shutdown, err := telemetry.NewTracerProvider(context.Background(),
		telemetry.TraceOptions{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	makeSpan(provider)
	ending, cancel := context.WithCancel(context.Background())
	go func() {
		<-c.arrived
		cancel()
	}()
	if err := shutdown(ending); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestFailuresAreLogged(t *testing.T) {
	c := &collector{status: http.StatusBadRequest}
	var log bytes.Buffer
	provider, shutdown, err := telemetry.NewTracerProvider(context.Background(),
		telemetry.TraceOptions{Endpoint: startCollector(t, c), Logger: telemetry.NewLogger(&log, slog.LevelInfo)})
	if err != nil {
		t.Fatal(err)
	}
	makeSpan(provider)
	if err := shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "traces could not be sent") || strings.Contains(log.String(), "milk") {
		t.Errorf("logged %q", log.String())
	}
}

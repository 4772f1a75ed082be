package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/share"

	"go.opentelemetry.io/otel/trace"
)

// maxLoggedName is how much of an operation's name is logged.
const maxLoggedName = 64

// record is what the access log says of one request. It holds nothing that a client wrote but the operation's name,
// which the parser has held to letters, digits and underscores.
type record struct {
	route, id  string
	page       http.Handler // of Config.Pages; nil for none
	start      time.Time
	kind, name string
	turn       share.Turn
}

func (rec *record) ran(op engine.Operation) {
	rec.kind = string(op.Kind())
	rec.name = op.Name()[:min(len(op.Name()), maxLoggedName)]
}

func (rec *record) log(ctx context.Context, log *slog.Logger, method string, status int, bytes int64,
	took time.Duration) {
	level := slog.LevelInfo
	switch rec.route {
	case routeHealth, routeReady, routeMetrics: // asked every few seconds, for ever
		level = slog.LevelDebug
	}
	if !log.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 9)
	attrs = append(attrs, slog.String("requestId", rec.id), slog.String("method", method), slog.String("route", rec.route),
		slog.Int("status", status), slog.Int64("bytes", bytes), slog.Float64("durationMs", float64(took.Microseconds())/1000))
	if rec.kind != "" {
		attrs = append(attrs, slog.String("operation", rec.kind), slog.String("name", rec.name))
	}
	if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
		attrs = append(attrs, slog.String("traceId", span.TraceID().String()))
	}
	log.LogAttrs(ctx, level, "request", attrs...)
}

// tracked remembers what was answered. It unwraps, so that http.ResponseController still reaches the connection.
type tracked struct {
	http.ResponseWriter
	status  int
	written int64
	// upgraded is set for an upgrade, which may go on when its handler has returned.
	upgraded *upgraded
}

// upgraded is the rest of a request that became a socket.
type upgraded struct {
	mu    sync.Mutex
	ended bool
	then  func()
}

// end says that the socket has ended.
func (u *upgraded) end() {
	u.mu.Lock()
	u.ended = true
	then := u.then
	u.mu.Unlock()
	if then != nil {
		then()
	}
}

// afterwards runs then when the socket has ended.
func (u *upgraded) afterwards(then func()) {
	u.mu.Lock()
	ended := u.ended
	u.then = then
	u.mu.Unlock()
	if ended {
		then()
	}
}

// deadlines are the bounds of a connection, which only the server's own writers have.
type deadlines interface {
	SetReadDeadline(deadline time.Time) error
	SetWriteDeadline(deadline time.Time) error
}

// deadlinesOf returns those of the connection below a writer, as http.ResponseController finds them, and nil where it
// would make an error that nobody reads.
func deadlinesOf(w http.ResponseWriter) deadlines {
	for {
		if d, ok := w.(deadlines); ok {
			return d
		}
		wrapper, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return nil
		}
		w = wrapper.Unwrap()
	}
}

func (t *tracked) WriteHeader(status int) {
	if t.status == 0 && status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		t.status = status
	}
	t.ResponseWriter.WriteHeader(status)
}

func (t *tracked) Write(p []byte) (int, error) {
	if t.status == 0 {
		t.status = http.StatusOK
	}
	n, err := t.ResponseWriter.Write(p)
	t.written += int64(n)
	return n, err
}

func (t *tracked) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// answered returns the status; a handler that writes nothing answers 200.
func (t *tracked) answered() int {
	if t.status == 0 {
		return http.StatusOK
	}
	return t.status
}

// jsonNotFound turns a handler's 404 into the front door's own.
type jsonNotFound struct {
	http.ResponseWriter
	answer func()
	// replaced tells that the handler's own body is to be dropped.
	replaced bool
}

func (n *jsonNotFound) WriteHeader(status int) {
	if status != http.StatusNotFound {
		n.ResponseWriter.WriteHeader(status)
		return
	}
	n.replaced = true
	header := n.Header()
	for _, name := range [...]string{"Content-Length", "Content-Encoding", "Etag", "Last-Modified"} {
		header.Del(name)
	}
	n.answer()
}

func (n *jsonNotFound) Write(p []byte) (int, error) {
	if n.replaced {
		return len(p), nil
	}
	return n.ResponseWriter.Write(p)
}

func (n *jsonNotFound) Unwrap() http.ResponseWriter { return n.ResponseWriter }

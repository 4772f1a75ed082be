package app

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"almanac/adapters/store"
	"almanac/internal/httpapi/share"
	"almanac/internal/httpapi/sse"
	"almanac/internal/httpapi/ws"
	"almanac/internal/reminders"
	"almanac/projections/compact"
)

// metrics registers what the parts of a server count.
type metrics struct{ prometheus.Registerer }

func (m metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	return promauto.With(m).NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func (m metrics) gauge(name, help string) prometheus.Gauge {
	return promauto.With(m).NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
}

// gaugeOf registers a gauge that is read when the metrics are.
func (m metrics) gaugeOf(name, help string, read func() float64) {
	promauto.With(m).NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read)
}

// histogram has buckets of seconds, of which each is twice the one before.
func (m metrics) histogram(name, help string, first float64, buckets int, labels ...string) *prometheus.HistogramVec {
	return promauto.With(m).NewHistogramVec(prometheus.HistogramOpts{
		Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(first, 2, buckets),
	}, labels)
}

// firstBucket is the first of the buckets for what a remote system takes, in seconds.
const firstBucket = 0.005

// leftAlone is the result of an attempt that was not sent, so it took no time.
const leftAlone = "leftAlone"

// attempts registers how often a remote system is asked and how long it takes, with labels beside the operation and the
// result, and returns the observer that counts an attempt; it takes those labels' values last.
func (m metrics) attempts(remote, asked, took string, buckets int,
	labels ...string) func(operation, result string, latency time.Duration, values ...string) {
	attempts := m.counter("almanac_"+remote+"_attempts_total", asked,
		append([]string{"operation", "result"}, labels...)...)
	latency := m.histogram("almanac_"+remote+"_attempt_seconds", took, firstBucket, buckets, "operation")
	return func(operation, result string, seconds time.Duration, values ...string) {
		attempts.WithLabelValues(append([]string{operation, result}, values...)...).Inc()
		if result != leftAlone {
			latency.WithLabelValues(operation).Observe(seconds.Seconds())
		}
	}
}

// reminders registers what the worker does and returns the observer that counts it.
func (m metrics) reminders() func(reminders.Report) {
	looked := m.counter("almanac_reminders_total",
		"Due reminders, by what came of them: fired, passed (somebody else was quicker), failed.", "outcome")
	late := m.gauge("almanac_reminder_lateness_seconds", "How late the latest reminder of the last look was.")
	return func(report reminders.Report) {
		looked.WithLabelValues("fired").Add(float64(report.Fired))
		looked.WithLabelValues("passed").Add(float64(report.Passed))
		looked.WithLabelValues("failed").Add(float64(report.Failed))
		late.Set(report.Latest.Seconds())
	}
}

// server registers which program runs, and what its database has to do.
func (m metrics) server(version string, of store.Maintainer) {
	promauto.With(m).NewGaugeVec(prometheus.GaugeOpts{Name: "almanac_build_info",
		Help: "1, with the version of the program, of Go, and the database's driver."},
		[]string{"version", "go", "store"}).WithLabelValues(version, runtime.Version(), of.Facts().Name).Set(1)
	m.gaugeOf("almanac_store_connections", "Connections to the database that may be open.",
		func() float64 { return float64(of.Load().Connections) })
	m.gaugeOf("almanac_store_connections_busy", "Those of them in use.",
		func() float64 { return float64(of.Load().Busy) })
	m.gaugeOf("almanac_store_writes_waiting",
		"Writes that wait for their turn: for the one writer of SQLite, or behind others of their user.",
		func() float64 { return float64(of.Load().Writing) })
}

// listeners registers how many clients listen.
func (m metrics) listeners(sockets *ws.Handler, streams *sse.Handler) {
	m.gaugeOf("almanac_sockets", "Open WebSockets.", func() float64 { return float64(sockets.Stats().Sockets) })
	m.gaugeOf("almanac_socket_operations", "Operations running on WebSockets, subscriptions among them.",
		func() float64 { return float64(sockets.Stats().Operations) })
	m.gaugeOf("almanac_streams", "Open event streams and multipart subscriptions.",
		func() float64 { return float64(streams.Streams()) })
}

// waiting registers how many requests wait for a place to run in.
func (m metrics) waiting(gate *share.Gate) {
	m.gaugeOf("almanac_requests_waiting", "Requests that wait for a place to run in.", func() float64 {
		all, _ := gate.Waiting()
		return float64(all)
	})
	m.gaugeOf("almanac_requests_waiting_own_share",
		"Those of them that wait because their user, or their token, has its whole share.", func() float64 {
			_, own := gate.Waiting()
			return float64(own)
		})
}

// formatters counts and logs answers of formatOutput that became JSON. What the data was is not logged, nor an
// operation that is not known, since its name is the caller's.
func (m metrics) formatters(log *slog.Logger) func(context.Context, string, compact.Failure) {
	failures := m.counter("almanac_formatter_failures_total",
		"Answers of formatOutput that became JSON, by operation, empty for unknown ones, and reason.", "operation", "reason")
	return func(ctx context.Context, operation string, why compact.Failure) {
		failures.WithLabelValues(operation, string(why)).Inc()
		log.WarnContext(ctx, "a formatter failed and the answer became JSON", "operation", operation, "reason", string(why))
	}
}

package httpapi

import (
	"net/http"
	"strconv"
	"time"

	"almanac/internal/httpapi/engine"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/vektah/gqlparser/v2/ast"
)

// Metrics counts what goes through the front door, in a registry of its own. Every label comes from a short fixed
// list, so that no client can make the registry grow, and none holds anything a client wrote, but for names of
// operations and clients, which are bounded in length, form and number.
type Metrics struct {
	// Registry is where other parts may register collectors.
	Registry *prometheus.Registry

	requests   *prometheus.CounterVec
	latency    *prometheus.HistogramVec
	operations *prometheus.CounterVec
	running    *prometheus.HistogramVec
	refused    *prometheus.CounterVec
	inFlight   prometheus.Gauge
	usage      *usage
}

var _ engine.Observer = (*Metrics)(nil)

// NewMetrics makes the collectors, with those of the Go runtime and the process.
func NewMetrics() *Metrics {
	buckets := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_http_requests_total", Help: "HTTP requests that were answered."}, []string{"route", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "almanac_http_request_duration_seconds", Help: "From the headers to the end of the answer.", Buckets: buckets},
			[]string{"route"}),
		operations: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_operations_total",
			Help: "GraphQL operations that ran, by kind and outcome: ok or the first error's code."},
			[]string{"kind", "outcome"}),
		running: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "almanac_operation_duration_seconds", Help: "How long GraphQL operations ran; subscriptions until their end.",
			Buckets: buckets}, []string{"kind"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_refused_total", Help: "Requests that did not run, by reason."}, []string{"reason"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "almanac_http_in_flight", Help: "HTTP requests that are being answered, streams and sockets included."}),
	}
	m.usage = newUsage()
	for _, reason := range Reasons() { // so that the first refusal is an increase for whoever watches
		m.refused.WithLabelValues(reason)
	}
	m.Registry.MustRegister(m.requests, m.latency, m.operations, m.running, m.refused, m.inFlight,
		m.usage.operations, m.usage.deprecated, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Refused implements engine.Observer.
func (m *Metrics) Refused(reason string) { m.refused.WithLabelValues(reason).Inc() }

// Ran implements engine.Observer.
func (m *Metrics) Ran(kind ast.Operation, outcome string, took time.Duration) {
	m.operations.WithLabelValues(string(kind), outcome).Inc()
	m.running.WithLabelValues(string(kind)).Observe(took.Seconds())
}

func (m *Metrics) answered(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status/100)+"xx").Inc()
	m.latency.WithLabelValues(route).Observe(took.Seconds())
}

func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.Registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

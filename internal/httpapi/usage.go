package httpapi

import (
	"strings"
	"sync"

	"almanac/internal/httpapi/engine"

	"github.com/prometheus/client_golang/prometheus"
)

const (
	// maxUsageSeries is how many series a metric of usage has at most, beside those of what is beyond them.
	maxUsageSeries = 1_000
	// maxUsageName is the longest name in a label, in bytes.
	maxUsageName = 64
	// usageOther stands for every name beyond the bound, usageNone for one that is not said.
	usageOther = "other"
	usageNone  = "none"
)

// usage counts who uses what. The names are the clients' own, so their number and form are bounded here.
type usage struct {
	operations, deprecated *prometheus.CounterVec

	mu sync.RWMutex
	// known are the counters of the names met, by operation or field.
	known map[usageKey]prometheus.Counter
	// series are how many of them are operations' and fields'.
	series map[bool]int
}

type usageKey struct {
	isField               bool
	what, client, version string
}

func newUsage() *usage {
	return &usage{
		operations: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "almanac_operation_uses_total",
			Help: "Admitted GraphQL requests, by the names that clients give their operations and themselves."},
			[]string{"operation", "client", "version"}),
		deprecated: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "almanac_deprecated_uses_total",
			Help: "Admitted GraphQL requests that use what is deprecated, by schema coordinate and client."},
			[]string{"field", "client", "version"}),
		known: map[usageKey]prometheus.Counter{}, series: map[bool]int{},
	}
}

// Used implements engine.Observer.
func (m *Metrics) Used(used engine.Usage) {
	client, version := usageName(used.Client), usageName(used.Version)
	m.usage.count(usageKey{what: usageName(used.Operation), client: client, version: version})
	for _, coordinate := range used.Deprecated { // as long as the schema's names
		m.usage.count(usageKey{isField: true, what: coordinate, client: client, version: version})
	}
}

func (u *usage) count(key usageKey) {
	u.mu.RLock()
	counter := u.known[key]
	u.mu.RUnlock()
	if counter == nil {
		counter = u.add(key)
	}
	counter.Inc()
}

// add returns the counter of names that are met for the first time.
func (u *usage) add(key usageKey) prometheus.Counter {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.series[key.isField] >= maxUsageSeries {
		key.client, key.version = usageOther, usageOther
		if !key.isField { // coordinates are the schema's, of which there are few
			key.what = usageOther
		}
	}
	if counter := u.known[key]; counter != nil {
		return counter
	}
	of := u.operations
	if key.isField {
		of = u.deprecated
	}
	counter := of.WithLabelValues(key.what, key.client, key.version)
	u.known[key] = counter
	u.series[key.isField]++
	return counter
}

// usageName makes a client's word fit for a label: short, and of few characters.
func usageName(text string) string {
	if text == "" {
		return usageNone
	}
	if len(text) > maxUsageName {
		text = text[:maxUsageName]
	}
	return strings.Map(func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.ContainsRune("_.-/@+", c):
			return c
		default:
			return '_'
		}
	}, text)
}

package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// lagging is how many calendars have a metric of their own.
	lagging = 20
	// lagTimeout bounds how long the metrics wait for the store.
	lagTimeout = 2 * time.Second
)

// followLag is how long ago calendars were synced, read when the metrics are: of the worst by account and calendar, and
// of the others together. What names them is opaque: the connection's id, and a hash.
type followLag struct {
	store                  store.SyncStore
	now                    func() time.Time
	lag, others, calendars *prometheus.Desc
}

// followLag registers how long ago calendars were synced.
func (m metrics) followLag(from store.SyncStore, now func() time.Time) {
	m.MustRegister(&followLag{
		store: from, now: now,
		lag: prometheus.NewDesc("almanac_calendar_lag_seconds",
			"How long ago the calendar was synced, of those that were the longest ago, by connection and hash of the calendar.",
			[]string{"account", "calendar"}, nil),
		others: prometheus.NewDesc("almanac_calendar_lag_others_seconds",
			"The sum of how long ago each of the other calendars was synced.", nil, nil),
		calendars: prometheus.NewDesc("almanac_calendars_followed", "Calendars that are followed and were synced once.",
			nil, nil),
	})
}

// Describe implements prometheus.Collector.
func (f *followLag) Describe(to chan<- *prometheus.Desc) {
	to <- f.lag
	to <- f.others
	to <- f.calendars
}

// Collect implements prometheus.Collector. A store that does not answer in time has no metrics of these.
func (f *followLag) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), lagTimeout)
	defer cancel()
	now := f.now()
	found, err := f.store.FollowLag(ctx, now, lagging)
	if err != nil {
		return
	}
	gauge := func(of *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(of, prometheus.GaugeValue, value, labels...)
	}
	rest := found.Total
	for _, one := range found.Oldest {
		lag := now.Sub(one.Seen)
		rest -= lag
		gauge(f.lag, lag.Seconds(), model.ID{Kind: model.KindConnection, UUID: one.Connection}.String(), hashOf(one))
	}
	gauge(f.others, max(rest, 0).Seconds())
	gauge(f.calendars, float64(found.Calendars))
}

// hashOf names a calendar of a connection without its address.
func hashOf(one store.SyncState) string {
	sum := sha256.Sum256(append(one.Connection[:], one.Calendar...))
	return hex.EncodeToString(sum[:4])
}

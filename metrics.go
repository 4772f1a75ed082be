package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/httpapi/sse"
	"almanac/internal/httpapi/ws"
	"almanac/internal/reminders"
)

// countReminders registers what the worker does and gives the observer that counts it.
func countReminders(registry prometheus.Registerer) func(reminders.Report) {
	looked := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_reminders_total",
		Help: "Due reminders, by what came of them: fired, passed (somebody else was quicker), failed.",
	}, []string{"outcome"})
	late := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "almanac_reminder_lateness_seconds", Help: "How late the latest reminder of the last look was.",
	})
	registry.MustRegister(looked, late)
	return func(report reminders.Report) {
		looked.WithLabelValues("fired").Add(float64(report.Fired))
		looked.WithLabelValues("passed").Add(float64(report.Passed))
		looked.WithLabelValues("failed").Add(float64(report.Failed))
		late.Set(report.Latest.Seconds())
	}
}

// countListeners registers how many clients listen.
func countListeners(registry prometheus.Registerer, sockets *ws.Handler, streams *sse.Handler) {
	registry.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "almanac_sockets", Help: "Open WebSockets."},
			func() float64 { return float64(sockets.Stats().Sockets) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "almanac_socket_operations",
			Help: "Operations running on WebSockets, subscriptions among them."},
			func() float64 { return float64(sockets.Stats().Operations) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "almanac_streams",
			Help: "Open event streams and multipart subscriptions."},
			func() float64 { return float64(streams.Streams()) }),
	)
}

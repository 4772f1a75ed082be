package app

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// lagOf are calendars of one account, each synced an hour before the one after it.
type lagOf struct {
	store.SyncStore
	now       time.Time
	calendars int
}

func (l lagOf) FollowLag(_ context.Context, now time.Time, limit int) (lag store.FollowLag, err error) {
	lag.Calendars = l.calendars
	for i := range l.calendars {
		seen := l.now.Add(-time.Duration(l.calendars-i) * time.Hour)
		lag.Total += now.Sub(seen)
		if i < limit {
			lag.Oldest = append(lag.Oldest, store.SyncState{Connection: model.UUID{1}, Seen: seen,
				Calendar: fmt.Sprintf("somebody%d@example.com", i)})
		}
	}
	return lag, nil
}

// The calendars that were synced the longest ago have a metric each, by opaque labels; all others have one together.
func TestTheLagOfCalendars(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	registry := prometheus.NewRegistry()
	metrics{registry}.followLag(lagOf{now: now, calendars: 23}, func() time.Time { return now })
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, family := range families {
		values[family.GetName()] = family.GetMetric()[0].GetGauge().GetValue()
		if n := len(family.GetMetric()); family.GetName() == "almanac_calendar_lag_seconds" && n != lagging {
			t.Errorf("%d calendars have a metric", n)
		}
		for _, one := range family.GetMetric() {
			for _, label := range one.GetLabel() {
				if strings.Contains(label.GetValue(), "somebody") || strings.Contains(label.GetValue(), "@") {
					t.Errorf("a label names a calendar: %v", label)
				}
			}
		}
	}
	if values["almanac_calendar_lag_others_seconds"] != 6*3600 || values["almanac_calendars_followed"] != 23 {
		t.Errorf("%v", values)
	}
}

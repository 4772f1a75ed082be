package demo_test

import (
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/demo"
	"almanac/projections"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// Whatever the day, hour and zone, the samples are calendars that are taken: every event has a length, and every series
// begins with an occurrence.
func TestTheSampleCalendarIsWhole(t *testing.T) {
	for _, name := range []string{"Asia/Jerusalem", "UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for step := range 24 * 40 / 7 {
			now := time.Date(2026, 3, 1, 0, 17, 0, 0, zone).Add(time.Duration(step) * 7 * time.Hour)
			moment := when.Moment{Now: now, Zone: zone, Locale: "en", WeekStart: model.Sunday}
			hebrew, ahead := 0, 0
			family := demo.Family(moment)
			for _, event := range append(demo.Events(moment), family...) {
				if strings.ContainsAny(event.Summary, "אבגדהוזחטי") {
					hebrew++
				}
				if event.Start.At.After(now) {
					ahead++
				}
				switch {
				case event.Start.AllDay() != event.End.AllDay():
					t.Fatalf("%s: all-day and timed", event.Summary)
				case event.Start.AllDay() && !event.Start.Date.Before(event.End.Date),
					!event.Start.AllDay() && !event.End.At.After(event.Start.At):
					t.Fatalf("%s has no length at %s", event.Summary, now)
				}
				if !event.IsSeries() {
					continue
				}
				start := projections.SeriesStart(event, zone)
				set, err := rrule.Parse(event.Recurrence, start)
				if err != nil {
					t.Fatalf("%s: %v", event.Summary, err)
				}
				if first, ok := set.First(); !ok || !first.Start.Equal(start.At) {
					t.Fatalf("%s: the first occurrence is %v and the start %v (%s)", event.Summary, first, start.At, now)
				}
			}
			for _, one := range family {
				for _, series := range family {
					if one.IsSeries() || !series.IsSeries() || one.Transparent || one.Start.AllDay() {
						continue
					}
					start := projections.SeriesStart(series, zone)
					set, err := rrule.Parse(series.Recurrence, start)
					if err != nil {
						t.Fatal(err)
					}
					day, clock := one.Start.At.In(zone), start.At.In(zone)
					begins := time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), 0, 0, zone)
					ends := begins.Add(series.End.At.Sub(series.Start.At))
					if set.Contains(begins) && begins.Before(one.End.At) && one.Start.At.Before(ends) {
						t.Errorf("%s and %s are at the same time (%s)", one.Summary, series.Summary, now)
					}
				}
			}
			if hebrew < 3 || ahead < 8 || len(family) < 3 {
				t.Fatalf("%d in Hebrew, %d ahead at %s", hebrew, ahead, now)
			}
		}
	}
}

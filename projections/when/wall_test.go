package when_test

import (
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// Zones follow a rule from 2037 on, and the last days of leap years are where the standard library loses its way. Every
// zone must arrive, and at the right instant: clocks show the reading there, unless they skip it.
func TestTheLastDaysOfLeapYears(t *testing.T) {
	for line := range strings.Lines(when.ZoneNames()) {
		name := strings.TrimSpace(line)
		zone, err := time.LoadLocation(name)
		if err != nil {
			continue // this machine's database does not have it
		}
		for _, year := range []int{2040, 2096} {
			for _, wall := range []time.Time{
				time.Date(year, 12, 31, 9, 0, 0, 0, time.UTC),
				time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(year+1, 1, 1, 9, 0, 0, 0, time.UTC),
			} {
				at := when.Instant(wall, zone)
				if shown := at.In(zone); shown.Format(time.DateTime) != wall.Format(time.DateTime) {
					t.Errorf("%s: %v is %v, where clocks show %v", name, wall, at, shown)
				}
				start := when.Moment{Now: at, Zone: zone}.StartOfDay()
				if length := (when.Moment{Now: at, Zone: zone}).Tomorrow().Sub(start); start.After(at) || length != 24*time.Hour {
					t.Errorf("%s: the day of %v starts at %v and lasts %v", name, at, start, length)
				}
			}
		}
	}
}

// Changes of the clock in the years of rules: skipped readings move forward, doubled ones are the first.
func TestChangesOfTheClockInTheYearsOfRules(t *testing.T) {
	for _, c := range []struct{ zone, wall, want string }{
		{"America/New_York", "2040-03-11T02:30:00", "2040-03-11T07:30:00Z"}, // the second Sunday; skipped
		{"America/New_York", "2040-11-04T01:30:00", "2040-11-04T05:30:00Z"}, // the first Sunday; twice
		{"Asia/Jerusalem", "2044-03-25T02:30:00", "2044-03-25T00:30:00Z"},   // the Friday before the last Sunday; skipped
		{"Asia/Jerusalem", "2044-10-30T01:30:00", "2044-10-29T22:30:00Z"},
		{"Australia/Lord_Howe", "2040-10-07T02:15:00", "2040-10-06T15:45:00Z"}, // half an hour
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		in, err := model.ParseDateTimeInput(c.wall)
		if err != nil {
			t.Fatal(err)
		}
		if got := when.Resolve(in, zone).Format(time.RFC3339); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.wall, c.zone, got, c.want)
		}
	}
}

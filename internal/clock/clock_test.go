package clock_test

import (
	"testing"
	"time"

	"almanac/internal/clock"
)

func TestEveryClockGivesWhatTheStoresKeep(t *testing.T) {
	fine := time.Date(2026, 11, 21, 16, 4, 5, 123456789, time.FixedZone("", 2*3600))
	want := time.Date(2026, 11, 21, 14, 4, 5, 123456000, time.UTC)
	for name, c := range map[string]clock.Clock{"fixed": clock.Fixed(fine), "manual": clock.NewManual(fine)} {
		if got := c.Now(); got != want {
			t.Errorf("%s gives %v, want %v", name, got, want)
		}
	}
	now := clock.System{}.Now()
	if now.Location() != time.UTC || now.Nanosecond()%1000 != 0 {
		t.Errorf("the system's clock gives %v, want UTC to the microsecond", now)
	}
	if off := time.Since(now); off < -time.Minute || off > time.Minute {
		t.Errorf("the system's clock is off by %v", off)
	}
}

func TestManualMovesOnlyWhenTold(t *testing.T) {
	start := time.Date(2026, 3, 27, 0, 0, 0, 0, time.UTC)
	c := clock.NewManual(start)
	if got := c.Advance(90 * time.Minute); got != start.Add(90*time.Minute) || c.Now() != got {
		t.Errorf("after 90 minutes it is %v", got)
	}
	c.Set(start)
	if c.Now() != start {
		t.Errorf("set back, it is %v", c.Now())
	}
}

package sqlite

import (
	"testing"
	"time"
)

// A bound that lies within a microsecond must count what is due at the beginning of that microsecond as before it.
func TestCeilMicros(t *testing.T) {
	for _, c := range []struct {
		at   time.Time
		want int64
	}{
		{time.Unix(0, 0), 0}, {time.Unix(0, 1), 1}, {time.Unix(0, 999), 1}, {time.Unix(0, 1000), 1}, {time.Unix(0, 1001), 2},
		{time.Unix(0, -1), 0}, {time.Unix(0, -1000), -1}, {time.Unix(0, -1001), -1},
	} {
		if got := ceilMicros(c.at); got != c.want {
			t.Errorf("ceilMicros(%d ns) = %d, want %d", c.at.UnixNano(), got, c.want)
		}
	}
}

func TestNoDueDateComesBack(t *testing.T) {
	for _, none := range []int64{unbegun, unended} {
		if got := timeOf(boundArg(time.Time{}, none).i); !got.IsZero() {
			t.Errorf("none came back as %v", got)
		}
	}
	last := time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)
	kept := boundArg(last, unended).i
	if got := timeOf(kept); !got.Equal(last) || kept >= unended {
		t.Errorf("the last instant there is came back as %v", got)
	}
}

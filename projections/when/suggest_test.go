package when

import (
	"strings"
	"testing"
)

func TestNearestZones(t *testing.T) {
	for in, first := range map[string]string{
		"asia/jerusalem":   "Asia/Jerusalem",
		"Asia/Jeruslem":    "Asia/Jerusalem",
		"Jerusalem":        "Asia/Jerusalem",
		"New York":         "America/New_York",
		"tel aviv":         "Asia/Tel_Aviv",
		"Europe/Kyyiv":     "Europe/Kyiv",
		"London":           "Europe/London",
		"utc":              "UTC",
		"Amercia/New_York": "America/New_York",
	} {
		got := nearestZones(in)
		if len(got) == 0 || got[0] != first || len(got) > 3 {
			t.Errorf("%q: %v, want %s first", in, got, first)
		}
		if _, err := LoadZone(in); err == nil || !strings.Contains(err.Error(), first) {
			t.Errorf("%q: %v", in, err)
		}
	}
	for _, in := range []string{"", "+02:00", "xyzzy", strings.Repeat("a", 1000)} {
		if got := nearestZones(in); len(got) > 0 {
			t.Errorf("%q: %v", in, got)
		}
	}
}

func BenchmarkUnknownZone(b *testing.B) {
	for b.Loop() {
		_, _ = LoadZone("Asia/Jeruslem and a longer name beside")
	}
}

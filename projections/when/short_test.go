package when_test

import (
	"testing"
	"time"

	"almanac/projections/when"
)

func TestFormatShort(t *testing.T) {
	zone, err := when.LoadZone("Asia/Jerusalem")
	if err != nil {
		t.Fatal(err)
	}
	m := when.Moment{Now: time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC), Zone: zone, Locale: "en"}
	for _, c := range []struct {
		at     time.Time
		en, he string
	}{
		{time.Time{}, "", ""},
		{time.Date(2026, 11, 24, 14, 0, 0, 0, time.UTC), "Tue 24 Nov 16:00", "יום ג׳ 24 בנוב׳ 16:00"},
		{time.Date(2027, 5, 1, 5, 30, 0, 0, time.UTC), "Sat 1 May 2027 08:30", "שבת 1 במאי 2027 08:30"},
		{time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC), "Fri 1 Jan 2027 01:00", "יום ו׳ 1 בינו׳ 2027 01:00"},
	} {
		m.Locale = "en"
		if got := when.FormatShort(c.at, m); got != c.en {
			t.Errorf("%v: %q, want %q", c.at, got, c.en)
		}
		m.Locale = "he"
		if got := when.FormatShort(c.at, m); got != c.he {
			t.Errorf("%v: %q, want %q", c.at, got, c.he)
		}
	}
}

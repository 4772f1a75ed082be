package model

import (
	"bytes"
	"testing"
	"time"
)

// checkDateTime holds what is appended against what is written, and against encoding/json, which knows no seconds in
// offsets either and refuses years beyond 9999.
func checkDateTime(t *testing.T, at time.Time) {
	t.Helper()
	var written bytes.Buffer
	DateTime{at}.MarshalGQL(&written)
	appended := string(DateTime{at}.AppendGQL([]byte("x")))
	if appended != "x"+written.String() {
		t.Fatalf("%v: %s appended, %s written", at, appended, written.String())
	}
	_, offset := at.Zone()
	exact := at.Truncate(time.Microsecond).In(time.FixedZone("", offset-offset%60))
	want, err := exact.MarshalJSON()
	if err == nil && appended != "x"+string(want) {
		t.Fatalf("%v: %s appended, want %s", at, appended, want)
	}
}

// The first and last instants of years, and those around every change of an offset.
func TestDateTimesAreRFC3339(t *testing.T) {
	zones := []*time.Location{time.UTC, time.FixedZone("", -3601), time.FixedZone("", 59)}
	for _, name := range []string{"Asia/Jerusalem", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Monrovia",
		"Pacific/Apia", "America/St_Johns", "Europe/Dublin"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, zone)
	}
	for _, zone := range zones {
		for _, year := range []int{0, 1, 4, 1582, 1900, 1969, 1970, 2000, 9999, 10_000} {
			checkDateTime(t, time.Date(year, 1, 1, 0, 0, 0, 0, zone))
			checkDateTime(t, time.Date(year, 2, 28, 23, 59, 59, 999_999_999, zone))
			checkDateTime(t, time.Date(year, 12, 31, 23, 59, 59, 1000, zone))
		}
		for at := time.Date(1840, 1, 1, 0, 0, 0, 0, zone); at.Year() < 2045; {
			_, next := at.ZoneBounds()
			if next.IsZero() || !next.After(at) { // the rule behind the table has no further one
				break
			}
			for _, apart := range []time.Duration{-time.Hour, -time.Microsecond, -1, 0, 1, 100 * time.Millisecond, time.Hour} {
				checkDateTime(t, next.Add(apart).In(zone))
			}
			at = next
		}
	}
}

func TestOptionalDateTimeIsNullOrADateTime(t *testing.T) {
	at := time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC)
	for want, d := range map[string]OptionalDateTime{"null": {}, `"2026-11-23T18:00:00Z"`: {DateTime{at}}} {
		var written bytes.Buffer
		d.MarshalGQL(&written)
		if appended := string(d.AppendGQL(nil)); appended != want || written.String() != want {
			t.Errorf("%s appended, %s written, want %s", appended, written.String(), want)
		}
	}
}

// Every day of 9,999 years, at a second and an offset that differ from day to day.
func TestEveryDayIsWrittenAsPackageTimeDoes(t *testing.T) {
	for at := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 10_000; at = at.AddDate(0, 0, 1) {
		days := at.Unix() / secondsOfDay
		offset := int(days%(25*60)) * 60
		local := at.Add(time.Duration(days*7919%secondsOfDay) * time.Second).Add(time.Duration(days % 4 * 1_001_000)).
			In(time.FixedZone("", offset))
		want := local.Format(time.RFC3339Nano)
		if got := string(DateTime{local}.AppendGQL(nil)); got != `"`+want+`"` && local.Year() < 10_000 {
			t.Fatalf("%s appended, want %s", got, want)
		}
	}
}

func BenchmarkDateTime(b *testing.B) {
	zone, err := time.LoadLocation("Asia/Jerusalem")
	if err != nil {
		b.Fatal(err)
	}
	at, buf := DateTime{time.Date(2026, 11, 23, 18, 4, 9, 123_456_000, zone)}, make([]byte, 0, 64)
	for b.Loop() {
		buf = at.AppendGQL(buf[:0])
	}
}

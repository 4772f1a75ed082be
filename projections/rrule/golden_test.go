package rrule_test

import (
	"strings"
	"testing"
	"time"

	_ "embed"

	"almanac/projections/rrule"
)

// dateutil is made by testdata/table.py.
//
//go:embed testdata/dateutil.txt
var dateutil string

// TestAgreesWithDateutil compares with tables of another implementation.
func TestAgreesWithDateutil(t *testing.T) {
	t.Parallel()
	rows := 0
	for line := range strings.Lines(dateutil) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), "|")
		start := rrule.Start{AllDay: len(cells[1]) == len("20060102"), Zone: zone(t, cells[0])}
		form, shown := "20060102T150405", "20060102T150405Z"
		if start.AllDay {
			form, shown = "20060102", "20060102"
		}
		wall, err := time.Parse(form, cells[1])
		if err != nil {
			t.Fatal(err)
		}
		if start.At = wall; !start.AllDay {
			start.At = instantOf(wall, start.Zone)
		}
		set := parse(t, start, cells[2])
		const most = 12
		found, _ := set.Between(time.Time{}, time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC), most)
		var got []string
		for _, o := range found {
			got = append(got, o.Start.Format(shown))
		}
		if strings.Join(got, " ") != cells[3] {
			t.Errorf("%s:\n got %s\nwant %s", strings.Join(cells[:3], " "), strings.Join(got, " "), cells[3])
		}
		rows++
	}
	if rows < 500 {
		t.Errorf("%d rows", rows)
	}
}

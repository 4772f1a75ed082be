package model_test

import (
	"strings"
	"testing"

	"almanac/graph/model"
)

func TestDates(t *testing.T) {
	for _, text := range []string{"2026-11-22", "2024-02-29", "0002-01-01", "9999-12-31"} {
		d, err := model.ParseDate(text)
		if err != nil || d.String() != text || d.IsZero() {
			t.Errorf("%s: %v, %v", text, d, err)
		}
		var out strings.Builder
		d.MarshalGQL(&out)
		var back model.Date
		if err := back.UnmarshalGQL(strings.Trim(out.String(), `"`)); err != nil || back != d {
			t.Errorf("%s: %v, %v", out.String(), back, err)
		}
	}
	for _, text := range []string{"", "2026-02-29", "2026-13-01", "2026-1-1", "20261122", "2026-11-22T00:00", "0001-01-01",
		"מחר"} {
		if d, err := model.ParseDate(text); err == nil {
			t.Errorf("%q is read as %v", text, d)
		}
	}
	if err := new(model.Date).UnmarshalGQL(20261122); err == nil {
		t.Error("a number is read as a date")
	}
}

func TestDaysOfDates(t *testing.T) {
	d := model.Date{Year: 2026, Month: 2, Day: 27}
	if got := d.AddDays(3).String(); got != "2026-03-02" {
		t.Error(got)
	}
	if got := d.AddDays(-58).String(); got != "2025-12-31" {
		t.Error(got)
	}
	if got := d.DaysUntil(d.AddDays(400)); got != 400 {
		t.Error(got)
	}
	if !d.Before(d.AddDays(1)) || d.Before(d) {
		t.Error("order")
	}
}

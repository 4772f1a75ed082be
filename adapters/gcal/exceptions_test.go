package gcal

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	api "google.golang.org/api/calendar/v3"

	"almanac/graph/model"
	"almanac/projections/when"
)

// keptOwn compares an occurrence with the one that takes its place at a start: what was changed on its own stays
// changed. Title is what the series is called now. Of the occurrence that was named the title counts, when it was
// retimed too its times.
func (d disturbed) keptOwn(old, now *api.Event, at time.Time, title string, named, retimed bool) {
	d.t.Helper()
	if old.Summary != "Training" && !named {
		title = old.Summary
	}
	if now.Summary != title {
		d.t.Errorf("%v is called %q, want %q", at, now.Summary, title)
	}
	times, err := timesIn(old)
	if err != nil {
		d.t.Fatal(err)
	}
	original, err := readTime(old.OriginalStartTime)
	if err != nil {
		d.t.Fatal(err)
	}
	want := at
	if !sameTime(times.Start, original) && !retimed {
		want = place(times.Start)
	}
	if moved, err := timesIn(now); err != nil || !place(moved.Start).Equal(want) {
		d.t.Errorf("the one of %v is at %v, want %v: %v", at, moved.Start, want, err)
	}
}

// TestSeriesMovesDoubleNothing moves whole series with occurrences that were moved, renamed and cancelled by
// themselves: each has one successor, also where the successor of one is the place of another.
func TestSeriesMovesDoubleNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 42))
	moved, overlapping := 0, 0
	for range 120 {
		d := disturb(t, random)
		before := d.instances(d.series.Ref.Event)
		if before[d.cut] == nil {
			continue // it was cancelled
		}
		by := []int{0, 0, 1, -1, 7, 14, -7}[random.IntN(7)]
		clock := time.Duration(random.IntN(9)-4) * 15 * time.Minute
		if d.series.Start.AllDay() {
			clock = 0
		}
		to := func(at time.Time) time.Time {
			if d.series.Start.AllDay() {
				return at.AddDate(0, 0, by)
			}
			return when.Instant(readingOf(at, d.zone).AddDate(0, 0, by).Add(clock), d.zone)
		}
		start := d.time(to(d.cut))
		end := d.time(to(d.cut).Add(time.Hour))
		if start.AllDay() {
			end.Date = start.Date.AddDays(1)
		}
		without, err := d.LeftOut(t.Context(), d.connection, d.series)
		if err != nil {
			t.Fatal(err)
		}
		shifted := d.series
		shifted.Recurrence = slices.Concat(shifted.Recurrence, without)
		named := model.Event{OriginalStart: d.time(d.cut)}
		patch, err := d.ShiftSeries(shifted, named, start, end, "")
		if err != nil {
			continue // another rule, or a question
		}
		patch.Summary = ptr("Changed")
		got, err := d.PatchSeries(t.Context(), d.connection, d.series.Ref, patch, ChangeOptions{IfVersion: d.series.Version})
		if err != nil {
			t.Fatalf("%s by %d: %v", d.name(), by, err)
		}
		moved++
		after := d.instances(d.series.Ref.Event)
		want := make(map[time.Time]bool)
		if strings.Contains(d.series.Recurrence[0], "MONTHLY") && by != 0 { // by months, to the same day
			source, target := wall(d.time(d.cut), d.zone), wall(start, d.zone)
			to = func(at time.Time) time.Time {
				moved := inMonth(wall(d.time(at), d.zone), source, target)
				if d.series.Start.AllDay() {
					return moved
				}
				return when.Instant(moved, d.zone)
			}
		}
		for _, at := range d.starts {
			if before[at] == nil {
				continue
			}
			now := to(at)
			want[now] = true
			if after[now] == nil {
				if now.Before(d.horizon.Add(-9 * 24 * time.Hour)) {
					t.Errorf("%v is lost, it should be at %v", at, now)
				}
				continue
			}
			d.keptOwn(before[at], after[now], now, "Changed", at.Equal(d.cut), at.Equal(d.cut))
			if before[now] != nil && !now.Equal(at) {
				overlapping++
			}
		}
		for at := range after {
			if !want[at] && !at.After(to(d.starts[len(d.starts)-1])) {
				t.Errorf("%v is there too", at)
			}
		}
		if len(got.Dropped) > 0 {
			t.Errorf("dropped %v", got.Dropped)
		}
		if t.Failed() {
			t.Fatal(d.name(), "by", by, clock, got.After.Recurrence, shown(got.After.Start), got.Dropped, got.Replaced)
		}
	}
	if moved < 60 || overlapping < 20 {
		t.Errorf("only %d series were moved, %d occurrences onto others", moved, overlapping)
	}
}

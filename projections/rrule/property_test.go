package rrule_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// zones change their clocks in both hemispheres, by half an hour, at midnight, or never; two lie at the ends of the
// map.
var zones = []string{"UTC", "Asia/Jerusalem", "America/New_York", "Europe/Copenhagen", "Australia/Lord_Howe",
	"Pacific/Auckland", "Pacific/Kiritimati",
	"Pacific/Pago_Pago", "America/Havana", "Asia/Kathmandu"}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loaded, err := when.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func randomStart(t testing.TB, r *rand.Rand) rrule.Start {
	t.Helper()
	start := rrule.Start{AllDay: r.IntN(3) == 0, Zone: zone(t, zones[r.IntN(len(zones))])}
	day := time.Date(2018+r.IntN(10), time.Month(1+r.IntN(12)), 1+r.IntN(31), 0, 0, 0, 0, time.UTC)
	if start.AllDay {
		start.At = day
		return start
	}
	clock := time.Duration(r.IntN(48)) * 30 * time.Minute
	if r.IntN(3) > 0 {
		clock = time.Duration(r.IntN(8)) * 30 * time.Minute // the hours in which clocks change
	}
	start.At = instantOf(day.Add(clock), start.Zone)
	return start
}

func instants(all []rrule.Occurrence) []time.Time {
	var times []time.Time
	for _, o := range all {
		times = append(times, o.Start)
	}
	return times
}

func sameTimes(a, b []time.Time) bool { return slices.EqualFunc(a, b, time.Time.Equal) }

func TestRandomRulesAgreeWithReference(t *testing.T) {
	t.Parallel()
	const years = 6
	checked := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		start, rule := randomStart(t, r), randomSpec(r)
		end := start.At.AddDate(years, 0, 0)
		form := "20060102T150405Z"
		if start.AllDay {
			form = "20060102"
		}
		switch r.IntN(3) {
		case 0:
			rule.count = 1 + r.IntN(40)
		case 1:
			rule.until = start.At.AddDate(0, r.IntN(60), r.IntN(30))
		}
		text := rule.text(form)
		what := fmt.Sprintf("seed %d: %s from %v all day %v in %v", seed, text, start.At, start.AllDay, start.Zone)
		want := rule.instants(start.At, start.AllDay, start.Zone, end)
		set, err := rrule.Parse([]string{text}, start)
		if err != nil {
			if !strings.Contains(err.Error(), "never occurs") || len(want) > 0 {
				t.Fatalf("%s: %v, want %d occurrences", what, err, len(want))
			}
			continue
		}
		found, more := set.Between(time.Time{}, end, rrule.MaxOccurrences)
		if got := instants(found); more || !sameTimes(got, want) {
			t.Fatalf("%s:\n got %v\nwant %v", what, got, want)
		}
		checked++
		// A window in the middle is the same as a part of the whole.
		from := start.At.AddDate(r.IntN(years), r.IntN(12), 0)
		to := from.AddDate(0, r.IntN(20), 0)
		var inside []time.Time
		for _, at := range want {
			if !at.Before(from) && at.Before(to) {
				inside = append(inside, at)
			}
		}
		if to.After(end) {
			continue
		}
		found, _ = set.Between(from, to, rrule.MaxOccurrences)
		if got := instants(found); !sameTimes(got, inside) {
			t.Fatalf("%s: from %v to %v:\n got %v\nwant %v", what, from, to, got, inside)
		}
		for _, at := range inside {
			if !set.Contains(at) || set.Contains(at.Add(time.Second)) {
				t.Fatalf("%s: Contains(%v) is not exact", what, at)
			}
		}
		if len(inside) > 1 {
			if next, ok := set.Next(inside[0]); !ok || !next.Start.Equal(inside[1]) {
				t.Fatalf("%s: after %v comes %v, want %v", what, inside[0], next, inside[1])
			}
		}
	}
	if checked < 200 {
		t.Fatalf("only %d rules were compared", checked)
	}
}

// randomSet is one or two rules with dates added and taken away.
func randomSet(t *testing.T, r *rand.Rand) (*rrule.Set, []string, rrule.Start) {
	t.Helper()
	for {
		start := randomStart(t, r)
		var lines []string
		for n := range 1 + r.IntN(2) {
			rule := randomSpec(r)
			form := "20060102T150405Z"
			if start.AllDay {
				form = "20060102"
			}
			switch r.IntN(4) {
			case 0:
				if n == 0 {
					rule.count = 1 + r.IntN(40)
				}
			case 1:
				rule.until = start.At.AddDate(0, 1+r.IntN(60), 0)
			}
			lines = append(lines, rule.text(form))
		}
		plain, err := rrule.Parse(lines, start)
		if err != nil {
			continue
		}
		all, _ := plain.Between(time.Time{}, start.At.AddDate(5, 0, 0), 60)
		if len(all) < 3 {
			continue
		}
		stamp := func(at time.Time) string {
			switch {
			case start.AllDay:
				return ";VALUE=DATE:" + at.Format("20060102")
			case r.IntN(2) == 0:
				return ":" + at.UTC().Format("20060102T150405Z")
			}
			return ";TZID=Asia/Kathmandu:" + at.In(zone(t, "Asia/Kathmandu")).Format("20060102T150405")
		}
		for range r.IntN(4) {
			lines = append(lines, "EXDATE"+stamp(all[r.IntN(len(all))].Start))
		}
		for range r.IntN(3) {
			lines = append(lines, "RDATE"+stamp(start.At.AddDate(0, 0, r.IntN(400))))
		}
		set, err := rrule.Parse(lines, start)
		if err != nil {
			t.Fatalf("%q: %v", lines, err)
		}
		return set, lines, start
	}
}

func TestTruncateAndSplitKeepEveryOccurrence(t *testing.T) {
	t.Parallel()
	split, refused := 0, 0
	for seed := range uint64(250) {
		r := rand.New(rand.NewPCG(seed, 2))
		set, lines, start := randomSet(t, r)
		end := start.At.AddDate(7, 0, 0)
		found, _ := set.Between(time.Time{}, end, rrule.MaxOccurrences)
		all := instants(found)
		if len(all) < 2 {
			continue
		}
		cut := all[r.IntN(min(len(all), 30))]
		if r.IntN(5) == 0 {
			cut = cut.AddDate(0, 0, r.IntN(5)) // not an occurrence
		}
		what := fmt.Sprintf("seed %d: %q from %v all day %v in %v, cut at %v", seed, lines, start.At, start.AllDay,
			start.Zone, cut)
		var past, rest []time.Time
		for _, at := range all {
			if at.Before(cut) {
				past = append(past, at)
			} else {
				rest = append(rest, at)
			}
		}
		expand := func(lines []string, from time.Time) []time.Time {
			part, err := rrule.Parse(lines, rrule.Start{At: from, AllDay: start.AllDay, Zone: start.Zone})
			if err != nil {
				t.Fatalf("%s: %q: %v", what, lines, err)
			}
			if again, err := rrule.Parse(part.Lines(), rrule.Start{At: from, AllDay: start.AllDay,
				Zone: start.Zone}); err != nil || !slices.Equal(again.Lines(), part.Lines()) {
				t.Fatalf("%s: normal form is not stable: %q, %v", what, part.Lines(), err)
			}
			found, _ := part.Between(time.Time{}, end, rrule.MaxOccurrences)
			return instants(found)
		}
		left, kept, err := set.Truncate(cut)
		if err != nil || kept != (len(past) > 0) || kept == (left == nil) {
			t.Fatalf("%s: %q, kept %v, %v", what, left, kept, err)
		}
		if kept {
			if got := expand(left, start.At); !sameTimes(got, past) {
				t.Fatalf("%s: left is %q:\n got %v\nwant %v", what, left, got, past)
			}
		}
		head, tail, err := set.Split(cut)
		if err != nil {
			if model.CodeOf(err) != model.CodeBadUserInput || !strings.Contains(err.Error(), "cannot be split") {
				t.Fatalf("%s: %v", what, err)
			}
			plain := !slices.ContainsFunc(lines[1:], func(l string) bool { return !strings.HasPrefix(l, "EXDATE") })
			if clock := func(at time.Time) string { return at.In(start.Zone).Format(time.TimeOnly) }; plain &&
				(start.AllDay || clock(rest[0]) == clock(start.At)) {
				t.Fatalf("%s: one rule without RDATE is refused: %v", what, err)
			}
			refused++
			continue
		}
		split++
		if !slices.Equal(head, left) {
			t.Fatalf("%s: head %q differs from what Truncate leaves, %q", what, head, left)
		}
		if len(rest) == 0 {
			continue // what follows, if anything, lies beyond the horizon of this test
		}
		if got := expand(tail, rest[0]); !sameTimes(got, rest) {
			t.Fatalf("%s: tail is %q:\n got %v\nwant %v", what, tail, got, rest)
		}
	}
	if split < 150 {
		t.Fatalf("only %d sets were split, %d refused", split, refused)
	}
	t.Logf("%d split, %d refused", split, refused)
}

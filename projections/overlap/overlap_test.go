package overlap_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/overlap"
)

func at(minute int) time.Time {
	return time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC).Add(time.Duration(minute) * time.Minute)
}

func span(from, to int) overlap.Span { return overlap.Span{Start: at(from), End: at(to)} }

func TestPairs(t *testing.T) {
	named := func(s overlap.Span, name string) overlap.Span {
		s.Same = name
		return s
	}
	for name, c := range map[string]struct {
		spans []overlap.Span
		want  [][2]int
	}{
		"touching":    {[]overlap.Span{span(0, 60), span(60, 120)}, nil},
		"overlapping": {[]overlap.Span{span(0, 60), span(59, 120)}, [][2]int{{0, 1}}},
		"a long one and a later one": {[]overlap.Span{span(0, 600), span(60, 120), span(500, 550)},
			[][2]int{{0, 1}, {0, 2}}},
		"equal": {[]overlap.Span{span(0, 60), span(0, 60), span(0, 60)},
			[][2]int{{0, 1}, {0, 2}, {1, 2}}},
		"input order does not matter": {[]overlap.Span{span(100, 200), span(50, 150)}, [][2]int{{1, 0}}},
		"no length, inside":           {[]overlap.Span{span(0, 60), span(30, 30)}, [][2]int{{0, 1}}},
		"no length, at the start":     {[]overlap.Span{span(30, 60), span(30, 30)}, nil},
		"no length, at the end":       {[]overlap.Span{span(0, 30), span(30, 30)}, nil},
		"the same thing seen twice": {[]overlap.Span{named(span(0, 60), "a"), named(span(0, 60), "a"), span(10, 20)},
			[][2]int{{0, 2}, {1, 2}}},
		"things of different names": {[]overlap.Span{named(span(0, 60), "a"), named(span(0, 60), "b")}, [][2]int{{0, 1}}},
		"the same thing, ended before": {[]overlap.Span{named(span(0, 10), "a"), named(span(20, 60), "a"),
			named(span(30, 40), "b")}, [][2]int{{1, 2}}},
		"nothing": {nil, nil},
	} {
		pairs, count := overlap.Pairs(c.spans, 100)
		var got [][2]int
		for _, p := range pairs {
			got = append(got, [2]int{p.First, p.Second})
		}
		if !slices.Equal(got, c.want) || count != len(c.want) {
			t.Errorf("%s: %v (%d), want %v", name, got, count, c.want)
		}
	}
}

// The sweep finds what comparing each with each finds.
func TestPairsAgainstEachWithEach(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 1000 {
		crowd := 1 + 39*(round%2) // in every other round most have no length or start together
		spans := make([]overlap.Span, random.IntN(30))
		for i := range spans {
			from := random.IntN(5 * crowd)
			spans[i] = span(from, from+random.IntN(2+crowd))
			if random.IntN(3) == 0 {
				spans[i].Same = string(rune('a' + random.IntN(3)))
			}
		}
		want := 0
		for i, a := range spans {
			for _, b := range spans[:i] {
				if a.Start.Before(b.End) && b.Start.Before(a.End) && (a.Same == "" || a.Same != b.Same) {
					want++
				}
			}
		}
		pairs, count := overlap.Pairs(spans, 1000)
		if count != want || len(pairs) != want {
			t.Fatalf("%v: %d counted, %d given, want %d", spans, count, len(pairs), want)
		}
		if !slices.IsSortedFunc(pairs, func(a, b overlap.Pair) int { return a.Start.Compare(b.Start) }) {
			t.Fatalf("%v: not in order", pairs)
		}
		few, again := overlap.Pairs(spans, 3)
		if again != count || !slices.Equal(few, pairs[:min(3, len(pairs))]) {
			t.Fatalf("a limit changes the answer: %v, %v", few, pairs)
		}
	}
}

// Ten thousand, half of which have no length or are one thing seen again, are counted without comparing each with each:
// what is looked through is allocated.
func TestManyPairs(t *testing.T) {
	for name, c := range map[string]struct {
		odd  func(i int) overlap.Span
		want int
	}{
		"no length":            {func(i int) overlap.Span { return span(i, i) }, 5000*4999/2 + 5000*5001/2},
		"no length, one start": {func(int) overlap.Span { return span(0, 0) }, 5000 * 4999 / 2},
		"one thing": {func(i int) overlap.Span { return overlap.Span{Start: at(i), End: at(20_000), Same: "a"} },
			5000*4999/2 + 5000*5000},
	} {
		var spans []overlap.Span
		for i := range 5000 {
			spans = append(spans, span(2*i, 20_000), c.odd(2*i+1))
		}
		count := 0
		steps := testing.AllocsPerRun(1, func() { _, count = overlap.Pairs(spans, 100) })
		if count != c.want || steps > 60_000 {
			t.Errorf("%s: %d pairs, want %d; %.0f allocations", name, count, c.want, steps)
		}
	}
}

func TestMerge(t *testing.T) {
	busy := func(from, to int) model.BusyPeriod { return model.BusyPeriod{Start: at(from), End: at(to)} }
	got := overlap.Merge([]model.BusyPeriod{busy(50, 60), busy(0, 10), busy(10, 20), busy(5, 8), busy(55, 70),
		busy(30, 30)})
	if want := []model.BusyPeriod{busy(0, 20), busy(50, 70)}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := overlap.Merge(nil); got == nil || len(got) != 0 {
		t.Errorf("%v, want an empty list", got)
	}
}

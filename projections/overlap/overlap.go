// Package overlap finds what overlaps in time.
//
// It promises all overlapping pairs, counted in the time of a sort however many there are, in the order in which their
// overlaps begin; that what only touches does not overlap; and that of equal inputs the answer is equal.
package overlap

import (
	"cmp"
	"container/heap"
	"slices"
	"time"

	"almanac/graph/model"
)

// Span is a stretch of time, half-open. One without length lies between others and overlaps with what has it inside.
type Span struct {
	Start, End time.Time
	// Same, when not empty, names what the span stands for: spans of one name do not overlap with each other.
	Same string
}

// Pair is two spans that overlap, by their places in the input, the one that starts first first, and where.
type Pair struct {
	First, Second int
	Start, End    time.Time
}

// Pairs returns the first so many overlapping pairs, by the start of the overlap, then by the first span's, and counts
// all.
func Pairs(spans []Span, limit int) (pairs []Pair, count int) {
	order := make([]int, len(spans))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return spans[a].Start.Compare(spans[b].Start) })
	open := &byEnd{spans: spans}
	same := make(map[string]int)
	var now fresh
	for _, i := range order {
		span := spans[i]
		now.at(span.Start)
		for open.Len() > 0 && !spans[open.places[0]].End.After(span.Start) {
			if name := spans[open.places[0]].Same; name != "" {
				same[name]--
			}
			heap.Pop(open)
		}
		found := len(open.places) - same[span.Same] // nothing is counted under the empty name
		if !span.End.After(span.Start) {
			found -= now.count - now.same[span.Same] // one without length touches those that start with it
		}
		count += found
		if found > 0 && len(pairs) < limit {
			pairs = append(pairs, open.with(i)...)
		}
		heap.Push(open, i)
		if span.Same != "" {
			same[span.Same]++
		}
		now.add(span)
	}
	return pairs[:min(len(pairs), limit)], count
}

// byEnd is the heap of the spans that are open, the first to end on top.
type byEnd struct {
	spans  []Span
	places []int
}

func (h *byEnd) Len() int           { return len(h.places) }
func (h *byEnd) Less(a, b int) bool { return h.spans[h.places[a]].End.Before(h.spans[h.places[b]].End) }
func (h *byEnd) Swap(a, b int)      { h.places[a], h.places[b] = h.places[b], h.places[a] }
func (h *byEnd) Push(place any) {
	if place, ok := place.(int); ok { // the heap's own interface knows no types
		h.places = append(h.places, place)
	}
}

func (h *byEnd) Pop() any {
	last := h.places[len(h.places)-1]
	h.places = h.places[:len(h.places)-1]
	return last
}

// fresh counts the spans with a length that start at one instant, the latest, so that nobody has to look through them.
type fresh struct {
	instant time.Time
	count   int
	same    map[string]int
}

// at begins anew at another instant.
func (f *fresh) at(instant time.Time) {
	if f.same == nil || !f.instant.Equal(instant) {
		*f = fresh{instant: instant, same: make(map[string]int)}
	}
}

func (f *fresh) add(span Span) {
	if !span.End.After(span.Start) {
		return
	}
	f.count++
	if span.Same != "" {
		f.same[span.Same]++
	}
}

// across returns the open spans that overlap with the span, by place.
func (h *byEnd) across(span Span) []int {
	var out []int
	for _, place := range h.places {
		other := h.spans[place]
		if other.Start.Before(span.End) && (span.Same == "" || span.Same != other.Same) {
			out = append(out, place)
		}
	}
	return out
}

// with returns the pairs of the open spans with the one at a place.
func (h *byEnd) with(place int) []Pair {
	span := h.spans[place]
	var out []Pair
	for _, other := range h.across(span) {
		end := h.spans[other].End
		if span.End.Before(end) {
			end = span.End
		}
		out = append(out, Pair{First: other, Second: place, Start: span.Start, End: end})
	}
	slices.SortFunc(out, func(a, b Pair) int {
		return cmp.Or(h.spans[a.First].Start.Compare(h.spans[b.First].Start), cmp.Compare(a.First, b.First))
	})
	return out
}

// Merge returns the periods put together: in order, without overlaps, and without such as touch. Periods without length
// are left out.
func Merge(periods []model.BusyPeriod) []model.BusyPeriod {
	sorted := slices.Clone(periods)
	slices.SortFunc(sorted, func(a, b model.BusyPeriod) int { return a.Start.Compare(b.Start) })
	merged := []model.BusyPeriod{}
	for _, p := range sorted {
		last := len(merged) - 1
		switch {
		case !p.End.After(p.Start):
		case last >= 0 && !p.Start.After(merged[last].End):
			if p.End.After(merged[last].End) {
				merged[last].End = p.End
			}
		default:
			merged = append(merged, p)
		}
	}
	return merged
}

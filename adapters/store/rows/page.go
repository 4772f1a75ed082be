package rows

import (
	"slices"

	"almanac/adapters/store"
)

// Edges says how a page was asked for: forward or backward, and which of its two bounds were given.
type Edges struct {
	Backward      bool
	After, Before bool
}

// EdgesOf says how a window was asked for.
func EdgesOf[P any](window *store.Window[P]) Edges {
	return Edges{Backward: window.Backward, After: window.After != nil, Before: window.Before != nil}
}

// Page cuts what was read to the page that was asked for and reports what lies around it.
//
// read holds up to limit+1 rows in reading order: the list's order going forward, the reverse of it going backward. The
// page comes in the list's order. A bound that was given stands for rows beyond it: the row that a cursor was made
// from.
func Page[R any](read []R, limit int, edges Edges) (page []R, hasNext, hasPrevious bool) {
	more := len(read) > limit
	if more {
		read = read[:max(limit, 0)]
	}
	if edges.Backward {
		slices.Reverse(read)
		return read, edges.Before, more || edges.After
	}
	return read, more || edges.Before, edges.After
}

// Handing hands the records of a page that is read forward out as they are read, all in one record; without Each it
// does not. What lies beyond the page is not handed out, nor what comes after Each has returned false.
type Handing[R any] struct {
	Each  func(record *R) bool
	Limit int

	found  int
	record R
	ended  bool
}

// Next returns the record, empty again, to be filled from the next row.
func (h *Handing[R]) Next() *R {
	var empty R
	h.record = empty
	h.found++
	return &h.record
}

// Filled hands the record out.
func (h *Handing[R]) Filled() {
	if h.found <= h.Limit && !h.ended {
		h.ended = !h.Each(&h.record)
	}
}

// Found returns how many rows there were.
func (h *Handing[R]) Found() int { return h.found }

// Ends reports what lies around the page, when all its rows and the one beyond have been read; see Page.
func (h *Handing[R]) Ends(edges Edges) (hasNext, hasPrevious bool) {
	return h.found > max(h.Limit, 0) || edges.Before, edges.After
}

// Reading gathers the records of a page with their places, as a statement returns them.
type Reading[R, P any] struct {
	Records []R
	Places  []P
}

// maxExpected bounds the room that is made before anything was read.
const maxExpected = 256

// NewReading makes room for a page of limit records and the one beyond it, which shows that there are more.
func NewReading[R, P any](limit int) *Reading[R, P] {
	expected := min(max(limit, 0)+1, maxExpected)
	return &Reading[R, P]{make([]R, 0, expected), make([]P, 0, expected)}
}

// Next adds a record and returns it, with its place, to be filled.
func (r *Reading[R, P]) Next() (*R, *P) { return grown(&r.Records), grown(&r.Places) }

// grown adds an element and returns it. It is zero already where there was room, since nothing is ever taken away, and
// a record of a few hundred bytes is not copied there.
func grown[T any](s *[]T) *T {
	if n := len(*s); n < cap(*s) {
		*s = (*s)[:n+1]
	} else {
		var zero T
		*s = append(*s, zero)
	}
	return &(*s)[len(*s)-1]
}

// Cut cuts what was gathered to the page that a window asks for; see Page.
func (r *Reading[R, P]) Cut(window *store.Window[P]) (hasNext, hasPrevious bool) {
	edges := EdgesOf(window)
	r.Places, _, _ = Page(r.Places, window.Limit, edges)
	r.Records, hasNext, hasPrevious = Page(r.Records, window.Limit, edges)
	return hasNext, hasPrevious
}

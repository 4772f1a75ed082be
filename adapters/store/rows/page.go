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
	edges := Edges{Backward: window.Backward, After: window.After != nil, Before: window.Before != nil}
	r.Places, _, _ = Page(r.Places, window.Limit, edges)
	r.Records, hasNext, hasPrevious = Page(r.Records, window.Limit, edges)
	return hasNext, hasPrevious
}

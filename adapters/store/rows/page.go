package rows

import "slices"

// Edges says how a page was asked for: forward or backward, and which of its two bounds were given.
type Edges struct {
	Backward      bool
	After, Before bool
}

// Page cuts what was read to the page that was asked for and tells what lies around it.
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

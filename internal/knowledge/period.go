package knowledge

import "time"

// period is when something holds in the world: from a moment on, and no more from another on; zero for unbounded. One
// that ends where it begins held never, and keeps its place.
type period struct{ from, to time.Time }

// empty reports whether nothing holds in the period.
func (p period) empty() bool { return !p.from.IsZero() && !p.to.IsZero() && !p.from.Before(p.to) }

// startsBefore reports whether it begins before a moment, which is no bound when it is zero.
func (p period) startsBefore(at time.Time) bool {
	return at.IsZero() || p.from.IsZero() || p.from.Before(at)
}

// overlaps reports whether two periods have a moment in common. An empty one counts as the moment where it stands, so
// that what was taken back is still known.
func (p period) overlaps(q period) bool {
	switch {
	case p.empty():
		return !q.from.After(p.from) && (q.to.IsZero() || p.from.Before(q.to)) || q.empty() && p.from.Equal(q.from)
	case q.empty():
		return q.overlaps(p)
	}
	return p.startsBefore(q.to) && q.startsBefore(p.to)
}

// holds reports whether a moment lies in it.
func (p period) holds(at time.Time) bool {
	return !p.from.After(at) && (p.to.IsZero() || p.to.After(at))
}

// union is the whole from the earlier beginning to the later end.
func (p period) union(q period) period {
	out := p
	if q.from.IsZero() || !p.from.IsZero() && q.from.Before(p.from) {
		out.from = q.from
	}
	if q.to.IsZero() || !p.to.IsZero() && q.to.After(p.to) {
		out.to = q.to
	}
	return out
}

// earliest is the earlier of two moments, of which zero ones are not known.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// stored is a moment as the stores keep it.
func stored(at time.Time) time.Time {
	if at.IsZero() {
		return time.Time{}
	}
	return at.UTC().Truncate(time.Microsecond)
}

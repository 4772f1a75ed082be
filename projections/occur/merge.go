package occur

import (
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// stream returns the items of one series, or the events that stand by themselves, in order.
type stream struct {
	// head is the next item.
	head Item
	// series is what the items are occurrences of; without a row they are those of alone, which are sorted and lie in the
	// window.
	series series
	alone  []Item
}

// advance makes the next item the head; false when there is none.
func (s *stream) advance(query Query) (ok bool) {
	if s.series.row != nil {
		s.head, ok = s.series.advance(query)
		return ok
	}
	if len(s.alone) == 0 {
		return false
	}
	s.head, s.alone = s.alone[0], s.alone[1:]
	return true
}

// queued is a stream in a queue, with the microsecond in which its head starts: most comparisons need no more of it.
type queued struct {
	at int64
	*stream
}

// queue is a binary heap of streams, by their heads. It is not package container's: with hundreds of series its calls
// through an interface were a tenth of a listing.
type queue []queued

// before reports whether the head of one stream comes before that of another.
func (q queue) before(i, j int) bool {
	if q[i].at != q[j].at {
		return q[i].at < q[j].at
	}
	return q[i].head.compare(q[j].head) < 0
}

// order makes a heap of streams in any order.
func (q queue) order() {
	for i := len(q)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
}

// down moves a stream, which may come too early, to its place.
func (q queue) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(q); child++ {
			if q.before(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
}

// next takes the first item out of the queue, which must not be empty.
func (q *queue) next(query Query) Item {
	first := &(*q)[0]
	item := first.head
	if first.advance(query) {
		first.at = first.head.Start.UnixMicro()
	} else {
		last := len(*q) - 1
		(*q)[0], (*q)[last] = (*q)[last], queued{}
		*q = (*q)[:last]
	}
	q.down(0)
	return item
}

// series returns the occurrences of a series that have no exception.
type series struct {
	row    *model.EventRow
	zone   *time.Location
	hidden identities
	next   func() (time.Time, bool)
}

func (s *series) advance(query Query) (Item, bool) {
	for {
		at, ok := s.next()
		if !ok {
			return Item{}, false
		}
		item := s.at(at)
		if !item.Start.Before(query.To) {
			return Item{}, false
		}
		if query.holds(item) && !s.hidden.holds(s.row, item.Original) {
			return item, true
		}
	}
}

// at is the occurrence that the rule has at an instant, a midnight in UTC, or a clock reading as if in UTC.
func (s *series) at(at time.Time) Item {
	item := Item{Row: s.row, Occurrence: true, Original: at, Start: at}
	length := s.row.EndsAt.Sub(s.row.StartsAt)
	switch {
	case s.row.AllDay:
		item.Start, item.End = instant(s.row, at, s.zone), instant(s.row, at.Add(length), s.zone)
	case s.row.Floating:
		item.Start, item.End = when.Instant(at, s.zone), when.Instant(at.Add(length), s.zone)
	default:
		item.End = at.Add(length)
	}
	return item
}

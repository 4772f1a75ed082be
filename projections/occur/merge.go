package occur

import (
	"container/heap"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// source gives items in order.
type source interface {
	// advance returns the next item that lies in the window; false when there is none.
	advance(query Query) (Item, bool)
}

// headed is a source with its next item.
type headed struct {
	head Item
	from source
}

// sources is a heap of sources, by their next items.
type sources []headed

func (s sources) Len() int           { return len(s) }
func (s sources) Less(i, j int) bool { return s[i].head.compare(s[j].head) < 0 }
func (s sources) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// Push is for package heap; nothing is pushed after Init.
func (s *sources) Push(any) {}

// Pop is for package heap.
func (s *sources) Pop() any {
	last := len(*s) - 1
	(*s)[last] = headed{}
	*s = (*s)[:last]
	return nil
}

var _ heap.Interface = (*sources)(nil)

// open adds a source unless it has nothing.
func (l *Listing) open(from source) {
	if head, ok := from.advance(l.query); ok {
		l.sources = append(l.sources, headed{head: head, from: from})
	}
}

// single gives the events that stand by themselves, which are sorted and lie in the window.
type single struct{ items []Item }

func (s *single) advance(Query) (item Item, ok bool) {
	if len(s.items) == 0 {
		return item, false
	}
	item, s.items = s.items[0], s.items[1:]
	return item, true
}

// series gives the occurrences of a series that have no exception.
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

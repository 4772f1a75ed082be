// Package occur says what of kept events takes place in a stretch of time: it expands series and merges their
// occurrences with the events that stand by themselves and with the exceptions.
//
// It promises that each occurrence is shown once, by its identity, the original start in the form of its series: where
// it was moved to, or not at all where it was dropped; that the answer is in the order of events, by start and then by
// id; that nothing is worked out beyond what is read of it; and that it ends after MaxItems. What is of days takes
// place from midnight to midnight by the clocks of its calendar's zone, and what is floating at its clock readings
// there. It reads no clock.
package occur

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// MaxItems is how many items one listing has.
const MaxItems = 10_000

// Slack is more than what lies between the times of a row as they are kept, for days and floating events as if in UTC,
// and the times at which it takes place. A window of rows must be as much wider at both ends as that of the listing.
const Slack = 16 * time.Hour

// Window returns the ends of a window; one that is zero is open, and becomes a time that leaves room for Slack.
func Window(from, to time.Time) (opens, ends time.Time) {
	opens, ends = from, to
	if opens.IsZero() {
		opens = time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC)
	}
	if ends.IsZero() {
		ends = time.Date(9999, 12, 1, 0, 0, 0, 0, time.UTC)
	}
	return opens, ends
}

// Query says what is wanted.
type Query struct {
	// From is exclusive and compared with ends, To exclusive and compared with starts; what has no length and starts at
	// From is in it.
	From, To time.Time
	// Zone returns the zone of a calendar.
	Zone func(calendar int) *time.Location
	// Cut: rows that begin then or later, as they are kept, may be missing; zero when all are there. The listing ends
	// before what they could be, and More reports true.
	Cut time.Time
}

// Item is one event or occurrence that takes place.
type Item struct {
	// Row is the event itself; of an occurrence as its series has it, the series.
	Row *model.EventRow
	// Occurrence: it is one as its series has it, and Original is its identity: an instant, a midnight in UTC of a series
	// of days, or a clock reading as if in UTC of a floating one.
	Occurrence bool
	Original   time.Time
	// Start and End are the instants between which it takes place.
	Start, End time.Time
}

// ID is the id of the event, or of the occurrence as OccurrenceID writes it.
func (i Item) ID() string {
	if i.Occurrence {
		return model.OccurrenceID(i.Row.ID, i.Original, i.Row.AllDay)
	}
	return i.Row.ID
}

// compare orders items by start, then by id, then by calendar.
func (i Item) compare(other Item) int {
	if by := i.Start.Compare(other.Start); by != 0 {
		return by
	}
	// Ids are put together only where those of the rows do not decide.
	if a, b := i.Row.ID, other.Row.ID; !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a) {
		return cmp.Compare(a, b)
	}
	return cmp.Or(cmp.Compare(i.ID(), other.ID()), cmp.Compare(i.Row.Calendar, other.Row.Calendar))
}

// Listing returns items in order.
type Listing struct {
	query   Query
	queue   queue
	refused []model.EventKey
	given   int
	more    bool
}

// List prepares the listing of rows, which are those of a window that is wider by Slack at both ends. The rows are not
// copied and must not change.
func (r *Rules) List(rows []model.EventRow, query Query) *Listing {
	l := &Listing{query: query}
	hidden := exceptions(rows)
	streams := make([]stream, 1, countSeries(rows)+1)
	var alone []Item
	for i := range rows {
		row := &rows[i]
		zone := query.Zone(row.Calendar)
		switch {
		case row.Kind == model.EventSeries:
			set, err := r.Set(row, zone)
			if err != nil {
				l.refused = append(l.refused, row.Key())
				continue
			}
			streams = append(streams, stream{series: series{row: row, zone: zone, hidden: hidden[row.Key()],
				next: set.From(expandFrom(row, query.From))}})
		case row.Kind.Occurs():
			item := Item{Row: row, Start: instant(row, row.StartsAt, zone), End: instant(row, row.EndsAt, zone)}
			if query.holds(item) {
				alone = append(alone, item)
			}
		}
	}
	slices.SortFunc(alone, Item.compare)
	streams[0].alone = alone
	l.queue = make(queue, 0, len(streams))
	for i := range streams {
		if s := &streams[i]; s.advance(query) {
			l.queue = append(l.queue, queued{at: s.head.Start.UnixMicro(), stream: s})
		}
	}
	l.queue.order()
	return l
}

func countSeries(rows []model.EventRow) (n int) {
	for i := range rows {
		if rows[i].Kind == model.EventSeries {
			n++
		}
	}
	return n
}

// Next returns the next item; false when there is none.
func (l *Listing) Next() (Item, bool) {
	if len(l.queue) == 0 || l.more {
		return Item{}, false
	}
	beyond := !l.query.Cut.IsZero() && !l.queue[0].head.Start.Before(l.query.Cut.Add(-Slack))
	if beyond || l.given == MaxItems {
		l.more = true
		return Item{}, false
	}
	l.given++
	return l.queue.next(l.query), true
}

// More reports, when Next has returned false, whether there may be others: beyond MaxItems, or because of the cut.
func (l *Listing) More() bool { return l.more || len(l.queue) == 0 && !l.query.Cut.IsZero() }

// Refused are the series whose recurrence package rrule does not read. Of them only changed occurrences are shown.
func (l *Listing) Refused() []model.EventKey { return l.refused }

// All returns what is left of the listing, at most limit items, and whether there are others.
func (l *Listing) All(limit int) (items []Item, more bool) {
	for len(items) < limit {
		item, ok := l.Next()
		if !ok {
			return items, l.More()
		}
		items = append(items, item)
	}
	_, more = l.Next()
	return items, more || l.More()
}

func (q Query) holds(i Item) bool {
	return i.Start.Before(q.To) && (i.End.After(q.From) || !i.Start.Before(q.From))
}

// expandFrom is an instant before which no occurrence of the series reaches into a window; for a series of days it is
// compared with their midnights in UTC.
func expandFrom(row *model.EventRow, from time.Time) time.Time {
	return from.Add(-row.EndsAt.Sub(row.StartsAt) - Slack)
}

// instant is when a time of a row comes by the clocks of a zone.
func instant(row *model.EventRow, at time.Time, zone *time.Location) time.Time {
	switch {
	case row.AllDay:
		return when.StartOfDate(model.DateOf(at), zone)
	case row.Floating:
		return when.Instant(at, zone)
	}
	return at
}

// identities are the original starts of exceptions, by Unix seconds; those of days apart.
type identities struct{ instants, days map[int64]struct{} }

// exceptions gathers the exceptions of each series.
func exceptions(rows []model.EventRow) map[model.EventKey]identities {
	out := map[model.EventKey]identities{}
	for i := range rows {
		row := &rows[i]
		if !row.Kind.IsException() {
			continue
		}
		of := model.EventKey{Calendar: row.Calendar, ID: row.Series}
		known, there := out[of]
		if !there {
			known = identities{instants: map[int64]struct{}{}, days: map[int64]struct{}{}}
			out[of] = known
		}
		if row.OriginalIsDay {
			known.days[row.OriginalAt.Unix()] = struct{}{}
		} else {
			known.instants[row.OriginalAt.Unix()] = struct{}{}
		}
	}
	return out
}

func (h identities) holds(row *model.EventRow, original time.Time) bool {
	set := h.instants
	if row.AllDay {
		set = h.days
	}
	_, is := set[original.Unix()]
	return is
}

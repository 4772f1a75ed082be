package occur

import (
	"container/list"
	"strings"
	"sync"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// DefaultRules is how many bytes of parsed rules are kept, about.
const DefaultRules = 16 << 20

// Rules keeps parsed recurrences by their content, those used last, so that there is nothing to invalidate. It is safe
// for goroutines.
type Rules struct {
	mu   sync.Mutex
	most int
	size int
	kept map[content]*parsed
	// used has the contents of kept, the one used last first.
	used list.List
}

// NewRules keeps about so many bytes.
func NewRules(most int) *Rules { return &Rules{most: most, kept: map[content]*parsed{}} }

// content is everything that a parsed recurrence depends on.
type content struct {
	lines  string
	start  int64
	allDay bool
	zone   string
}

type parsed struct {
	set  *rrule.Set
	size int
	at   *list.Element
}

// What a parsed recurrence takes, about: measured with one rule, and for each byte of its lines, which counts for many
// dates.
const (
	parsedBytes = 1_500
	bytesALine  = 8
)

// Set says when a series occurs: it parses the recurrence, or finds it parsed. calendar is the zone of the series'
// calendar. BAD_USER_INPUT for a recurrence that package rrule does not read.
func (r *Rules) Set(row *model.EventRow, calendar *time.Location) (*rrule.Set, error) {
	zone := calendar
	switch {
	case row.AllDay:
	case row.Floating: // its readings repeat, wherever they are read
		zone = time.UTC
	default:
		zone = when.ZoneOr(calendar, row.Zone)
	}
	start := rrule.Start{At: row.StartsAt, AllDay: row.AllDay, Zone: zone}
	of := content{lines: joined(row.Recurrence), start: start.At.Unix(), allDay: row.AllDay, zone: zone.String()}
	r.mu.Lock()
	if found, there := r.kept[of]; there {
		r.used.MoveToFront(found.at)
		r.mu.Unlock()
		return found.set, nil
	}
	r.mu.Unlock()
	set, err := rrule.Parse(row.Recurrence, start)
	if err != nil {
		return nil, err
	}
	r.keep(of, &parsed{set: set, size: parsedBytes + bytesALine*len(of.lines)})
	return set, nil
}

func joined(lines []string) string {
	if len(lines) == 1 {
		return lines[0]
	}
	return strings.Join(lines, "\n")
}

// keep keeps a recurrence and forgets those that were not used for longest.
func (r *Rules) keep(of content, fresh *parsed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, there := r.kept[of]; there || fresh.size > r.most {
		return
	}
	fresh.at = r.used.PushFront(of)
	r.kept[of] = fresh
	for r.size += fresh.size; r.size > r.most; {
		oldest, _ := r.used.Remove(r.used.Back()).(content) // nothing else is in the list
		r.size -= r.kept[oldest].size
		delete(r.kept, oldest)
	}
}

// LastsUntil is what EventRow.LastsUntil says of a series: when its last occurrence ends, or later, as its times are
// kept; zero when it has no end. BAD_USER_INPUT for a recurrence that package rrule does not read.
func (r *Rules) LastsUntil(row model.EventRow, calendar *time.Location) (time.Time, error) {
	set, err := r.Set(&row, calendar)
	if err != nil {
		return time.Time{}, err
	}
	last, ends := set.Last()
	if !ends {
		return time.Time{}, nil
	}
	// A window asks for what ends after its beginning, and what has no length must be found all the same.
	return last.Add(row.EndsAt.Sub(row.StartsAt) + time.Second), nil
}

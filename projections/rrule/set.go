package rrule

import (
	"iter"
	"time"
)

// MaxOccurrences is how many occurrences one answer holds.
const MaxOccurrences = 10_000

// Occurrence is one time at which the event occurs.
type Occurrence struct {
	// Start is an instant, in UTC; for an all-day event midnight UTC of the date.
	Start time.Time
}

// From returns a function that returns the starts of occurrences from an instant on: ascending, each once, those of
// EXDATE left out; false when there are no more.
func (s *Set) From(at time.Time) func() (time.Time, bool) {
	sources := s.sources(at)
	var previous time.Time
	return func() (time.Time, bool) {
		for {
			var earliest *source
			for i := range sources {
				if candidate := &sources[i]; candidate.ok && (earliest == nil || candidate.head.Before(earliest.head)) {
					earliest = candidate
				}
			}
			if earliest == nil {
				return time.Time{}, false
			}
			found := earliest.head
			earliest.advance()
			if found.Equal(previous) || s.except[found.Unix()] {
				continue
			}
			previous = found
			return found, true
		}
	}
}

func (s *Set) from(at time.Time) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		next := s.From(at)
		for found, ok := next(); ok && yield(found); found, ok = next() {
		}
	}
}

// source is one ascending sequence of instants and its next one.
type source struct {
	next func() (time.Time, bool)
	head time.Time
	ok   bool
}

func (s *source) advance() { s.head, s.ok = s.next() }

func (s *Set) sources(at time.Time) []source {
	all := make([]source, 0, len(s.rules)+1)
	for _, r := range s.rules {
		if !at.After(s.start) || r.endless() || !r.last().Before(at) {
			all = append(all, source{next: s.occurrences(r, at)})
		}
	}
	if added := s.added; len(added) > 0 {
		all = append(all, source{next: func() (time.Time, bool) {
			for len(added) > 0 {
				first := added[0]
				added = added[1:]
				if !first.Before(at) {
					return first, true
				}
			}
			return time.Time{}, false
		}})
	}
	for i := range all {
		all[i].advance()
	}
	return all
}

// Between returns the occurrences that start from from (inclusive) to to (exclusive), ascending, at most limit of them
// and never more than MaxOccurrences; true when there are more.
func (s *Set) Between(from, to time.Time, limit int) ([]Occurrence, bool) {
	limit = min(limit, MaxOccurrences)
	var found []Occurrence
	for at := range s.from(from) {
		if !at.Before(to) {
			return found, false
		}
		if len(found) >= limit {
			return found, true
		}
		found = append(found, Occurrence{Start: at})
	}
	return found, false
}

// First returns the first occurrence; false when there is none, because EXDATE or UNTIL leave none.
func (s *Set) First() (Occurrence, bool) { return s.notBefore(s.start) }

// Next returns the first occurrence that starts after an instant.
func (s *Set) Next(after time.Time) (Occurrence, bool) { return s.notBefore(after.Add(1)) }

func (s *Set) notBefore(at time.Time) (Occurrence, bool) {
	for found := range s.from(at) {
		return Occurrence{Start: found}, true
	}
	return Occurrence{}, false
}

// Contains reports whether an occurrence starts at an instant; for an all-day event that is midnight UTC of the date.
func (s *Set) Contains(at time.Time) bool {
	found, ok := s.notBefore(at)
	return ok && found.Start.Equal(at)
}

// Endless reports whether some RRULE has neither COUNT nor UNTIL.
func (s *Set) Endless() bool {
	for _, r := range s.rules {
		if r.endless() {
			return true
		}
	}
	return false
}

// Last returns a time that no occurrence starts after, by COUNT, UNTIL and RDATE; false when the set is endless.
func (s *Set) Last() (time.Time, bool) {
	if s.Endless() {
		return time.Time{}, false
	}
	latest := s.start
	for _, r := range s.rules {
		if last := r.last(); last.After(latest) {
			latest = last
		}
	}
	if n := len(s.added); n > 0 && s.added[n-1].After(latest) {
		latest = s.added[n-1]
	}
	return latest, true
}

// Until returns the latest UNTIL: the last instant, inclusive, at which a rule may occur; for an all-day event midnight
// UTC of the last date. False when a rule has none, and when there is no rule.
func (s *Set) Until() (time.Time, bool) {
	var latest time.Time
	for _, r := range s.rules {
		if r.until.IsZero() {
			return time.Time{}, false
		}
		if r.until.After(latest) {
			latest = r.until
		}
	}
	return latest, !latest.IsZero()
}

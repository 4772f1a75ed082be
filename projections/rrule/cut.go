package rrule

import (
	"slices"
	"strconv"
	"time"
)

// Truncate ends the series before the occurrence cut, an instant or midnight UTC of a date: it returns the lines of
// what is left. Every rule that reaches cut gets an UNTIL just before it, in place of its COUNT or UNTIL; a rule that
// ends earlier stays; RDATE and EXDATE keep what lies before. Where only the start is left of a recurrence without
// RRULE, kept is true and lines is empty: a single event.
//
// Kept is false, and lines nil, when nothing is left: cut is at or before the first occurrence. BAD_USER_INPUT when
// several rules have a COUNT.
func (s *Set) Truncate(cut time.Time) (lines []string, kept bool, err error) {
	if err := s.oneCount(); err != nil {
		return nil, false, err
	}
	first, ok := s.First()
	if !ok || !first.Start.Before(cut) {
		return nil, false, nil
	}
	return s.head(cut), true, nil
}

func (s *Set) oneCount() error {
	counts := 0
	for _, r := range s.rules {
		if r.count > 0 {
			counts++
		}
	}
	if counts > 1 {
		return bad("a series with several RRULE lines that have a COUNT cannot be ended or split; change the whole series")
	}
	return nil
}

func (s *Set) head(cut time.Time) []string {
	// The last second before the cut; for dates, that of the day before.
	until := cut.UTC().Add(-1).Truncate(time.Second)
	if s.allDay {
		until = midnight(until)
	}
	if len(s.rules) == 0 && !slices.ContainsFunc(s.lines, func(l line) bool { return l.dates.reaches(cut) }) {
		return []string{}
	}
	return s.write(func(r *rule) string {
		if !r.endless() && r.last().Before(cut) {
			return r.line()
		}
		return r.ending("UNTIL", s.formatUntil(until))
	}, func(at time.Time) bool { return at.Before(cut) })
}

// Split returns the lines of the part before cut and of the part from cut on, an instant or midnight UTC of a date. The
// head is what Truncate leaves. The tail is for an event that starts at the first occurrence at or after cut; UNTIL
// stays on it, COUNT is what the rule has left there, an occurrence that EXDATE took away counted, and RDATE and EXDATE
// go to the side they lie on. Either is nil when its side has no occurrence; together they occur exactly when the
// series does.
//
// BAD_USER_INPUT when several rules have a COUNT, and when no rule that begins at that occurrence continues the series:
// it is an RDATE out of step with the rule, or its clock time was skipped.
func (s *Set) Split(cut time.Time) (head, tail []string, err error) {
	head, kept, err := s.Truncate(cut)
	if err != nil {
		return nil, nil, err
	}
	begin, some := s.notBefore(cut)
	switch {
	case !kept && !some:
		return nil, nil, nil
	case begin.Start.Equal(s.start):
		return nil, s.Lines(), nil
	case !some:
		return head, nil, nil
	}
	tail, err = s.tail(cut, begin.Start)
	if err != nil {
		return nil, nil, err
	}
	return head, tail, nil
}

// tail writes the part from cut on, for an event that starts at begin.
func (s *Set) tail(cut, begin time.Time) ([]string, error) {
	next, err := newSet(Start{At: begin, AllDay: s.allDay, Zone: s.zone})
	if err != nil {
		return nil, err
	}
	lines := s.write(func(r *rule) string {
		if !r.endless() && r.last().Before(begin) {
			return ""
		}
		continued := r.from(s.wall, next.wall)
		if r.count > 0 {
			return continued.ending("COUNT", strconv.Itoa(r.count-s.countBefore(r, begin)))
		}
		return continued.line()
	}, func(at time.Time) bool { return !at.Before(cut) })
	parsed, err := Parse(lines, Start{At: begin, AllDay: s.allDay, Zone: s.zone})
	if err != nil || !s.continuedBy(parsed) {
		return nil,
			bad("the series cannot be split at %s, because no rule that begins there continues it; choose another occurrence",
				cut.UTC().Format(time.RFC3339))
	}
	return lines, nil
}

// countBefore counts what a rule generates before an instant, exceptions included.
func (s *Set) countBefore(r *rule, at time.Time) int {
	next, count := s.occurrences(r, s.start), 0
	for found, ok := next(); ok && found.Before(at); found, ok = next() {
		count++
	}
	return count
}

// continuedBy reports whether the tail occurs as the series does. Its rules say the same from the tail's start on if
// they keep the clock time and the beat of their intervals; the first occurrences are compared for what skipped days
// and hours do.
func (s *Set) continuedBy(tail *Set) bool {
	if len(tail.rules) > 0 && tail.clock() != s.clock() {
		return false
	}
	for _, r := range tail.rules {
		date := midnight(tail.wall)
		if first := r.period(date, date); !r.period(midnight(s.wall), date).Equal(first) {
			return false
		}
	}
	const compared = 8
	end := time.Date(lastYear+1, time.January, 1, 0, 0, 0, 0, time.UTC)
	series, _ := s.Between(tail.start, end, compared)
	continued, _ := tail.Between(tail.start, end, compared)
	return slices.EqualFunc(series, continued, func(a, b Occurrence) bool { return a.Start.Equal(b.Start) })
}

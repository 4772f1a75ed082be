package rrule

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/graph/model"
)

// Bounds of a recurrence. Calendars stay far below them.
const (
	maxLines = 1000
	maxBytes = 128 << 10
	maxRules = 8
	maxDates = 5000
)

// Occurrences are looked for between these years, the start's included.
const (
	firstYear = 1600
	lastYear  = 2399
)

// ErrNever is that a rule occurs on no date at all, which takes longest to find out: some milliseconds.
var ErrNever = errors.New("no date fits the rule")

// Start is where a series begins.
type Start struct {
	// At is the instant of the first occurrence, to the second; for an all-day event midnight UTC of its date.
	At     time.Time
	AllDay bool
	// Zone is the event's, in which its clock time stays; nil means UTC. For an all-day event it only matters for reading
	// an UNTIL, RDATE or EXDATE that has a time.
	Zone *time.Location
}

// Set is the recurrence of one event: when it occurs. It is made by Parse, does not change and may be shared.
type Set struct {
	zoned
	start  time.Time // as Occurrence.Start
	wall   time.Time // what clocks in the zone show at start, as if UTC
	lines  []line
	rules  []*rule
	added  []time.Time // RDATE, ascending, none before start
	except map[int64]bool
}

// line is either a rule or dates.
type line struct {
	rule  *rule
	dates dates
}

// Parse reads the lines of a recurrence: RRULE, RDATE and EXDATE, in any order and in either case. Several RRULE lines
// mean all that any of them means. Beyond what RFC 5545 forbids it refuses what calendars do not offer: a FREQ below
// DAILY, BYHOUR, BYMINUTE and BYSECOND, periods, unknown parts and parameters; and what has no use or takes too long:
// rules that never occur, intervals above 9,999, a COUNT above 10,000, more than 8 rules or 5,000 dates, a start
// outside of the years 1600 to 2399.
//
// Every error is BAD_USER_INPUT without a field; ErrNever is the cause of one.
func Parse(lines []string, start Start) (*Set, error) {
	s, err := newSet(start)
	if err != nil {
		return nil, err
	}
	if size := totalBytes(lines); len(lines) > maxLines || size > maxBytes {
		return nil, bad("a recurrence has at most %d lines and %d characters", maxLines, maxBytes)
	}
	for _, text := range lines {
		if err := s.parseLine(text); err != nil {
			return nil, err
		}
	}
	if err := s.finish(); err != nil {
		return nil, err
	}
	return s, nil
}

func newSet(start Start) (*Set, error) {
	s := &Set{zoned: zoned{zone: start.Zone, allDay: start.AllDay}, except: map[int64]bool{}}
	if s.zone == nil {
		s.zone = time.UTC
	}
	if s.allDay {
		s.start = midnight(start.At.UTC())
		s.wall = s.start
	} else {
		s.start = start.At.UTC().Truncate(time.Second)
		local := s.start.In(s.zone)
		hour, minute, second := local.Clock()
		s.wall = midnight(local).Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute +
			time.Duration(second)*time.Second)
	}
	if year := s.wall.Year(); year < firstYear || year > lastYear {
		return nil, bad("a recurring event starts between the years %d and %d", firstYear, lastYear)
	}
	return s, nil
}

// clock returns the start's time of day, which every occurrence of a rule has.
func (s *Set) clock() time.Duration { return s.wall.Sub(midnight(s.wall)) }

func totalBytes(lines []string) int {
	total := 0
	for _, text := range lines {
		total += len(text)
	}
	return total
}

func (s *Set) parseLine(text string) error {
	text = strings.TrimSpace(text)
	head, value, found := strings.Cut(text, ":")
	items := strings.Split(head, ";")
	name, parameters := strings.ToUpper(strings.TrimSpace(items[0])), items[1:]
	if !found {
		return bad("%q is no line of a recurrence; write RRULE:…, RDATE:… or EXDATE:…", model.Clip(text))
	}
	value = strings.ToUpper(strings.TrimSpace(value))
	switch name {
	case "RRULE":
		if len(parameters) > 0 {
			return bad("RRULE has the parameter %q; it may have none", model.Clip(parameters[0]))
		}
		r, err := parseRule(value, s.zoned)
		if err != nil {
			return err
		}
		s.rules = append(s.rules, r)
		s.lines = append(s.lines, line{rule: r})
		if len(s.rules) > maxRules {
			return bad("a recurrence has at most %d RRULE lines", maxRules)
		}
		return nil
	case "RDATE", "EXDATE":
		if strings.Count(value, ",") >= maxDates {
			return tooManyDates()
		}
		all, err := s.parseDates(name, parameters, value)
		for _, d := range all {
			s.lines = append(s.lines, line{dates: d})
		}
		return err
	case "DTSTART", "DTEND":
		return bad("%s is no line of a recurrence; the event's own start and end say it", name)
	}
	return bad("%q lines are not supported; a recurrence has RRULE, RDATE and EXDATE", model.Clip(name))
}

func tooManyDates() error {
	return bad("a recurrence has at most %d dates in RDATE and EXDATE", maxDates)
}

// finish works out what all lines together mean.
func (s *Set) finish() error {
	total := 0
	for _, l := range s.lines {
		total += len(l.dates.values)
		for _, value := range l.dates.values {
			switch {
			case l.dates.name == "EXDATE":
				s.except[value.at.Unix()] = true
			case !value.at.Before(s.start):
				s.added = append(s.added, value.at)
			}
		}
	}
	if total > maxDates {
		return tooManyDates()
	}
	if len(s.rules) == 0 {
		if !slices.ContainsFunc(s.lines, func(l line) bool { return l.dates.name == "RDATE" }) {
			return bad("a recurrence has at least one RRULE or RDATE line")
		}
		s.added = append(s.added, s.start)
	}
	slices.SortFunc(s.added, time.Time.Compare)
	s.added = slices.CompactFunc(s.added, time.Time.Equal)
	for _, r := range s.rules {
		if err := s.limit(r); err != nil {
			return err
		}
	}
	return nil
}

// limit refuses a rule that never occurs, whatever its end, and lets its last instant be worked out when that is
// needed.
func (s *Set) limit(r *rule) error {
	r.full = r.explicit(s.wall)
	r.full.beats = r.full.weekBeats()
	if _, ok := s.walk(r, s.wall)(); !ok {
		return &model.Error{Code: model.CodeBadUserInput, Cause: ErrNever,
			Message: "RRULE never occurs: no date fits " + model.Clip(writeParts(r.parts))}
	}
	r.last = func() time.Time { return r.until }
	if r.count > 0 {
		r.last = sync.OnceValue(func() (last time.Time) {
			next := s.walk(r, s.wall)
			for range r.count {
				wall, ok := next()
				if !ok {
					break
				}
				last = s.instant(wall)
			}
			return last
		})
	}
	return nil
}

// Lines returns the recurrence in normal form, in the order given: upper case, UNTIL as an instant (or as a date when
// all-day), dates in the event's zone where they named none. Parsed again it means the same, and it is what Google is
// sent.
func (s *Set) Lines() []string { return s.write((*rule).line, func(time.Time) bool { return true }) }

func (s *Set) write(rule func(*rule) string, keep func(time.Time) bool) []string {
	texts := make([]string, 0, len(s.lines))
	for _, l := range s.lines {
		if l.rule != nil {
			if text := rule(l.rule); text != "" {
				texts = append(texts, text)
			}
		} else if text, some := l.dates.line(s.allDay, keep); some {
			texts = append(texts, text)
		}
	}
	return texts
}

package recurrence

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Set is the recurrence of an event.
type Set struct {
	start  time.Time // the instant, or midnight UTC of the date
	wall   time.Time // what the clock shows at the start, as if UTC
	allDay bool
	zone   *time.Location
	rules  []rule
	added  []time.Time
	except []time.Time
}

// lastYear is when the walk ends, whatever is asked.
const lastYear = 2399

// Parse reads the RRULE, RDATE and EXDATE lines of an event that starts at an instant or, when it is all-day, on the
// date whose midnight UTC is given. An error says what cannot be read.
func Parse(lines []string, start time.Time, allDay bool, zone *time.Location) (*Set, error) {
	s := &Set{start: start.UTC(), allDay: allDay, zone: zone}
	if s.wall = s.start; !allDay {
		s.wall = reading(start, zone)
	}
	for _, line := range lines {
		head, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		name, parameters, _ := strings.Cut(head, ";")
		var err error
		switch strings.ToUpper(name) {
		case "RRULE":
			var r rule
			if r, err = s.readRule(value); parameters != "" {
				err = errors.New("a rule has no parameters")
			}
			s.rules = append(s.rules, r)
		case "RDATE":
			err = s.readDates(&s.added, parameters, value)
		case "EXDATE":
			err = s.readDates(&s.except, parameters, value)
		default:
			err = errors.New("only RRULE, RDATE and EXDATE are known")
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	return s, nil
}

// Between returns the occurrences that start from from (inclusive) to to (exclusive), ascending, at most limit of them;
// true when there are more.
func (s *Set) Between(from, to time.Time, limit int) ([]time.Time, bool) {
	var all []time.Time
	for _, r := range s.rules {
		all = append(all, s.occurrences(r, from, to, limit+len(s.except)+len(s.added)+1)...)
	}
	if len(s.rules) == 0 {
		all = append(all, s.start)
	}
	all = append(all, s.added...)
	all = slices.DeleteFunc(all, func(at time.Time) bool {
		return at.Before(s.start) || at.Before(from) || !at.Before(to) ||
			slices.ContainsFunc(s.except, at.Equal)
	})
	slices.SortFunc(all, time.Time.Compare)
	all = slices.CompactFunc(all, time.Time.Equal)
	return all[:min(limit, len(all))], len(all) > limit
}

// Contains reports whether an occurrence starts at an instant.
func (s *Set) Contains(at time.Time) bool {
	found, _ := s.Between(at, at.Add(1), 1)
	return len(found) > 0
}

// Until returns the last UNTIL of the rules; false when one has none.
func (s *Set) Until() (time.Time, bool) {
	var last time.Time
	for _, r := range s.rules {
		if r.until.IsZero() {
			return time.Time{}, false
		}
		if r.until.After(last) {
			last = r.until
		}
	}
	return last, !last.IsZero()
}

// occurrences are those of one rule in a window, at most as many as are asked for.
func (s *Set) occurrences(r rule, from, to time.Time, most int) []time.Time {
	var all []time.Time
	count := 0
	last := time.Date(lastYear, time.December, 31, 0, 0, 0, 0, time.UTC)
	if end := to.UTC().Add(2 * aDay); end.Before(last) {
		last = end
	}
	start := s.wall.Truncate(aDay)
	begin := start
	if near := from.UTC().Add(-2 * aDay).Truncate(aDay); r.count == 0 && near.After(start) {
		begin = near // what lies before counts for nothing
	}
	r.walk(start, begin, last, func(day time.Time) bool {
		at := day
		if !s.allDay {
			at = s.instant(day.Add(s.wall.Sub(start)))
		}
		count++
		if r.count > 0 && count > r.count || !r.until.IsZero() && at.After(r.until) || !at.Before(to) {
			return false
		}
		if !at.Before(from) {
			all = append(all, at)
		}
		return len(all) < most
	})
	return all
}

// reading is what a zone's clock shows at an instant, as if UTC.
func reading(at time.Time, zone *time.Location) time.Time {
	local := at.In(zone)
	return time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(), 0, time.UTC)
}

// instant is when the zone's clock shows a reading: the first time, or, where it skips it, by the offset before.
func (s *Set) instant(wall time.Time) time.Time {
	if wall.Equal(s.wall) {
		return s.start
	}
	return instantIn(wall, s.zone)
}

func instantIn(wall time.Time, zone *time.Location) time.Time {
	// Clocks change at most once in the two days around it.
	const around = 26 * time.Hour
	by := func(of time.Time) time.Time {
		_, offset := of.In(zone).Zone()
		return wall.Add(-time.Duration(offset) * time.Second)
	}
	before, after := by(wall.Add(-around)), by(wall.Add(around))
	shows := func(at time.Time) bool { return reading(at, zone).Equal(wall) }
	switch {
	case shows(before) && shows(after) && after.Before(before):
		return after
	case shows(before) || !shows(after):
		return before
	}
	return after
}

// The forms of dates and times.
const (
	dateForm  = "20060102"
	floatForm = "20060102T150405"
	zuluForm  = "20060102T150405Z"
)

// stamp reads a date or a time.
func stamp(text string) (wall time.Time, form string, err error) {
	for _, form := range []string{dateForm, floatForm, zuluForm} {
		if wall, err := time.Parse(form, text); err == nil && len(text) == len(form) {
			return wall, form, nil
		}
	}
	return wall, "", fmt.Errorf("%q is no date or time", text)
}

// dateOf is the date that a time means of an all-day event: the written one. Some calendars write midnight, or the last
// second of the day, of their zone as UTC, and mean that day.
func (s *Set) dateOf(wall time.Time, form string) time.Time {
	if form == zuluForm {
		if local := reading(wall, s.zone); local.Format("150405") == "000000" || local.Format("150405") == "235959" {
			wall = local
		}
	}
	return wall.Truncate(aDay)
}

func (s *Set) readUntil(text string) (time.Time, error) {
	wall, form, err := stamp(text)
	switch {
	case err != nil:
		return wall, err
	case s.allDay:
		return s.dateOf(wall, form), nil
	case form == dateForm: // the whole of that day
		return instantIn(wall.Add(aDay), s.zone).Add(-time.Second), nil
	case form == floatForm:
		return instantIn(wall, s.zone), nil
	}
	return wall, nil
}

// readDates reads the values of an RDATE or EXDATE line.
func (s *Set) readDates(into *[]time.Time, parameters, values string) error {
	zone := s.zone
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		switch strings.ToUpper(name) {
		case "", "VALUE":
			if strings.EqualFold(value, "PERIOD") {
				return errors.New("periods are not known")
			}
		case "TZID":
			own, err := time.LoadLocation(strings.Trim(value, `"`))
			if err != nil {
				return fmt.Errorf("zone %q: %w", value, err)
			}
			zone = own
		default:
			return fmt.Errorf("the parameter %q is not known", parameter)
		}
	}
	for text := range strings.SplitSeq(strings.ToUpper(values), ",") {
		wall, form, err := stamp(strings.TrimSpace(text))
		if err != nil {
			return err
		}
		switch {
		case s.allDay:
			wall = s.dateOf(wall, form)
		case form == dateForm: // the time of day of the start, on that date
			wall = s.instant(wall.Add(s.wall.Sub(s.wall.Truncate(aDay))))
		case form == floatForm && zone.String() == s.zone.String():
			wall = s.instant(wall)
		case form == floatForm:
			wall = instantIn(wall, zone)
		}
		*into = append(*into, wall)
	}
	return nil
}

package rrule

import (
	"slices"
	"time"
)

// maxSaid is how many days, dates or exceptions one sentence lists.
const maxSaid = 7

// Describe says a recurrence for people, in English or, for the locale "he", in Hebrew; without a full stop:
//
//	Every week on Monday and Wednesday until December 31, 2026
//	כל שבוע בימים שני ורביעי עד 31 בדצמבר 2026
//
// The last date said is the last on which the event can still begin. It returns "" for what it cannot say faithfully:
// lines that Parse refuses, several rules, RDATE, more than a few exceptions, and rules with rare parts.
func Describe(lines []string, start Start, locale string) string {
	s, err := Parse(lines, start)
	if err != nil || len(s.rules) != 1 {
		return ""
	}
	words := &english
	if locale == "he" {
		words = &hebrew
	}
	r := s.rules[0]
	days, ok := s.days(r, words)
	if !ok {
		return ""
	}
	exceptions, ok := s.exceptions(words)
	if !ok {
		return ""
	}
	return words.every(r, everyDay(r)) + days + s.end(r, words) + exceptions
}

// everyDay reports whether a weekly rule names the whole week.
func everyDay(r *rule) bool { return r.frequency == Weekly && r.interval == 1 && len(r.days) == 7 }

// days says on which days of each period the rule occurs; false when it cannot.
func (s *Set) days(r *rule, words *vocabulary) (string, bool) {
	full := r.explicit(s.wall)
	if len(full.yearDays)+len(full.weeks) > 0 {
		return "", false
	}
	switch {
	case r.frequency == Daily:
		return "", len(full.months)+len(full.monthDays)+len(full.days)+len(full.positions) == 0
	case r.frequency == Weekly && len(full.months)+len(full.positions) > 0:
		return "", false
	case everyDay(r):
		return "", true
	case r.frequency == Weekly:
		return words.onWeekdays(full.days), true
	case len(full.monthDays) > 0 && len(full.days)+len(full.positions) == 0:
		return words.onDates(full)
	case len(full.monthDays) == 0:
		return words.onNumbered(full)
	}
	return "", false
}

// end says until when, or how often.
func (s *Set) end(r *rule, words *vocabulary) string {
	switch {
	case r.count > 0:
		return words.times(r.count)
	case !r.until.IsZero():
		return words.until + words.date(s.lastDate(r))
	}
	return ""
}

// lastDate returns the last date, as midnight UTC, on which UNTIL lets the event begin.
func (s *Set) lastDate(r *rule) time.Time {
	if s.allDay {
		return r.until
	}
	date := midnight(r.until.In(s.zone))
	if s.instant(date.Add(s.clock())).After(r.until) {
		return date.AddDate(0, 0, -1)
	}
	return date
}

// exceptions says what EXDATE takes away; false when there is an RDATE, or too many.
func (s *Set) exceptions(words *vocabulary) (string, bool) {
	var away []time.Time
	for _, l := range s.lines {
		if l.dates.name == "RDATE" {
			return "", false
		}
		for _, value := range l.dates.values {
			if s.takesAway(value.at) {
				away = append(away, value.at)
			}
		}
	}
	slices.SortFunc(away, time.Time.Compare)
	away = slices.CompactFunc(away, time.Time.Equal)
	if len(away) == 0 || len(away) > maxSaid {
		return "", len(away) == 0
	}
	var dates []string
	for _, at := range away {
		date := at
		if !s.allDay {
			date = at.In(s.zone)
		}
		dates = append(dates, words.date(date))
	}
	return words.except + words.list(dates), true
}

// takesAway reports whether the rules occur at an instant that EXDATE names.
func (s *Set) takesAway(at time.Time) bool {
	for _, r := range s.rules {
		if found, ok := s.occurrences(r, at)(); ok && found.Equal(at) {
			return true
		}
	}
	return false
}

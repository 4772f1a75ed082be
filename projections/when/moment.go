package when

import (
	"time"

	"almanac/graph/model"
)

// Moment is the one "now" of a request and whose now it is. A missing zone means UTC, a missing week start Sunday, a
// missing locale English. Answers are exact to the microsecond, as the stores are: the rest of Now counts as not yet
// passed.
type Moment struct {
	Now       time.Time
	Zone      *time.Location
	Locale    string // "en" or "he"
	WeekStart model.Weekday
}

func (m Moment) zone() *time.Location {
	if m.Zone == nil {
		return time.UTC
	}
	return m.Zone
}

func (m Moment) now() time.Time { return m.Now.Truncate(time.Microsecond).UTC() }

// day returns the calendar day, as midnight UTC of that date, whose stretch of time holds t. It is the date that clocks
// show, but for the hour that they show again after having been set back over midnight.
func (m Moment) day(t time.Time) time.Time {
	year, month, day := t.In(m.zone()).Date()
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	for t.Before(startOf(date, m.zone())) {
		date = date.AddDate(0, 0, -1)
	}
	return date
}

// start returns the first instant of the day that is so many calendar days after the moment's.
func (m Moment) start(days int) time.Time {
	return startOf(m.day(m.now()).AddDate(0, 0, days), m.zone())
}

// StartOfDay returns the first instant of the moment's day.
func (m Moment) StartOfDay() time.Time { return m.start(0) }

// Tomorrow returns the first instant of the next day, which is the end, exclusive, of today. A date that the zone
// skipped is no day: before such a date, tomorrow is the one after it.
func (m Moment) Tomorrow() time.Time { return m.start(1) }

// DayAfterTomorrow returns the first instant of the day after tomorrow.
func (m Moment) DayAfterTomorrow() time.Time {
	tomorrow := m
	tomorrow.Now = m.Tomorrow()
	return tomorrow.Tomorrow()
}

// Yesterday returns the first instant of the day before.
func (m Moment) Yesterday() time.Time {
	yesterday := m
	yesterday.Now = m.StartOfDay().Add(-time.Microsecond)
	return yesterday.StartOfDay()
}

// StartOfWeek returns the first instant of the moment's calendar week, which begins on WeekStart.
func (m Moment) StartOfWeek() time.Time { return m.start(-m.daysIntoWeek()) }

// StartOfNextWeek returns the first instant of the next calendar week.
func (m Moment) StartOfNextWeek() time.Time { return m.start(7 - m.daysIntoWeek()) }

func (m Moment) daysIntoWeek() int {
	return (int(m.day(m.now()).Weekday()) - int(m.WeekStart.Time()) + 7) % 7
}

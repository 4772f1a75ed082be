package gcal

import (
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// ShiftSeries works out a whole series from where one of its occurrences is to be: the series begins as much earlier or
// later by the clock, in its zone, as that occurrence moves from where the series has it, and is as long by the clock.
// The recurrence follows:
//
//   - EXDATE and RDATE move along, so that what was left out stays left out;
//   - UNTIL moves along, so that the series has as many occurrences as before; where it is the end of a day it stays
//     the end of a day;
//   - BYDAY and BYMONTHDAY follow to another day where that keeps every occurrence: one weekday, or several of every
//     week, or one day of the month up to the 28th.
//
// Location gives the zone of a name; the calendar's zone stands in where the series names none. Recurrence is nil when
// the lines stay as they are. BAD_USER_INPUT when the rule cannot follow to another day: the caller must say a new one.
func (c *Client) ShiftSeries(series, occurrence model.Event, newStart,
	newEnd model.EventTime) (start, end model.EventTime, recurrence []string, err error) {
	if err := checkTimes(newStart, newEnd); err != nil {
		return start, end, nil, err
	}
	from := occurrence.OriginalStart
	if from.IsZero() {
		from = occurrence.Start
	}
	m, err := c.movement(series, from, newStart)
	if err != nil {
		return start, end, nil, err
	}
	first := m.moved(wall(series.Start, m.oldZone))
	length := wall(newEnd, m.newZone).Sub(wall(newStart, m.newZone))
	if !newStart.AllDay() && length < 0 {
		length = newEnd.At.Sub(newStart.At) // over a clock set back
	}
	start, end = m.time(first), m.time(first.Add(length))
	lines, err := m.lines(series.Recurrence)
	if err != nil {
		return start, end, nil, err
	}
	if _, err := rrule.Parse(lines, ruleStart(start, m.newZone)); err != nil {
		return start, end, nil, err
	}
	if sameRecurrence(lines, series.Recurrence) {
		lines = nil
	}
	return start, end, lines, nil
}

// movement is how the occurrences of a series move.
type movement struct {
	from, to         time.Time // what clocks show where one occurrence is and where it is to be, as if UTC
	wasDay, isDay    bool      // all-day
	oldZone, newZone *time.Location
	zoneName         string
}

func (c *Client) movement(series model.Event, from, to model.EventTime) (movement, error) {
	m := movement{wasDay: series.Start.AllDay(), isDay: to.AllDay()}
	m.oldZone = c.zoneOr(series.Start.Zone, series.CalendarZone)
	m.newZone, m.zoneName = m.oldZone, series.Start.Zone
	if m.zoneName == "" {
		m.zoneName = series.CalendarZone
	}
	if to.Zone != "" && !m.isDay {
		zone, err := c.zone(to.Zone)
		if err != nil {
			return m, err
		}
		m.newZone, m.zoneName = zone, to.Zone
	}
	if from.AllDay() != m.wasDay { // an occurrence changed to the other form still names its original time
		return m, model.BadInput("", "this occurrence is not where its series has it; change the series itself")
	}
	m.from, m.to = wall(from, m.oldZone), wall(to, m.newZone)
	return m, nil
}

// days is by how many days the occurrences move.
func (m movement) days() int { return model.DateOf(m.from).DaysUntil(model.DateOf(m.to)) }

// moved is where an occurrence is to be that is there by the clock.
func (m movement) moved(at time.Time) time.Time {
	switch {
	case m.wasDay == m.isDay:
		return at.Add(m.to.Sub(m.from))
	case m.isDay:
		return model.DateOf(at).AddDays(m.days()).Midnight()
	default:
		return at.AddDate(0, 0, m.days()).Add(m.to.Sub(model.DateOf(m.to).Midnight()))
	}
}

// time gives a reading of the clock the form that the series has from now on.
func (m movement) time(at time.Time) model.EventTime {
	if m.isDay {
		return model.EventTime{Date: model.DateOf(at)}
	}
	return model.EventTime{At: when.Instant(at, m.newZone), Zone: m.zoneName}
}

// ruleStart gives the start of a series to the arithmetic of rules.
func ruleStart(t model.EventTime, zone *time.Location) rrule.Start {
	if t.AllDay() {
		return rrule.Start{At: t.Date.Midnight(), AllDay: true, Zone: zone}
	}
	return rrule.Start{At: t.At, Zone: zone}
}

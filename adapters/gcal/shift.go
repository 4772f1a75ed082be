package gcal

import (
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// ShiftSeries works out a whole series from where one of its occurrences is to be: the series begins as much earlier or
// later by the clock, in its zone, as that occurrence moves from where the series has it, and is as long by the clock.
// The patch that it returns has times, the recurrence where the lines change, and how each occurrence moves. The
// recurrence follows:
//
//   - EXDATE and RDATE move along, so that what was left out stays left out;
//   - UNTIL moves along, so that the series has as many occurrences as before; where it is the end of a day it stays
//     the end of a day;
//   - BYDAY follows to another day where that keeps every occurrence: one weekday, or several of every week;
//   - a rule for one day of the month, or of the year, said or left to its start, is for the other day from then on.
//     Where months lack that day, days says what becomes of them.
//
// Location gives the zone of a name; the calendar's zone stands in where the series names none. BAD_USER_INPUT when the
// rule cannot follow to another day: the caller must say a new one; with ShortMonths in its chain when it can, once
// days is said.
func (c *Client) ShiftSeries(series, occurrence model.Event, newStart, newEnd model.EventTime,
	days MonthDays) (Patch, error) {
	if err := checkTimes(newStart, newEnd); err != nil {
		return Patch{}, err
	}
	from := occurrence.OriginalStart
	if from.IsZero() {
		from = occurrence.Start
	}
	m, err := c.movement(series, from, newStart)
	if err == nil {
		err = m.planMonths(series.Recurrence, days)
	}
	if err != nil {
		return Patch{}, err
	}
	first, err := m.first(series.Recurrence)
	if err != nil {
		return Patch{}, err
	}
	length := wall(newEnd, m.newZone).Sub(wall(newStart, m.newZone))
	if !newStart.AllDay() && length < 0 {
		length = newEnd.At.Sub(newStart.At) // over a clock set back
	}
	start, end := m.time(first), m.time(first.Add(length))
	lines, err := m.lines(series.Recurrence)
	if err != nil {
		return Patch{}, err
	}
	if _, err := rrule.Parse(lines, ruleStart(start, m.newZone)); err != nil {
		return Patch{}, err
	}
	out := Patch{Start: &start, End: &end, Shift: &Shift{m, from}}
	if !sameRecurrence(lines, series.Recurrence) {
		out.Recurrence = &lines
	}
	return out, nil
}

// Shift is how each occurrence of a series moves.
type Shift struct {
	movement
	// named is the original start of the occurrence by which it was said.
	named model.EventTime
}

// Named is the original start of the occurrence by which the shift was said.
func (s *Shift) Named() model.EventTime { return s.named }

// movement is how the occurrences of a series move.
type movement struct {
	from, to         time.Time // what clocks show where one occurrence is and where it is to be, as if UTC
	wasDay, isDay    bool      // all-day
	oldZone, newZone *time.Location
	zoneName         string
	// begin is the start of the series. month is set when it moves by months.
	begin model.EventTime
	month *monthMove
}

func (c *Client) movement(series model.Event, from, to model.EventTime) (movement, error) {
	m := movement{wasDay: series.Start.AllDay(), isDay: to.AllDay(), begin: series.Start}
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

// moved is where an occurrence is to be that is there by the clock, when all move by as much.
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

// time writes a reading of the clock in the form that the series has from now on.
func (m movement) time(at time.Time) model.EventTime {
	if m.isDay {
		return model.EventTime{Date: model.DateOf(at)}
	}
	return model.EventTime{At: when.Instant(at, m.newZone), Zone: m.zoneName}
}

// ruleStart converts the start of a series for the arithmetic of rules.
func ruleStart(t model.EventTime, zone *time.Location) rrule.Start {
	if t.AllDay() {
		return rrule.Start{At: t.Date.Midnight(), AllDay: true, Zone: zone}
	}
	return rrule.Start{At: t.At, Zone: zone}
}

package resolvers

import (
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// span is when an event is: both ends have one form.
type span struct{ start, end model.EventTime }

// defaultLength is how long an event lasts that does not say so.
const defaultLength = time.Hour

// newSpan reads when a new event is. path is that of its input, for messages; zone is the one of the input, in which
// clock readings without an offset are taken and a series keeps its hour. Google keeps whole seconds, so what is finer
// is cut off.
func newSpan(path string, start, end *graph.EventTimeInput, allDay *bool, zone *time.Location) (span, error) {
	var out span
	days := allDay != nil && *allDay
	switch {
	case start == nil:
		return out, model.BadInput(under(path, "start"), "say when it starts")
	case end != nil && (start.Date == nil) != (end.Date == nil):
		return out, model.BadInput(under(path, "end"), "start and end must have the same form: both date, or both dateTime")
	case start.Date != nil && allDay != nil && !days:
		return out, model.BadInput(under(path, "allDay"),
			"a date is a whole day; give dateTime for an event that is not all-day")
	}
	if start.Date != nil || days {
		out.start.Date, out.end.Date = firstDay(start, zone), firstDay(start, zone).AddDays(1)
		if end != nil {
			out.end.Date = endDay(start, end, zone)
		}
	} else {
		out.start = timed(when.Resolve(*start.DateTime, zone), zone)
		out.end = timed(out.start.At.Add(defaultLength), zone)
		if end != nil {
			out.end = timed(when.Resolve(*end.DateTime, zone), zone)
		}
	}
	return out, out.check(under(path, "end"))
}

func timed(at time.Time, zone *time.Location) model.EventTime {
	return model.EventTime{At: at.Truncate(time.Second).UTC(), Zone: zone.String()}
}

// firstDay is the day of a start: a date, or the day that the zone's clocks show at an instant.
func firstDay(start *graph.EventTimeInput, zone *time.Location) model.Date {
	if start.Date != nil {
		return *start.Date
	}
	return model.DateOf(when.Resolve(*start.DateTime, zone).In(zone))
}

// endDay is the day after the last: a date says it, an instant lies in the last day.
func endDay(start, end *graph.EventTimeInput, zone *time.Location) model.Date {
	if end.Date != nil {
		return *end.Date
	}
	from, to := when.Resolve(*start.DateTime, zone), when.Resolve(*end.DateTime, zone)
	if to.Before(from) {
		return model.DateOf(to.In(zone)) // so that the check refuses it
	}
	return dayAfter(from, to, zone)
}

// dayAfter is the day after the last one that a stretch of time touches. What ends with its day does not touch the
// next.
func dayAfter(from, to time.Time, zone *time.Location) model.Date {
	day := model.DateOf(to.In(zone))
	if to.After(from) && !when.StartOfDate(day, zone).Before(to) {
		return day
	}
	return day.AddDays(1)
}

// lastMoment is the last that can be said of in four digits of a year, with a second to spare for who looks beyond.
var lastMoment = time.Date(9999, time.December, 31, 23, 59, 58, 0, time.UTC)

// check refuses an end that is not after the start, or that no calendar has.
func (s span) check(field string) error {
	switch {
	case s.end.At.After(lastMoment) || s.end.Date.Year > lastMoment.Year():
		return model.BadInput(field, "the end lies after the year %d", lastMoment.Year())
	case s.start.AllDay() && !s.start.Date.Before(s.end.Date):
		return model.BadInput(field, "the end %s must be a later day than the start %s: it is the day after the last",
			s.end.Date, s.start.Date)
	case !s.start.AllDay() && !s.end.At.After(s.start.At):
		return model.BadInput(field, "the end %s must be later than the start %s", shownIn(s.end), shownIn(s.start))
	}
	return nil
}

// shownIn is an instant in its own zone, for messages.
func shownIn(t model.EventTime) string {
	zone, err := when.LoadZone(t.Zone)
	if err != nil {
		zone = time.UTC
	}
	return t.At.In(zone).Format(time.RFC3339)
}

// zoneNamed gives the zone of an input's timeZone, or the other one when none is given.
func zoneNamed(field string, name *string, otherwise *time.Location) (*time.Location, error) {
	if name == nil {
		return otherwise, nil
	}
	zone, err := when.LoadZone(*name)
	if err != nil {
		return nil, below(err, field)
	}
	return zone, nil
}

// ruleStart gives a start to the arithmetic of recurrences.
func ruleStart(start model.EventTime, zone *time.Location) rrule.Start {
	if start.AllDay() {
		return rrule.Start{At: start.Date.Midnight(), AllDay: true, Zone: zone}
	}
	return rrule.Start{At: start.At, Zone: zone}
}

// retiming is what a patch says of when an event is.
type retiming struct {
	start, end *graph.EventTimeInput
	allDay     *bool
	// zoneName is set when the patch names a zone.
	zoneName *string
}

func (m retiming) isNothing() bool {
	return m.start == nil && m.end == nil && m.allDay == nil && m.zoneName == nil
}

// apply gives when the event is afterwards. Clock readings without an offset are those of the zone that the patch
// names, else of the viewer's; the event keeps the zone it is in unless the patch names one.
//
// Without an end the length stays: elapsed time of a timed event, days of an all-day one. A timed event that becomes
// all-day lies on the days that it touches; an all-day one that becomes timed lasts an hour unless its end is given. A
// zone alone changes in which zone the event is, not when it is.
func (m retiming) apply(path string, event model.Event, viewers *time.Location) (span, error) {
	now := span{event.Start, event.End}
	if now.start.IsZero() {
		return now, model.BadInput(path, "of this event nothing is known that could be moved")
	}
	reads, err := zoneNamed(under(path, "timeZone"), m.zoneName, viewers)
	if err != nil {
		return now, err
	}
	if now.end.IsZero() {
		now.end = now.start
	}
	days := now.start.AllDay()
	switch {
	case m.start != nil:
		days = m.start.Date != nil
	case m.end != nil:
		days = m.end.Date != nil
	}
	if m.allDay != nil {
		if !*m.allDay && days {
			return now, model.BadInput(under(path, "start"),
				"give a start with an hour (dateTime) for an event that is no longer all-day")
		}
		days = *m.allDay
	}
	switch {
	case m.start != nil && m.end != nil && (m.start.Date == nil) != (m.end.Date == nil):
		return now, model.BadInput(under(path, "end"), "start and end must have the same form: both date, or both dateTime")
	case m.start == nil && m.end != nil && m.allDay == nil && days != now.start.AllDay():
		return now, model.BadInput(under(path, "end"),
			"the end must have the form of the start, which is %s; give both, or allDay, to change it", formOf(now.start))
	}
	if days {
		return m.toDays(path, now, reads)
	}
	return m.toTimes(path, now, reads)
}

func formOf(t model.EventTime) string {
	if t.AllDay() {
		return "a date"
	}
	return "a dateTime"
}

// toDays is apply for an event that is all-day afterwards.
func (m retiming) toDays(path string, now span, reads *time.Location) (span, error) {
	wasDays := now.start.AllDay()
	if m.zoneName != nil && wasDays && m.start == nil && m.end == nil {
		return now, model.BadInput(under(path, "timeZone"),
			"an all-day event has no time zone: its days are the same everywhere")
	}
	was := now.days(zoneOf(now.start, m.zoneName, reads))
	out := was
	if m.start != nil {
		out.start.Date = firstDay(m.start, reads)
		out.end.Date = out.start.Date.AddDays(was.start.Date.DaysUntil(was.end.Date))
	}
	switch {
	case m.end == nil:
	case m.end.Date != nil:
		out.end.Date = *m.end.Date
	default:
		from := when.StartOfDate(out.start.Date, reads)
		if m.start != nil {
			from = when.Resolve(*m.start.DateTime, reads)
		}
		to := when.Resolve(*m.end.DateTime, reads)
		out.end.Date = model.DateOf(to.In(reads))
		if to.After(from) {
			out.end.Date = dayAfter(from, to, reads)
		}
	}
	return out, out.check(under(path, "end"))
}

// days are the days that an event touches, by the clocks of a zone.
func (s span) days(zone *time.Location) span {
	if s.start.AllDay() {
		return span{model.EventTime{Date: s.start.Date}, model.EventTime{Date: s.end.Date}}
	}
	return span{
		model.EventTime{Date: model.DateOf(s.start.At.In(zone))},
		model.EventTime{Date: dayAfter(s.start.At, s.end.At, zone)},
	}
}

// zoneOf is the zone that an event is in: the one that the patch names, the event's own, else the other.
func zoneOf(t model.EventTime, named *string, otherwise *time.Location) *time.Location {
	if named != nil {
		return otherwise // it was read from the name
	}
	return when.ZoneOr(otherwise, t.Zone)
}

// toTimes is apply for an event that is timed afterwards.
func (m retiming) toTimes(path string, now span, reads *time.Location) (span, error) {
	wasDays := now.start.AllDay()
	if wasDays && m.start == nil {
		return now, model.BadInput(under(path, "start"),
			"give a start with an hour (dateTime) for an event that is no longer all-day")
	}
	out := now
	length := now.end.At.Sub(now.start.At)
	if wasDays {
		length = defaultLength
		out = span{model.EventTime{Zone: reads.String()}, model.EventTime{Zone: reads.String()}}
	}
	if m.zoneName != nil {
		out.start.Zone, out.end.Zone = reads.String(), reads.String()
	}
	if out.start.Zone == "" {
		out.start.Zone = reads.String()
	}
	if out.end.Zone == "" {
		out.end.Zone = out.start.Zone
	}
	if m.start != nil {
		out.start.At = when.Resolve(*m.start.DateTime, reads).Truncate(time.Second)
		out.end.At = out.start.At.Add(length)
	}
	if m.end != nil {
		out.end.At = when.Resolve(*m.end.DateTime, reads).Truncate(time.Second)
	}
	if m.end == nil { // an event without length may be moved as it is
		return out, nil
	}
	return out, out.check(under(path, "end"))
}

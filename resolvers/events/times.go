package events

import (
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// span is when an event is: both ends have one form.
type span struct{ Start, End model.EventTime }

// newSpan reads when a new event is. path is that of its input, for messages; zone is the one of the input, in which
// clock readings without an offset are taken and a series keeps its hour. Google keeps whole seconds, so what is finer
// is cut off.
func newSpan(path string, start, end *graph.EventTimeInput, allDay *bool, zone *time.Location) (span, error) {
	var out span
	days := allDay != nil && *allDay
	switch {
	case start == nil:
		return out, model.BadInput(core.Under(path, "start"), "say when it starts")
	case end != nil && (start.Date == nil) != (end.Date == nil):
		return out, model.BadInput(core.Under(path, "end"),
			"start and end must have the same form: both date, or both dateTime")
	case start.Date != nil && allDay != nil && !days:
		return out, model.BadInput(core.Under(path, "allDay"),
			"a date is a whole day; give dateTime for an event that is not all-day")
	}
	if start.Date != nil || days {
		out.Start.Date, out.End.Date = firstDay(start, zone), firstDay(start, zone).AddDays(1)
		if end != nil {
			out.End.Date = endDay(start, end, zone)
		}
	} else {
		out.Start = timed(when.Resolve(*start.DateTime, zone), zone)
		out.End = timed(out.Start.At.Add(model.EventLength), zone)
		if end != nil {
			out.End = timed(when.Resolve(*end.DateTime, zone), zone)
		}
	}
	return out, out.check(core.Under(path, "end"))
}

// timeInWords returns a start or an end with the day or the instant that its text names; in itself when it has none.
func timeInWords(v *core.Viewer, field string, in *graph.EventTimeInput,
	zone *time.Location) (*graph.EventTimeInput, error) {
	if in == nil || in.Text == nil {
		return in, nil
	}
	at, err := core.SaidTime(v, field, *in.Text, zone)
	switch {
	case err != nil:
		return nil, err
	case at.AllDay():
		return &graph.EventTimeInput{Date: &at.Date}, nil
	}
	return &graph.EventTimeInput{DateTime: &model.DateTimeInput{Wall: at.At, HasOffset: true}}, nil
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
	return when.DayAfter(from, to, zone)
}

// lastMoment is the last that can be said of in four digits of a year, with a second to spare for who looks beyond.
var lastMoment = time.Date(9999, time.December, 31, 23, 59, 58, 0, time.UTC)

// check refuses an end that is not after the start, or that no calendar has.
func (s span) check(field string) error {
	switch {
	case s.End.At.After(lastMoment) || s.End.Date.Year > lastMoment.Year():
		return model.BadInput(field, "the end lies after the year %d", lastMoment.Year())
	case s.Start.AllDay() && !s.Start.Date.Before(s.End.Date):
		return model.BadInput(field, "the end %s must be a later day than the start %s: it is the day after the last",
			s.End.Date, s.Start.Date)
	case !s.Start.AllDay() && !s.End.At.After(s.Start.At):
		return model.BadInput(field, "the end %s must be later than the start %s", shownIn(s.End), shownIn(s.Start))
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

// ruleStart converts a start for the arithmetic of recurrences.
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

// apply returns when the event is afterwards. Clock readings without an offset are those of the zone that the patch
// names, else of the viewer's; the event keeps the zone it is in unless the patch names one.
//
// Without an end the length stays: elapsed time of a timed event, days of an all-day one. A timed event that becomes
// all-day lies on the days that it touches; an all-day one that becomes timed lasts an hour unless its end is given. A
// zone alone changes in which zone the event is, not when it is.
func (m retiming) apply(path string, event model.Event, viewers *time.Location) (span, error) {
	now := span{event.Start, event.End}
	if now.Start.IsZero() {
		return now, model.BadInput(path, "of this event nothing is known that could be moved")
	}
	reads, err := core.ZoneNamed(core.Under(path, "timeZone"), m.zoneName, viewers)
	if err != nil {
		return now, err
	}
	if now.End.IsZero() {
		now.End = now.Start
	}
	days := now.Start.AllDay()
	switch {
	case m.start != nil:
		days = m.start.Date != nil
	case m.end != nil:
		days = m.end.Date != nil
	}
	if m.allDay != nil {
		if !*m.allDay && days {
			return now, model.BadInput(core.Under(path, "start"),
				"give a start with an hour (dateTime) for an event that is no longer all-day")
		}
		days = *m.allDay
	}
	switch {
	case m.start != nil && m.end != nil && (m.start.Date == nil) != (m.end.Date == nil):
		return now, model.BadInput(core.Under(path, "end"),
			"start and end must have the same form: both date, or both dateTime")
	case m.start == nil && m.end != nil && m.allDay == nil && days != now.Start.AllDay():
		return now, model.BadInput(core.Under(path, "end"),
			"the end must have the form of the start, which is %s; give both, or allDay, to change it", formOf(now.Start))
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
	wasDays := now.Start.AllDay()
	if m.zoneName != nil && wasDays && m.start == nil && m.end == nil {
		return now, model.BadInput(core.Under(path, "timeZone"),
			"an all-day event has no time zone: its days are the same everywhere")
	}
	var was span
	was.Start.Date, was.End.Date = when.DaysOf(now.Start, now.End, zoneOf(now.Start, m.zoneName, reads))
	out := was
	if m.start != nil {
		out.Start.Date = firstDay(m.start, reads)
		out.End.Date = out.Start.Date.AddDays(was.Start.Date.DaysUntil(was.End.Date))
	}
	switch {
	case m.end == nil:
	case m.end.Date != nil:
		out.End.Date = *m.end.Date
	default:
		from := when.StartOfDate(out.Start.Date, reads)
		if m.start != nil {
			from = when.Resolve(*m.start.DateTime, reads)
		}
		to := when.Resolve(*m.end.DateTime, reads)
		out.End.Date = model.DateOf(to.In(reads))
		if to.After(from) {
			out.End.Date = when.DayAfter(from, to, reads)
		}
	}
	return out, out.check(core.Under(path, "end"))
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
	wasDays := now.Start.AllDay()
	if wasDays && m.start == nil {
		return now, model.BadInput(core.Under(path, "start"),
			"give a start with an hour (dateTime) for an event that is no longer all-day")
	}
	out := now
	length := now.End.At.Sub(now.Start.At)
	if wasDays {
		length = model.EventLength
		out = span{model.EventTime{Zone: reads.String()}, model.EventTime{Zone: reads.String()}}
	}
	if m.zoneName != nil {
		out.Start.Zone, out.End.Zone = reads.String(), reads.String()
	}
	if out.Start.Zone == "" {
		out.Start.Zone = reads.String()
	}
	if out.End.Zone == "" {
		out.End.Zone = out.Start.Zone
	}
	if m.start != nil {
		out.Start.At = when.Resolve(*m.start.DateTime, reads).Truncate(time.Second)
		out.End.At = out.Start.At.Add(length)
	}
	if m.end != nil {
		out.End.At = when.Resolve(*m.end.DateTime, reads).Truncate(time.Second)
	}
	if m.end == nil { // an event without length may be moved as it is
		return out, nil
	}
	return out, out.check(core.Under(path, "end"))
}

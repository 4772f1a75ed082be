package events

import (
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// windowPatch is a patch for many events that has been read.
type windowPatch struct {
	patch gcal.Patch
	// from and to are minutes of the day; -1 for none. shift is how many minutes to move by; 0 for none.
	from, to, shift int
}

// maxShift is how far events are moved at once, in minutes: ten years.
const maxShift = 10 * 366 * MinutesOfDay

// readEventsPatch reads what to change of many events. BAD_USER_INPUT when it is nothing.
func readEventsPatch(set *graph.EventsPatch) (windowPatch, error) {
	out := windowPatch{from: -1, to: -1}
	if set == nil || isEmptyEventsPatch(set) {
		return out, model.BadInput(pathOfSet, "nothing is to be changed; give at least one field")
	}
	for _, err := range []error{
		cleared(pathOfSet+".startTime", set.StartTime), cleared(pathOfSet+".endTime", set.EndTime),
		cleared(pathOfSet+".shiftMinutes", set.ShiftMinutes),
	} {
		if err != nil {
			return out, err
		}
	}
	var err error
	look := lookPatch{
		summary: set.Summary, description: set.Description, location: set.Location, reminders: set.Reminders,
		minutesBefore: set.ReminderMinutesBefore, transparent: set.Transparent, visibility: set.Visibility,
		color: set.ColorID,
	}
	if out.patch, err = look.read(); err != nil {
		return out, err
	}
	err = out.readTimes(set)
	return out, err
}

func (p *windowPatch) readTimes(set *graph.EventsPatch) (err error) {
	start, end, shift := set.StartTime.Value(), set.EndTime.Value(), set.ShiftMinutes.Value()
	if shift != nil && (start != nil || end != nil) {
		return model.BadInput(pathOfSet+".shiftMinutes", "give shiftMinutes, or startTime and endTime, not both")
	}
	if start != nil {
		if p.from, err = when.ParseClock(pathOfSet+".startTime", *start); err != nil {
			return err
		}
	}
	if end != nil {
		if p.to, err = when.ParseClock(pathOfSet+".endTime", *end); err != nil {
			return err
		}
	}
	if p.from >= 0 && p.from == p.to {
		return endsAtStart(p.from)
	}
	if shift == nil {
		return nil
	}
	if p.shift = int(*shift); p.shift == 0 || p.shift > maxShift || p.shift < -maxShift {
		return model.BadInput(pathOfSet+".shiftMinutes",
			"shiftMinutes is from 1 to %d, or as many earlier when negative, not %d", maxShift, p.shift)
	}
	return nil
}

func endsAtStart(minutes int) error {
	return model.BadInput(pathOfSet+".endTime",
		"it ends when it starts, at %s; give a later hour, or an earlier one for the next day", ClockText(minutes))
}

func isEmptyEventsPatch(set *graph.EventsPatch) bool {
	return !set.Summary.IsSet() && !set.Description.IsSet() && !set.Location.IsSet() && !set.StartTime.IsSet() &&
		!set.EndTime.IsSet() &&
		!set.ShiftMinutes.IsSet() && !set.Reminders.IsSet() && !set.ReminderMinutesBefore.IsSet() &&
		!set.Transparent.IsSet() &&
		!set.Visibility.IsSet() && !set.ColorID.IsSet()
}

// forEvent is the patch of one of the events.
func (p windowPatch) forEvent(v *core.Viewer, event model.Event) (gcal.Patch, error) {
	out := p.patch
	if p.from < 0 && p.to < 0 && p.shift == 0 {
		return out, nil
	}
	at, err := p.times(Span{event.Start, event.End}, v.Zone)
	if err == nil && at.End != at.Start { // one without length may stay so
		err = at.check(pathOfSet)
	}
	if err != nil {
		return out, err
	}
	out.Start, out.End = &at.Start, &at.End
	return out, nil
}

// times gives when an event is afterwards. Hours are those of the viewer's clock, on the day on which the event starts
// there; minutes to move by are minutes of time.
func (p windowPatch) times(now Span, zone *time.Location) (Span, error) {
	switch {
	case now.Start.AllDay() && p.shift == 0:
		return now, model.BadInput(pathOfSet+".startTime", "an all-day event has no hour to start or to end at")
	case now.Start.AllDay() && p.shift%MinutesOfDay != 0:
		return now, model.BadInput(pathOfSet+".shiftMinutes",
			"an all-day event moves by whole days only: a multiple of %d minutes", MinutesOfDay)
	case now.Start.AllDay():
		days := p.shift / MinutesOfDay
		now.Start.Date, now.End.Date = now.Start.Date.AddDays(days), now.End.Date.AddDays(days)
		return now, nil
	}
	if now.Start.Zone == "" { // so that Google does not choose one
		now.Start.Zone, now.End.Zone = zone.String(), zone.String()
	}
	if p.shift != 0 {
		by := time.Duration(p.shift) * time.Minute
		now.Start.At, now.End.At = now.Start.At.Add(by), now.End.At.Add(by)
		return now, nil
	}
	day := model.DateOf(now.Start.At.In(zone)).Midnight()
	length := now.End.At.Sub(now.Start.At)
	from := p.from
	if from >= 0 {
		now.Start.At = when.Instant(day.Add(time.Duration(from)*time.Minute), zone)
		now.End.At = now.Start.At.Add(length)
	} else {
		local := now.Start.At.In(zone)
		from = local.Hour()*60 + local.Minute()
	}
	if p.to == from { // a day long, which nobody has said
		return now, endsAtStart(from)
	}
	if p.to >= 0 {
		if p.to < from {
			day = day.AddDate(0, 0, 1)
		}
		now.End.At = when.Instant(day.Add(time.Duration(p.to)*time.Minute), zone)
		if !now.End.At.After(now.Start.At) { // clocks are changed in between, and nothing is left
			now.End.At = now.Start.At.Add(time.Duration((p.to-from+MinutesOfDay)%MinutesOfDay) * time.Minute)
		}
	}
	return now, nil
}

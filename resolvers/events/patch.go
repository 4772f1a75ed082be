package events

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// patchPlan is a patch that has been read, before it is known what it is applied to.
type patchPlan struct {
	// patch has everything but times and recurrence.
	patch gcal.Patch
	move  retiming
	// lines are the recurrence, when it is said; empty ones make a single event.
	lines *[]string
}

const pathOfSet = "input.set"

// readPatch reads what to change of an event. BAD_USER_INPUT when it is nothing.
func readPatch(v *core.Viewer, set *graph.EventPatch) (patchPlan, error) {
	var out patchPlan
	if core.EmptyPatch(set) {
		return out, model.BadInput(pathOfSet, "nothing is to be changed; give at least one field")
	}
	for _, err := range []error{
		cleared(pathOfSet+".start", set.Start), cleared(pathOfSet+".end", set.End),
		cleared(pathOfSet+".allDay", set.AllDay), cleared(pathOfSet+".timeZone", set.TimeZone),
	} {
		if err != nil {
			return out, err
		}
	}
	zone, err := core.ZoneNamed(pathOfSet+".timeZone", set.TimeZone.Value(), v.Zone)
	if err != nil {
		return out, err
	}
	out.move = retiming{allDay: set.AllDay.Value(), zoneName: set.TimeZone.Value()}
	if out.move.start, err = timeInWords(v, pathOfSet+".start", set.Start.Value(), zone); err != nil {
		return out, err
	}
	if out.move.end, err = timeInWords(v, pathOfSet+".end", set.End.Value(), zone); err != nil {
		return out, err
	}
	texts := lookPatch{
		summary: set.Summary, description: set.Description, location: set.Location, reminders: set.Reminders,
		minutesBefore: set.ReminderMinutesBefore, transparent: set.Transparent, visibility: set.Visibility,
		color: set.ColorID,
	}
	if out.patch, err = texts.read(); err != nil {
		return out, err
	}
	if in, given := set.Attendees.ValueOK(); given {
		invited, err := attendees(pathOfSet+".attendees", in)
		if err != nil {
			return out, err
		}
		out.patch.Attendees = &invited
	}
	if in, given := set.Response.ValueOK(); given {
		answer := model.NeedsAction
		if in != nil {
			answer = *in
		}
		out.patch.Answer = &answer
	}
	if lines, given := set.Recurrence.ValueOK(); given {
		out.lines = &lines
	}
	return out, nil
}

// lookPatch is what can be changed of one event and of many alike.
type lookPatch struct {
	summary, description, location graphql.Omittable[*string]
	reminders                      graphql.Omittable[*graph.EventRemindersInput]
	minutesBefore                  graphql.Omittable[*int32]
	transparent                    graphql.Omittable[*bool]
	visibility                     graphql.Omittable[*model.EventVisibility]
	color                          graphql.Omittable[*string]
}

func (in lookPatch) read() (gcal.Patch, error) {
	var out gcal.Patch
	if err := cleared(pathOfSet+".summary", in.summary); err != nil {
		return out, err
	}
	if text := in.summary.Value(); text != nil {
		title, err := eventTitle(pathOfSet+".summary", *text)
		if err != nil {
			return out, err
		}
		out.Summary = &title
	}
	texts, err := eventTexts(pathOfSet, in.description.Value(), in.location.Value())
	if err != nil {
		return out, err
	}
	if in.description.IsSet() {
		out.Description = &texts.description
	}
	if in.location.IsSet() {
		out.Location = &texts.location
	}
	if out.Reminders, err = in.readReminders(); err != nil {
		return out, err
	}
	if value, given := in.transparent.ValueOK(); given {
		transparent := value != nil && *value
		out.Transparent = &transparent
	}
	if value, given := in.visibility.ValueOK(); given {
		visibility := model.VisibilityDefault
		if value != nil {
			visibility = *value
		}
		out.Visibility = &visibility
	}
	if value, given := in.color.ValueOK(); given {
		color := ""
		if value != nil {
			if color, err = eventColor(pathOfSet+".colorId", *value); err != nil {
				return out, err
			}
		}
		out.ColorID = &color
	}
	return out, nil
}

func (in lookPatch) readReminders() (*model.Reminders, error) {
	if in.reminders.IsSet() && in.minutesBefore.IsSet() {
		return nil, model.BadInput(pathOfSet+".reminderMinutesBefore", "give reminders or reminderMinutesBefore, not both")
	}
	out, given, err := eventReminders(pathOfSet, in.reminders.Value(), in.minutesBefore.Value())
	switch {
	case err != nil:
		return nil, err
	case given:
		return &out, nil
	case in.reminders.IsSet():
		return &model.Reminders{UseDefault: true}, nil
	case in.minutesBefore.IsSet():
		return &model.Reminders{}, nil
	}
	return nil, nil
}

// forEvent is the patch of a single event, or of one occurrence alone.
func (p patchPlan) forEvent(v *core.Viewer, event model.Event) (gcal.Patch, error) {
	out := p.patch
	at := span{event.Start, event.End}
	if !p.move.isNothing() {
		var err error
		if at, err = p.move.apply(pathOfSet, event, v.Zone); err != nil {
			return out, err
		}
		out.Start, out.End = &at.Start, &at.End
	}
	switch {
	case p.lines == nil:
		return out, nil
	case event.IsOccurrence():
		return out, model.BadInput(pathOfSet+".recurrence",
			"one occurrence alone cannot repeat; use the scope SERIES or FOLLOWING")
	case len(*p.lines) == 0:
		return out, nil // it does not repeat as it is
	}
	if !at.Start.AllDay() && at.Start.Zone == "" { // what repeats needs a zone to keep its hour in
		at.Start.Zone, at.End.Zone = v.Zone.String(), v.Zone.String()
		out.Start, out.End = &at.Start, &at.End
	}
	lines, err := recurrenceLines(pathOfSet+".recurrence", *p.lines, ruleStart(at.Start, zoneOf(at.Start, nil, v.Zone)))
	out.Recurrence = &lines
	return out, err
}

// forSeries is the patch of a whole series; event is the occurrence that was named, or the series itself, and days what
// becomes of months without the day that it moves to.
func (p patchPlan) forSeries(ctx context.Context, v *core.Viewer, writer SeriesWriter, account model.Connection, series,
	event model.Event, days gcal.MonthDays) (gcal.Patch, error) {
	out := p.patch
	at := span{series.Start, series.End}
	if !p.move.isNothing() {
		moved, err := p.move.apply(pathOfSet, event, v.Zone)
		if err != nil {
			return out, err
		}
		shifted := series
		switch {
		case p.lines != nil: // they are said anew, so the old ones need not follow
			shifted.Recurrence = nil
		case isElsewhere(event, moved.Start):
			without, err := writer.LeftOut(ctx, account, series)
			if err != nil {
				return out, err
			}
			shifted.Recurrence = slices.Concat(series.Recurrence, without)
		}
		of, err := writer.ShiftSeries(shifted, event, moved.Start, moved.End, days)
		if err != nil {
			return out, core.AtField(err, pathOfSet+".start")
		}
		at = span{*of.Start, *of.End}
		out.Start, out.End, out.Recurrence, out.Shift = of.Start, of.End, of.Recurrence, of.Shift
	}
	return p.withLines(out, v, at.Start)
}

// shortMonths is what a move of the series, said of one of its occurrences, would have to be told of months that have
// no such day; nil for nothing.
func (p patchPlan) shortMonths(v *core.Viewer, writer SeriesWriter, series, event model.Event) *gcal.ShortMonths {
	if p.move.isNothing() || p.lines != nil {
		return nil
	}
	var short *gcal.ShortMonths
	moved, err := p.move.apply(pathOfSet, event, v.Zone)
	if err == nil { // else it is refused for that
		_, err = writer.ShiftSeries(series, event, moved.Start, moved.End, "")
	}
	errors.As(err, &short)
	return short
}

// isElsewhere reports whether a start is another than the one at which the event's series has it.
func isElsewhere(event model.Event, start model.EventTime) bool {
	own := event.OriginalStart
	if own.IsZero() {
		own = event.Start
	}
	return !start.At.Equal(own.At) || start.Date != own.Date || start.Zone != event.Start.Zone
}

// forFollowing is the patch of an occurrence and those after it; where it has times, they are the occurrence's.
func (p patchPlan) forFollowing(v *core.Viewer, event model.Event) (gcal.Patch, error) {
	out := p.patch
	begins := event.OriginalStart
	if !p.move.isNothing() {
		at, err := p.move.apply(pathOfSet, event, v.Zone)
		if err != nil {
			return out, err
		}
		out.Start, out.End = &at.Start, &at.End
		begins = at.Start
	}
	if begins.Zone == "" {
		begins.Zone = event.Start.Zone
	}
	return p.withLines(out, v, begins)
}

func (p patchPlan) withLines(out gcal.Patch, v *core.Viewer, start model.EventTime) (gcal.Patch, error) {
	if p.lines == nil {
		return out, nil
	}
	lines := []string{}
	if len(*p.lines) > 0 {
		var err error
		if lines, err = recurrenceLines(pathOfSet+".recurrence", *p.lines,
			ruleStart(start, zoneOf(start, nil, v.Zone))); err != nil {
			return out, err
		}
	}
	out.Recurrence = &lines
	return out, nil
}

// windowPatch is a patch for many events that has been read.
type windowPatch struct {
	patch gcal.Patch
	// from and to are minutes of the day; -1 for none. shift is how many minutes to move by; 0 for none.
	from, to, shift int
}

// maxShift is how far events are moved at once, in minutes: ten years.
const maxShift = 10 * 366 * when.MinutesOfDay

// readWindowPatch reads what to change of many events. BAD_USER_INPUT when it is nothing.
func readWindowPatch(set *graph.EventsPatch) (windowPatch, error) {
	out := windowPatch{from: -1, to: -1}
	if core.EmptyPatch(set) {
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
		"it ends when it starts, at %s; give a later hour, or an earlier one for the next day", when.FormatClock(minutes))
}

// forEvent is the patch of one of the events.
func (p windowPatch) forEvent(v *core.Viewer, event model.Event) (gcal.Patch, error) {
	out := p.patch
	if p.from < 0 && p.to < 0 && p.shift == 0 {
		return out, nil
	}
	at, err := p.times(span{event.Start, event.End}, v.Zone)
	if err == nil && at.End != at.Start { // one without length may stay so
		err = at.check(pathOfSet)
	}
	if err != nil {
		return out, err
	}
	out.Start, out.End = &at.Start, &at.End
	return out, nil
}

// times returns when an event is afterwards. Hours are those of the viewer's clock, on the day on which the event
// starts there; minutes to move by are minutes of time.
func (p windowPatch) times(now span, zone *time.Location) (span, error) {
	switch {
	case now.Start.AllDay() && p.shift == 0:
		return now, model.BadInput(pathOfSet+".startTime", "an all-day event has no hour to start or to end at")
	case now.Start.AllDay() && p.shift%when.MinutesOfDay != 0:
		return now, model.BadInput(pathOfSet+".shiftMinutes",
			"an all-day event moves by whole days only: a multiple of %d minutes", when.MinutesOfDay)
	case now.Start.AllDay():
		days := p.shift / when.MinutesOfDay
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
			now.End.At = now.Start.At.Add(time.Duration((p.to-from+when.MinutesOfDay)%when.MinutesOfDay) * time.Minute)
		}
	}
	return now, nil
}

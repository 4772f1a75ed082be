package events

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// PatchPlan is a patch that has been read, before it is known what it is applied to.
type PatchPlan struct {
	// patch has everything but times and recurrence.
	patch gcal.Patch
	move  retiming
	// lines are the recurrence, when it is said; empty ones make a single event.
	lines *[]string
}

const pathOfSet = "input.set"

// ReadPatch reads what to change of an event. BAD_USER_INPUT when it is nothing.
func ReadPatch(set *graph.EventPatch) (PatchPlan, error) {
	var out PatchPlan
	if set == nil || isEmptyPatch(set) {
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
	out.move = retiming{start: set.Start.Value(), end: set.End.Value(), allDay: set.AllDay.Value(),
		zoneName: set.TimeZone.Value()}
	texts := lookPatch{
		summary: set.Summary, description: set.Description, location: set.Location, reminders: set.Reminders,
		minutesBefore: set.ReminderMinutesBefore, transparent: set.Transparent, visibility: set.Visibility,
		color: set.ColorID,
	}
	var err error
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

func isEmptyPatch(set *graph.EventPatch) bool {
	return !set.Summary.IsSet() && !set.Description.IsSet() && !set.Location.IsSet() && !set.Start.IsSet() &&
		!set.End.IsSet() &&
		!set.AllDay.IsSet() && !set.TimeZone.IsSet() && !set.Attendees.IsSet() && !set.Reminders.IsSet() &&
		!set.ReminderMinutesBefore.IsSet() && !set.Recurrence.IsSet() && !set.Transparent.IsSet() &&
		!set.Visibility.IsSet() &&
		!set.ColorID.IsSet() && !set.Response.IsSet()
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
func (p PatchPlan) forEvent(v *core.Viewer, event model.Event) (gcal.Patch, error) {
	out := p.patch
	at := Span{event.Start, event.End}
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

// forSeries is the patch of a whole series; event is the occurrence that was named, or the series itself.
func (p PatchPlan) forSeries(ctx context.Context, v *core.Viewer, writer SeriesWriter, account model.Connection, series,
	event model.Event) (gcal.Patch, error) {
	out := p.patch
	at := Span{series.Start, series.End}
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
		start, end, lines, err := writer.ShiftSeries(shifted, event, moved.Start, moved.End)
		if err != nil {
			return out, core.AtField(err, pathOfSet+".start")
		}
		at = Span{start, end}
		out.Start, out.End = &at.Start, &at.End
		if lines != nil {
			out.Recurrence = &lines
		}
	}
	return p.withLines(out, v, at.Start)
}

// isElsewhere tells whether a start is another than the one at which the event's series has it.
func isElsewhere(event model.Event, start model.EventTime) bool {
	own := event.OriginalStart
	if own.IsZero() {
		own = event.Start
	}
	return !start.At.Equal(own.At) || start.Date != own.Date || start.Zone != event.Start.Zone
}

// forFollowing is the patch of an occurrence and those after it; where it has times, they are the occurrence's.
func (p PatchPlan) forFollowing(v *core.Viewer, event model.Event) (gcal.Patch, error) {
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

func (p PatchPlan) withLines(out gcal.Patch, v *core.Viewer, start model.EventTime) (gcal.Patch, error) {
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

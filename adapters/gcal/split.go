package gcal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"almanac/graph/model"
	"almanac/projections/when"
)

var errNoStart = errors.New("an event without start")

// PatchFollowing changes an occurrence and those that follow it, and no earlier one: a new series takes over from the
// occurrence's original start on, and the old one ends before it. The new series is as the old one with the patch
// applied; it continues the rule with what is left of its COUNT and its UNTIL. If the patch has times they are those of
// the occurrence, and later ones move with it. What was changed on its own from there on is changed in the new series
// too, and stays where it was moved to, as PatchSeries has it; what was cancelled on its own stays cancelled, unless
// the patch has a recurrence. If nothing is left before the occurrence, the series itself is changed and Before is nil.
//
// The new series is made first, under NewSourceID, and taken back when the old one cannot be ended. Errors are as for
// Truncate and Insert; with ErrHalfDone the message says what is there, and the Following what is known of it.
func (c *Client) PatchFollowing(ctx context.Context, connection model.Connection, ref model.EventRef, p Patch,
	o ChangeOptions) (Following, error) {
	if err := p.Check(); err != nil {
		return Following{}, err
	}
	s, err := c.session(ctx, connection)
	if err != nil {
		return Following{}, err
	}
	occurrence, err := s.read(ctx, ref, FieldTimes|FieldRecurrence)
	if err != nil {
		return Following{}, err
	}
	if o.IfVersion != "" && occurrence.Version != o.IfVersion {
		return Following{}, changedMeanwhile(nil)
	}
	seriesRef := ref
	switch {
	case occurrence.IsOccurrence():
		seriesRef.Event = occurrence.RecurringEventID
	case occurrence.IsSeries(): // its own first occurrence
		occurrence.OriginalStart = occurrence.Start
	default:
		return Following{}, doesNotRepeat()
	}
	m, err := s.readSeries(ctx, seriesRef)
	if err != nil {
		return Following{}, err
	}
	if p.Named.IsZero() {
		p.Named = occurrence.OriginalStart
	}
	if !m.leaves(place(occurrence.OriginalStart)) {
		return m.patchWhole(ctx, p, o)
	}
	return m.split(ctx, occurrence, p, o)
}

// patchWhole is for a cut that would leave nothing.
func (m *series) patchWhole(ctx context.Context, p Patch, o ChangeOptions) (Following, error) {
	if p.Start != nil {
		whole := m.as
		whole.Recurrence = slices.Concat(whole.Recurrence, m.leftOut(place(whole.Start)))
		if p.Recurrence == nil { // a rule of its own begins at the occurrence
			moved, err := m.client.ShiftSeries(whole, model.Event{OriginalStart: p.Named}, *p.Start, *p.End, p.MonthDays)
			if err != nil {
				return Following{}, err
			}
			p.Start, p.End, p.Recurrence, p.Shift = moved.Start, moved.End, moved.Recurrence, moved.Shift
		}
	}
	if p.Start == nil && p.Recurrence == nil {
		after, err := m.patch(ctx, m.ref, p, m.options(o))
		return Following{After: &after}, err
	}
	return m.patchMoved(ctx, p, o)
}

func (m *series) split(ctx context.Context, occurrence model.Event, p Patch, o ChangeOptions) (Following, error) {
	if !validSourceID(o.NewSourceID) {
		return Following{}, model.Errorf(model.CodeInternal, "a split needs an id for the new series")
	}
	if m.as.AttendeesOmitted {
		return Following{}, omitted()
	}
	cut := place(occurrence.OriginalStart)
	head, tail, err := m.set.Split(cut)
	if err != nil {
		return Following{}, err
	}
	if len(m.beyond(cut)) > 0 {
		if err := m.readExceptions(ctx, wholeExceptions); err != nil {
			return Following{}, err
		}
	}
	body, shift, err := m.continued(occurrence, tail, p)
	if err != nil {
		return Following{}, err
	}
	body.Id = o.NewSourceID
	want, err := m.event(m.calendarID(m.ref.Calendar), "", body)
	if err != nil {
		return Following{}, err
	}
	after, _, err := m.insert(ctx, m.ref.Calendar, body, asked(want, body.Reminders != nil), o.SendUpdates, o.Fields)
	if err != nil {
		return Following{}, err
	}
	dropped, err := m.carryOver(ctx, after.Ref, m.beyond(cut), shift, p.Named, o)
	if err != nil {
		return m.takeBack(ctx, after, o, err)
	}
	done, err := m.end(ctx, head, m.beyond(cut), o)
	done.After = &after
	isDropped := func(id string) bool { return slices.Contains(dropped, id) }
	done.Replaced = slices.DeleteFunc(slices.Clone(done.Dropped), isDropped)
	done.Dropped = slices.DeleteFunc(done.Dropped, func(id string) bool { return !isDropped(id) })
	if err == nil || errors.Is(err, ErrHalfDone) {
		return done, err
	}
	if errors.Is(err, ErrUnknownOutcome) {
		return done, halfDone(fmt.Sprintf("the new series was made (%s), but it is not known whether the old one was ended",
			after.Ref.ID()), err)
	}
	return m.takeBack(ctx, after, o, err)
}

// carryOver moves what was changed on its own to the series that goes on. It returns the ids of those that have no
// occurrence there.
func (m *series) carryOver(ctx context.Context, to model.EventRef, exceptions []exception, shift *Shift,
	named model.EventTime, o ChangeOptions) (dropped []string, err error) {
	if len(exceptions) == 0 {
		return nil, nil
	}
	move := carrying{series: m, to: to, shift: shift, send: o.SendUpdates, named: named, retimed: shift != nil}
	if move.now, err = m.get(ctx, to.Calendar, to.Event, ""); err != nil {
		return nil, err
	}
	now, err := m.event(m.calendarID(to.Calendar), "", move.now)
	if err != nil {
		return nil, err
	}
	if err := move.goTo(ctx, now); err != nil {
		return nil, err
	}
	for _, e := range exceptions {
		id, err := move.carry(ctx, e)
		if err != nil {
			return nil, err
		}
		if id == "" {
			dropped = append(dropped, e.id)
		}
	}
	return dropped, nil
}

// takeBack deletes the new series, since the old one goes on.
func (m *series) takeBack(ctx context.Context, made model.Event, o ChangeOptions, why error) (Following, error) {
	_, err := m.sendDelete(ctx, made, ChangeOptions{IfVersion: made.Version, SendUpdates: o.SendUpdates})
	if err != nil && model.CodeOf(err) != model.CodeNotFound {
		return Following{After: &made}, halfDone(
			fmt.Sprintf(
				"the old series could not be ended, and the new one (%s) could not be taken back, so occurrences are there twice",
				made.Ref.ID()),
			fmt.Errorf("%w; %w", why, err))
	}
	return Following{}, why
}

// continued makes the new series: the old one from the occurrence on, with the patch applied. The shift is how its
// occurrences move; nil for not.
func (m *series) continued(occurrence model.Event, tail []string, p Patch) (*calendar.Event, *Shift, error) {
	var shift *Shift
	start, end := m.timesAt(occurrence.OriginalStart)
	tail = slices.Concat(tail, m.leftOut(place(occurrence.OriginalStart)))
	if p.Start != nil {
		old := model.Event{Start: start, CalendarZone: m.as.CalendarZone, Recurrence: tail}
		if p.Recurrence != nil {
			old.Recurrence = nil // it is said anew, so the old one need not follow
		}
		moved, err := m.client.ShiftSeries(old, model.Event{OriginalStart: p.Named}, *p.Start, *p.End, p.MonthDays)
		if err != nil {
			return nil, nil, err
		}
		shift, start, end = moved.Shift, *moved.Start, *moved.End
		if moved.Recurrence != nil {
			tail = *moved.Recurrence
		}
		start.Zone, end.Zone = cmp.Or(start.Zone, m.zone.String()), cmp.Or(end.Zone, start.Zone, m.zone.String())
	}
	if p.Recurrence != nil {
		tail = *p.Recurrence
	}
	body := copied(m.raw)
	body.Start, body.End, body.Recurrence = m.client.writeTime(start), m.client.writeTime(end), tail
	if p.Start != nil {
		m.askAgain(body.Attendees)
	}
	return body, shift, m.apply(body, p)
}

// timesAt returns the times of the occurrence at an original start, as the series has them.
func (m *series) timesAt(original model.EventTime) (start, end model.EventTime) {
	begins := wall(original, m.zone)
	ends := begins.Add(wall(m.as.End, m.zone).Sub(wall(m.as.Start, m.zone)))
	if original.AllDay() {
		return model.EventTime{Date: original.Date}, model.EventTime{Date: model.DateOf(ends)}
	}
	name := m.zone.String()
	end = model.EventTime{At: when.Instant(ends, m.zone), Zone: name}
	if end.At.Before(original.At) { // the clock was set back in between
		end.At = original.At.Add(m.as.End.At.Sub(m.as.Start.At))
	}
	return model.EventTime{At: original.At, Zone: name}, end
}

// copied keeps of an event what its owner gave it, and leaves what Google made of it.
func copied(of *calendar.Event) *calendar.Event {
	e := *of
	e.ServerResponse = googleapi.ServerResponse{}
	e.Id, e.Etag, e.Kind, e.ICalUID, e.HtmlLink, e.HangoutLink, e.Created, e.Updated = "", "", "", "", "", "", "", ""
	e.Creator, e.Organizer, e.OriginalStartTime, e.RecurringEventId, e.Sequence = nil, nil, nil, "", 0
	e.Locked, e.PrivateCopy, e.EndTimeUnspecified, e.Gadget, e.EventLabelId = false, false, false, nil, ""
	if e.ConferenceData != nil { // the same meeting goes on; only the request that made it is done
		conference := *e.ConferenceData
		conference.CreateRequest = nil
		e.ConferenceData = &conference
	}
	e.Attendees = nil
	for _, a := range of.Attendees {
		row := *a
		row.Organizer, row.Id, row.AsyncOperation = false, "", ""
		e.Attendees = append(e.Attendees, &row)
	}
	if e.Reminders != nil {
		e.Reminders = remindersBody(remindersOf(of.Reminders))
	}
	return &e
}

// askAgain forgets the guests' answers: they were to another time.
func (m *series) askAgain(rows []*calendar.EventAttendee) {
	own := m.ownRow(rows)
	for i, row := range rows {
		if i != own {
			row.ResponseStatus = "needsAction"
		}
	}
}

// apply writes a patch, but for times and recurrence, onto an event that is yet to be made.
func (m *series) apply(body *calendar.Event, p Patch) error {
	set := func(to, from *string) {
		if from != nil {
			*to = *from
		}
	}
	set(&body.Summary, p.Summary)
	set(&body.Description, p.Description)
	set(&body.Location, p.Location)
	set(&body.ColorId, p.ColorID)
	if p.Reminders != nil {
		body.Reminders = remindersBody(*p.Reminders)
	}
	if p.Transparent != nil {
		body.Transparency = transparencyBody(*p.Transparent)
	}
	if p.Visibility != nil {
		body.Visibility = visibilityBody(*p.Visibility)
	}
	return m.patchAttendees(body, p, &calendar.Event{Attendees: body.Attendees})
}

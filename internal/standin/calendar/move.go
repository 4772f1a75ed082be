package calendar

import (
	"slices"

	"almanac/internal/standin/wire"
)

// moveEvent answers calendar.events.move. The answer says, as measured, that the event is cancelled: it describes what
// was left behind, while the event lives on at the destination.
func (r *request) moveEvent() (wire.Reply, error) {
	c, v, send, err := r.writing()
	if err != nil {
		return wire.Reply{}, err
	}
	destination := r.call.Query.Get("destination")
	if destination == "" {
		return wire.Reply{}, requiredParameter("destination")
	}
	to, _, err := r.calendar(destination, roleWriterPublic)
	if err != nil {
		return wire.Reply{}, err
	}
	e, known := c.Events[r.call.Path["eventId"]]
	if !known || e.Moved || e.Series != "" {
		if found, isInstance := r.find(c, r.call.Path["eventId"]); isInstance && found.master != nil {
			return wire.Reply{}, problem(forbidden("").Status, domainCalendar, "cannotChangeOrganizerOfInstance",
				"Cannot change the organizer of an instance.")
		}
		return wire.Reply{}, notFound()
	}
	if e.cancelled() {
		return wire.Reply{}, alreadyDeleted()
	}
	if err := r.checkMatch(e.etag()); err != nil {
		return wire.Reply{}, err
	}
	switch {
	case e.Type != typeDefault:
		return wire.Reply{}, invalid("Only events of type default can be moved.")
	case !c.organizes(e):
		return wire.Reply{}, forbiddenForNonOrganizer()
	case to == c:
		return wire.Reply{Body: v.show(storedRow(c, e))}, nil
	}
	// A guest's copy of the same event gives way to it.
	if there := to.Events[e.ID]; there != nil && !there.Moved && (there.ICalUID != e.ICalUID || to.organizes(there)) {
		return wire.Reply{}, duplicate()
	}
	moving := append([]*event{e}, c.exceptionsOf(e)...)
	left := make([]*event, 0, len(moving))
	for _, one := range moving {
		left = append(left, r.moveOne(c, to, one))
	}
	// Lines of a series are read again where it stands now: its zone may have been the calendar's.
	for _, one := range moving {
		if err := one.derive(to); err != nil {
			return wire.Reply{}, err
		}
	}
	r.spread(to, e, to.body(e), send, MailUpdate)
	return wire.Reply{Body: v.showBare(storedRow(c, left[0]))}, nil
}

// moveOne takes an event to another calendar and returns the tombstone that it leaves.
func (r *request) moveOne(c, to *calendar, e *event) *event {
	c.remove(e)
	left := &event{
		ID: e.ID, ICalUID: e.ICalUID, Type: e.Type, Status: statusCancelled, Created: e.Created, Updated: e.Updated,
		Stamp:    e.Stamp,
		Sequence: e.Sequence, Creator: e.Creator, Organizer: to.organizer(r.account), Moved: true,
	}
	if e.Series != "" {
		left.Series, left.Original = e.Series, e.Original
	}
	c.add(left)
	r.touch(c, left, true)
	if e.isSeries() { // Who synchronizes instances hears that they are gone.
		recurrence, _ := e.Body["recurrence"].([]any) // It is a series.
		left.Former = append(slices.Clone(e.Former), former{Until: left.Changed, Start: e.start, Recurrence: recurrence})
	}
	e.Former, e.RecursSince, e.Changed = nil, 0, 0
	if tombstone := to.Events[e.ID]; tombstone != nil {
		to.remove(tombstone)
	}
	e.Organizer = to.organizer(r.account)
	to.add(e)
	r.touch(to, e, true)
	return left
}

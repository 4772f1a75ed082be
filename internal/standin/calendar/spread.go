package calendar

import (
	"maps"
	"reflect"
	"slices"
)

// sharedPart returns what all copies of an event have in common. The rest is each person's own: colour, busy or free,
// visibility and private properties.
func sharedPart(body object) object {
	shared := maps.Clone(body)
	for _, name := range ownProperties() {
		delete(shared, name)
	}
	if extended := objectOf(body, "extendedProperties"); extended != nil {
		delete(shared, "extendedProperties")
		if of := objectOf(extended, "shared"); of != nil {
			shared["extendedProperties"] = object{"shared": of}
		}
	}
	return shared
}

func ownProperties() []string {
	return []string{"colorId", "eventLabelId", "transparency", "visibility"}
}

// withOwn lays a person's own properties, from an older body, over what is shared.
func withOwn(shared, older object) object {
	whole := maps.Clone(shared)
	for _, name := range ownProperties() {
		if value, ok := older[name]; ok {
			whole[name] = value
		}
	}
	if private := objectOf(objectOf(older, "extendedProperties"), "private"); private != nil {
		extended := maps.Clone(objectOf(whole, "extendedProperties"))
		if extended == nil {
			extended = object{}
		}
		extended["private"] = private
		whole["extendedProperties"] = extended
	}
	return whole
}

// guests returns the rows of an event's attendees by address.
func guests(body object) map[string]object {
	list := objectsOf(body, "attendees")
	rows := make(map[string]object, len(list))
	for _, a := range list {
		rows[canonical(textOf(a, "email"))] = a
	}
	return rows
}

// mayChange says whether a guest may make this change: to the own row always, to more if the organizer allows it.
func mayChange(c *calendar, before, after object) error {
	if flagOf(before, "guestsCanModify") {
		return nil
	}
	old, fresh := sharedPart(before), sharedPart(after)
	delete(old, "attendees")
	delete(fresh, "attendees")
	if !reflect.DeepEqual(old, fresh) {
		return forbiddenForNonOrganizer()
	}
	were, are := guests(before), guests(after)
	for email, row := range were {
		if email != canonical(c.ID) && !reflect.DeepEqual(row, are[email]) {
			return forbiddenForNonOrganizer()
		}
	}
	if denied(before, "guestsCanInviteOthers") && len(are) > len(were) {
		return forbiddenForNonOrganizer()
	}
	return nil
}

// spread tells other people's calendars of a change to an event, and mails who is to be mailed. Before is the body that
// the event had, nil for a new one.
func (r *request) spread(c *calendar, e *event, before object, send updates, kind MailKind) {
	if c.organizes(e) {
		r.mailGuests(c, e, before, send, kind)
		r.propagate(c, e, before, send)
		return
	}
	r.respond(c, e, send)
}

// propagate brings the copies on guests' calendars in line with the organizer's event. A deletion that mails nobody
// leaves them as they are, which is measured and not what one would think.
func (r *request) propagate(c *calendar, e *event, before object, send updates) {
	body := c.body(e)
	if flagOf(body, "privateCopy") {
		return
	}
	are, were := guests(body), guests(before)
	all := maps.Clone(are)
	maps.Copy(all, were)
	for _, email := range slices.Sorted(maps.Keys(all)) {
		theirs := r.state.Calendars[email]
		if theirs == nil || !theirs.Primary || theirs == c {
			continue
		}
		_, stays := are[email]
		switch {
		case stays && !e.cancelled():
			r.copyTo(theirs, c, e, body)
		case stays && !send.reaches(c, email):
		default:
			r.cancelCopy(theirs, e)
		}
	}
}

// copyTo makes or renews a guest's copy of an event.
func (r *request) copyTo(theirs, c *calendar, e *event, body object) {
	copied := theirs.Events[e.ID]
	if copied != nil && copied.ICalUID != e.ICalUID {
		return
	}
	fresh := copied == nil
	if fresh {
		copied = &event{ID: e.ID, Series: e.Series, Original: e.Original, Status: e.Status}
	}
	// Who moved an event away and is among its guests has it as a guest from then on.
	fresh, copied.Moved = fresh || copied.Moved, false
	before, formerStart, formerSeries := theirs.body(copied), copied.start, copied.series
	whole := copyObject(withOwn(sharedPart(body), before))
	if textOf(guests(body)[canonical(theirs.ID)], "responseStatus") != "declined" {
		copied.Status = e.Status
	}
	if !fresh && reflect.DeepEqual(before, whole) && copied.Sequence == e.Sequence && copied.Organizer == e.Organizer {
		return
	}
	copied.ICalUID, copied.Type, copied.Created, copied.Sequence = e.ICalUID, e.Type, e.Created, e.Sequence
	copied.Creator, copied.Organizer = e.Creator, e.Organizer
	copied.start, copied.end = e.start, e.end
	if e.Series != "" {
		copied.Body = differing(theirs.Events[e.Series], whole)
	} else {
		copied.Body = whole
		// Of the organizer's zone and lines, which have been read before.
		copied.series = e.series
	}
	if theirs.Events[copied.ID] == nil {
		theirs.add(copied)
	}
	r.touch(theirs, copied, true)
	if formerSeries != nil {
		r.followSeries(theirs, copied, before, formerStart, formerSeries, change{
			times: !reflect.DeepEqual(before["recurrence"], whole["recurrence"]) || !formerStart.equal(copied.start)})
	}
	if e.isSeries() && fresh {
		for _, exception := range c.exceptionsOf(e) {
			r.copyException(theirs, c, exception)
		}
	}
}

// copyException returns who is invited to a series late the instances that differ from it.
func (r *request) copyException(theirs, c *calendar, exception *event) {
	body := c.body(exception)
	_, invited := guests(body)[canonical(theirs.ID)]
	if invited && !exception.cancelled() {
		r.copyTo(theirs, c, exception, body)
		return
	}
	r.cancelCopy(theirs, exception)
}

// cancelCopy takes an event off a guest's calendar.
func (r *request) cancelCopy(theirs *calendar, e *event) {
	copied := theirs.Events[e.ID]
	if copied == nil {
		master := theirs.Events[e.Series]
		if master == nil || !master.isSeries() {
			return
		}
		copied = r.materialise(theirs, master, *e.Original)
	}
	if copied.cancelled() || copied.ICalUID != e.ICalUID {
		return
	}
	copied.Status = statusCancelled
	r.touch(theirs, copied, true)
	if copied.isSeries() {
		r.touchExceptions(theirs, copied, false)
	}
}

// respond brings what a guest changed to the organizer's event, if the organizer is here, and from there to the others.
func (r *request) respond(c *calendar, e *event, send updates) {
	theirs := r.state.Calendars[e.Organizer.Email]
	if theirs == nil {
		theirs = r.state.Calendars[canonical(e.Organizer.Email)]
	}
	if theirs == nil {
		return
	}
	found, known := r.find(theirs, e.ID)
	if !known || found.cancelled() {
		return
	}
	original := found.stored
	if original == nil {
		original = r.materialise(theirs, found.master, found.original)
	}
	before := theirs.body(original)
	mine := c.body(e)
	var shared object
	if flagOf(before, "guestsCanModify") && !e.cancelled() {
		shared = sharedPart(mine)
		original.start, original.end = e.start, e.end
		if original.Series == "" {
			original.series = e.series
		}
	} else {
		shared = sharedPart(before)
		shared["attendees"] = answered(before, mine, canonical(c.ID), e.cancelled())
	}
	whole := copyObject(withOwn(shared, before))
	if list := objectsOf(whole, "attendees"); len(list) == 0 {
		delete(whole, "attendees")
	}
	if reflect.DeepEqual(before, whole) {
		return
	}
	if original.Series != "" {
		whole = differing(theirs.Events[original.Series], whole)
	}
	original.Body = whole
	r.touch(theirs, original, true)
	r.mailOrganizer(theirs, original, send)
	r.propagate(theirs, original, before, send)
}

// answered returns the organizer's list of attendees with a guest's own row, and whom the guest added.
func answered(organizers, guest object, email string, left bool) []any {
	were, theirs := guests(organizers), guests(guest)
	list := make([]any, 0, len(were))
	for _, a := range objectsOf(organizers, "attendees") {
		if canonical(textOf(a, "email")) == email {
			if own := theirs[email]; own != nil {
				a = own
			}
			if left {
				a = merge(a, object{"responseStatus": "declined"})
			}
		}
		list = append(list, a)
	}
	for _, a := range objectsOf(guest, "attendees") {
		if _, known := were[canonical(textOf(a, "email"))]; !known {
			list = append(list, a)
		}
	}
	return list
}

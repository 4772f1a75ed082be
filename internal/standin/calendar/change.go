package calendar

import (
	"net/http"
	"reflect"

	"almanac/internal/standin/wire"
)

// patchEvent answers calendar.events.patch: objects merge, lists replace, null erases, reminders are replaced whole.
func (r *request) patchEvent() (wire.Reply, error) {
	return r.changeEvent(func(c *calendar, found target, body object) (object, error) {
		w := found.row(c, r.switches)
		whole := merge(nil, c.body(w.event))
		delete(whole, "reminders")
		if w.original != nil {
			whole["start"], whole["end"] = w.start.stored(), w.end.stored()
			delete(whole, "recurrence")
		}
		if _, sent := body["status"]; !sent {
			whole["status"] = w.event.Status
		}
		if flagOf(body, "attendeesOmitted") {
			body = ownRowOnly(c, whole, body)
		}
		merged := merge(whole, body)
		if own, sent := body["reminders"]; sent {
			merged["reminders"] = own // Replaced whole, and a null means the defaults.
		}
		return merged, nil
	})
}

// updateEvent answers calendar.events.update: what is not in the body is gone, attendees and recurrence included.
func (r *request) updateEvent() (wire.Reply, error) {
	return r.changeEvent(func(c *calendar, found target, body object) (object, error) {
		if flagOf(body, "attendeesOmitted") {
			body = ownRowOnly(c, c.body(found.row(c, r.switches).event), body)
		}
		replaced := merge(nil, body)
		if _, sent := body["reminders"]; !sent {
			replaced["reminders"] = nil
		}
		// A conference that the client does not know of is not lost.
		version, err := r.number("conferenceDataVersion", 0, 0)
		if err != nil {
			return nil, err
		}
		if old := objectOf(c.body(found.row(c, r.switches).event), "conferenceData"); old != nil && version == 0 {
			replaced["conferenceData"] = old
		}
		return replaced, nil
	})
}

// ownRowOnly is for a client that has not seen all attendees: of its list only the calendar's own row counts.
func ownRowOnly(c *calendar, whole, body object) object {
	kept := make([]any, 0, len(objectsOf(whole, "attendees")))
	for _, a := range objectsOf(whole, "attendees") {
		if canonical(textOf(a, "email")) == canonical(c.ID) {
			for _, own := range objectsOf(body, "attendees") {
				if canonical(textOf(own, "email")) == canonical(c.ID) {
					a = own
				}
			}
		}
		kept = append(kept, a)
	}
	body = merge(nil, body)
	if len(kept) > 0 {
		body["attendees"] = kept
	}
	return body
}

// changeEvent reads a write to an event that exists, has build make the whole body that is wanted, and applies it.
func (r *request) changeEvent(build func(*calendar, target, object) (object, error)) (wire.Reply, error) {
	c, v, send, err := r.writing()
	if err != nil {
		return wire.Reply{}, err
	}
	body, err := r.readBody()
	if err != nil {
		return wire.Reply{}, err
	}
	found, known := r.find(c, r.call.Path["eventId"])
	if !known || (found.stored != nil && found.stored.Moved) {
		return wire.Reply{}, notFound()
	}
	w := found.row(c, r.switches)
	if err := r.checkMatch(w.event.etag()); err != nil {
		return wire.Reply{}, err
	}
	if kind := textOf(body, "eventType"); kind != "" && kind != w.event.Type {
		return wire.Reply{}, invalid("Event type cannot be changed.")
	}
	// The organizer is changed by move only; here it is ignored, like all that is Google's own.
	whole, err := build(c, found, body)
	if err != nil {
		return wire.Reply{}, err
	}
	d, err := r.draftOf(c, whole, w.original != nil)
	if err != nil {
		return wire.Reply{}, err
	}
	e, err := r.apply(c, found, d, send)
	if err != nil {
		return wire.Reply{}, err
	}
	return wire.Reply{Body: v.show(storedRow(c, e))}, nil
}

// apply writes a draft over what was found, and tells everyone whom it concerns.
func (r *request) apply(c *calendar, found target, d *draft, send updates) (*event, error) {
	w := found.row(c, r.switches)
	before := c.body(w.event)
	if w.original != nil {
		before = overlay(before, object{"start": w.start.stored(), "end": w.end.stored()})
	}
	change := r.compare(c, w, before, d)
	if change.shared && !c.organizes(w.event) {
		if err := mayChange(c, before, d.body); err != nil {
			return nil, err
		}
	}
	if !change.any() && found.stored != nil {
		if !r.switches.NoChangeKeepsEtag {
			r.touch(c, found.stored, true)
		}
		return found.stored, nil
	}
	e := found.stored
	if e == nil {
		e = r.materialise(c, found.master, found.original)
	}
	r.write(c, e, d, change)
	kind := MailUpdate
	if e.cancelled() {
		kind = MailCancellation
	}
	if change.shared {
		r.spread(c, e, before, send, kind)
	}
	return e, nil
}

// change is what a draft changes.
type change struct {
	body, times, recurrence, status, reminders bool
	// shared says that it concerns what others see of the event.
	shared bool
}

func (x change) any() bool { return x.body || x.times || x.status || x.reminders }

func (r *request) compare(c *calendar, w row, before object, d *draft) change {
	shown := view{calendar: c, account: r.account}
	after := row{event: w.event, start: d.start, end: d.end}
	x := change{
		body:   !reflect.DeepEqual(before, d.body),
		times:  !w.start.equal(d.start) || !w.end.equal(d.end),
		status: w.event.Status != d.status,
	}
	if d.setReminders {
		x.reminders = !d.reminders.equal(w.event.Reminders[r.account.Email])
		if w.occurrence && d.reminders == nil {
			x.reminders = !flagOf(shown.reminders(after), "useDefault")
		}
	}
	if w.original == nil {
		x.recurrence = !reflect.DeepEqual(before["recurrence"], d.body["recurrence"])
		x.times = x.times || x.recurrence
	}
	x.shared = x.status || x.times || !reflect.DeepEqual(sharedPart(before), sharedPart(d.body))
	return x
}

// write stores a draft.
func (r *request) write(c *calendar, e *event, d *draft, x change) {
	formerBody, formerStart, formerSeries := c.body(e), e.start, e.series
	if d.setReminders {
		e.setReminders(r.account.Email, d.reminders)
	}
	if e.Series != "" {
		d.body = differing(c.Events[e.Series], d.body)
		e.Body, e.start, e.end, e.Status = d.body, d.start, d.end, d.status
	} else {
		e.adopt(d)
	}
	r.conference(e, objectOf(formerBody, "conferenceData"))
	if x.times {
		e.Sequence++
	}
	r.touch(c, e, x.body || x.times || x.status)
	if e.Series == "" && formerSeries != nil {
		r.followSeries(c, e, formerBody, formerStart, formerSeries, x)
	}
}

// deleteEvent answers calendar.events.delete: 204; the second time 410.
func (r *request) deleteEvent() (wire.Reply, error) {
	c, _, send, err := r.writing()
	if err != nil {
		return wire.Reply{}, err
	}
	found, known := r.find(c, r.call.Path["eventId"])
	if !known {
		return wire.Reply{}, notFound()
	}
	if found.cancelled() {
		return wire.Reply{}, alreadyDeleted()
	}
	if err := r.checkMatch(found.row(c, r.switches).event.etag()); err != nil {
		return wire.Reply{}, err
	}
	e := found.stored
	if e == nil {
		e = r.materialise(c, found.master, found.original)
	}
	before := c.body(e)
	e.Status = statusCancelled
	r.touch(c, e, true)
	if e.isSeries() {
		r.touchExceptions(c, e, false)
	}
	r.spread(c, e, before, send, MailCancellation)
	return wire.Reply{Status: http.StatusNoContent}, nil
}

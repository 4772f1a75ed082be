package calendar

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/standin/wire"
)

// getEvent answers calendar.events.get. Tombstones are answered, with status cancelled.
func (r *request) getEvent() (wire.Reply, error) {
	c, has, err := r.pathCalendar(roleFreeBusyReader)
	if err != nil {
		return wire.Reply{}, err
	}
	v, err := r.view(c, has)
	if err != nil {
		return wire.Reply{}, err
	}
	found, known := r.find(c, r.call.Path["eventId"])
	if !known {
		return wire.Reply{}, notFound()
	}
	return wire.Reply{Body: v.show(found.row(c, r.switches))}, nil
}

// writing opens a write: the calendar, with the right to write, who looks at the answer, and who is to be mailed.
func (r *request) writing() (*calendar, view, updates, error) {
	c, has, err := r.pathCalendar(roleWriterPublic)
	if err != nil {
		return nil, view{}, "", err
	}
	v, err := r.view(c, has)
	if err != nil {
		return nil, view{}, "", err
	}
	send, err := r.sendUpdates()
	return c, v, send, err
}

// insertEvent answers calendar.events.insert, with 200 and the event.
func (r *request) insertEvent() (wire.Reply, error) {
	c, v, send, err := r.writing()
	if err != nil {
		return wire.Reply{}, err
	}
	body, err := r.readBody()
	if err != nil {
		return wire.Reply{}, err
	}
	id, err := r.freeID(c, body)
	if err != nil {
		return wire.Reply{}, err
	}
	uid := textOf(body, "iCalUID")
	if uid != "" && slices.ContainsFunc(c.inOrder, func(o *event) bool { return o.ICalUID == uid && !o.Moved }) {
		return wire.Reply{}, duplicate()
	}
	e, err := r.create(c, id, body)
	if err != nil {
		return wire.Reply{}, err
	}
	r.spread(c, e, nil, send, MailInvitation)
	return wire.Reply{Body: v.show(storedRow(c, e))}, nil
}

// freeID returns the id that a client chose, "" when it left the choice to the server. An id stays taken when its event
// is deleted.
func (r *request) freeID(c *calendar, body object) (string, error) {
	id := textOf(body, "id")
	if id == "" {
		return "", nil
	}
	if !validID(id) {
		return "", invalid("Invalid resource id value.")
	}
	if existing := c.Events[id]; existing != nil {
		return "", duplicate()
	}
	return id, nil
}

func validID(id string) bool {
	const shortest, longest = 5, 1024
	if len(id) < shortest || len(id) > longest {
		return false
	}
	return strings.IndexFunc(id, func(c rune) bool { return (c < 'a' || c > 'v') && (c < '0' || c > '9') }) < 0
}

// create makes an event of a whole body and keeps it.
func (r *request) create(c *calendar, id string, body object) (*event, error) {
	d, err := r.draftOf(c, body, false)
	if err != nil {
		return nil, err
	}
	kind, err := r.newType(c, body)
	if err != nil {
		return nil, err
	}
	if id == "" {
		id = r.state.newEventID()
	}
	uid := textOf(body, "iCalUID")
	if uid == "" {
		uid = id + "@google.com"
	}
	e := &event{
		ID: id, ICalUID: uid, Type: kind, Status: d.status,
		Created: r.now.Truncate(time.Second), Creator: person{Email: r.account.Email, Name: r.account.Name},
		Organizer: c.organizer(r.account),
	}
	if r.seeding && c.Owner != r.account.Email {
		e.Creator = e.Organizer // Of a calendar of holidays or somebody else's.
	}
	if organizer := objectOf(body, "organizer"); r.seeding && organizer != nil {
		e.Organizer = person{Email: textOf(organizer, "email"), Name: textOf(organizer, "displayName")}
	}
	e.adopt(d)
	r.conference(e, nil)
	if d.setReminders {
		e.setReminders(r.account.Email, d.reminders)
	}
	c.add(e)
	r.touch(c, e, true)
	return e, nil
}

// newType reads eventType. What only Google makes can only be seeded, and statuses of a person stand on primary
// calendars.
func (r *request) newType(c *calendar, body object) (string, error) {
	kind := textOf(body, "eventType")
	switch {
	case kind == "":
		return typeDefault, nil
	case !slices.Contains(eventTypes(), kind):
		return "", invalid("Invalid value for: eventType")
	case kind == "fromGmail" && !r.seeding:
		return "", invalid("Event type cannot be fromGmail.")
	case kind != typeDefault && !c.Primary:
		return "", invalid("Event type " + kind + " is only supported on primary calendars.")
	}
	return kind, nil
}

// organizer returns the organizer of what is made on a calendar: its person, or a secondary calendar itself.
func (c *calendar) organizer(a *account) person {
	if c.Primary {
		name := ""
		if c.Owner == a.Email {
			name = a.Name
		}
		return person{Email: c.ID, Name: name}
	}
	return person{Email: c.ID, Name: c.Summary}
}

// organizes says whether an event's organizer is the calendar it stands on. Otherwise it is a guest's copy.
func (c *calendar) organizes(e *event) bool { return canonical(e.Organizer.Email) == canonical(c.ID) }

// adopt takes over a draft, as a whole event's.
func (e *event) adopt(d *draft) {
	e.Body, e.start, e.end, e.series, e.Status = d.body, d.start, d.end, d.series, d.status
}

func (e *event) setReminders(email string, own *reminders) {
	if own == nil {
		delete(e.Reminders, email)
		return
	}
	if e.Reminders == nil {
		e.Reminders = map[string]*reminders{}
	}
	e.Reminders[email] = own
}

// touch marks a change: for who synchronizes, in the etag and, if others can see it, in updated. Every change moves the
// etag, also when the clock stands still.
func (r *request) touch(c *calendar, e *event, visible bool) {
	stamp := toMilliseconds(r.now)
	if !stamp.After(e.Stamp) {
		stamp = e.Stamp.Add(time.Millisecond)
	}
	e.Stamp = stamp
	if visible {
		e.Updated = stamp
	}
	if stamp.After(c.Updated) {
		c.Updated = stamp
	}
	c.Changes++
	if e.isSeries() && !e.Recurs && e.Changed > 0 {
		e.RecursSince = c.Changes
	}
	e.Recurs = e.isSeries()
	e.Changed = c.Changes
	r.changed = append(r.changed, eventsOf(c))
}

// quickAdd answers calendar.events.quickAdd in a trivial way: the text is the title, the time is the next full hour.
func (r *request) quickAdd() (wire.Reply, error) {
	c, v, _, err := r.writing()
	if err != nil {
		return wire.Reply{}, err
	}
	text := r.call.Query.Get("text")
	if text == "" {
		return wire.Reply{}, requiredParameter("text")
	}
	start := r.now.Truncate(time.Hour).Add(time.Hour)
	e, err := r.create(c, "", object{
		"summary": text,
		"start":   moment{At: start, Zone: c.TimeZone}.stored(),
		"end":     moment{At: start.Add(time.Hour), Zone: c.TimeZone}.stored(),
	})
	if err != nil {
		return wire.Reply{}, err
	}
	return wire.Reply{Body: v.show(storedRow(c, e))}, nil
}

// importEvent answers calendar.events.import: a private copy of an event that stands elsewhere. The organizer is kept,
// and nobody is told. An event with the same iCalUID is replaced.
func (r *request) importEvent() (wire.Reply, error) {
	c, v, _, err := r.writing()
	if err != nil {
		return wire.Reply{}, err
	}
	body, err := r.readBody()
	if err != nil {
		return wire.Reply{}, err
	}
	uid := textOf(body, "iCalUID")
	if uid == "" {
		return wire.Reply{}, required("Missing iCalUID.")
	}
	delete(body, "eventType")
	d, err := r.draftOf(c, body, false)
	if err != nil {
		return wire.Reply{}, err
	}
	same := func(o *event) bool { return o.ICalUID == uid && o.Series == "" && !o.Moved }
	var e *event
	if i := slices.IndexFunc(c.inOrder, same); i >= 0 {
		e = c.inOrder[i]
		e.adopt(d)
		r.touch(c, e, true)
	} else {
		id, err := r.freeID(c, body)
		if err != nil {
			return wire.Reply{}, err
		}
		if e, err = r.create(c, id, body); err != nil {
			return wire.Reply{}, err
		}
	}
	if organizer := objectOf(body, "organizer"); textOf(organizer, "email") != "" {
		e.Organizer = person{Email: textOf(organizer, "email"), Name: textOf(organizer, "displayName")}
	}
	if n, ok := wholeNumber(body["sequence"]); ok && n >= 0 {
		e.Sequence = int(n)
	}
	return wire.Reply{Body: v.show(storedRow(c, e))}, nil
}

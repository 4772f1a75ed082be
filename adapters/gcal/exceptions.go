package gcal

import (
	"context"
	"reflect"
	"slices"
	"time"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// PatchSeries changes a whole series, as Patch does. When its times or its recurrence change, Google keeps what was
// changed on its own under the original start that the occurrence had, beside the occurrence that the series has from
// now on: each would be there twice. So such a change goes over to the occurrence that takes its place: what was
// changed stays changed, and what was moved stays where it was moved to. Where the series has no such occurrence any
// more, the change goes with it and is listed in Dropped.
//
// Errors are as for Patch; with ErrHalfDone the series is changed and the message says what is not.
func (c *Client) PatchSeries(ctx context.Context, connection model.Connection, ref model.EventRef, p Patch,
	o ChangeOptions) (Following, error) {
	if err := p.Check(); err != nil {
		return Following{}, err
	}
	s, err := c.session(ctx, connection)
	if err != nil {
		return Following{}, err
	}
	if p.Start == nil && p.Recurrence == nil {
		after, err := s.patch(ctx, ref, p, o)
		return Following{After: &after}, err
	}
	m := &series{session: s, ref: ref}
	if m.raw, err = s.get(ctx, ref.Calendar, ref.Event, ""); err != nil {
		return Following{}, err
	}
	if m.as, err = s.event(s.calendarID(ref.Calendar), "", m.raw); err != nil {
		return Following{}, err
	}
	if o.IfVersion != "" && m.as.Version != o.IfVersion {
		return Following{}, changedMeanwhile(nil)
	}
	if m.as.IsSeries() {
		if err := m.readExceptions(ctx, whichExceptions); err != nil {
			return Following{}, err
		}
	}
	return m.patchMoved(ctx, p, o)
}

// patchMoved is PatchSeries of a series that was read with its exceptions.
func (m *series) patchMoved(ctx context.Context, p Patch, o ChangeOptions) (Following, error) {
	o.IfVersion, o.Known = m.as.Version, &m.as
	if len(m.changed) > 0 {
		if err := m.readExceptions(ctx, wholeExceptions); err != nil {
			return Following{}, err
		}
	}
	after, err := m.patch(ctx, m.ref, p, o)
	if err != nil {
		return Following{}, err
	}
	done := Following{After: &after}
	if len(m.changed)+len(m.cancelled) == 0 || p.Recurrence != nil && len(*p.Recurrence) == 0 {
		return done, nil // Google lets the exceptions go with the recurrence
	}
	if done.Dropped, done.Replaced, err = m.moveExceptions(ctx, p, o); err != nil {
		return done, halfDone("the series was changed, but not all of its occurrences that were changed on their own", err)
	}
	return done, nil
}

// moveExceptions moves the exceptions of a series that was changed to the occurrences that take their places.
func (m *series) moveExceptions(ctx context.Context, p Patch, o ChangeOptions) (dropped, replaced []string,
	err error) {
	move := carrying{series: m, to: m.ref, shift: p.Shift, send: o.SendUpdates, whole: make(map[string]bool)}
	if p.Shift != nil {
		move.named, move.retimed = p.Shift.named, true
	}
	now := m.as
	if p.Start != nil {
		now.Start, now.End = *p.Start, *p.End
	}
	if p.Recurrence != nil {
		now.Recurrence = *p.Recurrence
	}
	if err := move.goTo(ctx, now); err != nil {
		return nil, nil, err
	}
	var leave []exception // what is no exception any more
	for _, e := range slices.Concat(m.changed, m.cancelled) {
		if !move.stays(e) {
			move.whole[e.id] = true
			leave = append(leave, e)
		}
	}
	if len(leave) == 0 {
		return nil, nil, nil
	}
	if move.now, err = m.get(ctx, m.ref.Calendar, m.ref.Event, ""); err != nil {
		return nil, nil, err
	}
	written := make(map[string]bool)
	for _, e := range m.changed {
		if !move.whole[e.id] {
			continue
		}
		id, err := move.carry(ctx, e)
		switch {
		case err != nil:
			return dropped, replaced, err
		case id == "":
			dropped = append(dropped, e.id)
		default:
			replaced, written[id] = append(replaced, e.id), true
		}
	}
	for _, e := range leave {
		if !written[e.id] {
			if err := move.release(ctx, e); err != nil {
				return dropped, replaced, err
			}
		}
	}
	return dropped, replaced, nil
}

// carrying moves exceptions of a series to the occurrences that take their places: of the same series, which was
// changed, or of the one that goes on in its stead.
type carrying struct {
	*series
	to    model.EventRef
	shift *Shift
	send  model.SendUpdates
	// now is the series that they go to, as it is; set says when it occurs.
	now   *calendar.Event
	nowAs model.Event
	set   *rrule.Set
	zone  *time.Location
	// named is the original start of the occurrence by which the change was named: what the change says of it counts,
	// with retimed also when it is.
	named   model.EventTime
	retimed bool
	// whole are the ids of occurrences that have something of their own which they are to lose.
	whole map[string]bool
}

// goTo says which series the exceptions go to.
func (m *carrying) goTo(ctx context.Context, now model.Event) (err error) {
	m.nowAs = now
	zone := now.Start.Zone
	if zone == "" {
		if zone, err = m.calendarZone(ctx, m.to.Calendar); err != nil {
			return err
		}
	}
	if m.zone, err = m.client.zone(zone); err != nil {
		return err
	}
	m.set, err = rrule.Parse(now.Recurrence, ruleStart(now.Start, m.zone))
	return err
}

// place is the original start of the occurrence that takes an exception's place; false when there is none.
func (m *carrying) place(e exception) (model.EventTime, bool) {
	at, there := e.start, true
	if m.shift != nil {
		at, there = m.shift.Of(at)
	}
	return at, there && m.occurs(at)
}

func (m *carrying) occurs(at model.EventTime) bool {
	return at.AllDay() == m.nowAs.Start.AllDay() && m.set.Contains(place(at))
}

// stays reports whether an exception is that of the same occurrence as before, with what it had. One that was cancelled
// does also when it was not left out of the series that moved.
func (m *carrying) stays(e exception) bool {
	at, there := m.place(e)
	if e.isCancelled() {
		return there || m.shift == nil || sameTime(at, e.start)
	}
	return there && sameTime(at, e.start) && !(m.retimed && m.isNamed(e))
}

func (m *carrying) isNamed(e exception) bool { return !m.named.IsZero() && sameTime(e.start, m.named) }

// carry moves an exception to the occurrence that takes its place, whose id it returns; "" when there is none.
func (m *carrying) carry(ctx context.Context, e exception) (string, error) {
	at, there := m.place(e)
	if !there {
		return "", nil
	}
	instance, err := m.instanceAt(ctx, at)
	if err != nil || instance == nil {
		return "", err
	}
	return instance.Id, m.become(ctx, instance.Id, m.bodyOf(e, at, m.whole[instance.Id]))
}

// release takes from an occurrence what it had of its own, or deletes it when the series has it no more.
func (m *carrying) release(ctx context.Context, e exception) error {
	if m.occurs(e.start) {
		return m.become(ctx, e.id, m.bodyOf(exception{raw: m.raw, start: e.start, plain: true}, e.start, true))
	}
	if e.isCancelled() {
		return nil
	}
	_, err := m.sendDelete(ctx, e.of(m.to), ChangeOptions{SendUpdates: m.send})
	if model.CodeOf(err) == model.CodeNotFound { // Google may have dropped it with the change
		return nil
	}
	return err
}

// become patches an occurrence.
func (m *carrying) become(ctx context.Context, id string, body *calendar.Event) error {
	if reflect.DeepEqual(body, &calendar.Event{}) {
		return nil
	}
	mask := googleapi.Field("id")
	if answersOf(ctx) != nil {
		mask = single(wanted(ctx, 0))
	}
	var answer *calendar.Event
	_, err := changing(ctx, "events.patch", func(ctx context.Context) (err error) {
		call := m.api.Events.Patch(m.sentID(m.to.Calendar), id, body).Context(ctx).
			SendUpdates(sendUpdatesBody(m.send)).Fields(mask)
		if len(body.Attachments) > 0 {
			call.SupportsAttachments(true)
		}
		answer, err = call.Do()
		return err
	})
	if err != nil {
		return classify(err, missingEvent)
	}
	if answersOf(ctx) != nil {
		_, err = m.answered(ctx, m.to.Calendar, answer, false)
	}
	return err
}

// instanceAt asks which occurrence has an original start, cancelled or not; nil for none. What its id is only Google
// knows.
func (m *carrying) instanceAt(ctx context.Context, at model.EventTime) (*calendar.Event, error) {
	text := at.Date.String()
	if !at.AllDay() {
		text = at.At.UTC().Format(time.RFC3339)
	}
	page, err := m.api.Events.Instances(m.sentID(m.to.Calendar), m.to.Event).Context(reading(ctx, "events.instances")).
		OriginalStart(text).ShowDeleted(true).Fields("items(id)").Do()
	switch {
	case err != nil:
		return nil, classify(err, missingEvent)
	case len(page.Items) == 0:
		return nil, nil
	}
	return page.Items[0], nil
}

// ownFields are the properties that an occurrence can have in its own way, beside its times.
func ownFields() []string {
	return []string{"Summary", "Description", "Location", "ColorId", "Transparency", "Visibility", "Attendees",
		"Reminders",
		"ExtendedProperties", "Attachments", "Source", "GuestsCanInviteOthers", "GuestsCanModify", "GuestsCanSeeOtherGuests"}
}

// bodyOf is the patch that makes the occurrence with an original start what an exception was: what that had in another
// way than its series. What it had not follows the series as it is now; with whole that is said too.
func (m *carrying) bodyOf(e exception, at model.EventTime, whole bool) *calendar.Event {
	body := &calendar.Event{}
	of, was, now := reflect.ValueOf(e.raw).Elem(), reflect.ValueOf(m.raw).Elem(), reflect.ValueOf(m.now).Elem()
	named := m.isNamed(e)
	for _, name := range ownFields() {
		value, before, after := of.FieldByName(name), was.FieldByName(name).Interface(), now.FieldByName(name)
		own := !reflect.DeepEqual(value.Interface(), before) &&
			!(named && !reflect.DeepEqual(before, after.Interface())) // else the change says it
		switch {
		case !own && !whole:
			continue
		case !own:
			value = after
		}
		if value.IsZero() {
			body.NullFields = append(body.NullFields, name)
		} else {
			reflect.ValueOf(body).Elem().FieldByName(name).Set(value)
		}
	}
	start, end, own := m.timesOf(e, at, named && m.retimed)
	if own || whole {
		body.Start, body.End = m.client.patchTime(start), m.client.patchTime(end)
	}
	if whole {
		body.Status = "confirmed" // it may have been cancelled
	}
	return body
}

// timesOf are the times of an exception at its new place, and whether they are its own: it stays where it was moved to,
// and as long as it was made.
func (m *carrying) timesOf(e exception, at model.EventTime, said bool) (start, end model.EventTime, own bool) {
	length := func(of model.Event, zone *time.Location) time.Duration {
		return wall(of.End, zone).Sub(wall(of.Start, zone))
	}
	lasting := length(m.nowAs, m.zone)
	if times, err := timesIn(e.raw); err == nil && !e.plain && !said {
		if !sameTime(times.Start, e.start) {
			return times.Start, times.End, true
		}
		if took := length(times, m.series.zoneOrUTC()); took != length(m.as, m.series.zoneOrUTC()) {
			lasting, own = took, true
		}
	}
	to := wall(at, m.zone).Add(lasting)
	if at.AllDay() {
		return at, model.EventTime{Date: model.DateOf(to)}, own
	}
	at.Zone = m.zone.String()
	return at, model.EventTime{At: when.Instant(to, m.zone), Zone: at.Zone}, own
}

// timesIn are the times of an event as Google says them.
func timesIn(raw *calendar.Event) (model.Event, error) {
	start, err := readTime(raw.Start)
	if err != nil {
		return model.Event{}, err
	}
	end, err := readTime(raw.End)
	return model.Event{Start: start, End: end}, err
}

// zoneOrUTC is the series' zone, where one is known.
func (m *series) zoneOrUTC() *time.Location {
	return m.client.zoneOr(m.as.Start.Zone, m.as.CalendarZone)
}

// Of is where the occurrence of an original start is to be; false for nowhere.
func (s *Shift) Of(original model.EventTime) (model.EventTime, bool) {
	if original.AllDay() != s.wasDay {
		return original, false
	}
	at, there := s.lands(wall(original, s.oldZone))
	return s.time(at), there
}

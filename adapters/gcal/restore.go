package gcal

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"google.golang.org/api/calendar/v3"

	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/projections/rrule"
)

// FieldsToRestore are those that Restore writes, and what it must know.
const FieldsToRestore = FieldSummary | FieldDescription | FieldLocation | FieldTimes | FieldAttendees | FieldReminders |
	FieldRecurrence | FieldTransparency | FieldVisibility | FieldColor

// Whole reads an event or an occurrence as Restore needs it and, of a series, after it the occurrences that are not as
// the rule has them. Cancelled ones are read too. NOT_FOUND when there never was such an event.
func (c *Client) Whole(ctx context.Context, connection model.Connection, ref model.EventRef) ([]model.Event, error) {
	s, err := c.session(ctx, connection)
	if err != nil {
		return nil, err
	}
	root, err := s.readAny(ctx, ref, FieldsToRestore|FieldICalUID)
	if err != nil {
		return nil, err
	}
	all := []model.Event{root}
	if !root.IsSeries() || root.ICalUID == "" {
		return all, nil
	}
	exceptions, zone, err := s.exceptionsOf(ctx, root)
	if err != nil {
		return nil, err
	}
	all[0].CalendarZone = zone
	return append(all, exceptions...), nil
}

// exceptionsOf reads the occurrences of a series that were changed or cancelled, by id, and the calendar's zone.
func (s *session) exceptionsOf(ctx context.Context, root model.Event) (all []model.Event, zone string, err error) {
	ctx = reading(ctx, "events.list")
	var at paging
	for {
		call := s.api.Events.List(s.sentID(root.Ref.Calendar)).Context(ctx).ICalUID(root.ICalUID).ShowDeleted(true).
			MaxResults(largestPage).Fields(listed(FieldsToRestore))
		if at.token != "" {
			call.PageToken(at.token)
		}
		page, err := call.Do()
		if err != nil {
			return nil, "", classify(err, missingCalendar)
		}
		for _, item := range page.Items {
			if item.RecurringEventId != root.Ref.Event {
				continue
			}
			e, err := s.event(s.calendarID(root.Ref.Calendar), page.TimeZone, item)
			if err != nil {
				return nil, "", err
			}
			if all = append(all, e); len(all) > MaxEvents {
				return nil, "", tooMany()
			}
		}
		more, err := at.turn(page.NextPageToken)
		if err != nil {
			return nil, "", err
		}
		if !more {
			slices.SortFunc(all, func(a, b model.Event) int { return cmp.Compare(a.Ref.Event, b.Ref.Event) })
			return all, page.TimeZone, nil
		}
	}
}

// Restore makes an event, an occurrence or a series what it was, under its id, also when it is cancelled by now. now is
// what was seen last, the zero value for an occurrence that its rule has; CONFLICT when there is another version. Of
// times, texts, guests, reminders, recurrence, transparency, visibility and colour what is otherwise now is written,
// and nothing else: guests may not write what is the organizer's, not even as it is.
func (c *Client) Restore(ctx context.Context, connection model.Connection, was, now model.Event,
	send model.SendUpdates) (model.Event, error) {
	s, err := c.session(ctx, connection)
	if err != nil {
		return model.Event{}, err
	}
	visibility, transparent, color := was.Visibility, was.Transparent, was.ColorID
	p := Patch{
		Summary: &was.Summary, Description: &was.Description, Location: &was.Location, Reminders: &was.Reminders,
		Transparent: &transparent, Visibility: &visibility, ColorID: &color,
	}
	if !was.Start.IsZero() {
		p.Start, p.End = &was.Start, &was.End
	}
	if !was.AttendeesOmitted {
		p.Attendees = &was.Attendees
	}
	if !was.IsOccurrence() {
		p.Recurrence = &was.Recurrence
	}
	there := now.Ref == was.Ref && now.Status != model.EventCancelled
	if there {
		p = p.without(now)
	}
	body := s.client.patchBody(p)
	if !there || now.Status != was.Status {
		body.Status = "confirmed"
		if was.Status == model.EventTentative {
			body.Status = "tentative"
		}
	}
	return s.sendRestore(ctx, was, p, body, now.Version, send)
}

// without is a patch of Restore without what an event has already.
func (p Patch) without(now model.Event) Patch {
	text := func(value *string, is string) *string {
		if value != nil && *value == is {
			return nil
		}
		return value
	}
	p.Summary, p.Description = text(p.Summary, now.Summary), text(p.Description, now.Description)
	p.Location, p.ColorID = text(p.Location, now.Location), text(p.ColorID, now.ColorID)
	if p.Start != nil && reflect.DeepEqual([]model.EventTime{*p.Start, *p.End}, []model.EventTime{now.Start, now.End}) {
		p.Start, p.End = nil, nil
	}
	if p.Reminders != nil && reflect.DeepEqual(*p.Reminders, now.Reminders) {
		p.Reminders = nil
	}
	if p.Attendees != nil && reflect.DeepEqual(*p.Attendees, now.Attendees) {
		p.Attendees = nil
	}
	if p.Recurrence != nil && slices.Equal(*p.Recurrence, now.Recurrence) {
		p.Recurrence = nil
	}
	if p.Transparent != nil && *p.Transparent == now.Transparent {
		p.Transparent = nil
	}
	if p.Visibility != nil && *p.Visibility == now.Visibility {
		p.Visibility = nil
	}
	return p
}

func (s *session) sendRestore(ctx context.Context, was model.Event, p Patch, body *calendar.Event, version string,
	send model.SendUpdates) (model.Event, error) {
	var answer *calendar.Event
	unknown, err := changing(ctx, "events.patch", func(ctx context.Context) (err error) {
		call := s.api.Events.Patch(s.sentID(was.Ref.Calendar), was.Ref.Event, body).Context(ctx).
			SendUpdates(sendUpdatesBody(send)).Fields(single(wanted(ctx, FieldsToRestore)))
		if version != "" {
			call.Header().Set("If-Match", version)
		}
		answer, err = call.Do()
		return err
	})
	if err == nil {
		e, err := s.answered(ctx, was.Ref.Calendar, answer, false)
		if err != nil {
			return model.Event{}, unknownOutcome(err)
		}
		return e, nil
	}
	if unknown { // the change may have been made, and its answer lost
		now, readErr := s.readAny(ctx, was.Ref, wanted(ctx, FieldsToRestore))
		switch {
		case readErr != nil:
			return model.Event{}, unknownOutcome(err)
		case now.Status != model.EventCancelled && p.isIn(now, s.connection.Account):
			noted(ctx, Answer{Event: now}, true)
			return now, nil
		}
	}
	if google.IsPrecondition(err) {
		return model.Event{}, changedMeanwhile(err)
	}
	return model.Event{}, classify(err, missingEvent)
}

// PlainOccurrence is an occurrence of a series as its rule has it, by its original start; ok is false when the rule has
// none there. It has no version.
func (c *Client) PlainOccurrence(of model.Event, ref model.EventRef, original model.EventTime) (e model.Event,
	ok bool, err error) {
	zone, err := c.zone(cmp.Or(of.Start.Zone, of.CalendarZone))
	if err != nil {
		return e, false, err
	}
	set, err := rrule.Parse(of.Recurrence, ruleStart(of.Start, zone))
	if err != nil || !set.Contains(place(original)) {
		return e, false, err
	}
	e = of
	e.Ref, e.Version, e.Recurrence = ref, "", nil
	e.RecurringEventID, e.OriginalStart = of.Ref.Event, original
	e.Start, e.End = (&series{as: of, zone: zone}).timesAt(original)
	return e, true, nil
}

// IsIn reports whether an event, read through an account with the patch's fields, has all that the patch says.
func (p Patch) IsIn(e model.Event, account string) bool { return p.isIn(e, account) }

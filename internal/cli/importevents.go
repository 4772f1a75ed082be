package cli

import (
	"context"
	"strconv"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/when"
	"almanac/resolvers/memories"
)

// importedCalendar is what events must know of their calendar.
type importedCalendar struct {
	// number is the calendar's here.
	number int
	zone   *time.Location
}

// calendarIn is a calendar of a file.
type calendarIn struct {
	id string
	model.KeptCalendar
	published bool
}

func (w *intake) readCalendar(data []byte) (out calendarIn, err error) {
	var in exportedCalendar
	if err := decode(data, &in); err != nil {
		return out, err
	}
	var c checks
	oneOf(&c, "source", in.Source, model.CalendarOwn, model.CalendarFeed)
	c.text("summary", in.Summary, model.MaxCalendarName)
	c.label("description", in.Description, model.MaxCalendarDescription)
	c.text("timeZone", in.TimeZone, maxZone)
	c.zone("timeZone", in.TimeZone)
	c.at("createdAt", in.CreatedAt)
	c.at("updatedAt", in.UpdatedAt)
	id, err := model.ParseID(in.ID)
	number := 0
	if err == nil {
		var ref model.CalendarRef
		ref, err = model.CalendarRefOf(id)
		number, _ = ref.OwnNumber()
	}
	if err != nil || number < 1 || number > maxNumber {
		c.refuse("id", "%q is no id of an own calendar", model.Clip(in.ID))
	}
	if c.err != nil {
		return out, c.err
	}
	out = calendarIn{id: in.ID, published: len(in.Published) > 0, KeptCalendar: model.KeptCalendar{Number: number,
		Source: in.Source, Name: in.Summary, Description: in.Description, Zone: in.TimeZone, Followed: in.Selected,
		Selected: true, Reminders: c.reminders("defaultReminders", in.DefaultReminders), Role: model.RoleOwner,
		State: model.CalendarKept, Version: in.Version, CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt}}
	zone, err := when.LoadZone(in.TimeZone)
	if in.Source == model.CalendarOwn {
		w.calendars[in.ID] = importedCalendar{zone: zone}
	}
	if c.err == nil {
		c.err = err
	}
	return out, c.err
}

func (c *checks) reminders(field string, in []exportedReminder) (out []model.Reminder) {
	c.most(field, len(in), model.MaxReminders)
	for _, r := range in {
		oneOf(c, field, r.Method, model.RemindByPopup, model.RemindByEmail)
		if r.Minutes < 0 || r.Minutes > model.MaxReminderMinutes {
			c.refuse(field, "a reminder comes 0 to %d minutes before the start", model.MaxReminderMinutes)
		}
		out = append(out, model.Reminder{Method: r.Method, Minutes: r.Minutes})
	}
	return out
}

// writeCalendars adds own calendars, under their numbers where these are free. One that was made at the same moment is
// the same calendar.
func (w *intake) writeCalendars(ctx context.Context, tx store.Tx, all []calendarIn) (fates []memories.ImportedAs,
	err error) {
	there, err := tx.KeptCalendars(ctx, w.user)
	if err != nil {
		return nil, err
	}
	made := map[time.Time]int{}
	for _, calendar := range there {
		if calendar.Source == model.CalendarOwn {
			made[calendar.CreatedAt] = calendar.Number
		}
	}
	for _, in := range all {
		if in.Source != model.CalendarOwn {
			w.note("left out: the subscribed calendar %q; its address is secret, so subscribe to it again", in.Name)
			continue
		}
		at := in.CreatedAt.UTC().Truncate(time.Microsecond)
		number, known := made[at]
		fate := memories.ImportedAlready
		if !known {
			fate = memories.Imported
			version, _ := strconv.ParseInt(in.Version, 10, 64) // another form is never one of the store's
			if err := tx.SkipNumbers(ctx, store.Numbers{Calendars: int64(in.Number) - 1, Events: version}); err != nil {
				return nil, err
			}
			kept, err := tx.InsertCalendar(ctx, in.KeptCalendar)
			if err != nil {
				return nil, err
			}
			number = kept.Number
			made[at] = number
			if in.published {
				w.note("not published here: %q; addresses are secret, so publish it again", in.Name)
			}
		}
		fates = append(fates, fate)
		if number != in.Number && !known {
			w.note("the calendar %q and its events have other ids here", in.Name)
		}
		if err := w.keepDefault(ctx, tx, in.id, number); err != nil {
			return nil, err
		}
		of := w.calendars[in.id]
		of.number = number
		w.calendars[in.id] = of
	}
	return fates, nil
}

// keepDefault lets new events go on to the same calendar, where that has another id here.
func (w *intake) keepDefault(ctx context.Context, tx store.Tx, id string, number int) error {
	here := model.OwnCalendar(number).ID().String()
	if !w.fresh || w.head == nil || w.head.DefaultCalendar != id || here == id {
		return nil
	}
	user, err := w.User(ctx, w.user)
	if err != nil || user.Settings.DefaultCalendar != id {
		return err
	}
	user.Settings.DefaultCalendar = here
	return tx.SaveSettings(ctx, user.Settings)
}

// eventIn is an event of a file, and its calendar there.
type eventIn struct {
	calendar string
	row      model.EventRow
}

func (w *intake) readEvent(data []byte) (out eventIn, err error) {
	var in exportedEvent
	if err := decode(data, &in); err != nil {
		return out, err
	}
	of, known := w.calendars[in.CalendarID]
	var c checks
	if !known {
		c.refuse("calendarId", "%q is none of the own calendars before it", model.Clip(in.CalendarID))
	}
	row := model.EventRow{ID: c.event("id", in.ID, in.CalendarID), Kind: in.Kind, Overrides: in.Overrides,
		Recurrence: in.Recurrence, Summary: in.Summary, Status: in.Status, Type: in.EventType,
		Transparent: in.Transparent, Declined: in.Declined, UID: in.ICalUID, Version: in.Version, UpdatedAt: in.UpdatedAt}
	oneOf(&c, "kind", in.Kind, model.EventSingle, model.EventSeries, model.EventChanged, model.EventDropped)
	oneOf(&c, "status", in.Status, model.EventConfirmed, model.EventTentative, model.EventCancelled)
	oneOf(&c, "eventType", in.EventType, model.EventDefault, model.EventBirthday, model.EventFocusTime,
		model.EventFromGmail, model.EventOutOfOffice, model.EventWorkingLocation, model.EventUnknownType)
	c.label("summary", in.Summary, model.MaxEventSummary)
	c.text("version", in.Version, model.MaxEventSummary)
	c.at("updatedAt", in.UpdatedAt)
	c.eventTimes(&row, in)
	row.Body = c.body(in, row)
	if in.Kind == model.EventSeries && c.err == nil {
		row.LastsUntil, c.err = w.rules.LastsUntil(row, of.zone)
	}
	return eventIn{in.CalendarID, row}, c.err
}

// event reads the id of an event of a calendar.
func (c *checks) event(field, text, calendar string) string {
	id, err := model.ParseID(text)
	var ref model.EventRef
	if err == nil {
		ref, err = model.EventRefOf(id)
	}
	if err != nil || ref.CalendarRef().ID().String() != calendar {
		c.refuse(field, "%q is no id of an event of its calendar", model.Clip(text))
	}
	return ref.Event
}

// eventTimes reads when an event is.
func (c *checks) eventTimes(row *model.EventRow, in exportedEvent) {
	row.StartsAt, row.AllDay = c.eventTime("start", in.Start)
	row.EndsAt, _ = c.eventTime("end", in.End)
	row.OriginalAt, row.OriginalIsDay = c.eventTime("originalStart", in.OriginalStart)
	switch {
	case row.Kind.IsException() != (in.RecurringEventID != ""), row.Kind.IsException() == row.OriginalAt.IsZero():
		c.refuse("recurringEventId", "an exception, and nothing else, has a series and its original start")
	case in.Kind != model.EventDropped && (in.Start == nil || in.End == nil || row.EndsAt.Before(row.StartsAt)):
		c.refuse("end", "an event has a start, and an end that is not before it")
	case in.Start == nil:
		row.AllDay = row.OriginalIsDay
	}
	if row.Kind.IsException() {
		row.Series = c.event("recurringEventId", in.RecurringEventID, in.CalendarID)
	}
	for _, said := range []*exportedTime{in.Start, in.OriginalStart} {
		if said != nil && said.Date == "" {
			row.Zone, row.Floating = said.TimeZone, said.Floating
			break
		}
	}
}

// eventTime reads a time as rows keep it; zero for none.
func (c *checks) eventTime(field string, in *exportedTime) (at time.Time, isDay bool) {
	switch {
	case in == nil:
		return at, false
	case in.Date != "":
		date, err := model.ParseDate(in.Date)
		if err != nil {
			c.refuse(field, "%v", err)
		}
		return date.Midnight(), true
	}
	c.at(field, in.DateTime)
	c.zone(field, in.TimeZone)
	return in.DateTime.UTC(), false
}

// body reads what lists of events do not show.
func (c *checks) body(in exportedEvent, row model.EventRow) *model.EventBody {
	c.label("description", in.Description, model.MaxEventDescription)
	c.label("location", in.Location, model.MaxEventLocation)
	if in.Visibility != "" {
		oneOf(c, "visibility", in.Visibility, model.VisibilityDefault, model.VisibilityPublic, model.VisibilityPrivate,
			model.VisibilityConfidential)
	}
	body := &model.EventBody{Description: in.Description, Location: in.Location, Organizer: personIn(in.Organizer),
		Creator: personIn(in.Creator), Reminders: model.Reminders{UseDefault: in.DefaultReminders,
			Overrides: c.reminders("reminders", in.Reminders)},
		HTMLLink: in.HTMLLink, MeetingURL: in.MeetingURL, Visibility: in.Visibility, ColorID: in.ColorID,
		Sequence: in.Sequence, Stamp: in.Stamp, URL: in.URL, Categories: in.Categories, CreatedAt: in.CreatedAt}
	if in.End != nil && in.End.TimeZone != row.Zone {
		body.EndZone = in.End.TimeZone
	}
	for _, guest := range in.Attendees {
		body.Attendees = append(body.Attendees, model.Attendee{Email: guest.Email, Name: guest.Name, Self: guest.Self,
			Status: guest.ResponseStatus, Optional: guest.Optional, Organizer: guest.Organizer, Resource: guest.Resource,
			Comment: guest.Comment})
	}
	return body
}

func personIn(p *exportedPerson) *model.Person {
	if p == nil {
		return nil
	}
	return &model.Person{Email: p.Email, Name: p.Name}
}

func (w *intake) writeEvents(ctx context.Context, tx store.Tx, all []eventIn) ([]memories.ImportedAs, error) {
	keys := make([]model.EventKey, len(all))
	for i := range all {
		all[i].row.Calendar = w.calendars[all[i].calendar].number
		keys[i] = all[i].row.Key()
	}
	found, err := tx.EventsByKey(ctx, w.user, keys, 0)
	if err != nil {
		return nil, err
	}
	known := map[model.EventKey]bool{}
	for _, row := range found {
		known[row.Key()] = row.Kind != model.EventTombstone
	}
	fates := make([]memories.ImportedAs, len(all))
	var fresh []model.EventRow
	var numbers store.Numbers
	for i, in := range all {
		if fates[i] = memories.ImportedAlready; !known[keys[i]] {
			known[keys[i]], fates[i] = true, memories.Imported
			fresh = append(fresh, in.row)
			version, _ := strconv.ParseInt(in.row.Version, 10, 64) // another form is never one of the store's
			numbers.Events = max(numbers.Events, version)
		}
	}
	if len(fresh) == 0 {
		return fates, nil
	}
	if err := tx.SkipNumbers(ctx, numbers); err != nil {
		return nil, err
	}
	_, err = tx.SaveEvents(ctx, fresh)
	return fates, err
}

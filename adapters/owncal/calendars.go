package owncal

import (
	"context"
	"errors"
	"strings"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/when"
)

// NewCalendar says what a calendar is to be. Texts are trimmed.
type NewCalendar struct {
	Summary, Description string
	TimeZone             string // IANA
	Reminders            []model.Reminder
}

// CalendarPatch says what to change of a calendar; nil leaves it as it is.
type CalendarPatch struct {
	Summary, Description, TimeZone *string
	Reminders                      *[]model.Reminder
	// Followed: it is read when nobody names calendars.
	Followed *bool
	// IfVersion is the version that it must still have; empty for any.
	IfVersion string
}

// CreateCalendar makes a calendar. BAD_USER_INPUT, and when the user has model.MaxKeptCalendars of them.
func (c *Client) CreateCalendar(ctx context.Context, user model.UserID, n NewCalendar) (made model.KeptCalendar,
	err error) {
	made = model.KeptCalendar{Source: model.CalendarOwn, Name: strings.TrimSpace(n.Summary), Zone: n.TimeZone,
		Description: strings.TrimSpace(n.Description), Reminders: n.Reminders, Role: model.RoleOwner,
		State: model.CalendarKept, Followed: true, Selected: true}
	made.CreatedAt = c.Now()
	made.UpdatedAt = made.CreatedAt
	if err := checkCalendar(made); err != nil {
		return made, err
	}
	err = c.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) (err error) {
		made, err = tx.InsertCalendar(ctx, made)
		return err
	})
	if errors.Is(err, store.ErrConflict) {
		return made, model.BadInput("", "you have %d calendars, and there can be no more; delete one first",
			model.MaxKeptCalendars)
	}
	return made, err
}

func checkCalendar(c model.KeptCalendar) error {
	switch {
	case c.Name == "":
		return model.BadInput("summary", "a calendar needs a name")
	case len(c.Name) > model.MaxCalendarName:
		return model.BadInput("summary", "a calendar's name has at most %d bytes", model.MaxCalendarName)
	case len(c.Description) > model.MaxCalendarDescription:
		return model.BadInput("description", "a calendar's description has at most %d bytes", model.MaxCalendarDescription)
	case len(c.Reminders) > model.MaxReminders:
		return model.BadInput("reminders", "a calendar has at most %d reminders", model.MaxReminders)
	}
	for _, r := range c.Reminders {
		if r.Minutes < 0 || r.Minutes > model.MaxReminderMinutes {
			return model.BadInput("reminders", "a reminder comes 0 to %d minutes before the start", model.MaxReminderMinutes)
		}
	}
	if _, err := when.LoadZone(c.Zone); err != nil {
		return model.BadInput("timeZone", "%q is not a time zone", model.Clip(c.Zone))
	}
	return nil
}

// UpdateCalendar changes an own calendar, and returns it as it was and as it is. NOT_FOUND; CONFLICT when it has
// another version; BAD_USER_INPUT.
//
// Events that name no zone of their own, days and floating events, follow a new zone of their calendar.
func (c *Client) UpdateCalendar(ctx context.Context, user model.UserID, ref model.CalendarRef,
	p CalendarPatch) (before, after model.KeptCalendar, err error) {
	err = c.own(ctx, user, ref, func(ctx context.Context, d *handle) error {
		before, after = d.calendar, d.calendar
		if p.IfVersion != "" && after.Version != p.IfVersion {
			return model.Errorf(model.CodeConflict, "the calendar has been changed: its version is %s now; read it again",
				after.Version)
		}
		set(&after.Name, trimmed(p.Summary))
		set(&after.Description, trimmed(p.Description))
		set(&after.Zone, p.TimeZone)
		set(&after.Reminders, p.Reminders)
		set(&after.Followed, p.Followed)
		if err := checkCalendar(after); err != nil {
			return err
		}
		after.UpdatedAt = c.Now()
		after.Version, err = d.tx.UpdateCalendar(ctx, after)
		return err
	})
	return before, after, err
}

func trimmed(text *string) *string {
	if text == nil {
		return nil
	}
	clean := strings.TrimSpace(*text)
	return &clean
}

// CountEvents returns an own calendar and how many single events and series it has. NOT_FOUND.
func (c *Client) CountEvents(ctx context.Context, user model.UserID,
	ref model.CalendarRef) (calendar model.KeptCalendar, events int, err error) {
	if ref.Connection != 0 {
		return calendar, 0, noCalendar()
	}
	d, err := c.handle(ctx, c.Store, user, ref.Calendar)
	if err != nil {
		return calendar, 0, err
	}
	events, err = c.Store.CountEvents(ctx, user, d.calendar.Number)
	return d.calendar, events, err
}

// DeleteCalendar deletes an own calendar with all its events, and returns it as it was. Nobody sees it when this
// returns; its events are erased by store.EventEraser. NOT_FOUND.
func (c *Client) DeleteCalendar(ctx context.Context, user model.UserID,
	ref model.CalendarRef) (deleted model.KeptCalendar, err error) {
	err = c.own(ctx, user, ref, func(ctx context.Context, d *handle) error {
		deleted = d.calendar
		return d.tx.DeleteCalendar(ctx, deleted.Number, c.Now())
	})
	return deleted, err
}

// own is transact of a calendar that is named by a reference.
func (c *Client) own(ctx context.Context, user model.UserID, ref model.CalendarRef,
	fn func(ctx context.Context, d *handle) error) error {
	if ref.Connection != 0 {
		return noCalendar()
	}
	return c.transact(ctx, user, ref.Calendar, fn)
}

// First returns the first own calendar of the user, which is made when there is none.
func (c *Client) First(ctx context.Context, user model.UserID, otherwise NewCalendar) (first model.KeptCalendar,
	err error) {
	err = c.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		all, err := tx.KeptCalendars(ctx, user)
		if err != nil {
			return err
		}
		for _, calendar := range all {
			if calendar.Source == model.CalendarOwn {
				first = calendar
				return nil
			}
		}
		first, err = c.CreateCalendar(ctx, user, otherwise)
		return err
	})
	return first, err
}

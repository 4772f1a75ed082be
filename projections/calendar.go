package projections

import (
	"cmp"

	"almanac/graph/model"
)

// Calendar is one calendar, own or of a linked account.
type Calendar struct{ record model.Calendar }

// CalendarOf returns the calendar's view.
func CalendarOf(record model.Calendar) Calendar { return Calendar{record: record} }

// IsNode marks a calendar as a Node.
func (Calendar) IsNode() {}

// Record is the calendar itself.
func (c Calendar) Record() model.Calendar { return c.record }

// ID is the public id.
func (c Calendar) ID() model.ID { return c.record.Ref.ID() }

// Source is where its events come from.
func (c Calendar) Source() model.CalendarSource { return cmp.Or(c.record.Source, model.CalendarGoogle) }

// SourceID is the remote's own id, of the primary calendar the account's address; nil for an own calendar.
func (c Calendar) SourceID() *string {
	switch {
	case c.record.Ref.Connection == 0:
		return nil
	case c.record.Ref.Calendar == "":
		return &c.record.Account
	}
	return &c.record.Ref.Calendar
}

// Account is the linked account that it is seen through; nil for an own calendar.
func (c Calendar) Account() *string { return optional(c.record.Account) }

// Summary is its name.
func (c Calendar) Summary() string { return c.record.Summary }

// Description is what it is for.
func (c Calendar) Description() *string { return optional(c.record.Description) }

// TimeZone is the zone in which its all-day events lie.
func (c Calendar) TimeZone() string { return c.record.TimeZone }

// Primary reports whether it is the account's main one.
func (c Calendar) Primary() bool { return c.record.Primary }

// Selected reports whether the account's user has it on their screen.
func (c Calendar) Selected() bool { return c.record.Selected }

// AccessRole is what the account may do with it.
func (c Calendar) AccessRole() model.AccessRole { return c.record.AccessRole }

// Writable reports whether events can be added and changed.
func (c Calendar) Writable() bool { return c.record.AccessRole.MayWrite() }

// BackgroundColor is its colour.
func (c Calendar) BackgroundColor() *string { return optional(c.record.BackgroundColor) }

// ForegroundColor is the colour of text upon it.
func (c Calendar) ForegroundColor() *string { return optional(c.record.ForegroundColor) }

// DefaultReminders are how its events remind unless they say otherwise.
func (c Calendar) DefaultReminders() []EventReminder { return reminders(c.record.DefaultReminders) }

// Followed reports whether it is kept, or to be; an own one, whether it is read where none is named.
func (c Calendar) Followed() bool { return c.record.Followed }

// State is how far it is kept.
func (c Calendar) State() model.CalendarState { return cmp.Or(c.record.State, model.CalendarNew) }

// AsOf is when what is kept was last known to be what its source has; nil when nothing is, and in an own calendar.
func (c Calendar) AsOf() *model.DateTime {
	if c.record.AsOf.IsZero() {
		return nil
	}
	at := model.DateTime{Time: c.record.AsOf}
	return &at
}

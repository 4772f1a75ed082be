package projections

import "almanac/graph/model"

// Calendar is one calendar of a linked account.
type Calendar struct{ noun model.Calendar }

// CalendarOf gives the calendar's view.
func CalendarOf(noun model.Calendar) Calendar { return Calendar{noun: noun} }

// IsNode marks a calendar as a Node.
func (Calendar) IsNode() {}

// Noun is the calendar itself.
func (c Calendar) Noun() model.Calendar { return c.noun }

// ID is the public id.
func (c Calendar) ID() model.ID { return c.noun.Ref.ID() }

// SourceID is the remote's own id; of the primary calendar the account's address.
func (c Calendar) SourceID() string {
	if c.noun.Ref.Calendar == "" {
		return c.noun.Account
	}
	return c.noun.Ref.Calendar
}

// Account is the linked account that it is seen through.
func (c Calendar) Account() string { return c.noun.Account }

// Summary is its name.
func (c Calendar) Summary() string { return c.noun.Summary }

// Description is what it is for.
func (c Calendar) Description() *string { return optional(c.noun.Description) }

// TimeZone is the zone in which its all-day events lie.
func (c Calendar) TimeZone() string { return c.noun.TimeZone }

// Primary tells whether it is the account's main one.
func (c Calendar) Primary() bool { return c.noun.Primary }

// Selected tells whether the account's user has it on their screen.
func (c Calendar) Selected() bool { return c.noun.Selected }

// AccessRole is what the account may do with it.
func (c Calendar) AccessRole() model.AccessRole { return c.noun.AccessRole }

// Writable tells whether events can be added and changed.
func (c Calendar) Writable() bool { return c.noun.AccessRole.MayWrite() }

// BackgroundColor is its colour.
func (c Calendar) BackgroundColor() *string { return optional(c.noun.BackgroundColor) }

// ForegroundColor is the colour of text upon it.
func (c Calendar) ForegroundColor() *string { return optional(c.noun.ForegroundColor) }

// DefaultReminders are how its events remind unless they say otherwise.
func (c Calendar) DefaultReminders() []EventReminder { return reminders(c.noun.DefaultReminders) }

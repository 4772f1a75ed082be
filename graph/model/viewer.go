package model

import "time"

// Settings are what a user prefers; a request may override zone and locale by its headers.
type Settings struct {
	// TimeZone is an IANA name, "Asia/Jerusalem".
	TimeZone string
	// Locale is "en" or "he".
	Locale    string
	WeekStart Weekday
	// DefaultCalendar is the id of the calendar that new events go to; empty for none.
	DefaultCalendar string
}

// DefaultCalendarID is DefaultCalendar, nil for none.
func (s Settings) DefaultCalendarID() *string {
	if s.DefaultCalendar == "" {
		return nil
	}
	return &s.DefaultCalendar
}

// User is one tenant.
type User struct {
	ID       UserID
	Subject  string
	Email    string
	Settings Settings
	// CreatedAt is when the user was first seen.
	CreatedAt time.Time
	// DisabledAt is since when the user is refused; zero for a user who is not.
	DisabledAt time.Time
}

// Weekday is a day of the week.
type Weekday string

// The days, in the order of time.Weekday.
const (
	Sunday    Weekday = "SUNDAY"
	Monday    Weekday = "MONDAY"
	Tuesday   Weekday = "TUESDAY"
	Wednesday Weekday = "WEDNESDAY"
	Thursday  Weekday = "THURSDAY"
	Friday    Weekday = "FRIDAY"
	Saturday  Weekday = "SATURDAY"
)

var weekdays = [...]Weekday{Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday}

// WeekdayOf turns the standard library's weekday into ours.
func WeekdayOf(d time.Weekday) Weekday { return weekdays[d] }

// Time turns the weekday into the standard library's; Sunday for a value that is no weekday.
func (w Weekday) Time() time.Weekday {
	for i, name := range weekdays {
		if name == w {
			return time.Weekday(i)
		}
	}
	return time.Sunday
}

// Valid reports whether w is one of the seven.
func (w Weekday) Valid() bool {
	return weekdays[w.Time()] == w
}

package calendar

import "slices"

// role is what an account may do with a calendar.
type role string

// The roles, from least to most.
const (
	roleNone           role = "none"
	roleFreeBusyReader role = "freeBusyReader"
	roleReader         role = "reader"
	roleWriterPublic   role = "writerWithoutPrivateAccess"
	roleWriter         role = "writer"
	roleOwner          role = "owner"
)

// rank orders roles; an unknown one ranks as none.
func (a role) rank() int {
	return max(0, slices.Index([]role{roleNone, roleFreeBusyReader, roleReader, roleWriterPublic, roleWriter, roleOwner},
		a))
}

func (a role) atLeast(o role) bool { return a.rank() >= o.rank() }

// seesPrivate says whether details of private events are shown.
func (a role) seesPrivate() bool { return a.atLeast(roleWriter) }

// roleOf returns what an account may do with a calendar.
func (c *calendar) roleOf(email string) role {
	if given, ok := c.Rights[email]; ok {
		return given
	}
	if everyone, ok := c.Rights[""]; ok {
		return everyone
	}
	return roleNone
}

// calendar returns the calendar that an id of a request names, for who has at least the role.
func (r *request) calendar(id string, need role) (*calendar, role, error) {
	if id == "primary" {
		id = r.account.Email
	}
	c, known := r.state.Calendars[id]
	if !known {
		c, known = r.state.Calendars[canonical(id)]
	}
	if !known {
		return nil, roleNone, notFound()
	}
	has := c.roleOf(r.account.Email)
	switch {
	case !has.atLeast(roleFreeBusyReader):
		return nil, roleNone, notFound()
	case !has.atLeast(need) && !r.seeding:
		if need == roleWriterPublic {
			need = roleWriter
		}
		return nil, roleNone, requiredAccessLevel(need)
	}
	return c, has, nil
}

// pathCalendar returns the calendar of the request's path.
func (r *request) pathCalendar(need role) (*calendar, role, error) {
	return r.calendar(r.call.Path["calendarId"], need)
}

package calendar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/standin/wire"
	"almanac/projections/when"
)

// Account is a person to add.
type Account struct {
	// Email is the id of the primary calendar too.
	Email string
	Name  string
	// TimeZone is an IANA name, of the person's settings and of the primary calendar; UTC when empty.
	TimeZone string
	// Locale is a language of the settings; "en" when empty.
	Locale string
	// DefaultReminders are of the primary calendar; nil means one popup 10 minutes before, as Google begins.
	DefaultReminders []Reminder
	// ServiceAccount marks an account that may not invite guests.
	ServiceAccount bool
}

// Calendar is a calendar to add to an account's list.
type Calendar struct {
	// ID is chosen when empty.
	ID          string
	Summary     string
	Description string
	Location    string
	// TimeZone is an IANA name; the account's when empty.
	TimeZone string
	// AccessRole is what the account may do: owner when empty. Any other makes it a calendar of somebody else.
	AccessRole       string
	DefaultReminders []Reminder
	// Selected and Hidden are of the account's list.
	Selected, Hidden bool
	ColorID          string
	// WithoutPush refuses push channels.
	WithoutPush bool
	// Primary is set on what Calendars returns; AddCalendar does not look at it, as every account has its primary
	// calendar.
	Primary bool
}

// AddAccount makes an account with its primary calendar. Adding one again is an error, as are an unknown zone and an
// address that is none.
func (s *Service) AddAccount(a Account) error {
	email := canonical(a.Email)
	if !looksLikeEmail(email) {
		return fmt.Errorf("add an account: %q is no e-mail address", a.Email)
	}
	if a.TimeZone == "" {
		a.TimeZone = "UTC"
	}
	if a.Locale == "" {
		a.Locale = "en"
	}
	zone, err := when.LoadZone(a.TimeZone)
	if err != nil {
		return fmt.Errorf("add an account: %w", err)
	}
	if a.DefaultReminders == nil {
		a.DefaultReminders = []Reminder{{Method: "popup", Minutes: 10}}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Accounts[email] != nil {
		return fmt.Errorf("add an account: %s is there already", email)
	}
	person := &account{
		Email: email, Name: a.Name, ServiceAccount: a.ServiceAccount,
		Settings: settingsFor(a.TimeZone, a.Locale), Entries: map[string]*entry{},
	}
	s.state.Accounts[email] = person
	c := &calendar{
		ID: email, Summary: email, TimeZone: a.TimeZone, Owner: email, Primary: true,
		Rights: map[string]role{email: roleOwner},
		Events: map[string]*event{}, exceptions: map[string]map[string]*event{}, Updated: toMilliseconds(s.now()), zone: zone,
	}
	s.state.Calendars[email] = c
	person.list(c, &entry{Selected: true, ColorID: "14", DefaultReminders: a.DefaultReminders})
	return nil
}

// list puts a calendar on an account's list.
func (a *account) list(c *calendar, line *entry) {
	a.Changes++
	line.Calendar, line.Changed, line.Order = c.ID, a.Changes, a.Changes
	if old := a.Entries[c.ID]; old != nil {
		line.Order = old.Order
	}
	if line.ColorID == "" {
		line.ColorID = "15"
	}
	a.Entries[c.ID] = line
}

// AddCalendar puts a new calendar on an account's list and returns its id.
func (s *Service) AddCalendar(email string, given Calendar) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	person := s.state.Accounts[canonical(email)]
	if person == nil {
		return "", fmt.Errorf("add a calendar: no account %s", email)
	}
	if given.TimeZone == "" {
		given.TimeZone = s.state.Calendars[person.Email].TimeZone
	}
	zone, err := when.LoadZone(given.TimeZone)
	if err != nil {
		return "", fmt.Errorf("add a calendar: %w", err)
	}
	has := role(given.AccessRole)
	if has == "" {
		has = roleOwner
	}
	if !has.atLeast(roleFreeBusyReader) {
		return "", fmt.Errorf("add a calendar: unknown role %q", given.AccessRole)
	}
	if given.ID == "" {
		given.ID = s.state.newCalendarID()
	}
	if s.state.Calendars[given.ID] != nil {
		return "", fmt.Errorf("add a calendar: %s is there already", given.ID)
	}
	c := &calendar{
		ID: given.ID, Summary: given.Summary, Description: given.Description, Location: given.Location,
		TimeZone: given.TimeZone, Rights: map[string]role{person.Email: has}, zone: zone,
		Events: map[string]*event{}, exceptions: map[string]map[string]*event{}, Updated: toMilliseconds(s.now()),
	}
	c.WithoutPush = given.WithoutPush
	if has == roleOwner {
		c.Owner = person.Email
	}
	s.state.Calendars[c.ID] = c
	person.list(c, &entry{
		Selected: given.Selected, Hidden: given.Hidden, ColorID: given.ColorID,
		DefaultReminders: slices.Clone(given.DefaultReminders),
	})
	return c.ID, nil
}

// Share returns an account a role on somebody's calendar and puts it on the account's list; "none" takes both away. An
// empty address stands for everyone, and lists nothing.
func (s *Service) Share(calendarID, email, access string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.state.Calendars[calendarID]
	if c == nil {
		return fmt.Errorf("share a calendar: no calendar %s", calendarID)
	}
	given, who := role(access), canonical(email)
	if given != roleNone && !given.atLeast(roleFreeBusyReader) {
		return fmt.Errorf("share a calendar: unknown role %q", access)
	}
	person := s.state.Accounts[who]
	if who != "" && person == nil {
		return fmt.Errorf("share a calendar: no account %s", email)
	}
	c.Revision++
	if c.RightsChanged == nil {
		c.RightsChanged = map[string]uint64{}
	}
	c.RightsChanged[who]++
	if given == roleNone {
		delete(c.Rights, who)
		if person != nil {
			person.unlist(c.ID)
		}
		return nil
	}
	c.Rights[who] = given
	if person != nil && (person.Entries[c.ID] == nil || person.Entries[c.ID].Deleted) {
		person.list(c, &entry{Selected: true})
	}
	return nil
}

// unlist takes a calendar off an account's list and leaves a tombstone for who synchronizes.
func (a *account) unlist(id string) {
	if line := a.Entries[id]; line != nil && !line.Deleted {
		a.Changes++
		line.Deleted, line.Changed = true, a.Changes
	}
}

// ExpireSyncTokens makes every sync token that an account has worthless: the next use answers 410.
func (s *Service) ExpireSyncTokens(email string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if person := s.state.Accounts[canonical(email)]; person != nil {
		person.Epoch++
	}
}

// ExpirePageTokens makes every page token that an account has worthless: the next use answers 400, or 410 with the
// switch DeadPagesAreGone.
func (s *Service) ExpirePageTokens(email string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if person := s.state.Accounts[canonical(email)]; person != nil {
		person.PageEpoch++
	}
}

// Insert makes an event as the API would, with the same checks, and returns it as the API shows it. Beyond what clients
// may, it sets the organizer, makes events that only Google makes, and fills calendars that the account only reads,
// such as one of holidays. A calendar "primary" is the account's own. Errors are *wire.Problem.
func (s *Service) Insert(email, calendarID string, body map[string]any) (map[string]any, error) {
	reply, err := s.serve(wire.Call{
		Method: "calendar.events.insert", Account: email, Path: map[string]string{"calendarId": calendarID}, Body: body,
		Now:   s.now(),
		Query: map[string][]string{"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}},
	}, true)
	return reply.Body, err
}

// Calendars returns the calendars on an account's list, in its order, hidden ones included; none for an unknown
// account.
func (s *Service) Calendars(email string) []Calendar {
	s.mu.RLock()
	defer s.mu.RUnlock()
	person := s.state.Accounts[canonical(email)]
	if person == nil {
		return nil
	}
	lines := make([]*entry, 0, len(person.Entries))
	for _, line := range person.Entries {
		if !line.Deleted && s.state.Calendars[line.Calendar] != nil {
			lines = append(lines, line)
		}
	}
	slices.SortFunc(lines, func(a, b *entry) int { return cmp.Compare(a.Order, b.Order) })
	list := make([]Calendar, len(lines))
	for i, line := range lines {
		c := s.state.Calendars[line.Calendar]
		list[i] = Calendar{
			ID: c.ID, Summary: c.Summary, Description: c.Description, Location: c.Location, TimeZone: c.TimeZone,
			AccessRole: string(c.roleOf(person.Email)), DefaultReminders: slices.Clone(line.DefaultReminders),
			Selected: line.Selected, Hidden: line.Hidden, ColorID: line.ColorID, Primary: c.ID == person.Email,
			WithoutPush: c.WithoutPush,
		}
	}
	return list
}

// Accounts returns the addresses of all accounts, sorted.
func (s *Service) Accounts() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]string, 0, len(s.state.Accounts))
	for email := range s.state.Accounts {
		list = append(list, email)
	}
	slices.Sort(list)
	return list
}

// Forget erases an account: its calendars, lists, rights, channels and mails. What it has on others' calendars, such as
// its row in a list of attendees, is theirs and stays.
func (s *Service) Forget(email string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	email = canonical(email)
	delete(s.state.Accounts, email)
	for id, c := range s.state.Calendars {
		delete(c.Rights, email)
		if c.Owner != email && (c.Owner != "" || len(c.Rights) > 0) {
			for _, e := range c.Events {
				delete(e.Reminders, email)
			}
			continue
		}
		delete(s.state.Calendars, id)
		for _, other := range s.state.Accounts {
			other.unlist(id)
		}
	}
	for id, ch := range s.state.Channels {
		if ch.Account == email || (strings.HasPrefix(ch.Resource, "events:") &&
			s.state.Calendars[strings.TrimPrefix(ch.Resource, "events:")] == nil) {
			delete(s.state.Channels, id)
		}
	}
	s.state.Mail = slices.DeleteFunc(s.state.Mail,
		func(m Mail) bool { return m.From == email || m.To == email || m.Calendar == email })
}

// calendarsInOrder returns all calendars by id.
func (s *Service) calendarsInOrder() []*calendar {
	list := make([]*calendar, 0, len(s.state.Calendars))
	for _, c := range s.state.Calendars {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *calendar) int { return strings.Compare(a.ID, b.ID) })
	return list
}

package calendar

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// query is what events.list and events.instances are asked for.
type query struct {
	single      bool
	showDeleted bool
	orderBy     string
	from, to    *time.Time
	updatedMin  *time.Time
	words       []string
	iCalUID     string
	types       []string
	private     []pair
	shared      []pair
	size        int
	page        *pageToken
	sync        *syncToken
	// prefixes lets words match beginnings of words.
	prefixes bool
	// role is the asker's; what it may not see is not searched either.
	role role
}

// pair is a constraint on an extended property.
type pair struct{ name, value string }

// eventTypes is the vocabulary of eventType.
func eventTypes() []string {
	return []string{"birthday", typeDefault, "focusTime", "fromGmail", "outOfOffice", "workingLocation"}
}

const (
	defaultPage = 250
	mostOnPage  = 2500
)

// unsyncable are the parameters that a request with a sync token may not have.
func unsyncable() []string {
	return []string{"iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty", "timeMin", "timeMax",
		"updatedMin"}
}

// readQuery reads the parameters of events.list.
func (r *request) readQuery(c *calendar, has role) (*query, error) {
	q := &query{role: has, iCalUID: r.call.Query.Get("iCalUID"), words: words(r.call.Query.Get("q")),
		prefixes: r.switches.MatchPrefixes}
	steps := []func() error{
		func() (err error) { q.single, err = r.flag("singleEvents"); return err },
		func() (err error) { q.showDeleted, err = r.flag("showDeleted"); return err },
		func() (err error) { _, err = r.flag("showHiddenInvitations"); return err },
		func() (err error) { q.orderBy, err = r.choice("orderBy", "startTime", "updated"); return err },
		func() (err error) { q.from, q.to, err = r.window(); return err },
		func() (err error) { q.updatedMin, err = r.updatedMin(); return err },
		func() (err error) { q.types, err = r.types(); return err },
		func() (err error) { q.private, err = r.pairs("privateExtendedProperty"); return err },
		func() (err error) { q.shared, err = r.pairs("sharedExtendedProperty"); return err },
		func() (err error) { q.size, err = r.pageSize(defaultPage, mostOnPage); return err },
		func() (err error) { q.page, err = r.readPage(); return err },
		func() (err error) { q.sync, err = r.readEventsSync(c); return err },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if q.orderBy == "startTime" && !q.single {
		return nil, problem(badRequest().Status, domainGlobal, "badRequest",
			"The requested ordering is not available for the particular query.")
	}
	return q, nil
}

// readEventsSync reads the sync token with what may not stand beside it.
func (r *request) readEventsSync(c *calendar) (*syncToken, error) {
	if r.call.Query.Get("syncToken") == "" {
		return nil, nil // No token: a full listing.
	}
	for _, name := range unsyncable() {
		if r.call.Query.Has(name) {
			return nil, at(problem(badRequest().Status, domainGlobal, "badRequest",
				"A sync token cannot be used together with "+name+"."), "parameter", name)
		}
	}
	if r.call.Query.Get("showDeleted") == "false" {
		return nil, at(problem(badRequest().Status, domainGlobal, "badRequest",
			"A sync token cannot be used while deleted events are left out."), "parameter", "showDeleted")
	}
	return r.readSync(eventsOf(c), c.Changes)
}

// eventsOf names the events of a calendar in sync tokens and to watchers.
func eventsOf(c *calendar) string { return "events:" + c.ID }

func (r *request) updatedMin() (*time.Time, error) {
	value, err := r.instant("updatedMin")
	if err != nil || value == nil {
		return nil, err
	}
	if value.Before(r.now.Add(-r.switches.updatedMinReach())) {
		return nil, updatedMinTooLongAgo()
	}
	return value, nil
}

func (r *request) types() ([]string, error) {
	given := r.call.Query["eventTypes"]
	for _, one := range given {
		if !slices.Contains(eventTypes(), one) {
			return nil, invalidParameter("eventTypes", "Invalid string value: '"+clip(one)+"'.")
		}
	}
	return given, nil
}

// pairs reads constraints of the form name=value.
func (r *request) pairs(parameter string) ([]pair, error) {
	given := r.call.Query[parameter]
	list := make([]pair, 0, len(given))
	for _, one := range given {
		name, value, ok := strings.Cut(one, "=")
		if !ok || name == "" {
			return nil, at(invalid("Invalid value for: "+parameter+" must have the form name=value."), "parameter", parameter)
		}
		list = append(list, pair{name, value})
	}
	return list, nil
}

// keeps says whether a row belongs into the listing.
func (q *query) keeps(c *calendar, w row, switches Switches) bool {
	if q.sync != nil && w.changed <= q.sync.Seen {
		return false
	}
	if w.cancelled && !q.keepsCancelled(w) {
		return false
	}
	if q.updatedMin != nil && w.event.Updated.Before(*q.updatedMin) {
		return false
	}
	if !q.inWindow(c, w, switches) {
		return false
	}
	if q.types != nil && !slices.Contains(q.types, w.event.Type) {
		return false
	}
	if q.iCalUID != "" && w.event.ICalUID != q.iCalUID {
		return false
	}
	if len(q.private)+len(q.shared)+len(q.words) == 0 {
		return true
	}
	body := c.body(w.event)
	if hides(q.role, body) {
		return false
	}
	extended := objectOf(body, "extendedProperties")
	return hasPairs(objectOf(extended, "private"), q.private) && hasPairs(objectOf(extended, "shared"), q.shared) &&
		q.matchesWords(body, w.event.Organizer)
}

// keepsCancelled says whether a deleted row is shown: always to who synchronizes, on request to others. A cancelled
// instance of a series that lives is shown to everyone who asks for series.
func (q *query) keepsCancelled(w row) bool {
	if q.sync != nil || q.updatedMin != nil || q.showDeleted {
		return true
	}
	return !q.single && w.event.Series != "" && w.event.cancelled() && !w.seriesCancelled
}

// inWindow says whether a row lies in the window; a series does when any of its occurrences does.
func (q *query) inWindow(c *calendar, w row, switches Switches) bool {
	if q.from == nil && q.to == nil {
		return true
	}
	if w.occurrence || !w.event.isSeries() {
		return w.overlaps(q.from, q.to, c.zone)
	}
	starts, _ := q.expand(c, w.event, 1, switches)
	return len(starts) > 0
}

// expand returns the occurrences of a series in the window, ascending; true when there are more than limit.
func (q *query) expand(c *calendar, master *event, limit int, switches Switches) ([]row, bool) {
	const aDay = 24 * time.Hour
	s := master.series
	from, to := time.Time{}, time.Date(latestYear, 12, 31, 0, 0, 0, 0, time.UTC)
	if q.from != nil {
		from = q.from.Add(-s.duration)
	}
	if q.to != nil {
		to = *q.to
	}
	if s.start.Date {
		// A date begins up to a day away from midnight UTC, depending on the calendar's zone.
		if q.from != nil {
			from = from.Add(-2 * aDay)
		}
		to = to.Add(2 * aDay)
	}
	const spare = 8
	starts, more := s.between(from, to, limit+spare, switches)
	rows := make([]row, 0, len(starts))
	for _, start := range starts {
		w := occurrenceRow(master, start, switches)
		if !w.overlaps(q.from, q.to, c.zone) {
			continue
		}
		if len(rows) == limit {
			return rows, true
		}
		rows = append(rows, w)
	}
	return rows, more
}

func hasPairs(properties object, wanted []pair) bool {
	for _, p := range wanted {
		if value, ok := properties[p.name]; !ok || value != p.value {
			return false
		}
	}
	return true
}

// words splits text into words: runs of letters, marks and digits, in lower case.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c)
	})
}

// matchesWords says whether every word asked for is a word of the event.
func (q *query) matchesWords(body object, organizer person) bool {
	if len(q.words) == 0 {
		return true
	}
	found := words(strings.Join(searched(body, organizer), "\n"))
	for _, wanted := range q.words {
		if !slices.ContainsFunc(found, func(word string) bool {
			return word == wanted || (q.prefixes && strings.HasPrefix(word, wanted))
		}) {
			return false
		}
	}
	return true
}

// searched returns the texts that q looks at.
func searched(body object, organizer person) []string {
	texts := []string{textOf(body, "summary"), textOf(body, "description"), textOf(body, "location"), organizer.Email,
		organizer.Name}
	for _, a := range objectsOf(body, "attendees") {
		texts = append(texts, textOf(a, "displayName"), textOf(a, "email"))
	}
	place := objectOf(body, "workingLocationProperties")
	office := objectOf(place, "officeLocation")
	return append(texts, textOf(office, "buildingId"), textOf(office, "deskId"), textOf(office, "label"),
		textOf(objectOf(place, "customLocation"), "label"))
}

package calendar

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"
)

// view is who looks at events and how.
type view struct {
	calendar *calendar
	role     role
	account  *account
	// zone is the zone that times are shown in.
	zone *time.Location
	// maxAttendees is 0 for no limit.
	maxAttendees int
	// bareTombstones shows no details of what is deleted.
	bareTombstones bool
}

// view reads the parameters that every answer with events knows.
func (r *request) view(c *calendar, has role) (view, error) {
	zone, err := r.responseZone(c.zone)
	if err != nil {
		return view{}, err
	}
	most, err := r.number("maxAttendees", 0, 1)
	return view{calendar: c, role: has, account: r.account, zone: zone, maxAttendees: most}, err
}

// etag is twice the last change in microseconds. It moves also where updated stays, when only reminders change.
func (e *event) etag() string { return `"` + strconv.FormatInt(2*e.Stamp.UnixMicro(), 10) + `"` }

// show returns a row in full. A tombstone that only its id is known of is shown bare.
func (v view) show(w row) object {
	e := w.event
	if v.bare(w) {
		return v.showBare(w)
	}
	body := v.calendar.body(e)
	if hides(v.role, body) {
		return v.showFree(w)
	}
	shown := object{
		"kind": "calendar#event", "etag": e.etag(), "id": w.id(), "status": e.Status, "eventType": e.Type,
		"htmlLink": htmlLink(w.id(), v.calendar.ID),
		"created":  e.Created.UTC().Format(createdForm), "updated": e.Updated.UTC().Format(createdForm),
		"iCalUID": e.ICalUID, "sequence": e.Sequence,
		"creator": v.person(e.Creator), "organizer": v.person(e.Organizer),
		"start": w.start.wire(v.zone), "end": w.end.wire(v.zone),
	}
	if w.cancelled {
		shown["status"] = statusCancelled
	}
	if w.original != nil {
		shown["recurringEventId"] = w.seriesID()
		shown["originalStartTime"] = w.original.wire(v.zone)
	}
	v.showBody(shown, body, w)
	shown["reminders"] = v.reminders(w)
	return shown
}

// hides says whether only the time of an event is shown to who has the role.
func hides(has role, body object) bool {
	visibility := textOf(body, "visibility")
	private := visibility == "private" || visibility == "confidential"
	return !has.atLeast(roleReader) || (private && !has.seesPrivate())
}

// showBody copies the writable properties, without those that have their default.
func (v view) showBody(shown, body object, w row) {
	for name, value := range body {
		switch name {
		case "start", "end", "attendees":
		case "recurrence":
			if !w.occurrence {
				shown[name] = deepCopy(value)
			}
		default:
			if !isDefault(name, value) {
				shown[name] = deepCopy(value)
			}
		}
	}
	if link := hangoutLink(body); link != "" {
		shown["hangoutLink"] = link
	}
	v.showAttendees(shown, body, w.event)
}

// isDefault says whether Google leaves a property out because it has its default.
func isDefault(name string, value any) bool {
	switch v := value.(type) {
	case string:
		return v == "" || (name == "transparency" && v == "opaque") || (name == "visibility" && v == typeDefault)
	case bool:
		return v == (name == "guestsCanInviteOthers" || name == "guestsCanSeeOtherGuests")
	}
	return false
}

func (v view) showAttendees(shown, body object, e *event) {
	all := objectsOf(body, "attendees")
	if len(all) == 0 {
		return
	}
	list := make([]any, 0, len(all))
	var own []any
	for _, a := range all {
		one := copyObject(a)
		email := canonical(textOf(a, "email"))
		if email == canonical(e.Organizer.Email) {
			one["organizer"] = true
		}
		// Self is relative to the calendar: on a secondary one not even the account's own row has it.
		if email == canonical(v.calendar.ID) {
			one["self"] = true
			own = append(own, one)
		}
		list = append(list, one)
	}
	hidden := denied(body, "guestsCanSeeOtherGuests") && canonical(e.Organizer.Email) != canonical(v.calendar.ID)
	if hidden || (v.maxAttendees > 0 && len(list) > v.maxAttendees) {
		shown["attendeesOmitted"] = true
		list = own
	}
	if len(list) > 0 {
		shown["attendees"] = list
	}
}

func (v view) person(p person) object {
	shown := object{"email": p.Email}
	if p.Name != "" {
		shown["displayName"] = p.Name
	}
	if canonical(p.Email) == canonical(v.calendar.ID) {
		shown["self"] = true
	}
	return shown
}

// bare says whether nothing but the identity of a row is told: of a cancelled instance, of what was moved away, of what
// is deleted when tombstones are wanted bare, and of what was deleted by an organizer elsewhere.
func (v view) bare(w row) bool {
	if w.event.Moved {
		return true
	}
	return w.cancelled && (w.original != nil || v.bareTombstones ||
		canonical(w.event.Organizer.Email) != canonical(v.calendar.ID))
}

// showBare returns a tombstone. The original start is what a client finds the instance by.
func (v view) showBare(w row) object {
	shown := object{"kind": "calendar#event", "etag": w.event.etag(), "id": w.id(), "status": statusCancelled}
	if w.original != nil {
		shown["recurringEventId"] = w.seriesID()
		shown["originalStartTime"] = w.original.wire(v.zone)
	}
	return shown
}

// showFree returns what is told of an event to who may not see its details.
func (v view) showFree(w row) object {
	shown := object{
		"kind": "calendar#event", "etag": w.event.etag(), "id": w.id(), "status": w.event.Status, "eventType": w.event.Type,
		"start": w.start.wire(v.zone), "end": w.end.wire(v.zone), "visibility": "private",
	}
	if w.original != nil {
		shown["recurringEventId"] = w.seriesID()
		shown["originalStartTime"] = w.original.wire(v.zone)
	}
	return shown
}

// shortDomains are the domains that links to events abbreviate.
var shortDomains = [...][2]string{{"@gmail.com", "@m"}, {"@group.calendar.google.com", "@g"}}

// htmlLink is the address of an event for people.
func htmlLink(eventID, calendarID string) string {
	for _, short := range shortDomains {
		if local, ok := strings.CutSuffix(calendarID, short[0]); ok {
			calendarID = local + short[1]
		}
	}
	return "https://www.google.com/calendar/event?eid=" +
		base64.RawURLEncoding.EncodeToString([]byte(eventID+" "+calendarID))
}

// etagOf makes an opaque etag of counters.
func etagOf(counters ...uint64) string {
	var b strings.Builder
	b.WriteString(`"p3`)
	for _, n := range counters {
		b.WriteString(strconv.FormatUint(n, 32))
		b.WriteByte('z')
	}
	b.WriteString(`0g"`)
	return b.String()
}

// reminders returns the reminders of the account that looks.
func (v view) reminders(w row) object {
	own := w.event.Reminders[v.account.Email]
	if own == nil && w.event.Series != "" {
		if master := v.calendar.Events[w.event.Series]; master != nil {
			own = master.Reminders[v.account.Email]
		}
	}
	switch {
	case own != nil:
		return showReminders(own.Overrides)
	case w.start.Date:
		// The calendar's defaults do not fit all-day events; Google writes them out, as if they were the event's own.
		return showReminders(v.defaultReminders())
	}
	return object{"useDefault": true}
}

func (v view) defaultReminders() []Reminder {
	if e := v.account.Entries[v.calendar.ID]; e != nil {
		return e.DefaultReminders
	}
	return nil
}

// showReminders returns reminders that are not the default. Without any there is no list. The order is not the one
// written.
func showReminders(list []Reminder) object {
	shown := object{"useDefault": false}
	if len(list) > 0 {
		shown["overrides"] = reminderList(list)
	}
	return shown
}

func reminderList(list []Reminder) []any {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b Reminder) int {
		if a.Method != b.Method {
			return strings.Compare(a.Method, b.Method)
		}
		return a.Minutes - b.Minutes
	})
	shown := make([]any, len(sorted))
	for i, one := range sorted {
		shown[i] = object{"method": one.Method, "minutes": one.Minutes}
	}
	return shown
}

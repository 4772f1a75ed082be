package ical

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/graph/model"
)

// Form is how much of events is written.
type Form int

// The forms.
const (
	// Full is everything.
	Full Form = iota
	// Busy is when somebody is busy, and nothing else: no texts, no people, no UIDs. Events that do not make busy are
	// left out.
	Busy
)

// Heading is what is said of a calendar as a whole.
type Heading struct {
	Name, Description string
	// Zone is the IANA name of the calendar's zone, which floating events must be given in.
	Zone string
	// Refresh is how often who follows the calendar should look; 0 says nothing.
	Refresh time.Duration
	Form    Form
	// BusyText is the title of events in the form Busy; "Busy" when empty.
	BusyText string
}

// product names the program that wrote a text (RFC 5545, 3.7.3).
const product = "-//Almanac//Almanac//EN"

// Write writes a calendar. Each event needs a UID, a start and an end; Stamp stands for its DTSTAMP, without one the
// time of its last change. Times are written to the second. A cancelled occurrence becomes an EXDATE of its series, if
// that is among the events: other programs would show it.
func Write(heading Heading, events []Event) []byte {
	w := writer{heading: heading, zones: map[string]*years{}, series: map[string]*Event{}, without: map[string][]*Event{}}
	for i := range events {
		if e := &events[i]; e.OriginalStart.IsZero() && w.shows(e) {
			w.series[e.ICalUID] = e
		}
	}
	for i := range events {
		if e := &events[i]; !e.OriginalStart.IsZero() && !w.isOwn(e) && w.series[e.ICalUID] != nil {
			w.without[e.ICalUID] = append(w.without[e.ICalUID], e)
		}
	}
	var body bytes.Buffer
	w.out = &body
	for i := range events {
		if w.isOwn(&events[i]) {
			w.event(&events[i])
		}
	}
	var whole bytes.Buffer
	w.out = &whole
	w.head()
	for _, name := range w.zoneNames() {
		w.timezone(name, *w.zones[name])
	}
	whole.Write(body.Bytes())
	w.line("END:VCALENDAR")
	return whole.Bytes()
}

type writer struct {
	heading Heading
	out     *bytes.Buffer
	zones   map[string]*years
	series  map[string]*Event   // by UID
	without map[string][]*Event // occurrences that the series' other ones stand without, by UID
}

// years are those of the times in a zone.
type years struct{ first, last int }

// shows reports whether an event is written in the form.
func (w *writer) shows(e *Event) bool {
	if w.heading.Form == Full {
		return true
	}
	declined := slices.ContainsFunc(e.Attendees,
		func(a model.Attendee) bool { return a.Self && a.Status == model.Declined })
	return e.Status != model.EventCancelled && !e.Transparent && !declined
}

// isOwn reports whether an event is written as an entry of its own.
func (w *writer) isOwn(e *Event) bool {
	cancelled := !e.OriginalStart.IsZero() && e.Status == model.EventCancelled && w.series[e.ICalUID] != nil
	return w.shows(e) && !cancelled
}

func (w *writer) head() {
	w.line("BEGIN:VCALENDAR")
	w.line("VERSION:2.0")
	w.line("PRODID:" + product)
	w.line("CALSCALE:GREGORIAN")
	w.line("METHOD:PUBLISH")
	for _, name := range []string{"NAME", "X-WR-CALNAME"} {
		w.text(name, w.heading.Name)
	}
	w.text("X-WR-CALDESC", w.heading.Description)
	w.text("X-WR-TIMEZONE", w.heading.Zone)
	if w.heading.Refresh > 0 {
		every := fmt.Sprintf("PT%dS", w.heading.Refresh/time.Second)
		w.line("REFRESH-INTERVAL;VALUE=DURATION:" + every)
		w.line("X-PUBLISHED-TTL:" + every)
	}
}

func (w *writer) event(e *Event) {
	w.line("BEGIN:VEVENT")
	isFull := w.heading.Form == Full
	if isFull {
		w.text("UID", e.ICalUID)
	} else {
		w.line("UID:" + w.hiddenUID(e))
	}
	stamp := e.Stamp
	for _, other := range []time.Time{e.UpdatedAt, e.CreatedAt, time.Unix(0, 0)} {
		if stamp.IsZero() {
			stamp = other
		}
	}
	w.line("DTSTAMP:" + stamp.UTC().Format(instantForm))
	w.line("SEQUENCE:" + strconv.Itoa(e.Sequence))
	if !e.OriginalStart.IsZero() && (isFull || w.series[e.ICalUID] != nil) {
		floating := e.Floating && (e.Start.IsZero() || e.Start.Zone == e.OriginalStart.Zone)
		w.time("RECURRENCE-ID", e.OriginalStart, floating, ofOccurrence)
	}
	if !e.Start.IsZero() {
		start, end := ofSingle, ofSingle
		if e.IsSeries() {
			start, end = ofSeries, ofOccurrence
		}
		w.time("DTSTART", e.Start, e.Floating, start)
		w.time("DTEND", e.End, e.Floating, end)
	}
	w.recurrence(e)
	if isFull {
		w.full(e)
	} else {
		w.text("SUMMARY", orElse(w.heading.BusyText, "Busy"))
		w.line("TRANSP:OPAQUE")
	}
	w.line("END:VEVENT")
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// hiddenUID names an event without saying what its maker put into the UID, such as a host or an address.
func (w *writer) hiddenUID(e *Event) string {
	key := e.ICalUID
	if !e.OriginalStart.IsZero() && w.series[e.ICalUID] == nil {
		key += "\x00" + e.Key().Original // an occurrence of a series that is not there is an event of its own
	}
	sum := sha256.Sum256([]byte("almanac busy\x00" + key))
	return hex.EncodeToString(sum[:16])
}

func (w *writer) full(e *Event) {
	w.text("SUMMARY", e.Summary)
	w.text("DESCRIPTION", e.Description)
	w.text("LOCATION", e.Location)
	w.line("STATUS:" + string(e.Status))
	if e.Transparent {
		w.line("TRANSP:TRANSPARENT")
	} else {
		w.line("TRANSP:OPAQUE")
	}
	if e.Visibility != "" && e.Visibility != model.VisibilityDefault {
		w.line("CLASS:" + string(e.Visibility))
	}
	if len(e.Categories) > 0 {
		escaped := make([]string, len(e.Categories))
		for i, category := range e.Categories {
			escaped[i] = textEscapes.Replace(category)
		}
		w.line("CATEGORIES:" + strings.Join(escaped, ","))
	}
	if e.URL != "" {
		w.line("URL:" + e.URL)
	}
	if e.MeetingURL != "" {
		w.line("CONFERENCE;VALUE=URI:" + e.MeetingURL)
	}
	for _, at := range []struct {
		name string
		time time.Time
	}{{"CREATED", e.CreatedAt}, {"LAST-MODIFIED", e.UpdatedAt}} {
		if !at.time.IsZero() {
			w.line(at.name + ":" + at.time.UTC().Format(instantForm))
		}
	}
	w.people(e)
	w.reminders(e)
}

func (w *writer) people(e *Event) {
	if e.Organizer != nil && e.Organizer.Email != "" {
		w.line("ORGANIZER" + withParam("CN", e.Organizer.Name) + ":" + mailto(e.Organizer.Email))
	}
	for _, a := range e.Attendees {
		params := withParam("CN", a.Name)
		if a.Resource {
			params += ";CUTYPE=RESOURCE"
		}
		if a.Optional {
			params += ";ROLE=OPT-PARTICIPANT"
		}
		switch a.Status {
		case model.Accepted, model.Declined, model.Maybe:
			params += ";PARTSTAT=" + string(a.Status)
		default:
			params += ";PARTSTAT=NEEDS-ACTION"
		}
		w.line("ATTENDEE" + params + withParam(ownComment, a.Comment) + ":" + mailto(a.Email))
	}
}

func (w *writer) reminders(e *Event) {
	if e.Reminders.UseDefault {
		w.line(ownReminders + ":DEFAULT")
		return
	}
	for _, r := range e.Reminders.Overrides {
		w.line("BEGIN:VALARM")
		if r.Method == model.RemindByEmail {
			w.line("ACTION:EMAIL")
			w.text("SUMMARY", orElse(e.Summary, "Reminder"))
			if e.Organizer != nil && e.Organizer.Email != "" {
				w.line("ATTENDEE:" + mailto(e.Organizer.Email))
			}
		} else {
			w.line("ACTION:DISPLAY")
		}
		w.text("DESCRIPTION", orElse(e.Summary, "Reminder"))
		w.line(fmt.Sprintf("TRIGGER:-PT%dM", r.Minutes))
		w.line("END:VALARM")
	}
}

func mailto(email string) string { return "mailto:" + strings.ReplaceAll(email, "%", "%25") }

// withParam writes a parameter, if it has a value.
func withParam(name, value string) string {
	if value == "" {
		return ""
	}
	return ";" + name + `="` + paramEscapes.Replace(value) + `"`
}

// text writes a TEXT, if there is one.
func (w *writer) text(name, value string) {
	if value != "" {
		w.line(name + ":" + textEscapes.Replace(value))
	}
}

// line writes a content line, folded at 75 bytes between characters (RFC 5545, 3.1).
func (w *writer) line(text string) {
	const most = 75
	if strings.ContainsFunc(text, func(r rune) bool { return isControl(r) || r == '\n' }) || !utf8.ValidString(text) {
		text = strings.ReplaceAll(clean([]byte(text)), "\n", " ")
	}
	room := most
	for len(text) > room {
		cut := room
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		w.out.WriteString(text[:cut])
		w.out.WriteString("\r\n ")
		text, room = text[cut:], most-1
	}
	w.out.WriteString(text)
	w.out.WriteString("\r\n")
}

// role is what a time is for.
type role int

const (
	// ofSingle is of an event that does not recur: the instant matters most.
	ofSingle role = iota
	// ofOccurrence is of an occurrence, which has to be written as others work it out from its series.
	ofOccurrence
	// ofSeries is the start of a series: the zone matters more than the first hour.
	ofSeries
)

// time writes a date or a time, in its zone where that says it. Of a reading that clocks show twice a file means the
// first (RFC 5545, 3.3.5), and many programs take the second.
func (w *writer) time(name string, t model.EventTime, floating bool, as role) {
	zone := zoneNamed(t.Zone)
	switch {
	case t.AllDay():
		w.line(name + ";VALUE=DATE:" + t.Date.Midnight().Format(dateForm))
		return
	case zone == nil || t.Zone == utc && !floating:
		w.line(name + ":" + t.At.UTC().Format(instantForm))
		return
	}
	wall, first := wallOf(t.At, zone)
	switch {
	case !floating && (as == ofSingle && isTwice(t.At, zone) || as != ofSeries && !first):
		w.line(name + ";" + ownZone + "=" + t.Zone + ":" + t.At.UTC().Format(instantForm))
		return
	case !first:
		name += ";" + ownAt + "=" + t.At.UTC().Format(instantForm)
	}
	if !floating {
		name += ";TZID=" + t.Zone
		w.uses(t.Zone, wall.Year())
	}
	w.line(name + ":" + wall.Format(floatForm))
}

// utc is the zone of times in UTC.
const utc = "UTC"

// uses notes that a time of a year is written in a zone.
func (w *writer) uses(zone string, year int) {
	seen, known := w.zones[zone]
	if !known {
		w.zones[zone] = &years{year, year}
		return
	}
	seen.first, seen.last = min(seen.first, year), max(seen.last, year)
}

func (w *writer) zoneNames() []string {
	names := make([]string, 0, len(w.zones))
	for name := range w.zones {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// recurrence writes the lines of a series, and the EXDATEs of what is left out of it.
func (w *writer) recurrence(e *Event) {
	if !e.IsSeries() {
		return
	}
	zone := zoneNamed(e.Start.Zone)
	for _, text := range e.Recurrence {
		name, value, _ := strings.Cut(text, ":")
		if e.Floating && zone != nil {
			name = strings.Replace(name, ";TZID="+e.Start.Zone, "", 1)
			if e.Start.Zone == utc && !strings.HasPrefix(name, "RRULE") {
				value = strings.ReplaceAll(value, "Z", "")
			}
			value = floatingUntil(value, zone)
		}
		w.usesOf(e, name, value)
		w.line(name + ":" + value)
	}
	for _, occurrence := range w.without[e.ICalUID] {
		params := ""
		if w.heading.Form == Full {
			params = ";" + ownCancelled + "=TRUE"
		}
		w.time("EXDATE"+params, occurrence.OriginalStart, e.Floating, ofOccurrence)
	}
}

// usesOf notes the years of a line of a recurrence.
func (w *writer) usesOf(e *Event, name, value string) {
	if _, rest, named := strings.Cut(name, ";TZID="); named {
		zone, _, _ := strings.Cut(rest, ";")
		if zoneNamed(zone) == nil {
			return
		}
		for one := range strings.SplitSeq(value, ",") {
			if year, err := strconv.Atoi(one[:min(len(one), 4)]); err == nil {
				w.uses(zone, year)
			}
		}
		return
	}
	if !e.Floating && !e.Start.AllDay() && e.Start.Zone != utc && zoneNamed(e.Start.Zone) != nil && name == "RRULE" {
		w.uses(e.Start.Zone, lastYear)
	}
}

// floatingUntil writes the UNTIL of a floating series as clocks in its zone show it, as the standard wants it.
func floatingUntil(value string, zone *time.Location) string {
	before, rest, found := strings.Cut(value, "UNTIL=")
	if !found {
		return value
	}
	until, after, more := strings.Cut(rest, ";")
	s, ok := parseStamp(until)
	if !ok || !s.isUTC {
		return value
	}
	wall, first := wallOf(s.wall, zone)
	if !first {
		return value
	}
	value = before + "UNTIL=" + wall.Format(floatForm)
	if more {
		value += ";" + after
	}
	return value
}

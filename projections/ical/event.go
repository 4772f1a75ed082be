package ical

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"almanac/graph/model"
)

// Event is one event of a text: a single one, a series, or a changed occurrence of one (OriginalStart is set). Of its
// model.Event the fields are set that a file can say: ICalUID, Status, Type, Summary, Description, Location, Start,
// End, Attendees, Organizer, Reminders, Recurrence, OriginalStart, MeetingURL, Transparent, Visibility, CreatedAt,
// UpdatedAt. Times in UTC have the zone "UTC".
type Event struct {
	model.Event
	// Floating: the event is at its clock time wherever the viewer is. Its times are given in the calendar's zone.
	Floating bool
	// Sequence counts the organizer's changes of it; Stamp is when this state of it was written.
	Sequence   int
	Stamp      time.Time
	URL        string
	Categories []string
	// Line is where it begins in the text; Notes are what was left out of it.
	Line  int
	Notes []Note
}

// Key names an event within a calendar: who reads a text again finds by it what came of the last time.
type Key struct {
	UID string
	// Original is the original start of a changed occurrence: 20261122T090000Z, or 20261122 when all-day; else empty.
	Original string
}

// Key returns the event's.
func (e *Event) Key() Key {
	switch at := e.OriginalStart; {
	case at.AllDay():
		return Key{e.ICalUID, at.Date.Midnight().Format(dateForm)}
	case at.At.IsZero():
		return Key{UID: e.ICalUID}
	default:
		return Key{e.ICalUID, at.At.UTC().Format(instantForm)}
	}
}

func (e *Event) newerThan(other *Event) bool {
	switch {
	case e.Sequence != other.Sequence:
		return e.Sequence > other.Sequence
	case !e.Stamp.Equal(other.Stamp):
		return e.Stamp.After(other.Stamp)
	default:
		return e.Line > other.Line
	}
}

func (e *Event) supersededBy(line int) *Problem {
	return &Problem{Line: e.Line, UID: e.ICalUID, Summary: e.Summary,
		Reason: fmt.Sprintf("has the same UID and RECURRENCE-ID as the newer one in line %d", line)}
}

// Limits of what a file says beside what model limits.
const (
	maxUID        = 1000
	maxURL        = 2000
	maxCategories = 50
	maxNotes      = 20
)

// decoder reads one entry.
type decoder struct {
	*Document
	calendar *calendar
	entry    entry
	event    Event
	seen     map[string]property // of properties that occur once: the first
	recurs   []property
	alarms   []alarm
	periods  []period
	// original is what RECURRENCE-ID says without a zone, as if in UTC: then it is in that of the series.
	original time.Time
	// year is the event's, for zones that only their offsets name.
	year int
}

func (d *decoder) problem(format string, args ...any) *Problem {
	summary := d.event.Summary
	if p, ok := d.seen["SUMMARY"]; ok && summary == "" {
		summary = brief(unescape(p.value))
	}
	uid, _ := clip(d.entry.uid, maxUID)
	return &Problem{Line: d.entry.line, UID: uid, Summary: summary, Reason: fmt.Sprintf(format, args...)}
}

func (d *decoder) note(line int, format string, args ...any) {
	if len(d.event.Notes) < maxNotes {
		d.event.Notes = append(d.event.Notes, Note{line, fmt.Sprintf(format, args...)})
	}
}

func (d *decoder) decode() (Event, *Problem) {
	d.seen = map[string]property{}
	d.event = Event{Line: d.entry.line, Event: model.Event{ICalUID: d.entry.uid, Status: model.EventConfirmed,
		Type: model.EventDefault, Visibility: model.VisibilityDefault}}
	d.collect()
	switch {
	case d.entry.name != "VEVENT":
		return Event{}, d.problem("is a %s; only events are read", brief(d.entry.name))
	case d.calendar.refused != "":
		return Event{}, d.problem("%s", d.calendar.refused)
	case d.entry.broken != "":
		return Event{}, d.problem("%s", d.entry.broken)
	case len(d.entry.uid) > maxUID:
		return Event{}, d.problem("has a UID of more than %d characters", maxUID)
	}
	for _, step := range []func() error{d.times, d.recurrence, d.texts} {
		if err := step(); err != nil {
			return Event{}, d.problem("%s", err)
		}
	}
	d.people()
	d.reminders()
	if d.event.ICalUID == "" {
		d.event.ICalUID = d.madeUID()
	}
	return d.event, nil
}

// collect takes in the entry's lines.
func (d *decoder) collect() {
	lines := d.lines.between(d.entry)
	depth, within := 0, "" // the component within the event, and how deep below the event the line is
	lines.read()           // BEGIN:VEVENT
	for {
		content, line := lines.read()
		if content == nil {
			return
		}
		name, rest := nameOf(content)
		switch name {
		case "":
			if depth == 0 {
				d.note(line, "is neither a property nor, since it does not begin with a space, the rest of one: “%s”",
					brief(clean(content[:min(len(content), maxURL)])))
			}
		case "BEGIN":
			depth++
			if depth == 1 {
				within = componentName(rest)
				if within == "VALARM" && len(d.alarms) < maxAlarms {
					d.alarms = append(d.alarms, alarm{line: line})
				}
			}
		case "END":
			depth--
		default:
			d.take(name, rest, line, depth == 0, depth == 1 && within == "VALARM" && len(d.alarms) > 0)
		}
	}
}

// once are the properties that are read, and of which an event has one.
var once = map[string]bool{
	"DTSTART": true, "DTEND": true, "DURATION": true, "RECURRENCE-ID": true, "SEQUENCE": true, "DTSTAMP": true,
	"CREATED": true, "LAST-MODIFIED": true, "SUMMARY": true, "DESCRIPTION": true, "LOCATION": true, "URL": true,
	"STATUS": true, "TRANSP": true, "CLASS": true, "ORGANIZER": true, "CONFERENCE": true, "X-GOOGLE-CONFERENCE": true,
	"X-MICROSOFT-SKYPETEAMSMEETINGURL": true, "X-MICROSOFT-CDO-BUSYSTATUS": true, "X-MICROSOFT-CDO-ALLDAYEVENT": true,
	ownReminders: true,
}

// ownReminders says that an event has its calendar's reminders.
const ownReminders = "X-ALMANAC-REMINDERS"

func (d *decoder) take(name string, rest []byte, line int, inEvent, inAlarm bool) {
	wanted := once[name]
	switch name {
	case "RRULE", "RDATE", "EXDATE", "EXRULE", "ATTENDEE", "CATEGORIES":
		wanted = true
	case "ACTION", "TRIGGER":
		wanted = inAlarm
	}
	if !wanted || !inEvent && !inAlarm {
		return
	}
	p, ok := parseProperty(name, rest, line)
	switch {
	case !ok && inEvent:
		d.note(line, "%s cannot be read: a quote or the value is missing", name)
	case !ok:
	case inAlarm:
		d.alarms[len(d.alarms)-1].take(p)
	case once[name]:
		if _, twice := d.seen[name]; !twice {
			d.seen[name] = p
		}
	case name == "ATTENDEE":
		d.attendee(p)
	case name == "CATEGORIES":
		d.event.Categories = append(d.event.Categories, splitTexts(p.value)...)
		d.event.Categories = d.event.Categories[:min(len(d.event.Categories), maxCategories)]
	default:
		d.recurs = append(d.recurs, p)
	}
}

// texts reads what has no time.
func (d *decoder) texts() error {
	e := &d.event
	e.Summary = strings.TrimSpace(d.text("SUMMARY", model.MaxEventSummary))
	e.Description = d.text("DESCRIPTION", model.MaxEventDescription)
	e.Location = strings.TrimSpace(d.text("LOCATION", model.MaxEventLocation))
	e.URL = d.link("URL")
	for _, name := range []string{"CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL"} {
		if e.MeetingURL == "" {
			e.MeetingURL = d.link(name)
		}
	}
	switch strings.ToUpper(d.word("STATUS")) {
	case "TENTATIVE":
		e.Status = model.EventTentative
	case "CANCELLED", "CANCELED":
		e.Status = model.EventCancelled
	}
	if d.calendar.method == "CANCEL" {
		e.Status = model.EventCancelled
	}
	transparency, busy := d.word("TRANSP"), d.word("X-MICROSOFT-CDO-BUSYSTATUS")
	e.Transparent = strings.EqualFold(transparency, "TRANSPARENT") ||
		transparency == "" && strings.EqualFold(busy, "FREE")
	switch class := strings.ToUpper(d.word("CLASS")); class {
	case "":
	case "PUBLIC", "PRIVATE", "CONFIDENTIAL":
		e.Visibility = model.EventVisibility(class)
	default:
		e.Visibility = model.VisibilityPrivate // RFC 5545, 3.8.1.3
	}
	for _, digit := range d.word("SEQUENCE") {
		if digit < '0' || digit > '9' || e.Sequence > 1<<20 {
			break
		}
		e.Sequence = e.Sequence*10 + int(digit-'0')
	}
	e.Stamp, e.CreatedAt, e.UpdatedAt = d.instant("DTSTAMP"), d.instant("CREATED"), d.instant("LAST-MODIFIED")
	return nil
}

func (d *decoder) word(name string) string { return strings.TrimSpace(d.seen[name].value) }

// text reads a TEXT of at most so many characters.
func (d *decoder) text(name string, most int) string {
	p, ok := d.seen[name]
	if !ok {
		return ""
	}
	if !isUTF8(p.value) {
		d.note(p.line, "%s has characters that are no UTF-8", name)
	}
	text, cut := clip(unescape(p.value), most)
	if cut {
		d.note(p.line, "%s is cut after %d characters", name, most)
	}
	return text
}

// link reads an address that a browser opens.
func (d *decoder) link(name string) string {
	p, ok := d.seen[name]
	value := strings.TrimSpace(p.value)
	if !ok || value == "" {
		return ""
	}
	lower := strings.ToLower(value[:min(len(value), len("https://"))])
	if len(value) > maxURL || !strings.HasPrefix(lower, "http://") && lower != "https://" ||
		strings.ContainsAny(value, " \t\n\"<>") {
		if name == "URL" {
			d.note(p.line, "URL is left out: it is no address of the web, or longer than %d characters", maxURL)
		}
		return ""
	}
	return value
}

// instant reads a time that a file must give in UTC; zero when it does not.
func (d *decoder) instant(name string) time.Time {
	s, ok := parseStamp(d.word(name))
	if !ok || s.isDate || s.outOfRange() {
		return time.Time{}
	}
	return s.wall
}

// madeUID names an event that does not name itself, the same each time it is read.
func (d *decoder) madeUID() string {
	e := &d.event
	sum := sha256.Sum256([]byte(strings.Join(append([]string{e.Summary, e.Location, timeText(e.Start), timeText(e.End),
		timeText(e.OriginalStart)}, e.Recurrence...), "\x00")))
	return "almanac-" + hex.EncodeToString(sum[:16])
}

func timeText(t model.EventTime) string {
	if t.AllDay() {
		return t.Date.String()
	}
	return t.At.UTC().Format(instantForm)
}

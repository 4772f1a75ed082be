package ical_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/ical"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// zones are of all kinds: with rules of both hemispheres, half hours, clocks that never change, changes at midnight and
// over it, and changes that follow no rule.
var zones = []string{"America/New_York", "America/Los_Angeles", "America/St_Johns", "America/Santiago",
	"America/Sao_Paulo", "Europe/London", "Europe/Dublin", "Europe/Berlin", "Africa/Casablanca", "Africa/Cairo",
	"Asia/Jerusalem", "Asia/Gaza", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tokyo", "Australia/Sydney",
	"Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Chatham", "America/Nuuk", "Europe/Lisbon", "UTC"}

// texts have what has to be escaped, folded or left alone.
var texts = []string{"Lunch, with Dana", "a;b:c\\d", "שלום עולם", "line one\nline two", `quoted "name"`, "^caret^n^^",
	strings.Repeat("אבגדה😀 ", 40), "tab\there", `C:\new\, folder`, "BEGIN:VEVENT", `\`, "x"}

type maker struct {
	*rand.Rand
	zone string
}

func (m maker) text() string { return texts[m.IntN(len(texts))] }

// at is an instant of some year, in a fifth of the cases within two hours of a change of the zone's clocks.
func (m maker) at(zone *time.Location) time.Time {
	at := time.Date(1971+m.IntN(80), 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(m.IntN(365*24*60)) * time.Minute)
	if _, change := at.In(zone).ZoneBounds(); m.IntN(5) == 0 && !change.IsZero() && change.Year() < 2036 {
		at = change.UTC().Truncate(time.Second).Add(time.Duration(m.IntN(240)-120) * time.Minute)
	}
	return at
}

func (m maker) event(t *testing.T, n int) ical.Event {
	zone, err := when.LoadZone(m.zone)
	if err != nil {
		t.Fatal(err)
	}
	at := m.at(zone)
	e := ical.Event{Sequence: m.IntN(5), Stamp: time.Date(2026, 11, 23, 10, 0, n%60, 0, time.UTC)}
	e.ICalUID, e.Type = fmt.Sprintf("event-%d@example.com", n), model.EventDefault
	e.Status = []model.EventStatus{model.EventConfirmed, model.EventTentative, model.EventCancelled}[m.IntN(3)]
	e.Visibility = []model.EventVisibility{model.VisibilityDefault, model.VisibilityPublic, model.VisibilityPrivate,
		model.VisibilityConfidential}[m.IntN(4)]
	e.Transparent = m.IntN(4) == 0
	e.Summary, e.Location = m.text(), m.text()
	e.Summary, e.Location = strings.TrimSpace(e.Summary), strings.TrimSpace(e.Location)
	if m.IntN(2) == 0 {
		e.Description, e.URL = m.text(), "https://example.com/a?b=c,d;e"
		e.CreatedAt, e.UpdatedAt = at.Add(-time.Hour), at
		e.Categories = []string{"Work, play", "a;b"}
	}
	m.people(&e)
	switch m.IntN(4) {
	case 0:
		e.Start.Date = model.DateOf(at)
		e.End.Date = e.Start.Date.AddDays(1 + m.IntN(3))
	case 1:
		e.Floating = true
		fallthrough
	default:
		e.Start = model.EventTime{At: at, Zone: m.zone}
		e.End = model.EventTime{At: at.Add(time.Duration(m.IntN(60*24*60)) * time.Second), Zone: m.zone}
	}
	if m.IntN(3) == 0 {
		m.recur(t, &e, zone)
	}
	return e
}

func (m maker) people(e *ical.Event) {
	switch m.IntN(3) {
	case 0:
		e.Organizer = &model.Person{Email: "dana@example.com", Name: m.text()}
		e.Organizer.Name = strings.TrimSpace(e.Organizer.Name)
		e.Attendees = []model.Attendee{
			{Email: "dana@example.com", Status: model.Accepted, Organizer: true},
			{Email: "a%b+c@example.com", Name: `Doe, "J" ^ \, x`, Status: model.Maybe, Optional: true, Comment: "late;\nso"},
			{Email: "room@example.com", Status: model.NeedsAction, Resource: true}}
		e.Reminders.Overrides = []model.Reminder{{Method: model.RemindByEmail, Minutes: 1440},
			{Method: model.RemindByPopup, Minutes: m.IntN(100)}}
	case 1:
		e.Reminders.UseDefault = true
		e.MeetingURL = "https://meet.example.com/x"
	}
}

func (m maker) recur(t *testing.T, e *ical.Event, zone *time.Location) {
	start := rrule.Start{At: e.Start.At, AllDay: e.Start.AllDay(), Zone: zone}
	if start.AllDay {
		start.At = e.Start.Date.Midnight()
	}
	later := start.At.AddDate(0, 2, 0)
	lines := [][]string{
		{"RRULE:FREQ=DAILY;COUNT=10"},
		{"RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=" + later.Format("20060102T150405Z")},
		{"RRULE:FREQ=MONTHLY;BYDAY=-1FR", "EXDATE:" + later.Format("20060102T150405Z")},
		{"RRULE:FREQ=YEARLY", "RDATE:" + later.Format("20060102T150405"), "EXDATE:" + later.Format("20060102")},
		{"RDATE:" + later.Format("20060102T150405") + "," + later.AddDate(0, 0, 3).Format("20060102T150405")},
	}[m.IntN(5)]
	set, err := rrule.Parse(lines, start)
	if err != nil {
		t.Fatal(err)
	}
	e.Recurrence = set.Lines()
}

// changed are occurrences of a series that were changed or cancelled.
func (m maker) changed(e ical.Event) []ical.Event {
	if !e.IsSeries() || m.IntN(2) == 0 {
		return nil
	}
	zone, _ := when.LoadZone(m.zone)
	var all []ical.Event
	for i := range 3 {
		one := e
		one.Recurrence, one.OriginalStart = nil, e.Start
		if e.Start.AllDay() {
			one.OriginalStart.Date = e.Start.Date.AddDays(i)
		} else {
			one.OriginalStart.At = e.Start.At.In(zone).AddDate(0, 0, i).UTC()
		}
		if m.IntN(2) == 0 {
			one = ical.Event{Floating: e.Floating, Sequence: e.Sequence, Stamp: e.Stamp, Event: model.Event{
				ICalUID: e.ICalUID, Type: model.EventDefault, Status: model.EventCancelled,
				Visibility: model.VisibilityDefault, OriginalStart: one.OriginalStart}}
		} else {
			one.Summary, one.Status = "Changed", model.EventConfirmed
		}
		all = append(all, one)
	}
	return all
}

func TestRoundTripIsTheIdentity(t *testing.T) {
	t.Parallel()
	for i, zone := range zones {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			m := maker{rand.New(rand.NewPCG(20, uint64(i))), zone}
			var want []ical.Event
			for n := range 300 {
				e := m.event(t, n)
				want = append(want, e)
				want = append(want, m.changed(e)...)
			}
			heading := ical.Heading{Name: "Work, home", Description: "d", Zone: zone, Refresh: time.Hour}
			text := ical.Write(heading, want)
			document, got := read(t, text, ical.Options{})
			if document.Name != heading.Name || document.Description != "d" || document.Zone != zone ||
				document.Refresh != time.Hour || !document.Whole {
				t.Errorf("the heading is %+v", document)
			}
			compare(t, got, want)
			again := ical.Write(heading, got)
			if _, twice := read(t, again, ical.Options{}); !reflect.DeepEqual(keysOf(twice), keysOf(got)) {
				t.Error("the second time there are other keys")
			}
			checkLines(t, text)
		})
	}
}

func compare(t *testing.T, got, want []ical.Event) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d events are read, %d were written", len(got), len(want))
	}
	byKey := map[ical.Key]ical.Event{}
	for _, e := range got {
		byKey[e.Key()] = e
	}
	for _, e := range want {
		read, ok := byKey[e.Key()]
		read.Line = 0
		if !ok || !reflect.DeepEqual(read, e) {
			t.Fatalf("%+v\nis read as\n%+v (%v)\nin\n%s", e, read, ok, ical.Write(ical.Heading{}, []ical.Event{e}))
		}
	}
}

func keysOf(events []ical.Event) []ical.Key {
	var keys []ical.Key
	for i := range events {
		keys = append(keys, events[i].Key())
	}
	slices.SortFunc(keys, func(a, b ical.Key) int { return strings.Compare(a.UID+a.Original, b.UID+b.Original) })
	return keys
}

// read reads a text of which every entry is an event, none with a note.
func read(t *testing.T, text []byte, options ical.Options) (*ical.Document, []ical.Event) {
	t.Helper()
	document, err := ical.Open(text, options)
	if err != nil {
		t.Fatal(err)
	}
	var events []ical.Event
	for e, problem := range document.Events() {
		if problem != nil || len(e.Notes) > 0 {
			t.Fatalf("problem %+v, notes %+v", problem, e.Notes)
		}
		events = append(events, e)
	}
	return document, events
}

// checkLines wants lines of at most 75 bytes that end with CRLF, each of them UTF-8.
func checkLines(t *testing.T, text []byte) {
	t.Helper()
	for line := range bytes.Lines(text) {
		content, ok := bytes.CutSuffix(line, []byte("\r\n"))
		if !ok || len(content) > 75 || !bytes.Equal(content, bytes.ToValidUTF8(content, nil)) ||
			bytes.ContainsAny(content, "\r\n") {
			t.Fatalf("a line is %q", line)
		}
	}
}

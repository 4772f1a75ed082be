package ical_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/ical"
	"almanac/projections/when"
)

// TestZonesByOffsets renames the zones of what was written: their VTIMEZONEs then say alone what they are.
func TestZonesByOffsets(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("windows.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, year := range []int{2007, 2026, 2045} {
		for line := range strings.Lines(string(table)) {
			_, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
			zone, err := when.LoadZone(name)
			if err != nil {
				t.Fatal(err)
			}
			at := time.Date(year, time.July, 1, 9, 0, 0, 0, zone).UTC()
			e := ical.Event{}
			e.ICalUID, e.Start, e.End = "x", model.EventTime{At: at, Zone: name}, model.EventTime{At: at, Zone: name}
			e.Recurrence = []string{"RRULE:FREQ=MONTHLY;COUNT=24"}
			text := ical.Write(ical.Heading{}, []ical.Event{e})
			text = bytes.ReplaceAll(text, []byte("TZID="+name), []byte("TZID=Somewhere"))
			text = bytes.ReplaceAll(text, []byte("TZID:"+name), []byte("TZID:Somewhere"))
			_, got := read(t, text, ical.Options{})
			if !got[0].Start.At.Equal(at) {
				t.Errorf("%s in %d: %v is read as %v", name, year, at, got[0].Start)
			}
			found, err := when.LoadZone(got[0].Start.Zone)
			if err != nil {
				t.Fatal(err)
			}
			for day := at; day.Before(at.AddDate(1, 5, 0)); day = day.AddDate(0, 0, 1) {
				_, want := day.In(zone).Zone()
				if _, offset := day.In(found).Zone(); offset != want {
					t.Fatalf("%s in %d is taken for %s, which is another on %v", name, year, found, day)
				}
			}
		}
	}
}

// TestOwnZoneIsPreferred: of the zones with the offsets of a VTIMEZONE the reader's own is meant, unless the name says
// another.
func TestOwnZoneIsPreferred(t *testing.T) {
	t.Parallel()
	text := "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:%[1]s\nBEGIN:STANDARD\nDTSTART:16010101T030000\nTZOFFSETFROM:+0200\n" +
		"TZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD\nBEGIN:DAYLIGHT\nDTSTART:16010101T020000\n" +
		"TZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\nEND:DAYLIGHT\nEND:VTIMEZONE\n" +
		"BEGIN:VEVENT\nUID:a\nDTSTART;TZID=\"%[1]s\":20260701T090000\nEND:VEVENT\nEND:VCALENDAR\n"
	for _, test := range []struct{ name, own, want string }{
		{"Custom", "Europe/Madrid", "Europe/Madrid"},
		{"Custom", "Asia/Tokyo", "Europe/Budapest"},
		{"(UTC+01:00) Brussels, Copenhagen, Madrid, Paris", "Europe/Madrid", "Europe/Madrid"},
		{"(UTC+01:00) Sarajevo, Skopje, Warsaw, Zagreb", "Europe/Madrid", "Europe/Warsaw"},
		{"Romance Standard Time", "Europe/Madrid", "Europe/Paris"},
		{"/softwarestudio.org/Olson_20011030_5/America/Argentina/Salta", "UTC", "America/Argentina/Salta"},
	} {
		zone, err := when.LoadZone(test.own)
		if err != nil {
			t.Fatal(err)
		}
		_, got := read(t, fmt.Appendf(nil, text, test.name), ical.Options{Zone: zone})
		if got[0].Start.Zone != test.want {
			t.Errorf("%s for somebody in %s is %s, want %s", test.name, test.own, got[0].Start.Zone, test.want)
		}
	}
}

func timed(uid string, hour int) ical.Event {
	at := time.Date(2026, 3, 5, hour, 0, 0, 0, time.UTC)
	e := ical.Event{Stamp: at}
	e.ICalUID, e.Summary, e.Description = uid, "Secret", "secret"
	e.Start, e.End = model.EventTime{At: at, Zone: "Europe/Berlin"},
		model.EventTime{At: at.Add(time.Hour), Zone: "Europe/Berlin"}
	e.Organizer = &model.Person{Email: "secret@example.com"}
	e.Attendees = []model.Attendee{{Email: "secret@example.com"}}
	e.Location, e.URL, e.Categories = "secret", "https://secret.example.com", []string{"secret"}
	return e
}

// TestBusy: only times are said, and what does not make busy is not there, nor the occurrences of a series that do not.
func TestBusy(t *testing.T) {
	t.Parallel()
	free, cancelled, declined := timed("free@secret", 8), timed("cancelled@secret", 8), timed("declined@secret", 8)
	free.Transparent, cancelled.Status = true, model.EventCancelled
	declined.Attendees = []model.Attendee{{Email: "me@example.com", Self: true, Status: model.Declined}}
	series := timed("series@secret", 9)
	series.Recurrence = []string{"RRULE:FREQ=DAILY;COUNT=5"}
	var changed []ical.Event
	for day := 1; day <= 3; day++ {
		one := timed("series@secret", 9)
		one.OriginalStart = series.Start
		one.OriginalStart.At = series.Start.At.AddDate(0, 0, day)
		changed = append(changed, one)
	}
	changed[0].Transparent, changed[1].Status = true, model.EventCancelled
	orphan := timed("free@secret", 12)
	orphan.OriginalStart = free.Start
	text := ical.Write(ical.Heading{Form: ical.Busy},
		append([]ical.Event{free, cancelled, declined, timed("plain@secret", 7), series, orphan}, changed...))
	if bytes.Contains(bytes.ToLower(text), []byte("secret")) {
		t.Errorf("more is said than times:\n%s", text)
	}
	_, got := read(t, text, ical.Options{})
	var said []string
	for _, e := range got {
		said = append(said, fmt.Sprintf("%s %s %v %v", e.Summary, moment(e.Start), e.Transparent, e.Recurrence))
	}
	want := []string{"Busy 2026-03-05T08:00:00+01:00 Europe/Berlin false []",
		"Busy 2026-03-05T10:00:00+01:00 Europe/Berlin false [RRULE:FREQ=DAILY;COUNT=5 " +
			"EXDATE;TZID=Europe/Berlin:20260306T100000 EXDATE;TZID=Europe/Berlin:20260307T100000]",
		"Busy 2026-03-05T10:00:00+01:00 Europe/Berlin false []",
		"Busy 2026-03-05T13:00:00+01:00 Europe/Berlin false []"}
	slices.Sort(said)
	slices.Sort(want)
	if !reflect.DeepEqual(said, want) {
		t.Errorf("said is\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
	if again := ical.Write(ical.Heading{Form: ical.Busy}, []ical.Event{timed("plain@secret", 7)}); !bytes.Contains(text,
		regexp.MustCompile(`UID:\w+`).Find(again)) {
		t.Error("an event has another UID the next time")
	}
}

// FuzzRead: any text is read without a panic, every entry of it comes to something, and what was read is read again as
// the same once it was written.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/files/*.ics")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		document, err := ical.Open(text, ical.Options{})
		if err != nil {
			return
		}
		var events []ical.Event
		entries := 0
		for e, problem := range document.Events() {
			entries++
			if problem == nil {
				events = append(events, e)
			}
		}
		if entries < document.Entries {
			t.Fatalf("%d entries come to %d", document.Entries, entries)
		}
		heading := ical.Heading{Zone: document.Zone}
		if heading.Zone == "" {
			heading.Zone = "UTC"
		}
		if slices.ContainsFunc(events, func(e ical.Event) bool { return e.Floating && e.Start.Zone != heading.Zone }) {
			return // of several calendars in one text
		}
		written := ical.Write(heading, events)
		checkLines(t, written)
		again, err := ical.Open(written, ical.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var twice []ical.Event
		for e, problem := range again.Events() {
			if problem != nil {
				t.Fatalf("%+v in\n%s", problem, written)
			}
			twice = append(twice, e)
		}
		if got, want := keysOf(twice), keysOf(events); !slices.Equal(got, want) {
			t.Fatalf("keys are %v, want %v, in\n%s", got, want, written)
		}
	})
}

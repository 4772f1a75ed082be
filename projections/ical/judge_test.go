package ical_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"

	"almanac/graph/model"
	"almanac/projections/ical"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// judged are events whose text the other parsers read: in every zone series of 40 months from years with different
// rules, and events of all kinds.
func judged(t *testing.T) []ical.Event {
	var all []ical.Event
	for i, name := range zones {
		zone, err := when.LoadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, year := range []int{1975, 1991, 2005, 2025, 2044} {
			at := time.Date(year, time.January, 15, 9, 30, 0, 0, zone).UTC()
			e := ical.Event{Stamp: time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)}
			e.ICalUID, e.Summary = fmt.Sprintf("%s %d", name, year), "Month, by month"
			e.Type, e.Status, e.Visibility = model.EventDefault, model.EventConfirmed, model.VisibilityDefault
			e.Start, e.End = model.EventTime{At: at, Zone: name}, model.EventTime{At: at.Add(time.Hour), Zone: name}
			e.Recurrence = []string{"RRULE:FREQ=MONTHLY;COUNT=40"}
			all = append(all, e)
		}
		m := maker{rand.New(rand.NewPCG(39, uint64(i))), name}
		for n := range 4 {
			e := m.event(t, n)
			e.ICalUID = name + e.ICalUID
			if len(e.Recurrence) > 0 {
				e.Recurrence = nil // what the series above have is defined; other starts and readings are not
			}
			all = append(all, e)
		}
	}
	return all
}

// judgment is what another parser says of one event.
type judgment struct {
	UID         string   `json:"uid"`
	Original    string   `json:"original"`
	Start       string   `json:"start"`
	End         string   `json:"end"`
	Summary     string   `json:"summary"`
	Location    string   `json:"location"`
	Occurrences []string `json:"occurrences"`
}

func said(t *testing.T, file string) []judgment {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var all []judgment
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// sayTime is a time as the judges write it: an instant in UTC, a date, or a reading of any clock.
func sayTime(at model.EventTime, floating bool) string {
	switch {
	case at.IsZero():
		return ""
	case at.AllDay():
		return at.Date.String()
	case floating:
		zone, err := when.LoadZone(at.Zone)
		if err != nil {
			return err.Error()
		}
		return at.At.In(zone).Format("2006-01-02T15:04:05")
	default:
		return at.At.UTC().Format("2006-01-02T15:04:05Z")
	}
}

// sayAll are the events as the judges write them, with up to 40 occurrences of series.
func sayAll(t *testing.T, events []ical.Event, withOccurrences bool) []judgment {
	t.Helper()
	var all []judgment
	for _, e := range events {
		one := judgment{UID: e.ICalUID, Original: sayTime(e.OriginalStart, e.Floating), Start: sayTime(e.Start, e.Floating),
			End: sayTime(e.End, e.Floating), Summary: e.Summary, Location: e.Location, Occurrences: []string{}}
		if e.IsSeries() && withOccurrences {
			zone, err := when.LoadZone(e.Start.Zone)
			if err != nil {
				t.Fatal(err)
			}
			set, err := rrule.Parse(e.Recurrence, rrule.Start{At: e.Start.At, Zone: zone})
			if err != nil {
				t.Fatal(err)
			}
			found, _ := set.Between(e.Start.At, e.Start.At.AddDate(100, 0, 0), 40)
			for _, each := range found {
				one.Occurrences = append(one.Occurrences, each.Start.Format("2006-01-02T15:04:05Z"))
			}
		}
		all = append(all, one)
	}
	return all
}

// agree compares what a judge says; where it is wrong, and why, excused reports.
func agree(t *testing.T, judge string, judgments, ours []judgment, excused func(judgment) bool) {
	t.Helper()
	compared := 0
	byKey := map[string]judgment{}
	for _, each := range judgments {
		byKey[each.UID+" "+each.Original] = each
	}
	if len(byKey) != len(ours) {
		t.Errorf("%s reads %d events, we %d", judge, len(byKey), len(ours))
	}
	for _, each := range ours {
		got, ok := byKey[each.UID+" "+each.Original]
		if ok && excused(each) {
			continue
		}
		compared++
		if want := fmt.Sprintf("%+v", each); !ok || fmt.Sprintf("%+v", got) != want {
			t.Errorf("%s reads\n%+v, we\n%s", judge, got, want)
		}
	}
	if compared < len(ours)*7/10 {
		t.Errorf("only %d of %d events are compared with %s", compared, len(ours), judge)
	}
}

// TestOthersReadWhatIsWritten compares with ical.js, which knows no zones but those of VTIMEZONE, and with Python's
// icalendar. testdata/judges.sh says how their readings were made.
func TestOthersReadWhatIsWritten(t *testing.T) {
	t.Parallel()
	events := judged(t)
	text := ical.Write(ical.Heading{Name: "Judged"}, events)
	golden(t, "testdata/written.ics", string(text))
	agree(t, "ical.js", said(t, "written.icaljs.json"), sayAll(t, events, true), func(judgment) bool { return false })
	// It takes an escaped backslash before an n for a line end, and its zones end with 2037.
	agree(t, "icalendar", said(t, "written.icalendar.json"), sayAll(t, events, false), func(e judgment) bool {
		return strings.Contains(e.Summary+e.Location, `\n`) || e.Start > "2037"
	})
}

// TestGoReadsWhatIsWritten compares with golang-ical where it is right: instants of events with a zone or in UTC,
// dates, and texts.
func TestGoReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	events := judged(t)
	for i := range events { // it takes a backslash in a quoted parameter for an escape, and misses the end of CN="\"
		events[i].Organizer, events[i].Attendees = nil, nil
	}
	calendar, err := ics.ParseCalendar(strings.NewReader(string(ical.Write(ical.Heading{}, events))))
	if err != nil {
		t.Fatal(err)
	}
	byUID := map[string]*ics.VEvent{}
	for _, each := range calendar.Events() {
		byUID[each.Id()] = each
	}
	for _, e := range events {
		other := byUID[e.ICalUID]
		if other == nil {
			t.Fatalf("golang-ical does not find %s", e.ICalUID)
		}
		if p := other.GetProperty(ics.ComponentPropertySummary); p != nil && p.Value != e.Summary {
			t.Errorf("golang-ical reads the title %q, not %q", p.Value, e.Summary)
		}
		if e.Floating {
			continue // it takes them for times of the machine's zone
		}
		read, want := other.GetStartAt, e.Start.At
		if e.Start.AllDay() {
			read, want = other.GetAllDayStartAt, time.Date(e.Start.Date.Year, e.Start.Date.Month, e.Start.Date.Day, 0, 0, 0,
				0, time.Local)
		}
		if at, err := read(); err != nil || !at.Equal(want) && model.DateOf(at) != model.DateOf(want) {
			t.Errorf("golang-ical reads %s to start at %v (%v), not %v", e.ICalUID, at, err, want)
		}
	}
}

package ical_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/ical"
	"almanac/projections/when"
)

var update = flag.Bool("update", false, "write the golden files")

// TestFiles reads files in the shapes that other programs write; what comes of them stands beside each.
func TestFiles(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/files/*.ics")
	if err != nil || len(files) < 25 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			zone, err := when.LoadZone("Europe/Madrid")
			if err != nil {
				t.Fatal(err)
			}
			document, err := ical.Open(text, ical.Options{Zone: zone})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(file, ".ics")+".txt", described(document))
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not\n%s\nbut\n%s", file, want, got)
	}
}

func described(d *ical.Document) string {
	var b strings.Builder
	fmt.Fprintf(&b, "name %q zone %q refresh %v whole %v entries %d\n", d.Name, d.Zone, d.Refresh, d.Whole, d.Entries)
	for e, problem := range d.Events() {
		if problem != nil {
			fmt.Fprintf(&b, "\nline %d: %s %q %s\n", problem.Line, problem.UID, problem.Summary, problem.Reason)
			continue
		}
		fmt.Fprintf(&b, "\nline %d: %s %q\n", e.Line, e.ICalUID, e.Summary)
		fmt.Fprintf(&b, "  %s to %s%s\n", moment(e.Start), moment(e.End), map[bool]string{true: " floating"}[e.Floating])
		if !e.OriginalStart.IsZero() {
			fmt.Fprintf(&b, "  in place of %s\n", moment(e.OriginalStart))
		}
		for _, line := range e.Recurrence {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		fmt.Fprintf(&b, "  %s %s transparent=%v sequence %d\n", e.Status, e.Visibility, e.Transparent, e.Sequence)
		for _, each := range []struct{ name, value string }{{"description", e.Description}, {"location", e.Location},
			{"url", e.URL}, {"meeting", e.MeetingURL}, {"categories", strings.Join(e.Categories, " | ")}} {
			if each.value != "" {
				fmt.Fprintf(&b, "  %s %q\n", each.name, each.value)
			}
		}
		if e.Organizer != nil {
			fmt.Fprintf(&b, "  organizer %+v\n", *e.Organizer)
		}
		for _, a := range e.Attendees {
			fmt.Fprintf(&b, "  attendee %+v\n", a)
		}
		for _, r := range e.Reminders.Overrides {
			fmt.Fprintf(&b, "  reminder %s %d\n", r.Method, r.Minutes)
		}
		for _, note := range e.Notes {
			fmt.Fprintf(&b, "  note on line %d: %s\n", note.Line, note.Reason)
		}
	}
	return b.String()
}

func moment(t model.EventTime) string {
	if t.AllDay() {
		return t.Date.String()
	}
	zone, err := when.LoadZone(t.Zone)
	if err != nil {
		return "in no zone: " + t.Zone
	}
	return t.At.In(zone).Format(time.RFC3339) + " " + t.Zone
}

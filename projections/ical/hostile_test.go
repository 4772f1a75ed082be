package ical_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"almanac/projections/ical"
)

// full repeats a text until it is as long as a text may be, between a beginning and an end.
func full(before, repeated, after string) []byte {
	n := (ical.MaxBytes - len(before) - len(after)) / len(repeated)
	return []byte(before + strings.Repeat(repeated, n) + after)
}

// numbered repeats a text with numbers in it.
func numbered(form string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, form, i)
	}
	return b.String()
}

const (
	begin = "BEGIN:VCALENDAR\r\n"
	end   = "END:VCALENDAR\r\n"
	event = "BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260305T160000Z\r\n"
)

// TestHostile reads texts that are made to cost much. Each ends with every entry accounted for and with allocations in
// proportion to the text.
func TestHostile(t *testing.T) { //nolint:paralleltest // allocations are counted for the whole process
	binary := make([]byte, ical.MaxBytes)
	for i, random := 0, rand.New(rand.NewPCG(1, 2)); i < len(binary); i++ {
		binary[i] = byte(random.Uint32())
	}
	copy(binary, begin+event)
	zone := "BEGIN:VTIMEZONE\nTZID:Z%[1]d\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0317\n" +
		"TZOFFSETTO:+0317\n" +
		"RRULE:FREQ=DAILY\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=Z%[1]d:20260101T000000\nEND:VEVENT\n"
	for name, test := range map[string]struct {
		text     []byte
		events   int // -1: any
		problems int
	}{
		"events in events": {[]byte(begin + strings.Repeat("BEGIN:VEVENT\n", 300_000)), 0, 300_000},
		"parts in parts":   {[]byte(begin + event + strings.Repeat("BEGIN:X\n", 300_000) + "END:VEVENT\n" + end), -1, -1},
		"alarms in alarms": {[]byte(begin + event + strings.Repeat("BEGIN:VALARM\n", 300_000)), 0, 1},
		"calendars":        {full("", "BEGIN:VCALENDAR\n", ""), 0, 0},
		"ends":             {full(begin, "END:VEVENT\n", end), 0, 0},
		"one line":         {full(begin+event+"DESCRIPTION:", "\n a", "\nEND:VEVENT\n"+end), 1, 0},
		"one value":        {full(begin+event+"DESCRIPTION:", `\`, "\nEND:VEVENT\n"+end), 1, 0},
		"parameters":       {full(begin+event+"ATTENDEE", ";A=b", ":mailto:a@example.com\nEND:VEVENT\n"+end), 1, 0},
		"quotes":           {full(begin+event+"ATTENDEE;CN=", `"`, ":mailto:a@example.com\nEND:VEVENT\n"+end), 1, 0},
		"no colon":         {full(begin+event, "A\n", "END:VEVENT\n"+end), 1, 0},
		"categories":       {full(begin+event+"CATEGORIES:", "a,", "\nEND:VEVENT\n"+end), 1, 0},
		"attendees":        {full(begin+event, "ATTENDEE:mailto:a@b\n", "END:VEVENT\n"+end), 1, 0},
		"alarms":           {full(begin+event, "BEGIN:VALARM\nEND:VALARM\n", "END:VEVENT\n"+end), 1, 0},
		"dates":            {full(begin+event+"RRULE:FREQ=DAILY\nEXDATE:", "20260305T160000Z,", "\nEND:VEVENT\n"+end), 0, 1},
		"lines of dates":   {full(begin+event+"RRULE:FREQ=DAILY\n", "EXDATE:20260305\n", "END:VEVENT\n"+end), 0, 1},
		"one UID":          {full(begin, event+"RECURRENCE-ID:20260305T160000Z\nSEQUENCE:1\nEND:VEVENT\n", end), 1, -1},
		"endless": {[]byte(begin + numbered("BEGIN:VEVENT\nUID:%d\nDTSTART:20260305T160000Z\nRRULE:FREQ=DAILY\nEND:VEVENT\n",
			60_000) + end), 60_000, 0},
		"never": {
			full(begin, "BEGIN:VEVENT\nDTSTART:20260305T160000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\nEND:VEVENT\n", end),
			0, -1},
		"seldom": {full(begin, "BEGIN:VEVENT\nDTSTART:20260305T160000Z\nRRULE:FREQ=DAILY\n"+strings.Repeat(
			"RRULE:FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=5MO;INTERVAL=7\n", 7)+"END:VEVENT\n", end), -1, -1},
		"zones":  {[]byte(begin + numbered(zone, 20_000) + end), 0, 20_000},
		"binary": {binary, 0, 1},
	} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // as above
			if len(test.text) > ical.MaxBytes {
				t.Fatalf("the text has %d bytes", len(test.text))
			}
			var events, problems, entries int
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			document, err := ical.Open(test.text, ical.Options{})
			if err != nil {
				t.Fatal(err)
			}
			entries = document.Entries
			for _, problem := range document.Events() {
				if problem == nil {
					events++
				} else {
					problems++
				}
			}
			runtime.ReadMemStats(&after)
			if events+problems != entries {
				t.Errorf("%d entries come to %d events and %d problems", entries, events, problems)
			}
			if test.events >= 0 && events != test.events || test.problems >= 0 && problems != test.problems {
				t.Errorf("%d events and %d problems, want %d and %d", events, problems, test.events, test.problems)
			}
			// The heaviest are 60,000 series with a parsed rule each, 55 bytes for one of the text.
			allocations, bytes := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
			if size := uint64(len(test.text)); allocations > 2*size || bytes > 70*size {
				t.Errorf("%d allocations of %d bytes in all", allocations, bytes)
			}
		})
	}
}

func TestNotRead(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text []byte
		want error
	}{
		"nothing":   {nil, ical.ErrNotICal},
		"a page":    {[]byte("<!DOCTYPE html><html><body>Sign in</body></html>"), ical.ErrNotICal},
		"zeros":     {make([]byte, 1000), ical.ErrNotICal},
		"UTF-16":    {[]byte("\xff\xfeB\x00E\x00"), ical.ErrUTF16},
		"too large": {bytes.Repeat([]byte("a"), ical.MaxBytes+1), ical.ErrTooLarge},
	} {
		if _, err := ical.Open(test.text, ical.Options{}); !errors.Is(err, test.want) {
			t.Errorf("%s is %v, want %v", name, err, test.want)
		}
	}
}

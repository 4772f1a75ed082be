package occur

import (
	"strconv"
	"time"

	"almanac/graph/model"
)

// Standing orders the calendars that have one event by what can be done with it there: less is more. What a linked
// account may change comes first, since there it can be answered and its guests are told; then own calendars, then what
// is only read: shared calendars and feeds. connection is the number of the linked account, 0 for none.
func Standing(connection int, role model.AccessRole) int {
	switch {
	case !role.MayWrite():
		return 2
	case connection == 0:
		return 1
	}
	return 0
}

// ZonesApart bounds how far apart in time two calendars may begin the same all-day event.
const ZonesApart = 26 * time.Hour

// Once leaves out the copies of events that several calendars have: those of one iCalendar UID that begin at one time
// and, as occurrences of a series, would begin at one time by its rule. The one with the least standing stays, of
// several the first. The order is kept; items is overwritten. of returns an item's event and its standing.
func Once[T any](items []T, of func(T) (event *model.Event, standing int)) []T {
	best := make(map[string]int, len(items))
	keys := make([]string, len(items))
	for i, item := range items {
		event, standing := of(item)
		if keys[i] = copyKey(event); keys[i] == "" {
			continue
		}
		there, known := best[keys[i]]
		if known {
			if _, other := of(items[there]); other <= standing {
				continue
			}
		}
		best[keys[i]] = i
	}
	out := items[:0]
	for i, item := range items {
		if keys[i] == "" || best[keys[i]] == i {
			out = append(out, item)
		}
	}
	return out
}

// copyKey is equal for copies; empty for an event that has no UID.
func copyKey(e *model.Event) string {
	if e.ICalUID == "" {
		return ""
	}
	key := make([]byte, 0, len(e.ICalUID)+48)
	key = append(key, e.ICalUID...)
	original := e.OriginalStart
	if original.IsZero() { // who is invited to one occurrence has it as a single event
		original = e.Start
	}
	for _, at := range []model.EventTime{original, e.Start} {
		if key = append(key, 0); at.AllDay() {
			key = append(key, at.Date.String()...)
		} else {
			key = strconv.AppendInt(key, at.At.UnixMicro(), 36)
		}
	}
	return string(key)
}

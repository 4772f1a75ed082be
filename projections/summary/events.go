package summary

import (
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// ofEvent says what became of an event, an occurrence or a series; before is nil for a new one.
func ofEvent(before, after *model.Event, m when.Moment) (said []phrase) {
	name := after.Summary
	if before == nil {
		verb := "event added"
		if after.IsSeries() {
			verb = "series added"
		}
		return []phrase{{verb: verb, name: name, rest: []string{shortTime(after.Start, m)}}}
	}
	moved := "event moved"
	if after.IsSeries() {
		moved = "series moved"
	}
	switch {
	case !sameTime(before.Start, after.Start):
		said = append(said, phrase{verb: moved, name: name,
			rest: []string{shortTime(before.Start, m), shortTime(after.Start, m)}})
	case !sameTime(before.End, after.End):
		said = append(said, phrase{verb: "event lengthened", name: name,
			rest: []string{shortTime(before.End, m), shortTime(after.End, m)}})
	}
	if before.Summary != after.Summary {
		said = append(said, phrase{verb: "event renamed", name: before.Summary, rest: []string{after.Summary}})
	}
	switch {
	case before.Location == after.Location:
	case after.Location == "":
		said = append(said, phrase{verb: "event unplaced", name: name, rest: []string{before.Location}})
	default:
		said = append(said, phrase{verb: "event placed", name: name, rest: []string{after.Location}})
	}
	if some := guestsBeside(after, before); some != "" {
		said = append(said, phrase{verb: "guest invited", name: name, rest: []string{some}})
	}
	if some := guestsBeside(before, after); some != "" {
		said = append(said, phrase{verb: "guest uninvited", name: name, rest: []string{some}})
	}
	if answer := answerTo(after); answer != answerTo(before) && answer != "" {
		said = append(said, phrase{verb: answer, name: name})
	}
	if len(said) == 0 && !slices.Equal(before.Recurrence, after.Recurrence) {
		if end := endOf(after, m); end != "" && end != endOf(before, m) {
			said = append(said, phrase{verb: "series ended", name: name, rest: []string{end}})
		} else {
			said = append(said, phrase{verb: "series changed", name: name})
		}
	}
	if len(said) == 0 {
		said = append(said, phrase{verb: "event changed", name: name, rest: []string{shortTime(after.Start, m)}})
	}
	return said
}

// endOf says from when on a series does not occur any more; empty when its rule has no such time (RFC 5545, section
// 3.3.10, UNTIL: a time in UTC, or a date, both inclusive).
func endOf(of *model.Event, m when.Moment) string {
	for _, line := range of.Recurrence {
		_, until, found := strings.Cut(strings.ToUpper(line), "UNTIL=")
		if !found {
			continue
		}
		until, _, _ = strings.Cut(until, ";")
		if at, err := time.Parse("20060102T150405Z", until); err == nil {
			return when.FormatShort(at.Add(time.Second), m)
		}
		if day, err := time.Parse("20060102", until); err == nil {
			return when.FormatShortDate(model.DateOf(day.AddDate(0, 0, 1)), m)
		}
	}
	return ""
}

// answerTo is the verb of the viewer's answer to an invitation; empty for an event to which they are not invited.
func answerTo(of *model.Event) string {
	for _, guest := range of.Attendees {
		switch {
		case !guest.Self:
		case guest.Status == model.Accepted:
			return "event accepted"
		case guest.Status == model.Declined:
			return "event declined"
		case guest.Status == model.Maybe:
			return "event perhaps"
		default:
			return "event unanswered"
		}
	}
	return ""
}

func eventDeleted(before *model.Event, m when.Moment) []phrase {
	if before.IsSeries() {
		return []phrase{{verb: "series deleted", name: before.Summary}}
	}
	return []phrase{{verb: "event deleted", name: before.Summary, rest: []string{shortTime(before.Start, m)}}}
}

// guestsBeside are the guests of one event that are not guests of another.
func guestsBeside(of, other *model.Event) string {
	var some []string
	for _, guest := range of.Attendees {
		if !slices.ContainsFunc(other.Attendees,
			func(a model.Attendee) bool { return strings.EqualFold(a.Email, guest.Email) }) {
			some = append(some, guest.Email)
		}
	}
	return strings.Join(some, ", ")
}

func sameTime(a, b model.EventTime) bool { return a.At.Equal(b.At) && a.Date == b.Date }

// shortTime says a start or an end, as it stays true.
func shortTime(t model.EventTime, m when.Moment) string {
	if t.AllDay() {
		return when.FormatShortDate(t.Date, m)
	}
	return when.FormatShort(t.At, m)
}

// GuestsTold says that guests were told by mail.
func GuestsTold(locale string) string {
	if locale == "he" {
		return "המוזמנים קיבלו דואר"
	}
	return "guests were told by mail"
}

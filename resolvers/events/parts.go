package events

import (
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/resolvers/core"
)

// eventTitle reads a title, which must not be empty and stands on one line.
func eventTitle(field, text string) (string, error) {
	title, err := core.CleanText(field, text, model.MaxEventSummary)
	return core.OneLine(title), err
}

// maxAddress is the length of the longest e-mail address (RFC 5321, 4.5.3.1, with the erratum on its path).
const maxAddress = 254

// maxAttendeeName bounds the name of who is invited.
const maxAttendeeName = 200

// attendees reads who is invited, each address once: the first mention counts.
func attendees(field string, in []graph.EventAttendeeInput) ([]model.Attendee, error) {
	if len(in) > model.MaxAttendees {
		return nil, model.BadInput(field, "an event has at most %d attendees, not %d", model.MaxAttendees, len(in))
	}
	out := make([]model.Attendee, 0, len(in))
	for i, one := range in {
		at := field + "." + strconv.Itoa(i)
		address, err := emailAddress(at+".email", one.Email)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(a model.Attendee) bool { return strings.EqualFold(a.Email, address) }) {
			continue
		}
		attendee := model.Attendee{Email: address, Optional: one.Optional != nil && *one.Optional}
		if one.DisplayName != nil {
			name, err := core.CleanLabel(at+".displayName", *one.DisplayName, maxAttendeeName)
			if err != nil {
				return nil, err
			}
			attendee.Name = core.OneLine(name)
		}
		out = append(out, attendee)
	}
	return out, nil
}

// emailAddress reads a bare address: no name, no comment, no folding, nothing that is read as more than one.
func emailAddress(field, text string) (string, error) {
	address := strings.TrimSpace(text)
	refused := model.BadInput(field, "%q is not an e-mail address; write it bare, such as dana@example.com",
		model.Clip(text))
	if len(address) > maxAddress || strings.ContainsFunc(address, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) ||
			strings.ContainsRune(`<>()[]",;:\`, r)
	}) {
		return "", refused
	}
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Address != address || parsed.Name != "" {
		return "", refused
	}
	local, domain, _ := strings.Cut(address, "@")
	if local == "" || !strings.Contains(domain, ".") || strings.HasPrefix(domain, ".") || strings.HasSuffix(domain, ".") {
		return "", refused
	}
	return address, nil
}

// eventReminders reads how an event reminds: by the list, or by its short form. given is false when neither says
// anything.
func eventReminders(path string, in *graph.EventRemindersInput,
	minutesBefore *int32) (out model.Reminders, given bool, err error) {
	short := core.Under(path, "reminderMinutesBefore")
	switch {
	case in != nil && minutesBefore != nil:
		return out, false, model.BadInput(short, "give reminders or reminderMinutesBefore, not both")
	case minutesBefore != nil:
		reminder, err := eventReminder(short, graph.EventReminderInput{Minutes: *minutesBefore})
		return model.Reminders{Overrides: []model.Reminder{reminder}}, true, err
	case in == nil:
		return out, false, nil
	}
	field := core.Under(path, "reminders")
	out.UseDefault = in.UseDefault != nil && *in.UseDefault
	if out.UseDefault && len(in.Overrides) > 0 {
		return out, false, model.BadInput(field+".useDefault", "give useDefault or overrides, not both")
	}
	if len(in.Overrides) > model.MaxReminders {
		return out, false, model.BadInput(field+".overrides", "an event has at most %d reminders, not %d", model.MaxReminders,
			len(in.Overrides))
	}
	for i, one := range in.Overrides {
		reminder, err := eventReminder(field+".overrides."+strconv.Itoa(i)+".minutes", one)
		if err != nil {
			return out, false, err
		}
		if !slices.Contains(out.Overrides, reminder) {
			out.Overrides = append(out.Overrides, reminder)
		}
	}
	return out, true, nil
}

func eventReminder(field string, in graph.EventReminderInput) (model.Reminder, error) {
	if in.Minutes < 0 || in.Minutes > model.MaxReminderMinutes {
		return model.Reminder{}, model.BadInput(field, "a reminder comes 0 to %d minutes before the start, not %d",
			model.MaxReminderMinutes, in.Minutes)
	}
	out := model.Reminder{Method: model.RemindByPopup, Minutes: int(in.Minutes)}
	if in.Method != nil {
		out.Method = *in.Method
	}
	return out, nil
}

// maxColor is the greatest of Google's numbers of event colours.
const maxColor = 11

// eventColor reads the number of a colour.
func eventColor(field, text string) (string, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 || n > maxColor {
		return "", model.BadInput(field, "%q is not a colour; give a number from 1 to %d", model.Clip(text), maxColor)
	}
	return strconv.Itoa(n), nil
}

// linesExplained is how many lines of a refused recurrence are looked at one by one: reading a rule costs something.
const linesExplained = 8

// recurrenceLines reads the lines of a recurrence that begins at a start, and returns them as they are written. An
// error names the line at fault where one line is.
func recurrenceLines(field string, lines []string, start rrule.Start) ([]string, error) {
	if len(lines) > model.MaxRecurrenceLines {
		return nil, model.BadInput(field, "a recurrence has at most %d lines, not %d", model.MaxRecurrenceLines, len(lines))
	}
	set, err := rrule.Parse(lines, start)
	if err != nil {
		for i, line := range lines[:min(len(lines), linesExplained)] {
			beside := []string{line}
			if name := strings.ToUpper(strings.TrimSpace(line)); strings.HasPrefix(name, "EXDATE") ||
				strings.HasPrefix(name, "RDATE") {
				beside = append(beside, "RRULE:FREQ=DAILY") // dates alone are no recurrence
			}
			if _, alone := rrule.Parse(beside, start); alone != nil {
				return nil, core.Below(alone, field+"."+strconv.Itoa(i))
			}
		}
		return nil, core.Below(err, field)
	}
	first, ok := set.First()
	if !ok {
		return nil, model.BadInput(field, "nothing is left of this recurrence: it has no occurrence")
	}
	if !first.Start.Equal(start.At.Truncate(time.Second)) {
		return nil, model.BadInput(field, "the start is no occurrence of its own recurrence; begin at the first, %s",
			occurrenceText(first.Start, start))
	}
	return set.Lines(), nil
}

// occurrenceText names an occurrence in a message.
func occurrenceText(at time.Time, series rrule.Start) string {
	if series.AllDay {
		return model.DateOf(at).String()
	}
	return at.In(series.Zone).Format(time.RFC3339)
}

// eventTextParts reads what is written below and beside a title; an empty text stays empty.
type eventTextParts struct{ description, location string }

func eventTexts(path string, description, location *string) (out eventTextParts, err error) {
	if description != nil {
		if out.description, err = core.CleanLabel(core.Under(path, "description"), *description,
			model.MaxEventDescription); err != nil {
			return out, err
		}
	}
	if location != nil {
		out.location, err = core.CleanLabel(core.Under(path, "location"), *location, model.MaxEventLocation)
		out.location = core.OneLine(out.location)
	}
	return out, err
}

// cleared refuses a null where a patch cannot clear.
func cleared[T any](field string, value graphql.Omittable[*T]) error {
	if v, given := value.ValueOK(); given && v == nil {
		name := field[strings.LastIndexByte(field, '.')+1:]
		return model.BadInput(field, "%s cannot be cleared; leave it out to keep it", name)
	}
	return nil
}

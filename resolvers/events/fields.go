package events

import (
	"context"

	"almanac/adapters/gcal"
	"almanac/resolvers/core"
)

// eventFields says what the fields of an event need of Google.
func eventFields(name string) gcal.Fields {
	switch name {
	case "summary":
		return gcal.FieldSummary
	case "description":
		return gcal.FieldDescription
	case "location":
		return gcal.FieldLocation
	case "start", "end", "whenFormatted", "allDay", "duration", "itemContext":
		return gcal.FieldTimes
	case "attendees", "attendeesOmitted", "response":
		return gcal.FieldAttendees
	case "organizer", "creator":
		return gcal.FieldPeople
	case "reminders":
		return gcal.FieldReminders
	case "recurrence":
		return gcal.FieldRecurrence
	case "recurrenceFormatted":
		return gcal.FieldRecurrence | gcal.FieldTimes
	case "htmlLink":
		return gcal.FieldLink
	case "meetingUrl":
		return gcal.FieldMeeting
	case "transparent":
		return gcal.FieldTransparency
	case "visibility":
		return gcal.FieldVisibility
	case "colorId":
		return gcal.FieldColor
	case "createdAt", "updatedAt":
		return gcal.FieldStamps
	case "iCalUID":
		return gcal.FieldICalUID
	default:
		return 0
	}
}

// EventFields are what the fields asked of an event need. The flags of recurrence need the lines of a series.
func EventFields(s core.Selection) gcal.Fields {
	var fields gcal.Fields
	for _, field := range s.Fields {
		fields |= eventFields(field.Name)
	}
	if s.Under("itemContext", "EventItemContext").Has("isRecurring", "isRecurringSeries") {
		fields |= gcal.FieldRecurrence
	}
	if s.Compact {
		fields |= gcal.FieldSummary | gcal.FieldTimes | gcal.FieldLocation | gcal.FieldAttendees | gcal.FieldRecurrence
	}
	return fields
}

// PayloadFields are what must be asked of an event that a payload's fields show, and what its context needs.
func PayloadFields(ctx context.Context, names ...string) gcal.Fields {
	asked := core.Answered(ctx)
	fields := gcal.FieldSummary | gcal.FieldTimes | AlsoWanted(ctx)
	if asked.Under("context", "EventContext").Has("isRecurring", "isRecurringSeries") {
		fields |= gcal.FieldRecurrence
	}
	for _, name := range names {
		fields |= EventFields(asked.Under(name, "Event"))
	}
	return fields
}

type alsoWantedKey struct{}

// AlsoWanting gives a context in which payloadFields has these fields too: those of an answer that is not made of the
// payload's own events alone.
func AlsoWanting(ctx context.Context, fields gcal.Fields) context.Context {
	return context.WithValue(ctx, alsoWantedKey{}, fields)
}

func AlsoWanted(ctx context.Context) gcal.Fields {
	fields, _ := ctx.Value(alsoWantedKey{}).(gcal.Fields)
	return fields
}

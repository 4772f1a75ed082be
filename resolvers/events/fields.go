package events

import (
	"context"

	"almanac/adapters/gcal"
	"almanac/resolvers/core"
)

// fieldsNamed says what the fields of an event need of Google.
func fieldsNamed(name string) gcal.Fields {
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
	case "created", "updated":
		return gcal.FieldStamps
	case "iCalUID":
		return gcal.FieldICalUID
	default:
		return 0
	}
}

// Fields are what the fields asked of an event need. The flags of recurrence need the lines of a series.
func Fields(asked core.Selection) gcal.Fields {
	var fields gcal.Fields
	for _, field := range asked.Fields {
		fields |= fieldsNamed(field.Name)
	}
	if asked.Under("itemContext", "EventItemContext").Has("isRecurring", "isRecurringSeries") {
		fields |= gcal.FieldRecurrence
	}
	if asked.Compact {
		fields |= gcal.FieldSummary | gcal.FieldTimes | gcal.FieldLocation | gcal.FieldAttendees | gcal.FieldRecurrence
	}
	return fields
}

// payloadFields are what must be asked of an event that a payload's fields show, and what its context needs.
func payloadFields(ctx context.Context, names ...string) gcal.Fields {
	asked := core.Answered(ctx)
	fields := gcal.FieldSummary | gcal.FieldTimes
	if asked.Under("context", "EventContext").Has("isRecurring", "isRecurringSeries") {
		fields |= gcal.FieldRecurrence
	}
	for _, name := range names {
		fields |= Fields(asked.Under(name, "Event"))
	}
	return fields
}

// candidateFields are what must be read of events that a question may show.
func candidateFields(ctx context.Context) gcal.Fields {
	return Fields(core.Answered(ctx).Under("confirmation", "Confirmation").Under("candidates", "Candidate").
		Under("node", "Event"))
}

// targetFields are what a change must know of what it changes. A timed series says its zone itself, so the calendar's
// is not asked for.
const targetFields = gcal.FieldSummary | gcal.FieldTimes | gcal.FieldRecurrence

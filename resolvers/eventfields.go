package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/gcal"
	"almanac/graph/model"
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

// eventFields are what the fields asked of an event need. The flags of recurrence need the lines of a series.
func (s selection) eventFields() gcal.Fields {
	var fields gcal.Fields
	for _, field := range s.fields {
		fields |= eventFields(field.Name)
	}
	if s.under("itemContext", "EventItemContext").has("isRecurring", "isRecurringSeries") {
		fields |= gcal.FieldRecurrence
	}
	if s.compact {
		fields |= gcal.FieldSummary | gcal.FieldTimes | gcal.FieldLocation | gcal.FieldAttendees | gcal.FieldRecurrence
	}
	return fields
}

// payloadFields are what must be asked of an event that a payload's fields show, and what its context needs.
func payloadFields(ctx context.Context, names ...string) gcal.Fields {
	asked := answered(ctx)
	fields := gcal.FieldSummary | gcal.FieldTimes | alsoWanted(ctx)
	if asked.under("context", "EventContext").has("isRecurring", "isRecurringSeries") {
		fields |= gcal.FieldRecurrence
	}
	for _, name := range names {
		fields |= asked.under(name, "Event").eventFields()
	}
	return fields
}

type alsoWantedKey struct{}

// alsoWanting gives a context in which payloadFields has these fields too: those of an answer that is not made of the
// payload's own events alone.
func alsoWanting(ctx context.Context, fields gcal.Fields) context.Context {
	return context.WithValue(ctx, alsoWantedKey{}, fields)
}

func alsoWanted(ctx context.Context) gcal.Fields {
	fields, _ := ctx.Value(alsoWantedKey{}).(gcal.Fields)
	return fields
}

// addError adds an error beside the answer of the field being resolved: what else was asked still answers.
func addError(ctx context.Context, err error) { graphql.AddError(ctx, err) }

// beside moves an error into a payload: what the caller can mend into userErrors, the rest beside the answer, so that
// one tired remote does not blank what other fields of the request have done.
func beside(ctx context.Context, into *[]model.UserError, err error) {
	if err == nil {
		return
	}
	if shown, ok := model.Mendable(err); ok {
		*into = append(*into, shown.UserError())
		return
	}
	addError(ctx, err)
}

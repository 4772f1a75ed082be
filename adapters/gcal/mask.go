package gcal

import (
	"strings"

	"google.golang.org/api/googleapi"
)

// alwaysRead are the parts of an event that every answer has, whatever is wanted: what names it, and what a change must
// know.
const alwaysRead = "id,etag,status,eventType,recurringEventId,originalStartTime"

// part is what one field costs on the wire.
type part struct {
	field Fields
	mask  string
}

// parts returns the mask of each field, by https://developers.google.com/workspace/calendar/api/v3/reference/events.
// FieldZone has none: the zone stands in the envelope of lists.
func parts() []part {
	return []part{
		{FieldSummary, "summary"},
		{FieldDescription, "description"},
		{FieldLocation, "location"},
		{FieldTimes, "start,end"},
		{FieldAttendees,
			"attendees(email,displayName,responseStatus,optional,organizer,self,resource,comment),attendeesOmitted"},
		{FieldPeople, "organizer(email,displayName,self),creator(email,displayName,self)"},
		{FieldReminders, "reminders"},
		{FieldRecurrence, "recurrence"},
		{FieldLink, "htmlLink"},
		{FieldMeeting, "hangoutLink,conferenceData(entryPoints(entryPointType,uri))"},
		{FieldTransparency, "transparency"},
		{FieldVisibility, "visibility"},
		{FieldColor, "colorId"},
		{FieldStamps, "created,updated"},
		{FieldICalUID, "iCalUID"},
	}
}

// eventMask is the partial-response mask of one event.
func eventMask(fields Fields) string {
	mask := []string{alwaysRead}
	for _, p := range parts() {
		if fields.Has(p.field) {
			mask = append(mask, p.mask)
		}
	}
	return strings.Join(mask, ",")
}

// single is the mask of an answer that is one event.
func single(fields Fields) googleapi.Field { return googleapi.Field(eventMask(fields)) }

// listed is the mask of a page of events. It always has the token of the next page: without it, paging ends after the
// first one in silence.
func listed(fields Fields) googleapi.Field {
	envelope := "nextPageToken,timeZone,accessRole"
	if fields.Has(FieldReminders) {
		envelope += ",defaultReminders"
	}
	return googleapi.Field(envelope + ",items(" + eventMask(fields) + ")")
}

package compact

import (
	"almanac/graph/model"
	"almanac/projections/when"
)

// Event is an event as the formatter sees it. Whoever invites, or shares a calendar, may have written it.
type Event struct {
	ID               string            `json:"id"`
	Summary          string            `json:"summary"`
	Location         *string           `json:"location"`
	Start            *EventTime        `json:"start"`
	End              *EventTime        `json:"end"`
	Attendees        []Attendee        `json:"attendees"`
	Status           model.EventStatus `json:"status"`
	RecurringEventID *string           `json:"recurringEventId"`
	Recurrence       []string          `json:"recurrence"`
}

// EventTime is a start or an end: an instant, or a date.
type EventTime struct {
	DateTime Time    `json:"dateTime"`
	Date     *string `json:"date"`
	TimeZone *string `json:"timeZone"`
}

// Attendee is somebody who is invited.
type Attendee struct {
	Email          string               `json:"email"`
	DisplayName    *string              `json:"displayName"`
	ResponseStatus model.ResponseStatus `json:"responseStatus"`
	Self           bool                 `json:"self"`
}

// record is the time in the model's words; what is no date is none.
func (t *EventTime) record() model.EventTime {
	if t == nil {
		return model.EventTime{}
	}
	out := model.EventTime{At: t.DateTime.Time, Zone: value(t.TimeZone)}
	if date, err := model.ParseDate(value(t.Date)); err == nil {
		out.Date = date
	}
	return out
}

func (e Event) id() string    { return named(e.ID) }
func (e Event) foreign() bool { return true }

// maxNamed is how many guests or files are named.
const maxNamed = 5

// text says first when it is and what has become of it, so that a long title cuts neither.
func (e Event) text(w *writing) string {
	states := ""
	switch e.Status {
	case model.EventTentative:
		states = w.say.tentative
	case model.EventCancelled:
		states = w.say.cancelled
	}
	if e.RecurringEventID != nil || len(e.Recurrence) > 0 {
		states = joined(", ", states, w.say.series)
	}
	guests, names := 0, ""
	for _, guest := range e.Attendees {
		if guest.Self {
			states = joined(", ", states, w.answer(guest.ResponseStatus))
			continue
		}
		if guests++; guests <= maxNamed {
			name := w.part(value(guest.DisplayName))
			if name == "" {
				name = w.part(guest.Email)
			}
			names = joined(", ", names, name)
		}
	}
	if guests > maxNamed {
		names = w.say.guests.number(guests)
	} else if names != "" {
		names = w.say.with + " " + names
	}
	span := when.FormatSpan(e.Start.record(), e.End.record(), w.at)
	return joined(" | ", joined(" ", span, states), w.part(e.Summary), w.part(value(e.Location)), names)
}

// answer says what the viewer has answered; nothing for yes.
func (w *writing) answer(status model.ResponseStatus) string {
	switch status {
	case model.Declined:
		return w.say.declined
	case model.NeedsAction:
		return w.say.unanswered
	case model.Maybe:
		return w.say.maybe
	default:
		return ""
	}
}

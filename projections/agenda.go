package projections

import "almanac/graph/model"

// AgendaItem is what an agenda's entry can be: an Event, a Task or an Email.
type AgendaItem interface{ IsAgendaItem() }

// IsAgendaItem lets an event stand in an agenda.
func (Event) IsAgendaItem() {}

// IsAgendaItem lets a task stand in an agenda.
func (Task) IsAgendaItem() {}

// IsAgendaItem lets an e-mail stand in an agenda.
func (Email) IsAgendaItem() {}

// EventTimeAt is the view of a start or an end; nil for none.
func EventTimeAt(t model.EventTime, at *Moment) *EventTime { return eventTime(t, at) }

// Record is the time in the model's words; the zero value for nil.
func (t *EventTime) Record() model.EventTime {
	if t == nil {
		return model.EventTime{}
	}
	out := model.EventTime{At: t.DateTime.Time}
	if t.Date != nil {
		out.Date = *t.Date
	}
	if t.TimeZone != nil {
		out.Zone = *t.TimeZone
	}
	return out
}

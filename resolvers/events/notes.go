package events

import (
	"context"

	"almanac/graph/model"
	"almanac/resolvers/core"
)

// Decision is what a mutation has decided before it does anything: a repetition under the same Idempotency-Key does the
// same, and does not decide anew on what the first try left behind. It would move a second time what was moved, and
// delete the next event of the same title.
type Decision struct {
	// Events are those that are meant, as they were, with what their calendars allow.
	Events []model.Event      `json:"events,omitempty"`
	Roles  []model.AccessRole `json:"roles,omitempty"`
	// Series is the whole series that the event belongs to, where it is what is meant.
	Series *model.Event     `json:"series,omitempty"`
	Scope  model.EventScope `json:"scope,omitempty"`
}

// maxNotedText is how much text of events is noted; other fields of the request want room too.
const maxNotedText = model.MaxNotes / 8

// DecisionOf notes events with their calendars' roles.
func DecisionOf(found []Placed, scope model.EventScope) Decision {
	d := Decision{Scope: scope, Events: make([]model.Event, len(found)), Roles: make([]model.AccessRole, len(found))}
	size := 0
	for i, one := range found {
		d.Events[i], d.Roles[i] = one.Event, one.role
		size += len(one.Event.Description) + len(one.Event.Location) + len(one.Event.HTMLLink) + 200*len(one.Event.Attendees)
	}
	if size <= maxNotedText {
		return d
	}
	for i := range d.Events { // what only answers show
		e := &d.Events[i]
		e.Description, e.Location, e.Attendees, e.HTMLLink, e.MeetingURL = "", "", nil, "", ""
	}
	return d
}

// Placed gives the noted events with their accounts as these now are.
func (d Decision) Placed(ctx context.Context, r *Resolver, v *core.Viewer) ([]Placed, error) {
	accounts := make(map[int]model.Connection)
	out := make([]Placed, len(d.Events))
	for i, event := range d.Events {
		account, known := accounts[event.Ref.Connection]
		if !known {
			var err error
			if account, err = r.AccountOf(ctx, v, "", event.Ref.CalendarRef(), event.Ref.ID()); err != nil {
				return nil, err
			}
			accounts[event.Ref.Connection] = account
		}
		out[i] = Placed{account: account, Event: event}
		if i < len(d.Roles) {
			out[i].role = d.Roles[i]
		}
	}
	return out, nil
}

package events

import (
	"context"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// Fields are what must be read of events of which these fields are asked.
func (r *Resolver) Fields(asked core.Selection) gcal.Fields { return Fields(asked) }

// Followed are the primary calendars of accounts and the others of them that are followed. unknown: one is left out,
// which an error beside the answer says.
func (r *Resolver) Followed(ctx context.Context, v *core.Viewer,
	accounts []model.Connection) (all []core.LinkedCalendar, unknown bool, err error) {
	places, unknown, err := r.placesOf(ctx, v, accounts, true)
	for _, p := range places {
		all = append(all, core.LinkedCalendar{Account: p.account, Calendar: p.calendar})
	}
	return all, unknown, err
}

// In lists the events of a calendar of a linked account, by start.
func (r *Resolver) In(ctx context.Context, calendar core.LinkedCalendar, query gcal.Query) (gcal.Listing, error) {
	return r.reader.Events(ctx, calendar.Account, calendar.Calendar, query)
}

// Own lists the events of the viewer's own calendars that are followed, a listing for each.
func (r *Resolver) Own(ctx context.Context, v *core.Viewer, query gcal.Query) ([]gcal.Listing, error) {
	places, err := r.ownPlaces(ctx, v)
	if err != nil {
		return nil, err
	}
	out := make([]gcal.Listing, len(places))
	for i, p := range places {
		if out[i], err = r.reader.Events(ctx, p.account, p.calendar, query); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// List returns the first events of a window in all primary calendars, by start; words are what to search for, empty for
// everything.
func (r *Resolver) List(ctx context.Context, v *core.Viewer, from, to time.Time, words string, most int,
	fields gcal.Fields) ([]model.Event, error) {
	places, err := r.places(ctx, v, "", nil, nil)
	if err != nil {
		return nil, err
	}
	items, _, err := r.eventPage(ctx, v,
		listed{sources: r.sources(places), query: gcal.Query{From: from, To: to, Search: words}}, pageOf{limit: most},
		fields)
	out := make([]model.Event, len(items))
	for i, item := range items {
		out[i] = item.Event
	}
	return out, err
}

// Create adds an event as createEvent does, with these fields in what it returns.
func (r *Resolver) Create(ctx context.Context, v *core.Viewer, in graph.CreateEventInput,
	fields gcal.Fields) (model.Event, error) {
	event, err := readNew(v, in, "input")
	if err != nil {
		return model.Event{}, err
	}
	done, err := r.add(ctx, v, event, fields)
	return done.made, err
}

// DecideOne says what is to be done with the one event that is meant: to change it as set says of it, or to delete it
// when set is nil. Nobody is told by mail.
func (r *Resolver) DecideOne(ctx context.Context, v *core.Viewer, who decision.One,
	set func(model.Event) (*graph.EventPatch, error)) (decision.Decision, error) {
	options := gcal.ChangeOptions{SendUpdates: model.SendUpdatesNone, Fields: payloadFields(ctx) | who.Fields}
	who.Fields = options.Fields | candidateFields(ctx) | gcal.FieldAttendees
	w, err := r.wantsOne(v, who)
	if err != nil {
		return decision.Decision{Asked: w.asked}, err
	}
	w.steps = deleting(nil, options)
	if set != nil {
		plan := func(event model.Event) (patchPlan, error) {
			patch, err := set(event)
			if err != nil {
				return patchPlan{}, err
			}
			return readPatch(v, patch)
		}
		w.steps = r.changing(v, plan, nil, options)
		r.askingMonths(v, plan, &w)
	}
	return r.decide(ctx, v, w)
}

// DecideAll says what of a window is to be deleted, once it was approved. Nobody is told by mail.
func (r *Resolver) DecideAll(ctx context.Context, v *core.Viewer, in decision.All) (decision.Decision, error) {
	in.Fields |= payloadFields(ctx)
	w := r.wantsAll(v, in)
	w.steps = deletingEach(gcal.ChangeOptions{SendUpdates: model.SendUpdatesNone})
	return r.decide(ctx, v, w)
}

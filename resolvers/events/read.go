package events

import (
	"cmp"
	"context"
	"slices"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

const purposeEvents = "events"

func decodeEventPlace(payload []byte) (eventPlace, bool) {
	_, at, text, err := core.DecodePlace(payload)
	if err != nil {
		return eventPlace{}, false
	}
	id, err := model.ParseID(text)
	if err != nil {
		return eventPlace{}, false
	}
	ref, err := model.EventRefOf(id)
	return eventPlace{start: at, ref: ref}, err == nil
}

// EventConnection answers the events query.
func (r *Resolver) EventConnection(ctx context.Context, filter *graph.EventFilter,
	args core.PageArgs, freshness graph.Freshness) (*projections.EventConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	page, err := core.Window(r.Base, v, args, purposeEvents, decodeEventPlace)
	if err != nil {
		return nil, err
	}
	search, err := r.eventSearchOf(ctx, v, "filter", filter)
	if err != nil {
		return nil, err
	}
	list := listed{
		sources: r.sources(search.places), need: search.fields(),
		query: gcal.Query{From: search.from, To: search.to, Search: search.words},
	}
	if list.need != 0 {
		list.wants = search.wants
	}
	var summary *string
	if filter != nil {
		summary = filter.Summary
	}
	asked := search.asked(v, summary)
	if asked.Fresh, err = r.fresh(ctx, v, search.places, freshness, tellsAge(ctx, "EventContext")); err != nil {
		return nil, err
	}
	return r.connection(ctx, v, list, pageOf{page.Limit, page.Backward, page.After, page.Before}, asked)
}

// connection answers one page, and what else is asked of the whole.
//
// A page forward is read from the cursor's start on: what began earlier and still goes on is read again and passed
// over, so that no server keeps anything. A page backward is the end of the window up to its cursor, which is read
// whole; calendars cannot be asked backward.
func (r *Resolver) connection(ctx context.Context, v *core.Viewer, list listed, page pageOf,
	searched projections.EventsAsked) (*projections.EventConnection, error) {
	asked := core.Answered(ctx)
	out := &projections.EventConnection{Asked: searched}
	wantsPage := asked.Has("nodes", "edges", "pageInfo", "compact")
	wantsTotal := asked.Has("totalCount")
	wantsEmpty := asked.Has("isEmpty", "context")
	whole := page.after == nil && page.before == nil
	known := false
	if wantsPage || wantsEmpty && !wantsTotal && whole {
		items, more, err := r.eventPage(ctx, v, list, page, Fields(asked.Items("EventEdge", "Event")))
		if err != nil {
			return nil, err
		}
		views := make([]projections.Event, len(items))
		for i, item := range items {
			views[i] = projections.EventAt(item.Event, v.Moment)
		}
		out.Page = projections.Page[projections.Event]{
			Items: views,
			Cursor: func(i int) string {
				return r.Sealer.Seal(purposeEvents, v.User,
					core.EncodePlace(model.UUID{}, items[i].start, items[i].Event.Ref.ID().String()))
			},
			HasNext: more && !page.backward || page.backward && page.before != nil,
		}
		out.HasPrevious = more && page.backward || !page.backward && page.after != nil
		out.None = whole && len(items) == 0
		if known = whole && !more; known {
			out.Total = len(items)
		}
	}
	if known || !wantsTotal && (!wantsEmpty || whole) {
		return out, nil
	}
	rest := page
	rest.after, rest.before, rest.limit, rest.backward = nil, nil, 0, false
	if !wantsTotal {
		rest.limit = 1
	}
	items, _, err := r.eventPage(ctx, v, list, rest, 0)
	if err != nil {
		return nil, err
	}
	out.Total, out.None = len(items), len(items) == 0
	return out, nil
}

// EventByID answers event(id).
func (r *Resolver) EventByID(ctx context.Context, text string, freshness graph.Freshness) (*projections.Event, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	account, ref, err := r.eventRef(ctx, v, "id", text)
	if err = r.toRead(ctx, v, place{account, ref.Calendar}, err); err != nil {
		return nil, err
	}
	fresh, err := r.fresh(ctx, v, []place{{account, ref.Calendar}}, freshness, false)
	if err != nil {
		return nil, err
	}
	addNotes(ctx, fresh.Notes)
	event, err := r.reader.Event(ctx, account, ref, Fields(core.Answered(ctx)))
	if err != nil {
		return nil, core.AtField(err, "id")
	}
	view := projections.EventAt(event, v.Moment)
	return &view, nil
}

// instances answers eventInstances(id) and Event.instances.
func (r *Resolver) instances(ctx context.Context, v *core.Viewer, account model.Connection, ref model.EventRef, timeMin,
	timeMax *model.DateTimeInput, args core.PageArgs, freshness graph.Freshness) (*projections.EventConnection, error) {
	page, err := core.Window(r.Base, v, args, purposeEvents, decodeEventPlace)
	if err != nil {
		return nil, err
	}
	from, to, err := windowOf(v, "", timeMin, timeMax, daysOfInstances)
	if err != nil {
		return nil, err
	}
	list := listed{
		sources: []source{{place{account, ref.Calendar}, func(ctx context.Context, query gcal.Query) (gcal.Listing, error) {
			return r.reader.Instances(ctx, account, ref, query)
		}}},
		query: gcal.Query{From: from, To: to},
	}
	asked := projections.EventsAsked{From: from, To: to, At: v.Moment}
	asked.Fresh, err = r.fresh(ctx, v, []place{{account, ref.Calendar}}, freshness, tellsAge(ctx, "EventContext"))
	if err != nil {
		return nil, err
	}
	return r.connection(ctx, v, list, pageOf{page.Limit, false, page.After, nil}, asked)
}

// EventInstances answers eventInstances(id).
func (r *Resolver) EventInstances(ctx context.Context, text string, timeMin, timeMax *model.DateTimeInput,
	args core.PageArgs, freshness graph.Freshness) (*projections.EventConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	account, ref, err := r.eventRef(ctx, v, "id", text)
	if err = r.toRead(ctx, v, place{account, ref.Calendar}, err); err != nil {
		return nil, err
	}
	found, err := r.instances(ctx, v, account, ref, timeMin, timeMax, args, freshness)
	return found, core.AtField(err, "id")
}

// InstancesOf answers Event.instances.
func (r *Resolver) InstancesOf(ctx context.Context, event projections.Event, timeMin, timeMax *model.DateTimeInput,
	args core.PageArgs, freshness graph.Freshness) (*projections.EventConnection, error) {
	record := event.Record()
	if !record.IsOccurrence() && !record.IsSeries() {
		return nil, nil
	}
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	account, err := r.AccountOf(ctx, v, "", record.Ref.CalendarRef(), record.Ref.ID())
	if err = r.toRead(ctx, v, place{account, record.Ref.Calendar}, err); err != nil {
		return nil, err
	}
	return r.instances(ctx, v, account, record.SeriesRef(), timeMin, timeMax, args, freshness)
}

// Calendars answers calendars(account).
func (r *Resolver) Calendars(ctx context.Context, address *string,
	freshness graph.Freshness) ([]projections.Calendar, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	accounts, err := r.listedAccounts(ctx, v, address)
	if err != nil {
		return nil, err
	}
	if freshness == graph.FreshnessChecked && r.copies {
		r.checkLists(ctx, v, accounts)
	}
	if address == nil {
		accounts = append(accounts, ownConnection(v))
	}
	found, failures := core.AskEach(accounts, func(account model.Connection) ([]model.Calendar, error) {
		return r.calendars.Calendars(ctx, account)
	})
	if err := core.AddErrorsUnlessAll(ctx, failures); err != nil {
		return nil, err
	}
	out := []projections.Calendar{}
	for i, records := range found {
		if failures[i] != nil {
			continue
		}
		for _, record := range records {
			out = append(out, projections.CalendarOf(record))
		}
	}
	slices.SortStableFunc(out, func(a, b projections.Calendar) int {
		return cmp.Compare(boolInt(b.Primary()), boolInt(a.Primary()))
	})
	return out, nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// EventChanges answers the eventChanged subscription. An event that cannot be read at the moment comes without itself:
// that it changed is known, and a listener must not be stopped by a remote that does not answer.
func (r *Resolver) EventChanges(ctx context.Context, after *string) (<-chan *projections.EventChange, error) {
	return core.Follow(ctx, r.Base, model.ChangeEvent, after, r.LoadEventChanges(core.Answered(ctx)))
}

// LoadEventChanges returns what loads changes of events, with what is selected of them.
func (r *Resolver) LoadEventChanges(selected core.Selection) core.LoadChanges[*projections.EventChange] {
	asked := selected.Under("event", "Event")
	return func(ctx context.Context, changes []core.Event) ([]*projections.EventChange, error) {
		now := make(map[model.ID]model.Event)
		if len(asked.Fields) > 0 {
			var err error
			ids := core.ChangedIDs(core.LinesOf(changes), model.ChangeEvent)
			if now, err = r.EventsByID(ctx, changes[0].V, ids, Fields(asked), func(error) {}); err != nil {
				return nil, err
			}
		}
		out := make([]*projections.EventChange, len(changes))
		for i, c := range changes {
			out[i] = &projections.EventChange{Change: c.Change(nil)}
			if event, there := now[projections.ChangedID(c.Line)]; there {
				view := projections.EventAt(event, c.V.Moment)
				out[i].Event = &view
			}
		}
		return out, nil
	}
}

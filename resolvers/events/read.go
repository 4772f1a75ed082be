package events

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// How far events are looked for when nobody says.
const (
	daysOfEvents    = 30
	daysOfInstances = 90
)

// maxExcluded bounds how many titles a filter leaves out.
const maxExcluded = 20

// maxGathered is how many events one field holds at a time, of all its calendars together.
const maxGathered = gcal.MaxEvents

// EventSearch is a filter with everything relative resolved.
type EventSearch struct {
	from, to time.Time
	words    string
	// title and excluded are folded.
	title    string
	Excluded []string
	places   []place
}

// asked is what the answer's context says of the search.
func (s EventSearch) asked(v *core.Viewer, summary *string) projections.EventsAsked {
	asked := projections.EventsAsked{Search: s.words != "", From: s.from, To: s.to, At: v.Moment}
	if summary != nil {
		asked.Summary = fold.Clean(*summary)
	}
	return asked
}

// Wants tells whether the title is one that was asked for.
func (s EventSearch) Wants(event model.Event) bool {
	if s.title == "" && len(s.Excluded) == 0 {
		return true
	}
	title := fold.Text(event.Summary)
	return strings.Contains(title, s.title) &&
		!slices.ContainsFunc(s.Excluded, func(part string) bool { return strings.Contains(title, part) })
}

// fields are what the filter itself looks at.
func (s EventSearch) fields() gcal.Fields {
	if s.title == "" && len(s.Excluded) == 0 {
		return 0
	}
	return gcal.FieldSummary
}

// eventSearchOf resolves a filter; path is that of the input that holds it.
func (r *Resolver) eventSearchOf(ctx context.Context, v *core.Viewer, path string,
	filter *graph.EventFilter) (EventSearch, error) {
	if filter == nil {
		filter = &graph.EventFilter{}
	}
	var out EventSearch
	var err error
	if out.from, out.to, err = windowOf(v, path, filter.TimeMin, filter.TimeMax, daysOfEvents); err != nil {
		return out, err
	}
	if filter.Search != nil {
		if out.words, err = core.CleanLabel(core.Under(path, "search"), *filter.Search, core.MaxSearch); err != nil {
			return out, err
		}
	}
	if filter.Summary != nil {
		title, err := core.CleanLabel(core.Under(path, "summary"), *filter.Summary, model.MaxEventSummary)
		if err != nil {
			return out, err
		}
		out.title = fold.Text(title)
	}
	if out.Excluded, err = excludedTitles(core.Under(path, "excludeSummaries"), filter.ExcludeSummaries); err != nil {
		return out, err
	}
	out.places, err = r.Places(ctx, v, path, filter.CalendarIds, filter.Account)
	return out, err
}

// excludedTitles reads the parts of titles that are left out; blank ones would leave out everything and are passed
// over.
func excludedTitles(field string, parts []string) ([]string, error) {
	if len(parts) > maxExcluded {
		return nil, model.BadInput(field, "give at most %d, not %d", maxExcluded, len(parts))
	}
	var out []string
	for _, part := range parts {
		if err := core.TooLong(field, part, model.MaxEventSummary); err != nil {
			return nil, err
		}
		if key := fold.Text(part); key != "" {
			out = append(out, key)
		}
	}
	return out, nil
}

// windowOf resolves a window: from the start of today, for so many days of the viewer's calendar, unless said
// otherwise.
func windowOf(v *core.Viewer, path string, timeMin, timeMax *model.DateTimeInput,
	days int) (from, to time.Time, err error) {
	from = v.StartOfDay()
	if timeMin != nil {
		from = when.Resolve(*timeMin, v.Zone)
	}
	if timeMax != nil {
		to = when.Resolve(*timeMax, v.Zone)
	} else {
		to = when.StartOfDate(model.DateOf(from.In(v.Zone)).AddDays(days), v.Zone)
	}
	if to.After(lastMoment) {
		to = lastMoment
	}
	if !to.After(from) {
		return from, to, model.BadInput(core.Under(path, "timeMax"), "timeMax must be later than timeMin (%s)",
			from.In(v.Zone).Format(time.RFC3339))
	}
	return from, to, nil
}

// sorted is an event with its key in the order of events: by start, then by the remote's id, as the adapter has it
// within a calendar, then by calendar and account. An all-day event starts with its day in its calendar's zone.
type sorted struct {
	Event model.Event
	start time.Time
}

func sortedOf(event model.Event, otherwise *time.Location) sorted {
	return sorted{Event: event, start: instantOf(event.Start, event, otherwise)}
}

// instantOf is a start or an end of an event as an instant; a day begins by the clocks of the event's calendar, or else
// of another zone.
func instantOf(at model.EventTime, event model.Event, otherwise *time.Location) time.Time {
	if !at.AllDay() {
		return at.At
	}
	return when.StartOfDate(at.Date, when.ZoneOr(otherwise, event.CalendarZone))
}

func (s sorted) compare(p eventPlace) int {
	own := s.Event.Ref
	return cmp.Or(s.start.Compare(p.start), cmp.Compare(own.Event, p.ref.Event),
		cmp.Compare(own.Calendar, p.ref.Calendar), cmp.Compare(own.Connection, p.ref.Connection))
}

// eventPlace is a place in the order of events.
type eventPlace struct {
	start time.Time
	ref   model.EventRef
}

func (s sorted) place() eventPlace { return eventPlace{start: s.start, ref: s.Event.Ref} }

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

// source reads one calendar, or one series.
type source struct {
	place place
	read  func(ctx context.Context, query gcal.Query) (gcal.Listing, error)
}

func (r *Resolver) Sources(places []place) []source {
	out := make([]source, len(places))
	for i, p := range places {
		out[i] = source{p, func(ctx context.Context, query gcal.Query) (gcal.Listing, error) {
			return r.Reader.Events(ctx, p.account, p.calendar, query)
		}}
	}
	return out
}

// gather asks all sources at once and puts their events in one order. A source that fails leaves its error beside the
// answer, unless all fail: then the error is the answer. more tells whether any source has others beyond the limit.
func gather(ctx context.Context, v *core.Viewer, sources []source,
	query gcal.Query) (events []sorted, more bool, err error) {
	var held atomic.Int64
	listings, failures := core.AskEach(sources, func(s source) (listing gcal.Listing, err error) {
		if held.Load() <= maxGathered {
			listing, err = s.read(ctx, query)
			held.Add(int64(len(listing.Events)))
		}
		return listing, err
	})
	if held.Load() > maxGathered {
		return nil, false,
			model.BadInput("",
				"these calendars hold more than %d such events together; ask for a shorter window, or for fewer calendars",
				maxGathered)
	}
	if err := core.BesideUnlessAll(ctx, failures); err != nil {
		return nil, false, err
	}
	for i, listing := range listings {
		if failures[i] != nil {
			continue
		}
		for _, event := range listing.Events {
			events = append(events, sortedOf(event, v.Zone))
		}
		more = more || listing.More
	}
	slices.SortFunc(events, func(a, b sorted) int { return a.compare(b.place()) })
	return events, more, nil
}

// EventConnection answers the events query.
func (r *Resolver) EventConnection(ctx context.Context, filter *graph.EventFilter,
	args core.PageArgs) (*projections.EventConnection, error) {
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
	list := Listing{
		Sources: r.Sources(search.places), need: search.fields(),
		Query: gcal.Query{From: search.from, To: search.to, Search: search.words},
	}
	if list.need != 0 {
		list.wants = search.Wants
	}
	var summary *string
	if filter != nil {
		summary = filter.Summary
	}
	return r.connection(ctx, v, list, PageOf{page.Limit, page.Backward, page.After, page.Before}, search.asked(v, summary))
}

// PageOf is what part of a listing is wanted.
type PageOf struct {
	Limit         int
	backward      bool
	after, before *eventPlace
}

// Listing is a question about events, before it is known which page of the answer is wanted.
type Listing struct {
	Sources []source
	Query   gcal.Query
	// wants tells which events are meant; nil for all.
	wants func(model.Event) bool
	// need are the fields that wants looks at.
	need gcal.Fields
}

// connection answers one page, and what else is asked of the whole.
//
// A page forward is read from the cursor's start on: what began earlier and still goes on is read again and passed
// over, so that no server keeps anything. A page backward is the end of the window up to its cursor, which is read
// whole; calendars cannot be asked backward.
func (r *Resolver) connection(ctx context.Context, v *core.Viewer, list Listing, page PageOf,
	searched projections.EventsAsked) (*projections.EventConnection, error) {
	asked := core.Answered(ctx)
	out := &projections.EventConnection{Asked: searched}
	wantsPage := asked.Has("nodes", "edges", "pageInfo", "compact")
	wantsTotal := asked.Has("totalCount")
	wantsEmpty := asked.Has("isEmpty", "context")
	whole := page.after == nil && page.before == nil
	known := false
	if wantsPage || wantsEmpty && !wantsTotal && whole {
		items, more, err := r.EventPage(ctx, v, list, page, EventFields(asked.Items("EventEdge", "Event")))
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
	rest.after, rest.before, rest.Limit, rest.backward = nil, nil, 0, false
	if !wantsTotal {
		rest.Limit = 1
	}
	items, _, err := r.EventPage(ctx, v, list, rest, 0)
	if err != nil {
		return nil, err
	}
	out.Total, out.None = len(items), len(items) == 0
	return out, nil
}

// EventPage reads one page; more tells whether there are others in its direction. Limit 0 is everything.
func (r *Resolver) EventPage(ctx context.Context, v *core.Viewer, list Listing, page PageOf,
	fields gcal.Fields) (items []sorted, more bool, err error) {
	query := list.Query
	query.Fields = fields | list.need | gcal.FieldTimes | gcal.FieldZone // the order needs them
	if fields == 0 {
		query.MaxAttendees = 1
	}
	if page.after != nil && page.after.start.After(query.From) {
		query.From = page.after.start.Add(-time.Second) // what has no length ends where it starts
	}
	if page.before != nil && page.before.start.Before(query.To) {
		query.To = page.before.start.Add(time.Second)
	}
	if !query.To.After(query.From) {
		return nil, false, nil
	}
	if page.Limit > 0 && !page.backward {
		query.Limit = page.Limit + 1
	}
	query.MostKept = list.wants == nil
	// without it the adapter asks for no more than it gives
	if list.wants != nil || page.after != nil || page.before != nil {
		query.Keep = func(event model.Event) bool {
			at := sortedOf(event, v.Zone)
			return (list.wants == nil || list.wants(event)) &&
				(page.after == nil || at.compare(*page.after) > 0) && (page.before == nil || at.compare(*page.before) < 0)
		}
	}
	items, more, err = gather(ctx, v, list.Sources, query)
	if err != nil || page.Limit == 0 || len(items) <= page.Limit {
		return items, more, err
	}
	if page.backward {
		return items[len(items)-page.Limit:], true, nil
	}
	return items[:page.Limit], true, nil
}

// EventByID answers event(id).
func (r *Resolver) EventByID(ctx context.Context, text string) (*projections.Event, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	account, ref, err := r.eventRef(ctx, v, "id", text)
	if err != nil {
		return nil, err
	}
	event, err := r.Reader.Event(ctx, account, ref, EventFields(core.Answered(ctx)))
	if err != nil {
		return nil, core.AtField(err, "id")
	}
	view := projections.EventAt(event, v.Moment)
	return &view, nil
}

// eventRef reads an event's id and finds the account that it leads to.
func (r *Resolver) eventRef(ctx context.Context, v *core.Viewer, field,
	text string) (model.Connection, model.EventRef, error) {
	id, err := model.ParseID(text)
	if err != nil {
		return model.Connection{}, model.EventRef{},
			model.BadInput(field, "%q is not the id of an event, which begins with event_", model.Clip(text))
	}
	if id.Kind != model.KindEvent {
		return model.Connection{}, model.EventRef{}, model.BadInput(field,
			"%s is the id of a %s; the id of an event is needed", model.Clip(text), core.KindNames[id.Kind])
	}
	ref, err := model.EventRefOf(id)
	if err != nil {
		return model.Connection{}, model.EventRef{}, model.BadInput(field, "%q is not the id of an event", model.Clip(text))
	}
	account, err := r.AccountOf(ctx, v, field, ref.CalendarRef(), id)
	return account, ref, err
}

// instances answers eventInstances(id) and Event.instances.
func (r *Resolver) instances(ctx context.Context, v *core.Viewer, account model.Connection, ref model.EventRef, timeMin,
	timeMax *model.DateTimeInput, args core.PageArgs) (*projections.EventConnection, error) {
	page, err := core.Window(r.Base, v, args, purposeEvents, decodeEventPlace)
	if err != nil {
		return nil, err
	}
	from, to, err := windowOf(v, "", timeMin, timeMax, daysOfInstances)
	if err != nil {
		return nil, err
	}
	list := Listing{
		Sources: []source{{place{account, ref.Calendar}, func(ctx context.Context, query gcal.Query) (gcal.Listing, error) {
			return r.Reader.Instances(ctx, account, ref, query)
		}}},
		Query: gcal.Query{From: from, To: to},
	}
	return r.connection(ctx, v, list, PageOf{page.Limit, false, page.After, nil},
		projections.EventsAsked{From: from, To: to, At: v.Moment})
}

// EventInstances answers eventInstances(id).
func (r *Resolver) EventInstances(ctx context.Context, text string, timeMin, timeMax *model.DateTimeInput,
	args core.PageArgs) (*projections.EventConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	account, ref, err := r.eventRef(ctx, v, "id", text)
	if err != nil {
		return nil, err
	}
	found, err := r.instances(ctx, v, account, ref, timeMin, timeMax, args)
	return found, core.AtField(err, "id")
}

// InstancesOf answers Event.instances.
func (r *Resolver) InstancesOf(ctx context.Context, event projections.Event, timeMin, timeMax *model.DateTimeInput,
	args core.PageArgs) (*projections.EventConnection, error) {
	noun := event.Record()
	if !noun.IsOccurrence() && !noun.IsSeries() {
		return nil, nil
	}
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	account, err := r.AccountOf(ctx, v, "", noun.Ref.CalendarRef(), noun.Ref.ID())
	if err != nil {
		return nil, err
	}
	return r.instances(ctx, v, account, noun.Ref, timeMin, timeMax, args)
}

// Calendars answers calendars(account).
func (r *Resolver) Calendars(ctx context.Context, address *string) ([]projections.Calendar, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	accounts, err := r.Accounts(ctx, v, "account", address)
	if err != nil {
		return nil, err
	}
	found, failures := core.AskEach(accounts, func(account model.Connection) ([]model.Calendar, error) {
		return r.CalendarReader.Calendars(ctx, account)
	})
	if err := core.BesideUnlessAll(ctx, failures); err != nil {
		return nil, err
	}
	out := []projections.Calendar{}
	for i, nouns := range found {
		if failures[i] != nil {
			continue
		}
		for _, noun := range nouns {
			out = append(out, projections.CalendarOf(noun))
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

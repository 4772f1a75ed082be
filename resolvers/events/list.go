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
	"almanac/projections/naming"
	"almanac/projections/occur"
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

// eventSearch is a filter with everything relative resolved.
type eventSearch struct {
	from, to time.Time
	words    string
	// title is what titles are asked for by; nil for all. excluded are folded.
	title    *naming.Query
	excluded []string
	places   []place
}

// asked is what the answer's context says of the search.
func (s eventSearch) asked(v *core.Viewer, summary *string) projections.EventsAsked {
	asked := projections.EventsAsked{Search: s.words != "", From: s.from, To: s.to, At: v.Moment}
	if summary != nil {
		asked.Summary = fold.Clean(*summary)
	}
	return asked
}

// wants reports whether the title is one that was asked for.
func (s eventSearch) wants(event model.Event) bool {
	if s.title == nil && len(s.excluded) == 0 {
		return true
	}
	title := fold.Text(event.Summary)
	return (s.title == nil || s.title.Reads(event.Summary)) &&
		!slices.ContainsFunc(s.excluded, func(part string) bool { return strings.Contains(title, part) })
}

// fields are what the filter itself looks at.
func (s eventSearch) fields() gcal.Fields {
	if s.title == nil && len(s.excluded) == 0 {
		return 0
	}
	return gcal.FieldSummary
}

// eventSearchOf resolves a filter; path is that of the input that holds it.
func (r *Resolver) eventSearchOf(ctx context.Context, v *core.Viewer, path string,
	filter *graph.EventFilter) (eventSearch, error) {
	if filter == nil {
		filter = &graph.EventFilter{}
	}
	var out eventSearch
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
		out.title = naming.New(title, naming.Event)
	}
	if out.excluded, err = excludedTitles(core.Under(path, "excludeSummaries"), filter.ExcludeSummaries); err != nil {
		return out, err
	}
	out.places, _, err = r.placesToRead(ctx, v, path, filter.CalendarIds, filter.Account)
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
	// standing is what can be done with it through its calendar: see occur.Standing.
	standing int
	// aside: it is of another page.
	aside bool
}

// once leaves out what other calendars have too.
func once(events []sorted) []sorted {
	return occur.Once(events, func(s sorted) (*model.Event, int) { return &s.Event, s.standing })
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

// byStart puts events in order, each once.
func byStart(v *core.Viewer, events []model.Event) []model.Event {
	keyed := make([]sorted, len(events))
	for i, event := range events {
		keyed[i] = sortedOf(event, v.Zone)
	}
	slices.SortFunc(keyed, func(a, b sorted) int { return a.compare(b.place()) })
	keyed = slices.CompactFunc(keyed, func(a, b sorted) bool { return a.Event.Ref == b.Event.Ref })
	out := make([]model.Event, len(keyed))
	for i, one := range keyed {
		out[i] = one.Event
	}
	return out
}

// source reads one calendar, or one series.
type source struct {
	place place
	read  func(ctx context.Context, query gcal.Query) (gcal.Listing, error)
}

func (r *Resolver) sources(places []place) []source {
	out := make([]source, len(places))
	for i, p := range places {
		out[i] = source{p, func(ctx context.Context, query gcal.Query) (gcal.Listing, error) {
			return r.reader.Events(ctx, p.account, p.calendar, query)
		}}
	}
	return out
}

// gathered are the events of several sources, in one order.
type gathered struct {
	events []sorted
	// more: a source has others beyond the limit. until is the time from which on some may be missing then.
	more  bool
	until time.Time
	// standings are those of the sources, by their places.
	standings []int
	// apart is how far apart the sources may begin one all-day event.
	apart time.Duration
}

// gather asks all sources at once. A source that fails leaves its error beside the answer, unless all fail: then the
// error is the answer.
func gather(ctx context.Context, v *core.Viewer, sources []source, query gcal.Query) (out gathered, err error) {
	var held atomic.Int64
	listings, failures := core.AskEach(sources, func(s source) (listing gcal.Listing, err error) {
		if held.Load() <= maxGathered {
			listing, err = s.read(ctx, query)
			held.Add(int64(len(listing.Events)))
		}
		return listing, err
	})
	if held.Load() > maxGathered {
		return out, model.BadInput("",
			"these calendars hold more than %d such events together; ask for a shorter window, or for fewer calendars",
			maxGathered)
	}
	if err := core.AddErrorsUnlessAll(ctx, failures); err != nil {
		return out, err
	}
	out.standings = make([]int, len(sources))
	out.events = make([]sorted, 0, held.Load())
	zone := ""
	for i, listing := range listings {
		if failures[i] != nil {
			continue
		}
		out.standings[i] = occur.Standing(sources[i].place.account.Number, listing.Role)
		for _, event := range listing.Events {
			one := sortedOf(event, v.Zone)
			one.standing = out.standings[i]
			out.events = append(out.events, one)
		}
		if zone = cmp.Or(zone, listing.Zone); zone != listing.Zone {
			out.apart = occur.ZonesApart
		}
		if !listing.More {
			continue
		}
		until := query.From
		if n := len(out.events); len(listing.Events) > 0 {
			until = out.events[n-1].start
		}
		if !out.more || until.Before(out.until) {
			out.more, out.until = true, until
		}
	}
	slices.SortFunc(out.events, func(a, b sorted) int { return a.compare(b.place()) })
	return out, nil
}

// settled is how many of the first events are in their place, whatever the sources have beyond their limits: nothing
// comes before them, and nothing that comes after them is a copy of one.
func (g gathered) settled(events []sorted) int {
	if !g.more {
		return len(events)
	}
	n := slices.IndexFunc(events, func(s sorted) bool {
		start := s.start
		if s.Event.Start.AllDay() {
			start = start.Add(g.apart)
		}
		return !start.Before(g.until)
	})
	if n < 0 {
		return len(events)
	}
	return n
}

// pageOf is what part of a listing is wanted.
type pageOf struct {
	limit         int
	backward      bool
	after, before *eventPlace
}

// listed is a question about events, before it is known which page of the answer is wanted.
type listed struct {
	sources []source
	query   gcal.Query
	// wants reports which events are meant; nil for all.
	wants func(model.Event) bool
	// need are the fields that wants looks at.
	need gcal.Fields
}

// eventPage reads one page; more reports whether there are others in its direction. Limit 0 is everything.
func (r *Resolver) eventPage(ctx context.Context, v *core.Viewer, list listed, page pageOf,
	fields gcal.Fields) (items []sorted, more bool, err error) {
	query := list.query
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
	if page.limit > 0 && !page.backward {
		query.Limit = page.limit + 1
	}
	query.MostKept = list.wants == nil
	together := len(list.sources) > 1
	if together {
		query.Fields |= gcal.FieldICalUID // to know copies by
		if page.before != nil {
			// a copy may begin later by the zone of its calendar
			if query.To = page.before.start.Add(occur.ZonesApart); query.To.After(list.query.To) {
				query.To = list.query.To
			}
		}
	}
	// Without it the adapter asks for no more than it gives. What lies beyond a cursor is put aside, since it may be a
	// copy of what does not.
	aside := make([][]sorted, len(list.sources))
	sources := list.sources
	if list.wants != nil || page.after != nil || page.before != nil {
		sources = make([]source, len(list.sources))
		for i, s := range list.sources {
			sources[i] = source{s.place, func(ctx context.Context, query gcal.Query) (gcal.Listing, error) {
				aside[i] = nil
				query.Keep = func(event model.Event) bool {
					if list.wants != nil && !list.wants(event) {
						return false
					}
					at := sortedOf(event, v.Zone)
					within := (page.after == nil || at.compare(*page.after) > 0) &&
						(page.before == nil || at.compare(*page.before) < 0)
					if !within && together {
						aside[i] = append(aside[i], at)
					}
					return within
				}
				return s.read(ctx, query)
			}}
		}
	}
	for {
		found, err := gather(ctx, v, sources, query)
		if err != nil {
			return nil, false, err
		}
		items, more = found.events, found.more
		if together {
			items = found.withoutCopies(aside)
		}
		switch n := found.settled(items); {
		case page.limit == 0 || !more && len(items) <= page.limit:
			return items, more, nil
		case page.backward:
			return items[max(0, len(items)-page.limit):], true, nil
		case !together || n >= page.limit || query.Limit >= maxGathered:
			return items[:min(page.limit, len(items))], true, nil
		}
		query.Limit *= 2 // copies have left too few, or one of the page may have its copy beyond the limit
	}
}

// withoutCopies returns the events without those of which a copy is among them, or was put aside, that stands first.
func (g gathered) withoutCopies(aside [][]sorted) []sorted {
	all := g.events
	for i, events := range aside {
		for _, one := range events {
			one.standing, one.aside = g.standings[i], true
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b sorted) int { return a.compare(b.place()) })
	return slices.DeleteFunc(once(all), func(s sorted) bool { return s.aside })
}

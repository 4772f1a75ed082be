package events

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/overlap"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// daysOfConflicts is how far conflicts are looked for when nobody says.
const daysOfConflicts = 7

// maxFreeBusy is the longest window of freeBusy, in days of the viewer's calendar.
const maxFreeBusy = 90

// ConflictsAsked are the arguments of eventConflicts.
type ConflictsAsked struct {
	TimeMin, TimeMax *model.DateTimeInput
	Candidate        *graph.EventSlotInput
	CalendarIDs      []string
	Account          *string
	IncludeAllDay    bool
	First            *int32
	Freshness        graph.Freshness
}

// EventConflicts answers eventConflicts: all overlapping pairs, or what is in a candidate's way.
func (r *Resolver) EventConflicts(ctx context.Context, asked ConflictsAsked) (*projections.EventConflicts, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit, err := projections.PageSize("first", asked.First, model.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	slot, ignored, err := slotOf(v, asked.Candidate)
	if err != nil {
		return nil, err
	}
	from, to, err := conflictsWindow(v, asked, slot)
	if err != nil {
		return nil, err
	}
	places, _, err := r.placesToRead(ctx, v, "", asked.CalendarIDs, asked.Account)
	if err != nil {
		return nil, err
	}
	fields := core.Answered(ctx).Under("conflicts", "EventConflict")
	wanted := Fields(fields.Under("event1", "Event")) | Fields(fields.Under("event2", "Event"))
	query := gcal.Query{
		From: from, To: to,
		Fields: wanted | gcal.FieldTimes | gcal.FieldTransparency | gcal.FieldAttendees | gcal.FieldICalUID | gcal.FieldZone,
		Keep:   func(event model.Event) bool { return inTheWay(event, asked.IncludeAllDay) && !ignored(event) },
	}
	if !wanted.Has(gcal.FieldAttendees) {
		query.MaxAttendees = 1 // the viewer's own row is enough to know what they answered
	}
	fresh, err := r.fresh(ctx, v, places, asked.Freshness, tellsAge(ctx, "FreshnessContext"))
	if err != nil {
		return nil, err
	}
	found, err := gather(ctx, v, r.sources(places), query)
	if err != nil {
		return nil, err
	}
	events := once(found.events)
	var out *projections.EventConflicts
	if asked.Candidate != nil {
		out = againstSlot(v, events, slot, limit)
	} else {
		out = amongThemselves(v, events, limit)
	}
	out.Context = fresh
	return out, nil
}

// conflictsWindow is what is looked at: of a candidate its slot, which must lie in a window that is given.
func conflictsWindow(v *core.Viewer, asked ConflictsAsked, slot when.Slot) (from, to time.Time, err error) {
	if asked.Candidate == nil {
		return windowOf(v, "", asked.TimeMin, asked.TimeMax, daysOfConflicts)
	}
	if asked.TimeMin != nil && slot.From.Before(when.Resolve(*asked.TimeMin, v.Zone)) {
		return from, to, model.BadInput("timeMin", "the candidate starts at %s, before the window; leave timeMin out",
			v.DateTime(slot.From).Format(time.RFC3339))
	}
	if asked.TimeMax != nil && slot.To.After(when.Resolve(*asked.TimeMax, v.Zone)) {
		return from, to, model.BadInput("timeMax", "the candidate ends at %s, after the window; leave timeMax out",
			v.DateTime(slot.To).Format(time.RFC3339))
	}
	if to = slot.To; to.After(lastMoment) {
		to = lastMoment
	}
	if !to.After(slot.From) {
		return from, to, model.BadInput("candidate.start", "the candidate starts after the year %d", lastMoment.Year())
	}
	return slot.From, to, nil
}

// slotOf reads a candidate, and how to know the event that is not counted.
func slotOf(v *core.Viewer, in *graph.EventSlotInput) (when.Slot, func(model.Event) bool, error) {
	nobody := func(model.Event) bool { return false }
	if in == nil {
		return when.Slot{}, nobody, nil
	}
	slot := when.Slot{From: when.Resolve(in.Start, v.Zone), To: when.Resolve(in.End, v.Zone)}
	if !slot.To.After(slot.From) {
		return slot, nobody, model.BadInput("candidate.end", "the end must be later than the start")
	}
	if in.Ignore == nil {
		return slot, nobody, nil
	}
	id, err := model.ParseID(*in.Ignore)
	if err != nil || id.Kind != model.KindEvent {
		return slot, nobody, model.BadInput("candidate.ignore", "%q is not the id of an event", model.Clip(*in.Ignore))
	}
	return slot, func(event model.Event) bool {
		return event.Ref.ID() == id ||
			event.IsOccurrence() && event.Ref.CalendarRef().Event(event.RecurringEventID).ID() == id
	}, nil
}

// inTheWay reports whether an event keeps the viewer busy.
func inTheWay(event model.Event, allDayToo bool) bool {
	if event.Transparent || event.Status == model.EventCancelled || event.Start.IsZero() ||
		event.Type == model.EventWorkingLocation || event.Type == model.EventBirthday {
		return false
	}
	declined := slices.ContainsFunc(event.Attendees,
		func(a model.Attendee) bool { return a.Self && a.Status == model.Declined })
	return !declined && (allDayToo || !event.Start.AllDay())
}

// spanOf is when an event is: days are those of its calendar's zone, as freeBusy and events have them. One that is seen
// through several accounts is one thing.
func spanOf(v *core.Viewer, s sorted) overlap.Span {
	event := s.Event
	out := overlap.Span{Start: s.start, End: instantOf(event.End, event, v.Zone)}
	if event.ICalUID != "" {
		out.Same = event.ICalUID + " " + event.OriginalStart.At.UTC().Format(time.RFC3339) + " " +
			event.OriginalStart.Date.String()
	}
	return out
}

func amongThemselves(v *core.Viewer, events []sorted, limit int) *projections.EventConflicts {
	spans := make([]overlap.Span, len(events))
	for i, s := range events {
		spans[i] = spanOf(v, s)
	}
	pairs, count := overlap.Pairs(spans, limit)
	out := &projections.EventConflicts{Conflicts: []projections.EventConflict{}, Count: count}
	for _, pair := range pairs {
		second := projections.EventAt(events[pair.Second].Event, v.Moment)
		out.Conflicts = append(out.Conflicts, projections.EventConflict{
			Event1: projections.EventAt(events[pair.First].Event, v.Moment), Event2: &second,
			Start: v.DateTime(pair.Start), End: v.DateTime(pair.End),
		})
	}
	return out
}

func againstSlot(v *core.Viewer, events []sorted, slot when.Slot, limit int) *projections.EventConflicts {
	out := &projections.EventConflicts{Conflicts: []projections.EventConflict{}}
	seen := make(map[string]bool)
	for _, s := range events {
		span := spanOf(v, s)
		if !span.Start.Before(slot.To) || !slot.From.Before(span.End) || seen[span.Same] {
			continue
		}
		seen[span.Same] = span.Same != ""
		out.Count++
		if len(out.Conflicts) == limit {
			continue
		}
		from, to := span.Start, span.End
		if from.Before(slot.From) {
			from = slot.From
		}
		if to.After(slot.To) {
			to = slot.To
		}
		out.Conflicts = append(out.Conflicts, projections.EventConflict{
			Event1: projections.EventAt(s.Event, v.Moment), Start: v.DateTime(from), End: v.DateTime(to),
		})
	}
	free := out.Count == 0
	out.IsFree = &free
	return out
}

// FreeBusy answers freeBusy.
func (r *Resolver) FreeBusy(ctx context.Context, timeMin, timeMax *model.DateTimeInput, ids []string,
	address *string, freshness graph.Freshness) (*projections.FreeBusy, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	if timeMin == nil { // nobody asks whether they were free this morning
		timeMin = &model.DateTimeInput{Wall: v.Now, HasOffset: true}
	}
	from, to, err := windowOf(v, "", timeMin, timeMax, daysOfConflicts)
	if err != nil {
		return nil, err
	}
	if to.After(from.In(v.Zone).AddDate(0, 0, maxFreeBusy)) {
		return nil, model.BadInput("timeMax", "the window may have at most %d days", maxFreeBusy)
	}
	places, unknown, err := r.placesToRead(ctx, v, "", ids, address)
	if err != nil {
		return nil, err
	}
	out := &projections.FreeBusy{From: from, To: to, At: v.Moment, Each: make([]projections.CalendarBusy, len(places)),
		Unknown: unknown}
	if out.Context, err = r.fresh(ctx, v, places, freshness, tellsAge(ctx, "FreshnessContext")); err != nil {
		return nil, err
	}
	byAccount := make(map[int][]int)
	for i, p := range places {
		byAccount[p.account.Number] = append(byAccount[p.account.Number], i)
	}
	var group errgroup.Group
	group.SetLimit(core.AskedAtOnce)
	for _, indexes := range byAccount {
		group.Go(func() error {
			r.askFreeBusy(ctx, v, places, indexes, out)
			return nil
		})
	}
	_ = group.Wait() // what failed stands with its calendar
	var all []model.BusyPeriod
	for _, one := range out.Each {
		all = append(all, one.Periods...)
		out.Unknown = out.Unknown || one.Error != nil
	}
	out.Merged = overlap.Merge(all)
	return out, nil
}

// askFreeBusy asks one account for some of the places and fills in what it says.
func (r *Resolver) askFreeBusy(ctx context.Context, v *core.Viewer, places []place, indexes []int,
	out *projections.FreeBusy) {
	account := places[indexes[0]].account
	calendars := make([]string, len(indexes))
	for i, index := range indexes {
		calendars[i] = places[index].calendar
	}
	busy, failures, err := r.calendars.FreeBusy(ctx, account, calendars, out.From, out.To)
	if err != nil {
		core.AddError(ctx, err)
	}
	for i, index := range indexes {
		one := projections.CalendarBusy{CalendarID: calendars[i], Account: core.TextOrNil(account.Account), At: v.Moment}
		switch {
		case account.Number == 0:
			one.CalendarID = places[index].ref().ID().String()
		case one.CalendarID == "":
			one.CalendarID = strings.ToLower(account.Account)
		}
		failure := err
		if failure == nil {
			failure = failures[calendars[i]]
		}
		periods, told := busy[calendars[i]]
		switch {
		case failure != nil:
			code := model.CodeOf(failure)
			one.Error = &code
		case !told: // silence is not freedom
			code := model.CodeNotFound
			one.Error = &code
		}
		one.Periods = overlap.Merge(periods)
		out.Each[index] = one
	}
}

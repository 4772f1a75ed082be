package events

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/match"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// How far a text is looked for when nobody says: from the start of yesterday, for so many days from now.
const DaysOfTargets = 90

// Sought is what an event is looked for by.
type Sought struct {
	// text is the title, clean; field is its path, path that of the input that it stands in.
	text, field, path string
	from, to          time.Time
	day               *model.Weekday
	// after and before are minutes of the day; -1 for none.
	after, before int
	places        []place
}

// asked is what the answer's context says.
func (s Sought) asked(v *core.Viewer) projections.EventsAsked {
	return projections.EventsAsked{Summary: s.text, From: s.from, To: s.to, At: v.Moment}
}

// SoughtOf reads what is known of an event; the calendars are looked up by search, which knows whether it must look at
// all.
func SoughtOf(v *core.Viewer, path string, in graph.EventMatchInput) (Sought, error) {
	out := Sought{path: path, field: core.Under(path, "summary"), day: in.DayOfWeek, after: -1, before: -1}
	var err error
	if out.text, err = core.CleanText(out.field, in.Summary, model.MaxEventSummary); err != nil {
		return out, err
	}
	if out.from, out.to, err = targetWindow(v, path, in.TimeMin, in.TimeMax); err != nil {
		return out, err
	}
	if in.StartTime != nil {
		if out.after, err = when.ParseClock(core.Under(path, "startTime"), *in.StartTime); err != nil {
			return out, err
		}
	}
	if in.EndTime != nil {
		if out.before, err = when.ParseClock(core.Under(path, "endTime"), *in.EndTime); err != nil {
			return out, err
		}
	}
	if out.after >= 0 && out.before >= 0 && out.before <= out.after {
		return out, model.BadInput(core.Under(path, "endTime"), "endTime must be later than startTime")
	}
	return out, nil
}

// targetWindow is the window in which a text is looked for.
func targetWindow(v *core.Viewer, path string, timeMin, timeMax *model.DateTimeInput) (from, to time.Time, err error) {
	from = v.Yesterday()
	if timeMin != nil {
		from = when.Resolve(*timeMin, v.Zone)
	}
	to = v.Now.In(v.Zone).AddDate(0, 0, DaysOfTargets)
	if timeMax != nil {
		to = when.Resolve(*timeMax, v.Zone)
	}
	if to.After(lastMoment) {
		to = lastMoment
	}
	if !to.After(from) {
		return from, to, model.BadInput(core.Under(path, "timeMax"), "timeMax (%s) must be later than timeMin (%s)",
			v.DateTime(to).Format(time.RFC3339), v.DateTime(from).Format(time.RFC3339))
	}
	return from, to, nil
}

// holds tells whether everything but the title fits. What is all-day goes on at every hour.
func (s Sought) holds(v *core.Viewer, event model.Event) bool {
	if event.Start.IsZero() {
		return false
	}
	date := event.Start.Date
	if !event.Start.AllDay() {
		date = model.DateOf(event.Start.At.In(v.Zone))
	}
	if s.day != nil && date.Midnight().Weekday() != s.day.Time() {
		return false
	}
	if event.Start.AllDay() {
		return true
	}
	hour := func(minutes int) time.Time {
		return when.Instant(date.Midnight().Add(time.Duration(minutes)*time.Minute), v.Zone)
	}
	return (s.after < 0 || event.End.At.After(hour(s.after))) && (s.before < 0 || event.Start.At.Before(hour(s.before)))
}

// Placed is an event with the account that it was read through, and whether that account may write to its calendar.
type Placed struct {
	account model.Connection
	Event   model.Event
	role    model.AccessRole
}

// Everywhere reads a window of several calendars at once. One that fails fails all: what a text means cannot be said
// when a part of what it may mean is out of sight.
func (r *Resolver) Everywhere(ctx context.Context, places []place, query gcal.Query) ([]Placed, error) {
	listings := make([]gcal.Listing, len(places))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(core.AskedAtOnce)
	for i, p := range places {
		group.Go(func() (err error) {
			listings[i], err = r.Reader.Events(ctx, p.account, p.calendar, query)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return placedOf(places, listings), nil
}

// atCalendars says of an error that a calendar is not there which input named it.
func atCalendars(err error, path string) error {
	if model.CodeOf(err) != model.CodeNotFound {
		return err
	}
	return core.AtField(err, core.Under(path, "calendarIds"))
}

func placedOf(places []place, listings []gcal.Listing) []Placed {
	var out []Placed
	for i, listing := range listings {
		for _, event := range listing.Events {
			out = append(out, Placed{places[i].account, event, listing.Role})
		}
	}
	return out
}

// MatchFields are what matching and its questions look at.
const MatchFields = gcal.FieldSummary | gcal.FieldDescription | gcal.FieldTimes | gcal.FieldZone

// EventCandidates are the events that a text may mean, the nearest first.
type EventCandidates struct {
	Events []Placed
	list   []match.Candidate[int]
}

// search reads everything that the text may mean. same is equal for events among which nobody is asked to choose.
func (r *Resolver) search(ctx context.Context, v *core.Viewer, s Sought, fields gcal.Fields,
	want func(model.Event) bool,
	same func(model.Event) string) (EventCandidates, error) {
	found, err := r.Everywhere(ctx, s.places, gcal.Query{
		From: s.from, To: s.to, Fields: fields | MatchFields,
		Keep: func(event model.Event) bool { return s.holds(v, event) && want(event) },
	})
	if err != nil {
		return EventCandidates{}, atCalendars(err, s.path)
	}
	slices.SortStableFunc(found, func(a, b Placed) int { return Nearer(v, a.Event, b.Event) })
	out := EventCandidates{Events: found, list: make([]match.Candidate[int], len(found))}
	size := 0
	for i, one := range found {
		out.list[i] = match.Candidate[int]{ID: i, Fields: []string{one.Event.Summary, one.Event.Description},
			Same: same(one.Event)}
		size += len(one.Event.Summary) + len(one.Event.Description)
	}
	return out, core.Affordable(s.field, len(s.text), size)
}

// Nearer orders events as one would mean them: what has not ended before what has, then what starts nearest to now.
func Nearer(v *core.Viewer, a, b model.Event) int {
	distance := func(event model.Event) (past int, apart time.Duration) {
		start, end := v.Instant(event.Start), v.Instant(event.End)
		if !end.After(v.Now) && start.Before(v.Now) {
			past = 1
		}
		return past, start.Sub(v.Now).Abs()
	}
	pastA, apartA := distance(a)
	pastB, apartB := distance(b)
	if pastA != pastB {
		return pastA - pastB
	}
	switch {
	case apartA < apartB:
		return -1
	case apartA > apartB:
		return 1
	}
	return 0
}

// seriesRef is the reference of the series that an occurrence belongs to; of any other event, its own.
func seriesRef(event model.Event) model.EventRef {
	if event.IsOccurrence() {
		return event.Ref.CalendarRef().Event(event.RecurringEventID)
	}
	return event.Ref
}

// reference is how a ticket holds an event.
func ReferenceOf(ref model.EventRef) string { return ref.ID().Remote }

// held reads what referenceOf wrote.
func held(reference string) (model.EventRef, error) {
	return model.EventRefOf(model.RemoteID(model.KindEvent, reference))
}

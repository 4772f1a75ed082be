package resolvers

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
)

// How far a text is looked for when nobody says: from the start of yesterday, for so many days from now.
const daysOfTargets = 90

// sought is what an event is looked for by.
type sought struct {
	// text is the title, clean; field is its path, path that of the input that it stands in.
	text, field, path string
	from, to          time.Time
	day               *model.Weekday
	// after and before are minutes of the day; -1 for none.
	after, before int
	places        []place
}

// asked is what the answer's context says.
func (s sought) asked(v *viewer) projections.EventsAsked {
	return projections.EventsAsked{Summary: s.text, From: s.from, To: s.to, At: v.Moment}
}

// soughtOf reads what is known of an event; the calendars are looked up by search, which knows whether it must look at
// all.
func soughtOf(v *viewer, path string, in graph.EventMatchInput) (sought, error) {
	out := sought{path: path, field: under(path, "summary"), day: in.DayOfWeek, after: -1, before: -1}
	var err error
	if out.text, err = cleanText(out.field, in.Summary, model.MaxEventSummary); err != nil {
		return out, err
	}
	if out.from, out.to, err = targetWindow(v, path, in.TimeMin, in.TimeMax); err != nil {
		return out, err
	}
	if in.StartTime != nil {
		if out.after, err = when.ParseClock(under(path, "startTime"), *in.StartTime); err != nil {
			return out, err
		}
	}
	if in.EndTime != nil {
		if out.before, err = when.ParseClock(under(path, "endTime"), *in.EndTime); err != nil {
			return out, err
		}
	}
	if out.after >= 0 && out.before >= 0 && out.before <= out.after {
		return out, model.BadInput(under(path, "endTime"), "endTime must be later than startTime")
	}
	return out, nil
}

// targetWindow is the window in which a text is looked for.
func targetWindow(v *viewer, path string, timeMin, timeMax *model.DateTimeInput) (from, to time.Time, err error) {
	from = v.Yesterday()
	if timeMin != nil {
		from = when.Resolve(*timeMin, v.Zone)
	}
	to = v.Now.In(v.Zone).AddDate(0, 0, daysOfTargets)
	if timeMax != nil {
		to = when.Resolve(*timeMax, v.Zone)
	}
	if to.After(lastMoment) {
		to = lastMoment
	}
	if !to.After(from) {
		return from, to, model.BadInput(under(path, "timeMax"), "timeMax (%s) must be later than timeMin (%s)",
			v.DateTime(to).Format(time.RFC3339), v.DateTime(from).Format(time.RFC3339))
	}
	return from, to, nil
}

// holds tells whether everything but the title fits. What is all-day goes on at every hour.
func (s sought) holds(v *viewer, event model.Event) bool {
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

// placed is an event with the account that it was read through, and whether that account may write to its calendar.
type placed struct {
	account model.Connection
	event   model.Event
	role    model.AccessRole
}

// everywhere reads a window of several calendars at once. One that fails fails all: what a text means cannot be said
// when a part of what it may mean is out of sight.
func (r *Resolver) everywhere(ctx context.Context, places []place, query gcal.Query) ([]placed, error) {
	listings := make([]gcal.Listing, len(places))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(askedAtOnce)
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
	return atField(err, under(path, "calendarIds"))
}

func placedOf(places []place, listings []gcal.Listing) []placed {
	var out []placed
	for i, listing := range listings {
		for _, event := range listing.Events {
			out = append(out, placed{places[i].account, event, listing.Role})
		}
	}
	return out
}

// matchFields are what matching and its questions look at.
const matchFields = gcal.FieldSummary | gcal.FieldDescription | gcal.FieldTimes | gcal.FieldZone

// eventCandidates are the events that a text may mean, the nearest first.
type eventCandidates struct {
	events []placed
	list   []match.Candidate[int]
}

// search reads everything that the text may mean. same is equal for events among which nobody is asked to choose.
func (r *Resolver) search(ctx context.Context, v *viewer, s sought, fields gcal.Fields, want func(model.Event) bool,
	same func(model.Event) string) (eventCandidates, error) {
	found, err := r.everywhere(ctx, s.places, gcal.Query{
		From: s.from, To: s.to, Fields: fields | matchFields,
		Keep: func(event model.Event) bool { return s.holds(v, event) && want(event) },
	})
	if err != nil {
		return eventCandidates{}, atCalendars(err, s.path)
	}
	slices.SortStableFunc(found, func(a, b placed) int { return nearer(v, a.event, b.event) })
	out := eventCandidates{events: found, list: make([]match.Candidate[int], len(found))}
	size := 0
	for i, one := range found {
		out.list[i] = match.Candidate[int]{ID: i, Fields: []string{one.event.Summary, one.event.Description},
			Same: same(one.event)}
		size += len(one.event.Summary) + len(one.event.Description)
	}
	return out, affordable(s.field, len(s.text), size)
}

// nearer orders events as one would mean them: what has not ended before what has, then what starts nearest to now.
func nearer(v *viewer, a, b model.Event) int {
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
func referenceOf(ref model.EventRef) string { return ref.ID().Remote }

// held reads what referenceOf wrote.
func held(reference string) (model.EventRef, error) {
	return model.EventRefOf(model.RemoteID(model.KindEvent, reference))
}

package events

import (
	"context"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// CreateEvent adds one event.
func (r *Resolver) CreateEvent(ctx context.Context, in graph.CreateEventInput) (*graph.CreateEventPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateEventPayload{Duplicates: []projections.Event{}, Context: noEvents(),
		UserErrors: []model.UserError{}}
	event, err := readNew(v, in, "input")
	var done addedOne
	if err == nil {
		done, err = r.add(ctx, v, event, 0)
		out.Duplicates = projections.EventsAt(done.duplicates, v.Moment)
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Event, out.Context = oneEvent(done.made, v)
	out.Context.Note(done.notes...)
	return out, nil
}

// CreateRecurringEvent adds one series.
func (r *Resolver) CreateRecurringEvent(ctx context.Context,
	in graph.CreateRecurringEventInput) (*graph.CreateRecurringEventPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateRecurringEventPayload{
		Days: []model.Weekday{}, Duplicates: []projections.Event{}, Context: noEvents(), UserErrors: []model.UserError{},
	}
	now, err := firstNow(ctx, v)
	var series newSeries
	if err == nil {
		series, err = readNewSeries(v, now, in, "input")
	}
	var done addedOne
	if err == nil {
		done, err = r.add(ctx, v, series.newEvent, 0)
		out.Duplicates = projections.EventsAt(done.duplicates, v.Moment)
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Event, out.Context = oneEvent(done.made, v)
	out.Context.Note(done.notes...)
	out.Frequency, out.Days = &series.rule.frequency, append(out.Days, series.rule.days...)
	if series.rule.from >= 0 {
		start, end := when.FormatClock(series.rule.from), when.FormatClock(series.rule.to)
		out.StartTime, out.EndTime = &start, &end
	}
	return out, nil
}

// firstNow is the moment from which the first occurrences of new series are looked for: that of the first try.
func firstNow(ctx context.Context, v *core.Viewer) (time.Time, error) {
	now, _, err := core.Decided(ctx, func() (time.Time, error) { return v.Now, nil })
	return now, err
}

// oneEvent is the view of one event with its context.
func oneEvent(made model.Event, v *core.Viewer) (*projections.Event, *projections.EventContext) {
	view := projections.EventAt(made, v.Moment)
	return &view, contextOf(view, false, projections.EventsAsked{})
}

// addedOne is an event that was added, what stood in its place already, and what the caller is to know of its calendar.
type addedOne struct {
	made       model.Event
	duplicates []model.Event
	notes      []projections.EventNote
}

// add adds an event unless a duplicate forbids it, and returns what stands in its place already. Where duplicates are
// only reported, they are looked for while the event is added.
func (r *Resolver) add(ctx context.Context, v *core.Viewer, event newEvent,
	also gcal.Fields) (out addedOne, err error) {
	places := r.placeCache(v)
	if err := places.locate(ctx, &event, 0); err != nil {
		return out, err
	}
	var look looked
	find := func() error {
		look.found, look.err = r.findDuplicates(ctx, event, payloadFields(ctx, "duplicates"))
		return nil
	}
	if event.policy == graph.EventDuplicatePolicyRefuse {
		_ = find()
	}
	d := decision.Decision{Steps: []decision.Step{
		creating(event, core.Under(event.path, "summary"), look, payloadFields(ctx, "event")|also),
	}}
	var group errgroup.Group
	if event.policy == graph.EventDuplicatePolicyReport {
		group.Go(find)
	}
	done := r.Apply(ctx, v, d)[0]
	_ = group.Wait() // a look that failed stands beside
	if err := done.Err; err != nil {
		if d.Steps[0].Collides != nil {
			out.duplicates = look.found
			return out, err
		}
		if model.CodeOf(err) == model.CodeNotFound { // the calendar that input named
			err = core.AtField(err, core.Under(event.path, "calendarId"))
		}
		return out, inInput(err, event.path)
	}
	if look.err != nil {
		core.AddError(ctx, look.err)
	}
	return addedOne{made: *done.Event, duplicates: look.found, notes: places.notes}, nil
}

// CreateEvents adds events, each for itself.
func (r *Resolver) CreateEvents(ctx context.Context, in graph.CreateEventsInput) (*graph.CreateEventsPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	all, err := r.addAll(ctx, v, len(in.Events), func(i int, path string) (newEvent, error) {
		return readNew(v, in.Events[i], path)
	})
	out := &graph.CreateEventsPayload{
		Success: all.success, Created: int32(len(all.events)), Events: all.events, Duplicates: all.duplicates,
		Errors: all.errors, Context: all.context, UserErrors: []model.UserError{},
	}
	core.AddUserError(ctx, &out.UserErrors, err)
	return out, nil
}

// CreateRecurringEvents adds series, each for itself.
func (r *Resolver) CreateRecurringEvents(ctx context.Context,
	in graph.CreateRecurringEventsInput) (*graph.CreateRecurringEventsPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	all := nothingAdded()
	now, err := firstNow(ctx, v)
	if err == nil {
		all, err = r.addAll(ctx, v, len(in.Events), func(i int, path string) (newEvent, error) {
			series, err := readNewSeries(v, now, recurringDefaults(in.Events[i], in), path)
			return series.newEvent, err
		})
	}
	out := &graph.CreateRecurringEventsPayload{
		Success: all.success, Created: int32(len(all.events)), Events: all.events, Duplicates: all.duplicates,
		Errors: all.errors, Context: all.context, UserErrors: []model.UserError{},
	}
	core.AddUserError(ctx, &out.UserErrors, err)
	return out, nil
}

// added is what came of adding several events.
type added struct {
	events, duplicates []projections.Event
	errors             []model.BulkError
	context            *projections.EventContext
	success            bool
}

func nothingAdded() added {
	return added{events: []projections.Event{}, duplicates: []projections.Event{}, errors: []model.BulkError{},
		context: noEvents()}
}

// addAll reads and adds so many events. What one of them lacks, or Google says of it, is that one's error; an error of
// addAll itself means that none could even be tried.
func (r *Resolver) addAll(ctx context.Context, v *core.Viewer, count int,
	read func(i int, path string) (newEvent, error)) (added, error) {
	out := nothingAdded()
	if err := core.AtMost("input.events", count); err != nil {
		return out, err
	}
	places := r.placeCache(v)
	events, failures := make([]newEvent, count), make([]error, count)
	tried := count == 0
	for i := range count {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if events[i], failures[i] = read(i, "input.events."+strconv.Itoa(i)); failures[i] == nil {
			failures[i] = places.locate(ctx, &events[i], i)
		}
		if _, mendable := model.Mendable(failures[i]); failures[i] == nil || mendable {
			tried = true
		}
	}
	if !tried { // no account is linked, say: it would be said of each
		return out, failures[0]
	}
	looks := r.findAllDuplicates(ctx, events, func(i int) bool {
		return failures[i] == nil && events[i].policy != graph.EventDuplicatePolicyAllow
	}, payloadFields(ctx, "duplicates"))
	said := make(map[string]bool)
	var duplicates []model.Event
	for i, look := range looks {
		if err := look.err; err != nil && events[i].policy == graph.EventDuplicatePolicyReport {
			if !said[err.Error()] {
				core.AddError(ctx, err)
			}
			said[err.Error()] = true
		}
		duplicates = append(duplicates, look.found...)
	}
	twins := twinsOf(events, failures)
	d := decision.Decision{Steps: creatingEach(events, failures, looks, twins, payloadFields(ctx, "events"))}
	done := r.Apply(ctx, v, d)
	for i, one := range done {
		if one.Err != nil {
			out.errors = append(out.errors, core.BulkErrorOf(i, d.Steps[i].Collides, one.Err))
			continue
		}
		out.events = append(out.events, projections.EventAt(*one.Event, v.Moment))
		if twin := twins[i]; twin >= 0 && done[twin].Err == nil && events[i].policy != graph.EventDuplicatePolicyAllow {
			duplicates = append(duplicates, *done[twin].Event)
		}
	}
	out.duplicates = projections.EventsAt(byStart(v, duplicates), v.Moment)
	out.success = len(out.events) > 0 || count == 0
	out.context = projections.EventContextOf(out.events, count > 1, projections.EventsAsked{})
	out.context.Note(places.notes...)
	return out, nil
}

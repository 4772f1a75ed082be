package events

import (
	"context"
	"errors"
	"strconv"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// changedAtOnce is how many changes of one mutation are under way at a time: Google limits each user by the minute, and
// others wait too.
const changedAtOnce = 4

func NoEvents() *projections.EventContext {
	return projections.EventContextOf(nil, false, projections.EventsAsked{})
}

// oneEvent is the view of one event with its context.
func oneEvent(noun model.Event, v *core.Viewer) (*projections.Event, *projections.EventContext) {
	view := projections.EventAt(noun, v.Moment)
	return &view, projections.EventContextOf([]projections.Event{view}, false, projections.EventsAsked{})
}

// CreateEvent adds one event.
func (r *Resolver) CreateEvent(ctx context.Context, in graph.CreateEventInput) (*graph.CreateEventPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateEventPayload{Duplicates: []projections.Event{}, Context: NoEvents(),
		UserErrors: []model.UserError{}}
	event, err := r.NewEvent(ctx, v, r.PlaceCache(v), in, "input", 0)
	if err != nil {
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	made, duplicates, err := r.AddOne(ctx, v, event)
	out.Duplicates = projections.EventsAt(duplicates, v.Moment)
	if err != nil {
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Event, out.Context = oneEvent(made, v)
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
		Days: []model.Weekday{}, Duplicates: []projections.Event{}, Context: NoEvents(), UserErrors: []model.UserError{},
	}
	shared := r.PlaceCache(v)
	err = shared.noteNow(ctx)
	var series newSeries
	if err == nil {
		series, err = r.newSeries(ctx, v, shared, in, "input", 0)
	}
	if err != nil {
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	made, duplicates, err := r.AddOne(ctx, v, series.newEvent)
	out.Duplicates = projections.EventsAt(duplicates, v.Moment)
	if err != nil {
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Event, out.Context = oneEvent(made, v)
	out.Frequency, out.Days = &series.rule.frequency, append(out.Days, series.rule.days...)
	if series.rule.from >= 0 {
		start, end := ClockText(series.rule.from), ClockText(series.rule.to)
		out.StartTime, out.EndTime = &start, &end
	}
	return out, nil
}

// AddOne adds an event unless a duplicate forbids it, and gives what stands in its place already. Where duplicates are
// only reported, they are looked for while the event is added.
func (r *Resolver) AddOne(ctx context.Context, v *core.Viewer,
	event newEvent) (made model.Event, duplicates []model.Event, err error) {
	event.insert.Fields = PayloadFields(ctx, "event") &^ gcal.FieldZone
	fields := PayloadFields(ctx, "duplicates") &^ gcal.FieldZone
	var missed error
	var group errgroup.Group
	switch event.policy {
	case graph.EventDuplicatePolicyRefuse:
		if duplicates, err = r.findDuplicates(ctx, event, fields); err != nil {
			return made, nil, event.atCalendar(err)
		}
		if len(duplicates) > 0 {
			return made, duplicates, standsThere(event.titleField, duplicates[0])
		}
	case graph.EventDuplicatePolicyReport:
		group.Go(func() error {
			duplicates, missed = r.findDuplicates(ctx, event, fields)
			return nil
		})
	default:
	}
	made, _, err = r.Writer.Insert(ctx, event.place.account, event.place.calendar, event.insert)
	_ = group.Wait() // it gives none: a look that failed stands beside
	if err != nil {
		return made, nil, event.atCalendar(err)
	}
	if missed != nil {
		core.AddError(ctx, missed)
	}
	r.logCreated(ctx, v, []model.Event{made})
	return made, duplicates, nil
}

// atCalendar says of an error that the calendar is not there which input named it.
func (e newEvent) atCalendar(err error) error {
	if model.CodeOf(err) != model.CodeNotFound {
		return err
	}
	return core.AtField(err, e.calendarField)
}

// standsThere refuses a duplicate.
func standsThere(field string, there model.Event) error {
	e := model.Errorf(model.CodeConflict,
		"%q stands at this time already: %s; set onDuplicate to REPORT or ALLOW to add another", model.Clip(there.Summary),
		there.Ref.ID())
	e.Field = model.FieldPath(field)
	return e
}

// addition is what came of adding several events.
type addition struct {
	made       []model.Event
	duplicates []model.Event
	errors     []model.BulkError
}

// CreateEvents adds events, each for itself.
func (r *Resolver) CreateEvents(ctx context.Context, in graph.CreateEventsInput) (*graph.CreateEventsPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateEventsPayload{
		Events: []projections.Event{}, Duplicates: []projections.Event{}, Errors: []model.BulkError{}, Context: NoEvents(),
		UserErrors: []model.UserError{},
	}
	places := r.PlaceCache(v)
	added, err := r.addAll(ctx, v, len(in.Events), func(i int) (newEvent, error) {
		return r.NewEvent(ctx, v, places, in.Events[i], "input.events."+strconv.Itoa(i), i)
	})
	if err != nil {
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Events, out.Duplicates, out.Errors = projections.EventsAt(added.made, v.Moment),
		projections.EventsAt(added.duplicates, v.Moment), added.errors
	out.Created = int32(len(out.Events))
	out.Success = len(out.Events) > 0 || len(in.Events) == 0
	out.Context = projections.EventContextOf(out.Events, len(in.Events) > 1, projections.EventsAsked{})
	return out, nil
}

// CreateRecurringEvents adds series, each for itself.
func (r *Resolver) CreateRecurringEvents(ctx context.Context,
	in graph.CreateRecurringEventsInput) (*graph.CreateRecurringEventsPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateRecurringEventsPayload{
		Events: []projections.Event{}, Duplicates: []projections.Event{}, Errors: []model.BulkError{}, Context: NoEvents(),
		UserErrors: []model.UserError{},
	}
	places := r.PlaceCache(v)
	if err := places.noteNow(ctx); err != nil {
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	added, err := r.addAll(ctx, v, len(in.Events), func(i int) (newEvent, error) {
		series, err := r.newSeries(ctx, v, places, recurringDefaults(in.Events[i], in), "input.events."+strconv.Itoa(i), i)
		return series.newEvent, err
	})
	if err != nil {
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Events, out.Duplicates, out.Errors = projections.EventsAt(added.made, v.Moment),
		projections.EventsAt(added.duplicates, v.Moment), added.errors
	out.Created = int32(len(out.Events))
	out.Success = len(out.Events) > 0 || len(in.Events) == 0
	out.Context = projections.EventContextOf(out.Events, len(in.Events) > 1, projections.EventsAsked{})
	return out, nil
}

// addAll reads and adds so many events. What one of them lacks, or Google says of it, is that one's error; an error of
// addAll itself means that none could even be tried.
func (r *Resolver) addAll(ctx context.Context, v *core.Viewer, count int,
	read func(int) (newEvent, error)) (addition, error) {
	out := addition{made: []model.Event{}, errors: []model.BulkError{}}
	if err := core.AtMost("input.events", count); err != nil {
		return out, err
	}
	events, failures := make([]newEvent, count), make([]error, count)
	tried := count == 0
	for i := range count {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		events[i], failures[i] = read(i)
		if _, mendable := model.Mendable(failures[i]); failures[i] == nil || mendable {
			tried = true
		}
	}
	if !tried { // no account is linked, say: it would be said of each
		return out, failures[0]
	}
	made, collided := r.addEach(ctx, v, events, failures, &out)
	for i, failure := range failures {
		if failure == nil {
			out.made = append(out.made, made[i])
			continue
		}
		out.errors = append(out.errors, bulkErrorOf(i, collided[i], failure))
	}
	r.logCreated(ctx, v, out.made)
	return out, nil
}

// addEach looks for duplicates and adds what may be added. It notes failures in their places, and what they collided
// with.
func (r *Resolver) addEach(ctx context.Context, v *core.Viewer, events []newEvent, failures []error,
	out *addition) (made []model.Event, collided []*string) {
	made, collided = make([]model.Event, len(events)), make([]*string, len(events))
	looks := r.findAllDuplicates(ctx, events, func(i int) bool {
		return failures[i] == nil && events[i].policy != graph.EventDuplicatePolicyAllow
	}, PayloadFields(ctx, "duplicates")&^gcal.FieldZone)
	twins := twinsOf(events, failures)
	told := make(map[string]bool)
	for i, look := range looks {
		refuse := events[i].policy == graph.EventDuplicatePolicyRefuse
		switch {
		case failures[i] != nil:
		case look.err != nil && refuse:
			failures[i] = look.err
		case look.err != nil:
			if !told[look.err.Error()] {
				core.AddError(ctx, look.err)
			}
			told[look.err.Error()] = true
		case refuse && len(look.found) > 0:
			id := look.found[0].Ref.ID().String()
			failures[i], collided[i] = standsThere("", look.found[0]), &id
		case refuse && twins[i] >= 0 && failures[twins[i]] == nil:
			failures[i] = model.Errorf(model.CodeConflict,
				"event %d of this request is at the same time and has nearly the same title; set onDuplicate to REPORT or ALLOW "+
					"to add both", twins[i])
		}
		out.duplicates = append(out.duplicates, look.found...)
	}
	fields := PayloadFields(ctx, "events") &^ gcal.FieldZone
	var group errgroup.Group
	group.SetLimit(changedAtOnce)
	for i := range events {
		if failures[i] != nil {
			continue
		}
		group.Go(func() error {
			events[i].insert.Fields = fields
			made[i], _, failures[i] = r.Writer.Insert(ctx, events[i].place.account, events[i].place.calendar,
				events[i].insert)
			return nil
		})
	}
	_ = group.Wait() // each failure stands in its place
	for i, twin := range twins {
		if twin >= 0 && failures[i] == nil && failures[twin] == nil && events[i].policy != graph.EventDuplicatePolicyAllow {
			out.duplicates = append(out.duplicates, made[twin])
		}
	}
	out.duplicates = byStart(v, out.duplicates)
	return made, collided
}

// twinsOf gives, for each event, the first earlier one of the request that is its duplicate; -1 for none.
func twinsOf(events []newEvent, failures []error) []int {
	out := make([]int, len(events))
	for i := range events {
		out[i] = -1
		for j := range i {
			if failures[i] == nil && failures[j] == nil && events[i].twins(events[j]) {
				out[i] = j
				break
			}
		}
	}
	return out
}

// bulkErrorOf says why one item was left as it was. Of an error that is no matter of clients, nothing is said.
func bulkErrorOf(index int, id *string, err error) model.BulkError {
	out := model.BulkError{ID: id, Index: index, Code: model.CodeInternal, Message: "Something went wrong on our side."}
	if shown, ok := errors.AsType[*model.Error](err); ok {
		out.Code, out.Message = shown.Code, shown.Message
	}
	return out
}

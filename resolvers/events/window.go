package events

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/match"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// Bounds of a mutation of a window.
const (
	// maxWindowDays is how long the window may be.
	maxWindowDays = 366
	// maxWindowEvents is how many events one mutation changes or deletes.
	maxWindowEvents = 500
)

// windowOfEvents is a window with what is wanted of it.
type windowOfEvents struct {
	timeMin, timeMax model.DateTimeInput
	summary          *string
	excluded         []string
	calendars        []string
	account          *string
}

// windowFound is what a window holds of what is wanted.
type windowFound struct {
	events []Placed
	asked  projections.EventsAsked
	// again: an earlier try of the same request found them, and perhaps changed them.
	again bool
}

// eventsInWindow gives the single events and occurrences of a window that are wanted, by start, each with its account.
// A calendar that cannot be read now leaves its error beside the answer, unless it is the only one.
func (r *Resolver) eventsInWindow(ctx context.Context, v *core.Viewer, in windowOfEvents,
	fields gcal.Fields) (windowFound, error) {
	from, to := when.Resolve(in.timeMin, v.Zone), when.Resolve(in.timeMax, v.Zone)
	if to.After(lastMoment) {
		to = lastMoment
	}
	out := windowFound{asked: projections.EventsAsked{From: from, To: to, At: v.Moment}}
	switch {
	case !to.After(from):
		return out, model.BadInput("input.timeMax", "timeMax (%s) must be later than timeMin (%s)",
			v.DateTime(to).Format(time.RFC3339), v.DateTime(from).Format(time.RFC3339))
	case to.After(from.In(v.Zone).AddDate(0, 0, maxWindowDays)):
		return out, model.BadInput("input.timeMax", "a window is at most %d days long", maxWindowDays)
	}
	wants, title, err := wantedTitles(in)
	if err != nil {
		return out, err
	}
	out.asked.Summary = title
	noted, again, err := core.Decided(ctx, func() (Decision, error) {
		places, err := r.Places(ctx, v, "input", in.calendars, in.account)
		if err != nil {
			return Decision{}, err
		}
		query := gcal.Query{From: from, To: to, Fields: fields | gcal.FieldSummary | gcal.FieldTimes | gcal.FieldZone,
			Keep: wants}
		if out.events, err = r.ReadAll(ctx, v, places, query); err != nil {
			return Decision{}, err
		}
		if n := len(out.events); n > maxWindowEvents {
			return Decision{}, model.BadInput("input.timeMax",
				"%d events are meant; one request changes at most %d, so nothing was done. Narrow the window or the titles", n,
				maxWindowEvents)
		}
		return DecisionOf(out.events, ""), nil
	})
	if err == nil && again {
		out.again = true
		out.events, err = noted.Placed(ctx, r, v)
	}
	return out, err
}

// wantedTitles gives what tells whether an event is meant by its title.
func wantedTitles(in windowOfEvents) (wants func(model.Event) bool, title string, err error) {
	excluded, err := excludedTitles("input.excludeSummaries", in.excluded)
	if err != nil {
		return nil, "", err
	}
	var like *match.Title
	if in.summary != nil {
		if title, err = core.CleanText("input.summary", *in.summary, model.MaxEventSummary); err != nil {
			return nil, "", err
		}
		rules := match.Events(true)
		made := match.NewTitle(title, rules.Prefixes, rules.MinScore)
		like = &made
	}
	search := EventSearch{Excluded: excluded}
	return func(event model.Event) bool {
		return search.Wants(event) && (like == nil || like.Like(event.Summary))
	}, title, nil
}

// ReadAll reads a window of several calendars, by start.
func (r *Resolver) ReadAll(ctx context.Context, v *core.Viewer, places []place, query gcal.Query) ([]Placed, error) {
	listings, failures := core.AskEach(places, func(p place) (gcal.Listing, error) {
		return r.Reader.Events(ctx, p.account, p.calendar, query)
	})
	failed := slices.DeleteFunc(slices.Clone(failures), func(err error) bool { return err == nil })
	for _, err := range failed {
		if _, mendable := model.Mendable(err); mendable || len(failed) == len(places) {
			return nil, atCalendars(err, "input") // a name that is wrong stops everything: the caller meant another calendar
		}
	}
	for _, err := range failed {
		core.AddError(ctx, err)
	}
	return inOrder(v, placedOf(places, listings)), nil
}

// inOrder sorts by start, then by id.
func inOrder(v *core.Viewer, found []Placed) []Placed {
	slices.SortStableFunc(found, func(a, b Placed) int {
		return sortedOf(a.Event, v.Zone).compare(sortedOf(b.Event, v.Zone).place())
	})
	return found
}

// deed is what is done to one event of many; it gives the event as the answer shows it, and the lines for the log.
type deed func(ctx context.Context, one Placed) (model.Event, []model.Change, error)

// Deeds is what came of doing something to many events.
type Deeds struct {
	Events    []model.Event
	Errors    []model.BulkError
	eventIDs  []string
	summaries []string
	// done: something was done, or may have been.
	Done bool
}

// DoEach does something to each of the events, some at a time, and writes what was done into the log at once. Results
// keep the events' order.
func (r *Resolver) DoEach(ctx context.Context, v *core.Viewer, events []Placed, do deed) Deeds {
	after := make([]model.Event, len(events))
	lines := make([][]model.Change, len(events))
	failures := make([]error, len(events))
	var group errgroup.Group
	group.SetLimit(changedAtOnce)
	for i, one := range events {
		group.Go(func() error {
			if failures[i] = mayChange(one); failures[i] == nil {
				after[i], lines[i], failures[i] = do(ctx, one)
			}
			return nil
		})
	}
	_ = group.Wait() // each failure stands in its place
	out := Deeds{Events: []model.Event{}, Errors: []model.BulkError{}, eventIDs: []string{}, summaries: []string{}}
	var log []model.Change
	titles := make(map[string]bool)
	for i, failure := range failures {
		log = append(log, lines[i]...) // also of what was done in part
		if failure != nil {
			id := events[i].Event.Ref.ID().String()
			out.Errors = append(out.Errors, bulkErrorOf(i, &id, failure))
			out.Done = out.Done || MaybeDone(failure)
			continue
		}
		out.Done = true
		out.Events = append(out.Events, after[i])
		out.eventIDs = append(out.eventIDs, after[i].Ref.ID().String())
		if key := fold.Text(after[i].Summary); !titles[key] && after[i].Summary != "" {
			titles[key] = true
			out.summaries = append(out.summaries, after[i].Summary)
		}
	}
	r.logEvents(ctx, v, log)
	relinkBeside(ctx, failures)
	return out
}

// relinkBeside says once, beside the answer, where an account is to be linked again: an item's error has no room for
// the address.
func relinkBeside(ctx context.Context, failures []error) {
	for _, failure := range failures {
		if shown, ok := errors.AsType[*model.Error](failure); ok && shown.Code == model.CodeNotConnected {
			core.AddError(ctx, failure)
			return
		}
	}
}

// mayChange refuses what Google would refuse, without asking.
func mayChange(one Placed) error {
	switch {
	case one.role != "" && !one.role.MayWrite():
		return &model.Error{
			Code: model.CodeUpstreamRejected, Reason: "requiredAccessLevel",
			Message: "the account " + one.account.Account + " may only read this calendar",
		}
	case cmp.Or(one.Event.Type, model.EventDefault) != model.EventDefault:
		return model.BadInput("", "an event of the type %s is not changed from here; change it in Google Calendar",
			one.Event.Type)
	}
	return nil
}

// UpdateEventsInWindow changes everything in a window the same way.
func (r *Resolver) UpdateEventsInWindow(ctx context.Context,
	in graph.UpdateEventsInWindowInput) (*graph.UpdateEventsInWindowPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateEventsInWindowPayload{
		Events: []projections.Event{}, EventIds: []string{}, Summaries: []string{}, Errors: []model.BulkError{},
		Context: NoEvents(), UserErrors: []model.UserError{},
	}
	plan, err := readEventsPatch(in.Set)
	if err != nil {
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	found, err := r.eventsInWindow(ctx, v, windowOfEvents{in.TimeMin, in.TimeMax, in.Summary, in.ExcludeSummaries,
		in.CalendarIds, in.Account}, 0)
	if err != nil {
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	options := gcal.ChangeOptions{SendUpdates: sendUpdates(in.SendUpdates),
		Fields: PayloadFields(ctx, "events") &^ gcal.FieldZone}
	done := r.DoEach(ctx, v, found.events, func(ctx context.Context, one Placed) (model.Event, []model.Change, error) {
		patch, err := plan.forEvent(v, one.Event)
		if err != nil {
			return model.Event{}, nil, err
		}
		with := options
		if !found.again { // else it may be another version by our own hand
			with.Known = &one.Event
		}
		after, err := r.Writer.Patch(ctx, one.account, one.Event.Ref, patch, with)
		if err != nil {
			return model.Event{}, nil, err
		}
		return after, []model.Change{eventChange(v, model.OperationUpdated, after.Ref, after.Version)}, nil
	})
	out.Events, out.EventIds, out.Summaries, out.Errors = projections.EventsAt(done.Events, v.Moment), done.eventIDs,
		done.summaries, done.Errors
	out.Updated, out.Success = int32(len(out.Events)), len(out.Events) > 0 || len(found.events) == 0
	out.Context = projections.EventContextOf(out.Events, false, found.asked)
	return out, nil
}

// DeleteEventsInWindow deletes everything in a window; of series only the occurrences inside.
func (r *Resolver) DeleteEventsInWindow(ctx context.Context,
	in graph.DeleteEventsInWindowInput) (*graph.DeleteEventsInWindowPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteEventsInWindowPayload{
		Events: []projections.Event{}, EventIds: []string{}, Summaries: []string{}, Errors: []model.BulkError{},
		Context: NoEvents(), UserErrors: []model.UserError{},
	}
	fields := PayloadFields(ctx, "events")
	found, err := r.eventsInWindow(ctx, v, windowOfEvents{in.TimeMin, in.TimeMax, in.Summary, in.ExcludeSummaries,
		in.CalendarIds, in.Account}, fields)
	if err != nil {
		core.Beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	done := r.DoEach(ctx, v, found.events, r.Deleting(v, gcal.ChangeOptions{SendUpdates: sendUpdates(in.SendUpdates)}))
	out.Events, out.EventIds, out.Summaries, out.Errors = projections.EventsAt(done.Events, v.Moment), done.eventIDs,
		done.summaries, done.Errors
	out.Deleted, out.Success = int32(len(out.Events)), len(out.Events) > 0 || len(found.events) == 0
	out.Context = projections.EventContextOf(out.Events, false, found.asked)
	return out, nil
}

// Deleting deletes an event or an occurrence, whatever version it is.
func (r *Resolver) Deleting(v *core.Viewer, options gcal.ChangeOptions) deed {
	return func(ctx context.Context, one Placed) (model.Event, []model.Change, error) {
		with := options
		with.Known = &one.Event
		if _, err := r.Writer.Delete(ctx, one.account, one.Event.Ref, with); err != nil {
			return model.Event{}, nil, err
		}
		return one.Event, []model.Change{eventChange(v, model.OperationDeleted, one.Event.Ref, "")}, nil
	}
}

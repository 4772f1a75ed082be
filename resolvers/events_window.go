package resolvers

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
	events []placed
	asked  projections.EventsAsked
	// again: an earlier try of the same request found them, and perhaps changed them.
	again bool
}

// eventsInWindow gives the single events and occurrences of a window that are wanted, by start, each with its account.
// A calendar that cannot be read now leaves its error beside the answer, unless it is the only one.
func (r *Resolver) eventsInWindow(ctx context.Context, v *viewer, in windowOfEvents,
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
	noted, again, err := decided(ctx, func() (decision, error) {
		places, err := r.places(ctx, v, "input", in.calendars, in.account)
		if err != nil {
			return decision{}, err
		}
		query := gcal.Query{From: from, To: to, Fields: fields | gcal.FieldSummary | gcal.FieldTimes | gcal.FieldZone,
			Keep: wants}
		if out.events, err = r.readAll(ctx, v, places, query); err != nil {
			return decision{}, err
		}
		if n := len(out.events); n > maxWindowEvents {
			return decision{}, model.BadInput("input.timeMax",
				"%d events are meant; one request changes at most %d, so nothing was done. Narrow the window or the titles", n,
				maxWindowEvents)
		}
		return decisionOf(out.events, ""), nil
	})
	if err == nil && again {
		out.again = true
		out.events, err = noted.placed(ctx, r, v)
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
		if title, err = cleanText("input.summary", *in.summary, model.MaxEventSummary); err != nil {
			return nil, "", err
		}
		rules := match.Events(true)
		made := match.NewTitle(title, rules.Prefixes, rules.MinScore)
		like = &made
	}
	search := eventSearch{excluded: excluded}
	return func(event model.Event) bool {
		return search.wants(event) && (like == nil || like.Like(event.Summary))
	}, title, nil
}

// readAll reads a window of several calendars, by start.
func (r *Resolver) readAll(ctx context.Context, v *viewer, places []place, query gcal.Query) ([]placed, error) {
	listings, failures := askEach(places, func(p place) (gcal.Listing, error) {
		return r.Reader.Events(ctx, p.account, p.calendar, query)
	})
	failed := slices.DeleteFunc(slices.Clone(failures), func(err error) bool { return err == nil })
	for _, err := range failed {
		if _, mendable := model.Mendable(err); mendable || len(failed) == len(places) {
			return nil, atCalendars(err, "input") // a name that is wrong stops everything: the caller meant another calendar
		}
	}
	for _, err := range failed {
		addError(ctx, err)
	}
	return inOrder(v, placedOf(places, listings)), nil
}

// inOrder sorts by start, then by id.
func inOrder(v *viewer, found []placed) []placed {
	slices.SortStableFunc(found, func(a, b placed) int {
		return sortedOf(a.event, v.Zone).compare(sortedOf(b.event, v.Zone).place())
	})
	return found
}

// deed is what is done to one event of many; it gives the event as the answer shows it, and the lines for the log.
type deed func(ctx context.Context, one placed) (model.Event, []model.Change, error)

// deeds is what came of doing something to many events.
type deeds struct {
	events    []model.Event
	errors    []model.BulkError
	eventIDs  []string
	summaries []string
	// done: something was done, or may have been.
	done bool
}

// doEach does something to each of the events, some at a time, and writes what was done into the log at once. Results
// keep the events' order.
func (r *Resolver) doEach(ctx context.Context, v *viewer, events []placed, do deed) deeds {
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
	out := deeds{events: []model.Event{}, errors: []model.BulkError{}, eventIDs: []string{}, summaries: []string{}}
	var log []model.Change
	titles := make(map[string]bool)
	for i, failure := range failures {
		log = append(log, lines[i]...) // also of what was done in part
		if failure != nil {
			id := events[i].event.Ref.ID().String()
			out.errors = append(out.errors, bulkErrorOf(i, &id, failure))
			out.done = out.done || maybeDone(failure)
			continue
		}
		out.done = true
		out.events = append(out.events, after[i])
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
			addError(ctx, failure)
			return
		}
	}
}

// mayChange refuses what Google would refuse, without asking.
func mayChange(one placed) error {
	switch {
	case one.role != "" && !one.role.MayWrite():
		return &model.Error{
			Code: model.CodeUpstreamRejected, Reason: "requiredAccessLevel",
			Message: "the account " + one.account.Account + " may only read this calendar",
		}
	case cmp.Or(one.event.Type, model.EventDefault) != model.EventDefault:
		return model.BadInput("", "an event of the type %s is not changed from here; change it in Google Calendar",
			one.event.Type)
	}
	return nil
}

// updateEventsInWindow changes everything in a window the same way.
func (r *Resolver) updateEventsInWindow(ctx context.Context,
	in graph.UpdateEventsInWindowInput) (*graph.UpdateEventsInWindowPayload, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateEventsInWindowPayload{
		Events: []projections.Event{}, EventIds: []string{}, Summaries: []string{}, Errors: []model.BulkError{},
		Context: noEvents(), UserErrors: []model.UserError{},
	}
	plan, err := readEventsPatch(in.Set)
	if err != nil {
		beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	found, err := r.eventsInWindow(ctx, v, windowOfEvents{in.TimeMin, in.TimeMax, in.Summary, in.ExcludeSummaries,
		in.CalendarIds, in.Account}, 0)
	if err != nil {
		beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	options := gcal.ChangeOptions{SendUpdates: sendUpdates(in.SendUpdates),
		Fields: payloadFields(ctx, "events") &^ gcal.FieldZone}
	done := r.doEach(ctx, v, found.events, func(ctx context.Context, one placed) (model.Event, []model.Change, error) {
		patch, err := plan.forEvent(v, one.event)
		if err != nil {
			return model.Event{}, nil, err
		}
		with := options
		if !found.again { // else it may be another version by our own hand
			with.Known = &one.event
		}
		after, err := r.Writer.Patch(ctx, one.account, one.event.Ref, patch, with)
		if err != nil {
			return model.Event{}, nil, err
		}
		return after, []model.Change{eventChange(v, model.OperationUpdated, after.Ref, after.Version)}, nil
	})
	out.Events, out.EventIds, out.Summaries, out.Errors = projections.EventsAt(done.events, v.Moment), done.eventIDs,
		done.summaries, done.errors
	out.Updated, out.Success = int32(len(out.Events)), len(out.Events) > 0 || len(found.events) == 0
	out.Context = projections.EventContextOf(out.Events, false, found.asked)
	return out, nil
}

// deleteEventsInWindow deletes everything in a window; of series only the occurrences inside.
func (r *Resolver) deleteEventsInWindow(ctx context.Context,
	in graph.DeleteEventsInWindowInput) (*graph.DeleteEventsInWindowPayload, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteEventsInWindowPayload{
		Events: []projections.Event{}, EventIds: []string{}, Summaries: []string{}, Errors: []model.BulkError{},
		Context: noEvents(), UserErrors: []model.UserError{},
	}
	fields := payloadFields(ctx, "events")
	found, err := r.eventsInWindow(ctx, v, windowOfEvents{in.TimeMin, in.TimeMax, in.Summary, in.ExcludeSummaries,
		in.CalendarIds, in.Account}, fields)
	if err != nil {
		beside(ctx, &out.UserErrors, err)
		return out, nil
	}
	done := r.doEach(ctx, v, found.events, r.deleting(v, gcal.ChangeOptions{SendUpdates: sendUpdates(in.SendUpdates)}))
	out.Events, out.EventIds, out.Summaries, out.Errors = projections.EventsAt(done.events, v.Moment), done.eventIDs,
		done.summaries, done.errors
	out.Deleted, out.Success = int32(len(out.Events)), len(out.Events) > 0 || len(found.events) == 0
	out.Context = projections.EventContextOf(out.Events, false, found.asked)
	return out, nil
}

// deleting deletes an event or an occurrence, whatever version it is.
func (r *Resolver) deleting(v *viewer, options gcal.ChangeOptions) deed {
	return func(ctx context.Context, one placed) (model.Event, []model.Change, error) {
		with := options
		with.Known = &one.event
		if _, err := r.Writer.Delete(ctx, one.account, one.event.Ref, with); err != nil {
			return model.Event{}, nil, err
		}
		return one.event, []model.Change{eventChange(v, model.OperationDeleted, one.event.Ref, "")}, nil
	}
}

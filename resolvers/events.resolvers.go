package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
	"almanac/resolvers/events"
	"context"
)

func (r *createCalendarPayloadRoot) Compact(ctx context.Context, obj *graph.CreateCalendarPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createEventPayloadRoot) Compact(ctx context.Context, obj *graph.CreateEventPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createEventsPayloadRoot) Compact(ctx context.Context, obj *graph.CreateEventsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createRecurringEventPayloadRoot) Compact(ctx context.Context, obj *graph.CreateRecurringEventPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createRecurringEventsPayloadRoot) Compact(ctx context.Context, obj *graph.CreateRecurringEventsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteCalendarPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteCalendarPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteEventPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteEventPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteEventsBySummaryPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteEventsBySummaryPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteEventsInWindowPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteEventsInWindowPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *eventRoot) Instances(ctx context.Context, obj *projections.Event, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput, first *int32, after *string, freshness graph.Freshness) (*projections.EventConnection, error) {
	return r.all.events.InstancesOf(ctx, *obj, timeMin, timeMax, core.PageArgs{First: first, After: after}, freshness)
}

func (r *eventConnectionRoot) Compact(ctx context.Context, obj *projections.EventConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, core.ShownPage(compact.KindEvents, obj.Page, projections.Event.Row))
}

func (r *mutationRoot) CreateCalendar(ctx context.Context, input graph.CreateCalendarInput) (*graph.CreateCalendarPayload, error) {
	return r.all.events.CreateCalendar(ctx, input)
}

func (r *mutationRoot) UpdateCalendar(ctx context.Context, input graph.UpdateCalendarInput) (*graph.UpdateCalendarPayload, error) {
	return r.all.events.UpdateCalendar(ctx, input)
}

func (r *mutationRoot) DeleteCalendar(ctx context.Context, input graph.DeleteCalendarInput) (*graph.DeleteCalendarPayload, error) {
	return r.all.events.DeleteCalendar(ctx, input)
}

func (r *mutationRoot) CreateEvent(ctx context.Context, input graph.CreateEventInput) (*graph.CreateEventPayload, error) {
	return r.all.events.CreateEvent(ctx, input)
}

func (r *mutationRoot) CreateEvents(ctx context.Context, input graph.CreateEventsInput) (*graph.CreateEventsPayload, error) {
	return r.all.events.CreateEvents(ctx, input)
}

func (r *mutationRoot) CreateRecurringEvent(ctx context.Context, input graph.CreateRecurringEventInput) (*graph.CreateRecurringEventPayload, error) {
	return r.all.events.CreateRecurringEvent(ctx, input)
}

func (r *mutationRoot) CreateRecurringEvents(ctx context.Context, input graph.CreateRecurringEventsInput) (*graph.CreateRecurringEventsPayload, error) {
	return r.all.events.CreateRecurringEvents(ctx, input)
}

func (r *mutationRoot) UpdateEvent(ctx context.Context, input graph.UpdateEventInput) (*graph.UpdateEventPayload, error) {
	return r.all.events.UpdateEvent(ctx, input)
}

func (r *mutationRoot) UpdateEventsInWindow(ctx context.Context, input graph.UpdateEventsInWindowInput) (*graph.UpdateEventsInWindowPayload, error) {
	return r.all.events.UpdateEventsInWindow(ctx, input)
}

func (r *mutationRoot) DeleteEvent(ctx context.Context, input graph.DeleteEventInput) (*graph.DeleteEventPayload, error) {
	return r.all.events.DeleteEvent(ctx, input)
}

func (r *mutationRoot) DeleteEventsInWindow(ctx context.Context, input graph.DeleteEventsInWindowInput) (*graph.DeleteEventsInWindowPayload, error) {
	return r.all.events.DeleteEventsInWindow(ctx, input)
}

func (r *mutationRoot) DeleteEventsBySummary(ctx context.Context, input graph.DeleteEventsBySummaryInput) (*graph.DeleteEventsBySummaryPayload, error) {
	return r.all.events.DeleteEventsBySummary(ctx, input)
}

func (r *mutationRoot) TruncateRecurringEvent(ctx context.Context, input graph.TruncateRecurringEventInput) (*graph.TruncateRecurringEventPayload, error) {
	return r.all.events.TruncateRecurringEvent(ctx, input)
}

func (r *queryRoot) Events(ctx context.Context, filter *graph.EventFilter, first *int32, after *string, last *int32, before *string, freshness graph.Freshness) (*projections.EventConnection, error) {
	return r.all.events.EventConnection(ctx, filter,
		core.PageArgs{First: first, After: after, Last: last, Before: before}, freshness)
}

func (r *queryRoot) Event(ctx context.Context, id string, freshness graph.Freshness) (*projections.Event, error) {
	return r.all.events.EventByID(ctx, id, freshness)
}

func (r *queryRoot) EventInstances(ctx context.Context, id string, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput, first *int32, after *string, freshness graph.Freshness) (*projections.EventConnection, error) {
	return r.all.events.EventInstances(ctx, id, timeMin, timeMax, core.PageArgs{First: first, After: after}, freshness)
}

func (r *queryRoot) EventConflicts(ctx context.Context, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput, candidate *graph.EventSlotInput, calendarIds []string, account *string, includeAllDay *bool, first *int32, freshness graph.Freshness) (*projections.EventConflicts, error) {
	return r.all.events.EventConflicts(ctx, events.ConflictsAsked{
		TimeMin: timeMin, TimeMax: timeMax, Candidate: candidate, CalendarIDs: calendarIds, Account: account,
		IncludeAllDay: includeAllDay != nil && *includeAllDay, First: first, Freshness: freshness,
	})
}

func (r *queryRoot) FreeBusy(ctx context.Context, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput, calendarIds []string, account *string, freshness graph.Freshness) (*projections.FreeBusy, error) {
	return r.all.events.FreeBusy(ctx, timeMin, timeMax, calendarIds, account, freshness)
}

func (r *queryRoot) Calendars(ctx context.Context, account *string, freshness graph.Freshness) ([]projections.Calendar, error) {
	return r.all.events.Calendars(ctx, account, freshness)
}

func (r *subscriptionRoot) EventChanged(ctx context.Context, after *string) (<-chan *projections.EventChange, error) {
	return r.all.events.EventChanges(ctx, after)
}

func (r *truncateRecurringEventPayloadRoot) Compact(ctx context.Context, obj *graph.TruncateRecurringEventPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *updateCalendarPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateCalendarPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *updateEventPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateEventPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *updateEventsInWindowPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateEventsInWindowPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *Root) CreateCalendarPayload() graph.CreateCalendarPayloadResolver {
	return (*createCalendarPayloadRoot)(r)
}

func (r *Root) CreateEventPayload() graph.CreateEventPayloadResolver {
	return (*createEventPayloadRoot)(r)
}

func (r *Root) CreateEventsPayload() graph.CreateEventsPayloadResolver {
	return (*createEventsPayloadRoot)(r)
}

func (r *Root) CreateRecurringEventPayload() graph.CreateRecurringEventPayloadResolver {
	return (*createRecurringEventPayloadRoot)(r)
}

func (r *Root) CreateRecurringEventsPayload() graph.CreateRecurringEventsPayloadResolver {
	return (*createRecurringEventsPayloadRoot)(r)
}

func (r *Root) DeleteCalendarPayload() graph.DeleteCalendarPayloadResolver {
	return (*deleteCalendarPayloadRoot)(r)
}

func (r *Root) DeleteEventPayload() graph.DeleteEventPayloadResolver {
	return (*deleteEventPayloadRoot)(r)
}

func (r *Root) DeleteEventsBySummaryPayload() graph.DeleteEventsBySummaryPayloadResolver {
	return (*deleteEventsBySummaryPayloadRoot)(r)
}

func (r *Root) DeleteEventsInWindowPayload() graph.DeleteEventsInWindowPayloadResolver {
	return (*deleteEventsInWindowPayloadRoot)(r)
}

func (r *Root) Event() graph.EventResolver { return (*eventRoot)(r) }

func (r *Root) EventConnection() graph.EventConnectionResolver { return (*eventConnectionRoot)(r) }

func (r *Root) TruncateRecurringEventPayload() graph.TruncateRecurringEventPayloadResolver {
	return (*truncateRecurringEventPayloadRoot)(r)
}

func (r *Root) UpdateCalendarPayload() graph.UpdateCalendarPayloadResolver {
	return (*updateCalendarPayloadRoot)(r)
}

func (r *Root) UpdateEventPayload() graph.UpdateEventPayloadResolver {
	return (*updateEventPayloadRoot)(r)
}

func (r *Root) UpdateEventsInWindowPayload() graph.UpdateEventsInWindowPayloadResolver {
	return (*updateEventsInWindowPayloadRoot)(r)
}

type (
	createCalendarPayloadRoot         Root
	createEventPayloadRoot            Root
	createEventsPayloadRoot           Root
	createRecurringEventPayloadRoot   Root
	createRecurringEventsPayloadRoot  Root
	deleteCalendarPayloadRoot         Root
	deleteEventPayloadRoot            Root
	deleteEventsBySummaryPayloadRoot  Root
	deleteEventsInWindowPayloadRoot   Root
	eventRoot                         Root
	eventConnectionRoot               Root
	truncateRecurringEventPayloadRoot Root
	updateCalendarPayloadRoot         Root
	updateEventPayloadRoot            Root
	updateEventsInWindowPayloadRoot   Root
)

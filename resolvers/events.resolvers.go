package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"context"
)

func (r *createEventPayloadRoot) Compact(ctx context.Context, obj *graph.CreateEventPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, createEventText(obj))
}

func (r *createEventsPayloadRoot) Compact(ctx context.Context, obj *graph.CreateEventsPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, createEventsText(obj))
}

func (r *createRecurringEventPayloadRoot) Compact(ctx context.Context, obj *graph.CreateRecurringEventPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, createRecurringEventText(obj))
}

func (r *createRecurringEventsPayloadRoot) Compact(ctx context.Context, obj *graph.CreateRecurringEventsPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, createRecurringEventsText(obj))
}

func (r *deleteEventPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteEventPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, deleteEventText(obj))
}

func (r *deleteEventsBySummaryPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteEventsBySummaryPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, deleteEventsBySummaryText(obj))
}

func (r *deleteEventsInWindowPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteEventsInWindowPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, deleteEventsInWindowText(obj))
}

func (r *eventRoot) Instances(ctx context.Context, obj *projections.Event, timeMin *model.DateTimeInput,
	timeMax *model.DateTimeInput, first *int32, after *string) (*projections.EventConnection, error) {
	return r.house.instancesOf(ctx, *obj, timeMin, timeMax, pageArgs{first: first, after: after})
}

func (r *eventConnectionRoot) Compact(ctx context.Context, obj *projections.EventConnection,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compactPage(ctx, options, shownPage(compact.KindEvents, obj.Page, projections.Event.Row))
}

func (r *mutationRoot) CreateEvent(ctx context.Context,
	input graph.CreateEventInput) (*graph.CreateEventPayload, error) {
	return r.house.createEvent(ctx, input)
}

func (r *mutationRoot) CreateEvents(ctx context.Context,
	input graph.CreateEventsInput) (*graph.CreateEventsPayload, error) {
	return r.house.createEvents(ctx, input)
}

func (r *mutationRoot) CreateRecurringEvent(ctx context.Context,
	input graph.CreateRecurringEventInput) (*graph.CreateRecurringEventPayload, error) {
	return r.house.createRecurringEvent(ctx, input)
}

func (r *mutationRoot) CreateRecurringEvents(ctx context.Context,
	input graph.CreateRecurringEventsInput) (*graph.CreateRecurringEventsPayload, error) {
	return r.house.createRecurringEvents(ctx, input)
}

func (r *mutationRoot) UpdateEvent(ctx context.Context,
	input graph.UpdateEventInput) (*graph.UpdateEventPayload, error) {
	return r.house.updateEvent(ctx, input)
}

func (r *mutationRoot) UpdateEventsInWindow(ctx context.Context,
	input graph.UpdateEventsInWindowInput) (*graph.UpdateEventsInWindowPayload, error) {
	return r.house.updateEventsInWindow(ctx, input)
}

func (r *mutationRoot) DeleteEvent(ctx context.Context,
	input graph.DeleteEventInput) (*graph.DeleteEventPayload, error) {
	return r.house.deleteEvent(ctx, input)
}

func (r *mutationRoot) DeleteEventsInWindow(ctx context.Context,
	input graph.DeleteEventsInWindowInput) (*graph.DeleteEventsInWindowPayload, error) {
	return r.house.deleteEventsInWindow(ctx, input)
}

func (r *mutationRoot) DeleteEventsBySummary(ctx context.Context,
	input graph.DeleteEventsBySummaryInput) (*graph.DeleteEventsBySummaryPayload, error) {
	return r.house.deleteEventsBySummary(ctx, input)
}

func (r *mutationRoot) TruncateRecurringEvent(ctx context.Context,
	input graph.TruncateRecurringEventInput) (*graph.TruncateRecurringEventPayload, error) {
	return r.house.truncateRecurringEvent(ctx, input)
}

func (r *queryRoot) Events(ctx context.Context, filter *graph.EventFilter, first *int32, after *string, last *int32,
	before *string) (*projections.EventConnection, error) {
	return r.house.eventConnection(ctx, filter, pageArgs{first, after, last, before})
}

func (r *queryRoot) Event(ctx context.Context, id string) (*projections.Event, error) {
	return r.house.eventByID(ctx, id)
}

func (r *queryRoot) EventInstances(ctx context.Context, id string, timeMin *model.DateTimeInput,
	timeMax *model.DateTimeInput, first *int32, after *string) (*projections.EventConnection, error) {
	return r.house.eventInstances(ctx, id, timeMin, timeMax, pageArgs{first: first, after: after})
}

func (r *queryRoot) EventConflicts(ctx context.Context, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput,
	candidate *graph.EventSlotInput, calendarIds []string, account *string, includeAllDay *bool,
	first *int32) (*projections.EventConflicts, error) {
	return r.house.eventConflicts(ctx, conflictsAsked{
		timeMin: timeMin, timeMax: timeMax, candidate: candidate, calendarIDs: calendarIds, account: account,
		includeAllDay: includeAllDay != nil && *includeAllDay, first: first,
	})
}

func (r *queryRoot) FreeBusy(ctx context.Context, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput,
	calendarIds []string, account *string) (*projections.FreeBusy, error) {
	return r.house.freeBusy(ctx, timeMin, timeMax, calendarIds, account)
}

func (r *queryRoot) Calendars(ctx context.Context, account *string) ([]projections.Calendar, error) {
	return r.house.calendars(ctx, account)
}

func (r *subscriptionRoot) EventChanged(ctx context.Context, after *string) (<-chan *projections.EventChange, error) {
	return r.house.eventChanges(ctx, after)
}

func (r *truncateRecurringEventPayloadRoot) Compact(ctx context.Context, obj *graph.TruncateRecurringEventPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, truncateRecurringEventText(obj))
}

func (r *updateEventPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateEventPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, updateEventText(obj))
}

func (r *updateEventsInWindowPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateEventsInWindowPayload,
	options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.house.compact(ctx, options, updateEventsInWindowText(obj))
}

func (r *Root) CreateEventPayload() graph.CreateEventPayloadResolver {
	return &createEventPayloadRoot{r}
}

func (r *Root) CreateEventsPayload() graph.CreateEventsPayloadResolver {
	return &createEventsPayloadRoot{r}
}

func (r *Root) CreateRecurringEventPayload() graph.CreateRecurringEventPayloadResolver {
	return &createRecurringEventPayloadRoot{r}
}

func (r *Root) CreateRecurringEventsPayload() graph.CreateRecurringEventsPayloadResolver {
	return &createRecurringEventsPayloadRoot{r}
}

func (r *Root) DeleteEventPayload() graph.DeleteEventPayloadResolver {
	return &deleteEventPayloadRoot{r}
}

func (r *Root) DeleteEventsBySummaryPayload() graph.DeleteEventsBySummaryPayloadResolver {
	return &deleteEventsBySummaryPayloadRoot{r}
}

func (r *Root) DeleteEventsInWindowPayload() graph.DeleteEventsInWindowPayloadResolver {
	return &deleteEventsInWindowPayloadRoot{r}
}

func (r *Root) Event() graph.EventResolver { return &eventRoot{r} }

func (r *Root) EventConnection() graph.EventConnectionResolver { return &eventConnectionRoot{r} }

func (r *Root) TruncateRecurringEventPayload() graph.TruncateRecurringEventPayloadResolver {
	return &truncateRecurringEventPayloadRoot{r}
}

func (r *Root) UpdateEventPayload() graph.UpdateEventPayloadResolver {
	return &updateEventPayloadRoot{r}
}

func (r *Root) UpdateEventsInWindowPayload() graph.UpdateEventsInWindowPayloadResolver {
	return &updateEventsInWindowPayloadRoot{r}
}

type (
	createEventPayloadRoot            struct{ *Root }
	createEventsPayloadRoot           struct{ *Root }
	createRecurringEventPayloadRoot   struct{ *Root }
	createRecurringEventsPayloadRoot  struct{ *Root }
	deleteEventPayloadRoot            struct{ *Root }
	deleteEventsBySummaryPayloadRoot  struct{ *Root }
	deleteEventsInWindowPayloadRoot   struct{ *Root }
	eventRoot                         struct{ *Root }
	eventConnectionRoot               struct{ *Root }
	truncateRecurringEventPayloadRoot struct{ *Root }
	updateEventPayloadRoot            struct{ *Root }
	updateEventsInWindowPayloadRoot   struct{ *Root }
)

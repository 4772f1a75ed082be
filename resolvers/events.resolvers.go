package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"context"
)

func (r *createEventPayloadResolver) Compact(ctx context.Context, obj *graph.CreateEventPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, createEventText(obj))
}

func (r *createEventsPayloadResolver) Compact(ctx context.Context, obj *graph.CreateEventsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, createEventsText(obj))
}

func (r *createRecurringEventPayloadResolver) Compact(ctx context.Context, obj *graph.CreateRecurringEventPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, createRecurringEventText(obj))
}

func (r *createRecurringEventsPayloadResolver) Compact(ctx context.Context, obj *graph.CreateRecurringEventsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, createRecurringEventsText(obj))
}

func (r *deleteEventPayloadResolver) Compact(ctx context.Context, obj *graph.DeleteEventPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, deleteEventText(obj))
}

func (r *deleteEventsBySummaryPayloadResolver) Compact(ctx context.Context, obj *graph.DeleteEventsBySummaryPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, deleteEventsBySummaryText(obj))
}

func (r *deleteEventsInWindowPayloadResolver) Compact(ctx context.Context, obj *graph.DeleteEventsInWindowPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, deleteEventsInWindowText(obj))
}

func (r *eventResolver) Instances(ctx context.Context, obj *projections.Event, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput, first *int32, after *string) (*projections.EventConnection, error) {
	return r.instancesOf(ctx, *obj, timeMin, timeMax, pageArgs{first: first, after: after})
}

func (r *eventConnectionResolver) Compact(ctx context.Context, obj *projections.EventConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, shownPage(compact.KindEvents, obj.Page, projections.Event.Row))
}

func (r *mutationResolver) CreateEvent(ctx context.Context, input graph.CreateEventInput) (*graph.CreateEventPayload, error) {
	return r.createEvent(ctx, input)
}

func (r *mutationResolver) CreateEvents(ctx context.Context, input graph.CreateEventsInput) (*graph.CreateEventsPayload, error) {
	return r.createEvents(ctx, input)
}

func (r *mutationResolver) CreateRecurringEvent(ctx context.Context, input graph.CreateRecurringEventInput) (*graph.CreateRecurringEventPayload, error) {
	return r.createRecurringEvent(ctx, input)
}

func (r *mutationResolver) CreateRecurringEvents(ctx context.Context, input graph.CreateRecurringEventsInput) (*graph.CreateRecurringEventsPayload, error) {
	return r.createRecurringEvents(ctx, input)
}

func (r *mutationResolver) UpdateEvent(ctx context.Context, input graph.UpdateEventInput) (*graph.UpdateEventPayload, error) {
	return r.updateEvent(ctx, input)
}

func (r *mutationResolver) UpdateEventsInWindow(ctx context.Context, input graph.UpdateEventsInWindowInput) (*graph.UpdateEventsInWindowPayload, error) {
	return r.updateEventsInWindow(ctx, input)
}

func (r *mutationResolver) DeleteEvent(ctx context.Context, input graph.DeleteEventInput) (*graph.DeleteEventPayload, error) {
	return r.deleteEvent(ctx, input)
}

func (r *mutationResolver) DeleteEventsInWindow(ctx context.Context, input graph.DeleteEventsInWindowInput) (*graph.DeleteEventsInWindowPayload, error) {
	return r.deleteEventsInWindow(ctx, input)
}

func (r *mutationResolver) DeleteEventsBySummary(ctx context.Context, input graph.DeleteEventsBySummaryInput) (*graph.DeleteEventsBySummaryPayload, error) {
	return r.deleteEventsBySummary(ctx, input)
}

func (r *mutationResolver) TruncateRecurringEvent(ctx context.Context, input graph.TruncateRecurringEventInput) (*graph.TruncateRecurringEventPayload, error) {
	return r.truncateRecurringEvent(ctx, input)
}

func (r *queryResolver) Events(ctx context.Context, filter *graph.EventFilter, first *int32, after *string, last *int32, before *string) (*projections.EventConnection, error) {
	return r.eventConnection(ctx, filter, pageArgs{first, after, last, before})
}

func (r *queryResolver) Event(ctx context.Context, id string) (*projections.Event, error) {
	return r.eventByID(ctx, id)
}

func (r *queryResolver) EventInstances(ctx context.Context, id string, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput, first *int32, after *string) (*projections.EventConnection, error) {
	return r.eventInstances(ctx, id, timeMin, timeMax, pageArgs{first: first, after: after})
}

func (r *queryResolver) EventConflicts(ctx context.Context, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput, candidate *graph.EventSlotInput, calendarIds []string, account *string, includeAllDay *bool, first *int32) (*projections.EventConflicts, error) {
	return r.eventConflicts(ctx, conflictsAsked{
		timeMin: timeMin, timeMax: timeMax, candidate: candidate, calendarIDs: calendarIds, account: account,
		includeAllDay: includeAllDay != nil && *includeAllDay, first: first,
	})
}

func (r *queryResolver) FreeBusy(ctx context.Context, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput, calendarIds []string, account *string) (*projections.FreeBusy, error) {
	return r.freeBusy(ctx, timeMin, timeMax, calendarIds, account)
}

func (r *queryResolver) Calendars(ctx context.Context, account *string) ([]projections.Calendar, error) {
	return r.calendars(ctx, account)
}

func (r *subscriptionResolver) EventChanged(ctx context.Context, after *string) (<-chan *projections.EventChange, error) {
	return r.eventChanges(ctx, after)
}

func (r *truncateRecurringEventPayloadResolver) Compact(ctx context.Context, obj *graph.TruncateRecurringEventPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, truncateRecurringEventText(obj))
}

func (r *updateEventPayloadResolver) Compact(ctx context.Context, obj *graph.UpdateEventPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, updateEventText(obj))
}

func (r *updateEventsInWindowPayloadResolver) Compact(ctx context.Context, obj *graph.UpdateEventsInWindowPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, updateEventsInWindowText(obj))
}

func (r *Resolver) CreateEventPayload() graph.CreateEventPayloadResolver {
	return &createEventPayloadResolver{r}
}

func (r *Resolver) CreateEventsPayload() graph.CreateEventsPayloadResolver {
	return &createEventsPayloadResolver{r}
}

func (r *Resolver) CreateRecurringEventPayload() graph.CreateRecurringEventPayloadResolver {
	return &createRecurringEventPayloadResolver{r}
}

func (r *Resolver) CreateRecurringEventsPayload() graph.CreateRecurringEventsPayloadResolver {
	return &createRecurringEventsPayloadResolver{r}
}

func (r *Resolver) DeleteEventPayload() graph.DeleteEventPayloadResolver {
	return &deleteEventPayloadResolver{r}
}

func (r *Resolver) DeleteEventsBySummaryPayload() graph.DeleteEventsBySummaryPayloadResolver {
	return &deleteEventsBySummaryPayloadResolver{r}
}

func (r *Resolver) DeleteEventsInWindowPayload() graph.DeleteEventsInWindowPayloadResolver {
	return &deleteEventsInWindowPayloadResolver{r}
}

func (r *Resolver) Event() graph.EventResolver { return &eventResolver{r} }

func (r *Resolver) EventConnection() graph.EventConnectionResolver {
	return &eventConnectionResolver{r}
}

func (r *Resolver) TruncateRecurringEventPayload() graph.TruncateRecurringEventPayloadResolver {
	return &truncateRecurringEventPayloadResolver{r}
}

func (r *Resolver) UpdateEventPayload() graph.UpdateEventPayloadResolver {
	return &updateEventPayloadResolver{r}
}

func (r *Resolver) UpdateEventsInWindowPayload() graph.UpdateEventsInWindowPayloadResolver {
	return &updateEventsInWindowPayloadResolver{r}
}

type (
	createEventPayloadResolver            struct{ *Resolver }
	createEventsPayloadResolver           struct{ *Resolver }
	createRecurringEventPayloadResolver   struct{ *Resolver }
	createRecurringEventsPayloadResolver  struct{ *Resolver }
	deleteEventPayloadResolver            struct{ *Resolver }
	deleteEventsBySummaryPayloadResolver  struct{ *Resolver }
	deleteEventsInWindowPayloadResolver   struct{ *Resolver }
	eventResolver                         struct{ *Resolver }
	eventConnectionResolver               struct{ *Resolver }
	truncateRecurringEventPayloadResolver struct{ *Resolver }
	updateEventPayloadResolver            struct{ *Resolver }
	updateEventsInWindowPayloadResolver   struct{ *Resolver }
)

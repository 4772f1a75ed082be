package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"context"
)

func (r *eventResolver) Instances(ctx context.Context, obj *projections.Event, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput, first *int32, after *string) (*projections.EventConnection, error) {
	return r.instancesOf(ctx, *obj, timeMin, timeMax, pageArgs{first: first, after: after})
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

func (r *Resolver) Event() graph.EventResolver { return &eventResolver{r} }

type eventResolver struct{ *Resolver }

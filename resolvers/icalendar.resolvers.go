package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/icalendar"
	"context"
)

func (r *importEventsPayloadRoot) Compact(ctx context.Context, obj *graph.ImportEventsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *mutationRoot) ImportEvents(ctx context.Context, input graph.ImportEventsInput) (*graph.ImportEventsPayload, error) {
	return r.all.icalendar.ImportEvents(ctx, input)
}

func (r *mutationRoot) SubscribeToFeed(ctx context.Context, input graph.SubscribeToFeedInput) (*graph.SubscribeToFeedPayload, error) {
	return r.all.icalendar.SubscribeToFeed(ctx, input)
}

func (r *mutationRoot) PublishCalendar(ctx context.Context, input graph.PublishCalendarInput) (*graph.PublishCalendarPayload, error) {
	return r.all.icalendar.PublishCalendar(ctx, input)
}

func (r *mutationRoot) UnpublishCalendar(ctx context.Context, input graph.UnpublishCalendarInput) (*graph.UnpublishCalendarPayload, error) {
	return r.all.icalendar.UnpublishCalendar(ctx, input)
}

func (r *publishCalendarPayloadRoot) Compact(ctx context.Context, obj *graph.PublishCalendarPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *queryRoot) ExportEvents(ctx context.Context, calendarID *string, timeMin *model.DateTimeInput, timeMax *model.DateTimeInput, form model.CalendarForm) (*graph.CalendarFile, error) {
	return r.all.icalendar.ExportEvents(ctx, icalendar.ExportOptions{
		CalendarID: calendarID, TimeMin: timeMin, TimeMax: timeMax, Form: form,
	})
}

func (r *queryRoot) PublishedCalendars(ctx context.Context) ([]projections.PublishedCalendar, error) {
	return r.all.icalendar.PublishedCalendars(ctx)
}

func (r *queryRoot) CalendarFeeds(ctx context.Context) ([]projections.FollowedFeed, error) {
	return r.all.icalendar.CalendarFeeds(ctx)
}

func (r *subscribeToFeedPayloadRoot) Compact(ctx context.Context, obj *graph.SubscribeToFeedPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *unpublishCalendarPayloadRoot) Compact(ctx context.Context, obj *graph.UnpublishCalendarPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *Root) ImportEventsPayload() graph.ImportEventsPayloadResolver {
	return (*importEventsPayloadRoot)(r)
}

func (r *Root) PublishCalendarPayload() graph.PublishCalendarPayloadResolver {
	return (*publishCalendarPayloadRoot)(r)
}

func (r *Root) SubscribeToFeedPayload() graph.SubscribeToFeedPayloadResolver {
	return (*subscribeToFeedPayloadRoot)(r)
}

func (r *Root) UnpublishCalendarPayload() graph.UnpublishCalendarPayloadResolver {
	return (*unpublishCalendarPayloadRoot)(r)
}

type (
	importEventsPayloadRoot      Root
	publishCalendarPayloadRoot   Root
	subscribeToFeedPayloadRoot   Root
	unpublishCalendarPayloadRoot Root
)

package icalendar

import (
	"context"

	"almanac/adapters/calfiles"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// ExportOptions say what to export.
type ExportOptions struct {
	CalendarID       *string
	TimeMin, TimeMax *model.DateTimeInput
	Form             model.CalendarForm
}

// maxText is how long a file may be, in bytes, that stands in an answer.
const maxText = 1 << 20

// ExportEvents writes a calendar as a file.
func (r *Resolver) ExportEvents(ctx context.Context, in ExportOptions) (*graph.CalendarFile, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	calendar, err := r.calendar(ctx, v, "calendarId", in.CalendarID)
	if err != nil {
		return nil, err
	}
	if calendar.Number == 0 {
		return nil, model.NotFound("calendarId", "you have no calendar of your own yet")
	}
	var window calfiles.Window
	if in.TimeMin != nil {
		window.From = when.Resolve(*in.TimeMin, v.Zone)
	}
	if in.TimeMax != nil {
		window.To = when.Resolve(*in.TimeMax, v.Zone)
	}
	out := &graph.CalendarFile{URL: r.Links.Download(v.User, calendar.Number, window, in.Form)}
	if !core.Answered(ctx).Has("events", "text") {
		return out, nil
	}
	text, events, err := r.Files.Text(ctx, v.User, calendar, window, in.Form)
	if err != nil {
		return nil, err
	}
	if out.Events = int32(events); len(text) <= maxText {
		shown := string(text)
		out.Text = &shown
	}
	return out, nil
}

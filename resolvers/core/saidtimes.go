package core

import (
	"context"
	"strings"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/plan"
)

// ParseTime answers the query of that name: a time in words, as data.
func (r *Base) ParseTime(ctx context.Context, text string, timeZone *string) (*graph.ParsedTime, error) {
	v, err := ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	zone, err := ZoneNamed("timeZone", timeZone, v.Zone)
	if err != nil {
		return nil, err
	}
	at := v.Moment.Moment
	at.Zone = zone
	said, err := plan.ParseTime(text, at)
	if err != nil {
		return nil, err
	}
	shown := projections.EventAt(model.Event{Start: said.Start, End: said.End}, projections.NewMoment(at))
	out := &graph.ParsedTime{
		Kind: graph.ParsedTimeKind(said.Kind), Start: shown.Start(), End: shown.End(), TimeZone: TextOrNil(said.TimeZone),
		DayAssumed: said.DayAssumed, Recurrence: []string{}, Ambiguous: []graph.TimeAmbiguity{},
	}
	if said.Recurrence != "" {
		out.Recurrence = append(out.Recurrence, said.Recurrence)
	}
	if said.Kind == plan.TimeDuration {
		out.Duration = &model.Duration{Duration: said.Length}
	}
	for _, doubt := range said.Ambiguous {
		out.Ambiguous = append(out.Ambiguous, graph.TimeAmbiguity{
			Text: strings.ToValidUTF8(text[doubt.Span.From:doubt.Span.To], ""), Readings: said.Readings(doubt),
		})
	}
	return out, nil
}

// SaidTime returns the day or the instant that a time in words names in a zone, as said now. BAD_USER_INPUT at the
// field for everything else; when there are several readings, with them.
func SaidTime(v *Viewer, field, text string, zone *time.Location) (model.EventTime, error) {
	at := v.Moment.Moment
	at.Zone = zone
	said, err := plan.ParseTime(text, at)
	if err != nil {
		return model.EventTime{}, AtField(WithoutField(err), field)
	}
	out, err := said.At(text)
	return out, AtField(err, field)
}

package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"context"
)

func (r *agendaRoot) Compact(ctx context.Context, obj *graph.Agenda, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.agenda.AgendaText(ctx, obj, options)
}

func (r *queryRoot) Agenda(ctx context.Context, from *model.DateTimeInput, to *model.DateTimeInput, kinds []graph.AgendaKind, includeOverdue bool, first *int32, after *string, freshness graph.Freshness) (*graph.Agenda, error) {
	return r.all.agenda.Agenda(ctx, from, to, kinds, includeOverdue, first, after, freshness)
}

func (r *Root) Agenda() graph.AgendaResolver { return (*agendaRoot)(r) }

type (
	agendaRoot Root
)

package resolvers

import (
	"almanac/graph"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
	"context"
)

func (r *actionRoot) UndoneBy(ctx context.Context, obj *projections.Action) (*projections.Action, error) {
	return r.all.actions.UndoneBy(ctx, obj)
}

func (r *actionRoot) Undoes(ctx context.Context, obj *projections.Action) (*projections.Action, error) {
	return r.all.actions.Undoes(ctx, obj)
}

func (r *actionConnectionRoot) Compact(ctx context.Context, obj *projections.ActionConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, core.ShownPage(compact.KindActions, obj.Page, projections.Action.Row))
}

func (r *mutationRoot) UndoAction(ctx context.Context, input graph.UndoActionInput) (*graph.UndoActionPayload, error) {
	return r.all.actions.UndoAction(ctx, input)
}

func (r *queryRoot) Actions(ctx context.Context, filter *graph.ActionFilter, first *int32, after *string) (*projections.ActionConnection, error) {
	return r.all.actions.ActionConnection(ctx, filter, first, after)
}

func (r *queryRoot) Action(ctx context.Context, id string) (*projections.Action, error) {
	return r.all.actions.Action(ctx, id)
}

func (r *undoActionPayloadRoot) Compact(ctx context.Context, obj *graph.UndoActionPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *Root) Action() graph.ActionResolver { return (*actionRoot)(r) }

func (r *Root) ActionConnection() graph.ActionConnectionResolver { return (*actionConnectionRoot)(r) }

func (r *Root) UndoActionPayload() graph.UndoActionPayloadResolver {
	return (*undoActionPayloadRoot)(r)
}

type (
	actionRoot            Root
	actionConnectionRoot  Root
	undoActionPayloadRoot Root
)

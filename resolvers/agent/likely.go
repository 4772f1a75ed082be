package agent

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
	"almanac/projections/plan"
	"almanac/resolvers/core"
)

// secondReading tries what a sentence is likely to mean where its first reading has led nowhere: it was refused, or
// what it names is not there. It returns a turn that has answered, or false, and then nothing was done.
func (t *turn) secondReading(ctx context.Context, limits bounds) (*turn, bool) {
	if t.confirm != nil || t.planned.ByModel || !t.ledNowhere() {
		return nil, false
	}
	plans, _, err := core.DecidedAs(ctx, "likely", func() ([]plan.Plan, error) {
		return t.otherPlans(ctx), nil
	})
	if err != nil {
		return nil, false
	}
	// what only asks never changes anything, however it is read, and what goes on is a reading
	asks := isReading(t.out.Tool) && t.planned.Asks || limits.after != ""
	for _, read := range plans {
		if asks && !read.Tool.Reads() {
			continue
		}
		other := &turn{Resolver: t.Resolver, v: t.v, text: t.text, planned: Planned{Plan: read}, dryRun: t.dryRun,
			hebrew: t.hebrew, out: emptyAnswer()}
		trial := graphql.WithFreshResponseContext(ctx) // what fails here is no failure of the request
		other.do(trial)
		if other.out.Success && !other.foundNothing() || t.unread() && other.out.Confirmation != nil {
			for _, failed := range graphql.GetErrors(trial) {
				core.AddError(ctx, failed)
			}
			return other, true
		}
	}
	return nil, false
}

// unread reports whether the sentence was refused because it was not read, not because something is missing in it.
func (t *turn) unread() bool {
	refusal, ok := errors.AsType[*plan.Refusal](t.failure)
	return ok && refusal.NotRead()
}

// ledNowhere reports whether nothing was done and nothing found, because the sentence was not read, lacks something, or
// names what is not there or is named otherwise.
func (t *turn) ledNowhere() bool {
	if t.out.Success {
		return false
	}
	if asked := t.out.Confirmation; asked != nil {
		return asked.Kind == model.PickOne && !t.planned.Proposed
	}
	if refusal, ok := errors.AsType[*plan.Refusal](t.failure); ok {
		return refusal.NotRead() || refusal.Kind == plan.Missing
	}
	switch t.planned.Tool {
	case plan.ToolCreate, plan.ToolCreateTask, plan.ToolCreateList, plan.ToolStoreMemory:
		return false
	}
	return t.failure == nil || model.CodeOf(t.failure) == model.CodeNotFound
}

// foundNothing reports whether a reading was answered by nothing at all.
func (t *turn) foundNothing() bool {
	return t.out.Success && isReading(t.out.Tool) && t.planned.Search != nil && len(t.out.Events) == 0 && len(t.nodes) == 0
}

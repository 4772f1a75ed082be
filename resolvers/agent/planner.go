package agent

import (
	"context"

	"almanac/projections/plan"
	"almanac/projections/when"
)

// Planner reads sentences.
type Planner interface {
	// Plan reads a sentence of at most MaxSentence characters. A refusal is a *plan.Refusal; any other error is trouble on
	// the way, fit for clients (*model.Error).
	Plan(ctx context.Context, text string, at when.Moment) (Planned, error)
}

// MaxSentence is how long a sentence may be, in characters.
const MaxSentence = 10_000

// Planned is a plan with who has made it.
type Planned struct {
	plan.Plan
	// ByModel: a language model has read the sentence, not the grammar.
	ByModel bool
}

package agent

import (
	"context"
	"errors"
	"time"

	"almanac/adapters/openai"
	"almanac/graph/model"
	"almanac/projections/plan"
	"almanac/projections/when"
)

// Model answers questions; adapters/openai has one.
type Model interface {
	Ask(ctx context.Context, question openai.Question) (openai.Answer, error)
}

// Planner plans sentences. Its fields are set before the first use. It is safe for goroutines.
type Planner struct {
	// Model is asked what the grammar does not understand; nil: nobody is.
	Model     Model
	ModelName string
	// AnswerTokens bounds an answer; a model that thinks needs room for that.
	AnswerTokens int
	// Patience bounds how long one waits for the model; DefaultPatience when 0.
	Patience time.Duration
	// Observe is told of each sentence, for metrics; it must be quick and safe for goroutines. Nobody is when it is nil.
	Observe func(Report)
}

// DefaultPatience is how long somebody who waits for an answer waits for the model.
const DefaultPatience = 8 * time.Second

// Report is what came of one sentence. It has nothing of its words.
type Report struct {
	// ByModel: the model was asked.
	ByModel bool
	// Outcome is one of the Outcome constants.
	Outcome string
	// Tool is the tool planned, or empty.
	Tool plan.Tool
	// Code is the error of a model that gave no answer, or empty.
	Code model.ErrorCode
}

// What came of a sentence.
const (
	OutcomePlanned = "planned" // there is a plan
	OutcomeRefused = "refused" // the grammar refuses, and no model was asked
	OutcomeFailed  = "failed"  // the model gave no answer
	OutcomeUseless = "useless" // its answer does not fit the sentence
	OutcomeUnsure  = "unsure"  // it says that it does not understand either
)

// Plan reads a sentence; byModel says that the model has, and not the grammar. The error is a *plan.Refusal, always the
// grammar's.
func (p *Planner) Plan(ctx context.Context, text string, at when.Moment) (made plan.Plan, byModel bool, err error) {
	made, err = plan.Understand(text, at)
	refusal, refused := errors.AsType[*plan.Refusal](err)
	if !refused || p.Model == nil || !mayAsk(refusal) {
		p.report(Report{Outcome: outcomeOf(err), Tool: made.Tool})
		return made, false, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	answer, failed := p.Model.Ask(ctx, question(p.ModelName, p.AnswerTokens, text, at))
	if failed != nil {
		p.report(Report{ByModel: true, Outcome: OutcomeFailed, Code: model.CodeOf(failed)})
		return plan.Plan{}, false, err
	}
	said, unfit := planOf(answer.Calls, text, at)
	if unfit == nil {
		unfit = plan.Guard(said, text, at)
	}
	switch {
	case errors.Is(unfit, errUnsure):
		p.report(Report{ByModel: true, Outcome: OutcomeUnsure})
	case unfit != nil:
		p.report(Report{ByModel: true, Outcome: OutcomeUseless})
	default:
		p.report(Report{ByModel: true, Outcome: OutcomePlanned, Tool: said.Tool})
		return said, true, nil
	}
	return plan.Plan{}, false, err
}

func outcomeOf(err error) string {
	if err != nil {
		return OutcomeRefused
	}
	return OutcomePlanned
}

// mayAsk reports whether a model may understand what the grammar does not. What lacks a part, contradicts itself or
// asks for something else is refused for good: a model could only make up what is missing.
func mayAsk(refusal *plan.Refusal) bool {
	return refusal.Tool == "" && (refusal.Kind == plan.Unread || refusal.Kind == plan.NotAnInstruction)
}

func (p *Planner) patience() time.Duration {
	if p.Patience > 0 {
		return p.Patience
	}
	return DefaultPatience
}

func (p *Planner) report(r Report) {
	if p.Observe != nil {
		p.Observe(r)
	}
}

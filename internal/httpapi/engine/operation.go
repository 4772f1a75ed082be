package engine

import (
	"context"
	"sync/atomic"
	"time"

	"almanac/graph/model"
	"almanac/graph/plan"
	"almanac/internal/dryrun"
	"almanac/internal/httpapi/share"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// outcomeOK is the outcome of an operation without errors; any other outcome is an error's code.
const outcomeOK = "ok"

// operation is an admitted request.
type operation struct {
	engine     *Engine
	definition *ast.OperationDefinition
	context    *graphql.OperationContext
	dryRun     bool
	// cost is what the operation costs; the answer says it if showCost is set.
	cost     int64
	showCost bool
	// plan is nil where gqlgen's executor runs the operation.
	plan *plan.Plan
	// buffer holds the answer until it is released; nil without a plan.
	buffer *[]byte
	// stop ends the execution, and tooLarge says that the answer's size has done so.
	stop     context.CancelFunc
	tooLarge atomic.Bool
	// whole: the buffer holds the body of the answer, but for its last brace.
	whole bool
}

// Kind implements Operation.
func (o *operation) Kind() ast.Operation { return o.definition.Operation }

// Name implements Operation.
func (o *operation) Name() string { return o.definition.Name }

// Deadline implements Operation.
func (o *operation) Deadline() time.Duration { return o.engine.limits.Deadline }

// Execute implements Operation. The answer always has data, which is null when the operation failed as a whole.
func (o *operation) Execute(ctx context.Context) *graphql.Response {
	start := o.engine.now()
	ctx, span := o.engine.spanFor(ctx, o)
	if o.dryRun {
		ctx = dryrun.With(ctx)
	}
	ctx, cancel := context.WithTimeout(o.bounded(withAnswer(ctx)), o.Deadline())
	defer cancel()
	o.stop = cancel
	o.tooLarge.Store(false) // it may be run again
	if o.engine.turns != nil && share.TurnOf(ctx) == nil {
		turn := &share.Turn{}
		if err := o.take(ctx, turn); err != nil {
			response := o.fit(ctx, &graphql.Response{Errors: gqlerror.List{o.engine.present(ctx, err)}})
			o.engine.ended(o.Kind(), span, outcomeOf(response), start)
			return response
		}
		defer turn.Leave()
		ctx = turn
	}
	response := o.answer(ctx, func() *graphql.Response {
		if o.Kind() == ast.Subscription {
			return &graphql.Response{
				Errors: gqlerror.List{badInput(gqlerror.Errorf("A subscription needs a transport that streams."))}}
		}
		if o.plan != nil {
			return o.runPlan(ctx)
		}
		next, ctx := o.engine.executor.DispatchOperation(ctx, o.context)
		return o.engine.notTooLarge(next(ctx))
	})
	response = o.fit(ctx, response)
	o.engine.ended(o.Kind(), span, outcomeOf(response), start)
	return response
}

// fit makes an answer whole: with data, an error where there is no answer at all, and what the client asked to be told.
func (o *operation) fit(ctx context.Context, response *graphql.Response) *graphql.Response {
	if response == nil && ctx.Err() != nil { // the executor does not begin then
		stopped := o.engine.stopped(ctx)
		response = &graphql.Response{Errors: gqlerror.List{errorOf(stopped)}}
	} else if response == nil {
		response = o.failed(ctx, nil)
	}
	if response.Data == nil {
		response.Data = []byte("null")
	}
	if o.dryRun {
		extend(response, extensionDryRun, true)
	}
	if o.showCost {
		extend(response, extensionCost, map[string]int64{"requested": o.cost, "limit": o.engine.limits.Cost})
		extend(response, extensionUpstream, model.UpstreamAsked(ctx))
	}
	return response
}

// The keys of what answers say to those who ask: what the operation costs, beside the limit, and how many questions it
// has put to each remote system.
const (
	extensionCost     = "cost"
	extensionUpstream = "upstream"
)

// extend adds a value to an answer's extensions.
func extend(response *graphql.Response, key string, value any) {
	if response.Extensions == nil {
		response.Extensions = make(map[string]any, 1)
	}
	response.Extensions[key] = value
}

// bounded limits what the operation may ask of remote systems; each answer of a subscription is counted for itself.
func (o *operation) bounded(ctx context.Context) context.Context {
	most := o.engine.limits.Questions
	if o.Kind() == ast.Mutation {
		most = o.engine.limits.MutationQuestions
	}
	return model.WithUpstreamFor(ctx, most, o.engine.may)
}

// take waits until it is the caller's turn.
func (o *operation) take(ctx context.Context, turn *share.Turn) error {
	caller, _ := model.CallerFrom(ctx)
	key := share.KeyOf(caller)
	err := turn.Take(ctx, o.engine.turns, key)
	if err == nil {
		o.engine.turns.Charge(key, o.cost)
	}
	return err
}

// answer runs a step of the execution and makes its answer fit to be shown: no panic leaves it, and no more errors
// than the limit.
func (o *operation) answer(ctx context.Context, step func() *graphql.Response) (response *graphql.Response) {
	defer func() {
		if r := recover(); r != nil {
			response = o.failed(ctx, r)
		}
	}()
	if response = step(); response != nil && len(response.Errors) > o.engine.limits.Errors {
		response.Errors = response.Errors[:o.engine.limits.Errors]
	}
	return response
}

// failed is the answer when the execution as a whole has come to nothing.
func (o *operation) failed(ctx context.Context, panicValue any) *graphql.Response {
	if panicValue != nil {
		_ = o.engine.recovered(ctx, panicValue)
	}
	message, extensions := o.engine.hide(ctx, answerOf(ctx), panicked{})
	return &graphql.Response{Errors: gqlerror.List{{Message: message, Extensions: extensions}}}
}

// ended notes the end of an operation.
func (e *Engine) ended(kind ast.Operation, span trace.Span, outcome string, start time.Time) {
	if outcome != outcomeOK {
		span.SetStatus(codes.Error, outcome)
	}
	span.End()
	e.observer.Ran(kind, outcome, e.now().Sub(start))
}

func outcomeOf(response *graphql.Response) string {
	if len(response.Errors) == 0 {
		return outcomeOK
	}
	return string(CodeOf(response.Errors[0]))
}

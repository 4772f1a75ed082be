package engine

import (
	"context"
	"time"

	"almanac/graph/model"
	"almanac/graph/plan"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"go.opentelemetry.io/otel/trace"
)

// rest is what of an answer comes after its first part.
type rest struct {
	operation *operation
	// ctx ends at the deadline, which holds for the whole answer.
	ctx    context.Context
	cancel context.CancelFunc
	// deferred is nil when the first part has failed as a whole.
	deferred *plan.Deferred
	// closing: nothing is left to say but the extensions.
	closing bool

	start   time.Time
	span    trace.Span
	outcome string
}

// Defers implements Operation.
func (o *operation) Defers() bool { return o.plan != nil && o.plan.Defers() }

// Start implements Operation.
func (o *operation) Start(ctx context.Context) (Part, Rest) {
	r := &rest{operation: o, start: o.engine.now()}
	ctx, r.span = o.engine.spanFor(ctx, o)
	r.ctx, r.cancel = context.WithTimeout(o.bounded(withAnswer(ctx)), o.Deadline())
	o.stop = r.cancel
	o.tooLarge.Store(false)
	var message plan.Message
	response := o.answer(r.ctx, func() *graphql.Response {
		return o.runWith(r.ctx, func(ctx context.Context, options plan.Options, buf []byte) []byte {
			buf, message, r.deferred = o.plan.Start(ctx, o.engine.planner.schema, options, buf)
			return buf
		})
	})
	if r.deferred == nil || o.tooLarge.Load() {
		message = plan.Message{}
	}
	response = o.fit(r.ctx, response)
	r.outcome = outcomeOf(response)
	return Part{Message: message, Response: response}, r
}

// Next implements Rest.
func (r *rest) Next() Part {
	if r.closing {
		return Part{Extensions: map[string]any{extensionUpstream: model.UpstreamAsked(r.ctx)}}
	}
	part := Part{Message: r.deferred.Next()}
	if r.operation.tooLarge.Load() { // what has failed since has failed for this
		for i := range part.Completed {
			if len(part.Completed[i].Errors) > 0 {
				part.Completed[i].Errors = r.operation.engine.largeAnswer().Errors
			}
		}
	}
	for _, data := range part.Data {
		r.note(data.Errors)
	}
	for _, completed := range part.Completed {
		r.note(completed.Errors)
	}
	if !part.More && r.operation.showCost {
		part.More, r.closing = true, true
	}
	return part
}

func (r *rest) note(errors gqlerror.List) {
	if r.outcome == outcomeOK && len(errors) > 0 {
		r.outcome = string(CodeOf(errors[0]))
	}
}

// Close implements Rest.
func (r *rest) Close() {
	r.cancel()
	if r.deferred != nil {
		r.deferred.Close()
	}
	r.operation.engine.ended(r.operation.Kind(), r.span, r.outcome, r.start)
}

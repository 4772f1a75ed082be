package engine

import (
	"context"
	"sync"

	"almanac/graph/plan"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// maxPlans bounds the plans that are kept of one operation, one for each set of values of the variables in @skip and
// @include, and maxPlanBytes how large each may be. What is beyond is compiled each time.
const (
	maxPlans     = 16
	maxPlanBytes = 1 << 20
)

// planner makes plans; nil where everything runs by gqlgen's executor.
type planner struct {
	schema plan.Schema
	types  plan.Types
}

// newPlanner returns nil when the schema has no accessors.
func newPlanner(schema graphql.ExecutableSchema) *planner {
	offers, ok := schema.(plan.Schema)
	if !ok {
		return nil
	}
	return &planner{schema: offers, types: offers.PlanTypes()}
}

// plans are those of one document, which they die with.
type plans struct {
	mu sync.Mutex
	of map[planned]*operationPlans
}

// planned is an operation, in parts where @defer is honoured.
type planned struct {
	definition *ast.OperationDefinition
	parts      bool
}

type operationPlans struct {
	conditions []string
	// few: there are no more conditions than a key has bits.
	few    bool
	byBits map[uint64]*plan.Plan
}

// find returns the plan of an operation for its variables, and what a new one that is kept has added to the document in
// bytes. It is nil where gqlgen's executor must run everything, or what the accessors lack; an error refuses the
// operation.
func (p *plans) find(schema *ast.Schema, by *planner, doc *ast.QueryDocument, definition *ast.OperationDefinition,
	variables map[string]any, parts bool) (found *plan.Plan, added int64, refused *gqlerror.Error) {
	if by == nil {
		return nil, 0, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := planned{definition, parts}
	of := p.of[key]
	if of == nil {
		of = &operationPlans{byBits: map[uint64]*plan.Plan{}}
		of.conditions, of.few = plan.Conditions(doc, definition, parts)
		if p.of == nil {
			p.of = map[planned]*operationPlans{}
		}
		p.of[key] = of
	}
	bits, null := plan.Bits(of.conditions, variables)
	if null != "" {
		err := gqlerror.Errorf("Variable \"$%s\" is null, where a directive needs true or false.", null)
		err.Rule = markInput
		return nil, 0, badInput(err)
	}
	if of.few {
		if found = of.byBits[bits]; found != nil {
			return found, 0, nil
		}
	}
	found, large := plan.Compile(by.types, schema, doc, definition, variables, parts)
	switch {
	case found == nil && definition.Operation == ast.Subscription:
		return nil, 0, invalid(gqlerror.Errorf("A subscription selects exactly one field, and none of the schema itself."))
	case found == nil && !large:
		return nil, 0, nil
	case found == nil:
		return nil, 0, tooExpensive(limitFields, plan.MaxFields+1, plan.MaxFields, true,
			"Select less below fields that may be of many types.")
	case !of.few || len(of.byBits) == maxPlans || found.Size() > maxPlanBytes:
		return found, 0, nil
	}
	of.byBits[bits], added = found, found.Size()
	return found, added, nil
}

// runPlan is what gqlgen's executor does with an operation, by its plan.
func (o *operation) runPlan(ctx context.Context) *graphql.Response {
	return o.runWith(ctx, func(ctx context.Context, options plan.Options, buf []byte) []byte {
		return o.plan.Run(ctx, o.engine.planner.schema, options, buf)
	})
}

// runWith runs the plan by a function that appends its answer.
func (o *operation) runWith(ctx context.Context,
	run func(ctx context.Context, options plan.Options, buf []byte) []byte) *graphql.Response {
	if ctx.Err() != nil {
		return nil
	}
	ctx = o.answering(graphql.WithOperationContext(ctx, o.context))
	options := plan.Options{MaxBytes: o.engine.limits.AnswerBytes, Bound: o}
	if o.Kind() == ast.Mutation {
		options.Roots = o.context.ResolverMiddleware
	}
	if o.dryRun {
		options.IDs, options.Answers = o.engine.dryRunIDs, o.engine.dryRun
	}
	buffer, kept := o.engine.buffers.Get().(*[]byte)
	if !kept {
		buffer = new([]byte)
	}
	body := run(ctx, options, append((*buffer)[:0], beforeData...))
	*buffer, o.buffer = body, buffer
	if o.tooLarge.Load() {
		o.buffer = nil // nobody is to keep it
		return o.engine.largeAnswer()
	}
	response := &graphql.Response{Data: body[len(beforeData):len(body):len(body)], Errors: graphql.GetErrors(ctx),
		Extensions: graphql.GetExtensions(ctx)}
	o.whole = len(response.Errors) == 0 && len(response.Extensions) == 0 && !o.dryRun && !o.showCost
	return response
}

// beforeData is how the body of an answer without errors begins.
const beforeData = `{"data":`

// Body implements Operation.
func (o *operation) Body() []byte {
	if !o.whole {
		return nil
	}
	*o.buffer = append(*o.buffer, '}')
	o.whole = false
	return *o.buffer
}

// maxPooled is the capacity of the largest buffer that is used again, in bytes.
const maxPooled = 1 << 20

// Release implements Operation.
func (o *operation) Release() {
	if o.buffer != nil && cap(*o.buffer) <= maxPooled {
		o.engine.buffers.Put(o.buffer)
	}
	o.buffer = nil
}

// subscribePlan is what gqlgen's executor does with a subscription, by its plan.
func (o *operation) subscribePlan(ctx context.Context) (graphql.ResponseHandler, context.Context) {
	ctx = graphql.WithOperationContext(ctx, o.context)
	start := o.answering(ctx)
	next := o.plan.Subscribe(start, o.engine.planner.schema)
	if next == nil {
		return graphql.OneShot(&graphql.Response{Errors: graphql.GetErrors(start)}), ctx
	}
	return func(ctx context.Context) *graphql.Response {
		if ctx.Err() != nil {
			return nil
		}
		ctx = o.answering(ctx)
		data := o.engine.exact(func(buf []byte) []byte { return next(ctx, buf) })
		if data == nil {
			return nil
		}
		return &graphql.Response{Data: data, Errors: graphql.GetErrors(ctx), Extensions: graphql.GetExtensions(ctx)}
	}, ctx
}

// exact returns what appendTo writes, in as many bytes as it has: an answer may wait for a peer for long. What it grows
// in is used again.
func (e *Engine) exact(appendTo func(buf []byte) []byte) []byte {
	buffer, kept := e.buffers.Get().(*[]byte)
	if !kept {
		buffer = new([]byte)
	}
	written := appendTo((*buffer)[:0])
	if written == nil {
		e.buffers.Put(buffer)
		return nil
	}
	data := append(make([]byte, 0, len(written)), written...)
	if *buffer = written; cap(written) <= maxPooled {
		e.buffers.Put(buffer)
	}
	return data
}

// answering returns the context in which the errors of one answer are collected.
func (o *operation) answering(ctx context.Context) context.Context {
	return graphql.WithResponseContext(ctx, o.engine.present, o.engine.recovered)
}

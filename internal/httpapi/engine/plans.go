package engine

import (
	"context"
	"sync"

	"almanac/graph/plan"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// maxPlans bounds the plans of one operation, one for each set of values of the variables in @skip and @include. What
// is beyond runs by gqlgen's executor.
const maxPlans = 16

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
	few bool
	// byBits holds nil where an operation cannot be planned.
	byBits map[uint64]*plan.Plan
}

// find returns the plan of an operation for its variables, and what a new one has added to the document in bytes. It is
// nil where gqlgen's executor must run the operation, which is decided before any field has run.
func (p *plans) find(schema *ast.Schema, by *planner, doc *ast.QueryDocument, definition *ast.OperationDefinition,
	variables map[string]any, parts bool) (found *plan.Plan, added int64) {
	if by == nil {
		return nil, 0
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
	bits, ok := plan.Bits(of.conditions, variables)
	if !of.few || !ok {
		return nil, 0
	}
	found, known := of.byBits[bits]
	if known || len(of.byBits) == maxPlans {
		return found, 0
	}
	found = plan.Compile(by.types, schema, doc, definition, variables, parts)
	of.byBits[bits] = found
	if found == nil {
		return nil, 0
	}
	added = found.Size()
	return found, added
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
		data := next(ctx, nil)
		if data == nil {
			return nil
		}
		return &graphql.Response{Data: data, Errors: graphql.GetErrors(ctx), Extensions: graphql.GetExtensions(ctx)}
	}, ctx
}

// answering returns the context in which the errors of one answer are collected.
func (o *operation) answering(ctx context.Context) context.Context {
	return graphql.WithResponseContext(ctx, o.engine.present, o.engine.recovered)
}

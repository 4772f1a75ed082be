package engine

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/share"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator/core"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// Config is what an engine needs. Only Schema must be given.
type Config struct {
	// Schema runs the operations.
	Schema graphql.ExecutableSchema
	// Limits are the numbers that differ from the published table; zero fields do not.
	Limits Limits
	// Charge, when set, takes what an operation costs out of what its caller may spend; a *model.Error RATE_LIMITED
	// refuses the operation. It is asked last, so that nobody pays for what is refused for another reason, but for the
	// lack of a plan: making one is work, which nobody whose share is used up may have done.
	Charge func(caller model.Caller, cost int64) *model.Error
	// Ask, when set, is asked before each question to a remote system that an operation puts; a *model.Error RATE_LIMITED
	// refuses it, and what the operation has done before stays done.
	Ask func(caller model.Caller, system model.Upstream) *model.Error
	// Turns, when set, divides the processors and the database: an operation whose context has no turn of it takes one
	// while it runs. A turn ends early where the operation puts its first question to a remote system.
	Turns *share.Gate
	// Scope returns which scopes a field of an object needs; nil: reading and writing at large.
	Scope func(object, field string) model.ScopeSet
	// Introspection answers __schema and __type, and lets errors suggest names. Without it neither is done.
	Introspection bool
	// Logger gets the causes of hidden errors and the stacks of panics, never queries or variables.
	Logger *slog.Logger
	// Tracer makes a span for each operation; nil makes none.
	Tracer trace.TracerProvider
	// Observer is told of every request, for metrics.
	Observer Observer
	// Mutate runs the fields of a mutation itself; nil runs them as they are. It may be asked for fields below them too.
	Mutate graphql.FieldMiddleware
	// Now is the clock that measures durations.
	Now func() time.Time
	// Executor has everything run by gqlgen's executor, without plans. It is there for tests that compare the two, and for
	// finding out which of them errs.
	Executor bool
	// DryRun runs each field of a mutation that must change nothing, such that what the field reads of its own writes is
	// there until it is answered; nil runs it as it is.
	DryRun graphql.RootFieldMiddleware
	// Documents are those that clients may name by an id. They are checked and compiled by New, which fails when one would
	// be refused.
	Documents []Document
	// DocumentsOnly has those alone served, beside the server's own (Request.Own).
	DocumentsOnly bool
}

// Observer is told how requests end. Its arguments come from short fixed lists, but for those of Used.
type Observer interface {
	// Used is told of each admitted request.
	Used(usage Usage)
	// Refused is told the reason, one of Reasons.
	Refused(reason string)
	// Ran is told the kind of an operation that has ended, how long it ran, and its outcome: "ok" or the code of its
	// first error. A subscription is told once, at its end.
	Ran(kind ast.Operation, outcome string, took time.Duration)
}

// Engine is the Preparer. It is safe for concurrent use.
type Engine struct {
	schema *ast.Schema
	// executor runs everything where there is no planner.
	executor *executor.Executor
	limits   Limits
	charge   func(caller model.Caller, cost int64) *model.Error
	// ask is nil where all may be asked.
	ask   func(ctx context.Context, system model.Upstream) error
	turns *share.Gate
	// may is asked, once for all operations.
	may           func(ctx context.Context, system model.Upstream) error
	scope         func(object, field string) model.ScopeSet
	introspection bool
	log           *slog.Logger
	tracer        trace.Tracer // nil without tracing
	observer      Observer
	now           func() time.Time
	mutate        graphql.FieldMiddleware
	rules         []core.Rule
	documents     *documents
	persisted     *persisted
	trusted       trusted
	// buffers are those of answers that are released.
	buffers sync.Pool
	// planner is nil when everything runs by gqlgen's executor.
	planner *planner
	// live is all who follow a change log.
	live live
	// nodes are the types whose ids are global.
	nodes map[string]bool
	// dryRun is Config.DryRun.
	dryRun graphql.RootFieldMiddleware
}

var _ Preparer = (*Engine)(nil)

// New makes an engine. It fails without a schema.
func New(cfg Config) (*Engine, error) {
	if cfg.Schema == nil {
		return nil, errors.New("engine: no schema is given")
	}
	schema := cfg.Schema.Schema()
	if cfg.Observer == nil {
		cfg.Observer = nobody{}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Mutate == nil {
		cfg.Mutate = resolve
	}
	limits := cfg.Limits.WithDefaults()
	e := &Engine{
		schema: schema, executor: executor.New(cfg.Schema), limits: limits, introspection: cfg.Introspection,
		log: orDiscard(cfg.Logger), observer: cfg.Observer, now: cfg.Now,
		rules: validationRules(cfg.Introspection), documents: newDocuments(limits.DocumentBytes),
		persisted: newPersisted(limits.PersistedBytes), nodes: nodesOf(schema), dryRun: cfg.DryRun, mutate: cfg.Mutate,
		charge: cfg.Charge, turns: cfg.Turns, scope: cfg.Scope,
	}
	if cfg.Ask != nil {
		e.ask = func(ctx context.Context, system model.Upstream) error {
			caller, _ := model.CallerFrom(ctx)
			if err := cfg.Ask(caller, system); err != nil {
				return err
			}
			return nil
		}
	}
	e.may = e.asked
	if !cfg.Executor {
		e.planner = newPlanner(cfg.Schema)
	}
	if cfg.Tracer != nil {
		e.tracer = cfg.Tracer.Tracer("almanac/engine")
	}
	e.executor.SetErrorPresenter(e.present)
	e.executor.SetRecoverFunc(e.recovered)
	if err := e.trust(cfg.Documents, cfg.DocumentsOnly); err != nil {
		return nil, err
	}
	return e, nil
}

type nobody struct{}

func (nobody) Used(Usage)                               {}
func (nobody) Refused(string)                           {}
func (nobody) Ran(ast.Operation, string, time.Duration) {}

// asked is asked before each question to a remote system. Who waits for one uses neither the processors nor the
// database, so the turn ends there.
func (e *Engine) asked(ctx context.Context, system model.Upstream) error {
	if turn := share.TurnOf(ctx); turn != nil {
		turn.Leave()
	}
	if e.ask == nil {
		return nil
	}
	return e.ask(ctx, system)
}

// Limits returns the numbers in force.
func (e *Engine) Limits() Limits { return e.limits }

// Prepare implements Preparer.
func (e *Engine) Prepare(ctx context.Context, request Request) (op Operation, errs gqlerror.List) {
	defer func() {
		if r := recover(); r != nil {
			ctx := withAnswer(ctx)
			message, extensions := e.hide(ctx, answerOf(ctx), e.recovered(ctx, r))
			op, errs = nil, gqlerror.List{{Message: message, Extensions: extensions}}
		}
		if len(errs) > 0 {
			e.observer.Refused(reasonOf(errs[0]))
		}
	}()
	return e.prepare(ctx, request)
}

func (e *Engine) prepare(ctx context.Context, request Request) (Operation, gqlerror.List) {
	caller, ok := model.CallerFrom(ctx)
	if !ok {
		return nil, refusal(model.Errorf(model.CodeUnauthenticated, "Send a bearer token."), markCaller)
	}
	hash, sent, err := e.named(&request)
	if err != nil {
		return nil, gqlerror.List{err}
	}
	if err := e.untrusted(request); err != nil {
		return nil, gqlerror.List{err}
	}
	document := e.kept(request.Query)
	fresh := document == nil
	if fresh {
		var err *gqlerror.Error
		if document, err = e.parse(request.Query); err != nil {
			return nil, gqlerror.List{err}
		}
	}
	definition, err := choose(document.doc, request)
	if err != nil {
		return nil, gqlerror.List{err}
	}
	if err := mayAtAll(caller, definition.Operation); err != nil {
		return nil, refusal(err, markScope+string(scopeFor(definition.Operation)))
	}
	cost := document.costs.cost(definition, request.Variables)
	if cost > e.limits.Cost {
		return nil, gqlerror.List{e.explain(document, definition, request.Variables, cost)}
	}
	if fresh {
		if errs := e.validate(document.doc); len(errs) > 0 {
			if errs[0].Rule != "" { // refused by a limit, which has its own code
				return nil, errs
			}
			return nil, badInputs(errs, markInvalid, e.limits.Errors)
		}
		document.deprecated, document.needs = deprecatedIn(document.doc), needsOf(document.doc, e.schema, e.scope)
		takeDefers(document.doc)
		e.documents.add(request.Query, document)
	}
	if lacks := missing(caller, definition.Operation, document.needs[definition.Name]); lacks != 0 {
		return nil, refusal(model.Errorf(model.CodeForbidden,
			"The token's scopes do not allow what this %s selects; it also needs %s.", definition.Operation, lacks),
			markScope+lacks.String())
	}
	if sent {
		e.register(ctx, hash, request.Query)
	}
	variables, errs := coerceVariables(e.schema, definition, request.Variables, e.introspection, e.limits.Errors)
	if len(errs) > 0 {
		return nil, badInputs(errs, markInput, e.limits.Errors)
	}
	dry, err := dryRunOf(definition, variables)
	if err != nil {
		return nil, badInputs(gqlerror.List{err}, markInput, e.limits.Errors)
	}
	doc, made := document.doc, &document.plans
	if absent := absentInObjects(document, definition, variables); len(absent) > 0 {
		if doc, err = e.without(request.Query, absent); err != nil {
			return nil, gqlerror.List{err}
		}
		definition, made = doc.Operations.ForName(request.OperationName), &plans{}
	}
	if e.charge != nil {
		if err := e.charge(caller, cost); err != nil {
			return nil, refusal(err, markUserCost)
		}
	}
	planned, added, err := made.find(e.schema, e.planner, doc, definition, variables,
		request.Parts && definition.Operation == ast.Query)
	if err != nil {
		return nil, gqlerror.List{err}
	}
	if added > 0 && made == &document.plans {
		e.documents.grow(request.Query, document, added)
	}
	operationContext := e.operationContext(request, doc, definition, variables)
	if dry {
		mutate := operationContext.ResolverMiddleware
		operationContext.ResolverMiddleware = func(ctx context.Context, next graphql.Resolver) (any, error) {
			return e.dryRunIDs(ctx, func(ctx context.Context) (any, error) { return mutate(ctx, next) })
		}
		if e.dryRun != nil {
			operationContext.RootResolverMiddleware = e.dryRun
		}
	}
	o := &operation{engine: e, definition: definition, context: operationContext, dryRun: dry, plan: planned,
		cost: cost, showCost: request.ShowCost}
	e.observer.Used(o.usage(request, document))
	return o, nil
}

// parse reads a document and holds it against the limits that its text decides. It is not yet valid.
func (e *Engine) parse(query string) (*admitted, *gqlerror.Error) {
	query, err := plainEscapes(query)
	if err != nil {
		err.Rule = markSyntax
		return nil, err
	}
	tokens, err := e.countTokens(query)
	if err != nil {
		return nil, err
	}
	// The parser counts again, so that it can never descend further than the count above allows.
	doc, failure := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, e.limits.Tokens+1)
	if failure != nil {
		return nil, syntaxError(failure)
	}
	if err := notInLanguage(doc); err != nil {
		return nil, syntaxError(err)
	}
	if len(doc.Operations) == 0 {
		return nil, invalid(gqlerror.Errorf("The document has no operation."))
	}
	shape, err := e.measureDocument(doc)
	if err != nil {
		if err.Rule != "" {
			return nil, err
		}
		return nil, invalid(err)
	}
	document := &admitted{
		doc: doc, costs: planCosts(e.schema, doc, shape.fragments),
		size: int64(2*len(query) + bytesPerToken*tokens),
	}
	if len(shape.objectVariables) > 0 {
		document.objectVariables = shape.objectVariables
	}
	return document, nil
}

// notInLanguage refuses what gqlparser reads though the grammar has it not: a document of nothing, and variables of
// fragments, an old experiment.
func notInLanguage(doc *ast.QueryDocument) error {
	if len(doc.Operations)+len(doc.Fragments) == 0 {
		return gqlerror.Errorf("The document is empty.")
	}
	for _, fragment := range doc.Fragments {
		if len(fragment.VariableDefinition) > 0 {
			return gqlerror.ErrorPosf(fragment.Position, `A fragment has no variables of its own; expected "on".`)
		}
	}
	return nil
}

func syntaxError(failure error) *gqlerror.Error {
	err := &gqlerror.Error{Message: "Syntax error."}
	if parsed := (*gqlerror.Error)(nil); errors.As(failure, &parsed) {
		err.Message, err.Locations = "Syntax error: "+parsed.Message, parsed.Locations
	}
	err = badInput(err)
	err.Rule = markSyntax
	return err
}

func invalid(err *gqlerror.Error) *gqlerror.Error {
	err = badInput(err)
	err.Rule = markInvalid
	return err
}

func refusal(err *model.Error, mark string) gqlerror.List {
	out := errorOf(err)
	out.Rule = mark
	return gqlerror.List{out}
}

// choose returns the operation that the request names (October 2021, section 6.1).
func choose(doc *ast.QueryDocument, request Request) (*ast.OperationDefinition, *gqlerror.Error) {
	definition := doc.Operations.ForName(request.OperationName)
	var err *gqlerror.Error
	switch {
	case definition == nil && request.OperationName == "":
		err = gqlerror.Errorf("The document has several operations; say which by operationName.")
	case definition == nil:
		err = gqlerror.Errorf("The document has no operation named %q.", request.OperationName)
	case request.QueriesOnly && definition.Operation != ast.Query:
		err = gqlerror.Errorf("A %s cannot be sent by GET; send it by POST.", definition.Operation)
		err = badInput(err)
		err.Rule = markMethod
		return nil, err
	default:
		return definition, nil
	}
	err = badInput(err)
	err.Rule = markOperation
	return nil, err
}

func scopeFor(kind ast.Operation) model.Scope {
	if kind == ast.Mutation {
		return model.ScopeWrite
	}
	return model.ScopeRead
}

// absentInObjects returns the variables that stand inside a literal object and that the request leaves out.
func absentInObjects(document *admitted, op *ast.OperationDefinition, variables map[string]any) map[string]bool {
	var absent map[string]bool
	for name := range document.objectVariables {
		if _, given := variables[name]; given || op.VariableDefinitions.ForName(name) == nil {
			continue
		}
		if absent == nil {
			absent = map[string]bool{}
		}
		absent[name] = true
	}
	return absent
}

// without returns the document as if the entries of literal objects that hold an absent variable had not been written.
// That is what the specification asks for (October 2021, section 3.10); gqlgen would read them as null, and null
// clears where absent leaves alone. The document is parsed anew, since admitted documents are shared.
func (e *Engine) without(query string, absent map[string]bool) (*ast.QueryDocument, *gqlerror.Error) {
	document, err := e.parse(query)
	if err != nil {
		return nil, err
	}
	if errs := e.validate(document.doc); len(errs) > 0 { // it was valid a moment ago
		return nil, invalid(errs[0])
	}
	takeDefers(document.doc)
	for _, op := range document.doc.Operations {
		pruneDirectives(op.Directives, absent)
		prune(op.SelectionSet, absent)
	}
	for _, fragment := range document.doc.Fragments {
		prune(fragment.SelectionSet, absent)
	}
	return document.doc, nil
}

func prune(set ast.SelectionSet, absent map[string]bool) {
	for _, selection := range set {
		switch selection := selection.(type) {
		case *ast.Field:
			pruneArguments(selection.Arguments, absent)
			pruneDirectives(selection.Directives, absent)
			prune(selection.SelectionSet, absent)
		case *ast.InlineFragment:
			pruneDirectives(selection.Directives, absent)
			prune(selection.SelectionSet, absent)
		case *ast.FragmentSpread:
			pruneDirectives(selection.Directives, absent)
		}
	}
}

func pruneDirectives(directives ast.DirectiveList, absent map[string]bool) {
	for _, directive := range directives {
		pruneArguments(directive.Arguments, absent)
	}
}

func pruneArguments(arguments ast.ArgumentList, absent map[string]bool) {
	for _, argument := range arguments {
		pruneValue(argument.Value, absent)
	}
}

func pruneValue(value *ast.Value, absent map[string]bool) {
	kept := value.Children[:0]
	for _, child := range value.Children {
		if value.Kind == ast.ObjectValue && child.Value.Kind == ast.Variable && absent[child.Value.Raw] {
			continue
		}
		pruneValue(child.Value, absent)
		kept = append(kept, child)
	}
	value.Children = kept
}

// operationContext is what gqlgen's executor would make of the same request, without parsing, validating and coercing
// it a second time.
func (e *Engine) operationContext(request Request, doc *ast.QueryDocument, definition *ast.OperationDefinition,
	variables map[string]any) *graphql.OperationContext {
	middleware := resolve
	if definition.Operation == ast.Mutation {
		middleware = e.mutate
	}
	return &graphql.OperationContext{
		RawQuery: request.Query, OperationName: request.OperationName, Extensions: request.Extensions,
		Doc: doc, Operation: definition, Variables: variables,
		DisableIntrospection: !e.introspection, RecoverFunc: e.recovered,
		ResolverMiddleware:     middleware,
		RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) },
	}
}

// resolve runs a field as it is.
func resolve(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) }

// Reasons returns every reason for which an operation is refused: the names of the limits on documents, and what else
// may be wrong with one.
func Reasons() []string {
	reasons := []string{reasonScope, reasonInternal, markMethod, markSyntax, markInvalid, markInput, markCaller,
		markOperation, markPersisted, markUntrusted, markUserCost}
	for _, limit := range (Limits{}).Table() {
		reasons = append(reasons, limit.Name)
	}
	return reasons
}

// The reasons that are not the mark of an error itself.
const (
	reasonScope    = "scope"
	reasonInternal = "internal"
)

// reasonOf returns the reason of a refusal for the observer.
func reasonOf(err *gqlerror.Error) string {
	if name, isLimit := strings.CutPrefix(err.Rule, markLimit); isLimit {
		return name
	}
	switch {
	case err.Rule == "":
		return reasonInternal
	case strings.HasPrefix(err.Rule, markScope):
		return reasonScope
	default:
		return err.Rule
	}
}

// spanFor starts the span of an operation. Names of operations are the caller's own, so they are clipped.
func (e *Engine) spanFor(ctx context.Context, o *operation) (context.Context, trace.Span) {
	if e.tracer == nil {
		return ctx, trace.SpanFromContext(context.Background()) // one that does nothing
	}
	//nolint:spancheck // the operation ends it
	return e.tracer.Start(ctx, "graphql "+string(o.Kind()), trace.WithAttributes(
		attribute.String("graphql.operation.type", string(o.Kind())),
		attribute.String("graphql.operation.name", clip(o.Name())),
	))
}

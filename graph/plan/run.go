package plan

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
)

// Options are what the engine runs around fields. Nil runs nothing.
type Options struct {
	// Roots runs around the resolvers of root fields.
	Roots graphql.FieldMiddleware
	// Answers runs around root fields with all that is selected below them.
	Answers graphql.RootFieldMiddleware
	// IDs runs around fields of the type ID that hold an id itself, no pointer; an answer that is a graphql.Marshaler
	// takes the field's place.
	IDs graphql.FieldMiddleware
	// MaxBytes bounds the answer; Bound is told, maybe several times, when it grows beyond, and nothing of it is of use
	// then. Without Bound there is no bound.
	MaxBytes int64
	Bound    interface{ Beyond() }
}

// Run runs a plan and returns its answer, null when that could not be had. Buf is where it is appended. The context
// holds gqlgen's operation, and a response that collects the errors.
func (p *Plan) Run(ctx context.Context, schema Schema, options Options, buf []byte) []byte {
	w := &Writer{buf: buf, counted: len(buf), run: p.run(ctx, options)}
	if !schema.AppendPlan(ctx, w, p.set) {
		w.buf = append(w.buf, null...)
	}
	w.within(1) // what has not been counted yet
	return w.buf
}

func (p *Plan) run(ctx context.Context, options Options) *run {
	return &run{
		Options: options, roots: p.set.fields, operation: graphql.GetOperationContext(ctx),
		top: &graphql.FieldContext{Object: p.root},
	}
}

const null = "null"

// run is what all writers of one answer share.
type run struct {
	Options

	roots []Field
	// arguments are those of fields that are read row by row, by their field.
	mu        sync.Mutex
	arguments map[*Field]map[string]any

	operation *graphql.OperationContext
	top       *graphql.FieldContext
	// written are the bytes that all writers have counted.
	written atomic.Int64
}

// Writer appends the part of an answer that one goroutine makes.
type Writer struct {
	buf  []byte
	run  *run
	path []step
	// counted is how much of the buffer the run has counted.
	counted int
	// scope are the deferred fragments around the place, parts what has been deferred of the buffer so far.
	scope *scope
	parts []*part
	// arguments are those that were given to the last field, reading the context in which they were read.
	arguments map[string]any
	reading   pathless
}

// step is one place on the way to where a writer is: a field, or without it an index. Context is made when asked for.
type step struct {
	field   *Field
	context *graphql.FieldContext
	index   int
}

// fork returns a writer at the same place for another goroutine.
func (w *Writer) fork(depth int) *Writer {
	w.parent(depth) // made once, so that the forks share it
	path := make([]step, depth, depth+4)
	copy(path, w.path)
	return &Writer{run: w.run, path: path, scope: w.scope}
}

// parent returns the field context above the step at the depth.
func (w *Writer) parent(depth int) *graphql.FieldContext {
	from := depth
	for from > 0 && w.path[from-1].context == nil {
		from--
	}
	above := w.run.top
	if from > 0 {
		above = w.path[from-1].context
	}
	for i := from; i < depth; i++ {
		above = w.fieldContext(i, above)
		w.path[i].context = above
	}
	return above
}

func (w *Writer) fieldContext(depth int, above *graphql.FieldContext) *graphql.FieldContext {
	s := &w.path[depth]
	if s.field == nil {
		index := s.index
		return &graphql.FieldContext{Parent: above, Index: &index}
	}
	return &graphql.FieldContext{
		Parent: above, Object: s.field.object, Field: s.field.collected, Args: w.run.known(s.field),
	}
}

// at returns a context for an error at the writer's place.
func (w *Writer) at(ctx context.Context) (context.Context, *graphql.FieldContext) {
	last := len(w.path) - 1
	if last < 0 {
		return ctx, w.run.top
	}
	var here *graphql.FieldContext
	if made := w.path[last].context; made != nil {
		own := *made
		here = &own
	} else {
		here = w.fieldContext(last, w.parent(last))
	}
	return within(ctx, here), here
}

// within is graphql.WithFieldContext for a field whose parent is known and not in the context.
func within(ctx context.Context, field *graphql.FieldContext) context.Context {
	parent := field.Parent
	ctx = graphql.WithFieldContext(ctx, field)
	field.Parent = parent
	return ctx
}

func (w *Writer) fail(ctx context.Context, err error) {
	at, _ := w.at(ctx)
	w.run.operation.Error(at, err)
}

// Refuse adds the error of a null that stands where the schema does not allow it, unless the field has one already. It
// returns false, the null.
func (w *Writer) Refuse(ctx context.Context) bool {
	at, field := w.at(ctx)
	if !graphql.HasFieldError(at, field) {
		graphql.AddErrorf(at, "the requested element is null which the schema does not allow")
	}
	return false
}

// Missing is Refuse for a field, which may be nullable, whose value is no value at all.
func (w *Writer) Missing(ctx context.Context, f *Field) bool {
	if f.NonNull {
		at, field := w.at(ctx)
		missing(at, w.run.operation, field)
	}
	return false
}

func missing(ctx context.Context, operation *graphql.OperationContext, field *graphql.FieldContext) {
	if !graphql.HasFieldError(ctx, field) {
		operation.Error(ctx, errNull)
	}
}

// Unexpected is the value of an abstract type that the generator has not seen.
func (w *Writer) Unexpected(value any, abstract string) bool {
	if m, ok := value.(graphql.Marshaler); ok {
		w.Value(m)
		return true
	}
	panic(fmt.Errorf("unexpected type %T; non-generated variants of %s must implement graphql.Marshaler", value, abstract))
}

// Object is an object that is being appended, field by field.
type Object struct {
	fields []Field
	// next is the number of the field after the one that is being appended.
	next int
	// depth is the place of the object's fields in the path.
	depth int
	// start and mark are where the object and the value of its field begin in the buffer; start is negative for a field
	// that a fork appends.
	start, mark int
	failed      bool
	// deferring: the scope was outer before the object.
	deferring bool
	outer     *scope
	// forks are the fields that run beside this goroutine, by their number.
	forks []*fork
}

type fork struct {
	object Object
	writer *Writer
	done   sync.WaitGroup
}

// Begin starts an object.
func (w *Writer) Begin(s *Selection) Object {
	o := Object{fields: s.fields, depth: len(w.path), start: len(w.buf)}
	w.path = append(w.path, step{})
	w.buf = append(w.buf, '{')
	return o
}

// Fork starts all fields that wait for something but the first, each in a goroutine of its own. Fields appends those
// that it is given.
func (o *Object) Fork(w *Writer, fields func(w *Writer, o *Object)) {
	o.forks = make([]*fork, len(o.fields))
	first := true
	for i := range o.fields {
		if !o.fields[i].waits {
			continue
		}
		if first {
			first = false
			continue
		}
		f := &fork{
			object: Object{fields: o.fields[i : i+1], depth: o.depth, start: -2}, writer: w.fork(o.depth),
		}
		f.writer.path = append(f.writer.path, step{})
		o.forks[i] = f
		f.done.Go(func() {
			for !f.object.Done() {
				fields(f.writer, &f.object)
			}
		})
	}
}

// Done reports whether all fields are appended.
func (o *Object) Done() bool { return o.next == len(o.fields) }

// Next appends the key of the next field and returns it; nil at the end.
func (o *Object) Next(w *Writer) *Field {
	for o.next < len(o.fields) {
		at := o.next
		f := &o.fields[at]
		o.next++
		if at < len(o.forks) && o.forks[at] != nil {
			o.take(w, o.forks[at])
			continue
		}
		if len(w.buf)-w.counted >= countEvery && !w.within(countEvery) {
			o.failed = true // the context is done, so what is left fails by itself
		}
		here := &w.path[o.depth]
		if here.field = f; here.context != nil {
			here.context = nil
		}
		if len(w.buf) == o.start+1 {
			w.buf = append(w.buf, f.key[1:]...)
		} else {
			w.buf = append(w.buf, f.key...)
		}
		o.mark = len(w.buf)
		return f
	}
	return nil
}

func (o *Object) take(w *Writer, f *fork) {
	f.done.Wait()
	comma := 0
	if len(w.buf) == o.start+1 {
		comma = 1
	}
	w.splice(f.writer, comma)
	o.failed = o.failed || f.object.failed
}

// Null makes the value of the field that is being appended null.
func (o *Object) Null(w *Writer) {
	w.cut(o.mark)
	w.buf = append(w.buf, null...)
	if o.fields[o.next-1].NonNull {
		o.failed = true
	}
}

// Recover, deferred, makes of a panic the error of the field that was being appended. The fields behind it are left.
func (o *Object) Recover(ctx context.Context, w *Writer) {
	if r := recover(); r != nil { //nolint:revive // it is deferred
		w.path = w.path[:o.depth+1]
		at, _ := w.at(ctx)
		w.run.operation.Error(at, w.run.operation.Recover(at, r))
		o.Null(w)
	}
}

// End ends an object; false is its null, since a field is null that must not be.
func (w *Writer) End(o *Object) bool {
	w.path = w.path[:o.depth]
	if o.deferring {
		w.scope = o.outer
	}
	if o.failed || !w.within(countEvery) {
		w.cut(o.start)
		return false
	}
	w.buf = append(w.buf, '}')
	return true
}

// rowsBetweenLooks is how many rows of a list are appended between two looks at the context.
const rowsBetweenLooks = 64

// List appends a list whose elements the function appends; false from it is an element's null, which is the list's own
// when elements are not nullable.
func (w *Writer) List(ctx context.Context, length int, nonNull bool, element func(i int) bool) bool {
	start, depth, ok := len(w.buf), len(w.path), true
	w.path = append(w.path, step{})
	w.buf = append(w.buf, '[')
	for i := range length {
		if i%rowsBetweenLooks == rowsBetweenLooks-1 && ctx.Err() != nil {
			w.path = w.path[:depth]
			w.cut(start)
			w.fail(ctx, ctx.Err())
			return false
		}
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.path[depth] = step{index: i}
		if !element(i) {
			w.buf = append(w.buf, null...)
			ok = ok && !nonNull
		}
	}
	return w.endList(start, depth, ok)
}

func (w *Writer) endList(start, depth int, ok bool) bool {
	w.path = w.path[:depth]
	if !ok {
		w.cut(start)
		return false
	}
	w.buf = append(w.buf, ']')
	return true
}

// Scalars is List for scalars, whose errors stand at the list itself, as gqlgen's do.
func (w *Writer) Scalars(length int, nonNull bool, element func(i int) bool) bool {
	start, ok := len(w.buf), true
	w.buf = append(w.buf, '[')
	for i := range length {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		if !element(i) {
			w.buf = append(w.buf, null...)
			ok = ok && !nonNull
		}
	}
	return w.endList(start, len(w.path), ok)
}

// Parallel is List for elements with resolvers below: each runs in a goroutine of its own, as in gqlgen's executor.
func (w *Writer) Parallel(ctx context.Context, length int, nonNull bool, element func(w *Writer, i int) bool) bool {
	if length < 2 {
		return w.List(ctx, length, nonNull, func(i int) bool { return element(w, i) })
	}
	depth := len(w.path)
	parts, values := make([]*Writer, length), make([]bool, length)
	var all sync.WaitGroup
	for i := range length {
		parts[i] = w.fork(depth)
		parts[i].path = append(parts[i].path, step{index: i})
		all.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					parts[i].path = parts[i].path[:depth+1]
					at, _ := parts[i].at(ctx)
					w.run.operation.Error(at, w.run.operation.Recover(at, r))
					parts[i].buf, values[i] = nil, false
				}
			}()
			values[i] = element(parts[i], i) && parts[i].within(1)
		})
	}
	all.Wait()
	start, ok := len(w.buf), true
	w.buf = append(w.buf, '[')
	for i, part := range parts {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		if values[i] {
			w.splice(part, 0)
			continue
		}
		w.buf = append(w.buf, null...)
		ok = ok && !nonNull
	}
	return w.endList(start, depth, ok)
}

// Resolve runs a resolver and appends its value. Arguments is nil for fields without any.
func Resolve[T any](ctx context.Context, w *Writer, f *Field,
	arguments func(ctx context.Context, raw map[string]any) (map[string]any, error),
	call func(ctx context.Context, fc *graphql.FieldContext) (T, error),
	value func(ctx context.Context, w *Writer, f *Field, v T) bool) (ok bool) {
	depth := len(w.path) - 1
	if depth > 0 || w.run.Answers == nil {
		return resolve(ctx, w, f, arguments, call, value)
	}
	mark := len(w.buf)
	root := graphql.WithRootFieldContext(ctx, &graphql.RootFieldContext{Object: f.collected.Name, Field: f.collected})
	answer := w.run.Answers(root, func(ctx context.Context) graphql.Marshaler {
		if ok = resolve(ctx, w, f, arguments, call, value); !ok {
			return graphql.Null
		}
		return appended{}
	})
	if _, is := answer.(appended); is {
		return ok
	}
	w.cut(mark)
	if answer == graphql.Null || answer == graphql.RequiredNull {
		return false
	}
	w.Value(answer)
	return true
}

func resolve[T any](ctx context.Context, w *Writer, f *Field,
	arguments func(ctx context.Context, raw map[string]any) (map[string]any, error),
	call func(ctx context.Context, fc *graphql.FieldContext) (T, error),
	value func(ctx context.Context, w *Writer, f *Field, v T) bool) (ok bool) {
	depth, mark, operation := len(w.path)-1, len(w.buf), w.run.operation
	ctx, fc := w.enter(ctx, f)
	defer func() {
		if r := recover(); r != nil {
			w.path = w.path[:depth+1]
			w.cut(mark)
			operation.Error(ctx, operation.Recover(ctx, r))
			ok = false
		}
	}()
	if !w.prepare(ctx, f, fc, arguments) {
		return false
	}
	around := w.run.IDs
	if depth == 0 {
		around = w.run.Roots
	} else if !f.isID {
		around = nil
	}
	var result T
	var err error
	if around == nil {
		result, err = call(ctx, fc)
	} else {
		var answer any
		answer, err = around(ctx, func(inner context.Context) (any, error) {
			ctx = inner //nolint:fatcontext // what is below runs in it too
			return call(inner, fc)
		})
		if err == nil && answer != nil {
			var is bool
			if result, is = answer.(T); !is {
				if m, is := answer.(graphql.Marshaler); is {
					w.Value(m)
					return true
				}
				operation.Error(ctx, fmt.Errorf("unexpected type %T from middleware/directive chain, should be %T", answer,
					result))
				return false
			}
		}
	}
	if err != nil {
		operation.Error(ctx, graphql.AddFieldLocationToError(ctx, err))
		return false
	}
	if any(result) == nil {
		if f.NonNull {
			missing(ctx, operation, fc)
		}
		return false
	}
	return value(ctx, w, f, result)
}

// known returns the arguments of a field that has been read before in the same answer; nil when there are none.
func (r *run) known(f *Field) map[string]any {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.arguments[f]
}

func (r *run) know(f *Field, arguments map[string]any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.arguments == nil {
		r.arguments = map[*Field]map[string]any{}
	}
	r.arguments[f] = arguments
}

// Read appends what a method of a view returns, which knows no context. Its arguments are read once for an answer, and
// must not be changed.
func Read[T any](ctx context.Context, w *Writer, f *Field,
	arguments func(ctx context.Context, raw map[string]any) (map[string]any, error),
	call func(arguments map[string]any) (T, error),
	value func(ctx context.Context, w *Writer, f *Field, v T) bool) bool {
	var args map[string]any
	if arguments != nil {
		if args = w.run.known(f); args == nil {
			var err error
			if args, err = w.pathless(ctx, f, arguments); err != nil || ctx.Err() != nil {
				inner, fc := w.enter(ctx, f)
				if !w.prepare(inner, f, fc, arguments) {
					return false
				}
				args = fc.Args
				w.path[len(w.path)-1].context = nil
			}
			w.run.know(f, args)
		}
	}
	result, err := call(args)
	if err != nil {
		at, _ := w.at(ctx)
		w.run.operation.Error(at, graphql.AddFieldLocationToError(at, err))
		return false
	}
	if any(result) == nil {
		return w.Missing(ctx, f)
	}
	return value(ctx, w, f, result)
}

// enter makes for the field at the writer's place a context of its own, and returns the one in which it is resolved.
func (w *Writer) enter(ctx context.Context, f *Field) (context.Context, *graphql.FieldContext) {
	last := len(w.path) - 1
	own := &fieldContext{Context: ctx, of: f, field: graphql.FieldContext{
		Parent: w.parent(last), Object: f.object, Field: f.collected, IsMethod: true, IsResolver: f.resolver,
	}}
	w.path[last].context = &own.field
	return own, &own.field
}

// appended says that what a root field answers is in the buffer already.
type appended struct{ graphql.Marshaler }

// ID lets Options.IDs replace the value of a field of the type ID; it reports whether that was done.
func (w *Writer) ID(ctx context.Context, value any) bool {
	at, _ := w.at(ctx)
	answer, err := w.run.IDs(at, func(context.Context) (any, error) { return value, nil })
	if err != nil {
		return false
	}
	m, replaced := answer.(graphql.Marshaler)
	if replaced {
		w.Value(m)
	}
	return replaced
}

// ReplacesIDs reports whether ID must be asked.
func (w *Writer) ReplacesIDs() bool { return w.run.IDs != nil }

package plan

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// Stream appends the next message of a subscription. More is false at its end; ok is false for a message that is null.
type Stream func(ctx context.Context, w *Writer) (more, ok bool)

// Subscribe starts a subscription and returns what appends its next message behind buf; it returns nil when there is no
// further one. Subscribe itself returns nil when the subscription could not start: the errors are in the context's
// response, as those of a message are in the context that next is given.
func (p *Plan) Subscribe(ctx context.Context, schema Schema) (next func(ctx context.Context, buf []byte) []byte) {
	f := &p.set.fields[0]
	w := &Writer{run: p.run(ctx, Options{}), path: []step{{field: f}}}
	stream := schema.StartPlan(ctx, w, f)
	if stream == nil {
		return nil
	}
	return func(ctx context.Context, buf []byte) []byte {
		w := &Writer{buf: buf, run: w.run, path: []step{w.path[0]}}
		more, ok := stream(ctx, w)
		switch {
		case !more:
			return nil
		case !ok:
			return append(buf, null...)
		}
		return w.buf
	}
}

// Subscribe starts the field of a subscription. Arguments is nil for fields without any.
func Subscribe[T any](ctx context.Context, w *Writer, f *Field,
	arguments func(ctx context.Context, raw map[string]any) (map[string]any, error),
	call func(ctx context.Context, fc *graphql.FieldContext) (<-chan T, error),
	value func(ctx context.Context, w *Writer, f *Field, v T) bool) (stream Stream) {
	ctx, fc := w.enter(ctx, f)
	operation := w.run.operation
	defer func() {
		if r := recover(); r != nil {
			operation.Error(ctx, operation.Recover(ctx, r))
			stream = nil
		}
	}()
	if !w.prepare(ctx, f, fc, arguments) {
		return nil
	}
	messages, err := call(ctx, fc)
	if err != nil {
		operation.Error(ctx, graphql.AddFieldLocationToError(ctx, err))
		return nil
	}
	return func(ctx context.Context, w *Writer) (more, ok bool) {
		select {
		case v, open := <-messages:
			if !open {
				return false, false
			}
			return true, message(ctx, w, f, v, value)
		case <-ctx.Done():
			return false, false
		}
	}
}

// message appends the object of a message, whose only field is the subscription's.
func message[T any](ctx context.Context, w *Writer, f *Field, v T,
	value func(ctx context.Context, w *Writer, f *Field, v T) bool) bool {
	o := Object{fields: w.run.roots, start: len(w.buf)}
	w.buf = append(w.buf, '{')
	started := w.path[0]
	o.Next(w)
	w.path[0] = started // its arguments are known to what is below
	func() {
		defer o.Recover(ctx, w)
		if !value(ctx, w, f, v) {
			o.Null(w)
		}
	}()
	return w.End(&o)
}

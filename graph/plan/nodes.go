package plan

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// streams reports whether a selection is that of a connection of which its nodes are selected, and of them nothing that
// is resolved or deferred, so that each is appended before the next one is read; and nothing else but, behind them,
// what is known when all have been read.
func (s *Selection) streams() bool {
	nodes := false
	for i := range s.fields {
		switch f := &s.fields[i]; f.collected.Name {
		case "nodes":
			if nodes || f.below {
				return false
			}
			nodes = true
		case "pageInfo", "totalCount":
			if !nodes {
				return false
			}
		default:
			return false
		}
	}
	return nodes && !s.apart
}

// Streams reports whether the connection that is being resolved may be one whose nodes come one after the other. It is
// asked by the resolver of a field whose value is a connection; without a plan it is false.
func Streams(ctx context.Context) bool {
	field, _ := ctx.Value(fieldKey{}).(*Field)
	return field != nil && field.streams
}

// Reader reads the nodes of a connection and appends them to the list one after the other until that returns false.
type Reader[T any] interface {
	Each(ctx context.Context, list interface{ Append(v *T) bool }) error
}

// Nodes is List for the nodes of a connection that are read as they are appended. An error is one of the connection's
// field, where it would be had they been read before.
func Nodes[T any](ctx context.Context, w *Writer, reader Reader[T], nonNull bool, node func(v *T) bool) bool {
	start := len(w.buf)
	list := &nodes[T]{ctx, w, len(w.path), 0, nonNull, node, true}
	w.path = append(w.path, step{})
	w.buf = append(w.buf, '[')
	err := reader.Each(ctx, list)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		connection := *w.parent(list.depth - 1)
		at := within(ctx, &connection)
		w.run.operation.Error(at, graphql.AddFieldLocationToError(at, err))
		list.ok = false
	}
	return w.endList(start, list.depth, list.ok)
}

// nodes is a list of Nodes as it is being appended.
type nodes[T any] struct {
	ctx     context.Context //nolint:containedctx // it is that of one call, of which this is the state
	w       *Writer
	depth   int
	n       int
	nonNull bool
	node    func(v *T) bool
	ok      bool
}

// Append appends a node; false is the end of the list.
func (l *nodes[T]) Append(v *T) bool {
	if l.n > 0 {
		l.w.buf = append(l.w.buf, ',')
	}
	l.w.path[l.depth] = step{index: l.n}
	if !l.node(v) {
		l.w.buf = append(l.w.buf, null...)
		l.ok = l.ok && !l.nonNull
	}
	l.n++
	return l.n%rowsBetweenLooks != 0 || l.ctx.Err() == nil
}

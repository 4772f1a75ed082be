package projections

import (
	"context"

	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// answered is what all response contexts have in common.
type answered struct{}

// IsDryRun reports whether nothing was done: the answer says what would be.
func (answered) IsDryRun(ctx context.Context) bool { return dryrun.Is(ctx) }

// view is a record as seen at a moment. Views embed it.
type view[R any] struct {
	record R
	at     *Moment
}

// node is the view of a record that has a public id.
type node[R any] struct{ view[R] }

func nodeAt[R any](record R, at *Moment) node[R] { return node[R]{view[R]{record, at}} }

// IsNode marks the view as a Node.
func (node[R]) IsNode() {}

// Record is the record itself.
func (n node[R]) Record() R { return n.record }

// websetNode is the view of something that Exa keeps.
type websetNode[R any] struct {
	node[R]
	ref model.WebsetRef
}

func websetNodeAt[R any](record R, ref model.WebsetRef, at *Moment) websetNode[R] {
	return websetNode[R]{nodeAt(record, at), ref}
}

// ID is the public id.
func (n websetNode[R]) ID() model.ID { return n.ref.PublicID() }

// SourceID is the remote's own id.
func (n websetNode[R]) SourceID() string { return n.ref.ID }

// viewsOf returns the views of records; never nil.
func viewsOf[R, V any](records []R, at *Moment, view func(R, *Moment) V) []V {
	views := make([]V, len(records))
	for i := range records {
		views[i] = view(records[i], at)
	}
	return views
}

// present returns the items; never nil.
func present[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

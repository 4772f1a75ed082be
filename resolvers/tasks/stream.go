package tasks

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// taskReader reads the tasks of a page when they are appended to the answer, so that no page is kept in memory. It is
// used once.
type taskReader struct {
	resolver *Resolver
	viewer   *core.Viewer
	query    store.TaskQuery
	purpose  string

	page store.TaskPage
	view projections.Task
	list interface {
		Append(task *projections.Task) bool
	}
}

// streamed returns the connection of a reader, in one allocation with it.
func streamed(reader taskReader) *projections.TaskConnection {
	both := &struct {
		connection projections.TaskConnection
		reader     taskReader
	}{reader: reader}
	both.connection.Reader = &both.reader
	return &both.connection
}

// Each implements projections.TaskReader.
func (r *taskReader) Each(ctx context.Context, list interface {
	Append(task *projections.Task) bool
}) error {
	r.list, r.query.Each = list, r.hand
	var err error
	r.page, err = r.resolver.Store.Tasks(ctx, r.viewer.User, r.query)
	return err
}

// PageInfo implements projections.TaskReader.
func (r *taskReader) PageInfo() model.PageInfo {
	info := model.PageInfo{HasNextPage: r.page.HasNext, HasPreviousPage: r.page.HasPrevious}
	if ends := r.page.Places; len(ends) > 0 {
		start := r.resolver.cursor(r.purpose, r.viewer, ends[0])
		end := r.resolver.cursor(r.purpose, r.viewer, ends[len(ends)-1])
		info.StartCursor, info.EndCursor = &start, &end
	}
	return info
}

// TotalCount implements projections.TaskReader.
func (r *taskReader) TotalCount() int { return r.page.Total }

func (r *taskReader) hand(record *model.Task) bool {
	r.view = projections.TaskOf(record, r.viewer.Moment)
	return r.list.Append(&r.view)
}

package tasks

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/graph/plan"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// defaultTaskOrder is the order of a list for which the request gives none, or no direction: what was added last comes
// first, and what is due first.
func defaultTaskOrder(order *model.TaskOrder) model.TaskOrder {
	if order == nil {
		return model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending}
	}
	full := *order
	if full.Direction == "" {
		full.Direction = model.Descending
		if full.Field != model.TaskOrderCreatedAt && full.Field != model.TaskOrderUpdatedAt {
			full.Direction = model.Ascending
		}
	}
	return full
}

// TaskConnection answers the tasks query with one call to the store, whatever is selected.
func (r *Resolver) TaskConnection(ctx context.Context, filter *model.TaskFilter, orderBy *model.TaskOrder,
	args core.PageArgs) (*projections.TaskConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	order := defaultTaskOrder(orderBy)
	purpose := "tasks " + string(order.Field)
	page, err := core.Window(r.Base, v, args, purpose, decodeTaskPlace)
	if err != nil {
		return nil, err
	}
	query := store.TaskQuery{Order: order}
	if query.Where, err = taskWhere(filter, v.Moment); err != nil {
		return nil, err
	}
	asked := core.Asked(ctx, connectionAsked)
	query.Columns = asked.columns
	if asked.page {
		query.Page = page
	}
	query.Total = asked.total || asked.empty && (query.Page == nil || page.After != nil || page.Before != nil)
	query.Board = asked.board.query(graphql.GetOperationContext(ctx), v.Moment)
	if plan.Streams(ctx) && query.Page != nil {
		query.Ends = asked.ends
		return streamed(taskReader{resolver: r, viewer: v, query: query, purpose: purpose}), nil
	}
	answer, err := r.Store.Tasks(ctx, v.User, query)
	if err != nil {
		return nil, err
	}
	return &projections.TaskConnection{
		Page: projections.Page[projections.Task]{
			Items:   projections.TasksAt(answer.Tasks, v.Moment),
			Cursor:  func(i int) string { return r.cursor(purpose, v, answer.Places[i]) },
			HasNext: answer.HasNext, HasPrevious: answer.HasPrevious, Total: answer.Total,
		},
		Board: projections.BoardAt(answer.Board.Rows, answer.Board.Counts, v.Moment),
	}, nil
}

// cursor is the cursor of a place in the list that the purpose names.
func (r *Resolver) cursor(purpose string, v *core.Viewer, place store.TaskPlace) string {
	return r.Sealer.Seal(purpose, v.User, core.EncodePlace(place.ID, place.At, place.Text))
}

// bucketFields are the fields of the board's buckets.
var bucketFields = [...]struct {
	name   string
	bucket model.TaskBucket
}{
	{"overdue", model.BucketOverdue},
	{"today", model.BucketToday},
	{"upcoming", model.BucketUpcoming},
	{"recurring", model.BucketRecurring},
	{"noDueDate", model.BucketNoDueDate},
}

// askedOfTasks is which fields of a connection of tasks are selected.
type askedOfTasks struct {
	columns            store.TaskColumns
	page, total, empty bool
	// ends are those of the page.
	ends  bool
	board askedOfBoard
}

func connectionAsked(of core.Selection) askedOfTasks {
	return askedOfTasks{
		columns: TaskColumns(of.Items("TaskEdge", "Task")), page: of.Has("nodes", "edges", "pageInfo", "compact"),
		total: of.Has("totalCount"), empty: of.Has("isEmpty", "context"), ends: of.Has("pageInfo"), board: boardAsked(of),
	}
}

// askedOfBoard is which fields of a board are selected; none when the board is not.
type askedOfBoard struct {
	fields          []graphql.CollectedField
	counts, compact bool
	// columns are those that are needed of the tasks of each bucket, in the order of bucketFields.
	columns [len(bucketFields)]store.TaskColumns
}

func boardAsked(of core.Selection) askedOfBoard {
	board := of.Under("categorized", "TaskBoard")
	asked := askedOfBoard{fields: board.Fields, counts: board.Has("counts", "compact"), compact: board.Has("compact")}
	for i, field := range bucketFields {
		asked.columns[i] = TaskColumns(board.Under(field.name, "Task"))
	}
	return asked
}

// query is what is asked of the store for a board, whose sizes the operation's variables say; nil when it is not asked
// for.
func (b *askedOfBoard) query(operation *graphql.OperationContext, at *projections.Moment) *store.BoardQuery {
	if len(b.fields) == 0 {
		return nil
	}
	query := &store.BoardQuery{
		Now: at.Now, Tomorrow: at.Tomorrow(), Counts: b.counts,
		First: make(map[model.TaskBucket]int, len(bucketFields)),
	}
	sizes := core.Selection{Op: operation, Fields: b.fields}
	for i, field := range bucketFields {
		most := sizes.Most(field.name, model.DefaultPageSize)
		if b.compact {
			most = max(most, model.DefaultPageSize)
		}
		if most > 0 {
			query.First[field.bucket] = most
			query.Columns |= b.columns[i]
		}
	}
	return query
}

// taskWhere resolves everything relative in a filter. Absent, the filter asks for open tasks.
func taskWhere(filter *model.TaskFilter, at *projections.Moment) (store.TaskWhere, error) {
	open := false
	if filter == nil {
		return store.TaskWhere{Completed: &open}, nil
	}
	where := store.TaskWhere{Completed: filter.Completed}
	if filter.Category != nil {
		category := fold.Clean(*filter.Category)
		where.Category = &category
	}
	if filter.Type != nil {
		where.Type = *filter.Type
	}
	if filter.Group != nil {
		if filter.Type != nil || filter.Window != nil {
			return where, model.BadInput("filter.group", "a group says type and window already; leave them out")
		}
		narrowToGroup(&where, *filter.Group, at)
	}
	if filter.Search != nil {
		var err error
		if where.Search, err = core.SearchText(*filter.Search); err != nil {
			return where, err
		}
	}
	if filter.DueAfter != nil {
		where.DueFrom = when.Resolve(*filter.DueAfter, at.Zone)
	}
	if filter.DueBefore != nil {
		where.DueTo = when.Resolve(*filter.DueBefore, at.Zone)
	}
	if filter.Window != nil {
		bounds, err := when.Window(*filter.Window, at.Moment)
		if err != nil {
			return where, err
		}
		where.NoDueDate = bounds.NoDueDate
		notBefore(&where, bounds.From)
		notAfter(&where, bounds.To)
	}
	return where, nil
}

// narrowToGroup restricts a filter to a group of the board.
func narrowToGroup(where *store.TaskWhere, group model.TaskBucket, at *projections.Moment) {
	where.Type = model.TaskTypeReminder
	switch group {
	case model.BucketRecurring:
		where.Type = model.TaskTypeRecurring
	case model.BucketNoDueDate:
		where.Type = model.TaskTypeUnplanned
	case model.BucketOverdue:
		notAfter(where, at.Now)
	case model.BucketToday:
		notBefore(where, at.Now)
		notAfter(where, at.Tomorrow())
	case model.BucketUpcoming:
		notBefore(where, at.Tomorrow())
	}
}

func notBefore(where *store.TaskWhere, from time.Time) {
	if !from.IsZero() && from.After(where.DueFrom) {
		where.DueFrom = from
	}
}

func notAfter(where *store.TaskWhere, to time.Time) {
	if !to.IsZero() && (where.DueTo.IsZero() || to.Before(where.DueTo)) {
		where.DueTo = to
	}
}

// Categories answers categories.
func (r *Resolver) Categories(ctx context.Context, first *int32) ([]model.TaskCategory, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit, err := projections.PageSize("first", first, model.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	return r.Store.TaskCategories(ctx, v.User, limit)
}

// Task answers task(id).
func (r *Resolver) Task(ctx context.Context, text string) (*projections.Task, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	id, err := core.OwnID("id", text, model.KindTask)
	if err != nil {
		return nil, err
	}
	found, err := r.Store.TasksByID(ctx, v.User, []model.UUID{id}, core.Asked(ctx, TaskColumns))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, model.NotFound("id", "you have no task %s", text)
	}
	task := projections.TaskAt(found[0], v.Moment)
	return &task, nil
}

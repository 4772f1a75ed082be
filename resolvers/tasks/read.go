package tasks

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph/model"
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
		if full.Field == model.TaskOrderDueDate || full.Field == model.TaskOrderText {
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
	asked := core.Answered(ctx)
	query.Columns = TaskColumns(asked.Items("TaskEdge", "Task"))
	if asked.Has("nodes", "edges", "pageInfo", "compact") {
		query.Page = page
	}
	query.Total = asked.Has("totalCount") ||
		asked.Has("isEmpty", "context") && (query.Page == nil || page.After != nil || page.Before != nil)
	query.Board = boardQuery(asked, v.Moment)
	answer, err := r.Store.Tasks(ctx, v.User, query)
	if err != nil {
		return nil, err
	}
	return &projections.TaskConnection{
		Page: projections.Page[projections.Task]{
			Items: projections.TasksAt(answer.Tasks, v.Moment),
			Cursor: func(i int) string {
				place := answer.Places[i]
				return r.Sealer.Seal(purpose, v.User, core.EncodePlace(place.ID, place.At, place.Text))
			},
			HasNext: answer.HasNext, HasPrevious: answer.HasPrevious, Total: answer.Total,
		},
		Board: projections.BoardAt(answer.Board.Rows, answer.Board.Counts, v.Moment),
	}, nil
}

var bucketFields = map[string]model.TaskBucket{
	"overdue":   model.BucketOverdue,
	"today":     model.BucketToday,
	"upcoming":  model.BucketUpcoming,
	"recurring": model.BucketRecurring,
	"noDueDate": model.BucketNoDueDate,
}

// boardQuery is what the selection asks of the board, nil when it does not ask for it.
func boardQuery(asked core.Selection, at *projections.Moment) *store.BoardQuery {
	board := asked.Under("categorized", "TaskBoard")
	if len(board.Fields) == 0 {
		return nil
	}
	query := &store.BoardQuery{
		Now: at.Now, Tomorrow: at.Tomorrow(),
		Counts: board.Has("counts", "compact"),
		First:  make(map[model.TaskBucket]int),
	}
	for field, bucket := range bucketFields {
		most := board.Most(field, model.DefaultPageSize)
		if board.Has("compact") {
			most = max(most, model.DefaultPageSize)
		}
		if most > 0 {
			query.First[bucket] = most
			query.Columns |= TaskColumns(board.Under(field, "Task"))
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
		if !bounds.From.IsZero() && bounds.From.After(where.DueFrom) {
			where.DueFrom = bounds.From
		}
		if !bounds.To.IsZero() && (where.DueTo.IsZero() || bounds.To.Before(where.DueTo)) {
			where.DueTo = bounds.To
		}
	}
	return where, nil
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
	found, err := r.Store.TasksByID(ctx, v.User, []model.UUID{id}, TaskColumns(core.Answered(ctx)))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, model.NotFound("id", "you have no task %s", text)
	}
	task := projections.TaskAt(found[0], v.Moment)
	return &task, nil
}

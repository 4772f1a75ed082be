package tasks

import (
	"bytes"
	"context"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// moving changes nothing but what was changed already: the place.
func moving(v *core.Viewer) change {
	return func(task model.Task) (model.Task, model.Operation, *model.TaskCompletion, error) {
		task.UpdatedAt = v.Now
		return task, model.OperationUpdated, nil, nil
	}
}

// positionOf is the position that puts a task directly before or after another one of the viewer's; the task's own when
// it is named itself. NOT_FOUND when there is no such task, CONFLICT when the gap has no room any more.
func (r *Resolver) positionOf(ctx context.Context, tx store.Tx, v *core.Viewer, task model.Task,
	in graph.TaskPositionInput) (string, error) {
	field, text, order := "input.position.before", in.Before, model.Descending
	if text == nil {
		field, text, order = "input.position.after", in.After, model.Ascending
	}
	id, err := core.OwnID(field, *text, model.KindTask)
	if err != nil {
		return "", err
	}
	beside, err := tx.TasksByID(ctx, v.User, []model.UUID{id}, store.TaskPosition)
	if err != nil {
		return "", err
	}
	if len(beside) == 0 {
		return "", model.NotFound(field, "you have no task %s", model.ID{Kind: model.KindTask, UUID: id})
	}
	if id == task.ID {
		return task.Position, nil
	}
	// The nearest position beyond the neighbour's own, whatever the ids of tasks that share it.
	place := store.TaskPlace{Text: beside[0].Position}
	if order == model.Ascending {
		place.ID = model.UUID(bytes.Repeat([]byte{0xff}, len(place.ID)))
	}
	next, err := tx.Tasks(ctx, v.User, store.TaskQuery{
		Order:   model.TaskOrder{Field: model.TaskOrderPosition, Direction: order},
		Columns: store.TaskPosition, Page: &store.Window[store.TaskPlace]{Limit: 1, After: &place},
	})
	if err != nil {
		return "", err
	}
	after, before := beside[0].Position, ""
	if len(next.Tasks) > 0 {
		before = next.Tasks[0].Position
	}
	if order == model.Descending {
		after, before = before, after
	}
	if position := model.PositionBetween(after, before, r.NewID()); len(position) <= model.MaxPosition {
		return position, nil
	}
	e := model.Errorf(model.CodeConflict, "too much was moved to this place; put the task beside another one")
	e.Field = model.FieldPath(field)
	return "", e
}

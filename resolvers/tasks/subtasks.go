package tasks

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// AddSubtask adds a step to a task.
func (r *Resolver) AddSubtask(ctx context.Context, in graph.AddSubtaskInput) (*graph.AddSubtaskPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.AddSubtaskPayload{Context: noTask(), UserErrors: []model.UserError{}}
	step := model.Subtask{ID: r.NewID(), CreatedAt: v.Now}
	if step.Text, err = core.CleanText("input.text", in.Text, model.MaxTaskText); err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	meant, err := r.Meant(ctx, v, r.parentTarget(v, in))
	if out.Confirmation = meant.Question; err != nil || !meant.Clear() {
		return out, core.Refuse(&out.UserErrors, err)
	}
	if step.TaskID, err = core.OwnID(meant.Field, meant.IDs[0], model.KindTask); err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	var task model.Task
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		found, err := tx.TasksByID(ctx, v.User, []model.UUID{step.TaskID}, store.TaskSubtasks)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return model.NotFound(meant.Field, "you have no task %s", meant.IDs[0])
		}
		if len(found[0].Subtasks) >= model.MaxSubtasks {
			return model.BadInput(meant.Field, "a task has at most %d subtasks", model.MaxSubtasks)
		}
		if err := tx.SaveSubtasks(ctx, v.Now, []model.Subtask{step}, nil); err != nil {
			return err
		}
		task, err = r.touched(ctx, tx, v, step.TaskID)
		return err
	})
	if err != nil {
		r.GiveBack(ctx, v, meant, err)
		return out, core.Refuse(&out.UserErrors, err)
	}
	view := projections.SubtaskAt(step, v.Moment)
	out.Subtask = &view
	out.Task, out.Context = oneTask(task, v.Moment)
	return out, nil
}

// touched reads a task after its steps were changed, as the payload wants it.
func (r *Resolver) touched(ctx context.Context, tx store.Tx, v *core.Viewer, id model.UUID) (model.Task, error) {
	found, err := tx.TasksByID(ctx, v.User, []model.UUID{id}, payloadColumns(ctx, "task"))
	if err != nil {
		return model.Task{}, err
	}
	if len(found) == 0 {
		return model.Task{}, model.NotFound("input.id", "the task of this subtask is gone")
	}
	return found[0], nil
}

// subtask reads one step of the viewer's, which field names by this id.
func subtask(ctx context.Context, tx store.Tx, v *core.Viewer, field, text string) (model.Subtask, error) {
	id, err := core.OwnID(field, text, model.KindSubtask)
	if err != nil {
		return model.Subtask{}, err
	}
	found, err := tx.SubtasksByID(ctx, v.User, []model.UUID{id})
	if err != nil {
		return model.Subtask{}, err
	}
	if len(found) == 0 {
		return model.Subtask{}, model.NotFound(field, "you have no subtask %s", text)
	}
	return found[0], nil
}

// withStep reads one step of the viewer's, lets write change it in the same transaction, and returns it with its task
// as they are afterwards.
func (r *Resolver) withStep(ctx context.Context, v *core.Viewer, meant core.Meant, write func(ctx context.Context,
	tx store.Tx, step *model.Subtask) error) (step model.Subtask, task model.Task, err error) {
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		if step, err = subtask(ctx, tx, v, meant.Field, meant.IDs[0]); err != nil {
			return err
		}
		if err := write(ctx, tx, &step); err != nil {
			return err
		}
		task, err = r.touched(ctx, tx, v, step.TaskID)
		return err
	})
	r.GiveBack(ctx, v, meant, err)
	return step, task, err
}

// UpdateSubtask changes a step.
func (r *Resolver) UpdateSubtask(ctx context.Context,
	in graph.UpdateSubtaskInput) (*graph.UpdateSubtaskPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateSubtaskPayload{Context: noTask(), UserErrors: []model.UserError{}}
	if in.Text == nil && in.Completed == nil {
		return out, core.Refuse(&out.UserErrors, model.BadInput("input", "say what to change: text, completed or both"))
	}
	meant, err := r.Meant(ctx, v, r.stepTarget(v, in.ID, in.Target, in.Confirm))
	if out.Confirmation = meant.Question; err != nil || !meant.Clear() {
		return out, core.Refuse(&out.UserErrors, err)
	}
	step, task, err := r.withStep(ctx, v, meant, func(ctx context.Context, tx store.Tx, step *model.Subtask) error {
		if in.Text != nil {
			if step.Text, err = core.CleanText("input.text", *in.Text, model.MaxTaskText); err != nil {
				return err
			}
		}
		if in.Completed != nil {
			step.Completed = *in.Completed
		}
		return tx.SaveSubtasks(ctx, v.Now, []model.Subtask{*step}, nil)
	})
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	view := projections.SubtaskAt(step, v.Moment)
	out.Subtask = &view
	out.Task, out.Context = oneTask(task, v.Moment)
	return out, nil
}

// DeleteSubtask deletes a step.
func (r *Resolver) DeleteSubtask(ctx context.Context,
	in graph.DeleteSubtaskInput) (*graph.DeleteSubtaskPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteSubtaskPayload{Context: noTask(), UserErrors: []model.UserError{}}
	meant, err := r.Meant(ctx, v, r.stepTarget(v, in.ID, in.Target, in.Confirm))
	if out.Confirmation = meant.Question; err != nil || !meant.Clear() {
		return out, core.Refuse(&out.UserErrors, err)
	}
	step, task, err := r.withStep(ctx, v, meant, func(ctx context.Context, tx store.Tx, step *model.Subtask) error {
		return tx.SaveSubtasks(ctx, v.Now, nil, []model.Subtask{*step})
	})
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	view := projections.SubtaskAt(step, v.Moment)
	out.Deleted, out.DeletedID, out.Subtask = 1, core.DeletedID(model.KindSubtask, step.ID), &view
	out.Task, out.Context = oneTask(task, v.Moment)
	return out, nil
}

package tasks

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/resolvers/core"
)

// parentTarget is how addSubtask names the task.
func (r *Resolver) parentTarget(v *core.Viewer, in graph.AddSubtaskInput) core.Target {
	out := core.Target{
		Kind: model.KindTask, Naming: naming.Task, Field: "input.taskId", ID: in.TaskID, HasTarget: in.Target != nil,
		Confirm: in.Confirm,
	}
	if in.Target == nil {
		return out
	}
	if out.TargetID = in.Target.ID; in.Target.Match != nil {
		out.Texts = []core.Text{{Field: "input.target.match.text", Text: in.Target.Match.Text, Most: model.MaxTaskText}}
	}
	out.Candidates = func(ctx context.Context, _ string) ([]core.Choice, error) {
		tasks, err := r.taskNames(ctx, v.User)
		var all []core.Choice
		for _, task := range tasks.All() {
			all = append(all, core.Choice{ID: model.ID{Kind: model.KindTask, UUID: task.ID}.String(), Name: task.Text,
				Label: taskLabel(*task, v), Same: sameness(*task)})
		}
		return all, err
	}
	return out
}

// stepTarget is how a mutation names a subtask.
func (r *Resolver) stepTarget(v *core.Viewer, id *string, target *graph.SubtaskTargetInput,
	confirm *graph.ConfirmInput) core.Target {
	out := core.Target{
		Kind: model.KindSubtask, Naming: naming.Task, Field: "input.id", ID: id, HasTarget: target != nil,
		Confirm: confirm,
	}
	if target == nil {
		return out
	}
	if out.TargetID = target.ID; target.Match != nil {
		out.Texts = []core.Text{{Field: "input.target.match.text", Text: target.Match.Text, Most: model.MaxTaskText}}
		out.Candidates = func(ctx context.Context, _ string) ([]core.Choice, error) {
			return r.stepNames(ctx, v, target.Match.TaskID)
		}
	}
	return out
}

// stepNames reads what the subtasks of a task are called, or those of all open tasks, the newest task first.
func (r *Resolver) stepNames(ctx context.Context, v *core.Viewer, of *string) ([]core.Choice, error) {
	var ids []model.UUID
	if of != nil {
		id, err := core.OwnID("input.target.match.taskId", *of, model.KindTask)
		if err != nil {
			return nil, err
		}
		ids = []model.UUID{id}
	} else {
		open, err := r.taskNames(ctx, v.User)
		if err != nil {
			return nil, err
		}
		for _, task := range open.All() {
			ids = append(ids, task.ID)
		}
	}
	tasks, err := r.Store.TasksByID(ctx, v.User, ids, store.TaskText|store.TaskSubtasks)
	var all []core.Choice
	for _, task := range tasks {
		for _, step := range task.Subtasks {
			all = append(all, core.Choice{
				ID: model.ID{Kind: model.KindSubtask, UUID: step.ID}.String(), Name: step.Text,
				Label: step.Text + " · " + task.Text, Same: string(task.ID[:]) + fold.Text(step.Text),
			})
		}
	}
	return all, err
}

package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
	"context"
)

func (r *addSubtaskPayloadRoot) Compact(ctx context.Context, obj *graph.AddSubtaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *completeTaskPayloadRoot) Compact(ctx context.Context, obj *graph.CompleteTaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createTaskPayloadRoot) Compact(ctx context.Context, obj *graph.CreateTaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createTasksPayloadRoot) Compact(ctx context.Context, obj *graph.CreateTasksPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteSubtaskPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteSubtaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteTaskPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteTaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteTasksPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteTasksPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *mutationRoot) CreateTask(ctx context.Context, input graph.CreateTaskInput) (*graph.CreateTaskPayload, error) {
	return r.all.tasks.CreateTask(ctx, input)
}

func (r *mutationRoot) CreateTasks(ctx context.Context, input graph.CreateTasksInput) (*graph.CreateTasksPayload, error) {
	return r.all.tasks.CreateTasks(ctx, input)
}

func (r *mutationRoot) UpdateTask(ctx context.Context, input graph.UpdateTaskInput) (*graph.UpdateTaskPayload, error) {
	return r.all.tasks.UpdateTask(ctx, input)
}

func (r *mutationRoot) UpdateTasks(ctx context.Context, input graph.UpdateTasksInput) (*graph.UpdateTasksPayload, error) {
	return r.all.tasks.UpdateTasks(ctx, input)
}

func (r *mutationRoot) CompleteTask(ctx context.Context, input graph.CompleteTaskInput) (*graph.CompleteTaskPayload, error) {
	return r.all.tasks.CompleteTask(ctx, input)
}

func (r *mutationRoot) DeleteTask(ctx context.Context, input graph.DeleteTaskInput) (*graph.DeleteTaskPayload, error) {
	return r.all.tasks.DeleteTask(ctx, input)
}

func (r *mutationRoot) DeleteTasks(ctx context.Context, input graph.DeleteTasksInput) (*graph.DeleteTasksPayload, error) {
	return r.all.tasks.DeleteTasks(ctx, input)
}

func (r *mutationRoot) AddSubtask(ctx context.Context, input graph.AddSubtaskInput) (*graph.AddSubtaskPayload, error) {
	return r.all.tasks.AddSubtask(ctx, input)
}

func (r *mutationRoot) UpdateSubtask(ctx context.Context, input graph.UpdateSubtaskInput) (*graph.UpdateSubtaskPayload, error) {
	return r.all.tasks.UpdateSubtask(ctx, input)
}

func (r *mutationRoot) DeleteSubtask(ctx context.Context, input graph.DeleteSubtaskInput) (*graph.DeleteSubtaskPayload, error) {
	return r.all.tasks.DeleteSubtask(ctx, input)
}

func (r *queryRoot) Tasks(ctx context.Context, filter *model.TaskFilter, orderBy *model.TaskOrder, first *int32, after *string, last *int32, before *string) (*projections.TaskConnection, error) {
	return r.all.tasks.TaskConnection(ctx, filter, orderBy,
		core.PageArgs{First: first, After: after, Last: last, Before: before})
}

func (r *queryRoot) Categories(ctx context.Context, first int32) ([]model.TaskCategory, error) {
	return r.all.tasks.Categories(ctx, &first)
}

func (r *queryRoot) Task(ctx context.Context, id string) (*projections.Task, error) {
	return r.all.tasks.Task(ctx, id)
}

func (r *subscriptionRoot) TaskChanged(ctx context.Context, after *string) (<-chan *projections.TaskChange, error) {
	return r.all.tasks.TaskChanges(ctx, after)
}

func (r *taskBoardRoot) Compact(ctx context.Context, obj *projections.TaskBoard, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, obj.Row())
}

func (r *taskConnectionRoot) Compact(ctx context.Context, obj *projections.TaskConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, core.ShownPage(compact.KindTasks, obj.Page, projections.Task.Row))
}

func (r *updateSubtaskPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateSubtaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *updateTaskPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateTaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *updateTasksPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateTasksPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *Root) AddSubtaskPayload() graph.AddSubtaskPayloadResolver {
	return (*addSubtaskPayloadRoot)(r)
}

func (r *Root) CompleteTaskPayload() graph.CompleteTaskPayloadResolver {
	return (*completeTaskPayloadRoot)(r)
}

func (r *Root) CreateTaskPayload() graph.CreateTaskPayloadResolver {
	return (*createTaskPayloadRoot)(r)
}

func (r *Root) CreateTasksPayload() graph.CreateTasksPayloadResolver {
	return (*createTasksPayloadRoot)(r)
}

func (r *Root) DeleteSubtaskPayload() graph.DeleteSubtaskPayloadResolver {
	return (*deleteSubtaskPayloadRoot)(r)
}

func (r *Root) DeleteTaskPayload() graph.DeleteTaskPayloadResolver {
	return (*deleteTaskPayloadRoot)(r)
}

func (r *Root) DeleteTasksPayload() graph.DeleteTasksPayloadResolver {
	return (*deleteTasksPayloadRoot)(r)
}

func (r *Root) TaskBoard() graph.TaskBoardResolver { return (*taskBoardRoot)(r) }

func (r *Root) TaskConnection() graph.TaskConnectionResolver { return (*taskConnectionRoot)(r) }

func (r *Root) UpdateSubtaskPayload() graph.UpdateSubtaskPayloadResolver {
	return (*updateSubtaskPayloadRoot)(r)
}

func (r *Root) UpdateTaskPayload() graph.UpdateTaskPayloadResolver {
	return (*updateTaskPayloadRoot)(r)
}

func (r *Root) UpdateTasksPayload() graph.UpdateTasksPayloadResolver {
	return (*updateTasksPayloadRoot)(r)
}

type (
	addSubtaskPayloadRoot    Root
	completeTaskPayloadRoot  Root
	createTaskPayloadRoot    Root
	createTasksPayloadRoot   Root
	deleteSubtaskPayloadRoot Root
	deleteTaskPayloadRoot    Root
	deleteTasksPayloadRoot   Root
	taskBoardRoot            Root
	taskConnectionRoot       Root
	updateSubtaskPayloadRoot Root
	updateTaskPayloadRoot    Root
	updateTasksPayloadRoot   Root
)

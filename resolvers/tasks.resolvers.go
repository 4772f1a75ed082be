package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"context"
)

func (r *addSubtaskPayloadResolver) Compact(ctx context.Context, obj *graph.AddSubtaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, addSubtaskText(obj))
}

func (r *completeTaskPayloadResolver) Compact(ctx context.Context, obj *graph.CompleteTaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, completeTaskText(obj))
}

func (r *createTaskPayloadResolver) Compact(ctx context.Context, obj *graph.CreateTaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, createTaskText(obj))
}

func (r *createTasksPayloadResolver) Compact(ctx context.Context, obj *graph.CreateTasksPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, createTasksText(obj))
}

func (r *deleteSubtaskPayloadResolver) Compact(ctx context.Context, obj *graph.DeleteSubtaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, deleteSubtaskText(obj))
}

func (r *deleteTaskPayloadResolver) Compact(ctx context.Context, obj *graph.DeleteTaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, deleteTaskText(obj))
}

func (r *deleteTasksPayloadResolver) Compact(ctx context.Context, obj *graph.DeleteTasksPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, deleteTasksText(obj))
}

func (r *mutationResolver) CreateTask(ctx context.Context, input graph.CreateTaskInput) (*graph.CreateTaskPayload, error) {
	return r.createTask(ctx, input)
}

func (r *mutationResolver) CreateTasks(ctx context.Context, input graph.CreateTasksInput) (*graph.CreateTasksPayload, error) {
	return r.createTasks(ctx, input)
}

func (r *mutationResolver) UpdateTask(ctx context.Context, input graph.UpdateTaskInput) (*graph.UpdateTaskPayload, error) {
	return r.updateTask(ctx, input)
}

func (r *mutationResolver) UpdateTasks(ctx context.Context, input graph.UpdateTasksInput) (*graph.UpdateTasksPayload, error) {
	return r.updateTasks(ctx, input)
}

func (r *mutationResolver) CompleteTask(ctx context.Context, input graph.CompleteTaskInput) (*graph.CompleteTaskPayload, error) {
	return r.completeTask(ctx, input)
}

func (r *mutationResolver) DeleteTask(ctx context.Context, input graph.DeleteTaskInput) (*graph.DeleteTaskPayload, error) {
	return r.deleteTask(ctx, input)
}

func (r *mutationResolver) DeleteTasks(ctx context.Context, input graph.DeleteTasksInput) (*graph.DeleteTasksPayload, error) {
	return r.deleteTasks(ctx, input)
}

func (r *mutationResolver) AddSubtask(ctx context.Context, input graph.AddSubtaskInput) (*graph.AddSubtaskPayload, error) {
	return r.addSubtask(ctx, input)
}

func (r *mutationResolver) UpdateSubtask(ctx context.Context, input graph.UpdateSubtaskInput) (*graph.UpdateSubtaskPayload, error) {
	return r.updateSubtask(ctx, input)
}

func (r *mutationResolver) DeleteSubtask(ctx context.Context, input graph.DeleteSubtaskInput) (*graph.DeleteSubtaskPayload, error) {
	return r.deleteSubtask(ctx, input)
}

func (r *queryResolver) Tasks(ctx context.Context, filter *model.TaskFilter, orderBy *model.TaskOrder, first *int32, after *string, last *int32, before *string) (*projections.TaskConnection, error) {
	return r.taskConnection(ctx, filter, orderBy, pageArgs{first: first, after: after, last: last, before: before})
}

func (r *queryResolver) Task(ctx context.Context, id string) (*projections.Task, error) {
	return r.task(ctx, id)
}

func (r *subscriptionResolver) TaskChanged(ctx context.Context, after *string) (<-chan *projections.TaskChange, error) {
	return r.taskChanges(ctx, after)
}

func (r *taskBoardResolver) Compact(ctx context.Context, obj *projections.TaskBoard, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, obj.Row())
}

func (r *taskConnectionResolver) Compact(ctx context.Context, obj *projections.TaskConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, shownPage(compact.KindTasks, obj.Page, projections.Task.Row))
}

func (r *updateSubtaskPayloadResolver) Compact(ctx context.Context, obj *graph.UpdateSubtaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, updateSubtaskText(obj))
}

func (r *updateTaskPayloadResolver) Compact(ctx context.Context, obj *graph.UpdateTaskPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, updateTaskText(obj))
}

func (r *updateTasksPayloadResolver) Compact(ctx context.Context, obj *graph.UpdateTasksPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, updateTasksText(obj))
}

func (r *Resolver) AddSubtaskPayload() graph.AddSubtaskPayloadResolver {
	return &addSubtaskPayloadResolver{r}
}

func (r *Resolver) CompleteTaskPayload() graph.CompleteTaskPayloadResolver {
	return &completeTaskPayloadResolver{r}
}

func (r *Resolver) CreateTaskPayload() graph.CreateTaskPayloadResolver {
	return &createTaskPayloadResolver{r}
}

func (r *Resolver) CreateTasksPayload() graph.CreateTasksPayloadResolver {
	return &createTasksPayloadResolver{r}
}

func (r *Resolver) DeleteSubtaskPayload() graph.DeleteSubtaskPayloadResolver {
	return &deleteSubtaskPayloadResolver{r}
}

func (r *Resolver) DeleteTaskPayload() graph.DeleteTaskPayloadResolver {
	return &deleteTaskPayloadResolver{r}
}

func (r *Resolver) DeleteTasksPayload() graph.DeleteTasksPayloadResolver {
	return &deleteTasksPayloadResolver{r}
}

func (r *Resolver) TaskBoard() graph.TaskBoardResolver { return &taskBoardResolver{r} }

func (r *Resolver) TaskConnection() graph.TaskConnectionResolver { return &taskConnectionResolver{r} }

func (r *Resolver) UpdateSubtaskPayload() graph.UpdateSubtaskPayloadResolver {
	return &updateSubtaskPayloadResolver{r}
}

func (r *Resolver) UpdateTaskPayload() graph.UpdateTaskPayloadResolver {
	return &updateTaskPayloadResolver{r}
}

func (r *Resolver) UpdateTasksPayload() graph.UpdateTasksPayloadResolver {
	return &updateTasksPayloadResolver{r}
}

type (
	addSubtaskPayloadResolver    struct{ *Resolver }
	completeTaskPayloadResolver  struct{ *Resolver }
	createTaskPayloadResolver    struct{ *Resolver }
	createTasksPayloadResolver   struct{ *Resolver }
	deleteSubtaskPayloadResolver struct{ *Resolver }
	deleteTaskPayloadResolver    struct{ *Resolver }
	deleteTasksPayloadResolver   struct{ *Resolver }
	taskBoardResolver            struct{ *Resolver }
	taskConnectionResolver       struct{ *Resolver }
	updateSubtaskPayloadResolver struct{ *Resolver }
	updateTaskPayloadResolver    struct{ *Resolver }
	updateTasksPayloadResolver   struct{ *Resolver }
)

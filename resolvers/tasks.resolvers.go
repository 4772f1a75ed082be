package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"context"
)

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

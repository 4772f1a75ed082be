package resolvers

import (
	"slices"

	"almanac/graph"
	"almanac/projections"
	"almanac/projections/compact"
)

// What the mutations of tasks and their steps did, as the formatter of compact text sees it.

func createTaskText(p *graph.CreateTaskPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyOne("created", p.Task), tallyOne("duplicates", p.ExistingTask)},
		Rows:       slices.Concat(rowOf(p.Task, projections.Task.Row), rowOf(p.ExistingTask, projections.Task.Row)),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func createTasksText(p *graph.CreateTasksPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tally("created", p.Created)},
		Rows:       projections.Rows(p.Tasks, projections.Task.Row),
		Errors:     problemsOf(p.Errors),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func updateTaskText(p *graph.UpdateTaskPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tallyOne("updated", p.Task)},
		Rows:         rowOf(p.Task, projections.Task.Row),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func updateTasksText(p *graph.UpdateTasksPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tally("updated", p.Updated)},
		Rows:         projections.Rows(p.Tasks, projections.Task.Row),
		Errors:       problemsOf(p.Errors),
		NotFound:     p.NotFound,
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func completeTaskText(p *graph.CompleteTaskPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tallyOne("completed", p.Completion)},
		Rows:         rowOf(p.Task, projections.Task.Row),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func deleteTaskText(p *graph.DeleteTaskPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tally("deleted", p.Deleted)},
		Rows:         rowOf(p.Task, projections.Task.Row),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func deleteTasksText(p *graph.DeleteTasksPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{tally("deleted", p.Deleted)},
		Rows:         projections.Rows(p.Tasks, projections.Task.Row),
		Errors:       problemsOf(p.Errors),
		NotFound:     p.NotFound,
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   userErrorsOf(p.UserErrors),
	}
}

func addSubtaskText(p *graph.AddSubtaskPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyOne("created", p.Subtask)},
		Rows:       slices.Concat(rowOf(p.Subtask, projections.Subtask.Row), rowOf(p.Task, projections.Task.Row)),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func updateSubtaskText(p *graph.UpdateSubtaskPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tallyOne("updated", p.Subtask)},
		Rows:       slices.Concat(rowOf(p.Subtask, projections.Subtask.Row), rowOf(p.Task, projections.Task.Row)),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

func deleteSubtaskText(p *graph.DeleteSubtaskPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{tally("deleted", p.Deleted)},
		Rows:       slices.Concat(rowOf(p.Subtask, projections.Subtask.Row), rowOf(p.Task, projections.Task.Row)),
		UserErrors: userErrorsOf(p.UserErrors),
	}
}

package tasks

import (
	"slices"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
)

// itemSteps are what came of the steps of updateListItems: items that were changed, and why others were not.
func itemSteps(p *graph.UpdateListItemsPayload) (done int, problems []compact.Problem) {
	for _, outcome := range p.Outcomes {
		if outcome.Status == model.ItemDone {
			done++
		}
		if outcome.Code == nil {
			continue
		}
		problem := compact.Problem{Index: outcome.Index, Code: *outcome.Code}
		if outcome.Message != nil {
			problem.Message = *outcome.Message
		}
		problems = append(problems, problem)
	}
	return done, problems
}

// What the mutations of tasks and their steps did, as the formatter of compact text sees it.

// CreateTaskText is the payload as compact text shows it.
func CreateTaskText(p *graph.CreateTaskPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyOne("created", p.Task), core.TallyOne("duplicates", p.ExistingTask)},
		Rows:       slices.Concat(core.RowOf(p.Task, projections.Task.Row), core.RowOf(p.ExistingTask, projections.Task.Row)),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// CreateTasksText is the payload as compact text shows it.
func CreateTasksText(p *graph.CreateTasksPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.Tally("created", p.Created)},
		Rows:       projections.Rows(p.Tasks, projections.Task.Row),
		Errors:     core.ProblemsOf(p.Errors),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// UpdateTaskText is the payload as compact text shows it.
func UpdateTaskText(p *graph.UpdateTaskPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.TallyOne("updated", p.Task)},
		Rows:         core.RowOf(p.Task, projections.Task.Row),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

// UpdateTasksText is the payload as compact text shows it.
func UpdateTasksText(p *graph.UpdateTasksPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.Tally("updated", p.Updated)},
		Rows:         projections.Rows(p.Tasks, projections.Task.Row),
		Errors:       core.ProblemsOf(p.Errors),
		NotFound:     p.NotFound,
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

// CompleteTaskText is the payload as compact text shows it.
func CompleteTaskText(p *graph.CompleteTaskPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.TallyOne("completed", p.Completion)},
		Rows:         core.RowOf(p.Task, projections.Task.Row),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

// DeleteTaskText is the payload as compact text shows it.
func DeleteTaskText(p *graph.DeleteTaskPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.Tally("deleted", p.Deleted)},
		Rows:         core.RowOf(p.Task, projections.Task.Row),
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

// DeleteTasksText is the payload as compact text shows it.
func DeleteTasksText(p *graph.DeleteTasksPayload) compact.Payload {
	return compact.Payload{
		Counts:       []compact.Count{core.Tally("deleted", p.Deleted)},
		Rows:         projections.Rows(p.Tasks, projections.Task.Row),
		Errors:       core.ProblemsOf(p.Errors),
		NotFound:     p.NotFound,
		Confirmation: p.Confirmation.Row(false),
		UserErrors:   core.UserErrorsOf(p.UserErrors),
	}
}

// AddSubtaskText is the payload as compact text shows it.
func AddSubtaskText(p *graph.AddSubtaskPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyOne("created", p.Subtask)},
		Rows:       slices.Concat(core.RowOf(p.Subtask, projections.Subtask.Row), core.RowOf(p.Task, projections.Task.Row)),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// UpdateSubtaskText is the payload as compact text shows it.
func UpdateSubtaskText(p *graph.UpdateSubtaskPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.TallyOne("updated", p.Subtask)},
		Rows:       slices.Concat(core.RowOf(p.Subtask, projections.Subtask.Row), core.RowOf(p.Task, projections.Task.Row)),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

// DeleteSubtaskText is the payload as compact text shows it.
func DeleteSubtaskText(p *graph.DeleteSubtaskPayload) compact.Payload {
	return compact.Payload{
		Counts:     []compact.Count{core.Tally("deleted", p.Deleted)},
		Rows:       slices.Concat(core.RowOf(p.Subtask, projections.Subtask.Row), core.RowOf(p.Task, projections.Task.Row)),
		UserErrors: core.UserErrorsOf(p.UserErrors),
	}
}

package tasks

import (
	"errors"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// changedMeanwhile is the refusal to change a task that is not what the client has seen.
type changedMeanwhile struct {
	refusal *model.Error
	task    model.Task
}

func (c changedMeanwhile) Error() string { return c.refusal.Error() }

// Unwrap returns the error that is shown.
func (c changedMeanwhile) Unwrap() error { return c.refusal }

// hasVersion is CONFLICT, with the task as it is, unless it has the version that is asked for; nil asks for none.
func hasVersion(task model.Task, want *string) error {
	now := projections.TaskVersion(task)
	if want == nil || *want == now {
		return nil
	}
	e := model.Errorf(model.CodeConflict, "the task has been changed: its version is %s now; look at it again", now)
	e.Field = model.FieldPath("input.ifVersion")
	return changedMeanwhile{refusal: e, task: task}
}

// shownAsItIs is the task that a refusal was about, if it was refused for its version.
func shownAsItIs(err error, v *core.Viewer) (*projections.Task, *projections.TaskContext) {
	var refused changedMeanwhile
	if !errors.As(err, &refused) {
		return nil, noTask()
	}
	return oneTask(refused.task, v.Moment)
}

package summary

import (
	"almanac/graph/model"
	"almanac/projections/when"
)

// ofTask says what became of a task; before is nil for a new one.
func ofTask(before, after *model.Task, m when.Moment) []phrase {
	at := func(task *model.Task) string { return when.FormatShort(task.DueAt, m) }
	if before == nil {
		if after.DueAt.IsZero() {
			return []phrase{{verb: "task added", name: after.Text}}
		}
		return []phrase{{verb: "task added for", name: after.Text, at: after.DueAt}}
	}
	var said []phrase
	done := len(after.Completions) - len(before.Completions)
	switch {
	case done > 0 && after.CompletedAt.IsZero():
		occurrence := after.Completions[len(after.Completions)-1].Occurrence
		said = append(said, phrase{verb: "occurrence completed", name: after.Text,
			rest: []string{when.FormatShort(occurrence, m), when.FormatShort(after.NextReminderAt, m)}})
	case done > 0, before.CompletedAt.IsZero() && !after.CompletedAt.IsZero():
		said = append(said, phrase{verb: "task completed", name: after.Text})
	case done < 0, !before.CompletedAt.IsZero() && after.CompletedAt.IsZero():
		said = append(said, phrase{verb: "task reopened", name: after.Text})
	case before.DueAt.Equal(after.DueAt):
	case before.DueAt.IsZero():
		said = append(said, phrase{verb: "task dated", name: after.Text, rest: []string{at(after)}})
	case after.DueAt.IsZero():
		said = append(said, phrase{verb: "task undated", name: after.Text, rest: []string{at(before)}})
	default:
		said = append(said, phrase{verb: "task moved", name: after.Text, rest: []string{at(before), at(after)}})
	}
	if before.Text != after.Text {
		said = append(said, phrase{verb: "task renamed", name: before.Text, rest: []string{after.Text}})
	}
	if before.Category != after.Category {
		if after.Category == "" {
			said = append(said, phrase{verb: "task uncategorized", name: after.Text, rest: []string{before.Category}})
		} else {
			said = append(said, phrase{verb: "task categorized", name: after.Text, rest: []string{after.Category}})
		}
	}
	if before.Position != after.Position {
		said = append(said, phrase{verb: "task placed", name: after.Text})
	}
	said = append(said, ofSubtasks(before, after)...)
	if len(said) == 0 { // reminder or recurrence
		said = append(said, phrase{verb: "task changed", name: after.Text})
	}
	return said
}

// ofSubtasks says what became of a task's steps.
func ofSubtasks(before, after *model.Task) (said []phrase) {
	was := make(map[model.UUID]model.Subtask, len(before.Subtasks))
	for _, step := range before.Subtasks {
		was[step.ID] = step
	}
	for _, step := range after.Subtasks {
		old, known := was[step.ID]
		delete(was, step.ID)
		if !known {
			said = append(said, phrase{verb: "step added", name: step.Text, rest: []string{after.Text}})
			continue
		}
		if old.Text != step.Text {
			said = append(said, phrase{verb: "step renamed", name: old.Text, rest: []string{step.Text, after.Text}})
		}
		switch {
		case step.Completed && !old.Completed:
			said = append(said, phrase{verb: "step completed", name: step.Text, rest: []string{after.Text}})
		case old.Completed && !step.Completed:
			said = append(said, phrase{verb: "step reopened", name: step.Text, rest: []string{after.Text}})
		}
	}
	for _, step := range before.Subtasks {
		if _, gone := was[step.ID]; gone {
			said = append(said, phrase{verb: "step deleted", name: step.Text, rest: []string{after.Text}})
		}
	}
	return said
}

package tasks

import (
	"almanac/adapters/store"
	"almanac/resolvers/core"
)

// TaskColumns are the columns that the fields asked of a task need.
func TaskColumns(s core.Selection) store.TaskColumns {
	var columns store.TaskColumns
	for _, field := range s.Fields {
		columns |= store.TaskColumnsFor(field.Name)
	}
	for _, field := range s.Under("itemContext", "TaskItemContext").Fields {
		columns |= store.TaskColumnsFor(field.Name)
	}
	if s.Compact {
		columns |= store.TaskText | store.TaskCategory | store.TaskDueAt | store.TaskReminder | store.TaskRecurrence |
			store.TaskCompletedAt | store.TaskSubtasks
	}
	return columns
}

// ListColumns are the columns that the fields asked of a list need.
func ListColumns(s core.Selection) store.ListColumns {
	var columns store.ListColumns
	for _, field := range s.Fields {
		columns |= store.ListColumnsFor(field.Name)
	}
	if s.Compact {
		columns |= store.ListName | store.ListIsChecklist | store.ListItems
	}
	return columns
}

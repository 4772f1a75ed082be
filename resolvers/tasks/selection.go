package tasks

import (
	"almanac/adapters/store"
	"almanac/resolvers/core"
)

var taskFieldColumns = map[string]store.TaskColumns{
	"text":             store.TaskText,
	"category":         store.TaskCategory,
	"dueDate":          store.TaskDueAt,
	"dueDateFormatted": store.TaskDueAt,
	"reminder":         store.TaskReminder,
	"recurrence":       store.TaskRecurrence,
	"nextReminderAt":   store.TaskNextReminderAt,
	"nudgeCount":       store.TaskNudgeCount,
	"completed":        store.TaskCompletedAt,
	"completedAt":      store.TaskCompletedAt,
	"createdAt":        store.TaskCreatedAt,
	"updatedAt":        store.TaskUpdatedAt,
	"subtasks":         store.TaskSubtasks,
	"completions":      store.TaskCompletions,
	// of itemContext
	"isReminder":        store.TaskDueAt,
	"isTask":            store.TaskDueAt,
	"isOverdue":         store.TaskDueAt,
	"isToday":           store.TaskDueAt,
	"isTomorrowOrLater": store.TaskDueAt,
	"hasDueDate":        store.TaskDueAt,
	"isRecurring":       store.TaskRecurrence,
	"isNudge":           store.TaskRecurrence,
}

// TaskColumns are the columns that the fields asked of a task need.
func TaskColumns(s core.Selection) store.TaskColumns {
	var columns store.TaskColumns
	for _, field := range s.Fields {
		columns |= taskFieldColumns[field.Name]
	}
	for _, field := range s.Under("itemContext", "TaskItemContext").Fields {
		columns |= taskFieldColumns[field.Name]
	}
	if s.Compact {
		columns |= store.TaskText | store.TaskCategory | store.TaskDueAt | store.TaskReminder | store.TaskRecurrence |
			store.TaskCompletedAt | store.TaskSubtasks
	}
	return columns
}

var listFieldColumns = map[string]store.ListColumns{
	"name":        store.ListName,
	"isChecklist": store.ListIsChecklist,
	"items":       store.ListItems,
	"createdAt":   store.ListCreatedAt,
	"updatedAt":   store.ListUpdatedAt,
}

// ListColumns are the columns that the fields asked of a list need.
func ListColumns(s core.Selection) store.ListColumns {
	var columns store.ListColumns
	for _, field := range s.Fields {
		columns |= listFieldColumns[field.Name]
	}
	if s.Compact {
		columns |= store.ListName | store.ListIsChecklist | store.ListItems
	}
	return columns
}

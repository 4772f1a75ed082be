package tasks

import (
	"almanac/adapters/store"
	"almanac/resolvers/core"
)

// TaskColumns are the columns that the fields asked of a task need.
func TaskColumns(s core.Selection) store.TaskColumns {
	return core.Columns(s, "TaskItemContext", store.TaskColumnsFor)
}

// ListColumns are the columns that the fields asked of a list need.
func ListColumns(s core.Selection) store.ListColumns {
	return core.Columns(s, "", store.ListColumnsFor)
}

package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// selection is the set of fields asked for at one place of the document, fragments merged.
type selection struct {
	op     *graphql.OperationContext
	fields []graphql.CollectedField
	// compact: these stand below something whose compact text is asked for, which shows columns of them that nobody
	// selects.
	compact bool
}

// typesOf names the object type with the interfaces it implements, for fragments on either.
func typesOf(object string) []string {
	switch object {
	case "Task", "Subtask", "List", "ListItem", "Memory", "Entity", "Fact", "Episode", "Event", "Calendar", "Email",
		"EmailThread", "EmailPreview",
		"Webset", "WebsetSearch", "WebsetItem", "WebsetEnrichment", "WebsetMonitor", "WebsetMonitorRun", "WebsetWebhook",
		"WebsetImport", "WebsetEvent", "Research":
		return []string{object, "Node"}
	default:
		return []string{object}
	}
}

// selected gives what is asked for below the field being resolved, which gives the object type named.
func selected(ctx context.Context, object string) selection {
	return selection{op: graphql.GetOperationContext(ctx), fields: graphql.CollectFieldsCtx(ctx, typesOf(object))}
}

// answered gives what is asked for below the field being resolved, by the object type that the schema gives it.
func answered(ctx context.Context) selection {
	return selected(ctx, graphql.GetFieldContext(ctx).Field.Definition.Type.Name())
}

// under merges what is asked for below every field of that name (a field may come several times, under aliases).
func (s selection) under(name, object string) selection {
	out := selection{op: s.op, compact: s.compact || s.has("compact")}
	for _, field := range s.fields {
		if field.Name == name {
			out.fields = append(out.fields, graphql.CollectFields(s.op, field.Selections, typesOf(object))...)
		}
	}
	return out
}

// has tells whether any of the fields is asked for.
func (s selection) has(names ...string) bool {
	for _, field := range s.fields {
		for _, name := range names {
			if field.Name == name {
				return true
			}
		}
	}
	return false
}

// most gives the greatest page size that any field of that name asks for, 0 when none is there. A size out of bounds
// counts as the bound: the field itself refuses it.
func (s selection) most(name string, byDefault int) int {
	greatest := 0
	for _, field := range s.fields {
		if field.Name != name {
			continue
		}
		size := byDefault
		if given, ok := field.ArgumentMap(s.op.Variables)["first"]; ok && given != nil {
			if n, err := graphql.UnmarshalInt(given); err == nil {
				size = min(max(n, 1), model.MaxPageSize)
			}
		}
		greatest = max(greatest, size)
	}
	return greatest
}

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

// taskColumns are the columns that the fields asked of a task need.
func (s selection) taskColumns() store.TaskColumns {
	var columns store.TaskColumns
	for _, field := range s.fields {
		columns |= taskFieldColumns[field.Name]
	}
	for _, field := range s.under("itemContext", "TaskItemContext").fields {
		columns |= taskFieldColumns[field.Name]
	}
	if s.compact {
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

// listColumns are the columns that the fields asked of a list need.
func (s selection) listColumns() store.ListColumns {
	var columns store.ListColumns
	for _, field := range s.fields {
		columns |= listFieldColumns[field.Name]
	}
	if s.compact {
		columns |= store.ListName | store.ListIsChecklist | store.ListItems
	}
	return columns
}

// items merges what a connection's selection asks of its items, through nodes and through edges.
func (s selection) items(edge, object string) selection {
	out := s.under("nodes", object)
	throughEdges := s.under("edges", edge).under("node", object)
	out.fields = append(out.fields, throughEdges.fields...)
	return out
}

package projections

import (
	"almanac/graph/model"
	"almanac/projections/compact"
)

// PayloadRows returns the rows of a payload's field that holds views, one or a list; none for a nil pointer and for
// fields of other types.
func PayloadRows(field any) []compact.Row {
	switch views := field.(type) {
	case *Task:
		return rowOf(views, Task.Row)
	case []Task:
		return Rows(views, Task.Row)
	case *Subtask:
		return rowOf(views, Subtask.Row)
	case *List:
		return rowOf(views, List.Row)
	case *Event:
		return rowOf(views, Event.Row)
	case []Event:
		return Rows(views, Event.Row)
	case *Memory:
		return rowOf(views, Memory.Row)
	case []Memory:
		return Rows(views, Memory.Row)
	case *Action:
		return rowOf(views, Action.Row)
	case *EmailPreview:
		return rowOf(views, EmailPreview.Row)
	case *Entity:
		return rowOf(views, Entity.Row)
	case []Fact:
		return Rows(views, Fact.Row)
	case *Episode:
		return rowOf(views, Episode.Row)
	case *Email:
		return rowOf(views, func(e Email) compact.Email { return e.Row(0) }) // without its body, which its writer knows
	case *Webset:
		return rowOf(views, Webset.Row)
	case *WebsetSearch:
		return rowOf(views, WebsetSearch.Row)
	case *WebsetEnrichment:
		return rowOf(views, WebsetEnrichment.Row)
	case *WebsetItem:
		return rowOf(views, WebsetItem.Row)
	case *WebsetMonitor:
		return rowOf(views, WebsetMonitor.Row)
	case *WebsetWebhook:
		return rowOf(views, WebsetWebhook.Row)
	case *WebsetImport:
		return rowOf(views, WebsetImport.Row)
	case *Research:
		return rowOf(views, Research.Row)
	}
	return nil
}

func rowOf[V any, R compact.Row](view *V, row func(V) R) []compact.Row {
	if view == nil {
		return nil
	}
	return []compact.Row{row(*view)}
}

// CompactUserErrors returns user errors as compact text shows them.
func CompactUserErrors(errors []model.UserError) []compact.UserError {
	out := make([]compact.UserError, len(errors))
	for i, e := range errors {
		out[i] = compact.UserError{Code: e.Code, Message: e.Message, Field: e.Field}
	}
	return out
}

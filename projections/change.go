package projections

import (
	"almanac/graph/model"
	"almanac/projections/compact"
)

// Change is one line of the change log as seen at a moment.
type Change struct {
	view[model.Change]
	node   model.Node
	cursor string
}

// ChangeAt returns the line's view; node is the thing as it is now, nil when there is none.
func ChangeAt(record model.Change, node model.Node, cursor string, at *Moment) Change {
	return Change{view[model.Change]{record, at}, node, cursor}
}

// Cursor is the line's place in the log.
func (c Change) Cursor() string { return c.cursor }

// Type is the kind of thing that changed.
func (c Change) Type() model.ChangeType { return c.record.Type }

// Operation is what happened to it.
func (c Change) Operation() model.Operation { return c.record.Operation }

// ID is the thing's public id.
func (c Change) ID() model.ID { return ChangedID(c.record) }

// At is when it happened.
func (c Change) At() model.DateTime { return c.at.DateTime(c.record.At) }

// Node is the thing as it is now.
func (c Change) Node() model.Node { return c.node }

// Row is the line of the change log for compact text.
func (c Change) Row() compact.Change {
	return compact.Change{Type: c.record.Type, Operation: c.record.Operation, ID: c.ID().String(),
		At: rowTime(c.at.OptionalDateTime(c.record.At))}
}

// ChangedID is the public id of what a line of the log is about.
func ChangedID(line model.Change) model.ID {
	kind := kindOf(line.Type)
	if line.Remote != "" && kind != model.KindUser {
		return model.RemoteID(kind, line.Remote)
	}
	return model.ID{Kind: kind, UUID: line.ID}
}

func kindOf(t model.ChangeType) model.Kind {
	switch t {
	case model.ChangeTask:
		return model.KindTask
	case model.ChangeList:
		return model.KindList
	case model.ChangeMemory:
		return model.KindMemory
	case model.ChangeEntity:
		return model.KindEntity
	case model.ChangeFact:
		return model.KindFact
	case model.ChangeEpisode:
		return model.KindEpisode
	case model.ChangeEvent:
		return model.KindEvent
	case model.ChangeEmail:
		return model.KindEmail
	case model.ChangeWebset:
		return model.KindWebset
	case model.ChangeWebsetItem:
		return model.KindWebsetItem
	case model.ChangeMonitor:
		return model.KindMonitor
	case model.ChangeWebsetImport:
		return model.KindWebsetImport
	case model.ChangeConnection:
		return model.KindConnection
	case model.ChangeAction:
		return model.KindAction
	default:
		return model.KindUser
	}
}

// ChangeEdge is a change in a page.
type ChangeEdge = Edge[Change]

// ChangeConnection is a page of the change log.
type ChangeConnection struct {
	Page[Change]
	LatestCursor string
}

// TaskChange is a change of a task.
type TaskChange struct {
	Change
	// Task is the task as it is now; nil when it has been deleted.
	Task *Task
}

// ListChange is a change of a list.
type ListChange struct {
	Change
	// List is the list as it is now; nil when it has been deleted.
	List *List
}

// EventChange is a change of an event.
type EventChange struct {
	Change
	// Event is the event as it is now; nil when it has been deleted, or cannot be read at the moment.
	Event *Event
}

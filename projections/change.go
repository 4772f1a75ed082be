package projections

import (
	"almanac/graph/model"
	"almanac/projections/compact"
)

// Change is a change in the log as seen at a moment.
type Change struct {
	node[model.Change]
	user    model.UserID
	changed model.Node
	cursor  string
}

// ChangeAt returns the view of a user's change; changed is the record as it is now, nil when there is none.
func ChangeAt(user model.UserID, record model.Change, changed model.Node, cursor string, at *Moment) Change {
	return Change{nodeAt(record, at), user, changed, cursor}
}

// ID is the change's own id.
func (c Change) ID() model.ID { return c.idAs(model.FormChange) }

func (c Change) idAs(form model.ChangeForm) model.ID {
	return model.ChangeID(c.user, form, c.record.Seq)
}

// Cursor is its place in the log.
func (c Change) Cursor() string { return c.cursor }

// Type is the type of the record that changed.
func (c Change) Type() string { return string(c.record.Type) }

// Operation is what happened to it.
func (c Change) Operation() model.Operation { return c.record.Operation }

// NodeID is the public id of the record that changed.
func (c Change) NodeID() model.ID { return ChangedID(c.record) }

// At is when it happened.
func (c Change) At() model.DateTime { return c.at.DateTime(c.record.At) }

// Node is the record as it is now.
func (c Change) Node() model.Node { return c.changed }

// Row is the change for compact text.
func (c Change) Row() compact.Change {
	return compact.Change{Type: c.record.Type, Operation: c.record.Operation, ID: c.NodeID().String(),
		At: rowTime(c.at.OptionalDateTime(c.record.At))}
}

// ChangedID is the public id of the record that a change is about.
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
	case model.ChangeCalendar:
		return model.KindCalendar
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
	case model.ChangeHook:
		return model.KindHook
	case model.ChangePush:
		return model.KindPush
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

// ID is the id of this change.
func (c TaskChange) ID() model.ID { return c.idAs(model.FormTask) }

// ListChange is a change of a list.
type ListChange struct {
	Change
	// List is the list as it is now; nil when it has been deleted.
	List *List
}

// ID is the id of this change.
func (c ListChange) ID() model.ID { return c.idAs(model.FormList) }

// EventChange is a change of an event.
type EventChange struct {
	Change
	// Event is the event as it is now; nil when it has been deleted, or cannot be read at the moment.
	Event *Event
}

// ID is the id of this change.
func (c EventChange) ID() model.ID { return c.idAs(model.FormEvent) }

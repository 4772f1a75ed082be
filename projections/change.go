package projections

import "almanac/graph/model"

// Change is one line of the change log as seen at a moment.
type Change struct {
	noun   model.Change
	node   model.Node
	cursor string
	at     *Moment
}

// ChangeAt gives the line's view; node is the thing as it is now, nil when there is none.
func ChangeAt(noun model.Change, node model.Node, cursor string, at *Moment) Change {
	return Change{noun: noun, node: node, cursor: cursor, at: at}
}

// Cursor is the line's place in the log.
func (c Change) Cursor() string { return c.cursor }

// Type is the kind of thing that changed.
func (c Change) Type() model.ChangeType { return c.noun.Type }

// Operation is what happened to it.
func (c Change) Operation() model.Operation { return c.noun.Operation }

// ID is the thing's public id.
func (c Change) ID() model.ID { return model.ID{Kind: kindOf(c.noun.Type), UUID: c.noun.ID} }

// At is when it happened.
func (c Change) At() model.DateTime { return c.at.DateTime(c.noun.At) }

// Node is the thing as it is now.
func (c Change) Node() model.Node { return c.node }

func kindOf(t model.ChangeType) model.Kind {
	switch t {
	case model.ChangeTask:
		return model.KindTask
	case model.ChangeList:
		return model.KindList
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

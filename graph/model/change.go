package model

import "time"

// ChangeType is what kind of thing changed.
type ChangeType string

// A change of a subtask is a change of its task, a change of an item one of its list.
const (
	ChangeTask    ChangeType = "TASK"
	ChangeList    ChangeType = "LIST"
	ChangeMemory  ChangeType = "MEMORY"
	ChangeEntity  ChangeType = "ENTITY"
	ChangeFact    ChangeType = "FACT"
	ChangeEpisode ChangeType = "EPISODE"
	// ChangeKnowledge: the knowledge graph was cleared. Its UUID is the user's.
	ChangeKnowledge ChangeType = "KNOWLEDGE"
	ChangeSettings  ChangeType = "SETTINGS"
	ChangeEvent     ChangeType = "EVENT"
	ChangeEmail     ChangeType = "EMAIL"
	// ChangeWebset: a webset, or something in it that is no item, changed at the remote. ChangeMonitor stands for its runs
	// too.
	ChangeWebset       ChangeType = "WEBSET"
	ChangeWebsetItem   ChangeType = "WEBSET_ITEM"
	ChangeMonitor      ChangeType = "WEBSET_MONITOR"
	ChangeWebsetImport ChangeType = "WEBSET_IMPORT"
	// ChangeConnection: an account was linked, unlinked, or has expired. Its UUID is the connection's.
	ChangeConnection ChangeType = "CONNECTION"
	// ChangeAction: something was done, or undone.
	ChangeAction ChangeType = "ACTION"
)

// Operation is what happened to it.
type Operation string

// REMINDED: a reminder fired; COMPLETED: a task, or one occurrence of it, was completed.
const (
	OperationCreated   Operation = "CREATED"
	OperationUpdated   Operation = "UPDATED"
	OperationDeleted   Operation = "DELETED"
	OperationCompleted Operation = "COMPLETED"
	OperationReminded  Operation = "REMINDED"
)

// Change is one line of a user's change log.
type Change struct {
	// Seq counts a user's changes from 1, without gaps, in the order in which they were committed.
	Seq       int64
	Type      ChangeType
	ID        UUID
	Operation Operation
	At        time.Time
	// Remote is the reference of a remote record, of which ID is derived (see RemoteID); empty for records of Almanac.
	Remote string
	// Version is the remote record's version after the change, by which an echo of our own write is known; empty for none.
	Version string
}

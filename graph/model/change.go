package model

import (
	"crypto/sha256"
	"encoding/binary"
	"time"
)

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
	// ChangeCalendar: a kept calendar was made, changed or deleted.
	ChangeCalendar ChangeType = "CALENDAR"
	ChangeEmail    ChangeType = "EMAIL"
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
	// ChangeHook and ChangePush: a webhook, or a browser's subscription, was made, changed, turned off or deleted.
	ChangeHook ChangeType = "WEBHOOK"
	ChangePush ChangeType = "PUSH_SUBSCRIPTION"
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

// ChangeForm is the type of the schema as which a change is shown. Each has ids of its own, so that a client that keeps
// records by id never takes one for another.
type ChangeForm byte

// The forms: Change, and those of the subscriptions. The numbers are part of ids.
const (
	FormChange ChangeForm = iota
	FormTask
	FormList
	FormMemory
	FormEvent
	FormKnowledge
	FormWebset
	FormArrival
)

// changeOwner is how many bytes of a change's id stand for the user, between the form and the sequence number.
const changeOwner = 7

// ChangeID is the id of a user's change as shown in a form. Nothing is kept for it: it is made of the three.
func ChangeID(user UserID, form ChangeForm, seq int64) ID {
	var id UUID
	sum := sha256.Sum256(append([]byte("almanac change\x00"), user[:]...))
	id[0] = byte(form)
	copy(id[1:1+changeOwner], sum[:])
	binary.BigEndian.PutUint64(id[1+changeOwner:], uint64(seq))
	return ID{Kind: KindChange, UUID: id}
}

// ChangeOf returns the form and the sequence number of a change's id; ok is false when it is none of this user's.
func ChangeOf(user UserID, id UUID) (form ChangeForm, seq int64, ok bool) {
	form, seq = ChangeForm(id[0]), int64(binary.BigEndian.Uint64(id[1+changeOwner:]))
	return form, seq, form <= FormArrival && seq > 0 && ChangeID(user, form, seq).UUID == id
}

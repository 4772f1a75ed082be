package model

import "time"

// ActionSource is the way in which a mutation came.
type ActionSource string

// The ways. AGENT is the sentence of agentChat and /agent/chat, MCP a tool of /mcp.
const (
	SourceGraphQL ActionSource = "GRAPHQL"
	SourceAgent   ActionSource = "AGENT"
	SourceMCP     ActionSource = "MCP"
	// SourceCommand is the owner's program; only entries of the audit log have it.
	SourceCommand ActionSource = "COMMAND"
)

// Action is what one mutation has done. Optional times and ids are zero for none.
type Action struct {
	ID UUID
	At time.Time
	// Kind is the mutation's name: "deleteTask".
	Kind   string
	Source ActionSource
	// Token is the name of the API token, Client what the client calls itself; empty where they are not known.
	Token, Client string
	// Summary says what was done to what, in the language that the viewer had; empty once what it tells of was erased.
	Summary string
	// Touched are the public ids of the records that were made, changed or deleted, at most MaxTouched.
	Touched []string
	// UndoUntil is from when on it cannot be undone any more; zero when it never could, or cannot since something that it
	// touched was erased.
	UndoUntil time.Time
	// UndoneBy is the action that has undone it, Undoes the one that it undoes.
	UndoneBy, Undoes UUID
	// ForgetAt is when the action itself is forgotten.
	ForgetAt time.Time
	// Address is the network address that the request came from, and AuditUntil until when the audit log keeps an entry of
	// the action: no entry is written when it is zero. Neither is kept with the action, nor read.
	Address    string
	AuditUntil time.Time
	// Inverse is what undoing it needs; filled only when asked for, and nil when it is kept no longer.
	Inverse []byte
}

// Undoable reports whether the action can be undone at a moment.
func (a *Action) Undoable(now time.Time) bool {
	return a.UndoneBy == (UUID{}) && now.Before(a.UndoUntil)
}

// Limits of actions.
const (
	// MaxTouched is how many records an action names.
	MaxTouched = 1_000
	// MaxActionSummary is how long a summary may be, in characters.
	MaxActionSummary = 300
	// MaxClientName is how much of a client's name is kept, in characters.
	MaxClientName = 100
	// UndoFor is how long actions can be undone, and ActionsKept how long they are kept, unless the server's settings say
	// otherwise.
	UndoFor     = 24 * time.Hour
	ActionsKept = 90 * 24 * time.Hour
)

// Difference is one record before a mutation and after it.
type Difference struct {
	ID ID
	// Before and After are *Task, *List, *Memory, *Entity, *Fact, *Episode or *Settings, or what package resolvers/core
	// says of Did; nil when the record was not there.
	Before, After any
	// Stopped: what went on in it was stopped.
	Stopped bool
}

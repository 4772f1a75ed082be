// Package agent does what a sentence asks of the calendar, by the means of the events' resolvers.
package agent

import (
	"almanac/resolvers/core"
	"almanac/resolvers/events"
)

// Resolver answers agentChat.
type Resolver struct {
	*core.Base
	// Planner reads sentences; the grammar alone when it is nil.
	Planner Planner
	events  *events.Resolver
}

// New makes the resolver of the agent; planner may be nil for the grammar alone.
func New(base *core.Base, calendar *events.Resolver, planner Planner) *Resolver {
	return &Resolver{Base: base, events: calendar, Planner: planner}
}

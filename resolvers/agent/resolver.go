// Package agent does what a sentence asks, by the verbs of the domains: events, tasks and lists, memories, e-mails and
// actions.
package agent

import (
	"context"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// Events are the verbs that sentences use. Errors are *model.Error, or hidden.
type Events interface {
	// Fields are what must be read of events of which these fields are asked.
	Fields(asked core.Selection) gcal.Fields
	// List returns the first events of a window in all primary calendars, by start; words are what to search for, empty
	// for everything.
	List(ctx context.Context, v *core.Viewer, from, to time.Time, words string, most int,
		fields gcal.Fields) ([]model.Event, error)
	// Create adds an event as createEvent does, with these fields in what it returns.
	Create(ctx context.Context, v *core.Viewer, in graph.CreateEventInput, fields gcal.Fields) (model.Event, error)
	// DecideOne says what is to be done with the one event that is meant: to change it as set says of it, or to delete it
	// when set is nil.
	DecideOne(ctx context.Context, v *core.Viewer, who decision.One,
		set func(model.Event) (*graph.EventPatch, error)) (decision.Decision, error)
	// DecideAll says what of a window is to be deleted, once it was approved.
	DecideAll(ctx context.Context, v *core.Viewer, in decision.All) (decision.Decision, error)
	// Apply does what was decided. What came of each step stands in its place.
	Apply(ctx context.Context, v *core.Viewer, d decision.Decision) []decision.Done
}

// Resolver answers agentChat.
type Resolver struct {
	*core.Base
	// Planner reads sentences; the grammar alone when it is nil.
	Planner Planner
	events  Events
	domains Domains
}

// New makes the resolver of the agent; planner may be nil for the grammar alone.
func New(base *core.Base, calendar Events, others Domains, planner Planner) *Resolver {
	return &Resolver{Base: base, events: calendar, domains: others, Planner: planner}
}

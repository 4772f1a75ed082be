// Package agenda joins events, tasks and mail that waits for an answer, in the order of time. It reads through the
// domains that it joins.
package agenda

import (
	"almanac/resolvers/core"
	"almanac/resolvers/emails"
	"almanac/resolvers/events"
)

// Resolver answers the agenda.
type Resolver struct {
	*core.Base
	events *events.Resolver
	emails *emails.Resolver
}

// New makes the resolver of the agenda.
func New(base *core.Base, calendar *events.Resolver, mail *emails.Resolver) *Resolver {
	return &Resolver{Base: base, events: calendar, emails: mail}
}

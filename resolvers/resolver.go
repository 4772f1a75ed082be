// Package resolvers answers GraphQL fields: it reads the question, asks the store or an adapter, and hands nouns to
// projections.
//
// It promises that the user comes from the context's viewer and from nowhere else, that every list query is one call to the
// store whatever is selected, and that no error of another room passes through it unexplained: what the caller can
// mend is a *model.Error, everything else is hidden by the engine.
package resolvers

import (
	"time"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/seal"
)

// Resolver is the root of all resolvers.
type Resolver struct {
	Store store.Store
	// Now is read once per request and once per subscription event.
	Now func() time.Time
	// NewID makes ids in time order.
	NewID func() model.UUID
	// Sealer makes cursors and confirmation tokens.
	Sealer *seal.Sealer
	// Defaults are the settings of users who have chosen none.
	Defaults model.Settings
	// Keep is how long changes are kept, for the message about cursors that were outlived.
	Keep time.Duration
	// Google serves events.
	Google Google

	people *people
}

// New makes a resolver ready to serve. Call Close when done.
func New(r Resolver) *Resolver {
	r.people = newPeople(r.Store)
	guarded := sending{EventWriter: r.Google.Writer, SeriesWriter: r.Google.Series}
	r.Google.Writer, r.Google.Series = guarded, guarded
	return &r
}

// Close lets go of what the resolver watches.
func (r *Resolver) Close() { r.people.close() }

var _ graph.ResolverRoot = (*Resolver)(nil)

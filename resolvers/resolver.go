// Package resolvers answers GraphQL fields: it reads the question, asks the store or an adapter, and hands nouns to
// projections.
//
// It promises that the user comes from the context's viewer and from nowhere else, that every list query is one call to
// the store whatever is selected, and that no error of another room passes through it unexplained: what the caller can
// mend is a *model.Error, everything else is hidden by the engine.
package resolvers

import (
	"context"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/seal"
	"almanac/projections/compact"
)

// Resolver is what all resolvers work with.
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
	// Embedder makes the vectors of memories and of what is looked for in them.
	Embedder Embedder
	// KnowledgeBase keeps the knowledge graph: the own store's, or a Graphiti server.
	KnowledgeBase knowledge.Base

	// Exa keeps websets.
	Exa Exa
	// WebsetHooks makes webhooks that this server receives.
	WebsetHooks WebsetHooks
	// Planner reads sentences; the grammar alone when it is nil.
	Planner Planner

	// Formatters write answers as text; those of compact.NewRegistry when it is nil.
	Formatters *compact.Registry

	// What is asked of Google, from Google.
	Reader    EventReader
	Calendars CalendarReader
	Writer    EventWriter
	Series    SeriesWriter
	Linker    Linker
	Mail      Mail
	Scopes    []string

	people *people
	models *userModels
}

// Embedder makes vectors. Its errors are fit for clients (*model.Error with UPSTREAM_UNAVAILABLE, UPSTREAM_RATE_LIMITED
// or UPSTREAM_REJECTED).
type Embedder interface {
	// Model is the model in use. It never changes while the process runs.
	Model() model.EmbeddingModel
	// Embed gives a vector for each of at most model.MaxBulk texts, by the model in use: all of them or an error. A text
	// in which there is nothing to embed has none.
	Embed(ctx context.Context, texts []string) ([]model.Embedding, error)
	// Query gives what is looked for under each of the models named that can still be asked, the one in use first. It
	// gives what it has beside an error.
	Query(ctx context.Context, text string, models []string) ([]store.QueryVector, error)
	// Wake tells that memories without a vector have been committed.
	Wake()
}

// New makes the resolvers ready to serve. Call Close when done.
func New(r Resolver) *Root {
	r.people = newPeople(r.Store)
	r.models = newUserModels()
	if r.Formatters == nil {
		r.Formatters = compact.NewRegistry()
	}
	guarded := sending{EventWriter: r.Google.Writer, SeriesWriter: r.Google.Series}
	r.Reader, r.Calendars, r.Writer, r.Series = r.Google.Events, r.Google.Calendars, guarded, guarded
	r.Linker, r.Mail, r.Scopes = r.Google.Linker, r.Google.Mail, r.Google.Scopes
	return &Root{house: &r}
}

// Root is what the executor asks. It is embedded by a type for each object of the schema, and each of them has a copy
// of every method that it has itself; so it has none but those that find them. With the hundreds of Resolver the
// compiler made 49,000 copies, in minutes and gigabytes.
type Root struct{ house *Resolver }

// Open gives the context in which a request of a caller runs; see Resolver.Open.
func (r *Root) Open(ctx context.Context, caller model.Caller, hints edge.Hints) (context.Context, error) {
	return r.house.Open(ctx, caller, hints)
}

// Close lets go of what the resolvers watch.
func (r *Root) Close() { r.house.people.close() }

var _ graph.ResolverRoot = (*Root)(nil)

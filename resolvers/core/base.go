// Package core holds what every domain of the resolvers needs and knows none of them: the viewer of a request, what a
// document selects, pages and cursors, confirmations, claimed mutations, subscriptions, bulk answers, compact text and
// errors beside an answer.
//
// It promises that the user comes from the context's viewer and from nowhere else, and that no error of another package
// passes through it unexplained: what the caller can mend is a *model.Error, everything else is hidden by the engine.
package core

import (
	"context"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/seal"
	"almanac/projections/compact"
)

// Base is what the resolvers of all domains work with.
type Base struct {
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
	// Actions are how long what mutations have done can be undone, and is kept.
	Actions ActionTimes
	// KeepAudit is how long entries of the audit log are kept.
	KeepAudit time.Duration
	// Linker links and unlinks accounts of Google.
	Linker Linker
	// Scopes are what the whole of Almanac needs of an account of Google.
	Scopes []string
	// Embedder makes the vectors of what is kept and of what is looked for.
	Embedder Embedder
	// Formatters write answers as text.
	Formatters *compact.Registry
	// Settings remembers the settings of users.
	Settings *SettingsCache
	// Worked is told of work that an operation's price does not foretell, as cost, when it has been done; nil: nobody is.
	Worked func(user model.UserID, cost int64)
	// Nodes resolves ids of any kind, in the order given; what is not there is nil. asked says what is selected of each
	// object type.
	Nodes func(ctx context.Context, v *Viewer, ids []model.ID, asked func(object string) Selection) ([]model.Node, error)
}

// Package websets answers the fields of Exa's websets, research and search.
package websets

import "almanac/resolvers/core"

// Resolver answers the fields of websets.
type Resolver struct {
	*core.Base
	// Exa keeps websets; nil when the server has not been set up for it.
	Exa Exa
	// WebsetHooks makes webhooks that this server receives.
	WebsetHooks WebsetHooks
}

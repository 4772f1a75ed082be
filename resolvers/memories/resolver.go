// Package memories answers the fields of memories: it keeps them with their versions, asks before it overrides, and
// finds them by meaning and by words.
package memories

import "almanac/resolvers/core"

// Resolver answers the fields of memories.
type Resolver struct {
	*core.Base
	models *userModels
}

// New makes the resolvers of memories.
func New(base *core.Base) *Resolver { return &Resolver{Base: base, models: newUserModels()} }

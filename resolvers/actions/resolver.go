// Package actions answers what was done and undoes it.
package actions

import "almanac/resolvers/core"

// Resolver answers the fields of actions.
type Resolver struct {
	*core.Base
	// Undoers undo what was done at remote systems, by their keys.
	Undoers map[string]core.Undoer
}

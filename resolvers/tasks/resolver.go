// Package tasks answers the fields of tasks and of lists: it finds what is meant, decides what is to be done, writes it
// in one transaction of the store and hands the records to projections.
package tasks

import "almanac/resolvers/core"

// Resolver answers the fields of tasks and lists.
type Resolver struct {
	*core.Base
	// names are kept of users who have many tasks.
	names namesCache
}

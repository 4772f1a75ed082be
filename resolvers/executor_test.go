//go:build bench

package resolvers_test

import "almanac/graph"

// newExecutableSchema makes the schema with gqlgen's executor, which plans are compared with.
var newExecutableSchema = graph.NewExecutableSchema

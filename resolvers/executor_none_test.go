//go:build !bench

package resolvers_test

import (
	"github.com/99designs/gqlgen/graphql"

	"almanac/graph"
)

// newExecutableSchema is not there: gqlgen's executor is compiled with a tag alone, and the tests that need it fail.
var newExecutableSchema func(graph.Config) graphql.ExecutableSchema

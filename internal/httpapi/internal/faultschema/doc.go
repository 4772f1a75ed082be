// Package faultschema is a GraphQL schema of every shape of field, whose values, nulls, errors and panics follow from a
// seed and the place in the answer. It is there to compare two ways of running the same operation.
//
// It promises that the same seed and document have the same answer, but for the order of errors.
package faultschema

//go:generate go run almanac/tools/gqlgen

// Package testschema is a small GraphQL schema for the tests of the front door: nested connections, lists, enums,
// input objects, every way to fail, a slow field, a counting mutation and subscriptions.
//
// It promises that nothing in it depends on time: what waits, waits for the test or for its context.
package testschema

//go:generate go run almanac/tools/gqlgen

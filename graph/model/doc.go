// Package model is the vocabulary of Almanac: every record, filter, page and error code, named once.
//
// It imports nothing but the standard library, does no I/O and reads no clock, so every other package can
// import it without a cycle. gqlgen binds the GraphQL schema to these types by autobind; no record exists twice.
package model

// Package telemetry writes Almanac's log records and traces.
//
// It promises that neither carries a token, a secret, or what a user wrote. Callers log no such thing; this package
// makes sure of it a second time: only attributes in a table of harmless keys leave the process, in the form that the
// table names.
package telemetry

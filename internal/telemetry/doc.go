// Package telemetry is what Almanac says about itself: log lines and traces.
//
// It promises that neither carries a token, a secret, or what a user wrote. The callers are careful; this package is
// the second lock: what has the name or the look of such a thing is replaced before it leaves the process.
package telemetry

package httpapi

import (
	"slices"

	"almanac/internal/httpapi/engine"
)

// reason is why the front door did not run a request.
type reason uint8

const (
	reasonAccept reason = iota
	reasonAuth
	reasonBody
	reasonConnection
	reasonCrossSite
	reasonHost
	reasonIdempotency
	reasonIdempotencyKey
	reasonInternal
	reasonMethod
	reasonOverload
	reasonPanic
	reasonPath
	reasonRate
	reasonRequest
	reasonScope
	reasonShare
	reasonUpgrade
	reasonViewer
	reasonCount // how many there are
)

// String returns the reason as almanac_refused_total names it.
func (r reason) String() string {
	return [reasonCount]string{
		reasonAccept: "accept", reasonAuth: "auth", reasonBody: "body", reasonConnection: "connection",
		reasonCrossSite: "crossSite", reasonHost: "host", reasonIdempotency: "idempotency",
		reasonIdempotencyKey: "idempotencyKey", reasonInternal: "internal", reasonMethod: "method",
		reasonOverload: "overload", reasonPanic: "panic", reasonPath: "path", reasonRate: "rate", reasonRequest: "request",
		reasonScope: "scope", reasonShare: "share", reasonUpgrade: "upgrade", reasonViewer: "viewer",
	}[r]
}

// Reasons returns every reason that almanac_refused_total counts by, the engine's included, sorted.
func Reasons() []string {
	all := engine.Reasons()
	for r := range reasonCount {
		all = append(all, r.String())
	}
	slices.Sort(all)
	return slices.Compact(all) // both know a method, a scope and what is internal
}

package exa

import (
	"net/http"

	"almanac/adapters/remote"
)

// idle is how many connections are kept for what comes next.
const idle = 32

// NewTransport makes a transport with limits on each step of connecting. The caller may close its idle connections at
// the end.
func NewTransport() *http.Transport { return remote.NewTransport(idle) }

// NewUploadTransport makes a transport for addresses that somebody else has named: it connects to public addresses
// alone.
func NewUploadTransport() *http.Transport { return remote.NewPublicTransport(idle) }

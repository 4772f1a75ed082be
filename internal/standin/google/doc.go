// Package google is the front of a stand-in for Google: OAuth 2 with a consent page, and everything that lies between a
// request to a Google API and the service that answers it.
//
// It promises that the real Google client cannot tell it from Google by the protocol: routes, tokens, scopes,
// parameters, field masks, errors, batches, uploads, quotas and gzip. What the numbered behaviours of its README.md say
// is pinned by a test each. What the answers mean is the services' (package wire).
//
// It opens no socket. Transport serves a client in the same process under Google's true addresses; Mount serves the
// consent page to a browser below a server of one's own. It keeps no token, only what is needed to know one again.
package google

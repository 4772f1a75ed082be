package openai

import (
	"net/http"

	"almanac/internal/standin/loopback"
)

// Transport returns a transport whose requests stay in this process, whatever host they name; see loopback.Transport.
func (s *Server) Transport() http.RoundTripper { return loopback.Transport(s) }

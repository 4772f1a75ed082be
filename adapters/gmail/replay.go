package gmail

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// replaying makes requests such that they can be sent again, after a renewed token or when Google has refused them as
// too fast: of methods that take uploads the client library leaves out how to read the body twice. Bodies are ours, and
// bounded by what a message may have.
type replaying struct{ next http.RoundTripper }

// RoundTrip sends the request.
func (t replaying) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody || r.GetBody != nil {
		return t.next.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	_ = r.Body.Close() // it was read whole
	if err != nil {
		return nil, fmt.Errorf("gmail: the request's body: %w", err)
	}
	r = r.Clone(r.Context())
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	return t.next.RoundTrip(r)
}

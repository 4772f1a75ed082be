package httpapi

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// boundedBody is the body of a request, for whose arrival the client has a bounded time.
type boundedBody struct {
	io.ReadCloser
	bounds deadlines
	// awaited says that the client sends the body only when it is asked for it (RFC 9110, section 10.1.1).
	awaited bool
	// begun and ended say whether anybody has read of it, and to its end.
	begun, ended bool
}

// boundBody bounds the time in which a request's body has to arrive. The bound is taken away at the body's end, since
// the same connection may then carry a stream for hours. It returns nil when there is no body, or no connection to
// bound, as in a test.
func boundBody(w http.ResponseWriter, r *http.Request) *boundedBody {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	bounds := deadlinesOf(w)
	if bounds == nil || bounds.SetReadDeadline(time.Now().Add(BodyTimeout)) != nil {
		return nil
	}
	body := &boundedBody{ReadCloser: r.Body, bounds: bounds,
		awaited: strings.EqualFold(r.Header.Get("Expect"), "100-continue")}
	r.Body = body
	return body
}

func (b *boundedBody) Read(p []byte) (int, error) {
	b.begun = true
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.ended = true
		_ = b.bounds.SetReadDeadline(time.Time{})
	}
	return n, err
}

// linger reads and throws away what the client still sends of the body of a refused request, until its end or one of
// the bounds. A connection that is closed while bytes arrive is reset, and the reset takes the answer from a client
// that writes its whole request before it reads (RFC 9112, section 9.6).
func (b *boundedBody) linger(out *tracked) {
	if b == nil || b.ended || out.status < http.StatusBadRequest || b.awaited && !b.begun {
		return
	}
	if http.NewResponseController(out).Flush() != nil || b.bounds.SetReadDeadline(time.Now().Add(LingerTimeout)) != nil {
		return // the client is gone
	}
	_, _ = io.CopyN(io.Discard, b.ReadCloser, MaxLinger)
}

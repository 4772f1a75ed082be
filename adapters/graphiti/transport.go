package graphiti

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"almanac/adapters/remote"
)

// NewTransport makes a transport with limits on each step of connecting.
func NewTransport() *http.Transport { return remote.NewTransport(16) }

type wireKey struct{}

// wire is what became of one attempt on the network: the MCP library's errors do not say, and quote addresses.
type wire struct {
	mu    sync.Mutex
	state wireState
}

type wireState struct {
	// status of the first refusal; 0 for none.
	status int
	// wait is how long the server asks to be left alone.
	wait time.Duration
	// gone: the server knows the session no more. tooLarge: the answer was cut.
	gone, tooLarge bool
	// lost is the failure of a request without a whole answer; nil for none.
	lost *failure
}

func (w *wire) note(fn func(*wireState)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fn(&w.state)
}

// get returns a copy, since what is on its way still may write to it.
func (w *wire) get() wireState {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

// failed notes an error of the network, and returns it without what it quotes.
func (w *wire) failed(ctx context.Context, err error) error {
	w.note(func(s *wireState) {
		if errors.Is(err, remote.ErrTooLarge) {
			s.tooLarge = true
		} else {
			s.lost = remote.Broken(ctx, err)
		}
	})
	if errors.Is(err, remote.ErrTooLarge) {
		return err
	}
	return remote.Lost(err)
}

// onWire is a context whose requests are noted in w.
func onWire(ctx context.Context, w *wire) context.Context {
	return context.WithValue(ctx, wireKey{}, w)
}

// roundTripper sends what the MCP library asks for: with the token, to the server's own address alone, and with bounded
// answers.
type roundTripper struct {
	base   http.RoundTripper
	origin *url.URL
	token  string
	most   int64
	now    func() time.Time
}

var errElsewhere = errors.New("it points to another server")

// RoundTrip implements http.RoundTripper.
func (t *roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	w, _ := request.Context().Value(wireKey{}).(*wire)
	if w == nil {
		w = &wire{}
	}
	if request.URL.Scheme != t.origin.Scheme || request.URL.Host != t.origin.Host {
		return nil, errElsewhere
	}
	sent := request.Clone(request.Context())
	sent.Header.Set("User-Agent", "almanac")
	if t.token != "" {
		sent.Header.Set("Authorization", "Bearer "+t.token)
	}
	response, err := t.base.RoundTrip(sent)
	switch {
	case err != nil:
		return nil, w.failed(request.Context(), err)
	case response == nil:
		return nil, errors.New("the transport returned neither an answer nor an error")
	case response.StatusCode >= http.StatusMultipleChoices:
		return t.refusal(w, request, response)
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")) // what is no type is none that is known
	if kind == "text/event-stream" {
		response.Body = &bounded{ReadCloser: response.Body, left: t.most, ctx: request.Context(), wire: w}
		return response, nil
	}
	// Read here, an answer that breaks off fails its own call; the library would end the session for it.
	body, err := remote.ReadAnswer(response, false, t.most)
	if err != nil {
		return nil, w.failed(request.Context(), err)
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, nil
}

// refusal notes what an answer that is none says, and passes it on without its body, but for redirects.
func (t *roundTripper) refusal(w *wire, request *http.Request, response *http.Response) (*http.Response, error) {
	body, _ := remote.ReadAnswer(response, false, t.most) // as much of it as could be read
	inSession := request.Header.Get("Mcp-Session-Id") != ""
	if target, err := response.Location(); err == nil && response.StatusCode < http.StatusBadRequest &&
		target.Scheme == t.origin.Scheme && target.Host == t.origin.Host {
		response.Body, response.ContentLength = http.NoBody, 0 // the client follows
		return response, nil
	}
	w.note(func(s *wireState) {
		if s.status == 0 {
			s.status, s.wait = response.StatusCode, remote.After(response.Header, t.now)
		}
		s.gone = s.gone || inSession && (response.StatusCode == http.StatusNotFound ||
			response.StatusCode == http.StatusBadRequest && strings.Contains(strings.ToLower(string(body)), "session"))
	})
	response.Header.Del("Location")
	response.Body, response.ContentLength = http.NoBody, 0
	return response, nil
}

// sameOrigin lets the client follow redirects within the server, as from /mcp to /mcp/.
func (t *roundTripper) sameOrigin(request *http.Request, via []*http.Request) error {
	const most = 3
	if len(via) > most || request.URL.Scheme != t.origin.Scheme || request.URL.Host != t.origin.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

// bounded is a body that ends with an error when it is too long.
type bounded struct {
	io.ReadCloser
	left int64
	ctx  context.Context // the request's, for the judgement of what breaks
	wire *wire
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, b.wire.failed(b.ctx, remote.ErrTooLarge)
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		_ = b.wire.failed(b.ctx, err) // it is noted; the library sees its own
	}
	return n, err
}

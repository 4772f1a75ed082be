package graphiti

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"almanac/internal/retry"
)

// NewTransport makes a transport with limits on each step of connecting.
func NewTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           16,
		MaxIdleConnsPerHost:    16,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    5 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
	}
}

type wireKey struct{}

// wire is what became of one attempt on the network: the MCP library's errors do not tell, and quote addresses.
type wire struct {
	mu sync.Mutex
	// status of the first refusal; 0 for none.
	status int
	// wait is how long the server asks to be left alone.
	wait time.Duration
	// gone: the server knows the session no more.
	gone bool
	// tooLarge: the answer was cut.
	tooLarge bool
	// unsent: no connection was made.
	unsent bool
	err    error
}

func (w *wire) note(fn func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fn()
}

// get gives a copy, since what is on its way still may write to it.
func (w *wire) get() wireState {
	w.mu.Lock()
	defer w.mu.Unlock()
	return wireState{status: w.status, wait: w.wait, gone: w.gone, tooLarge: w.tooLarge, unsent: w.unsent, err: w.err}
}

type wireState struct {
	status                 int
	wait                   time.Duration
	gone, tooLarge, unsent bool
	err                    error
}

// onWire gives a context whose requests are told of to w.
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

var (
	errTooLarge  = errors.New("the answer is larger than allowed")
	errElsewhere = errors.New("it points to another server")
)

// maxProblem bounds what is read of a refusal, in bytes.
const maxProblem = 64 << 10

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
		w.note(func() { w.err, w.unsent = plainError(err), isUnsent(err) })
		return nil, plainError(err)
	case response == nil:
		return nil, errors.New("the transport gave neither an answer nor an error")
	case response.StatusCode >= http.StatusMultipleChoices:
		return t.refusal(w, request, response)
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")) // what is no type is none that is known
	if kind == "text/event-stream" {
		response.Body = &bounded{ReadCloser: response.Body, left: t.most, wire: w}
		return response, nil
	}
	// Read here, an answer that breaks off fails its own call; the library would end the session for it.
	body, err := readAll(response.Body, t.most)
	if err != nil {
		w.note(func() { w.err, w.tooLarge = plainError(err), errors.Is(err, errTooLarge) })
		return nil, plainError(err)
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, nil
}

// refusal notes what an answer that is none says, and gives it on without its body, but for redirects.
func (t *roundTripper) refusal(w *wire, request *http.Request, response *http.Response) (*http.Response, error) {
	body, err := readAll(response.Body, maxProblem)
	if err != nil && !errors.Is(err, errTooLarge) {
		body = nil
	}
	inSession := request.Header.Get("Mcp-Session-Id") != ""
	if target, err := response.Location(); err == nil && response.StatusCode < http.StatusBadRequest &&
		target.Scheme == t.origin.Scheme && target.Host == t.origin.Host {
		response.Body, response.ContentLength = http.NoBody, 0 // the client follows
		return response, nil
	}
	w.note(func() {
		if w.status == 0 {
			w.status, w.wait = response.StatusCode, retry.After(response.Header, t.now)
		}
		w.gone = w.gone || inSession && (response.StatusCode == http.StatusNotFound ||
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

// readAll reads a body whole and closes it.
func readAll(body io.ReadCloser, most int64) ([]byte, error) {
	defer func() { _ = body.Close() }()
	read, err := io.ReadAll(io.LimitReader(body, most+1))
	if err == nil && int64(len(read)) > most {
		err = errTooLarge
	}
	return read, err
}

// bounded is a body that ends with an error when it is too long.
type bounded struct {
	io.ReadCloser
	left int64
	wire *wire
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.wire.note(func() { b.wire.tooLarge = true })
		return 0, errTooLarge
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.wire.note(func() { b.wire.err = plainError(err) })
	}
	return n, err
}

// isUnsent tells whether a request cannot have reached anybody.
func isUnsent(err error) bool {
	op, isOp := errors.AsType[*net.OpError](err)
	_, isDNS := errors.AsType[*net.DNSError](err)
	return isDNS || isOp && op.Op == "dial"
}

// plainError says in a few words of our own what became of a connection: the standard library's errors quote addresses,
// and a proxy's may quote anything.
func plainError(err error) error {
	op, isOp := errors.AsType[*net.OpError](err)
	_, isDNS := errors.AsType[*net.DNSError](err)
	timed, isNet := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, errTooLarge), errors.Is(err, errElsewhere):
		return err
	case isDNS:
		return errors.New("its name cannot be resolved")
	case isOp && op.Op == "dial":
		return errors.New("no connection")
	case isNet && timed.Timeout():
		return fmt.Errorf("no answer: %w", context.DeadlineExceeded)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("half an answer")
	default:
		return errors.New("the connection broke")
	}
}

package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
)

// MaxProblem bounds what is read of a refusal's body, in bytes. Those of most remotes have a few hundred.
const MaxProblem = 64 << 10

// Answer is an answer that was read whole. The body of its Response is closed.
type Answer struct {
	Response *http.Response
	Body     []byte
}

// IsRefusal reports whether it is anything but a success, a redirect included.
func (a Answer) IsRefusal() bool { return a.Response.StatusCode >= http.StatusMultipleChoices }

// Send sends a request once and reads its answer whole. Refusals are the adapter's to judge: of them as much is
// returned as could be read, up to MaxProblem.
func (c *Caller) Send(ctx context.Context, base http.RoundTripper, request *http.Request) (Answer, *Failure) {
	wire := new(wireTrace)
	request = request.WithContext(httptrace.WithClientTrace(ctx, wire.hooks()))
	response, err := base.RoundTrip(request) //nolint:bodyclose // ReadAnswer closes it
	if err == nil && response == nil {
		err = errNoAnswer
	}
	if err != nil {
		lost := Broken(ctx, err)
		lost.Unsent = wire.isUnsent(err)
		return Answer{}, lost
	}
	body, err := ReadAnswer(response, request.Method == http.MethodHead, c.Limits.Answer)
	switch {
	case response.StatusCode >= http.StatusMultipleChoices, err == nil:
		return Answer{response, body}, nil
	case errors.Is(err, ErrTooLarge):
		return Answer{}, &Failure{Kind: KindRejected, Status: response.StatusCode, Final: true, Err: err}
	case errors.Is(err, ErrUnreadable):
		return Answer{}, Unreadable(response.StatusCode)
	default:
		lost := Broken(ctx, err)
		lost.Unsent = false
		return Answer{}, lost
	}
}

// ReadAnswer reads a body whole and closes it: half an answer is none. Bodies of refusals are cut at MaxProblem. The
// errors are ErrTooLarge, ErrUnreadable for JSON that does not end though its length is right, and those of reading.
func ReadAnswer(response *http.Response, head bool, most int64) ([]byte, error) {
	if response.Body == nil {
		return nil, nil
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusMultipleChoices {
		return io.ReadAll(io.LimitReader(response.Body, MaxProblem))
	}
	var buffer bytes.Buffer
	if known := response.ContentLength; known > 0 && known <= 1<<20 {
		buffer.Grow(int(known) + bytes.MinRead) // what ReadFrom wants, or it would grow once more at the end
	}
	n, err := buffer.ReadFrom(io.LimitReader(response.Body, most+1))
	body := buffer.Bytes()
	switch {
	case err != nil:
		return nil, err
	case n > most:
		return nil, ErrTooLarge
	case head:
		return body, nil
	case response.ContentLength > n:
		return nil, io.ErrUnexpectedEOF
	case isCut(response.Header, body):
		return nil, ErrUnreadable
	}
	return body, nil
}

// isCut reports whether JSON begins and does not end. It is no check of the whole, which is the reader's.
func isCut(header http.Header, body []byte) bool {
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	body = bytes.TrimSpace(body)
	if err != nil || media != "application/json" || len(body) == 0 {
		return false
	}
	first, last := body[0], body[len(body)-1]
	return first == '{' && last != '}' || first == '[' && last != ']'
}

// wireTrace learns from the transport how far a request came. A transport that reports nothing leaves it unknown.
type wireTrace struct{ asked, wrote atomic.Bool }

func (w *wireTrace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:      func(string) { w.asked.Store(true) },
		WroteHeaders: func() { w.wrote.Store(true) },
		WroteRequest: func(httptrace.WroteRequestInfo) { w.wrote.Store(true) },
	}
}

// isUnsent reports whether it is certain that not a byte of the request reached the remote.
func (w *wireTrace) isUnsent(err error) bool {
	return !w.wrote.Load() && (w.asked.Load() || IsUnsent(err))
}

// NewRequest makes a request for JSON, with a body of JSON unless that is nil.
func NewRequest(ctx context.Context, method string, u *url.URL, body []byte) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "almanac")
	if body == nil {
		request.Body = http.NoBody
	} else {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

// JSON writes a value with its characters as they are.
func JSON(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

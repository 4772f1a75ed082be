// Package loopback lets clients ask a stand-in without a network. It promises what a network would do: a request ends
// with its context, and a connection may be lost, or a body cut.
package loopback

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
)

// Transport returns a transport whose requests are answered by a handler of this process, whatever host they name, so
// that tests with a clock of their own can use a stand-in. It ends when a request's context does, as a network would;
// the handler is then left to notice by itself. A handler that breaks off by panicking with http.ErrAbortHandler gives
// a lost connection, or, when it has written something, a body that is cut.
func Transport(handler http.Handler) http.RoundTripper { return transport{handler} }

type transport struct{ handler http.Handler }

var errBroken = errors.New("the stand-in broke the connection")

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	served := request.Clone(request.Context())
	if served.Body == nil {
		served.Body = http.NoBody
	}
	type outcome struct {
		recorder *httptest.ResponseRecorder
		broken   bool
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{recorder: httptest.NewRecorder()}
		defer func() {
			if cause := recover(); cause != nil {
				if err, ok := cause.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
					panic(cause)
				}
				o.broken = true
			}
			_ = served.Body.Close()
			done <- o
		}()
		t.handler.ServeHTTP(o.recorder, served)
	}()
	select {
	case <-request.Context().Done():
		return nil, request.Context().Err()
	case o := <-done:
		if o.broken && o.recorder.Body.Len() == 0 {
			return nil, errBroken
		}
		response := o.recorder.Result()
		response.Request = request
		if o.broken {
			response.ContentLength = -1
			response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(o.recorder.Body.Bytes()), brokenReader{}))
		}
		return response, nil
	}
}

// brokenReader is the end of a body that was cut.
type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

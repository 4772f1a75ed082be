//go:build bench

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"syscall"
	"time"
)

// wire is one HTTP/1.1 connection that hides nothing. net/http's client sends a request that has an Idempotency-Key
// again by itself when its connection breaks, and what broke is what is counted here.
type wire struct {
	address string
	network net.Conn
	reader  *bufio.Reader
	used    bool
}

// reply is an answer, read to its end.
type reply struct {
	status int
	// replayed says that the answer is one that was recorded earlier under the same key.
	replayed bool
	body     []byte
}

// broken says how a request ended without an answer. Its text is one of a few, so that it can be counted.
type broken struct {
	what  string
	cause error
}

func (b *broken) Error() string { return b.what + ": " + b.cause.Error() }

func (b *broken) Unwrap() error { return b.cause }

// The ways in which a request ends without an answer.
const (
	brokenRefused = "connection refused"
	brokenDial    = "no connection"
	brokenSend    = "cut while the request was sent"
	brokenBefore  = "cut before the answer"
	brokenKept    = "cut before the answer, on a kept connection"
	brokenAmid    = "cut amid the answer"
	brokenTimeout = "no answer in time"
	brokenLeft    = "the client itself hung up"
)

// maxAnswer bounds what is read of one answer.
const maxAnswer = 8 << 20

// requestBytes lays out one POST of a GraphQL request.
func requestBytes(host, token, key string, body []byte) []byte {
	b := make([]byte, 0, 512+len(body))
	b = append(b, "POST /graphql HTTP/1.1\r\nHost: "+host+"\r\nAuthorization: Bearer "+token+
		"\r\nContent-Type: application/json\r\nAccept: application/graphql-response+json\r\nContent-Length: "+
		strconv.Itoa(len(body))+"\r\n"...)
	if key != "" {
		b = append(b, "Idempotency-Key: "+key+"\r\n"...)
	}
	return append(append(b, '\r', '\n'), body...)
}

// do sends one request to the address, on the connection that stands if it leads there, and waits for the answer so
// long. left is how long the client stays when it is one that hangs up; zero otherwise.
func (w *wire) do(ctx context.Context, address string, request []byte, patience, left time.Duration) (reply, error) {
	if w.network != nil && w.address != address {
		w.close()
	}
	if w.network == nil {
		if err := w.dial(ctx, address, patience); err != nil {
			return reply{}, err
		}
	}
	hangsUp := left > 0 && left < patience
	if hangsUp {
		patience = left
	}
	r, err := w.exchange(request, patience)
	w.used = true
	if err != nil {
		w.close()
		if fault := new(broken); hangsUp && errors.As(err, &fault) && fault.what == brokenTimeout {
			fault.what = brokenLeft
		}
	}
	return r, err
}

func (w *wire) dial(ctx context.Context, address string, patience time.Duration) error {
	network, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, "tcp", address)
	if errors.Is(err, syscall.ECONNREFUSED) {
		return &broken{brokenRefused, err}
	}
	if err != nil {
		return &broken{brokenDial, err}
	}
	w.address, w.network, w.reader, w.used = address, network, bufio.NewReader(network), false
	return nil
}

func (w *wire) exchange(request []byte, patience time.Duration) (reply, error) {
	if err := w.network.SetDeadline(time.Now().Add(patience)); err != nil {
		return reply{}, &broken{brokenDial, err}
	}
	if _, err := w.network.Write(request); err != nil {
		return reply{}, cut(brokenSend, err)
	}
	if _, err := w.reader.Peek(1); err != nil {
		if w.used {
			return reply{}, cut(brokenKept, err)
		}
		return reply{}, cut(brokenBefore, err)
	}
	response, err := http.ReadResponse(w.reader, nil)
	if err != nil {
		return reply{}, cut(brokenAmid, err)
	}
	defer response.Body.Close() //nolint:errcheck // read to its end
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return reply{}, cut(brokenAmid, err)
	}
	if response.Close {
		w.close()
	}
	return reply{status: response.StatusCode, replayed: response.Header.Get("Idempotency-Replayed") == "true", body: body},
		nil
}

func cut(what string, err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		what = brokenTimeout
	}
	return &broken{what, fmt.Errorf("%w", err)}
}

func (w *wire) close() {
	if w.network != nil {
		_ = w.network.Close()
		w.network = nil
	}
}

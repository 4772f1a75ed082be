//go:build bench

package main

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// scripted is a server that answers the requests of its connections with these bytes, one after another, and then
// closes. A nil closes at once.
func scripted(t *testing.T, connections ...[]string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for _, answers := range connections {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			reader := bufio.NewReader(conn)
			for _, answer := range answers {
				r, err := http.ReadRequest(reader)
				if err != nil {
					break
				}
				_, _ = io.Copy(io.Discard, r.Body)
				_, _ = io.WriteString(conn, answer)
			}
			if tcp, ok := conn.(*net.TCPConn); ok && len(answers) > 0 {
				_ = tcp.CloseWrite()
				_, _ = io.Copy(io.Discard, tcp)
			}
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

const good = "HTTP/1.1 200 OK\r\nIdempotency-Replayed: true\r\nContent-Length: 11\r\n\r\n{\"data\":{}}"

// Every way to go without an answer has its own name, and no request is sent twice behind the caller's back.
func TestWireTellsHowItBroke(t *testing.T) {
	t.Parallel()
	address := scripted(t, []string{good}, []string{"HTTP/1.1 200 OK\r\nContent-Le"},
		[]string{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"}, []string{""}, []string{good})
	w := &wire{}
	defer w.close()
	request := requestBytes(address, "token", "key", []byte(`{}`))
	for i, want := range []string{"", brokenKept, brokenAmid, brokenAmid, brokenBefore, ""} {
		r, err := w.do(t.Context(), address, request, time.Minute, 0)
		what := ""
		if fault := new(broken); errors.As(err, &fault) {
			what = fault.what
		}
		// A close that meets the next request may be told to the writing or to the reading side.
		if what != want && (want != brokenKept || what != brokenSend) {
			t.Errorf("request %d: %q, want %q (%v)", i, what, want, err)
		}
		if want == "" && (r.status != 200 || !r.replayed || string(r.body) != `{"data":{}}`) {
			t.Errorf("request %d: %+v", i, r)
		}
	}
}

func TestWireRefusedAndLeft(t *testing.T) {
	t.Parallel()
	gone, err := freeAddress(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var w wire
	fault := new(broken)
	if _, err := w.do(t.Context(), gone, nil, time.Minute, 0); !errors.As(err, &fault) || fault.what != brokenRefused {
		t.Errorf("nobody listens: %v", err)
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if _, err := w.do(t.Context(), silent.Addr().String(), []byte("x"), time.Minute, time.Millisecond); !errors.As(err,
		&fault) || fault.what != brokenLeft {
		t.Errorf("the client left: %v", err)
	}
	if _, err := w.do(t.Context(), silent.Addr().String(), []byte("x"), time.Second, 0); !errors.As(err, &fault) ||
		fault.what != brokenTimeout {
		t.Errorf("no answer: %v", err)
	}
}

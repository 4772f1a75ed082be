package httpapi_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/request"
)

func TestBodyLimit(t *testing.T) {
	d := newFront(t, nil)
	body := func(size int) string {
		const frame = `{"query":"{hello}","note":""}`
		return `{"query":"{hello}","note":"` + strings.Repeat("x", size-len(frame)) + `"}`
	}
	if w := d.do(call{body: body(request.MaxBody)}); w.Code != 200 {
		t.Errorf("at the limit: %d %.200s", w.Code, w.Body)
	}
	w := d.do(call{body: body(request.MaxBody + 1)})
	if answer := read(t, w); w.Code != 413 || answer.code() != "BAD_USER_INPUT" ||
		w.Result().Header.Get("Connection") != "close" {
		t.Errorf("beyond: %d %v %.200s", w.Code, w.Result().Header, w.Body)
	}
	unsized := call{body: body(request.MaxBody + 1)}.request()
	unsized.ContentLength = -1
	w = httptest.NewRecorder()
	d.ServeHTTP(w, unsized)
	if w.Code != 413 {
		t.Errorf("beyond, chunked: %d", w.Code)
	}
}

// writeFirst sends a whole request before it reads anything of the answer, as the simplest clients do.
func writeFirst(address, head string, body []byte, chunked bool) (*http.Response, []byte, error) {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = connection.Close() }()
	if err := connection.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return nil, nil, err
	}
	if chunked {
		head += "Transfer-Encoding: chunked\r\n\r\n"
	} else {
		head += fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))
	}
	if _, err := io.WriteString(connection, head); err != nil {
		return nil, nil, fmt.Errorf("write the headers: %w", err)
	}
	for part := range slices.Chunk(body, 64<<10) {
		if chunked {
			part = fmt.Appendf(nil, "%x\r\n%s\r\n", len(part), part)
		}
		if _, err := connection.Write(part); err != nil {
			return nil, nil, fmt.Errorf("write the body: %w", err)
		}
	}
	if chunked {
		if _, err := io.WriteString(connection, "0\r\n\r\n"); err != nil {
			return nil, nil, fmt.Errorf("end the body: %w", err)
		}
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("read the answer: %w", err)
	}
	text, err := io.ReadAll(response.Body)
	return response, text, errors.Join(err, response.Body.Close())
}

// A client that writes its whole request before it reads has the answer of a request that was refused before its body
// had been read.
func TestRefusalsReachClientsThatStillWrite(t *testing.T) {
	d := newFront(t, func(cfg *httpapi.Config) {
		cfg.Streams = &streams{}
		cfg.Pages = map[string]http.Handler{"/page": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<10)); err != nil {
				http.Error(w, "the page takes less", http.StatusRequestEntityTooLarge)
			}
		})}
	})
	server := httptest.NewServer(d)
	defer server.Close()
	body := bytes.Repeat([]byte(" "), 7<<20)
	for _, c := range []struct {
		name, start, headers string
		status               int
		answer               string
	}{
		{"too large", "POST /graphql", "", 413, `"BAD_USER_INPUT"`},
		{"too large, a stream", "POST /graphql", "Accept: text/event-stream\r\n", 413, `"BAD_USER_INPUT"`},
		{"too large, the agent", "POST /agent/chat", "", 413, `{"detail":`},
		{"too large, a page", "POST /page", "", 413, "the page takes less"},
		{"too large, of a client that closes", "POST /graphql", "Connection: close\r\n", 413, `"BAD_USER_INPUT"`},
		{"no token", "POST /graphql", "Authorization: Bearer revoked\r\n", 401, `"UNAUTHENTICATED"`},
		{"no token, a stream", "POST /graphql", "Accept: text/event-stream\r\nAuthorization: Bearer revoked\r\n", 401,
			`"UNAUTHENTICATED"`},
		{"no token, the agent", "POST /agent/chat", "Authorization: Bearer revoked\r\n", 401, `{"detail":`},
		{"compressed", "POST /graphql", "Content-Encoding: br\r\n", 415, `"BAD_USER_INPUT"`},
		{"compressed, the agent", "POST /agent/chat", "Content-Encoding: br\r\n", 415, `{"detail":`},
		{"another site", "POST /graphql", "Origin: https://evil.example\r\n", 403, `"FORBIDDEN"`},
		{"no such method", "PUT /graphql", "", 405, `"BAD_USER_INPUT"`},
		{"no such path", "POST /nothing", "", 404, `"NOT_FOUND"`},
	} {
		for _, chunked := range []bool{false, true} {
			head := c.start + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + c.headers
			response, text, err := writeFirst(server.Listener.Addr().String(), head, body, chunked)
			if err != nil {
				t.Errorf("%s, chunked %v: %v", c.name, chunked, err)
				continue
			}
			if response.StatusCode != c.status || !strings.Contains(string(text), c.answer) {
				t.Errorf("%s, chunked %v: %d %s", c.name, chunked, response.StatusCode, text)
			}
		}
	}
}

// An answer does not wait for the rest of a body that is too large, and neither a client that sends no more nor one
// that never ends holds the connection.
func TestLingeringIsBounded(t *testing.T) {
	const head = "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpapi.DrainOptions{}, nil)
		connection, err := r.listener.dial()
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		go func() { _, _ = io.WriteString(connection, head+"Content-Length: 2000000\r\n\r\n{") }()
		answer := bufio.NewReader(connection)
		response, err := http.ReadResponse(answer, nil)
		if err != nil || response.StatusCode != 413 || time.Since(start) != 0 {
			t.Fatalf("a client that stops: %v %v after %v", response, err, time.Since(start))
		}
		_, _ = io.Copy(io.Discard, response.Body)
		if _, err := answer.ReadByte(); !errors.Is(err, io.EOF) || time.Since(start) < httpapi.LingerTimeout ||
			time.Since(start) > httpapi.LingerTimeout+time.Second {
			t.Errorf("it was left with %v after %v", err, time.Since(start))
		}

		if connection, err = r.listener.dial(); err != nil {
			t.Fatal(err)
		}
		taken := make(chan int)
		go func() {
			_, _ = io.WriteString(connection, head+"Transfer-Encoding: chunked\r\n\r\n")
			chunk, n := "1000\r\n"+strings.Repeat(" ", 0x1000)+"\r\n", 0
			for {
				if _, err := io.WriteString(connection, chunk); err != nil {
					taken <- n
					return
				}
				n += 0x1000
			}
		}()
		response, err = http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil || response.StatusCode != 413 {
			t.Fatalf("a client that never ends: %v %v", response, err)
		}
		// Besides what it is meant to read, net/http reads 256 kB, and its buffer is filled.
		if n := <-taken; n < httpapi.MaxLinger || n > request.MaxBody+httpapi.MaxLinger+512<<10 {
			t.Errorf("%d bytes were taken", n)
		}
		r.stop()
		if err := <-r.ended; err != nil {
			t.Errorf("the end: %v", err)
		}
	})
}

// A client that asks first whether its body is wanted sends none after a refusal, and is not waited for.
func TestABodyThatIsNotWantedIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpapi.DrainOptions{}, nil)
		start := time.Now()
		status, took := r.send(t, "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
			"Content-Length: 2000000\r\nExpect: 100-continue\r\n\r\n")
		if status != 413 || took != 0 {
			t.Errorf("%d after %v", status, took)
		}
		r.stop()
		if err := <-r.ended; err != nil || time.Since(start) > time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

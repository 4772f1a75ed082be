package app_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A client that writes its whole request before it reads has its refusal, whatever it asked at which address.
func TestClientsThatStillWriteReadTheirRefusal(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir())
	body := bytes.Repeat([]byte(" "), 6<<20)
	for name, c := range map[string]struct{ path, headers, answer string }{
		"HTTP":        {"/graphql", "", `"BAD_USER_INPUT"`},
		"a stream":    {"/graphql", "Accept: text/event-stream\r\n", `"BAD_USER_INPUT"`},
		"/mcp":        {"/mcp", "Accept: application/json, text/event-stream\r\n", "request body exceeds"},
		"/agent/chat": {"/agent/chat", "", `{"detail":`},
	} {
		status, text, err := p.writeFirst(fmt.Sprintf("POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", c.path, c.headers, len(body)), body)
		if err != nil || status != http.StatusRequestEntityTooLarge || !strings.Contains(text, c.answer) {
			t.Errorf("%s: %d %s %v", name, status, text, err)
		}
	}
}

// writeFirst sends a whole request before it reads anything of the answer.
func (p *process) writeFirst(head string, body []byte) (status int, text string, err error) {
	connection, err := net.Dial("tcp", strings.TrimPrefix(p.address, "http://"))
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = connection.Close() }()
	if err := connection.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return 0, "", err
	}
	for _, part := range [][]byte{[]byte(head), body} {
		if _, err := connection.Write(part); err != nil {
			return 0, "", err
		}
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, string(answer), err
}

package app_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// The clients that the tests of this package speak with: the command line, HTTP, graphql-transport-ws and server-sent
// events.

// said is what a command wrote and how it ended.
type said struct {
	out, err string
	code     int
}

// command runs "almanac" with the variables and arguments to its end.
func runCommand(t *testing.T, variables []string, args ...string) said {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0], args...) //nolint:gosec // our own binary
	c.Env = environment(variables)
	var out, errOut bytes.Buffer
	c.Stdout, c.Stderr = &out, &errOut
	err := c.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) || ctx.Err() != nil {
		t.Fatalf("almanac %v: %v %v", args, err, ctx.Err())
	}
	return said{out: out.String(), err: errOut.String(), code: c.ProcessState.ExitCode()}
}

// databaseLine is what every command on a database says first.
var databaseLine = regexp.MustCompile(`^database: \S.*\n`)

// mustRun is runCommand for what has to work.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	s := runCommand(t, nil, args...)
	if s.code != 0 || databaseLine.ReplaceAllString(s.err, "") != "" {
		t.Fatalf("almanac %v ended with %d and said %q", args, s.code, s.err)
	}
	return s.out
}

// eventually waits until the condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for !holds() {
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("waited for nothing: %s", what)
		}
	}
}

// reply is an HTTP answer, read to its end.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// send sends one request as it is written; header holds names and values in turn.
func (p *process) send(method, path string, body []byte, header ...string) (reply, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, p.address+path, bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	for i := 0; i+1 < len(header); i += 2 {
		if strings.EqualFold(header[i], "Host") {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close() //nolint:errcheck // read to its end
	text, err := io.ReadAll(response.Body)
	return reply{status: response.StatusCode, header: response.Header, body: text}, err
}

// mustSend is send for a server that has to answer.
func (p *process) mustSend(method, path string, body []byte, header ...string) reply {
	p.t.Helper()
	r, err := p.send(method, path, body, header...)
	if err != nil {
		p.t.Fatalf("%s %s: %v\n%s", method, path, err, p.log)
	}
	return r
}

// post sends a document as JSON for JSON.
func (p *process) post(query string, variables any, header ...string) (reply, answer) {
	p.t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		p.t.Fatal(err)
	}
	r := p.mustSend(http.MethodPost, "/graphql", body,
		append([]string{"Content-Type", "application/json", "Accept", "application/graphql-response+json"}, header...)...)
	var a answer
	if err := json.Unmarshal(r.body, &a); err != nil {
		p.t.Fatalf("%v: %s", err, r.body)
	}
	return r, a
}

// code is the first error's code, "" when there is none.
func (a answer) code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	code, _ := a.Errors[0].Extensions["code"].(string)
	return code
}

// metric returns the value of one line of /metrics, named with its labels; "" when there is none.
func (p *process) metric(name string) string {
	p.t.Helper()
	for text := range strings.Lines(string(p.mustSend(http.MethodGet, "/metrics", nil).body)) {
		if value, found := strings.CutPrefix(text, name+" "); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// bearer is the header that goes with a token.
func bearer(token string) []string { return []string{"Authorization", "Bearer " + token} }

// socket is a client of graphql-transport-ws.
type socket struct {
	t    testing.TB
	conn *websocket.Conn
}

// frame is one message of the protocol.
type frame struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// dial opens a socket and waits for connection_ack; token may be empty.
func (p *process) dial(token string) (*socket, error) {
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(p.address, "http")+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1)
	s := &socket{t: p.t, conn: conn}
	init := frame{Type: "connection_init"}
	if token != "" {
		init.Payload = json.RawMessage(`{"authorization":"Bearer ` + token + `"}`)
	}
	if err := s.write(init); err != nil {
		return nil, err
	}
	ack, err := s.read()
	if err != nil || ack.Type != "connection_ack" {
		return nil, fmt.Errorf("no connection_ack but %v: %w", ack, err)
	}
	p.t.Cleanup(func() { _ = conn.CloseNow() })
	return s, nil
}

func (p *process) mustDial(token string) *socket {
	p.t.Helper()
	s, err := p.dial(token)
	if err != nil {
		p.t.Fatalf("%v\n%s", err, p.log)
	}
	return s
}

func (s *socket) write(f frame) error {
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return s.conn.Write(ctx, websocket.MessageText, text)
}

// read returns the next message, and answers pings along the way.
func (s *socket) read() (frame, error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	for {
		var f frame
		_, text, err := s.conn.Read(ctx)
		if err != nil {
			return f, err
		}
		if err := json.Unmarshal(text, &f); err != nil {
			return f, err
		}
		if f.Type != "ping" {
			return f, nil
		}
		if err := s.write(frame{Type: "pong"}); err != nil {
			return f, err
		}
	}
}

// subscribe starts an operation.
func (s *socket) subscribe(id, query string, variables any) error {
	payload, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	return s.write(frame{ID: id, Type: "subscribe", Payload: payload})
}

// next returns the data of the next answer.
func (s *socket) next(into any) error {
	f, err := s.read()
	if err != nil {
		return err
	}
	return unpack(f.Type, f.Payload, into)
}

// unpack reads the data of an answer that came as an event.
func unpack(kind string, text []byte, into any) error {
	var a answer
	if kind == "next" {
		if err := json.Unmarshal(text, &a); err != nil {
			return err
		}
	}
	if kind != "next" || len(a.Errors) > 0 {
		return fmt.Errorf("%s: %s", kind, text)
	}
	return json.Unmarshal(a.Data, into)
}

// closed reads on until the server closes the socket, and returns its code.
func (s *socket) closed() websocket.StatusCode {
	for {
		if _, err := s.read(); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}

// events is a client of server-sent events, as a browser's EventSource is one.
type events struct {
	from *bufio.Reader
	end  func()
}

// happening is one event.
type happening struct{ id, kind, data string }

// listen opens a stream by GET, resuming after the id unless it is empty.
func (p *process) listen(query string, variables any, lastID string, header ...string) (*events, error) {
	encoded, err := json.Marshal(variables)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(p.t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet,
		p.address+"/graphql?"+url.Values{"query": {query}, "variables": {string(encoded)}}.Encode(), nil)
	if err != nil {
		cancel()
		return nil, err
	}
	r.Header.Set("Accept", "text/event-stream")
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		cancel()
		return nil, err
	}
	stop := time.AfterFunc(patience, cancel)
	e := &events{from: bufio.NewReader(response.Body), end: func() { stop.Stop(); cancel(); _ = response.Body.Close() }}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		e.end()
		return nil, fmt.Errorf("status %d: %s", response.StatusCode, text)
	}
	p.t.Cleanup(e.end)
	return e, nil
}

func (p *process) mustListen(query string, variables any, lastID string, header ...string) *events {
	p.t.Helper()
	e, err := p.listen(query, variables, lastID, header...)
	if err != nil {
		p.t.Fatalf("%v\n%s", err, p.log)
	}
	return e
}

// read returns the next event as the HTML standard reads it (section 9.2); io.EOF when the stream has ended.
func (e *events) read() (happening, error) {
	var h happening
	for {
		text, err := e.from.ReadString('\n')
		if err != nil {
			return h, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(text, "\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "id":
			h.id = value
		case "event":
			h.kind = value
		case "data":
			h.data += value
		case "":
			if value == "" && h.kind != "" {
				return h, nil
			}
		}
	}
}

// next returns the data of the next answer and the event's id.
func (e *events) next(into any) (id string, err error) {
	h, err := e.read()
	if err != nil {
		return "", err
	}
	return h.id, unpack(h.kind, []byte(h.data), into)
}

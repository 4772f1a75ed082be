package graphiti

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"

	"almanac/internal/standin/faults"
	"almanac/internal/standin/loopback"
)

// Path is where the server answers, and HealthPath where it says that it lives.
const (
	Path       = "/mcp/"
	HealthPath = "/health"
)

// sessions are those that the server remembers.
type sessions struct {
	open func() http.Handler

	mu      sync.Mutex
	handler http.Handler
	gone    map[string]bool
	known   map[string]bool
	opened  int
	closed  int
}

// Forget ends all sessions without a word to the clients, as a restart does.
func (s *Server) Forget() {
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	for id := range s.sessions.known {
		if s.sessions.gone == nil {
			s.sessions.gone = map[string]bool{}
		}
		s.sessions.gone[id] = true
	}
}

// Sessions is how many sessions were opened, and how many clients have closed.
func (s *Server) Sessions() (opened, closed int) {
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	return s.sessions.opened, s.sessions.closed
}

const sessionHeader = "Mcp-Session-Id"

// note remembers the session of an answer.
func (s *sessions) note(method, asked, given string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]bool{}
	}
	if given != "" && !s.known[given] {
		s.known[given] = true
		s.opened++
	}
	if method == http.MethodDelete && asked != "" {
		s.closed++
	}
}

func (s *sessions) forgotten(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone[id]
}

func (s *sessions) current() http.Handler {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handler == nil {
		s.handler = s.open()
	}
	return s.handler
}

// maxBody bounds a request, in bytes.
const maxBody = 4 << 20

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == HealthPath:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"status":"healthy","service":"graphiti-mcp"}`)
		return
	case r.URL.Path == strings.TrimSuffix(Path, "/"):
		http.Redirect(w, r, Path, http.StatusTemporaryRedirect)
		return
	case r.URL.Path != Path:
		http.NotFound(w, r)
		return
	case s.options.Token != "" && r.Header.Get("Authorization") != "Bearer "+s.options.Token:
		// A careless proxy quotes what it was given.
		http.Error(w, "wrong token: "+r.Header.Get("Authorization"), http.StatusUnauthorized)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the request is too large", http.StatusRequestEntityTooLarge)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if id := r.Header.Get(sessionHeader); s.sessions.forgotten(id) {
		// With a body of JSON-RPC, as the Python server does.
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w,
			`{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}`)
		return
	}
	fault := Fault{}
	if tool, ok := toolOf(body); ok {
		fault = s.fault(tool, onHTTP)
	}
	s.answer(w, r, fault)
}

// toolOf returns the tool that a request calls; "" for other requests that expect an answer, and false for what expects
// none.
func toolOf(body []byte) (string, bool) {
	var request struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name string `json:"name"`
			URI  string `json:"uri"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &request) != nil || len(request.ID) == 0 {
		return "", false
	}
	switch request.Method {
	case "tools/call":
		return request.Params.Name, true
	case "resources/read":
		return "get_status", true
	default:
		return request.Method, true
	}
}

// answer answers a request, with what the fault does to it.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, fault Fault) {
	switch {
	case fault.Hang:
		<-r.Context().Done()
		faults.Break()
	case fault.Reset:
		faults.Break()
	case fault.Redirect != "":
		http.Redirect(w, r, fault.Redirect, http.StatusTemporaryRedirect)
		return
	case fault.Garbage:
		w.Header().Set("Content-Type", "application/json")
		greeting := `{"greeting": "hello, ` + r.Header.Get("Authorization") + `"}`
		_, _ = io.WriteString(w, greeting) //nolint:gosec // what a careless proxy does
		return
	case fault.Status != 0:
		if fault.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(fault.RetryAfter/time.Second)))
		}
		http.Error(w, fault.Body, fault.Status)
		return
	}
	asked := r.Header.Get(sessionHeader)
	if fault.LoseAnswer || fault.Half {
		recorder := httptest.NewRecorder()
		s.sessions.current().ServeHTTP(recorder, r)
		s.sessions.note(r.Method, asked, recorder.Header().Get(sessionHeader))
		if fault.Half {
			for name, values := range recorder.Header() {
				w.Header()[name] = values
			}
			faults.Half(w, recorder.Body.Bytes())
		}
		faults.Break()
	}
	s.sessions.current().ServeHTTP(w, r)
	s.sessions.note(r.Method, asked, w.Header().Get(sessionHeader))
}

// Transport returns a transport whose requests stay in this process, whatever host they name; see loopback.Transport.
func (s *Server) Transport() http.RoundTripper { return loopback.Transport(s) }

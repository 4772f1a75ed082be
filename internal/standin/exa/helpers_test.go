package exa_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/standin/exa"
)

const key = "key-of-a-test"

// fixture is a stand-in with a client, whose every exchange is held against the description of the API.
type fixture struct {
	*testing.T
	server *exa.Server
	client *http.Client
	key    string
	// strange says that answers are made strange on purpose, so the description does not hold for them.
	strange bool

	mu sync.Mutex
	at time.Time
}

func (h *fixture) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at
}

// pass lets time go by.
func (h *fixture) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = h.at.Add(d)
}

func open(t *testing.T, options exa.Options) *fixture {
	t.Helper()
	h := &fixture{T: t, key: key, at: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	options.Now, options.Seed = h.now, 3
	if options.Keys == nil && !options.Open {
		options.Keys = []string{key}
	}
	switch options.Content {
	case -1:
		options.Content = 0
	case 0:
		options.Content = 2000 // tests that look at sizes say otherwise
	}
	h.server = exa.New(options)
	h.client = &http.Client{Transport: &checked{fixture: h, inner: h.server.Transport()}}
	return h
}

// checked is a transport that holds each exchange against the description.
type checked struct {
	fixture *fixture
	inner   http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (c *checked) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	answer, err := c.inner.RoundTrip(r)
	if err != nil || strings.HasPrefix(r.URL.Path, "/uploads/") {
		return answer, err
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(text))
	d, err := readDescription()
	if err != nil {
		return nil, err
	}
	if !c.fixture.strange {
		for _, wrong := range d.judge(exchange{r.Method, r.URL.EscapedPath(), r.URL.Query(), body, answer.StatusCode,
			answer.Header, text}) {
			c.fixture.Errorf("%s %s (%d): %s", r.Method, r.URL, answer.StatusCode, wrong)
		}
	}
	return answer, nil
}

type object = map[string]any

// send asks, and returns the status and the raw answer.
func (h *fixture) send(method, path string, body any) (int, []byte) {
	h.Helper()
	var content io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		content = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			h.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(h.Context(), method, "https://api.exa.ai"+path, content)
	if err != nil {
		h.Fatal(err)
	}
	if h.key != "" {
		request.Header.Set("x-api-key", h.key)
	}
	if content != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := h.client.Do(request)
	if err != nil {
		h.Fatalf("%s %s: %v", method, path, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		h.Fatalf("%s %s: %v", method, path, err)
	}
	return answer.StatusCode, text
}

// call asks for something that works, and returns the answer.
func (h *fixture) call(method, path string, body any) object {
	h.Helper()
	status, text := h.send(method, path, body)
	if status >= 300 {
		h.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	var answer object
	if len(text) > 0 {
		if err := json.Unmarshal(text, &answer); err != nil {
			h.Fatalf("%s %s: %v", method, path, err)
		}
	}
	return answer
}

func (h *fixture) get(path string) object { h.Helper(); return h.call(http.MethodGet, path, nil) }
func (h *fixture) post(path string, body any) object {
	h.Helper()
	return h.call(http.MethodPost, path, body)
}
func (h *fixture) patch(path string, body any) object {
	h.Helper()
	return h.call(http.MethodPatch, path, body)
}
func (h *fixture) remove(path string) object { h.Helper(); return h.call(http.MethodDelete, path, nil) }

// refused asks for something that does not work, and wants its status and a part of what is said.
func (h *fixture) refused(method, path string, body any, status int, says string) {
	h.Helper()
	got, text := h.send(method, path, body)
	if got != status || !strings.Contains(string(text), says) {
		h.Errorf("%s %s: %d %s, want %d and %q", method, path, got, text, status, says)
	}
}

// all returns the entries of a list, over all pages.
func (h *fixture) all(path string) []object {
	h.Helper()
	var all []object
	for cursor := ""; ; {
		next := path
		if cursor != "" {
			next += map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")] + "cursor=" + cursor
		}
		page := h.get(next)
		for _, one := range page["data"].([]any) {
			all = append(all, one.(object))
		}
		if more, _ := page["hasMore"].(bool); !more {
			return all
		}
		cursor = page["nextCursor"].(string)
	}
}

// fields returns one field of each entry, joined.
func fields(all []object, name string) string {
	var texts []string
	for _, one := range all {
		texts = append(texts, show(dig(one, name)))
	}
	return strings.Join(texts, " ")
}

// dig returns a field by its path: "progress.found", "searches.0.status".
func dig(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch inner := v.(type) {
		case object:
			v = inner[name]
		case []any:
			n := 0
			if _, err := fmt.Sscanf(name, "%d", &n); err != nil || n >= len(inner) {
				return nil
			}
			v = inner[n]
		default:
			return nil
		}
	}
	return v
}

func show(v any) string {
	if s, isText := v.(string); isText {
		return s
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (h *fixture) want(what string, got, want any) {
	h.Helper()
	if show(got) != show(want) {
		h.Errorf("%s: %s, want %s", what, show(got), show(want))
	}
}

// id returns the id of an answer.
func id(o object) string { return o["id"].(string) }

const (
	v0      = "/websets/v0"
	websets = v0 + "/websets"
)

// small is a webset of ten companies.
func (h *fixture) small(more ...object) object {
	h.Helper()
	body := object{"search": object{"query": "Water companies in Israel", "count": 10}}
	for _, one := range more {
		for name, value := range one {
			body[name] = value
		}
	}
	return h.post(websets, body)
}

// types returns the types of all events, oldest first.
func (h *fixture) types() string {
	h.Helper()
	all := h.all(v0 + "/events?limit=200")
	var texts []string
	for i := range all {
		texts = append(texts, all[len(all)-1-i]["type"].(string))
	}
	return strings.Join(texts, " ")
}

package resolvers_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// stream is a subscription over server-sent events.
type stream struct {
	t     *testing.T
	lines *bufio.Scanner
	close func()
}

// subscribe opens a subscription as a user.
func subscribe(t *testing.T, h *harness, user, query string, variables map[string]any) *stream {
	t.Helper()
	server := httptest.NewServer(h.handler)
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Authorization", "Bearer "+user)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return &stream{t: t, lines: bufio.NewScanner(response.Body), close: func() {
		cancel()
		_ = response.Body.Close()
		server.Close()
	}}
}

// next gives the data of the next event; the empty text when the stream is over.
func (s *stream) next() string {
	for s.lines.Scan() {
		if data, found := strings.CutPrefix(s.lines.Text(), "data: "); found {
			return data
		}
	}
	return ""
}

// firstEvent opens a subscription and gives its first event.
func firstEvent(t *testing.T, h *harness, user, query string, variables map[string]any) string {
	t.Helper()
	s := subscribe(t, h, user, query, variables)
	defer s.close()
	return s.next()
}

// A stream of bob's carries what bob does, whatever alice does before.
func TestNobodyHearsAnother(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, start)
			for name, query := range map[string]string{
				"tasks": `subscription ($after: String) { taskChanged(after: $after) { id: nodeId task { text } } }`,
				"lists": `subscription ($after: String) { listChanged(after: $after) { id: nodeId list { name } } }`,
			} {
				// The stream begins after the first change of bob's own, by its cursor: that its head has arrived does not tell
				// that it listens already.
				h.say(t, "bob", nil,
					`mutation { createTask(input: { text: "his", allowDuplicate: true }) { task { id } } createList(input: { name: "his `+name+`" }) { list { id } } }`, nil)
				s := subscribe(t, h, "bob", query, map[string]any{"after": latestCursor(t, h, "bob")})
				h.say(t, "alice", nil, `mutation { createTask(input: { text: "`+alicesMark+
					`", allowDuplicate: true }) { task { id } } createList(input: { name: "`+alicesMark+name+`" }) { list { id } } }`,
					nil)
				h.say(t, "bob", nil,
					`mutation { createTask(input: { text: "bob's", allowDuplicate: true }) { task { id } } createList(input: { name: "bob's `+name+`" }) { list { id } } }`, nil)
				if event := s.next(); !strings.Contains(event, "bob's") || strings.Contains(event, alicesMark) {
					t.Errorf("%s: bob hears %q", name, event)
				}
				s.close()
			}
		})
	}
}

// latestCursor is where a user's change log ends now.
func latestCursor(t *testing.T, h *harness, user string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": `{ changes { latestCursor } }`})
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Data struct{ Changes struct{ LatestCursor string } }
	}
	if err := json.Unmarshal(h.post(t, user, nil, nil, body), &answer); err != nil ||
		answer.Data.Changes.LatestCursor == "" {
		t.Fatalf("the end of the log: %v", err)
	}
	return answer.Data.Changes.LatestCursor
}

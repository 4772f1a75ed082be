package resolvers_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	standin "almanac/internal/standin/google"
)

// partsOf sends a query as alice, and hands over each part of the answer when it is flushed.
func (h *harness) partsOf(t *testing.T, query string) <-chan string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "multipart/mixed;deferSpec=20220824, application/json")
	r.Header.Set("Authorization", "Bearer alice")
	w := &partsRecorder{ResponseRecorder: httptest.NewRecorder(), parts: make(chan string, 100)}
	go func() {
		defer close(w.parts)
		h.handler.ServeHTTP(w, r)
	}()
	return w.parts
}

type partsRecorder struct {
	*httptest.ResponseRecorder

	parts chan string
}

// Flush implements http.Flusher.
func (w *partsRecorder) Flush() {
	for part := range strings.SplitSeq(w.Body.String(), "\r\n---") {
		if _, message, is := strings.Cut(part, "\r\n\r\n"); is {
			w.parts <- message
		}
	}
	w.Body.Reset()
}

// A dashboard has its tasks while Google has not answered, and Google is asked as often as for the whole answer.
func TestASlowRemoteDoesNotHoldADashboard(t *testing.T) {
	h := harnesses()[0].build(t, start)
	h.google1(t, "link alice alice@example.com UTC")
	h.google1(t,
		`event alice@example.com {"id": "one00", "summary": "Lunch", "start": {"dateTime": "2026-11-23T12:00:00Z"}, `+
			`"end": {"dateTime": "2026-11-23T13:00:00Z"}}`)
	h.say(t, "alice", nil, `mutation { createTask(input: { text: "Paint the fence" }) { task { id } } }`, nil)
	const dashboard = `{ tasks { nodes { text } } ... @defer(label: "calendar") { events { nodes { summary } } tasks { totalCount } } }`

	asked := func(run func()) (count int) {
		t.Helper()
		before := len(h.google.server.Requests())
		run()
		return len(h.google.server.Requests()) - before
	}
	var whole struct{ Data json.RawMessage }
	usual := asked(func() {
		if err := json.Unmarshal(h.say(t, "alice", nil, dashboard, nil), &whole); err != nil {
			t.Fatal(err)
		}
	})
	const want = `{"tasks":{"nodes":[{"text":"Paint the fence"}],"totalCount":1},"events":{"nodes":[{"summary":"Lunch"}]}}`
	if string(whole.Data) != want {
		t.Errorf("the whole answer is %s", whole.Data)
	}

	waiting, release := make(chan struct{}), make(chan struct{})
	h.google.wait = func(ctx context.Context) error {
		close(waiting)
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	h.google.server.Inject(standin.Fault{Method: "calendar.events.list", Latency: 2 * time.Second, Times: 1})
	deferred := asked(func() {
		parts := h.partsOf(t, dashboard)
		if got := <-parts; got != `{"data":{"tasks":{"nodes":[{"text":"Paint the fence"}]}},"hasNext":true}` {
			t.Errorf("the first part is %s", got)
		}
		<-waiting // Google has been asked, and has not answered
		select {
		case got := <-parts:
			t.Errorf("before Google has answered there is %s", got)
		default:
		}
		close(release)
		got := <-parts
		if got != `{"incremental":[{"data":{"events":{"nodes":[{"summary":"Lunch"}]}},"path":[],"label":"calendar"},`+
			`{"data":{"totalCount":1},"path":["tasks"],"label":"calendar"}],"hasNext":false}` {
			t.Errorf("the last part is %s", got)
		}
		if more, open := <-parts; open {
			t.Errorf("and there is %s", more)
		}
	})
	if deferred != usual {
		t.Errorf("Google was asked %d times, and %d for the whole answer", deferred, usual)
	}
}

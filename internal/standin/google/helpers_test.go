package google_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	calendar "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	dana       = "dana@example.com"
	noam       = "noam@example.com"
	scopeRoot  = "https://www.googleapis.com/auth/"
	events     = scopeRoot + "calendar.events"
	readonly   = scopeRoot + "calendar.readonly"
	gmailSend  = scopeRoot + "gmail.send"
	redirect   = "https://almanac.example.com/connect/google/callback"
	calendarV3 = "https://www.googleapis.com/calendar/v3/"
)

var start = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// clock is a time that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// tiny is a service that keeps a list of names and answers what a test tells it to.
type tiny struct {
	doc *discovery.Document

	mu    sync.Mutex
	calls []wire.Call
	names []string
	serve func(wire.Call) (wire.Reply, error)
}

func (t *tiny) Document() *discovery.Document { return t.doc }

func (t *tiny) Serve(call wire.Call) (wire.Reply, error) {
	t.mu.Lock()
	t.calls = append(t.calls, call)
	serve := t.serve
	if call.Method == "calendar.events.insert" {
		summary, _ := call.Body["summary"].(string)
		t.names = append(t.names, summary)
	}
	t.mu.Unlock()
	if serve != nil {
		return serve(call)
	}
	switch m := t.doc.Methods[call.Method]; {
	case m.Response == "":
		return wire.Reply{Status: http.StatusNoContent}, nil
	case call.Method == "calendar.events.list":
		return wire.Reply{Body: map[string]any{
			"kind": "calendar#events", "etag": `"e1"`, "summary": "יומן", "nextSyncToken": "s1",
			"items": []any{
				map[string]any{"kind": "calendar#event", "id": "a", "summary": "פגישה",
					"start": map[string]any{"date": "2026-11-21"}},
				map[string]any{"kind": "calendar#event", "id": "b"},
			},
		}}, nil
	default:
		body := map[string]any{}
		if kind := t.doc.Schemas[m.Response].Properties["kind"]; kind != nil {
			body["kind"] = kind.Default
		}
		if id := call.Path["eventId"]; id != "" {
			body["id"] = id
		}
		return wire.Reply{Body: body}, nil
	}
}

func (t *tiny) Forget(account string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names = slices.DeleteFunc(t.names, func(n string) bool { return n == account })
}

func (t *tiny) Snapshot(w io.Writer) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return json.NewEncoder(w).Encode(t.names)
}

func (t *tiny) Restore(r io.Reader) error {
	var names []string
	if err := json.NewDecoder(r).Decode(&names); err != nil {
		return err
	}
	if slices.Contains(names, "refused") {
		return errors.New("this one is refused")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names = names
	return nil
}

func (t *tiny) last(tb testing.TB) wire.Call {
	tb.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.calls) == 0 {
		tb.Fatal("the service was not called")
	}
	return t.calls[len(t.calls)-1]
}

func (t *tiny) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.calls)
}

func (t *tiny) answer(serve func(wire.Call) (wire.Reply, error)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.serve = serve
}

// rig is a stand-in with its parts at hand.
type rig struct {
	*google.Server
	clock           *clock
	calendar, gmail *tiny

	mu    sync.Mutex
	found []discovery.Violation
}

// newRig makes a stand-in with two accounts; options may be changed before.
func newRig(t testing.TB, change ...func(*google.Options)) *rig {
	t.Helper()
	r := &rig{clock: &clock{now: start}, calendar: &tiny{doc: discovery.Calendar()}, gmail: &tiny{doc: discovery.Gmail()}}
	o := google.Options{
		Now: r.clock.Now, Seed: 7, Services: []wire.Service{r.calendar, r.gmail},
		Client: google.OAuthClient{ID: "almanac", Secret: "not-so-secret", RedirectURIs: []string{redirect}},
		Report: func(v discovery.Violation) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.found = append(r.found, v)
		},
	}
	for _, c := range change {
		c(&o)
	}
	var err error
	if r.Server, err = google.New(o); err != nil {
		t.Fatal(err)
	}
	for _, a := range []google.Account{{Email: dana, Name: "דנה כהן", Locale: "he", Granular: true},
		{Email: noam, Name: "Noam"}} {
		if err := r.AddAccount(a); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (r *rig) violations() []discovery.Violation {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := r.found
	r.found = nil
	return found
}

// bearer puts a token into every request.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}

func (r *rig) grant(t testing.TB, email string, scopes ...string) google.Tokens {
	t.Helper()
	tokens, err := r.Grant(email, scopes)
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

func (r *rig) client(token string) *http.Client {
	return &http.Client{Transport: bearer{token, r.Transport()}}
}

// service is the real client with a token for Dana's events.
func (r *rig) service(t testing.TB) *calendar.Service {
	t.Helper()
	return r.serviceWith(t, r.client(r.grant(t, dana, events).Access))
}

func (*rig) serviceWith(t testing.TB, client *http.Client) *calendar.Service {
	t.Helper()
	service, err := calendar.NewService(t.Context(), option.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	return service
}

// get does a request without the real client.
func get(t testing.TB, client *http.Client, url string, header ...string) (*http.Response, string) {
	t.Helper()
	return do(t, client, http.MethodGet, url, nil, header...)
}

func do(t testing.TB, client *http.Client, verb, url string, body io.Reader,
	header ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), verb, url, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatalf("%s %s: %v", verb, url, err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", verb, url, err)
	}
	return response, string(raw)
}

// wantError wants an error of the real client with a status and a reason.
func wantError(t testing.TB, what string, err error, status int, reason string) *googleapi.Error {
	t.Helper()
	var e *googleapi.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: %v; want %d %s", what, err, status, reason)
		return &googleapi.Error{Header: http.Header{}}
	}
	if e.Code != status || len(e.Errors) != 1 || e.Errors[0].Reason != reason {
		t.Errorf("%s: %d %+v; want %d %s", what, e.Code, e.Errors, status, reason)
	}
	return e
}

// field reads a value inside of JSON.
func field(t testing.TB, text string, path ...any) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, step := range path {
		switch at := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			value = object[at]
		case int:
			list, _ := value.([]any)
			if at >= len(list) {
				return nil
			}
			value = list[at]
		}
	}
	return value
}

func same(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

package discovery_test

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	calendar "google.golang.org/api/calendar/v3"
	gmail "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"

	"almanac/internal/standin/discovery"
)

// log gathers violations.
type log struct {
	mu    sync.Mutex
	found []discovery.Violation
}

func (l *log) report(v discovery.Violation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found = append(l.found, v)
}

func (l *log) take() []discovery.Violation {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := l.found
	l.found = nil
	return found
}

// answer is a handler that always says the same.
func answer(status int, contentType, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

// transport serves requests in process.
type transport struct{ handler http.Handler }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	t.handler.ServeHTTP(recorder, r)
	return recorder.Result(), nil
}

// TestRealClientPasses: nothing that the real client sends is found fault with, on either side of the wire.
func TestRealClientPasses(t *testing.T) {
	t.Parallel()
	var seen log
	docs := []*discovery.Document{discovery.Calendar(), discovery.Gmail()}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m, _, ok := docs[0].Match(r.Method, r.URL.EscapedPath())
		if !ok {
			if m, _, ok = docs[1].Match(r.Method, r.URL.EscapedPath()); !ok {
				t.Errorf("%s %s is no method", r.Method, r.URL)
				return
			}
		}
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		switch {
		case m.Response == "":
			w.WriteHeader(http.StatusNoContent)
		case m.Response == "Message" || m.Response == "Draft" || r.URL.Query().Get("fields") != "":
			_, _ = io.WriteString(w, `{}`)
		case strings.HasSuffix(m.ID, "events.list"):
			_, _ = io.WriteString(w, `{"kind":"calendar#events","items":[]}`)
		case m.Response == "FreeBusyResponse":
			_, _ = io.WriteString(w, `{"kind":"calendar#freeBusy"}`)
		default:
			_, _ = io.WriteString(w, `{"kind":"calendar#event"}`)
		}
	})
	client := &http.Client{Transport: discovery.WatchTransport(transport{discovery.Watch(handler, seen.report, docs...)},
		seen.report, docs...)}
	cal, err := calendar.NewService(t.Context(), option.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	mail, err := gmail.NewService(t.Context(), option.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	at := func(hour string) *calendar.EventDateTime {
		return &calendar.EventDateTime{DateTime: "2026-11-21T" + hour + ":00:00+02:00", TimeZone: "Asia/Jerusalem"}
	}
	event := &calendar.Event{Summary: "פגישה", Start: at("09"), End: at("10"), Reminders: &calendar.EventReminders{
		ForceSendFields: []string{"UseDefault"},
		Overrides:       []*calendar.EventReminder{{Method: "popup", ForceSendFields: []string{"Minutes"}}},
	}}
	for name, call := range map[string]func() error{
		"list": func() error {
			_, err := cal.Events.List("he.jewish#holiday@group.v.calendar.google.com").SingleEvents(true).OrderBy("startTime").
				TimeMin("2026-11-21T00:00:00Z").EventTypes("default", "focusTime").Do()
			return err
		},
		"list with fields": func() error {
			_, err := cal.Events.List("primary").Fields("items(id,summary)", "nextPageToken").Do()
			return err
		},
		"insert": func() error { _, err := cal.Events.Insert("a/b c", event).SendUpdates("none").Do(); return err },
		"patch": func() error {
			patch := &calendar.Event{NullFields: []string{"Attendees"}, ForceSendFields: []string{"Location"}}
			call := cal.Events.Patch("primary", "e1", patch)
			call.Header().Set("If-Match", `"1"`)
			_, err := call.Do()
			return err
		},
		"delete": func() error { return cal.Events.Delete("primary", "e1").Do() },
		"free/busy": func() error {
			_, err := cal.Freebusy.Query(&calendar.FreeBusyRequest{
				TimeMin: "2026-11-21T00:00:00Z", TimeMax: "2026-11-22T00:00:00Z",
				Items: []*calendar.FreeBusyRequestItem{{Id: "primary"}},
			}).Do()
			return err
		},
		"send": func() error { _, err := mail.Users.Messages.Send("me", &gmail.Message{Raw: "SGk="}).Do(); return err },
		"send with media": func() error {
			_, err := mail.Users.Messages.Send("me", &gmail.Message{ThreadId: "t1"}).
				Media(strings.NewReader("Subject: a\r\n\r\nb"), googleapi.ContentType("message/rfc822")).Do()
			return err
		},
	} {
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if found := seen.take(); found != nil {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestWatchFindsFaults(t *testing.T) {
	t.Parallel()
	const (
		jsonType = "application/json; charset=UTF-8"
		list     = "/calendar/v3/calendars/primary/events"
		notFound = `{"error":{"code":404,"message":"Not Found","errors":[{"domain":"global","reason":"notFound",` +
			`"message":"Not Found"}]}}`
	)
	for name, c := range map[string]struct {
		verb, target, contentType, body string
		handler                         http.Handler
		want                            []discovery.Rule
	}{
		"nothing": {"GET", list, "", "", answer(200, jsonType, `{"kind":"calendar#events"}`), nil},
		"a parameter": {"GET", list + "?singleEvent=true", "", "", answer(200, jsonType, `{"kind":"calendar#events"}`),
			[]discovery.Rule{"unknown"}},
		"a route":      {"PUT", list, "", "", answer(405, "text/html", ``), []discovery.Rule{"route"}},
		"another path": {"PUT", "/token", "", "", answer(200, "text/html", `hi`), nil},
		"a batch":      {"POST", "/batch/calendar/v3", "multipart/mixed", "x", answer(200, "multipart/mixed", `x`), nil},
		"a mask's leak": {"GET", list + "?fields=etag", "", "", answer(200, jsonType, `{"etag":"a","summary":"b"}`),
			[]discovery.Rule{"mask"}},
		"both sides": {
			"POST", list, jsonType, `{"start":{},"end":{},"x":1}`, answer(200, jsonType, `{"kind":"x"}`),
			[]discovery.Rule{"unknown", "kind"},
		},
		"text": {"POST", list, "text/plain", `{}`, answer(200, jsonType, `{"kind":"calendar#event"}`),
			[]discovery.Rule{"body"}},
		"no content type": {"POST", list, "", `{}`, answer(200, jsonType, `{"kind":"calendar#event"}`),
			[]discovery.Rule{"body"}},
		"two values": {"POST", list, jsonType, `{}{}`, answer(200, jsonType, `{"kind":"calendar#event"}`),
			[]discovery.Rule{"body"}},
		"an answer in HTML": {"GET", list, "", "", answer(200, "text/html", `<p>`), []discovery.Rule{"body"}},
		"an empty answer":   {"GET", list, "", "", answer(200, jsonType, ``), []discovery.Rule{"body"}},
		"broken JSON":       {"GET", list, "", "", answer(200, jsonType, `{`), []discovery.Rule{"body"}},
		"204":               {"DELETE", list + "/e1", "", "", answer(204, "", ``), nil},
		"304":               {"GET", list, "", "", answer(304, "", ``), nil},
		"an error":          {"GET", list, "", "", answer(404, jsonType, notFound), nil},
		"an error's code":   {"GET", list, "", "", answer(410, jsonType, notFound), []discovery.Rule{"error"}},
		"an error's body":   {"GET", list, "", "", answer(404, jsonType, `{"error":"x"}`), []discovery.Rule{"error"}},
		"an error's reasons": {"GET", list, "", "", answer(404, jsonType, `{"error":{"code":404,"message":""}}`),
			[]discovery.Rule{"error"}},
		"502 in HTML": {"GET", list, "", "", answer(502, "text/html", `<p>`), nil},
		"gzip that is none": {"GET", list, "", "", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = io.WriteString(w, "x")
		}), []discovery.Rule{"body"}},
		"inside of gzip": {"GET", list, "", "", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", jsonType)
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, `{"kind":"calendar#events","wrong":1}`)
			_ = z.Close()
		}), []discovery.Rule{"unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, side := range []string{"server", "client"} {
				var seen log
				var received string
				inner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					raw, _ := io.ReadAll(r.Body)
					received = string(raw)
					c.handler.ServeHTTP(w, r)
				})
				request := httptest.NewRequestWithContext(t.Context(), c.verb, c.target, strings.NewReader(c.body))
				if c.contentType != "" {
					request.Header.Set("Content-Type", c.contentType)
				}
				var through http.RoundTripper
				if side == "server" {
					through = transport{discovery.Watch(inner, seen.report, discovery.Calendar())}
				} else {
					through = discovery.WatchTransport(transport{inner}, seen.report, discovery.Calendar())
				}
				response, err := through.RoundTrip(request)
				if err != nil {
					t.Fatal(err)
				}
				plain := httptest.NewRecorder()
				c.handler.ServeHTTP(plain, request)
				raw, err := io.ReadAll(response.Body)
				if err != nil || string(raw) != plain.Body.String() || response.StatusCode != plain.Code || received != c.body {
					t.Errorf("%s side: the exchange was changed: %d %q (%v), request %q", side, response.StatusCode, raw, err,
						received)
				}
				var rules []discovery.Rule
				for _, v := range seen.take() {
					rules = append(rules, v.Rule)
				}
				if !slices.Equal(rules, c.want) {
					t.Errorf("%s side: %v; want %v", side, rules, c.want)
				}
			}
		})
	}
}

// TestWatchHandsOnWhatBreaks: a connection that breaks does so for the client too, and is not judged.
func TestWatchHandsOnWhatBreaks(t *testing.T) {
	t.Parallel()
	var seen log
	broken := discovery.WatchTransport(half{}, seen.report, discovery.Calendar())
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/calendar/v3/calendars/primary/events",
		http.NoBody)
	response, err := broken.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(response.Body)
	if string(raw) != `{"kind":` || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the client read %q and %v", raw, err)
	}
	if found := seen.take(); found != nil {
		t.Errorf("half an answer was judged: %v", found)
	}
	defer func() {
		if recover() != http.ErrAbortHandler { //nolint:errorlint // that is how net/http compares it
			t.Error("the handler's abort did not pass")
		}
	}()
	aborts := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	discovery.Watch(aborts, seen.report, discovery.Calendar()).ServeHTTP(httptest.NewRecorder(), request)
}

// half breaks off in the middle of a body.
type half struct{}

func (half) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(
			io.MultiReader(strings.NewReader(`{"kind":`), errorReader{}))}, nil
}

type errorReader struct{}

func (errorReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

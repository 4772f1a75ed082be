package google_test

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// wire makes the real transport reach a server of the test by Google's names.
func wire(t *testing.T, handler http.Handler) (*stage, *httptest.Server) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.StartTLS()
	transport := google.NewTransport()
	transport.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool(), ServerName: "example.com",
		MinVersion: tls.VersionTLS12}
	transport.TLSClientConfig.RootCAs.AddCert(server.Certificate())
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return dial(ctx, network, server.Listener.Addr().String())
	}
	s := newStage(t)
	s.Base = transport
	s.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	return s, server
}

func TestRealTransport(t *testing.T) {
	t.Parallel()
	var protocol, encoding, agent atomic.Value
	s, _ := wire(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protocol.Store(r.Proto)
		encoding.Store(r.Header.Get("Accept-Encoding"))
		agent.Store(r.UserAgent())
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		_, _ = io.WriteString(packed, `{"items":[{"id":"1","summary":"פגישה"}]}`)
		_ = packed.Close()
	}))
	service := service(t, s)
	events, err := service.Events.List(address).Context(t.Context()).Do()
	if err != nil || len(events.Items) != 1 || events.Items[0].Summary != "פגישה" {
		t.Fatalf("%v %v", events, google.Classify(err))
	}
	if protocol.Load() != "HTTP/2.0" || encoding.Load() != "gzip" || agent.Load() != "google-api-go-client/0.5 (gzip)" {
		t.Errorf("asked by %v, %v, as %v", protocol.Load(), encoding.Load(), agent.Load())
	}
}

func service(t *testing.T, s *stage) *calendar.Service {
	t.Helper()
	made, err := calendar.NewService(t.Context(), option.WithHTTPClient(s.HTTP(t.Context(), noa, model.UpstreamGoogle)))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Over real connections: what breaks before the request is written is sent again, what breaks after it is not.
func TestRealConnectionsBreak(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		repeat  google.Repeat
		served  int64
		unknown bool
	}{
		{"unapplied", google.RepeatUnapplied, 1, true},
		{"always", google.RepeatAlways, 2, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var served, dialled atomic.Int64
			s, _ := wire(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if served.Add(1) == 1 {
					panic(http.ErrAbortHandler) // applied, and the answer is lost
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"id":"e1"}`)
			}))
			transport := s.Base.(*http.Transport)
			dial := transport.DialContext
			transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				if dialled.Add(1) == 1 {
					return nil, &net.OpError{Op: "dial", Net: network, Err: errors.New("unreachable")}
				}
				return dial(ctx, network, address)
			}
			ctx, outcome := google.WithOutcome(google.WithRepeat(t.Context(), test.repeat))
			_, err := service(t, s).Events.Insert("primary", &calendar.Event{Id: "e1"}).Context(ctx).Do()
			if served.Load() != test.served || outcome.MayHaveBeenApplied() != test.unknown ||
				google.MayHaveBeenApplied(err) != test.unknown {
				t.Errorf("served %d times: %v", served.Load(), google.Classify(err))
			}
			if dialled.Load() < 2 {
				t.Error("nothing was dialled again")
			}
		})
	}
}

// Nobody listens: the write was not sent, and the error says so.
func TestNobodyListens(t *testing.T) {
	t.Parallel()
	s, server := wire(t, http.NotFoundHandler())
	server.Close()
	ctx, outcome := google.WithOutcome(google.WithRepeat(t.Context(), google.RepeatUnapplied))
	_, err := service(t, s).Events.Insert("primary", &calendar.Event{}).Context(ctx).Do()
	classes(t, google.Classify(err), model.CodeUpstreamUnavailable)
	if outcome.Attempts() != 4 || outcome.MayHaveBeenApplied() || google.MayHaveBeenApplied(err) {
		t.Errorf("%d attempts: %v", outcome.Attempts(), err)
	}
}

// The client library sees Google's errors as it is used to.
func TestClientLibraryKeepsItsErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		script []step
		call   func(*calendar.Service) error
		check  func(error) bool
		code   model.ErrorCode
	}{
		{"not found", []step{refusal(404, "global", "notFound", "Not Found")},
			func(s *calendar.Service) error { _, err := s.Events.Get(address, "x").Do(); return err },
			func(err error) bool { var e *googleapi.Error; return errors.As(err, &e) && e.Code == 404 }, model.CodeNotFound},
		{"not modified", []step{answer(304, map[string]string{"Etag": `"1"`}, "")},
			func(s *calendar.Service) error {
				_, err := s.Events.Get(address, "x").IfNoneMatch(`"1"`).Do()
				return err
			},
			func(err error) bool { return googleapi.IsNotModified(err) && google.IsNotModified(err) },
			model.CodeUpstreamUnavailable},
		{"deleted", []step{answer(204, nil, "")},
			func(s *calendar.Service) error { return s.Events.Delete(address, "x").Do() },
			func(err error) bool { return err == nil }, ""},
		{"a page that is no answer", []step{answer(200, map[string]string{"Content-Type": "text/html"}, "<html>")},
			func(s *calendar.Service) error { _, err := s.CalendarList.List().Do(); return err },
			func(err error) bool { return google.MayHaveBeenApplied(err) }, model.CodeUpstreamUnavailable},
		{"an answer without a body", []step{answer(200, nil, "")},
			func(s *calendar.Service) error { _, err := s.CalendarList.List().Do(); return err },
			func(err error) bool { return err != nil }, model.CodeUpstreamUnavailable},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, test.script...)
			err := test.call(service(t, s))
			if !test.check(err) {
				t.Errorf("it says %v", err)
			}
			classes(t, google.Classify(err), test.code)
		})
	}
}

// The client library replaces every error by the context's own once that has ended; the outcome still knows.
func TestLibraryForgetsWhatTheContextHid(t *testing.T) {
	t.Parallel()
	s := newStage(t, hang())
	ctx, cancel := context.WithCancel(t.Context())
	ctx, outcome := google.WithOutcome(ctx)
	s.remote.script = []step{func(req *http.Request) (*http.Response, error) {
		cancel()
		return hang()(req)
	}}
	_, err := service(t, s).Events.Insert("primary", &calendar.Event{}).Context(ctx).Do()
	classes(t, google.Classify(err), model.CodeTimeout)
	if !outcome.MayHaveBeenApplied() || outcome.Attempts() != 1 {
		t.Errorf("%d attempts, %v", outcome.Attempts(), outcome.MayHaveBeenApplied())
	}
}

// What is told of attempts holds no address and no token; the log of the stage is searched for them as well.
func TestWhatIsTold(t *testing.T) {
	t.Parallel()
	s := newStage(t, refusal(403, "usageLimits", "userRateLimitExceeded", "slow"), backend(502), ok())
	s.Wait = func(context.Context, time.Duration) error { return nil }
	ctx := google.WithOperation(t.Context(), "calendar.events.list")
	if _, err := s.do(ctx, "GET"); err != nil {
		t.Fatal(err)
	}
	same(t, "results", s.heard.results(), []string{google.ResultRateLimited, google.ResultUnavailable, google.ResultOK})
	first := s.heard.attempts[0]
	first.Latency = 0
	if want := (google.Attempt{Operation: "calendar.events.list", Method: "GET", Host: "www.googleapis.com", Number: 1,
		Status: 403, Result: google.ResultRateLimited, Reason: "userRateLimitExceeded"}); first != want {
		t.Errorf("told %+v", first)
	}
	lines := strings.Split(strings.TrimSpace(s.log.String()), "\n")
	if len(lines) != 3 {
		t.Errorf("the log has %d lines: %s", len(lines), s.log)
	}
	for _, word := range []string{`"operation":"calendar.events.list"`, `"host":"www.googleapis.com"`, `"attempt":1`,
		`"status":403`, `"latency":`} {
		if !strings.Contains(lines[0], word) {
			t.Errorf("the log lacks %s: %s", word, lines[0])
		}
	}
	noSecretIn(t, "the log", s.log.String())
	if u, _ := url.Parse(eventsURL); strings.Contains(s.log.String(), u.Path) {
		t.Error("the log holds the path")
	}
}

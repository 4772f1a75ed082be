package feedsync_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/calfiles"
	"almanac/adapters/feeds"
	"almanac/adapters/remote"
	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/feedsync"
	"almanac/internal/seal"
	"almanac/internal/teststore"
	"almanac/projections/occur"
)

var alice = model.UserID{1}

const secret = "c0ffee-secret"

// scene is a feed that is followed, on a server that answers with a function.
type scene struct {
	*testing.T
	store  store.Store
	files  *calfiles.Files
	worker *feedsync.Worker
	answer atomic.Pointer[http.HandlerFunc]
	said   bytes.Buffer
	now    time.Time
	made   int
}

func onBoth(t *testing.T, test func(s *scene)) {
	t.Helper()
	for name, open := range map[string]func(*testing.T) store.Store{"sqlite": openSQLite, "postgres": openPostgres} {
		t.Run(name, func(t *testing.T) { test(newScene(t, open(t))) })
	}
}

func openSQLite(t *testing.T) store.Store {
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t)})
	if err != nil {
		t.Fatal(err)
	}
	ready(t, s.Migrate, s.Close)
	return s
}

func openPostgres(t *testing.T) store.Store {
	s, err := postgres.Open(t.Context(), postgres.Options{URL: teststore.Postgres(t)})
	if err != nil {
		t.Fatal(err)
	}
	ready(t, s.Migrate, s.Close)
	return s
}

func ready(t *testing.T, migrate func(context.Context) error, end func() error) {
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	if err := migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func newScene(t *testing.T, st store.Store) *scene {
	s := &scene{T: t, store: st, now: time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)}
	now := func() time.Time { return s.now }
	s.files = &calfiles.Files{Store: st, Rules: occur.NewRules(occur.DefaultRules), Now: now, NewID: func() model.UUID {
		s.made++
		return model.UUID{15: byte(s.made)}
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		(*s.answer.Load())(w, r)
	}))
	t.Cleanup(server.Close)
	// The host feed.example is the test's server; every other one is asked as the real client asks.
	inside, public := feeds.NewTransport(true), feeds.NewTransport(false)
	inside.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	t.Cleanup(inside.CloseIdleConnections)
	t.Cleanup(public.CloseIdleConnections)
	client := &feeds.Client{
		Now: now, Wait: func(context.Context, time.Duration) error { return nil },
		// Rest and breaker go by the process's clock, which the test does not wait for.
		Limits: remote.Limits{Attempts: 1, Attempt: 300 * time.Millisecond, Failures: 100, Rest: time.Nanosecond},
		Base: roundTrip(func(r *http.Request) (*http.Response, error) {
			if r.URL.Hostname() == "feed.example" {
				return inside.RoundTrip(r)
			}
			return public.RoundTrip(r)
		}),
	}
	box, err := seal.NewBox(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	s.worker = &feedsync.Worker{Queue: st, Files: s.files, Feeds: client, Box: box, Now: now,
		Jitter: func() float64 { return 0 }, Logger: slog.New(slog.NewTextHandler(&s.said, nil))}
	t.Cleanup(func() {
		if strings.Contains(s.said.String(), secret) || strings.Contains(s.said.String(), "feed.example") {
			t.Errorf("the address is in the log: %s", &s.said)
		}
	})
	return s
}

// serves makes the server answer with a status, headers in pairs and a body.
func (s *scene) serves(status int, body string, headers ...string) {
	answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
	s.answer.Store(&answer)
}

func file(events ...string) string {
	text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Club\r\n"
	for i, summary := range events {
		text += fmt.Sprintf("BEGIN:VEVENT\r\nUID:%s@example.com\r\nDTSTAMP:20261101T000000Z\r\n"+
			"DTSTART:202611%02dT120000Z\r\nSUMMARY:%s\r\nEND:VEVENT\r\n", strings.Fields(summary)[0], 10+i, summary)
	}
	return text + "END:VCALENDAR\r\n"
}

// follow subscribes to the feed.
func (s *scene) follow(text string) calfiles.Result {
	s.Helper()
	const address = "http://feed.example/" + secret + ".ics"
	done, err := s.files.Follow(s.Context(), calfiles.NewFeed{User: alice, Address: address, Host: "feed.example",
		Sealed: s.worker.Box.Seal(feedsync.Place(alice), []byte(address)), OtherwiseZone: "UTC", Text: []byte(text),
		DueAt: s.now.Add(feeds.MinInterval)},
		func(context.Context, store.Tx, model.KeptCalendar) error { return nil })
	if err != nil {
		s.Fatal(err)
	}
	return done
}

// reads claims the feed when it is due, and reads it.
func (s *scene) reads() feedsync.Reading {
	s.Helper()
	link, _ := s.link()
	s.now = link.DueAt
	due, err := s.store.ClaimFeeds(s.Context(), s.now, s.now.Add(time.Minute), 10)
	if err != nil || len(due) != 1 {
		s.Fatalf("due are %v, %v", due, err)
	}
	return s.worker.Read(s.Context(), due[0])
}

func (s *scene) link() (link model.CalendarLink, state model.FeedState) {
	s.Helper()
	links, err := s.store.CalendarLinks(s.Context(), alice)
	if err != nil || len(links) != 1 {
		s.Fatalf("links are %v, %v", links, err)
	}
	if state, err = calfiles.StateOf(links[0]); err != nil {
		s.Fatal(err)
	}
	return links[0], state
}

// has are the titles in the calendar.
func (s *scene) has(calendar int) string {
	s.Helper()
	rows, err := s.store.AllEvents(s.Context(), alice, calendar, "", 100)
	if err != nil {
		s.Fatal(err)
	}
	var titles []string
	for _, row := range rows {
		titles = append(titles, row.Summary)
	}
	slices.Sort(titles)
	return strings.Join(titles, ", ")
}

func (s *scene) log() string {
	s.Helper()
	changes, err := s.store.Changes(s.Context(), alice, -1, []model.ChangeType{model.ChangeEvent}, 100)
	if err != nil {
		s.Fatal(err)
	}
	var operations []string
	for _, c := range changes {
		operations = append(operations, string(c.Operation))
	}
	slices.Sort(operations)
	return strings.Join(operations, " ")
}

func TestAFeedIsKeptAsItsFileIs(t *testing.T) {
	onBoth(t, func(s *scene) {
		calendar := s.follow(file("a", "b", "c")).Calendar
		if calendar.State != model.CalendarKept || calendar.Name != "Club" || s.has(calendar.Number) != "a, b, c" {
			s.Errorf("%+v has %s", calendar, s.has(calendar.Number))
		}
		if s.log() != "" {
			s.Errorf("the first reading is told: %s", s.log())
		}
		s.serves(http.StatusOK, file("a", "b changed", "d"), "ETag", `"2"`)
		if got := s.reads(); got.Outcome != feedsync.OutcomeRead || got.Changed != 3 {
			s.Errorf("%+v", got)
		}
		if s.has(calendar.Number) != "a, b changed, d" || s.log() != "CREATED DELETED UPDATED" {
			s.Errorf("it has %s, told as %s", s.has(calendar.Number), s.log())
		}
		conditional := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-None-Match") != `"2"` {
				s.Errorf("asked with %v", r.Header)
			}
			w.WriteHeader(http.StatusNotModified)
		})
		s.answer.Store(&conditional)
		if got := s.reads(); got.Outcome != feedsync.OutcomeUnchanged || got.Changed != 0 {
			s.Errorf("%+v", got)
		}
		if _, state := s.link(); !state.AsOf.Equal(s.now) {
			s.Errorf("as of %v, at %v", state.AsOf, s.now)
		}
	})
}

func TestFaultsChangeNothing(t *testing.T) {
	onBoth(t, func(s *scene) {
		calendar := s.follow(file("a", "b")).Calendar
		whole := file("a", "b", "c")
		hangs := make(chan struct{})
		s.Cleanup(func() { close(hangs) })
		for i, c := range []struct {
			name  string
			serve func()
			code  model.ErrorCode
			least time.Duration
		}{
			{"429", func() { s.serves(429, "", "Retry-After", "7200") }, model.CodeUpstreamRateLimited, 2 * time.Hour},
			{"500", func() { s.serves(500, whole) }, model.CodeUpstreamUnavailable, 0},
			{"503", func() { s.serves(503, "", "Retry-After", "3600") }, model.CodeUpstreamUnavailable, time.Hour},
			{"a web page", func() { s.serves(200, "<!DOCTYPE html>") }, model.CodeUpstreamRejected, 0},
			{"nothing", func() { s.serves(200, "") }, model.CodeUpstreamRejected, 0},
			{"cut off", func() { s.serves(200, whole[:len(whole)-30]) }, model.CodeUpstreamUnavailable, 0},
			{"half a body", func() { s.serves(200, whole[:90], "Content-Length", "500") }, model.CodeUpstreamUnavailable, 0},
			{"denied", func() { s.serves(403, "") }, model.CodeUpstreamRejected, 0},
			{"into a private network", func() { s.serves(302, "", "Location", "http://127.0.0.1:9/x.ics") },
				model.CodeBadUserInput, 0},
			{"to the cloud's metadata", func() { s.serves(301, "", "Location", "http://169.254.169.254/x.ics") },
				model.CodeBadUserInput, 0},
			{"round and round", func() { s.serves(302, "", "Location", "/again") }, model.CodeUpstreamRejected, 0},
			{"a hung server", func() {
				hung := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hangs })
				s.answer.Store(&hung)
			}, model.CodeUpstreamUnavailable, 0},
		} {
			c.serve()
			got := s.reads()
			link, state := s.link()
			if got.Outcome != feedsync.OutcomeFailed || got.Code != c.code {
				s.Errorf("%s: %+v", c.name, got)
			}
			if state.Failures != i+1 || state.Problem == "" || link.DueAt.Before(s.now.Add(max(c.least, feeds.MinInterval))) ||
				link.DueAt.After(s.now.Add(25*time.Hour)) {
				s.Errorf("%s: %+v, due %v after", c.name, state, link.DueAt.Sub(s.now))
			}
			if s.has(calendar.Number) != "a, b" || s.log() != "" {
				s.Errorf("%s: it has %s, told as %s", c.name, s.has(calendar.Number), s.log())
			}
		}
		s.serves(200, whole)
		if got := s.reads(); got.Outcome != feedsync.OutcomeRead || s.has(calendar.Number) != "a, b, c" {
			s.Errorf("afterwards: %+v, %s", got, s.has(calendar.Number))
		}
		if _, state := s.link(); state.Failures != 0 || state.Problem != "" {
			s.Errorf("afterwards: %+v", state)
		}
		s.serves(410, "")
		s.reads()
		if link, state := s.link(); !link.DueAt.IsZero() || state.Problem == "" || s.has(calendar.Number) != "a, b, c" {
			s.Errorf("gone for good: %+v, %+v", link, state)
		}
	})
}

func TestADeletedFeedIsNotRead(t *testing.T) {
	onBoth(t, func(s *scene) {
		calendar := s.follow(file("a")).Calendar
		link, _ := s.link()
		s.serves(200, file("b"))
		err := s.store.Write(s.Context(), alice, func(ctx context.Context, tx store.Tx) error {
			return tx.DeleteCalendar(ctx, calendar.Number, s.now)
		})
		if err != nil {
			s.Fatal(err)
		}
		if got := s.worker.Read(s.Context(), link); got.Outcome != feedsync.OutcomeEnded {
			s.Errorf("%+v", got)
		}
		if links, err := s.store.CalendarLinks(s.Context(), alice); err != nil || len(links) > 0 {
			s.Errorf("%v, %v", links, err)
		}
	})
}

// TestAStopEndsWhatWaits: the worker returns while a server hangs, and the feed is due again.
func TestAStopEndsWhatWaits(t *testing.T) {
	s := newScene(t, openSQLite(t))
	s.follow(file("a"))
	link, _ := s.link()
	s.now = link.DueAt
	asked, hangs := make(chan struct{}, 1), make(chan struct{})
	t.Cleanup(func() { close(hangs) })
	hung := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked <- struct{}{}; <-hangs })
	s.answer.Store(&hung)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.worker.Run(ctx) }()
	<-asked
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, state := s.link(); state.Failures != 0 {
		t.Errorf("%+v", state)
	}
}

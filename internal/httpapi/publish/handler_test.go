package publish_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/publish"
	"almanac/projections/ical"
)

// source has one publication.
type source struct {
	publication publish.Publication
	events      []ical.Event
	err         error
	looked      int
	rendered    int
}

var secret = base64.RawURLEncoding.EncodeToString(bytes.Repeat([]byte{7, 130, 165}, 16))

func (s *source) Publication(_ context.Context, given string) (publish.Publication, error) {
	s.looked++
	if s.err != nil {
		return publish.Publication{}, s.err
	}
	if given != secret {
		return publish.Publication{}, model.NotFound("", "none")
	}
	return s.publication, nil
}

func (s *source) Render(context.Context, publish.Publication) (ical.Heading, []ical.Event, error) {
	s.rendered++
	return ical.Heading{Name: "Home", Zone: "Europe/Berlin"}, s.events, nil
}

type world struct {
	*source
	publish.Handler
	secret string
	said   bytes.Buffer
}

func newWorld() *world {
	at := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	e := ical.Event{Stamp: at}
	e.ICalUID, e.Summary = "a@example.com", "Dentist"
	e.Start, e.End = model.EventTime{At: at, Zone: "UTC"}, model.EventTime{At: at.Add(time.Hour), Zone: "UTC"}
	w := &world{secret: secret, source: &source{events: []ical.Event{e},
		publication: publish.Publication{Calendar: 1, Form: model.CalendarFull, Version: "7"}}}
	w.Source, w.Logger = w.source, slog.New(slog.NewTextHandler(&w.said, nil))
	return w
}

func (w *world) ask(t *testing.T, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	out := httptest.NewRecorder()
	w.ServeHTTP(out, r)
	if strings.Contains(w.said.String(), w.secret) {
		t.Error("the secret is in the log")
	}
	return out
}

func (w *world) path() string { return publish.Prefix + w.secret + publish.Suffix }

func TestServe(t *testing.T) {
	t.Parallel()
	w := newWorld()
	got := w.ask(t, http.MethodGet, w.path())
	if got.Code != http.StatusOK || got.Header().Get("Content-Type") != "text/calendar; charset=utf-8" ||
		!strings.Contains(got.Body.String(), "SUMMARY:Dentist\r\n") ||
		!strings.Contains(got.Body.String(), "REFRESH-INTERVAL;VALUE=DURATION:PT900S\r\n") {
		t.Fatalf("%d %v %s", got.Code, got.Header(), got.Body)
	}
	head := w.ask(t, http.MethodHead, w.path())
	if head.Code != http.StatusOK || head.Body.Len() != 0 || head.Header().Get("ETag") != got.Header().Get("ETag") ||
		head.Header().Get("Content-Length") != fmt.Sprint(got.Body.Len()) {
		t.Errorf("HEAD is %d %v", head.Code, head.Header())
	}
	w.publication.Form = model.CalendarBusy
	busy := w.ask(t, http.MethodGet, w.path())
	if strings.Contains(busy.Body.String(), "Dentist") || busy.Header().Get("ETag") == got.Header().Get("ETag") {
		t.Errorf("busy is %v %s", busy.Header(), busy.Body)
	}
}

func TestUnchanged(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"7", ""} {
		w := newWorld()
		w.publication.Version = version
		tag := w.ask(t, http.MethodGet, w.path()).Header().Get("ETag")
		for _, given := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			w.rendered = 0
			got := w.ask(t, http.MethodGet, w.path(), "If-None-Match", given)
			if got.Code != http.StatusNotModified || got.Body.Len() != 0 || got.Header().Get("ETag") != tag {
				t.Errorf("%s: %d %v", given, got.Code, got.Header())
			}
			if version != "" && w.rendered != 0 {
				t.Error("the events were read")
			}
		}
		if version != "" {
			w.publication.Version = "8"
		}
		w.events[0].Summary = "Dentist, later"
		if got := w.ask(t, http.MethodGet, w.path(), "If-None-Match", tag); got.Code != http.StatusOK {
			t.Errorf("changed, it is %d", got.Code)
		}
	}
}

// TestWrongAddresses: all have one answer, and those that can be no secret do not reach the store.
func TestWrongAddresses(t *testing.T) {
	t.Parallel()
	w := newWorld()
	other := strings.Repeat("x", len(secret))
	var first string
	for path, looked := range map[string]int{
		publish.Prefix + other + publish.Suffix:                   1,
		publish.Prefix + strings.ToUpper(w.secret) + ".ics":       1,
		publish.Prefix + w.secret:                                 0,
		publish.Prefix + w.secret[:63] + ".ics":                   0,
		publish.Prefix + w.secret + "x.ics":                       0,
		publish.Prefix + ".ics":                                   0,
		publish.Prefix:                                            0,
		"/other/" + w.secret + ".ics":                             0,
		publish.Prefix + strings.Repeat("a", 100_000) + ".ics":    0,
		publish.Prefix + "x/../" + w.secret + publish.Suffix + "": 0,
	} {
		w.looked = 0
		got := w.ask(t, http.MethodGet, path)
		said := fmt.Sprint(got.Code, got.Header(), got.Body)
		if first == "" {
			first = said
		}
		if got.Code != http.StatusNotFound || said != first || w.looked != looked {
			t.Errorf("%.100s: %s, looked %d times", path, said, w.looked)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld()
	if got := w.ask(t, http.MethodPost, w.path()); got.Code != http.StatusMethodNotAllowed ||
		got.Header().Get("Allow") != "GET, HEAD" || w.looked != 0 {
		t.Errorf("POST is %d", got.Code)
	}
	w.err = errors.New("the database is away")
	got := w.ask(t, http.MethodGet, w.path())
	if got.Code != http.StatusServiceUnavailable || strings.Contains(got.Body.String(), "database") ||
		!strings.Contains(w.said.String(), "the database is away") {
		t.Errorf("%d %s; the log says %s", got.Code, got.Body, &w.said)
	}
}

// TestTooOften: a refused reading costs no rendering, and says when to come again.
func TestTooOften(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Spend = func(model.UserID) *model.Error {
		return &model.Error{Code: model.CodeRateLimited, RetryAfter: 90 * time.Second}
	}
	got := w.ask(t, http.MethodGet, w.path())
	if got.Code != http.StatusTooManyRequests || got.Header().Get("Retry-After") != "91" || w.rendered != 0 {
		t.Errorf("%d %v, rendered %d times", got.Code, got.Header(), w.rendered)
	}
}

// TestOtherChangesKeepTheTag: a version that has moved on for another reason makes it render, and the text decides.
func TestOtherChangesKeepTheTag(t *testing.T) {
	t.Parallel()
	w := newWorld()
	tag := w.ask(t, http.MethodGet, w.path()).Header().Get("ETag")
	w.publication.Version = "8"
	if got := w.ask(t, http.MethodGet, w.path(), "If-None-Match", tag); got.Code != http.StatusNotModified ||
		w.rendered != 2 {
		t.Errorf("%d, rendered %d times", got.Code, w.rendered)
	}
}

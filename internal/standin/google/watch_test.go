package google_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	calendar "google.golang.org/api/calendar/v3"
	gmail "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/google"
)

// TestWatched: everything that passes between the real client and the front is in the form of the descriptions, errors,
// pages and uploads too, on both sides of the wire.
func TestWatched(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var mu sync.Mutex
	var found []discovery.Violation
	report := func(v discovery.Violation) {
		mu.Lock()
		defer mu.Unlock()
		found = append(found, v)
	}
	docs := []*discovery.Document{discovery.Calendar(), discovery.Gmail()}
	server := httptest.NewServer(discovery.Watch(r.Handler(), report, docs...))
	defer server.Close()
	token := r.grant(t, dana, events, mailScope)
	client := &http.Client{Transport: discovery.WatchTransport(bearer{token.Access, server.Client().Transport}, report,
		docs...)}
	cal, err := calendar.NewService(t.Context(), option.WithHTTPClient(client),
		option.WithEndpoint(server.URL+"/calendar/v3/"))
	if err != nil {
		t.Fatal(err)
	}
	cal.UserAgent = "almanac (gzip)"
	mail, err := gmail.NewService(t.Context(), option.WithHTTPClient(client), option.WithEndpoint(server.URL+"/"))
	if err != nil {
		t.Fatal(err)
	}
	list := func() error {
		_, err := cal.Events.List("primary").Fields("nextPageToken", "items(id)").Do()
		return err
	}
	for name, do := range map[string]func() error{
		"list":   list,
		"delete": func() error { return cal.Events.Delete("primary", "a").Do() },
		"send": func() error {
			_, err := mail.Users.Messages.Send("me", &gmail.Message{}).
				Media(strings.NewReader(strings.Repeat("a", 600<<10)), googleapi.ContentType(rfc822),
					googleapi.ChunkSize(googleapi.MinUploadChunkSize)).Do()
			return err
		},
		"batch": func() error {
			body, contentType := batchBody(part{"1", "GET /calendar/v3/calendars/primary/events/a"})
			response, err := client.Post(server.URL+"/batch/calendar/v3", contentType, strings.NewReader(body))
			if err == nil {
				_ = response.Body.Close()
			}
			return err
		},
	} {
		if err := do(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, fault := range []google.Fault{{Status: 503}, {Status: 429}, {HTML: true}, {LoseAnswer: true}, {Truncate: true},
		{EmptyPage: true}} {
		fault.Method, fault.Times = "calendar.events.list", 1
		r.Inject(fault)
		_ = list()
		r.Clear()
	}
	_, err = cal.Colors.Get().Do() // the scope is missing
	wantError(t, "colors", err, http.StatusForbidden, "insufficientPermissions")
	mu.Lock()
	defer mu.Unlock()
	if found = append(found, r.violations()...); len(found) > 0 {
		t.Errorf("the judge finds %v", found)
	}
}

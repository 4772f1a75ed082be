package google_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	calendar "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

func TestRealClientIsServed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	service := r.service(t)
	list, err := service.Events.List("he.jewish#holiday@group.v.calendar.google.com").EventTypes("default",
		"focusTime").MaxResults(10).Do()
	if err != nil || len(list.Items) != 2 || list.Items[0].Summary != "פגישה" || list.NextSyncToken != "s1" {
		t.Fatalf("the list is %+v (%v)", list, err)
	}
	call := r.calendar.last(t)
	if call.Method != "calendar.events.list" || call.Account != dana ||
		call.Path["calendarId"] != "he.jewish#holiday@group.v.calendar.google.com" || !call.Now.Equal(start) {
		t.Errorf("the service was called with %+v", call)
	}
	if len(call.Query) != 2 || !same(call.Query["eventTypes"], []string{"default", "focusTime"}) {
		t.Errorf("the service was given the parameters %v; want the method's own alone", call.Query)
	}
	event := &calendar.Event{Summary: "a", Start: &calendar.EventDateTime{Date: "2026-11-21"},
		End: &calendar.EventDateTime{Date: "2026-11-22"}}
	if _, err := service.Events.Insert("primary", event).Do(); err != nil {
		t.Error(err)
	}
	if got := r.calendar.last(t).Body; got["summary"] != "a" || !same(got["start"], map[string]any{"date": "2026-11-21"}) {
		t.Errorf("the service was given the body %v", got)
	}
	if got, err := service.Events.Get("a/b c", "x%2Fy").Do(); err != nil || got.Id != "x%2Fy" ||
		r.calendar.last(t).Path["calendarId"] != "a/b c" {
		t.Errorf("parts of the path are not taken as they were meant: %v %v", r.calendar.last(t).Path, err)
	}
	if found := r.violations(); found != nil {
		t.Errorf("the real client broke the description: %v", found)
	}
}

func TestNoContent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if err := r.service(t).Events.Delete("primary", "a").Do(); err != nil {
		t.Error(err)
	}
	response, body := do(t, r.client(r.grant(t, dana, events).Access), http.MethodDelete,
		calendarV3+"calendars/primary/events/a", nil)
	if response.StatusCode != http.StatusNoContent || body != "" || response.Header.Get("Content-Length") != "" {
		t.Errorf("a deletion is answered with %d, %q and the length %q", response.StatusCode, body,
			response.Header.Get("Content-Length"))
	}
}

func TestNotModified(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.calendar.answer(func(call wire.Call) (wire.Reply, error) {
		if call.Header.Get("If-None-Match") == `"1"` {
			return wire.Reply{Status: http.StatusNotModified}, nil
		}
		return wire.Reply{Body: map[string]any{"kind": "calendar#event", "etag": `"2"`}}, nil
	})
	service := r.service(t)
	if _, err := service.Events.Get("primary", "a").IfNoneMatch(`"1"`).Do(); !googleapi.IsNotModified(err) {
		t.Errorf("the real client sees %v", err)
	}
	got, err := service.Events.Get("primary", "a").IfNoneMatch(`"0"`).Do()
	if err != nil || got.ServerResponse.Header.Get("ETag") != `"2"` {
		t.Errorf("another etag: %v %v", got, err)
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	service := r.service(t)
	list, err := service.Events.List("primary").Fields("items(id,start/date)", "nextPageToken").Do()
	if err != nil || len(list.Items) != 2 || list.Items[0].Id != "a" || list.Items[0].Summary != "" || list.Kind != "" ||
		list.NextSyncToken != "" {
		t.Errorf("a mask gives %+v (%v)", list, err)
	}
	if found := r.violations(); found != nil {
		t.Error(found)
	}
	for fields, message := range map[string]string{
		"items(id":        "Invalid field selection id",
		"items/name":      "Invalid field selection items/name",
		"nextPageTokens":  "Invalid field selection nextPageTokens",
		"items(start(x))": "Invalid field selection items/start/x",
	} {
		_, err := service.Events.List("primary").Fields(googleapi.Field(fields)).Do()
		e := wantError(t, fields, err, http.StatusBadRequest, "invalidParameter")
		if e.Message != message || field(t, e.Body, "error", "errors", 0, "location") != "fields" {
			t.Errorf("%s: %s", fields, e.Body)
		}
	}
}

func TestPrettyPrint(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	client := r.client(r.grant(t, dana, events).Access)
	for query, lines := range map[string]int{"?alt=json&prettyPrint=false": 0, "": 4, "?prettyPrint=true": 4} {
		response, body := get(t, client, calendarV3+"calendars/primary/events/a"+query)
		if strings.Count(body, "\n") != lines || response.Header.Get("Content-Type") != "application/json; charset=UTF-8" {
			t.Errorf("%q gives %q of type %s", query, body, response.Header.Get("Content-Type"))
		}
	}
	response, body := get(t, client, calendarV3+"calendars/primary/events/a?alt=media")
	if response.StatusCode != http.StatusBadRequest || field(t, body, "error", "errors", 0, "location") != "alt" {
		t.Errorf("alt=media is answered with %s", body)
	}
}

func TestGzip(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	token := r.grant(t, dana, events).Access
	for _, c := range []struct {
		agent, encoding string
		packed          bool
	}{
		{"almanac (gzip)", "gzip", true},
		{"almanac (gzip)", "identity", false},
		{"almanac", "gzip", false},
	} {
		response, body := get(t, r.client(token), calendarV3+"calendars/primary/events", "User-Agent", c.agent,
			"Accept-Encoding", c.encoding)
		if packed := response.Header.Get("Content-Encoding") == "gzip"; packed != c.packed {
			t.Errorf("%+v: gzip is %t", c, packed)
			continue
		}
		if response.Header.Get("Content-Length") == "" || response.ContentLength != int64(len(body)) {
			t.Errorf("%+v: the length is %q, %d, of %d", c, response.Header.Get("Content-Length"), response.ContentLength,
				len(body))
		}
		if c.packed {
			plain, err := gzip.NewReader(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			raw, err := io.ReadAll(plain)
			if err != nil {
				t.Fatal(err)
			}
			body = string(raw)
		}
		if field(t, body, "kind") != "calendar#events" {
			t.Errorf("%+v: %s", c, body)
		}
	}
	service := r.service(t)
	service.UserAgent = "almanac (gzip)"
	list, err := service.Events.List("primary").Do()
	if err != nil || len(list.Items) != 2 || list.ServerResponse.Header.Get("Content-Encoding") != "" {
		t.Errorf("the real client does not see gzip unpacked: %v %v", list, err)
	}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	client := r.client(r.grant(t, dana, events, gmailSend).Access)
	for _, c := range []struct {
		verb, url string
		status    int
		kind      string
	}{
		{"GET", calendarV3 + "calendars/primary/events/a", 200, "application/json"},
		{"GET", calendarV3 + "calendars/primary/nothing", 404, "text/html"},
		{"GET", "https://www.googleapis.com/calendars/primary/events/a", 404, "text/html"},
		{"GET", "https://www.googleapis.com/gmail/v1/users/me/messages", 404, "text/html"}, // of another host
		{"GET", "https://www.googleapis.com/token", 404, "text/html"},
		{"GET", "https://gmail.googleapis.com/calendar/v3/calendars/primary/events/a", 404, "text/html"},
		{"PUT", calendarV3 + "freeBusy", 405, "text/html"},
		{"HEAD", calendarV3 + "calendars/primary/events/a", 405, "text/html"},
		{"GET", calendarV3 + "calendars/primary/events/", 404, "text/html"},
		{"GET", "http://127.0.0.1:8080/calendar/v3/calendars/primary/events/a", 200, "application/json"},
		{"GET", "http://127.0.0.1:8080/tokeninfo", 400, "application/json"},
	} {
		response, _ := do(t, client, c.verb, c.url, nil)
		if response.StatusCode != c.status || !strings.HasPrefix(response.Header.Get("Content-Type"), c.kind) {
			t.Errorf("%s %s: %d %s; want %d %s", c.verb, c.url, response.StatusCode, response.Header.Get("Content-Type"),
				c.status, c.kind)
		}
		if c.status == 405 && response.Header.Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", c.verb, c.url)
		}
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	client := r.client(r.grant(t, dana, events).Access)
	for _, c := range []struct {
		verb, path, reason, location string
	}{
		{"GET", "events?orderBy=start", "invalidParameter", "orderBy"},
		{"GET", "events?maxResults=0", "invalidParameter", "maxResults"},
		{"GET", "events?maxResults=x", "invalidParameter", "maxResults"},
		{"GET", "events?singleEvents=yes", "invalidParameter", "singleEvents"},
		{"POST", "events/quickAdd", "required", "text"},
	} {
		response, body := do(t, client, c.verb, calendarV3+"calendars/primary/"+c.path, nil)
		if response.StatusCode != http.StatusBadRequest || field(t, body, "error", "errors", 0, "reason") != c.reason ||
			field(t, body, "error", "errors", 0, "location") != c.location ||
			field(t, body, "error", "errors", 0, "locationType") != "parameter" {
			t.Errorf("%s: %d %s", c.path, response.StatusCode, body)
		}
		if found := r.violations(); len(found) != 1 {
			t.Errorf("%s is reported as %v", c.path, found)
		}
	}
	if r.calendar.count() != 0 {
		t.Error("the service was asked for what the front refused")
	}
	// The form of a time is the service's to refuse, with words of its own.
	if response, _ := get(t, client,
		calendarV3+"calendars/primary/events?timeMin=2026-11-21"); response.StatusCode != http.StatusOK {
		t.Errorf("a date as timeMin does not reach the service: %d", response.StatusCode)
	}
}

func TestUnknownParameters(t *testing.T) {
	t.Parallel()
	const url = calendarV3 + "calendars/primary/events?singleEvent=true"
	lenient := newRig(t)
	response, _ := get(t, lenient.client(lenient.grant(t, dana, events).Access), url)
	if found := lenient.violations(); response.StatusCode != http.StatusOK || len(found) != 1 ||
		found[0].Rule != discovery.RuleUnknown {
		t.Errorf("an unknown parameter: %d, %v", response.StatusCode, found)
	}
	if query := lenient.calendar.last(t).Query; len(query) != 0 {
		t.Errorf("the service was given %v", query)
	}
	strict := newRig(t, func(o *google.Options) { o.StrictParameters = true })
	if response, body := get(t, strict.client(strict.grant(t, dana, events).Access),
		url); response.StatusCode != http.StatusBadRequest {
		t.Errorf("an unknown parameter is not refused: %s", body)
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	client := r.client(r.grant(t, dana, events, scopeRoot+"gmail.labels").Access)
	const event, label = calendarV3 + "calendars/primary/events", "https://gmail.googleapis.com/gmail/v1/users/me/labels"
	for _, c := range []struct {
		url, contentType, body string
		status                 int
		reason                 any
	}{
		{event, "application/json", `{"summary":"a","start":{},"end":{}}`, 200, nil},
		{event, "application/json; charset=utf-8", `{"unknown":1,"start":{"other":1},"end":{}}`, 200, nil}, // dropped
		{event, "application/json", `{"summary":`, 400, "parseError"},
		{event, "application/json", `{} {}`, 400, "parseError"},
		{event, "application/json", `[]`, 400, "parseError"},
		{event, "application/json", `{"summary":1,"start":{},"end":{}}`, 400, "invalid"},
		{event, "application/json", `{"sequence":3000000000}`, 400, "invalid"},
		{event, "application/json", `{"attendees":[null]}`, 400, "invalid"},
		{event, "application/x-www-form-urlencoded", `a=b`, 400, "parseError"},
		{event, "text/plain", `{}`, 400, "badContent"},
		{event, "application/json", `{"summary":"` + strings.Repeat("a", 5<<20) + `"}`, 413, "uploadTooLarge"},
		{label, "application/json", `{"name":"a","colour":1}`, 400, "badRequest"}, // the newer front refuses
	} {
		response, body := do(t, client, http.MethodPost, c.url, strings.NewReader(c.body), "Content-Type", c.contentType)
		if response.StatusCode != c.status || !same(field(t, body, "error", "errors", 0, "reason"), c.reason) {
			t.Errorf("%.60s as %s: %d %s", c.body, c.contentType, response.StatusCode, body)
		}
	}
	if got := r.calendar.last(t).Body; len(got) != 2 || !same(got["start"], map[string]any{}) {
		t.Errorf("the service was given fields that do not exist: %v", got)
	}
}

// TestServiceIsJudged: what a service answers is held against the description as well.
func TestServiceIsJudged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.calendar.answer(func(wire.Call) (wire.Reply, error) {
		return wire.Reply{Body: map[string]any{"kind": "calendar#event", "colour": "1"}}, nil
	})
	if _, err := r.service(t).Events.Get("primary", "a").Do(); err != nil {
		t.Fatal(err)
	}
	if found := r.violations(); len(found) != 1 || found[0].Part != discovery.InResponse || found[0].Path != "colour" {
		t.Errorf("a wrong answer is reported as %v", found)
	}
}

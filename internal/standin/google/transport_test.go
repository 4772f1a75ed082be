package google_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

// TestTransportIsLikeTheRealOne compares answers in the process with those over TCP.
func TestTransportIsLikeTheRealOne(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	server := newServer(t, r)
	token := r.grant(t, dana, events).Access
	r.calendar.answer(func(wire.Call) (wire.Reply, error) {
		return wire.Reply{Body: map[string]any{"kind": "calendar#event", "description": strings.Repeat("א", 5000)},
			Header: http.Header{"X-Own": {"a", "b"}}}, nil
	})
	for _, c := range []struct {
		verb, path string
		header     []string
	}{
		{"GET", "/calendar/v3/calendars/primary/events/a", nil},
		{"GET", "/calendar/v3/calendars/primary/events/a", []string{"User-Agent", "a (gzip)"}},
		{"GET", "/calendar/v3/calendars/primary/events/a", []string{"User-Agent", "a (gzip)", "Accept-Encoding", "gzip"}},
		{"HEAD", "/o/oauth2/v2/auth", nil},
		{"GET", "/o/oauth2/v2/auth", nil},
		{"GET", "/nothing", nil},
		{"DELETE", "/nothing", nil},
	} {
		over := &http.Client{Transport: bearer{token, server.Client().Transport}}
		far, farBody := do(t, over, c.verb, server.URL+c.path, nil, c.header...)
		near, nearBody := do(t, r.client(token), c.verb, strings.Replace(server.URL, "127.0.0.1", "localhost", 1)+c.path, nil,
			c.header...)
		for _, response := range []*http.Response{far, near} {
			if response.Header.Get("Date") == "" {
				t.Errorf("%s %s: no Date", c.verb, c.path)
			}
			response.Header.Del("Date")
		}
		if far.StatusCode != near.StatusCode || far.Status != near.Status || farBody != nearBody ||
			!same(far.Header, near.Header) || far.Uncompressed != near.Uncompressed ||
			far.ContentLength != near.ContentLength {
			t.Errorf("%s %s %v differs:\nfar  %s %v %d %t\nnear %s %v %d %t", c.verb, c.path, c.header,
				far.Status, far.Header, far.ContentLength, far.Uncompressed, near.Status, near.Header, near.ContentLength,
				near.Uncompressed)
		}
	}
}

func TestTransportCancels(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	entered, leave := make(chan struct{}), make(chan struct{})
	r.calendar.answer(func(wire.Call) (wire.Reply, error) {
		close(entered)
		<-leave
		return wire.Reply{Body: map[string]any{"kind": "calendar#events"}}, nil
	})
	service := r.service(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-entered; cancel() }()
	if _, err := service.Events.List("primary").Context(ctx).Do(); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled request gives %v", err)
	}
	close(leave)
	before := r.calendar.count()
	if _, err := service.Events.List("primary").Context(ctx).Do(); !errors.Is(err, context.Canceled) ||
		r.calendar.count() != before {
		t.Errorf("a request cancelled before gives %v", err)
	}

	// A body that never comes does not hold a cancelled request.
	r.calendar.answer(nil)
	ctx, cancel = context.WithCancel(t.Context())
	pipe, _ := io.Pipe()
	body := &started{Reader: pipe, Closer: pipe, began: cancel}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, calendarV3+"calendars/primary/events", body)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.client(r.grant(t, dana, events).Access).Do(request); !errors.Is(err, context.Canceled) {
		t.Errorf("a request with half a body gives %v", err)
	}
}

// started tells when it is first read.
type started struct {
	io.Reader
	io.Closer
	began func()
}

func (s *started) Read(p []byte) (int, error) {
	s.began()
	return s.Reader.Read(p)
}

func TestTransportBodies(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	response, err := r.client("").Get(calendarV3 + "colors")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if n, err := response.Body.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Error("a closed body can be read")
	}
	ctx, cancel := context.WithCancel(t.Context())
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, calendarV3+"colors", http.NoBody)
	if response, err = r.client("").Do(request); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.ReadAll(response.Body); !errors.Is(err, context.Canceled) {
		t.Errorf("a body after its context gives %v", err)
	}
	closed := &closes{Reader: strings.NewReader("{}")}
	request, _ = http.NewRequestWithContext(t.Context(), http.MethodPost, calendarV3+"freeBusy", closed)
	if _, err := r.Transport().RoundTrip(request); err != nil || !closed.done {
		t.Errorf("the request's body is closed: %t (%v)", closed.done, err)
	}
	for _, address := range []string{"/calendar/v3/colors", "ftp://www.googleapis.com/", "https:///a"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Transport().RoundTrip(request); err == nil {
			t.Errorf("%s is served", address)
		}
	}
}

type closes struct {
	io.Reader
	done bool
}

func (c *closes) Close() error { c.done = true; return nil }

// TestFailingService: a service that panics fails one request, not the process.
func TestFailingService(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.calendar.answer(func(wire.Call) (wire.Reply, error) { panic("broken") })
	if _, err := r.service(t).Events.List("primary").Do(); err == nil ||
		!strings.Contains(err.Error(), "the stand-in failed") {
		t.Errorf("a panic gives %v", err)
	}
}

func TestRecord(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Inject(google.Fault{Method: "calendar.events.get", Times: 1, LoseAnswer: true})
	tokens := r.grant(t, dana, events)
	service := r.serviceWith(t, r.client(tokens.Access))
	if _, err := service.Events.Get("primary", "a").Do(); err == nil {
		t.Error("the answer was not lost")
	}
	r.clock.pass(1)
	_, _ = do(t, r.client(tokens.Access), http.MethodPost,
		calendarV3+"calendars/a%2Fb/events?key=secretKey&sendUpdates=none",
		strings.NewReader(`{"start":{},"end":{},"summary":"א"}`),
		"Content-Type", "application/json", "Cookie", "secret=1")
	_, _ = get(t, r.browser(), authURL+"?client_id=almanac&state=secretState&code=secretCode")
	_, _ = get(t, r.browser(), "https://oauth2.googleapis.com/tokeninfo?access_token="+tokens.Access)
	_, _ = r.post(t, tokenURL, map[string][]string{
		"grant_type": {"refresh_token"}, "refresh_token": {tokens.Refresh}, "client_id": {"almanac"},
		"client_secret": {"not-so-secret"},
	})
	_, _ = get(t, r.browser(), "https://www.googleapis.com/nothing")
	got := r.Requests()
	for i, want := range []google.Request{
		{Method: "calendar.events.get", Account: dana,
			URL: calendarV3 + "calendars/primary/events/a?alt=json&prettyPrint=false"},
		{Method: "calendar.events.insert", Account: dana, Status: 200,
			URL: calendarV3 + "calendars/a%2Fb/events?key=REDACTED&sendUpdates=none"},
		{Method: "oauth.auth", Status: 400, URL: authURL + "?client_id=almanac&code=REDACTED&state=REDACTED"},
		{Method: "oauth.tokeninfo", Account: dana, Status: 200,
			URL: "https://oauth2.googleapis.com/tokeninfo?access_token=REDACTED"},
		{Method: "oauth.token", Account: dana, Status: 200, URL: tokenURL},
		{Method: "", Status: 404, URL: "https://www.googleapis.com/nothing"},
	} {
		if i >= len(got) || got[i].Method != want.Method || got[i].Account != want.Account || got[i].Status != want.Status ||
			got[i].URL != want.URL {
			t.Fatalf("request %d of %d is %+v; want %+v", i, len(got), got[min(i, len(got)-1)], want)
		}
		var all bytes.Buffer
		_ = got[i].Header.Write(&all)
		all.Write(got[i].Body)
		all.WriteString(got[i].URL)
		for _, secret := range []string{tokens.Access, tokens.Refresh, "not-so-secret", "secretKey", "secretState",
			"secretCode", "secret=1"} {
			if strings.Contains(all.String(), secret) {
				t.Errorf("request %d holds the secret %q", i, secret)
			}
		}
	}
	if string(got[1].Body) != `{"start":{},"end":{},"summary":"א"}` || !got[0].At.Equal(start) ||
		!got[1].At.Equal(start.Add(1)) || got[1].HTTPMethod != "POST" {
		t.Errorf("the second request is %+v", got[1])
	}
	r.Reset()
	if len(r.Requests()) != 0 {
		t.Error("Reset leaves requests")
	}
}

// TestManyAtOnce drives accounts at once; it is for the race detector.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *google.Options) { o.Quota = google.Quota{PerProject: 1_000_000} })
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			email := "user" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "@example.com"
			if err := r.AddAccount(google.Account{Email: email}); err != nil {
				t.Error(err)
				return
			}
			tokens, err := r.Grant(email, []string{events})
			if err != nil {
				t.Error(err)
				return
			}
			service := r.serviceWith(t, r.client(tokens.Access))
			r.Inject(google.Fault{Method: "calendar.events.list", Account: email, Times: 1, EmptyPage: true})
			for range 5 {
				if _, err := service.Events.List("primary").Do(); err != nil {
					t.Error(err)
				}
			}
			if _, err := config().TokenSource(r.ctx(t), refreshOf(tokens)).Token(); err != nil {
				t.Error(err)
			}
			if i%2 == 0 {
				r.ExpireAccessTokens(email)
			} else {
				r.RemoveAccount(email)
			}
			_ = r.Requests()
			if err := r.Snapshot(io.Discard); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func BenchmarkList(b *testing.B) {
	r := newRig(b, func(o *google.Options) { o.Report = nil })
	service := r.service(b)
	for b.Loop() {
		if _, err := service.Events.List("primary").Do(); err != nil {
			b.Fatal(err)
		}
	}
}

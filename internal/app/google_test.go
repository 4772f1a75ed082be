package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/app"
	"almanac/internal/connect"
	standingoogle "almanac/internal/standin/google"
)

const (
	createEvent = `mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { id summary version } duplicates { id } userErrors { code message } } }`
	askTitles   = `{ events(first: 100) { nodes { id summary } } }`
)

// tomorrowAt is an event of one hour on the day after now.
func tomorrowAt(summary, clock string) map[string]any {
	day := time.Now().UTC().AddDate(0, 0, 1).Format("2006-01-02")
	return map[string]any{"input": map[string]any{"summary": summary,
		"start": map[string]any{"dateTime": day + "T" + clock + ":00Z"}}}
}

// madeEvent reads the id of a createEvent's answer; "" when none was made.
func madeEvent(data json.RawMessage) string {
	var made struct {
		CreateEvent struct{ Event *struct{ ID string } }
	}
	if json.Unmarshal(data, &made) != nil || made.CreateEvent.Event == nil {
		return ""
	}
	return made.CreateEvent.Event.ID
}

// mustCreate adds an event and returns its id.
func (p *process) mustCreate(summary, clock string, header ...string) string {
	p.t.Helper()
	r, a := p.post(createEvent, tomorrowAt(summary, clock), header...)
	id := madeEvent(a.Data)
	if id == "" || len(a.Errors) > 0 {
		p.t.Fatalf("%s\n%s", r.body, p.log)
	}
	return id
}

// Where Google is set up by halves, the server does not start, and says what is missing.
func TestHalfAGoogleClientIsRefused(t *testing.T) {
	t.Parallel()
	id, secret, key := "ALMANAC_GOOGLE_CLIENT_ID="+googleID, "ALMANAC_GOOGLE_CLIENT_SECRET="+googleSecret,
		"ALMANAC_TOKEN_KEY="+tokenKey
	for name, c := range map[string]struct {
		variables, flags []string
		want             []string
	}{
		"no secret": {[]string{id, key}, nil, []string{"ALMANAC_GOOGLE_CLIENT_SECRET"}},
		"no id":     {[]string{secret, key}, nil, []string{"ALMANAC_GOOGLE_CLIENT_ID"}},
		"no key":    {[]string{id, secret}, nil, []string{"ALMANAC_TOKEN_KEY", "openssl rand"}},
		"not an id": {[]string{"ALMANAC_GOOGLE_CLIENT_ID=me", secret, key}, nil,
			[]string{"ALMANAC_GOOGLE_CLIENT_ID", "apps.googleusercontent.com"}},
		"for others, no URL": {[]string{id, secret, key}, []string{"--addr=0.0.0.0:0"},
			[]string{"ALMANAC_PUBLIC_URL", "https://almanac.example.com/connect/google/callback"}},
		"a URL without TLS": {[]string{id, secret, key}, []string{"--public-url=http://almanac.example.com"},
			[]string{"ALMANAC_PUBLIC_URL", "https"}},
		"a URL of a number": {[]string{id, secret, key}, []string{"--public-url=https://192.0.2.7"},
			[]string{"ALMANAC_PUBLIC_URL", "IP addresses"}},
		"push to nowhere": {[]string{id, secret, key}, []string{"--google-push"},
			[]string{"ALMANAC_GOOGLE_PUSH", "ALMANAC_PUBLIC_URL"}},
		"too often": {[]string{id, secret, key}, []string{"--google-poll=1s"}, []string{"--google-poll", "15s"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "not made")
			s := runCommand(t, c.variables, append([]string{"serve", "--data-dir=" + folder}, c.flags...)...)
			if s.code != 1 || s.out != "" {
				t.Errorf("ended with %d and %q", s.code, s.out)
			}
			for _, want := range c.want {
				if !strings.Contains(s.err, want) {
					t.Errorf("it does not say %q:\n%s", want, s.err)
				}
			}
			for _, private := range []string{googleSecret, tokenKey} {
				if strings.Contains(s.err, private) {
					t.Errorf("a secret is shown:\n%s", s.err)
				}
			}
			if _, err := os.Stat(folder); !os.IsNotExist(err) {
				t.Errorf("the data folder was made: %v", err)
			}
		})
	}
}

// Where there is neither a Google client nor a local user, everything of Google says so, and nothing of the stand-in is
// there.
func TestWithoutGoogle(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret}, "--data-dir="+folder).await()
	if !strings.Contains(p.greeting, "calendars in the database; ALMANAC_GOOGLE_CLIENT_ID") {
		t.Errorf("the greeting does not say it:\n%s", p.greeting)
	}
	token, _ := apiToken(t, []string{"--data-dir=" + folder}, "--user", "alice", "--name", "phone", "--scopes",
		"READ,WRITE")
	as := bearer(token)
	if c := p.connections(as...); len(c) != 1 || c[0].Status != "NOT_CONFIGURED" || c[0].ConnectURL != nil ||
		c[0].Account != nil || c[0].StandIn {
		t.Errorf("viewer.connections says %+v", c)
	}
	// What names an account or an event of one says so; what names none is about calendars of one's own.
	for field, code := range map[string]model.ErrorCode{
		`events(filter: { account: "yael@example.com" }) { nodes { id } }`: model.CodeNotConfigured,
		`calendars(account: "yael@example.com") { id }`:                    model.CodeNotConfigured,
		`event(id: "event_040026hfx6s9g67w8wh8625b1evthtmq00") { id }`:     model.CodeNotFound,
	} {
		if r, a := p.post(`{ asked: `+field+` tasks { totalCount } }`, nil, as...); a.code() != string(code) ||
			!strings.Contains(string(a.Data), `"tasks":{"totalCount":0}`) {
			t.Errorf("%s: %d %s", field, r.status, r.body)
		}
	}
	for field, want := range map[string]string{
		`events { nodes { id } }`: `{"nodes":[]}`, `calendars { id }`: `[]`, `eventConflicts { count }`: `{"count":0}`,
		`freeBusy { __typename }`: `{"__typename":"FreeBusy"}`,
	} {
		if r, a := p.post(`{ asked: `+field+` }`, nil, as...); string(a.Data) != `{"asked":`+want+`}` || a.code() != "" {
			t.Errorf("%s: %d %s", field, r.status, r.body)
		}
	}
	r, a := p.post(createEvent, tomorrowAt("own", "10:00"), as...)
	if id := madeEvent(a.Data); id == "" {
		t.Errorf("createEvent: %d %s", r.status, r.body)
	} else if r, a := p.post(`{ asked: events { nodes { id } } }`, nil, as...); !strings.Contains(string(a.Data), id) {
		t.Errorf("the event is not there: %s", r.body)
	}
	if r, a = p.post(`mutation { disconnect(input: { provider: GOOGLE }) { disconnected userErrors { code } } }`, nil,
		as...); !strings.Contains(string(r.body), `"disconnected":0`) || len(a.Errors) > 0 {
		t.Errorf("disconnect: %d %s", r.status, r.body)
	}
	if r := p.mustSend(http.MethodGet, connect.PathStart, nil); r.status != http.StatusNotFound ||
		!bytes.Contains(r.body, []byte(model.CodeNotConfigured)) {
		t.Errorf("the page: %d %s", r.status, r.body)
	}
	for _, path := range []string{app.StandInPrefix + "/o/oauth2/v2/auth", app.StandInPrefix + "/", "/webhooks/google"} {
		if r := p.mustSend(http.MethodGet, path, nil); r.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	if files, err := filepath.Glob(filepath.Join(folder, "google*")); err != nil || len(files) > 0 {
		t.Errorf("the stand-in left %v, %v", files, err)
	}
}

// With a Google client people are sent to Google itself, with state and PKCE; nothing of the stand-in is there; and
// neither the database nor the log at its most talkative has any secret of the way.
func TestLinkWithGoogle(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := spawn(t, w.variables, append(flags, "--log-level=debug")...).await()
			redirect := p.address + "/connect/google/callback"
			front := w.opened(redirect)
			if !strings.Contains(p.greeting, "register the redirect URI "+redirect+"\n") {
				t.Errorf("the greeting does not say the redirect URI:\n%s", p.greeting)
			}
			c := p.connections()
			if len(c) != 1 || c[0].Status != "NOT_CONNECTED" || c[0].ConnectURL == nil || c[0].StandIn {
				t.Fatalf("before linking there is %+v", c)
			}
			link := *c[0].ConnectURL
			v := newVisitor(t)
			consent := v.consentOf(link)
			if at := consent.Scheme + "://" + consent.Host + consent.Path; at != "https://accounts.google.com/o/oauth2/v2/auth" {
				t.Errorf("people are sent to %s", at)
			}
			q := consent.Query()
			for key, want := range map[string]string{
				"client_id": googleID, "redirect_uri": redirect, "response_type": "code", "code_challenge_method": "S256",
				"access_type": "offline", "include_granted_scopes": "true",
			} {
				if q.Get(key) != want {
					t.Errorf("%s is %q, want %q", key, q.Get(key), want)
				}
			}
			if len(q.Get("code_challenge")) != 43 || len(q.Get("state")) < 43 {
				t.Errorf("the challenge is %q and the state %q", q.Get("code_challenge"), q.Get("state"))
			}
			asked := strings.Fields(q.Get("scope"))
			slices.Sort(asked)
			if want := slices.Sorted(
				slices.Values(append(app.AllScopes(), connect.ScopeOpenID, connect.ScopeEmail))); !slices.Equal(
				asked, want) {
				t.Errorf("asked for %v, want %v", asked, want)
			}
			back := w.agree(consent)
			if done := v.open(back, nil); done.status != http.StatusOK || !bytes.Contains(done.body, []byte(yael)) {
				t.Fatalf("%d %s", done.status, done.body)
			}
			if again := newVisitor(t).open(back, nil); again.status != http.StatusForbidden {
				t.Errorf("the answer once more, in another browser: %d", again.status)
			}
			for _, path := range []string{app.StandInPrefix + "/o/oauth2/v2/auth", "/webhooks/google"} {
				if r := p.mustSend(http.MethodGet, path, nil); r.status != http.StatusNotFound {
					t.Errorf("%s: %d %s", path, r.status, r.body)
				}
			}

			id := p.mustCreate("secretivetitle פגישה", "10:00")
			if got := w.titles(); !slices.Equal(got, []string{"secretivetitle פגישה"}) {
				t.Errorf("the calendar has %v", got)
			}
			front.ExpireAccessTokens(yael) // so that it is renewed
			if r, a := p.post(askTitles, nil); len(a.Errors) > 0 || !strings.Contains(string(a.Data), id) {
				t.Errorf("%s", r.body)
			}
			if len(w.asked) == 0 || w.asked["www.googleapis.com"] == w.asked["calendar.googleapis.com"] {
				t.Errorf("asked were %v", w.asked)
			}

			if strings.HasPrefix(name, "sqlite") {
				folder := strings.TrimPrefix(flags[0], "--data-dir=")
				if files, err := filepath.Glob(filepath.Join(folder, "google*")); err != nil || len(files) > 0 {
					t.Errorf("the stand-in left %v, %v", files, err)
				}
			}
			out := mustRun(t, append([]string{"export"}, flags...)...)
			if !strings.Contains(out, `"kind":"connection"`) || !strings.Contains(out, `"account":"`+yael+`"`) ||
				!strings.Contains(out, `"status":"CONNECTED"`) {
				t.Errorf("the export has no connection: %s", out)
			}
			ticket, err := url.Parse(link)
			if err != nil {
				t.Fatal(err)
			}
			callback, err := url.Parse(back)
			if err != nil {
				t.Fatal(err)
			}
			secrets := map[string]string{
				"a code": callback.Query().Get("code"), "a state": callback.Query().Get("state"),
				"a ticket": ticket.Query().Get("ticket"), "the challenge": q.Get("code_challenge"),
				"an access token": "ya29.", "a refresh token": "1//", "the client's secret": googleSecret, "the key": tokenKey,
			}
			kept := everything(t, name, flags)
			if !strings.Contains(kept, yael) {
				t.Error("the database was not looked at")
			}
			for what, secret := range secrets {
				if secret == "" {
					t.Errorf("%s is empty", what)
				} else if strings.Contains(kept, secret) {
					t.Errorf("%s is in the database", what)
				} else if strings.Contains(out, secret) {
					t.Errorf("%s is in the export", what)
				}
			}

			var gone struct{ Disconnect struct{ Disconnected int } }
			p.mustAsk(
				`mutation { disconnect(input: { provider: GOOGLE, account: "YAEL@example.com" }) { disconnected userErrors { message } } }`, nil, &gone)
			if gone.Disconnect.Disconnected != 1 || w.calls("oauth.revoke") != 1 {
				t.Errorf("%d disconnected, %d grants revoked", gone.Disconnect.Disconnected, w.calls("oauth.revoke"))
			}
			r, a := p.post(`{ events(filter: { account: "yael@example.com" }) { nodes { id } } }`, nil)
			if a.code() != string(model.CodeNotConnected) || a.Errors[0].Extensions["connectUrl"] == nil {
				t.Errorf("after disconnecting: %s", r.body)
			}
			if err := p.term(); err != nil {
				t.Errorf("%v\n%s", err, p.log)
			}
			said := p.log.String()
			for what, secret := range secrets {
				if strings.Contains(said, secret) {
					t.Errorf("%s is in the log", what)
				}
			}
			for _, private := range []string{"secretive", "פגישה", yael, "ticket=", "state=", "code=4"} {
				if strings.Contains(said, private) {
					t.Errorf("the log has %q", private)
				}
			}
			if !strings.Contains(said, `"msg":"a Google account was linked"`) || !strings.Contains(said, `"route":"/connect/google/callback"`) {
				t.Error("the log is not at its most talkative")
			}
		})
	}
}

// A grant that its owner has taken back makes the connection EXPIRED; the rest of a query still answers, and linking
// again mends it.
func TestRevokedGrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.spawnLinked("--data-dir=" + t.TempDir())
	first := p.connections()[0]
	p.mustCreate("before", "09:00")
	w.front.RevokeGrant(yael)
	// Queries may go on with the copy until it is noticed; what is written asks Google.
	if r, _ := p.post(createEvent, tomorrowAt("after", "11:00")); !strings.Contains(string(r.body), "NOT_CONNECTED") {
		t.Errorf("%d %s", r.status, r.body)
	}
	r, a := p.post(`{ events { nodes { id } } tasks { totalCount } }`, nil)
	if a.code() != string(model.CodeNotConnected) || a.Errors[0].Extensions["connectUrl"] == nil ||
		!strings.Contains(string(a.Data), `"tasks":{"totalCount":0}`) {
		t.Errorf("%d %s", r.status, r.body)
	}
	if c := p.connections(); c[0].Status != "EXPIRED" || c[0].ConnectURL == nil {
		t.Errorf("viewer.connections says %+v", c)
	}
	tokens := w.calls("oauth.token")
	p.post(askTitles, nil)
	if again := w.calls("oauth.token"); again != tokens {
		t.Errorf("Google was asked for tokens %d times more", again-tokens)
	}
	w.link(p)
	if c := p.connections()[0]; *c.ID != *first.ID {
		t.Errorf("it was %s and is %s", *first.ID, *c.ID)
	}
	if r, a := p.post(askTitles, nil); len(a.Errors) > 0 || !strings.Contains(string(a.Data), "before") {
		t.Errorf("%s", r.body)
	}
}

// Who sets up Google after a while with the stand-in keeps the demo account as one that has ended, links their own
// beside it, and unlinks the demo account without a word about Google. What the stand-in gave is never sent to Google.
func TestFromTheStandInToGoogle(t *testing.T) {
	t.Parallel()
	folder := "--data-dir=" + t.TempDir()
	start(t, folder, "--demo").kill()
	w := newWorld(t)
	p := spawn(t, w.variables, folder, "--demo").await()
	w.opened(p.address + "/connect/google/callback")
	if c := p.connections(); len(c) != 1 || c[0].Status != "EXPIRED" || !c[0].StandIn ||
		*c[0].Account != app.StandInAccount {
		t.Fatalf("viewer.connections says %+v", c)
	}
	if r, a := p.post(askTitles, nil); a.code() != string(model.CodeNotConnected) || len(w.front.Requests()) > 0 {
		t.Errorf("%s, after %d requests to Google", r.body, len(w.front.Requests()))
	}
	v := newVisitor(t) // the local user needs no ticket
	if done := v.open(w.agree(v.consentOf(p.address+connect.PathStart)), nil); done.status != http.StatusOK {
		t.Fatalf("%d %s", done.status, done.body)
	}
	r, a := p.post(
		`mutation { disconnect(input: { provider: GOOGLE, account: "demo@example.com" }) { disconnected connections { account status } userErrors { message } } }`, nil)
	if len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"disconnected":1,"connections":[{"account":"`+yael+
		`","status":"CONNECTED"},{`) || w.calls("oauth.revoke") != 0 {
		t.Errorf("%s; %d grants revoked", r.body, w.calls("oauth.revoke"))
	}
	p.mustCreate("the first", "10:00")
	if got := w.titles(); !slices.Equal(got, []string{"the first"}) {
		t.Errorf("the calendar has %v", got)
	}
}

// Whatever happens between the server and Google, or to the server itself, a repeated mutation under one key makes one
// event.
func TestEventKeyHasOneEffect(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.spawnLinked(flags...)
			t.Run("an answer is lost", func(t *testing.T) {
				p := p.in(t)
				w.front.Inject(standingoogle.Fault{Method: "calendar.events.insert", LoseAnswer: true, Times: 1})
				defer w.front.Clear()
				id := p.mustCreate("lost answer", "08:00", "Idempotency-Key", "lost")
				if again := p.mustCreate("lost answer", "08:00", "Idempotency-Key", "lost"); again != id ||
					w.calls("calendar.events.insert") != 2 {
					t.Errorf("first %s, then %s, after %d inserts", id, again, w.calls("calendar.events.insert"))
				}
			})
			t.Run("the server is killed", func(t *testing.T) {
				before, input := w.calls("calendar.events.insert"), tomorrowAt("killed", "12:00")
				w.front.Inject(standingoogle.Fault{Method: "calendar.events.insert", LoseAnswer: true})
				var broke error
				done := make(chan struct{})
				go func() {
					defer close(done)
					_, broke = p.ask(context.WithoutCancel(t.Context()), createEvent, input,
						map[string]string{"Idempotency-Key": "killed"})
				}()
				eventually(t, "Google to be asked", func() bool { return w.calls("calendar.events.insert") > before })
				p.kill()
				<-done
				if broke == nil {
					t.Fatal("the client was answered, so nothing was tested")
				}
				w.front.Clear()
				p := spawn(t, w.variables, flags...).await()
				// The key is held for the one that was killed until its lease ends; a client that keeps asking gets its answer.
				var id string
				eventually(t, "the retry to be answered", func() bool {
					got, err := p.ask(context.WithoutCancel(t.Context()), createEvent, input,
						map[string]string{"Idempotency-Key": "killed"})
					if err != nil {
						t.Fatalf("a retry was not answered at all: %v\n%s", err, p.log)
					}
					if code := got.code(); code != "" && code != string(model.CodeConflict) {
						t.Fatalf("a retry: %+v", got.Errors)
					}
					id = madeEvent(got.Data)
					return id != ""
				})
				if got := w.titles(); !slices.Equal(got, []string{"killed", "lost answer"}) {
					t.Errorf("the calendar has %v", got)
				}
				var told []string
				for _, change := range p.eventChanges() {
					if change.ID == id {
						told = append(told, change.Operation)
					}
				}
				if !slices.Equal(told, []string{"CREATED"}) {
					t.Errorf("the change log tells %v of it", told)
				}
			})
		})
	}
}

// eventChanges reads all changes of events from the log.
func (p *process) eventChanges(header ...string) []seenChange {
	p.t.Helper()
	var data struct{ Changes struct{ Nodes []seenChange } }
	r, a := p.post(`{ changes(first: 100, types: [EVENT]) { nodes { cursor operation id: nodeId } } }`, nil, header...)
	if err := json.Unmarshal(a.Data, &data); err != nil || len(a.Errors) > 0 {
		p.t.Fatalf("%v %s", err, r.body)
	}
	return data.Changes.Nodes
}

// A server that is told to stop answers what waits for a slow Google, and nothing of following a calendar holds it up.
func TestTermWhileGoogleIsSlow(t *testing.T) {
	t.Parallel()
	t.Run("a request", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		p := w.spawnLinked("--data-dir="+t.TempDir(), "--google-poll=off")
		p.mustCreate("slow", "10:00")
		lists := w.calls("calendar.events.list")
		w.front.Inject(standingoogle.Fault{Method: "calendar.events.list", Latency: 2 * time.Second})
		answered := make(chan error, 1)
		var got answer
		go func() {
			var err error
			got, err = p.ask(context.WithoutCancel(t.Context()), askTitles, nil, nil)
			answered <- err
		}()
		eventually(t, "the request to run", func() bool { return p.metric("almanac_http_in_flight") == "2" })
		if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := <-answered; err != nil || len(got.Errors) > 0 || !strings.Contains(string(got.Data), "slow") {
			t.Errorf("%v %+v after %d lists", err, got, w.calls("calendar.events.list")-lists)
		}
		if err := p.ended(); err != nil {
			t.Errorf("it ended with %v\n%s", err, p.log)
		}
	})
	t.Run("following", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		p := spawn(t, w.variables, "--data-dir="+t.TempDir(), "--google-poll=15s").await()
		w.opened(p.address + "/connect/google/callback").Inject(standingoogle.Fault{Method: "calendar.events.list",
			Latency: time.Hour})
		w.link(p)
		eventually(t, "a look at the calendar", w.waiting)
		told := time.Now()
		if err := p.term(); err != nil {
			t.Errorf("it ended with %v\n%s", err, p.log)
		}
		t.Logf("ended %v after it was told", time.Since(told).Round(time.Millisecond))
	})
	t.Run("for ever", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		flags := []string{"--data-dir=" + t.TempDir(), "--google-poll=off"}
		p := w.spawnLinked(flags...)
		w.front.Inject(standingoogle.Fault{Method: "calendar.events.insert", Latency: time.Hour})
		answered := make(chan error, 1)
		go func() {
			got, err := p.ask(context.WithoutCancel(t.Context()), createEvent, tomorrowAt("never", "10:00"),
				map[string]string{"Idempotency-Key": "never"})
			if err == nil && madeEvent(got.Data) != "" {
				err = errors.New("it was answered as if all were well")
			} else {
				err = nil
			}
			answered <- err
		}()
		eventually(t, "Google to be asked", w.waiting)
		if err := p.term(); err == nil || !strings.Contains(p.log.String(), "requests cut off: 1") {
			t.Errorf("it ended with %v and does not say what was cut off: %s", err, p.log)
		}
		if err := <-answered; err != nil {
			t.Error(err)
		}
		if titles := w.titles(); len(titles) != 0 {
			t.Errorf("the calendar has %v", titles)
		}
	})
}

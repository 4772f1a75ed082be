package app_test

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/calsync"
	"almanac/internal/standin/calendar"
)

const watchEvents = `subscription ($after: String) { eventChanged(after: $after) { cursor operation id: nodeId event { summary } } }`

// heard is one change of an event as a subscription tells it.
type heard struct {
	EventChanged struct {
		Cursor, Operation, ID string
		Event                 *struct{ Summary string }
	}
}

func (h heard) String() string {
	if h.EventChanged.Event == nil {
		return h.EventChanged.Operation
	}
	return h.EventChanged.Operation + " " + h.EventChanged.Event.Summary
}

// somebodyElse adds an event to the calendar past this server.
func (w *world) somebodyElse(id, summary string) {
	w.t.Helper()
	begin := time.Now().UTC().AddDate(0, 0, 2)
	_, err := w.events.Insert(yael, "primary", map[string]any{
		"id": id, "summary": summary,
		"start": map[string]any{"dateTime": begin.Format(time.RFC3339)},
		"end":   map[string]any{"dateTime": begin.Add(time.Hour).Format(time.RFC3339)},
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// What this server writes and what somebody else writes is heard on every kind of subscription, in order, each once,
// and stands so in the change log, also when other servers on the same database follow the same calendar.
func TestEventsAreHeardOnce(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags = append(flags, "--google-poll=15s")
			w := newWorld(t)
			p := w.spawnLinked(flags...)
			other := spawn(t, w.variables, flags...).await()
			eventually(t, "the calendar to be followed", func() bool { return syncs(p, "begun")+syncs(other, "begun") > 0 })
			from := map[string]any{"after": changeHead(p)} // a listener may begin to listen after the first change
			s, e := p.mustDial(""), other.mustListen(watchEvents, from, "")
			if err := s.subscribe("1", watchEvents, from); err != nil {
				t.Fatal(err)
			}
			p.mustAsk(askViewer, nil, &struct{}{})
			const changes = 6
			listeners := map[string]<-chan told{"socket": hearAll(s.next, changes),
				"event stream": hearAll(func(into any) error { _, err := e.next(into); return err }, changes)}

			id := p.mustCreate("own פגישה", "10:00")
			w.somebodyElse("theirs00", "theirs")
			r, a := other.post(
				`mutation ($id: ID!) { updateEvent(input: { id: $id, set: { summary: "own, renamed" } }) { event { summary } userErrors { message } } }`, map[string]any{"id": id})
			if len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"userErrors":[]`) {
				t.Fatalf("%s", r.body)
			}
			w.somebodyElse("theirs01", "theirs too")
			r, a = p.post(`mutation ($id: ID!) { deleteEvent(input: { id: $id }) { deleted userErrors { message } } }`,
				map[string]any{"id": id})
			if len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"deleted":1`) {
				t.Fatalf("%s", r.body)
			}
			// A last one of theirs, made after all others were read: whatever was told twice would come before it.
			eventually(t, "theirs to be found", func() bool { return len(p.eventChanges()) >= 5 })
			w.somebodyElse("theirs02", "the last")
			eventually(t, "the last to be found", func() bool { return len(p.eventChanges()) >= 6 })

			log := p.eventChanges()
			count := map[string]int{}
			for _, change := range log {
				count[change.Operation]++
			}
			if len(log) != changes || count["CREATED"] != 4 || count["UPDATED"] != 1 || count["DELETED"] != 1 {
				t.Fatalf("the log has %v", log)
			}
			for which, listener := range listeners {
				var all []string
				for i := range log {
					h := <-listener
					if h.err != nil {
						t.Fatalf("%s, change %d: %v", which, i, h.err)
					}
					all = append(all, h.String())
					if h.EventChanged.ID != log[i].ID || h.EventChanged.Cursor != log[i].Cursor {
						t.Errorf("%s: change %d is %v, in the log %v", which, i, h, log[i])
					}
				}
				if !slices.Contains(all, "CREATED theirs") || all[len(all)-1] != "CREATED the last" {
					t.Errorf("%s heard %v", which, all)
				}
			}
		})
	}
}

// told is what a listener has read.
type told struct {
	heard
	err error
}

// hearAll reads so many changes as they come: a socket whose client reads nothing answers no ping, and is cut.
func hearAll(next func(any) error, changes int) <-chan told {
	all := make(chan told, changes)
	go func() {
		for range changes {
			var one told
			one.err = next(&one.heard)
			all <- one
			if one.err != nil {
				return
			}
		}
	}()
	return all
}

// syncs counts a server's syncs of calendars by how they ended.
func syncs(p *process, outcome string) int {
	p.t.Helper()
	var n int
	_, _ = fmt.Sscan(p.metric(`almanac_calendar_syncs_total{code="",outcome="`+outcome+`"}`), &n)
	return n
}

// behindProxy takes requests for a server's public address to where it listens, as a proxy does.
type behindProxy struct{ p *process }

func (b behindProxy) RoundTrip(r *http.Request) (*http.Response, error) {
	inner := r.Clone(r.Context())
	inner.URL.Scheme, inner.URL.Host, inner.Host = "http", strings.TrimPrefix(b.p.address, "http://"), r.URL.Host
	return http.DefaultTransport.RoundTrip(inner)
}

// With a public address Google tells of changes, and only Google can.
func TestPushedChanges(t *testing.T) {
	t.Parallel()
	const public = "https://almanac.example.com"
	w := newWorld(t)
	flags := []string{"--data-dir=" + t.TempDir()}
	p := spawnPublic(t, w.variables, append(flags, "--public-url="+public, "--google-poll=24h")...)
	if !strings.Contains(p.greeting, "register the redirect URI "+public+"/connect/google/callback") {
		t.Fatalf("the greeting does not say the redirect URI:\n%s\n%s", p.greeting, p.log)
	}
	w.opened(public + "/connect/google/callback")
	token, _ := apiToken(t, flags, "--name", "phone", "--scopes", "READ,WRITE")
	as := bearer(token)

	v := newVisitor(t)
	v.client.Transport = behindProxy{p}
	link := *p.connections(as...)[0].ConnectURL
	if !strings.HasPrefix(link, public+"/connect/google?ticket=") {
		t.Fatalf("the link is %s", link)
	}
	if done := v.open(w.agree(v.consentOf(link)), nil); done.status != http.StatusOK {
		t.Fatalf("%d %s", done.status, done.body)
	}
	opened := w.notice(t, "sync")
	if opened.Address != public+calsync.PathNotices {
		t.Errorf("notices go to %s", opened.Address)
	}
	if got := p.deliver(opened); got != http.StatusNoContent {
		t.Errorf("the first notice: %d", got)
	}
	eventually(t, "the calendar to be followed", func() bool { return syncsAs(p, "begun", as) == 1 })

	w.somebodyElse("pushed00", "pushed")
	notice := w.notice(t, "exists")
	for what, change := range map[string]func(http.Header){
		"no token":        func(h http.Header) { h.Del("X-Goog-Channel-Token") },
		"a made-up token": func(h http.Header) { h.Set("X-Goog-Channel-Token", strings.Repeat("A", 150)) },
		"another channel": func(h http.Header) { h.Set("X-Goog-Channel-Id", "another") },
	} {
		forged := calendar.Notification{Address: notice.Address, Header: notice.Header.Clone()}
		change(forged.Header)
		if got := p.deliver(forged); got != http.StatusNotFound {
			t.Errorf("%s: %d", what, got)
		}
	}
	if n := len(p.eventChanges(as...)); n != 0 {
		t.Errorf("%d changes are told after forged notices", n)
	}
	if got := p.deliver(notice); got != http.StatusNoContent {
		t.Errorf("the notice: %d", got)
	}
	eventually(t, "what was pushed", func() bool { return len(p.eventChanges(as...)) == 1 })
	if got := p.deliver(notice); got != http.StatusNoContent {
		t.Errorf("the notice once more: %d", got)
	}

	r, a := p.post(`mutation { disconnect(input: { provider: GOOGLE }) { disconnected } }`, nil, as...)
	if len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"disconnected":1`) ||
		w.calls("calendar.channels.stop") != 1 || w.calls("oauth.revoke") != 1 {
		t.Errorf("%s; %d channels closed, %d grants revoked", r.body, w.calls("calendar.channels.stop"),
			w.calls("oauth.revoke"))
	}
	if got := p.deliver(notice); got != http.StatusNotFound {
		t.Errorf("a notice after disconnecting: %d", got)
	}
	if n := len(p.eventChanges(as...)); n != 1 {
		t.Errorf("%d changes are told, want 1", n)
	}
}

func syncsAs(p *process, outcome string, header []string) int {
	p.t.Helper()
	var n int
	for text := range strings.Lines(string(p.mustSend(http.MethodGet, "/metrics", nil, header...).body)) {
		if value, found := strings.CutPrefix(text, `almanac_calendar_syncs_total{code="",outcome="`+outcome+`"} `); found {
			_, _ = fmt.Sscan(value, &n)
		}
	}
	return n
}

// notice returns the next notice in that state.
func (w *world) notice(t *testing.T, state string) calendar.Notification {
	t.Helper()
	for {
		select {
		case n := <-w.notices:
			if n.Header.Get("X-Goog-Resource-State") == state {
				return n
			}
		case <-time.After(patience):
			t.Fatalf("no notice %q came", state)
		}
	}
}

// deliver brings a notice as Google does and returns the answer's status.
func (p *process) deliver(n calendar.Notification) int {
	p.t.Helper()
	address, err := url.Parse(n.Address)
	if err != nil {
		p.t.Fatal(err)
	}
	header := []string{"Host", address.Host}
	for name := range n.Header {
		header = append(header, name, n.Header.Get(name))
	}
	return p.mustSend(http.MethodPost, address.Path, nil, header...).status
}

// spawnPublic starts a server behind a public address, and returns it with the address where it listens.
func spawnPublic(t *testing.T, variables []string, flags ...string) *process {
	t.Helper()
	for range 5 { // a port that was free a moment ago may be taken
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		address := listener.Addr().String()
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
		p := spawn(t, variables, append(flags, "--addr="+address)...)
		<-p.listening
		if strings.Contains(p.greeting, "explorer") {
			p.address = "http://" + address
			return p
		}
		t.Logf("%v: %s", p.ended(), p.log)
	}
	t.Fatal("the server does not start")
	return nil
}

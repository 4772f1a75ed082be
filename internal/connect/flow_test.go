package connect

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	standin "almanac/internal/standin/google"
)

// The whole way, on both stores: the local user needs no ticket, and what is stored is what was granted.
func TestLink(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T, func() time.Time) fullStore{"sqlite": openSQLite,
		"postgres": openPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFixtureOn(t, open)
			done := h.linkWith(newBrowser(t), h.page(), yael)
			if done.status != http.StatusOK || !strings.Contains(done.body, "<h1>Linked</h1>") ||
				!strings.Contains(done.body, yael) {
				t.Fatalf("%d:\n%s", done.status, done.body)
			}
			c := h.connection(local, yael)
			want := []string{google.ScopeCalendarList, google.ScopeCalendarEvents, google.ScopeFreeBusy, ScopeEmail, ScopeOpenID}
			slices.Sort(want)
			if c.Number != 1 || c.Status != model.ConnectionConnected || !c.StandIn || !slices.Equal(c.Scopes, want) ||
				!c.LinkedAt.Equal(h.clock.Now()) {
				t.Errorf("the connection is %+v", c)
			}
			token := h.token(c)
			if token.Access == "" || token.Refresh == "" || !token.Expiry.Equal(h.clock.Now().Add(3599*time.Second)) {
				t.Errorf("the token ends at %v", token.Expiry)
			}
			secrets, err := h.Store.Credentials(t.Context(), local, c.ID)
			if err != nil || strings.Contains(string(secrets.Refresh), token.Refresh) ||
				strings.Contains(string(secrets.Access), token.Access) {
				t.Errorf("the tokens are stored as they are: %v", err)
			}
			changes, err := h.store.Changes(t.Context(), local, 0, []model.ChangeType{model.ChangeConnection}, 10)
			if err != nil || len(changes) != 1 || changes[0].Operation != model.OperationCreated {
				t.Errorf("the log has %v, %v", changes, err)
			}
			h.secretsStaySecret(token)
		})
	}
}

// Whoever wants to know of links is told of each within its transaction, and can refuse it; then nothing is linked.
func TestAfterLink(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	var told []model.Connection
	h.AfterLink = func(ctx context.Context, c model.Connection) error {
		told = append(told, c)
		all, err := h.Store.Connections(ctx, c.User)
		if err == nil && !slices.ContainsFunc(all, func(one model.Connection) bool { return one.ID == c.ID }) {
			t.Error("the connection cannot be seen with the context")
		}
		return err
	}
	first, again := h.mustLink(alice, yael), h.mustLink(alice, yael)
	if len(told) != 2 || told[0].ID != first.ID || told[1].ID != again.ID || told[0].Number != 1 ||
		told[0].User != alice || told[0].Status != model.ConnectionConnected {
		t.Errorf("told of %+v", told)
	}
	h.AfterLink = func(context.Context, model.Connection) error { return errors.New("no room") }
	if refused := h.linkWith(newBrowser(t), h.URL(bob, nil, ""), yael); refused.status != http.StatusInternalServerError ||
		strings.Contains(refused.body, "no room") {
		t.Errorf("%d %s", refused.status, refused.body)
	}
	if all := h.connections(bob); len(all) != 0 {
		t.Errorf("linked all the same: %+v", all)
	}
}

// secretsStaySecret holds the log to what it may not say.
func (h *fixture) secretsStaySecret(tokens ...google.Token) {
	h.t.Helper()
	written := h.logs.String()
	if written == "" {
		h.t.Error("nothing was logged")
	}
	for _, token := range tokens {
		for _, secret := range []string{token.Access, token.Refresh} {
			if secret != "" && strings.Contains(written, secret) {
				h.t.Errorf("a token is in the log:\n%s", written)
			}
		}
	}
	for _, secret := range []string{"4/0A", "ya29.", "1//", yael, omer, "client's secret", "ticket=", "state="} {
		if strings.Contains(written, secret) {
			h.t.Errorf("%q is in the log:\n%s", secret, written)
		}
	}
}

// A ticket links for its user only, and the page says whose Almanac it is and what for.
func TestTicket(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for user, name := range map[model.UserID]string{alice: "alice@work.example", bob: "bob",
		local: "the user of this computer", model.UserIDOf("new"): model.UserIDOf("new").String()} {
		asked := newBrowser(t).get(h.URL(user, nil, omer))
		for _, part := range []string{name, omer, "see and change the events", "Continue only if this Almanac is yours",
			"stand-in"} {
			if asked.status != http.StatusOK || !strings.Contains(asked.body, part) {
				t.Errorf("the page for %s (%d) does not say %q:\n%s", name, asked.status, part, asked.body)
			}
		}
	}
	h.mustLink(alice, yael)
	if others := append(h.connections(bob), h.connections(local)...); len(others) != 0 {
		t.Errorf("somebody else has %v", others)
	}
	if link := h.URL(alice, append(CalendarScopes(false), google.ScopeGmailModify),
		strings.Repeat("a", 240)+"@example.com"); len(link) > 2000 {
		t.Errorf("a link has %d characters", len(link))
	}
}

// Who comes without a ticket is let in only as the local user, and only at a name of this machine.
func TestNoTicket(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	before := h.store.writes.Load()
	for name, change := range map[string]func(*http.Request){
		"another name":                func(r *http.Request) { r.Host = "almanac.example.com" },
		"a name that begins like one": func(r *http.Request) { r.Host = "localhost.example.com" },
		"no name":                     func(r *http.Request) { r.Host = "" },
	} {
		if got := h.serve(http.MethodGet, PathStart, change); got.status != http.StatusForbidden ||
			!strings.Contains(got.body, "UNAUTHENTICATED") || got.input("form") != "" {
			t.Errorf("%s: %d\n%s", name, got.status, got.body)
		}
	}
	h.LocalUser = model.UserID{}
	if got := h.serve(http.MethodGet, PathStart, nil); got.status != http.StatusForbidden || got.input("form") != "" {
		t.Errorf("without a local user: %d\n%s", got.status, got.body)
	}
	if h.store.writes.Load() != before {
		t.Error("something was written")
	}
}

// No ticket that is late, cut, altered or made for another step opens the page.
func TestWrongTickets(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	link := h.URL(alice, nil, "")
	ticket := strings.TrimPrefix(link, h.page()+"?ticket=")
	a := attempt{User: alice, Scopes: h.wanted(nil), Ends: h.clock.Now().Add(time.Hour).Unix()}
	strange := *h.Linker
	strange.Box = boxOf(t, newKey)
	for name, text := range map[string]string{
		"cut": ticket[:len(ticket)-4], "altered": "B" + ticket[1:], "nonsense": "x",
		"another key's": strange.write(stepTicket, a),
		"a form":        h.write(stepForm, a), "a state": h.write(stepState, a), "very long": strings.Repeat("A", 7000),
		"longer": strings.Repeat("A", 100_000),
	} {
		if got := newBrowser(t).get(h.page() + "?ticket=" + url.QueryEscape(text)); got.status != http.StatusBadRequest ||
			!strings.Contains(got.body, "CONFIRMATION_INVALID") || got.input("form") != "" {
			t.Errorf("%s: %d\n%s", name, got.status, got.body)
		}
	}
	h.clock.Advance(Lifetime - time.Second)
	if got := newBrowser(t).get(link); got.status != http.StatusOK {
		t.Errorf("in its last second: %d", got.status)
	}
	h.clock.Advance(time.Second)
	if got := newBrowser(t).get(link); got.status != http.StatusBadRequest ||
		!strings.Contains(got.body, "This link has ended") || got.link() != "" {
		t.Errorf("at its end: %d\n%s", got.status, got.body)
	}
}

// The button works only in the browser that was shown the page.
func TestWrongForms(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	b := newBrowser(t)
	form := b.get(h.URL(alice, nil, "")).input("form")
	state := strings.TrimPrefix(h.URL(alice, nil, ""), h.page()+"?ticket=")
	post := func(b *browser, fields url.Values) view { return b.do(http.MethodPost, h.page(), fields) }
	for name, c := range map[string]struct {
		got    view
		status int
	}{
		"another browser": {post(newBrowser(t), url.Values{"form": {form}}), http.StatusForbidden},
		"a ticket":        {post(b, url.Values{"form": {state}}), http.StatusBadRequest},
		"nothing":         {post(b, url.Values{}), http.StatusBadRequest},
		"too much": {post(b, url.Values{"form": {form}, "more": {strings.Repeat("x", maxForm)}}),
			http.StatusBadRequest},
		"in the query":   {b.do(http.MethodPost, h.page()+"?form="+form, url.Values{}), http.StatusBadRequest},
		"another method": {b.do(http.MethodPut, h.page(), url.Values{"form": {form}}), http.StatusMethodNotAllowed},
	} {
		if c.got.status != c.status || c.got.location() != "" {
			t.Errorf("%s: %d %q\n%s", name, c.got.status, c.got.location(), c.got.body)
		}
	}
	cookie := b.cookies(h)
	for site, status := range map[string]int{"cross-site": 403, "same-site": 403, "same-origin": 303, "none": 303} {
		got := h.serve(http.MethodPost, PathStart, func(r *http.Request) {
			setForm(r, url.Values{"form": {form}})
			r.Header.Set("Cookie", cookie)
			r.Header.Set("Sec-Fetch-Site", site)
		})
		if got.status != status {
			t.Errorf("%s: %d, want %d", site, got.status, status)
		}
	}
	h.clock.Advance(Lifetime)
	if late := post(b, url.Values{"form": {form}}); late.status != http.StatusBadRequest || late.location() != "" {
		t.Errorf("late: %d", late.status)
	}
}

// Whatever is wrong with an answer of Google, nothing is written and Google is not asked.
func TestWrongCallbacks(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	b := newBrowser(t)
	callback := h.agree(b, h.begin(b, h.URL(alice, nil, "")), yael)
	address, err := url.Parse(callback)
	if err != nil {
		t.Fatal(err)
	}
	state, code := address.Query().Get("state"), address.Query().Get("code")
	with := func(state, code string) string {
		return RedirectURI(h.Base) + "?" + url.Values{"state": {state}, "code": {code}}.Encode()
	}
	// Bob's browser has a cookie and a state of its own.
	foreign := newBrowser(t)
	foreignState := stateOf(t, h.begin(foreign, h.URL(bob, nil, "")))
	before := h.store.writes.Load()
	for name, c := range map[string]struct {
		got    view
		status int
	}{
		"no cookie":              {newBrowser(t).get(callback), 403},
		"another user's browser": {foreign.get(callback), 403},
		"another user's state":   {b.get(with(foreignState, code)), 403},
		"no state":               {b.get(with("", code)), 400},
		"an altered state":       {b.get(with("B"+state[1:], code)), 400},
		"a cut state":            {b.get(with(state[:40], code)), 400},
		"a ticket for a state": {b.get(with(strings.TrimPrefix(h.URL(alice, nil, ""), h.page()+"?ticket="), code)),
			400},
		"an error without a state":     {b.get(RedirectURI(h.Base) + "?error=access_denied"), 400},
		"a look":                       {b.do(http.MethodHead, callback, nil), 405},
		"a post":                       {b.do(http.MethodPost, callback, url.Values{}), 405},
		"a query that is far too long": {b.get(callback + "&x=" + strings.Repeat("x", maxForm)), 400},
		"a path below":                 {b.get(RedirectURI(h.Base) + "/x?state=" + state), 404},
	} {
		if c.got.status != c.status {
			t.Errorf("%s: %d, want %d:\n%s", name, c.got.status, c.status, c.got.body)
		}
	}
	if h.store.writes.Load() != before || h.calls("oauth.token") != 0 {
		t.Errorf("%d writes and %d calls", h.store.writes.Load()-before, h.calls("oauth.token"))
	}
	if len(h.connections(alice)) != 0 || len(h.connections(bob)) != 0 {
		t.Error("something was linked")
	}
	// After all that the right one still works, once.
	if done := b.get(callback); done.status != http.StatusOK || !strings.Contains(done.body, "Linked") {
		t.Fatalf("%d\n%s", done.status, done.body)
	}
	if again := b.get(callback); again.status != http.StatusBadRequest ||
		!strings.Contains(again.body, "has been used already") || again.link() == "" {
		t.Errorf("the second time: %d\n%s", again.status, again.body)
	}
	if len(h.connections(alice)) != 1 || h.calls("oauth.token") != 1 {
		t.Errorf("%d connections, %d calls", len(h.connections(alice)), h.calls("oauth.token"))
	}
}

func TestLateCallback(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	b := newBrowser(t)
	callback := h.agree(b, h.begin(b, h.page()), yael)
	h.clock.Advance(Lifetime)
	got := b.get(callback)
	if got.status != http.StatusBadRequest || !strings.Contains(got.body, "This link has ended") ||
		h.calls("oauth.token") != 0 {
		t.Errorf("%d\n%s", got.status, got.body)
	}
	if got.link() != PathStart {
		t.Errorf("the way back is %q", got.link())
	}
}

// A state whose verifier is not the one that Google was shown gives nothing (RFC 7636, 4.6), and neither does a made-up
// code.
func TestWrongVerifier(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	b := newBrowser(t)
	for name, change := range map[string]func(q url.Values){
		"verifier": func(q url.Values) {
			a, err := h.read(stepState, q.Get("state"))
			if err != nil {
				t.Fatal(err)
			}
			a.Verifier = google.NewVerifier()
			q.Set("state", h.write(stepState, a))
		},
		"code":    func(q url.Values) { q.Set("code", "4/0Amade-up") },
		"no code": func(q url.Values) { q.Del("code") },
	} {
		callback, err := url.Parse(h.agree(b, h.begin(b, h.URL(alice, nil, "")), yael))
		if err != nil {
			t.Fatal(err)
		}
		q := callback.Query()
		change(q)
		callback.RawQuery = q.Encode()
		if got := b.get(callback.String()); got.status != http.StatusBadRequest ||
			!strings.Contains(got.body, "CONFIRMATION_INVALID") {
			t.Errorf("%s: %d\n%s", name, got.status, got.body)
		}
	}
	if len(h.connections(alice)) != 0 {
		t.Error("something was linked")
	}
}

// Several accounts, each with its own number, up to the most there may be.
func TestSeveralAccounts(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for n := 1; n <= model.MaxConnections+1; n++ {
		address := fmt.Sprintf("person%02d@example.com", n)
		if err := h.google.AddAccount(standin.Account{Email: address}); err != nil {
			t.Fatal(err)
		}
		done := h.linkWith(newBrowser(t), h.URL(alice, nil, ""), address)
		if n > model.MaxConnections {
			if done.status != http.StatusConflict || !strings.Contains(done.body, "Sixteen") ||
				!strings.Contains(done.body, "CONFLICT") {
				t.Errorf("one too many: %d\n%s", done.status, done.body)
			}
			continue
		}
		if c := h.connection(alice, address); c.Number != n {
			t.Errorf("%s has number %d", address, c.Number)
		}
	}
}

// The account is the one that Google names, also when another was meant; the page says so.
func TestAnotherAccountThanMeant(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	done := h.linkWith(newBrowser(t), h.URL(alice, nil, yael), omer)
	if done.status != http.StatusOK || !strings.Contains(done.body, omer) ||
		!strings.Contains(done.body, "Another account was chosen") || len(h.connections(alice)) != 1 {
		t.Errorf("%d\n%s", done.status, done.body)
	}
}

// What fails on the way is told by kind, never by cause, and leaves nothing behind.
func TestFaults(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for _, c := range []struct {
		fault  standin.Fault
		status int
		code   string
	}{
		{standin.Fault{Method: "oauth.token", Status: 500}, 503, "UPSTREAM_UNAVAILABLE"},
		{standin.Fault{Method: "oauth.token", HTML: true}, 503, "UPSTREAM_UNAVAILABLE"},
		{standin.Fault{Method: "oauth.token", Reset: true}, 503, "UPSTREAM_UNAVAILABLE"},
		{standin.Fault{Method: "oauth.token", Truncate: true}, 503, "UPSTREAM_UNAVAILABLE"},
		{standin.Fault{Method: "oauth.token", Status: 401, Reason: "invalid_client",
			Message: "The OAuth client was not found."}, 503, "NOT_CONFIGURED"},
		{standin.Fault{Method: "oauth.token", Status: 400, Reason: "invalid_grant", Message: "Bad Request"}, 400,
			"CONFIRMATION_INVALID"},
		{standin.Fault{Method: "oauth.userinfo", Status: 503}, 503, "UPSTREAM_UNAVAILABLE"},
		{standin.Fault{Method: "oauth.userinfo", HTML: true}, 503, "UPSTREAM_UNAVAILABLE"},
		{standin.Fault{Method: "oauth.userinfo", Reset: true}, 503, "UPSTREAM_UNAVAILABLE"},
		{standin.Fault{Method: "oauth.userinfo", Truncate: true}, 503, "UPSTREAM_UNAVAILABLE"},
		{standin.Fault{Method: "oauth.userinfo", Status: 401}, 502, "UPSTREAM_REJECTED"},
	} {
		h.google.Inject(c.fault)
		got := h.linkWith(newBrowser(t), h.URL(alice, nil, ""), omer)
		h.google.Clear()
		if got.status != c.status || !strings.Contains(got.body, ">"+c.code+"<") || got.link() == "" {
			t.Errorf("%+v: %d\n%s", c.fault, got.status, got.body)
		}
		if strings.Contains(got.body, "OAuth client was not found") {
			t.Errorf("%+v: the page tells the cause", c.fault)
		}
	}
	unavailable := store.ErrUnavailable
	b := newBrowser(t)
	callback := h.agree(b, h.begin(b, h.URL(alice, nil, "")), omer)
	h.store.broken.Store(&unavailable)
	if got := b.get(callback); got.status != 503 || !strings.Contains(got.body, "UPSTREAM_UNAVAILABLE") {
		t.Errorf("without a database: %d\n%s", got.status, got.body)
	}
	secret := fmt.Errorf("sql: secret of the database")
	h.store.broken.Store(&secret)
	if got := b.get(callback); got.status != 500 || !strings.Contains(got.body, "INTERNAL") ||
		strings.Contains(got.body, "sql") {
		t.Errorf("with a broken one: %d\n%s", got.status, got.body)
	}
	h.store.broken.Store(nil)
	if len(h.connections(alice)) != 0 {
		t.Error("something was linked")
	}
	h.secretsStaySecret()
}

// A browser that comes as localhost is sent to the name that Google sends it back to, or its cookie would be lost;
// once.
func TestNamesOfThisMachine(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	other := "localhost:" + h.Base.Port()
	sent := h.serve(http.MethodGet, PathStart+"?ticket=x", func(r *http.Request) { r.Host = other })
	if sent.status != http.StatusSeeOther || sent.location() != h.page()+"?here=1&ticket=x" {
		t.Errorf("%d %q", sent.status, sent.location())
	}
	if again := h.serve(http.MethodGet, PathStart+"?here=1",
		func(r *http.Request) { r.Host = other }); again.status != http.StatusOK {
		t.Errorf("the second time: %d", again.status)
	}
	if strange := h.serve(http.MethodGet, PathStart,
		func(r *http.Request) { r.Host = "evil.example" }); strange.location() != "" {
		t.Errorf("a strange name is sent to %q", strange.location())
	}
}

func TestNotConfigured(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	c := h.mustLink(alice, yael)
	h.OAuth.ClientID = ""
	for _, path := range []string{PathStart, PathCallback} {
		if got := newBrowser(t).get(h.Base.JoinPath(path).String()); got.status != http.StatusNotFound ||
			!strings.Contains(got.body, "NOT_CONFIGURED") {
			t.Errorf("%s: %d\n%s", path, got.status, got.body)
		}
	}
	if h.URL(alice, nil, "") != "" || h.Status(c) != model.ConnectionNotConfigured {
		t.Errorf("%q, %s", h.URL(alice, nil, ""), h.Status(c))
	}
	if _, err := h.vault.Token(t.Context(), accountOf(c)); model.CodeOf(err) != model.CodeNotConfigured {
		t.Errorf("a token: %v", err)
	}
	if gone, err := h.Disconnect(t.Context(), alice, model.ProviderGoogle, yael); err != nil || len(gone) != 1 ||
		gone[0].Revoked {
		t.Errorf("disconnect: %v, %v", gone, err)
	}
}

package connect

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	standin "almanac/internal/standin/google"
)

const primaryCalendar = "https://www.googleapis.com/calendar/v3/users/me/calendarList/primary"

// clients are what an adapter would use.
func (h *fixture) clients() *google.Clients {
	return &google.Clients{OAuth: h.OAuth, Vault: h.vault, Base: h.google.Transport(), Now: h.clock.Now,
		ConnectURL: h.ConnectURL,
		Wait:       func(context.Context, time.Duration) error { return nil }}
}

// use makes one call as an adapter does.
func (h *fixture) use(clients *google.Clients, c model.Connection) error {
	request, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, primaryCalendar, http.NoBody)
	if err != nil {
		return err
	}
	response, err := clients.HTTP(h.t.Context(), accountOf(c), model.UpstreamGoogle).Do(request)
	if err != nil {
		return google.Classify(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err == nil && !strings.Contains(string(body), c.Account) {
		err = errors.New(string(body))
	}
	return err
}

// However many calls wait for a token, one of them asks Google, and what it got is stored.
func TestRefreshUnderContention(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	c := h.mustLink(alice, yael)
	clients := h.clients()
	if err := h.use(clients, c); err != nil {
		t.Fatal(err)
	}
	before, old := h.calls("oauth.token"), h.token(c)
	h.clock.Advance(2 * time.Hour)
	var each sync.WaitGroup
	failed := make(chan error, 100)
	for range cap(failed) {
		each.Go(func() {
			if err := h.use(clients, c); err != nil {
				failed <- err
			}
		})
	}
	each.Wait()
	close(failed)
	for err := range failed {
		t.Error(err)
	}
	if n := h.calls("oauth.token") - before; n != 1 {
		t.Errorf("Google was asked %d times", n)
	}
	fresh := h.token(c)
	if fresh.Access == old.Access || fresh.Refresh != old.Refresh || !fresh.Expiry.After(h.clock.Now()) {
		t.Error("the renewed token is not stored")
	}
	h.secretsStaySecret(old, fresh)
}

// A grant that the user takes back at Google makes the connection EXPIRED, once; linked anew it is as before.
func TestRevokedGrant(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	c := h.mustLink(alice, yael)
	clients := h.clients()
	h.google.RevokeGrant(yael)
	h.clock.Advance(time.Minute)
	h.wantNotConnected(h.use(clients, c))
	expired := h.connection(alice, yael)
	if expired.Status != model.ConnectionExpired || !expired.UpdatedAt.Equal(h.clock.Now()) ||
		h.Status(expired) != model.ConnectionExpired {
		t.Errorf("it is %+v", expired)
	}
	before := len(h.google.Requests())
	h.wantNotConnected(h.use(clients, c))
	h.wantNotConnected(h.use(h.clients(), c))
	if n := len(h.google.Requests()) - before; n != 0 {
		t.Errorf("Google was asked %d times more", n)
	}
	if changes, err := h.store.Changes(t.Context(), alice, 0, []model.ChangeType{model.ChangeConnection},
		10); err != nil || len(changes) != 2 || changes[1].Operation != model.OperationUpdated {
		t.Errorf("the log has %v, %v", changes, err)
	}
	again := h.mustLink(alice, yael)
	if again.ID != c.ID || again.Number != c.Number || again.Status != model.ConnectionConnected {
		t.Errorf("linked anew it is %+v", again)
	}
	if err := h.use(clients, again); err != nil {
		t.Errorf("linked anew: %v", err)
	}
}

// An answer about an old grant, of a call that was under way while the user linked anew, changes nothing.
func TestAnswerAboutAnOldGrant(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	c := h.mustLink(alice, yael)
	old := h.token(c) // a call begins
	h.mustLink(alice, yael)
	other := &Vault{Linker: h.Linker} // what another process sees
	fresh, err := other.Token(t.Context(), accountOf(c))
	if err != nil || fresh.Refresh == old.Refresh {
		t.Fatalf("linking anew gave no new token: %v", err)
	}
	late := old
	late.Access = "ya29.late"
	if err := h.vault.SaveToken(t.Context(), accountOf(c), late); err != nil {
		t.Errorf("a late token: %v", err)
	}
	if err := h.vault.Expire(t.Context(), accountOf(c), "invalid_grant"); err != nil {
		t.Errorf("a late end: %v", err)
	}
	if got := h.connection(alice, yael); got.Status != model.ConnectionConnected {
		t.Errorf("it is %s", got.Status)
	}
	if got := h.token(c); got.Access != fresh.Access || got.Refresh != fresh.Refresh {
		t.Error("the old grant's token replaced the new one's")
	}
	// Of the grant that is stored, an answer counts; also one that comes with a new refresh token.
	rotated := fresh
	rotated.Refresh = "1//rotated"
	if err := h.vault.SaveToken(t.Context(), accountOf(c), rotated); err != nil || h.token(c).Refresh != rotated.Refresh {
		t.Errorf("a rotated token is not kept: %v", err)
	}
	if err := h.vault.Expire(t.Context(), accountOf(c), "invalid_grant"); err != nil ||
		h.connection(alice, yael).Status != model.ConnectionExpired {
		t.Errorf("the end is not kept: %v", err)
	}
}

// A connection belongs to its user; nobody else gets its tokens, and what is gone is not there.
func TestVaultTenancy(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	c := h.mustLink(alice, yael)
	for name, account := range map[string]google.Account{
		"another user":       {User: bob, Connection: c.ID, Email: yael},
		"another connection": {User: alice, Connection: model.UUID{9}, Email: yael},
	} {
		_, err := h.vault.Token(t.Context(), account)
		h.wantNotConnected(err)
		h.wantNotConnected(h.vault.SaveToken(t.Context(), account, google.Token{Access: "x", Refresh: "y"}))
		if err := h.vault.Expire(t.Context(), account, "x"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if h.connection(alice, yael).Status != model.ConnectionConnected {
		t.Error("somebody else ended the connection")
	}
	// Ciphertexts that somebody copies from one row to another do not open there.
	stolen, err := h.Store.Credentials(t.Context(), alice, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	mine := h.mustLink(bob, omer)
	err = h.Store.Write(t.Context(), bob, func(ctx context.Context, tx store.Tx) error {
		stolen.Connection = mine.ID
		return tx.SaveCredentials(ctx, stolen)
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.vault.Token(t.Context(), accountOf(mine))
	h.wantNotConnected(err)
}

// A new key takes over as accounts are used; without the old one only what was not used is lost, and it comes back with
// it.
func TestKeyRotation(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	used, idle := h.mustLink(alice, yael), h.mustLink(alice, omer)
	token := h.token(used)
	secrets := func(c model.Connection) model.Credentials {
		kept, err := h.Store.Credentials(t.Context(), alice, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		return kept
	}
	h.Box = boxOf(t, newKey, oldKey)
	if got := h.token(used); got.Refresh != token.Refresh || got.Access != token.Access {
		t.Error("another token")
	}
	if h.Box.Stale(secrets(used).Refresh) || h.Box.Stale(secrets(used).Access) || !h.Box.Stale(secrets(idle).Refresh) {
		t.Error("what was used is not encrypted anew, or what was not used is")
	}
	before := secrets(used)
	if h.token(used); !bytes.Equal(before.Refresh, secrets(used).Refresh) {
		t.Error("it is encrypted anew at each use")
	}
	h.Box = boxOf(t, newKey)
	if got := h.token(used); got.Refresh != token.Refresh {
		t.Error("another token without the old key")
	}
	_, err := h.vault.Token(t.Context(), accountOf(idle))
	h.wantNotConnected(err)
	if !strings.Contains(h.logs.String(), "ALMANAC_TOKEN_KEY") {
		t.Error("the log does not say that a key is missing")
	}
	if c := h.connection(alice, omer); c.Status != model.ConnectionConnected {
		t.Errorf("a missing key made it %s", c.Status)
	}
	if again := h.mustLink(alice, omer); again.Number != idle.Number {
		t.Errorf("linked anew it has number %d", again.Number)
	}
	h.token(idle)
	h.secretsStaySecret(token)
}

// Tokens of the stand-in never reach Google, nor the other way round.
func TestWorldsDoNotMix(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	c := h.mustLink(alice, yael)
	h.StandIn = false
	before := len(h.google.Requests())
	h.wantNotConnected(h.use(h.clients(), c))
	if h.Status(c) != model.ConnectionExpired {
		t.Errorf("it is shown as %s", h.Status(c))
	}
	if gone, err := h.Disconnect(t.Context(), alice, model.ProviderGoogle, yael); err != nil || len(gone) != 1 ||
		gone[0].Revoked {
		t.Errorf("%v, %v", gone, err)
	}
	if n := len(h.google.Requests()) - before; n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestDisconnect(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	var mu sync.Mutex
	var warned []string
	h.BeforeErase = func(_ context.Context, c model.Connection) error {
		h.token(c) // still works
		mu.Lock()
		defer mu.Unlock()
		warned = append(warned, c.Account)
		return errors.New("no channel")
	}
	first, second := h.mustLink(alice, yael), h.mustLink(alice, omer)
	h.mustLink(bob, omer)
	if _, err := h.Disconnect(t.Context(), alice, model.ProviderGoogle,
		"nobody@example.com"); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("an account that is not linked: %v", err)
	}
	gone, err := h.Disconnect(t.Context(), alice, model.ProviderGoogle, " Yael@Example.com ")
	if err != nil || len(gone) != 1 || gone[0].ID != first.ID || !gone[0].Revoked || len(warned) != 1 ||
		warned[0] != yael {
		t.Fatalf("%+v, %v, warned %v", gone, err, warned)
	}
	if all := h.connections(alice); len(all) != 1 || all[0].ID != second.ID {
		t.Errorf("left are %v", all)
	}
	if _, err := h.Store.Credentials(t.Context(), alice, first.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the secrets: %v", err)
	}
	h.wantNotConnected(h.use(h.clients(), first))
	if again := h.mustLink(alice, yael); again.Number != 3 || again.ID == first.ID {
		t.Errorf("linked anew it is %+v", again)
	}

	// Google's refusal, silence or absence keeps nothing. Of all accounts it is done at once.
	for name, fault := range map[string]standin.Fault{
		"refused": {Method: "oauth.revoke", Status: 400, Reason: "invalid_request"},
		"broken":  {Method: "oauth.revoke", Status: 503}, "unreachable": {Method: "oauth.revoke", Reset: true},
	} {
		h.mustLink(alice, yael)
		h.mustLink(alice, omer)
		h.google.Inject(fault)
		gone, err := h.Disconnect(t.Context(), alice, model.ProviderGoogle, "")
		h.google.Clear()
		if err != nil || len(gone) != 2 || gone[0].Revoked || gone[1].Revoked || len(h.connections(alice)) != 0 {
			t.Errorf("%s: %+v, %v", name, gone, err)
		}
	}
	if len(h.connections(bob)) != 1 {
		t.Error("somebody else's connection is gone")
	}
	if _, err := h.Disconnect(t.Context(), alice, model.ProviderGoogle, ""); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("nothing is linked: %v", err)
	}
	// One whose grant has ended already is disconnected like any other.
	c := h.mustLink(alice, yael)
	h.google.RevokeGrant(yael)
	if gone, err := h.Disconnect(t.Context(), alice, c.Provider, c.Account); err != nil || len(gone) != 1 ||
		!gone[0].Revoked {
		t.Errorf("ended before: %+v, %v", gone, err)
	}
	h.secretsStaySecret()
}

// What a caller does that goes away changes nothing about the tokens: they are erased, and Google is told.
func TestDisconnectOutlivesItsCaller(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	c := h.mustLink(alice, yael)
	ctx, cancel := context.WithCancel(t.Context())
	h.Store = leaving{h.store, cancel}
	gone, err := h.Disconnect(ctx, alice, model.ProviderGoogle, c.Account)
	if err != nil || len(gone) != 1 || !gone[0].Revoked {
		t.Errorf("%+v, %v", gone, err)
	}
}

// leaving is a store whose caller goes away right after the write.
type leaving struct {
	Store
	leave func()
}

func (l leaving) Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error {
	defer l.leave()
	return l.Store.Write(ctx, user, fn)
}

func demoOf(h *fixture) *Demo {
	return &Demo{Email: omer, Grant: func(_ context.Context, scopes []string) (google.Token, error) {
		got, err := h.google.Grant(omer, scopes)
		return google.Token{Access: got.Access, Refresh: got.Refresh, Expiry: got.Expiry, Scopes: got.Scopes}, err
	}}
}

// The demo account is linked once, mended when the stand-in has forgotten it, and not linked again against the user's
// will.
func TestLinkStandIn(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T, func() time.Time) fullStore{"sqlite": openSQLite,
		"postgres": openPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFixtureOn(t, open)
			h.Demo = demoOf(h)
			link := func() {
				t.Helper()
				if err := h.LinkStandIn(t.Context(), local); err != nil {
					t.Fatal(err)
				}
			}
			link()
			c := h.connection(local, omer)
			if c.Number != 1 || !c.StandIn || h.use(h.clients(), c) != nil {
				t.Fatalf("%+v", c)
			}
			head, refresh := len(h.changes(local)), h.token(c).Refresh
			link()
			if len(h.changes(local)) != head || h.token(c).Refresh != refresh {
				t.Error("the second start links it anew")
			}
			h.google.RevokeGrant(omer)
			link()
			if err := h.use(h.clients(), h.connection(local, omer)); err != nil || len(h.connections(local)) != 1 {
				t.Errorf("a start does not mend it: %v", err)
			}
			h.Box = boxOf(t, newKey) // the server's key is lost
			link()
			if err := h.use(h.clients(), h.connection(local, omer)); err != nil {
				t.Errorf("a start without the key does not mend it: %v", err)
			}
			if _, err := h.Disconnect(t.Context(), local, model.ProviderGoogle, omer); err != nil {
				t.Fatal(err)
			}
			h.clock.Advance(366 * 24 * time.Hour)
			if sweeper, ok := h.store.fullStore.(store.Maintainer); !ok {
				t.Error("the store cannot sweep")
			} else if err := sweeper.Sweep(t.Context(), h.clock.Now(), time.Hour); err != nil {
				t.Fatal(err)
			}
			link()
			if all := h.connections(local); len(all) != 0 {
				t.Errorf("after a disconnect it is linked again: %v", all)
			}
			// By hand it can be.
			if done := h.linkWith(newBrowser(t), h.page(), omer); done.status != http.StatusOK {
				t.Errorf("%d\n%s", done.status, done.body)
			}
		})
	}
}

func (h *fixture) changes(user model.UserID) []model.Change {
	h.t.Helper()
	all, err := h.store.Changes(h.t.Context(), user, -1, nil, 100)
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}

// Without a stand-in nothing is linked, and a real account that has the demo's address is left alone.
func TestLinkStandInElsewhere(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	if err := h.LinkStandIn(t.Context(), local); err != nil || len(h.connections(local)) != 0 {
		t.Errorf("without a demo: %v", err)
	}
	h.Demo, h.StandIn = demoOf(h), false
	if err := h.LinkStandIn(t.Context(), local); err != nil || len(h.connections(local)) != 0 {
		t.Errorf("with Google itself: %v", err)
	}
	c := h.mustLink(local, omer) // as if it were a real one
	h.StandIn = true
	if err := h.LinkStandIn(t.Context(), local); err != nil || h.connection(local, omer).StandIn {
		t.Errorf("a real account was replaced: %v, %+v", err, c)
	}
	h.Demo = &Demo{Email: yael, Grant: func(context.Context, []string) (google.Token, error) {
		return google.Token{}, errors.New("no")
	}}
	if err := h.LinkStandIn(t.Context(), alice); err == nil || len(h.connections(alice)) != 0 {
		t.Errorf("a stand-in that grants nothing: %v", err)
	}
}

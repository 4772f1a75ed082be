package exa_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/seal"
	standin "almanac/internal/standin/exa"
	"almanac/internal/teststore"
)

const (
	serverKey = "exa-server-0123456789abcdef"
	ownKey    = "exa-own-key-0123456789abcdef"
	otherKey  = "exa-other-0123456789abcdef"
)

// office is a connector over a store of its own.
type office struct {
	*world
	*exa.Connector
	store *counted
	ids   byte
}

// counted counts how often the store is asked.
type counted struct {
	*sqlite.Store
	mu          sync.Mutex
	connections int
	credentials int
	fails       error
}

// Connections implements store.ConnectionReader.
func (c *counted) Connections(ctx context.Context, user model.UserID) ([]model.Connection, error) {
	c.mu.Lock()
	c.connections++
	fails := c.fails
	c.mu.Unlock()
	if fails != nil {
		return nil, fails
	}
	return c.Store.Connections(ctx, user)
}

// Credentials implements store.ConnectionReader.
func (c *counted) Credentials(ctx context.Context, user model.UserID, id model.UUID) (model.Credentials, error) {
	c.mu.Lock()
	c.credentials++
	c.mu.Unlock()
	return c.Store.Credentials(ctx, user, id)
}

func newOffice(t *testing.T, keys ...string) *office {
	t.Helper()
	w := newWorld(t, standin.Options{Keys: keys})
	w.client.Limits.Failures = 1000
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t), Now: w.clock})
	if err == nil {
		err = s.Migrate(t.Context())
	}
	must(t, s, err)
	t.Cleanup(func() { _ = s.Close() })
	box, err := seal.NewBox(bytes.Repeat([]byte{9}, 32))
	must(t, box, err)
	o := &office{world: w, store: &counted{Store: s}}
	o.Connector = &exa.Connector{
		Client: w.client, Store: o.store, Box: box, Seal: sealer(t), Now: w.clock,
		Logger: slog.New(slog.NewJSONHandler(w, nil)),
		NewID:  func() model.UUID { o.ids++; return model.UUID{o.ids, 1} },
	}
	return o
}

// serves opens a user's account and uses it, and gives the key that was used.
func (o *office) serves(user model.UserID) (string, error) {
	account, err := o.For(o.t.Context(), user)
	if err != nil {
		if account != nil {
			o.t.Error("an account beside an error")
		}
		return "", err
	}
	_, err = account.Websets(o.t.Context(), exa.Page{})
	return account.Key, err
}

// tells holds logs and errors to tell no key.
func (o *office) tells(err error) {
	o.t.Helper()
	text := o.log.String()
	if err != nil {
		text += err.Error() + model.CauseOf(err)
	}
	for _, key := range []string{serverKey, ownKey, otherKey, "0123456789"} {
		if strings.Contains(text, key) {
			o.t.Errorf("%q tells a key", text)
		}
	}
}

// A user is served by their own key, else by the server's, else not at all; and by the stand-in where that is what
// there is.
func TestWhoServes(t *testing.T) {
	t.Parallel()
	o := newOffice(t, serverKey, ownKey)
	if status, standIn := o.Status(); status != model.ConnectionNotConnected || standIn {
		t.Errorf("%s %v", status, standIn)
	}
	_, err := o.serves(alice)
	o.check(err, model.CodeNotConfigured)

	o.Server = serverKey
	o.Local = bob
	if status, standIn := o.Status(); status != model.ConnectionConnected || standIn {
		t.Errorf("%s %v", status, standIn)
	}
	for user, shares := range map[model.UserID]bool{alice: true, bob: false} {
		account, err := o.For(t.Context(), user)
		if must(t, account, err).Key != serverKey || account.Owner.All == shares || account.Owner.User != user ||
			account.Own {
			t.Errorf("%+v", account.Owner)
		}
	}
	hers, err := o.For(t.Context(), alice)
	made, err2 := must(t, hers, err).CreateWebset(t.Context(), exa.NewWebset{ExternalID: "x"})
	must(t, made, err2)
	his, err := o.For(t.Context(), bob)
	if _, err := must(t, his, err).Webset(t.Context(), made.Ref.ID); err != nil {
		t.Errorf("to the local user belongs the whole account: %v", err)
	}
	for _, metadata := range []model.JSON{`{"by":"bob"}`, ""} { // what he changes stays hers
		changed, err := his.UpdateWebset(t.Context(), made.Ref.ID, metadata)
		if must(t, changed, err).Metadata != metadata {
			t.Errorf("%+v", changed)
		}
		if seen, err := hers.Webset(t.Context(), "x"); err != nil || seen.Metadata != metadata {
			t.Errorf("%+v, %v", seen, err)
		}
	}
	own, err := his.CreateWebset(t.Context(), exa.NewWebset{})
	if _, err := hers.Webset(t.Context(), must(t, own, err).Ref.ID); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("she sees what is his: %v", err)
	}

	linked, err := o.Connect(t.Context(), alice, " "+ownKey+"\n")
	must(t, linked, err)
	if key, err := o.serves(alice); err != nil || key != ownKey {
		t.Errorf("%v", err)
	}
	account, err := o.For(t.Context(), alice)
	if a := must(t, account, err); !a.Own || a.Owner.Seal != nil {
		t.Errorf("%+v", a.Owner)
	}
	// The server and the stand-in do not mix: a key of the one is of no use at the other.
	o.StandIn = true
	// which this stand-in does not know
	if key, err := o.serves(alice); key != exa.StandInKey(alice) || model.CodeOf(err) != model.CodeNotConfigured {
		t.Errorf("%s, %v", key, err)
	}
	if status, standIn := o.Status(); status != model.ConnectionConnected || !standIn {
		t.Errorf("%s %v", status, standIn)
	}
	if exa.StandInKey(alice) == exa.StandInKey(bob) {
		t.Error("two users have one key at the stand-in")
	}
	o.StandIn, o.Seal, o.Local = false, nil, model.UserID{}
	if _, err := o.serves(bob); err == nil {
		t.Error("users share a key without marks")
	}
	o.store.fails = errors.New("the database is away")
	if _, err := o.serves(alice); err == nil {
		t.Error("nobody heard that the database is away")
	}
	o.tells(nil)
}

// A key is tried before it is kept, kept sealed, and replaced by the next.
func TestConnect(t *testing.T) {
	t.Parallel()
	o := newOffice(t, ownKey, otherKey)
	ctx := t.Context()
	none := func() {
		t.Helper()
		if all, err := o.store.Connections(ctx, alice); err != nil || len(all) != 0 {
			t.Errorf("kept: %+v, %v", all, err)
		}
	}
	for _, key := range []string{"", " ", "short", strings.Repeat("k", 201), "has a space", "tab\tinside", "מפתח-שאיננו",
		"exa-unknown-0123456789abcdef"} {
		_, err := o.Connect(ctx, alice, key)
		if shown := o.check(err, model.CodeBadUserInput); strings.Join(shown.Field, ".") != "input.apiKey" {
			t.Errorf("%v", shown.Field)
		}
		none()
	}
	if n := len(o.standin.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
	for fault, code := range map[*standin.Fault]model.ErrorCode{
		{Status: 500}:                model.CodeUpstreamUnavailable,
		{Reset: true}:                model.CodeUpstreamUnavailable,
		{Garbage: true}:              model.CodeUpstreamUnavailable,
		{Status: 429, Plain: true}:   model.CodeUpstreamRateLimited,
		{Status: 403, General: true}: model.CodeBadUserInput,
		{Status: 401, Body: "<p>"}:   model.CodeUpstreamRejected,
	} {
		o.standin.Inject(*fault)
		_, err := o.Connect(ctx, alice, ownKey)
		o.check(err, code)
		o.standin.Clear()
		none()
	}

	one, err := o.Connect(ctx, alice, ownKey)
	must(t, one, err)
	if one.Provider != model.ProviderExa || one.Status != model.ConnectionConnected ||
		!strings.HasPrefix(one.Account, "exa:") || len(one.Account) != 16 || one.StandIn || one.User != alice {
		t.Errorf("%+v", one)
	}
	secrets, err := o.store.Credentials(ctx, alice, one.ID)
	if must(t, secrets, err); bytes.Contains(secrets.Refresh, []byte(ownKey)) || len(secrets.Refresh) < len(ownKey) {
		t.Error("the key is kept in the clear")
	}
	same, err := o.Connect(ctx, alice, ownKey)
	if must(t, same, err).ID != one.ID {
		t.Errorf("linked again it is another: %+v", same)
	}
	two, err := o.Connect(ctx, alice, otherKey)
	must(t, two, err)
	all, err := o.store.Connections(ctx, alice)
	if must(t, all, err); len(all) != 1 || all[0].ID != two.ID || two.ID == one.ID {
		t.Errorf("%+v", all)
	}
	if key, err := o.serves(alice); err != nil || key != otherKey {
		t.Errorf("%v", err)
	}
	if all, err := o.store.Connections(ctx, bob); err != nil || len(all) != 0 {
		t.Errorf("%+v", all)
	}
	o.tells(nil)
}

// A key is opened once and asked for at each use; one that was erased, here or by another process, serves nobody.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	o := newOffice(t, ownKey, otherKey)
	ctx := t.Context()
	one, err := o.Connect(ctx, alice, ownKey)
	must(t, one, err)
	o.store.connections, o.store.credentials = 0, 0
	for range 5 {
		if _, err := o.serves(alice); err != nil {
			t.Fatal(err)
		}
	}
	if o.store.connections != 5 || o.store.credentials != 1 {
		t.Errorf("%d readings of connections, %d of keys", o.store.connections, o.store.credentials)
	}
	other := &exa.Connector{Client: o.client, Store: o.store, Box: o.Box, Seal: o.Seal, Now: o.clock, NewID: o.NewID}
	if err := other.Disconnect(ctx, one); err != nil {
		t.Fatal(err)
	}
	_, err = o.serves(alice)
	o.check(err, model.CodeNotConfigured)
	err = o.Disconnect(ctx, one)
	o.check(err, model.CodeNotFound)
	if err := o.Disconnect(ctx, model.Connection{Provider: model.ProviderGoogle, User: alice,
		ID: one.ID}); model.CodeOf(err) != model.CodeNotFound {
		t.Error(err)
	}

	// Another process links another key.
	two, err := o.Connect(ctx, alice, ownKey)
	must(t, two, err)
	_, err = o.serves(alice)
	must(t, 0, err)
	three, err := other.Connect(ctx, alice, otherKey)
	must(t, three, err)
	if key, err := o.serves(alice); err != nil || key != otherKey {
		t.Errorf("%v", err)
	}
	// A key that cannot be decrypted any more has to be linked again, which its user hears.
	strange, err := seal.NewBox(bytes.Repeat([]byte{8}, 32))
	fresh := &exa.Connector{Client: o.client, Store: o.store, Box: must(t, strange, err), Seal: o.Seal, Now: o.clock,
		NewID: o.NewID}
	_, err = fresh.For(ctx, alice)
	o.check(err, model.CodeNotConnected)
	o.tells(err)
}

// A key that Exa refuses later turns its connection EXPIRED, unless it was linked anew meanwhile.
func TestExpired(t *testing.T) {
	t.Parallel()
	o := newOffice(t, ownKey, otherKey)
	o.Server = serverKey
	ctx := t.Context()
	one, err := o.Connect(ctx, alice, ownKey)
	must(t, one, err)
	status := func() model.ConnectionStatus {
		all, err := o.store.Connections(ctx, alice)
		return must(t, all, err)[0].Status
	}
	o.standin.Inject(standin.Fault{Status: 401, Body: "<p>a proxy</p>", Times: 1})
	_, err = o.serves(alice)
	o.check(err, model.CodeUpstreamRejected)
	if status() != model.ConnectionConnected {
		t.Error("a page of a proxy ends a key")
	}
	o.standin.Inject(standin.Fault{Status: 401, Times: 1})
	_, err = o.serves(alice)
	o.check(err, model.CodeNotConnected)
	if status() != model.ConnectionExpired {
		t.Error("the connection is not marked")
	}
	before := len(o.standin.Requests())
	_, err = o.serves(alice) // not by the server's key: that is another account
	o.check(err, model.CodeNotConnected)
	if len(o.standin.Requests()) != before {
		t.Error("a key that is refused is asked with")
	}
	o.pass(time.Second)
	again, err := o.Connect(ctx, alice, ownKey)
	if must(t, again, err); status() != model.ConnectionConnected {
		t.Errorf("%+v", again)
	}
	// An answer to the old key, which comes late, does not end the new one.
	old, err := o.For(ctx, alice)
	must(t, old, err)
	o.pass(time.Second)
	_, err = o.Connect(ctx, alice, otherKey)
	must(t, 0, err)
	o.standin.Inject(standin.Fault{Status: 401, Times: 1})
	_, err = old.Websets(ctx, exa.Page{})
	o.check(err, model.CodeNotConnected)
	if status() != model.ConnectionConnected {
		t.Error("the new key is marked for what became of the old one")
	}
	o.tells(nil)
}

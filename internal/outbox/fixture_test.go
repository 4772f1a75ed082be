package outbox_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/gmail"
	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/outbox"
	"almanac/internal/seal"
	"almanac/internal/standin/discovery"
	mailbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
	"almanac/internal/teststore"
	"almanac/projections/mail"
)

const alice = "alice@example.com"

var start = time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)

// fixture is an outbox before the stand-in for Gmail, over a store on disk. Whatever the outbox asks of either goes
// past the trouble first.
type fixture struct {
	t       testing.TB
	user    model.UserID
	linked  model.Connection
	store   *sqlite.Store
	mailbox *mailbox.Service
	google  *standin.Server
	client  *gmail.Client
	box     *seal.Box
	clock   *clock.Manual
	ids     atomic.Uint64
	token   google.Token
	log     strings.Builder
	logging sync.Mutex
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	h := &fixture{t: t, user: model.UserIDOf("alice"), clock: clock.NewManual(start)}
	var err error
	if h.store, err = sqlite.Open(t.Context(),
		sqlite.Options{Path: teststore.SQLite(t), Now: h.clock.Now}); err == nil {
		err = h.store.Migrate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.store.Close() })
	if h.box, err = seal.NewBox([]byte(strings.Repeat("k", 32))); err != nil {
		t.Fatal(err)
	}
	h.mailbox = mailbox.New(mailbox.Options{Now: h.clock.Now, Seed: 1, Switches: mailbox.Switches{SendLimit: -1}})
	h.google, err = standin.New(standin.Options{
		Now: h.clock.Now, Services: []wire.Service{h.mailbox}, Seed: 1, StrictParameters: true,
		Client: standin.OAuthClient{ID: "client", Secret: "secret"},
		Report: func(v discovery.Violation) { t.Errorf("against the description of the API: %s", v) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.mailbox.AddAccount(mailbox.Account{Email: alice, Name: "Alice"}); err != nil {
		t.Fatal(err)
	}
	if err := h.google.AddAccount(standin.Account{Email: alice}); err != nil {
		t.Fatal(err)
	}
	h.link()
	h.client = &gmail.Client{Now: h.clock.Now, Units: 1 << 30, Google: &google.Clients{
		OAuth: google.OAuth{ClientID: "client", ClientSecret: "secret"}, Vault: h, Base: plain{h.google.Transport()},
		Now:    h.clock.Now,
		Jitter: func() float64 { return 0 }, Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		ConnectURL: func(google.Account, []string) string { return "https://almanac.example/connect" },
		Limits:     google.Limits{Failures: 1 << 20}, // the breaker has tests of its own; it goes by the machine's clock
	}}
	return h
}

func (h *fixture) link() {
	h.t.Helper()
	granted, err := h.google.Grant(alice, []string{google.ScopeGmailModify})
	if err != nil {
		h.t.Fatal(err)
	}
	h.token = google.Token{Access: granted.Access, Refresh: granted.Refresh, Expiry: start.Add(1000 * time.Hour),
		Scopes: granted.Scopes}
	err = h.store.Write(h.t.Context(), h.user, func(ctx context.Context, tx store.Tx) (err error) {
		h.linked, err = tx.SaveConnection(ctx, model.Connection{
			ID: model.UUID{1}, User: h.user, Provider: model.ProviderGoogle, Account: alice, Status: model.ConnectionConnected,
			Scopes: []string{google.ScopeGmailModify}, LinkedAt: start, UpdatedAt: start,
		}, model.Credentials{})
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// plain asks for answers that are not packed: packing costs the race detector more than all the rest.
type plain struct{ next http.RoundTripper }

func (p plain) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Accept-Encoding", "identity")
	return p.next.RoundTrip(r)
}

// Token, SaveToken and Expire are google.Vault's.
func (h *fixture) Token(context.Context, google.Account) (google.Token, error) { return h.token, nil }

func (h *fixture) SaveToken(context.Context, google.Account, google.Token) error { return nil }

func (h *fixture) Expire(context.Context, google.Account, string) error { return nil }

// Write is the log's.
func (h *fixture) Write(line []byte) (int, error) {
	h.logging.Lock()
	defer h.logging.Unlock()
	return h.log.Write(line)
}

// process is an outbox of a process of its own, with troubles of its own.
func (h *fixture) process() *process {
	p := &process{fixture: h, trouble: &trouble{}}
	p.Outbox = &outbox.Outbox{
		Store: &shakyStore{h.store, p.trouble}, Mail: &shakyMail{h.client, p.trouble}, Box: h.box, Now: h.clock.Now,
		NewID: h.newID, Logger: slog.New(slog.NewTextHandler(h, nil)),
	}
	return p
}

func (h *fixture) newID() (id model.UUID) {
	id[0] = 0x80
	binary.BigEndian.PutUint64(id[8:], h.ids.Add(1))
	return id
}

type process struct {
	*outbox.Outbox
	*trouble
	fixture *fixture
}

// keep puts an e-mail into the outbox that is like no other.
func (h *fixture) keep(change ...func(*model.OutgoingEmail)) model.OutgoingEmail {
	h.t.Helper()
	to := fmt.Sprintf("to%d@example.org", h.ids.Add(1))
	raw, err := mail.Compose(mail.Message{
		From: model.EmailAddress{Email: alice}, To: []model.EmailAddress{{Name: "דנה לוי", Email: to}},
		Subject: "שלום, this is a subject that is long enough to be folded for " + to,
		Date:    h.clock.Now(), MessageID: "<" + to + ">", Text: "The body.",
	})
	if err != nil {
		h.t.Fatal(err)
	}
	one := model.OutgoingEmail{Connection: h.linked.ID, Account: alice, Message: raw, Shown: []byte(`{"to":"` + to + `"}`)}
	for _, c := range change {
		c(&one)
	}
	kept, err := h.process().Keep(h.t.Context(), h.user, one)
	if err != nil {
		h.t.Fatal(err)
	}
	return kept
}

// recipient is who an e-mail of keep's goes to.
func recipient(kept model.OutgoingEmail) string {
	_, after, _ := strings.Cut(string(kept.Shown), `:"`)
	return strings.TrimSuffix(after, `"}`)
}

// left are the e-mails that have truly left the mailbox for whom this one is for.
func (h *fixture) left(kept model.OutgoingEmail) []mailbox.Transmission {
	return slices.DeleteFunc(h.mailbox.Outgoing(),
		func(one mailbox.Transmission) bool { return !slices.Contains(one.To, recipient(kept)) })
}

// drafts are the drafts in the mailbox of what this one is.
func (h *fixture) drafts(kept model.OutgoingEmail) (ids []string) {
	for _, one := range h.mailbox.Mailbox(alice) {
		if one.DraftID != "" && strings.Contains(string(one.Raw), recipient(kept)) {
			ids = append(ids, one.DraftID)
		}
	}
	return ids
}

// now is the e-mail as it is kept.
func (h *fixture) now(kept model.OutgoingEmail) model.OutgoingEmail {
	h.t.Helper()
	mail, err := h.process().Get(h.t.Context(), h.user, kept.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return mail
}

// sentOnce fails unless exactly one e-mail has left, and the outbox knows which.
func (h *fixture) sentOnce(what string, kept model.OutgoingEmail) {
	h.t.Helper()
	left, now := h.left(kept), h.now(kept)
	if len(left) != 1 || now.State != model.OutboxSent || now.Sent != left[0].ID || now.SentThread == "" ||
		now.SentAt.IsZero() {
		h.t.Errorf("%s: %s, sent as %q; %d have left: %+v", what, now.State, now.Sent, len(left), left)
	}
	if drafts := h.drafts(kept); len(drafts) > 1 { // one whose id was lost may be left
		h.t.Errorf("%s: %d drafts are left", what, len(drafts))
	}
}

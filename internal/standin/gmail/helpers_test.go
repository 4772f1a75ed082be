package gmail_test

import (
	"encoding/base64"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/oauth2"
	api "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/gmail"
	"almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	ada   = "ada@example.com"
	ben   = "ben@example.com"
	clara = "clara@elsewhere.org"
)

var start = time.Date(2026, 3, 2, 9, 30, 15, 123_000_000, time.UTC)

// world is a stand-in with three mailboxes, Google's own client for each, and a clock that a test moves. Every request
// and every response is held against the discovery document, on both sides of the front.
type world struct {
	t     testing.TB
	s     *gmail.Service
	front *google.Server

	mu      sync.Mutex
	now     time.Time
	clients map[string]*api.Service
	// lenient lets requests pass that the document forbids, for tests of how they are refused.
	lenient bool
}

func (w *world) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) tick(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// newWorld returns ada, ben and clara.
func newWorld(t testing.TB, change ...func(*gmail.Options, *google.Options)) *world {
	t.Helper()
	w := &world{t: t, now: start, clients: map[string]*api.Service{}}
	o := gmail.Options{Now: w.Now, Seed: 7}
	fo := google.Options{Now: w.Now, Report: w.violation, Seed: 7, StrictParameters: true}
	for _, c := range change {
		c(&o, &fo)
	}
	w.s = gmail.New(o)
	fo.Services = []wire.Service{w.s}
	var err error
	if w.front, err = google.New(fo); err != nil {
		t.Fatal(err)
	}
	for _, a := range []gmail.Account{
		{Email: ada, Name: "Ada Levi", Aliases: []gmail.Alias{{Email: "ada.work@example.net", Name: "Ada at work"}},
			Signature: "<b>Ada</b>"},
		{Email: ben, Name: "בן כהן"},
		{Email: clara},
	} {
		if err := w.s.AddAccount(a); err != nil {
			t.Fatal(err)
		}
		if err := w.front.AddAccount(google.Account{Email: a.Email}); err != nil {
			t.Fatal(err)
		}
		w.clients[a.Email] = w.client(a.Email, api.MailGoogleComScope)
	}
	return w
}

func (w *world) violation(v discovery.Violation) {
	if !w.lenient {
		w.t.Errorf("violation: %v", v)
	}
}

// client is the real client with a token of these scopes alone.
func (w *world) client(email string, scopes ...string) *api.Service {
	w.t.Helper()
	w.front.RevokeGrant(email)
	tokens, err := w.front.Grant(email, scopes)
	if err != nil {
		w.t.Fatal(err)
	}
	watched := discovery.WatchTransport(w.front.Transport(), w.violation, discovery.Gmail())
	bearer := &http.Client{Transport: &oauth2.Transport{
		Source: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: tokens.Access}), Base: watched,
	}}
	service, err := api.NewService(w.t.Context(), option.WithHTTPClient(bearer))
	if err != nil {
		w.t.Fatal(err)
	}
	return service
}

func (w *world) ada() *api.UsersService { return w.clients[ada].Users }

// deliver puts a letter into ada's mailbox a second after the one before.
func (w *world) deliver(l gmail.Letter, labels ...string) string {
	w.t.Helper()
	return w.deliverRaw(string(l.Bytes()), labels...)
}

func (w *world) deliverRaw(raw string, labels ...string) string {
	w.t.Helper()
	w.tick(time.Second)
	id, err := w.s.Deliver(ada, []byte(raw), w.Now(), labels...)
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// get returns a message of ada's in full.
func (w *world) get(id string) *api.Message {
	w.t.Helper()
	m, err := w.ada().Messages.Get("me", id).Do()
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// list returns the ids of ada's messages that a query finds, the newest first.
func (w *world) list(q string) []string {
	w.t.Helper()
	answer, err := w.ada().Messages.List("me").Q(q).Do()
	if err != nil {
		w.t.Fatalf("%q: %v", q, err)
	}
	return ids(answer.Messages)
}

func ids(messages []*api.Message) []string {
	list := make([]string, len(messages))
	for i, m := range messages {
		list[i] = m.Id
	}
	return list
}

// send sends raw text as somebody.
func (w *world) send(as, raw, thread string) (*api.Message, error) {
	w.tick(time.Second)
	return w.clients[as].Users.Messages.Send("me", &api.Message{Raw: encode(raw), ThreadId: thread}).Do()
}

func (w *world) mustSend(as, raw, thread string) *api.Message {
	w.t.Helper()
	m, err := w.send(as, raw, thread)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

func encode(raw string) string { return base64.URLEncoding.EncodeToString([]byte(raw)) }

// decode reads what Gmail wrote: the alphabet for URLs, with padding.
func decode(t testing.TB, data string) string {
	t.Helper()
	raw, err := base64.URLEncoding.DecodeString(data)
	if err != nil {
		t.Errorf("%q: %v", data, err)
	}
	return string(raw)
}

// crlf writes lines as mail has them.
func crlf(lines ...string) string { return strings.Join(lines, "\r\n") }

// header returns the values of a header field.
func header(p *api.MessagePart, name string) []string {
	var values []string
	for _, h := range p.Headers {
		if strings.EqualFold(h.Name, name) {
			values = append(values, h.Value)
		}
	}
	return values
}

// wants wants an error of a status, a reason, a message and the name of the status.
func wants(t testing.TB, what string, err error, code int, reason, message, status string) {
	t.Helper()
	var refused *googleapi.Error
	if !errors.As(err, &refused) {
		t.Errorf("%s: %v, want %d %s", what, err, code, reason)
		return
	}
	if refused.Code != code || len(refused.Errors) != 1 || refused.Errors[0].Reason != reason ||
		refused.Errors[0].Message != message {
		t.Errorf("%s: %d %+v\nwant %d %s %q", what, refused.Code, refused.Errors, code, reason, message)
	}
	if !strings.Contains(refused.Body, `"status":"`+status+`"`) &&
		!strings.Contains(refused.Body, `"status": "`+status+`"`) {
		t.Errorf("%s: no status %s in %s", what, status, refused.Body)
	}
}

func same[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

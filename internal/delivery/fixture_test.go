package delivery_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/delivery"
	"almanac/internal/seal"
)

// steps is a clock that a test moves on.
type steps struct {
	mu sync.Mutex
	at time.Time
}

func newSteps() *steps { return &steps{at: time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)} }

func (s *steps) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

func (s *steps) move(by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = s.at.Add(by)
}

// world is a database with one user, and what delivers to the user's channels.
type world struct {
	*testing.T
	stores []store.Store
	clock  *steps
	box    *seal.Box
	ids    *clock.IDs
	user   model.UserID
}

func newWorld(t *testing.T, open stores, n int) *world {
	t.Helper()
	w := &world{T: t, stores: open(t, n), clock: newSteps(), user: model.UserIDOf("dana")}
	w.ids = clock.NewIDs(w.clock.Now, rand.Reader)
	var err error
	if w.box, err = seal.NewBox(make([]byte, 32)); err != nil {
		t.Fatal(err)
	}
	return w
}

// tasks makes changes: n tasks are added, each by a write of its own.
func (w *world) tasks(user model.UserID, n int) (ids []string) {
	w.Helper()
	for range n {
		task := model.Task{ID: w.ids.New(), Text: "call mom", CreatedAt: w.clock.Now(), UpdatedAt: w.clock.Now()}
		ids = append(ids, model.ID{Kind: model.KindTask, UUID: task.ID}.String())
		if err := w.stores[0].Write(w.Context(), user, func(ctx context.Context, tx store.Tx) error {
			return tx.InsertTasks(ctx, []model.Task{task})
		}); err != nil {
			w.Fatal(err)
		}
	}
	return ids
}

var hookSecret = []byte("0123456789abcdef0123456789abcdef")

// channel adds a channel.
func (w *world) channel(user model.UserID, kind model.ChannelKind, secret model.ChannelSecret,
	state model.ChannelState) model.Channel {
	w.Helper()
	c := model.Channel{User: user, ID: w.ids.New(), Kind: kind, CreatedAt: w.clock.Now(), UpdatedAt: w.clock.Now(),
		DueAt: w.clock.Now()}
	state.Host = "example.com"
	text, err := json.Marshal(state)
	if err != nil {
		w.Fatal(err)
	}
	opened, err := json.Marshal(secret)
	if err != nil {
		w.Fatal(err)
	}
	c.State, c.Sealed = string(text), w.box.Seal(delivery.Place(user, c.ID), opened)
	head, err := w.stores[0].ChangeHead(w.Context(), user)
	if err != nil {
		w.Fatal(err)
	}
	c.Place = head + 1 // without its own
	if err := w.stores[0].Write(w.Context(), user, func(ctx context.Context, tx store.Tx) error {
		return tx.SaveChannel(ctx, model.OperationCreated, c)
	}); err != nil {
		w.Fatal(err)
	}
	return c
}

func (w *world) hook(address string) model.Channel {
	w.Helper()
	return w.channel(w.user, model.ChannelWebhook, model.ChannelSecret{Address: address, Secret: hookSecret},
		model.ChannelState{Types: []model.ChangeType{model.ChangeTask}})
}

// state reads a channel as it is now.
func (w *world) state(of model.Channel) (model.Channel, model.ChannelState) {
	w.Helper()
	all, err := w.stores[0].Channels(w.Context(), of.User)
	if err != nil {
		w.Fatal(err)
	}
	for _, c := range all {
		if c.ID == of.ID {
			var state model.ChannelState
			if err := json.Unmarshal([]byte(c.State), &state); err != nil {
				w.Fatal(err)
			}
			return c, state
		}
	}
	w.Fatal("the channel is gone")
	return of, model.ChannelState{}
}

// process is what delivers in one process.
func (w *world) process(s delivery.Store) *delivery.Worker {
	return &delivery.Worker{Store: s, Box: w.box, Now: w.clock.Now, Jitter: func() float64 { return 0.5 },
		Webhooks: &delivery.Webhooks{Transport: delivery.NewTransport(true), Now: w.clock.Now,
			Timeout: 200 * time.Millisecond},
		Push:   unused{w.T},
		Cursor: func(_ model.UserID, seq int64) string { return strconv.FormatInt(seq, 10) },
	}
}

type unused struct{ t *testing.T }

func (u unused) Send(context.Context, model.ChannelSecret, delivery.Message) error {
	u.t.Error("a message was sent to a browser")
	return nil
}

// once delivers all that is due now, and reports whether anything was.
func (w *world) once(worker *delivery.Worker, s delivery.Store) bool {
	w.Helper()
	due, err := s.ClaimChannels(w.Context(), w.clock.Now(), w.clock.Now().Add(90*time.Second), 10)
	if err != nil {
		w.Error(err)
	}
	for _, one := range due {
		worker.Deliver(w.Context(), one)
	}
	return len(due) > 0
}

// receiver is whoever is told. It verifies every message as Standard Webhooks' own library does.
type receiver struct {
	*httptest.Server
	t      *testing.T
	verify *standardwebhooks.Webhook

	mu sync.Mutex
	// got are the ids in the order in which they were first taken, and nodes what they were about.
	got, nodes []string
	types      []string
	bodies     map[string]string
	attempts   int
	// misbehave, when not nil, is asked before each message with the number of the attempt; it returns true when it has
	// answered.
	misbehave func(attempt int, take func(), w http.ResponseWriter, r *http.Request) bool
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	verify, err := standardwebhooks.NewWebhook(delivery.SecretText(hookSecret))
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{t: t, verify: verify, bodies: map[string]string{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(func() { r.CloseClientConnections(); r.Close() })
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return // the sender has gone
	}
	if err := r.verify.VerifyIgnoringTimestamp(body, request.Header); err != nil {
		r.t.Errorf("the signature: %v", err)
	}
	r.mu.Lock()
	r.attempts++
	attempt, misbehave := r.attempts, r.misbehave
	r.mu.Unlock()
	take := func() { r.take(request.Header.Get("webhook-id"), body) }
	if misbehave != nil && misbehave(attempt, take, w, request) {
		return
	}
	take()
	w.WriteHeader(http.StatusNoContent)
}

func (r *receiver) take(id string, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var message struct {
		Type string
		Data struct{ NodeID, Title string }
	}
	if err := json.Unmarshal(body, &message); err != nil {
		r.t.Error(err)
	}
	if before, again := r.bodies[id]; again {
		if before != string(body) {
			r.t.Errorf("message %s was\n%s and is\n%s", id, before, body)
		}
		return
	}
	r.bodies[id] = string(body)
	r.got, r.nodes, r.types = append(r.got, id), append(r.nodes, message.Data.NodeID), append(r.types, message.Type)
}

func (r *receiver) taken() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.nodes...)
}

// same fails unless the receiver has what it should have, in its order.
func (r *receiver) same(want []string) {
	r.t.Helper()
	if got := r.taken(); fmt.Sprint(got) != fmt.Sprint(want) {
		r.t.Errorf("delivered were %d:\n%v, want %d:\n%v", len(got), got, len(want), want)
	}
}

func saving(c model.Channel) func(ctx context.Context, tx store.Tx) error {
	return func(ctx context.Context, tx store.Tx) error { return tx.SaveChannel(ctx, model.OperationUpdated, c) }
}

package delivery_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"almanac/graph/model"
	"almanac/internal/delivery"
)

// trouble is every way in which a receiver fails. Some of them have taken the message before.
var trouble = map[string]func(take func(), w http.ResponseWriter, r *http.Request){
	"500": func(_ func(), w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
	"404": func(_ func(), w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
	"429": func(_ func(), w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusTooManyRequests)
	},
	"hung": func(_ func(), _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	"taken, then hung": func(take func(), _ http.ResponseWriter, r *http.Request) {
		take()
		<-r.Context().Done()
	},
	"taken, answer lost": func(take func(), w http.ResponseWriter, _ *http.Request) {
		take()
		drop(w)
	},
	"reset": func(_ func(), w http.ResponseWriter, _ *http.Request) { drop(w) },
	"redirected": func(_ func(), w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusTemporaryRedirect)
	},
	"taken, 500": func(take func(), w http.ResponseWriter, _ *http.Request) {
		take()
		w.WriteHeader(http.StatusBadGateway)
	},
}

// drop ends the connection without an answer.
func drop(w http.ResponseWriter) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = connection.Close()
	}
}

// dying is a store of a process that dies at a step: from then on nothing that it does reaches the database.
type dying struct {
	delivery.Store
	mu   sync.Mutex
	left int
}

var errDead = errors.New("the process is dead")

func (d *dying) step() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left--; d.left < 0 {
		return errDead
	}
	return nil
}

func (d *dying) SettleChannel(ctx context.Context, lease time.Time, channel model.Channel) error {
	if err := d.step(); err != nil {
		return err
	}
	return d.Store.SettleChannel(ctx, lease, channel)
}

func (d *dying) Changes(ctx context.Context, user model.UserID, after int64, types []model.ChangeType,
	limit int) ([]model.Change, error) {
	if err := d.step(); err != nil {
		return nil, err
	}
	return d.Store.Changes(ctx, user, after, types, limit)
}

// Whatever a receiver does, every change reaches it at least once, in order, under one id.
func TestEveryTrouble(t *testing.T) {
	t.Parallel()
	for name, answer := range trouble {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sqliteStores, 1)
			to := newReceiver(t)
			channel := w.hook(to.URL)
			to.misbehave = func(attempt int, take func(), rw http.ResponseWriter, r *http.Request) bool {
				if attempt%3 == 0 {
					return false
				}
				answer(take, rw, r)
				return true
			}
			want := w.tasks(w.user, 4)
			worker := w.process(w.stores[0])
			for range 400 {
				if len(to.taken()) == len(want) && !w.once(worker, w.stores[0]) {
					break
				}
				w.once(worker, w.stores[0])
				w.clock.move(15 * time.Second)
			}
			to.same(want)
			if _, state := w.state(channel); name == "429" && to.attempts != 3*len(want) {
				t.Errorf("%d attempts, want %d: %+v", to.attempts, 3*len(want), state)
			}
		})
	}
}

// A receiver that says when to come again is left alone so long; one that does not, longer each time.
func TestWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sqliteStores, 1)
	to := newReceiver(t)
	channel := w.hook(to.URL)
	after := ""
	to.misbehave = func(_ int, _ func(), rw http.ResponseWriter, _ *http.Request) bool {
		rw.Header().Set("Retry-After", after)
		rw.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	w.tasks(w.user, 1)
	worker := w.process(w.stores[0])
	var waits []time.Duration
	for range 14 {
		w.once(worker, w.stores[0])
		now, state := w.state(channel)
		if state.Problem == "" || now.Place != channel.Place {
			t.Fatalf("%+v at %d", state, now.Place)
		}
		waits = append(waits, now.DueAt.Sub(w.clock.Now()))
		w.clock.move(now.DueAt.Sub(w.clock.Now()))
	}
	for i := 1; i < len(waits); i++ {
		if waits[i] < waits[i-1] || waits[i] > 6*time.Hour {
			t.Errorf("waits %v", waits)
			break
		}
	}
	after = "72000"
	w.once(worker, w.stores[0])
	if now, _ := w.state(channel); now.DueAt.Sub(w.clock.Now()) != 20*time.Hour {
		t.Errorf("Retry-After: waits %s", now.DueAt.Sub(w.clock.Now()))
	}
}

// A receiver that fails for five days is not called any more, and its owner is told by a change; one that says it is
// gone, at once. Turned on again it gets everything that it missed.
func TestTurnedOff(t *testing.T) {
	eachDriver(t, func(t *testing.T, open stores) {
		w := newWorld(t, open, 1)
		to := newReceiver(t)
		channel := w.hook(to.URL)
		status := http.StatusInternalServerError
		to.misbehave = func(_ int, _ func(), rw http.ResponseWriter, _ *http.Request) bool {
			rw.WriteHeader(status)
			return true
		}
		want := w.tasks(w.user, 2)
		worker := w.process(w.stores[0])
		began := w.clock.Now()
		off := func() model.ChannelState {
			t.Helper()
			for range 100 {
				w.once(worker, w.stores[0])
				now, state := w.state(channel)
				if now.DueAt.IsZero() {
					return state
				}
				w.clock.move(now.DueAt.Sub(w.clock.Now()))
			}
			t.Fatal("it is still called")
			return model.ChannelState{}
		}
		state := off()
		if lasted := w.clock.Now().Sub(began); lasted < 5*24*time.Hour || lasted > 6*24*time.Hour {
			t.Errorf("it was turned off after %s", lasted)
		}
		if state.DisabledAt.IsZero() || state.Problem != "The server answered with status 500." {
			t.Errorf("%+v", state)
		}
		changes, err := w.stores[0].Changes(t.Context(), w.user, 0, []model.ChangeType{model.ChangeHook}, 10)
		if err != nil || len(changes) != 2 || changes[1].Operation != model.OperationUpdated {
			t.Errorf("the owner is told by %+v, %v", changes, err)
		}
		on := func() {
			t.Helper()
			now, state := w.state(channel)
			state.DisabledAt, state.Failures, state.FailingSince = time.Time{}, 0, time.Time{}
			w.save(now, state)
		}
		status = http.StatusGone
		on()
		if state = off(); state.Failures != 1 {
			t.Errorf("gone: %+v", state)
		}
		to.mu.Lock()
		to.misbehave = nil
		to.mu.Unlock()
		on()
		w.once(worker, w.stores[0])
		to.same(want)
	})
}

// Addresses of this machine and of private networks are not called, and no redirect is followed to any.
func TestPrivateNetworks(t *testing.T) {
	t.Parallel()
	asked := false
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer inside.Close()
	from := httptest.NewServer(http.RedirectHandler(inside.URL, http.StatusPermanentRedirect))
	defer from.Close()
	message := delivery.Message{ID: "msg_1", Body: []byte("{}")}
	send := func(private bool, address string) string {
		h := &delivery.Webhooks{Transport: delivery.NewTransport(private), Now: time.Now, Timeout: 5 * time.Second}
		lost, _ := errors.AsType[*delivery.Failure](h.Send(t.Context(), model.ChannelSecret{Address: address}, message))
		if lost == nil {
			return "delivered"
		}
		return lost.Reason
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(inside.URL, "http://"), ":")
	for _, address := range []string{inside.URL, "http://localhost:" + port, "http://[::1]:" + port,
		"http://169.254.169.254/", "http://10.0.0.1/", "http://[::ffff:127.0.0.1]:" + port} {
		if got := send(false, address); got != "private" {
			t.Errorf("%s: %s", address, got)
		}
		if _, err := delivery.CheckAddress(strings.Replace(address, "http:", "https:", 1), false); err == nil {
			t.Errorf("%s may be a webhook's address", address)
		}
	}
	if got := send(true, from.URL); got != "redirected" {
		t.Errorf("a redirect: %s", got)
	}
	if asked {
		t.Error("the private address was called")
	}
	for address, ok := range map[string]bool{"https://example.com/x?y=1": true, "http://example.com": false, "x": false,
		"https://": false, "file:///etc/passwd": false, "https://u:p@example.com": true,
		"https://example.com/" + strings.Repeat("x", 2000): false} {
		if _, err := delivery.CheckAddress(address, false); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// alone fails the test when two processes send at once.
type alone struct {
	delivery.Sender
	t    *testing.T
	busy atomic.Int32
}

func (a *alone) Send(ctx context.Context, secret model.ChannelSecret, message delivery.Message) error {
	if a.busy.Add(1) > 1 {
		a.t.Error("two deliveries at once")
	}
	defer a.busy.Add(-1)
	return a.Sender.Send(ctx, secret, message)
}

// Two processes, of which one and then the next dies at every step, before a receiver that fails now and then, deliver
// every change at least once, in order, under one id.
func TestProcessesThatDie(t *testing.T) {
	eachDriver(t, func(t *testing.T, open stores) {
		w := newWorld(t, open, 2)
		to := newReceiver(t)
		w.hook(to.URL)
		dice := rand.New(rand.NewPCG(1, 2))
		var mu sync.Mutex
		to.misbehave = func(_ int, take func(), rw http.ResponseWriter, r *http.Request) bool {
			mu.Lock()
			luck := dice.IntN(8)
			mu.Unlock()
			if luck > 2 {
				return false
			}
			trouble[[]string{"500", "taken, answer lost", "reset"}[luck]](take, rw, r)
			return true
		}
		alone := &alone{t: t, Sender: &delivery.Webhooks{Transport: delivery.NewTransport(true), Now: w.clock.Now}}
		var want []string
		for round := range 60 {
			want = append(want, w.tasks(w.user, 2)...)
			var both sync.WaitGroup
			for i, s := range w.stores {
				both.Go(func() {
					mortal := &dying{Store: s, left: (round + 3*i) % 7}
					worker := w.process(mortal)
					worker.Webhooks = alone
					w.once(worker, mortal)
				})
			}
			both.Wait()
			w.clock.move(2 * time.Minute) // leases end, waits too
		}
		worker := w.process(w.stores[1])
		for range 100 {
			w.once(worker, w.stores[1])
			w.clock.move(time.Hour)
		}
		to.same(want)
	})
}

// What was pruned before it could be delivered is said to be lost, and deliveries go on.
func TestPruned(t *testing.T) {
	eachDriver(t, func(t *testing.T, open stores) {
		w := newWorld(t, open, 1)
		to := newReceiver(t)
		w.hook(to.URL)
		w.tasks(w.user, 3)
		if err := w.stores[0].Sweep(t.Context(), time.Now().Add(48*time.Hour), time.Hour); err != nil {
			t.Fatal(err)
		}
		worker := w.process(w.stores[0])
		w.once(worker, w.stores[0])
		w.tasks(w.user, 1)
		w.once(worker, w.stores[0])
		if got := strings.Join(to.types, " "); got != "changes.lost task.created" {
			t.Errorf("delivered were %s", got)
		}
	})
}

// A receiver that answers and does not end its answer holds nobody up.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sqliteStores, 1)
	to := newReceiver(t)
	w.hook(to.URL)
	to.misbehave = func(_ int, take func(), rw http.ResponseWriter, r *http.Request) bool {
		take()
		rw.WriteHeader(http.StatusOK)
		_, _ = io.WriteString(rw, "…")
		_ = http.NewResponseController(rw).Flush()
		<-r.Context().Done()
		return true
	}
	want := w.tasks(w.user, 3)
	w.once(w.process(w.stores[0]), w.stores[0])
	to.same(want)
	if to.attempts != 3 {
		t.Errorf("%d attempts", to.attempts)
	}
}

// While a secret is being replaced, both verify; afterwards the new one alone.
func TestRotation(t *testing.T) {
	t.Parallel()
	now := time.Now()
	old, fresh := []byte("old old old old old old old old "), hookSecret
	var headers http.Header
	var text []byte
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		headers = r.Header
		text, _ = io.ReadAll(r.Body)
	}))
	defer server.Close()
	h := &delivery.Webhooks{Transport: delivery.NewTransport(true), Now: func() time.Time { return now }}
	for _, secret := range []model.ChannelSecret{{Secret: fresh, Old: old}, {Secret: fresh}} {
		secret.Address = server.URL
		if err := h.Send(t.Context(), secret, delivery.Message{ID: "msg_1", Body: []byte(`{"a":1}`)}); err != nil {
			t.Fatal(err)
		}
		for _, key := range [][]byte{fresh, old} {
			verify, err := standardwebhooks.NewWebhook(delivery.SecretText(key))
			if err != nil {
				t.Fatal(err)
			}
			want := string(key) == string(fresh) || secret.Old != nil
			if err := verify.Verify(text, headers); (err == nil) != want {
				t.Errorf("verified with %q: %v", key, err)
			}
		}
	}
}

// Receivers of one user that hang take four places at most, so that others are served.
func TestOneUserHangs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sqliteStores, 1)
	release := make(chan struct{})
	inside := make(chan struct{}, 10)
	hung := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		inside <- struct{}{}
		<-release
	}))
	defer hung.Close()
	for range 6 {
		w.hook(hung.URL)
	}
	w.tasks(w.user, 1)
	worker := w.process(w.stores[0])
	worker.Webhooks = &delivery.Webhooks{Transport: delivery.NewTransport(true), Now: w.clock.Now}
	due, err := w.stores[0].ClaimChannels(t.Context(), w.clock.Now(), w.clock.Now().Add(time.Minute), 10)
	if err != nil || len(due) != 6 {
		t.Fatalf("%d are due, %v", len(due), err)
	}
	var all sync.WaitGroup
	for _, one := range due[:4] {
		all.Go(func() { worker.Deliver(t.Context(), one) })
	}
	for range 4 {
		<-inside
	}
	for _, one := range due[4:] {
		worker.Deliver(t.Context(), one)
		if now, _ := w.state(one); now.DueAt.Sub(w.clock.Now()) != time.Second {
			t.Errorf("put off to %s", now.DueAt)
		}
	}
	close(release)
	all.Wait()
}

// save replaces a channel as its owner does, and has it delivered to at once.
func (w *world) save(c model.Channel, state model.ChannelState) {
	w.Helper()
	text, err := json.Marshal(state)
	if err != nil {
		w.Fatal(err)
	}
	c.State, c.DueAt = string(text), w.clock.Now()
	if err := w.stores[0].Write(w.Context(), c.User, saving(c)); err != nil {
		w.Fatal(err)
	}
}

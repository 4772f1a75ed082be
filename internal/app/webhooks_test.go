package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// hookReceiver takes what a server delivers, and verifies it with Standard Webhooks' own library.
type hookReceiver struct {
	t      *testing.T
	mu     sync.Mutex
	verify *standardwebhooks.Webhook
	seen   map[string]bool
	titles []string
	tests  int
}

func (r *hookReceiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.verify.Verify(body, request.Header); err != nil {
		r.t.Errorf("the signature: %v", err)
	}
	var message struct {
		Type string
		Data struct{ Title string }
	}
	if err := json.Unmarshal(body, &message); err != nil {
		r.t.Error(err)
	}
	switch id := request.Header.Get("webhook-id"); {
	case message.Type == "webhook.test":
		r.tests++
	case !r.seen[id]:
		r.seen[id] = true
		r.titles = append(r.titles, message.Data.Title)
	}
	w.WriteHeader(http.StatusNoContent)
}

func (r *hookReceiver) has(want ...string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Equal(r.titles, want)
}

// A webhook hears of what is written through two servers, in order, over restarts, and of nothing after a restore
// until what is due is released.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	for name, way := range waysOfCopying(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			receiver := &hookReceiver{t: t, seen: map[string]bool{}}
			outside := httptest.NewServer(receiver)
			defer outside.Close()
			flags := append(way.flags, "--webhooks-allow-private")
			servers := []*process{start(t, flags...)}
			if name == "postgres" {
				servers = append(servers, start(t, flags...))
			}
			var made struct {
				CreateWebhook struct {
					Webhook struct{ ID string }
					Secret  string
				}
			}
			servers[0].mustAsk(`mutation ($url: String!) { createWebhook(input: { url: $url, types: [TASK], texts: true }) {
				webhook { id } secret } }`, map[string]any{"url": outside.URL}, &made)
			verify, err := standardwebhooks.NewWebhook(made.CreateWebhook.Secret)
			if err != nil || !strings.HasPrefix(made.CreateWebhook.Secret, "whsec_") {
				t.Fatalf("the secret: %v", err)
			}
			receiver.mu.Lock()
			receiver.verify = verify
			receiver.mu.Unlock()
			var tested struct{ TestWebhook struct{ Delivered bool } }
			servers[0].mustAsk(`mutation ($id: ID!) { testWebhook(input: { id: $id }) { delivered } }`,
				map[string]any{"id": made.CreateWebhook.Webhook.ID}, &tested)
			if !tested.TestWebhook.Delivered || receiver.tests != 1 {
				t.Errorf("the test message: %+v, %d taken", tested, receiver.tests)
			}

			var want []string
			add := func(to *process) {
				want = append(want, fmt.Sprint("task ", len(want)))
				to.mustAsk(`mutation ($text: String!) { createTask(input: { text: $text }) { task { id } } }`,
					map[string]any{"text": want[len(want)-1]}, new(any))
			}
			for i := range 12 {
				add(servers[i%len(servers)])
			}
			eventually(t, "everything is delivered", func() bool { return receiver.has(want...) })
			way.save(t)
			add(servers[0])
			if err := servers[0].term(); err != nil { // what it had not delivered, the next one does
				t.Fatal(err)
			}
			if len(servers) == 1 {
				servers[0] = start(t, flags...)
			}
			last := servers[len(servers)-1]
			eventually(t, "what was written before the stop is delivered", func() bool { return receiver.has(want...) })
			if err := last.term(); err != nil {
				t.Fatal(err)
			}

			restored := append(way.back(t), "--webhooks-allow-private")
			second := start(t, restored...)
			add(second)
			var state struct {
				Webhooks []struct {
					Enabled  bool
					Failures int
				}
			}
			second.mustAsk(`{ webhooks { enabled failures } }`, nil, &state)
			if len(state.Webhooks) != 1 || !state.Webhooks[0].Enabled || receiver.has(want...) {
				t.Errorf("after the restore: %+v; delivered: %v", state, receiver.has(want...))
			}
			mustRun(t, append([]string{"release"}, slices.DeleteFunc(slices.Clone(restored), func(flag string) bool {
				return flag == "--webhooks-allow-private"
			})...)...)
			eventually(t, "what was held is delivered", func() bool { return receiver.has(want...) })
		})
	}
}

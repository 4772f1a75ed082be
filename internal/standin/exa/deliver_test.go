package exa_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/standin/exa"
)

// told is one webhook that came in.
type told struct {
	signature, body string
	header          http.Header
}

// receiver takes webhooks, and answers as it is told to.
type receiver struct {
	mu      sync.Mutex
	all     []told
	answers []int
	header  http.Header
}

// RoundTrip implements http.RoundTripper.
func (r *receiver) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, told{request.Header.Get(exa.SignatureHeader), string(body), request.Header})
	status := http.StatusOK
	if len(r.answers) > 0 {
		status, r.answers = r.answers[0], r.answers[1:]
	}
	if status == 0 {
		return nil, errors.New("the line is cut")
	}
	header := r.header
	if header == nil {
		header = http.Header{"X-Served-By": {"test"}}
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(bytes.NewReader([]byte("thanks"))),
		Request: request}, nil
}

// take returns what came in since the last time.
func (r *receiver) take() []told {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}

// verify is the check that Exa's documentation describes, written again: any of the signatures over "t.body".
func verify(secret string, one told) (at time.Time, good bool) {
	stamp := ""
	for part := range strings.SplitSeq(one.signature, ",") {
		name, value, _ := strings.Cut(part, "=")
		if name == "t" {
			stamp = value
			seconds, _ := strconv.ParseInt(value, 10, 64)
			at = time.Unix(seconds, 0).UTC()
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(stamp + "." + one.body))
		if name == "v1" && value == hex.EncodeToString(mac.Sum(nil)) {
			good = true
		}
	}
	return at, good
}

func (h *fixture) deliver() int {
	h.Helper()
	n, err := h.server.Deliver(h.Context())
	if err != nil {
		h.Fatal(err)
	}
	return n
}

func (r told) event() object {
	var e object
	if err := json.Unmarshal([]byte(r.body), &e); err != nil {
		panic(err)
	}
	return e
}

// TestWebhooks: the secret is told once; events of the types that were asked for are told, signed; each try is written
// down, and what fails comes again.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	r := &receiver{}
	h := open(t, exa.Options{Transport: r})
	hook := h.post(v0+"/webhooks", object{"events": []string{"webset.created", "webset.idle"},
		"url": "https://me.example/hook", "metadata": object{"a": "b"}})
	secret := hook["secret"].(string)
	address := v0 + "/webhooks/" + id(hook)
	h.want("secret afterwards", h.get(address)["secret"], nil)
	h.want("secret in the list", fields(h.all(v0+"/webhooks"), "secret"), "null")
	w := h.small()
	h.pass(time.Minute)
	r.answers = []int{0, 302}
	h.want("told", h.deliver(), 2)
	all := r.take()
	h.want("what was told", []any{all[0].event()["type"], all[1].event()["type"], dig(all[0].event(), "data.id")},
		[]any{"webset.created", "webset.idle", id(w)})
	at, good := verify(secret, all[0])
	h.want("signed", []any{good, at}, []any{true, h.now()})
	if _, good := verify("whsec_other", all[0]); good {
		t.Error("another secret fits, too")
	}
	h.want("nothing more at once", h.deliver(), 0)
	attempts := h.all(address + "/attempts")
	h.want("attempts", fields(attempts, "responseStatusCode")+fields(attempts, "successful")+fields(attempts, "attempt"),
		"302 0false false1 1")
	h.want("what was answered", []any{attempts[0]["responseBody"], dig(attempts[0], "responseHeaders.x-served-by")},
		[]any{"thanks", "test"})

	h.pass(5 * time.Second)
	r.answers = []int{500}
	h.want("again", h.deliver(), 2)
	h.want("the same event", r.take()[0].event()["id"], all[0].event()["id"])
	h.want("by outcome", len(h.all(address+"/attempts?successful=true")), 1)
	h.want("by type", len(h.all(address+"/attempts?eventType=webset.created")), 2)
	for _, wait := range []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour} {
		h.pass(wait - time.Second)
		h.want("too early", h.deliver(), 0)
		h.pass(time.Second)
		r.answers = []int{503}
		h.want("once more", h.deliver(), 1)
	}
	h.pass(24 * time.Hour)
	h.want("given up", h.deliver(), 0)
	h.want("last attempt", h.all(address + "/attempts?limit=3")[0]["attempt"], 6)

	h.want("changed", h.patch(address, object{"events": []string{"webset.deleted"}, "url": "https://you.example/"})["url"],
		"https://you.example/")
	r.take()
	h.remove(websets + "/" + id(w))
	h.deliver()
	h.want("of the other type", r.take()[0].event()["type"], "webset.deleted")
	h.small()
	h.want("of no other type", h.deliver(), 0)
	h.post(websets, object{})
	h.want("deleted", h.remove(address)["secret"], nil)
	h.refused(http.MethodGet, address+"/attempts", nil, http.StatusNotFound, "Webhook with id")
}

// TestEventsAreTheSame: what a webhook tells is what the list of events tells, byte for byte in its data.
func TestEventsAreTheSame(t *testing.T) {
	t.Parallel()
	r := &receiver{}
	h := open(t, exa.Options{Transport: r})
	h.post(v0+"/webhooks", object{"events": []string{"webset.item.enriched", "webset.item.created",
		"monitor.run.completed", "webset.search.completed"}, "url": "https://me.example/"})
	w := h.small(object{"enrichments": []object{{"description": "Phone"}}})
	h.post(v0+"/monitors", object{"websetId": id(w), "cadence": object{"cron": "5 12 * * *"},
		"behavior": object{"type": "search", "config": object{"count": 2}}})
	h.pass(10 * time.Minute)
	h.deliver()
	all := r.take()
	h.want("told", len(all), 10+10+1+2+2+1+1)
	for _, one := range all {
		_, text := h.send(http.MethodGet, v0+"/events/"+one.event()["id"].(string), nil)
		h.want("of the list", string(text), one.body)
	}
}

// TestMisdelivery: everything that may befall a webhook on its way.
func TestMisdelivery(t *testing.T) {
	t.Parallel()
	r := &receiver{}
	h := open(t, exa.Options{Transport: r})
	hook := h.post(v0+"/webhooks",
		object{"events": []string{"webset.created", "webset.deleted"}, "url": "https://me.example/"})
	secret := hook["secret"].(string)
	two := func(m exa.Misdelivery) []told {
		h.Helper()
		h.server.Misdeliver(m)
		h.remove(websets + "/" + id(h.post(websets, object{})))
		h.deliver()
		return r.take()
	}
	kinds := func(all []told) string {
		var texts []string
		for _, one := range all {
			texts = append(texts, strings.TrimPrefix(one.event()["type"].(string), "webset."))
		}
		return strings.Join(texts, " ")
	}
	h.want("as it should be", kinds(two(exa.Misdelivery{})), "created deleted")
	h.want("twice", kinds(two(exa.Misdelivery{Duplicate: true})), "created created deleted deleted")
	h.want("in reverse", kinds(two(exa.Misdelivery{Reverse: true})), "deleted created")
	h.want("lost", kinds(two(exa.Misdelivery{Drop: true})), "")
	at, good := verify(secret, two(exa.Misdelivery{Late: 6 * time.Minute})[0])
	h.want("late", []any{good, h.now().Sub(at).String()}, []any{true, "6m0s"})
	_, good = verify(secret, two(exa.Misdelivery{WrongSecret: true})[0])
	h.want("wrongly signed", good, false)
	h.want("not signed", two(exa.Misdelivery{Unsigned: true})[0].signature, "")
	_, good = verify(secret, two(exa.Misdelivery{Tampered: true})[0])
	h.want("tampered with", good, false)
	strange := two(exa.Misdelivery{Type: "webset.dreamt"})[0]
	_, good = verify(secret, strange)
	h.want("of a type nobody knows", []any{strange.event()["type"], good}, []any{"webset.dreamt", true})
	one := two(exa.Misdelivery{Others: []string{"whsec_old"}})[0]
	_, old := verify("whsec_old", one)
	_, good = verify(secret, one)
	h.want("signed with both", []any{old, good, strings.Count(one.signature, "v1=")}, []any{true, true, 2})
}

// TestDeliveryEnds: no transport is an error; a context that ends keeps what is left for the next time; Run goes on
// until its context ends.
func TestDeliveryEnds(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	if _, err := h.server.Deliver(t.Context()); err == nil {
		t.Error("delivered without a transport")
	}
	r, ticks, stopped := &receiver{}, make(chan time.Time), make(chan struct{})
	h = open(t, exa.Options{Transport: r, Ticks: func(d time.Duration) (<-chan time.Time, func()) {
		h.want("every", d.String(), "2s")
		return ticks, func() { close(stopped) }
	}})
	h.post(v0+"/webhooks", object{"events": []string{"webset.created"}, "url": "https://me.example/"})
	h.post(websets, object{})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.server.Deliver(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	h.want("told nothing", len(r.take()), 0)
	running, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		h.server.Run(running, 2*time.Second)
		close(ended)
	}()
	ticks <- h.now()
	ticks <- h.now() // the first round is over when the second begins
	h.want("told by Run", len(r.take()), 1)
	stop()
	<-ended
	<-stopped
}

// asking is a receiver that asks the stand-in about what it is told.
type asking struct{ fixture *fixture }

// RoundTrip implements http.RoundTripper.
func (a asking) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	one := told{body: string(body)}
	a.fixture.get(websets + "/" + dig(one.event(), "data.id").(string))
	return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody, Request: request},
		nil
}

// TestReceiverMayAsk: whoever is told may ask at once.
func TestReceiverMayAsk(t *testing.T) {
	t.Parallel()
	receiver := &asking{}
	h := open(t, exa.Options{Transport: receiver})
	receiver.fixture = h
	hook := h.post(v0+"/webhooks", object{"events": []string{"webset.created"}, "url": "https://me.example/"})
	h.post(websets, object{})
	h.want("told", h.deliver(), 1)
	h.want("successful", fields(h.all(v0+"/webhooks/"+id(hook)+"/attempts"), "successful"), "true")
}

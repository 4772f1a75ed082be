package exa

import (
	"maps"
	"net/http"
	"strconv"
	"time"
)

const (
	webhookActive   = "active"
	webhookInactive = "inactive"
)

// webhook is an address that wants to hear of events.
type webhook struct {
	account  *account
	id       string
	seq      uint64
	status   string
	events   []string
	url      string
	secret   string
	metadata map[string]string
	created  time.Time
	updated  time.Time
	gone     bool
	attempts shelf[*attempt]
}

// mostAttempts is how many attempts are kept of a webhook.
const mostAttempts = 1000

// attempt is one try to tell a webhook of an event.
type attempt struct {
	id     string
	seq    uint64
	hook   *webhook
	event  *event
	url    string
	number int
	// status is 0 when there was no answer.
	status  int
	headers map[string]string
	body    string
	at      time.Time
}

func (h *webhook) place() (string, uint64) { return h.id, h.seq }
func (t *attempt) place() (string, uint64) { return t.id, t.seq }

func (t *attempt) successful() bool {
	return t.status >= http.StatusOK && t.status < http.StatusMultipleChoices
}

func (t *attempt) shape() attemptShape {
	return attemptShape{
		ID: t.id, Object: "webhook_attempt", EventID: t.event.id, EventType: t.event.kind, WebhookID: t.hook.id, URL: t.url,
		Successful:      t.successful(),
		ResponseHeaders: t.headers, ResponseBody: textOrNull(t.body), ResponseStatusCode: t.status, Attempt: t.number,
		AttemptedAt: stamp(t.at),
	}
}

// shape never has the secret; createWebhook alone tells it.
func (h *webhook) shape() webhookShape {
	s := webhookShape{
		ID: h.id, Object: "webhook", Status: h.status, Events: h.events, URL: h.url, Metadata: map[string]string{},
		CreatedAt: stamp(h.created), UpdatedAt: stamp(h.updated),
	}
	maps.Copy(s.Metadata, h.metadata)
	return s
}

// maxEvents is how many types a webhook may name; there are as many.
const maxEvents = 19

func (c *call) createWebhook() (reply, *problem) {
	r := read(c.body)
	h := &webhook{}
	h.events, _ = r.texts("events", true, 1, maxEvents, eventTypes()...)
	h.url, _ = r.address("url", true)
	h.metadata, _ = r.metadata(false)
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	c.account.addWebhook(h, c.now)
	shape := h.shape()
	shape.Secret = &h.secret
	return ok(shape), nil
}

func (a *account) addWebhook(h *webhook, at time.Time) {
	h.account, h.id, h.seq, h.status, h.created, h.updated = a, a.server.id("webhook"), a.webhooks.next(), webhookActive,
		at, at
	h.secret = "whsec_" + a.server.token() + a.server.token()
	a.webhooks.add(h)
}

func (c *call) listWebhooks() (reply, *problem) {
	p, bad := c.paging(25, 200)
	if bad != nil {
		return reply{}, bad
	}
	return ok(pick(c, c.account.webhooks.all, p, true, nil, func(h *webhook) any { return h.shape() })), nil
}

// webhook returns the one of the path.
func (c *call) webhook() (*webhook, *problem) {
	h, there := c.account.webhooks.get(c.path["id"])
	if !there {
		return nil, notFound("Webhook", c.path["id"])
	}
	return h, nil
}

func (c *call) getWebhook() (reply, *problem) {
	h, bad := c.webhook()
	if bad != nil {
		return reply{}, bad
	}
	return ok(h.shape()), nil
}

func (c *call) updateWebhook() (reply, *problem) {
	h, bad := c.webhook()
	if bad != nil {
		return reply{}, bad
	}
	r := read(c.body)
	events, chosen := r.texts("events", false, 1, maxEvents, eventTypes()...)
	address, moved := r.address("url", false)
	metadata, given := r.metadata(true)
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	if chosen {
		h.events = events
	}
	if moved {
		h.url = address
	}
	if given {
		h.metadata = metadata
	}
	h.updated = c.now
	return ok(h.shape()), nil
}

func (c *call) deleteWebhook() (reply, *problem) {
	h, bad := c.webhook()
	if bad != nil {
		return reply{}, bad
	}
	h.gone = true
	c.account.webhooks.remove(h.id)
	return ok(h.shape()), nil
}

func (c *call) listAttempts() (reply, *problem) {
	p, bad := c.paging(25, 200)
	if bad != nil {
		return reply{}, bad
	}
	h, bad := c.webhook()
	if bad != nil {
		return reply{}, bad
	}
	kind, outcome := c.query.Get("eventType"), c.query.Get("successful")
	successful, err := strconv.ParseBool(outcome)
	if outcome != "" && err != nil {
		return reply{}, invalid("Validation failed: successful must be true or false")
	}
	wanted := func(t *attempt) bool {
		return (kind == "" || t.event.kind == kind) && (outcome == "" || t.successful() == successful)
	}
	return ok(pick(c, h.attempts.all, p, true, wanted, func(t *attempt) any { return t.shape() })), nil
}

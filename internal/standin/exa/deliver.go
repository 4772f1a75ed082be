package exa

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader is the header in which a webhook is signed.
const SignatureHeader = "Exa-Signature"

// How long after an attempt that failed the next one comes. After the last there is none.
func retryAfter(attempt int) (time.Duration, bool) {
	waits := [...]time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour}
	if attempt > len(waits) {
		return 0, false
	}
	return waits[attempt-1], true
}

const (
	// mostDeliveries bounds what waits to be told of an account; the oldest are given up.
	mostDeliveries = 100_000
	// mostResponse bounds what is kept of an answer to a webhook.
	mostResponse = 4 << 10
)

// Misdelivery is what befalls webhooks on purpose, until another is set.
type Misdelivery struct {
	// Duplicate tells everything twice; Reverse tells what is due at once from its end; Drop tells nothing, and counts it
	// as told.
	Duplicate, Reverse, Drop bool
	// Late is how old the time of the signature is: as if it had been on the way so long.
	Late time.Duration
	// WrongSecret signs with a secret that is not the webhook's; Unsigned does not sign; Tampered changes the body after
	// signing.
	WrongSecret, Unsigned, Tampered bool
	// Type is told as the type of every event, as if it were one of a later API; it is signed so.
	Type string
	// Others are secrets with which it is signed as well, before the right one, as while a secret is changed.
	Others []string
}

// Misdeliver has webhooks go wrong from now on; the zero Misdelivery has them go right again.
func (s *Server) Misdeliver(m Misdelivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.misdeliver = m
}

// delivery is an event that a webhook is still to be told of.
type delivery struct {
	hook    *webhook
	event   *event
	attempt int
	due     time.Time
}

// deliver has a webhook told of an event.
func (a *account) deliver(hook *webhook, e *event, at time.Time) {
	if len(a.deliveries) >= mostDeliveries {
		a.deliveries = slices.Delete(a.deliveries, 0, mostDeliveries/10)
	}
	a.deliveries = append(a.deliveries, &delivery{hook: hook, event: e, attempt: 1, due: at})
}

// Sign makes the header of a webhook: the time in seconds, and a signature by each secret (HMAC-SHA256 over the time, a
// dot and the raw body).
func Sign(at time.Time, body []byte, secrets ...string) string {
	stamped := strconv.FormatInt(at.Unix(), 10)
	var b strings.Builder
	b.WriteString("t=" + stamped)
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		_, _ = mac.Write([]byte(stamped + "."))
		_, _ = mac.Write(body)
		b.WriteString(",v1=" + hex.EncodeToString(mac.Sum(nil)))
	}
	return b.String()
}

var errNoTransport = errors.New("the stand-in was given no transport for webhooks")

// Deliver tells the webhooks of all accounts what is due by the clock, in order, those first that have waited longest,
// and returns how many it told; failures are written down as attempts and come again when it is time. It ends early
// when the context does, which is its only other error. A receiver may ask the stand-in while it is being told.
func (s *Server) Deliver(ctx context.Context) (int, error) {
	if s.options.Transport == nil {
		return 0, errNoTransport
	}
	s.delivering.Lock()
	defer s.delivering.Unlock()
	due, how := s.due()
	for n, d := range due {
		if ctx.Err() != nil {
			s.putBack(due[n:])
			return n, fmt.Errorf("delivering webhooks: %w", ctx.Err())
		}
		s.tell(ctx, d, how)
		if how.Duplicate {
			s.tell(ctx, &delivery{hook: d.hook, event: d.event, attempt: d.attempt, due: d.due}, how)
		}
	}
	return len(due), nil
}

// Run delivers every so often until the context ends.
func (s *Server) Run(ctx context.Context, every time.Duration) {
	ticks, stop := s.options.Ticks(every)
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			if _, err := s.Deliver(ctx); err != nil {
				return
			}
		}
	}
}

// due takes what is due out of what waits.
func (s *Server) due() ([]*delivery, Misdelivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	var due []*delivery
	for _, a := range s.accounts {
		a.advance(now)
		waits := a.deliveries[:0]
		for _, d := range a.deliveries {
			if d.due.After(now) {
				waits = append(waits, d)
			} else {
				due = append(due, d)
			}
		}
		clear(a.deliveries[len(waits):])
		a.deliveries = waits
	}
	slices.SortStableFunc(due, func(x, y *delivery) int {
		return cmp.Or(x.due.Compare(y.due), strings.Compare(x.hook.account.key, y.hook.account.key),
			cmp.Compare(x.event.seq, y.event.seq))
	})
	if s.misdeliver.Reverse {
		slices.Reverse(due)
	}
	return due, s.misdeliver
}

func (s *Server) putBack(all []*delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range all {
		a := d.hook.account
		a.deliveries = append(a.deliveries, d)
	}
}

// tell makes one attempt, and plans the next one if it fails.
func (s *Server) tell(ctx context.Context, d *delivery, how Misdelivery) {
	s.mu.Lock()
	h, now := d.hook, s.now()
	h.account.advance(now)
	gone, address, secret := h.gone || h.status != webhookActive, h.url, h.secret
	shape := d.event.shape()
	if how.Type != "" {
		shape.Type = how.Type
	}
	body := encode(shape)
	s.mu.Unlock()
	if gone || how.Drop {
		return
	}
	t := &attempt{hook: h, event: d.event, url: address, number: d.attempt, at: now, headers: map[string]string{}}
	header := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"exa-webhooks"}}
	if how.WrongSecret {
		secret = "whsec_of_somebody_else"
	}
	if !how.Unsigned {
		header.Set(SignatureHeader, Sign(now.Add(-how.Late), body, append(slices.Clone(how.Others), secret)...))
	}
	if how.Tampered {
		body = bytes.Replace(body, []byte(`"type":"`), []byte(`"type":"x.`), 1)
	}
	s.post(ctx, t, header, body)
	s.mu.Lock()
	defer s.mu.Unlock()
	t.id, t.seq = s.id("attempt"), h.attempts.next()
	h.attempts.add(t)
	if over := len(h.attempts.all) - mostAttempts; over > mostAttempts/10 {
		oldest := h.attempts.all[over].seq
		h.attempts.keep(func(one *attempt) bool { return one.seq >= oldest })
	}
	if wait, again := retryAfter(d.attempt); again && !t.successful() {
		h.account.deliveries = append(h.account.deliveries,
			&delivery{hook: h, event: d.event, attempt: d.attempt + 1, due: now.Add(wait)})
	}
}

// post sends a webhook and notes what came of it. Redirects are not followed: a transport knows of none.
func (s *Server) post(ctx context.Context, t *attempt, header http.Header, body []byte) {
	ctx, cancel := context.WithTimeout(ctx, s.options.Patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, bytes.NewReader(body))
	if err != nil {
		t.body = "no request can be made of this address"
		return
	}
	request.Header = header
	answer, err := s.options.Transport.RoundTrip(request)
	if err != nil {
		t.body = "no answer"
		return
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostResponse))
	if err != nil {
		t.body = "the answer was cut"
		return
	}
	t.status, t.body = answer.StatusCode, strings.ToValidUTF8(string(text), "\ufffd")
	for name := range answer.Header {
		t.headers[strings.ToLower(name)] = answer.Header.Get(name)
	}
}

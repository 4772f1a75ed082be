package websets

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// MaxBody is how many bytes an event may have, 1 MiB: some times what the largest item has.
	MaxBody = 1 << 20
	// maxReceiving is how many bodies are read at once, which bounds the memory that they take.
	maxReceiving = 32
	// receiveTimeout bounds what a call may wait for the store.
	receiveTimeout = 5 * time.Second
)

// Store is what this package needs of one; the contracts are those of package store.
type Store interface {
	store.WebsetHookReader
	store.WebsetFeeds
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error
}

// Receiver takes what Exa posts to the addresses that Hooks makes. Hooks, Store and Now must be set, before it is used;
// then it is safe for goroutines, and must not be copied.
type Receiver struct {
	Hooks *Hooks
	Store Store
	Now   func() time.Time
	// Ring is told that something happened at a time in the account that several users share, so that what is this user's
	// is looked for. nil: it is found when the account is next looked at.
	Ring func(user model.UserID, at time.Time)
	// Logger receives failures; nil: none is logged. No line holds what an event says.
	Logger *slog.Logger
	// Observe is called after every call, by several goroutines at once; nil: it is not called. It must not block.
	Observe func(Delivery)

	once  sync.Once
	slots chan struct{}
}

// Delivery is what one call of the remote has come to.
type Delivery struct {
	Outcome DeliveryOutcome
	// Changes are the lines added to the change log.
	Changes int
	Took    time.Duration
}

// DeliveryOutcome is how a call was answered.
type DeliveryOutcome string

// The outcomes.
const (
	DeliveryTold     DeliveryOutcome = "told"     // the log has it now
	DeliveryKnown    DeliveryOutcome = "known"    // it was told before
	DeliverySilent   DeliveryOutcome = "silent"   // there is nothing to tell of it
	DeliveryRung     DeliveryOutcome = "rung"     // what is the user's own will be looked for
	DeliveryUnknown  DeliveryOutcome = "unknown"  // there is no such webhook
	DeliveryUnsigned DeliveryOutcome = "unsigned" // the signature is not good, or of another time
	DeliveryRefused  DeliveryOutcome = "refused"  // another method, too long, cut off, or no event
	DeliveryFailed   DeliveryOutcome = "failed"   // not now; the remote comes again
)

// ServeHTTP takes one event. What is answered, always without a body:
//
//	204  it is told, or was before; an event that nobody knows a word for too
//	400  it was signed and is no event
//	401  it was not signed with the webhook's secret within the last five minutes
//	404  no webhook has this address, or has it any more
//	405  it was no POST
//	413  it is longer than MaxBody
//	503  the store does not answer, the webhook is just being made, or too much comes at once
//
// Of an address that Hooks has not made nothing is read, and nothing is asked of the store.
// Source: https://docs.exa.ai/websets/api/webhooks/verifying-signatures.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.once.Do(r.prepare)
	began := r.Now()
	status, delivery := r.receive(w, req)
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	w.WriteHeader(status)
	delivery.Took = r.Now().Sub(began)
	r.Observe(delivery)
}

func (r *Receiver) prepare() {
	r.slots = make(chan struct{}, maxReceiving)
	if r.Logger == nil {
		r.Logger = slog.New(slog.DiscardHandler)
	}
	if r.Observe == nil {
		r.Observe = func(Delivery) {}
	}
}

func (r *Receiver) receive(w http.ResponseWriter, req *http.Request) (int, Delivery) {
	if req.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return http.StatusMethodNotAllowed, Delivery{Outcome: DeliveryRefused}
	}
	text, _ := strings.CutPrefix(req.URL.Path, PathHooks)
	name, ok := r.Hooks.openName(text)
	if !ok {
		return http.StatusNotFound, Delivery{Outcome: DeliveryUnknown}
	}
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	default:
		return http.StatusServiceUnavailable, Delivery{Outcome: DeliveryFailed}
	}
	secret, status, outcome := r.secretOf(req.Context(), name)
	if status != 0 {
		return status, Delivery{Outcome: outcome}
	}
	body, status := readBody(w, req)
	if status != 0 {
		return status, Delivery{Outcome: DeliveryRefused}
	}
	header := strings.Join(req.Header.Values(exa.HeaderSignature), ",")
	if exa.Verify(secret, header, body, r.Now(), exa.Tolerance) != nil {
		return http.StatusUnauthorized, Delivery{Outcome: DeliveryUnsigned} // why is nobody's business
	}
	event, err := exa.ReadEvent(body)
	if err != nil {
		r.Logger.WarnContext(req.Context(), "a webhook was told what is no event", "user", name.user.String())
		return http.StatusBadRequest, Delivery{Outcome: DeliveryRefused}
	}
	if name.shared {
		if r.Ring != nil {
			r.Ring(name.user, event.CreatedAt)
		}
		return http.StatusNoContent, Delivery{Outcome: DeliveryRung}
	}
	return r.take(req.Context(), name, event)
}

// secretOf returns the secret that a webhook's events are signed with, or how to answer without one.
func (r *Receiver) secretOf(ctx context.Context, name hookName) (secret string, status int, outcome DeliveryOutcome) {
	ctx, cancel := context.WithTimeout(ctx, receiveTimeout)
	defer cancel()
	hook, err := r.Store.WebsetHook(ctx, name.user, name.hook)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && !hook.Receives:
		return "", http.StatusNotFound, DeliveryUnknown
	case err != nil:
		r.failed(ctx, name, err)
		return "", http.StatusServiceUnavailable, DeliveryFailed
	case len(hook.Secret) == 0: // Exa is quicker than its own answer
		return "", http.StatusServiceUnavailable, DeliveryFailed
	}
	secret, err = r.Hooks.Open(name.user, name.hook, hook.Secret)
	if err != nil {
		r.Logger.ErrorContext(ctx, "the secret of a webhook cannot be decrypted; is a key missing in ALMANAC_TOKEN_KEY?",
			"user", name.user.String(), "cause", err.Error())
		return "", http.StatusServiceUnavailable, DeliveryFailed
	}
	return secret, 0, ""
}

// readBody reads a body of at most MaxBody bytes, or says how to answer.
func readBody(w http.ResponseWriter, req *http.Request) (body []byte, status int) {
	if req.ContentLength > MaxBody {
		return nil, http.StatusRequestEntityTooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, MaxBody))
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		return nil, http.StatusRequestEntityTooLarge
	}
	if err != nil {
		return nil, http.StatusBadRequest
	}
	return body, 0
}

// take tells an event, if it was not told before. The webhook must still be there then.
func (r *Receiver) take(ctx context.Context, name hookName, event model.WebsetEvent) (int, Delivery) {
	ctx, cancel := context.WithTimeout(ctx, receiveTimeout)
	defer cancel()
	var came told
	err := r.Store.Write(ctx, name.user, func(ctx context.Context, tx store.Tx) error {
		hook, err := tx.WebsetHook(ctx, name.user, name.hook)
		if err != nil {
			return err
		}
		if err := r.reseal(ctx, tx, hook); err != nil {
			return err
		}
		came, err = tell(ctx, tx, []model.WebsetEvent{event}, r.Now())
		return err
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		return http.StatusNotFound, Delivery{Outcome: DeliveryUnknown}
	case err != nil:
		r.failed(ctx, name, err)
		return http.StatusServiceUnavailable, Delivery{Outcome: DeliveryFailed}
	case came.lines > 0:
		return http.StatusNoContent, Delivery{Outcome: DeliveryTold, Changes: came.lines}
	case came.known > 0:
		return http.StatusNoContent, Delivery{Outcome: DeliveryKnown}
	}
	return http.StatusNoContent, Delivery{Outcome: DeliverySilent}
}

// reseal encrypts a secret with the server's first key when it was encrypted with an older one, so that the old one can
// be taken away some day.
func (r *Receiver) reseal(ctx context.Context, tx store.Tx, hook store.WebsetHook) error {
	if !r.Hooks.Box.Stale(hook.Secret) {
		return nil
	}
	secret, err := r.Hooks.Box.Reseal(secretPlace(hook.User, hook.ID), hook.Secret)
	if err != nil {
		return nil //nolint:nilerr // it was opened a moment ago; what is there now is another's, and newer
	}
	hook.Secret = secret
	return tx.SaveWebsetHook(ctx, hook)
}

func (r *Receiver) failed(ctx context.Context, name hookName, err error) {
	r.Logger.WarnContext(ctx, "an event of a webset was not taken", "user", name.user.String(), "code",
		string(model.CodeOf(err)), "cause", model.CauseOf(err))
}

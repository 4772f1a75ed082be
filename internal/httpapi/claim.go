package httpapi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/httpapi/answer"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

const (
	// settleTimeout bounds how long the answer of a claimed mutation takes to be recorded, or its key to be given back.
	settleTimeout = 10 * time.Second
	// leaseMargin is by how much a lease outlasts the mutation: for the record, and for the clocks of other servers.
	leaseMargin = settleTimeout
	// shortestPause and longestPause are between two looks at a key that another call holds. Each is twice the one before.
	shortestPause = 25 * time.Millisecond
	longestPause  = time.Second
)

// claimed runs a mutation whose effects all lie in remote systems, under a claim of its key, or returns the answer it
// had before.
//
// Once it has begun, the mutation goes on to its end even when the client hangs up: stopping halfway undoes nothing
// that a remote has done, and a client that asks again finds the whole answer.
func (h *Handler) claimed(ctx context.Context, user model.UserID, call model.IdempotentCall,
	op engine.Operation) (body []byte, replayed bool, err error) {
	claim, err := h.claim(ctx, user, call, op.Deadline())
	if err != nil {
		return nil, false, err
	}
	if claim.State == store.ClaimSettled {
		return told(claim.Answer), true, nil
	}
	var end ending // a panic releases the key too
	defer func() { h.endClaim(ctx, user, claim, end) }()
	if err := ctx.Err(); err != nil {
		return nil, false, fmt.Errorf("the client hung up before the mutation began: %w", err)
	}
	notes, err := notesOf(h.cfg.Idempotency, user, claim)
	if err != nil {
		return nil, false, err
	}
	model.AboutFrom(ctx).Collect()
	response := op.Execute(model.WithNotes(model.WithSeed(context.WithoutCancel(ctx), claim.Seed), notes))
	if body, err = answer.Append(nil, response); err != nil {
		return nil, false, err
	}
	end = ending{answer: telling(ctx, body), errs: response.Errors}
	return body, false, nil
}

// claim takes the key. It waits, but no longer than a request may run, for another call that holds it; then it returns
// a *model.Error CONFLICT.
func (h *Handler) claim(ctx context.Context, user model.UserID, call model.IdempotentCall,
	deadline time.Duration) (store.Claim, error) {
	waiting, stop := context.WithTimeout(ctx, deadline)
	defer stop()
	for pause := shortestPause; ; pause = min(2*pause, longestPause) {
		claim, err := h.tryClaim(ctx, user, call, deadline)
		if err != nil || claim.State != store.ClaimHeld {
			return claim, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-waiting.Done():
			timer.Stop()
			if err := ctx.Err(); err != nil {
				return store.Claim{}, fmt.Errorf("the client hung up while the same request was under way: %w", err)
			}
			left := min(max(claim.HeldUntil.Sub(h.cfg.Now()), time.Second), deadline+leaseMargin)
			return store.Claim{}, &model.Error{
				Code: model.CodeConflict, Message: "The same request is under way; repeat it with the same Idempotency-Key.",
				RetryAfter: left,
			}
		}
	}
}

// tryClaim asks once. A client that hangs up does not cut it short: a claim that is made and not heard of would hold
// the key until its lease ends.
func (h *Handler) tryClaim(ctx context.Context, user model.UserID, call model.IdempotentCall,
	deadline time.Duration) (store.Claim, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deadline)
	defer cancel()
	return h.cfg.Idempotency.Claim(ctx, user, call, h.cfg.Now(), deadline+leaseMargin)
}

// ending is what came of a claimed mutation; the zero value says that it has no answer.
type ending struct {
	answer []byte
	errs   gqlerror.List
}

// endClaim records the answer, or releases the key when a retry may get a better one. That must not fail with the
// client's connection, and must not cost the client its answer.
func (h *Handler) endClaim(ctx context.Context, user model.UserID, claim store.Claim, end ending) {
	if mayStillWork(end.errs) {
		return // a retry waits until the lease has ended
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
	defer cancel()
	if end.answer == nil || mayMend(end.errs) {
		if err := h.cfg.Idempotency.Release(ctx, user, claim); err != nil {
			h.cfg.Logger.WarnContext(ctx, "an idempotency key could not be given back; its lease runs out", "requestId",
				edge.RequestID(ctx), "cause", err.Error())
		}
		return
	}
	err := h.cfg.Idempotency.Settle(ctx, user, claim, end.answer)
	switch {
	case err == nil:
	case errors.Is(err, store.ErrNotFound):
		h.cfg.Logger.WarnContext(ctx, "an answer under an idempotency key came after its lease; another call has the key",
			"requestId", edge.RequestID(ctx))
	default:
		h.cfg.Logger.ErrorContext(ctx, "an answer under an idempotency key could not be kept; a retry repeats the mutation",
			"requestId", edge.RequestID(ctx), "cause", err.Error())
	}
}

// mayStillWork reports whether the remote may still be doing what it was asked: nobody waited for its answer to the
// end. Two of the same at once would be safe, since they make the same things, but neither could tell what it did.
func mayStillWork(errs gqlerror.List) bool {
	for _, err := range errs {
		if engine.CodeOf(err) == model.CodeTimeout {
			return true
		}
	}
	return false
}

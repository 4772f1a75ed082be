package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/answer"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

const headerIdempotencyKey = "Idempotency-Key"

// headerCost asks with "1" that the answer says what the operation costs.
const headerCost = "Almanac-Cost"

// undone carries the errors of a mutation whose answer must not be kept, through the rollback.
type undone struct{ errs gqlerror.List }

func (undone) Error() string { return "the mutation failed in a way that a retry may mend" }

// errAhead rolls a mutation back that wants something done before its transaction.
var errAhead = errors.New("something is to be done ahead of the transaction")

// keyed runs a mutation that comes with a key, or returns the answer it had before.
func (h *Handler) keyed(ctx context.Context, w http.ResponseWriter, r *http.Request, media string, caller model.Caller,
	req engine.Request, op engine.Operation) {
	if body, ok := h.keyedBody(ctx, w, r, media, caller, req, op); ok {
		h.write.bytes(w, r, media, http.StatusOK, body)
	}
}

// keyedBody returns the answer of a mutation that comes with a key; where there is none, the refusal has been written
// and ok is false.
func (h *Handler) keyedBody(ctx context.Context, w http.ResponseWriter, r *http.Request, media string,
	caller model.Caller, req engine.Request, op engine.Operation) (body []byte, ok bool) {
	keys := r.Header.Values(headerIdempotencyKey)
	if len(keys) != 1 || !isIdempotencyKey(keys[0]) {
		h.refuse(w, r, media, http.StatusBadRequest, reasonIdempotencyKey,
			model.Errorf(model.CodeBadUserInput, "An %s is 1 to %d visible ASCII characters, given once.", headerIdempotencyKey,
				model.IdempotencyKeyMax))
		return nil, false
	}
	if h.cfg.Idempotency == nil {
		h.refuse(w, r, media, http.StatusNotImplemented, reasonIdempotencyKey,
			model.Errorf(model.CodeNotConfigured, "This server keeps no answers to repeat."))
		return nil, false
	}
	sum, err := fingerprint(req)
	if err != nil {
		h.refuse(w, r, media, http.StatusInternalServerError, reasonInternal, err)
		return nil, false
	}
	call := model.IdempotentCall{Key: keys[0], Fingerprint: sum}
	var replayed bool
	switch op.Reach() {
	case engine.ReachOwn:
		body, replayed, err = h.once(ctx, caller.UserID, call, op)
	case engine.ReachRemote:
		body, replayed, err = h.claimed(ctx, caller.UserID, call, op)
	default:
		err = model.Errorf(model.CodeBadUserInput,
			"With an %s, mutations of remote systems cannot be mixed with others; send them as separate requests.",
			headerIdempotencyKey)
	}
	if err != nil {
		h.keyRefused(w, r, media, err)
		return nil, false
	}
	if replayed {
		w.Header().Set(headerReplayed, "true")
	}
	return body, true
}

// once runs a mutation whose effects are all here, in one transaction with the record of its answer.
func (h *Handler) once(ctx context.Context, user model.UserID, call model.IdempotentCall,
	op engine.Operation) (body []byte, replayed bool, err error) {
	ahead := &edge.Ahead{}
	for {
		body, replayed, err = h.cfg.Idempotency.Once(edge.WithAhead(ctx, ahead), user, call,
			func(ctx context.Context) ([]byte, error) {
				model.AboutFrom(ctx).Collect()
				response := op.Execute(ctx)
				if ahead.Asked() {
					return nil, errAhead
				}
				if mayMend(response.Errors) {
					return nil, undone{response.Errors}
				}
				body, err := answer.Append(nil, response)
				return telling(ctx, body), err
			})
		if !errors.Is(err, errAhead) {
			break
		}
		ahead.Do(ctx)
	}
	body = told(body)
	if failed, ok := errors.AsType[undone](err); ok {
		body, err = answer.Append(nil, &graphql.Response{Data: json.RawMessage("null"), Errors: failed.errs})
	}
	return body, replayed, err
}

// telling returns an answer as it is kept: behind it, after a line break, which no answer of ours has, stands what it
// tells of. So it is found when that is erased, whatever the client has selected.
func telling(ctx context.Context, body []byte) []byte {
	body = model.AboutFrom(ctx).Kept(body)
	about := model.AboutFrom(ctx).String()
	if about == "" || body == nil {
		return body
	}
	return slices.Concat(body, []byte("\n"+about))
}

// told returns the answer that telling kept.
func told(kept []byte) []byte {
	body, _, _ := bytes.Cut(kept, []byte("\n"))
	return body
}

// keyRefused answers a keyed mutation that did not run, or whose answer could not be kept together with what it did.
func (h *Handler) keyRefused(w http.ResponseWriter, r *http.Request, media string, err error) {
	status := statusOf(err, http.StatusBadRequest)
	if media == mediaJSON && status < http.StatusInternalServerError {
		status = http.StatusOK // a request error, see refused
	}
	if shown, ok := errors.AsType[*model.Error](err); ok && shown.Code == model.CodeConflict {
		// The same request is under way, so the client has only to send it again, whatever it reads of answers.
		status = http.StatusConflict
		w.Header().Set("Retry-After", strconv.FormatInt(max(1, int64((shown.RetryAfter+time.Second-1)/time.Second)), 10))
	}
	h.refuse(w, r, media, status, reasonIdempotency, err)
}

// mayMend reports whether an error is one that the same request may not meet again. Such an answer must not be kept, or
// the retry that the key is for would be useless; and what was done beside it must be undone, or the retry would do
// it twice.
func mayMend(errs gqlerror.List) bool {
	mendable := [...]model.ErrorCode{
		model.CodeInternal, model.CodeTimeout, model.CodeUpstreamUnavailable, model.CodeUpstreamRateLimited,
		model.CodeUpstreamRejected,
		model.CodeNotConnected, model.CodeNotConfigured}
	for _, err := range errs {
		if slices.Contains(mendable[:], engine.CodeOf(err)) {
			return true
		}
	}
	return false
}

func isIdempotencyKey(key string) bool {
	if key == "" || len(key) > model.IdempotencyKeyMax {
		return false
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}

// fingerprint is the SHA-256 of what makes two requests the same: the document's text, the operation's name and the
// variables with their keys in order. Each part is preceded by its length, so that no two requests run together.
func fingerprint(req engine.Request) ([32]byte, error) {
	variables, err := json.Marshal(req.Variables) // sorts the keys of every object and keeps json.Number as written
	if err != nil {
		return [32]byte{}, fmt.Errorf("encode variables: %w", err)
	}
	if len(req.Variables) == 0 {
		variables = []byte("{}")
	}
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(req.Query), []byte(req.OperationName), variables} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		sum.Write(length[:])
		sum.Write(part)
	}
	return [32]byte(sum.Sum(nil)), nil
}

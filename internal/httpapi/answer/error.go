package answer

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"almanac/graph/model"
)

// FromError returns an error as a client may see it. For one that is not a *model.Error it returns INTERNAL and the
// trace id that the log should carry beside the cause; otherwise traceID is empty.
func FromError(err error) (list gqlerror.List, traceID string) {
	shown := new(model.Error)
	if !errors.As(err, &shown) || shown.Code == model.CodeInternal {
		var id [16]byte
		_, _ = rand.Read(id[:]) // never fails (crypto/rand)
		traceID = hex.EncodeToString(id[:])
		return gqlerror.List{{
			Message:    "Something went wrong on our side. The trace id names this failure in our log.",
			Extensions: map[string]any{"code": model.CodeInternal, "traceId": traceID},
		}}, traceID
	}
	extensions := map[string]any{"code": shown.Code}
	if len(shown.Field) > 0 {
		extensions["field"] = shown.Field
	}
	if shown.RetryAfter > 0 {
		// Rounded up, so that a client that waits as told is not early.
		extensions["retryAfterMs"] = (shown.RetryAfter + time.Millisecond - 1).Milliseconds()
	}
	if shown.ConnectURL != "" {
		extensions["connectUrl"] = shown.ConnectURL
	}
	if shown.SignInURL != "" {
		extensions["signInUrl"] = shown.SignInURL
	}
	if len(shown.Readings) > 0 {
		extensions["readings"] = shown.Readings
	}
	if shown.Reason != "" {
		extensions["reason"] = shown.Reason
	}
	return gqlerror.List{{Message: shown.Message, Extensions: extensions}}, ""
}

// Refuse answers an HTTP request that never became a stream: the status and {"errors":[…]} as JSON. It returns the
// trace id of FromError.
func Refuse(w http.ResponseWriter, status int, err error) (traceID string) {
	list, traceID := FromError(err)
	body, encodeErr := json.Marshal(struct {
		Errors gqlerror.List `json:"errors"`
	}{list})
	if encodeErr != nil {
		panic(fmt.Sprintf("answer: strings and numbers did not encode: %v", encodeErr))
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	after := model.RetryAfterOf(err)
	if status == http.StatusServiceUnavailable {
		after = max(after, time.Second) // for how long, nobody knows
	}
	if after > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64((after+time.Second-1)/time.Second), 10))
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone, which is nobody's error
	return traceID
}

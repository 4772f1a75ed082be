package mcp

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"almanac/graph/model"
)

// codeRefused is the JSON-RPC code of a request that was not looked at, of those that are free to servers (JSON-RPC
// 2.0, section 5.1).
const codeRefused = -32_000

// refuse answers a request that never reached the protocol: a status, and an error as JSON-RPC has it, with the code of
// our own list.
func refuse(w http.ResponseWriter, status int, err error) {
	shown := problemOf(err)
	type data struct {
		Code model.ErrorCode `json:"code"`
	}
	type failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    data   `json:"data"`
	}
	body, encodeErr := json.Marshal(struct {
		Version string  `json:"jsonrpc"`
		ID      *string `json:"id"`
		Error   failure `json:"error"`
	}{"2.0", nil, failure{codeRefused, shown.Message, data{shown.Code}}})
	if encodeErr != nil {
		panic(encodeErr) // strings and numbers always encode
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	after := model.RetryAfterOf(err)
	if status == http.StatusServiceUnavailable {
		after = max(after, time.Second) // for how long, nobody knows
	}
	if after > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64((after+time.Second-1)/time.Second), 10))
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone, which is nobody's error
}

package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
	"almanac/internal/httpapi/answer"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/request"
	"almanac/internal/httpapi/share"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// routeAgent is the agent's door without GraphQL.
const routeAgent = "/agent/chat"

// mediaDetail stands for application/json whose errors are {"detail": …}, as the contract of /agent/chat has them.
const mediaDetail = "application/json;detail"

// agentDocument is what /agent/chat runs: the same operation as a client of /graphql would send.
const agentDocument = "mutation AgentChat($input: AgentChatInput!) " +
	"{ agentChat(input: $input) { tool summary result success action { id summary undoable undoUntil } } }"

// The contract's own sentences.
const (
	detailUnauthorized = "Invalid or expired token"
	detailNotConnected = "User has no Google Calendar access token. Please link your Google account first."
	detailFailed       = "Agent invocation failed: "
	detailContext      = "Failed to load user context: "
)

// noAction ends the answer of an agent that has changed nothing. The contract's answers have no such key, so only those
// that changed something have it.
const noAction = `,"action":null}`

// agentChat answers POST /agent/chat: {"text": …} in, {"tool", "summary", "result", "success"} out, and "action" where
// something was changed, with 200 for every outcome that the agent itself tells. It is agentChat(input:) of the schema
// through the same engine, with the same bounds, headers and keys as on /graphql; only requests and errors have another
// form.
func (h *Handler) agentChat(w *tracked, r *http.Request, rec *record) {
	if h.cors(w, r) {
		return
	}
	if h.foreign(r) {
		h.refuse(w, r, mediaDetail, http.StatusForbidden, reasonCrossSite,
			edge.RefuseForeign(r.Context(), h.cfg.Logger, r))
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		h.refuse(w, r, mediaDetail, http.StatusMethodNotAllowed, reasonMethod,
			model.Errorf(model.CodeBadUserInput, "Method Not Allowed"))
		return
	}
	caller, ok := h.authenticate(w, r, mediaDetail)
	if !ok {
		return
	}
	req, ok := h.readAgent(w, r, caller)
	if !ok {
		return
	}
	place, busy := h.cfg.Running.Enter(r.Context(), share.KeyOf(caller))
	if busy != nil {
		h.overloaded(w, r, mediaDetail, busy)
		return
	}
	defer place.Leave()
	ctx, err := h.cfg.Open(model.WithCaller(r.Context(), caller), caller, edge.HintsFrom(r))
	switch {
	case model.CodeOf(err) == model.CodeBadUserInput:
		shown, _ := errors.AsType[*model.Error](err)
		h.detail(w, r, http.StatusBadRequest, reasonViewer, detailContext+shown.Message)
		return
	case err != nil:
		h.refuse(w, r, mediaDetail, statusOf(err, http.StatusInternalServerError), reasonViewer, err)
		return
	}
	op, errs := h.cfg.Engine.Prepare(ctx, req)
	h.sayBudget(w, caller)
	if len(errs) > 0 {
		h.refused(w, r, mediaDetail, errs)
		return
	}
	rec.ran(op)
	if len(r.Header.Values(headerIdempotencyKey)) > 0 {
		body, ok := h.keyedBody(ctx, w, r, mediaDetail, caller, req, op)
		if ok {
			h.tellAgent(w, r, body)
		}
		return
	}
	body, err := answer.Append(nil, op.Execute(ctx))
	if err != nil {
		h.refuse(w, r, mediaDetail, http.StatusInternalServerError, reasonInternal, err)
		return
	}
	h.tellAgent(w, r, body)
}

// agentSaid is what a GraphQL answer says of agentChat.
type agentSaid struct {
	Data *struct {
		AgentChat json.RawMessage `json:"agentChat"`
	} `json:"data"`
	Errors []struct {
		Message    string `json:"message"`
		Extensions struct {
			Code         model.ErrorCode `json:"code"`
			TraceID      string          `json:"traceId"`
			RetryAfterMS int64           `json:"retryAfterMs"`
		} `json:"extensions"`
	} `json:"errors"`
}

// tellAgent writes the answer of the operation in the contract's form. What the agent tells is 200 with its keys,
// whatever stands beside it; but that no account is linked, that one is to come back later, and what went wrong on our
// side have statuses of their own.
func (h *Handler) tellAgent(w http.ResponseWriter, r *http.Request, body []byte) {
	var said agentSaid
	if err := json.Unmarshal(body, &said); err != nil {
		h.refuse(w, r, mediaDetail, http.StatusInternalServerError, reasonInternal,
			fmt.Errorf("read the agent's answer: %w", err))
		return
	}
	told := said.Data != nil && len(said.Data.AgentChat) > 0 && string(said.Data.AgentChat) != "null"
	for _, e := range said.Errors {
		switch code := e.Extensions.Code; {
		case code == model.CodeNotConnected:
			h.detail(w, r, http.StatusBadRequest, reasonConnection, detailNotConnected)
			return
		case code == model.CodeRateLimited, code == model.CodeUpstreamRateLimited:
			w.Header().Set("Retry-After", strconv.FormatInt(max(1, (e.Extensions.RetryAfterMS+999)/1000), 10))
			h.detail(w, r, http.StatusTooManyRequests, reasonRate, e.Message)
			return
		case code == model.CodeInternal && e.Extensions.TraceID != "":
			h.detail(w, r, http.StatusInternalServerError, reasonInternal,
				detailFailed+e.Message+" Trace id: "+e.Extensions.TraceID)
			return
		case !told:
			h.detail(w, r, http.StatusInternalServerError, reasonInternal, detailFailed+e.Message)
			return
		}
	}
	if !told {
		h.refuse(w, r, mediaDetail, http.StatusInternalServerError, reasonInternal, errors.New("the agent gave no answer"))
		return
	}
	shown, changedNothing := bytes.CutSuffix(said.Data.AgentChat, []byte(noAction))
	if changedNothing {
		shown = append(shown, '}')
	}
	h.write.bytes(w, r, mediaJSON, http.StatusOK, shown)
}

// detail answers with the contract's error.
func (h *Handler) detail(w http.ResponseWriter, r *http.Request, status int, why reason,
	sentence string) {
	h.cfg.Metrics.Refused(why.String())
	h.write.detail(w, r, status, sentence)
}

// detailOf is an error's sentence in the contract's words.
func detailOf(status int, err *gqlerror.Error) string {
	traceID, _ := err.Extensions["traceId"].(string)
	switch {
	case status == http.StatusUnauthorized:
		return detailUnauthorized
	case traceID != "":
		return detailFailed + err.Message + " Trace id: " + traceID
	}
	return err.Message
}

// detail writes {"detail": …}.
func (w *writer) detail(out http.ResponseWriter, r *http.Request, status int, detail any) {
	body, err := json.Marshal(struct {
		Detail any `json:"detail"`
	}{detail})
	if err != nil {
		panic(err) // texts always encode
	}
	w.bytes(out, r, mediaJSON, status, body)
}

// fieldProblem is one entry of a 422, in the form of FastAPI's HTTPValidationError
// (https://fastapi.tiangolo.com/tutorial/handling-errors/#override-request-validation-exceptions).
type fieldProblem struct {
	Loc  []string `json:"loc"`
	Msg  string   `json:"msg"`
	Type string   `json:"type"`
}

func problemAt(msg, kind string, loc ...string) fieldProblem {
	return fieldProblem{Loc: slices.Concat([]string{"body"}, loc), Msg: msg, Type: kind}
}

// readAgent reads the request, or answers that it is none: 413 and 415 as on /graphql, 422 for a body that is not of
// the contract's form.
func (h *Handler) readAgent(w http.ResponseWriter, r *http.Request, caller model.Caller) (engine.Request, bool) {
	place, busy := h.reading.Enter(r.Context(), share.KeyOf(caller))
	if busy != nil {
		h.overloaded(w, r, mediaDetail, busy)
		return engine.Request{}, false
	}
	defer place.Leave()
	if sentence := wrongMedia(r.Header); sentence != "" {
		h.detail(w, r, http.StatusUnsupportedMediaType, reasonRequest, sentence)
		return engine.Request{}, false
	}
	if r.ContentLength > request.MaxBody {
		h.tooLarge(w, r)
		return engine.Request{}, false
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, request.MaxBody+1))
	capped := new(http.MaxBytesError)
	switch {
	case errors.As(err, &capped), int64(len(body)) > request.MaxBody:
		h.tooLarge(w, r)
		return engine.Request{}, false
	case err != nil:
		w.Header().Set("Connection", "close")
		h.detail(w, r, http.StatusRequestTimeout, reasonBody, "The request's body did not arrive in time.")
		return engine.Request{}, false
	}
	input, problems := agentInput(body)
	if len(problems) > 0 {
		h.cfg.Metrics.Refused(reasonRequest.String())
		h.write.detail(w, r, http.StatusUnprocessableEntity, problems)
		return engine.Request{}, false
	}
	return engine.Request{Own: true, Query: agentDocument, OperationName: "AgentChat",
			Variables: map[string]any{"input": input}},
		true
}

func (h *Handler) tooLarge(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	h.detail(w, r, http.StatusRequestEntityTooLarge, reasonRequest,
		fmt.Sprintf("The request's body is larger than %d bytes.", request.MaxBody))
}

// wrongMedia says what is wrong with the media type; application/json is demanded so that no page of another site can
// send it unasked (see foreign).
func wrongMedia(header http.Header) string {
	types := header.Values("Content-Type")
	if len(types) != 1 {
		return "A POST needs the header Content-Type: application/json, once."
	}
	media, params, err := mime.ParseMediaType(types[0])
	if err != nil || media != mediaJSON {
		return "The media type must be application/json."
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		return "The charset must be utf-8."
	}
	for _, coding := range header.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") {
			return "Compressed bodies are not served."
		}
	}
	return ""
}

// agentInput reads {"text": …, "confirm": {"token", "choose", "all", "none"}, "maxTokens": …, "after": …}. Other keys
// are refused, so that one that is misspelt is not lost without a word.
func agentInput(body []byte) (map[string]any, []fieldProblem) {
	if strings.TrimSpace(string(body)) == "" {
		return nil, []fieldProblem{problemAt("Field required", "missing")}
	}
	value, err := request.ParseJSON(body)
	if err != nil {
		return nil, []fieldProblem{problemAt("JSON decode error: "+err.Error(), "json_invalid")}
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, []fieldProblem{problemAt("Input should be an object", "model_attributes_type")}
	}
	var problems []fieldProblem
	input := map[string]any{}
	switch text, given := object["text"]; text := text.(type) {
	case string:
		input["text"] = text
	default:
		problem := problemAt("Input should be a valid string", "string_type", "text")
		if !given {
			problem = problemAt("Field required", "missing", "text")
		}
		problems = append(problems, problem)
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch confirm, isObject := object[name].(map[string]any); {
		case name == "text", name == "confirm" && object[name] == nil, name == "after" && object[name] == nil:
		case name == "maxTokens":
			if _, ok := object[name].(json.Number); !ok {
				problems = append(problems, problemAt("Input should be a valid integer", "int_type", name))
			}
			input[name] = object[name]
		case name == "after":
			if _, ok := object[name].(string); !ok {
				problems = append(problems, problemAt("Input should be a valid string", "string_type", name))
			}
			input[name] = object[name]
		case name != "confirm":
			problems = append(problems, problemAt("Extra inputs are not permitted", "extra_forbidden", model.Clip(name)))
		case !isObject:
			problems = append(problems, problemAt("Input should be an object", "model_attributes_type", name))
		default:
			problems = append(problems, confirmProblems(confirm)...)
			input[name] = confirm
		}
	}
	return input, problems
}

// confirmProblems says what is wrong with the answer to a question.
func confirmProblems(confirm map[string]any) (problems []fieldProblem) {
	if _, given := confirm["token"]; !given {
		problems = append(problems, problemAt("Field required", "missing", "confirm", "token"))
	}
	for _, name := range slices.Sorted(maps.Keys(confirm)) {
		switch value := confirm[name]; name {
		case "token":
			if _, ok := value.(string); !ok {
				problems = append(problems, problemAt("Input should be a valid string", "string_type", "confirm", name))
			}
		case "all", "none":
			if _, ok := value.(bool); !ok && value != nil {
				problems = append(problems, problemAt("Input should be a valid boolean", "bool_type", "confirm", name))
			}
		case "choose":
			list, ok := value.([]any)
			isText := func(one any) bool { _, ok := one.(string); return ok }
			if !ok && value != nil || slices.ContainsFunc(list, func(one any) bool { return !isText(one) }) {
				problems = append(problems, problemAt("Input should be a valid list of strings", "list_type", "confirm", name))
			}
		default:
			problems = append(problems,
				problemAt("Extra inputs are not permitted", "extra_forbidden", "confirm", model.Clip(name)))
		}
	}
	return problems
}

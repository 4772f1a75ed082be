package openai_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"almanac/adapters/openai"
	"almanac/graph/model"
)

// toolServer answers with bodies, one after another, the last one for good, and keeps what it was asked.
type toolServer struct {
	answers []string
	asked   []map[string]json.RawMessage
}

func (s *toolServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var asked map[string]json.RawMessage
	_ = json.Unmarshal(body, &asked)
	answer := s.answers[min(len(s.asked), len(s.answers)-1)]
	s.asked = append(s.asked, asked)
	w.Header().Set("Content-Type", "application/json")
	if strings.HasPrefix(answer, `{"error"`) {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = io.WriteString(w, answer)
}

func toolChat(t *testing.T, s *toolServer) *openai.Chat {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	return &openai.Chat{Endpoint: &openai.Endpoint{URL: address}}
}

func calling(calls ...string) string {
	return `{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[` + strings.Join(calls, ",") +
		`]},"finish_reason":"tool_calls"}]}`
}

func call(name, arguments string) string {
	quoted, _ := json.Marshal(arguments)
	return `{"id":"c1","type":"function","function":{"name":"` + name + `","arguments":` + string(quoted) + `}}`
}

func saying(text string) string {
	quoted, _ := json.Marshal(text)
	return `{"choices":[{"message":{"role":"assistant","content":` + string(quoted) + `},"finish_reason":"stop"}]}`
}

func refusing(param, message string) string {
	return `{"error":{"message":"` + message + `","type":"invalid_request_error","param":` + param + `,"code":null}}`
}

var oneTool = openai.Question{
	Model: "m", Messages: []openai.Message{{Role: openai.RoleSystem, Text: "Be brief."},
		{Role: openai.RoleUser, Text: "hello"}},
	Tools: []openai.Tool{{Name: "greet", Description: "Greets.",
		Schema: json.RawMessage(
			`{"type":"object","properties":{"who":{"type":"string"}},"required":["who"],"additionalProperties":false}`)}},
}

// TestTools: calls of any server, and the ways in which servers that take less are asked.
func TestTools(t *testing.T) {
	const dana = `{"who":"Dana"}`
	for _, c := range []struct {
		name    string
		answers []string
		want    string
		// reason is that of the refusal of an answer; empty where there is a call.
		reason string
		// asks is how often the server is asked, now and by the same question again.
		asks, again int
		// last is what the last request must have: strict, loose or words.
		last string
	}{
		{name: "a call", answers: []string{calling(call("greet", dana))}, want: "greet" + dana, asks: 1, again: 1,
			last: "strict"},
		{name: "two calls", answers: []string{calling(call("greet", dana), call("greet", `{"who":"Bob"}`))},
			want: "greet" + dana + `greet{"who":"Bob"}`, asks: 1, again: 1, last: "strict"},
		{name: "arguments in a fence", answers: []string{calling(call("greet", "```json\n"+dana+"\n```"))},
			want: "greet" + dana, asks: 1, again: 1, last: "strict"},
		{name: "an unknown tool", answers: []string{calling(call("erase", `{}`))}, want: "erase{}", asks: 1, again: 1,
			last: "strict"},
		{name: "no strict tools", answers: []string{refusing(`"tools[0].function.strict"`, "Unknown parameter"),
			calling(call("greet", dana))}, want: "greet" + dana, asks: 2, again: 1, last: "loose"},
		{
			name: "no tools at all", answers: []string{refusing("null", "this model does not support tools"),
				refusing("null", "tools are not supported"), saying(`Sure: {"name":"greet","arguments":{"who":"Dana"}}`)},
			want: "greet" + dana, asks: 3, again: 1, last: "words",
		},
		{name: "a call as text", answers: []string{saying(`{"name":"greet","parameters":{"who":"Dana"}}`)},
			want: "greet" + dana, asks: 1, again: 1, last: "strict"},
		{name: "prose, then a call in words", answers: []string{saying("Hello!"),
			saying(`{"name":"greet","arguments":"{\"who\":\"Dana\"}"}`)}, want: "greet" + dana, asks: 2, again: 1,
			last: "words"},
		{name: "prose for ever", answers: []string{saying("Hello!")}, reason: openai.ReasonAnswer, asks: 2, again: 2,
			last: "words"},
		{name: "broken arguments", answers: []string{calling(call("greet", `{"who":`))}, reason: openai.ReasonAnswer, asks: 2,
			again: 2, last: "words"},
		{name: "a list of arguments", answers: []string{calling(call("greet", `["Dana"]`))}, reason: openai.ReasonAnswer,
			asks: 2, again: 2, last: "words"},
		{name: "nothing", answers: []string{`{"choices":[]}`}, reason: openai.ReasonAnswer, asks: 2, again: 2, last: "words"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &toolServer{answers: c.answers}
			chat := toolChat(t, s)
			for _, asks := range []int{c.asks, c.again} {
				before := len(s.asked)
				answer, err := chat.Ask(t.Context(), oneTool)
				var got strings.Builder
				for _, one := range answer.Calls {
					got.WriteString(one.Name + string(one.Arguments))
				}
				reason := ""
				if err != nil {
					shown, ok := errors.AsType[*model.Error](err)
					if !ok {
						t.Fatal(err)
					}
					reason = shown.Reason
				}
				if got.String() != c.want || reason != c.reason || len(s.asked)-before != asks {
					t.Errorf("got %q, reason %q after %d requests; want %q, %q, %d", got.String(), reason, len(s.asked)-before, c.want,
						c.reason, asks)
				}
			}
			if got := offered(s.asked[len(s.asked)-1]); got != c.last {
				t.Errorf("the last request offers tools %s, want %s: %v", got, c.last, s.asked[len(s.asked)-1])
			}
		})
	}
}

// offered tells how a request offers tools.
func offered(asked map[string]json.RawMessage) string {
	switch {
	case strings.Contains(string(asked["tools"]), `"strict":true`) && string(asked["tool_choice"]) == `"required"` &&
		string(asked["parallel_tool_calls"]) == "false":
		return "strict"
	case asked["tools"] != nil && asked["tool_choice"] == nil:
		return "loose"
	case asked["tools"] == nil && strings.Contains(string(asked["messages"]), `\"greet\"`):
		return "words"
	}
	return "not"
}

// TestToolsAndForm: a question is of one kind, and the schemas of tools are read before anything is sent.
func TestToolsAndForm(t *testing.T) {
	s := &toolServer{answers: []string{saying("x")}}
	chat := toolChat(t, s)
	both, broken := oneTool, oneTool
	both.Form = &openai.Form{Name: "f", Schema: json.RawMessage(`{}`)}
	broken.Tools = []openai.Tool{{Name: "x", Schema: json.RawMessage(`[`)}}
	for _, q := range []openai.Question{both, broken} {
		if _, err := chat.Ask(t.Context(), q); err == nil || len(s.asked) > 0 {
			t.Errorf("%v after %d requests", err, len(s.asked))
		}
	}
}

package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/openai"
	"almanac/graph/model"
	standin "almanac/internal/standin/openai"
)

const wantedJSON = `{"word":"yes"}`

// wordForm is a small form.
func wordForm() *openai.Form {
	return &openai.Form{Name: "word", Schema: json.RawMessage(
		`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"],"additionalProperties":false}`)}
}

// chatOf makes a client for answers before a stand-in with one model, "m".
func chatOf(t *testing.T, facts standin.ChatFacts, say string) (*world, *openai.Chat) {
	t.Helper()
	w := newWorld(t, standin.Options{ChatModels: map[string]standin.ChatFacts{"m": facts},
		Say: func(standin.Chat) string { return say }})
	return w, &openai.Chat{Endpoint: w.client.Endpoint}
}

// modern takes all there is.
var modern = standin.ChatFacts{Forms: []string{"text", "json_object", "json_schema"},
	Tokens: []string{"max_tokens", "max_completion_tokens"}, Temperature: true, Context: 8000}

func askWord(t *testing.T, c *openai.Chat) (openai.Answer, error) {
	t.Helper()
	return c.Ask(t.Context(), openai.Question{
		Model: "m", Messages: []openai.Message{{openai.RoleSystem, "One word."},
			{openai.RoleUser, "Is " + secretText + " far? שלום"}}, Form: wordForm(), MaxTokens: 100,
	})
}

// A question goes out as it was asked, and its answer comes back whole, with what it cost.
func TestAnswers(t *testing.T) {
	w, c := chatOf(t, modern, wantedJSON)
	answer, err := askWord(t, c)
	if err != nil || answer.Text != wantedJSON || answer.PromptTokens == 0 || answer.AnswerTokens == 0 {
		t.Fatalf("%+v %v", answer, err)
	}
	asked := w.standin.Chats()
	if len(asked) != 1 || asked[0].Form != "json_schema" || asked[0].FormName != "word" || asked[0].MaxTokens != 100 ||
		asked[0].TokensBy != "max_tokens" || *asked[0].Temperature != 0 ||
		asked[0].Said("system") != "One word." || asked[0].Said("user") != "Is "+secretText+" far? שלום" {
		t.Errorf("asked was %+v", asked)
	}
	if r := w.standin.Requests()[0]; r.Authorization != "Bearer "+secretKey || r.User != "" {
		t.Errorf("asked was %+v", r)
	}
	if w.results() != "ok" {
		t.Errorf("told was %s", w.results())
	}
	w.private()

	w, c = chatOf(t, modern, "Yes, \n it is.")
	answer, err = c.Ask(t.Context(), openai.Question{Model: "m",
		Messages: []openai.Message{{openai.RoleUser, "a"}, {openai.RoleAssistant, "b"}, {openai.RoleUser, "c\xff"}}})
	asked = w.standin.Chats()
	if err != nil || answer.Text != "Yes, \n it is." || asked[0].Form != "text" || asked[0].MaxTokens != 0 ||
		len(asked[0].Messages) != 3 || asked[0].Said("assistant") != "b" || asked[0].Said("user") != "a\nc\uFFFD" {
		t.Errorf("%+v %v %+v", answer, err, asked)
	}
}

// What a model or a server does not take is asked for in another way, once; after that the right way is known.
func TestManners(t *testing.T) {
	const fenced = "Sure! Here it is:\n```json\n" + wantedJSON + "\n```\nAnything else?"
	for name, c := range map[string]struct {
		facts standin.ChatFacts
		host  string
		say   string
		// first is how many requests the first question takes; form and tokens are how later ones are asked.
		first        int
		form, tokens string
		temperature  bool
	}{
		"a modern server": {modern, "", wantedJSON, 1, "json_schema", "max_tokens", true},
		"OpenAI":          {modern, "api.openai.com", wantedJSON, 1, "json_schema", "max_completion_tokens", true},
		"a model that thinks": {standin.ChatFacts{Forms: modern.Forms, Tokens: []string{"max_completion_tokens"}},
			"api.openai.com", wantedJSON, 2, "json_schema", "max_completion_tokens", false},
		"the same elsewhere": {standin.ChatFacts{Forms: modern.Forms, Tokens: []string{"max_completion_tokens"}}, "",
			wantedJSON, 3, "json_schema", "max_completion_tokens", false},
		"OpenAI's form of a proxy": {standin.ChatFacts{Forms: modern.Forms, Tokens: []string{"max_tokens"},
			Temperature: true}, "api.openai.com", wantedJSON, 2, "json_schema", "max_tokens", true},
		"no bound at all": {standin.ChatFacts{Forms: modern.Forms, Temperature: true}, "", wantedJSON, 3,
			"json_schema", "", true},
		"no schemas": {standin.ChatFacts{Forms: []string{"text", "json_object"}, Tokens: modern.Tokens,
			Temperature: true}, "", wantedJSON, 2, "json_object", "max_tokens", true},
		"text alone": {standin.ChatFacts{Forms: []string{"text"}, Tokens: modern.Tokens, Temperature: true},
			"", fenced, 3, "text", "max_tokens", true},
		"nothing of all that":      {standin.ChatFacts{}, "", fenced, 6, "text", "", false},
		"JSON with talk around it": {modern, "", fenced, 1, "json_schema", "max_tokens", true},
		"thoughts before the JSON": {modern, "", "<think>Maybe {\"word\":\"no, surely not that\"}?</think>\n" + wantedJSON,
			1, "json_schema", "max_tokens", true},
		"braces before the JSON":   {modern, "", "{a} {\"b\" {} " + wantedJSON, 1, "json_schema", "max_tokens", true},
		"a short object before it": {modern, "", "{} then " + wantedJSON, 1, "json_schema", "max_tokens", true},
		"a form without a temper": {standin.ChatFacts{Forms: []string{"json_object"}, Tokens: modern.Tokens}, "",
			wantedJSON, 3, "json_object", "max_tokens", false},
		"an object in another line": {modern, "", "\n\n  {\n \"word\": \"yes\"\n}\n", 1, "json_schema", "max_tokens", true},
	} {
		t.Run(name, func(t *testing.T) {
			w, chat := chatOf(t, c.facts, c.say)
			if c.host != "" {
				w.client.Endpoint.URL = mustParse(t, "https://"+c.host+"/v1")
			}
			for i := range 3 {
				answer, err := askWord(t, chat)
				var got struct{ Word string }
				if err != nil || json.Unmarshal([]byte(answer.Text), &got) != nil || got.Word != "yes" {
					t.Fatalf("question %d: %+v %v", i, answer, err)
				}
			}
			requests := w.standin.Chats()
			last := requests[len(requests)-1]
			if len(requests) != c.first+2 || last.Form != c.form || last.TokensBy != c.tokens ||
				(last.Temperature != nil) != c.temperature {
				t.Errorf("%d requests, the last %+v", len(requests), last)
			}
			if said := strings.Contains(last.Said("system"), `"additionalProperties":false`); said != (c.form != "json_schema") || !strings.HasPrefix(last.Said("system"), "One word.") {
				t.Errorf("the system was told %q", last.Said("system"))
			}
			w.private()
		})
	}
}

// A server that takes a schema and gives no JSON is told the schema in words, and one that then gives some is asked so
// from then on. What no manners mend teaches none.
func TestDeafServers(t *testing.T) {
	said := 0
	w := newWorld(t, standin.Options{ChatModels: map[string]standin.ChatFacts{"m": modern},
		Say: func(c standin.Chat) string {
			if said++; c.Form == "json_schema" {
				return "Yes."
			}
			return wantedJSON
		}})
	c := &openai.Chat{Endpoint: w.client.Endpoint}
	for range 2 {
		if answer, err := askWord(t, c); err != nil || answer.Text != wantedJSON {
			t.Errorf("%+v %v", answer, err)
		}
	}
	if said != 3 {
		t.Errorf("asked %d times", said)
	}

	w, c = chatOf(t, modern, "I have read "+secretText+".")
	for range 2 {
		_, err := askWord(t, c)
		w.check(err, model.CodeUpstreamRejected, openai.ReasonAnswer)
		if !openai.IsAboutTexts(err) || openai.IsTooLong(err) || openai.IsLeftAlone(err) {
			t.Errorf("%v is judged wrongly", err)
		}
	}
	if asked := w.standin.Chats(); len(asked) != 4 || asked[2].Form != "json_schema" {
		t.Errorf("asked %d times", len(asked))
	}
}

// Answers that are whole and of no use are errors that say so, and are not asked for again.
func TestAnswersOfNoUse(t *testing.T) {
	for name, c := range map[string]struct {
		fault  standin.Fault
		reason string
	}{
		"cut off":        {standin.Fault{Finish: "length"}, openai.ReasonLength},
		"refused":        {standin.Fault{Refusal: "No, " + secretText + "."}, openai.ReasonRefusal},
		"filtered":       {standin.Fault{Finish: "content_filter"}, openai.ReasonRefusal},
		"without choice": {standin.Fault{Drop: true}, openai.ReasonAnswer},
		"blank":          {standin.Fault{Say: " \n"}, openai.ReasonAnswer},
		"half JSON":      {standin.Fault{Say: `{"word":"` + secretText}, openai.ReasonAnswer},
		"a list":         {standin.Fault{Say: `["` + secretText + `"]`}, openai.ReasonAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			w, chat := chatOf(t, modern, wantedJSON)
			w.standin.Inject(c.fault)
			_, err := askWord(t, chat)
			w.check(err, model.CodeUpstreamRejected, c.reason)
			if n := len(w.standin.Requests()); n > 2 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

// Faults of the endpoint are those of any other call: repeated where that helps, judged alike, and nothing private is
// told.
func TestChatFaults(t *testing.T) {
	for name, c := range map[string]struct {
		fault standin.Fault
		code  model.ErrorCode
		// reason is the endpoint's, asked how many requests there were.
		reason string
		asked  int
	}{
		"broken":         {standin.Fault{Reset: true}, model.CodeUpstreamUnavailable, "", 3},
		"5xx":            {standin.Fault{Status: 503}, model.CodeUpstreamUnavailable, "", 3},
		"half an answer": {standin.Fault{Truncate: true}, model.CodeUpstreamUnavailable, "", 3},
		"a page":         {standin.Fault{Garbage: true}, model.CodeUpstreamUnavailable, "", 1},
		"too fast":       {standin.Fault{Status: 429, RetryAfter: time.Second}, model.CodeUpstreamRateLimited, "", 1},
		"spent":          {standin.Fault{Status: 429, Error: "spent"}, model.CodeUpstreamRateLimited, "", 1},
		"wrong key":      {standin.Fault{Status: 401}, model.CodeUpstreamRejected, "invalid_api_key", 1},
		"no such model":  {standin.Fault{Status: 404}, model.CodeUpstreamRejected, "model_not_found", 1},
		"refused":        {standin.Fault{Status: 400}, model.CodeUpstreamRejected, "invalid_request_error", 1},
		"a large answer": {standin.Fault{Pad: 9 << 20}, model.CodeUpstreamRejected, "", 1},
		"a wrong schema": {standin.Fault{Status: 400,
			Body: `{"error":{"message":"Invalid schema for response_format 'x'","param":"response_format"}}`},
			model.CodeUpstreamRejected, "status_400", 3},
		"a grammar's 500": {standin.Fault{Status: 500,
			Body: `{"error":{"code":500,"message":"failed to parse grammar","type":"server_error"}}`},
			model.CodeUpstreamRejected, "server_error", 3},
	} {
		t.Run(name, func(t *testing.T) {
			w, chat := chatOf(t, modern, wantedJSON)
			w.client.Endpoint.Limits.Answer = 8 << 20
			w.standin.Inject(c.fault)
			_, err := askWord(t, chat)
			w.check(err, c.code, c.reason)
			if n := len(w.standin.Requests()); n != c.asked {
				t.Errorf("asked %d times", n)
			}
		})
	}
	w, chat := chatOf(t, standin.ChatFacts{Forms: modern.Forms, Tokens: modern.Tokens, Temperature: true, Context: 50},
		wantedJSON)
	if _, err := askWord(t, chat); !openai.IsTooLong(err) || !openai.IsAboutTexts(err) {
		t.Errorf("%v is not too long", err)
	}
	w.private()
}

// A slow answer is waited for as long as the limits say, and an endpoint that hangs is left alone after some calls.
func TestSlowAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, chat := chatOf(t, modern, wantedJSON)
		chat.Endpoint.Limits, chat.Endpoint.Wait = openai.ChatLimits(), nil
		w.standin.Inject(standin.Fault{Latency: 2 * time.Minute, Times: 1})
		began := time.Now()
		if _, err := askWord(t, chat); err != nil || time.Since(began) != 2*time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		w.standin.Inject(standin.Fault{Hang: true})
		began = time.Now()
		_, err := askWord(t, chat)
		w.check(err, model.CodeUpstreamUnavailable, "")
		if took := time.Since(began); took > chat.Endpoint.Limits.Call || took < chat.Endpoint.Limits.Attempt {
			t.Errorf("it took %v", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := chat.Ask(ctx, openai.Question{Model: "m",
			Messages: []openai.Message{{openai.RoleUser, "a"}}}); model.CodeOf(err) != model.CodeUpstreamUnavailable {
			t.Errorf("%v", err)
		}
		for range 4 {
			_, err = askWord(t, chat)
		}
		if !openai.IsLeftAlone(err) || model.RetryAfterOf(err) == 0 {
			t.Errorf("%v: it is not left alone", err)
		}
	})
}

// Answers that no stand-in with manners gives.
func TestStrangeChatAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		body   string
		reason string
	}{
		"good": {`{"choices":[{"message":{"content":"{\"word\":\"yes\"}"}}]}`, ""},
		"negative cost": {
			`{"choices":[{"message":{"content":"{\"word\":\"yes\"}"}}],"usage":{"prompt_tokens":-5,"completion_tokens":99999999999999}}`, ""},
		"null content":  {`{"choices":[{"message":{"content":null}}]}`, openai.ReasonAnswer},
		"no message":    {`{"choices":[{}]}`, openai.ReasonAnswer},
		"null choices":  {`{"choices":null}`, openai.ReasonAnswer},
		"an object":     {`{}`, openai.ReasonAnswer},
		"an error, 200": {`{"error":{"message":"no"}}`, openai.ReasonAnswer},
		"a tool's call": {
			`{"choices":[{"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"x","arguments":"{}"}}]}}]}`, openai.ReasonAnswer},
		"many braces": {fmt.Sprintf(`{"choices":[{"message":{"content":%q}}]}`, strings.Repeat("{", 100_000)),
			openai.ReasonAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			w, chat := chatOf(t, modern, "")
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(c.body))
			}))
			defer server.Close()
			transport := openai.NewTransport()
			defer transport.CloseIdleConnections()
			chat.Endpoint.URL, chat.Endpoint.Base = mustParse(t, server.URL+"/v1"), transport
			answer, err := askWord(t, chat)
			if c.reason != "" {
				w.check(err, model.CodeUpstreamRejected, c.reason)
				return
			}
			if err != nil || answer.Text != wantedJSON || answer.PromptTokens < 0 || answer.AnswerTokens > 1<<30 {
				t.Errorf("%+v %v", answer, err)
			}
		})
	}
}

// What is asked in a wrong way is not asked.
func TestChatMisuse(t *testing.T) {
	w, chat := chatOf(t, modern, wantedJSON)
	said := []openai.Message{{openai.RoleUser, "a"}}
	for name, q := range map[string]openai.Question{
		"no model": {Messages: said}, "nothing": {Model: "m"}, "negative": {Model: "m", Messages: said, MaxTokens: -1},
		"nobody":    {Model: "m", Messages: []openai.Message{{"", "a"}}},
		"no schema": {Model: "m", Messages: said, Form: &openai.Form{Name: "x", Schema: json.RawMessage("{")}},
	} {
		if _, err := chat.Ask(t.Context(), q); err == nil {
			t.Errorf("%s was asked", name)
		}
	}
	if _, err := (&openai.Chat{}).Ask(t.Context(), openai.Question{Model: "m", Messages: said}); err == nil {
		t.Error("nobody was asked")
	}
	chat.Endpoint.URL = mustParse(t, "http://model.example/v1")
	if _, err := askWord(t, chat); err == nil || len(w.standin.Requests()) != 0 {
		t.Errorf("%v: it was sent in the clear", err)
	}
}

// Whatever surrounds it, what is found is an object, and one that stands alone is found whole.
func FuzzObjects(f *testing.F) {
	f.Add("```json\n", `{"a":"}"}`, "\n```")
	f.Add("<think>{</think>", "{}", "}")
	f.Add("{{{", `{"a":{"b":[1,{"c":2}]}}`, "]]")
	f.Fuzz(func(t *testing.T, before, object, after string) {
		w, chat := chatOf(t, modern, before+object+after)
		answer, err := askWord(t, chat)
		if err == nil && (!json.Valid([]byte(answer.Text)) || answer.Text[0] != '{') {
			t.Errorf("%q is no object", answer.Text)
		}
		var m map[string]any
		if err != nil && !strings.ContainsAny(before+after, "{}") && json.Unmarshal([]byte(object), &m) == nil && m != nil &&
			len(before+object+after) < 300 && !strings.Contains(before+object+after, "\ufffd") {
			t.Errorf("%q was not found: %v", object, err)
		}
		_ = w
	})
}

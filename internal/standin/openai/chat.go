package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// ChatFacts is what is known of a model that answers.
type ChatFacts struct {
	// Forms are the response formats that it takes: text, json_object, json_schema. One that it does not take is refused.
	Forms []string `json:"forms"`
	// Tokens are the parameters that bound its answer.
	Tokens []string `json:"tokens"`
	// Temperature says that it takes another one than 1.
	Temperature bool `json:"temperature"`
	// Context is how many tokens question and answer may have together, by the stand-in's count.
	Context int `json:"context"`
	// Deaf takes every response format and does not keep to any, as old servers do.
	Deaf bool `json:"deaf"`
	// Tools says that it takes tools.
	Tools bool `json:"tools"`
}

// ChatMessage is one message of a question.
type ChatMessage struct{ Role, Text string }

// Chat is what a model was asked.
type Chat struct {
	Messages []ChatMessage
	// Form is "text", "json_object" or "json_schema"; FormName and Schema are the last one's.
	Form, FormName string
	Schema         json.RawMessage
	// MaxTokens is 0 when the answer is not bounded, and TokensBy the parameter that bounds it.
	MaxTokens int
	TokensBy  string
	// Temperature is nil when it was left out.
	Temperature *float64
	// Tools are those offered, ToolChoice what was said of them: "none", "auto", "required" or nothing.
	Tools      []OfferedTool
	ToolChoice string
}

// Said returns what those of a role have said, one message after the other.
func (c *Chat) Said(role string) string {
	var all []string
	for _, m := range c.Messages {
		if m.Role == role {
			all = append(all, m.Text)
		}
	}
	return strings.Join(all, "\n")
}

// chatBody is a request's body behind its names, which have been checked.
type chatBody struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Format *struct {
		Type       string `json:"type"`
		JSONSchema *struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Strict      *bool           `json:"strict"`
			Schema      json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	MaxTokens           *int     `json:"max_tokens"`
	MaxCompletionTokens *int     `json:"max_completion_tokens"`
	Temperature         *float64 `json:"temperature"`
	N                   *int     `json:"n"`
	User                string   `json:"user"`

	Tools      []toolBody      `json:"tools"`
	ToolChoice json.RawMessage `json:"tool_choice"`
	Parallel   *bool           `json:"parallel_tool_calls"`
}

// readChat checks a body by the published description and by what the model takes.
func (s *Server) readChat(body []byte, r *Request) *problem {
	if refused := s.checkNames(body, s.chats.Parameters); refused != nil {
		return refused
	}
	var given chatBody
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&given); err != nil {
		return s.problem("invalid", "", "Invalid type in the request.")
	}
	c := &Chat{Form: "text", Temperature: given.Temperature}
	r.Model, r.User, r.Chat = given.Model, given.User, c
	if refused := s.readMessages(given, c); refused != nil {
		return refused
	}
	facts, ok := s.chats.Models[given.Model]
	if !ok {
		return s.problem("unknownModel", "", "The model `%s` does not exist or you do not have access to it.", given.Model)
	}
	if refused := s.readForm(given, facts, c); refused != nil {
		return refused
	}
	if refused := s.readNumbers(given, facts, c); refused != nil {
		return refused
	}
	if refused := s.readTools(given, facts, c); refused != nil {
		return refused
	}
	asked := 0
	for _, m := range c.Messages {
		asked += tokens(m.Text)
	}
	if facts.Context > 0 && asked+c.MaxTokens > facts.Context {
		return s.problem("contextLength", "messages",
			"This model's maximum context length is %d tokens. However, you requested %d tokens. Please reduce the length of "+
				"the messages.", facts.Context, asked+c.MaxTokens)
	}
	return nil
}

// checkNames refuses parameters that are not known, and misses those that must be there.
func (s *Server) checkNames(body []byte, known map[string]parameter) *problem {
	given, refused := s.object(body)
	if refused != nil {
		return refused
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := known[name]; !ok {
			return s.problem("unknownParameter", name, "Unknown parameter: '%s'.", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if _, ok := given[name]; known[name].Required && !ok {
			return s.problem("invalid", name, "Missing required parameter: '%s'.", name)
		}
	}
	return nil
}

func (s *Server) readMessages(given chatBody, c *Chat) *problem {
	if len(given.Messages) == 0 {
		return s.problem("invalid", "messages", "Invalid 'messages': empty array.")
	}
	for i, m := range given.Messages {
		at := fmt.Sprintf("messages[%d]", i)
		if !slices.Contains(s.chats.Roles, m.Role) {
			return s.problem("invalid", at+".role", "Invalid value: '%s'. Supported values are: %s.", m.Role,
				strings.Join(s.chats.Roles, ", "))
		}
		var text string
		if json.Unmarshal(m.Content, &text) != nil || len(m.Content) == 0 || m.Content[0] != '"' {
			return s.problem("invalid", at+".content", "Invalid type for '%s.content'.", at)
		}
		c.Messages = append(c.Messages, ChatMessage{m.Role, text})
	}
	return nil
}

// formName is what OpenAI takes as the name of a form.
var formName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (s *Server) readForm(given chatBody, facts ChatFacts, c *Chat) *problem {
	if given.Format == nil {
		return nil
	}
	c.Form = given.Format.Type
	switch {
	case !slices.Contains([]string{"text", "json_object", "json_schema"}, c.Form):
		return s.problem("invalid", "response_format.type", "Invalid value: '%s'.", c.Form)
	case !slices.Contains(facts.Forms, c.Form):
		return s.problem("invalid", "response_format",
			"Invalid parameter: 'response_format' of type '%s' is not supported with this model.", c.Form)
	case c.Form == "json_object" && !slices.ContainsFunc(c.Messages,
		func(m ChatMessage) bool { return strings.Contains(strings.ToLower(m.Text), "json") }):
		return s.problem("invalid", "messages",
			"'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.")
	case c.Form != "json_schema":
		return nil
	}
	form := given.Format.JSONSchema
	switch {
	case form == nil:
		return s.problem("invalid", "response_format.json_schema",
			"Missing required parameter: 'response_format.json_schema'.")
	case !formName.MatchString(form.Name):
		return s.problem("invalid", "response_format.json_schema.name",
			"Invalid 'response_format.json_schema.name': string does not match pattern.")
	}
	c.FormName, c.Schema = form.Name, form.Schema
	if form.Strict != nil && *form.Strict {
		if wrong := s.chats.Schema.check(form.Schema); wrong != "" {
			return s.problem("invalid", "response_format", "Invalid schema for response_format '%s': %s", form.Name, wrong)
		}
	}
	return nil
}

func (s *Server) readNumbers(given chatBody, facts ChatFacts, c *Chat) *problem {
	for name, value := range map[string]*int{"max_tokens": given.MaxTokens,
		"max_completion_tokens": given.MaxCompletionTokens} {
		switch {
		case value == nil:
		case c.MaxTokens != 0:
			return s.problem("invalid", name,
				"Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
		case !slices.Contains(facts.Tokens, name):
			return s.problem("unsupportedParameter", name, "Unsupported parameter: '%s' is not supported with this model.", name)
		case *value < 1:
			return s.problem("invalid", name, "Invalid '%s': integer below minimum value.", name)
		default:
			c.MaxTokens, c.TokensBy = *value, name
		}
	}
	switch t := given.Temperature; {
	case t == nil:
	case *t < 0 || *t > 2:
		return s.problem("invalid", "temperature", "Invalid 'temperature': decimal out of bounds.")
	case *t != 1 && !facts.Temperature:
		return s.problem("unsupportedValue", "temperature",
			"Unsupported value: 'temperature' does not support %v with this model. Only the default (1) value is supported.", *t)
	}
	if given.N != nil && *given.N != 1 {
		return s.problem("invalid", "n", "Only one choice is given here.")
	}
	return nil
}

// answerChat makes the body, with what the fault does to it.
func (s *Server) answerChat(r *Request, fault Fault) []byte {
	type message struct {
		Role    string        `json:"role"`
		Content *string       `json:"content"`
		Refusal *string       `json:"refusal"`
		Calls   []messageCall `json:"tool_calls,omitempty"`
	}
	type choice struct {
		Index   int     `json:"index"`
		Message message `json:"message"`
		Finish  string  `json:"finish_reason"`
	}
	text := fault.Say
	calls := s.calls(*r.Chat, fault)
	if text == "" && calls == nil {
		text = s.say(*r.Chat)
	}
	finish := "stop"
	if most := r.Chat.MaxTokens; most > 0 && tokens(text) > most {
		text, finish = cutText(text, 4*most), "length"
	}
	one := choice{Message: message{Role: "assistant", Content: &text}, Finish: cmp.Or(fault.Finish, finish)}
	if calls != nil {
		one.Message.Content, one.Message.Calls, one.Finish = nil, messageCalls(calls), cmp.Or(fault.Finish, "tool_calls")
	}
	if fault.Refusal != "" {
		one.Message.Content, one.Message.Refusal = nil, &fault.Refusal
	}
	choices := []choice{one}
	if fault.Drop {
		choices = []choice{}
	}
	asked := 0
	for _, m := range r.Chat.Messages {
		asked += tokens(m.Text)
	}
	body, err := json.Marshal(map[string]any{
		"id": "chatcmpl-standin", "object": "chat.completion", "created": 0, "model": r.Model, "choices": choices,
		"usage": map[string]int{"prompt_tokens": asked, "completion_tokens": tokens(text),
			"total_tokens": asked + tokens(text)},
	})
	if err != nil {
		panic(err)
	}
	return append(body, bytes.Repeat([]byte(" "), fault.Pad)...)
}

// say is the answer of whoever plays the model.
func (s *Server) say(c Chat) string {
	if s.options.Say != nil {
		return s.options.Say(c)
	}
	return Read(c)
}

// cutText returns at most so many bytes of a text's beginning, in whole characters.
func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

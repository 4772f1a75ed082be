package openai

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// Chat asks the models of an endpoint to answer. Only Endpoint is needed, and set before the first use. It is safe for
// goroutines and must not be copied.
//
// Servers differ in what they take of a request. What one has refused is asked for in another way, and that is
// remembered for each model as long as the process lives; see dialect.
type Chat struct {
	Endpoint *Endpoint

	mu sync.Mutex
	// learned are the dialects of models, by name.
	learned map[string]dialect
}

// Role is whose words a message is.
type Role string

// The roles.
const (
	// RoleSystem is for our own words, which say what is to be done.
	RoleSystem Role = "system"
	// RoleUser is for what is asked, and what is to be looked at.
	RoleUser Role = "user"
	// RoleAssistant is for what the model has said before.
	RoleAssistant Role = "assistant"
)

// Message is one message of a conversation.
type Message struct {
	Role Role
	Text string
}

// Question is what a model is asked.
type Question struct {
	// Model is the name that the endpoint knows.
	Model    string
	Messages []Message
	// Form is what the answer must look like; nil: any text.
	Form *Form
	// Tools are what the model is to call one of; nil: it is to answer in text. Not together with a Form.
	Tools []Tool
	// MaxTokens bounds the answer; 0: the endpoint's own bound. What would be longer is cut off and is no answer.
	MaxTokens int
}

// Form asks for an answer that is one JSON object.
type Form struct {
	// Name is of letters, digits, underscores and dashes, at most 64.
	Name string
	// Schema is a JSON schema in the subset of OpenAI's structured outputs: each object names all of its properties as
	// required and has no others (https://platform.openai.com/docs/guides/structured-outputs).
	Schema json.RawMessage
}

// Answer is what a model has said.
type Answer struct {
	// Text is the whole answer. With a Form it is one JSON object, without anything around it; whether it fits the schema
	// is not looked at, since not every server holds its models to it.
	Text string
	// Calls are what the model asks to be called, where the question had Tools: at least one, and usually no more.
	Calls []Call
	// PromptTokens and AnswerTokens are what the endpoint has counted; 0 when it does not tell.
	PromptTokens, AnswerTokens int
}

// The reasons of answers that are whole and of no use.
const (
	// ReasonLength: the answer was cut off at MaxTokens, or where the model can hold no more.
	ReasonLength = "length"
	// ReasonRefusal: the model does not want to answer, or a filter of the endpoint has held the answer back.
	ReasonRefusal = "refusal"
	// ReasonAnswer: there is no answer in it, or not in the form that was asked for.
	ReasonAnswer = "answer"
)

// ChatLimits are limits for an endpoint that is asked for long answers in the background: half a minute is usual, and a
// server of one's own may be much slower.
func ChatLimits() Limits {
	return Limits{Attempts: 2, Attempt: 3 * time.Minute, Call: 4 * time.Minute, Slow: 30 * time.Second,
		BackoffBase: time.Second, BackoffMost: 15 * time.Second, Answer: 8 << 20}
}

// SentenceLimits are limits for an endpoint that somebody waits for: a sentence is short, and so is its answer. The
// context's deadline may be nearer.
func SentenceLimits() Limits {
	return Limits{Attempts: 2, Attempt: 8 * time.Second, Call: 10 * time.Second, Slow: 4 * time.Second,
		BackoffMost: 2 * time.Second, Answer: 1 << 20}
}

// Ask asks a model once, with temperature 0 where it takes that.
//
// Errors are those of Classify. UPSTREAM_REJECTED has the reasons ReasonLength, ReasonRefusal and ReasonAnswer for
// answers that are of no use; IsTooLong reports when the question has more tokens than the model takes.
func (c *Chat) Ask(ctx context.Context, question Question) (Answer, error) {
	if question.Model == "" || len(question.Messages) == 0 || question.MaxTokens < 0 || c.Endpoint == nil {
		return Answer{}, errors.New("openai: a model, an endpoint and a question must be named")
	}
	if err := errors.Join(checkQuestion(question), c.Endpoint.Check()); err != nil {
		return Answer{}, err
	}
	known := c.dialectOf(question.Model)
	// now is the dialect of the next request, sure as much of it as a refusal has taught.
	now, sure := known, known
	for {
		request, err := now.request(question)
		if err != nil {
			return Answer{}, err
		}
		said, err := post[chatAnswer](ctx, c.Endpoint, pathChat, request)
		if err != nil {
			next, ok := now.after(err, question)
			if !ok {
				return Answer{}, Classify(err)
			}
			now, sure = next, next
			continue
		}
		answer, err := answerOf(said, question)
		if next, ok := now.ignored(err, question); ok {
			now = next
			continue
		}
		if err == nil {
			sure = now // an answer without JSON may be owed to the text, one with JSON is owed to the dialect
		}
		if sure != known {
			c.learn(question.Model, sure)
		}
		return answer, err
	}
}

// maxLearned bounds for how many models dialects are remembered.
const maxLearned = 64

func (c *Chat) dialectOf(name string) dialect {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d, ok := c.learned[name]; ok {
		return d
	}
	return dialect{newTokens: strings.EqualFold(c.Endpoint.URL.Hostname(), "api.openai.com")}
}

func (c *Chat) learn(name string, d dialect) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.learned == nil || len(c.learned) >= maxLearned {
		c.learned = map[string]dialect{}
	}
	c.learned[name] = d
}

// answerOf takes the answer out of what the endpoint sent.
func answerOf(said chatAnswer, question Question) (Answer, error) {
	if len(said.Choices) == 0 {
		return Answer{}, unanswered(ReasonAnswer, "there is none")
	}
	choice := said.Choices[0]
	answer := Answer{Text: choice.Message.Content, PromptTokens: counted(said.Usage.PromptTokens),
		AnswerTokens: counted(said.Usage.CompletionTokens)}
	switch {
	case choice.Message.Refusal != "", choice.FinishReason == "content_filter":
		return answer, unanswered(ReasonRefusal, "the model refuses to give one")
	case choice.FinishReason == "length":
		return answer, unanswered(ReasonLength, "it was cut off, since it is longer than allowed")
	case len(question.Tools) > 0:
		var err error
		answer.Calls, err = callsOf(choice.Message)
		return answer, err
	case strings.TrimSpace(answer.Text) == "":
		return answer, unanswered(ReasonAnswer, "it is empty")
	case question.Form == nil:
		return answer, nil
	}
	object, ok := objectIn(answer.Text)
	if !ok {
		return answer, unanswered(ReasonAnswer, "it is not the JSON that was asked for")
	}
	answer.Text = object
	return answer, nil
}

// counted is a count of tokens, which nobody has checked.
func counted(n int64) int {
	const most = 1 << 30
	return int(max(0, min(n, most)))
}

// unanswered is for answers that are whole and of no use; the reason says in one word why.
func unanswered(reason, why string) *model.Error {
	return &model.Error{
		Code: model.CodeUpstreamRejected, Reason: reason, Message: "The model's answer cannot be used: " + why + ".",
		Cause: errors.New("openai: the answer cannot be used: " + why),
	}
}

// formOfAnswer is how an answer in a form is asked for.
type formOfAnswer int

const (
	// bySchema: the endpoint holds the model to the schema.
	bySchema formOfAnswer = iota
	// byObject: the endpoint holds it to JSON, and the schema stands in the question.
	byObject
	// byWords: only the question says so.
	byWords
)

// dialect is what a model at an endpoint takes. The zero value asks for everything.
type dialect struct {
	form formOfAnswer
	// calls is how tools are offered.
	calls callsBy
	// anyTemperature: 0 is refused, as OpenAI's reasoning models do.
	anyTemperature bool
	// newTokens bounds the answer by max_completion_tokens, which OpenAI wants, and not by max_tokens, which all others
	// know; noTokens by neither.
	newTokens, swapped, noTokens bool
}

// after is the dialect to try after a refusal, if it is owed to the form of the request.
func (d dialect) after(err error, question Question) (dialect, bool) {
	lost, ok := errors.AsType[*remote.Failure](err)
	if !ok || lost.Kind != remote.KindRejected {
		return d, false
	}
	switch problemOf(lost).about {
	case aboutForm:
		if question.Form == nil || d.form == byWords {
			return d, false
		}
		d.form++
	case aboutTools:
		if len(question.Tools) == 0 || d.calls == byCallInWords {
			return d, false
		}
		if d.calls == byStrictTools {
			d.calls = byTools
		} else {
			d.calls = byCallInWords
		}
	case aboutTemperature:
		if d.anyTemperature {
			return d, false
		}
		d.anyTemperature = true
	case aboutTokens:
		switch {
		case question.MaxTokens == 0 || d.noTokens:
			return d, false
		case d.swapped:
			d.noTokens = true
		default:
			d.newTokens, d.swapped = !d.newTokens, true
		}
	default:
		return d, false
	}
	return d, true
}

// ignored is the dialect to try when an endpoint took a schema and the answer has no JSON at all: it does not know
// schemas and does not say so.
func (d dialect) ignored(err error, question Question) (dialect, bool) {
	shown, ok := errors.AsType[*model.Error](err)
	switch {
	case !ok || shown.Reason != ReasonAnswer:
		return d, false
	case question.Form != nil && d.form == bySchema:
		d.form = byObject
	case len(question.Tools) > 0 && d.calls == byStrictTools:
		d.calls = byCallInWords // it takes tools, or drops them without a word, and calls none
	default:
		return d, false
	}
	return d, true
}

// The request and its answer are the API's own (https://platform.openai.com/docs/api-reference/chat/create).

type chatRequest struct {
	Model               string        `json:"model"`
	Messages            []chatMessage `json:"messages"`
	Temperature         *float64      `json:"temperature,omitempty"`
	MaxTokens           int           `json:"max_tokens,omitempty"`
	MaxCompletionTokens int           `json:"max_completion_tokens,omitempty"`
	ResponseFormat      *chatFormat   `json:"response_format,omitempty"`
	Tools               []chatTool    `json:"tools,omitempty"`
	ToolChoice          string        `json:"tool_choice,omitempty"`
	ParallelToolCalls   *bool         `json:"parallel_tool_calls,omitempty"`
}

type chatFormat struct {
	Type   string      `json:"type"`
	Schema *chatSchema `json:"json_schema,omitempty"`
}

type chatSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

type chatTool struct {
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Strict      bool            `json:"strict,omitempty"`
	Schema      json.RawMessage `json:"parameters"`
}

type chatMessage struct {
	Role      Role       `json:"role"`
	Content   string     `json:"content"`
	Refusal   string     `json:"refusal,omitempty"`
	ToolCalls []chatCall `json:"tool_calls,omitempty"`
}

type chatCall struct {
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type chatAnswer struct {
	Choices []struct {
		Message      chatMessage `json:"message"`
		FinishReason string      `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		PromptTokens     int64 `json:"prompt_tokens"`
		CompletionTokens int64 `json:"completion_tokens"`
	} `json:"usage"`
}

// request is a question in this dialect.
func (d dialect) request(question Question) (chatRequest, error) {
	request := chatRequest{Model: question.Model}
	if !d.anyTemperature {
		request.Temperature = new(0.0)
	}
	switch {
	case d.noTokens:
	case d.newTokens:
		request.MaxCompletionTokens = question.MaxTokens
	default:
		request.MaxTokens = question.MaxTokens
	}
	d.addTools(&request, question)
	messages, err := d.withTools(question.Messages, question)
	if err != nil {
		return request, err
	}
	if form := question.Form; form != nil {
		switch d.form {
		case bySchema:
			request.ResponseFormat = &chatFormat{Type: "json_schema",
				Schema: &chatSchema{Name: form.Name, Strict: true, Schema: form.Schema}}
		case byObject:
			request.ResponseFormat = &chatFormat{Type: "json_object"}
			messages = withSchema(messages, form.Schema)
		default:
			messages = withSchema(messages, form.Schema)
		}
	}
	for _, one := range messages {
		switch one.Role {
		case RoleSystem, RoleAssistant, RoleUser:
			request.Messages = append(request.Messages,
				chatMessage{Role: one.Role, Content: strings.ToValidUTF8(one.Text, "\uFFFD")})
		default:
			return request, errors.New("openai: a message is nobody's")
		}
	}
	return request, nil
}

// withSchema says in words what the endpoint cannot be told otherwise: behind our own words where there are some, since
// some servers take one message of the system only.
func withSchema(messages []Message, schema json.RawMessage) []Message {
	said := "Answer with one JSON object that fits this JSON schema, and with nothing else:\n" + string(schema)
	return withWords(messages, said)
}

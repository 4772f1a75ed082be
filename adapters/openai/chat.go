package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"almanac/graph/model"
)

// Chat asks the models of an endpoint to answer. Only Endpoint is needed, and set before the first use. It is safe for
// goroutines and must not be copied.
//
// Servers differ in what they take of a request. What one has refused is asked for in another way, and that is
// remembered for each model as long as the process lives; see manners.
type Chat struct {
	Endpoint *Endpoint

	mu sync.Mutex
	// learned are the manners of models, by name.
	learned map[string]manners
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
// answers that are of no use; IsTooLong tells when the question has more tokens than the model takes.
func (c *Chat) Ask(ctx context.Context, question Question) (Answer, error) {
	if question.Model == "" || len(question.Messages) == 0 || question.MaxTokens < 0 || c.Endpoint == nil {
		return Answer{}, errors.New("openai: a model, an endpoint and a question must be named")
	}
	if err := errors.Join(checkTools(question), c.Endpoint.Check()); err != nil {
		return Answer{}, err
	}
	service := sdk.NewChatCompletionService(c.Endpoint.options()...)
	known := c.mannersOf(question.Model)
	// now are the manners of the next request, sure those of them that a refusal has taught.
	now, sure := known, known
	for {
		params, err := now.params(question)
		if err != nil {
			return Answer{}, err
		}
		said, err := service.New(ctx, params)
		if err != nil {
			next, ok := now.after(err, question)
			if !ok {
				return Answer{}, Classify(err)
			}
			now, sure = next, next
			continue
		}
		answer, err := answerOf(said, question)
		if next, ok := now.unheard(err, question); ok {
			now = next
			continue
		}
		if err == nil {
			sure = now // an answer without JSON may be owed to the text, one with JSON is owed to the manners
		}
		if sure != known {
			c.learn(question.Model, sure)
		}
		return answer, err
	}
}

// maxLearned bounds for how many models manners are remembered.
const maxLearned = 64

func (c *Chat) mannersOf(name string) manners {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m, ok := c.learned[name]; ok {
		return m
	}
	return manners{newTokens: strings.EqualFold(c.Endpoint.URL.Hostname(), "api.openai.com")}
}

func (c *Chat) learn(name string, m manners) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.learned == nil || len(c.learned) >= maxLearned {
		c.learned = map[string]manners{}
	}
	c.learned[name] = m
}

// answerOf takes the answer out of what the endpoint gave.
func answerOf(said *sdk.ChatCompletion, question Question) (Answer, error) {
	if said == nil || len(said.Choices) == 0 {
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
		answer.Calls, err = callsOf(choice)
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

// counted gives a count of tokens, which nobody has checked.
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

// manners is what a model at an endpoint takes. The zero value asks for everything.
type manners struct {
	form formOfAnswer
	// calls is how tools are offered.
	calls callsBy
	// anyTemperature: 0 is refused, as OpenAI's reasoning models do.
	anyTemperature bool
	// newTokens bounds the answer by max_completion_tokens, which OpenAI wants, and not by max_tokens, which all others
	// know; noTokens by neither.
	newTokens, swapped, noTokens bool
}

// after gives the manners to try after a refusal, if it is owed to the form of the request.
func (m manners) after(err error, question Question) (manners, bool) {
	lost, ok := errors.AsType[*failure](err)
	if !ok || lost.kind != kindRejected {
		return m, false
	}
	switch lost.said.about {
	case aboutForm:
		if question.Form == nil || m.form == byWords {
			return m, false
		}
		m.form++
	case aboutTools:
		if len(question.Tools) == 0 || m.calls == byCallInWords {
			return m, false
		}
		if m.calls == byStrictTools {
			m.calls = byTools
		} else {
			m.calls = byCallInWords
		}
	case aboutTemperature:
		if m.anyTemperature {
			return m, false
		}
		m.anyTemperature = true
	case aboutTokens:
		switch {
		case question.MaxTokens == 0 || m.noTokens:
			return m, false
		case m.swapped:
			m.noTokens = true
		default:
			m.newTokens, m.swapped = !m.newTokens, true
		}
	default:
		return m, false
	}
	return m, true
}

// unheard gives the manners to try when an endpoint took a schema and the answer has no JSON at all: it does not know
// schemas and does not say so.
func (m manners) unheard(err error, question Question) (manners, bool) {
	shown, ok := errors.AsType[*model.Error](err)
	switch {
	case !ok || shown.Reason != ReasonAnswer:
		return m, false
	case question.Form != nil && m.form == bySchema:
		m.form = byObject
	case len(question.Tools) > 0 && m.calls == byStrictTools:
		m.calls = byCallInWords // it takes tools, or drops them without a word, and calls none
	default:
		return m, false
	}
	return m, true
}

// params are the request in these manners.
func (m manners) params(question Question) (sdk.ChatCompletionNewParams, error) {
	params := sdk.ChatCompletionNewParams{Model: question.Model}
	if !m.anyTemperature {
		params.Temperature = sdk.Float(0)
	}
	if question.MaxTokens > 0 && !m.noTokens {
		if m.newTokens {
			params.MaxCompletionTokens = sdk.Int(int64(question.MaxTokens))
		} else {
			params.MaxTokens = sdk.Int(int64(question.MaxTokens))
		}
	}
	if err := m.toolParams(&params, question); err != nil {
		return params, err
	}
	messages, err := m.withTools(question.Messages, question)
	if err != nil {
		return params, err
	}
	if question.Form != nil {
		var schema any
		if err := json.Unmarshal(question.Form.Schema, &schema); err != nil {
			return params, fmt.Errorf("openai: the schema of a form: %w", err)
		}
		switch m.form {
		case bySchema:
			params.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
				JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
					Name: question.Form.Name, Strict: sdk.Bool(true), Schema: schema,
				}}
		case byObject:
			params.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
			messages = withSchema(messages, question.Form.Schema)
		default:
			messages = withSchema(messages, question.Form.Schema)
		}
	}
	for _, one := range messages {
		text := strings.ToValidUTF8(one.Text, "\uFFFD")
		switch one.Role {
		case RoleSystem:
			params.Messages = append(params.Messages, sdk.SystemMessage(text))
		case RoleAssistant:
			params.Messages = append(params.Messages, sdk.AssistantMessage(text))
		case RoleUser:
			params.Messages = append(params.Messages, sdk.UserMessage(text))
		default:
			return params, errors.New("openai: a message is nobody's")
		}
	}
	return params, nil
}

// withSchema says in words what the endpoint cannot be told otherwise: behind our own words where there are some, since
// some servers take one message of the system only.
func withSchema(messages []Message, schema json.RawMessage) []Message {
	said := "Answer with one JSON object that fits this JSON schema, and with nothing else:\n" + string(schema)
	return withWords(messages, said)
}

// IsTooLong tells whether an error says that a question has more tokens than the model takes at once.
func IsTooLong(err error) bool {
	lost, ok := errors.AsType[*failure](err)
	return ok && lost.kind == kindRejected && (lost.said.tooLong || lost.status == http.StatusRequestEntityTooLarge)
}

// IsLeftAlone tells whether an error says that nothing was sent, since the endpoint is left alone for now.
func IsLeftAlone(err error) bool {
	lost, ok := errors.AsType[*failure](err)
	return ok && (lost.kind == kindLeftAlone || errors.Is(lost.err, errResting))
}

package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Tool is something that a model may ask to be called. Nothing is ever called from here.
type Tool struct {
	// Name is of letters, digits, underscores and dashes, at most 64.
	Name string
	// Description tells the model when to call it, and how.
	Description string
	// Schema is that of the arguments, in the subset of Form.Schema.
	Schema json.RawMessage
}

// Call is a call that a model asks for. Neither its name nor its arguments have been held against the tools: not every
// server does that.
type Call struct {
	Name string
	// Arguments are one JSON object.
	Arguments json.RawMessage
}

// maxCalls is how many calls of one answer are looked at; those beyond it are counted as one more.
const maxCalls = 4

// callsBy is how a server is asked for a call.
type callsBy int

const (
	// byStrictTools: the endpoint holds the model to calling one tool once, with arguments that fit the schema.
	byStrictTools callsBy = iota
	// byTools: the tools are named, and the model is asked in words to call one.
	byTools
	// byCallInWords: the tools stand in the question, and the answer is to be a call as JSON.
	byCallInWords
)

// addTools puts the tools of a question into a request.
func (d dialect) addTools(request *chatRequest, question Question) {
	if len(question.Tools) == 0 || d.calls == byCallInWords {
		return
	}
	strict := d.calls == byStrictTools
	for _, tool := range question.Tools {
		request.Tools = append(request.Tools, chatTool{Type: "function", Function: chatFunction{Name: tool.Name,
			Description: tool.Description, Schema: tool.Schema, Strict: strict}})
	}
	if strict {
		request.ToolChoice, request.ParallelToolCalls = "required", new(false)
	}
}

// withTools says in words what the endpoint cannot be told otherwise.
func (d dialect) withTools(messages []Message, question Question) ([]Message, error) {
	if len(question.Tools) == 0 || d.calls != byCallInWords {
		return messages, nil
	}
	type shownTool struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Arguments   json.RawMessage `json:"arguments"`
	}
	shown := make([]shownTool, len(question.Tools))
	for i, tool := range question.Tools {
		shown[i] = shownTool{tool.Name, tool.Description, tool.Schema}
	}
	text, err := json.Marshal(shown)
	if err != nil {
		return nil, fmt.Errorf("openai: tools in words: %w", err)
	}
	said := `Call one tool: answer with one JSON object {"name": …, "arguments": {…}} and with nothing else. ` +
		"The tools, with the JSON schemas of their arguments:\n" + string(text)
	return withWords(messages, said), nil
}

// withWords puts words of ours behind those of the system, or before everything.
func withWords(messages []Message, said string) []Message {
	if len(messages) > 0 && messages[0].Role == RoleSystem {
		return append([]Message{{RoleSystem, messages[0].Text + "\n\n" + said}}, messages[1:]...)
	}
	return append([]Message{{RoleSystem, said}}, messages...)
}

// callsOf takes the calls out of an answer. A model that writes a call as text instead, as small ones do, is
// understood.
func callsOf(message chatMessage) ([]Call, error) {
	var calls []Call
	for _, one := range message.ToolCalls {
		if len(calls) > maxCalls {
			break
		}
		arguments, ok := objectIn(one.Function.Arguments)
		if !ok {
			return nil, unanswered(ReasonAnswer, "the arguments of a call are no JSON object")
		}
		calls = append(calls, Call{Name: one.Function.Name, Arguments: json.RawMessage(arguments)})
	}
	if len(calls) > 0 {
		return calls, nil
	}
	call, ok := callIn(message.Content)
	if !ok {
		return nil, unanswered(ReasonAnswer, "it calls no tool")
	}
	return []Call{call}, nil
}

// callIn reads a call that stands in a text.
func callIn(text string) (Call, bool) {
	object, ok := objectIn(text)
	var said struct {
		Name       string          `json:"name"`
		Arguments  json.RawMessage `json:"arguments"`
		Parameters json.RawMessage `json:"parameters"`
	}
	if !ok || json.Unmarshal([]byte(object), &said) != nil || said.Name == "" {
		return Call{}, false
	}
	if len(said.Arguments) == 0 {
		said.Arguments = said.Parameters
	}
	var quoted string
	if json.Unmarshal(said.Arguments, &quoted) == nil {
		said.Arguments = json.RawMessage(quoted)
	}
	if !strings.HasPrefix(strings.TrimSpace(string(said.Arguments)), "{") || !json.Valid(said.Arguments) {
		return Call{}, false
	}
	return Call{Name: said.Name, Arguments: said.Arguments}, true
}

// checkQuestion finds questions that no server could answer.
func checkQuestion(question Question) error {
	if len(question.Tools) > 0 && question.Form != nil {
		return errors.New("openai: a question has a form or tools, not both")
	}
	if question.Form != nil && !json.Valid(question.Form.Schema) {
		return errors.New("openai: the schema of a form is no JSON")
	}
	for _, tool := range question.Tools {
		if !json.Valid(tool.Schema) {
			return fmt.Errorf("openai: the schema of the tool %s is no JSON", tool.Name)
		}
	}
	return nil
}

//go:build bench

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"almanac/graph/model"
)

// assistant answers a sentence of a user.
type assistant interface {
	chat(ctx context.Context, c *client, text string) (*answer, error)
}

// answer is what an assistant says, whatever fields it says it in.
type answer struct {
	Tool         string
	Success      bool
	Summary      string
	Result       json.RawMessage
	Events       []event
	Confirmation *question
	UserErrors   []problem
	// all is the whole payload as text.
	all string
}

type question struct {
	Kind, Question string
	Candidates     []struct{ Key, Label string }
}

// agent is the assistant of agentChat.
type agent struct{ selection string }

// selections are what is read of the types that the payload of agentChat may hold.
var selections = map[string]string{
	"Event":        "{ " + eventFields + " }",
	"Task":         "{ id text dueDate completed }",
	"List":         "{ id name items { id text checked } }",
	"ListItem":     "{ id text checked }",
	"Memory":       "{ id content }",
	"Email":        "{ id subject from { name email } }",
	"Confirmation": "{ kind question candidates { key label } }",
	"UserError":    "{ code message }",
	"Node": `{ id ... on Event { summary start { date dateTime } end { date dateTime } } ... on Task { text dueDate }
		... on List { name items { text checked } } ... on Memory { content } ... on Email { subject } }`,
}

// newAgent finds out what the payload has. A field of a type that is not known here is left out.
func newAgent(ctx context.Context, c *client) (agent, error) {
	type typ struct {
		Name, Kind string
		OfType     *typ
	}
	var out struct {
		Type struct {
			Fields []struct {
				Name string
				Type typ
				Args []struct{ Type typ }
			}
		} `json:"__type"`
	}
	const named = "name kind ofType { name kind ofType { name kind ofType { name kind } } }"
	_, err := c.ask(ctx, &out, `{ __type(name: "AgentChatPayload") { fields { name type { `+named+
		` } args { type { kind name } } } } }`, nil)
	if err != nil {
		return agent{}, err
	}
	var fields []string
	for _, field := range out.Type.Fields {
		of := &field.Type
		for of.OfType != nil {
			of = of.OfType
		}
		switch selection, known := selections[of.Name]; {
		case known:
			fields = append(fields, field.Name+" "+selection)
		case of.Kind == "SCALAR" || of.Kind == "ENUM":
			fields = append(fields, field.Name)
		}
	}
	if len(fields) == 0 {
		return agent{}, fmt.Errorf("agentChat has no payload")
	}
	return agent{selection: strings.Join(fields, " ")}, nil
}

// errLate says that the server was too slow to answer, which nothing is to be judged by.
var errLate = errors.New("the server did not answer in time")

func (a agent) chat(ctx context.Context, c *client, text string) (*answer, error) {
	var out struct{ AgentChat json.RawMessage }
	problems, err := c.ask(ctx, &out, `mutation($text: String!) { agentChat(input: { text: $text }) { `+a.selection+` } }`,
		map[string]any{"text": text})
	if len(problems) > 0 && problems[0].Extensions.Code == string(model.CodeTimeout) {
		return nil, errLate
	}
	if len(problems) > 0 { // an error beside the payload, or instead of it
		return &answer{Summary: problems[0].Message, all: problems[0].Message}, nil
	}
	if err != nil {
		return nil, err
	}
	said := &answer{all: string(out.AgentChat)}
	return said, json.Unmarshal(out.AgentChat, said)
}

// asks reports whether the answer is a question: a confirmation, or, of a sentence that is to change something, a
// refusal that says what is missing. The calendar's says so in words of its own.
func (a *answer) asks(e *expect) bool {
	switch {
	case a.Confirmation != nil:
		return true
	case a.Success || e.Effect == "read":
		return false
	case strings.Contains(a.message(), "?"):
		return true
	}
	return e.Domain == "calendar" && strings.Contains(a.Summary, "required")
}

// message is what the answer says, without its data.
func (a *answer) message() string {
	text := a.Summary
	for _, problem := range a.UserErrors {
		text += "\n" + problem.Message
	}
	return text
}

// counted is the number that the result says it has found; -1 where it says none.
func (a *answer) counted() int {
	var result struct{ Count *int }
	if json.Unmarshal(a.Result, &result) != nil || result.Count == nil {
		return -1
	}
	return *result.Count
}

// String is the answer on one line, for lists of failures.
func (a *answer) String() string {
	text := fmt.Sprintf("%s, success %t: %s", a.Tool, a.Success, a.Summary)
	if a.Confirmation != nil {
		text += " (asks " + a.Confirmation.Question + ")"
	}
	return strings.ReplaceAll(text, "\n", " / ")
}

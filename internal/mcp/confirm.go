package mcp

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/graph/model"
)

// confirmArgs are the arguments of the tool.
type confirmArgs struct {
	dryArgs
	Token  string   `json:"token"`
	Undo   string   `json:"undo"`
	Choose []string `json:"choose"`
	All    bool     `json:"all"`
}

// confirm is the tool of that name.
func (s *Server) confirm(ctx context.Context, c *call, in confirmArgs) (outcome, error) {
	switch {
	case in.Undo != "" && in.Token != "":
		return outcome{}, model.BadInput("undo", "give a token or the id of an action, not both")
	case in.Undo != "":
		return s.perform(ctx, c, step{Mutation: "undoAction", Input: map[string]any{"id": in.Undo}}, "")
	}
	plan, err := s.openPlan(c.caller.UserID, in.Token)
	if err != nil {
		return outcome{}, err
	}
	return s.carryOut(ctx, c, plan, chosen{Choose: in.Choose, All: in.All})
}

// The names within a form.
const (
	inputName  = "question"
	fieldName  = "answer"
	answerYes  = "yes"
	answerNo   = "no"
	actionTake = "accept"
)

// asksPeople reports whether the client can put a question to its user by itself. The answer then comes from a form,
// and the model has no token that it could confirm with.
func asksPeople(request *mcp.CallToolRequest) bool {
	// Before this revision a question needs a session, which a server of many replicas does not keep.
	const since = "2026-07-28"
	able := request.ClientCapabilities()
	if able == nil || able.Elicitation == nil || request.ProtocolVersion() < since {
		return false
	}
	return able.Elicitation.Form != nil || able.Elicitation.URL == nil
}

// askResult puts a question to the user, or to the model when there is no other way.
func (s *Server) askResult(request *mcp.CallToolRequest, q question) (*mcp.CallToolResult, any, error) {
	if asksPeople(request) {
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{
				inputName: &mcp.ElicitParams{Mode: "form", Message: q.plain(), RequestedSchema: q.form()}},
			RequestState: q.Token,
		}, nil, nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: q.text()}}},
		content{Confirmation: &q.confirmation}.fenced(), nil
}

// form is the JSON schema of the answer to a question, one property, as elicitation wants it.
func (q question) form() map[string]any {
	property := map[string]any{}
	choices := make([]map[string]any, 0, len(q.Candidates)+1)
	for _, one := range q.Candidates {
		choices = append(choices, map[string]any{"const": one.Key, "title": cleaned(one.Label)})
	}
	switch {
	case len(choices) == 0:
		property["type"] = "string"
		property["oneOf"] = []map[string]any{{"const": answerYes, "title": answerYes}, {"const": answerNo, "title": answerNo}}
	case q.AllowMultiple:
		property["type"] = "array"
		property["minItems"] = 1
		property["items"] = map[string]any{"anyOf": choices}
	default:
		property["type"] = "string"
		property["oneOf"] = choices
	}
	return map[string]any{"type": "object", "properties": map[string]any{fieldName: property},
		"required": []string{fieldName}}
}

// answered goes on with a question that the client has put to its user. What else the request says does not matter: the
// state holds what was asked about.
func (s *Server) answered(ctx context.Context, c *call, request *mcp.CallToolRequest) (outcome, error) {
	plan, err := s.openPlan(c.caller.UserID, request.Params.RequestState)
	if err != nil {
		return outcome{}, err
	}
	given, ok := request.Params.InputResponses[inputName].(*mcp.ElicitResult)
	if !ok {
		return outcome{}, model.BadInput("inputResponses", "the answer to the question is missing")
	}
	by, yes := readAnswer(given, plan)
	if !yes {
		return outcome{text: "The user said no. Nothing was done.", content: content{Declined: true}}, nil
	}
	return s.carryOut(ctx, c, plan, by)
}

// readAnswer reads a form; anything but a clear yes is a no.
func readAnswer(given *mcp.ElicitResult, plan pending) (by chosen, yes bool) {
	if given.Action != actionTake {
		return by, false
	}
	switch answer := given.Content[fieldName].(type) {
	case string:
		if len(plan.Offered) == 0 {
			return by, answer == answerYes
		}
		by.Choose = []string{answer}
	case []any:
		for _, one := range answer {
			text, ok := one.(string)
			if !ok {
				return by, false
			}
			by.Choose = append(by.Choose, text)
		}
	}
	return by, len(by.Choose) > 0 && !slices.Contains(by.Choose, "")
}

package mcp

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/internal/httpapi/edge"
	"almanac/projections/compact"
)

//go:embed definitions.json
var definitions []byte

// tool is a tool that may be offered.
type tool struct {
	definition
	// needs is the scope without which it is not offered. sends: it has the action "send", which needs SEND.
	needs model.Scope
	sends bool
	add   func(server *mcp.Server, as definition)
}

// offeredTo is the definition for those who may do so much; false when they may not call it.
func (t tool) offeredTo(may scopes) (definition, bool) {
	if t.needs == model.ScopeRead && !may.read || t.needs == model.ScopeWrite && !may.write {
		return definition{}, false
	}
	out := t.definition
	if t.sends && !may.send {
		out.InputSchema = bytes.Replace(out.InputSchema, []byte(`"send",`), nil, 1)
		out.Description = "write and reply make a preview. Nothing is sent."
	}
	return out, true
}

// builtIn returns the built-in tools, in the order of their definitions.
func (s *Server) builtIn() ([]tool, error) {
	var defined []definition
	if err := json.Unmarshal(definitions, &defined); err != nil {
		return nil, fmt.Errorf("mcp: definitions of tools: %w", err)
	}
	parts := map[string]tool{
		"agenda":        {needs: model.ScopeRead, add: adder(s, s.agenda)},
		"find":          {needs: model.ScopeRead, add: adder(s, s.find)},
		"open":          {needs: model.ScopeRead, add: adder(s, s.open)},
		"change_tasks":  {needs: model.ScopeWrite, add: adder(s, s.changeTasks)},
		"change_events": {needs: model.ScopeWrite, add: adder(s, s.changeEvents)},
		"mail":          {needs: model.ScopeWrite, sends: true, add: adder(s, s.mail)},
		"remember":      {needs: model.ScopeWrite, add: adder(s, s.remember)},
		"confirm":       {needs: model.ScopeWrite, add: adder(s, s.confirm)},
	}
	out := make([]tool, len(defined))
	for i, d := range defined {
		t, ok := parts[d.Name]
		if !ok {
			return nil, fmt.Errorf("mcp: the tool %q is defined and not there", d.Name)
		}
		var small bytes.Buffer
		if err := json.Compact(&small, d.InputSchema); err != nil {
			return nil, fmt.Errorf("mcp: the schema of %q: %w", d.Name, err)
		}
		d.InputSchema = small.Bytes()
		t.definition = d
		out[i] = t
	}
	return out, nil
}

// dryArgs are arguments of every tool that changes something.
type dryArgs struct {
	// DryRun has the tool say what it would do, and do nothing.
	DryRun bool `json:"dryRun"`
}

func (d dryArgs) isDry() bool { return d.DryRun }

// adder returns what adds a tool to a server.
func adder[In any](s *Server,
	act func(ctx context.Context, c *call, in In) (outcome, error)) func(*mcp.Server, definition) {
	return func(server *mcp.Server, as definition) {
		mcp.AddTool(server, as.tool(),
			func(ctx context.Context, request *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
				c, err := callOf(ctx)
				if err != nil {
					return nil, nil, err
				}
				ctx, done := c.lasting(ctx)
				defer done()
				if changes, ok := any(in).(interface{ isDry() bool }); ok && changes.isDry() {
					ctx = dryrun.With(ctx)
				}
				if request.Params.RequestState != "" {
					return s.result(ctx, c, request, func() (outcome, error) { return s.answered(ctx, c, request) })
				}
				return s.result(ctx, c, request, func() (outcome, error) { return act(ctx, c, in) })
			})
	}
}

// result runs a tool and returns what came of it as the protocol has it. No cause of a failure leaves the server.
func (s *Server) result(ctx context.Context, c *call, request *mcp.CallToolRequest,
	act func() (outcome, error)) (*mcp.CallToolResult, any, error) {
	out, err := act()
	if err != nil {
		shown := problemOf(err)
		switch {
		case ctx.Err() != nil && shown.Code == model.CodeInternal:
			shown = problem{Code: model.CodeTimeout, Message: "It was given up before it was done."}
		case shown.Code == model.CodeInternal:
			s.cfg.Logger.ErrorContext(ctx, "a tool failed", "requestId", edge.RequestID(c.request.Context()), "tool",
				request.Params.Name, "cause", err.Error())
		}
		out = failure(shown)
	}
	if out.ask != nil {
		return s.askResult(request, *out.ask)
	}
	if out.text == "" {
		out.text = "Done."
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out.text}}, IsError: out.failed},
		out.content.fenced(), nil
}

// within checks that the tools are few and their definitions short.
func within(tools []tool) error {
	tokens := 0
	sizes := make([]string, len(tools))
	for i, t := range tools {
		text, err := json.Marshal(t.tool())
		if err != nil {
			return fmt.Errorf("mcp: the definition of %q: %w", t.Name, err)
		}
		size := compact.Tokens(string(text))
		tokens += size
		sizes[i] = fmt.Sprintf("%s (%d)", t.Name, size)
	}
	const mend = "Take out what is not needed: built-in tools with ALMANAC_MCP_TOOLS, documents from the folder of " +
		"ALMANAC_MCP_DOCUMENTS. There are, with their tokens: "
	switch list := strings.Join(sizes, ", "); {
	case len(tools) > MaxTools:
		return fmt.Errorf("%d MCP tools are too many for a model to choose from: at most %d are offered. %s%s", len(tools),
			MaxTools, mend, list)
	case tokens > MaxDefinitionTokens:
		return fmt.Errorf("the definitions of the MCP tools have about %d tokens: at most %d are offered. %s%s", tokens,
			MaxDefinitionTokens, mend, list)
	case len(tools) == 0:
		return errors.New("no MCP tool would be offered: ALMANAC_MCP_TOOLS names none")
	}
	return nil
}

func unknownTool(name string, known []string) error {
	return fmt.Errorf("there is no MCP tool %q; there are: %s", model.Clip(name), strings.Join(known, ", "))
}

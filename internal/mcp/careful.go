package mcp

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// careful keeps a panic to the request that it happened in, and refuses calls that are not ones of the protocol: an
// unknown tool, one that the token does not allow, arguments that are no object (MCP, "Tools", "Error Handling").
func (s *Server) careful(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if value := recover(); value != nil {
				s.cfg.Logger.LogAttrs(ctx, slog.LevelError, "panic in MCP", slog.String("method", method), slog.Any("panic", value),
					slog.String("stack", string(debug.Stack())))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "Something went wrong on our side."}
			}
		}()
		if call, ok := request.(*mcp.CallToolRequest); ok {
			if err := s.checkCall(ctx, call.Params); err != nil {
				return nil, err
			}
		}
		result, err = next(ctx, method, request)
		// A call that was refused has a nil result of its type.
		if refused, ok := result.(*mcp.CallToolResult); ok && refused != nil && refused.IsError {
			for _, part := range refused.Content {
				if said, ok := part.(*mcp.TextContent); ok {
					said.Text = clipped(said.Text)
				}
			}
		}
		return result, err
	}
}

// checkCall refuses a call that is none of the protocol, with the code for invalid parameters.
func (s *Server) checkCall(ctx context.Context, params *mcp.CallToolParamsRaw) error {
	invalid := func(format string, args ...any) error {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
	}
	c, err := callOf(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(s.tools, func(t tool) bool { return t.Name == params.Name })
	if i < 0 {
		return invalid("There is no tool %q.", clipped(params.Name))
	}
	if _, allowed := s.tools[i].offeredTo(scopesOf(c.caller)); !allowed {
		return invalid("The token does not allow the tool %q.", params.Name)
	}
	if arguments := bytes.TrimSpace(params.Arguments); len(arguments) > 0 && arguments[0] != '{' {
		return invalid("The arguments of a tool are an object, by their names; leave them out where there are none.")
	}
	return nil
}

// maxRefusal is how long the text of a refusal is, in characters: the library quotes what it was given whole.
const maxRefusal = 4_000

func clipped(text string) string {
	if utf8.RuneCountInString(text) <= maxRefusal {
		return text
	}
	return string([]rune(text)[:maxRefusal-1]) + "…"
}

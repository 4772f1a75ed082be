package graphiti

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/adapters/knowledge"
	"almanac/graph/model"
)

// statusResource is where servers before 1.0.0 tell their status.
const statusResource = "http://graphiti/status"

// Status implements knowledge.Reader: by the tool, or the resource of older servers. A server that cannot be reached,
// or that refuses, is not healthy; that is no failure of the question.
func (b *Base) Status(ctx context.Context, _ model.UserID, _ time.Time) (knowledge.Status, error) {
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return knowledge.Status{}, err
	}
	answer, err := b.askStatus(ctx)
	if shown, ok := errors.AsType[*model.Error](err); ok && ctx.Err() == nil {
		message := shown.Message
		if shown.Reason != "" {
			message += ": " + shown.Reason
		}
		return knowledge.Status{Message: message}, nil
	}
	if err != nil {
		return knowledge.Status{}, err
	}
	var told struct {
		Status  wireText `json:"status"`
		Message wireText `json:"message"`
	}
	told.Message = "its answer is not understood"
	_ = json.Unmarshal(answer, &told) // then this stays
	return knowledge.Status{Healthy: strings.EqualFold(string(told.Status), "ok"),
		Message: reasonOf(string(told.Message))}, nil
}

func (b *Base) askStatus(ctx context.Context) (json.RawMessage, error) {
	t, lost := b.known(ctx)
	if lost != nil {
		return nil, shown(lost)
	}
	if t.has("get_status") {
		answer, _, err := b.tool(ctx, false,
			func(*tools) (string, arguments, error) { return "get_status", arguments{}, nil })
		return answer, err
	}
	answer, lost := b.ask(ctx, ask{name: "status", reads: true, do: func(ctx context.Context,
		s *session) (json.RawMessage, *failure, error) {
		result, err := s.mcp.ReadResource(ctx, &mcp.ReadResourceParams{URI: statusResource})
		if err != nil {
			return nil, nil, err
		}
		for _, content := range result.Contents {
			if json.Valid([]byte(content.Text)) {
				return json.RawMessage(content.Text), nil, nil
			}
		}
		return nil, notUnderstood(), nil
	}})
	if lost != nil {
		return nil, shown(lost)
	}
	return answer, nil
}

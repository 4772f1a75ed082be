package resolvers

import (
	"almanac/graph"
	"almanac/projections"
	"context"
)

func (r *agentChatPayloadRoot) Compact(ctx context.Context, obj *graph.AgentChatPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.agent.AgentCompact(ctx, options, obj)
}

func (r *mutationRoot) AgentChat(ctx context.Context, input graph.AgentChatInput) (*graph.AgentChatPayload, error) {
	return r.all.agent.AgentChat(ctx, input)
}

func (r *Root) AgentChatPayload() graph.AgentChatPayloadResolver { return (*agentChatPayloadRoot)(r) }

type (
	agentChatPayloadRoot Root
)

package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"context"
)

func (r *queryRoot) Node(ctx context.Context, id string) (model.Node, error) {
	return r.all.node(ctx, id)
}

func (r *queryRoot) Nodes(ctx context.Context, ids []string) ([]model.Node, error) {
	return r.all.nodeList(ctx, ids)
}

func (r *queryRoot) ParseTime(ctx context.Context, text string, timeZone *string) (*graph.ParsedTime, error) {
	return r.all.ParseTime(ctx, text, timeZone)
}

func (r *Root) Mutation() graph.MutationResolver { return (*mutationRoot)(r) }

func (r *Root) Query() graph.QueryResolver { return (*queryRoot)(r) }

func (r *Root) Subscription() graph.SubscriptionResolver { return (*subscriptionRoot)(r) }

type (
	mutationRoot     Root
	queryRoot        Root
	subscriptionRoot Root
)
